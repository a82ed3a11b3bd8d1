"""Worked examples of laws of chance: counts, waiting times, areas under curves, two correlated numbers."""

from collections import Counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.data import Standard
from likely.distributions import (
    BernoulliFamily,
    CategoricalFamily,
    Gaussian,
    Multinomial,
    MultivariateGaussian,
    fit,
)
from likely.examples.catalogue import Example
from likely.examples.worked import Axes, Worked, worked
from likely.figures import GaussianPlaneDisplay, LawDisplay, canvas, colour, legend, panels
from likely.probability import (
    Binomial,
    Ellipse,
    Geometric,
    PowerCurve,
    Uniform,
    bivariate_density,
    gaussian_mass,
    multinomial_coefficient,
)
from likely.statistics import Codes, Membership, column_correlations, covariance_from, determinant


@worked("EX-PRB-11")
def bus(ex: Example) -> Worked:
    """How probable is it to wait between two times for a bus that comes every half hour?"""
    law = Uniform(ex.inputs["low"], ex.inputs["high"])
    low, high = ex.inputs["interval"]
    points = ex.inputs["points"]
    values = {"p_interval": law.mass(low, high), "cdf": law.cdf(points), "pdf": law.pdf(points)}

    def figure(ax: Axes) -> None:
        LawDisplay.from_law(law, between=(low, high), kind="both", name="x, minutes", ax=ax)

    return Worked(values, figure, (9.0, 3.6))


@worked("EX-PRB-12")
def mississippi(ex: Example) -> Worked:
    """In how many orders can the letters of a word be written?"""
    return Worked({"arrangements": multinomial_coefficient(Counter(ex.inputs["word"]).values())})


@worked("EX-PRB-13")
def successes(ex: Example) -> Worked:
    """How many of n trials succeed, on average and by how much does it vary?"""
    law, one = Binomial(ex.inputs["n"], ex.inputs["theta"]), Binomial(1, ex.inputs["theta"])
    pmf = law.pmf(np.arange(law.n + 1))
    values = {
        "bernoulli_mean": one.mean,
        "bernoulli_var": one.variance,
        "binomial_mean": law.mean,
        "binomial_var": law.variance,
        "pmf": pmf,
        "total": pmf.sum(),
    }
    return Worked(values)


@worked("EX-PRB-14")
def first_success(ex: Example) -> Worked:
    """How long is the wait for the first success?"""
    law = Geometric(ex.inputs["theta"])
    return Worked({"pmf": law.pmf(ex.inputs["k"]), "mean": law.mean})


@worked("EX-PRB-15")
def kinds_counted(ex: Example) -> Worked:
    """How probable are these counts of each kind, one draw, and the count of the first kind alone?"""
    theta, counts = np.array(ex.inputs["theta"]), np.array(ex.inputs["counts"], dtype=float)
    law = Multinomial(theta[None], np.array([counts.sum()]))
    values = {
        "pmf": float(np.exp(law.log_density(counts[None]))[0, 0]),
        "one_draw": np.exp(law.log_density(np.eye(len(theta))))[:, 0],
        "marginal_first": float(Binomial(int(counts.sum()), theta[0]).pmf(counts[0])),
    }
    return Worked(values)


@worked("EX-PRB-16")
def deviations(ex: Example) -> Worked:
    """How much of a normal curve lies within one, two and three standard deviations of the mean?"""
    k = np.array(ex.inputs["k"])
    mass = gaussian_mass(-k, k)

    def figure(ax: Axes) -> None:
        standard = Gaussian(np.zeros((1, 1)), np.ones((1, 1)))
        within = [(-reach, reach) for reach in k.tolist()]
        LawDisplay.from_law(standard, between=within, name="standard deviations from the mean", ax=ax)

    return Worked({"mass": mass}, figure)


