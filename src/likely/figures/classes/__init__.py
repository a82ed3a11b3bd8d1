"""Classes drawn: their densities, where each is said, and what is lost at a boundary."""
