"""Gaussian vectors: scikit-learn, SciPy, closed forms, and data that leave something open."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.integrate import quad
from scipy.linalg import eigh
from scipy.special import multigammaln
from sklearn import datasets
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis

from likely.distributions.amounts.gaussian import GaussianFamily
from likely.distributions.vectors.diagonal import DiagonalGaussian
from likely.distributions.vectors.family import MultivariateGaussianFamily
from likely.distributions.vectors.gaussian_vectors import MultivariateGaussian
from likely.distributions.vectors.student_vectors import MultivariateStudent
from likely.errors import InputError, InputTypeError
from likely.numeric.linear.covariance import covariance_from
from likely.numeric.logspace import normalize
from likely.statistics import Membership, sum_of

KINDS = ("full", "shared", "diagonal", "shared_diagonal", "spherical", "shared_spherical")


def fitted(x, y, *options, groups=None, **named):
    family = MultivariateGaussianFamily(*options, **named)
    return family.estimate(family.summarize(x, Membership.of_labels(y, groups or int(max(y)) + 1)))


def posterior(distribution, x, y, score="log_ratio"):
    return normalize(getattr(distribution, score)(x) + np.log(np.bincount(y) / len(y)))


def three_classes(seed, rows=240, d=4, missing=0.0):
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(rows) % 3)
    mix, centre = rng.normal(size=(3, d, d)) + 1.5 * np.eye(d), rng.normal(size=(3, d)) * 2
    x = np.einsum("nj,nji->ni", rng.normal(size=(rows, d)), mix[y]) + centre[y]
    x[rng.random(x.shape) < missing] = np.nan
    return x, y


def random_members(seed, k=3, d=4, shared=False):
    rng = np.random.default_rng(seed)
    a = rng.normal(size=(1 if shared else k, d, d + 1))
    return rng.normal(size=(k, d)), a @ a.transpose(0, 2, 1)


class TestAgainstScikitLearn:
    @pytest.mark.sample(2)
    @pytest.mark.parametrize("name", ["iris", "wine", "breast_cancer", "digits"])
    def test_shared_is_linear_discriminant_analysis(self, name):
        x, y = getattr(datasets, f"load_{name}")(return_X_y=True)
        mine = fitted(x, y, "shared")
        peer = LinearDiscriminantAnalysis(solver="lsqr").fit(x, y)
        for score in ("log_ratio", "log_density"):
            assert np.allclose(posterior(mine, x, y, score), peer.predict_proba(x), rtol=0, atol=1e-8)
        assert np.allclose(mine.mean, peer.means_)

    @pytest.mark.parametrize("name", ["iris", "wine", "breast_cancer", "digits"])
    def test_linear_discriminant_of_rows_it_has_not_seen(self, name):
        x, y = getattr(datasets, f"load_{name}")(return_X_y=True)
        train, test = np.ascontiguousarray(x[::2]), np.ascontiguousarray(x[1::2])
        peer = LinearDiscriminantAnalysis(solver="lsqr").fit(train, y[::2])
        mine = fitted(train, y[::2], "shared")
        score = mine.log_ratio(test) + np.log(np.bincount(y[::2]) / len(y[::2]))
        assert np.allclose(normalize(score), peer.predict_proba(test), rtol=0, atol=1e-8)

    @pytest.mark.parametrize("name", ["iris", "wine", "breast_cancer"])
    def test_full_is_quadratic_discriminant_analysis(self, name):
        x, y = getattr(datasets, f"load_{name}")(return_X_y=True)
        peer = QuadraticDiscriminantAnalysis(tol=0, store_covariance=True).fit(x, y)  # divides by n
        mine = fitted(x, y, "full")
        assert np.allclose(posterior(mine, x, y), peer.predict_proba(x), rtol=0, atol=1e-8)
        assert np.allclose(mine.covariance, peer.covariance_)

    def test_digits_have_an_answer_where_scikit_learn_has_none(self):
        x, y = datasets.load_digits(return_X_y=True)
        with pytest.raises(np.linalg.LinAlgError):
            QuadraticDiscriminantAnalysis().fit(x, y)
        varies = x[::2].std(axis=0) > 0  # three columns are blank, and more are so in some class
        train = x[::2, varies] / x[::2, varies].std(axis=0)
        test = x[1::2, varies] / x[::2, varies].std(axis=0)
        expected = [
            stats.multivariate_normal(train[y[::2] == c].mean(axis=0), unknown_spread(train, y[::2], c)).logpdf(test)
            for c in range(10)
        ]
        mine = fitted(np.ascontiguousarray(x[::2]), y[::2], "full").log_density(np.ascontiguousarray(x[1::2]))
        units = np.log(x[::2, varies].std(axis=0)).sum()
        assert np.allclose(mine, np.transpose(expected) - units, rtol=1e-8)

    def test_coefficients_are_those_of_the_linear_discriminant(self):
        x, y = datasets.load_iris(return_X_y=True)
        coef, intercept = fitted(x, y, "shared").linear()
        peer = LinearDiscriminantAnalysis(solver="lsqr", priors=np.full(3, 1 / 3)).fit(x, y)
        pooled = LinearDiscriminantAnalysis(solver="lsqr").fit(x, y)
        assert np.allclose(coef, pooled.coef_)
        assert np.allclose(np.diff(intercept), np.diff(peer.intercept_))


class TestAgainstSciPy:
    @pytest.mark.parametrize("shared", [False, True])
    def test_density(self, shared):
        mean, covariance = random_members(1, shared=shared)
        mine = MultivariateGaussian.of(mean, covariance if not shared else covariance[0])
        x = np.random.default_rng(2).normal(size=(1500, 4)) * 3
        expected = [
            stats.multivariate_normal(m, s).logpdf(x)
            for m, s in zip(mean, np.broadcast_to(covariance, (3, 4, 4)), strict=True)
        ]
        assert np.allclose(mine.log_density(x), np.transpose(expected), rtol=1e-12)
        assert np.allclose(mine.log_density(x.astype(np.float32)), np.transpose(expected), rtol=1e-4)
        assert np.allclose(mine.covariance, covariance)

    def test_student_density(self):
        mean, scale = random_members(3)
        freedom = np.array([1.0, 4.5, 200.0])
        mine = MultivariateStudent.of(mean, scale, freedom)
        x = np.random.default_rng(2).normal(size=(50, 4)) * 3
        expected = [stats.multivariate_t(m, s, f).logpdf(x) for m, s, f in zip(mean, scale, freedom, strict=True)]
        assert np.allclose(mine.log_density(x), np.transpose(expected), rtol=1e-12)
        assert np.allclose(mine.covariance[1], scale[1] * 4.5 / 2.5) and np.isinf(mine.covariance[0]).all()

    @pytest.mark.sample(2)
    @pytest.mark.parametrize("shared", [False, True])
    @pytest.mark.parametrize("student", [False, True])
    def test_missing_cells_give_the_marginal(self, shared, student):
        rng = np.random.default_rng(5)
        mean, covariance = random_members(4, d=6, shared=shared)
        mine = MultivariateStudent.of(mean, covariance, 5.0) if student else MultivariateGaussian.of(mean, covariance)
        x = rng.normal(size=(300, 6)) * 2
        x[rng.random(x.shape) < 0.3] = np.nan
        x[0] = np.nan
        scored = mine.log_density(x)
        covariance = np.broadcast_to(covariance, (3, 6, 6))
        for row, scores in zip(x, scored, strict=True):
            seen = np.flatnonzero(~np.isnan(row))
            for c in range(3):
                m, s = mean[c, seen], covariance[c][np.ix_(seen, seen)]
                if not len(seen):
                    assert scores[c] == 0
                    continue
                peer = stats.multivariate_t(m, s, 5.0) if student else stats.multivariate_normal(m, s)
                assert np.isclose(scores[c], peer.logpdf(row[seen]), rtol=1e-10)

    @pytest.mark.parametrize("student", [False, True])
    def test_missing_cell_is_integrated_out(self, student):
        mean, covariance = random_members(8, k=2, d=3)
        mine = MultivariateStudent.of(mean, covariance, 3.0) if student else MultivariateGaussian.of(mean, covariance)
        for c in range(2):
            integral = quad(lambda v, c=c: np.exp(mine.log_density(np.array([[0.3, v, -0.2]]))[0, c]), -np.inf, np.inf)[
                0
            ]
            assert np.isclose(np.exp(mine.log_density(np.array([[0.3, np.nan, -0.2]]))[0, c]), integral, rtol=1e-7)


@pytest.mark.parametrize("student", [False, True])
@pytest.mark.parametrize("shared", [False, True])
def test_terms_are_the_chain_rule(student, shared):
    rng = np.random.default_rng(6)
    mean, covariance = random_members(7, d=5, shared=shared)
    mine = MultivariateStudent.of(mean, covariance, 2.5) if student else MultivariateGaussian.of(mean, covariance)
    x = rng.normal(size=(80, 5)) * 3
    x[20:][rng.random((60, 5)) < 0.4] = np.nan
    terms = mine.log_density_terms(x)
    assert np.allclose(terms.sum(axis=1), mine.log_density(x), rtol=1e-10, atol=1e-12)
    assert not terms[np.isnan(x)].any()
    before = np.zeros((80, 3))
    for j in range(5):
        head = np.where(np.arange(5) <= j, x, np.nan)
        assert np.allclose(terms[:, j], mine.log_density(head) - before, atol=1e-10)
        before = mine.log_density(head)


@pytest.mark.parametrize("kind", ["shared", "shared_diagonal", "shared_spherical"])
def test_shared_kinds_differ_by_a_linear_function(kind):
    x, y = three_classes(11)
    mine = fitted(x, y, kind)
    holed = x.copy()
    holed[::3, 1] = np.nan
    for rows in (x, holed):
        rest = mine.log_ratio(rows) - mine.log_density(rows)
        assert np.allclose(rest, rest[:, :1], atol=1e-10)
    coef, intercept = mine.linear()
    rest = x @ coef.T + intercept - mine.log_density(x)
    assert np.allclose(rest, rest[:, :1], atol=1e-10)


def test_many_members_are_scored_like_few():
    rng = np.random.default_rng(15)
    mean, x = rng.normal(size=(40, 3)), rng.normal(size=(5000, 3))
    x[7, 1] = np.nan
    many = MultivariateGaussian.of(mean, np.eye(3) + 0.3)
    few = [MultivariateGaussian.of(mean[i : i + 8], np.eye(3) + 0.3) for i in range(0, 40, 8)]
    assert np.allclose(many.log_density(x), np.hstack([part.log_density(x) for part in few]), rtol=1e-12)
    rest = many.log_ratio(x) - many.log_density(x)
    assert np.allclose(rest, rest[:, :1], atol=1e-11)


@pytest.mark.parametrize("kind", ["full", "diagonal", "spherical"])
def test_other_kinds_have_no_linear_boundary(kind):
    x, y = three_classes(12)
    mine = fitted(x, y, kind)
    assert np.array_equal(mine.log_ratio(x), mine.log_density(x))
    with pytest.raises(InputError, match="not linear"):
        mine.linear()


@pytest.mark.parametrize(("kind", "ddof"), list(product(KINDS, [0, 1])))
def test_each_kind_is_the_scatter_over_the_rows_behind_it(kind, ddof):
    x, y = three_classes(13, rows=91)
    scatter = np.stack([np.cov(x[y == c].T, ddof=0) * sum(y == c) for c in range(3)])
    rows = np.array([sum(y == c) for c in range(3)]) - ddof
    if kind.startswith("shared"):
        scatter, rows = scatter.sum(axis=0, keepdims=True), rows.sum(keepdims=True)
    expected = scatter / rows[:, None, None]
    if kind.endswith("diagonal"):
        expected = expected * np.eye(4)
    if kind.endswith("spherical"):
        expected = np.trace(expected, axis1=1, axis2=2)[:, None, None] / 4 * np.eye(4)
    mine = fitted(x, y, kind, ddof)
    assert np.allclose(mine.covariance, expected, rtol=1e-12, atol=1e-12)
    every = np.broadcast_to(expected, (3, 4, 4))
    densities = [stats.multivariate_normal(x[y == c].mean(axis=0), every[c]).logpdf(x) for c in range(3)]
    assert np.allclose(mine.log_density(x), np.transpose(densities), rtol=1e-10)


def test_parameters_are_counted_once():
    x, y = three_classes(14)
    counts = {kind: fitted(x, y, kind).n_parameters for kind in KINDS}
    assert counts == {
        "full": 3 * (4 + 10),
        "shared": 3 * 4 + 10,
        "diagonal": 3 * 8,
        "shared_diagonal": 3 * 4 + 4,
        "spherical": 3 * 5,
        "shared_spherical": 3 * 4 + 1,
    }
    assert fitted(x, y, "shared", estimation="bayes").n_parameters == 22
    assert fitted(x, y, "spherical", estimation="bayes").n_parameters == 15


class TestExamples:
    def test_three_bivariate_mixtures(self):  # EX-GEN-16
        x, means, rho = np.array([[0.5, -0.5], [0, 1], [2, -1], [-3, -3.0]]), np.array([[1.0, 1], [-1, -1]]), 0.7
        plus, minus = np.array([[1, rho], [rho, 1]]), np.array([[1, -rho], [-rho, 1]])
        cases = [
            (np.eye(2), [0.0, 2.0, 2.0, -12.0]),
            (covariance_from([1, 2], np.sqrt(0.5)), [1.0, 0.0, 4.0, -6.0]),
            (np.stack([plus, minus]), [2.05882352941, 6.66666666667, 1.17647058824, 3.92156862745]),
        ]
        for covariance, expected in cases:
            score = MultivariateGaussian.of(means, covariance).log_density(x)
            assert np.allclose(score[:, 0] - score[:, 1], expected, rtol=0, atol=1e-9)
        far = MultivariateGaussian.of(means, np.stack([plus, minus])).log_density(np.array([[-5.0, -5.0]]))
        assert np.isclose(far[0, 0] - far[0, 1], 32.1568627451, rtol=0, atol=1e-9)

    def test_shared_covariance_gives_linear_discriminants(self):  # EX-GEN-18
        means, cov = np.array([[-2.0, -2], [0, 0], [2, -3]]), np.array([[2, 0.5], [0.5, 1]])
        prior, x = np.log([0.5, 0.3, 0.2]), np.array([[0.5, -1.0]])
        mine = MultivariateGaussian.of(means, cov)
        w, w0 = mine.linear()
        assert np.allclose(w, [[-0.571428571429, -1.71428571429], [0, 0], [2, -4]], rtol=0, atol=1e-9)
        assert np.allclose(w0 + prior, [-2.97886146627, -1.20397280433, -9.60943791243], rtol=0, atol=1e-9)
        for score in (mine.log_ratio(x), mine.log_density(x)):
            posterior = normalize(score + prior)
            assert np.allclose(posterior, [[0.406375423783, 0.574554325881, 0.0190702503358]], rtol=0, atol=1e-9)

    def test_spherical_is_nearest_mean(self):  # EX-GEN-19
        mine = DiagonalGaussian(np.array([[0.0, 0], [4, 0]]), np.ones((1, 2)), spherical=True)
        points = np.array([[1.9, 3], [2.1, -5]])
        assert mine.log_ratio(points).argmax(axis=1).tolist() == [0, 1]
        skewed = np.log([0.95, 0.05])
        assert (mine.log_ratio(points) + skewed).argmax(axis=1).tolist() == [0, 0]
        edge = mine.log_ratio(np.array([[2.73610974479, 0.0]])) + skewed
        assert np.isclose(edge[0, 0], edge[0, 1], rtol=0, atol=1e-9)

    def test_three_covariance_shapes(self):  # EX-GEN-30
        shapes = np.array([[[1, 0], [0, 1]], [[1, 0], [0, 4]], [[1, -1], [-1, 4.0]]])
        density = np.exp(
            MultivariateGaussian.of(np.zeros((3, 2)), shapes).log_density(np.array([[0, 0], [1, 1], [1, -1.0]]))
        )
        expected = [
            [0.159154943092, 0.0585498315243, 0.0585498315243],
            [0.0795774715459, 0.0425947510976, 0.0425947510976],
            [0.091888149237, 0.0286142659119, 0.0557329797765],
        ]
        assert np.allclose(density.T, expected, rtol=0, atol=1e-9)
        mine = MultivariateGaussian.of(np.zeros((3, 2)), shapes)
        assert np.allclose(np.exp(mine.log_determinant), [1, 4, 3])

    def test_unequal_covariances_can_give_a_circle(self):  # EX-GEN-32
        mine = MultivariateGaussian.of(np.zeros((2, 2)), np.stack([np.eye(2), 4 * np.eye(2)]))
        radius = 1.92270251547
        score = mine.log_density(np.array([[0.0, 0.0], [radius, 0.0], [0.0, -radius], [5.0, 0.0]]))
        ratio = score[:, 0] - score[:, 1]
        assert np.allclose(ratio, [1.38629436112, 0, 0, -7.98870563888], rtol=0, atol=1e-9)

    def test_points_under_the_printed_gaussians(self):  # EX-GEN-34
        means = np.array([[-2.1, -2.1], [0.1, 0.1], [2.1, -2.9]])
        covs = np.array([[[2.0, -0.1], [-0.1, 1.6]], [[1.0, 0.0], [0.0, 0.9]], [[4.0, 0.8], [0.8, 1.4]]])
        score = MultivariateGaussian.of(means, covs).log_density(np.array([[-2.0, -2], [1, -1.5], [4, 2]]))
        assert np.allclose(
            score,
            [
                [-2.42384363766, -6.44019680858, -5.93273316258],
                [-4.99907874738, -3.6124190308, -3.84805574323],
                [-17.8031539825, -11.3957523641, -11.3278944529],
            ],
            rtol=0,
            atol=1e-9,
        )
        assert np.allclose(normalize(score)[1], [0.122505675777, 0.490201768285, 0.387292555938], rtol=0, atol=1e-9)


class TestPriors:
    """Normal-inverse-Wishart with `strength` pseudo-rows at the overall mean and covariance."""

    def prior(self, x, strength):
        d = x.shape[1]
        return x.mean(axis=0), strength, strength + d - 1, strength * np.cov(x.T, ddof=0)

    def log_evidence(self, x, m0, kappa, nu, psi):
        """Log of the integral of the likelihood of rows x over the prior (Murphy 2007, eq. 266)."""
        n, d = x.shape
        mean = x.mean(axis=0)
        scatter = (x - mean).T @ (x - mean)
        late = psi + scatter + kappa * n / (kappa + n) * np.outer(mean - m0, mean - m0)
        value = -n * d / 2 * np.log(np.pi) + multigammaln((nu + n) / 2, d) - multigammaln(nu / 2, d)
        value += nu / 2 * np.linalg.slogdet(psi)[1] - (nu + n) / 2 * np.linalg.slogdet(late)[1]
        return value + d / 2 * np.log(kappa / (kappa + n))

    @pytest.mark.parametrize("strength", [0.7, 5.0])
    def test_bayes_is_the_ratio_of_evidences(self, strength):
        x, y = three_classes(21, rows=30)
        prior = self.prior(x, strength)
        mine = fitted(x, y, "full", estimation="bayes", strength=strength)
        new = np.random.default_rng(0).normal(size=(5, 4)) * 4
        for c in range(3):
            before = self.log_evidence(x[y == c], *prior)
            after = [self.log_evidence(np.vstack([x[y == c], row]), *prior) for row in new]
            assert np.allclose(mine.log_density(new)[:, c], np.array(after) - before, rtol=1e-9)

    def log_joint(self, x, y, prior, means, covariances):
        m0, kappa, nu, psi = prior
        value = sum(stats.invwishart(nu, psi).logpdf(s) for s in covariances)
        for c, mean in enumerate(means):
            s = covariances[min(c, len(covariances) - 1)]
            value += stats.multivariate_normal(m0, s / kappa).logpdf(mean)
            value += stats.multivariate_normal(mean, s).logpdf(x[y == c]).sum()
        return value

    @pytest.mark.parametrize("kind", ["full", "shared"])
    def test_map_is_the_mode(self, kind):
        x, y = three_classes(22, rows=36, d=2)
        prior = self.prior(x, 2.0)
        mine = fitted(x, y, kind, estimation="map", strength=2.0)
        mean, covariance = mine.mean, mine.covariance
        top = self.log_joint(x, y, prior, mean, covariance)
        rng = np.random.default_rng(1)
        for size in (1e-3, 1e-2, 0.1):
            for _ in range(10):
                turn = np.eye(2) + size * rng.normal(size=covariance.shape)
                nearby = turn @ covariance @ turn.transpose(0, 2, 1)
                assert self.log_joint(x, y, prior, mean + size * rng.normal(size=mean.shape), nearby) < top

    def test_shared_bayes_integrates_over_the_covariance(self):
        # Given the covariance S ~ inverse Wishart, the predictive of a group is N(m', S (1 + 1 / n')).
        x, y = three_classes(23, rows=60, d=2)
        m0, kappa, nu, psi = self.prior(x, 3.0)
        for c in range(3):
            rows, mean = x[y == c], x[y == c].mean(axis=0)
            n = len(rows)
            psi = psi + (rows - mean).T @ (rows - mean) + n * kappa / (n + kappa) * np.outer(mean - m0, mean - m0)
        mine = fitted(x, y, "shared", estimation="bayes", strength=3.0)
        point = np.array([[0.5, -1.0]])
        draws = stats.invwishart(nu + len(x), psi).rvs(20_000, random_state=4)
        for c in range(3):
            n = sum(y == c) + kappa
            location = (x[y == c].sum(axis=0) + kappa * m0) / n
            away = np.linalg.solve(
                draws * (1 + 1 / n), np.broadcast_to(point[0] - location, (len(draws), 2))[:, :, None]
            )
            square = (point[0] - location) @ away[:, :, 0].T
            values = np.exp(-0.5 * square) / (2 * np.pi * np.sqrt(np.linalg.det(draws * (1 + 1 / n))))
            error = values.std() / np.sqrt(len(values))
            assert abs(np.exp(mine.log_density(point)[0, c]) - values.mean()) < 5 * error

    @pytest.mark.parametrize("estimation", ["map", "bayes"])
    @pytest.mark.parametrize("kind", KINDS)
    def test_one_column_and_one_group_agree_with_the_plain_family(self, kind, estimation):
        x = np.random.default_rng(2).normal(size=(30, 1))
        y = np.zeros(30, dtype=int)
        plain = GaussianFamily(estimation=estimation, strength=1.5)
        expected = plain.estimate(plain.summarize(x, Membership.whole(30))).log_density(x)
        mine = fitted(x, y, kind, estimation=estimation, strength=1.5)
        assert np.allclose(mine.log_density(x), expected, rtol=1e-12)

    @pytest.mark.parametrize("estimation", ["map", "bayes"])
    @pytest.mark.parametrize("kind", KINDS)
    def test_a_weak_prior_is_no_prior(self, kind, estimation):
        x, y = three_classes(24, rows=30_000, d=2)
        free = fitted(x, y, kind).log_density(x[:50])
        bound = fitted(x, y, kind, estimation=estimation, strength=1e-6).log_density(x[:50])
        near = free > -20  # the tails of a t with 10,000 degrees of freedom are still its own
        assert np.allclose(free[near], bound[near], rtol=5e-3, atol=1e-3)

    def test_spherical_student_is_the_ratio_of_evidences(self):
        # One variance for d columns: normal-inverse-gamma, summed over the columns.
        from scipy.special import gammaln

        x, y = three_classes(25, rows=24, d=3)
        s, m0 = 1.3, x.mean(axis=0)
        v0 = ((x - m0) ** 2).sum() / len(x)  # all columns together

        def evidence(rows):
            n, mean = len(rows), rows.mean(axis=0)
            late = s * v0 + ((rows - mean) ** 2).sum() + n * s / (n + s) * ((mean - m0) ** 2).sum()
            nu0, nu = 3 * s, 3 * (s + n)
            value = gammaln(nu / 2) - gammaln(nu0 / 2) + nu0 / 2 * np.log(s * v0) - nu / 2 * np.log(late)
            return value - 3 * n / 2 * np.log(np.pi) + 1.5 * np.log(s / (s + n))

        mine = fitted(x, y, "spherical", estimation="bayes", strength=s)
        new = np.random.default_rng(3).normal(size=3)
        for c in range(3):
            expected = evidence(np.vstack([x[y == c], new])) - evidence(x[y == c])
            assert np.isclose(mine.log_density(new[None])[0, c], expected, rtol=1e-10)


def unknown_spread(x, y, c):
    """The rule, by another road: eigenvectors of the group's covariance relative to the overall one."""
    overall = np.cov(x.T, ddof=0)
    own = np.cov(x[y == c].T, ddof=0) if sum(y == c) > 1 else np.zeros_like(overall)
    value, vector = eigh(own, overall)  # vector' overall vector = 1
    value = np.where(value > 1e-10, value, 1 / (sum(y == c) + 1))
    back = overall @ vector
    return back * value @ back.T


