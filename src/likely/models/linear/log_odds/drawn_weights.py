"""Intervals of probabilities from drawn weights, for models that keep the Hessian at their maximum."""

from typing import Any

from likely.data.accepted import PriorLike, TableLike
from likely.models.any_classifier.drawn import Ends, draws_needed, ends_of, log_posteriors_of, taking_in
from likely.models.traits.state import of_one_state
from likely.numeric.arrays import Floats
from likely.numeric.logspace import normalize
from likely.numeric.random_state import Seed


class DrawnWeights:
    """What `over_draws` of a model gives: posteriors under drawn weights, and their quantiles."""

    def over_draws(self, X: TableLike, ends: Ends, n_draws: int, random_state: Seed = 0) -> Floats:
        """Intervals (n, k, 2) that `ends` makes of log joints under drawn weights and the model's own."""
        raise NotImplementedError

    def _shift(self, prior: PriorLike | None) -> Any:
        """What another prior adds to the scores."""
        raise NotImplementedError

    def _shifted(self, scores: Floats, prior: PriorLike | None) -> Floats:
        """Log joints of scores under a prior."""
        raise NotImplementedError

    @property
    def knows_parameters(self) -> bool:
        """Whether the Hessian is kept, so that weights can be drawn."""
        return getattr(self, "hessian_", None) is not None

    @of_one_state
    def drawn_log_posteriors(self, X: TableLike, n_draws: int, random_state: Seed = 0) -> Floats:
        """Log posteriors (n, draws, k) of few rows under drawn weights."""
        return self.over_draws(X, log_posteriors_of, n_draws, random_state)

    def _drawn_intervals(
        self, X: TableLike, confidence: float, random_state: Seed, n_draws: int, prior: PriorLike | None
    ) -> Floats:
        """Intervals (n, k, 2) of the probability of each class."""
        shift = self._shift(prior)

        def quantiles(joint: Floats, own: Floats) -> Floats:
            chances = normalize((joint + shift).reshape(-1, joint.shape[2])).reshape(joint.shape)
            return taking_in(ends_of(chances, confidence), normalize(self._shifted(own, prior)))

        return self.over_draws(X, quantiles, draws_needed(n_draws, confidence), random_state)
