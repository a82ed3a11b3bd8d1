"""What is wrong with the training rows: labels that the other rows contradict, influential and duplicate rows.

    bits_i = -log2 P(label of row i | row i, all other rows)

is what the row's own label costs a model that has not seen the row: 1 bit is the toss of a coin, 10 bits odds of a
thousand to one against it. A model that can take single rows out of its sums gives it exactly for all rows, and one
that makes an estimate for each does so up to 2,000 rows. Otherwise "all other rows" are those of the other of ten
stratified folds: as sums where the model learns by them, by refitting where it does not.

    influence_i = bits_i - bits of the same label under the model of all rows

is how far the row speaks for itself: what its label costs less once the row has been learned. The share of wrong labels
and the probability that a label is wrong are those of `label_noise`.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import polars as pl

from likely.data.accepted import TableLike, TargetLike
from likely.data.frames import bare_table, told_like
from likely.data.printing.html_table import as_html
from likely.data.printing.text_table import aligned
from likely.data.printing.wording import counted, shortened
from likely.errors import InputError
from likely.evaluation.audit.alike_by_chance import NONE, AlikeByChance, alike_by_chance
from likely.evaluation.audit.duplicates import Duplicates, duplicate_rows
from likely.evaluation.audit.label_noise import WEAKEST, label_noise
from likely.evaluation.resampling.cross_validation import read_training
from likely.intervals.estimate import Estimate
from likely.intervals.quantiles import check_confidence
from likely.models.any_classifier.posteriors import read_classes
from likely.models.held_out.cv import read_folds
from likely.models.held_out.exact_or_refit import HeldOut
from likely.models.held_out.refitting import Verdict, check_classifier
from likely.models.traits.protocols import Learner
from likely.numeric.arrays import Array, Floats, Ints, PerRow
from likely.numeric.random_state import Seed

_FOLDS = 10
_NOTHING = 30.0  # a temperature from which little of the evidence is left
TOO_SURE = 1.5  # what honest evidence is less by, from which bits must not be taken at their word


@dataclass(frozen=True, eq=False)
class Audit:
    """Label noise found: what the other rows say of each training row, numbered from 0 in the order of the data.

    Where rows were left out before, as those without a label are in a study, tables number them as `numbers` says.
    """

    classes: Array  # (k,)
    y: Ints  # (n,)    codes of the labels
    log_posterior: Floats  # (n, k)  of each row under a model that has not seen it
    bits: Floats  # (n,)    infinite where the other rows exclude the label: that of a class with one row
    p_mislabelled: Floats  # (n,)  probability that the label is wrong
    influence: Floats  # (n,)    in bits
    error_rate: Estimate  # the share of wrong labels
    temperature: float  # by which P(wrong) divides the evidence, fitted together with the share of wrong labels
    duplicates: Duplicates  # which rows have the same features
    exact: bool  # leave-one-out; otherwise folds
    note: str = ""
    like: Any = field(default=None, repr=False)  # the user's table without columns (`bare_table`)
    strength: Estimate | None = None  # the power of the evidence beyond the classes' shares that makes it honest
    by_chance: AlikeByChance = NONE  # how many rows are alike where each column is shuffled within the classes
    numbers: Ints | None = None  # (n,)  of the rows in the table that they come from; None: 0, 1, ...

    @property
    def suggested(self) -> Array:
        """The most probable label of each row (n,): its own where the other rows agree."""
        return np.asarray(self.classes[self.log_posterior.argmax(axis=1)])

    @property
    def contradictory(self) -> Array:
        """Whether another row has the same features and another label (n,)."""
        return self.duplicates.contradictory(self.y)

    def frame(self) -> Any:
        """All rows, those first whose own label costs the most bits.

        Of rows in pandas or Arrow it is a table of that library, in pandas with their index; else a Polars frame.
        """
        rows = self._most_surprising()
        return told_like(self._table(rows), self.like, rows)

    def suspicious(self, top: int | float = 20, disputed: bool = False) -> Any:
        """The rows whose own label costs the most bits: so many of them, or a share of all rows below 1.

        `disputed` leaves out those of which the other rows suggest the very label that they have.
        """
        rows = self._suspects(top, disputed)
        return told_like(self._table(rows), self.like, rows)

    @property
    def says_nothing(self) -> bool:
        """Whether the evidence is none: hardly any of it is honest, and no power is too small for it.

        The temperature is then only where the search for it ends.
        """
        if self.strength is None or not self.temperature > _NOTHING:
            return False
        return self.strength.low <= 1.01 * WEAKEST

    @property
    def exaggeration(self) -> float:
        """What the model's evidence is honest when divided by, no label being wrong: above 1, it is too sure."""
        return self.temperature if self.strength is None else float(1 / self.strength.value)

    @property
    def log_loss(self) -> float:
        """Of the model on rows left out, in nats a row."""
        return self._losses()[0]

    def _losses(self) -> tuple[float, float]:
        """The log-loss of the model on rows left out, and that of the shares of the classes, in nats a row."""
        share = np.bincount(self.y, minlength=len(self.classes)) / len(self.y)
        share = share[share > 0]
        return float(self.bits.mean() * np.log(2)), float(-(share * np.log(share)).sum())

    def _suspects(self, top: int | float, disputed: bool) -> Ints:
        share = isinstance(top, float) and 0 < top < 1
        if isinstance(top, bool) or not (share or (top >= 1 and float(top).is_integer())):
            raise InputError(f"top is a number of rows, or a share between 0 and 1; got {top!r}")
        rows = self._most_surprising()
        if disputed:
            rows = rows[self.log_posterior[rows].argmax(axis=1) != self.y[rows]]
        return rows[: int(np.ceil(top * len(self.y))) if share else int(top)]

    def _most_surprising(self) -> Ints:
        return np.argsort(-self.bits, kind="stable")

    def _table(self, rows: Ints) -> pl.DataFrame:
        numbers = np.arange(len(self.y)) if self.numbers is None else self.numbers
        twins = self.duplicates.other[rows]
        return pl.DataFrame(
            {
                "row": numbers[rows],
                "label": self.classes[self.y[rows]].tolist(),
                "suggested": self.classes[self.log_posterior[rows].argmax(axis=1)].tolist(),
                "bits": self.bits[rows],
                "p_mislabelled": self.p_mislabelled[rows],
                "influence": self.influence[rows],
                "duplicate_of": pl.Series(np.where(twins < 0, -1, numbers[twins]), dtype=pl.Int64).replace(-1, None),
                "contradictory": self.contradictory[rows],
            }
        )

    def summary(self) -> str:
        """What was found in all, without the rows."""
        how = "leave-one-out, exact" if self.exact else "out of fold"
        against = int((self.log_posterior.argmax(axis=1) != self.y).sum())
        repeated, contradicting = self.duplicates.extra, int(self.contradictory.sum())
        lines = [
            f"audit of {counted(len(self.y), 'row')}, {counted(len(self.classes), 'class', 'classes')}, {how}",
            f"wrong labels     {self.error_rate}",
            f"disagreements    {_rows(against, 'has', 'have')} a label that is not the most probable one",
            f"duplicates       {_rows(repeated, 'repeats', 'repeat')} an earlier one"
            f"{_chance(self.by_chance.repeated)}; "
            f"{_rows(contradicting, 'contradicts', 'contradict')} one with the same features"
            f"{_chance(self.by_chance.against)}",
        ]
        loss, shares = self._losses()
        if loss >= shares:
            lines.append(
                f"a poor judge     its log-loss is {loss:.3f} nats, that of the classes' shares alone {shares:.3f}: do "
                "not take its word for a label, ask another model"
            )
        if self.says_nothing:
            lines.append(
                "no evidence      its evidence says nothing here beyond the classes' shares; P(wrong) allows for it"
            )
        elif self.exaggeration >= TOO_SURE:
            lines.append(
                f"over-confidence  bits are exaggerated: evidence is honest when divided by {self.exaggeration:,.1f}; "
                "P(wrong) allows for it"
            )
        return "\n".join([*lines, *([self.note] if self.note else [])])

    def __str__(self) -> str:
        shown = [["row", "label", "suggested", "bits", "P(wrong)", "influence"]]
        for row, label, suggested, bits, wrong, influence, *_ in self._table(
            self._suspects(min(10, len(self.y)), disputed=True)
        ).iter_rows():
            names = shortened(f"{label}"), shortened(f"{suggested}")
            shown.append([f"{row}", *names, f"{bits:.1f}", f"{wrong:.3f}", f"{influence:.2f}"])
        return "\n".join([self.summary(), aligned(shown, left=(1, 2))])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        frame = self._table(self._suspects(min(20, len(self.y)), disputed=True))
        rows = [
            [*(f"{cell:.3f}" if isinstance(cell, float) else cell for cell in row), twin, "yes" if against else ""]
            for *row, twin, against in frame.with_columns(pl.col("duplicate_of").cast(str).fill_null("")).iter_rows()
        ]
        return as_html(self.summary(), frame.columns, rows)


