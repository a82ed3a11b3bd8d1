"""Worked examples of perceptrons: traces, bounds, rules, dual form, weight space."""

from typing import Any

import numpy as np

from likely import KernelPerceptron, Perceptron
from likely.examples.catalogue import Example
from likely.examples.worked import Axes, Worked, worked
from likely.figures import DecisionRegionsDisplay, WeightSpaceDisplay, panels
from likely.models import mistake_bound, perceptron_trace, perceptron_update

# The inputs of these examples carry their own constant, and are shown as they are, in their order.
PLAIN: dict[str, Any] = {"shuffle": False, "standardize": False, "fit_intercept": False, "kinds": "numeric"}


@worked("EX-DSC-09")
def rosenblatt(ex: Example) -> Worked:
    """How do the weights of Rosenblatt's perceptron change, pattern by pattern?"""
    x, d, eta = ex.inputs["x"], ex.inputs["d"], ex.inputs["eta"]
    steps = list(perceptron_trace(x, d, "rosenblatt", eta, ex.inputs["initial"]))
    model = Perceptron("rosenblatt", learning_rate=eta, keep="final", **PLAIN).fit(x, d)
    final = model.weights_[0, :-1]
    values = {
        "first_seven": [[x[s.row], s.target, s.before, s.activation, s.output, s.updated, s.after] for s in steps[:7]],
        "weights_after_seven": steps[6].after,
        "final_weights": final,
        "updates": len(model.history_.row),
        "passes": model.n_iter_,
        "activations_at_end": np.array(x) @ final,
    }
    return Worked(values)


@worked("EX-DSC-10")
def margin_and_dual(ex: Example) -> Worked:
    """Which weights has a perceptron that also corrects zero activations, and which strengths its dual?"""
    x, d = np.array(ex.inputs["x"], dtype=float), np.array(ex.inputs["d"])
    primal = Perceptron("margin", learning_rate=ex.inputs["eta"], **PLAIN).fit(x, d)
    dual = KernelPerceptron("linear", learning_rate=ex.inputs["eta"], **PLAIN).fit(x, d)
    final = primal.weights_[0, :-1]
    values = {
        "final_weights": final,
        "updates": len(primal.history_.row),
        "passes": primal.n_iter_,
        "activations_at_end": x @ final,
        "alphas": dual.alpha_.astype(int),
        "w_from_alphas": (dual.alpha_ * d) @ x,
    }
    return Worked(values)


@worked("EX-DSC-11")
def bound(ex: Example) -> Worked:
    """How many updates can a perceptron make at most, and how many does it make?"""
    x, d, w = (
        np.array(ex.inputs["x"], dtype=float),
        np.array(ex.inputs["d"]),
        np.array(ex.inputs["w_star"], dtype=float),
    )
    _, radius, most = mistake_bound(x, d, w)

    def updates(rule: str, eta: float) -> int:
        return len(Perceptron(rule, learning_rate=eta, **PLAIN).fit(x, d).history_.row)

    values = {
        "delta": (d * (x @ w)).min(),
        "L_squared": radius**2,
        "norm_squared": w @ w,
        "bound": most,
        "updates_rosenblatt": updates("rosenblatt", 0.5),
        "updates_margin": updates("margin", 1.0),
        "updates_other_rates": [updates("margin", eta) for eta in (0.1, 0.5, 2.0)],
    }
    return Worked(values)


