"""The bundled data are those of the worked examples, cell by cell."""

from functools import cache
from pathlib import Path

import numpy as np
import polars as pl
import pytest
import yaml

from likely.data import augmented, bundled, unflatten_grid
from likely.data.bundled import Dataset, Table
from likely.data.bundled.draws import THREE_COVARIANCES, THREE_MEANS
from likely.errors import InputError

FACTORIES = sorted(set(bundled.__all__) - {"Dataset", "Table", "penguins"})  # the penguins are a frame
DRAWN = {"three_gaussians", "draws_of_s_and_t", "topic_documents"}


@cache
def examples():
    path = Path(__file__).parents[1] / "examples" / "examples.yaml"
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return {entry["id"]: entry for entry in yaml.load(path.read_text(encoding="utf-8"), Loader=loader)["examples"]}


def inputs(id):
    return examples()[id]["inputs"]


def made(name):
    factory = getattr(bundled, name)
    return factory(20) if name in DRAWN else factory()


@pytest.mark.parametrize("name", FACTORIES)
def test_every_one_says_where_it_is_from_and_makes_a_frame(name):
    data = made(name)
    frame = data.frame()
    assert isinstance(frame, pl.DataFrame)
    assert len(data.source) > 10
    if isinstance(data, Table):
        assert frame.columns[:-1] == list(data.axes)
        assert frame.height == data.cells.size
        assert frame.to_series(-1).to_list() == data.cells.ravel().tolist()
        assert all(data.at(*row[:-1]) == row[-1] for row in frame.rows())
        assert not data.cells.flags.writeable
    else:
        named = 1 if data.names else 0
        columns = frame.columns[named:]
        assert frame.height == len(data.rows) == len(data.x)
        assert columns[: len(data.columns)] == list(data.columns)
        assert frame.select(data.columns).rows() == [tuple(row) for row in data.x.tolist()]
        if data.target is not None:
            assert columns[-1] == data.target_name
            assert frame[data.target_name].to_list() == list(data.y)


def test_weather():
    data, given = bundled.weather(), inputs("EX-GEN-03")
    assert list(map(list, data.rows)) == given["rows"]
    assert list(data.columns) == given["attributes"]
    assert list(data.target) == given["play"]


def test_dating():
    data, given = bundled.dating(), inputs("EX-GEN-11")
    assert list(map(list, data.rows)) == given["rows"]
    assert list(data.columns) == given["attributes"]
    assert list(data.target) == given["labels"]


def test_emails():
    data, given = bundled.emails(), inputs("EX-GEN-10")
    assert {name: text for name, (text,) in zip(data.names, data.rows, strict=True)} == given["documents"]
    classes = {name: label for label, names in given["classes"].items() for name in names}
    assert dict(zip(data.names, data.target, strict=True)) == classes


@pytest.mark.parametrize("binary, id", [(False, "EX-GEN-06"), (True, "EX-GEN-05")])
def test_sport_documents(binary, id):
    data, given = bundled.sport_documents(binary=binary), inputs(id)
    assert data.x[data.y == "S"].tolist() == given["sport"]
    assert data.x[data.y == "I"].tolist() == given["informatics_substitute"]
    assert list(data.columns) == given["vocabulary"]


def test_film_critics():
    data, given = bundled.film_critics(), inputs("EX-REC-01")
    assert data.x.tolist() == given["ratings"]
    assert list(data.names) == given["critics"] and list(data.columns) == given["films"]
    with pytest.raises(InputError, match="no classes"):
        data.y


def test_thumbtack():
    assert "".join(bundled.thumbtack().x[:, 0]) == inputs("EX-EST-01")["tosses"]


def test_ink_grids():
    data, given = bundled.ink_grids(), inputs("EX-DAT-01")
    grids = unflatten_grid(data.x, (8, 8))
    assert grids.tolist() == [given["grid_a"], given["grid_b"]]


def test_s_and_t():
    data, given = bundled.s_and_t(), inputs("EX-GEN-13")
    assert [data.x[data.y == name, 0].tolist() for name in "ST"] == [given["S"], given["T"]]


def test_perceptron_patterns():
    data, given = bundled.perceptron_patterns(), inputs("EX-DSC-09")
    assert augmented(data.x).tolist() == given["x"]
    assert list(data.target) == given["d"]


