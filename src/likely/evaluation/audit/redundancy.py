"""The double-count detector: how much columns repeat each other once the class is known, in bits.

    total correlation within the class = sum over j of H(X_j | C) - H(X_1, ..., X_d | C)

is what a model that takes columns for independent within the class counts more than once. The joint entropy of many
columns cannot be counted, so the sum over the best tree is taken, which is never more than the truth:

    sum over the edges (i, j) of the tree of I(X_i; X_j | C)     (Chow and Liu 1968)

Numbers are cut into eight groups of equal size; a missing cell is a group of its own, as is every level beyond the
eleven commonest. Counting so many cells finds dependence where there is none, (r - 1)(s - 1) / (2 n ln 2) bits a pair
and class on average, which is taken off (Miller 1955). Texts are left out. Of many rows 20,000 are looked at, chosen by
chance, and of many columns the first sixty.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.data.accepted import TableLike, TargetLike
from likely.data.frames import to_polars
from likely.data.printing.html_table import text_as_html
from likely.data.printing.text_table import aligned
from likely.numeric.arrays import Array, Floats, Ints

_GROUPS, _LEVELS = 8, 11
_ROWS, _COLUMNS = 20_000, 60
_STRONG = 0.1  # bits of a pair that is worth a line


@dataclass(frozen=True)
class SharedBits:
    """Two columns and the bits that they share within the class."""

    first: str
    second: str
    bits: float


@dataclass(frozen=True)
class Redundancy:
    """How much columns repeat each other within the class."""

    bits: float  # of the best tree: a lower bound of the total correlation
    pairs: tuple[SharedBits, ...]  # the edges of the tree, the strongest first
    columns: int  # that were looked at

    @property
    def strong(self) -> tuple[SharedBits, ...]:
        """The pairs that share a tenth of a bit or more."""
        return tuple(pair for pair in self.pairs if pair.bits >= _STRONG)

    def __str__(self) -> str:
        head = f"{self.columns} columns share at least {self.bits:.2f} bits within the class"
        rows = [[pair.first, pair.second, f"{pair.bits:.2f}"] for pair in self.strong[:10]]
        return "\n".join([head, aligned([["column", "column", "bits"], *rows], left=(0, 1))]) if rows else head

    _repr_html_ = text_as_html


def redundancy(X: TableLike, y: TargetLike, *, random_state: int = 0) -> Redundancy:
    """Find columns of a frame or array X that say the same, within the classes y.

    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(0, 2, 2_000)
    >>> x = rng.normal(y)
    >>> found = redundancy(np.column_stack([x, x, rng.normal(y)]), y)
    >>> found.strong[0].first, found.strong[0].second, round(found.bits, 1)
    ('x0', 'x1', 2.8)
    """
    frame = to_polars(X)
    codes = np.unique(np.asarray(y).astype(str), return_inverse=True)[1]
    if len(codes) > _ROWS:
        rows = np.sort(np.random.default_rng(random_state).choice(len(codes), _ROWS, replace=False))
        frame, codes = frame[rows], codes[rows]
    cut = {name: _cells(frame[name]) for name in frame.columns}
    known = [name for name, cells in cut.items() if cells is not None and len(np.unique(cells)) > 1][:_COLUMNS]
    cells = [np.asarray(cut[name]) for name in known]
    shared = np.zeros((len(known), len(known)))
    for i in range(len(known)):
        for j in range(i):
            shared[i, j] = shared[j, i] = _within_class(cells[i], cells[j], codes)
    edges = sorted(_tree(shared), key=lambda edge: -shared[edge])
    pairs = tuple(SharedBits(known[i], known[j], float(shared[i, j])) for i, j in edges if shared[i, j] > 0)
    return Redundancy(float(sum(pair.bits for pair in pairs)), pairs, len(known))


def _cells(column: Any) -> Ints | None:
    """A column as few groups (n,), numbered from 0; None: a text, or what cannot be grouped."""
    import polars as pl

    if column.dtype.is_numeric() and column.n_unique() > _GROUPS:
        values = column.cast(pl.Float64).fill_null(float("nan")).to_numpy()
        finite = np.isfinite(values)
        ends: Any = np.unique(np.quantile(values[finite], np.linspace(0, 1, _GROUPS + 1)[1:-1])) if finite.any() else []
        return np.where(finite, np.searchsorted(ends, values, side="left") + 1, 0)
    if column.dtype.is_nested():
        return None
    names = column.cast(pl.String)
    counts = names.drop_nulls().value_counts(sort=True)
    if counts.height > max(50, len(column) // 5):
        return None
    place = {name: i + 1 for i, name in enumerate(counts[names.name].to_list()[:_LEVELS])}
    rest = len(place) + 1
    return np.array([0 if name is None else place.get(name, rest) for name in names.to_list()])


def _within_class(a: Ints, b: Ints, codes: Ints) -> float:
    """I(A; B | C) in bits, less what chance would show."""
    r, s, k = int(a.max()) + 1, int(b.max()) + 1, int(codes.max()) + 1
    table = np.bincount((codes * r + a) * s + b, minlength=k * r * s).reshape(k, r, s).astype(np.float64)
    n = table.sum()
    used_a, used_b = (table.sum(axis=2) > 0).sum(axis=1), (table.sum(axis=1) > 0).sum(axis=1)
    chance = (np.maximum(used_a - 1, 0) * np.maximum(used_b - 1, 0)).sum() / (2 * n * np.log(2))
    information = (
        _entropy(table.sum(axis=2), n) + _entropy(table.sum(axis=1), n) - _entropy(table, n)
        - _entropy(table.sum(axis=(1, 2)), n)
    )  # fmt: skip
    return max(0.0, float(information - chance))


def _entropy(counts: Floats, n: float) -> float:
    p = counts[counts > 0] / n
    return float(-(p * np.log2(p)).sum())


def _tree(weight: Array) -> list[tuple[int, int]]:
    """The edges of the spanning tree of the largest sum (Prim 1957)."""
    count = len(weight)
    if count < 2:
        return []
    best, nearest, outside, edges = weight[0].copy(), np.zeros(count, dtype=np.intp), np.ones(count, dtype=bool), []
    outside[0] = False
    for _ in range(count - 1):
        place = int(np.argmax(np.where(outside, best, -np.inf)))
        edges.append((int(nearest[place]), place))
        outside[place] = False
        closer = outside & (weight[place] > best)
        best[closer], nearest[closer] = weight[place][closer], place
    return edges
