"""Families of distributions: summarise, estimate, score, sample; and what combines them."""

from likely.distributions.categorical import Categorical, CategoricalFamily
from likely.distributions.family import Distribution, Family, fit
from likely.distributions.gaussian import Gaussian, GaussianFamily
from likely.distributions.product import Product, ProductFamily
from likely.distributions.student import Student

__all__ = [
    "Categorical",
    "CategoricalFamily",
    "Distribution",
    "Family",
    "Gaussian",
    "GaussianFamily",
    "Product",
    "ProductFamily",
    "Student",
    "fit",
]
