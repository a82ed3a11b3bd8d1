"""What the Gaussian family of vectors can do besides: compare, leave out, score folds, posteriors of parameters."""
