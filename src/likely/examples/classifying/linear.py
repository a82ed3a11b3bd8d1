"""Worked examples of linear classifiers: least squares, Fisher's discriminant, planes, basis functions."""

from typing import Any

import numpy as np
import polars as pl

from likely import FisherDiscriminant, GaussianBayes, LeastSquaresClassifier
from likely.data import augmented
from likely.examples.catalogue import Example
from likely.examples.worked import Axes, Worked, worked
from likely.figures import (
    DecisionRegionsDisplay,
    DescentDisplay,
    MarginLossDisplay,
    ProjectionDisplay,
    colour,
    panels,
)
from likely.models import (
    Hyperplane,
    LinearFunctions,
    RadialBasis,
    fisher_direction,
    fisher_ratio,
    squared_loss,
    zero_one_loss,
)
from likely.optimize import gradient_descent


@worked("EX-DSC-01")
def extreme_point(ex: Example) -> Worked:
    """Where does least squares part two classes if one row lies far on the right side?"""
    x, y = np.array(ex.inputs["x"], dtype=float)[:, None], np.array(ex.inputs["y"])
    near = LeastSquaresClassifier().fit(x[:-1], y[:-1])
    model = LeastSquaresClassifier().fit(x, y)

    def boundary(fitted: LeastSquaresClassifier) -> float:
        return float(-fitted.intercept_[0] / fitted.coef_[0, 0])

    values = {
        "weights": [model.intercept_[0], model.coef_[0, 0]],
        "boundary": boundary(model),
        "errors": int((model.predict(x) != y).sum()),
        "boundary_without_extreme": boundary(near),
        "errors_without_extreme": int((near.predict(x[:-1]) != y[:-1]).sum()),
        "separating_threshold_exists": bool(x[y < 0].max() < x[y > 0].min()),
    }

    def figure(ax: Axes) -> None:
        for panel, (rows, fitted) in zip(panels(ax, 2), ((len(x), model), (len(x) - 1, near)), strict=True):
            panel.plot(x[:rows, 0], y[:rows], "o", color=colour(0))
            across = np.linspace(x.min(), x[:rows].max(), 2)
            panel.plot(across, fitted.decision_function(across[:, None]), color=colour(1))
            panel.axhline(0, color="#8a8a8a", linewidth=0.8)
            panel.set_xlabel("x")
            panel.set_ylabel("target and output")

    return Worked(values, figure, (9.6, 4.0))


@worked("EX-DSC-02")
def losses(ex: Example) -> Worked:
    """What is a margin charged by the zero-one and by the squared loss?"""
    margin = np.array(ex.inputs["margin"], dtype=float)
    values = {
        "zero_one": zero_one_loss(margin),
        "squared": squared_loss(margin),
        "zero_one_at_three": zero_one_loss(margin[-1]).item(),
    }
    return Worked(values, lambda ax: MarginLossDisplay().plot(ax))


@worked("EX-DSC-03")
def one_of_k(ex: Example) -> Worked:
    """What do linear outputs fitted to 1-of-k targets say of three classes?"""
    x, y = np.array(ex.inputs["x"], dtype=float), np.array(ex.inputs["y"])
    model = LeastSquaresClassifier(kinds="numeric").fit(x, y)
    outputs = model.decision_function(x)
    target = np.eye(3)[y]
    values = {
        "W": np.column_stack([model.intercept_, model.coef_]),
        "outputs": outputs,
        "row_sums": outputs.sum(axis=1),
        "predicted": model.predict(x),
        "sse": 0.5 * float(((outputs - target) ** 2).sum()),
        "bias_from_means": target.mean(axis=0) - model.coef_ @ x.mean(axis=0),
    }
    return Worked(values)


