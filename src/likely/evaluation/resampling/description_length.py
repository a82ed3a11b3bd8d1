"""How many bits a model needs to tell the labels of a table to someone who has the other columns.

    L(model) + L(labels | model): of several models, prefer the one that makes the sum smallest

A longer model must save more bits of the labels than it costs itself; of models that fit equally well the shorter one
wins. How long either part is depends on the code, which is therefore always named. With n rows, k classes and e errors:

    two-part     f/2 log2 n for f free parameters, each to the precision that n rows allow (Rissanen 1978), then
                 -log2 P(true class | row) for each label
    exceptions   the same for the parameters, then what the model says of every row stands but for a list of exceptions:
                 log2(n + 1) for how many, log2 C(n, e) for which rows, log2(k - 1) each for the true class
    prequential  nothing for the model: each label is told by -log2 P(its class | row) under the model of the rows told
                 before (Dawid 1984), so that a receiver can learn along. Rows are learned in growing blocks. One
                 pseudo-row of all classes alike is mixed in, (m P + 1/k) / (m + 1) after m rows, so that no label is
                 impossible. Until a model can learn (some need two rows of each class), P are the classes' shares

f counts the parameters that the labels add: those of the model less those of the same model with all rows in one
class, which the receiver can fit without labels. For Gaussians with one covariance in d dimensions these are
(k - 1)(d + 1), as many as a logistic regression has.

Beside each stands what the same code takes without the features, by the classes' shares or (exceptions) by naming the
commonest class: a model that does not save bits against that has learned nothing that is worth its length.
"""

import warnings
from dataclasses import dataclass
from itertools import pairwise
from math import inf, log2
from typing import Any, Literal, TypeAlias, cast, get_args

import numpy as np

from likely.data.accepted import TableLike, TargetLike
from likely.data.labels.aligned_labels import align_labels
from likely.data.printing.html_table import text_as_html
from likely.errors import InputError, NotFittedError, TierError
from likely.evaluation.judged_input import read_truth
from likely.models.any_classifier.asking import Training, check_probabilities, log_posteriors
from likely.models.held_out.cv import Split
from likely.models.held_out.exact_or_refit import HeldOut
from likely.models.held_out.refitting import check_classifier
from likely.models.traits.protocols import FittedClassifier, Learner
from likely.numeric.arrays import Array, Floats, Ints
from likely.numeric.logspace import log_of
from likely.numeric.random_state import Seed, as_generator

CodeName: TypeAlias = Literal["two-part", "exceptions", "prequential"]


@dataclass(frozen=True)
class DescriptionLength:
    """A description length (MDL): bits of a model and of labels given it; made by `description_length`."""

    model_bits: float  # to tell the model
    data_bits: float  # to tell the labels, given the model
    code: CodeName
    rows: int
    baseline: float  # bits of the labels in the same code without the features
    note: str = ""

    @property
    def total(self) -> float:
        """Bits of the model and of the labels given it."""
        return self.model_bits + self.data_bits

    @property
    def bits_per_row(self) -> float:
        """All bits over the number of rows."""
        return self.total / self.rows

    @property
    def saved(self) -> float:
        """Bits that the features save; negative: the labels are told more shortly without the model."""
        return self.baseline - self.total

    def __float__(self) -> float:
        return self.total

    def __str__(self) -> str:
        fewer = f"{abs(self.saved):.1f} {'fewer' if self.saved >= 0 else 'more'} than the classes alone"
        parts = f"model {self.model_bits:.1f} + labels {self.data_bits:.1f}"
        end = f"; {self.note}" if self.note else ""
        return f"{self.total:.1f} bits ({self.code}: {parts}), n={self.rows}, {fewer}{end}"

    _repr_html_ = text_as_html


