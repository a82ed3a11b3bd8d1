"""Worked examples of classifiers that count: histograms and categorical naive Bayes."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely import NaiveBayes
from likely.data import TableLike
from likely.distributions import Categorical, Gaussian, Product, posterior
from likely.examples.catalogue import Example
from likely.examples.worked import Axes, Worked, worked
from likely.figures import ClassHistogramDisplay
from likely.probability import bayes
from likely.statistics import Codes


@worked("EX-GEN-01")
def fish_by_ratio(ex: Example) -> Worked:
    """Which sex is a fish of a given length, by the ratio of the posteriors, and with twice as many females?"""
    likelihood = {x: dict(zip("MF", pair, strict=True)) for x, pair in ex.inputs["likelihood"].items()}
    even = {x: bayes("uniform", pair) for x, pair in likelihood.items()}
    twice = bayes({"M": ex.inputs["prior_M"], "F": 1 - ex.inputs["prior_M"]}, likelihood["11"])
    values = {
        "ratio": {x: found.odds("M", "F") for x, found in even.items()},
        "classes": {x: found.best[0] for x, found in even.items()},
        "ratio_11_twice_as_many_females": twice.odds("M", "F"),
        "class_11_twice_as_many_females": twice.best[0],
    }
    return Worked(values)


def fish(ex: Example) -> tuple[NDArray[Any], NDArray[Any]]:
    """The lengths (n, 1) and sexes (n,) of the fish that the table counts."""
    rows = [(int(x), sex) for sex in "MF" for x, n in ex.inputs[f"n_{sex}"].items() for _ in range(n)]
    return np.array([[x] for x, _ in rows]), np.array([sex for _, sex in rows])


@worked("EX-GEN-02")
def fish_by_histogram(ex: Example) -> Worked:
    """Which sex is a fish of a length at which few or no fish of a sex, or of both, were measured?"""
    X, y = fish(ex)
    bare = NaiveBayes("categorical", alpha=0, unseen="prior").fit(X, y)
    smooth = NaiveBayes("categorical", alpha=1, unseen="prior").fit(X, y)
    unseen = np.isneginf(bare.log_likelihood([[20]])).all()  # then no posterior, and what is left is the prior
    values = {
        "total_M": int((y == "M").sum()),
        "total_F": int((y == "F").sum()),
        "p_M_given_4": bare.predict_proba([[4]])[0, 1],
        "p_F_given_18": bare.predict_proba([[18]])[0, 0],
        "p_M_given_20": None if unseen else bare.predict_proba([[20]])[0, 1],
        "p_M_given_4_smoothed": smooth.predict_proba([[4]])[0, 1],
        "p_M_given_20_smoothed": smooth.predict_proba([[20]])[0, 1],
        "training_bayes_error": 1 - bare.score(X, y),
    }

    def figure(ax: Axes) -> None:
        ClassHistogramDisplay.from_estimator(bare, X, y, name="length", unit="cm", ax=ax)

    return Worked(values, figure, (9.0, 3.8))


def weather(ex: Example, **options: Any) -> NaiveBayes:
    """Naive Bayes of the weather table."""
    rows = np.array(ex.inputs["rows"], dtype=object)
    return NaiveBayes("categorical", **options).fit(rows, ex.inputs["play"])


def joint(model: NaiveBayes, X: TableLike) -> list[dict[str, float]]:
    """Joint probabilities of each class with each row, by class name."""
    together = np.exp(model.log_likelihood(X) + np.log(model.class_prior_))
    return [dict(zip(model.classes_.tolist(), row, strict=True)) for row in together.tolist()]


def learned(model: NaiveBayes) -> Any:
    """What a naive Bayes model of one family learned: the distributions of its columns within the classes."""
    return model.distribution_.parts[0]


def counted(model: NaiveBayes) -> Any:
    """What a naive Bayes model of one family counted."""
    given: Any = model.statistic_.given
    return given.parts[0]


@worked("EX-GEN-03")
def play(ex: Example) -> Worked:
    """Does one play on a sunny, cool, humid and windy day?"""
    model = weather(ex, alpha=0)
    counts = counted(model)
    query = np.array([ex.inputs["query"]], dtype=object)
    both, p = joint(model, query)[0], model.predict_proba(query)[0]
    values: dict[str, Any] = {
        f"counts_{label}": {
            name: dict(zip(counts.levels[j], counts.table(j)[k].tolist(), strict=True))
            for j, name in enumerate(ex.inputs["attributes"])
        }
        for k, label in enumerate(["no", "yes"])
    }
    values |= {
        "p_hot_given_yes": learned(model).probability(1)["hot"][1],
        "joint_yes": both["yes"],
        "joint_no": both["no"],
        "ratio": both["yes"] / both["no"],
        "posterior_no": p[0],
        "posterior_yes": p[1],
        "decision": model.predict(query)[0],
    }
    return Worked(values)


@worked("EX-GEN-04")
def denominator(ex: Example) -> Worked:
    """Is the probability of a day the product of the probabilities of its attributes?"""
    model = weather(ex, alpha=0)
    query = np.array([ex.inputs["query"]], dtype=object)
    rows = np.array(ex.inputs["rows"], dtype=object)
    everyone = NaiveBayes("categorical", alpha=0).partial_fit(rows, ["all"] * len(rows))
    product = float(np.exp(everyone.log_likelihood(query))[0, 0])
    both = joint(model, query)[0]
    values = {
        "product_of_marginals": product,
        "p_x_under_model": np.exp(model.log_evidence(query)[0]),
        "posterior_yes": model.predict_proba(query)[0, 1],
        "yes_over_product": both["yes"] / product,
        "no_over_product": both["no"] / product,
        "sum_over_product": (both["yes"] + both["no"]) / product,
    }
    return Worked(values)


@worked("EX-GEN-11")
def dating(ex: Example) -> Worked:
    """Will she like a person with these attributes, and what if no liked person had one of them?"""
    rows, queries = (np.array(ex.inputs[name], dtype=object) for name in ("rows", "queries"))
    bare = NaiveBayes("categorical", alpha=0).fit(rows, ex.inputs["labels"])
    smooth = NaiveBayes("categorical", alpha=1).fit(rows, ex.inputs["labels"])
    plus = bare.classes_.tolist().index("+")
    likelihood = np.exp(bare.log_likelihood(queries))
    first, second = joint(bare, queries)
    corrected = joint(smooth, queries)[1]
    values = {
        "prior_pos": bare.class_prior_[plus],
        "prior_neg": bare.class_prior_[1 - plus],
        "lik1_pos": likelihood[0, plus],
        "lik1_neg": likelihood[0, 1 - plus],
        "joint1_pos": first["+"],
        "joint1_neg": first["-"],
        "joint2_pos": second["+"],
        "joint2_neg": second["-"],
        "joint2_laplace_pos": corrected["+"],
        "joint2_laplace_neg": corrected["-"],
        "class1": bare.predict(queries)[0],
        "class2_laplace": smooth.predict(queries)[1],
    }
    return Worked(values)


@worked("EX-GEN-21")
def missing_cells(ex: Example) -> Worked:
    """What does naive Bayes say of a day with an attribute missing, and learn from a table with a hole?"""
    model = weather(ex, alpha=0)
    query = np.array([ex.inputs["query_missing"]], dtype=object)
    both = joint(model, query)[0]
    rows = np.array(ex.inputs["rows"], dtype=object)
    row, column = ex.inputs["blank"]
    rows[row, column] = None
    blanked = NaiveBayes("categorical", alpha=0).fit(rows, ex.inputs["play"])
    counts = counted(blanked)
    sunny = counts.levels[0].index("sunny")
    values = {
        "joint_yes": both["yes"],
        "joint_no": both["no"],
        "posterior_no": model.predict_proba(query)[0, 0],
        "sunny_given_no_after_blank": learned(blanked).probability(0)["sunny"][0],
        "count_over": [counts.table(0)[0, sunny], counts.table(0)[0].sum()],
    }
    return Worked(values)


@worked("EX-GEN-29")
def mixed_attributes(ex: Example) -> Worked:
    """Does one play on a sunny day of a certain temperature: a level and a number in one product?"""
    names = ["yes", "no"]
    prior = [ex.inputs["prior"][k] for k in names]
    mean, sd = (np.array([[float(ex.inputs["temperature"][k][i])] for k in names]) for i in (0, 1))
    sunny, levels = np.array([ex.inputs["p_sunny"][k] for k in names]), (("sunny", "not sunny"),)
    outlook = Categorical(levels, np.log(np.column_stack([sunny, 1 - sunny])), np.full((2, 1), -np.inf))
    law = Product((outlook, Gaussian(mean, sd**2)))
    today = Codes(np.zeros((1, 1), dtype=np.int32), np.zeros(1, dtype=np.int64), levels)
    query = (today, np.array([[float(ex.inputs["query"]["temperature"])]]))
    both = prior * np.exp(law.log_density(query))[0]
    values = {
        "joint": dict(zip(names, both.tolist(), strict=True)),
        "posterior_yes": posterior(law, prior, query)[0, 0],
    }
    return Worked(values)
