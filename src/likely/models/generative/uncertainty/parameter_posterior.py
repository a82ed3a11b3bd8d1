"""What is believed of a fitted model's parameters: for each class the posterior of a column's parameters.

The prior is the model's own: its pseudo-counts, or its pseudo-rows under estimation="map" and "bayes". Where it learned
by maximum likelihood, without a prior, a reference prior says as little as possible instead (`conjugate_counts`,
`conjugate_normals`).

    bernoulli                     Beta
    categorical, histogram        Dirichlet over the levels, or the bins
    multinomial                   Beta of the column's share; of several columns together Dirichlet
    text                          Dirichlet over the words, or a Beta for each word (model "bernoulli")
    poisson, exponential          Gamma
    gaussian, log-normal          NormalInverseGamma (log-normal: of log x)
    vectors of a Gaussian         NormalInverseGamma of the column; of several together NormalInverseWishart
    gamma, negative binomial      LargeSample: each parameter's logarithm normal about its estimate
    the class prior               Dirichlet over the classes

Only observed cells count, whatever the model does about missing ones: a cell that it fills in is no evidence. A kernel
density has no parameters to speak of. A variance that is shared by classes or columns appears in the belief about each
of them.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from likely.data.inputs import suggest
from likely.distributions.amounts.exponential import ExponentialFamily
from likely.distributions.amounts.gamma import GammaFamily
from likely.distributions.amounts.histogram import HistogramFamily
from likely.distributions.amounts.kernel_density import KernelDensityFamily
from likely.distributions.conjugate.dirichlet import Dirichlet
from likely.distributions.conjugate.large_sample import LargeSamplePosterior
from likely.distributions.counts.bernoulli import BernoulliFamily
from likely.distributions.counts.categorical import CategoricalFamily
from likely.distributions.counts.multinomial import MultinomialFamily
from likely.distributions.counts.negative_binomial import NegativeBinomialFamily
from likely.distributions.counts.poisson import PoissonFamily
from likely.distributions.texts.documents import TextFamily
from likely.errors import InputError, LikelyError, TierError
from likely.models.generative.uncertainty.bayesian_bootstrap import DensityPosterior
from likely.models.generative.uncertainty.conjugate_counts import (
    REFERENCE,
    BinPosterior,
    EventPosterior,
    LevelPosterior,
    RatePosterior,
    SharePosterior,
    WordPosterior,
)
from likely.models.generative.uncertainty.conjugate_normals import normal_posterior


def parameter_posterior(model: Any, column: Any = None) -> Any:
    """Of a column of a fitted generative classifier, by class; without a column, of the class prior (`Dirichlet`).

    `column` is a name or a place; a list of columns that the model takes as one vector gives their joint posterior.

    >>> from likely import NaiveBayes
    >>> model = NaiveBayes({"free": "bernoulli"}).fit({"free": [1, 1, 0, 0, 0]}, ["spam", "spam", "spam", "ham", "ham"])
    >>> parameter_posterior(model, "free")
    {'ham': Beta(a=1.0, b=3.0), 'spam': Beta(a=3.0, b=2.0)}
    >>> parameter_posterior(model).levels
    ('ham', 'spam')
    """
    model._check_fitted()
    check_known_labels(model)
    classes = model.classes_.tolist()
    if column is None:
        if model.class_prior is not None:
            raise InputError("the class prior was given, not learned: there is nothing to be believed of it")
        return class_posterior(model)
    several = isinstance(column, list | tuple)
    places = [_place(model, name) for name in (column if several else [column])]
    part, within = _part_of(model, places, column)
    belief = posterior_of_part(model, part)
    if not hasattr(belief, "of"):
        raise _no_posterior(model, part)
    if not several:
        return {name: belief.of(k, within[0]) for k, name in enumerate(classes)}
    if not hasattr(belief, "together"):
        raise InputError(
            f"the model takes the columns {', '.join(map(repr, column))} as independent: ask for one at a time"
        )
    return {name: belief.together(k, within, column) for k, name in enumerate(classes)}


def class_posterior(model: Any) -> Dirichlet:
    """Dirichlet of the probabilities of the classes."""
    return Dirichlet(model.class_count_ + (model.class_alpha or REFERENCE), tuple(model.classes_.tolist()))


def posterior_of_part(model: Any, part: int) -> Any:
    """The posterior of the parameters of a part of the model, all classes and columns at once."""
    seen, family = model.statistic_.given.parts[part], model.layout_.family.parts[part]
    # what was filled in (missing="impute") is no evidence
    fitted = family.estimate(seen) if model.layout_.missing == "impute" else model.distribution_.parts[part]
    learn = _LEARNED.get(type(family))
    found = normal_posterior(family, seen) if learn is None else learn(family, seen, fitted)
    if found is None:
        raise _no_posterior(model, part)
    return found


def check_known_labels(model: Any) -> None:
    """Refuse a model that learned hidden labels or mixtures: how unsure those are the sums do not tell."""
    if hasattr(model, "passes_"):
        raise TierError(
            "the posterior of the parameters is known in closed form only where every label is; this model learned "
            "hidden labels or mixtures by EM. Fit on the rows that have labels."
        )


def _words(family: TextFamily, seen: Any, fitted: Any) -> WordPosterior | None:
    return None if family.model == "complement" else WordPosterior.learned(seen, fitted)


_LEARNED: dict[type, Callable[[Any, Any, Any], Any]] = {
    BernoulliFamily: EventPosterior.learned,
    CategoricalFamily: LevelPosterior.learned,
    HistogramFamily: BinPosterior.learned,
    MultinomialFamily: SharePosterior.learned,
    PoissonFamily: lambda family, seen, fitted: RatePosterior.learned(family, seen),
    ExponentialFamily: lambda family, seen, fitted: RatePosterior.learned(family, seen),
    TextFamily: _words,
    NegativeBinomialFamily: LargeSamplePosterior.learned,
    GammaFamily: LargeSamplePosterior.learned,
    KernelDensityFamily: lambda family, seen, fitted: DensityPosterior(fitted),
}


def _no_posterior(model: Any, part: int) -> LikelyError:
    family = model.layout_.family.parts[part]
    names = [model.layout_.schema.columns[j].name for j in model.layout_.parts[part].columns]
    advice = {
        "KernelDensityFamily": "the kind 'histogram' has one",
        "TextFamily": "model='complement' is a score, 'multinomial' and 'bernoulli' have one",
    }.get(type(family).__name__, "choose a family with one")
    return InputError(
        f"the parameters of {type(family).__name__} (column {names[0]!r}) have no posterior in closed form; {advice}"
    )


def _place(model: Any, column: Any) -> int:
    names = [c.name for c in model.layout_.schema.columns]
    if isinstance(column, int | np.integer) and not isinstance(column, bool) and 0 <= column < len(names):
        return int(column)
    if column in names:
        return names.index(column)
    raise InputError(f"the model has no column {column!r}{suggest(column, names)}; known are {', '.join(names[:10])}")


def _part_of(model: Any, places: list[int], column: Any) -> tuple[int, list[int]]:
    """The part that holds all of some columns, and where they stand in it."""
    for i, part in enumerate(model.layout_.parts):
        if set(places) <= set(part.columns):
            return i, [part.columns.index(place) for place in places]
    raise InputError(f"the model takes the columns {column!r} as independent: ask for one at a time")
