"""Every family obeys every law that applies to it, and every law catches what breaks it."""

import numpy as np
import pytest
from discovery import families
from specimens import FAMILIES
from unlawful_families import UNLAWFUL, Unlearning

from likely.distributions import GaussianFamily, PoissonFamily
from likely.errors import InputError
from likely.testing import LawBroken, check_family
from likely.testing.laws import densities as laws
from likely.testing.laws.capabilities import CAPABILITIES
from likely.testing.verdict import obey

SPECIMENS = [specimen for kind in families() for specimen in FAMILIES.get(kind, ())]


def specimens(**facts):
    chosen = [s for s in SPECIMENS if all(getattr(s, name) == value for name, value in facts.items())]
    return pytest.mark.parametrize("specimen", chosen, ids=lambda specimen: specimen.name)


@pytest.mark.parametrize("kind", families(), ids=lambda kind: kind.__name__)
def test_a_family_has_specimens(kind):
    assert FAMILIES.get(kind), f"tests/laws/specimens.py has no specimen of {kind.__name__}"


@pytest.mark.sample(120)
@pytest.mark.parametrize("law", laws.OFTEN, ids=lambda law: law.__name__)
@specimens()
def test_law(specimen, law, examples):
    obey(law, specimen, examples(3, 20))


@pytest.mark.sample(60)
@pytest.mark.parametrize("law", CAPABILITIES, ids=lambda law: law.__name__)
@specimens()
def test_law_of_capabilities(specimen, law):
    law(specimen, np.random.default_rng(1))


@pytest.mark.sample(80)
@pytest.mark.parametrize("law", laws.ONCE, ids=lambda law: law.__name__)
@specimens()
def test_law_of_whole_distributions(specimen, law):
    law(specimen, np.random.default_rng(1))


@pytest.mark.parametrize("law", laws.LOCATED, ids=lambda law: law.__name__)
@specimens(located=True)
def test_law_of_locations(specimen, law):
    law(specimen, np.random.default_rng(2))


@specimens(maximum=True)
def test_no_nearby_parameter_is_likelier(specimen, examples):
    obey(laws.no_nearby_parameter_is_likelier, specimen, examples(1, 5))


@pytest.mark.parametrize(
    ("specimen", "law"), UNLAWFUL, ids=lambda either: getattr(either, "name", None) or either.__name__
)
def test_a_control_is_caught(specimen, law):
    with pytest.raises((AssertionError, RuntimeWarning)):
        for seed in range(3):
            law(specimen, np.random.default_rng(seed))


def test_every_law_has_a_control():
    rest = {laws.no_nearby_parameter_is_likelier, laws.passes_climb}
    checked = {*laws.OFTEN, *laws.ONCE, *laws.LOCATED, *CAPABILITIES, *rest}
    assert {law for _, law in UNLAWFUL} == checked


def test_the_check_for_users():
    rng = np.random.default_rng(0)
    check_family(PoissonFamily(), rng.poisson(3.0, size=(60, 2)).astype(float), "counts", examples=1)
    with pytest.raises(LawBroken, match="a weight is that many rows"):
        unweighted = next(s for s, law in UNLAWFUL if law is laws.a_weight_is_that_many_rows)
        check_family(unweighted.family, rng.normal(size=(60, 2)), examples=5)
    with pytest.raises(LawBroken, match="its own estimate"):
        check_family(Unlearning(), rng.normal(50.0, 3.0, size=(60, 2)), examples=1)
    with pytest.raises(LawBroken, match="nearby"):
        check_family(GaussianFamily(), rng.normal(size=(60, 2)), examples=1, maximum=True)
    with pytest.raises(LawBroken, match="a density integrates to one"):
        check_family(GaussianFamily(), rng.normal(size=(60, 2)), "counts", examples=1)
    with pytest.raises(InputError, match="numbers, amounts, counts, binaries; got over='reals'"):
        check_family(GaussianFamily(), rng.normal(size=(60, 2)), "reals")
