"""Worked examples of exponential families, and of the step from generative to discriminative models."""

from typing import Any

import numpy as np

from likely import NaiveBayes
from likely.decisions import Population, decision_points, gaussian_log_odds
from likely.distributions import (
    Bernoulli,
    ExponentialForm,
    Gaussian,
    Multinomial,
    MultivariateGaussian,
    Poisson,
    posterior,
)
from likely.examples.catalogue import Example
from likely.examples.worked import Axes, Worked, worked
from likely.figures import DecisionRegionsDisplay, canvas, colour, legend
from likely.optimize import convexity_check
from likely.probability import log_sum_exp, normalize


@worked("EX-EXF-01")
def shared_variances(ex: Example) -> Worked:
    """Which logistic function is the posterior of naive Gaussian classes with the same variances?"""
    means = np.array([ex.inputs["mu0"], ex.inputs["mu1"]], dtype=float)
    law = MultivariateGaussian.of(means, np.diag(ex.inputs["var"]).astype(float))
    coef, _ = law.linear()
    q = ex.inputs["q"]
    at = [ex.inputs["x"], [0.0, 0.0]]
    z, gamma = gaussian_log_odds(at, means[::-1], law.covariance[[0, 0]], (q, 1 - q))
    naive = Gaussian(means, np.tile(np.array(ex.inputs["var"], dtype=float), (2, 1)))
    values = {
        "beta": coef[1] - coef[0],
        "gamma": gamma,
        "z": z,
        "posterior_logistic": normalize(np.array([[0.0, z]]))[0, 1],
        "posterior_bayes": posterior(naive, [1 - q, q], np.array([ex.inputs["x"]], dtype=float))[0, 1],
    }

    def figure(ax: Axes) -> None:
        both = Population.of(law, [1 - q, q], classes=["class 0", "class 1"])
        DecisionRegionsDisplay.from_population(both, lines=True, shade=False, ax=ax)

    return Worked(values, figure)


@worked("EX-EXF-02")
def shared_covariance(ex: Example) -> Worked:
    """Which softmax is the posterior of Gaussian classes with the same covariance?"""
    means = np.array(ex.inputs["means"], dtype=float)
    law = MultivariateGaussian.of(means, np.array(ex.inputs["cov"]))
    coef, constant = law.linear()
    bias = constant + np.log(ex.inputs["q"])
    x = np.array([ex.inputs["x"]], dtype=float)
    p = normalize(x @ coef.T + bias)
    values = {
        "beta": np.column_stack([bias, coef]),
        "posterior_softmax": p[0],
        "posterior_bayes": posterior(law, ex.inputs["q"], x)[0],
        "log_ratio_0_1": np.log(p[0, 0] / p[0, 1]),
    }

    def figure(ax: Axes) -> None:
        names = [f"class {k}" for k in range(len(means))]
        side = means.min() - 3, means.max() + 3
        best = Population.of(law, ex.inputs["q"], classes=names)
        options: dict[str, Any] = {"limits": (side, side), "lines": True, "aspect": "equal", "ax": ax}
        DecisionRegionsDisplay.from_population(best, x, names=["query"], **options)

    return Worked(values, figure, (5.6, 5.0))


@worked("EX-EXF-03")
def softmax_of_levels(ex: Example) -> Worked:
    """Which weights of the levels make a softmax of categorical naive Bayes?"""
    X = np.array(ex.inputs["rows"], dtype=object)
    form = NaiveBayes("categorical").fit(X, ex.inputs["play"]).as_linear()
    query = np.array([ex.inputs["query"]], dtype=object)
    scores = form.design(query) @ form.coef.T + form.intercept
    weights = zip(form.names, form.coef[0].tolist(), strict=True)
    values = {
        "scores": dict(zip(form.classes.tolist(), scores[0].tolist(), strict=True)),
        "posterior_no": form.predict_proba(query)[0, 0],
        "weights_no_outlook": {name.split("=")[1]: w for name, w in weights if name.startswith("x0=")},
    }
    return Worked(values)


@worked("EX-EXF-04")
def bernoulli_form(ex: Example) -> Worked:
    """What are the natural parameter and the log-partition of a coin?"""
    q = ex.inputs["q"]
    form = ExponentialForm.bernoulli([q])
    p0, p1 = np.exp(form.log_density([0, 1]))[:, 0]
    values = {
        "eta": form.natural[0, 0],
        "A": form.log_partition[0],
        "A_from_q": -np.log(1 - q),
        "p1": p1,
        "p0": p0,
        "mean_is_derivative_of_A": form.mean[0, 0],
    }
    return Worked(values)


