"""Measures that are functions of the counts of a confusion matrix."""
