"""How many clusters: what the error, BIC, silhouettes and resamples say of every number, and whether there are any.

    error        mean squared distance to the own centre: it always falls, a bend is a hint
    BIC          of round normal clusters with one variance, rows given to the nearest (Pelleg and Moore, 2000): least
    silhouette   how well rows sit in their clusters on average: greatest
    stability    how alike two clusterings are that were learned on different halves of the rows (adjusted Rand): near 1

Whether the table shows clusters at all is tested against tables without any: one normal cloud of the same mean and
covariance, with the levels of nominal, ordinal and binary columns dealt to its rows at random (one class of a latent
class model). If such tables often reach a silhouette as large, the clusters found are as good as none.
"""

import warnings
from dataclasses import dataclass, field
from numbers import Integral
from typing import Any

import numpy as np

from likely import engines
from likely.data.accepted import TableLike
from likely.data.columns.kinds import Kinds
from likely.data.printing.html_table import text_as_html
from likely.errors import InputError
from likely.intervals.estimate import Estimate
from likely.models.clustering.kmeans import KMeans
from likely.models.clustering.silhouettes import adjusted_rand, design_and_matrix, silhouettes_of
from likely.models.traits.evidence import in_kind
from likely.numeric.arrays import Floats, Ints, in_brief
from likely.numeric.random_state import Seed, as_generator

_TESTED = 600  # rows at most, by which tables without clusters are compared
_HALVED = 10_000  # rows at most that are cut in halves for the stability
_SURE = 0.05


@dataclass(frozen=True)
class ClusterNumbers:
    """What is known of every number of clusters."""

    numbers: Ints  # (m,)  from 1 up
    error: Floats  # (m,)  mean squared distance to the own centre
    bic: Floats  # (m,)
    silhouette: tuple[Estimate | None, ...]  # None of one cluster
    stability: Floats  # (m,)  mean over draws of halves; NaN where halves have too few rows
    p_value: float  # how often a silhouette of a table without clusters stands out as far
    like: Any = field(default=None, repr=False, compare=False)  # the user's table without columns (`bare_table`)

    __repr__ = in_brief

    @property
    def clustered(self) -> bool:
        """Whether the table shows clusters more than one cloud would."""
        return self.p_value <= _SURE

    @property
    def best(self) -> int:
        """The number with the greatest silhouette; 1 where the table shows no clusters."""
        return self.by_criterion()["silhouette"] if self.clustered else 1

    def by_criterion(self) -> dict[str, int]:
        """The number that each criterion would choose."""
        shapes = [-np.inf if each is None else each.value for each in self.silhouette]
        steady = np.nan_to_num(self.stability, nan=-np.inf)
        places = {
            "bic": int(self.bic.argmin()),
            "silhouette": int(np.argmax(shapes)),
            "stability": int(np.argmax(steady)),
        }
        return {name: int(self.numbers[place]) for name, place in places.items()}

    def frame(self) -> Any:
        """A number of clusters a row: a Polars frame, or a table of the library that the rows came in."""
        import polars as pl

        from likely.data.frames import figures_like

        columns: dict[str, Any] = {"clusters": self.numbers, "error": self.error, "bic": self.bic}
        for part in ("value", "low", "high"):
            cells = [None if each is None else getattr(each, part) for each in self.silhouette]
            columns["silhouette" if part == "value" else f"silhouette_{part}"] = cells
        columns["stability"] = pl.Series(self.stability).fill_nan(None)
        return figures_like(pl.DataFrame(columns), self.like)

    def __str__(self) -> str:
        lines = ["clusters        error          BIC  silhouette             stability"]
        for i, number in enumerate(self.numbers.tolist()):
            shape = "" if self.silhouette[i] is None else f"{self.silhouette[i]:.3f}"
            steady = f"{self.stability[i]:.3f}" if np.isfinite(self.stability[i]) else ""
            lines.append(f"{number:>8} {self.error[i]:>12.5g} {self.bic[i]:>12.6g}  {shape:<22} {steady}".rstrip())
        chosen = ", ".join(f"{name} {number}" for name, number in self.by_criterion().items())
        lines.append(f"chosen by {chosen}")
        verdict = "more than one cloud would show" if self.clustered else "no clusters: one cloud would show as much"
        lines.append(f"{verdict} (p = {self.p_value:.3g})")
        return "\n".join(lines)

    _repr_html_ = text_as_html


