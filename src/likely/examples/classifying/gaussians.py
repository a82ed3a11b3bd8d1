"""Worked examples of Gaussian classes and other densities of numbers."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely import GaussianBayes, LikelyError, NaiveBayes
from likely.data import norm
from likely.decisions import Population, decide, decision_points
from likely.distributions import MultivariateGaussian, posterior
from likely.examples.catalogue import Example
from likely.examples.worked import Axes, Worked, worked
from likely.figures import ClassBoundariesDisplay, DecisionRegionsDisplay, GaussianPlaneDisplay, panels
from likely.probability import Ellipse
from likely.statistics import correlation, covariance_from, determinant, inverse


@worked("EX-GEN-13")
def log_posterior_ratios(ex: Example) -> Worked:
    """Do these points belong to S or to T, with equal priors and with a weighted one?"""
    X = np.array(ex.inputs["S"] + ex.inputs["T"], dtype=float)[:, None]
    y = np.repeat(["S", "T"], [len(ex.inputs["S"]), len(ex.inputs["T"])])
    model = GaussianBayes("full", class_prior="uniform").fit(X, y)
    query = np.array(ex.inputs["x"], dtype=float)[:, None]
    values: dict[str, Any] = {}
    for name, prior in [("equal", None), ("weighted", {"S": ex.inputs["prior_S"], "T": 1 - ex.inputs["prior_S"]})]:
        log_p = model.predict_log_proba(query, prior=prior)
        ratio = (log_p[:, 0] - log_p[:, 1]).tolist()
        values |= {f"{name}_{x}": value for x, value in zip(ex.inputs["x"], ratio, strict=True)}
        values[f"classes_{name}"] = model.predict(query, prior=prior)
    return Worked(values, lambda ax: ClassBoundariesDisplay.from_estimator(model, X, y, ax=ax))


def _three(ex: Example, key: str) -> tuple[list[str], MultivariateGaussian]:
    names = list(ex.inputs[key])
    means, covariances = (np.array([ex.inputs[key][k][part] for k in names], dtype=float) for part in ("mean", "cov"))
    return names, MultivariateGaussian.of(means, covariances)


@worked("EX-GEN-17")
def three_classes(ex: Example) -> Worked:
    """How well can three Gaussian classes in the plane be told apart at best?"""
    rng = np.random.default_rng(ex.inputs["seed"])
    names, law = _three(ex, "true")

    def draw(n: int) -> tuple[NDArray[Any], NDArray[Any]]:
        member = np.repeat(np.arange(3), n)
        return law.sample(member, rng), np.array(names)[member]

    X, y = draw(ex.inputs["n_train"])
    model = GaussianBayes("full", ddof=1, class_prior=ex.inputs["prior"]).fit(X, y)
    many, labels = draw(200_000)
    right = np.array(names)[law.log_density(many).argmax(axis=1)] == labels
    test, truth = draw(ex.inputs["n_test"])
    values = {
        "best_accuracy": float(right.mean()),
        "best_accuracy_per_class": [float(right[labels == k].mean()) for k in names],
        "test_accuracy": model.score(test, truth),
        "fitted_means": model.means_,
        "fitted_covariances": model.covariances_,
    }

    def figure(ax: Axes) -> None:
        options: dict[str, Any] = {"radii": (1.0, 2.0), "limits": ((-7, 8), (-8, 5)), "aspect": "equal"}
        learned, judged = panels(ax, 2)
        DecisionRegionsDisplay.from_estimator(model, X, y, shade=False, rings=False, ax=learned, **options)
        learned.set_title("learned rows, ellipses of 1 and 2 deviations", fontsize=10)
        DecisionRegionsDisplay.from_estimator(model, test, truth, ax=judged, **options)
        judged.set_title("test rows, by true class", fontsize=10)

    return Worked(values, figure, (11.0, 5.0))


@worked("EX-GEN-18")
def linear_discriminants(ex: Example) -> Worked:
    """What linear functions decide between Gaussians with one covariance?"""
    law = MultivariateGaussian.of(np.array(ex.inputs["means"], dtype=float), np.array(ex.inputs["cov"]))
    coef, intercept = law.linear()
    log_prior = np.log(ex.inputs["prior"])
    x = np.array([ex.inputs["x"]], dtype=float)
    scores = (x @ coef.T + intercept + log_prior)[0]
    quadratic = (law.log_density(x) + log_prior)[0]
    values = {
        "w": coef,
        "w0": intercept + log_prior,
        "linear_scores": scores,
        "score_differences": scores - scores[0],
        "quadratic_differences": quadratic - quadratic[0],
        "posterior": posterior(law, ex.inputs["prior"], x)[0],
    }
    return Worked(values)


@worked("EX-GEN-19")
def nearest_mean(ex: Example) -> Worked:
    """When is the most probable class that of the nearest mean, and when not?"""
    means, rows = (np.array(ex.inputs[name], dtype=float) for name in ("means", "points"))
    law = MultivariateGaussian.of(means, ex.inputs["sigma2"] * np.eye(2))
    deviation = np.full(2, np.sqrt(ex.inputs["sigma2"]))
    (boundary,) = decision_points(means[:, 0], deviation, ex.inputs["skewed_prior"])
    values = {
        "equal": decide(posterior(law, ex.inputs["prior"], rows)).code,
        "nearest": [min(range(2), key=lambda k: norm(row - means[k])) for row in rows],
        "skewed": decide(posterior(law, ex.inputs["skewed_prior"], rows)).code,
        "boundary_x_skewed": boundary,
    }
    return Worked(values)


@worked("EX-GEN-20")
def naive_is_diagonal(ex: Example) -> Worked:
    """Is Gaussian naive Bayes the Gaussian classifier with diagonal covariances?"""
    X = np.array(ex.inputs["x_a"] + ex.inputs["x_b"], dtype=float)
    y = np.repeat(["a", "b"], [len(ex.inputs["x_a"]), len(ex.inputs["x_b"])])
    naive = NaiveBayes(ddof=ex.inputs["ddof"]).fit(X, y)
    diagonal = GaussianBayes("diagonal", ddof=ex.inputs["ddof"]).fit(X, y)
    query = [ex.inputs["query"]]
    values = {
        "loglik_a": naive.log_likelihood(query)[0, 0],
        "loglik_b": naive.log_likelihood(query)[0, 1],
        "loglik_a_as_diagonal_gaussian": diagonal.log_likelihood(query)[0, 0],
        "posterior_a": naive.predict_proba(query)[0, 0],
    }
    return Worked(values)


@worked("EX-GEN-30")
def covariance_shapes(ex: Example) -> Worked:
    """What shapes has a Gaussian in the plane with a spherical, a diagonal and a full covariance?"""
    rows = np.array(ex.inputs["points"], dtype=float)
    values: dict[str, Any] = {}
    laws = {}
    for name, covariance in ex.inputs["covariances"].items():
        S = np.array(covariance, dtype=float)
        laws[name] = law = MultivariateGaussian.of(np.zeros((1, 2)), S)
        values[name] = {
            "density": np.exp(law.log_density(rows))[:, 0],
            "determinant": determinant(S),
            "rho": float(correlation(S)[0, 1]),
            "precision": inverse(S),
        }

    def figure(ax: Axes) -> None:
        for panel, (name, law) in zip(panels(ax, len(laws)), laws.items(), strict=True):
            GaussianPlaneDisplay.from_law([0, 0], law.covariance[0], limits=[(-5, 5)] * 2, ax=panel)
            panel.set_title(f"{name}: {ex.inputs['covariances'][name]}", fontsize=9)

    return Worked(values, figure, (11.0, 4.0))


@worked("EX-GEN-31")
def covariance_of_deviations(ex: Example) -> Worked:
    """What is the covariance matrix of two deviations and a correlation, and which correlations are none?"""
    variances = [ex.inputs["xvar"], ex.inputs["yvar"]]
    matrix = covariance_from(variances, ex.inputs["rho"])

    def refused(rho: float) -> bool:
        try:
            covariance_from(variances, rho)
        except LikelyError:
            return True
        return False

    (across, _), widest = (Ellipse.of_covariance(matrix, radius=r).half_widths for r in (3, 2))
    edge = max(widest)
    values = {
        "matrix": matrix,
        "covxy": matrix[0, 1],
        "invalid_are_errors": [refused(rho) for rho in ex.inputs["invalid_rho"]],
        "grid_x_1d": [-across, across],  # mean -+ 3 deviations
        "grid_2d": [-edge, edge],
    }

    def figure(ax: Axes) -> None:
        options: dict[str, Any] = {"style": "ellipses", "radii": (1.0,), "limits": [(-edge, edge)] * 2, "ax": ax}
        for rho in (ex.inputs["rho"], 0.0, -ex.inputs["rho"]):
            GaussianPlaneDisplay.from_law(
                [0, 0], covariance_from(variances, rho), name=f"correlation {rho:g}", **options
            )
        ax.set_title("one standard deviation", fontsize=10)

    return Worked(values, figure)


@worked("EX-GEN-34")
def printed_gaussians(ex: Example) -> Worked:
    """To which of three fitted Gaussians do these points belong?"""
    names, law = _three(ex, "fitted")
    rows = np.array(ex.inputs["points"], dtype=float)
    log_density, p = law.log_density(rows), posterior(law, ex.inputs["prior"], rows)
    table = [
        {"x": x, "log_density": d, "posterior": q, "label": names[int(np.argmax(q))]}
        for x, d, q in zip(ex.inputs["points"], log_density.tolist(), p.tolist(), strict=True)
    ]

    def figure(ax: Axes) -> None:
        best = Population.of(law, ex.inputs["prior"], classes=names)
        said = [str(row["label"]) for row in table]
        options: dict[str, Any] = {"limits": ((-7, 8), (-8, 5)), "radii": (1.0, 2.0), "aspect": "equal"}
        DecisionRegionsDisplay.from_population(best, rows, names=said, ax=ax, **options)

    return Worked({"points": table}, figure, (6.6, 5.2))
