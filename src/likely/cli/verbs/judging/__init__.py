"""Verbs that judge models and tables."""