def description_length(
    model: Learner,
    X: TableLike,
    y: TargetLike,
    code: CodeName = "two-part",
    model_bits: float | None = None,
    blocks: int = 20,
    random_state: Seed = 0,
) -> DescriptionLength:
    """Description length (MDL): bits of a fitted model and of the labels of the rows that it was fitted on.

    `model_bits` are those of the model where they are known (a tree that is written down, say); if not given they are
    counted from its free parameters (`n_parameters_`). The prequential code takes of the model only its options, learns
    the rows in a random order (`random_state`) and begins anew with each of so many `blocks`; as many blocks as rows
    learn each label as soon as it is told. Where a model cannot learn from the few rows of the first blocks, the note
    says how many labels were told without it; one that cannot learn from the rows before the last block is refused.

    >>> from likely import NaiveBayes
    >>> X = [[1.0], [1.2], [0.8], [1.1], [5.0], [5.5], [4.5], [5.2]] * 5
    >>> y = ["low", "low", "low", "low", "high", "high", "high", "high"] * 5
    >>> print(description_length(NaiveBayes().fit(X, y), X, y))
    8.0 bits (two-part: model 8.0 + labels 0.0), n=40, 34.7 fewer than the classes alone
    """
    if code not in get_args(CodeName):
        raise InputError(f"unknown code {code!r}; choose from {', '.join(map(repr, get_args(CodeName)))}")
    if code == "prequential":
        if model_bits is not None:
            raise InputError("the prequential code tells no model, so it takes no model_bits")
        return _prequential(model, X, y, blocks, random_state)
    if not hasattr(model, "classes_"):
        raise NotFittedError(f"{type(model).__name__} is not fitted: fit it first, or use code='prequential'")
    fitted = cast(FittedClassifier, model)
    data = Training.of(X, y, None)
    codes, classes = align_labels(read_truth(data.y), np.asarray(fitted.classes_).tolist())
    n, k = len(codes), len(classes)
    own = _model_bits(fitted, data, code) if model_bits is None else float(model_bits)
    if not 0 <= own < inf:
        raise InputError(f"model_bits is a finite number from 0, got {model_bits}")
    counts = np.bincount(codes, minlength=k)
    if code == "exceptions":
        wrong = int((np.asarray(fitted.predict(data.X)) != data.y).sum())
        alone = log2(k) + exception_bits(n - int(counts.max()), n, k)
        return DescriptionLength(own, exception_bits(wrong, n, k), code, n, alone)
    log_p = log_posteriors(fitted, data.X, classes)[np.arange(n), codes]
    alone = (k - 1) / 2 * log2(n) + _bits(log_of(np.repeat(counts, counts) / n))
    return DescriptionLength(own, _bits(log_p), code, n, alone, _impossible(log_p))


def exception_bits(errors: int, rows: int, classes: int = 2, positions: bool = True) -> float:
    """Description length of the exceptions: bits of the labels of so many rows of which a model has some wrong.

    With `positions`: how many are wrong, which rows, and their true classes. Without: log2 k bits for each error, as if
    the receiver knew where they are; that is one bit for each of two classes.

    Parameters
    ----------
    errors : how many rows the model has wrong

    >>> round(exception_bits(9, 100), 2), exception_bits(9, 100, positions=False)
    (47.45, 9.0)
    """
    from scipy.special import betaln

    if not 0 <= errors <= rows or errors != int(errors) or rows != int(rows):
        raise InputError(f"{errors} errors in {rows} rows: errors are whole numbers from 0 to the number of rows")
    if classes < 2:
        raise InputError(f"exceptions need at least two classes, got {classes}")
    if not positions:
        return errors * log2(classes)
    # (n + 1) C(n, e) = 1 / B(e + 1, n - e + 1)
    return float(-betaln(errors + 1, rows - errors + 1) / np.log(2)) + errors * log2(classes - 1)


def _model_bits(model: FittedClassifier, data: Training, code: CodeName) -> float:
    bits: float | None = getattr(model, "label_bits_", None)
    if code == "exceptions" and bits is not None:  # the labels need less than the probabilities
        return bits
    return _label_parameters(model, data) / 2 * log2(len(data.codes))