class TestWhatTheDataCannotSay:
    def test_a_group_of_one_row_has_half_the_overall_covariance(self):
        x, y = three_classes(31)
        y = np.where(y == 2, 1, y)
        y[0] = 2
        mine = fitted(x, y)
        assert np.allclose(mine.covariance[2], np.cov(x.T, ddof=0) / 2)
        assert np.array_equal(mine.mean[2], x[0])

    def test_a_group_that_is_constant_in_one_column(self):
        x, y = three_classes(32)
        x[y == 1, 2] = 5.0
        mine = fitted(x, y)
        assert np.allclose(mine.covariance[1], unknown_spread(x, y, 1))
        assert np.isclose(mine.covariance[1, 2, 2], x[:, 2].var() / (sum(y == 1) + 1))

    @pytest.mark.parametrize("ddof", [0, 1])
    def test_fewer_rows_than_columns(self, ddof):
        x, y = three_classes(33, rows=21, d=9)
        mine = fitted(x, y, "full", ddof)
        if ddof == 0:
            for c in range(3):
                assert np.allclose(mine.covariance[c], unknown_spread(x, y, c), rtol=1e-8, atol=1e-8)
        assert np.isfinite(mine.log_density(x)).all()
        assert all(np.linalg.eigvalsh(s)[0] > 0 for s in mine.covariance)

    def test_fewer_rows_than_columns_overall(self):
        x, y = three_classes(34, rows=9, d=20)
        for kind, estimation in product(KINDS, ["ml", "map", "bayes"]):
            score = fitted(x, y, kind, estimation=estimation).log_density(x)
            assert np.isfinite(score).all()

    @pytest.mark.parametrize("estimation", ["ml", "map", "bayes"])
    @pytest.mark.parametrize("kind", ["full", "shared"])
    def test_a_repeated_column_adds_nothing(self, kind, estimation):
        x, y = three_classes(35)
        wide = np.column_stack([x[:, 0], 1000 * x[:, 0] + 3, x[:, 1:], x[:, 1] - x[:, 2], np.full(len(x), 7.0)])
        narrow, mine = (fitted(rows, y, kind, estimation=estimation) for rows in (x, wide))
        assert mine.shape.columns.tolist() == [0, 2, 3, 4]
        assert mine.n_parameters == narrow.n_parameters
        assert np.allclose(mine.log_density(wide), narrow.log_density(x), rtol=1e-9)
        assert np.allclose(mine.log_ratio(wide), narrow.log_ratio(x), rtol=1e-9)
        terms = mine.log_density_terms(wide)
        assert not terms[:, [1, 5, 6]].any() and np.allclose(terms.sum(axis=1), narrow.log_density(x), rtol=1e-9)

    @pytest.mark.parametrize("kind", ["full", "shared"])
    def test_a_repeated_column_speaks_for_one_that_is_missing(self, kind):
        x, y = three_classes(36)
        wide = np.column_stack([x, 1000 * x[:, 0] + 3])
        narrow, mine = (fitted(rows, y, kind) for rows in (x, wide))
        holed = wide.copy()
        holed[:, 0] = np.nan
        shift = np.log(1000)  # the density is now one of the other column, in its own units
        assert np.allclose(mine.log_density(holed), narrow.log_density(x) - shift, rtol=1e-8)
        assert np.allclose(mine.log_density_terms(holed).sum(axis=1), mine.log_density(holed), rtol=1e-9)
        silent = np.column_stack([holed[:, :4], np.full(len(x), np.nan)])
        assert np.allclose(mine.log_density(silent), narrow.log_density(holed[:, :4].copy()), rtol=1e-9)

    def test_three_columns_that_sum_to_one(self):
        rng = np.random.default_rng(37)
        y = np.arange(90) % 2
        x = rng.dirichlet([4, 2, 3], 90)
        mine, narrow = fitted(x, y), fitted(x[:, :2].copy(), y)
        for hidden, others in ((0, [1, 2]), (1, [0, 2]), (2, [0, 1])):
            holed = x.copy()
            holed[:, hidden] = np.nan
            other = fitted(x[:, others].copy(), y).log_density(x[:, others].copy())
            assert np.allclose(mine.log_density(holed), other, rtol=1e-7, atol=1e-7)
        assert np.allclose(mine.log_density(x), narrow.log_density(x[:, :2].copy()), rtol=1e-9)

    def test_no_data_carry_no_information(self):
        x, members = np.ones((4, 2)), Membership.of_labels(np.zeros(4), 2, np.zeros(4))
        for kind, estimation in product(KINDS, ["ml", "map", "bayes"]):
            family = MultivariateGaussianFamily(kind, estimation=estimation)
            assert not family.estimate(family.summarize(x, members)).log_density(x).any()

    @pytest.mark.parametrize("left", [0, 1, 3])
    @pytest.mark.parametrize("estimation", ["ml", "map", "bayes"])
    def test_rounding_left_by_forgotten_rows_is_not_spread(self, left, estimation):
        x, y = three_classes(40, rows=30_000)
        gone = np.flatnonzero(y == 1)[left:]
        kept = np.setdiff1d(np.arange(len(y)), gone)
        family = MultivariateGaussianFamily("full", estimation=estimation)
        whole, part = (family.summarize(x[rows], Membership.of_labels(y[rows], 3)) for rows in (slice(None), gone))
        forgotten = family.estimate(whole.without(part)).log_density(x[:100])
        never = fitted(x[kept], y[kept], estimation=estimation, groups=3).log_density(x[:100])
        assert np.allclose(forgotten, never, rtol=1e-7)

    def test_constant_data_carry_no_information(self):
        x, y = np.full((6, 2), 3.0), np.array([0, 0, 0, 1, 1, 1])
        for kind, estimation in product(KINDS, ["ml", "map", "bayes"]):
            assert not fitted(x, y, kind, estimation=estimation).log_density(x + 1).any()

    def test_missing_cells_of_a_column_that_says_nothing(self):
        x, y = three_classes(38)
        wide = np.column_stack([x, np.full(len(x), 2.0)])
        holed = wide.copy()
        holed[:, 4] = np.nan
        mine = fitted(wide, y)
        assert np.array_equal(mine.log_density(holed), mine.log_density(wide))

    def test_an_empty_group_has_the_overall_mean_and_covariance(self):
        x, y = three_classes(39)
        for kind in KINDS:
            mine = fitted(x, y, kind, groups=4)
            assert np.allclose(mine.mean[3], x.mean(axis=0))
            assert np.allclose(fitted(x, y, kind, 1, groups=4).covariance[:3], fitted(x, y, kind, 1).covariance)
        assert np.allclose(fitted(x, y, groups=4).covariance[3], np.cov(x.T, ddof=0))
        assert np.isclose(fitted(x, y, "spherical", groups=4).variance[3, 0], x.var(axis=0).mean())

    def test_classes_that_do_not_vary_at_all(self):
        x, y = np.array([[0.0, 0.0], [1.0, 5.0], [2.0, 1.0]])[np.arange(30) % 3], np.arange(30) % 3
        for kind, estimation in product(KINDS, ["ml", "map", "bayes"]):
            p = posterior(fitted(x, y, kind, estimation=estimation), x, y, "log_density")
            assert (p.argmax(axis=1) == y).all() and np.isfinite(p).all()

    @settings(max_examples=60, deadline=None)
    @given(
        st.lists(st.tuples(st.integers(0, 2), st.sampled_from([0.0, 1.0, 1.5, 7.0])), min_size=1, max_size=12),
        st.sampled_from([0, 1]),
        st.sampled_from(["ml", "map", "bayes"]),
    )
    def test_one_column_is_the_plain_family_whatever_it_holds(self, data, ddof, estimation):
        x, y = np.array([[v] for _, v in data]), np.array([c for c, _ in data])
        groups = Membership.of_labels(y, 3)
        plain, mine = GaussianFamily(ddof, estimation), MultivariateGaussianFamily("full", ddof, estimation)
        expected = plain.estimate(plain.summarize(x, groups)).log_density(x)
        assert np.allclose(mine.estimate(mine.summarize(x, groups)).log_density(x), expected, rtol=1e-9, atol=1e-9)
        diagonal = MultivariateGaussianFamily("diagonal", ddof, estimation)
        assert np.array_equal(diagonal.estimate(diagonal.summarize(x, groups)).log_density(x), expected)


