"""Which of several models describes the labels most shortly, beside what cross-validation says.

Both hold a model to what it can tell of labels that it does not already know: description length by charging for the
model, cross-validation by withholding rows. They may disagree. A charge by the number of parameters is the same for
those that hurt and those that do not; and a log-loss has an interval, which may be too wide to tell the models apart.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import log

from likely.data.accepted import TableLike, TargetLike
from likely.data.printing.html_table import text_as_html
from likely.data.printing.text_table import aligned
from likely.errors import InputError
from likely.evaluation.resampling.cross_validation import judged_on, read_training
from likely.evaluation.resampling.description_length import CodeName, DescriptionLength, description_length
from likely.intervals.estimate import Estimate
from likely.models.baseline.majority import MajorityClassifier
from likely.models.held_out.cv import FoldsLike, read_folds
from likely.models.held_out.exact_or_refit import HeldOut
from likely.models.held_out.refitting import check_classifier
from likely.models.traits.protocols import Learner
from likely.numeric.random_state import Seed

BASELINE = "classes alone"


@dataclass(frozen=True)
class DescriptionChoice:
    """A choice by minimum description length (MDL); made by `choose_by_description_length`."""

    code: CodeName
    lengths: Mapping[str, DescriptionLength]  # of each model, by name
    log_losses: Mapping[str, Estimate]  # cross-validated, in nats a row

    @property
    def best(self) -> str:
        """The name of the shortest description; "classes alone" where no model is worth its bits."""
        return min(self.lengths, key=lambda name: self.lengths[name].total)

    @property
    def best_by_cross_validation(self) -> str:
        """The name of the least cross-validated log-loss."""
        return min(self.log_losses, key=lambda name: self.log_losses[name].value)

    def __str__(self) -> str:
        rows = [["", "model", "labels", "total bits", "bits/row", "cross-validated bits/row"]]
        for name, length in self.lengths.items():
            loss = self.log_losses[name]
            rows.append(
                [
                    name,
                    f"{length.model_bits:.1f}",
                    f"{length.data_bits:.1f}",
                    f"{length.total:.1f}",
                    f"{length.bits_per_row:.3f}",
                    f"{loss.value / log(2):.3f} [{loss.low / log(2):.3f}, {loss.high / log(2):.3f}]",
                ]
            )
        said = f"fewest bits ({self.code}): {self.best}; least cross-validated: {self.best_by_cross_validation}"
        return f"{aligned(rows)}\n{said}"

    _repr_html_ = text_as_html


def choose_by_description_length(
    models: Mapping[str, Learner] | Iterable[Learner],
    X: TableLike,
    y: TargetLike,
    code: CodeName = "two-part",
    cv: FoldsLike = 10,
    random_state: Seed = 0,
) -> DescriptionChoice:
    """Model choice by minimum description length (MDL), beside the cross-validated log-loss of each candidate.

    `models` are classifiers by name, or a list of them. The labels without the features are one more candidate.

    >>> from sklearn.datasets import load_iris
    >>> from likely import GaussianBayes, NaiveBayes
    >>> models = {"naive": NaiveBayes(), "one covariance": GaussianBayes("shared"), "full": GaussianBayes("full")}
    >>> print(choose_by_description_length(models, *load_iris(return_X_y=True)))
                    model  labels  total bits  bits/row  cross-validated bits/row
    naive            65.1    24.1        89.1     0.594      0.189 [0.037, 0.709]
    one covariance   36.1     9.5        45.6     0.304      0.084 [0.000, 0.383]
    full            108.4     7.9       116.3     0.775      0.085 [0.000, 0.393]
    classes alone     7.2   237.7       245.0     1.633      1.585 [1.585, 1.585]
    fewest bits (two-part): one covariance; least cross-validated: one covariance
    """
    pairs = list(models.items()) if isinstance(models, Mapping) else [(type(model).__name__, model) for model in models]
    named = dict(pairs)
    if len(named) < len(pairs):
        raise InputError("two of the models are of one class: give them names, {'name': model, ...}")
    if not named:
        raise InputError("there are no models to choose from")
    if BASELINE in named:
        raise InputError(f"{BASELINE!r} is the name of the description without a model: give yours another")
    data = read_training(X, y)
    folds = read_folds(cv, data, random_state=random_state)
    lengths, losses = {}, {}
    for name, model in {**named, BASELINE: MajorityClassifier()}.items():
        check_classifier(model)
        held = HeldOut(model, data)
        fitted = model if code == "prequential" else held.fitted()
        lengths[name] = description_length(fitted, data.X, data.y, code, random_state=random_state)
        losses[name] = judged_on(held, folds).estimate("log_loss")
    return DescriptionChoice(code, lengths, losses)
