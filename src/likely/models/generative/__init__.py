"""Generative classifiers: a prior over the classes, and a distribution of the features within each class.

Naive Bayes, linear and quadratic discriminants and nearest means are one model over different families.
"""

from likely.models.generative.bayes_classifier import BayesClassifier
from likely.models.generative.dependence_bayes import DependenceBayes
from likely.models.generative.em.mixture_path import MixturePath, mixture_path
from likely.models.generative.gaussian_bayes import GaussianBayes
from likely.models.generative.mixture import Mixture
from likely.models.generative.naive_bayes import NaiveBayes
from likely.models.generative.text_bayes import TextBayes

__all__ = [
    "BayesClassifier",
    "DependenceBayes",
    "GaussianBayes",
    "Mixture",
    "MixturePath",
    "NaiveBayes",
    "TextBayes",
    "mixture_path",
]
