from pathlib import Path

import numpy as np
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from scipy import special, stats

from likely.distributions import ExponentialForm, posterior
from likely.distributions.exponential_form.members import MultinomialMember
from likely.errors import InputError

EXAMPLES = Path(__file__).parents[1] / "examples" / "examples.yaml"


@pytest.fixture(scope="module")
def examples():
    """The worked examples EX-EXF-04 to 09: id -> (inputs, expected values)."""
    text = EXAMPLES.read_text(encoding="utf-8")
    start, stop = text.index("- id: EX-EXF-04"), text.index("- id: EX-DEC-01")
    found = yaml.safe_load(text[start:stop])
    return {e["id"]: (e["inputs"], {name: v["value"] for name, v in e["expected"].items()}) for e in found}


def close(a, b):
    np.testing.assert_allclose(a, b, atol=1e-9)


def test_bernoulli_in_exponential_form(examples):
    given, expected = examples["EX-EXF-04"]
    form = ExponentialForm.bernoulli([given["q"]])
    close(form.natural, [[expected["eta"]]])
    close(form.log_partition, [expected["A"]])
    close(-np.log(1 - given["q"]), expected["A_from_q"])
    close(np.exp(form.log_density([1, 0])).ravel(), [expected["p1"], expected["p0"]])
    close(form.mean, [[expected["mean_is_derivative_of_A"]]])


def test_gaussian_in_exponential_form(examples):
    given, expected = examples["EX-EXF-05"]
    form = ExponentialForm.gaussian([given["mu"]], [given["sd"] ** 2])
    close(form.natural, [expected["eta"]])
    close(form.log_partition, [expected["A_from_eta"]])
    close(given["mu"] ** 2 / (2 * given["sd"] ** 2) + np.log(given["sd"]), expected["A"])
    close(np.exp(form.log_density(given["x"])), [[expected["density"]]])
    close(stats.norm(given["mu"], given["sd"]).pdf(given["x"]), expected["density_direct"])


def test_posterior_for_an_exponential_family(examples):
    given, expected = examples["EX-EXF-06"]
    form = ExponentialForm.bernoulli([given["theta0"], given["theta1"]])
    found = posterior(form, [1 - given["q1"], given["q1"]], given["x"])
    close(found[0, 1], expected["posterior"])
    joint = np.array([given["theta0"] * (1 - given["q1"]), given["theta1"] * given["q1"]])
    close(joint[1] / joint.sum(), expected["posterior_bayes"])


def test_multinomial_and_poisson_in_exponential_form(examples):
    given, expected = examples["EX-EXF-07"]
    form = ExponentialForm.multinomial([given["theta"]], trials=sum(given["counts"]))
    close(form.natural, [expected["eta"]])
    close(ExponentialForm.multinomial([given["theta"]]).log_partition, [expected["log_partition_per_draw"]])
    close(np.exp(form.log_density([given["counts"]])), [[expected["multinomial_from_form"]]])
    close(np.exp(ExponentialForm.poisson(given["lam"]).log_density(given["k"])), [[expected["poisson_from_form"]]])


def test_priors_shift_the_logistic_curve(examples):
    given, expected = examples["EX-EXF-08"]
    form = ExponentialForm.gaussian([given["mu0"], given["mu1"]], [given["var"]] * 2)
    slope, constant = np.diff(form.natural[:, 0]).item(), -np.diff(form.log_partition).item()
    for q, at_x, equal in zip(given["q"], expected["posterior"], expected["equal_point"], strict=True):
        close(posterior(form, [1 - q, q], given["x"])[0, 1], at_x)
        close(-(constant + np.log(q / (1 - q))) / slope, equal)
        close(posterior(form, [1 - q, q], equal), [[0.5, 0.5]])
    points = expected["equal_point"]
    assert points[1] < points[0] < points[2]  # a larger prior moves the curve left, a smaller one right


def test_the_log_partition_of_the_categorical_distribution_is_convex(examples):
    given, expected = examples["EX-EXF-09"]
    a, b = np.array(given["eta_a"], dtype=float), np.array(given["eta_b"], dtype=float)
    at_a, at_b, at_middle = ExponentialForm(np.stack([a, b, (a + b) / 2]), MultinomialMember()).log_partition
    close([at_a, at_b, at_middle], [expected["at_a"], expected["at_b"], expected["at_middle"]])
    close((at_a + at_b) / 2, expected["chord_middle"])
    assert (at_middle < (at_a + at_b) / 2) == expected["middle_below_chord"]


