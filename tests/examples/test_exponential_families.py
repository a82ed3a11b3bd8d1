"""The worked examples of group EXF: exponential families, and from generative to discriminative models."""

import numpy as np
from catalogue import check, covered, covers, differs, ids

from likely import GaussianBayes, NaiveBayes
from likely.decisions.boundaries import decision_points
from likely.distributions import Bernoulli, ExponentialForm, Gaussian, MultivariateGaussian, posterior
from likely.numeric.logspace import log_sum_exp, normalize


@covers("EX-EXF-01")
def test_shared_variances_are_logistic(ex):
    means = np.array([ex.inputs["mu0"], ex.inputs["mu1"]], dtype=float)
    law = MultivariateGaussian.of(means, np.diag(ex.inputs["var"]).astype(float))
    coef, constant = law.linear()
    q = ex.inputs["q"]
    beta, gamma = coef[1] - coef[0], constant[1] - constant[0] + np.log(q / (1 - q))
    z = beta @ ex.inputs["x"] + gamma
    check(ex.id, "beta", beta)
    check(ex.id, "gamma", gamma)
    check(ex.id, "z", z)
    check(ex.id, "posterior_logistic", 1 / (1 + np.exp(-z)))
    naive = Gaussian(means, np.tile(np.array(ex.inputs["var"], dtype=float), (2, 1)))
    check(ex.id, "posterior_bayes", posterior(naive, [1 - q, q], np.array([ex.inputs["x"]], dtype=float))[0, 1])
    # the same by a fitted classifier: two points per class and feature with these means and variances
    rows, y = [], []
    for k, mean in enumerate(means):
        for signs in [(1, 1), (1, -1), (-1, 1), (-1, -1)]:
            rows.append(mean + np.sqrt(ex.inputs["var"]) * signs)
            y.append(k)
    form = GaussianBayes("shared_diagonal", class_prior=[1 - q, q]).fit(rows, y).as_linear()
    weights, bias = form.log_odds(1, 0)
    check(ex.id, "beta", weights)
    check(ex.id, "gamma", bias)


@covers("EX-EXF-02")
def test_shared_covariance_is_softmax(ex):
    law = MultivariateGaussian.of(np.array(ex.inputs["means"], dtype=float), np.array(ex.inputs["cov"]))
    coef, constant = law.linear()
    bias = constant + np.log(ex.inputs["q"])
    check(ex.id, "beta", np.column_stack([bias, coef]))
    x = np.array([ex.inputs["x"]], dtype=float)
    p = normalize(x @ coef.T + bias)
    check(ex.id, "posterior_softmax", p[0])
    check(ex.id, "posterior_bayes", posterior(law, ex.inputs["q"], x)[0])
    check(ex.id, "log_ratio_0_1", np.log(p[0, 0] / p[0, 1]))


@covers("EX-EXF-03")
def test_categorical_is_softmax_of_indicators(ex):
    X = np.array(ex.inputs["rows"], dtype=object)
    model = NaiveBayes("categorical").fit(X, ex.inputs["play"])
    form = model.as_linear()
    query = np.array([ex.inputs["query"]], dtype=object)
    scores = form.design(query) @ form.coef.T + form.intercept
    check(ex.id, "scores", dict(zip(form.classes.tolist(), scores[0].tolist(), strict=True)))
    check(ex.id, "posterior_no", form.predict_proba(query)[0, 0])
    assert np.allclose(form.predict_proba(query), model.predict_proba(query), atol=1e-12)
    outlook = {
        name.split("=")[1]: w for name, w in zip(form.names, form.coef[0], strict=True) if name.startswith("x0=")
    }
    check(ex.id, "weights_no_outlook", outlook)


@covers("EX-EXF-04")
def test_bernoulli_form(ex):
    q = ex.inputs["q"]
    form = ExponentialForm.bernoulli([q])
    check(ex.id, "eta", form.natural[0, 0])
    check(ex.id, "A", form.log_partition[0])
    check(ex.id, "A_from_q", -np.log(1 - q))
    p0, p1 = np.exp(form.log_density([0, 1]))[:, 0]
    check(ex.id, "p1", p1)
    check(ex.id, "p0", p0)
    check(ex.id, "mean_is_derivative_of_A", form.mean[0, 0])