_MANY_CLASSES, _MOST_CELLS = 1_000, 2**26


def audit(
    model: Learner,
    X: TableLike,
    y: TargetLike,
    *,
    confidence: float = 0.95,
    sample_weight: PerRow = None,
    random_state: Seed = 0,
) -> Audit:
    """Find label noise: judge every training row by what the others, without it, say of its label.

    `y` may name a column of a frame X. Of the model only the parameters are used; it stays as it is. Weights count in
    fitting and in the share of wrong labels. `random_state` deals the folds, where single rows are not left out.

    >>> from likely import NaiveBayes
    >>> X = np.array([[1.0], [1.2], [0.8], [1.1], [5.0], [5.5], [4.5], [5.2]])
    >>> found = audit(NaiveBayes(), X, ["a", "a", "a", "b", "b", "b", "b", "b"])
    >>> found.suspicious(1)["row", "label", "suggested"].rows()
    [(3, 'b', 'a')]
    """
    check_classifier(model)
    check_confidence(confidence)
    return audit_of(HeldOut(model, read_training(X, y, sample_weight)), confidence, random_state)


def audit_of(
    held: HeldOut,
    confidence: float = 0.95,
    random_state: Seed = 0,
    known: Callable[[], tuple[Floats, Floats]] | None = None,
) -> Audit:
    """Like `audit`, of a model and rows that were read.

    `known` gives log posteriors (n, k) of the rows left out in folds, and of the model that learned all: of a model
    that leaves no single row out, they need not be found again.
    """
    model, data = held.model, held.data
    _check_size(len(data.codes), len(data.classes))
    log_p = held.leave_one_out()
    exact = log_p is not None
    rows = np.arange(len(data.codes))
    if log_p is None and known is not None:
        log_p, learned = known()
    else:
        if log_p is None:
            folds = read_folds(min(_FOLDS, len(data.codes)), data, random_state=random_state)
            log_p = _probabilities(model, held.once(folds)[0])[0]
        learned = _probabilities(model, held.learned())
    held_out = -log_p[rows, data.codes] / np.log(2)
    learned = learned[rows, data.codes] / np.log(2)
    with np.errstate(invalid="ignore"):
        influence = np.where(np.isneginf(learned), 0.0, held_out + learned)  # excluded with the row as without it
    noise = label_noise(log_p, data.codes, data.weight, confidence)
    alike = duplicate_rows(data.X)
    return Audit(
        read_classes(data.classes, len(data.classes)),
        data.codes,
        log_p,
        held_out + 0.0,
        noise.p_mislabelled,
        influence,
        noise.rate,
        noise.temperature,
        alike,
        exact,
        "" if exact else _note(model),
        bare_table(data.X),
        noise.strength,
        alike_by_chance(data.X, data.codes) if alike.extra else NONE,
    )


def _check_size(rows: int, classes: int) -> None:
    """Refuse a table of posteriors that no memory holds several times."""
    if classes > _MANY_CLASSES and rows * classes > _MOST_CELLS:
        raise InputError(
            f"the labels have {classes:,} classes: an audit asks for the probability of every class in each of "
            f"{rows:,} rows, which is too much. Is the target a number or a name? Leave out rare classes, or rows"
        )


def _probabilities(model: object, verdict: Verdict) -> Floats:
    if verdict.log_posterior is None:
        raise InputError(
            f"{type(model).__name__} gives no probabilities (no predict_proba), so labels have no bits; "
            "wrap it in likely.Calibrated"
        )
    return verdict.log_posterior


def _rows(number: int, one: str, many: str) -> str:
    return f"{counted(number, 'row')} {one if number == 1 else many}"


def _chance(count: float) -> str:
    """How many rows are alike in any table with such columns."""
    return f" (shuffled columns: {count:,.0f})" if count >= 0.5 else ""


def _note(model: object) -> str:
    return (
        f"{type(model).__name__} would take a fit for each row that it leaves out: each was judged by a model of the "
        f"other {_FOLDS - 1} of {_FOLDS} folds, and its influence includes that of its fold"
    )
