"""From posterior to action: which class to say, what it is expected to cost, how close the call was.

    "likelihood"  argmax p(x | class): MAP with equal priors
    "map"         argmax p(x | class) P(class)
    "bits"        argmin -log2 p(x | class) - log2 P(class): the same choice, told as fewest bits
    "error"       least probability of error 1 - P(class | x): the same choice once more
    "risk"        least expected cost R(said | x) = sum over truth of costs[truth][said] P(truth | x)

For two classes minimum risk is a threshold on the likelihood ratio (`ratio_threshold`). Any monotone change of all
scores leaves an argmax alone, so posteriors, their logarithms and log joints decide alike.

Reject (Chow 1970, "On optimum recognition error and reject tradeoff"): with `reject`, the cost of not answering, a row
is rejected where every answer is expected to cost more. With `max_error`, a rate, the surest rows are answered, as many
as keep the expected share of mistakes among the answers at or below it; rows equally sure are treated alike.

Ties: "first" or "last" of the tied classes in the order of the classes, or "random" (every tied class equally often, by
the seed). Two risks of a row are tied when they differ by no more than rounding may have parted them: 16 eps times what
was summed for either, the sum over truth of |costs[truth][said]| P(truth | x). A cost so large that its answer is never
given takes no part in that, nor do the costs of other rows. Posteriors are compared exactly.
"""

from typing import Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike

from likely.data.accepted import ClassNames, PriorLike
from likely.decisions.costs import LARGEST_COST, CostMatrix, CostsLike
from likely.decisions.decision import Decision
from likely.errors import InputError, check_choice
from likely.intervals.quantiles import check_confidence
from likely.models.any_classifier.posteriors import (
    Form,
    as_matrix,
    read_class_prior,
    read_classes,
    read_log_posterior,
)
from likely.numeric.arrays import Array, Floats, Ints
from likely.numeric.logspace import log_normalize, log_of
from likely.numeric.random_state import Seed

Rule: TypeAlias = Literal["likelihood", "map", "bits", "error", "risk"]
Ties: TypeAlias = Literal["first", "last", "random"]

_ROUNDING = 1e-12  # of a sum of errors: what summing may have added to it
_RISK_ROUNDING = 16 * float(np.finfo(np.float64).eps)  # of the absolute terms of a risk: what may part equal risks


def decide(
    posterior: ArrayLike,
    classes: ClassNames = None,
    costs: CostsLike | None = None,
    rule: Rule = "risk",
    reject: float | None = None,
    max_error: float | None = None,
    prior: PriorLike | None = None,
    form: Form = "posterior",
    ties: Ties = "first",
    random_state: Seed = None,
) -> Decision:
    """The Bayes decision of each row from its posterior probabilities (n, k), or abstention.

    `form` says what is given instead: "log_posterior" (log joints too) or "log_likelihood". `classes` names the
    columns. `costs` is costs[truth][said], anything `CostMatrix.of` takes; without it every mistake costs 1. `rule` is
    "risk", "error", "map", "bits" or "likelihood". `reject` is the cost of not answering, `max_error` the highest
    expected share of mistakes among the answers. `prior` is needed to take the prior out of posteriors (rule
    "likelihood") or to put one into likelihoods (form "log_likelihood"). `ties` is "first", "last" or "random", which
    `random_state` seeds.

    >>> said = decide([[0.2, 0.8], [0.05, 0.95]], ["ill", "well"], costs=[[0, 10], [1, 0]])
    >>> said.best.tolist(), said.expected_cost.round(2).tolist(), said.margin.round(2).tolist()
    (['ill', 'well'], [0.8, 0.5], [1.2, 0.45])
    >>> decide([[0.2, 0.8], [0.4, 0.6]], ["ill", "well"], reject=0.3).answers("ask").tolist()
    ['well', 'ask']
    """
    check_choice("rule", rule, get_args(Rule))
    values = as_matrix(posterior)
    names = read_classes(classes, values.shape[1])
    given = None if prior is None else read_class_prior(prior, names, "prior")
    log_posterior = read_log_posterior(values, form, given)
    matrix = CostMatrix.zero_one(names) if costs is None else CostMatrix.of(costs, names)
    if rule == "likelihood":
        score = _log_likelihood(values, form, log_posterior, given)
        return settle(names, log_posterior, score, matrix, reject, max_error, ties, random_state)
    if rule in ("map", "bits"):
        unit = np.log(2) if rule == "bits" else 1.0
        return settle(names, log_posterior, log_posterior / unit, matrix, reject, max_error, ties, random_state)
    if rule == "error" or costs is None:
        score = np.exp(log_posterior)
        return settle(names, log_posterior, score, matrix, reject, max_error, ties, random_state)
    risk = matrix.risks(np.exp(log_posterior))
    slack = _rounding_of_risks(matrix, np.exp(log_posterior), risk)
    return settle(names, log_posterior, -risk, matrix, reject, max_error, ties, random_state, slack)


