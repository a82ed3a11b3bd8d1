"""Worked examples of logistic and softmax regression."""

import warnings
from typing import Any

import numpy as np

from likely import LogisticRegression
from likely.data import TargetLike
from likely.examples.catalogue import Example
from likely.examples.worked import Axes, Worked, worked
from likely.figures import canvas, colour
from likely.models import StepSizes, logistic, logit, softmax_jacobian
from likely.probability import log_sum_exp, normalize


def rows_of(ex: Example) -> tuple[Any, Any]:
    """The rows without their leading constant, which the intercept stands for, and their classes."""
    return np.array(ex.inputs["x"], dtype=float)[:, 1:], np.array(ex.inputs["y"])


def likelihood(**options: Any) -> LogisticRegression:
    """Maximum likelihood in the units of the table."""
    return LogisticRegression(penalty=None, standardize=False, kinds="numeric", **options)


def both(model: LogisticRegression) -> Any:
    """The intercept and the weights."""
    return np.append(model.intercept_[0], model.coef_[0])


def unfinished(model: LogisticRegression, x: Any, y: TargetLike) -> LogisticRegression:
    """Fitted by a few steps, which need not have arrived."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.fit(x, y)


@worked("EX-DSC-20")
def sigmoid(ex: Example) -> Worked:
    """What are the logistic sigmoid, its slope and its inverse at some places?"""
    g = logistic(ex.inputs["a"])

    def figure(ax: Axes) -> None:
        _, ax = canvas(ax)
        a = np.linspace(-6, 6, 200)
        ax.plot(a, logistic(a), color=colour(0))
        ax.set_xlabel("log odds")
        ax.set_ylabel("probability")

    return Worked({"g": g, "slope": g * (1 - g), "logit": logit(ex.inputs["p"])}, figure)


@worked("EX-DSC-22")
def softmax(ex: Example) -> Worked:
    """What are the softmax of three scores and its slopes?"""
    a = np.array(ex.inputs["a"])
    p, jacobian = normalize(a[None])[0], softmax_jacobian(a)
    values = {
        "softmax": p,
        "jacobian": jacobian,
        "shifted_same": bool(np.allclose(normalize((a + 7.0)[None])[0], p)),
        "inverse_constant": float(log_sum_exp(a)),
        "argmax": int(p.argmax()),
        "jacobian_00": float(jacobian[0, 0]),
    }
    return Worked(values)


@worked("EX-DSC-24")
def newton_steps(ex: Example) -> Worked:
    """Which weights make six rows most likely, and what do their probabilities add up to?"""
    x, y = rows_of(ex)
    model, first = likelihood(solver="newton").fit(x, y), unfinished(likelihood(solver="newton", max_iter=1), x, y)
    p = model.predict_proba(x)[:, 1]
    log_likelihood = float(np.log(np.where(y == 1, p, 1 - p)).sum())
    wide = np.column_stack([np.ones(len(x)), x])
    values = {
        "log_likelihood_at_zero": -float(model.history_.objective[0]),
        "gradient_at_zero": wide.T @ (y - 0.5),
        "first_newton_step": both(first),
        "weights": both(model),
        "log_likelihood": log_likelihood,
        "negative_log_likelihood": -log_likelihood,
        "probabilities": p,
        "sum_of_probabilities": float(p.sum()),
        "positives": int(y.sum()),
        "feature_residual": wide.T @ (y - p),
    }
    return Worked(values)


@worked("EX-DSC-25")
def momentum(ex: Example) -> Worked:
    """How much farther do three steps of ascent lead with momentum?"""
    x, y = rows_of(ex)
    rho, alpha, steps = ex.inputs["rho"], ex.inputs["alpha"], ex.inputs["steps"]

    def after(count: int, solver: str) -> LogisticRegression:
        return unfinished(likelihood(solver=solver, learning_rate=rho, momentum=alpha, max_iter=count), x, y)

    runs = [after(count, "momentum") for count in range(1, steps + 1)]
    plain = after(steps, "gradient")
    weights = np.array([both(run) for run in runs])
    wide = np.column_stack([np.ones(len(x)), x])
    slopes = [wide.T @ (y - logistic(wide @ w)) for w in [np.zeros(2), *weights[:-1]]]
    unrolled = sum(alpha ** (steps - 1 - t) * rho * slopes[t] for t in range(steps))
    values = {
        "weights": weights,
        "last_change": weights[-1] - weights[-2],
        "last_change_as_sum": unrolled,
        "plain_ascent_after_same_steps": both(plain),
        "log_likelihood_momentum": -float(runs[-1].history_.objective[-1]),
        "log_likelihood_plain": -float(plain.history_.objective[-1]),
        "first_component_of_unrolled_sum": float(np.asarray(unrolled)[0]),
    }
    return Worked(values)


@worked("EX-DSC-26")
def step_sizes(ex: Example) -> Worked:
    """With which step sizes does online learning arrive?"""
    powers = {"constant": 0.0, "1/t": 1.0, "1/t^2": 2.0, "1/sqrt(t)": 0.5}
    values = {
        "sum_of_1_over_t_squared_limit": StepSizes(2.0).sum,
        "partial_sum_1_over_t": float(StepSizes(1.0)(ex.inputs["terms"]).sum()),
        "allowed": {name: StepSizes(powers[name]).allowed for name in ex.inputs["schedules"]},
    }
    return Worked(values)


@worked("EX-DSC-27")
def weight_decay(ex: Example) -> Worked:
    """How large do weights become on separable rows under priors of several widths?"""
    x, y = rows_of(ex)
    fits = {}
    for variance in ex.inputs["sigma2"]:
        model = LogisticRegression(
            prior_variance=variance, penalize_intercept=True, standardize=False, kinds="numeric", tol=1e-13
        ).fit(x, y)
        objective, slope = model.history_.objective[-1], model.history_.gradient_norm[-1]
        fits[str(variance)] = {"weights": both(model), "objective": objective, "gradient_max": slope}
    return Worked({"fits": fits})


@worked("EX-DSC-28")
def softmax_of_two(ex: Example) -> Worked:
    """Is softmax regression of two classes logistic regression?"""
    x, y = rows_of(ex)
    two = likelihood().fit(x, y)
    scores = two.predict_log_proba(x)
    wide = np.column_stack([np.ones(len(x)), x])
    per_class = [np.linalg.lstsq(wide, scores[:, c] - scores.mean(axis=1), rcond=None)[0] for c in (0, 1)]
    return Worked({"difference_of_class_weights": per_class[1] - per_class[0], "logistic_weights": both(two)})


@worked("EX-DSC-29")
def every_optimiser(ex: Example) -> Worked:
    """Do all optimisers reach the same maximum?"""
    x, y = rows_of(ex)
    solvers = {"CG": "conjugate_gradient", "BFGS": "lbfgs", "line_search": "gradient", "newton": "newton"}
    values = {name: both(likelihood(solver=solver, max_iter=5000).fit(x, y)) for name, solver in solvers.items()}
    ascent = likelihood(solver="gradient", learning_rate=0.2, max_iter=20_000).fit(x, y)
    return Worked({**values, "gradient_ascent": both(ascent)})


@worked("EX-DSC-30")
def generative_start(ex: Example) -> Worked:
    """How good are the weights of Gaussian classes, and a few steps of ascent from them?"""
    x = np.array([*ex.inputs["neg"], *ex.inputs["pos"]], dtype=float)[:, None]
    y = np.repeat([0, 1], [len(ex.inputs["neg"]), len(ex.inputs["pos"])])

    def after(steps: int, start: Any) -> LogisticRegression:
        model = likelihood(solver="gradient", learning_rate=ex.inputs["rho"], start=start, max_iter=steps)
        return unfinished(model, x, y)

    started, best = after(ex.inputs["steps"], "generative"), likelihood().fit(x, y)
    at_start = likelihood(solver="sgd", learning_rate=1e-300, start="generative", max_iter=1).fit(x, y)
    values = {
        "generative_weights": both(at_start),
        "log_likelihood_start": -float(started.history_.objective[0]),
        "log_likelihood_zero": -float(best.history_.objective[0]),
        "log_likelihood_after": -float(started.history_.objective[-1]),
        "log_likelihood_best": -float(best.history_.objective[-1]),
    }
    return Worked(values)


@worked("EX-DSC-37")
def online_updates(ex: Example) -> Worked:
    """Where do three corrections of a logistic unit lead, one for each row?"""
    x, y = np.array(ex.inputs["x"], dtype=float), np.array(ex.inputs["y"])
    start = [[*ex.inputs["w"], -ex.inputs["t"]]]
    model = likelihood(learning_rate=ex.inputs["eta"], decay=0.0, start=start)
    trace = []
    for i in range(len(x)):
        p = 0.5 if i == 0 else float(model.predict_proba(x[[i]])[0, 1])
        model.partial_fit(x[[i]], y[[i]], classes=[0, 1])
        trace.append([p, *model.coef_[0], -model.intercept_[0]])
    return Worked({"trace": trace})


@worked("EX-DSC-44")
def conditional_mean(ex: Example) -> Worked:
    """What is the mean of a class coded as 0 and 1?"""
    mu = ex.inputs["mu"]
    chances = np.array([1 - mu, mu])
    return Worked({"expectation": float(chances @ [0, 1]), "p_y_0": float(chances[0])})