def choose_clusters(
    X: TableLike,
    max_clusters: int = 10,
    *,
    standardize: bool = False,
    kinds: Kinds = None,
    n_init: int = 10,
    resamples: int = 20,
    null: int = 39,
    confidence: float = 0.95,
    random_state: Seed = 0,
) -> ClusterNumbers:
    """K-means of every number of clusters up to a greatest, and what speaks for each; a warning where nothing does.

    `resamples` pairs of halves are drawn for the stability, `null` tables without clusters for the test: the fewer, the
    coarser is the p-value, which is at least 1 / (null + 1).

    Parameters
    ----------
    max_clusters : the greatest number of clusters that is tried; at most that of the different rows

    >>> rng = np.random.default_rng(0)
    >>> rows = np.concatenate([rng.normal(size=(40, 2)) + at for at in ([0, 0], [8, 0], [0, 8])])
    >>> found = choose_clusters(rows, 5, resamples=5, null=19)
    >>> found.best, found.by_criterion()
    (3, {'bic': 3, 'silhouette': 3, 'stability': 3})
    """
    _check_number("max_clusters", max_clusters, 2)
    _check_number("n_init", n_init, 1)
    _check_number("resamples", resamples, 2)
    _check_number("null", null, 19)
    design, x = design_and_matrix(X, standardize, kinds)
    if len(x) < 3:
        raise InputError(f"two clusters at least are to be compared, of three rows at least; got {len(x)} rows")
    most = min(int(max_clusters), len(x) - 1, _different(x))
    rng = as_generator(random_state)
    numbers = np.arange(1, most + 1)
    seeds = rng.integers(2**31, size=most)
    with warnings.catch_warnings():  # of clusters without rows, where there are fewer different ones
        warnings.simplefilter("ignore")
        fits = [KMeans(int(k), n_init=n_init, random_state=int(s)).fit(x) for k, s in zip(numbers, seeds, strict=True)]
        shapes = [_shape(x, fit, confidence) for fit in fits]
        steady = np.array([np.nan, *(_stability(x, int(k), resamples, rng) for k in numbers[1:])])
        p_value = _chance(x, design.source, most, null, rng)
    errors = np.array([fit.error_ for fit in fits])
    found = ClusterNumbers(numbers, errors, np.array([_bic(fit, x) for fit in fits]), tuple(shapes), steady, p_value)
    if not found.clustered:
        warnings.warn(
            f"the table shows no clusters: of tables of one cloud, {100 * p_value:.0f} % have silhouettes that stand "
            "out as far. What K-means finds in it parts a cloud in pieces",
            stacklevel=2,
        )
    return in_kind(found, X)


def _check_number(name: str, given: object, least: int) -> None:
    if isinstance(given, bool) or not isinstance(given, Integral) or int(given) < least:
        raise InputError(f"{name} must be a whole number from {least} up, got {given!r}: fewer tell nothing")


def _shape(x: Floats, fit: KMeans, confidence: float) -> Estimate | None:
    if len(np.unique(fit.labels_)) < 2:
        return None
    return silhouettes_of(x, fit.labels_, confidence).mean


def _bic(fit: KMeans, x: Floats) -> float:
    """-2 log likelihood + parameters log n of round clusters of one variance, of the cells that are there; infinite
    where none is left over.
    """
    n, cells = len(x), int((~np.isnan(x)).sum())
    k, means = int((fit.cluster_weight_ > 0).sum()), int((fit.cell_weight_ > 0).sum())
    left = cells - means
    if left <= 0:
        return float("inf")
    variance = max(fit.inertia_ / left, np.finfo(np.float64).tiny)
    share = fit.cluster_weight_[fit.cluster_weight_ > 0]
    log_likelihood = float(share @ np.log(share / n)) - cells / 2 * np.log(2 * np.pi * variance) - left / 2
    return float(-2 * log_likelihood + (k - 1 + means + 1) * np.log(n))


