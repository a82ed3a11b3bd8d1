"""Estimation as working tools: likelihood and its curvature, conjugate priors and posteriors, fitted lines."""
