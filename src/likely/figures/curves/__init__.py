"""Curves over thresholds and sample sizes, drawn."""