@pytest.mark.parametrize(
    "name, id, rows, target",
    [
        ("linear_patterns", "EX-DSC-12", "x", "y"),
        ("apples_and_pears", "EX-KNN-01", "x", "y"),
        ("oranges_and_lemons", "EX-DSC-34", "x", "y"),
        ("outlier_points", "EX-DIS-08", "points", None),
        ("four_points", "EX-CLU-01", "points", None),
        ("fourteen_points", "EX-CLU-02", "points", None),
    ],
)
def test_points_in_the_plane(name, id, rows, target):
    data, given = getattr(bundled, name)(), inputs(id)
    assert data.x.tolist() == given[rows]
    assert (data.target is None) if target is None else (list(data.target) == given[target])


@pytest.mark.parametrize(
    "name, id, key",
    [
        ("density_points", "EX-EST-20", "points"),
        ("mixture_points", "EX-EMM-05", "x"),
        ("extreme_point", "EX-DSC-01", "x"),
    ],
)
def test_points_on_a_line(name, id, key):
    assert getattr(bundled, name)().x[:, 0].tolist() == inputs(id)[key]


def test_extreme_point_classes():
    assert list(bundled.extreme_point().target) == inputs("EX-DSC-01")["y"]


def test_calibration_scores():
    data, given = bundled.calibration_scores(), inputs("EX-CAL-01")
    assert [data.x[data.y == label, 0].tolist() for label in (1, 0)] == [given["pos"], given["neg"]]


def test_fish_lengths():
    table, given = bundled.fish_lengths(), inputs("EX-GEN-02")
    lengths = table.levels[1]
    assert {str(n): table.at("M", n) for n in lengths} == given["n_M"]
    assert {str(n): table.at("F", n) for n in lengths} == given["n_F"]
    assert table.cells.sum(axis=1).tolist() == [100, 100]
    for length, likelihoods in inputs("EX-GEN-01")["likelihood"].items():
        assert [table.at(sex, int(length)) / 100 for sex in "MF"] == likelihoods


def test_dental():
    table = bundled.dental()
    for key, probability in inputs("EX-PRB-07")["joint"].items():
        cavity, toothache, catch = key.split(",")
        assert table.at(cavity == "cavity", toothache == "toothache", catch == "catch") == probability
    assert np.isclose(table.cells.sum(), 1)


def test_two_way_probability_tables():
    four = inputs("EX-PRB-06")["joint"]
    keys = ["cavity_toothache", "cavity_none", "none_toothache", "none_none"]
    assert bundled.cavity_and_toothache().cells.ravel().tolist() == [four[key] for key in keys]
    weather = bundled.weather_and_cavity()
    assert weather.cells.tolist() == inputs("EX-PRB-05")["joint"]
    assert weather.levels == (tuple(inputs("EX-PRB-05")["cavity"]), tuple(inputs("EX-PRB-05")["weather"]))
    coins = bundled.two_coins()
    assert {f"{coin},{side}": coins.at(coin, side) for coin, side, _ in coins.frame().rows()} == inputs("EX-PRB-08")[
        "worlds"
    ]
    boxes = bundled.fruit_boxes()
    for box, fruits in inputs("EX-PRB-01")["boxes"].items():
        assert {fruit: boxes.at(box, fruit) for fruit in boxes.levels[1]} == fruits


def test_cancer_test():
    table, given = bundled.cancer_test(), inputs("EX-PRB-09")
    prior = table.cells.sum(axis=1)
    assert np.allclose(prior, [given["prior"], 1 - given["prior"]], rtol=1e-15)
    assert np.isclose(table.at("cancer", "positive") / prior[0], given["sensitivity"], rtol=1e-15)
    assert np.isclose(table.at("healthy", "negative") / prior[1], given["specificity"], rtol=1e-15)


def test_confusion_matrices():
    assert bundled.three_class_confusion().cells.tolist() == inputs("EX-EVA-03")["matrix"]
    assert bundled.head_injury("train").cells.tolist() == inputs("EX-EVA-04")["matrix"]
    assert bundled.head_injury("test").cells.tolist() == inputs("EX-EVA-05")["matrix"]
    counts, table = inputs("EX-EVA-02"), bundled.one_against_rest()
    assert [table.at(True, True), table.at(False, True), table.at(True, False), table.at(False, False)] == [
        counts[key] for key in ("TP", "FP", "FN", "TN")
    ]
    with pytest.raises(InputError, match="'valid'"):
        bundled.head_injury("valid")


