"""Every statistic obeys every law of sums, and every law catches what breaks it."""

import numpy as np
import pytest
from discovery import statistics
from specimens import STATISTICS
from unlawful import UNLAWFUL

from likely.statistics import Moments
from likely.testing import LawBroken, check_statistic
from likely.testing.sums import LAWS
from likely.testing.verdict import obey

SPECIMENS = [specimen for kind in statistics() for specimen in STATISTICS.get(kind, ())]


@pytest.mark.parametrize("kind", statistics(), ids=lambda kind: kind.__name__)
def test_a_statistic_has_specimens(kind):
    assert STATISTICS.get(kind), f"tests/laws/specimens.py has no specimen of {kind.__name__}"


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
@pytest.mark.parametrize("specimen", SPECIMENS, ids=lambda specimen: specimen.name)
def test_law(specimen, law, examples):
    obey(law, specimen, examples(12, 250))


@pytest.mark.parametrize(
    ("specimen", "law"), UNLAWFUL, ids=lambda either: getattr(either, "name", None) or either.__name__
)
def test_a_control_is_caught(specimen, law):
    with pytest.raises(LawBroken, match="breaks the law"):
        obey(law, specimen, 25)


def test_every_law_has_a_control():
    assert {law for _, law in UNLAWFUL} == set(LAWS)


def test_the_check_for_users_catches_what_the_laws_catch():
    rows = np.array([[1.0, 2.0], [np.nan, 0.5], [3.0, -1.0]])
    check_statistic(Moments.of, rows, examples=5)
    for specimen, _ in UNLAWFUL:
        if specimen.name != "Arriving":  # which takes levels
            with pytest.raises(LawBroken, match=specimen.name):
                check_statistic(specimen.of, rows.tolist(), specimen.name)
