"""Pictures of clusters, trees, mixtures, components and recommendations: what they say is what the model says."""

import matplotlib

matplotlib.use("agg")

import numpy as np
import polars as pl
import pytest
from matplotlib import pyplot

from likely import PCA, Hierarchy, KMeans, Mixture, NaiveBayes, Recommender
from likely.data.bundled import penguins
from likely.errors import InputError, LikelyError
from likely.figures import (
    ClustersDisplay,
    ComponentsDisplay,
    DendrogramDisplay,
    ExponentsDisplay,
    MixtureDisplay,
    RecommendationsDisplay,
)

ROWS = [[0.0], [1.0], [3.0], [7.0], [8.5], [20.0]]
TASTES = {f"u{i}": {"a": 4, "b": 3 + i % 2, "c": 1 + i % 2, "d": 5} for i in range(9)}


@pytest.fixture(autouse=True)
def close_figures():
    yield
    pyplot.close("all")


def cut_of(display):
    return [line.get_ydata()[0] for line in display.ax_.lines if line.get_gid() == "cut"]


def test_a_tree_is_cut_where_it_was_asked_to_be():
    assert cut_of(DendrogramDisplay.from_estimator(Hierarchy("single", height=1.6).fit(ROWS))) == [1.6]
    assert cut_of(DendrogramDisplay.from_estimator(Hierarchy("single", n_clusters=3).fit(ROWS))) == [3.0]
    assert cut_of(DendrogramDisplay.from_estimator(Hierarchy("single", height=99.0).fit(ROWS))) == []


@pytest.mark.parametrize("options", [{"linkage": "ward"}, {"direction": "divisive"}])
def test_the_distance_has_its_name(options):
    display = DendrogramDisplay.from_estimator(Hierarchy(**options).fit(ROWS))
    assert display.ax_.get_ylabel() == "Ward distance"
    with pytest.raises(InputError, match="6 rows need as many names, got 2"):
        DendrogramDisplay.from_estimator(Hierarchy().fit(ROWS), names=["a", "b"])


def test_a_mixture_names_the_columns_it_was_given():
    birds = penguins().drop_nulls()
    two = MixtureDisplay.from_values(birds.select("bill_length_mm", "bill_depth_mm"), 2, passes=(1, 3), starts=1)
    assert (two.panels_[0].get_xlabel(), two.panels_[0].get_ylabel()) == ("bill_length_mm", "bill_depth_mm")
    one = MixtureDisplay.from_values(birds["bill_length_mm"], 2, passes=(1, 3), starts=1)
    assert one.panels_[0].get_xlabel() == "bill_length_mm"
    x = birds["bill_length_mm"].to_numpy()[:, None]
    plain = MixtureDisplay.from_estimator(Mixture(2, n_init=1, random_state=0).fit(x), x)
    assert plain.panels_[0].get_xlabel() == "x"


def test_recommendations_are_the_models():
    model = Recommender().fit(TASTES)
    shown = RecommendationsDisplay.from_estimator(model, ratings={"b": 4}, confidence=0.8).frame()
    best = model.recommend(ratings={"b": 4})
    assert shown["item"].to_list() == [each.item for each in best]
    assert np.allclose(shown["expected"], [each.score for each in best])
    assert (shown["low"] <= shown["expected"]).all() and (shown["expected"] <= shown["high"]).all()
    with pytest.raises(LikelyError, match="expected a fitted Recommender"):
        RecommendationsDisplay.from_estimator(KMeans(2).fit(ROWS), "u0")
    nothing_left = RecommendationsDisplay.from_estimator(model, "u0")
    assert nothing_left.frame().height == 0


def test_exponents_are_the_models():
    table = penguins()
    model = NaiveBayes(weighting="exponents").fit(table.drop("species"), table["species"])
    shown = ExponentsDisplay.from_estimator(model).frame()
    assert dict(shown.rows()) == pytest.approx(model.exponents_)
    assert shown["exponent"].is_sorted(descending=True)
    with pytest.raises(InputError, match="no exponents"):
        ExponentsDisplay.from_estimator(KMeans(2).fit(ROWS))


