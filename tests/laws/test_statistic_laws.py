"""Every statistic obeys every law of sums, and every law catches what breaks it."""

import pytest
from discovery import statistics
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from specimens import STATISTICS
from statistic_laws import LAWS, Example
from unlawful import UNLAWFUL

SPECIMENS = [specimen for kind in statistics() for specimen in STATISTICS.get(kind, ())]


@pytest.mark.parametrize("kind", statistics(), ids=lambda kind: kind.__name__)
def test_a_statistic_has_specimens(kind):
    assert STATISTICS.get(kind), f"tests/laws/specimens.py has no specimen of {kind.__name__}"


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
@pytest.mark.parametrize("specimen", SPECIMENS, ids=lambda specimen: specimen.name)
@given(data=st.data())
def test_law(specimen, law, data):
    law(Example(specimen, data, data.draw(st.sampled_from(specimen.worlds))))


@pytest.mark.parametrize(
    ("specimen", "law"), UNLAWFUL, ids=lambda either: getattr(either, "name", None) or either.__name__
)
def test_a_control_is_caught(specimen, law):
    @settings(phases=[Phase.generate], database=None, report_multiple_bugs=False)
    @given(data=st.data())
    def broken(data):
        law(Example(specimen, data, data.draw(st.sampled_from(specimen.worlds))))

    with pytest.raises((AssertionError, pytest.fail.Exception)):
        broken()


def test_every_law_has_a_control():
    assert {law for _, law in UNLAWFUL} == set(LAWS)
