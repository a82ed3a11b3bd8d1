"""What must hold of the worked examples of group EXF beside their numbers (which are in test_worked)."""

import numpy as np
from catalogue import check, covers

from likely import GaussianBayes, NaiveBayes
from likely.distributions import ExponentialForm
from likely.examples import run


@covers("EX-EXF-01")
def test_a_fitted_classifier_is_logistic(ex):
    # two points per class and feature with these means and variances
    rows, y, q = [], [], ex.inputs["q"]
    for k, mean in enumerate((ex.inputs["mu0"], ex.inputs["mu1"])):
        for signs in [(1, 1), (1, -1), (-1, 1), (-1, -1)]:
            rows.append(mean + np.sqrt(ex.inputs["var"]) * signs)
            y.append(k)
    form = GaussianBayes("shared_diagonal", class_prior=[1 - q, q]).fit(rows, y).as_linear()
    weights, bias = form.log_odds(1, 0)
    check(ex.id, "beta", weights)
    check(ex.id, "gamma", bias)


@covers("EX-EXF-03")
def test_softmax_of_indicators_is_the_model(ex):
    model = NaiveBayes("categorical").fit(np.array(ex.inputs["rows"], dtype=object), ex.inputs["play"])
    query = np.array([ex.inputs["query"]], dtype=object)
    assert np.allclose(model.as_linear().predict_proba(query), model.predict_proba(query), atol=1e-12)


@covers("EX-EXF-08")
def test_priors_shift_the_logistic_curve(ex):
    equal, above, below = run(ex.id).values["equal_point"]
    assert above < equal < below  # q above one half moves the curve left, below moves it right


@covers("EX-EXF-09")
def test_log_partition_of_the_form(ex):
    b = np.array(ex.inputs["eta_b"], dtype=float)
    form = ExponentialForm.multinomial([np.exp(b) / np.exp(b).sum()])
    at_b = run(ex.id).values["at_b"]
    assert np.isclose(form.log_partition[0], at_b - b[-1])  # natural parameters are relative to the last one
