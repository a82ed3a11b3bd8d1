"""Worked examples of probability and information."""
