"""Conjugate priors and their posteriors: what is believed of parameters."""
