"""Worked examples of densities of one number: normal curves, kernels, histograms, and their logarithms."""

from typing import Any

import numpy as np

from likely import NaiveBayes
from likely.distributions import (
    Gaussian,
    GaussianFamily,
    HistogramFamily,
    KernelDensityFamily,
    fit,
)
from likely.examples.catalogue import Example
from likely.examples.worked import Axes, Worked, worked
from likely.figures import INK, ClassDensitiesDisplay, LawDisplay
from likely.probability import log_sum_exp, normalize
from likely.statistics import Membership


@worked("EX-GEN-12")
def temperature(ex: Example) -> Worked:
    """How dense is the normal curve of the temperatures at one temperature?"""
    one = Gaussian(np.array([[float(ex.inputs["mean"])]]), np.array([[ex.inputs["sd"] ** 2]]))
    return Worked({"density": float(np.exp(one.log_density(np.array([[float(ex.inputs["x"])]])))[0, 0])})


@worked("EX-GEN-22")
def from_log_joints(ex: Example) -> Worked:
    """What are the posteriors when the joint probabilities are too small for a computer's numbers?"""
    alpha = np.array(ex.inputs["alpha"])
    values = {
        "posterior": normalize(alpha[None])[0],
        "log_sum": log_sum_exp(alpha),
        "gamma": alpha.max(),  # the shift that log_sum_exp takes
    }
    return Worked(values)


@worked("EX-GEN-27")
def drawn_points(ex: Example) -> Worked:
    """What do labelled points look like that are drawn from a generative model?"""
    names = list(ex.inputs["prior"])
    S, T = (np.array([-1.0, 1.0]) * ex.inputs["sd"][k] + ex.inputs["mean"][k] for k in names)
    model = NaiveBayes(class_prior=ex.inputs["prior"]).fit(np.concatenate([S, T])[:, None], ["S", "S", "T", "T"])
    X, y = model.sample(ex.inputs["n"], random_state=ex.inputs["seed"])
    values = {
        "p_S": float((y == "S").mean()),
        "overall_mean": float(X.mean()),
        "class_means": {k: float(X[y == k].mean()) for k in names},
        "class_deviations": {k: float(X[y == k].std()) for k in names},
    }

    def figure(ax: Axes) -> None:
        ClassDensitiesDisplay.from_values(X[:, 0], y, ax=ax)

    return Worked(values, figure)


@worked("EX-GEN-28")
def three_treatments(ex: Example) -> Worked:
    """What does a number say by a normal curve, by a kernel density and cut in bins?"""
    x = np.array(ex.inputs["S"] + ex.inputs["T"], dtype=float)[:, None]
    sizes = [len(ex.inputs["S"]), len(ex.inputs["T"])]
    groups = Membership.of_labels(np.repeat([0, 1], sizes), 2)
    query = np.array([[float(ex.inputs["query"])]])

    def table(values: Any) -> dict[str, float]:
        S, T = values.tolist()
        return {"S": S, "T": T, "posterior_S": S / (S + T)}

    gaussian = fit(GaussianFamily(ddof=1), x, groups)
    kernel = fit(KernelDensityFamily(bandwidth=ex.inputs["bandwidth"]), x, groups)
    histogram: Any = fit(HistogramFamily(bins=tuple(ex.inputs["edges"])), x, groups)
    values = {
        "gaussian": table(np.exp(gaussian.log_density(query))[0]),
        "kernel": table(np.exp(kernel.log_density(query))[0]),
        "discretised": table(histogram.bin_probability(query)[0, 0]),
    }

    def figure(ax: Axes) -> None:
        y = np.repeat(["S", "T"], sizes)
        ClassDensitiesDisplay.from_values(x[:, 0], y, families=("gaussian", "kde"), ax=ax)
        ax.axvline(query[0, 0], color=INK, lw=1, ls=":")

    return Worked(values, figure)


@worked("EX-EST-20")
def three_densities(ex: Example) -> Worked:
    """What density do twenty points suggest: a histogram, a kernel density, a normal curve?"""
    x = np.array(ex.inputs["points"])[:, None]
    grid = np.array(ex.inputs["grid"])[:, None]
    edges = np.linspace(ex.inputs["low"], ex.inputs["high"], ex.inputs["bins"] + 1)
    laws: dict[str, Any] = {
        "histogram": fit(HistogramFamily(bins=tuple(edges), alpha=0), x),
        "kernel": fit(KernelDensityFamily(bandwidth=ex.inputs["bandwidth"]), x),
        "normal": fit(GaussianFamily(ddof=1), x),
    }
    middles = (edges[:-1] + edges[1:])[:, None] / 2
    heights = np.exp(laws["histogram"].log_density(middles))[:, 0]
    histogram, kernel, normal = (np.exp(law.log_density(grid))[:, 0] for law in laws.values())
    values = {
        "histogram_density": histogram,
        "bin_counts": np.rint(heights * np.diff(edges) * len(x)).astype(int),
        "histogram_area": float(heights @ np.diff(edges)),
        "kernel_density": kernel,
        "normal_fit": normal,
    }

    def figure(ax: Axes) -> None:
        families = (
            HistogramFamily(bins=tuple(edges), alpha=0),
            KernelDensityFamily(bandwidth=ex.inputs["bandwidth"]),
            GaussianFamily(ddof=1),
        )
        true = Gaussian(np.zeros((1, 1)), np.ones((1, 1)))
        LawDisplay.from_values(x[:, 0], families, true=true, limits=(edges[0], edges[-1]), ax=ax)

    return Worked(values, figure)
