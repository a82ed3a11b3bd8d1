"""How perceptrons and networks learn: passes, weight space, units."""
