"""Every family obeys every law that applies to it, and every law catches what breaks it."""

import family_laws as laws
import numpy as np
import pytest
from discovery import families
from hypothesis import given, settings
from hypothesis import strategies as st
from specimens import FAMILIES
from unlawful_families import UNLAWFUL

SPECIMENS = [specimen for kind in families() for specimen in FAMILIES.get(kind, ())]


def specimens(**facts):
    chosen = [s for s in SPECIMENS if all(getattr(s, name) == value for name, value in facts.items())]
    return pytest.mark.parametrize("specimen", chosen, ids=lambda specimen: specimen.name)


@pytest.mark.parametrize("kind", families(), ids=lambda kind: kind.__name__)
def test_a_family_has_specimens(kind):
    assert FAMILIES.get(kind), f"tests/laws/specimens.py has no specimen of {kind.__name__}"


@pytest.mark.parametrize("law", laws.OFTEN, ids=lambda law: law.__name__)
@specimens()
@settings(max_examples=8)
@given(seed=st.integers(0, 2**32 - 1))
def test_law(specimen, law, seed):
    law(specimen, np.random.default_rng(seed))


@pytest.mark.parametrize("law", laws.ONCE, ids=lambda law: law.__name__)
@specimens()
def test_law_of_whole_distributions(specimen, law):
    law(specimen, np.random.default_rng(1))


@pytest.mark.parametrize("law", laws.LOCATED, ids=lambda law: law.__name__)
@specimens(located=True)
def test_law_of_locations(specimen, law):
    law(specimen, np.random.default_rng(2))


@specimens(maximum=True)
@pytest.mark.parametrize("seed", range(3))
def test_no_nearby_parameter_is_likelier(specimen, seed):
    laws.no_nearby_parameter_is_likelier(specimen, np.random.default_rng(seed))


@pytest.mark.parametrize(
    ("specimen", "law"), UNLAWFUL, ids=lambda either: getattr(either, "name", None) or either.__name__
)
def test_a_control_is_caught(specimen, law):
    with pytest.raises((AssertionError, RuntimeWarning)):
        for seed in range(3):
            law(specimen, np.random.default_rng(seed))


def test_every_law_has_a_control():
    rest = {laws.no_nearby_parameter_is_likelier, laws.passes_climb}
    checked = {*laws.OFTEN, *laws.ONCE, *laws.LOCATED, *rest}
    assert {law for _, law in UNLAWFUL} == checked
