"""Models in a file: one module for each kind of estimator, found by looking."""
