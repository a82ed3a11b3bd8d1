"""The maps from scores to probabilities, and the sums that they are solved from."""
