"""Clusters and components beside scikit-learn, faiss and fastcluster.

Rows come from known groups, so that quality is how often a row's cluster (or its nearest group on the components) is
its group: every start takes one row of each group, so cluster c is meant to be group c.
"""

import warnings
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.cluster import KMeans as PeerKMeans
from sklearn.decomposition import PCA as PeerPCA

import likely
from bench.peers import SuitedThreads
from bench.quality import Quality
from bench.registry import Case, Step, workload

CLUSTERS, COMPONENTS = "Clusters", "Principal components"


def _installed(name: str) -> Path:
    """Where a package is, or would be if it were installed."""
    found = find_spec(name)
    return Path(found.origin) if found is not None and found.origin else Path(f"/no/{name}")


@workload(
    "kmeans",
    CLUSTERS,
    "1,000,000 x 20, 50 clusters from the same start: KMeans(50, init=start)",
    'scikit-learn\'s KMeans(algorithm="lloyd", tol=0)',
    tolerance=1e-6,
    remark="First 20 passes on either side, then until no row moves; with equal labels.",
)
def kmeans(quick: bool) -> Case:
    x, y, start = _groups(4_000 if quick else 1_000_000, 20, 5 if quick else 50, 0.75)
    sides: dict[str, Any] = {}

    def ours(passes: int) -> Any:
        sides["likely"] = likely.KMeans(len(start), init=start, max_iter=passes).fit(x)

    def theirs(passes: int) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that it did not converge, where it was not to
            sides["peer"] = PeerKMeans(len(start), init=start, n_init=1, max_iter=passes, tol=0).fit(x)

    def quality() -> Quality:
        return _by_distance(y, *(sides[side].transform(x) for side in ("likely", "peer")))

    steps = (
        Step("fit", lambda: ours(20), lambda: theirs(20), 1.0),
        Step("fit until no row moves", lambda: ours(3000), lambda: theirs(3000), 2.0),
    )
    return Case(steps, x.sum, quality)


@workload(
    "kmeans-faiss",
    CLUSTERS,
    "1,000,000 x 20 in single precision, 50 clusters, 20 passes: KMeans(50, init=start)",
    "faiss.Kmeans(niter=20), all rows",
    remark="faiss knows single precision only. It splits clusters that run empty in its own way.",
    needs=_installed("faiss"),
)
def kmeans_faiss(quick: bool) -> Case:
    import faiss

    x, y, start = _groups(4_000 if quick else 1_000_000, 20, 5 if quick else 50, 0.75)
    x = x.astype(np.float32)
    sides: dict[str, Any] = {}

    def ours() -> Any:
        sides["likely"] = likely.KMeans(len(start), init=start, max_iter=20).fit(x).cluster_centers_

    def theirs() -> Any:
        model = faiss.Kmeans(20, len(start), niter=20, max_points_per_centroid=len(x), min_points_per_centroid=1)
        model.train(x, init_centroids=start.astype(np.float32))
        sides["peer"] = model.centroids

    def quality() -> Quality:
        away = [_distances(x, np.asarray(sides[side], dtype=float)) for side in ("likely", "peer")]
        return _by_distance(y, away[0], away[1] * (1 + 1e-9))

    return Case((Step("fit", ours, theirs, 1.5),), x.sum, quality)


def _hierarchy(linkage: str, quick: bool, vector: bool) -> Case:
    import fastcluster
    from scipy.cluster.hierarchy import fcluster

    x, y, _ = _groups(1_000 if quick else 10_000, 10, 4, 1.1)
    sides: dict[str, Any] = {}

    def ours() -> Any:
        sides["likely"] = likely.Hierarchy(linkage, n_clusters=40).fit(x).labels_

    def theirs() -> Any:
        make = fastcluster.linkage_vector if vector else fastcluster.linkage
        sides["peer"] = fcluster(make(x, linkage), 40, "maxclust")

    def quality() -> Quality:
        return _by_distance(y, *(1.0 - _voted(sides[side], y) for side in ("likely", "peer")))

    return Case((Step("fit", ours, theirs, 1.0),), x.sum, quality)


@workload(
    "ward",
    CLUSTERS,
    '10,000 x 10, Ward linkage: Hierarchy("ward")',
    'fastcluster.linkage_vector(x, "ward")',
    tolerance=1e-9,
    remark="Neither side holds the distances of all pairs. Quality: the commonest group of each of 40 clusters.",
    needs=_installed("fastcluster"),
)
def ward(quick: bool) -> Case:
    return _hierarchy("ward", quick, vector=True)


@workload(
    "complete-linkage",
    CLUSTERS,
    '10,000 x 10, complete linkage: Hierarchy("complete")',
    'fastcluster.linkage(x, "complete")',
    tolerance=1e-9,
    remark="The peer holds the distances of all pairs, ours those that a first round leaves. Quality as of ward.",
    needs=_installed("fastcluster"),
)
def complete_linkage(quick: bool) -> Case:
    return _hierarchy("complete", quick, vector=False)


@workload(
    "pca",
    COMPONENTS,
    "500,000 x 50, 10 components: PCA(10)",
    'scikit-learn\'s PCA(10, svd_solver="covariance_eigh")',
    tolerance=1e-6,
    remark="Quality is the nearest group on the ten components.",
)
def pca(quick: bool) -> Case:
    x, y, _ = _groups(4_000 if quick else 500_000, 50, 8, 0.7)
    x = x @ np.random.default_rng(3).normal(size=(50, 50)) / 7
    ours, theirs = likely.PCA(10), PeerPCA(10, svd_solver="covariance_eigh")

    def quality() -> Quality:
        scores = [model.transform(x) for model in (ours, theirs)]
        means = [np.stack([each[y == c].mean(axis=0) for c in range(8)]) for each in scores]
        return _by_distance(y, *(_distances(each, mean) for each, mean in zip(scores, means, strict=True)))

    steps = (
        Step("fit", lambda: ours.fit(x), SuitedThreads(lambda: theirs.fit(x)), 1.0),
        Step("transform", lambda: ours.transform(x), SuitedThreads(lambda: theirs.transform(x))),
    )
    return Case(steps, x.sum, quality)


def _groups(rows: int, columns: int, groups: int, apart: float) -> tuple[Any, Any, Any]:
    """Rows about the centres of groups, the group of each, and a first row of each group."""
    rng = np.random.default_rng(groups + columns)
    y = np.arange(rows) % groups
    x = rng.normal(size=(rows, columns)) + apart * rng.normal(size=(groups, columns))[y]
    return x, y, x[:groups].copy()


def _distances(x: Any, centres: Any) -> Any:
    return np.sqrt(np.maximum((x**2).sum(1)[:, None] - 2 * x @ centres.T + (centres**2).sum(1), 0.0))


def _by_distance(y: Any, ours: Any, theirs: Any) -> Quality:
    """Posteriors of round groups of one variance, from the distances to their centres (n, k)."""
    posteriors = []
    for away in (ours, theirs):
        log_density = -np.square(away) / 2
        weight = np.exp(log_density - log_density.max(axis=1, keepdims=True))
        posteriors.append(weight / weight.sum(axis=1, keepdims=True))
    return Quality.of(y, *posteriors, np.arange(ours.shape[1]), "the rows learned from")


def _voted(labels: Any, y: Any) -> Any:
    """Which group (n, k) is the commonest in a row's cluster, as 0 and 1."""
    table = np.zeros((labels.max() + 1, y.max() + 1))
    np.add.at(table, (labels, y), 1)
    return np.eye(y.max() + 1)[table.argmax(axis=1)][labels]
