"""Linear algebra: matrices, covariances, affine scores."""