def test_three_gaussians():
    given = inputs("EX-GEN-17")
    for name, true in given["true"].items():
        assert np.array_equal(THREE_MEANS[name], true["mean"]) and np.array_equal(THREE_COVARIANCES[name], true["cov"])
    data = bundled.three_gaussians(20_000, random_state=1)
    for name in "ABC":
        points = data.x[data.y == name]
        assert len(points) == 20_000
        assert np.allclose(points.mean(axis=0), THREE_MEANS[name], atol=0.06)
        assert np.allclose(np.cov(points, rowvar=False), THREE_COVARIANCES[name], atol=0.15)


def test_best_accuracy_on_three_gaussians():
    """The true model is right on 0.8548 of the points; the fitted one comes near on a small sample."""
    from scipy.stats import multivariate_normal

    expected = examples()["EX-GEN-17"]["expected"]

    def accuracy(data, parameters):
        scores = [multivariate_normal(mean, cov).logpdf(data.x) for mean, cov in parameters]
        right = np.array(list("ABC"))[np.argmax(scores, axis=0)] == data.y
        return [right[data.y == name].mean() for name in "ABC"]

    true = [(THREE_MEANS[name], THREE_COVARIANCES[name]) for name in "ABC"]
    best = accuracy(bundled.three_gaussians(50_000, random_state=2), true)
    assert np.allclose(best, expected["best_accuracy_per_class"]["value"], atol=0.006)
    train, test = bundled.three_gaussians(200, random_state=0), bundled.three_gaussians(100, random_state=1)
    fitted = [(train.x[train.y == c].mean(axis=0), np.cov(train.x[train.y == c], rowvar=False)) for c in "ABC"]
    assert abs(np.mean(accuracy(test, fitted)) - expected["best_accuracy"]["value"]) < 0.06


def test_draws_of_s_and_t():
    given, expected = inputs("EX-GEN-27"), examples()["EX-GEN-27"]["expected"]
    data = bundled.draws_of_s_and_t(given["n"], given["seed"], given["prior"]["S"])
    assert abs((data.y == "S").mean() - expected["p_S"]["value"]) < expected["p_S"]["tol"]
    assert abs(data.x.mean() - expected["overall_mean"]["value"]) < expected["overall_mean"]["tol"]
    for name in "ST":
        x = data.x[data.y == name, 0]
        assert abs(x.mean() - given["mean"][name]) < 0.06 and abs(x.std() - given["sd"][name]) < 0.06


def test_topic_documents_can_be_learned():
    from sklearn.naive_bayes import MultinomialNB

    data = bundled.topic_documents(1200)
    test, scores = slice(800, 1200), {}
    for n in (20, 800):
        scores[n] = MultinomialNB().fit(data.x[:n], data.y[:n]).score(data.x[test], data.y[test])
    assert scores[800] >= scores[20] + 0.1
    assert (data.x.sum(axis=1) == 30).all() and set(data.y) == {0, 1, 2, 3}


@pytest.mark.parametrize("name", sorted(DRAWN))
def test_a_seed_fixes_the_draw(name):
    draw = getattr(bundled, name)
    assert np.array_equal(draw(30, random_state=5).x, draw(30, random_state=5).x)
    assert not np.array_equal(draw(30, random_state=5).x, draw(30, random_state=6).x)
    assert len(draw(0).rows) == 0
    with pytest.raises(InputError, match="negative"):
        draw(-1)


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: Dataset(((1, 2), (3,)), ("a", "b"), "here"), r"rows have \[1, 2\]"),
        (lambda: Dataset(((1,),), ("a",), "here", target=("x", "y")), "1 rows have 2 classes"),
        (lambda: Dataset(((1,),), ("a",), "here", names=("x", "y")), "1 rows have 2 names"),
        (lambda: Table(np.zeros((2, 2)), ("a",), (("x", "y"),), "here"), "do not fit"),
        (lambda: bundled.draws_of_s_and_t(5, prior_s=1.5), "between 0 and 1"),
        (lambda: bundled.topic_documents(5, vocabulary=0), "cannot be drawn"),
    ],
)
def test_mistakes_are_named(call, message):
    with pytest.raises(InputError, match=message):
        call()