def _label_parameters(model: Any, data: Training) -> float:
    """Free parameters of a fitted model that its labels add to one of the rows alone."""
    free = getattr(model, "n_parameters_", None)
    if free is None:
        raise InputError(
            f"{type(model).__name__} does not say how many free parameters it has (n_parameters_): give model_bits=, "
            "or use code='prequential', which needs none"
        )
    if not hasattr(model, "partial_fit"):
        return float(free)
    options = model.get_params(deep=False)
    alone = type(model)(**options | ({"class_prior": None} if "class_prior" in options else {}))
    try:
        return float(free - alone.partial_fit(data.X, np.zeros(len(data.codes))).n_parameters_)
    except TierError:  # a mixture in each class, which shares nothing with the others
        k = len(model.classes_)
        return float((free - (k - 1)) * (k - 1) / k + (k - 1))


def _prequential(model: Learner, X: TableLike, y: TargetLike, blocks: int, random_state: Seed) -> DescriptionLength:
    check_classifier(model)
    data = Training.of(X, y, None)
    n, k = len(data.codes), len(data.classes)
    if k < 2:
        raise InputError(f"y has only one class, {data.classes[0]!r}: there is nothing to tell")
    if blocks < 2 or blocks != int(blocks):
        raise InputError(f"blocks is a whole number from 2, got {blocks}")
    order = as_generator(random_state).permutation(n)
    edges = _edges(n, int(blocks))
    held = HeldOut(model, data)
    told = alone = edges[0] * log2(k)  # nothing is known of the first rows
    without, until = 0, 0  # labels that were told without the model, and the last row of them
    for start, end in pairwise(edges):
        seen, now = order[:start], order[start:end]
        truth = data.codes[now]
        by_shares = _bits(_with_pseudo_row(log_of(np.bincount(data.codes[seen], minlength=k) / start)[truth], start, k))
        alone += by_shares
        try:
            log_p = _learned(held, seen, now)[np.arange(len(now)), truth]
        except ValueError as error:
            if end == n:
                raise InputError(
                    f"{type(model).__name__} cannot tell the last block, {end - start} rows in the random order, from "
                    f"the {start} before them: {error}. Change its options, or use code='two-part'"
                ) from error
            told, without, until = told + by_shares, without + len(now), end
            continue
        told += _bits(_with_pseudo_row(log_p, start, k))
    name = type(model).__name__
    note = f"{without} of the first {until} labels by their shares, as {name} could not learn" if without else ""
    return DescriptionLength(0.0, told, "prequential", n, alone, note)


def _edges(rows: int, blocks: int) -> list[int]:
    """Ends of the blocks, growing in equal ratios from one row to all."""
    if blocks >= rows:
        return list(range(1, rows + 1))
    return sorted({round(end) for end in np.geomspace(1, rows, blocks).tolist()})


def _learned(held: HeldOut, seen: Ints, now: Ints) -> Floats:
    """Log posteriors (now, k) under the model of the rows seen before; a ValueError where they are too few for it."""
    with warnings.catch_warnings(), np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        warnings.filterwarnings("ignore", "y has only one class")  # variances of one row: refused if NaN comes
        log_p = held.after(Split(seen, now)).log_posterior
    if log_p is None:
        check_probabilities(held.model)
    return np.asarray(log_p)


def _with_pseudo_row(log_p: Floats, rows: int, classes: int) -> Floats:
    return np.asarray(np.logaddexp(np.log(rows) + log_p, -np.log(classes)) - np.log(rows + 1))


def _bits(log_p: Array) -> float:
    return max(0.0, float(-log_p.sum() / np.log(2)))


def _impossible(log_p: Floats) -> str:
    lost = np.isneginf(log_p)
    if not lost.any():
        return ""
    return f"{lost.sum()} rows gave their true class probability 0, the first is row {int(np.flatnonzero(lost)[0])}"
