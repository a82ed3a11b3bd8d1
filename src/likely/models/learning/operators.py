"""A design matrix as operators of a graph: numbers scaled and gaps filled, levels as their rows of cells.

A model that has a form in plain operators has a method `onnx_scores(graph)`, which gives the name of its scores (n, k),
whose softmax is the posterior.
"""

import numpy as np

from likely.data.design import Design
from likely.data.design.blocks import Block, LevelBlock, NumberBlock
from likely.distributions.capabilities.operators import Graph
from likely.errors import TierError
from likely.numeric.arrays import Floats


def design_matrix(design: Design, graph: Graph) -> str:
    """The name of the matrix (n, m)."""
    parts = [_block(block, graph) for block in design.blocks]
    return parts[0] if len(parts) == 1 else graph.add("Concat", *parts, axis=1)


def _block(block: Block, graph: Graph) -> str:
    if isinstance(block, NumberBlock):
        return _numbers(block, graph)
    if isinstance(block, LevelBlock):
        return _levels(block, graph)
    raise TierError("texts have no form in plain ONNX operators: leave columns of texts out")


def _numbers(block: NumberBlock, graph: Graph) -> str:
    x = graph.numbers(block.columns)
    absent = graph.add("IsNaN", x)
    full = graph.add("Where", absent, graph.constant(block.mean), x)
    centred = graph.add("Sub", full, graph.constant(block.centres))
    scaled = graph.add("Div", centred, graph.constant(block.scales))
    if not len(block.gaps):
        return scaled
    gaps = graph.add("Gather", graph.add("Cast", absent, to=11), graph.constant(block.gaps.astype(np.int64)), axis=1)
    return graph.add("Concat", scaled, gaps, axis=1)


def _levels(block: LevelBlock, graph: Graph) -> str:
    parts = []
    for i, table in enumerate(block.tables):  # its last row is that of a gap
        count, typical = len(block.levels[i]), block.typical[i]
        plain = block.codings[i] == "levels"
        late = np.zeros(table.shape[1]) if plain else np.append(typical, np.zeros(table.shape[1] - len(typical)))
        place = graph.place(block.columns[i], block.levels[i], count, count + 1)
        parts.append(graph.add("Gather", graph.constant(np.vstack([table, late])), place, axis=0))
    return parts[0] if len(parts) == 1 else graph.add("Concat", *parts, axis=1)


def linear_scores(design: Design, weights: Floats, graph: Graph) -> str:
    """Scores (n, k) of weights (k, m + 1), the constant last."""
    return graph.affine(design_matrix(design, graph), weights[:, :-1], weights[:, -1])


def log_of_share(graph: Graph, share: str, least: float = 1e-300) -> str:
    """The logarithm, of what is below `least` that of `least`."""
    return graph.add("Log", graph.add("Max", share, graph.constant(np.array(float(least)))))


def scores_of(model: object, graph: Graph) -> str:
    """What a model builds; refused of one that does not."""
    own = getattr(model, "onnx_scores", None)
    if own is None:
        raise no_form(model)
    return str(own(graph))


def no_form(model: object) -> TierError:
    """Why a model is not exported."""
    return TierError(
        f"a {type(model).__name__} has no form in plain ONNX operators"
        + ("; export the model inside, its estimator_" if hasattr(model, "estimator_") else "")
    )
