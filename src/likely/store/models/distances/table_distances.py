"""Rows and distances of tables in a file, for the models that compare by them."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from likely.data.distances.cells import CellPlan, Cells
from likely.data.distances.pairs import Metric
from likely.data.distances.table_distance import TableDistance
from likely.errors import InputError
from likely.statistics.counting.words import Words
from likely.store.files.hashes import check_hashes
from likely.store.models.learned import Learned
from likely.store.values import Encoder

_LARGEST = 1e150  # of a scale or a weight: squares of what it makes are numbers
_FIELDS = ("scale", "gap", "wx", "wc", "wt", "size", "table", "turn", "words")


def encode_cells(cells: Cells, encoder: Encoder, path: str) -> dict[str, Any]:
    """Numbers, codes, levels and texts."""
    x = cells.numbers
    if cells.sparse:
        x = x.sorted_indices()
        parts = tuple(np.asarray(part) for part in (x.data, x.indices, x.indptr, np.array(x.shape)))
        numbers = encoder.encode(parts, f"{path}.numbers")
    else:
        numbers = encoder.encode(np.ascontiguousarray(x), f"{path}.numbers")
    return {
        "numbers": numbers,
        "codes": encoder.encode(cells.codes, f"{path}.codes"),
        "levels": encoder.encode(cells.levels, f"{path}.levels"),
        "texts": encoder.encode(cells.texts, f"{path}.texts"),
    }


def decode_cells(learned: Learned, plan: CellPlan, name: str = "cells") -> Cells:
    """The cells of a node, which must be those of the columns."""
    node = learned._node.get(name)
    inner = Learned(node, learned._decoder, learned._depth)
    numbers = inner("numbers", object)
    codes, levels, texts = inner("codes", np.ndarray), inner("levels", tuple), inner("texts", tuple)
    if isinstance(numbers, tuple):
        numbers = _sparse(numbers)
    a, b, t = len(plan.numbers) + len(plan.ranks), len(plan.codes), len(plan.texts)
    floats = getattr(numbers, "dtype", np.dtype("O")).kind == "f" and numbers.ndim == 2
    if not floats or numbers.shape[1] != a or not numbers.shape[0]:
        raise InputError("its rows are not numbers of its columns")
    n = int(numbers.shape[0])
    values = numbers if isinstance(numbers, np.ndarray) else numbers.data
    if np.isinf(values).any():
        raise InputError("its rows hold an infinite number")
    if codes.shape != (n, b) or codes.dtype != np.int32 or len(levels) != b or len(texts) != t:
        raise InputError("its rows are not those of its columns")
    for j, some in enumerate(levels):
        if not isinstance(some, tuple) or ((codes[:, j] < -1) | (codes[:, j] >= len(some))).any():
            raise InputError("a code of its rows names no level")
        check_hashes(some)
        if len(set(some)) != len(some):
            raise InputError("its levels are not different")
    for column in texts:
        if (
            not isinstance(column, tuple)
            or len(column) != n
            or not all(x is None or isinstance(x, str) for x in column)
        ):
            raise InputError("its texts are not one for each row")
    return Cells(numbers, np.ascontiguousarray(codes), levels, texts)


def _sparse(parts: tuple[Any, ...]) -> Any:
    from scipy.sparse import csr_matrix

    try:
        data, indices, start, shape = parts
        rows, columns = (int(size) for size in shape)
        found = csr_matrix((data, indices, start), shape=(rows, columns))
        found.check_format(full_check=True)
    except (TypeError, ValueError):
        raise InputError("its rows are no sparse matrix") from None
    return found


def encode_distance(distance: TableDistance, encoder: Encoder, path: str) -> dict[str, Any]:
    """What a distance has learned."""
    return {name: encoder.encode(getattr(distance, name), f"{path}.{name}") for name in _FIELDS}


def decode_distance(learned: Learned, cells: Cells, metric: Metric, p: float) -> TableDistance:
    """The distance of a node, which must be one of these columns."""
    inner = Learned(learned._node.get("distance"), learned._decoder, learned._depth)
    parts = {name: inner(name, object) for name in _FIELDS}
    a, b, t = cells.shape
    for name, wide in {"scale": a, "gap": a, "wx": a, "wc": b, "wt": t}.items():
        part = parts[name]
        if not _are_numbers(part) or part.shape != (wide,) or not ((part >= 0) & (part <= _LARGEST)).all():
            raise InputError("its distance is not one of its columns")
    sizes, table, turn, words = (parts[name] for name in ("size", "table", "turn", "words"))
    whole = isinstance(sizes, np.ndarray) and sizes.ndim == 1 and sizes.dtype == np.int64
    whole = whole and _are_numbers(table) and table.ndim == 1
    whole = whole and len(sizes) in (0, b) and len(table) == int((sizes**2).sum())
    whole = whole and all(int(size) == len(some) + 1 for size, some in zip(sizes, cells.levels, strict=False))
    turned = turn is None or (_are_numbers(turn) and turn.shape == (a, a))
    listed = isinstance(words, tuple) and all(isinstance(one, Words) and one.in_good_order for one in words)
    if not whole or not turned or not listed or len(words) not in (0, t):
        raise InputError("its distance is not one of its columns")
    return TableDistance(metric, p, **parts)


def _are_numbers(part: ArrayLike) -> bool:
    return isinstance(part, np.ndarray) and part.dtype == np.float64 and bool(np.isfinite(part).all())