def settle(
    classes: Array,
    log_posterior: Floats,
    score: Floats,
    costs: CostMatrix,
    reject: float | None,
    max_error: float | None,
    ties: Ties,
    random_state: Seed,
    slack: Floats | float = 0.0,
) -> Decision:
    """The decision that says the class of the highest score (n, k), with its cost under the posterior.

    `slack` (n, k) is how far rounding may have moved each score.
    """
    check_reject(reject, max_error)
    code = choose(score, ties, random_state, slack)
    posterior = np.exp(log_posterior)
    rows = np.arange(len(code))
    risk = costs.risks(posterior)
    cost = risk[rows, code]
    error = _rest(posterior, code)
    rejected = np.zeros(len(code), dtype=bool)
    if reject is not None:
        rounding = _rounding_of_risks(costs, posterior, risk)[rows, code]
        rejected |= cost > reject + _RISK_ROUNDING * abs(reject) + rounding
    if max_error is not None:
        rejected |= error > error_threshold(error, max_error)
    done = np.where(rejected, 0.0 if reject is None else reject, cost)
    return Decision(classes, code, done, _margin(score, code), error, rejected, costs=costs, reject=reject)


def choose(score: Floats, ties: Ties = "first", random_state: Seed = None, slack: Floats | float = 0.0) -> Ints:
    """Place of the highest score in each row (n,); scores that reach the highest by `slack` (n, k) of both are tied.

    >>> choose(np.array([[0.4, 0.2, 0.4]]), "last")
    array([2])
    """
    check_choice("ties", ties, get_args(Ties))
    highest = score.argmax(axis=1)
    if ties == "first" and isinstance(slack, float) and slack == 0:
        return np.asarray(highest)
    room = np.broadcast_to(np.asarray(slack), score.shape)
    rows = np.arange(len(score))
    tied = score + room >= (score[rows, highest] - room[rows, highest])[:, None]
    if ties == "first":
        return np.asarray(tied.argmax(axis=1))
    if ties == "last":
        return np.asarray(score.shape[1] - 1 - tied[:, ::-1].argmax(axis=1))
    from likely.numeric.random_state import as_generator

    rng = as_generator(random_state)
    return np.asarray(np.where(tied, rng.random(score.shape), -1.0).argmax(axis=1))


def conditional_error(posterior: ArrayLike, form: Form = "posterior") -> Floats:
    """Probability of error given x of the best answer, 1 - max P(class | x), exact also where it is tiny.

    >>> conditional_error([[0.9, 0.1], [0.4, 0.6]])
    array([0.1, 0.4])
    """
    p = np.exp(read_log_posterior(posterior, form))
    return _rest(p, p.argmax(axis=1))


