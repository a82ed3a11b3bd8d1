"""Every public classifier obeys every law that applies to it, and every law catches what breaks it."""

import numpy as np
import pytest
from discovery import estimators
from specimens import ESTIMATORS
from unlawful_estimators import UNLAWFUL, Obliging, Unweighted

from likely import NaiveBayes
from likely.testing import LawBroken, check_estimator
from likely.testing.estimators import laws_of
from likely.testing.laws import classifiers as laws
from likely.testing.laws import one_pass
from likely.testing.verdict import obey

SPECIMENS = [specimen for kind in estimators() for specimen in ESTIMATORS.get(kind, ())]


def specimens(**facts):
    chosen = [s for s in SPECIMENS if all(getattr(s, name) == value for name, value in facts.items())]
    return pytest.mark.parametrize("specimen", chosen, ids=lambda specimen: specimen.name)


@pytest.mark.parametrize("kind", estimators(), ids=lambda kind: kind.__name__)
def test_an_estimator_has_specimens(kind):
    assert ESTIMATORS.get(kind), f"tests/laws/specimens.py has no specimen of {kind.__name__}"


@pytest.mark.sample(160)
@pytest.mark.parametrize(
    ("specimen", "law"),
    [(specimen, law) for specimen in SPECIMENS for law in laws_of(specimen.make(), specimen)],
    ids=lambda either: getattr(either, "name", None) or either.__name__,
)
def test_law(specimen, law, examples):
    obey(law, specimen, examples(1, 5))


@specimens(scale_free=True)
def test_units_are_no_matter(specimen, examples):
    obey(laws.units_are_no_matter, specimen, examples(1, 3))


@specimens(naive=True, silent=True)
def test_a_missing_cell_is_the_model_without_it(specimen, examples):
    obey(laws.a_missing_cell_is_the_model_without_it, specimen, examples(1, 3))


@pytest.mark.sample(3)
@specimens(wide=True)
def test_ten_thousand_features_are_no_trouble(specimen):
    laws.ten_thousand_features_are_no_trouble(specimen, np.random.default_rng(0))


@pytest.mark.parametrize(
    ("specimen", "law"), UNLAWFUL, ids=lambda either: getattr(either, "name", None) or either.__name__
)
def test_a_control_is_caught(specimen, law):
    with pytest.raises((AssertionError, pytest.fail.Exception)):
        for seed in range(3):
            law(specimen, np.random.default_rng(seed))


def test_every_law_has_a_control():
    some = {
        laws.evidence_adds_up,
        laws.units_are_no_matter,
        laws.a_missing_cell_is_the_model_without_it,
        laws.ten_thousand_features_are_no_trouble,
    }
    assert {law for _, law in UNLAWFUL} == {*laws.ANY, *laws.GENERATIVE, *one_pass.LAWS, *some}


def test_the_check_for_users():
    rng = np.random.default_rng(0)
    y = np.array(["no", "yes"])[np.arange(80) % 2]
    X = rng.normal(size=(80, 3)) + (y == "yes")[:, None]
    check_estimator(NaiveBayes(), X, y, examples=1, linear=True, naive=True, scale_free=True)
    with pytest.raises(LawBroken, match="Obliging breaks the law"):
        check_estimator(Obliging(), X, y, examples=1, linear=True)
    with pytest.raises(LawBroken, match="a weight is that many rows"):
        check_estimator(Unweighted(), X, y, examples=1, linear=True)
