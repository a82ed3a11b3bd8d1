"""What a recommender says to everybody: a rating for each of many pairs, and a list for every user."""

from typing import Any, NamedTuple

import numpy as np

from likely import engines
from likely.models.recommend.neighbourhood import Neighbourhood, Scores, parts_of
from likely.models.recommend.ratings import Ratings
from likely.models.recommend.silence import Silence
from likely.numeric.arrays import Array, Floats, Ints
from likely.numeric.kernels.recommending import recommended as kernels
from likely.numeric.kernels.recommending.ratings import SUMS

MOST_PAIRS = 16_000  # items of which all similarities are kept in memory (1 GB)


class Lists(NamedTuple):
    """The best items of each user, -1 where there are fewer."""

    item: Array  # (users, n) int64
    score: Floats  # (users, n)
    support: Array  # (users, n) int64

    @classmethod
    def empty(cls, users: int, n: int) -> "Lists":
        return cls(np.empty((users, n), np.int64), np.empty((users, n)), np.empty((users, n), np.int64))

    def frame(self, ratings: Ratings) -> Any:
        """As a Polars frame: user, item, score, support."""
        import polars as pl

        user, place = np.nonzero(self.item >= 0)
        item = self.item[user, place]
        return pl.DataFrame(
            [
                pl.Series("user", [ratings.users[u] for u in user.tolist()], strict=False),
                pl.Series("item", [ratings.items[m] for m in item.tolist()], strict=False),
                pl.Series("score", ratings.within(self.score[user, place])),
                pl.Series("support", self.support[user, place]),
            ]
        )


def pair_scores(held: Neighbourhood, by: str, ratings: Ratings, silence: Silence, user: Ints, item: Ints) -> Scores:
    """The expected rating of each pair, by the numbers of users and items; -1 is somebody, or something, unknown."""
    known = (user >= 0) & (item >= 0)
    score, weight = np.full(len(user), np.nan), np.zeros(len(user))
    number = np.zeros(len(user), dtype=np.int64)
    if known.any():
        pair = (user[known], item[known]) if by == "user" else (item[known], user[known])
        score[known], weight[known], number[known] = held.answers(*pair)
    mean = np.append(silence.of_items(), silence.overall)[item]
    lean = np.append(silence.leans(ratings), 0.0)[user]
    return Scores(np.where(np.isnan(score), mean + lean, score), weight, number)


def lists_by_users(held: Neighbourhood, ratings: Ratings, silence: Silence, n: int) -> Lists:
    """The n best items of every user, by what similar users say."""
    users, items = len(ratings.users), len(ratings.items)
    found = Lists.empty(users, n)
    means, leans = silence.of_items(), silence.leans(ratings)

    def work(item: tuple[slice, tuple[Any, ...]]) -> None:
        part, own = item
        kernels.best_by_users(
            np.arange(part.start, part.stop), *held.normal_rows, *held.normal, *held.measure, held.k or users,
            *held.middles, held.damping, means, leans, *own, np.zeros((users, SUMS)),
            np.empty(users, np.int64), np.zeros(users), np.empty((items, 3)), np.empty(items),
            np.empty(items, np.int64),
        )  # fmt: skip

    parts = parts_of(users, 32)
    engines.current().map([(part, tuple(each[part] for each in found)) for part in parts], work)
    return found


def lists_by_items(held: Neighbourhood, ratings: Ratings, silence: Silence, n: int) -> Lists:
    """The n best items of every user, by what they say themselves of similar items."""
    users = len(ratings.users)
    found = Lists.empty(users, n)
    means, leans = silence.of_items(), silence.leans(ratings)
    if len(ratings.items) > MOST_PAIRS:
        for u in range(users):
            columns, cells = ratings.by_user.row(u)
            said = profile_scores(held, columns, cells)
            number = said.number.copy()
            number[columns] = -1
            score = np.where(np.isnan(said.score), means + leans[u], said.score)
            kernels.keep_best(score, number, *(each[u] for each in found))
        return found
    pairs = held.pairs

    def work(item: tuple[slice, tuple[Any, ...]]) -> None:
        part, own = item
        kernels.best_by_items(
            np.arange(part.start, part.stop), *held.normal, pairs, held.k, *held.middles, held.damping, means, leans,
            *own, *_scratch(len(ratings.items)),
        )  # fmt: skip

    parts = parts_of(users, 32)
    engines.current().map([(part, tuple(each[part] for each in found)) for part in parts], work)
    return found


def profile_scores(held: Neighbourhood, columns: Ints, cells: Floats) -> Scores:
    """What somebody with these ratings says of all items by their similarity to those; NaN where nothing."""
    middle, scale = held.middles
    kept = held.__dict__.get("pairs")  # of all items, if they were wanted before
    similarity, rows = (held.similar(columns), np.arange(len(columns))) if kept is None else (kept, columns)
    total, weight, number, *scratch = _scratch(len(middle))
    normal = held.terms.told(cells, columns)
    kernels.profile_says(similarity, rows, normal, held.k, total, weight, number, *scratch)
    return Scores(middle + scale * held.mean_of(total, weight), weight, number)


def _scratch(items: int) -> tuple[Any, ...]:
    """Total, weight and number of every item, and what a block of items needs."""
    block = (np.empty(kernels.BLOCK, np.float32) for _ in range(3))
    return np.empty(items), np.empty(items), np.empty(items, np.int64), *block, np.empty(kernels.BLOCK, np.float32)
