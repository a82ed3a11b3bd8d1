"""Distributions whose parameters differ a little from those of another: what a maximum of the likelihood must beat."""

from collections.abc import Iterator
from dataclasses import replace
from functools import singledispatch
from itertools import pairwise
from typing import Any

import numpy as np
from scipy.special import logit

from likely.distributions.amounts.exponential import ExponentialDistribution
from likely.distributions.amounts.gamma import GammaDistribution
from likely.distributions.amounts.gaussian import Gaussian
from likely.distributions.amounts.histogram import Histogram
from likely.distributions.amounts.log_normal import LogNormal
from likely.distributions.combined.product import Product
from likely.distributions.counts.bernoulli import Bernoulli
from likely.distributions.counts.level_table import Categorical
from likely.distributions.counts.multinomial import Multinomial
from likely.distributions.counts.negative_binomial import NegativeBinomial
from likely.distributions.counts.poisson import Poisson
from likely.distributions.vectors.diagonal import DiagonalGaussian
from likely.distributions.vectors.gaussian_vectors import MultivariateGaussian
from likely.statistics.counting.categories import offsets


@singledispatch
def nearby(fitted: Any, step: float, rng: np.random.Generator) -> Iterator[Any]:
    """Distributions whose parameters differ a little, one parameter at a time."""
    raise NotImplementedError(f"the parameters near {type(fitted).__name__}")


def scaled(parameter: Any, step: float, rng: np.random.Generator) -> Any:
    return parameter * np.exp(step * rng.normal(size=parameter.shape))


@nearby.register
def _(fitted: Gaussian, step: float, rng: np.random.Generator) -> Iterator[Any]:
    yield replace(fitted, mean=fitted.mean + step * np.sqrt(fitted.variance) * rng.normal(size=fitted.mean.shape))
    yield replace(fitted, variance=scaled(fitted.variance, step, rng))


@nearby.register
def _(fitted: DiagonalGaussian, step: float, rng: np.random.Generator) -> Iterator[Any]:
    yield replace(fitted, mean=fitted.mean + step * np.sqrt(fitted.variance) * rng.normal(size=fitted.mean.shape))
    factor = np.exp(step * rng.normal(size=(len(fitted.variance), 1 if fitted.spherical else fitted.mean.shape[1])))
    yield replace(fitted, variance=fitted.variance * factor)


@nearby.register
def _(fitted: MultivariateGaussian, step: float, rng: np.random.Generator) -> Iterator[Any]:
    factor, d = fitted.shape.factor, fitted.mean.shape[1]
    away = np.einsum("gij,kj->ki", factor, rng.normal(size=(fitted.members, d))) / len(factor)
    yield MultivariateGaussian.of(fitted.mean + step * away, fitted.covariance)
    turn = step * rng.normal(size=factor.shape)
    turned = factor @ (np.eye(d) + (turn + turn.transpose(0, 2, 1)) / 2) @ factor.transpose(0, 2, 1)
    yield MultivariateGaussian.of(fitted.mean, (turned + turned.transpose(0, 2, 1)) / 2)


@nearby.register
def _(fitted: LogNormal, step: float, rng: np.random.Generator) -> Iterator[Any]:
    yield from (LogNormal(there) for there in nearby(fitted.of_log, step, rng))


@nearby.register(Poisson)
@nearby.register(ExponentialDistribution)
def _(fitted: Any, step: float, rng: np.random.Generator) -> Iterator[Any]:
    yield replace(fitted, rate=scaled(fitted.rate, step, rng))


@nearby.register
def _(fitted: GammaDistribution, step: float, rng: np.random.Generator) -> Iterator[Any]:
    yield replace(fitted, mean=scaled(fitted.mean, step, rng))
    yield replace(fitted, shape=scaled(fitted.shape, step, rng))


@nearby.register
def _(fitted: NegativeBinomial, step: float, rng: np.random.Generator) -> Iterator[Any]:
    yield replace(fitted, mean=scaled(fitted.mean, step, rng))
    poisson = fitted.dispersion == 0
    yield replace(fitted, dispersion=np.where(poisson, step, scaled(fitted.dispersion, step, rng)))


@nearby.register
def _(fitted: Bernoulli, step: float, rng: np.random.Generator) -> Iterator[Any]:
    p = fitted.probability
    inside = (p > 0) & (p < 1)
    moved = logit(np.where(inside, p, 0.5)) + step * rng.normal(size=p.shape)
    yield Bernoulli(np.where(inside, 1 / (1 + np.exp(-moved)), p))


@nearby.register
def _(fitted: Multinomial, step: float, rng: np.random.Generator) -> Iterator[Any]:
    p = scaled(fitted.probability, step, rng)
    yield replace(fitted, probability=p / p.sum(axis=1, keepdims=True))


@nearby.register
def _(fitted: Categorical, step: float, rng: np.random.Generator) -> Iterator[Any]:
    yield replace(fitted, log_probability=moved_table(fitted.log_probability, offsets(fitted.levels), step, rng))


@nearby.register
def _(fitted: Histogram, step: float, rng: np.random.Generator) -> Iterator[Any]:
    first = np.concatenate([[0], np.cumsum([len(edges) - 1 for edges in fitted.edges])])
    yield replace(fitted, log_probability=moved_table(fitted.log_probability, first, step, rng))


@nearby.register
def _(fitted: Product, step: float, rng: np.random.Generator) -> Iterator[Any]:
    for i, part in enumerate(fitted.parts):
        for there in nearby(part, step, rng):
            yield Product((*fitted.parts[:i], there, *fitted.parts[i + 1 :]))


def moved_table(table: Any, first: Any, step: float, rng: np.random.Generator) -> Any:
    """Log probabilities of each feature's columns, moved and again summing to one."""
    p = np.exp(table + step * rng.normal(size=table.shape))
    for a, b in pairwise(first):
        p[:, a:b] /= p[:, a:b].sum(axis=1, keepdims=True)
    with np.errstate(divide="ignore"):
        return np.log(p)
