"""Classifiers that break a law: controls, to show that the laws would notice. Each is naive Bayes gone wrong."""

from collections.abc import Callable
from copy import copy
from typing import Any, Self

import numpy as np
from samples import numeric_with_gaps
from specimens import estimator

from likely import NaiveBayes
from likely.engines import Serial, current
from likely.testing.laws import classifiers, one_pass
from likely.testing.specimens.specimen import Specimen


class Averaging(NaiveBayes):
    """Merging keeps the data of one and the prior of both."""

    def merge(self, other: Self) -> Self:
        united = copy(self)
        total = self.class_count_.sum() + other.class_count_.sum()
        united.class_prior_ = self.class_count_ / total
        return united


class Impatient(NaiveBayes):
    """Every batch replaces the one before."""

    def partial_fit(self, X: Any, y: Any = None, classes: Any = None, sample_weight: Any = None) -> Self:
        self._reset()
        return super().partial_fit(X, y, classes, sample_weight)


class Remembering(NaiveBayes):
    """Forgets the labels, not the features."""

    def forget(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        features = self.distribution_
        super().forget(X, y, sample_weight)
        if features.members == self.distribution_.members:
            self.distribution_ = features
        return self


class Reluctant(NaiveBayes):
    """Keeps one row of a thousand."""

    def forget(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        few = np.arange(len(y)) % 1000 != 999
        return super().forget(X[few], y[few])


class Obliging(NaiveBayes):
    """Forgets whatever it is told to, learned or not."""

    def forget(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        self._settle(self.statistic_ - self._summarize(X, y, sample_weight))
        return self


class Recent(NaiveBayes):
    """The later a row, the more it counts."""

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        return super().fit(X, y, np.linspace(1, 2, len(y)))


class Unweighted(NaiveBayes):
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        return super().fit(X, y)


class FirstClass(NaiveBayes):
    """Favours the class whose name comes first."""

    def predict_proba(self, X: Any, prior: Any = None) -> Any:
        p = super().predict_proba(X, prior)
        p[:, 0] *= 1.01
        return p / p.sum(axis=1, keepdims=True)


class Smoothing(NaiveBayes):
    """Widens every variance by a share of the largest of all columns."""

    def _settle(self, statistic: Any) -> None:
        super()._settle(statistic)
        (part,) = self.distribution_.parts
        part.variance[...] += 1e-3 * part.variance.max()  # type: ignore[attr-defined]


class Improper(NaiveBayes):
    """Posteriors that sum to a little less than one."""

    def predict_proba(self, X: Any, prior: Any = None) -> Any:
        return super().predict_proba(X, prior) * (1 - 1e-9)


class Partial(NaiveBayes):
    """The evidence leaves out the prior."""

    def evidence(self, X: Any, against: Any = None, for_class: Any = None, prior: Any = None) -> Any:
        return super().evidence(X, against, for_class, "uniform")


class Stubborn(NaiveBayes):
    """Keeps to the prior that it was fitted with."""

    def predict_proba(self, X: Any, prior: Any = None) -> Any:
        return super().predict_proba(X)


class Threaded(NaiveBayes):
    """The sum depends on the engine, by one bit."""

    def _settle(self, statistic: Any) -> None:
        super()._settle(statistic)
        if not isinstance(current(), Serial):
            (part,) = self.distribution_.parts
            part.mean[...] = np.nextafter(part.mean, np.inf)  # type: ignore[attr-defined]


class Rounded(NaiveBayes):
    """The weights of the linear form are rounded."""

    def as_linear(self) -> Any:
        form = super().as_linear()
        form.coef[...] = form.coef.round(6)
        return form


class Settled(NaiveBayes):
    """Fitting changes a parameter."""

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        super().fit(X, y, sample_weight)
        self.class_prior = self.class_prior_.tolist()
        return self


class Wandering(NaiveBayes):
    """Samples that no seed holds."""

    def sample(self, n_samples: int = 1, random_state: Any = None) -> Any:
        return super().sample(n_samples, np.random.default_rng())


class Leaking(NaiveBayes):
    """Scores the held-out rows by a model that has seen them."""

    def out_of_fold(self, X: Any, y: Any, folds: Any, sample_weight: Any = None) -> Any:
        return type(self)(**self.get_params()).fit(X, y).predict_log_proba(X)


class Filling(NaiveBayes):
    """Takes a missing cell for a zero."""

    def predict_proba(self, X: Any, prior: Any = None) -> Any:
        return super().predict_proba(np.nan_to_num(X), prior)


class Underflowing(NaiveBayes):
    """Multiplies probabilities instead of adding their logarithms."""

    def predict_proba(self, X: Any, prior: Any = None) -> Any:
        joint = np.exp(self.log_likelihood(X)) * self.class_prior_
        with np.errstate(invalid="ignore"):
            return joint / joint.sum(axis=1, keepdims=True)


def control(kind: type[NaiveBayes]) -> Specimen:
    return estimator(kind.__name__, kind, numeric_with_gaps, naive=True, linear=True, scale_free=True, real=True)


UNLAWFUL: tuple[tuple[Specimen, Callable[..., None]], ...] = (  # a control, and a law that must catch it
    (control(Averaging), one_pass.merging_parts_is_training_on_the_union),
    (control(Impatient), one_pass.batches_in_any_order_give_the_same_model),
    (control(Remembering), one_pass.forgotten_is_never_seen),
    (control(Reluctant), one_pass.nothing_is_left_of_thousands_of_forgotten_rows),
    (control(Obliging), one_pass.what_was_never_learned_cannot_be_forgotten),
    (control(Recent), classifiers.order_is_irrelevant),
    (control(Unweighted), classifiers.a_weight_is_that_many_rows),
    (control(FirstClass), classifiers.names_of_classes_are_no_matter),
    (control(Smoothing), classifiers.units_are_no_matter),
    (control(Improper), classifiers.posteriors_are_probabilities),
    (control(Underflowing), classifiers.ten_thousand_features_are_no_trouble),
    (control(Partial), classifiers.evidence_adds_up),
    (control(Stubborn), classifiers.the_prior_can_be_changed_after_fitting),
    (control(Threaded), classifiers.engines_give_the_same_bits),
    (control(Rounded), classifiers.the_linear_form_agrees),
    (control(Settled), classifiers.parameters_go_round),
    (control(Filling), classifiers.a_missing_cell_is_the_model_without_it),
    (control(Wandering), classifiers.samples_are_rows_of_the_table),
    (control(Leaking), one_pass.cross_validation_is_the_naive_loop),
)
