"""What changed between two models."""
