"""Worked examples of decision trees: entropy and gain, thresholds, greedy growth, and the mean of a forest."""

from math import comb
from typing import Any

import numpy as np
import polars as pl

from likely import DecisionTree
from likely.examples.catalogue import Example
from likely.examples.worked import Axes, Worked, worked
from likely.figures import ThresholdGainsDisplay, TreeDisplay, TreePartitionDisplay, panels
from likely.models import Grove, column_gain, threshold_gains
from likely.probability import entropy


@worked("EX-DSC-32")
def gain_of_attributes(ex: Example) -> Worked:
    """How many bits does each attribute of the weather tell of whether to play?"""
    table, play = np.array(ex.inputs["rows"]), ex.inputs["play"]
    shares = np.unique(play, return_counts=True)[1] / len(play)
    values: dict[str, Any] = {"entropy_bits": entropy(shares), "entropy_nats": entropy(shares, base=np.e)}
    for j, name in enumerate(ex.inputs["attributes"]):
        found = column_gain(table[:, j], play)
        values[name] = {
            "conditional": found.conditional,
            "gain": found.gain,
            "gain_over_conditional": found.normalized_gain,
            "gain_over_split_information": found.gain_ratio,
        }
    return Worked(values)


@worked("EX-DSC-33")
def candidate_thresholds(ex: Example) -> Worked:
    """Which thresholds can a test of numbers have, what does each gain, and how many tests are there?"""
    x, y, d = ex.inputs["x"], ex.inputs["y"], ex.inputs["d"]
    found = threshold_gains(x, y)
    stump = DecisionTree(max_depth=1).fit(np.array(x, dtype=float)[:, None], y)
    values = {
        "thresholds": found.threshold,
        "gains": found.gain,
        "best": float(stump.grove_.threshold[0]),
        "tests_for_d_features": d * len(found.threshold),
        "two_feature_tests": comb(d, 2) * len(found.threshold) ** 2,
    }
    return Worked(values, lambda ax: ThresholdGainsDisplay.from_values(x, y, ax=ax))


@worked("EX-DSC-34")
def greedy_tree(ex: Example) -> Worked:
    """Which tree do the greatest gains grow on oranges and lemons, and how does it part the plane?"""
    table = pl.DataFrame(np.array(ex.inputs["x"]), schema=ex.inputs["features"])
    model = DecisionTree(min_samples_split=ex.inputs["min_points"], smoothing=0).fit(table, ex.inputs["y"])
    grove, names = model.grove_, model.classes_

    def told(node: int) -> dict[str, Any]:
        child = int(grove.child[node])
        if child < 0:
            n = float(grove.counts[node].sum())
            seen = {str(c): float(w / n) for c, w in zip(names, grove.counts[node], strict=True) if w > 0}
            return {"leaf": seen, "n": n}
        test = {"feature": int(grove.feature[node]), "threshold": float(grove.threshold[node])}
        return {**test, "gain": float(grove.gain[node]), "left": told(child), "right": told(child + 1)}

    def figure(ax: Axes) -> None:
        drawing, plane = panels(ax, 2)
        TreeDisplay.from_estimator(model, max_depth=None, ax=drawing)
        TreePartitionDisplay.from_estimator(model, table, ex.inputs["y"], ax=plane)

    values = {
        "tree": told(0),
        "leaves": model.get_n_leaves(),
        "internal": grove.n_nodes - model.get_n_leaves(),
        "predictions": model.predict(pl.DataFrame(np.array(ex.inputs["queries"]), schema=table.columns)).tolist(),
        "training_errors": int((model.predict(table) != np.array(ex.inputs["y"])).sum()),
    }
    return Worked(values, figure, (13.5, 5.6))


@worked("EX-DSC-35")
def mean_of_trees(ex: Example) -> Worked:
    """Which class does a forest say by the mean of its trees, and which one by their votes?"""
    leaf = DecisionTree(max_depth=0, smoothing=0)
    trees = [leaf.fit([[0.0], [0.0]], [0, 1], sample_weight=p).grove_ for p in ex.inputs["tree_distributions"]]
    mean = Grove.joined(trees).posterior(np.zeros((1, 1)))[0]
    votes = [int(tree.posterior(np.zeros((1, 1)))[0].argmax()) for tree in trees]
    values = {
        "average": mean,
        "class_by_average": int(mean.argmax()),
        "class_by_vote": int(np.bincount(votes).argmax()),
    }
    return Worked(values)
