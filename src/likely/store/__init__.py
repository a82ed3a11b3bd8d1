"""Model files: a fitted model as one `.likely` file that opens anywhere, to the bit, and never runs anything.

save(model, path)    one ZIP of a JSON manifest and raw arrays, written whole or not at all
load(path)           the model, which can go on learning, merging and forgetting
inspect(path)        what a file holds, without rebuilding the model
register(class)      lets files hold a statistic, family or distribution of your own
to_onnx(model)       a graph of plain operators for other runtimes, which can only predict
"""

from typing import TYPE_CHECKING, Any

from likely.store.description import Description
from likely.store.model_file import inspect, load, save
from likely.store.registry import register

__all__ = ["Description", "inspect", "load", "register", "save", "to_onnx"]

if TYPE_CHECKING:
    from likely.store.onnx import to_onnx as to_onnx


def __getattr__(name: str) -> Any:
    """What is rarely asked for is imported when it is."""
    if name == "to_onnx":
        from likely.store.onnx import to_onnx

        return to_onnx
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
