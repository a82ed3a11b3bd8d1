"""The verbs of a generative classifier that tell how well its parameters are known."""

from collections.abc import Callable
from typing import Any, cast

from likely.data.accepted import PriorLike, TableLike
from likely.models.any_classifier.drawn import Ends
from likely.models.generative.answers.fitted import FittedGenerative
from likely.models.traits.state import of_one_state
from likely.numeric.arrays import Floats
from likely.numeric.random_state import Seed


class UnsureParameters:
    """What is believed of the parameters, and of the probabilities that they make."""

    _check_fitted: Callable[[], None]
    _query: Callable[[Any], Any]

    @of_one_state
    def parameter_posterior(self, column: str | int | None = None) -> Any:
        """Posterior of a column's parameters in each class; without a column, of the class prior.

        The values are conjugate posteriors of `likely.estimation`, with the model's own pseudo-counts as the prior.

        Parameters
        ----------
        column : name or place of a column, or None
            The column whose parameters are asked for, or a list of columns that the model takes as one vector. None
            asks for the probabilities of the classes.

        Returns
        -------
        belief
            Of a column a mapping from each class to its `Beta`, `Dirichlet`, `Gamma`, `NormalInverseGamma` or
            `NormalInverseWishart` (of gamma and negative binomial columns: normal about the estimate, for many rows);
            of the classes one `Dirichlet`.

        >>> from likely import NaiveBayes
        >>> model = NaiveBayes("bernoulli").fit([[1], [1], [0], [0]], ["spam", "spam", "spam", "ham"])
        >>> model.parameter_posterior(0)["spam"]
        Beta(a=3.0, b=2.0)
        >>> model.parameter_posterior().levels
        ('ham', 'spam')
        """
        from likely.models.generative.uncertainty.parameter_posterior import parameter_posterior

        self._check_fitted()
        return parameter_posterior(cast(FittedGenerative, self), column)

    @of_one_state
    def predict_interval(
        self,
        X: TableLike,
        confidence: float = 0.95,
        random_state: Seed = 0,
        n_draws: int = 1000,
        prior: PriorLike | None = None,
    ) -> Floats:
        """Not how often such rows come true: a credible interval (n, k, 2) of the parameters, if the model were true.

        All parameters are drawn from what the model believes of them, and the rows are predicted with each draw. Where
        the features depend on each other or the families are wrong, a model that is too sure of itself has a narrow
        interval about the wrong value; `Calibrated(model).predict_interval` measures that on rows left out.

        Parameters
        ----------
        X : table (n, d)
            The rows to predict, as for `predict_proba`.
        confidence : float
            How much of the draws the interval holds, between 0 and 1.
        random_state : None, int or numpy Generator
            What the draws come from; the same number gives the same interval.
        n_draws : int
            How many sets of parameters are drawn; at least 20 / (1 - confidence) are.
        prior : mapping from class to probability, sequence in the order of `classes_`, or None
            Class probabilities to predict with instead of the learned ones; they are then not drawn.

        Returns
        -------
        ends : array (n, k, 2)
            The low and the high end for each row and each class, in the order of `classes_`.

        >>> from likely import NaiveBayes
        >>> model = NaiveBayes("bernoulli").fit([[1], [1], [0], [0]], ["spam", "spam", "spam", "ham"])
        >>> model.predict_interval([[1]], 0.9).shape
        (1, 2, 2)
        """
        from likely.models.generative.uncertainty.predict_interval import predict_interval

        return predict_interval(cast(FittedGenerative, self), self._query(X), confidence, random_state, n_draws, prior)

    @of_one_state
    def over_draws(self, X: TableLike, ends: Ends, n_draws: int, random_state: Seed = 0) -> Floats:
        """Intervals (n, k, 2) that `ends` makes of log joints under drawn parameters and the model's own."""
        from likely.models.generative.uncertainty.predict_interval import over_draws

        return over_draws(cast(FittedGenerative, self), self._query(X), n_draws, random_state, None, ends)

    @of_one_state
    def drawn_log_posteriors(self, X: TableLike, n_draws: int, random_state: Seed = 0) -> Floats:
        """Log posteriors (n, draws, k) of few rows under drawn parameters; the class prior is not drawn."""
        from likely.models.generative.uncertainty.predict_interval import drawn_log_posteriors

        return drawn_log_posteriors(cast(FittedGenerative, self), self._query(X), n_draws, random_state)

    @property
    def knows_parameters(self) -> bool:
        """Whether all parameters can be drawn from what is known of them: one pass, and families that tell."""
        from likely.models.generative.uncertainty.predict_interval import knows_parameters

        return knows_parameters(cast(FittedGenerative, self))
