"""Verbs that make a model or change what it has learned."""
