"""The options that networks of classes and of amounts share, checked and put together."""

from typing import Any

import numpy as np

from likely.errors import InputError, check_choice, check_number, check_whole, is_whole
from likely.models.networks.activations import ACTIVATIONS
from likely.models.networks.layers import Layers
from likely.models.networks.losses import loss_of
from likely.models.networks.optimizers import RATES, Optimizer
from likely.models.networks.training import Schedule
from likely.numeric.arrays import Array, Floats

_BATCHES = 20  # in a pass, at least, where the table is small
_BATCH = (8, 200)  # rows, where the user names no number
_STEPS = 200  # without an improvement, at least, before training ends
_FAR = 1e25  # standard deviations beyond which a cell is taken for so many: products stay numbers in single precision


def check_options(model: Any) -> None:
    """Refuse options that mean nothing."""
    loss_of(model.loss, model.output)
    known = {"activation": tuple(ACTIVATIONS), "optimizer": tuple(RATES), "dtype": ("float64", "float32")}
    for name, values in known.items():
        check_choice(name, getattr(model, name), values)
    units = model.hidden if isinstance(model.hidden, tuple | list) else (model.hidden,)
    if not all(is_whole(count) and count >= 1 for count in units):
        raise InputError(
            f"hidden holds the number of units of each hidden layer, each at least 1, got {model.hidden!r}"
        )
    for name in ("epochs", "n_iter_no_change"):
        check_whole(name, getattr(model, name))
    check_whole("batch_size", model.batch_size, also=(None,))
    check_number("learning_rate", model.learning_rate, above=True, also=(None,))
    for name in ("momentum", "validation_fraction"):
        check_number(name, getattr(model, name), high=1.0, below=True)
    for name in ("weight_decay", "tol"):
        check_number(name, getattr(model, name))


def layers_of(model: Any, inputs: int, outputs: int) -> Layers:
    """The shape of the network."""
    hidden = tuple(model.hidden) if isinstance(model.hidden, tuple | list) else (model.hidden,)
    sizes = (inputs, *(int(count) for count in hidden), outputs)
    return Layers(sizes, model.activation, model.output, model.loss)


def optimizer_of(model: Any, weights: Array) -> Optimizer:
    """A fresh optimiser."""
    return Optimizer.of(model.optimizer, model.learning_rate, model.momentum, weights)


def schedule_of(model: Any, rows: int, epochs: int | None = None) -> Schedule:
    """How long and by which batches: "gradient" takes all rows at once; else a twentieth of them, 8 to 200."""
    low, high = _BATCH
    size = model.batch_size
    if model.optimizer == "gradient":
        size = None
    elif size is None:
        size = min(high, max(low, rows // _BATCHES))
    withheld = float(model.validation_fraction) if model.early_stopping else 0.0
    in_a_pass = 1 if size is None else -(-rows // size)
    return Schedule(
        int(model.epochs if epochs is None else epochs),
        size,
        float(model.weight_decay),
        float(model.tol),
        max(int(model.n_iter_no_change), -(-_STEPS // in_a_pass)),
        withheld,
    )


def near(x: Any, dtype: Any) -> Any:
    """Rows of the design matrix in the network's precision, none of their cells beyond what it can square."""
    if hasattr(x, "indptr"):
        out = x.astype(dtype)
        np.clip(out.data, -_FAR, _FAR, out=out.data)
        return out
    return np.clip(x, -_FAR, _FAR).astype(dtype, copy=False)


def shares(weight: Floats | None, dtype: object) -> Array | None:
    """Weights of rows, 1 on average."""
    return None if weight is None else (weight / weight.mean()).astype(dtype)


def checked_weights(weights: Any, net: Layers, dtype: str) -> Array:
    """Weights from a file; refused if they are not those of the network."""
    if weights.shape != (net.size,) or weights.dtype != np.dtype(dtype) or not np.isfinite(weights).all():
        raise InputError("its weights are not one finite number for each connection")
    return np.asarray(weights)
