"""Worked examples of nearest neighbours and of instance-based learners."""

from typing import Any

import numpy as np
import polars as pl

from likely import InstanceLearner, NearestNeighbors, NearestNeighborsRegressor
from likely.data import TableDistance
from likely.examples.catalogue import Example
from likely.examples.worked import Axes, Worked, worked
from likely.figures import VoronoiDisplay
from likely.models import (
    acceptance,
    attribute_weights,
    bayes_error_below,
    bisector,
    nearest_neighbor_limit,
)


@worked("EX-KNN-01")
def fruit(ex: Example) -> Worked:
    """What do the 1, 2, 3, 5 and 9 nearest fruits say of three others?"""
    x, y, queries = ex.inputs["x"], ex.inputs["y"], ex.inputs["queries"]
    votes: dict[str, list[str]] = {f"{a:g},{b:g}": [] for a, b in queries}
    for k in ex.inputs["ks"]:
        model = NearestNeighbors(k).fit(x, y)
        shares, said = model.predict_proba(queries), model.predict(queries)
        for name, share, answer in zip(votes, shares, said, strict=True):
            votes[name].append("tie" if (share == share.max()).sum() > 1 else str(answer))

    def figure(ax: Axes) -> None:
        VoronoiDisplay.from_points(x, y, queries=queries, n_neighbors=3, names=("width", "height"), ax=ax)

    return Worked({"votes": votes}, figure, (6.2, 4.4))


@worked("EX-KNN-02")
def signed_votes(ex: Example) -> Worked:
    """Does the vote of three neighbours change when near ones weigh more?"""
    x, y = np.array(ex.inputs["x"])[:, None], np.array(ex.inputs["y"])
    query, k, sigma = [[ex.inputs["query"]]], ex.inputs["k"], ex.inputs["sigma"]
    plain = NearestNeighbors(k).fit(x, y)
    gauss = NearestNeighbors(k, weights="gaussian", bandwidth=sigma).fit(x, y)
    inverse = NearestNeighbors(k, weights="distance").fit(x, y)
    far, rows = (part[0] for part in plain.kneighbors(query))
    weights = np.exp(-(far**2) / (2 * sigma**2))
    values = {
        "neighbours": rows,
        "plain_sum": float(y[rows].sum()),
        "plain": int(plain.predict(query)[0]),
        "gauss_weights": weights,
        "gauss_sum": float(weights @ y[rows]),
        "gauss": int(gauss.predict(query)[0]),
        "inverse_sum": float((1 / far) @ y[rows]),
        "inverse": int(inverse.predict(query)[0]),
    }
    return Worked(values)


@worked("EX-KNN-03")
def inverse_squares(ex: Example) -> Worked:
    """What do neighbours say whose weights fall with the square of the distance?"""
    x, k, query = np.array(ex.inputs["x"], dtype=float)[:, None], ex.inputs["k"], [[float(ex.inputs["query"])]]
    label, target = ex.inputs["label"], ex.inputs["target"]
    plain = NearestNeighbors(k).fit(x, label)
    weighted = NearestNeighbors(k, weights="inverse_square").fit(x, label)
    far, rows = (part[0] for part in weighted.kneighbors(query))
    weights = 1 / far**2
    names = np.array(label)[rows]
    amounts = {
        "mean_regression": NearestNeighborsRegressor(k),
        "weighted_regression": NearestNeighborsRegressor(k, weights="inverse_square"),
        "shepard": NearestNeighborsRegressor(None, weights="inverse_square"),
    }
    values: dict[str, Any] = {
        "weights": weights,
        "class_scores": {name: float(weights[names == name].sum()) for name in sorted(set(label))},
        "winner": str(weighted.predict(query)[0]),
        "plain_winner": str(plain.predict(query)[0]),
        "class_fractions": dict(zip(plain.classes_.tolist(), plain.predict_proba(query)[0].tolist(), strict=True)),
    }
    values |= {name: float(model.fit(x, target).predict(query)[0]) for name, model in amounts.items()}
    return Worked(values)


@worked("EX-KNN-04")
def exact_match(ex: Example) -> Worked:
    """What is predicted where a query is one of the training points?"""
    x = np.array(ex.inputs["x"], dtype=float)[:, None]
    model = NearestNeighborsRegressor(None, weights="inverse_square").fit(x, ex.inputs["target"])
    return Worked({"prediction": float(model.predict([[float(ex.inputs["query"])]])[0])})


@worked("EX-KNN-05")
def left_out(ex: Example) -> Worked:
    """How often is each point's class wrong when the others decide, for several numbers of neighbours?"""
    x, y = ex.inputs["x"], ex.inputs["y"]
    model = NearestNeighbors().tune(x, y, n_neighbors=ex.inputs["ks"])
    values = {
        "training_error_1nn": 1 - NearestNeighbors(1).fit(x, y).score(x, y),
        "loo_error": {str(trial.parameters["n_neighbors"]): trial.figure for trial in model.tuning_.trials},
    }
    return Worked(values)


@worked("EX-KNN-06")
def shrunken_axis(ex: Example) -> Worked:
    """Does it help to give an irrelevant column less weight?"""
    x, y, k = ex.inputs["x"], ex.inputs["y"], ex.inputs["k"]
    model = NearestNeighbors().tune(x, y, n_neighbors=[k], feature_weights=ex.inputs["weights"])
    return Worked({"loo_error": [trial.figure for trial in model.tuning_.trials]})


