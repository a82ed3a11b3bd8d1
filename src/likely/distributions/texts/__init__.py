"""Families of documents."""
