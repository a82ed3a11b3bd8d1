"""Worked examples of counts that are half known, completed by EM."""

from likely.estimation import HalfKnownCounts
from likely.examples.catalogue import Example
from likely.examples.worked import Worked, worked

# Classes A, B, C, D have the probabilities 1/2, beta, 2 beta and 1/2 - 3 beta.
CELLS = {"A": (0.5, 0.0), "B": (0.0, 1.0), "C": (0.0, 2.0), "D": (0.5, -3.0)}


@worked("EX-EMM-01")
def half_known_classes(ex: Example) -> Worked:
    """How many of the rows in A or B belong to each, when their probabilities are half known too?"""
    classes = _classes(ex)
    b0 = ex.inputs["b0"]
    fit = classes.fit(hidden={"A": ex.inputs["s"] - b0, "B": b0}, max_iter=ex.inputs["iterations"])
    passes = [(beta, classes.expect(beta)) for beta in fit.trace.tolist()]
    printed = [(round(beta, 4), round(count["A"], 3), round(count["B"], 3)) for beta, count in passes]
    values = {
        "beta_final": fit.parameter,
        "a_final": fit.expected["A"],
        "b_final": fit.expected["B"],
        "first_iteration_at_printed_digits": 1 + printed.index(printed[-1]),
    }
    for number, (beta, count) in enumerate(passes[:2], start=1):
        values |= {f"beta_{number}": beta, f"a_{number}": count["A"], f"b_{number}": count["B"]}
    return Worked(values)


@worked("EX-EMM-02")
def any_start(ex: Example) -> Worked:
    """Does the answer depend on the guess from which EM starts?"""
    classes, s = _classes(ex), ex.inputs["s"]
    fits = [classes.fit(hidden={"A": s - b0, "B": b0}) for b0 in ex.inputs["starts"]]
    return Worked({"beta": [fit.parameter for fit in fits]})


def _classes(ex: Example) -> HalfKnownCounts:
    return HalfKnownCounts({("A", "B"): ex.inputs["s"], "C": ex.inputs["c"], "D": ex.inputs["d"]}, CELLS)
