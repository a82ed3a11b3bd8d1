"""Evidence in bits: what each feature says for one class against another, or against the rest.

Against one class c', feature j gives log2 p(x_j | c) / p(x_j | c'), and the prior log2 p(c) / p(c'). Against the rest,
the alternative is the mixture of the other classes. What it expects of feature j depends on what the features before
it have said of which other class it would be, so the features are weighed in the order of the columns:

    bits_j = log2 p(x_j | c) / p(x_j | rest, x_1 ... x_(j-1))

With two classes both readings are the same and the order does not matter. In every case the prior's bits plus
the features' bits are the log2 odds, and a missing feature gives 0.

Where a wrapper changes the model's posterior (calibration, another prior), the evidence is that of the posterior in the
end (`any_classifier.outcome`). What a map does beyond a slope and an offset stands beside the features as
"(calibration)", what a pool says beyond the columns of its members as "(beyond columns)", and the rows where there is
any are marked as approximate.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import wraps
from typing import Any, TypeVar, cast

import numpy as np

from likely.data.accepted import TableLike
from likely.data.printing.html_table import as_html
from likely.data.printing.wording import one_by_one
from likely.errors import InputError
from likely.models.any_classifier.outcome import Outcome, difference, reconciled, sides
from likely.numeric.arrays import Array, Floats
from likely.numeric.logspace import log_of, log_sum_exp

CALIBRATION = "(calibration)"
BEYOND = "(beyond columns)"  # in a pool
NEARLY = "; what each says is approximate"
MOST_DESCRIBED = 20  # rows
MOST_SHOWN, MOST_COLUMNS = 5, 20  # rows in a notebook, and columns of each
_LOG2 = float(np.log(2.0))


@dataclass(frozen=True)
class Evidence:
    """Weight of evidence in bits for each row: of the prior, of each feature, and their sum, the log2 odds."""

    classes: Array  # (n,)    the class spoken for
    against: Array | None  # (n,)  the class spoken against; None: all the others together
    names: tuple[str, ...]  # of the features
    prior: Floats  # (n,)
    bits: Floats  # (n, d)
    approximate: Array | None = None  # (n,)  rows whose calibration is no slope and offset; None: no row
    like: Any = field(default=None, repr=False, compare=False)  # the user's table without columns (`bare_table`)

    @property
    def log2_odds(self) -> Floats:
        """Prior plus features."""
        return np.asarray(self.prior + self.bits.sum(axis=1))

    def __len__(self) -> int:
        return len(self.prior)

    def frame(self) -> Any:
        """One row each, a column per feature; what is no feature is in brackets.

        Of rows in pandas or Arrow it is a table of that library, in pandas with their index; else a Polars frame.
        """
        import polars as pl

        from likely.data.frames import told_like

        columns: dict[str, Any] = {"(class)": self.classes.tolist(), "(prior)": self.prior}
        columns |= {name: self.bits[:, j] for j, name in enumerate(self.names)}
        return told_like(pl.DataFrame({**columns, "(log2 odds)": self.log2_odds}), self.like)

    def of_row(self, row: int = 0) -> "Evidence":
        """One row by itself."""
        against = None if self.against is None else self.against[[row]]
        nearly = None if self.approximate is None else self.approximate[[row]]
        like = self.like.iloc[[row]] if hasattr(self.like, "iloc") else self.like
        return Evidence(self.classes[[row]], against, self.names, self.prior[[row]], self.bits[[row]], nearly, like)

    def describe(self, row: int | None = None, top: int | None = None) -> str:
        """The evidence of every row, or of one of them, the strongest first; of many rows the first twenty.

        >>> e = Evidence(np.array(["spam"]), None, ("free", "hello"), np.array([-1.0]), np.array([[2.5, -0.25]]))
        >>> print(e.describe())
        spam against the rest: 1.25 bits (odds 2.38 to 1)
          prior  -1.00
          free   +2.50  ############
          hello  -0.25  -
        """
        if row is None:
            return one_by_one(lambda one: self.describe(one, top), len(self), MOST_DESCRIBED)
        if not -len(self) <= row < len(self):
            raise InputError(f"there is no row {row}: the evidence is of {len(self)} rows")
        title, told = self._told(row, top)
        width = max(len(name) for name, _, _ in told)
        return "\n".join([title, *(f"  {name:<{width}}  {bits}  {bar}".rstrip() for name, bits, bar in told)])

    def _told(self, row: int, top: int | None) -> tuple[str, list[tuple[str, str, str]]]:
        """What a row is called and why: the prior, and the columns that say most, with bits and bars."""
        total = float(self.log2_odds[row])
        against = "the rest" if self.against is None else self.against[row]
        nearly = NEARLY if self.approximate is not None and self.approximate[row] else ""
        title = f"{self.classes[row]} against {against}: {total:.2f} bits ({_odds(total)}){nearly}"
        sizes = np.abs(self.bits[row])
        scale = 12 / max(float(sizes.max(initial=0.0, where=np.isfinite(sizes))), 1e-12)
        told = [("prior", f"{self.prior[row]:+.2f}", "")]
        for j in np.argsort(-sizes, kind="stable")[:top]:
            bits = float(self.bits[row, j])
            bar = ("#" if bits > 0 else "-") * round(min(abs(bits) * scale, 12.0))
            told.append((self.names[j], f"{bits + 0.0:+.2f}", bar))
        return title, told

    def __str__(self) -> str:
        return one_by_one(self.describe, len(self), 3)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        shown = []
        for row in range(min(len(self), MOST_SHOWN)):
            title, told = self._told(row, MOST_COLUMNS)
            if len(self.names) > MOST_COLUMNS:
                left = float(self.log2_odds[row]) - sum(float(bits) for _, bits, _ in told)
                told.append((f"({len(self.names) - MOST_COLUMNS} more)", f"{left + 0.0:+.2f}", ""))
            shown.append(as_html(title, ["column", "bits", "for or against"], told))
        more = f"the first {MOST_SHOWN} of {len(self):,} rows; frame() has all" if len(self) > MOST_SHOWN else ""
        return "".join(shown) + (as_html(more) if more or not shown else "")


Verb = TypeVar("Verb", bound=Callable[..., Any])
Result = TypeVar("Result")


def told_in_kind(verb: Verb) -> Verb:
    """A verb whose evidence remembers the library of the rows it was asked about: pandas in, pandas out."""

    @wraps(verb)
    def ask(model: object, X: TableLike, *arguments: Any, **named: Any) -> Any:
        return in_kind(verb(model, X, *arguments, **named), X)

    return cast(Verb, ask)


def in_kind(found: Result, X: TableLike) -> Result:
    """A result, which remembers the library of the rows it is about if it is of those that do."""
    if isinstance(X, np.ndarray | list | tuple) or not hasattr(found, "like"):  # arrays need no library of frames
        return found
    from likely.data.frames import bare_table

    return cast(Result, replace(cast(Any, found), like=bare_table(X)))


def weigh_evidence(
    classes: Array,
    names: Sequence[str],
    blocks: Iterable[tuple[int, Floats]],
    log_prior: Floats,
    for_class: Hashable = None,
    against: Hashable = None,
    outcome: Outcome | None = None,
    rest: str = CALIBRATION,
) -> Evidence:
    """The evidence of every row, for the classes named or the most probable.

    `blocks` are numbers of first rows, and what each column adds to the log joint of each class (n, d, k), which the
    weighing may change. With an `outcome` it is for that: its classes, its posterior; what the terms leave of that is
    called `rest`.
    """
    chosen, other = sides(classes, for_class, against) if outcome is None else (None, outcome.other)
    priors, features, members = [], [], []
    for start, terms in blocks:
        impossible = np.isneginf(terms.sum(axis=1) + log_prior).all(axis=1)
        terms[impossible] = 0.0  # under every class: what is left is the prior
        base = log_prior
        if outcome is None:
            member = _members(terms, base, chosen, other)
        else:
            member = outcome.member[start : start + len(terms)]
            terms, base = outcome.rescaling.terms(terms), outcome.rescaling.prior(base)
        if other is None:
            prior, bits = _against_rest(terms, base, member)
        else:
            prior, bits = _pair(terms, base, member, other)
        priors.append(prior)
        features.append(bits)
        members.append(member)
    spoken_for = np.concatenate(members)
    found = Evidence(
        classes[spoken_for],
        opponents(classes, spoken_for, other),
        tuple(names),
        np.concatenate(priors) / _LOG2,
        np.concatenate(features) / _LOG2,
    )
    return found if outcome is None else _with_what_is_left(found, outcome, rest)


def log_steps(steps: Floats, before: Floats, after: Floats) -> Floats:
    """What columns did to probabilities (n, d, k) on the way from `before` (k,) to `after` (n, k), in logarithms.

    Each is divided by the logarithmic mean of the probability before and after all of them, so that they sum to the
    difference of the logarithms. Where a class became impossible, the column that did most has it all.

    >>> log_steps(np.array([[[0.1, -0.1], [0.2, -0.2]]]), np.full(2, 0.5), np.array([[0.8, 0.2]])).sum(axis=1).round(3)
    array([[ 0.47 , -0.916]])
    """
    change = log_of(after) - log_of(before)  # (n, k)
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        mean = np.where(np.abs(change) > 1e-12, before * np.expm1(change) / change, before)
        terms = steps / mean[:, None, :]
    impossible = np.isneginf(change)
    if impossible.any():
        rows, classes = np.nonzero(impossible)
        terms[rows, :, classes] = 0.0
        terms[rows, steps[rows, :, classes].argmin(axis=1), classes] = -np.inf
    return np.asarray(np.nan_to_num(terms, nan=0.0, posinf=np.inf, neginf=-np.inf))


def _with_what_is_left(found: Evidence, outcome: Outcome, rest: str) -> Evidence:
    """The evidence, with what it leaves of the odds as a further term where it leaves anything."""
    prior, bits, left, nearly = reconciled(found.prior, found.bits, outcome.log2_odds)
    names = found.names
    if left.any():
        names, bits = (*names, rest), np.column_stack([bits, left])
    return replace(found, names=names, prior=prior, bits=bits, approximate=nearly if nearly.any() else None)


def opponents(classes: Array, member: Array, other: int | None) -> Array | None:
    """The class spoken against in each row: of two the other one; None: all the others together."""
    if len(classes) == 2:
        return np.asarray(classes[1 - member])
    return None if other is None else np.full(len(member), classes[other])


def _members(terms: Floats, log_prior: Floats, chosen: int | None, other: int | None) -> Array:
    if chosen is not None:
        return np.full(len(terms), chosen)
    joint = terms.sum(axis=1) + log_prior
    if other is not None:
        joint[:, other] = -np.inf  # the best of the classes it could be against
    best = joint.argmax(axis=1)
    if other is not None and joint.shape[1] > 1:
        best = np.where(best == other, int(other == 0), best)  # where all others are impossible
    return np.asarray(best)


def _pair(terms: Floats, log_prior: Floats, member: Array, other: int) -> tuple[Floats, Floats]:
    own = np.take_along_axis(terms, member[:, None, None], axis=2)[:, :, 0]
    return difference(log_prior[member], log_prior[other]), difference(own, terms[:, :, other])


def _against_rest(terms: Floats, log_prior: Floats, member: Array) -> tuple[Floats, Floats]:
    n, d, _ = terms.shape
    rows = np.arange(n)
    rest = np.repeat(log_prior[None, :], n, axis=0)  # log joint of each class with the features so far
    rest[rows, member] = -np.inf
    before = log_sum_exp(rest, axis=1)
    prior = difference(log_prior[member], before)
    bits = np.empty((n, d))
    for j in range(d):
        rest = rest + terms[:, j]
        after = log_sum_exp(rest, axis=1)
        bits[:, j] = difference(terms[rows, j, member], difference(after, before))
        before = after
    return prior, bits


def _odds(bits: float) -> str:
    """Odds in three digits, written out as far as they can be read.

    >>> _odds(1.3219), _odds(-13.71), _odds(60.0), _odds(2000.0)
    ('odds 2.5 to 1', 'odds 1 to 13,400', 'odds 10^18 to 1', 'odds 10^602 to 1')
    """
    digits = abs(bits) * np.log10(2.0)
    if digits < 9:
        text = f"{float(f'{2.0 ** abs(bits):.3g}'):,}".removesuffix(".0")
    else:
        text = f"10^{digits:.0f}" if np.isfinite(digits) else "infinity"
    return f"odds {text} to 1" if bits >= 0 else f"odds 1 to {text}"
