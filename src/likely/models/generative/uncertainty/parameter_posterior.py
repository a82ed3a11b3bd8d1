"""Posterior distributions of a fitted model's parameters: for each class what is believed of a column's parameters.

The prior is the model's own: its pseudo-counts, or its pseudo-rows under estimation="map" and "bayes". Where it learned
by maximum likelihood, without a prior, a reference prior says as little as possible instead. Each family has its own,
a method `parameter_posterior(statistic)`; one of a user's own that has it is served like the others.

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

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from likely.data.inputs import suggest
from likely.distributions.conjugate.belief import REFERENCE
from likely.distributions.conjugate.dirichlet import Dirichlet
from likely.distributions.family import ParameterPosterior
from likely.errors import InputError, TierError
from likely.models.generative.answers.fitted import FittedGenerative, sums_of_parts


def parameter_posterior(model: FittedGenerative, column: Any = None) -> Any:
    """Posterior distribution of a column's parameters, by class; without a column, of the class prior (`Dirichlet`).

    `column` is a name or a place; a list of columns that the model takes as one vector gives their joint posterior.

    >>> from likely import NaiveBayes
    >>> model = NaiveBayes({"free": "bernoulli"}).fit({"free": [1, 1, 0, 0, 0]}, ["spam", "spam", "spam", "ham", "ham"])
    >>> parameter_posterior(model, "free")
    {'ham': Beta(a=1.0, b=3.0), 'spam': Beta(a=3.0, b=2.0)}
    >>> parameter_posterior(model).levels
    ('ham', 'spam')
    """
    check_known_labels(model)
    classes = model.classes_.tolist()
    if column is None:
        if model.class_prior is not None:
            raise InputError("the class prior was given, not learned: there is nothing to be believed of it")
        return class_posterior(model)
    several = isinstance(column, list | tuple)
    places = [_place(model, name) for name in (column if several else [column])]
    part, within = _part_of(model, places, column)
    posterior: Any = posterior_of_part(model, part)
    if several and not hasattr(posterior, "together"):
        raise InputError(
            f"the model takes the columns {', '.join(map(repr, column))} as independent: ask for one at a time"
        )
    with _naming_column(model, part):
        if several:
            return {name: posterior.together(k, within, column) for k, name in enumerate(classes)}
        return {name: posterior.of(k, within[0]) for k, name in enumerate(classes)}


def class_posterior(model: FittedGenerative) -> Dirichlet:
    """Dirichlet of the probabilities of the classes."""
    return Dirichlet(model.class_count_ + (model.class_alpha or REFERENCE), tuple(model.classes_.tolist()))


def posterior_of_part(model: FittedGenerative, part: int) -> ParameterPosterior:
    """The posterior of the parameters of a part of the model, all classes and columns at once.

    What was filled in (missing="impute") is no evidence: only the statistic of what was observed counts.
    """
    seen, family = sums_of_parts(model.statistic_)[part], model.layout_.family.parts[part]
    with _naming_column(model, part):
        if not hasattr(family, "parameter_posterior"):
            raise InputError(
                f"{type(family).__name__} says nothing of the posterior of its parameters; choose another family, or "
                "give it a method `parameter_posterior`"
            )
        found: ParameterPosterior = family.parameter_posterior(seen)
        return found


def check_known_labels(model: FittedGenerative) -> None:
    """Refuse a model that learned hidden labels or mixtures: how unsure those are the sums do not tell."""
    if hasattr(model, "passes_"):
        raise TierError(
            "the posterior of the parameters is known in closed form only where every label is; this model learned "
            "hidden labels or mixtures by EM. Fit on the rows that have labels."
        )


@contextmanager
def _naming_column(model: FittedGenerative, part: int) -> Iterator[None]:
    """Errors say of which column they speak."""
    try:
        yield
    except InputError as error:
        if part >= len(model.layout_.parts):  # what is missing, which is no column of the table
            raise
        place = model.layout_.parts[part].columns[0]
        raise InputError(f"column {model.layout_.schema.columns[place].name!r}: {error}") from error


def _place(model: FittedGenerative, column: object) -> int:
    names = [c.name for c in model.layout_.schema.columns]
    if isinstance(column, int | np.integer) and not isinstance(column, bool) and 0 <= column < len(names):
        return int(column)
    if column in names:
        return names.index(column)
    raise InputError(f"the model has no column {column!r}{suggest(column, names)}; known are {', '.join(names[:10])}")


def _part_of(model: FittedGenerative, places: list[int], column: object) -> tuple[int, list[int]]:
    """The part that holds all of some columns, and where they stand in it."""
    for i, part in enumerate(model.layout_.parts):
        if set(places) <= set(part.columns):
            return i, [part.columns.index(place) for place in places]
    raise InputError(f"the model takes the columns {column!r} as independent: ask for one at a time")
