"""Nominal features that depend on each other within a group: averaged parents, and trees."""

from likely.distributions.dependence.averaged import Averaged
from likely.distributions.dependence.averaged_pairs import AveragedPairs
from likely.distributions.dependence.family import DependenceFamily
from likely.distributions.dependence.tree import DependenceTree

__all__ = ["Averaged", "AveragedPairs", "DependenceFamily", "DependenceTree"]
