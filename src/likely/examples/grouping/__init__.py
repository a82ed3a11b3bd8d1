"""Worked examples of clusters and components."""