def test_standardized_clusters_are_drawn_in_the_units_of_the_columns():
    rows = pl.DataFrame({"mass": [1000.0, 1100.0, 3000.0, 3100.0], "length": [1.0, 1.1, 5.0, 5.2]})
    for model in (KMeans(2, standardize=True, random_state=0), Hierarchy(standardize=True)):
        display = ClustersDisplay.from_estimator(model.fit(rows), rows)
        assert np.allclose(display.points, rows.to_numpy())
        assert sorted(display.stages[0].centres[:, 0].round(6).tolist()) == [1050.0, 3050.0]
        names = [words.get_text() for words in display.ax_.get_legend().get_texts()]
        assert names == ["cluster 0", "cluster 1"]


def test_clusters_of_one_colour_have_another_shape():
    rows = np.arange(24.0)[:, None] * [1.0, 1.0]
    display = ClustersDisplay.from_estimator(KMeans(12, random_state=0).fit(rows), rows)
    marks = {(line.get_color(), line.get_marker()) for line in display.ax_.lines if line.get_gid() == "rows"}
    assert len(marks) == 12


def test_arrows_that_are_left_out_are_told_and_names_stand_off_the_heads():
    x = np.random.default_rng(0).normal(size=(80, 13)) + np.arange(80)[:, None] / 10
    display = ComponentsDisplay.from_estimator(PCA(2, standardize=True).fit(x), x, loadings=True)
    assert display.ax_.get_title() == "the 12 longest arrows of 13 columns"
    few = ComponentsDisplay.from_estimator(PCA(2).fit(x[:, :5]), x[:, :5], loadings=True)
    assert few.ax_.get_title() == ""
    few.figure_.draw_without_rendering()
    names = [words for words in few.ax_.texts if words.get_text()]
    ends = few.ax_.transData.transform(np.abs(few.scores).max() * few.loadings)
    boxes = [words.get_window_extent() for words in names]
    assert len(boxes) == 5 and not any(box.contains(*end) for box in boxes for end in ends)


def test_a_mixture_of_a_frame_is_drawn_without_a_warning():
    rng = np.random.default_rng(0)
    frame = pl.DataFrame({name: rng.normal(size=40) + 5.0 * (np.arange(40) % 2) for name in "ab"})
    for columns in (["a"], ["a", "b"]):
        some = frame.select(columns)
        display = MixtureDisplay.from_estimator(Mixture(2, n_init=1, random_state=0).fit(some), some)
        assert len(display.frame())


@pytest.mark.slow
def test_the_way_of_a_mixture_is_that_of_its_best_start():
    rng = np.random.default_rng(0)
    x = np.concatenate([rng.normal(size=30), rng.normal(size=30) + 3, rng.normal(size=30) - 4])
    drawn = set()
    for seed in range(4):
        model = Mixture(4, n_init=6, random_state=seed).fit(x[:, None])
        place = int(np.argmax(model.starts_))
        drawn.add(place)
        display = MixtureDisplay.from_passes(x, model, passes=(1, 3, 1000))
        assert display.models[1000] is model
        for passes in (1, 3):
            assert np.allclose(display.models[passes].log_posteriors_, model.log_posteriors_[: passes + 1])
        again = MixtureDisplay.from_passes(x, model, passes=(3, model.n_iter_ - 1)).models[model.n_iter_ - 1]
        assert np.allclose(again.log_posteriors_, model.log_posteriors_[:-1])
    assert drawn != {0}
    with pytest.raises(InputError, match="from its seed"):
        MixtureDisplay.from_passes(x, Mixture(4, n_init=1).fit(x[:, None]), passes=(1,))


def test_a_mixture_that_is_not_at_rest_is_not_said_to_be():
    x = np.concatenate([np.random.default_rng(0).normal(size=50), np.random.default_rng(1).normal(size=50) + 2.5])

    def said(passes):
        display = MixtureDisplay.from_values(x, 2, passes=passes, starts=1)
        return [text.get_text() for text in display.panels_[0].get_legend().get_texts()]

    assert said((1, 2))[:2] == ["after 1 pass", "after 2 passes"]
    assert said((1, 1000))[1].startswith("at rest (")
