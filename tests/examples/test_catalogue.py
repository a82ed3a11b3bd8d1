"""The comparison itself: it must reject what it should."""

import numpy as np
import pytest
from catalogue import check, differs, example, examples, ids


def test_reads_all_examples():
    assert len(examples()) == 257
    assert len(ids("EX-DAT-")) == 13
    assert example("EX-DAT-03").inputs == {"values": [2, 4, 10], "query": 12}


def test_accepts_within_the_tolerance():
    check("EX-DAT-03", "scaled", np.array([0.0, 0.25 + 1e-10, 1.0]))
    check("EX-GEN-03", "joint_yes", 0.0053)
    check("EX-GEN-02", "p_M_given_20", float("nan"))
    check("EX-DAT-10", "class_means", {"a": np.array([2.0, 12.0]), "b": (8, 2)})


@pytest.mark.parametrize(
    "id, name, value",
    [
        ("EX-DAT-03", "scaled", [0.0, 0.25 + 1e-8, 1.0]),
        ("EX-DAT-03", "scaled", [0.0, 0.25]),
        ("EX-DAT-03", "scaled", [0.0, float("nan"), 1.0]),
        ("EX-DAT-04", "joint_cells", 8000.0001),
        ("EX-DAT-07", "m1_positive_definite", 1),
        ("EX-DAT-13", "vocabulary", ["a", "b"]),
        ("EX-DAT-10", "class_means", {"a": [2.0, 12.0]}),
        ("EX-GEN-02", "p_M_given_20", 0.5),
    ],
)
def test_rejects_what_is_wrong(id, name, value):
    with pytest.raises(AssertionError):
        check(id, name, value)


def test_tells_printed_mistakes_from_results():
    differs("EX-DAT-09", "dot", 4.0)
    with pytest.raises(AssertionError):
        differs("EX-DAT-09", "dot", 2.0)
