"""Measurements of `likely` beside its peers: the same work on the same data, in turns, in one process.

`python -m bench` runs every workload of the registry and writes docs/benchmarks.md.
"""
