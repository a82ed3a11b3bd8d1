"""Ratings left out one by one: how far predictions are off, by how many neighbours spoke.

A rating is left out exactly: of its user's profile, of the item's raters and of both means. Its residual is that of a
prediction without it. The interval around a new prediction holds so many of the residuals of ratings for which about as
many neighbours spoke (a conformal quantile, (n + 1) confidence of n), within the range of ratings that were given. Of
too few ratings for a quantile it is that range; where these are all equal, nothing tells the range, and it is open.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from likely.intervals.estimate import Estimate
from likely.intervals.quantiles import check_confidence
from likely.models.recommend.neighbourhood import Neighbourhood
from likely.models.recommend.ratings import Ratings
from likely.numeric.arrays import Floats, Ints

_SAMPLE = 2_000  # ratings that are left out
_FEW = 40  # residuals below which a group's quantile is taken from all
_EDGES = (1, 3, 10)  # neighbours: none, 1 or 2, 3 to 9, 10 and more


@dataclass(frozen=True)
class Residuals:
    """Residuals of left-out ratings, and how many neighbours spoke for each."""

    residual: Floats  # (n,)
    support: Ints  # (n,)
    low: float  # the range of ratings
    high: float

    @classmethod
    def of(cls, model: Any, ratings: Ratings) -> "Residuals":
        """Of a sample of ratings, the same every time; kept with the ratings."""
        key = ("_residuals", repr(model))
        if key not in ratings.derived:
            rng = np.random.default_rng(0)
            chosen = rng.permutation(len(ratings))[:_SAMPLE]
            answers = [_left_out(model, ratings, int(at)) for at in chosen]
            score, support = np.array([a[0] for a in answers]), np.array([a[1] for a in answers], dtype=np.int64)
            ends = float(ratings.rating.min()), float(ratings.rating.max())
            found = cls(ratings.rating[chosen] - np.clip(score, *ends), support, *ends)
            ratings.derived[key] = found
        kept: Residuals = ratings.derived[key]
        return kept

    @cached_property
    def _groups(self) -> dict[int, Floats]:
        group = np.digitize(self.support, _EDGES)
        parts = {g: np.sort(np.abs(self.residual[group == g])) for g in range(len(_EDGES) + 1)}
        everything = np.sort(np.abs(self.residual))
        return {g: part if len(part) >= _FEW else everything for g, part in parts.items()}

    def around(self, score: float, support: int, confidence: float) -> Estimate:
        """A prediction with its interval."""
        check_confidence(confidence)
        sizes = self._groups[int(np.digitize(support, _EDGES))]
        place = int(np.ceil((len(sizes) + 1) * confidence)) - 1
        reach = float(sizes[place]) if place < len(sizes) else np.inf
        score = float(np.clip(score, self.low, self.high))
        told = self.low < self.high or np.isfinite(reach)
        ends = (max(score - reach, self.low), min(score + reach, self.high)) if told else (-np.inf, np.inf)
        return Estimate(score, *ends, confidence, "ratings left out", len(sizes))


def _left_out(model: Any, ratings: Ratings, at: int) -> tuple[float, int]:
    """The prediction of one rating from all others, and how many neighbours spoke."""
    u, m = int(ratings.user[at]), int(ratings.item[at])
    columns, cells = ratings.by_user.row(u)
    others = columns != m
    columns, cells = columns[others], cells[others]
    who, given = ratings.by_item.row(m)
    rest = who != u
    who, given = who[rest], given[rest]
    if model.by == "user":
        held: Neighbourhood = model._of_users()
        found = held.scores(held.alike(columns, cells, u), cells, np.array([m]))  # u itself is not among the neighbours
    else:
        held = model._of_items()
        found = held.scores(held.alike(who, given, m), given, np.array([u]))  # nor is m
    score, number = float(found.score[0]), int(found.number[0])
    if score != score:
        overall = float((ratings.rating.sum() - ratings.rating[at]) / max(len(ratings) - 1, 1))
        silence = model._silence.about(overall)
        score = silence.of_one(given) + silence.lean(columns, cells)
    return score, number
