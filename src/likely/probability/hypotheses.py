"""Learning from a finite set of hypotheses by brute force: the posterior of every one of them.

A hypothesis says one label for each case. An example is a case with its label; a label is noisy with probability q, and
then any of the L - 1 other labels:

    P(label | h, case) = 1 - q where h says that label, q / (L - 1) where it says another
    P(h | D) is proportional to P(h) prod_examples P(label | h, case)

Without noise and with equal priors the hypotheses that agree with every example, the version space VS, share all
probability: P(h | D) = 1 / |VS|, P(D) = |VS| / |H|, and each of them is a maximum a posteriori hypothesis. The Bayes
optimal vote gives a label the probability of all hypotheses that say it; it need not be that of the most probable one.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from likely.data.labels.weights import by_name
from likely.errors import InputError
from likely.numeric.arrays import Array
from likely.numeric.logspace import log_of
from likely.probability.bayes import Posterior, bayes
from likely.probability.events.event import ImpossibleEvent
from likely.probability.given import ProbabilitiesLike

Hypothesis: TypeAlias = "Callable[[Any], Any] | Mapping[Any, Any] | Sequence[Any]"
Hypotheses: TypeAlias = Mapping[Hashable, Hypothesis]
Example: TypeAlias = tuple[Any, Any]  # a case and its label


@dataclass(frozen=True, eq=False)
class HypothesisPosterior:
    """The posterior of every hypothesis given examples; made by `learn_hypotheses` or `version_space`.

    >>> rules = {"up to 1": lambda x: x <= 1, "up to 2": lambda x: x <= 2, "none": lambda x: False}
    >>> learned = learn_hypotheses(rules, [(1, True), (3, False)])
    >>> learned.consistent, learned.errors, round(learned.evidence, 4)
    (('up to 1', 'up to 2'), {'up to 1': 0, 'up to 2': 0, 'none': 1}, 0.6667)
    """

    posterior: Posterior  # of the hypotheses
    hypotheses: Hypotheses
    examples: tuple[Example, ...]
    agrees: Array  # (examples, hypotheses)  whether each says the label of each example
    noise: float  # the share of labels that are wrong
    domain: tuple[Any, ...] | None = None  # the cases of hypotheses that are given as tables

    @property
    def probabilities(self) -> dict[Hashable, float]:
        """P(h | D) by name."""
        return self.posterior.probabilities

    @property
    def evolution(self) -> list[dict[Hashable, float]]:
        """P(h | D) before any example and after each of them.

        >>> version_space({"even": lambda n: n % 2 == 0, "all": lambda n: True}, [(2, True), (3, True)]).evolution
        [{'even': 0.5, 'all': 0.5}, {'even': 0.5, 'all': 0.5}, {'even': 0.0, 'all': 1.0}]
        """
        return [dict(zip(self.posterior.names, row, strict=True)) for row in self.posterior.trace.tolist()]

    @property
    def consistent(self) -> tuple[Hashable, ...]:
        """The version space: those that say the label of every example."""
        right = np.asarray(self.agrees.all(axis=0)).tolist()
        return tuple(name for name, agrees in zip(self.posterior.names, right, strict=True) if agrees)

    @property
    def best(self) -> tuple[Hashable, ...]:
        """The maximum a posteriori hypotheses: all of them where several are equally probable."""
        return self.posterior.best

    @property
    def errors(self) -> dict[Hashable, int]:
        """Examples that each hypothesis has wrong."""
        return dict(zip(self.posterior.names, (~self.agrees).sum(axis=0).tolist(), strict=True))

    @property
    def evidence(self) -> float:
        """P(D): without noise and with equal priors the share of hypotheses that are consistent."""
        return self.posterior.evidence

    def vote(self, case: object) -> dict[Any, float]:
        """The Bayes optimal vote on a case: each label with the probability of the hypotheses that say it.

        >>> rules = {"up to 1": lambda x: x <= 1, "up to 2": lambda x: x <= 2, "up to 3": lambda x: x <= 3}
        >>> learned = version_space(rules, [(1, True), (4, False)])
        >>> {label: round(p, 4) for label, p in learned.vote(2).items()}
        {False: 0.3333, True: 0.6667}
        """
        said = [_answer(hypothesis, case, self.domain) for hypothesis in self.hypotheses.values()]
        votes: dict[Any, float] = {}
        for label, p in zip(said, self.posterior.values.tolist(), strict=True):
            votes[label] = votes.get(label, 0.0) + p
        return votes

    def predict(self, case: object) -> Any:
        """The label of most votes; of equal ones that of the first hypothesis.

        >>> three = {"a": lambda x: "+", "b": lambda x: "-", "c": lambda x: "-"}
        >>> vote = learn_hypotheses(three, [], prior={"a": 0.4, "b": 0.3, "c": 0.3})
        >>> vote.best, vote.predict(0)
        (('a',), '-')
        """
        votes = self.vote(case)
        return max(votes, key=lambda label: votes[label])

    def __str__(self) -> str:
        noise = "without noise" if self.noise == 0 else f"with {self.noise:.3g} of the labels wrong"
        head = f"{len(self.hypotheses)} hypotheses, {len(self.examples)} examples {noise}"
        found = f"{len(self.consistent)} agree with every example; P(D) = {self.evidence:.4g}"
        return f"{head}\n{found}\n{self.posterior}"


def learn_hypotheses(
    hypotheses: Hypotheses,
    examples: Iterable[Example],
    prior: ProbabilitiesLike = "uniform",
    noise: float = 0.0,
    labels: Sequence[Any] | None = None,
    domain: Sequence[Any] | None = None,
) -> HypothesisPosterior:
    """Brute-force Bayesian learning: the posterior of every hypothesis, example by example.

    A hypothesis is a function from a case to a label, a mapping from case to label, or the labels of the cases in
    `domain`, in that order. `labels` are all that there are, for the noise; those that occur if not given, and at least
    two.

    Parameters
    ----------
    prior : P(h) of each hypothesis
    noise : the share of labels that are wrong

    >>> rules = {"even": lambda n: n % 2 == 0, "small": lambda n: n < 10}
    >>> learned = learn_hypotheses(rules, [(4, True), (16, True), (3, False)], noise=0.1)
    >>> {name: round(p, 4) for name, p in learned.probabilities.items()}
    {'even': 0.9878, 'small': 0.0122}
    """
    seen = tuple((case, label) for case, label in _pairs(examples))
    if not isinstance(hypotheses, Mapping) or not hypotheses:
        raise InputError("hypotheses are a mapping from name to a function, a mapping or a list of labels")
    if not 0 <= noise < 1:
        raise InputError(f"noise is the share of labels that are wrong, from 0 to below 1, got {noise}")
    cases = None if domain is None else tuple(domain)
    said = [[_answer(hypothesis, case, cases) for hypothesis in hypotheses.values()] for case, _ in seen]
    agrees = np.array([[answer == label for answer in row] for row, (_, label) in zip(said, seen, strict=True)])
    agrees = agrees.reshape(len(seen), len(hypotheses)).astype(bool)
    known = set(labels) if labels is not None else {label for _, label in seen} | {a for row in said for a in row}
    flat = dict.fromkeys(hypotheses, 1 / len(hypotheses)) if isinstance(prior, str) and prior == "uniform" else prior
    start = bayes(_in_order(flat, hypotheses), np.empty((0, len(hypotheses))), log=True)
    if noise == 0:
        _refuse_contradiction(agrees & (start.values > 0), seen)
    log_likelihood = log_of(np.where(agrees, 1.0 - noise, noise / max(len(known) - 1, 1)))
    return HypothesisPosterior(start.update(log_likelihood, log=True), hypotheses, seen, agrees, float(noise), cases)


def version_space(
    hypotheses: Hypotheses, examples: Iterable[Example], domain: Sequence[Any] | None = None
) -> HypothesisPosterior:
    """The version space as a posterior: the hypotheses that agree with every example, equal priors, no noise.

    >>> table = {"x<=1": [1, 0, 0], "x<=2": [1, 1, 0], "none": [0, 0, 0]}
    >>> found = version_space(table, [(1, 1), (3, 0)], domain=[1, 2, 3])
    >>> found.consistent, round(found.evidence, 4)
    (('x<=1', 'x<=2'), 0.6667)
    """
    return learn_hypotheses(hypotheses, examples, domain=domain)


def map_hypotheses(
    hypotheses: Hypotheses,
    examples: Iterable[Example],
    prior: ProbabilitiesLike = "uniform",
    noise: float = 0.0,
    domain: Sequence[Any] | None = None,
) -> tuple[Hashable, ...]:
    """The brute-force maximum a posteriori learner: the most probable hypotheses, all of them where several tie.

    Parameters
    ----------
    prior : P(h) of each hypothesis
    noise : the share of labels that are wrong

    >>> rules = {"even": lambda n: n % 2 == 0, "small": lambda n: n < 10, "all": lambda n: True}
    >>> map_hypotheses(rules, [(4, True), (16, True)]), map_hypotheses(rules, [(4, True)], {"even": 0.2, "small": 0.5,
    ...     "all": 0.3})
    (('even', 'all'), ('small',))
    """
    return learn_hypotheses(hypotheses, examples, prior, noise, domain=domain).best


def _answer(hypothesis: Hypothesis, case: object, domain: tuple[Any, ...] | None) -> Any:
    """What a hypothesis says of a case, as a plain value."""
    if callable(hypothesis):
        answer = hypothesis(case)
    elif isinstance(hypothesis, Mapping):
        if case not in hypothesis:
            raise InputError(f"a hypothesis has no label for the case {case!r}; give it one, or a function")
        answer = hypothesis[case]
    else:
        if domain is None:
            raise InputError("hypotheses that are lists of labels need the cases that these belong to: domain=[...]")
        if len(hypothesis) != len(domain):
            raise InputError(f"a hypothesis has {len(hypothesis)} labels for the {len(domain)} cases of the domain")
        if case not in domain:
            raise InputError(f"the case {case!r} is not in the domain {list(domain)!r:.60}")
        answer = hypothesis[domain.index(case)]
    return answer.item() if isinstance(answer, np.generic) else answer


def _pairs(examples: Iterable[Example]) -> list[Example]:
    found = list(examples)
    for i, pair in enumerate(found):
        if not hasattr(pair, "__len__") or isinstance(pair, str) or len(pair) != 2:
            raise InputError(f"example {i} is {pair!r:.60}; an example is a pair of a case and its label")
    return found


def _in_order(prior: ProbabilitiesLike, hypotheses: Hypotheses) -> Any:
    """The prior by the hypotheses' names, in their order."""
    if not isinstance(prior, Mapping):
        values = np.asarray(prior, dtype=np.float64)
        if values.shape != (len(hypotheses),):
            raise InputError(f"there are {len(hypotheses)} hypotheses, but the prior has the shape {values.shape}")
        return dict(zip(hypotheses, values.tolist(), strict=True))
    return dict(zip(hypotheses, by_name(prior, tuple(hypotheses), "the prior", "hypothesis"), strict=True))


def _refuse_contradiction(agrees: Array, examples: tuple[Example, ...]) -> None:
    """No hypothesis is left: say at which example."""
    left = np.asarray(np.logical_and.accumulate(agrees, axis=0).any(axis=1))
    if len(left) and not left[-1]:
        at = int(np.flatnonzero(~left)[0])
        case, label = examples[at]
        raise ImpossibleEvent(
            f"no hypothesis says {label!r} of the case {case!r} (example {at}) and is right about all examples before "
            "it: the version space is empty. Give noise=..., or more hypotheses"
        )
