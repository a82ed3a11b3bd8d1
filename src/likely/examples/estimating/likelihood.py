"""Worked examples of likelihood: estimates and how sure they are, smoothed shares, means and covariances."""

from typing import Any

import numpy as np

from likely.distributions import GaussianFamily, MultivariateGaussianFamily, fit
from likely.estimation import add_alpha, class_prior, laplace, m_estimate, maximum_likelihood, mean_given_covariance
from likely.examples.catalogue import Example
from likely.examples.worked import Axes, Worked, worked
from likely.figures import MUTED, canvas, colour, legend
from likely.probability import Binomial


@worked("EX-EST-01")
def thumbtack(ex: Example) -> Worked:
    """How likely is a series of tosses, and which probability of heads makes it most likely?"""
    tosses = [toss == "H" for toss in ex.inputs["tosses"]]
    found = maximum_likelihood(tosses, "bernoulli")
    values = {
        "heads": sum(tosses),
        "tails": len(tosses) - sum(tosses),
        "likelihood_at_half": np.exp(found.log_likelihood_at(ex.inputs["theta_probe"])),
        "mle": found.estimate["probability"],
        "log_likelihood_at_mle": found.log_likelihood,
    }

    def figure(ax: Axes) -> None:
        from likely.figures import LikelihoodDisplay

        LikelihoodDisplay.from_fit(found, scale="likelihood", ax=ax)
        ax.set_xlabel("probability of heads")

    return Worked(values, figure)


@worked("EX-EST-02")
def five_in_eight(ex: Example) -> Worked:
    """How likely are five heads in eight tosses under several probabilities of heads?"""
    heads, n = ex.inputs["heads"], ex.inputs["n"]
    number = maximum_likelihood((heads, n), "binomial")  # in any order
    series = maximum_likelihood({1: heads, 0: n - heads}, "bernoulli")  # in one order
    values = {
        "coefficient": round(np.exp(number.log_likelihood - series.log_likelihood)),
        "likelihood": np.exp(number.log_likelihood_at(ex.inputs["theta"])),
        "mle": number.estimate["probability"],
    }
    return Worked(values)


@worked("EX-EST-03")
def curvature(ex: Example) -> Worked:
    """How sharp is the peak of the likelihood, and how sharp with ten times as many tosses?"""
    heads, tails = ex.inputs["heads"], ex.inputs["tails"]
    found = maximum_likelihood({1: heads, 0: tails}, "bernoulli")
    more = maximum_likelihood({1: 10 * heads, 0: 10 * tails}, "bernoulli")
    number = maximum_likelihood((heads, heads + tails), "binomial")
    values = {
        "information": found.information[0, 0],
        "information_n_form": number.information[0, 0],
        "standard_error": found.standard_errors["probability"],
        "with_ten_times_the_data": more.information[0, 0],
    }
    return Worked(values)


@worked("EX-EST-04")
def odds_of_heads(ex: Example) -> Worked:
    """What are the most likely odds of heads?"""
    found = maximum_likelihood({1: ex.inputs["heads"], 0: ex.inputs["tails"]}, "bernoulli")
    values = {
        "theta": found.estimate["probability"],
        "odds": found.of(lambda p: p / (1 - p)).value,
        "log_odds": found.of(lambda p: np.log(p / (1 - p))).value,
    }
    return Worked(values)


@worked("EX-EST-05")
def fair_tack(ex: Example) -> Worked:
    """Can a tack that fell on its head 30 times in 50 be a fair one?"""
    found = maximum_likelihood({1: ex.inputs["heads"], 0: ex.inputs["tails"]}, "bernoulli")
    test = found.test(ex.inputs["theta0"])
    values = {
        "mle": found.estimate["probability"],
        "likelihood_ratio": test.likelihood_ratio,
        "deviance": test.deviance,
        "p_value": test.p_value,
    }
    return Worked(values)


@worked("EX-EST-06")
def three_outcomes(ex: Example) -> Worked:
    """Which probabilities make the counts of three outcomes most likely?"""
    found = maximum_likelihood(dict(enumerate(ex.inputs["counts"])), "categorical")
    return Worked({"theta": found.estimate["probability"], "log_likelihood": found.log_likelihood})


@worked("EX-EST-13")
def pseudo_counts(ex: Example) -> Worked:
    """How probable is an outcome that was never seen, by several corrections?"""
    d, n, k = (ex.inputs[name] for name in "dnk")
    values = {
        "mle": maximum_likelihood((d, n), "binomial").estimate["probability"],
        "laplace_binary": laplace(d, n),
        "laplace_k": laplace(d, n, k),
        "add_alpha_binary": add_alpha(d, n, ex.inputs["alpha"]),
        "m_estimate": m_estimate(d, n, ex.inputs["m"], ex.inputs["p"]),
        "m_estimate_equals_laplace_when_m_k_p_1_over_k": m_estimate(d, n, k, 1 / k),
    }
    return Worked(values)


