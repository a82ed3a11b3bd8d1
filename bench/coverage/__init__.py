"""How often intervals hold the truth, by simulation: `python -m bench.coverage` writes docs/coverage.md.

scenarios    where the rows come from: easy, separable, heavy-tailed, a tiny class, a wrong model
simulation   a family of figures, repeated draws, and how many of their intervals held the truth
families     what is simulated: one small module for each family of figures
store        what was simulated, cell by cell, so that work that was stopped goes on
page         the tables

To add a figure: write a function that prepares a scenario and returns what one draw gives (figure, interval, truth),
make it a `Family`, and list it in `families/__init__.py`.
"""
