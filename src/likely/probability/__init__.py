"""Probability as working tools: joint tables over named variables, Bayes' rule, hypotheses and information.

Joint, Conditional, independence_test,                         tables over named variables
mutual_independence_test, table_sizes
SampleSpace, Event, V, ImpossibleEvent                         outcomes and what may be asked of them
bayes, posterior_odds, Posterior                               Bayes' rule, piece by piece of evidence
version_space, map_hypotheses, learn_hypotheses                rules learned from examples
entropy, cross_entropy, kl_divergence, information_content     information in bits; huffman, shannon: codes of them
Binomial, Geometric, Uniform, PowerCurve, Ellipse              laws; gaussian_mass, bivariate_density, gamma_function
log_sum_exp, normalize                                         probabilities too small for numbers, by their logarithms
"""

from likely.numeric.logspace import log_sum_exp, normalize
from likely.numeric.special.log_gamma import gamma_function
from likely.probability.bayes import Posterior, bayes, posterior_odds
from likely.probability.events.event import Event, ImpossibleEvent, V
from likely.probability.events.sample_space import SampleSpace
from likely.probability.hypotheses import HypothesisPosterior, learn_hypotheses, map_hypotheses, version_space
from likely.probability.information.bits import cross_entropy, entropy, information_content, kl_divergence
from likely.probability.information.codes import Code, huffman, kraft_sum, shannon, shannon_lengths
from likely.probability.laws.continuous import PowerCurve, Uniform, gaussian_mass
from likely.probability.laws.discrete import Binomial, Geometric, multinomial_coefficient
from likely.probability.laws.ellipse import Ellipse, bivariate_density
from likely.probability.tables.conditional import Conditional
from likely.probability.tables.independence import (
    IndependenceTest,
    independence_test,
    mutual_independence_test,
    table_sizes,
)
from likely.probability.tables.joint import Joint

__all__ = [
    "Binomial",
    "Code",
    "Conditional",
    "Ellipse",
    "Event",
    "Geometric",
    "HypothesisPosterior",
    "ImpossibleEvent",
    "IndependenceTest",
    "Joint",
    "Posterior",
    "PowerCurve",
    "SampleSpace",
    "Uniform",
    "V",
    "bayes",
    "bivariate_density",
    "cross_entropy",
    "entropy",
    "gamma_function",
    "gaussian_mass",
    "huffman",
    "independence_test",
    "information_content",
    "kl_divergence",
    "kraft_sum",
    "learn_hypotheses",
    "log_sum_exp",
    "map_hypotheses",
    "multinomial_coefficient",
    "mutual_independence_test",
    "normalize",
    "posterior_odds",
    "shannon",
    "shannon_lengths",
    "table_sizes",
    "version_space",
]
