"""Model files: a fitted model as one `.likely` file that opens anywhere, to the bit, and never runs anything.

save(model, path)    one ZIP of a JSON manifest and raw arrays, written whole or not at all
load(path)           the model, which can go on learning, merging and forgetting
inspect(path)        what a file holds, without rebuilding the model
register(class)      lets files hold a statistic, family or distribution of your own
"""

from likely.store.description import Description
from likely.store.model_file import inspect, load, save
from likely.store.registry import register

__all__ = ["Description", "inspect", "load", "register", "save"]
