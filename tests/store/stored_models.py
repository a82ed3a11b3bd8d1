"""Fitted models of every public estimator, in many variants, made the same way in any process."""

import inspect
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from warnings import catch_warnings, simplefilter

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "laws"))

import polars as pl
from discovery import estimators
from specimens import ESTIMATORS

import likely.decisions
from likely import BayesClassifier, GaussianBayes, Mixture, NaiveBayes, Pool, TextBayes
from likely.decisions import Calibrated, CostMatrix, Decider, MajorityClassifier
from likely.distributions.amounts.gamma import GammaFamily
from likely.distributions.amounts.gaussian import GaussianFamily
from likely.distributions.amounts.histogram import HistogramFamily
from likely.distributions.amounts.kernel_density import KernelDensityFamily
from likely.distributions.combined.mixture import MixtureFamily
from likely.distributions.counts.categorical import CategoricalFamily
from likely.distributions.vectors.family import MultivariateGaussianFamily
from likely.errors import InputError, TierError

Case = tuple[str, Any, Any, Any]  # name, fitted model, rows, labels


def public() -> list[type[Any]]:
    """Every public class that can be fitted, of the front page and of the room of decisions."""
    room = [getattr(likely.decisions, name) for name in likely.decisions.__all__]
    return [*estimators(), *(kind for kind in room if inspect.isclass(kind) and hasattr(kind, "get_params"))]


def cases() -> Iterator[Case]:
    for kind in estimators():
        for specimen in ESTIMATORS[kind]:
            X, y = specimen.data(np.random.default_rng(7))
            yield specimen.name, specimen.fitted(X, y), X, y
    rng = np.random.default_rng(1)
    y = np.arange(60) % 3
    X = rng.normal(size=(60, 3)) + y[:, None]
    names = np.array(["ash", "birch", "cedar"])[y]
    yield from _hidden(X, names)
    yield from _wrapped(X, names)
    yield "weights", NaiveBayes(class_prior="uniform").fit(X, names, sample_weight=np.linspace(0, 2, 60)), X, names
    yield "whole labels", GaussianBayes("shared", class_prior={0: 0.2, 1: 0.3, 2: 0.5}).fit(X, y), X, y
    yield "truth labels", NaiveBayes(class_prior=np.array([0.5, 0.5])).fit(X, y > 0), X, y > 0
    yield "byte labels", NaiveBayes().fit(X, names.astype("S")), X, names.astype("S")
    odd = np.array(["\ud800", "\ud83d\ude00", "é\0"], dtype=object)[y]
    yield "odd labels", NaiveBayes().fit(X, odd), X, odd
    table = pl.DataFrame({f"column {j}": X[:, j % 3] for j in range(40)})
    yield "wide", NaiveBayes().fit(table, names), table, names
    mails = [
        f"the {'free money' if i % 2 else 'noon'} \ud800{'x' * (i % 5)} naïve {name}" for i, name in enumerate(names)
    ]
    yield "raw texts", TextBayes(stop_words=["the"]).fit(mails, names), mails, names
    hidden = np.where(np.arange(60) % 4 == 0, None, names)
    yield "hidden labels of texts", TextBayes("bernoulli", hidden="em").fit(mails, hidden), mails, names
    kinds = {"x0": HistogramFamily(bins=(-9.0, 0.0, 1.0, 9.0)), "x1": KernelDensityFamily(bounds=(None, 9.0))}
    yield "own families", NaiveBayes(kinds, random_state=3).fit(X, names), X, names


