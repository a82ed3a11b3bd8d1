"""How far probabilities are from what happens, and how sure that is."""
