"""Probability as working tools: joint tables over named variables, Bayes' rule, hypotheses and information."""