@worked("EX-KNN-07")
def mixed_cells(ex: Example) -> Worked:
    """How far are rows apart whose cells are numbers, levels, or missing?"""
    kinds, low, high = ex.inputs["kinds"], ex.inputs["min"], ex.inputs["max"]
    names = [f"x{j}" for j in range(len(kinds))]
    types = {name: pl.Float64 if kind == "numeric" else pl.String for name, kind in zip(names, kinds, strict=True)}
    ends = [
        [str(end) if kind != "numeric" else end for end, kind in zip(row, kinds, strict=True)] for row in (low, high)
    ]

    def table(rows: Any) -> pl.DataFrame:
        return pl.DataFrame(rows, schema=types, orient="row")

    far = TableDistance.learn(table(ends), kinds=dict(zip(names, kinds, strict=True)))
    found = []
    for one, other in ex.inputs["pairs"]:
        a, b = table([one]), table([other])
        found.append([far.parts(a, b)[0].tolist(), float(far.between(a, b)[0, 0])])
    return Worked({"parts_and_distance": found})


@worked("EX-KNN-08")
def stored_mistakes(ex: Example) -> Worked:
    """Which instances are stored if only mistakes are?"""
    model = InstanceLearner("IB2").fit(np.array(ex.inputs["x"])[:, None], ex.inputs["y"])
    return Worked({"stored": model.stored_, "trace": model.trace_.tolist()})


@worked("EX-KNN-09")
def trusted_instances(ex: Example) -> Worked:
    """Which instances are accepted and which rejected, by their records?"""
    decisions = []
    for record in ex.inputs["records"]:  # the limits z of the example are those of 5 % and 12.5 % on one side
        found = acceptance(**record, accept=0.05, reject=0.125)._asdict()
        decisions.append({name: list(part) if isinstance(part, tuple) else part for name, part in found.items()})
    return Worked({"decisions": decisions})


@worked("EX-KNN-10")
def halfway(ex: Example) -> Worked:
    """Where are two points equally near?"""
    a, b = ex.inputs["a"], ex.inputs["b"]
    line = bisector(a, b)
    probes = np.array([ex.inputs["probe_on"], ex.inputs["probe_on2"]], dtype=float)
    values = {"normal": line.normal, "offset": line.offset, "on_line": probes @ line.normal - line.offset}

    def figure(ax: Axes) -> None:
        VoronoiDisplay.from_points([a, b], ["a", "b"], limits=(-1, 5, -1, 3), ax=ax)

    return Worked(values, figure, (6.2, 4.4))


@worked("EX-KNN-11")
def everyone_votes(ex: Example) -> Worked:
    """What is said where all points are neighbours?"""
    x, label = ex.inputs["extra"]
    rows, names = [*ex.inputs["x"], x], [*ex.inputs["y"], label]
    model = NearestNeighbors(len(rows)).fit(rows, names)
    return Worked({"predictions": model.predict(ex.inputs["queries"]).tolist()})


@worked("EX-KNN-12")
def outvoted(ex: Example) -> Worked:
    """Which instances do their neighbours outvote?"""
    model = InstanceLearner("edited", edit_neighbors=ex.inputs["k"]).fit(ex.inputs["x"], ex.inputs["y"])
    dropped = np.flatnonzero(model.trace_ == "dropped")
    return Worked({"kept": model.stored_, "dropped": dropped})


@worked("EX-KNN-13")
def two_searches(ex: Example) -> Worked:
    """Does a k-d tree find the same neighbours as a full scan?"""
    x, queries, k = ex.inputs["x"], ex.inputs["queries"], ex.inputs["k"]
    y = np.zeros(len(x))
    found = [
        np.sort(NearestNeighborsRegressor(k, algorithm=way).fit(x, y).kneighbors(queries).indices, axis=1)
        for way in ("kd_tree", "brute")
    ]
    assert np.array_equal(found[0], found[1])
    return Worked({"neighbours": {f"{a:g},{b:g}": row for (a, b), row in zip(queries, found[0], strict=True)}})


@worked("EX-KNN-14")
def weights_from_outcomes(ex: Example) -> Worked:
    """How do the weights of columns move as nearest neighbours are right and wrong?"""
    found = attribute_weights(
        NearestNeighbors(1), ex.inputs["x"], ex.inputs["y"], method="outcomes", rate=ex.inputs["rate"]
    )
    values = {
        "trace": [list(step) for step in found.trace],
        "weights": found.weights,
        "relevant_outweighs_irrelevant": bool(found.weights[0] > found.weights[1]),
    }
    return Worked(values)


@worked("EX-KNN-15")
def twice_the_best_error(ex: Example) -> Worked:
    """How large is the error of the nearest neighbour with unlimited data?"""
    p = ex.inputs["p"]
    limit = nearest_neighbor_limit([p, 1 - p])
    best = bayes_error_below(limit)
    rng = np.random.default_rng(ex.inputs["seed"])
    y = rng.random(ex.inputs["n"]) < p
    posterior = NearestNeighbors(1).out_of_fold(rng.random((len(y), 1)), y, np.arange(len(y)))
    simulated = float((posterior.argmax(axis=1) != y).mean())
    return Worked({"bayes_error": best, "one_nn_limit": limit, "twice_bayes": 2 * best, "simulated": simulated})