def error_threshold(
    error: ArrayLike,
    max_error: float,
    wrong: ArrayLike | None = None,
    weight: ArrayLike | None = None,
    confidence: float | None = None,
) -> float:
    """Selective risk: the largest conditional error to answer at, with mistakes at most `max_error` of the answers.

    The mistakes are the expected ones, sum of `error`, or the observed ones where `wrong` (n,) says which best
    answers were wrong. Rows of equal error are answered together; -inf when none can be.

    With `confidence` the rate holds for new rows too. `wrong`, of rows that the model has not seen, tests by the exact
    binomial law whether the m surest rows have a higher rate: from a start up in steps of 5 % until a test fails. The
    chance to be wrong is shared out among starts n, n/2, n/4 ..., and where these are three or more, half of it is that
    of the m for which `error` foresees that it passes; a chain that reaches another start brings its own chance along,
    so that choosing spoils nothing (fallback procedure of Wiens 2003; Angelopoulos et al. 2021, "Learn then test").

    >>> error_threshold([0.01, 0.05, 0.2, 0.4], max_error=0.1)
    0.2
    """
    check_reject(None, max_error)
    errors = np.asarray(error, dtype=np.float64)
    if errors.ndim != 1 or np.isnan(errors).any():
        raise InputError("the errors are one number per row, and none may be NaN")
    order = np.argsort(errors, kind="stable")
    ordered = errors[order]
    amount = np.ones(len(errors)) if weight is None else np.asarray(weight, dtype=np.float64)[order]
    mistakes = np.cumsum(amount * (ordered if wrong is None else np.asarray(wrong, dtype=np.float64)[order]))
    answered = np.cumsum(amount)
    ends = np.flatnonzero(np.append(ordered[1:] != ordered[:-1], True)[: len(ordered)])
    if confidence is None:
        fits = ends[mistakes[ends] <= max_error * answered[ends] * (1 + _ROUNDING)]
    else:
        if wrong is None:
            raise InputError("a bound with confidence needs to know which answers were wrong: give wrong=")
        rows = np.divide(answered**2, np.cumsum(amount**2), out=np.zeros(len(amount)), where=answered > 0)
        counts = np.divide(rows, answered, out=np.zeros(len(amount)), where=answered > 0)  # rows that a weight is worth
        expected = np.cumsum(amount * ordered)
        fits = _surely_below(mistakes * counts, expected * counts, rows, ends, max_error, check_confidence(confidence))
    return float(ordered[fits[-1]]) if len(fits) else -np.inf


def _surely_below(
    mistakes: Floats, expected: Floats, rows: Floats, ends: Ints, max_error: float, confidence: float
) -> Ints:
    """The last end that a chain of tests reaches, of mistakes observed and expected among so many effective rows."""
    if max_error >= 1 or not len(ends):
        return ends
    chance = 1 - confidence
    # without a single mistake this many rows would pass, if they were the only start
    least = np.log(chance) / np.log1p(-max_error) if max_error > 0 else np.inf
    here = rows[ends]
    halvings = max(int(np.log2(max(here[-1] / max(least, 1.0), 1.0))), 0)
    starts = _last_within(here, here[-1] / 2.0 ** np.arange(halvings + 1))
    foreseen = np.flatnonzero(_chance_of_so_few(expected[ends], here, max_error) <= chance / 2)[-1:]
    if halvings < 2:  # of so few rows a single test needs all the chance there is
        foreseen = foreseen[:0]
    grid = np.union1d(starts, _last_within(here, here[-1] * 0.95 ** np.arange(14 * (halvings + 1))))
    grid = np.union1d(grid, foreseen)
    spends = np.where(np.isin(grid, starts), chance / (1 + len(foreseen)) / len(starts), 0.0)
    spends += np.where(np.isin(grid, foreseen), chance / 2, 0.0)
    tried = ends[grid]
    luck = _chance_of_so_few(mistakes[tried], rows[tried], max_error)
    left, reached = 0.0, tried[:0]
    for place, spend in enumerate(spends):
        left += spend
        if luck[place] <= left:
            reached = tried[[place]]
        else:
            left = 0.0
    return reached


def _chance_of_so_few(mistakes: Floats, rows: Floats, rate: float) -> Floats:
    """Chance of so many mistakes or fewer among rows of this rate: the exact binomial test, of parts of rows too."""
    from scipy.special import betainc

    right = rows - mistakes
    return np.where(right > 0, betainc(np.where(right > 0, right, 1.0), mistakes + 1.0, 1.0 - rate), 1.0)


def _last_within(rising: Floats, limits: Floats) -> Ints:
    """Places of the last entries that are at or below each limit, each once."""
    places = np.searchsorted(rising, limits * (1 + _ROUNDING), side="right") - 1
    return np.unique(places[places >= 0])