class TestScales:
    @pytest.mark.parametrize("estimation", ["ml", "map", "bayes"])
    @pytest.mark.parametrize("kind", ["full", "shared", "diagonal", "shared_diagonal"])
    def test_units_do_not_matter(self, kind, estimation):
        x, y = three_classes(41, missing=0.1)
        power = np.array([-498, -30, 40, 498])  # of two: from 1e-150 to 1e150, exactly
        scaled = np.ldexp(x, power)
        one = fitted(x, y, kind, estimation=estimation)
        other = fitted(scaled, y, kind, estimation=estimation)
        shift = np.where(np.isnan(x), 0, power).sum(axis=1, keepdims=True) * np.log(2)
        assert np.allclose(other.log_density(scaled), one.log_density(x) - shift, rtol=1e-10)

    def test_units_do_not_matter_where_the_data_cannot_say(self):
        x, y = three_classes(42, rows=12, d=6)
        x[:, 5] = x[:, 0] - x[:, 1]
        power = np.array([-498, -498, 3, 40, 498, -498])
        one, other = fitted(x, y), fitted(np.ldexp(x, power), y)
        assert one.shape.columns.tolist() == other.shape.columns.tolist() == [0, 1, 2, 3, 4]
        assert np.allclose(posterior(one, x, y), posterior(other, np.ldexp(x, power), y), atol=1e-10)

    @pytest.mark.parametrize("kind", KINDS)
    def test_an_offset_of_1e8_costs_nothing(self, kind):
        x, y = three_classes(43)
        x = np.round(x * 1024) / 1024  # so that adding the offset is exact
        near, far = fitted(x, y, kind), fitted(x + 2.0**27, y, kind)
        assert np.allclose(near.covariance, far.covariance, rtol=1e-12, atol=1e-12)
        assert np.allclose(near.log_density(x), far.log_density(x + 2.0**27), rtol=1e-7, atol=1e-7)
        assert np.allclose(near.log_ratio(x), far.log_ratio(x + 2.0**27), rtol=1e-7, atol=1e-7)

    def test_covariance_at_an_offset_agrees_with_rational_arithmetic(self):
        x = three_classes(44, rows=60, d=3)[0] + 1e8
        exact = [[Fraction(float(v)) for v in row] for row in x]
        mean = [sum(row[j] for row in exact) / 60 for j in range(3)]
        mine = fitted(x, np.zeros(60, dtype=int)).covariance[0]
        for i, j in product(range(3), range(3)):
            true = float(sum((row[i] - mean[i]) * (row[j] - mean[j]) for row in exact) / 60)
            assert np.isclose(mine[i, j], true, rtol=1e-11, atol=1e-11)

    @pytest.mark.parametrize("kind", KINDS)
    @pytest.mark.parametrize("estimation", ["ml", "bayes"])
    def test_far_away_rows_stay_finite(self, kind, estimation):
        x, y = three_classes(45)
        mine = fitted(x, y, kind, estimation=estimation)
        far = np.array([[1e300, -1e300, 0, 1e308], [1e160, np.nan, 1, 2], [-1.7e308] * 4, [np.nan] * 4])
        score = mine.log_density(far)
        assert np.isfinite(score).all() and not score[3].any()
        assert np.allclose(normalize(score).sum(axis=1), 1)

    def test_nearly_equal_columns_that_differ_by_class(self):
        rng = np.random.default_rng(46)
        y = np.arange(4000) % 2
        base = rng.normal(size=4000)
        x = np.column_stack([base, base + 1e-4 * (y + 0.2 * rng.normal(size=4000))])
        assert (posterior(fitted(x, y, "shared"), x, y).argmax(axis=1) == y).mean() > 0.98
        assert (posterior(fitted(x, y, "full"), x, y).argmax(axis=1) == y).mean() > 0.98


