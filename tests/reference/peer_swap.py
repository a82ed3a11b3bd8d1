"""A pytest plugin that puts this library's classes in the place of scikit-learn's, for scikit-learn's own tests.

Each stand-in has the peer's constructor and the names of its fitted attributes, and nothing else: it learns, answers
and is cloned by this library. With `-p peer_swap --pyargs sklearn.tests.test_naive_bayes` pytest runs a suite so.
"""

import json
import os
from pathlib import Path

import numpy as np
import sklearn.discriminant_analysis
import sklearn.linear_model
import sklearn.naive_bayes

import likely
from likely import GaussianBayes, NaiveBayes


class GaussianNB(NaiveBayes):
    def __init__(self, *, priors=None, var_smoothing=1e-9):
        super().__init__("gaussian", priors, var_smoothing=var_smoothing)
        self.priors = priors

    def _check_parameters(self):
        self.class_prior = self.priors
        super()._check_parameters()

    theta_ = property(lambda self: self.distribution_.parts[0].mean)
    var_ = property(lambda self: self.distribution_.parts[0].variance)


class _OfCounts(NaiveBayes):
    kind = ""

    def __init__(self, *, alpha=1.0, force_alpha=True, fit_prior=True, class_prior=None):
        super().__init__(self.kind, class_prior, alpha)
        self.force_alpha, self.fit_prior = force_alpha, fit_prior

    def _prior_from(self, weight, classes):
        if self.class_prior is None and not self.fit_prior:
            return np.full(len(classes), 1 / len(classes))
        return super()._prior_from(weight, classes)

    class_log_prior_ = property(lambda self: np.log(self.class_prior_))
    feature_count_ = property(lambda self: np.asarray(self.statistic_.given.parts[0].sum, dtype=float))
    feature_log_prob_ = property(lambda self: np.log(self.distribution_.parts[0].probability))


class MultinomialNB(_OfCounts):
    kind = "multinomial"


class BernoulliNB(_OfCounts):
    kind = "bernoulli"

    def __init__(self, *, alpha=1.0, force_alpha=True, binarize=0.0, fit_prior=True, class_prior=None):
        super().__init__(alpha=alpha, force_alpha=force_alpha, fit_prior=fit_prior, class_prior=class_prior)
        self.binarize = binarize

    def _read(self, X):
        data = super()._read(X)
        if self.binarize is None or not hasattr(data, "x"):
            return data
        return super()._read((data.x > self.binarize).astype(float))


class ComplementNB(_OfCounts):
    def __init__(self, *, alpha=1.0, force_alpha=True, fit_prior=True, class_prior=None, norm=False):
        super().__init__(alpha=alpha, force_alpha=force_alpha, fit_prior=fit_prior, class_prior=class_prior)
        self.norm = norm

    def _check_parameters(self):
        self.kinds = "normalized_complement" if self.norm else "complement"
        super()._check_parameters()

    def _prior_from(self, weight, classes):  # which scores of more than one class leave out, there and here
        return NaiveBayes._prior_from(self, weight, classes)

    feature_log_prob_ = property(lambda self: self.as_linear().coef)


class CategoricalNB(_OfCounts):
    kind = "nominal"

    def __init__(self, *, alpha=1.0, force_alpha=True, fit_prior=True, class_prior=None, min_categories=None):
        super().__init__(alpha=alpha, force_alpha=force_alpha, fit_prior=fit_prior, class_prior=class_prior)
        self.min_categories = min_categories

    def _by_category(self, found, cells, empty):
        """One table (k, m) for each column, its categories by number: of none that was met, `empty`."""
        tables = []
        for part, known in zip(found, self.distribution_.parts, strict=True):
            ends = np.cumsum([len(levels) for levels in part.levels])[:-1]
            for levels, most, held in zip(part.levels, known.levels, np.split(cells(part), ends, axis=1), strict=True):
                table = np.full((len(self.classes_), 1 + int(max(most))), empty)
                table[:, [int(level) for level in levels]] = held
                tables.append(table)
        return tables

    category_count_ = property(lambda self: self._by_category(self.statistic_.given.parts, lambda p: p.count, 0.0))
    feature_log_prob_ = property(
        lambda self: self._by_category(self.distribution_.parts, lambda p: p.log_probability, -np.inf)
    )
    n_categories_ = property(lambda self: np.array([table.shape[1] for table in self.category_count_]))


