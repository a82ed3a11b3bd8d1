"""Verbs that find what no column names: groups, and directions."""
