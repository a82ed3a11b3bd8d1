"""Estimation as working tools: likelihood and its curvature, conjugate priors and posteriors, fitted lines."""

from likely.distributions.combined.expectation import Ascent, best_ascent, expectation_maximization
from likely.distributions.conjugate.belief import Interval
from likely.distributions.conjugate.beta import Beta
from likely.distributions.conjugate.dirichlet import Dirichlet
from likely.distributions.conjugate.gamma import Gamma
from likely.distributions.conjugate.inverse_gamma import InverseGamma
from likely.distributions.conjugate.normal_inverse_gamma import NormalInverseGamma
from likely.distributions.conjugate.normal_inverse_wishart import NormalInverseWishart
from likely.distributions.conjugate.predictive import Predictive, PredictiveLevel
from likely.distributions.conjugate.student_t import MultivariateT, StudentT
from likely.estimation.central_point import CentralPoint, mean_given_covariance
from likely.estimation.effect_of_priors import PriorEffect, prior_effect
from likely.estimation.half_known import HalfKnownCounts
from likely.estimation.likelihoods.fisher import observed_information
from likely.estimation.likelihoods.invariance import Transformed
from likely.estimation.likelihoods.maximum import MaximumLikelihood, maximum_likelihood
from likely.estimation.likelihoods.posterior_mode import MaximumAPosteriori, maximum_a_posteriori
from likely.estimation.likelihoods.ratio import LikelihoodRatioTest, likelihood_ratio_test
from likely.estimation.line import Line, fit_line
from likely.estimation.smoothing import add_alpha, class_prior, laplace, m_estimate

__all__ = [
    "Ascent",
    "Beta",
    "CentralPoint",
    "Dirichlet",
    "Gamma",
    "HalfKnownCounts",
    "Interval",
    "InverseGamma",
    "LikelihoodRatioTest",
    "Line",
    "MaximumAPosteriori",
    "MaximumLikelihood",
    "MultivariateT",
    "NormalInverseGamma",
    "NormalInverseWishart",
    "Predictive",
    "PredictiveLevel",
    "PriorEffect",
    "StudentT",
    "Transformed",
    "add_alpha",
    "best_ascent",
    "class_prior",
    "expectation_maximization",
    "fit_line",
    "laplace",
    "likelihood_ratio_test",
    "m_estimate",
    "maximum_a_posteriori",
    "maximum_likelihood",
    "mean_given_covariance",
    "observed_information",
    "prior_effect",
]