class TestMissingInTraining:
    @pytest.mark.parametrize("ddof", [0, 1])
    @pytest.mark.parametrize("shared", [False, True])
    def test_pairs_are_the_pairwise_covariances(self, ddof, shared):
        x, y = three_classes(51, rows=900, missing=0.15)
        x += 2 * np.random.default_rng(51).normal(size=x.shape)
        expected, behind = np.zeros((3, 4, 4)), np.zeros((3, 4, 4))
        for c, i, j in product(range(3), range(4), range(4)):
            both = (y == c) & ~np.isnan(x[:, i]) & ~np.isnan(x[:, j])
            a, b = x[both, i], x[both, j]
            expected[c, i, j], behind[c, i, j] = ((a - a.mean()) * (b - b.mean())).sum(), both.sum() - ddof
        if shared:
            expected, behind = expected.sum(axis=0, keepdims=True), behind.sum(axis=0, keepdims=True)
        mine = fitted(x, y, "shared" if shared else "full", ddof)
        assert all(np.linalg.eigvalsh(s)[0] > 0 for s in expected / behind)  # nothing to repair
        assert np.allclose(mine.covariance, expected / behind, rtol=1e-10)
        assert np.allclose(mine.mean, [np.nanmean(x[y == c], axis=0) for c in range(3)])

    @pytest.mark.parametrize("estimation", ["ml", "map", "bayes"])
    @pytest.mark.parametrize("kind", KINDS)
    def test_impute_is_the_fit_to_filled_rows(self, kind, estimation):
        x, y = three_classes(52, rows=90, missing=0.3)
        full = x.copy()
        for c, j in product(range(3), range(4)):
            full[(y == c) & np.isnan(x[:, j]), j] = np.nanmean(x[y == c, j])
        mine = fitted(x, y, kind, 0, estimation, missing="impute")
        assert np.allclose(mine.log_density(x), fitted(full, y, kind, 0, estimation).log_density(x), rtol=1e-9)

    def test_pairs_and_impute_differ(self):
        x, y = three_classes(53, missing=0.3)
        for kind in KINDS:
            pairs, impute = fitted(x, y, kind), fitted(x, y, kind, missing="impute")
            assert not np.allclose(pairs.covariance, impute.covariance, rtol=1e-3)

    @pytest.mark.sample(6)
    @pytest.mark.parametrize("seed", range(8))
    @pytest.mark.parametrize("estimation", ["ml", "map", "bayes"])
    def test_few_pairs_still_make_a_distribution(self, seed, estimation):
        x, y = three_classes(seed, rows=18, d=5, missing=0.5)
        for kind, missing in product(KINDS, ["pairs", "impute"]):
            score = fitted(x, y, kind, estimation=estimation, missing=missing).log_density(x)
            assert np.isfinite(score).all()

    def test_negative_eigenvalues_count_as_unknown(self):
        # Three columns, each pair seen in rows of its own with correlations 1, 1 and -1: no data have all three.
        t = np.tile([-1.0, 1.0], 20)
        blank = np.full(40, np.nan)
        block = [np.column_stack(c) for c in ([t, t, blank], [t, blank, t], [blank, t, -t])]
        x = np.concatenate([*block, *block])
        y = np.repeat([0, 1], 120)
        mine = fitted(x, y)
        assert np.isfinite(mine.log_density(x)).all()
        pairs = np.ix_(mine.shape.columns, mine.shape.columns)
        assert all(np.linalg.eigvalsh(s[pairs])[0] > 0 for s in mine.covariance)

    def test_columns_missing_in_a_group_or_everywhere(self):
        x, y = three_classes(54)
        x[y == 1, 2] = np.nan
        x[:, 3] = np.nan
        for kind, missing in product(("full", "shared", "diagonal", "spherical"), ["pairs", "impute"]):
            mine = fitted(x, y, kind, missing=missing)
            assert np.isclose(mine.mean[1, 2], np.nanmean(x[:, 2]))
            assert np.isfinite(mine.log_density(x)).all()
            without = fitted(x[:, :3].copy(), y, kind, missing=missing)
            assert np.allclose(mine.log_density(x), without.log_density(x[:, :3].copy()), rtol=1e-9)
        full = fitted(x, y)
        assert np.isclose(full.covariance[1, 2, 2], np.nanvar(x[:, 2]))

    def test_rows_without_any_cell_change_nothing_but_the_weight(self):
        x, y = three_classes(55)
        more = np.vstack([x, np.full((3, 4), np.nan)])
        mine = fitted(more, np.append(y, [0, 1, 2]))
        assert np.allclose(mine.log_density(x), fitted(x, y).log_density(x), rtol=1e-10)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_chunks_add_up_to_the_whole(kind, missing):
    x, y = three_classes(61, missing=missing)
    x += 1e8
    family = MultivariateGaussianFamily(kind)
    parts = [family.summarize(x[i::7].copy(), Membership.of_labels(y[i::7], 3)) for i in range(7)]
    whole = family.summarize(x, Membership.of_labels(y, 3))
    added, at_once = family.estimate(sum_of(parts)), family.estimate(whole)
    assert np.allclose(added.covariance, at_once.covariance, rtol=1e-11, atol=1e-12)
    kept = family.estimate(sum_of(parts).without(parts[3]))
    never = family.estimate(sum_of(parts[:3] + parts[4:]))
    assert np.allclose(kept.log_density(x), never.log_density(x), rtol=1e-6)


