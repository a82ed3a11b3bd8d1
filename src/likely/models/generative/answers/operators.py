"""A generative classifier in plain operators of a graph: log densities of its parts, and the prior."""

from typing import TYPE_CHECKING

import numpy as np

from likely.distributions.capabilities.operators import IMPOSSIBLE, Graph
from likely.distributions.family import Distribution
from likely.errors import TierError
from likely.numeric.logspace import log_of

if TYPE_CHECKING:
    from likely.models.generative.answers.fitted import FittedGenerative

_SHOWN = 5


def generative_scores(model: "FittedGenerative", graph: Graph) -> str:
    """Log densities of the parts and the prior; of a row that is impossible under every class, the prior."""
    layout, parts = model.layout_, model.distribution_.parts
    if layout.missing == "impute":
        raise TierError("missing='impute' has no form in an ONNX graph; fit with missing='ignore'")
    names = layout.schema.names
    terms = [
        _log_density(fitted, graph, part.columns, [names[j] for j in part.columns])
        for part, fitted in zip(layout.parts, parts, strict=False)
    ]
    if layout.missing == "evidence":
        terms.append(_of_gaps(model, graph))
    whole = graph.add("Sum", *terms) if len(terms) > 1 else terms[0]
    # a row that is impossible under every class says nothing between them, and what is left is the prior
    whole = graph.add("Max", whole, graph.constant(np.array(IMPOSSIBLE)))
    likeliest = graph.add("ReduceMax", whole, axes=[1], keepdims=1)
    impossible = graph.add("LessOrEqual", likeliest, graph.constant(np.array(IMPOSSIBLE / 2)))
    return graph.add("Add", graph.or_nothing(impossible, whole), graph.constant(log_of(model.class_prior_)))


def _log_density(fitted: Distribution, graph: Graph, columns: tuple[int, ...], names: list[str]) -> str:
    own = getattr(fitted, "onnx_log_density", None)
    if own is None:
        shown = ", ".join(map(repr, names[:_SHOWN])) + (
            f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
        )
        raise TierError(
            f"{type(fitted).__name__}, which describes {shown}, has no form in plain ONNX operators. Where the model "
            f"takes kinds, give these columns others, as kinds={{{names[0]!r}: 'gaussian'}}, or 'log_normal', "
            "'nominal', 'bernoulli', 'poisson', 'negative_binomial'; a family of your own may have a method "
            "onnx_log_density(graph, columns)"
        )
    return str(own(graph, columns))


def _of_gaps(model: "FittedGenerative", graph: Graph) -> str:
    """What it says that cells are missing: the last part, of one column of 0 and 1 for each column of the table."""
    schema, fitted = model.layout_.schema, model.distribution_.parts[-1]
    each = [graph.gap(j) for j in range(schema.width)]
    absent = graph.add("Concat", *each, axis=1) if len(each) > 1 else each[0]
    width = schema.width
    no, yes = fitted.log_density_terms(np.array([[0.0] * width, [1.0] * width]))
    cells = graph.add("Unsqueeze", absent, graph.constant(np.array([2])))
    return graph.sum_of(graph.add("Where", cells, graph.constant(yes), graph.constant(no)), 1)
