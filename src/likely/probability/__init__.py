"""Probability as working tools: joint tables over named variables, Bayes' rule, hypotheses and information."""

from likely.probability.bayes import Posterior, bayes, posterior_odds
from likely.probability.codes import Code, huffman, kraft_sum, shannon, shannon_lengths
from likely.probability.conditional import Conditional
from likely.probability.continuous import PowerCurve, Uniform, gaussian_mass
from likely.probability.discrete import Binomial, Geometric, multinomial_coefficient
from likely.probability.ellipse import Ellipse, bivariate_density
from likely.probability.events import Event, ImpossibleEvent, V
from likely.probability.hypotheses import HypothesisPosterior, learn_hypotheses, map_hypotheses, version_space
from likely.probability.independence import IndependenceTest, independence_test, table_sizes
from likely.probability.information import cross_entropy, entropy, information_content, kl_divergence
from likely.probability.joint import Joint
from likely.probability.sample_space import SampleSpace

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
    "gaussian_mass",
    "huffman",
    "independence_test",
    "information_content",
    "kl_divergence",
    "kraft_sum",
    "learn_hypotheses",
    "map_hypotheses",
    "multinomial_coefficient",
    "posterior_odds",
    "shannon",
    "shannon_lengths",
    "table_sizes",
    "version_space",
]
