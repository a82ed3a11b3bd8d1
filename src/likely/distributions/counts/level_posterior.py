"""Dirichlet posterior of the levels of nominal columns, of all classes and columns at once."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from likely.distributions.conjugate.dirichlet import Dirichlet
from likely.errors import InputError
from likely.numeric.arrays import Floats
from likely.numeric.shares import draw_log_shares

if TYPE_CHECKING:
    from likely.distributions.counts.level_table import Categorical


@dataclass(frozen=True)
class LevelPosterior:
    """Dirichlet of the probabilities of the levels of each nominal column.

    With unseen="prior" there is one more level, None, for whatever was never seen. A level that the prior holds for
    impossible (a share p of 0) and that a class never had is left out of what is believed of the class: it is 0 there.
    """

    alpha: tuple[Floats, ...]  # per column (k, levels)
    fitted: "Categorical"

    def of(self, member: int, column: int) -> Dirichlet:
        names = tuple(self.fitted.levels[column])
        if not names:
            raise InputError(f"nominal column {column} was never observed: it has no levels to believe anything of")
        alpha = self.alpha[column][member]
        spare = (None,) if len(alpha) > len(names) else ()
        possible = alpha > 0
        return Dirichlet(alpha[possible], tuple(np.array((*names, *spare), dtype=object)[possible]))

    def draw(self, n: int, rng: np.random.Generator) -> "Categorical":
        """N draws of the k members, one after the other."""
        members = n * self.fitted.members
        parts, unseen = [np.zeros((members, 0))], np.zeros((members, len(self.alpha)))
        for j, (alpha, names) in enumerate(zip(self.alpha, self.fitted.levels, strict=True)):
            if not len(names):
                continue
            drawn = draw_log_shares(alpha, n, rng)
            parts.append(drawn[:, : len(names)])
            if drawn.shape[1] > len(names):
                unseen[:, j] = drawn[:, -1]
        return type(self.fitted)(self.fitted.levels, np.concatenate(parts, axis=1), unseen, self.fitted.unseen)