def _stability(x: Floats, k: int, resamples: int, rng: np.random.Generator) -> float:
    """How alike clusterings of all rows (or of many drawn) are by models of two halves, on average over draws.

    Without an interval: draws of one table vary less than tables do.
    """
    half = min(len(x), _HALVED) // 2
    if half < k:
        return float("nan")
    seeds = [int(seed) for seed in rng.integers(2**31, size=resamples)]

    def once(seed: int) -> float:
        order = np.random.default_rng(seed).permutation(len(x))[:_HALVED]
        parts = order[:half], order[half : 2 * half]
        said = [KMeans(k, n_init=3, random_state=seed).fit(x[part]).predict(x[order]) for part in parts]
        return adjusted_rand(*said)

    return float(np.mean(engines.current().map(seeds, once)))


def _chance(x: Floats, source: Ints, most: int, null: int, rng: np.random.Generator) -> float:
    """The share of tables of one cloud, this one among them, of which a silhouette stands out as far as this one's.

    `source` (m,) is the column of the table behind each of x; those of levels are dealt anew, one by one.
    """
    levels = _levels(x, source)
    seen = ~np.isnan(x)
    middle = np.where(seen, x, 0.0).sum(axis=0) / np.maximum(seen.sum(axis=0), 1)  # 0 of a column without a cell
    x = np.where(seen, x, middle)
    if len(x) > _TESTED:
        x = x[np.sort(rng.choice(len(x), _TESTED, replace=False))]
    if not np.ptp(x, axis=0).any():
        return 1.0
    mean, covariance = x.mean(axis=0), np.atleast_2d(np.cov(x, rowvar=False))
    values, vectors = np.linalg.eigh(covariance)
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    seeds = [int(seed) for seed in rng.integers(2**31, size=null + 1)]

    def cloud(draw: np.random.Generator) -> Floats:
        table: Floats = mean + draw.normal(size=x.shape) @ root.T
        for columns in levels:
            table[:, columns] = x[np.ix_(draw.permutation(len(x)), columns)]
        return table

    numbers = range(2, min(most, _different(x)) + 1)

    def shapes(seed: int) -> list[float]:
        draw = np.random.default_rng(seed)
        table = x if seed == seeds[0] else cloud(draw)
        fits = (KMeans(k, n_init=1, random_state=seed).fit(table).labels_ for k in numbers)
        return [float(silhouettes_of(table, own).values.mean()) if np.ptp(own) else 0.0 for own in fits]

    far = _standing_out(np.array(engines.current().map(seeds, shapes)))
    return float((far >= far[0] - 1e-9).mean())


def _standing_out(found: Floats) -> Floats:
    """By how many deviations the silhouettes of each table (t, numbers) are above those of all, at most (t,).

    Each number is compared with itself: levels that are dealt at random may all be told apart by as many clusters as
    there are combinations of them, and two clusters that are two exact points be rare all the same.
    """
    deviation = found.std(axis=0)
    real = deviation > 1e-9
    return np.asarray(((found - found.mean(axis=0)) / np.where(real, deviation, np.inf)).max(axis=1, initial=-np.inf))


def _different(x: Floats) -> int:
    """How many different rows there are; a gap is a value of its own."""
    return len(np.unique(np.where(np.isnan(x), np.inf, x), axis=0))


def _levels(x: Floats, source: Ints) -> list[Ints]:
    """The columns of x of each column of the table that has levels: none of them has more than two values."""
    few = np.array([len(np.unique(column[~np.isnan(column)])) <= 2 for column in x.T])
    places = [np.flatnonzero(source == each) for each in np.unique(source)]
    return [columns for columns in places if few[columns].all()]
