"""Where the model will be used: what mistakes cost, how frequent the classes are there, what not answering costs."""

from dataclasses import dataclass
from typing import Any

from likely.decisions.costs import CostMatrix, CostsLike
from likely.decisions.decider import Decider
from likely.decisions.decision import Decision
from likely.decisions.rules import decide
from likely.errors import InputError
from likely.evaluation.measures.share_weights import share_weights
from likely.models.any_classifier.posteriors import read_class_prior
from likely.models.traits.prior_shift import shift_log_posterior
from likely.models.traits.protocols import Learner
from likely.numeric.arrays import Array, Floats


@dataclass(frozen=True)
class Setting:
    """Costs, prior and the cost of rejecting; all of them optional."""

    classes: Array  # (k,)
    training_prior: Floats  # (k,)
    costs: CostMatrix | None
    prior: Floats | None  # (k,)
    reject: float | None

    @classmethod
    def of(
        cls, classes: Array, training_prior: Floats, costs: CostsLike | None, prior: Any, reject: float | None
    ) -> "Setting":
        """Read what the user gave, in terms of the classes."""
        matrix = None if costs is None else CostMatrix.of(costs, classes)
        if matrix is not None and matrix.per_row:
            raise InputError("a study takes one cost matrix, costs[truth][said]; costs per row are for `decide`")
        if reject is not None and not reject >= 0:
            raise InputError(f"what not answering costs is 0 or more, got {reject}")
        there = None if prior is None else read_class_prior(prior, classes, "prior")
        return cls(classes, training_prior, matrix, there, reject)

    @property
    def given(self) -> bool:
        """Whether decisions differ from naming the most probable class."""
        return self.costs is not None or self.prior is not None or self.reject is not None

    def shifted(self, log_posterior: Floats) -> Floats:
        """Log posteriors (n, k) under the prior of the place of use."""
        if self.prior is None:
            return log_posterior
        return shift_log_posterior(log_posterior, self.training_prior, self.prior, self.classes)

    def decide(self, log_posterior: Floats) -> Decision:
        """What to say of rows with these posteriors (n, k) under the training prior."""
        return decide(self.shifted(log_posterior), self.classes, self.costs, reject=self.reject, form="log_posterior")

    def weights(self, codes: Array) -> Floats | None:
        """Weights that make rows with these classes (n,) as frequent as the prior says.

        They sum to the number of rows.
        """
        return None if self.prior is None else share_weights(codes, self.prior)

    @property
    def matrix(self) -> CostMatrix:
        """The costs, or where there are none, 1 for every mistake."""
        return CostMatrix.zero_one(self.classes) if self.costs is None else self.costs

    def around(self, model: Learner) -> Learner:
        """The model with its decisions, or the model itself where there is nothing to decide."""
        if not self.given:
            return model
        return Decider(model, costs=self.costs, prior=self.prior, reject=self.reject, calibrate=None)
