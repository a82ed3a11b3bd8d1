"""Worked examples of distances, exemplars and neighbours."""
