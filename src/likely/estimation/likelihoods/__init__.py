"""Likelihood as a function of parameters: its maximum, curvature, intervals and tests."""
