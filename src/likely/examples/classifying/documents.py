"""Worked examples of classifying texts by bits and by counts of words."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely import NaiveBayes
from likely.data import bag_of_words, document_cells
from likely.distributions import Bernoulli, Multinomial, posterior
from likely.examples.catalogue import Example
from likely.examples.classifying.categories import joint, learned
from likely.examples.worked import Worked, worked
from likely.probability import normalize

_SPAM = ("spam", "ham")


def _sport_or_informatics(ex: Example) -> tuple[NDArray[Any], NDArray[Any]]:
    """The documents (n, word) of both classes, and the classes."""
    parts = [np.array(ex.inputs[name], dtype=float) for name in ("sport", "informatics_substitute")]
    return np.vstack(parts), np.repeat(["S", "I"], [len(part) for part in parts])


def _word_counts(words: list[str], size: int = 8) -> NDArray[Any]:
    return np.bincount([int(word[1:]) - 1 for word in words], minlength=size)


@worked("EX-GEN-05")
def bits_of_documents(ex: Example) -> Worked:
    """Is a document, by which of eight words occur in it, about sports or informatics?"""
    X, y = _sport_or_informatics(ex)
    model = NaiveBayes("bernoulli", alpha=0).fit(X, y)
    probability = learned(model).probability
    values = {
        "n_S": X[y == "S"].sum(axis=0),
        "n_I": X[y == "I"].sum(axis=0),
        "p_I": probability[0],
        "p_S": probability[1],
        "prior_S": model.class_prior_[1],
        "p_I_w2": probability[0, 1],
        "p_I_w6": probability[0, 5],
    }
    for name, bits in ex.inputs["queries"].items():
        both = joint(model, [bits])[0]
        values |= {
            f"{name}_S": both["S"],
            f"{name}_I": both["I"],
            f"{name}_class": model.predict([bits])[0],
            f"{name}_posterior_S": model.predict_proba([bits])[0, 1],
        }
    return Worked(values)


@worked("EX-GEN-06")
def counts_of_documents(ex: Example) -> Worked:
    """Is a document, by how often each of eight words occurs in it, about sports or informatics?"""
    X, y = _sport_or_informatics(ex)
    model = NaiveBayes("multinomial", alpha=0).fit(X, y)
    words = learned(model)
    values: dict[str, Any] = {}
    for k, label in enumerate("IS"):
        values |= {f"n_{label}": X[y == label].sum(axis=0), f"total_{label}": int(X[y == label].sum())}
        for name, document in ex.inputs["queries"].items():
            counts = _word_counts(document)
            # without the multinomial coefficient, as the example has it
            likelihood = float(np.exp(counts @ np.log(words.probability[k])))
            values |= {
                f"{name}_lik_{label}": likelihood,
                f"{name}_joint_{label}": likelihood * model.class_prior_[k],
                f"{name}_posterior_{label}": model.predict_proba([counts])[0, k],
                f"{name}_class": model.predict([counts])[0],
            }
    return Worked(values)


@worked("EX-GEN-07")
def add_one(ex: Example) -> Worked:
    """What are the probabilities of the words if each had been seen once more?"""
    X, y = _sport_or_informatics(ex)
    model = NaiveBayes("multinomial", alpha=1).fit(X, y)
    probability = learned(model).probability
    values = {
        "p_I": probability[0],
        "p_S": probability[1],
        "sums": probability.sum(axis=1),
        "posterior_S": model.predict_proba([_word_counts(ex.inputs["query"])])[0, 1],
    }
    return Worked(values)


@worked("EX-GEN-08")
def spam_by_bits(ex: Example) -> Worked:
    """Is a mail that has the first two of three words spam, by likelihood and by posterior?"""
    model = Bernoulli(np.array([ex.inputs["theta_pos"], ex.inputs["theta_neg"]]))
    x = np.array([ex.inputs["x"]], dtype=float)
    likelihood = np.exp(model.log_density(x))[0]
    ratio = likelihood[0] / likelihood[1]
    prior = np.array([ex.inputs["p_spam"], 1 - ex.inputs["p_spam"]])
    p = posterior(model, prior, x)[0]
    only_b = np.array([[np.nan, 1, np.nan], [np.nan, 0, np.nan]])  # what the second word alone says
    factor = np.exp(np.diff(model.log_density(only_b)[:, ::-1]))[:, 0]
    values = {
        "lik_pos": likelihood[0],
        "lik_neg": likelihood[1],
        "likelihood_ratio": ratio,
        "ml_class": _SPAM[likelihood.argmax()],
        "prior_odds": prior[0] / prior[1],
        "posterior_odds": p[0] / p[1],
        "map_class": _SPAM[p.argmax()],
        "prior_odds_needed": 1 / ratio,
        "factor_b_present": factor[0],
        "factor_when_b_absent": factor[1],
    }
    return Worked(values)


@worked("EX-GEN-09")
def spam_by_counts(ex: Example) -> Worked:
    """Is a mail with three times the first and once the second of three words spam?"""
    x = np.array([ex.inputs["x"]], dtype=float)
    model = Multinomial(np.array([ex.inputs["theta_pos"], ex.inputs["theta_neg"]]), np.full(2, x.sum()))
    likelihood = np.exp(model.log_density(x))[0]  # with the coefficient 4! / 3! = 4, as the example has it
    values = {
        "lik_pos": likelihood[0],
        "lik_neg": likelihood[1],
        "likelihood_ratio": likelihood[0] / likelihood[1],
        "log_ratio": float(-np.diff(model.log_density(x)[0])[0]),
        "ml_class": _SPAM[likelihood.argmax()],
    }
    return Worked(values)


def _emails(ex: Example, **options: Any) -> tuple[Any, Any, NDArray[Any]]:
    names = list(ex.inputs["documents"])
    counts, vocabulary = bag_of_words([ex.inputs["documents"][name] for name in names], **options)
    label = {name: label for label, members in ex.inputs["classes"].items() for name in members}
    return counts, vocabulary, np.array([label[name] for name in names])


@worked("EX-GEN-10")
def two_text_models(ex: Example) -> Worked:
    """What do the two models of text learn from eight mails?"""
    counts, _, y = _emails(ex, stop_words=ex.inputs["stop_words"])
    table = counts.toarray()
    bits = (table > 0).astype(float)
    multinomial = learned(NaiveBayes("multinomial").fit(counts, y)).probability
    bernoulli = learned(NaiveBayes("bernoulli").fit(bits, y)).probability
    values: dict[str, Any] = {}
    for k, label in enumerate(["ham", "spam"]):
        values |= {
            f"{label}_count_sum": table[y == label].sum(axis=0),
            f"{label}_bit_sum": bits[y == label].sum(axis=0),
            f"{label}_multinomial": multinomial[k],
            f"{label}_bernoulli": bernoulli[k],
        }
    return Worked(values)


@worked("EX-GEN-23")
def linear_in_the_bits(ex: Example) -> Worked:
    """What weights turn the bits of a mail into its log odds?"""
    law = Bernoulli(np.array([ex.inputs["theta_neg"], ex.inputs["theta_pos"]]))
    coef, constant = law.linear()
    prior = [1 - ex.inputs["prior_pos"], ex.inputs["prior_pos"]]
    weights, bias = coef[1] - coef[0], constant[1] - constant[0] + np.log(prior[1] / prior[0])
    values = {
        "weights": weights,
        "bias": bias,
        "log_odds": weights @ ex.inputs["x"] + bias,
        "posterior_pos": posterior(law, prior, np.array([ex.inputs["x"]], dtype=float))[0, 1],
    }
    return Worked(values)


@worked("EX-GEN-24")
def duplicated_word(ex: Example) -> Worked:
    """What happens to the posterior when a word is counted as two or three features?"""
    word = np.array([[0.8], [0.8 / ex.inputs["lr_word"]]])
    prior = np.array([ex.inputs["prior_odds"], 1.0]) / (1 + ex.inputs["prior_odds"])
    copies = [posterior(Bernoulli(np.tile(word, n)), prior, np.ones((1, n)))[0, 0] for n in ex.inputs["copies"]]
    return Worked({"posterior": copies})


@worked("EX-GEN-25")
def text_learner(ex: Example) -> Worked:
    """What does a learner over the places of words learn, and what of a word that it never saw?"""
    counts, vocabulary, y = _emails(ex)
    model = NaiveBayes("multinomial").fit(counts, y)
    p, names = learned(model).probability, model.classes_.tolist()
    query, _ = bag_of_words([ex.inputs["query"]], vocabulary=vocabulary)
    both = np.exp(query.toarray() @ np.log(p).T)[0] * model.class_prior_
    values = {
        "vocabulary": list(vocabulary),
        "total_words": {name: int(counts.toarray()[y == name].sum()) for name in names},
        "p": {name: dict(zip(vocabulary, p[k].tolist(), strict=True)) for k, name in enumerate(names)},
        "positions_used": int(query.sum()),
        "joint": dict(zip(names, both.tolist(), strict=True)),
        "class": model.predict(query)[0],
    }
    return Worked(values)


@worked("EX-GEN-26")
def order_or_counts(ex: Example) -> Worked:
    """Does it matter for the posterior whether the order of the words is part of the likelihood?"""
    X, y = _sport_or_informatics(ex)
    model = NaiveBayes("multinomial", alpha=0).fit(X, y)
    words, counts = learned(model), _word_counts(ex.inputs["query"])
    places = [int(word[1:]) - 1 for word in ex.inputs["query"]]
    by_position = np.log(words.probability)[:, places].sum(axis=1)
    values = {
        "counts": counts,
        "coefficient": np.exp(words.log_density(counts[None].astype(float))[0] - by_position)[0],
        "posterior_by_positions": normalize((by_position + np.log(model.class_prior_))[None])[0, 1],
        "posterior_by_counts": model.predict_proba([counts])[0, 1],
    }
    return Worked(values)


@worked("EX-GEN-33")
def sizes_of_text_models(ex: Example) -> Worked:
    """How many probabilities does each model of a document need?"""
    sizes = (ex.inputs["vocabulary"], ex.inputs["length"], ex.inputs["classes"])
    values = {
        "position_model": document_cells(*sizes, model="positions"),
        "bag_of_words": document_cells(*sizes, model="multinomial"),
        "full_sequence": document_cells(*sizes, model="sequence"),
    }
    return Worked(values)