class LinearDiscriminantAnalysis(GaussianBayes):
    def __init__(
        self, solver="svd", shrinkage=None, priors=None, n_components=None, store_covariance=False, tol=1e-4,
        covariance_estimator=None,
    ):  # fmt: skip
        super().__init__("shared", priors, shrinkage=shrinkage)
        self.solver, self.priors, self.n_components, self.tol = solver, priors, n_components, tol
        self.store_covariance, self.covariance_estimator = store_covariance, covariance_estimator

    def _check_parameters(self):
        self.class_prior = self.priors
        super()._check_parameters()

    priors_ = property(lambda self: self.class_prior_)
    covariance_ = property(lambda self: self.covariances_[0])


class QuadraticDiscriminantAnalysis(GaussianBayes):
    def __init__(
        self, *, solver="svd", shrinkage=None, priors=None, reg_param=0.0, store_covariance=False, tol=1e-4,
        covariance_estimator=None,
    ):  # fmt: skip
        super().__init__("full", priors, shrinkage=shrinkage, reg_param=reg_param)
        self.solver, self.priors, self.store_covariance, self.tol = solver, priors, store_covariance, tol
        self.covariance_estimator = covariance_estimator

    def _check_parameters(self):
        self.class_prior = self.priors
        super()._check_parameters()

    priors_ = property(lambda self: self.class_prior_)
    covariance_ = property(lambda self: list(self.covariances_))


class LogisticRegression(likely.LogisticRegression):
    """Solvers of the peer lead to one optimum: ours are asked for it, whichever is named."""

    kinds, standardize = "auto", False  # as the peer

    def __init__(
        self, penalty="deprecated", *, C=1.0, l1_ratio=0.0, dual=False, tol=1e-4, fit_intercept=True,
        intercept_scaling=1, class_weight=None, random_state=None, solver="lbfgs", max_iter=100, verbose=0,
        warm_start=False, n_jobs=None,
    ):  # fmt: skip
        self.penalty, self.C, self.l1_ratio, self.dual, self.tol = penalty, C, l1_ratio, dual, tol
        self.fit_intercept, self.intercept_scaling, self.class_weight = fit_intercept, intercept_scaling, class_weight
        self.solver, self.max_iter, self.verbose, self.warm_start = solver, max_iter, verbose, warm_start
        self.n_jobs, self.random_state = n_jobs, random_state

    def fit(self, X, y, sample_weight=None):
        free = np.isinf(self.C) or self.penalty is None
        learner = likely.LogisticRegression(
            1.0 if free else self.C, None if free else "elasticnet" if self.l1_ratio else "l2", self.l1_ratio or 0.5,
            fit_intercept=self.fit_intercept, standardize=False, class_weight=self.class_weight,
        )  # fmt: skip
        learner.fit(X, y, sample_weight)
        with self._anew():
            self._become(dict(learner._state))
        return self


def pytest_configure(config):
    """Put the stand-ins in place, once pytest is told to use this plugin: importing it changes nothing."""
    for room, kinds in (
        (sklearn.linear_model, (LogisticRegression,)),
        (sklearn.naive_bayes, (GaussianNB, MultinomialNB, BernoulliNB, ComplementNB, CategoricalNB)),
        (sklearn.discriminant_analysis, (LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis)),
    ):
        for kind in kinds:
            setattr(room, kind.__name__, kind)


outcomes = {}


def pytest_runtest_logreport(report):
    name = report.nodeid.rpartition("/")[2]
    if report.when == "call" or report.outcome != "passed":
        outcomes[name] = [report.outcome, str(report.longrepr).splitlines()[-1][-200:] if report.failed else ""]


def pytest_sessionfinish(session):
    if path := os.environ.get("PEER_OUTCOMES"):
        Path(path).write_text(json.dumps(outcomes))