@worked("EX-DSC-04")
def fisher(ex: Example) -> Worked:
    """In which direction do two Gaussian classes lie farthest apart for their spread?"""
    classes = [np.array(ex.inputs[name], dtype=float) for name in ("mean_1", "mean_2", "cov_1", "cov_2")]
    first, second, *spreads = classes
    w, away = fisher_direction(first, second, *spreads), first - second
    spherical = fisher_direction(first, second, np.eye(2), np.eye(2))
    values = {
        "w": w,
        "unit_w": w / np.linalg.norm(w),
        "ratio_at_w": fisher_ratio(w, *classes),
        "ratio_at_mean_difference": fisher_ratio(away, *classes),
        "ratio_scaled": fisher_ratio(-3.7 * w, *classes),
        "spherical_direction": spherical / np.linalg.norm(spherical),
    }

    def figure(ax: Axes) -> None:
        rng = np.random.default_rng(4)
        x = np.vstack([rng.multivariate_normal(m, s, 200) for m, s in zip(classes[:2], classes[2:], strict=True)])
        y = np.repeat(["first", "second"], 200)
        for panel, direction in zip(panels(ax, 2), ("means", "fisher"), strict=True):
            model = FisherDiscriminant(direction=direction, standardize=False).fit(x, y)
            ProjectionDisplay.from_estimator(model, x, y, ax=panel)

    return Worked(values, figure, (9.6, 4.0))


@worked("EX-DSC-05")
def distance_of_a_plane(ex: Example) -> Worked:
    """How far does a line lie from the origin, and on which sides of it are some points?"""
    plane = Hyperplane.of(ex.inputs["w"], ex.inputs["w0"])
    points = np.array(ex.inputs["points"], dtype=float)
    values = {
        "signed": plane.from_origin,
        "absolute": abs(plane.from_origin),
        "y": plane.value(points),
        "normal_dot_edge": float(plane.normal @ (points[0] - points[1])),
    }
    return Worked(values)


@worked("EX-DSC-18")
def exclusive_or(ex: Example) -> Worked:
    """Do two bumps make exclusive or separable?"""
    x = np.array(ex.inputs["x"], dtype=float)
    basis = RadialBasis([ex.inputs["w1"], ex.inputs["w2"]], standardize=False, kinds="numeric").fit(x)
    z = basis.transform(x)
    plane = Hyperplane.of([1, 1], -1)
    y = np.array(["same", "different", "different", "same"])

    def figure(ax: Axes) -> None:
        left, right = panels(ax, 2)
        for panel, rows in ((left, x), (right, z)):
            model = LeastSquaresClassifier(kinds="numeric").fit(rows, y)
            DecisionRegionsDisplay.from_estimator(model, rows, y, ax=panel)

    values = {"z": z, "sums": z.sum(axis=1), "separated_by_sum_1": np.sign(plane.value(z)).astype(int)}
    return Worked(values, figure, (9.6, 4.2))


@worked("EX-DSC-19")
def delta_rule(ex: Example) -> Worked:
    """Where does one step of the delta rule lead, of all rows and row by row?"""
    x, t = np.array(ex.inputs["x"], dtype=float), np.array(ex.inputs["t"], dtype=float)
    start, eta = np.array(ex.inputs["W"], dtype=float), ex.inputs["eta"]

    def after(solver: str, rate: float) -> Any:
        bias_last = np.roll(start, -1, axis=1)
        options: dict[str, Any] = {"standardize": False, "kinds": "numeric", "targets": "indicators", "max_iter": 1}
        model = LeastSquaresClassifier(solver=solver, learning_rate=rate, start=bias_last, **options)
        return model.fit(x[:, 1:], t.argmax(axis=1))

    batch, online = after("gradient", eta), after("online", eta)
    stepped = np.column_stack([batch.intercept_, batch.coef_])
    gradient = (start - stepped) / eta
    values = {
        "outputs": x @ start.T,
        "error": float(batch.history_.objective[0]),
        "gradient": gradient,
        "after_batch_step": stepped,
        "after_online_pass": np.column_stack([online.intercept_, online.coef_]),
        "bias_gradient_nonzero": bool(np.all(gradient[:, 0] != 0)),
    }
    return Worked(values)