@covers("EX-EXF-05")
def test_gaussian_form(ex):
    mu, sd = ex.inputs["mu"], ex.inputs["sd"]
    form = ExponentialForm.gaussian([mu], [sd**2])
    check(ex.id, "eta", form.natural[0])
    check(ex.id, "A", form.log_partition[0])
    check(ex.id, "A_from_eta", mu**2 / (2 * sd**2) + np.log(sd))
    check(ex.id, "density", np.exp(form.log_density([ex.inputs["x"]]))[0, 0])
    direct = Gaussian(np.array([[mu]]), np.array([[sd**2]])).log_density(np.array([[ex.inputs["x"]]]))
    check(ex.id, "density_direct", np.exp(direct)[0, 0])


@covers("EX-EXF-06")
def test_posterior_of_an_exponential_family(ex):
    theta, q = [ex.inputs["theta0"], ex.inputs["theta1"]], ex.inputs["q1"]
    by_form = posterior(ExponentialForm.bernoulli(theta), [1 - q, q], [ex.inputs["x"]])[0, 1]
    check(ex.id, "posterior", by_form)
    differs(ex.id, "posterior", by_form)
    by_bayes = posterior(Bernoulli(np.array(theta)[:, None]), [1 - q, q], np.array([[float(ex.inputs["x"])]]))[0, 1]
    check(ex.id, "posterior_bayes", by_bayes)


@covers("EX-EXF-07")
def test_multinomial_and_poisson_forms(ex):
    counts = np.array([ex.inputs["counts"]], dtype=float)
    form = ExponentialForm.multinomial([ex.inputs["theta"]], trials=int(counts.sum()))
    check(ex.id, "eta", form.natural[0])
    check(ex.id, "log_partition_per_draw", form.log_partition[0] / counts.sum())
    check(ex.id, "multinomial_from_form", np.exp(form.log_density(counts))[0, 0])
    from likely.distributions import Multinomial, Poisson

    direct = Multinomial(np.array([ex.inputs["theta"]]), np.array([6.0])).log_density(counts)
    check(ex.id, "multinomial", np.exp(direct)[0, 0])
    poisson = ExponentialForm.poisson([ex.inputs["lam"]])
    check(ex.id, "poisson_from_form", np.exp(poisson.log_density([ex.inputs["k"]]))[0, 0])
    direct = Poisson(np.array([[ex.inputs["lam"]]])).log_density(np.array([[float(ex.inputs["k"])]]))
    check(ex.id, "poisson", np.exp(direct)[0, 0])


@covers("EX-EXF-08")
def test_priors_shift_the_logistic_curve(ex):
    mu, var = [ex.inputs["mu0"], ex.inputs["mu1"]], ex.inputs["var"]
    law = Gaussian(np.array(mu, dtype=float)[:, None], np.full((2, 1), float(var)))
    x = np.array([[ex.inputs["x"]]])
    check(ex.id, "posterior", [posterior(law, [1 - q, q], x)[0, 1] for q in ex.inputs["q"]])
    points = [decision_points(mu, [np.sqrt(var)] * 2, [1 - q, q])[0] for q in ex.inputs["q"]]
    check(ex.id, "equal_point", points)
    equal, above, below = points
    assert above < equal < below  # q above one half moves the curve left, below moves it right


@covers("EX-EXF-09")
def test_log_partition_is_convex(ex):
    a, b = np.array(ex.inputs["eta_a"], dtype=float), np.array(ex.inputs["eta_b"], dtype=float)
    at_a, at_b, middle = (float(log_sum_exp(eta)) for eta in (a, b, (a + b) / 2))
    form = ExponentialForm.multinomial([np.exp(b) / np.exp(b).sum()])
    assert np.isclose(form.log_partition[0], at_b - b[-1])  # natural parameters are relative to the last one
    check(ex.id, "at_a", at_a)
    check(ex.id, "at_b", at_b)
    check(ex.id, "at_middle", middle)
    check(ex.id, "chord_middle", (at_a + at_b) / 2)
    check(ex.id, "middle_below_chord", middle < (at_a + at_b) / 2)


def test_every_example_of_the_group_is_covered():
    assert covered(globals()) == set(ids("EX-EXF-"))
