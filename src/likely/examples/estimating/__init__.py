"""Worked examples of estimation and optimisation."""