@pytest.mark.parametrize("kind", KINDS)
def test_weights_are_repetitions(kind):
    x, y = three_classes(62, rows=60)
    weight = np.arange(60) % 3
    family = MultivariateGaussianFamily(kind, ddof=1)
    weighted = family.estimate(family.summarize(x, Membership.of_labels(y, 3, weight)))
    repeated = fitted(np.repeat(x, weight, axis=0), np.repeat(y, weight), kind, 1)
    assert np.allclose(weighted.log_density(x), repeated.log_density(x), rtol=1e-10)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("estimation", ["ml", "bayes"])
def test_samples_recover_the_parameters(kind, estimation):
    x, y = three_classes(63, rows=3000)
    mine = fitted(x, y, kind, estimation=estimation)
    member = np.repeat(np.arange(3), 40_000)
    drawn = mine.sample(member, np.random.default_rng(9))
    again = fitted(drawn, member, kind)
    assert np.allclose(again.mean, mine.mean, atol=0.1)
    source = fitted(x, y, kind)
    assert np.allclose(again.covariance, source.covariance, rtol=0.06, atol=0.15)


def test_samples_follow_constant_and_repeated_columns():
    x, y = three_classes(64)
    wide = np.column_stack([x, 2 * x[:, 1], np.full(len(x), 5.0)])
    drawn = fitted(wide, y).sample(np.array([0, 2, 1, 1]), np.random.default_rng(0))
    assert np.allclose(drawn[:, 4], 2 * drawn[:, 1]) and np.allclose(drawn[:, 5], 5.0)