@worked("EX-DSC-38")
def convex_regions(ex: Example) -> Worked:
    """Is what three linear functions decide at two points decided at every point between them?"""
    three = LinearFunctions.of(ex.inputs["W"], ex.inputs["w0"])
    a, b = (np.array(ex.inputs[name], dtype=float) for name in ("xa", "xb"))
    between = np.array([a + s * (b - a) for s in np.linspace(0, 1, 5)])
    plane = three.between(0, 1)

    def figure(ax: Axes) -> None:
        side = np.linspace(-4, 4, 161)
        grid = np.stack(np.meshgrid(side, side), axis=-1)
        said = three.largest(grid.reshape(-1, 2)).reshape(161, 161)
        ax.contourf(side, side, said, levels=[-0.5, 0.5, 1.5, 2.5], colors=[colour(c) for c in range(3)], alpha=0.3)
        ax.plot(*np.array([a, b]).T, "o-", color="#222222")
        ax.set_xlabel("x1")
        ax.set_ylabel("x2")

    values = {
        "classes": three.largest(ex.inputs["points"]),
        "mid_classes": three.largest(between),
        "surface_01": [plane.normal, plane.offset],
    }
    return Worked(values, figure)


@worked("EX-DSC-39")
def learning_rates(ex: Example) -> Worked:
    """How fast does the squared error of a line fall with a learning rate that is too small, good or too large?"""
    x, y, steps = np.array(ex.inputs["x"], dtype=float), np.array(ex.inputs["y"], dtype=float), ex.inputs["steps"]

    def error(w: Any) -> Any:
        wrong = x @ w - y
        return 0.5 * float(wrong @ wrong), x.T @ wrong

    runs, logs = [], {}
    for eta in ex.inputs["etas"]:
        trace = gradient_descent(error, np.zeros(2), eta, tol=1e-300, max_iter=steps).trace
        logs[f"rate {eta:g}"] = trace.values
        first, last = trace.values[0], trace.values[:steps][-1]  # as the error log has it: before each step
        runs.append({"eta": eta, "first": first, "last": "diverges" if last > first else last})
    largest = 2 / float(np.linalg.eigvalsh(x.T @ x).max())

    def figure(ax: Axes) -> None:
        DescentDisplay(logs).plot(ax)

    return Worked({"runs": runs, "largest_stable_eta": largest}, figure)


@worked("EX-DSC-40")
def misclassified(ex: Example) -> Worked:
    """Which share of test rows has its largest output at the wrong class?"""
    said, truth = (np.array(ex.inputs[name], dtype=float).argmax(axis=1) for name in ("outputs", "targets"))
    wrong = int((said != truth).sum())
    return Worked({"misclassified": wrong, "percent": 100 * wrong / len(truth)})


@worked("EX-DSC-42")
def shares_of_classes(ex: Example) -> Worked:
    """What does least squares say where every level of a column has a weight of its own?"""
    y = np.array(ex.inputs["y"])
    table = pl.DataFrame({"x": ex.inputs["x"]})
    model = LeastSquaresClassifier().fit(table, y)
    levels = sorted(set(ex.inputs["x"]))
    said = model.predict_proba(pl.DataFrame({"x": levels}))[:, 1]
    shares = table.with_columns(y=pl.Series(y)).group_by("x").agg(pl.col("y").mean())
    values = {"fitted": dict(zip(levels, said, strict=True)), "class_share": dict(shares.iter_rows())}
    return Worked(values)


@worked("EX-DSC-45")
def unequal_covariances(ex: Example) -> Worked:
    """How much better than Fisher's direction does the quadratic rule part classes of unequal spread?"""
    means, spreads = ([np.array(ex.inputs[f"{name}_{i}"], dtype=float) for i in (1, 2)] for name in ("mean", "cov"))
    w = fisher_direction(*means, *spreads)
    rng, n = np.random.default_rng(ex.inputs["seed"]), ex.inputs["n"] // 2
    x = np.vstack([rng.multivariate_normal(m, s, n) for m, s in zip(means, spreads, strict=True)])
    y = np.repeat([1, 2], n)
    quadratic = GaussianBayes("full").fit(x, y).score(x, y)
    along = np.argsort(augmented(x)[:, 1:] @ w)
    below = np.cumsum(y[along] == 2)
    right = below + (n - np.cumsum(y[along] == 1))  # the second class below a threshold, the first above
    best = max(float(right.max()), float((2 * n - right).max())) / (2 * n)
    return Worked({"w": w, "gain_of_the_quadratic_rule": quadratic - best})
