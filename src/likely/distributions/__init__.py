"""Families of distributions: summarise, estimate, score, sample; and what combines them."""

from likely.distributions.amounts.exponential import ExponentialDistribution, ExponentialFamily
from likely.distributions.amounts.gamma import GammaDistribution, GammaFamily
from likely.distributions.amounts.gaussian import Gaussian, GaussianFamily
from likely.distributions.amounts.histogram import Histogram, HistogramFamily
from likely.distributions.amounts.kernel_density import KernelDensity, KernelDensityFamily
from likely.distributions.amounts.log_normal import LogNormal, LogNormalFamily
from likely.distributions.amounts.student import StudentDistribution
from likely.distributions.combined.mixture import MixtureDistribution, MixtureFamily
from likely.distributions.combined.product import Product, ProductFamily
from likely.distributions.comparing import TOO_FEW, compare_waits
from likely.distributions.counts.bernoulli import Bernoulli, BernoulliFamily
from likely.distributions.counts.categorical import CategoricalFamily
from likely.distributions.counts.level_table import Categorical
from likely.distributions.counts.multinomial import Multinomial, MultinomialFamily
from likely.distributions.counts.negative_binomial import NegativeBinomial, NegativeBinomialFamily
from likely.distributions.counts.ordinal import OrdinalFamily
from likely.distributions.counts.poisson import Poisson, PoissonFamily
from likely.distributions.dependence import Averaged, DependenceFamily, DependenceTree
from likely.distributions.exponential_form.form import ExponentialForm
from likely.distributions.family import Distribution, Family, fit, posterior
from likely.distributions.texts.documents import TextDistribution, TextFamily
from likely.distributions.vectors.family import MultivariateGaussianFamily
from likely.distributions.vectors.gaussian_vectors import MultivariateGaussian
from likely.distributions.vectors.student_vectors import MultivariateStudent

__all__ = [
    "TOO_FEW",
    "Averaged",
    "Bernoulli",
    "BernoulliFamily",
    "Categorical",
    "CategoricalFamily",
    "DependenceFamily",
    "DependenceTree",
    "Distribution",
    "ExponentialDistribution",
    "ExponentialFamily",
    "ExponentialForm",
    "Family",
    "GammaDistribution",
    "GammaFamily",
    "Gaussian",
    "GaussianFamily",
    "Histogram",
    "HistogramFamily",
    "KernelDensity",
    "KernelDensityFamily",
    "LogNormal",
    "LogNormalFamily",
    "MixtureDistribution",
    "MixtureFamily",
    "Multinomial",
    "MultinomialFamily",
    "MultivariateGaussian",
    "MultivariateGaussianFamily",
    "MultivariateStudent",
    "NegativeBinomial",
    "NegativeBinomialFamily",
    "OrdinalFamily",
    "Poisson",
    "PoissonFamily",
    "Product",
    "ProductFamily",
    "StudentDistribution",
    "TextDistribution",
    "TextFamily",
    "compare_waits",
    "fit",
    "posterior",
]
