"""What a model file may hold, by name: a fixed list of the library's own classes.

A file names a class by its tag; only tags of this list mean anything, and nothing else is ever looked up, imported or
called. The tag of a class is its name. It never changes, even if the class is renamed (`_FORMER`): old files use it.
"""

from functools import cache
from typing import Any


@cache
def statistics() -> dict[str, type[Any]]:
    """Sums of data."""
    from likely.statistics.additive import Additive
    from likely.statistics.categories import CategoryCounts
    from likely.statistics.log_moments import LogMoments
    from likely.statistics.moments import Moments
    from likely.statistics.pairs import PairCounts
    from likely.statistics.rows import Rows
    from likely.statistics.scatter import Scatter
    from likely.statistics.side_by_side import SideBySide
    from likely.statistics.terms import TermCounts
    from likely.statistics.totals import Totals
    from likely.statistics.values import ValueCounts

    return _by_name(
        Additive, CategoryCounts, LogMoments, Moments, PairCounts, Rows, Scatter, SideBySide, TermCounts, Totals,
        ValueCounts,
    )  # fmt: skip


@cache
def families() -> dict[str, type[Any]]:
    """Families of distributions with their options."""
    from likely.distributions.amounts.exponential import ExponentialFamily
    from likely.distributions.amounts.gamma import GammaFamily
    from likely.distributions.amounts.gaussian import GaussianFamily
    from likely.distributions.amounts.histogram import HistogramFamily
    from likely.distributions.amounts.kernel_density import KernelDensityFamily
    from likely.distributions.amounts.log_normal import LogNormalFamily
    from likely.distributions.counts.bernoulli import BernoulliFamily
    from likely.distributions.counts.categorical import CategoricalFamily
    from likely.distributions.counts.multinomial import MultinomialFamily
    from likely.distributions.counts.negative_binomial import NegativeBinomialFamily
    from likely.distributions.counts.poisson import PoissonFamily
    from likely.distributions.mixture import MixtureFamily
    from likely.distributions.product import ProductFamily
    from likely.distributions.texts.documents import TextFamily
    from likely.distributions.vectors.family import MultivariateGaussianFamily

    return _by_name(
        BernoulliFamily, CategoricalFamily, ExponentialFamily, GammaFamily, GaussianFamily, HistogramFamily,
        KernelDensityFamily, LogNormalFamily, MixtureFamily, MultinomialFamily, MultivariateGaussianFamily,
        NegativeBinomialFamily, PoissonFamily, ProductFamily, TextFamily,
    )  # fmt: skip


@cache
def distributions() -> dict[str, type[Any]]:
    """Fitted distributions: kept where they are not the ones that the statistic gives, as after EM."""
    from likely.distributions.amounts.exponential import ExponentialDistribution
    from likely.distributions.amounts.gamma import GammaDistribution
    from likely.distributions.amounts.gaussian import Gaussian
    from likely.distributions.amounts.histogram import Histogram
    from likely.distributions.amounts.kernel_density import KernelDensity
    from likely.distributions.amounts.log_normal import LogNormal
    from likely.distributions.amounts.lomax import Lomax
    from likely.distributions.amounts.student import StudentDistribution
    from likely.distributions.counts.bernoulli import Bernoulli
    from likely.distributions.counts.categorical import Categorical
    from likely.distributions.counts.multinomial import Multinomial
    from likely.distributions.counts.negative_binomial import NegativeBinomial
    from likely.distributions.counts.poisson import Poisson
    from likely.distributions.counts.polya import Polya
    from likely.distributions.mixture import MixtureDistribution
    from likely.distributions.product import Product
    from likely.distributions.texts.documents import TextDistribution
    from likely.distributions.vectors.diagonal import DiagonalGaussian
    from likely.distributions.vectors.gaussian_vectors import MultivariateGaussian
    from likely.distributions.vectors.student_vectors import MultivariateStudent

    return _by_name(
        Bernoulli, Categorical, DiagonalGaussian, ExponentialDistribution, GammaDistribution, Gaussian, Histogram,
        KernelDensity, LogNormal, Lomax, MixtureDistribution, Multinomial, MultivariateGaussian, MultivariateStudent,
        NegativeBinomial, Poisson, Polya, Product, StudentDistribution, TextDistribution,
    )  # fmt: skip


@cache
def values() -> dict[str, type[Any]]:
    """Every frozen value that a file may hold."""
    from likely.data.encoding import Part
    from likely.data.schema import Column, Schema
    from likely.decisions.calibration.beta import BetaMap
    from likely.decisions.calibration.isotonic import IsotonicMap, Staircase
    from likely.decisions.calibration.logistic import LogisticMap
    from likely.decisions.calibration.pooling import Cells
    from likely.decisions.calibration.temperature import TemperatureMap
    from likely.decisions.costs import CostMatrix
    from likely.decisions.recalibrated import RecalibratedLikelihood
    from likely.distributions.texts.term_weights import TermWeights
    from likely.distributions.vectors.elliptical import Elliptical
    from likely.statistics.words import Words

    others = _by_name(
        Part, Column, Schema, BetaMap, IsotonicMap, Staircase, LogisticMap, Cells, TemperatureMap, CostMatrix,
        RecalibratedLikelihood, Elliptical, TermWeights, Words,
    )  # fmt: skip
    return {**statistics(), **families(), **distributions(), **others}


@cache
def estimators() -> dict[str, type[Any]]:
    """Every model that a file may hold."""
    from likely.decisions.calibration.calibrated import Calibrated
    from likely.decisions.decider import Decider
    from likely.decisions.recalibrated import RecalibratedLikelihood
    from likely.models.baseline.majority import MajorityClassifier
    from likely.models.generative import BayesClassifier, GaussianBayes, NaiveBayes, TextBayes

    return _by_name(
        BayesClassifier, Calibrated, Decider, GaussianBayes, MajorityClassifier, NaiveBayes, RecalibratedLikelihood,
        TextBayes,
    )  # fmt: skip


def tag(kind: type[Any]) -> str:
    """What files call a class: its name, or the name that it had first.

    >>> from likely.distributions import GammaDistribution, Gaussian
    >>> tag(Gaussian), tag(GammaDistribution)
    ('Gaussian', 'Gamma')
    """
    return _FORMER.get(kind.__name__, kind.__name__)


_FORMER = {
    "ExponentialDistribution": "Exponential",
    "GammaDistribution": "Gamma",
    "MixtureDistribution": "Mixture",
    "SideBySide": "Joint",
    "StudentDistribution": "Student",
}


def _by_name(*classes: type[Any]) -> dict[str, type[Any]]:
    return {tag(found): found for found in classes}