class TestStandardErrors:
    @pytest.mark.sample(1)
    @pytest.mark.parametrize("kind", KINDS)
    def test_they_are_the_spread_over_samples(self, kind):
        rng = np.random.default_rng(71)
        mean, covariance = random_members(72, k=2, d=2, shared=True)
        covariance = covariance[0] if kind in ("full", "shared") else np.eye(2) * 2
        truth = MultivariateGaussian.of(mean, covariance)
        member = np.repeat([0, 1], [25, 40])
        family = MultivariateGaussianFamily(kind, ddof=1)
        name = "covariance" if kind in ("full", "shared") else "variance"
        means, spreads, errors = [], [], []
        for _ in range(600):
            statistic = family.summarize(truth.sample(member, rng), Membership.of_labels(member, 2))
            fit = family.estimate(statistic)
            means.append(fit.mean)
            spreads.append(getattr(fit, name)[:, :1] if kind.endswith("spherical") else getattr(fit, name))
            errors.append(family.standard_errors(statistic))
        assert np.allclose(np.mean([e["mean"] for e in errors], axis=0), np.std(means, axis=0), rtol=0.12)
        assert np.allclose(np.mean([e[name] for e in errors], axis=0), np.std(spreads, axis=0), rtol=0.2)

    def test_too_few_rows_have_none(self):
        x, y = np.array([[1.0, 2.0], [3.0, 5.0], [4.0, 1.0]]), np.array([0, 1, 1])
        for kind in ("full", "diagonal", "spherical"):
            family = MultivariateGaussianFamily(kind)
            errors = family.standard_errors(family.summarize(x, Membership.of_labels(y, 2)))
            for value in errors.values():
                assert np.isnan(value[0]).all() and np.isfinite(value[1]).all()

    def test_diagonal_is_that_of_the_plain_family(self):
        x, y = three_classes(73, missing=0.2)
        family, plain = MultivariateGaussianFamily("diagonal"), GaussianFamily()
        statistic = family.summarize(x, Membership.of_labels(y, 3))
        for name, value in plain.standard_errors(statistic).items():
            assert np.allclose(family.standard_errors(statistic)[name], value)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"covariance": "round"}, "covariance must be one of"),
        ({"estimation": "guess"}, "estimation must be one of"),
        ({"missing": "drop"}, "missing must be one of"),
        ({"ddof": 2}, "ddof must be 0 or 1"),
        ({"strength": 0.0}, "strength must be positive"),
    ],
)
def test_options_that_do_not_exist_are_refused(options, message):
    with pytest.raises(InputError, match=message):
        MultivariateGaussianFamily(**options)


