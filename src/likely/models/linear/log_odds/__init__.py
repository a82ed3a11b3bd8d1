"""Logistic, softmax and ordered regression: objectives, penalties, solvers, and what is known of the weights."""
