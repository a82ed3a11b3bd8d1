"""How sure a fitted model's parameters and probabilities are."""
