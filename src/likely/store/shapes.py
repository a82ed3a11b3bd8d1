"""Whether the arrays of a statistic or a distribution fit together: compiled code does not look before it reads.

k is the number of groups, d of features; r is whatever the first array that has it says. Each field has one shape, or
several that are allowed.
"""

from dataclasses import fields
from typing import Any

import numpy as np

from likely.errors import InputError
from likely.numeric.arrays import Array
from likely.statistics.categories import union_of
from likely.store.hashes import check_hashes

_SHAPES: dict[str, dict[str, tuple[str, ...]]] = {
    "Additive": {"weight": ("k",)},
    "Moments": {"weight": ("k",), "origin": ("k d",), "count": ("k d",), "first": ("k d",), "second": ("k d",)},
    "LogMoments": {"weight": ("k",), "origin": ("k d",), "count": ("k d",), "first": ("k d",), "excess": ("k d",)},
    "Scatter": {
        "weight": ("k",),
        "origin": ("k d",),
        "count": ("k d d", "k 1 1"),
        "first": ("k d d", "k d 1"),
        "second": ("k d d",),
    },
    "Totals": {"weight": ("k",), "count": ("k d",), "sum": ("k d",)},
    "CategoryCounts": {"weight": ("k",), "count": ("k r",)},
    "PairCounts": {"weight": ("k",), "count": ("k r",)},
    "ValueCounts": {"weight": ("k",), "count": ("k r",)},
    "Rows": {"weight": ("k",), "rows": ("r d",), "count": ("k r",)},
    "TermCounts": {"weight": ("k",), "ends": ("k",), "count": ("r",), "documents": ("r",)},
    "SideBySide": {"weight": ("k",)},
    "Bernoulli": {"probability": ("k d",)},
    "Categorical": {"log_probability": ("k r",), "log_unseen": ("k d",)},
    "DiagonalGaussian": {"mean": ("k d",), "variance": ("k d", "1 d")},
    "Elliptical": {"mean": ("k d",), "columns": ("r",), "factor": ("k d r", "1 d r")},
    "ExponentialDistribution": {"rate": ("k d",)},
    "GammaDistribution": {"mean": ("k d",), "shape": ("k d",)},
    "Gaussian": {"mean": ("k d",), "variance": ("k d",)},
    "Histogram": {"log_probability": ("k r",)},
    "KernelDensity": {"points": ("r",), "share": ("r",), "bandwidth": ("k d",), "count": ("k d",)},
    "LogNormal": {},
    "Lomax": {"shape": ("k d",), "scale": ("k d",)},
    "MixtureDistribution": {"weights": ("k r",)},
    "Multinomial": {"probability": ("k d",), "mean_length": ("k",)},
    "MultivariateGaussian": {},
    "MultivariateStudent": {"freedom": ("k",)},
    "NegativeBinomial": {"mean": ("k d",), "dispersion": ("k d",)},
    "Poisson": {"rate": ("k d",)},
    "Polya": {"pseudo_count": ("k d",), "mean_length": ("k",)},
    "Product": {},
    "TextDistribution": {"mean_length": ("k",)},
    "StudentDistribution": {"mean": ("k d",), "scale": ("k d",), "freedom": ("k d",)},
}


def check_statistic(statistic: Any, k: int, d: int) -> None:
    """Refuse a statistic that is not of k groups and d features, or that no data can have.

    >>> from likely.statistics import Totals
    >>> check_statistic(Totals(np.ones(2), np.ones((2, 3)), np.ones((2, 1))), 2, 3)
    Traceback (most recent call last):
    ...
    likely.errors.InputError: Totals.sum has shape (2, 1), not (2, 3)
    """
    size = _check_shapes(statistic, {"k": k, "d": d})
    for field in fields(statistic):
        array = getattr(statistic, field.name)
        if not isinstance(array, np.ndarray):
            continue
        missing = np.isnan(array) if field.name == "rows" else False
        if not (np.isfinite(array) | missing).all():
            raise _wrong(statistic, field.name, "holds infinity or NaN")
        if field.metadata.get("role") == "tally" and array.min(initial=0) < 0:
            raise _wrong(statistic, field.name, "counts fewer than zero")
    match type(statistic).__name__:
        case "CategoryCounts" | "PairCounts":
            lengths = [len(names) for names in statistic.levels]
            flat = sum(lengths)
            pairs = (flat**2 - sum(n * n for n in lengths)) // 2
            _require(statistic, "levels", len(lengths) == d and size["r"] in (flat, pairs))
            _require(statistic, "count", size["r"] == (flat if type(statistic).__name__ == "CategoryCounts" else pairs))
            for names in statistic.levels:
                check_hashes(names)
            _require(statistic, "levels", all(union_of(names, ()) == tuple(names) for names in statistic.levels))
        case "ValueCounts":
            _require(statistic, "values", len(statistic.values) == d and all(map(_rising, statistic.values)))
            _require(statistic, "count", size["r"] == sum(map(len, statistic.values)))
            exponents = [e for e in statistic.exponent if e is not None]
            _require(statistic, "exponent", len(statistic.exponent) == d and all(-1074 <= e <= 1023 for e in exponents))
            _require(statistic, "max_values", statistic.max_values >= 4)
        case "TermCounts":
            known = int(statistic.places.max(initial=-1)) < len(statistic.words)
            _require(statistic, "words", _are_sorted_words(statistic.words) and known)
            _require(statistic, "places", _are_entries(statistic))


