"""Minima, roots of gradients and linear systems: optimisers over objectives that add up over the data."""
