"""What a measure means for models that decide by costs of their own.

"cost"    the mean cost of a row by the costs of the `Decider` among them (every mistake costs 1 where it has none)
costs     these; a row that is not answered costs what a `Decider` says of that
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence

import numpy as np

from likely.decisions.costs import CostMatrix
from likely.decisions.decider import Decider
from likely.errors import InputError
from likely.evaluation.measures.criteria import Criterion, MeasureLike, cost_criterion, criterion
from likely.evaluation.measures.vocabulary import known_as
from likely.numeric.arrays import Array


def criterion_for(
    models: Iterable[object], measure: MeasureLike, classes: Sequence[Hashable] | Array, pos_label: Hashable = None
) -> Criterion:
    """What models are judged by: a measure by name, costs, or a function.

    >>> from likely import Decider, NaiveBayes
    >>> from likely.evaluation.said import Said
    >>> careful = Decider(NaiveBayes(), {"ill": {"well": 10}, "well": {"ill": 1}}, reject=0.5)
    >>> chosen = criterion_for([careful], "cost", ["ill", "well"])
    >>> chosen.rows(Said(("ill", "well"), np.array([0, 0, 1]), None, np.array([1, -1, 1])))
    array([10. ,  0.5,  0. ])
    """
    deciders = [model for model in models if isinstance(model, Decider)]
    if isinstance(measure, CostMatrix | Mapping):
        return cost_criterion(measure, _price_of(deciders))
    if deciders and isinstance(measure, str) and known_as(measure) == "cost":
        return cost_criterion(_costs_of(deciders, classes), _price_of(deciders))
    return criterion(measure, pos_label)


def _costs_of(deciders: Sequence[Decider], classes: Sequence[Hashable] | Array) -> CostMatrix:
    first, *others = (
        CostMatrix.zero_one(classes) if each.costs is None else CostMatrix.of(each.costs, classes) for each in deciders
    )
    if not all(np.array_equal(first.values, other.values) for other in others):
        raise InputError("the Deciders have different costs: say which to judge by, scoring=costs")
    return first


def _price_of(deciders: Iterable[Decider]) -> float | None:
    """What a row costs that is not answered, where those that leave rows open agree about it."""
    prices = {decider.reject for decider in deciders if decider.reject is not None}
    if len(prices) > 1:
        raise InputError(
            f"the Deciders say that not answering costs {', '.join(f'{price:g}' for price in sorted(prices))}: say "
            "which to judge by, likely.evaluation.cost_criterion(costs, reject=...)"
        )
    return next(iter(prices), None)