def _are_entries(counts: Any) -> bool:
    """Whether the entries are those of words, in order within each class."""
    places, ends = counts.places, counts.ends
    if places.dtype != np.int32 or places.shape != counts.count.shape or ends.dtype != np.int64:
        return False
    if (np.diff(ends, prepend=0) < 0).any() or (int(ends[-1]) if len(ends) else 0) != len(places):
        return False
    order = counts.owners * len(counts.words) + places
    return bool((places >= 0).all() and (np.diff(order) > 0).all())


def _are_sorted_words(words: Any) -> bool:
    letters, ends = words.letters, words.ends
    if letters.dtype != np.uint8 or ends.dtype != np.int64 or letters.ndim != 1 or ends.ndim != 1:
        return False
    if (np.diff(ends, prepend=0) < 0).any() or (int(ends[-1]) if len(ends) else 0) != len(letters):
        return False
    try:
        return bool(type(words).of(words.tolist()) == words)
    except UnicodeDecodeError:
        return False


def check_distribution(fitted: Any, k: int, d: int) -> None:
    """Refuse a distribution that is not of k members over d features."""
    size = _check_shapes(fitted, {"k": k, "d": d})
    match type(fitted).__name__:
        case "Categorical":
            _require(fitted, "levels", len(fitted.levels) == d and sum(map(len, fitted.levels)) == size["r"])
        case "Elliptical":
            _require(
                fitted,
                "columns",
                _rising(fitted.columns) and bool(((fitted.columns >= 0) & (fitted.columns < d)).all()),
            )
        case "Histogram":
            bins = [max(len(edges) - 1, 0) for edges in fitted.edges]
            _require(fitted, "edges", len(bins) == d and sum(bins) == size["r"])
            _require(fitted, "edges", all(len(edges) != 1 and _rising(edges) for edges in fitted.edges))
        case "KernelDensity":
            offset = fitted.offset
            _require(fitted, "offset", offset.shape == (k * d + 1,) and offset[0] == 0 and offset[-1] == size["r"])
            _require(fitted, "offset", bool((np.diff(offset) >= 0).all()))
        case "TextDistribution":
            _require(fitted, "words", _are_sorted_words(fitted.words))
            size_of_words = len(fitted.words)
            _require(fitted, "kept", fitted.kept.dtype == np.bool_ and fitted.kept.shape == (size_of_words,))
            weights = fitted.weights
            tables = [weights.present] if weights.absent is None else [weights.present, weights.absent]
            _require(
                fitted, "weights", all(t.dtype == np.float64 and t.shape == (size_of_words + 1, k) for t in tables)
            )
            _require(fitted, "family", (weights.absent is None) == (fitted.family.model != "bernoulli"))
        case "LogNormal":
            check_distribution(fitted.of_log, k, d)
        case "MixtureDistribution":
            check_distribution(fitted.components, k * size["r"], d)
        case "MultivariateGaussian" | "MultivariateStudent":
            check_distribution(fitted.shape, k, d)


def _check_shapes(value: Any, size: dict[str, int]) -> dict[str, int]:
    """The sizes of all symbols; the first array of a field with a new symbol tells its size."""
    known = {"1": 1, **size}
    name = type(value).__name__
    if name not in _SHAPES:
        raise InputError(f"{name} stands where a statistic or a distribution should")
    for field, allowed in _SHAPES[name].items():
        array = getattr(value, field)
        if array.dtype not in (np.float64, np.float32, np.int64):
            raise _wrong(value, field, f"has type {array.dtype}")
        for symbol, side in zip(allowed[0].split(), array.shape, strict=False):
            known.setdefault(symbol, side)
        shapes = [tuple(known.get(symbol, -1) for symbol in shape.split()) for shape in allowed]
        if array.shape not in shapes:
            raise _wrong(value, field, f"has shape {array.shape}, not {' or '.join(map(str, shapes))}")
    return known


def _rising(values: Array) -> bool:
    """One dimension of finite numbers, each larger than the one before."""
    if values.ndim != 1 or values.dtype not in (np.float64, np.int64):
        return False
    return bool(np.isfinite(values).all() and (values[1:] > values[:-1]).all())


def _require(value: Any, field: str, holds: bool) -> None:
    if not holds:
        raise _wrong(value, field, "does not fit the rest")


def _wrong(value: Any, field: str, why: str) -> InputError:
    return InputError(f"{type(value).__name__}.{field} {why}")
