"""Ways to go down along gradients of some rows at a time.

    gradient   w <- w - rate g           of all rows
    sgd        w <- w - rate g           of a batch
    momentum   v <- momentum v - rate g,   w <- w + v
    adam       steps of about the rate in every weight, from running means of g and g^2

The gradient is that of the mean loss of the rows, plus decay times the weights.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from likely.numeric.arrays import Array
from likely.numeric.kernels.steps import adam_step, momentum_step

RATES = {"gradient": 0.5, "sgd": 0.1, "momentum": 0.02, "adam": 0.002}  # where the user names none
_FIRST, _SECOND, _TINY = 0.9, 0.999, 1e-8


@dataclass
class Optimizer:
    """An optimiser with what it remembers of the steps so far.

    >>> Optimizer.of("momentum", 0.1, 0.9, np.zeros(3)).steps
    0
    """

    name: str  # which optimiser it is
    rate: float
    momentum: float
    memory: tuple[Array, ...]  # (p,) each
    steps: int = field(default=0)  # how many were taken

    @classmethod
    def of(cls, name: str, rate: float | None, momentum: float, weights: Array) -> "Optimizer":
        """A fresh one for these weights."""
        count = 2 if name == "adam" else 1
        memory = tuple(np.zeros_like(weights) for _ in range(count))
        return cls(name, RATES[name] if rate is None else float(rate), float(momentum), memory)

    def step(self, weights: Array, gradient: Array, decay: Array) -> None:
        """Move the weights, in place."""
        self.steps += 1
        kind: Any = weights.dtype.type
        if self.name == "adam":
            rate = self.rate / (1 - _FIRST**self.steps)
            root = 1 / np.sqrt(1 - _SECOND**self.steps)
            given = kind(rate), kind(_FIRST), kind(_SECOND), kind(root), kind(_TINY)
            adam_step(weights, gradient, decay, *self.memory, *given)
        else:
            momentum = self.momentum if self.name == "momentum" else 0.0
            momentum_step(weights, gradient, decay, self.memory[0], kind(self.rate), kind(momentum))
