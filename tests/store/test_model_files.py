"""Every public estimator comes back from a file as it was: to the bit, in another process, able to go on learning."""

import json
import pickle
import subprocess
import sys
import warnings
import zipfile
from dataclasses import dataclass
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path
from typing import ClassVar

import numpy as np
import polars as pl
import pytest
from sklearn.linear_model import LogisticRegression
from stored_models import answers, cases, public

from likely import BayesClassifier, NaiveBayes, Perceptron
from likely.decisions import Calibrated, MajorityClassifier, recalibrate
from likely.distributions import GaussianFamily, names
from likely.errors import LikelyError, NotFittedError
from likely.models.linear.perceptrons import HardAnswers
from likely.store import inspect, load, register, registry, save, values
from likely.store.values import Decoder, Encoder

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def made():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return list(cases())


@pytest.fixture(scope="module")
def folder(made, tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    for i, (_, model, _, _) in enumerate(made):
        save(model, folder / f"{i}.likely")
    return folder


def test_every_public_estimator_has_a_case(made):
    kinds = {type(model) for _, model, _, _ in made}
    assert set(public()) <= kinds <= set(registry.estimators().values())


@pytest.mark.slow
def test_another_process_answers_the_same_to_the_bit(made, folder):
    (folder / "rows").write_bytes(pickle.dumps([(X, y) for _, _, X, y in made]))
    subprocess.run([sys.executable, str(HERE / "answer_again.py"), str(folder)], check=True, timeout=120)
    found = pickle.loads((folder / "answers").read_bytes())
    for i, (name, model, X, y) in enumerate(made):
        expected = answers(model, X, y)
        assert found[i].keys() == expected.keys()
        for question, answer in expected.items():
            assert found[i][question].dtype == answer.dtype, (name, question)
            assert np.array_equal(found[i][question], answer, equal_nan=answer.dtype.kind == "f"), (name, question)


def test_the_same_model_gives_the_same_bytes_and_parameters(made, folder, tmp_path):
    for i, (name, model, _, _) in enumerate(made):
        again = load(folder / f"{i}.likely")
        assert save(again, tmp_path / "again").read_bytes() == (folder / f"{i}.likely").read_bytes(), name
        mine, its = model.get_params(deep=False), again.get_params(deep=False)
        assert mine.keys() == its.keys()
        assert all(repr(mine[key]) == repr(its[key]) for key in mine), name
        if hasattr(model, "_learned"):
            assert model._learned().keys() == again._learned().keys(), name


def test_a_file_is_described(made, folder):
    for i, (name, model, _, _) in enumerate(made):
        held = inspect(folder / f"{i}.likely")
        assert held.estimator == type(model).__name__
        assert len(held.classes) == len(model.classes_) == len(held.training), name
        assert len(held.kinds) == model.n_features_in_
        assert held.size == (folder / f"{i}.likely").stat().st_size
        assert json.loads(json.dumps(held.as_dict()))["sha256"] == held.sha256
        assert held.estimator in str(held) and held.sha256 in str(held)


def test_any_tool_opens_the_archive(folder):
    with zipfile.ZipFile(folder / "0.likely") as archive:
        assert archive.testzip() is None
        manifest = json.loads(archive.read("likely.json"))
        assert manifest["format_version"] == 1
        for name, entry in manifest["arrays"].items():
            with archive.open(f"arrays/{name}.npy") as member:
                assert np.load(member, allow_pickle=False).shape == tuple(entry["shape"])


def test_every_statistic_family_and_distribution_is_in_the_registry():
    from discovery import classes_in, families, statistics

    known = set(registry.values().values())
    assert set(families()) <= known
    labelled = {kind for kind in statistics() if kind.__name__ != "Labelled"}
    assert labelled <= known
    verbs = ("log_density", "log_density_terms", "sample")
    found = {kind for kind in classes_in("likely.distributions") if all(hasattr(kind, verb) for verb in verbs)}
    assert {kind for kind in found if not getattr(kind, "_is_protocol", False)} <= known


VALUES = [
    None, True, 0, -(2**80), 0.1, -0.0, float("inf"), float("-inf"), "é", "\ud83d\ude00", "\ud800", b"\0\xff",
    (), (1, (2.0, "x")), [1, [2]], {"a": 1, 2: None, (1, "b"): [3]}, np.float32(0.1), np.int8(-3), np.str_("x"),
    np.datetime64("2020-01-02T03:04:05", "ns"), date(2020, 2, 29), datetime(2020, 1, 2, 3, 4, 5, 6, fold=1),
    datetime(2020, 1, 2, tzinfo=timezone(timedelta(hours=-3))), timedelta(-1, 2, 3), Decimal("1.10"),
    tuple(range(100)), tuple(f"t{i}\ud800" for i in range(40)), ("same",) * 50, (None,) * 40, (True, False) * 20,
    tuple(0.5 * i for i in range(40)), tuple([1, 2.0] * 20),
]  # fmt: skip


@pytest.mark.parametrize("value", VALUES, ids=lambda value: f"{type(value).__name__}-{str(value)[:12]!a}")
def test_a_value_comes_back_exactly(value):
    encoder = Encoder()
    body = json.loads(json.dumps(encoder.encode(value, "v"), allow_nan=False))
    again = Decoder(lambda name: encoder.arrays[name][0].restored(encoder.arrays[name][1]), 0).decode(body)
    assert type(again) is type(value)
    assert again == value and repr(again) == repr(value)


@pytest.mark.parametrize(
    "array",
    [
        np.array([[1.0, np.nan], [-0.0, np.inf]]),
        np.asfortranarray(np.arange(12.0).reshape(3, 4)),
        np.arange(12).reshape(3, 4)[:, ::2],
        np.zeros((0, 3)),
        np.array(3),
        np.array(["é", ""], dtype="<U3"),
        np.array([True, False]),
        np.array([1, 2], dtype=">i4"),
        np.array(["2020-01-01", "NaT"], dtype="M8[D]"),
        np.array([date(2020, 1, 1), None, "x", 3, b"y"], dtype=object),
    ],
    ids=lambda array: str(array.dtype),
)
def test_an_array_comes_back_exactly(array):
    encoder = Encoder()
    body = encoder.encode(array, "v")
    again = Decoder(lambda name: encoder.arrays[name][0].restored(encoder.arrays[name][1]), 0).decode(body)
    assert again.shape == array.shape and again.dtype == array.dtype.newbyteorder("=")
    assert again.tolist() == array.tolist() or again.tobytes() == array.tobytes()
    if array.flags.forc:
        assert again.flags.f_contiguous == array.flags.f_contiguous


def test_dates_can_be_classes(tmp_path):
    y = np.array([date(2020, 1, 1), date(2021, 1, 1)] * 4, dtype=object)
    for model in (NaiveBayes().fit(np.arange(8.0)[:, None], y), MajorityClassifier().fit(np.ones((8, 1)), y)):
        again = load(save(model, tmp_path / "dates.likely"))
        assert again.classes_.tolist() == model.classes_.tolist()


def test_weights_of_likelihoods_are_kept(tmp_path):
    found = recalibrate(["a", "a", "b", "b"], np.log([[0.5, 0.6], [0.6, 0.3], [0.2, 0.9], [0.1, 0.7]]))
    again = load(save(found, tmp_path / "weights.likely"))
    assert again.log_weight.tobytes() == found.log_weight.tobytes() and again.classes.tolist() == ["a", "b"]
    assert inspect(tmp_path / "weights.likely").classes == ("a", "b")


def test_a_loaded_model_draws_a_frame(tmp_path):
    frame = pl.DataFrame({"x": [1.0, 2.0, 5.0, 6.0]})
    model = load(save(NaiveBayes().fit(frame, list("aabb")), tmp_path / "m.likely"))
    assert model.sample(2, random_state=0)[0].columns == ["x"]


def test_the_limit_of_values_leaves_room_for_wide_tables(tmp_path, monkeypatch):
    monkeypatch.setattr(values, "_FREE", 0)
    X = np.random.default_rng(0).integers(0, 2, (4, 5000))
    for model in (NaiveBayes(), NaiveBayes("nominal"), MajorityClassifier()):
        again = load(save(model.fit(X, list("abab")), tmp_path / "wide.likely"))
        assert np.array_equal(again.predict_proba(X), model.predict_proba(X))


class Foreign(NaiveBayes):
    pass


def test_what_cannot_be_kept_is_refused_with_the_reason(tmp_path):
    X, y = np.arange(12.0)[:, None], ["a", "b"] * 6
    place = tmp_path / "m.likely"
    with pytest.raises(LikelyError, match=r"sklearn's LogisticRegression.*foreign code"):
        save(Calibrated(LogisticRegression()).fit(X, y), place)
    with pytest.raises(LikelyError, match="foreign code"):
        save(Foreign().fit(X, y), place)
    with pytest.raises(LikelyError, match="seed"):
        save(NaiveBayes(random_state=np.random.default_rng(0)).fit(X, y), place)
    with pytest.raises(NotFittedError):
        save(NaiveBayes(), place)
    with pytest.raises(LikelyError):
        save(object(), place)
    with pytest.raises(LikelyError, match="not kept"):
        model = BayesClassifier().fit(X, y)
        model.extra_ = 1
        save(model, place)
    assert not list(tmp_path.iterdir())


@dataclass(frozen=True)
class Cautious(GaussianFamily):
    """A family of a user's own."""

    name: ClassVar[str] = "cautious"


def test_a_file_holds_a_registered_family_and_no_other(tmp_path):
    X, y = np.array([[1.0], [2.0], [5.0], [7.0]]), ["a", "a", "b", "b"]
    model = BayesClassifier(Cautious(ddof=1)).fit(X, y)
    with pytest.raises(LikelyError, match=r"likely\.store\.register"):
        save(model, tmp_path / "model")
    assert register(Cautious) is Cautious
    try:
        path = save(model, tmp_path / "model")
        again = load(path)
        assert again.family == Cautious(ddof=1)
        assert np.array_equal(again.predict_proba(X), model.predict_proba(X))
        assert NaiveBayes("cautious", ddof=1).fit(X, y).layout_.families == (Cautious(ddof=1),)
    finally:
        del registry._OWN["own.Cautious"], names._OWN["cautious"]
    with pytest.raises(LikelyError, match=r"'own.Cautious' is nothing that .* likely\.store\.register"):
        load(path)


def test_only_frozen_statistics_families_and_distributions_are_registered():
    @dataclass
    class Loose:
        form = "real"
        summarize = estimate = None

    for kind, problem in ((Loose, "frozen=True"), (dict, "no statistic"), (Path, "no statistic"), ("text", "no stat")):
        with pytest.raises(LikelyError, match=problem):
            register(kind)
    with pytest.raises(LikelyError, match="another name"):
        register(dataclass(frozen=True)(type("Other", (Cautious,), {"name": "gaussian", "__module__": __name__})))


def test_what_only_answers_for_a_model_is_refused_with_words(tmp_path):
    model = Perceptron(multiclass="one_vs_rest").fit(np.arange(12.0)[:, None] % 7, np.arange(12) % 3)
    with pytest.raises(LikelyError, match="a model file cannot keep"):
        save(HardAnswers(model), tmp_path / "m")
