"""Worked examples of distances, of the middle of many points, and of the nearest exemplar."""

from typing import Any

import numpy as np

from likely import NearestExemplar
from likely.data import (
    centroid,
    chebyshev,
    check_metric,
    distance,
    distance_similarity,
    edit_distance,
    euclidean,
    geometric_median,
    hamming,
    medoids,
    minkowski,
    norm,
    total_distance,
    zero_norm,
)
from likely.examples.catalogue import Example
from likely.examples.worked import Axes, Worked, worked
from likely.figures import DecisionRegionsDisplay, MetricCirclesDisplay, MiddlesDisplay, panels


@worked("EX-DIS-01")
def flipped_bits(ex: Example) -> Worked:
    """How many bits must be flipped to turn one string into the other?"""
    return Worked({"distance": hamming(ex.inputs["u"], ex.inputs["v"])})


@worked("EX-DIS-02")
def orders(ex: Example) -> Worked:
    """How far are two points apart by Minkowski distances of several orders?"""
    u, v = ex.inputs["u"], ex.inputs["v"]
    found = [minkowski(u, v, float(p)) for p in ex.inputs["orders"]]
    assert found[-1] == chebyshev(u, v)
    return Worked({"distance": found})


@worked("EX-DIS-03")
def unit_circles(ex: Example) -> Worked:
    """Where do the unit circles of Minkowski distances cross the axes and the diagonal?"""
    orders = [float(p) for p in ex.inputs["orders"]]
    origin = [0.0, 0.0]
    values = {
        "axis_point": [1 / minkowski(origin, [1, 0], p) for p in orders],
        "diagonal_coordinate": [1 / minkowski(origin, [1, 1], p) for p in orders],
    }
    return Worked(values, lambda ax: MetricCirclesDisplay.from_orders(orders, ax=ax), (5.2, 4.6))


@worked("EX-DIS-04")
def differing_positions(ex: Example) -> Worked:
    """In how many positions do two vectors differ?"""
    return Worked({"distance": zero_norm(ex.inputs["x"], ex.inputs["y"])})


@worked("EX-DIS-05")
def edits(ex: Example) -> Worked:
    """How many edits make one text of another?"""
    pairs = ex.inputs["pairs"]
    values = {
        "distance": [edit_distance(a, b) for a, b in pairs],
        "hamming_of_last_two": [hamming(a, b) for a, b in pairs[-2:]],
    }
    return Worked(values)


@worked("EX-DIS-06")
def short_cuts(ex: Example) -> Worked:
    """For which orders is no way through a third point shorter than the straight one?"""
    points = {name: ex.inputs[name] for name in "OABC"}
    orders = [float(p) for p in ex.inputs["orders"]]

    def between(a: str, b: str) -> list[float]:
        return [minkowski(points[a], points[b], p) for p in orders]

    values = {
        "AB": between("A", "B"),
        "AC": between("A", "C"),
        "OB": between("O", "B"),
        "OC": between("O", "C"),
        "OA_plus_AC": (np.array(between("O", "A")) + between("A", "C")).tolist(),
        "triangle_holds": [check_metric(list(points.values()), "minkowski", p=p).triangle for p in orders],
    }

    def figure(ax: Axes) -> None:
        shown = {name: points[name] for name in "ABC"}
        MetricCirclesDisplay.from_points(shown, points["O"], orders=orders, ax=ax)

    return Worked(values, figure, (5.6, 4.6))


@worked("EX-DIS-07")
def in_units_of_spread(ex: Example) -> Worked:
    """How far are two points apart in units of a covariance?"""
    x, y = ex.inputs["x"], ex.inputs["y"]
    values = {
        "distance": distance(x, y, "mahalanobis", covariance=ex.inputs["cov"]),
        "with_identity": distance(x, y, "mahalanobis", covariance=ex.inputs["identity"]),
        "euclidean": euclidean(x, y),
    }
    return Worked(values)


