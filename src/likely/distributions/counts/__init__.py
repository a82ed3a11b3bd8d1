"""Families of events, levels and counts."""
