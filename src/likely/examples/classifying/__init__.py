"""Worked examples of classifiers and their data."""
