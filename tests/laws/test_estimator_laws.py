"""Every public classifier obeys every law that applies to it, and every law catches what breaks it."""

import estimator_laws as laws
import numpy as np
import pytest
from discovery import estimators
from hypothesis import given, settings
from hypothesis import strategies as st
from specimens import ESTIMATORS
from unlawful_estimators import UNLAWFUL

SPECIMENS = [specimen for kind in estimators() for specimen in ESTIMATORS.get(kind, ())]


def specimens(**facts):
    chosen = [s for s in SPECIMENS if all(getattr(s, name) == value for name, value in facts.items())]
    return pytest.mark.parametrize("specimen", chosen, ids=lambda specimen: specimen.name)


@pytest.mark.parametrize("kind", estimators(), ids=lambda kind: kind.__name__)
def test_an_estimator_has_specimens(kind):
    assert ESTIMATORS.get(kind), f"tests/laws/specimens.py has no specimen of {kind.__name__}"


@pytest.mark.parametrize("law", laws.LAWS, ids=lambda law: law.__name__)
@specimens()
@settings(max_examples=3)
@given(seed=st.integers(0, 2**32 - 1))
def test_law(specimen, law, seed):
    law(specimen, np.random.default_rng(seed))


@specimens(scale_free=True)
@pytest.mark.parametrize("seed", range(2))
def test_units_are_no_matter(specimen, seed):
    laws.units_are_no_matter(specimen, np.random.default_rng(seed))


@specimens(naive=True, silent=True)
@pytest.mark.parametrize("seed", range(2))
def test_a_missing_cell_is_the_model_without_it(specimen, seed):
    laws.a_missing_cell_is_the_model_without_it(specimen, np.random.default_rng(seed))


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
        laws.units_are_no_matter,
        laws.a_missing_cell_is_the_model_without_it,
        laws.ten_thousand_features_are_no_trouble,
    }
    assert {law for _, law in UNLAWFUL} == {*laws.LAWS, *some}