@worked("EX-DSC-12")
def three_rates(ex: Example) -> Worked:
    """How does the learning rate matter to a perceptron that starts from the basic linear classifier?"""
    x, y = ex.inputs["x"], ex.inputs["y"]
    options: dict[str, Any] = {"start": "basic_linear", "shuffle": False, "standardize": False}
    runs = {eta: Perceptron(learning_rate=eta, **options).fit(x, y) for eta in ex.inputs["etas"]}
    rows, d = np.column_stack([np.ones(len(x)), x]), np.array(y)
    first = next(iter(runs.values()))
    begin = first.history_.weights[0, 0] - ex.inputs["etas"][0] * _signed(first, x, y)
    start = np.array([begin[-1], *begin[:-1]])
    values = {
        "start": start,
        "start_errors": int((d * (rows @ start) <= 0).sum()),
        "runs": {
            f"{eta:g}": {
                "updates": len(model.history_.row),
                "passes": model.n_iter_,
                "separates": bool((model.predict(x) == d).all()),
            }
            for eta, model in runs.items()
        },
    }

    def figure(ax: Axes) -> None:
        for panel, (eta, model) in zip(panels(ax, 3), runs.items(), strict=True):
            DecisionRegionsDisplay.from_estimator(model, x, y, limits=[(0, 9), (0, 10)], ax=panel)
            panel.set_title(f"rate {eta:g}: {len(model.history_.row)} updates", fontsize=10)

    return Worked(values, figure, (11.0, 4.0))


@worked("EX-DSC-14")
def training_units_that_compete(ex: Example) -> Worked:
    """How do three units that compete learn, ties included?"""
    x, y = ex.inputs["x"], ex.inputs["y"]
    model = Perceptron(learning_rate=ex.inputs["eta"], **PLAIN).fit(x, y)
    history = model.history_
    steps = ["ok"] * (len(x) * model.n_iter_)
    for sweep, row, rival in zip(history.sweep, history.row, history.rival, strict=True):
        steps[sweep * len(x) + row] = "tie" if rival < 0 else "swap"
    values = {
        "weights": model.weights_[:, :-1],
        "steps": steps,
        "passes": model.n_iter_,
        "final": model.predict(x),
    }
    return Worked(values)


@worked("EX-DSC-16")
def fractional_step(ex: Example) -> Worked:
    """Where does a fractional correction put the activation?"""
    w, x, d, eps = (ex.inputs[name] for name in ("w", "x", "d", "eps"))
    after = [perceptron_update(w, x, d, "fractional", lam, eps) for lam in ex.inputs["lam"]]
    values = {
        "before": float(np.array(w) @ np.array(x)),
        "after": [float(v @ np.array(x)) for v in after],
        "weights_after_075": after[-1],
    }
    return Worked(values)


@worked("EX-DSC-41")
def weight_space(ex: Example) -> Worked:
    """How does an update move the weights across the plane of a pattern?"""
    w, x, d = np.array(ex.inputs["w"], dtype=float), np.array(ex.inputs["x"], dtype=float), ex.inputs["d"]
    margin, _, _ = mistake_bound([x], [d], w)
    after = [perceptron_update(w, x, d, "margin", eta) for eta in ex.inputs["eta"]]
    activations = [float(v @ x) for v in after]
    values = {
        "activation_before": float(w @ x),
        "activation_after": activations,
        "gain_per_unit_eta": (activations[1] - float(w @ x)) / ex.inputs["eta"][1],
        "distance_to_plane": -margin * np.linalg.norm(w) / np.linalg.norm(x),
    }
    six, targets = [[1, 1, 1], [1, 1, -1], [1, 0, -1], [1, -1, -1], [1, -1, 1], [1, 0, 1]], [1, 1, 1, -1, -1, -1]

    def figure(ax: Axes) -> None:
        left, right = panels(ax, 2)
        WeightSpaceDisplay.from_updates([x], [d], [w, after[1]], weights=(1, 2), ax=left)
        left.set_title("one pattern, one update", fontsize=10)
        steps = [step for step in perceptron_trace(six, targets) if step.updated]
        path = [steps[0].before, *(step.after for step in steps)]
        WeightSpaceDisplay.from_updates(six, targets, path, weights=(1, 2), ax=right)
        right.set_title("six patterns", fontsize=10)

    return Worked(values, figure, (10.0, 5.4))


def _signed(model: Perceptron, x: Any, y: Any) -> Any:
    """The first row that was corrected, with its constant, times its target."""
    row = int(model.history_.row[0])
    return y[row] * np.array([*x[row], 1.0])