@worked("EX-PRB-17")
def two_forms(ex: Example) -> Worked:
    """How dense is the Gaussian of two numbers, by z-scores and by a matrix?"""
    x, mean, deviation = (np.array(ex.inputs[name], dtype=float) for name in ("x", "mu", "sd"))
    covariance = covariance_from(deviation**2, ex.inputs["rho"])
    law = MultivariateGaussian.of(mean[None], covariance)
    values = {
        "z": Standard(mean, deviation).transform(x[None])[0],
        "by_z_scores": bivariate_density(x[None], mean, deviation, ex.inputs["rho"])[0],
        "by_matrix": float(np.exp(law.log_density(x[None]))[0, 0]),
        "determinant": determinant(covariance),
    }
    return Worked(values)


@worked("EX-PRB-18")
def tilted_ellipses(ex: Example) -> Worked:
    """How far does the ellipse of one standard deviation reach, and how is it tilted?"""
    shapes = [Ellipse.of([first, second], rho) for first, second, rho in ex.inputs["cases"]]
    table = [
        {
            "half_width_x": shape.half_widths[0],
            "half_width_y": shape.half_widths[1],
            "major_axis_degrees": shape.angle,
            "axis_lengths": shape.half_axes,
        }
        for shape in shapes
    ]

    def figure(ax: Axes) -> None:
        for panel, shape in zip(panels(ax, len(shapes)), shapes, strict=True):
            options: dict[str, Any] = {
                "style": "ellipses",
                "radii": (1.0,),
                "box": True,
                "limits": ((-2.2, 2.2), (-2.2, 3.0)),
            }
            GaussianPlaneDisplay.from_law(shape.mean, shape.covariance, ax=panel, **options)
            wide, high = shape.half_widths
            panel.set_title(f"s = ({wide:g}, {high:g}), ρ = {shape.correlation:.1f}", fontsize=9)

    return Worked({"ellipses": table}, figure, (12.0, 4.2))


@worked("EX-PRB-19")
def powers(ex: Example) -> Worked:
    """What becomes of the bell exp(-x²) when the power grows?"""
    curves = [PowerCurve(m) for m in ex.inputs["m"]]

    def figure(ax: Axes) -> None:
        canvas(ax)
        x = np.linspace(-2.5, 2.5, 801)
        for place, law in enumerate(curves):
            ax.plot(x, law.curve(x), color=colour(place), lw=1.6, label=f"m = {law.m:g}, area {law.area:.3f}")
        ax.set(xlabel="x", ylabel="exp(-|x|^m)", ylim=(0, 1.3))
        legend(ax)

    values = {"area": [law.area for law in curves], "values": [law.curve(ex.inputs["x"]) for law in curves]}
    return Worked(values, figure)


@worked("EX-PRB-20")
def word_shares(ex: Example) -> Worked:
    """How probable is each word after ten, and a word that has not come yet?"""
    words, vocabulary = ex.inputs["words"], ex.inputs["vocabulary"]
    one = Membership.whole(len(words))
    is_a: Any = fit(BernoulliFamily(estimation="ml"), np.array([[float(word == "a")] for word in words]), one)

    def shares(known: list[str], alpha: float) -> list[float]:
        codes = np.array([[known.index(word)] for word in words], dtype=np.int32)
        family = CategoricalFamily(alpha=alpha, levels=(tuple(known),))
        law: Any = fit(family, Codes(codes, np.zeros(1, dtype=np.int64), (tuple(known),)), one)
        return [float(law.probability(0)[word][0]) for word in known]

    values = {
        "theta_a": float(is_a.probability[0, 0]),
        "categorical": shares(sorted(set(words)), 0.0),
        "smoothed": shares(vocabulary, 1.0),
    }
    return Worked(values)


@worked("EX-PRB-26")
def mapped_correlation(ex: Example) -> Worked:
    """Does the correlation change when both numbers are scaled and shifted?"""
    x, y = (np.array(ex.inputs[name], dtype=float) for name in ("x", "y"))

    def rho(first: NDArray[Any], second: NDArray[Any]) -> float:
        return float(column_correlations(np.column_stack([first, second]))[0, 1])

    mapped = rho(ex.inputs["a"] * x + ex.inputs["b"], ex.inputs["c"] * y + ex.inputs["d"])
    return Worked({"rho": rho(x, y), "rho_mapped": mapped})
