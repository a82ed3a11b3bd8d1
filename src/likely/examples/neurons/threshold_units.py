"""Worked examples of threshold units: gates, counting, networks of them, units that compete."""

from typing import Any

import numpy as np

from likely import Perceptron
from likely.examples.catalogue import Example
from likely.examples.worked import Axes, Worked, worked
from likely.figures import DecisionRegionsDisplay, panels
from likely.models import (
    HardAnswers,
    ThresholdNetwork,
    ThresholdUnit,
    binary_problems,
    count_threshold_functions,
    linear_separation,
    stacked_rows,
    winner_take_all,
)


@worked("EX-DSC-06")
def one_neuron(ex: Example) -> Worked:
    """To which class does a threshold neuron assign a pattern?"""
    unit = ThresholdUnit(ex.inputs["w0"], tuple(ex.inputs["w"]))
    output = int(unit.fires(ex.inputs["x"])[0])
    values = {
        "activation": unit.activation(ex.inputs["x"])[0],
        "output": output,
        "assigned": "C1" if output > 0 else "C2",
    }
    return Worked(values)


@worked("EX-DSC-07")
def gates(ex: Example) -> Worked:
    """Which weights make a threshold neuron an AND, OR or NAND gate, and what of exclusive or?"""
    corners = ex.inputs["inputs"]
    units = {name: ThresholdUnit.of(weights) for name, weights in ex.inputs["gates"].items()}
    values: dict[str, Any] = {name: unit.fires(corners) for name, unit in units.items()}
    values["AND_activation"] = units["AND"].activation(corners)
    values["XOR is separable"] = bool(linear_separation(corners, [0, 1, 1, 0]))

    def figure(ax: Axes) -> None:
        for panel, (name, truth) in zip(panels(ax, 2), {"AND": [0, 0, 0, 1], "XOR": [0, 1, 1, 0]}.items(), strict=True):
            model = Perceptron(keep="final", random_state=0, standardize=False).fit(corners, truth)
            limits = [(-0.4, 1.4)] * 2
            DecisionRegionsDisplay.from_estimator(model, corners, truth, limits=limits, aspect="equal", ax=panel)
            panel.set_title(f"{name}: {'separable' if model.converged_ else 'not separable'}", fontsize=10)

    return Worked(values, figure, (8.6, 4.6))


@worked("EX-DSC-08")
def counting(ex: Example) -> Worked:
    """How many Boolean functions of n inputs does one threshold neuron compute?"""
    sizes = ex.inputs["n"]
    return Worked(
        {
            "threshold_functions": {str(n): count_threshold_functions(n) for n in sizes},
            "boolean_functions": {str(n): 2 ** (2**n) for n in sizes},
            "upper_bound": {str(n): 2 ** (n**2) for n in sizes},
        }
    )


@worked("EX-DSC-13")
def competing_units(ex: Example) -> Worked:
    """Which of three units that compete fires for which pattern?"""
    activations = np.array(ex.inputs["x"]) @ np.array(ex.inputs["W"], dtype=float).T
    return Worked({"activations": activations, "outputs": winner_take_all(activations)})


@worked("EX-DSC-15")
def one_problem_of_two(ex: Example) -> Worked:
    """How does a problem of several classes become one perceptron?"""
    x, y, k = ex.inputs["x"], ex.inputs["y"], ex.inputs["k"]
    rows = stacked_rows(x, y, k).toarray()
    trained = Perceptron(shuffle=False, standardize=False, fit_intercept=False, kinds="numeric").fit(x, y)
    scores = rows @ trained.weights_[:, :-1].ravel()
    values = {"n_examples": len(rows), "first": rows[0], "all_positive_under_trained_weights": bool((scores > 0).all())}
    return Worked(values)


@worked("EX-DSC-17")
def numbers_of_classifiers(ex: Example) -> Worked:
    """How many classifiers of two classes do K classes take, and where do they leave the class open?"""
    k = ex.inputs["k"]
    values = {
        "one_versus_one": len(binary_problems(k, "one_vs_one")),
        "one_versus_rest_as_printed": len(binary_problems(k, "one_vs_rest", last_is_rest=True)),
        "one_versus_rest_usual": len(binary_problems(k, "one_vs_rest")),
    }

    def figure(ax: Axes) -> None:
        x = np.array([[0, 0], [1, 0.4], [4, 0], [5, 0.6], [2, 4], [2.6, 5]])
        y = ["a", "a", "b", "b", "c", "c"]
        for panel, way in zip(panels(ax, 2), ("one_vs_rest", "one_vs_one"), strict=True):
            model = Perceptron(multiclass=way, random_state=0).fit(x, y)
            DecisionRegionsDisplay.from_estimator(HardAnswers(model), x, y, limits=[(-3, 8), (-4, 8)], ax=panel)
            panel.set_title(way.replace("_", " "), fontsize=10)

    return Worked(values, figure, (9.6, 4.4))


@worked("EX-DSC-36")
def exclusive_or(ex: Example) -> Worked:
    """How do three threshold neurons compute exclusive or?"""
    hidden = tuple(ThresholdUnit.of(weights) for weights in ex.inputs["hidden"])
    network = ThresholdNetwork((hidden, (ThresholdUnit.of(ex.inputs["out"]),)))
    return Worked({"outputs": network.bits(ex.inputs["x"])[:, 0]})