@worked("EX-EXF-05")
def gaussian_form(ex: Example) -> Worked:
    """What are the natural parameters and the log-partition of a normal law?"""
    mu, sd = ex.inputs["mu"], ex.inputs["sd"]
    form = ExponentialForm.gaussian([mu], [sd**2])
    direct = Gaussian(np.array([[mu]]), np.array([[sd**2]])).log_density(np.array([[ex.inputs["x"]]]))
    values = {
        "eta": form.natural[0],
        "A": form.log_partition[0],
        "A_from_eta": mu**2 / (2 * sd**2) + np.log(sd),
        "density": np.exp(form.log_density([ex.inputs["x"]]))[0, 0],
        "density_direct": np.exp(direct)[0, 0],
    }
    return Worked(values)


@worked("EX-EXF-06")
def posterior_of_a_family(ex: Example) -> Worked:
    """What is the posterior of two members of an exponential family?"""
    theta, q, x = [ex.inputs["theta0"], ex.inputs["theta1"]], ex.inputs["q1"], ex.inputs["x"]
    form: Any = ExponentialForm.bernoulli(theta)  # has densities, which is all that a posterior needs
    values = {
        "posterior": posterior(form, [1 - q, q], [x])[0, 1],
        "posterior_bayes": posterior(Bernoulli(np.array(theta)[:, None]), [1 - q, q], np.array([[float(x)]]))[0, 1],
    }
    return Worked(values)


@worked("EX-EXF-07")
def forms_of_counts(ex: Example) -> Worked:
    """What are the multinomial and the Poisson law in exponential form?"""
    counts, k = np.array([ex.inputs["counts"]], dtype=float), ex.inputs["k"]
    form = ExponentialForm.multinomial([ex.inputs["theta"]], trials=int(counts.sum()))
    poisson = ExponentialForm.poisson([ex.inputs["lam"]])
    direct = Multinomial(np.array([ex.inputs["theta"]]), np.array([counts.sum()])).log_density(counts)
    plain = Poisson(np.array([[ex.inputs["lam"]]])).log_density(np.array([[float(k)]]))
    values = {
        "eta": form.natural[0],
        "log_partition_per_draw": form.log_partition[0] / counts.sum(),
        "multinomial_from_form": np.exp(form.log_density(counts))[0, 0],
        "multinomial": np.exp(direct)[0, 0],
        "poisson_from_form": np.exp(poisson.log_density([k]))[0, 0],
        "poisson": np.exp(plain)[0, 0],
    }
    return Worked(values)


@worked("EX-EXF-08")
def priors_shift(ex: Example) -> Worked:
    """Where does a prior shift the logistic curve of two normal classes?"""
    mu, var = [ex.inputs["mu0"], ex.inputs["mu1"]], ex.inputs["var"]
    law = Gaussian(np.array(mu, dtype=float)[:, None], np.full((2, 1), float(var)))
    x = np.array([[ex.inputs["x"]]])
    equal = [float(decision_points(mu, [np.sqrt(var)] * 2, [1 - q, q])[0]) for q in ex.inputs["q"]]

    def figure(ax: Axes) -> None:
        canvas(ax)
        across = np.linspace(min(mu) - 4 * var**0.5, max(mu) + 4 * var**0.5, 401)[:, None]
        for k, (q, at) in enumerate(zip(ex.inputs["q"], equal, strict=True)):
            p = posterior(law, [1 - q, q], across)[:, 1]
            ax.plot(across[:, 0], p, color=colour(k), lw=1.8, label=f"prior {q:g}: one half at {at:.3f}")
            ax.plot(at, 0.5, "o", color=colour(k), markersize=5)
        ax.set(xlabel="x", ylabel="probability of class 1", ylim=(0, 1))
        legend(ax)

    values = {"posterior": [posterior(law, [1 - q, q], x)[0, 1] for q in ex.inputs["q"]], "equal_point": equal}
    return Worked(values, figure)


@worked("EX-EXF-09")
def convex_log_partition(ex: Example) -> Worked:
    """Does the log-partition function lie below its chords?"""
    a, b = np.array(ex.inputs["eta_a"], dtype=float), np.array(ex.inputs["eta_b"], dtype=float)
    at_a, at_b, middle = (float(log_sum_exp(eta)) for eta in (a, b, (a + b) / 2))
    values = {
        "at_a": at_a,
        "at_b": at_b,
        "at_middle": middle,
        "chord_middle": (at_a + at_b) / 2,
        "middle_below_chord": convexity_check(log_sum_exp, np.minimum(a, b), np.maximum(a, b)).convex,
    }
    return Worked(values)
