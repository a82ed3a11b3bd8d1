"""What every estimator has besides fit and predict: its face, its state, evidence, routing."""