@worked("EX-DIS-08")
def middles(ex: Example) -> Worked:
    """What lies in the middle of ten points, one of them far away?"""
    points = ex.inputs["points"]
    mean, median = centroid(points, "squared_euclidean"), geometric_median(points)
    values = {
        "mean": mean,
        "geometric_median": median,
        "coordinate_median": centroid(points, "manhattan"),
        "total_distance_at_mean": total_distance(mean, points),
        "total_distance_at_median": total_distance(median, points),
        "medoid_euclidean": medoids(points).points,
        "medoid_squared": medoids(points, "squared_euclidean").points,
        "medoid_manhattan": medoids(points, "manhattan").points,
    }
    return Worked(values, lambda ax: MiddlesDisplay.from_points(points, ax=ax), (6.4, 4.2))


@worked("EX-DIS-09")
def middle_number(ex: Example) -> Worked:
    """Which number has the least sum of distances from given ones?"""
    column = np.array(ex.inputs["values"], dtype=float)[:, None]
    median = geometric_median(column)
    values = {
        "median": median[0],
        "mean": centroid(column, "squared_euclidean")[0],
        "total_distance": total_distance(median, column),
    }
    return Worked(values)


@worked("EX-DIS-10")
def several_medoids(ex: Example) -> Worked:
    """Which corners of a square are in its middle?"""
    found = medoids(ex.inputs["points"])
    return Worked({"medoid_indices": found.indices, "totals": found.totals})


@worked("EX-DIS-11")
def nearest_mean(ex: Example) -> Worked:
    """On which side of the line halfway between two means does a point lie, and does another metric agree?"""
    means, names = [ex.inputs["mu_pos"], ex.inputs["mu_neg"]], ["+", "-"]
    queries = np.array(ex.inputs["queries"], dtype=float)
    euclid = NearestExemplar(kinds="numeric").fit(means, names)
    blocks = NearestExemplar(metric="manhattan", kinds="numeric").fit(means, names)
    line = euclid.boundary("+", "-")

    def said(side: Any) -> list[str]:
        return ["tie" if abs(s) < 1e-9 else "+" if s > 0 else "-" for s in side]

    def nearer(model: NearestExemplar) -> Any:
        far = model.exemplar_distances(queries)
        return far[:, 1] - far[:, 0]

    values = {
        "w": line.normal,
        "t": line.offset,
        "by_line": said(queries @ line.normal - line.offset),
        "by_euclid": said(nearer(euclid)),
        "by_manhattan": said(nearer(blocks)),
    }

    def figure(ax: Axes) -> None:
        for panel, model, name in zip(panels(ax, 2), (euclid, blocks), ("Euclid", "Manhattan"), strict=True):
            limits = ((-2.0, 6.0), (-4.0, 6.0))
            DecisionRegionsDisplay.from_estimator(model, np.array(means, dtype=float), names, limits=limits, ax=panel)
            panel.set_title(name, fontsize=10)

    return Worked(values, figure, (9.0, 4.0))


@worked("EX-DIS-12")
def least_squares(ex: Example) -> Worked:
    """By how much does the sum of squared distances grow away from the mean?"""
    points, other = ex.inputs["points"], ex.inputs["other"]
    mean = centroid(points, "squared_euclidean")
    at_mean, at_other = (total_distance(at, points, "squared_euclidean") for at in (mean, other))
    shift = len(points) * float(norm(np.array(other) - mean)) ** 2
    values = {
        "mean": mean,
        "sse_at_mean": at_mean,
        "sse_at_other": at_other,
        "sse_gap_is_n_times_squared_shift": shift,
    }
    return Worked(values)


@worked("EX-DIS-13")
def alike(ex: Example) -> Worked:
    """How alike are things at given distances?"""
    return Worked({"similarity": distance_similarity([float(d) for d in ex.inputs["distances"]])})
