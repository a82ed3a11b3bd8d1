"""The models of neighbours that a study tries."""

from likely.models.neighbors.classifier import NearestNeighbors
from likely.models.neighbors.exemplar import NearestExemplar
from likely.models.roster import TableFacts, candidate
from likely.models.traits.protocols import Learner

_ROWS = 50_000  # every row is compared with every other one
_WIDEST = 1_000


@candidate("nearest neighbours", rank=4, needs=f"20 to {_ROWS:,} rows, at most {_WIDEST:,} columns, no texts")
def nearest_neighbours(facts: TableFacts) -> Learner | None:
    """Rows that are near each other tend to be of one class; the nearest ones vote, near ones more."""
    fits = 20 <= facts.rows <= _ROWS and len(facts.kinds) <= _WIDEST and not facts.of_kind("text")
    return neighbours_for(facts) if fits else None


@candidate("nearest mean", rank=2, needs="at least 20 rows, and no texts")
def nearest_mean(facts: TableFacts) -> Learner | None:
    """Each class lies about one point, and all of them spread alike and are equally frequent."""
    fits = facts.rows >= 20 and not facts.of_kind("text")
    return NearestExemplar(scale="standard", kinds=dict(facts.kinds)) if fits else None


def neighbours_for(facts: TableFacts) -> NearestNeighbors:
    """Neighbours of a table: on one scale, as many as the square root of the rarest class, between 5 and 25."""
    k = int(min(max(5.0, facts.smallest_class**0.5), 25.0))
    return NearestNeighbors(k, weights="distance", scale="minmax", alpha=0.5, kinds=dict(facts.kinds))
