"""The catalogue's worked examples: `examples` lists them, `run` computes one, `lines` holds it against print."""

from likely.examples.agreement import Agreement, difference, lines
from likely.examples.catalogue import Example, examples, find
from likely.examples.worked import Worked, question, registered, run, worked

__all__ = [
    "Agreement",
    "Example",
    "Worked",
    "difference",
    "examples",
    "find",
    "lines",
    "question",
    "registered",
    "run",
    "worked",
]
