"""Gaussian classes: quadratic and linear discriminants, Gaussian naive Bayes, nearest mean.

    log p(x | k) = -1/2 (x - m_k)' S_k^-1 (x - m_k) - 1/2 log |S_k| + constant

The shape of the covariances S_k is the model; with a shared covariance the boundaries are linear.
"""

import numpy as np

from likely.data.accepted import PriorLike
from likely.data.columns.schema import schema_of
from likely.data.inputs import Input
from likely.distributions.vectors.family import MultivariateGaussianFamily
from likely.errors import check_choice
from likely.models.generative.classifier import GenerativeClassifier
from likely.models.generative.summing.layout import Layout
from likely.models.traits.state import of_one_state
from likely.numeric.arrays import Floats
from likely.numeric.random_state import Seed

COVARIANCES = ("full", "shared", "diagonal", "shared_diagonal", "spherical", "shared_spherical")


class GaussianBayes(GenerativeClassifier):
    """Gaussian discriminant analysis (QDA, LDA, nearest mean): classes that are Gaussian in all features together.

    Parameters
    ----------
    covariance : "full", "shared", "diagonal", "shared_diagonal", "spherical" or "shared_spherical"
        One covariance per class ("full": quadratic discriminant) or one for all ("shared": linear discriminant);
        "diagonal" without correlations (Gaussian naive Bayes); "spherical" with one variance for all features, and
        "shared_spherical" with equal priors is the nearest class mean.
    class_prior, class_alpha : as in NaiveBayes
    missing : "ignore", "evidence", "impute" or "error"
        "ignore" and "evidence": covariances are estimated from complete pairs (right where cells are missing completely
        at random), mixed with those of mean-filled rows only as far as it takes to be positive definite beyond their
        error; queries are scored by the marginal Gaussian of the cells they have. "evidence" makes being missing a
        feature of its own, "impute" fills cells with means, and "error" refuses them.
    ddof : 0 or 1
        Divisor n - ddof of each class's covariance (n - k ddof of a shared one).
    estimation : "ml", "map" or "bayes"
        Maximum likelihood; the mode under a normal-inverse-Wishart prior; or the posterior predictive (Student t).
    strength : float
        Pseudo-rows of that prior.
    shrinkage : None, float or "auto"
        Between 0 and 1: how far the covariance is drawn to the identity times the mean variance, as in scikit-learn's
        linear discriminants (with ddof=0, "shared" is `LinearDiscriminantAnalysis("lsqr", shrinkage=...)`).
        "auto" weakens the correlations as far as is best in mean square: the Rao-Blackwell form of Ledoit and Wolf's
        intensity, for which the sums suffice (scikit-learn's own takes fourth moments of the rows: a little different).
    reg_param : float
        Between 0 and 1: how far it is drawn to the identity, as in scikit-learn's quadratic discriminants
        (`QuadraticDiscriminantAnalysis(reg_param=...)` is "full"). Both need "full" or "shared".
    random_state : seed of `sample`
    hidden : "ignore" or "em", as in NaiveBayes

    Examples
    --------
    >>> from likely import GaussianBayes
    >>> model = GaussianBayes("shared").fit([[0.0, 0], [1, 1], [2, 1], [5, 5], [6, 6], [7, 6]], list("aaabbb"))
    >>> model.predict([[1.0, 0.5], [6.0, 6.0]])
    array(['a', 'b'], dtype='<U1')
    """

    def __init__(
        self,
        covariance: str = "full",
        class_prior: PriorLike | None = None,
        class_alpha: float = 0.0,
        missing: str = "ignore",
        ddof: int = 0,
        estimation: str = "ml",
        strength: float = 1.0,
        random_state: Seed = None,
        hidden: str = "ignore",
        shrinkage: float | str | None = None,
        reg_param: float = 0.0,
    ) -> None:
        self.covariance = covariance
        self.class_prior = class_prior
        self.class_alpha = class_alpha
        self.missing = missing
        self.ddof = ddof
        self.estimation = estimation
        self.strength = strength
        self.random_state = random_state
        self.hidden = hidden
        self.shrinkage = shrinkage
        self.reg_param = reg_param

    @property
    @of_one_state
    def means_(self) -> Floats:
        """Class means (k, d)."""
        self._check_fitted()
        return self.distribution_.parts[0].mean  # type: ignore[attr-defined, no-any-return]

    @property
    @of_one_state
    def covariances_(self) -> Floats:
        """Covariance matrices (k, d, d); one (1, d, d) when it is shared."""
        self._check_fitted()
        return self.distribution_.parts[0].covariance  # type: ignore[attr-defined, no-any-return]

    @property
    def coef_(self) -> Floats:
        """Weights (k, d) of the linear discriminants of a shared covariance; of two classes their difference (1, d)."""
        return self._linear()[0]

    @property
    def intercept_(self) -> Floats:
        """Constants (k,) of the linear discriminants, log prior included; of two classes their difference (1,)."""
        return self._linear()[1]

    @of_one_state
    def _linear(self) -> tuple[Floats, Floats]:
        self._check_fitted()
        if not self.covariance.startswith("shared"):
            raise AttributeError(f"the boundary is linear with a shared covariance only, not with {self.covariance!r}")
        coef, intercept = self.distribution_.parts[0].linear()  # type: ignore[attr-defined]
        intercept = intercept + self._log_prior(None)
        return (np.diff(coef, axis=0), np.diff(intercept)) if len(coef) == 2 else (coef, intercept)

    def _layout(self, data: Input) -> Layout:
        schema = schema_of(data, "numeric")
        family = MultivariateGaussianFamily(
            covariance=self.covariance,  # type: ignore[arg-type]
            ddof=self.ddof,
            estimation=self.estimation,  # type: ignore[arg-type]
            strength=self.strength,
            shrinkage=self.shrinkage or 0.0,  # type: ignore[arg-type]
            reg_param=self.reg_param,
        )
        return Layout.of(schema, [(family, range(schema.width))], self.missing)

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_choice("covariance", self.covariance, COVARIANCES)
        check_choice("estimation", self.estimation, ("ml", "map", "bayes"))
        check_choice("ddof", self.ddof, (0, 1))