def _hidden(X: Any, names: Any) -> Iterator[Case]:
    some = np.where(np.arange(60) % 4 == 0, None, names)
    yield "hidden", BayesClassifier().fit(X, some), X, names
    yield "hidden vectors", GaussianBayes("full", estimation="bayes", hidden="em").fit(X, some), X, names
    yield "hidden kde", NaiveBayes("kde", hidden="em").fit(X, some), X, names
    yield "hidden histogram", NaiveBayes("histogram", hidden="em").fit(X, some), X, names
    texts = pl.DataFrame({"a": ["rs"[i % 2] for i in range(60)], "b": X[:, 0]})
    yield "hidden texts", NaiveBayes(missing="evidence", hidden="em").fit(texts, some), texts, names
    mixture = BayesClassifier(MixtureFamily(GaussianFamily(), 2), n_init=2, random_state=0)
    yield "mixture", mixture.fit(X, names), X, names
    for name, family in (("gamma", GammaFamily()), ("vectors", MultivariateGaussianFamily())):
        partly = BayesClassifier(MixtureFamily(family, 2), random_state=0)
        yield f"hidden mixture {name}", partly.fit(np.exp(X), some), np.exp(X), names
    levels = np.digitize(X, [0.0, 1.0, 2.0])
    partly = BayesClassifier(MixtureFamily(CategoricalFamily(), 2), random_state=0)
    yield "hidden mixture levels", partly.fit(levels, some), levels, names
    found = BayesClassifier("multivariate_gaussian", n_components=3, n_init=2, random_state=0)
    yield "found classes", found.fit(X), X, names
    yield "vectors without labels", Mixture(3, n_init=2, random_state=0).fit(X), X, names
    yield "a table without labels", Mixture(2, "auto", n_init=2, random_state=0).fit(texts), texts, names


def _wrapped(X: Any, names: Any) -> Iterator[Case]:
    for method in ("logistic", "isotonic", "temperature", "beta"):
        yield f"calibrated {method}", Calibrated(NaiveBayes(), method).fit(X, names), X, names
    two = np.where(names == "ash", "no", "yes")
    yield "calibrated two", Calibrated(GaussianBayes(), "isotonic").fit(X, two), X, two
    yield "calibrated prefit", Calibrated(GaussianBayes().fit(X, names), cv="prefit").fit(X, names), X, names
    costs = CostMatrix.of([[0, 2, 3], [1, 0, 1], [5, 1, 0]])
    yield "decider", Decider(NaiveBayes(), costs, prior="uniform", reject=1.5).fit(X, names), X, names
    yield "decider weights", Decider(NaiveBayes(), rule="recalibrated", max_error=0.1).fit(X, names), X, names
    dear = {"ash": {"birch": 2, "cedar": 1}, "birch": {"ash": 1, "cedar": 1}, "cedar": {"ash": 4, "birch": 1}}
    nested = Decider(Calibrated(NaiveBayes()), dear, reject=0.3, reject_label="?")
    yield "decider of calibrated", nested.fit(X, names), X, names
    yield "pool", Pool([NaiveBayes(), GaussianBayes("full")]).fit(X, names), X, names
    yield "majority", MajorityClassifier().fit(X, names), X, names


def answers(model: Any, X: Any, y: Any) -> dict[str, Any]:
    """All that a model says, and what it becomes by learning, merging and forgetting."""
    out = {"predict": model.predict(X), "proba": model.predict_proba(X), "classes": model.classes_}
    if not hasattr(model, "forget"):
        return out
    if hasattr(model, "log_likelihood"):
        out["likelihood"] = model.log_likelihood(X)
    with suppress(InputError, AttributeError):  # of some models no row can be drawn
        out["drawn"] = np.asarray(model.sample(3, random_state=0)[1])
    if hasattr(model, "passes_"):
        return {**out, "climb": model.log_likelihoods_}
    half = X[:20]
    with catch_warnings():
        simplefilter("ignore", UserWarning)  # a pool says that its weights are of other rows
        try:
            both = model.merge(model)
        except TierError:  # it depends on the order of the rows, and says so
            return out
        out["merged"] = both.predict_proba(X)
        out["forgot"] = both.forget(half, y[:20]).predict_proba(X)
        out["more"] = both.partial_fit(half, y[:20]).predict_proba(X)
    return out
