"""Whether counts speak against independence, and what independence saves.

    G = 2 sum n log(n / e),   X^2 = sum (n - e)^2 / e,   e = n(a, c) n(b, c) / n(c)

Under independence of a and b given c both follow, for many observations, a chi-squared law with sum over c of
(A_c - 1)(B_c - 1) degrees of freedom, where A_c and B_c are the numbers of values that were observed together with c.
Of m parts that are all independent of each other e = n(a, c) n(b, c) n(d, c) ... / n(c)^(m - 1), and a stratum has
A_c B_c D_c ... - 1 - (A_c - 1) - (B_c - 1) - (D_c - 1) - ... degrees.
G is 2 N ln 2 times the mutual information in bits. Tables of probabilities need no test: `Joint.independent` looks.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

from likely.data.accepted import TableLike
from likely.data.features.sizes import block_cells, joint_cells, joint_parameters
from likely.data.printing.wording import amount
from likely.errors import InputError
from likely.probability.events.event import Event
from likely.probability.events.expressions import read_event
from likely.probability.events.sample_space import SampleSpace
from likely.probability.tables.dependence import deviations
from likely.probability.tables.joint import Joint
from likely.probability.tables.reading import Missing, Some, read_frame

Method: TypeAlias = Literal["g", "pearson"]
_ENOUGH = 5.0  # expected counts below which the chi-squared law is a rough one (Cochran 1954)


@dataclass(frozen=True)
class IndependenceTest:
    """How surprising counts are if two sides were independent; made by `independence_test`.

    >>> table = Joint([[30, 10], [20, 40]], ["smoker", "cough"], counts=True)
    >>> found = independence_test(table, "smoker", "cough", method="pearson")
    >>> round(found.statistic, 4), found.degrees, found.p_value < 0.001, found.n
    (16.6667, 1, True, 100)
    """

    statement: str  # what was tested
    statistic: float  # G or X^2
    degrees: int
    p_value: float
    method: Method
    n: float  # observations
    strata: int  # values of the condition that were observed
    least_expected: float  # the smallest count that independence expects
    dropped: int = 0  # rows that were left out because a cell was missing

    def __str__(self) -> str:
        name = "G" if self.method == "g" else "X2"
        degrees = "1 degree" if self.degrees == 1 else f"{self.degrees} degrees"
        strata = f" in {self.strata} strata" if self.strata > 1 else ""
        if self.dropped:
            strata += f", {self.dropped} row{'s' * (self.dropped > 1)} with missing cells left out"
        text = (
            f"{self.statement}: {name} = {self.statistic:.4g} with {degrees} of freedom, "
            f"p = {self.p_value:.3g} ({amount(self.n)} observations{strata})"
        )
        if not self.degrees:
            return text + "; nothing to test, for one side never varies"
        if self.least_expected < _ENOUGH:
            return text + f"; the smallest expected count is {self.least_expected:.2g}, so p is rough"
        return text


def independence_test(
    data: TableLike | Joint,
    a: Some,
    b: Some,
    given: Some | None = None,
    method: Method = "g",
    missing: Missing = "error",
) -> IndependenceTest:
    """Test whether two variables (or sets of them, or events) are independent, perhaps given others, from counts.

    data: a `Joint` with counts, or observations as `Joint.observed` takes them, of which only the columns that are
    named are read.
    given: names of variables, each combination of whose values is a stratum; or an event, which leaves out the rest.
    method: "g", by the likelihood ratio, or "pearson".
    missing: of observations, "error" refuses missing cells, "drop" leaves their rows out and says how many.

    Where a side never varies within any stratum there are no degrees of freedom, and p is 1.

    Parameters
    ----------
    a : a variable, several, or an event
    b : the other side, likewise

    >>> print(independence_test(Joint([[30, 10], [20, 40]], ["smoker", "cough"], counts=True), "smoker", "cough"))
    smoker and cough independent: G = 17.26 with 1 degree of freedom, p = 3.26e-05 (100 observations)
    >>> days = {"sky": ["sun", "rain", None] * 20, "wet": [False, True, True] * 20, "day": range(60)}
    >>> found = independence_test(days, "sky", "wet", missing="drop")
    >>> round(found.statistic, 2), found.n, found.dropped
    (55.45, 40, 20)
    """
    return mutual_independence_test(data, a, b, given=given, method=method, missing=missing)


def mutual_independence_test(
    data: TableLike | Joint, *parts: Some, given: Some | None = None, method: Method = "g", missing: Missing = "error"
) -> IndependenceTest:
    """Test whether several variables are all independent of each other, perhaps given others, from counts.

    Given the class, this is what naive Bayes takes its features for. The arguments are those of `independence_test`.

    Parameters
    ----------
    parts : variables, sets of them, or events

    >>> smokers = {"smoker": [0, 1] * 50, "cough": [0, 1] * 40 + [1, 0] * 10, "left-handed": [0, 0, 1, 1] * 25}
    >>> print(mutual_independence_test(smokers, "smoker", "cough", "left-handed"))
    smoker, cough and left-handed independent: G = 38.55 with 4 degrees of freedom, p = 8.63e-08 (100 observations)
    """
    from scipy.special import chdtrc

    if method not in get_args(Method):
        raise InputError(f"method must be 'g' or 'pearson', got {method!r}")
    table = data if isinstance(data, Joint) else _observed(data, (*parts, given), missing)
    if not table.counted:
        raise InputError(
            "this table holds probabilities, and a test needs counts: how many observations there were. Make it with "
            "counts=True or Joint.observed, or ask joint.independent(...) whether the table itself is a product"
        )
    counts = table.cube(*parts, given=given)
    found = deviations(counts)
    statistic = found.log_likelihood if method == "g" else found.pearson
    p_value = float(chdtrc(found.degrees, statistic)) if found.degrees else 1.0
    *others, last = (_said(part) for part in parts)
    said = f"{', '.join(others)} and {last} independent" + (f" given {_said(given)}" if given is not None else "")
    n = counts.sum().item()
    return IndependenceTest(
        said, statistic, found.degrees, p_value, method, n, found.strata, found.least_expected, table.dropped
    )


def table_sizes(
    table: Joint | Mapping[str, int | Iterable[Any]], blocks: Sequence[str | Iterable[str]] | None = None
) -> dict[str, int]:
    """How many numbers a joint table needs, and how many if blocks of its variables are independent of each other.

    table: a `Joint`, or the variables with their values or how many they have.
    blocks: sets of names that stay together; what is not named stands alone. None: all variables are independent.

    >>> table_sizes({"toothache": 2, "catch": 2, "cavity": 2, "weather": 4}, blocks=[["toothache", "catch", "cavity"]])
    {'joint cells': 32, 'joint parameters': 31, 'independent cells': 12, 'independent parameters': 10}
    """
    if isinstance(table, Joint):
        arity = {name: len(values) for name, values in table.levels.items()}
    else:
        arity = {name: values if isinstance(values, int) else len(tuple(values)) for name, values in table.items()}
    if not arity:
        raise InputError("no variables; give at least one with the number of its values")
    named = [(block,) if isinstance(block, str) else tuple(block) for block in blocks or ()]
    flat = [name for block in named for name in block]
    SampleSpace(tuple(arity), ()).axes(flat)
    named += [(name,) for name in arity if name not in flat]
    sizes = [[arity[name] for name in block] for block in named if block]
    return {
        "joint cells": joint_cells(list(arity.values())),
        "joint parameters": joint_parameters(list(arity.values())),
        "independent cells": block_cells(sizes),
        "independent parameters": sum(map(joint_parameters, sizes)),
    }


def _observed(rows: object, parts: tuple[Any, ...], missing: Missing) -> Joint:
    """The table of the columns that some of the sides name."""
    frame, _ = read_frame(rows)
    columns = SampleSpace(tuple(frame.columns), ())
    named: set[str] = set()
    for part in parts:
        if isinstance(part, str) and part not in columns.names:
            part = read_event(part, columns)
        named |= part.names() if isinstance(part, Event) else _names_of(part)
    columns.axes(named)
    return Joint.observed(frame, [name for name in columns.names if name in named], missing=missing)


def _names_of(part: object) -> set[str]:
    if part is None or isinstance(part, str):
        return {part} if part else set()
    return set(part) if isinstance(part, Iterable) else set()


def _said(part: object) -> str:
    if isinstance(part, Mapping):
        return ", ".join(f"{name} = {value!r}" for name, value in part.items())
    if isinstance(part, str) or not isinstance(part, Iterable):
        return str(part)
    names = tuple(part)
    return f"({', '.join(names)})" if len(names) > 1 else "".join(names)
