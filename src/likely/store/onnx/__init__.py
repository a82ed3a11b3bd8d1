"""Models as ONNX graphs of plain operators, for runtimes that know nothing of Python.

to_onnx(model, path=None)    the graph: columns in, label and probabilities out
Graph                        what a model of your own builds its part of the graph with: see `to_onnx`
"""

from likely.store.onnx.export import to_onnx
from likely.store.onnx.graph import Graph

__all__ = ["Graph", "to_onnx"]