def ratio_threshold(costs: CostsLike, prior: PriorLike = (0.5, 0.5)) -> float:
    """Likelihood-ratio threshold of least risk: the first class where p(x | 1) / p(x | 2) exceeds it; infinite: never.

        (costs[2][1] - costs[2][2]) P(2) / ((costs[1][2] - costs[1][1]) P(1))

    >>> ratio_threshold([[0, 10], [1, 0]], prior=[0.1, 0.9])
    0.9
    """
    matrix = CostMatrix.of(costs)
    if matrix.values.shape != (2, 2):
        raise InputError(f"a ratio has a threshold for two classes and one matrix, got shape {matrix.values.shape}")
    (right_1, miss_1), (miss_2, right_2) = matrix.values
    if miss_1 < right_1 or miss_2 < right_2:
        raise InputError(
            "a wrong answer costs less than the right one, so no threshold on the ratio decides: "
            f"costs {matrix.values.tolist()}"
        )
    p = read_class_prior(prior, np.array(matrix.classes or (0, 1)), "prior")
    against, in_favour = (miss_2 - right_2) * p[1], (miss_1 - right_1) * p[0]
    return float(against / in_favour) if in_favour > 0 else float("inf")


def bits_by_class(log_likelihood: ArrayLike, prior: PriorLike | None = None) -> Floats:
    """Bits to describe x by each class, -log2 p(x | class) - log2 P(class) (n, k); fewest bits is MAP.

    >>> bits_by_class(np.log([[0.4, 0.12]]), prior=[0.2, 0.8]).round(2)
    array([[3.64, 3.38]])
    """
    score = np.asarray(log_likelihood, dtype=np.float64)
    if score.ndim != 2 or np.isnan(score).any():
        raise InputError(f"log likelihoods are numbers (n, k), none of them NaN; got shape {score.shape}")
    k = score.shape[1]
    log_prior = log_of(read_class_prior("uniform" if prior is None else prior, np.arange(k), "prior"))
    return np.asarray(0.0 - (score + log_prior) / np.log(2))


def _log_likelihood(given: ArrayLike, form: Form, log_posterior: Floats, prior: Floats | None) -> Floats:
    if form == "log_likelihood":
        return log_normalize(np.asarray(given, dtype=np.float64))
    if prior is None:
        raise InputError("the maximum likelihood rule needs the prior behind the posteriors: give prior=")
    if (prior == 0).any():
        raise InputError("a class with prior 0 has lost its likelihood: give form='log_likelihood' instead")
    return log_posterior - log_of(prior)


def _rounding_of_risks(costs: CostMatrix, posterior: Floats, risk: Floats) -> Floats:
    """How far rounding may have moved each risk (n, k): a few eps of the absolute terms of its sum."""
    gains = bool((costs.values < 0).any())
    return _RISK_ROUNDING * (CostMatrix(np.abs(costs.values)).risks(posterior) if gains else risk)


def _rest(posterior: Floats, code: Ints) -> Floats:
    """Probability of all classes but one, summed rather than subtracted from 1."""
    others = posterior.copy()
    others[np.arange(len(code)), code] = 0.0
    return np.asarray(np.minimum(others.sum(axis=1), 1.0))


def _margin(score: Floats, code: Ints) -> Floats:
    if score.shape[1] == 1:
        return np.full(len(score), np.inf)
    others = score.copy()
    rows = np.arange(len(code))
    others[rows, code] = -np.inf
    second = others.max(axis=1)
    best = score[rows, code]
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(best == second, 0.0, np.maximum(best - second, 0.0)))


def check_reject(reject: object, max_error: object) -> None:
    """Refuse a cost of not answering, or a rate of mistakes, that is none."""
    if reject is not None and not (
        isinstance(reject, int | float | np.number) and -LARGEST_COST <= reject <= LARGEST_COST
    ):
        raise InputError(
            f"reject is the cost of not answering, a finite number of size {LARGEST_COST:g} at most; got {reject!r}"
        )
    if max_error is not None and not (isinstance(max_error, int | float | np.number) and 0 <= max_error <= 1):
        raise InputError(f"max_error is a rate between 0 and 1, got {max_error!r}")
