"""Worked examples of clustering."""

from typing import Any

import numpy as np

from likely import Hierarchy, KMeans
from likely.examples.catalogue import Example
from likely.examples.worked import Axes, Worked, worked
from likely.figures import ClustersDisplay, DendrogramDisplay, panels


@worked("EX-CLU-01")
def two_minima(ex: Example) -> Worked:
    """To which two errors does K-means lead on the same four points?"""
    points = ex.inputs["points"]
    a, b = (KMeans(2, init=ex.inputs[f"init_{name}"]).fit(points) for name in "ab")
    values: dict[str, Any] = {}
    for name, model in (("a", a), ("b", b)):
        values |= {
            f"centres_{name}": model.cluster_centers_,
            f"labels_{name}": model.labels_,
            f"E_{name}": model.error_,
        }
    values["squared_distances_b"] = np.sort(np.square(b.transform(points)).min(axis=1))

    def figure(ax: Axes) -> None:
        for panel, model in zip(panels(ax, 2), (a, b), strict=True):
            ClustersDisplay.from_estimator(model, points, ax=panel)
            panel.set_title(f"E = {model.error_:.3g}", fontsize=10)

    return Worked(values, figure, (8.0, 3.6))


@worked("EX-CLU-02")
def one_point_moves(ex: Example) -> Worked:
    """How do the labels, centres and error of fourteen points change from pass to pass?"""
    points, init = np.array(ex.inputs["points"], dtype=float), ex.inputs["init"]
    model = KMeans(ex.inputs["k"], init=init).fit(points)
    before, after = _labels_at(points, model.history_.centres[0]), _labels_at(points, model.history_.centres[1])
    values = {
        "first_labels": before,
        "second_labels": after,
        "moved_after_first_update": points[before != after],
        "final_centres": model.cluster_centers_,
        "passes_until_no_change": model.n_iter_,
        "E_final": model.error_,
        "E_trace": model.history_.error,
    }
    return Worked(values, lambda ax: ClustersDisplay.from_estimator(model, points, stages=True, ax=ax), (10.2, 3.8))


def _labels_at(points: Any, centres: Any) -> Any:
    """The nearest centre of each point: what a code book of these centres says."""
    book = KMeans(len(centres), init=centres).partial_fit(centres)
    return book.predict(points)


@worked("EX-CLU-03")
def online(ex: Example) -> Worked:
    """Where do the centres go when points arrive one by one?"""
    init = ex.inputs["init"]
    model, trace = KMeans(len(init), init=init), []
    for point in ex.inputs["stream"]:
        model.partial_fit([point])
        (label,) = model.labels_.tolist()
        trace.append([label, *model.cluster_centers_[label].tolist()])
    return Worked({"trace": trace, "centres": model.cluster_centers_})


@worked("EX-CLU-04")
def joins(ex: Example) -> Worked:
    """At which distances are six numbers joined, by four linkages?"""
    points = np.array(ex.inputs["points"], dtype=float)[:, None]
    models = {name: Hierarchy(name).fit(points) for name in ("single", "complete", "average", "centroid")}
    values = {
        "merge_heights": {name: model.joins_[:, 2].tolist() for name, model in models.items()},
        "two_clusters_single": models["single"].cut(2) + 1,
        "n_merges": len(models["single"].joins_),
    }
    names = [f"{point:g}" for point in points[:, 0]]
    return Worked(values, lambda ax: DendrogramDisplay.from_estimator(models["single"], names=names, ax=ax))


@worked("EX-CLU-05")
def splits(ex: Example) -> Worked:
    """How are six numbers split in two, again and again?"""
    points = np.array(ex.inputs["points"], dtype=float)
    model = Hierarchy(direction="divisive").fit(points[:, None])
    made, before = [], model.cut(1)
    for number in range(2, len(points) + 1):
        after = model.cut(number)
        parts = [points[after == c].tolist() for c in range(number)]
        old = [points[before == c].tolist() for c in range(number - 1)]
        made.append([part for part in parts if part not in old])
        before = after
    values = {"splits": made, "n_splits": len(made), "leaves": int(before.max()) + 1}
    names = [f"{point:g}" for point in points]
    return Worked(values, lambda ax: DendrogramDisplay.from_estimator(model, names=names, ax=ax))


@worked("EX-CLU-06")
def code_book(ex: Example) -> Worked:
    """What is saved and lost if each point is stored as the number of its centre?"""
    points, init = ex.inputs["points"], ex.inputs["init"]
    model = KMeans(len(init), init=init).fit(points)
    told = model.compression(points)
    values = {
        "codebook": model.cluster_centers_,
        "codes": model.encode(points),
        "reconstruction_error": told.error,
        "numbers_stored_raw": told.numbers_raw,
        "numbers_stored_coded": told.numbers_coded,
    }
    return Worked(values)


@worked("EX-CLU-07")
def four_starts(ex: Example) -> Worked:
    """Where does K-means begin, by four ways to start?"""
    points, k = np.array(ex.inputs["points"], dtype=float), ex.inputs["k"]
    begun = {
        name: KMeans(k, init=name, n_init=1, random_state=ex.inputs["seed"]).fit(points).history_.centres[0]
        for name in ("random_points", "random_partition", "extremes", "perturbed_mean")
    }
    drawn = {tuple(row) for row in points.tolist()}
    chosen = [tuple(row) for row in begun["random_points"].round(9).tolist()]
    mean = points.mean(axis=0)
    values = {
        "grand_mean": mean,
        "random_points_are_data": len(set(chosen)) == k and set(chosen) <= drawn,
        "partition_means_average_is_near_grand_mean": bool(
            np.linalg.norm(begun["random_partition"].mean(axis=0) - mean) < points.std()
        ),
        "lowest_first_coordinate": begun["extremes"][0],
        "highest_first_coordinate": begun["extremes"][1],
    }
    return Worked(values)
