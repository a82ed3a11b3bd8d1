"""Exact cross-validation: rows judged by models without them, from sums of parts."""
