"""Trees and forests as one operator of a graph: the mean, or of boosted trees the sum, of a row's leaves.

Numbers are tested as they are, ranks of ordered levels too. A set of levels becomes a column of its own, 0 where a cell
is in the set and 1 where it is not, so that every test asks whether a number is below a threshold. A missing cell and a
level that was never seen are NaN, which goes the way of the gaps.
"""

from typing import NamedTuple

import numpy as np

from likely.distributions.capabilities.operators import Graph
from likely.models.trees.grove import Grove
from likely.models.trees.growing.coding import Coding
from likely.numeric.arrays import Array, Floats, Ints


class Leaves(NamedTuple):
    """What leaves add."""

    node: Ints  # a leaf
    target: Ints  # a class
    weight: Floats


def sum_of_leaves(grove: Grove, coding: Coding, k: int, leaves: Leaves, graph: Graph) -> str:
    """What the leaves of all trees add to each class (n, k), in single precision."""
    cells, place, threshold = _tests(grove, coding, graph)
    inner, nodes, tree = grove.child >= 0, np.arange(grove.n_nodes), tree_of_nodes(grove)
    found = graph.add(
        "TreeEnsembleRegressor",
        cells,
        domain="ai.onnx.ml",
        n_targets=k,
        aggregate_function="SUM",
        nodes_treeids=tree.tolist(),
        nodes_nodeids=nodes.tolist(),
        nodes_featureids=place.tolist(),
        nodes_modes=["BRANCH_LT" if test else "LEAF" for test in inner.tolist()],
        nodes_values_as_tensor=graph.tensor(threshold),
        nodes_truenodeids=np.where(inner, grove.child, 0).tolist(),
        nodes_falsenodeids=np.where(inner, grove.child + 1, 0).tolist(),
        nodes_missing_value_tracks_true=grove.gaps_left.astype(int).tolist(),
        target_treeids=tree[leaves.node].tolist(),
        target_nodeids=leaves.node.tolist(),
        target_ids=leaves.target.tolist(),
        target_weights_as_tensor=graph.tensor(leaves.weight),
    )
    return graph.add("Cast", found, to=11)  # double


def tree_of_nodes(grove: Grove) -> Ints:
    """The number of the tree of each node."""
    tree = np.empty(grove.n_nodes, dtype=np.int64)
    tree[grove.roots] = np.arange(grove.n_trees)
    for above, left in grove.generations():
        tree[left] = tree[left + 1] = tree[above]
    return tree


def _tests(grove: Grove, coding: Coding, graph: Graph) -> tuple[str, Ints, Floats]:
    """The columns that are tested, side by side (n, m); which of them and what threshold each node asks."""
    place, threshold = np.zeros(grove.n_nodes, dtype=np.int64), np.where(grove.child >= 0, grove.threshold, 0.0)
    parts: list[str] = []
    width = 0
    for j in np.unique(grove.feature[grove.feature >= 0]).tolist() or [0]:
        asked = np.flatnonzero(grove.feature == j)
        levels = coding.levels[j]
        if coding.nominal[j]:
            sets, which = np.unique(_right(grove, asked, len(levels)), axis=0, return_inverse=True)
            place[asked], threshold[asked] = width + which.ravel(), 0.5
            table = np.vstack([sets.T.astype(np.float64), np.full((2, len(sets)), np.nan)])
        else:
            place[asked] = width
            table = np.append(np.arange(len(levels), dtype=np.float64), [np.nan, np.nan])[:, None]
        if coding.schema.columns[j].kind in ("nominal", "ordinal"):
            row = graph.place(j, levels, len(levels), len(levels) + 1)
            parts.append(graph.add("Gather", graph.constant(table), row, axis=0))
        else:
            parts.append(graph.numbers([j]))
        width += table.shape[1]
    return parts[0] if len(parts) == 1 else graph.add("Concat", *parts, axis=1), place, threshold


def _right(grove: Grove, nodes: Ints, count: int) -> Array:
    """Which levels the tests of these nodes send to the right (nodes, levels)."""
    level = np.arange(count)
    word = grove.masks[grove.mask_at[nodes][:, None] + (level >> 6)]
    return np.asarray((word >> (level & 63).astype(np.uint64)) & np.uint64(1) == 0)
