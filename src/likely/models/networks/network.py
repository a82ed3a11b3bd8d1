"""What networks of classes and of amounts share: how they are trained, and their weights, again from a file."""

from typing import Any

import numpy as np

from likely.data.design import Design
from likely.engines.progress import progress
from likely.errors import InputError
from likely.models.learning.order_dependent import OrderDependent
from likely.models.learning.training_curves import check_curves
from likely.models.networks.layers import Layers
from likely.models.networks.optimizers import Optimizer
from likely.models.networks.options import check_options, checked_weights, layers_of, near, optimizer_of, schedule_of
from likely.models.networks.training import STOPPED, History, Rows, train
from likely.models.traits.face import Section
from likely.numeric.arrays import Array, Floats, Matrix
from likely.numeric.random_state import Seed, as_generator


class Network(OrderDependent):
    """A network that is trained, on rows of a design matrix."""

    random_state: Seed
    dtype: str
    warm_start: bool

    design_: Design
    weights_: Array  # (p,)
    layers_: Layers
    history_: History
    n_iter_: int
    stopped_: str
    optimizer_: Optimizer

    @property
    def _units(self) -> int:
        """Output units."""
        return 1

    def _before(self) -> tuple[Array, Layers, None] | None:
        """From where a warm start goes on; None: afresh."""
        fitted = self.warm_start and hasattr(self, "weights_")
        return (self.weights_, self.layers_, None) if fitted else None

    def _train(
        self, rows: Rows, before: Any, epochs: int | None = None, outputs: Array | None = None, idle: bool = False
    ) -> None:
        """Train from the start, or from weights, layers and optimiser `before`; `idle`: there is nothing to learn."""
        rng = as_generator(self.random_state)
        net = layers_of(self, self.design_.width, self._units)
        weights, optimizer = net.start(rng, self.dtype, outputs), None
        if before is not None and before[1] == net and before[0].dtype == weights.dtype:
            weights, optimizer = before[0].copy(), before[2]
        optimizer = optimizer_of(self, weights) if optimizer is None else optimizer
        if idle:
            self._keep(weights, net, History(np.empty(0), np.empty(0), np.empty(0)), "tol", optimizer)
            return
        schedule = schedule_of(self, len(rows.targets), epochs)
        with progress(schedule.epochs, "epochs") as done:
            found = train(net, rows, weights, optimizer, schedule, rng, done)
        self._keep(found.weights, net, found.history, found.stopped, optimizer)

    def _keep(self, weights: Array, net: Layers, history: History, stopped: str, optimizer: Optimizer) -> None:
        learned = {"weights_": weights, "layers_": net, "history_": history, "stopped_": stopped}
        self._become({**learned, "n_iter_": max(len(history.loss), 1), "optimizer_": optimizer})

    def _outputs(self, x: Matrix) -> Floats:
        """What the output units say of rows of the design matrix (n, units)."""
        a = self.layers_.forward(self.weights_, near(x, self.dtype)).astype(np.float64)
        return np.asarray(np.clip(np.nan_to_num(a), -1e290, 1e290))

    def _section(self) -> Section:
        """The face of its layers and of its training."""
        net, history = self.layers_, self.history_
        rows = [("units", " - ".join(map(str, net.sizes))), ("weights", f"{net.size:,}")]
        if len(history.loss):
            rows.append(("passes", f"{len(history.loss)} (ended by {self.stopped_})"))
            rows.append(("mean loss", f"{history.loss[-1]:.4g}"))
        return Section(("network", ""), rows)

    def _parameters_learned(self) -> dict[str, Any]:
        return {"weights": self.weights_, "history": tuple(self.history_), "stopped": self.stopped_}

    def _learned_again(self, parameters: dict[str, Any]) -> None:
        """Take back what `_parameters_learned` gave, the design being known; refuse what does not fit."""
        check_options(self)
        net = layers_of(self, self.design_.width, self._units)
        weights = checked_weights(parameters["weights"], net, self.dtype)
        history, stopped = parameters["history"], parameters["stopped"]
        check_curves(history, len(History._fields))
        if stopped not in STOPPED:
            raise InputError("the history of its training does not fit together")
        self._keep(weights, net, History(*history), stopped, optimizer_of(self, weights))
