"""A design matrix as operators of a graph: numbers scaled and gaps filled, levels as their rows of cells."""

import numpy as np

from likely.data.design import Design
from likely.data.design.blocks import Block, LevelBlock, NumberBlock
from likely.errors import TierError
from likely.store.onnx.graph import Graph


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
