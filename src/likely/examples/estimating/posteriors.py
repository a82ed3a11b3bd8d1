"""Worked examples of priors and posteriors: what is believed of a probability as data arrive."""

from typing import Any

import numpy as np

from likely.distributions import BernoulliFamily, fit
from likely.estimation import Beta, Dirichlet, laplace, prior_effect
from likely.examples.catalogue import Example
from likely.examples.worked import Axes, Worked, worked
from likely.figures import BeliefsDisplay, PriorEffectDisplay, panels
from likely.probability import gamma_function


@worked("EX-EST-07")
def four_heads_and_a_tail(ex: Example) -> Worked:
    """How probable is a head after four heads and a tail, if every probability was equally credible before?"""
    from scipy.integrate import quad

    heads, tails = ex.inputs["heads"], ex.inputs["tails"]
    flat = Beta(1, 1)
    after = flat.update(heads, tails)
    likeliest: Any = fit(BernoulliFamily(estimation="ml"), np.repeat([[1.0], [0.0]], [heads, tails], axis=0))
    values = {
        "mle": likeliest.probability[0, 0],
        "evidence_without_coefficient": np.exp(flat.log_evidence(heads, tails)),
        "posterior_constant": after.density(0.5) / 0.5 ** (heads + tails),  # what stands before x^4 (1 - x)
        "predictive": np.exp(after.predictive.log_density(np.array([[1.0]])))[0, 0],
        "predictive_by_integral": quad(lambda x: x * after.density(x), 0, 1)[0],
    }
    return Worked(values)


@worked("EX-EST-08")
def prior_to_posterior(ex: Example) -> Worked:
    """What does a Beta prior become after seven heads and three tails?"""
    prior = Beta(ex.inputs["a"], ex.inputs["b"])
    after = prior.update(ex.inputs["heads"], ex.inputs["tails"])
    values = {
        "posterior": [after.a, after.b],
        "prior_mean": prior.mean,
        "posterior_mean": after.mean,
        "predictive": np.exp(after.predictive.log_density(np.array([[1.0]])))[0, 0],
        "map": after.mode,
        "variance": after.variance,
        "equivalent_sample_size": prior.equivalent_sample_size,
        "p_below_half": after.probability(below=0.5),
    }
    return Worked(values)


@worked("EX-EST-09")
def spam_rate(ex: Example) -> Worked:
    """How sure is it that most mail is spam, after one ham and more and more spam?"""
    prior, ham = Beta(*ex.inputs["prior"]), ex.inputs["ham"]
    beliefs = {n: prior.update(n - ham, ham) for n in ex.inputs["n"]}
    values = {
        "posteriors": [[one.a, one.b] for one in beliefs.values()],
        "map": [one.mode for one in beliefs.values()],
        "map_n5": beliefs[5].mode,
        "p_bias_to_ham_n10": beliefs[10].probability(below=0.5),
        "p_bias_to_spam_n10": beliefs[10].probability(above=0.5),
        "n2_median": beliefs[2].median,
    }

    def figure(ax: Axes) -> None:
        spam = [n - ham for n in beliefs]
        name = "probability of spam"
        BeliefsDisplay.from_counts(spam, [ham] * len(spam), prior=prior, name=name, ax=ax)

    return Worked(values, figure)


@worked("EX-EST-10")
def beta_integral(ex: Example) -> Worked:
    """What is the area under x^4 (1 - x), and what are some values of the gamma function?"""
    from scipy.integrate import quad

    a, b = ex.inputs["a"], ex.inputs["b"]
    values = {
        "integral": np.exp(Beta(1, 1).log_evidence(a, b)),
        "integral_numeric": quad(lambda x: x**a * (1 - x) ** b, 0, 1)[0],
        "gamma": gamma_function(ex.inputs["x"]),
    }
    return Worked(values)


@worked("EX-EST-11")
def three_levels(ex: Example) -> Worked:
    """What is predicted of three levels before and after ten observations?"""
    prior = Dirichlet(ex.inputs["alpha"])
    after = prior.update(ex.inputs["counts"])
    values = {
        "prior_predictive": prior.mean,
        "posterior": after.alpha,
        "predictive": list(after.predictive.probabilities.values()),
        "map": after.mode,
        "equivalent_sample_size": prior.equivalent_sample_size,
    }
    return Worked(values)


@worked("EX-EST-12")
def effect_of_priors(ex: Example) -> Worked:
    """How long does a prior show in the prediction as data arrive?"""
    tails = np.array(ex.inputs["n_tails"], dtype=float)
    effect = prior_effect(ex.inputs["ratio"] * tails, tails, ex.inputs["priors"])
    values = {"curves": effect.prediction, "limit": effect.share[-1]}

    def figure(ax: Axes) -> None:
        growing, tossed = panels(ax, 2)
        PriorEffectDisplay.from_counts(ex.inputs["ratio"] * tails, tails, ex.inputs["priors"], ax=growing)
        tosses = np.random.default_rng(0).random(60) < values["limit"]
        PriorEffectDisplay.from_sequence(tosses, ex.inputs["priors"], ax=tossed)

    return Worked(values, figure, size=(9.6, 4.0))


@worked("EX-EST-21")
def few_and_many(ex: Example) -> Worked:
    """How far apart are the likeliest and the Bayesian estimate, and how wide is the interval, as data grow?"""
    beliefs = [Beta(1, 1).update(heads, tails) for heads, tails in ex.inputs["cases"]]
    values = {
        "mle": [Beta(0, 0).update(heads, tails).mean for heads, tails in ex.inputs["cases"]],
        "posterior_mean": [one.mean for one in beliefs],
        "posterior_sd": [one.standard_deviation for one in beliefs],
        "central_95": [list(one.interval(0.95)) for one in beliefs],
    }
    return Worked(values)


@worked("EX-EST-22")
def step_by_step(ex: Example) -> Worked:
    """Is the belief the same whether mail is learned one by one or all at once?"""
    bits = [int(name == "spam") for name in ex.inputs["stream"]]
    beliefs = [Beta(*ex.inputs["prior"])]
    for bit in bits:
        beliefs.append(beliefs[-1].update([bit]))
    at_once = beliefs[0].update(bits)
    values = {
        "trace": [[one.a, one.b] for one in beliefs[1:]],
        "batch": [at_once.a, at_once.b],
        "laplace": laplace(sum(bits), len(bits)),
        "posterior_mean_uniform_prior": Beta(1, 1).update(bits).mean,
        "map_with_beta_2_2": Beta(2, 2).update(bits).mode,
    }
    return Worked(values)
