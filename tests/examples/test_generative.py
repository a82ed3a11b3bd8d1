"""What must hold of the worked examples of group GEN beside their numbers (which are in test_worked)."""

import numpy as np
import polars as pl
import pytest
from catalogue import covers

from likely import NaiveBayes
from likely.distributions import HistogramFamily, fit, posterior
from likely.examples import find, run
from likely.examples.classifying.categories import fish
from likely.statistics import Membership


@covers("EX-GEN-02")
def test_histogram_classifier_with_empty_bins(ex):
    X, y = fish(find(ex.id))
    bare = NaiveBayes("categorical", alpha=0, unseen="prior").fit(X, y)
    assert bare.class_count_.tolist() == [100, 100]
    # at 20 cm both likelihoods are zero: no posterior, and what is left is the prior
    assert np.isneginf(bare.log_likelihood([[20]])).all()
    assert bare.predict_proba([[20]])[0].tolist() == [0.5, 0.5]


@covers("EX-GEN-05")
def test_bernoulli_documents_are_counted(ex):
    X = np.vstack([ex.inputs["sport"], ex.inputs["informatics_substitute"]])
    model = NaiveBayes("bernoulli", alpha=0).fit(X, ["S"] * 6 + ["I"] * 5)
    assert model.statistic_.given.parts[0].weight.tolist() == [5, 6]


@covers("EX-GEN-11")
def test_dating_knows_all_levels(ex):
    model = NaiveBayes("categorical").fit(np.array(ex.inputs["rows"], dtype=object), ex.inputs["labels"])
    assert [len(levels) for levels in model.distribution_.parts[0].levels] == ex.inputs["arity"]


@covers("EX-GEN-17")
def test_three_gaussian_classes(ex):
    found, true = run(ex.id).values, ex.inputs["true"]
    assert np.abs(found["fitted_means"] - [true[k]["mean"] for k in "ABC"]).max() < 0.4
    assert np.abs(found["fitted_covariances"] - [true[k]["cov"] for k in "ABC"]).max() < 1.0
    assert abs(found["test_accuracy"] - ex.expected["best_accuracy"]["value"]) < 0.06


@covers("EX-GEN-22")
def test_the_printed_shift_overflows(ex):
    with np.errstate(over="ignore"):
        assert np.isinf(np.exp(np.array(ex.inputs["alpha"]) - ex.printed["gamma"]).sum())


@covers("EX-GEN-27")
def test_points_come_from_the_class_that_was_drawn(ex):
    found = run(ex.id).values
    for k in ex.inputs["prior"]:
        assert abs(found["class_means"][k] - ex.inputs["mean"][k]) < 0.06
        assert abs(found["class_deviations"][k] - ex.inputs["sd"][k]) < 0.06


@covers("EX-GEN-28")
def test_posterior_of_a_number_cut_in_bins(ex):
    x = np.array(ex.inputs["S"] + ex.inputs["T"], dtype=float)[:, None]
    histogram = fit(HistogramFamily(bins=tuple(ex.inputs["edges"])), x, Membership.of_labels(np.repeat([0, 1], 6), 2))
    query = np.array([[float(ex.inputs["query"])]])
    assert posterior(histogram, [0.5, 0.5], query)[0, 0] == pytest.approx(0.6)


def test_mixed_attributes_multiply_inside_one_model():
    X = pl.DataFrame({"outlook": ["sunny", "rainy", "sunny", "rainy"], "temperature": [70.0, 74.0, 80.0, 88.0]})
    mixed = NaiveBayes().fit(X, ["a", "a", "b", "b"])
    alone = [
        NaiveBayes().fit(X.select(name), ["a", "a", "b", "b"]).log_likelihood(X.select(name)) for name in X.columns
    ]
    assert np.allclose(mixed.log_likelihood(X), alone[0] + alone[1], atol=1e-12)


@covers("EX-GEN-17")
def test_the_regions_are_three(ex):
    from likely.decisions import decision_regions
    from likely.decisions.optimal.population import Population
    from likely.distributions import MultivariateGaussian

    true = ex.inputs["true"]
    means, covariances = (np.array([true[k][part] for k in "ABC"], dtype=float) for part in ("mean", "cov"))
    best = Population.of(MultivariateGaussian.of(means, covariances), classes=list("ABC"))
    side = np.linspace(-8, 8, 60)
    assert min(decision_regions(best, side, side).pieces().values()) >= 1  # each class has an area