def test_a_statistic_of_another_kind_is_refused():
    x, y = three_classes(81, rows=12)
    members = Membership.of_labels(y, 3)
    full, diagonal = MultivariateGaussianFamily("full"), MultivariateGaussianFamily("diagonal")
    for family, statistic in ((full, diagonal.summarize(x, members)), (diagonal, full.summarize(x, members))):
        for method in (family.estimate, family.standard_errors):
            with pytest.raises(InputTypeError, match="is estimated from"):
                method(statistic)


def test_impossible_parameters_are_refused():
    with pytest.raises(InputError, match="symmetric"):
        MultivariateGaussian.of(np.zeros((1, 2)), np.array([[1.0, 0.5], [0.0, 1.0]]))
    with pytest.raises(InputError, match="positive definite"):
        MultivariateGaussian.of(np.zeros((2, 2)), np.stack([np.eye(2), np.array([[1.0, 2.0], [2.0, 1.0]])]))
    with pytest.raises(InputError, match="shape"):
        MultivariateGaussian.of(np.zeros((2, 2)), np.eye(3))
    with pytest.raises(InputError, match="degrees of freedom"):
        MultivariateStudent.of(np.zeros((1, 2)), np.eye(2), np.array([0.0]))


class TestFewerRowsThanColumns:
    def data(self, seed, informative, n=40, d=60):
        rng = np.random.default_rng(seed)
        y = np.arange(n + 1000) % 2
        x = rng.normal(size=(n + 1000, d))
        x[:, informative] += 4 * y
        return x[:n].copy(), y[:n], x[n:].copy(), y[n:]

    @pytest.mark.parametrize("kind", ["full", "shared"])
    @pytest.mark.parametrize("informative", [0, -1])
    def test_no_column_is_dropped_for_its_place(self, kind, informative):
        x, y, queries, truth = self.data(1, informative)
        mine = fitted(x, y, kind)
        assert mine.shape.rank == 60
        assert (mine.log_density(queries).argmax(axis=1) == truth).mean() > 0.85

    @pytest.mark.parametrize("estimation", ["ml", "map", "bayes"])
    @pytest.mark.parametrize("kind", ["full", "shared"])
    def test_the_order_of_the_columns_does_not_matter(self, kind, estimation):
        x, y, queries, _ = self.data(2, 5)
        order = np.random.default_rng(3).permutation(60)
        mine = fitted(x, y, kind, estimation=estimation).log_density(queries)
        other = fitted(x[:, order].copy(), y, kind, estimation=estimation).log_density(queries[:, order].copy())
        assert np.allclose(mine, other, rtol=1e-8)

    def test_correlations_are_weakened(self):
        x, y, _, _ = self.data(4, 0)
        own = x - np.stack([x[y == c].mean(axis=0) for c in (0, 1)])[y]
        expected = own.T @ own / 40 * np.where(np.eye(60, dtype=bool), 1, 40 / 100)
        assert np.allclose(fitted(x, y, "shared").covariance[0], expected)

    def test_more_rows_than_columns_change_nothing(self):
        x, y, _, _ = self.data(5, 0, n=62)
        own = x - np.stack([x[y == c].mean(axis=0) for c in (0, 1)])[y]
        assert np.allclose(fitted(x, y, "shared").covariance[0], own.T @ own / 62, atol=1e-12)

    def test_normalised_weights_still_drop_collinear_columns(self):
        x, y = three_classes(6)
        x = np.column_stack([x, x[:, 0] + x[:, 1]])
        family = MultivariateGaussianFamily("shared")
        weights = np.full(len(x), 1 / len(x))
        mine = family.estimate(family.summarize(x, Membership.of_labels(y, 3, weights)))
        assert mine.shape.rank == 4
        assert np.allclose(mine.log_density(x), fitted(x, y, "shared").log_density(x))

    def test_missing_cells_on_top(self):
        x, y, queries, truth = self.data(7, -1)
        x[np.random.default_rng(8).random(x.shape) < 0.1] = np.nan
        for kind in ("full", "shared"):
            assert (fitted(x, y, kind).log_density(queries).argmax(axis=1) == truth).mean() > 0.8


