"""Anything into batches: kinds of feature, schema, missing cells, encodings, and files scanned without loading them.

scan(path)                 a file read in batches, as often as wanted
read_table(path)           a whole table, from a file, standard input or a frame
examine(table, target)     what its columns are, and what to beware of
bundled                    small data sets from textbooks, ready to use

What rows, labels and texts are made into:

MinMax, Standard, Whitening                       attributes on a common scale, learned, applied and undone
norm, dot, angle, linear_map                      rows as vectors: lengths, products, angles, images under a matrix
MeanFiller                                        missing cells filled with means of the observed ones
augmented, without_constant                       a leading column of ones, and rows without it
indices, signs, indicator                         class labels as numbers; from_indices, from_signs, from_indicator back
flatten_grid, pack_bits, threshold                images as vectors, as whole numbers, as bits; unflatten_grid,
                                                  unpack_bits back
tokenize, vocabulary, bag_of_words                texts as words, and as counts of them
Tokenizer                                         how texts are cut into words

How large a model of so many features, levels or words is:

joint_cells, naive_cells, block_cells, document_cells
joint_parameters, naive_parameters, gaussian_parameters, document_parameters
model_sizes
"""

import importlib
from typing import Any

_NAMES = {  # Polars is imported only when a file is read, numba when texts are cut
    "sources": ("scan",),
    "tables": ("read_table",),
    "findings.table": ("examine",),
    "features.scaling": ("MinMax", "Standard", "Whitening"),
    "features.vectors": ("angle", "dot", "linear_map", "norm"),
    "features.filling": ("MeanFiller",),
    "features.labels": (
        "augmented", "from_indicator", "from_indices", "from_signs", "indicator", "indices", "signs",
        "without_constant",
    ),
    "features.grids": ("flatten_grid", "pack_bits", "threshold", "unflatten_grid", "unpack_bits"),
    "text.bag_of_words": ("bag_of_words", "tokenize", "vocabulary"),
    "text.tokenizer": ("Tokenizer",),
    "features.sizes": (
        "block_cells", "document_cells", "document_parameters", "gaussian_parameters", "joint_cells",
        "joint_parameters", "model_sizes", "naive_cells", "naive_parameters",
    ),
}  # fmt: skip
_HOME = {name: home for home, names in _NAMES.items() for name in names}

__all__ = [*sorted([*_HOME, "bundled"])]


def __getattr__(name: str) -> Any:
    if name == "bundled":
        return importlib.import_module("likely.data.bundled")
    if name in _HOME:
        return getattr(importlib.import_module(f"likely.data.{_HOME[name]}"), name)
    raise AttributeError(f"module 'likely.data' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
