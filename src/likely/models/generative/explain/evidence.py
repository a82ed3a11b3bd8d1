"""Evidence in bits: what each feature says for one class against another, or against the rest.

Against one class c', feature j gives log2 p(x_j | c) / p(x_j | c'), and the prior log2 p(c) / p(c'). Against the rest,
the alternative is the mixture of the other classes. What it expects of feature j depends on what the features before
it have said of which other class it would be, so the features are weighed in the order of the columns:

    bits_j = log2 p(x_j | c) / p(x_j | rest, x_1 ... x_(j-1))

With two classes both readings are the same and the order does not matter. In every case the prior's bits plus
the features' bits are the log2 odds, and a missing feature gives 0.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.data.inputs import Input, suggest
from likely.errors import InputError
from likely.models.generative import scoring
from likely.models.generative.fitted import FittedGenerative
from likely.numeric.arrays import Array, Floats
from likely.numeric.logspace import log_sum_exp

_LOG2 = float(np.log(2.0))


@dataclass(frozen=True)
class Evidence:
    """Weight of evidence in bits for each row: of the prior, of each feature, and their sum, the log2 odds."""

    classes: Array  # (n,)    the class spoken for
    against: Array | None  # (n,)  the class spoken against; None: all the others together
    names: tuple[str, ...]  # of the features
    prior: Floats  # (n,)
    bits: Floats  # (n, d)

    @property
    def log2_odds(self) -> Floats:
        """Prior plus features."""
        return np.asarray(self.prior + self.bits.sum(axis=1))

    def __len__(self) -> int:
        return len(self.prior)

    def frame(self) -> Any:
        """As a Polars frame: one row each, a column per feature; what is no feature is in brackets."""
        import polars as pl

        columns: dict[str, Any] = {"(class)": self.classes.tolist(), "(prior)": self.prior}
        columns |= {name: self.bits[:, j] for j, name in enumerate(self.names)}
        return pl.DataFrame({**columns, "(log2 odds)": self.log2_odds})

    def of_row(self, row: int = 0) -> "Evidence":
        """One row by itself."""
        against = None if self.against is None else self.against[[row]]
        return Evidence(self.classes[[row]], against, self.names, self.prior[[row]], self.bits[[row]])

    def describe(self, row: int = 0, top: int | None = None) -> str:
        """The evidence of one row, strongest first.

        >>> e = Evidence(np.array(["spam"]), None, ("free", "hello"), np.array([-1.0]), np.array([[2.5, -0.25]]))
        >>> print(e.describe())
        spam against the rest: 1.25 bits (odds 2.38 to 1)
          prior  -1.00
          free   +2.50  ############
          hello  -0.25  -
        """
        if not -len(self) <= row < len(self):
            raise InputError(f"there is no row {row}: the evidence is of {len(self)} rows")
        total = float(self.log2_odds[row])
        against = "the rest" if self.against is None else self.against[row]
        order = np.argsort(-np.abs(self.bits[row]), kind="stable")[:top]
        width = max([len("prior"), *(len(self.names[j]) for j in order)])
        lines = [f"{self.classes[row]} against {against}: {total:.2f} bits ({_odds(total)})"]
        lines.append(f"  {'prior':<{width}}  {self.prior[row]:+.2f}")
        sizes = np.abs(self.bits[row])
        scale = 12 / max(float(sizes.max(initial=0.0, where=np.isfinite(sizes))), 1e-12)
        for j in order:
            bits = float(self.bits[row, j])
            bar = ("#" if bits > 0 else "-") * round(min(abs(bits) * scale, 12.0))
            lines.append(f"  {self.names[j]:<{width}}  {bits + 0.0:+.2f}  {bar}".rstrip())
        return "\n".join(lines)

    def __str__(self) -> str:
        shown = [self.describe(i) for i in range(min(len(self), 3))]
        more = [f"... and {len(self) - 3} more rows"] if len(self) > 3 else []
        return "\n".join([*shown, *more])


def weigh_evidence(model: FittedGenerative, data: Input, log_prior: Floats, for_class: Any, against: Any) -> Evidence:
    """The evidence of every row of a table under a fitted generative model."""
    chosen, other = sides(model.classes_, for_class, against)
    priors, features, members = [], [], []
    for start, batch in data.batches():
        rows = scoring.query_rows(model, batch, start)
        terms = model.layout_.columns_in_order(model.distribution_.log_density_terms(rows))
        impossible = np.isneginf(terms.sum(axis=1) + log_prior).all(axis=1)
        terms[impossible] = 0.0  # under every class: what is left is the prior
        member = _members(terms, log_prior, chosen, other)
        if other is None:
            prior, bits = _against_rest(terms, log_prior, member)
        else:
            prior, bits = _pair(terms, log_prior, member, other)
        priors.append(prior)
        features.append(bits)
        members.append(member)
    spoken_for = np.concatenate(members)
    return Evidence(
        model.classes_[spoken_for],
        opponents(model.classes_, spoken_for, other),
        model.layout_.schema.names,
        np.concatenate(priors) / _LOG2,
        np.concatenate(features) / _LOG2,
    )


def sides(classes: Array, for_class: Any, against: Any) -> tuple[int | None, int | None]:
    """The numbers of the class that evidence is asked for and of the one against it; None: not named."""
    if len(classes) < 2:
        raise InputError("evidence speaks for one class against others, and this model knows only one class")
    chosen = None if for_class is None else place_of(for_class, classes)
    other = None if against is None else place_of(against, classes)
    if other is not None and other == chosen:
        raise InputError(f"evidence for {for_class!r} against itself is always 0 bits; name two classes")
    return chosen, other


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
    return np.asarray(joint.argmax(axis=1))


def _pair(terms: Floats, log_prior: Floats, member: Array, other: int) -> tuple[Floats, Floats]:
    own = np.take_along_axis(terms, member[:, None, None], axis=2)[:, :, 0]
    return less(log_prior[member], log_prior[other]), less(own, terms[:, :, other])


def _against_rest(terms: Floats, log_prior: Floats, member: Array) -> tuple[Floats, Floats]:
    n, d, _ = terms.shape
    rows = np.arange(n)
    rest = np.repeat(log_prior[None, :], n, axis=0)  # log joint of each class with the features so far
    rest[rows, member] = -np.inf
    before = log_sum_exp(rest, axis=1)
    prior = less(log_prior[member], before)
    bits = np.empty((n, d))
    for j in range(d):
        rest = rest + terms[:, j]
        after = log_sum_exp(rest, axis=1)
        bits[:, j] = less(terms[rows, j, member], less(after, before))
        before = after
    return prior, bits


def less(a: Any, b: Any) -> Floats:
    """The difference a - b; 0 where both are minus infinity: what is impossible either way speaks for neither."""
    with np.errstate(invalid="ignore"):
        difference = np.asarray(a - b)
    return np.where(np.isnan(difference), 0.0, difference)


def place_of(name: Any, classes: Array) -> int:
    """The number of a class."""
    at = np.flatnonzero(classes == name)
    if not len(at):
        raise InputError(f"{name!r} is no class of this model{suggest(name, classes.tolist())}")
    return int(at[0])


def _odds(bits: float) -> str:
    digits = abs(bits) * np.log10(2.0)
    text = f"{2.0 ** abs(bits):.3g}" if digits < 300 else f"10^{digits:.0f}" if np.isfinite(digits) else "infinity"
    return f"odds {text} to 1" if bits >= 0 else f"odds 1 to {text}"
