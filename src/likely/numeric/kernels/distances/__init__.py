"""Distances between rows, and which of them are the smallest."""
