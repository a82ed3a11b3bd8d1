"""Families of whole vectors: Gaussians with every form of covariance."""