@pytest.mark.parametrize("share", [0.01, 0.05, 0.2])
@pytest.mark.parametrize("kind", ["full", "shared"])
def test_correlated_columns_with_missing_cells_do_not_collapse(kind, share):
    rng = np.random.default_rng(91)
    y = rng.integers(0, 3, 600)
    hidden = rng.normal(size=(600, 3)) + np.array([[0, 0, 0], [2, 0, 1], [0, 2, -1.0]])[y]
    x = hidden @ rng.normal(size=(3, 30)) + 0.3 * rng.normal(size=(600, 30))
    whole = fitted(x[:300].copy(), y[:300], kind).log_density(x[300:].copy()).argmax(axis=1)
    x[rng.random(x.shape) < share] = np.nan
    for missing in ("pairs", "impute"):
        mine = fitted(x[:300].copy(), y[:300], kind, missing=missing).log_density(x[300:].copy()).argmax(axis=1)
        assert (mine == y[300:]).mean() > (whole == y[300:]).mean() - 0.05


@pytest.mark.parametrize("kind", ["shared", "shared_diagonal", "shared_spherical"])
@pytest.mark.parametrize("offset", [0.0, 1e6, 1e8])
def test_centred_coefficients_keep_their_digits(kind, offset):
    x, y = three_classes(92)
    far = x + offset
    mine = fitted(far, y, kind)
    coef, intercept = mine.linear(centred=True)
    rest = far @ coef.T + intercept - mine.log_ratio(far)
    assert np.abs(rest - rest[:, :1]).max() < 1e-12 + 1e-14 * offset
    plain, _ = fitted(x, y, kind).linear()
    assert np.allclose(coef - coef[0], plain - plain[0], rtol=1e-6, atol=1e-6)
