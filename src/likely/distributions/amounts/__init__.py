"""Families of numbers, one feature at a time."""
