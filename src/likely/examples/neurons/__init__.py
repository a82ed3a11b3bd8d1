"""Worked examples of threshold units, perceptrons and networks."""
