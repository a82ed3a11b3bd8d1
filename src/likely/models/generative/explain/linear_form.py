"""From generative to discriminative: the softmax model that has the same posteriors.

    p(k | x) = softmax_k( w_k . G(x) + b_k )

Every exponential family has this form, G being its sufficient statistic: x itself for Bernoulli, multinomial and
Poisson features and for Gaussians with a shared covariance; a 1-from-L indicator for nominal features; x and x squared
for Gaussian features whose variances differ between the classes; how often each word occurs in a text, or whether it
does. A row with missing cells has no such form: its G is not known.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import singledispatch
from typing import Any

import numpy as np

from likely.data.inputs import read_input
from likely.data.text import read_documents
from likely.distributions.amounts.exponential import ExponentialDistribution
from likely.distributions.amounts.gaussian import Gaussian
from likely.distributions.counts.bernoulli import Bernoulli
from likely.distributions.counts.categorical import Categorical
from likely.distributions.counts.multinomial import Multinomial
from likely.distributions.counts.poisson import Poisson
from likely.distributions.texts.documents import TextDistribution
from likely.distributions.vectors.diagonal import DiagonalGaussian
from likely.distributions.vectors.gaussian_vectors import MultivariateGaussian
from likely.errors import InputError, TierError
from likely.models.generative.layout import Layout, missing_cells
from likely.numeric.arrays import Array, Floats
from likely.numeric.logspace import log_of, normalize
from likely.statistics import Codes
from likely.statistics.categories import offsets
from likely.statistics.terms import Tokens

_CELLS = 10**7  # rows times words of a design: it is dense


@dataclass(frozen=True)
class LinearForm:
    """Weights of a softmax model over the terms of `design`."""

    classes: Array  # (k,)
    coef: Floats  # (k, m)
    intercept: Floats  # (k,)
    names: tuple[str, ...]  # of the m terms
    _layout: Layout
    _designs: tuple[Callable[[Any], Floats], ...]

    def design(self, X: Any) -> Floats:
        """The terms G(x) of every row (n, m)."""
        data = self._layout.schema.align(self._read(X))
        blocks = []
        for start, batch in data.batches():
            rows = self._layout.rows(batch, start, learning=False)
            for part in rows:
                if missing_cells(part).any():
                    raise InputError("a row with missing cells has no linear form; use the generative model for it")
            blocks.append(np.hstack([design(part) for design, part in zip(self._designs, rows, strict=True)]))
        return np.concatenate(blocks)

    def _read(self, X: Any) -> Any:
        """A table; texts by themselves are one too where there is nothing else."""
        from likely.data.frames.recognition import is_frame

        alone = len(self._layout.parts) == 1 and self._layout.parts[0].form == "text"
        if not alone or is_frame(X):
            return read_input(X)
        texts = np.array(read_documents(X), dtype=object)
        if self._layout.schema.named:
            import polars as pl

            return read_input(pl.DataFrame({self._layout.schema.names[0]: texts}))
        return read_input(texts[:, None])

    def predict_proba(self, X: Any) -> Floats:
        """Posteriors of the softmax model."""
        return normalize(self.design(X) @ self.coef.T + self.intercept)

    def log_odds(self, for_class: Any, against: Any) -> tuple[Floats, float]:
        """Weights and constant of the logistic model of one class against another."""
        k, other = (int(np.flatnonzero(self.classes == name)[0]) for name in (for_class, against))
        return self.coef[k] - self.coef[other], float(self.intercept[k] - self.intercept[other])


def linear_form(model: Any) -> LinearForm:
    """The softmax model equivalent to a fitted generative classifier.

    >>> from likely import GaussianBayes
    >>> model = GaussianBayes("shared").fit([[0.0], [2.0], [5.0], [7.0]], ["a", "a", "b", "b"])
    >>> weights, constant = model.as_linear().log_odds("b", "a")
    >>> weights.round(6), round(constant, 6)
    (array([5.]), -17.5)
    """
    layout = model.layout_
    if layout.missing == "evidence":
        raise TierError("with missing='evidence' the posterior is not linear in the table's columns alone")
    coefs, designs = [], []
    names: list[str] = []
    intercept = log_of(model.class_prior_)
    for part, fitted in zip(layout.parts, model.distribution_.parts, strict=True):
        own = tuple(layout.schema.columns[j].name for j in part.columns)
        coef, constant, design, terms = _linear(fitted, own)
        if not np.isfinite(coef).all():
            raise TierError("a probability of 0 has no finite weight; fit with alpha > 0")
        coefs.append(coef)
        designs.append(design)
        names.extend(terms)
        intercept = intercept + constant
    return LinearForm(model.classes_, np.hstack(coefs), intercept, tuple(names), layout, tuple(designs))


_Linear = tuple[Floats, Floats, Callable[[Any], Floats], tuple[str, ...]]  # weights, constant, design, names


@singledispatch
def _linear(fitted: Any, names: tuple[str, ...]) -> _Linear:
    raise TierError(f"{type(fitted).__name__} features have no equivalent linear model")


@_linear.register
def _(fitted: Gaussian, names: tuple[str, ...]) -> _Linear:
    known = np.isfinite(fitted.mean).all(axis=0) & (fitted.variance > 0).all(axis=0)
    mean = np.where(known, fitted.mean, 0.0)
    variance = np.where(known, fitted.variance, 1.0)
    centre = mean.mean(axis=0)  # terms of x - centre: squares about a far origin would cancel
    away = mean - centre
    constant = np.where(known, -0.5 * (away**2 / variance + np.log(2 * np.pi * variance)), 0.0).sum(axis=1)
    slope, curve = np.where(known, away / variance, 0.0), np.where(known, -0.5 / variance, 0.0)
    if np.all(curve == curve[0]):  # the same for all classes: it drops out
        return slope, constant - slope @ centre, _reals, names
    squares = tuple(f"({name} - {c:.6g})^2" for name, c in zip(names, centre, strict=True))

    def design(x: Array) -> Floats:
        return np.hstack([x, (x - centre) ** 2])

    return np.hstack([slope, curve]), constant - slope @ centre, design, (*names, *squares)


@_linear.register
def _(fitted: DiagonalGaussian, names: tuple[str, ...]) -> _Linear:
    if fitted.shared:
        coef, constant = fitted.linear(centred=True)
        return coef, constant, _reals, names
    return _linear(Gaussian(fitted.mean, np.broadcast_to(fitted.variance, fitted.mean.shape)), names)


@_linear.register
def _(fitted: MultivariateGaussian, names: tuple[str, ...]) -> _Linear:
    coef, constant = fitted.linear(centred=True)
    return coef, constant, _reals, names


@_linear.register
def _(fitted: Categorical, names: tuple[str, ...]) -> _Linear:
    offset = offsets(fitted.levels)
    terms = tuple(f"{name}={level}" for name, levels in zip(names, fitted.levels, strict=True) for level in levels)

    def design(x: Codes) -> Floats:
        out = np.zeros((len(x), int(offset[-1])))
        for j, levels in enumerate(x.levels):
            place = {level: i for i, level in enumerate(fitted.levels[j])}
            columns = np.array([place.get(level, -1) for level in levels], dtype=np.int64)
            code = columns[x.x[:, j].astype(np.int64) - x.base[j]]
            if fitted.unseen == "prior" and (code < 0).any():
                raise InputError(f"a level of {names[j]!r} was never seen: with unseen='prior' it has no linear form")
            rows = np.flatnonzero(code >= 0)
            out[rows, offset[j] + code[rows]] = 1.0
        return out

    return fitted.log_probability, np.zeros(fitted.members), design, terms


@_linear.register
def _(fitted: Bernoulli, names: tuple[str, ...]) -> _Linear:
    coef, constant = fitted.linear()
    return coef, constant, _reals, names


@_linear.register
def _(fitted: Multinomial, names: tuple[str, ...]) -> _Linear:
    coef, constant = fitted.linear()
    return coef, constant, _reals, names


@_linear.register
def _(fitted: ExponentialDistribution, names: tuple[str, ...]) -> _Linear:
    coef, constant = fitted.linear()
    return coef, constant, _reals, names


@_linear.register
def _(fitted: Poisson, names: tuple[str, ...]) -> _Linear:
    coef, constant = fitted.linear()
    return coef, constant, _reals, names


@_linear.register
def _(fitted: TextDistribution, names: tuple[str, ...]) -> _Linear:
    weights, known, smooth = fitted.weights, len(fitted.words), fitted.family.unseen == "smooth"
    kept = np.flatnonzero(fitted.kept)
    words = (*fitted.words.taken(kept).tolist(), *(["(never seen)"] * smooth))
    rows = np.append(kept, [known] * smooth).astype(np.int64)
    with np.errstate(invalid="ignore"):  # a probability of 0 is refused for its weight
        coef = weights.present[rows] if weights.absent is None else weights.present[rows] - weights.absent[rows]
    constant = np.zeros(fitted.members) if weights.absent is None else weights.absent.sum(axis=0)
    place = np.full(known + 1, -1)  # of each word among the terms; one that was seen and is not kept has none
    place[rows] = np.arange(len(rows))
    place[:-1][~fitted.kept & weights.present[:-1].any(axis=1)] = place[-1]  # forgotten, as never seen

    def design(x: Tokens) -> Floats:
        if len(x) * len(words) > _CELLS:
            raise InputError(f"{len(x):,} texts of {len(words):,} words are too large a table; give fewer texts")
        pairs = np.column_stack([np.repeat(np.arange(len(x)), np.diff(x.ends, prepend=0)), x.ids])
        text, word = (np.unique(pairs, axis=0) if weights.once else pairs).T
        term = place[np.minimum(fitted.words.numbers_of(x.words)[word], known)]
        cells = np.bincount((text * len(words) + term)[term >= 0], minlength=len(x) * len(words))
        return cells.reshape(len(x), len(words)).astype(np.float64)

    return coef.T, constant, design, tuple(f"{names[0]}: {word}" for word in words)


def _reals(x: Any) -> Floats:
    return np.asarray(x.toarray() if hasattr(x, "toarray") else x, dtype=np.float64)