def specimens():
    """Two members of each family, rows in their support, and SciPy's log density."""
    rng = np.random.default_rng(8)
    p = rng.dirichlet(np.ones(4), 2)
    shares = rng.dirichlet(np.ones(3), 20)
    a = np.array([[0.5, 1.0, 4.0], [2.0, 2.0, 2.0]])
    counts = rng.multinomial(7, p[0], 20)
    return {
        "bernoulli": (ExponentialForm.bernoulli([0.2, 0.9]), [0, 1, 1], stats.bernoulli([0.2, 0.9]).logpmf),
        "gaussian": (
            ExponentialForm.gaussian([1.0, -3.0], [4.0, 0.25]),
            rng.normal(size=20),
            stats.norm([1.0, -3.0], [2.0, 0.5]).logpdf,
        ),
        "categorical": (ExponentialForm.multinomial(p), np.eye(4)[[0, 3, 2]], lambda x: np.log(x @ p.T)),
        "multinomial": (
            ExponentialForm.multinomial(p, trials=7),
            counts,
            lambda x: np.stack([stats.multinomial(7, q).logpmf(x) for q in p], axis=1),
        ),
        "poisson": (ExponentialForm.poisson([0.3, 8.0]), rng.poisson(4, 20), stats.poisson([0.3, 8.0]).logpmf),
        "gamma": (
            ExponentialForm.gamma([0.5, 6.0], [2.0, 0.1]),
            rng.gamma(2, 1, 20),
            stats.gamma([0.5, 6.0], scale=[2.0, 0.1]).logpdf,
        ),
        "dirichlet": (
            ExponentialForm.dirichlet(a),
            shares,
            lambda x: np.stack([stats.dirichlet(row).logpdf(x.T) for row in a], axis=1),
        ),
    }


@pytest.fixture(params=specimens())
def specimen(request):
    return specimens()[request.param]


def test_log_density_is_that_of_scipy(specimen):
    form, x, expected = specimen
    rows = np.asarray(x) if np.ndim(x) == 2 else np.asarray(x)[:, None]
    np.testing.assert_allclose(form.log_density(x), expected(rows), rtol=1e-10, atol=1e-10)


def test_the_mean_of_the_statistic_is_the_derivative_of_the_log_partition(specimen):
    form, _, _ = specimen
    step = 1e-5
    for i in range(form.natural.shape[1]):
        move = np.zeros(form.natural.shape[1])
        move[i] = step
        ahead = ExponentialForm(form.natural + move, form.member).log_partition
        behind = ExponentialForm(form.natural - move, form.member).log_partition
        np.testing.assert_allclose((ahead - behind) / (2 * step), form.mean[:, i], rtol=1e-5, atol=1e-8)


@given(st.floats(0, 1))
def test_the_log_partition_is_convex(share):
    for form, _, _ in specimens().values():
        a, b = form.natural
        between = ExponentialForm((share * a + (1 - share) * b)[None], form.member).log_partition.item()
        at_a, at_b = form.log_partition
        assert between <= share * at_a + (1 - share) * at_b + 1e-9


def test_posteriors_are_bayes_rule_with_the_densities(specimen):
    form, x, _ = specimen
    prior = np.array([0.3, 0.7])
    expected = special.softmax(form.log_density(x) + np.log(prior), axis=1)
    np.testing.assert_allclose(posterior(form, prior, x), expected, atol=1e-12)
    assert np.all(posterior(form, [1.0, 0.0], x)[:, 0] == 1)


def test_two_classes_are_a_logistic_curve(specimen):
    """P(1 | x) = 1 / (1 + exp((eta_0 - eta_1) . G(x) - A(eta_0) + A(eta_1) + log(q_0 / q_1)))."""
    form, x, _ = specimen
    difference = form.natural[0] - form.natural[1]
    exponent = form.statistic(x) @ difference - form.log_partition[0] + form.log_partition[1] + np.log(0.3 / 0.7)
    np.testing.assert_allclose(posterior(form, [0.3, 0.7], x)[:, 1], special.expit(-exponent), atol=1e-12)


@pytest.mark.parametrize(
    ("make", "complaint"),
    [
        (lambda: ExponentialForm.bernoulli([0.0]), "probability must be positive"),
        (lambda: ExponentialForm.bernoulli([1.0]), "between 0 and 1"),
        (lambda: ExponentialForm.gaussian([0.0], [0.0]), "variance must be positive"),
        (lambda: ExponentialForm.gaussian([np.inf], [1.0]), "mean must be finite"),
        (lambda: ExponentialForm.multinomial([[0.5, 0.4]]), "sum to 1"),
        (lambda: ExponentialForm.multinomial([[0.0, 1.0]]), "positive numbers"),
        (lambda: ExponentialForm.poisson([-1.0]), "rate must be positive"),
        (lambda: ExponentialForm.gamma([1.0], [0.0]), "scale must be positive"),
        (lambda: ExponentialForm.dirichlet([[1.0, -1.0]]), "positive numbers"),
        (lambda: ExponentialForm.bernoulli([0.5]).log_density([2]), "row 0, column 0 holds 2"),
        (lambda: ExponentialForm.poisson([0.5]).log_density([np.nan]), "missing"),
        (lambda: ExponentialForm.gamma([1.0], [1.0]).log_density([0.0]), "greater than 0"),
        (lambda: ExponentialForm.multinomial([[0.5, 0.5]], 3).log_density([[1, 1]]), "row 0 has 2 counts where 3"),
        (lambda: ExponentialForm.dirichlet([[1.0, 1.0]]).log_density([[0.5, 0.4]]), "row 0 must be shares"),
        (lambda: posterior(ExponentialForm.poisson([1.0, 2.0]), [0.5, 0.4], [1]), "2 probabilities that sum to 1"),
        (lambda: posterior(ExponentialForm.poisson([1.0, 2.0]), [1.0], [1]), "2 probabilities"),
    ],
)
def test_mistakes_are_explained(make, complaint):
    with pytest.raises(InputError, match=complaint):
        make()