@worked("EX-EST-14")
def outlook(ex: Example) -> Worked:
    """How probable is each outlook on a day of play, with a few imaginary days shared among the outlooks?"""
    counts, mu = ex.inputs["counts"], ex.inputs["mu"]
    even = m_estimate(counts, sum(counts), mu, np.full(len(counts), 1 / len(counts)))
    values = {
        "uniform": even,
        "uniform_sum": even.sum(),
        "nonuniform": m_estimate(counts, sum(counts), mu, ex.inputs["p_nonuniform"]),
        "first_uniform": even[0],
    }
    return Worked(values)


@worked("EX-EST-15")
def smoothed_prior(ex: Example) -> Worked:
    """What are the prior probabilities of classes of which one was never seen?"""
    counts, beta = ex.inputs["counts"], ex.inputs["beta"]
    return Worked({"prior": class_prior(counts, beta), "no_data": class_prior([0] * len(counts), beta)})


@worked("EX-EST-16")
def unseen_feature(ex: Example) -> Worked:
    """How probable is a feature that no example of a class has shown?"""
    rate = add_alpha(ex.inputs["n_feature"], ex.inputs["n_class"], ex.inputs["alpha"])
    return Worked({"rate": rate, "rate_with_eight_examples": rate[1]})


@worked("EX-EST-17")
def two_normal_laws(ex: Example) -> Worked:
    """Which normal laws make the values of two classes most likely, and which variances are unbiased?"""
    values: dict[str, float] = {}
    for name in "ST":
        found = maximum_likelihood(ex.inputs[name], "gaussian").estimate
        unbiased: Any = fit(GaussianFamily(ddof=1), np.array(ex.inputs[name], dtype=float)[:, None])
        values |= {f"{name}_mean": found["mean"], f"{name}_variance": found["variance"]}
        values[f"{name}_unbiased_variance"] = float(unbiased.variance[0, 0])
    return Worked(values)


@worked("EX-EST-18")
def normal_vectors(ex: Example) -> Worked:
    """Which mean vector and covariance matrix make four points most likely?"""
    x = np.array(ex.inputs["x"], dtype=float)
    found = maximum_likelihood(x, "multivariate gaussian").estimate
    unbiased: Any = fit(MultivariateGaussianFamily(ddof=1), x)
    values = {"mean": found["mean"], "cov_mle": found["covariance"], "cov_unbiased": unbiased.covariance[0]}
    return Worked(values)


@worked("EX-EST-19")
def nearest_point(ex: Example) -> Worked:
    """Which point has the smallest total squared distance to four others, in units of a known covariance?"""
    x, cov = np.array(ex.inputs["x"], dtype=float), np.array(ex.inputs["cov"], dtype=float)
    found = mean_given_covariance(x, cov)
    values = {"argmin": found.mean, "total_at_mean": found.total, "total_nearby": found.total_at(found.mean + 0.1)}
    return Worked(values)


@worked("EX-EST-23")
def settling(ex: Example) -> Worked:
    """How far from the true rate are estimates from more and more tosses?"""
    theta, sizes = ex.inputs["theta"], np.array(ex.inputs["n"])
    rng = np.random.default_rng(ex.inputs["seed"])
    drawn = np.stack([Binomial(int(n), theta).sample(ex.inputs["runs"], rng) / n for n in sizes])
    # what the information of n tosses at the true rate promises: the Cramer-Rao bound
    bound = [maximum_likelihood({1: theta * n, 0: (1 - theta) * n}, "bernoulli").covariance[0, 0] for n in sizes]
    values = {
        "variance": bound,
        "mean_squared_error": ((drawn - theta) ** 2).mean(axis=1),
        "mean": drawn.mean(axis=1),
    }

    def figure(ax: Axes) -> None:
        canvas(ax)
        ax.axhline(theta, color=MUTED, lw=0.9, label="the true rate")
        places = np.arange(len(sizes))
        parts = ax.violinplot(drawn.T, places, widths=0.8, showextrema=False)
        bodies: Any = parts["bodies"]
        for body in bodies:
            body.set(facecolor=colour(0), alpha=0.35)
        ax.errorbar(
            places,
            drawn.mean(axis=1),
            yerr=np.sqrt(bound),
            fmt="o",
            color=colour(1),
            capsize=3,
            label="mean of the estimates and the promised standard error",
        )
        ax.set_xticks(places, [f"{n:,}" for n in sizes])
        ax.set(xlabel="tosses", ylabel="estimate", ylim=(0, 1))
        legend(ax)

    return Worked(values, figure)
