"""Families of distributions: summarise, estimate, score, sample; and what combines them."""

from likely.distributions.bernoulli import Bernoulli, BernoulliFamily
from likely.distributions.categorical import Categorical, CategoricalFamily
from likely.distributions.exponential import Exponential, ExponentialFamily
from likely.distributions.exponential_form import ExponentialForm
from likely.distributions.family import Distribution, Family, fit, posterior
from likely.distributions.gamma import Gamma, GammaFamily
from likely.distributions.gaussian import Gaussian, GaussianFamily
from likely.distributions.histogram import Histogram, HistogramFamily
from likely.distributions.kernel_density import KernelDensity, KernelDensityFamily
from likely.distributions.log_normal import LogNormal, LogNormalFamily
from likely.distributions.mixture import Mixture, MixtureFamily
from likely.distributions.multinomial import Multinomial, MultinomialFamily
from likely.distributions.multivariate import MultivariateGaussianFamily
from likely.distributions.multivariate_gaussian import MultivariateGaussian
from likely.distributions.multivariate_student import MultivariateStudent
from likely.distributions.negative_binomial import NegativeBinomial, NegativeBinomialFamily
from likely.distributions.poisson import Poisson, PoissonFamily
from likely.distributions.product import Product, ProductFamily
from likely.distributions.student import Student
from likely.distributions.text import TextDistribution, TextFamily

__all__ = [
    "Bernoulli",
    "BernoulliFamily",
    "Categorical",
    "CategoricalFamily",
    "Distribution",
    "Exponential",
    "ExponentialFamily",
    "ExponentialForm",
    "Family",
    "Gamma",
    "GammaFamily",
    "Gaussian",
    "GaussianFamily",
    "Histogram",
    "HistogramFamily",
    "KernelDensity",
    "KernelDensityFamily",
    "LogNormal",
    "LogNormalFamily",
    "Mixture",
    "MixtureFamily",
    "Multinomial",
    "MultinomialFamily",
    "MultivariateGaussian",
    "MultivariateGaussianFamily",
    "MultivariateStudent",
    "NegativeBinomial",
    "NegativeBinomialFamily",
    "Poisson",
    "PoissonFamily",
    "Product",
    "ProductFamily",
    "Student",
    "TextDistribution",
    "TextFamily",
    "fit",
    "posterior",
]
