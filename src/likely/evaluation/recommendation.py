"""How good recommendations are, on ratings that were held out: errors of ratings, and of ranked lists, with intervals.

    RMSE, MAE          of predicted ratings; the interval is that of the mean over users, whose ratings vary together
    precision at n     share of the n best held-out items of a user that are relevant
    NDCG at n          sum of (2^(rating - lowest) - 1) / log2(1 + rank) of the ranked held-out items, over that of the
                       best order; `lowest`, the lowest rating that was learned or held out, gains nothing

Lists are of the items that a user rated in the held-out part, ranked by their predictions; users with one such item
have no order to judge, and where nobody has two, the figures of lists are undefined. An item is relevant if it was
rated at least `relevant`, by default the mean of the user's held-out ratings. A user with no more than n of them has
all of them in the list: precision is then the share of the relevant ones in whatever order, which counts in NDCG alone.
"""

from collections.abc import Sequence, Sized
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from likely.data.accepted import TableLike
from likely.data.frames import bare_table, figures_like
from likely.data.printing.html_table import text_as_html
from likely.data.printing.wording import counted
from likely.errors import InputError
from likely.intervals.estimate import Estimate
from likely.intervals.means import mean_interval
from likely.models.recommend.answers import check_length
from likely.models.recommend.ratings import Ratings, read_ratings
from likely.numeric.arrays import Floats


@dataclass(frozen=True)
class RecommendationReport:
    """Figures of a recommender on held-out ratings."""

    rmse: Estimate
    mae: Estimate
    precision: Estimate  # share of the n best held-out items that are relevant
    ndcg: Estimate
    n: int  # length of the lists

    def __str__(self) -> str:
        names = {
            "RMSE": self.rmse,
            "MAE": self.mae,
            f"precision at {self.n}": self.precision,
            f"NDCG at {self.n}": self.ndcg,
        }
        width = max(map(len, names))
        return "\n".join(f"{name:<{width}}  {figure}" for name, figure in names.items())

    _repr_html_ = text_as_html


def split_ratings(X: TableLike, share: float = 0.2, random_state: int = 0) -> tuple[Any, Any]:
    """Ratings parted at random within every user, as two frames: the larger to learn, the smaller to judge.

    They are of pandas where the ratings came so, else of Polars.

    Of a user's ratings so many are kept back as the share comes to, rounded down: of fewer than 1 / share, none.

    Parameters
    ----------
    X : the ratings
    share : of each user's ratings, kept back to judge

    >>> learn, judge = split_ratings({"Ann": {"Heat": 5, "Big": 3, "Up": 4}, "Bob": {"Heat": 4}}, 0.4)
    >>> len(learn), len(judge)
    (3, 1)
    """
    import polars as pl

    if not 0 < share < 1:
        raise InputError(f"share must lie between 0 and 1, got {share!r}")
    seen = read_ratings(X)
    rng = np.random.default_rng(random_state)
    held = np.zeros(len(seen), dtype=bool)
    for u in range(len(seen.users)):
        rows = np.arange(*seen.by_user.begin[[u, u + 1]])
        held[rng.permutation(rows)[: int(share * len(rows))]] = True
    if not held.any():
        most = int(np.bincount(seen.user).max())
        raise InputError(
            f"share={share:g} of a user's ratings is less than one of them: nobody has more than {most}. Hold out a "
            "larger share"
        )
    users, items, ratings = seen.columns()
    table = pl.DataFrame({"user": users, "item": items, "rating": ratings})
    like = bare_table(X)
    return figures_like(table.filter(~held), like), figures_like(table.filter(held), like)


def evaluate_recommender(
    model: Any, X: TableLike, n: int = 10, *, relevant: float | None = None, confidence: float = 0.95
) -> RecommendationReport:
    """Judge a fitted recommender on ratings that it did not learn.

    Parameters
    ----------
    relevant : the least rating of a relevant item; None: the mean of the user's held-out ratings
    model : a fitted recommender
    X : ratings that it has not learned; those that it has are refused
    n : length of the lists

    >>> from likely import Recommender
    >>> people = {f"u{i}": {"a": 4, "b": 3 + i % 2, "c": 1 + i % 2, "d": 5} for i in range(20)}
    >>> learn, judge = split_ratings(people, 0.5)
    >>> report = evaluate_recommender(Recommender().fit(learn), judge)
    >>> report.mae.value <= report.rmse.value < 2
    True
    """
    n = check_length(n)
    if not isinstance(X, str) and isinstance(X, Sized) and not len(X):
        raise InputError("there are no held-out ratings to judge by: hold out more (split_ratings)")
    held: Ratings = read_ratings(X)
    users, items, _ = held.columns()
    _refuse_learned(model, users, items)
    predicted = np.asarray(model.predict(list(zip(users, items, strict=True))), dtype=np.float64)
    off = predicted - held.rating
    squares = mean_interval(off**2, confidence, groups=held.user)
    absolute = mean_interval(np.abs(off), confidence, groups=held.user)
    rmse = replace(squares, value=squares.value**0.5, low=max(squares.low, 0.0) ** 0.5, high=squares.high**0.5,
                   standard_error=squares.standard_error / (2 * max(squares.value, 1e-300) ** 0.5))  # fmt: skip
    lowest = _lowest(model, held)
    lists = [_judged(predicted[rows], held.rating[rows], n, relevant, lowest) for rows in _users(held)]
    judged = [figures for figures in lists if figures is not None]
    if not judged:
        why = "nobody has two held-out ratings: there are no lists to judge; hold out more"
        none = Estimate(float("nan"), 0.0, 1.0, confidence, "no lists", 0, note=why)
        return RecommendationReport(rmse, absolute, none, none, n)
    precision, ndcg = (mean_interval(np.array(side), confidence) for side in zip(*judged, strict=True))
    return RecommendationReport(rmse, absolute, _within(precision), _within(ndcg), n)


def _refuse_learned(model: Any, users: Sequence[Any], items: Sequence[Any]) -> None:
    """Refuse to judge a model by what it has learned."""
    seen = getattr(model, "ratings_", None)
    if not isinstance(seen, Ratings):
        return
    place = zip(users, items, strict=True)
    pairs = [(seen.number_of_user.get(u, -1), seen.number_of_item.get(i, -1)) for u, i in place]
    known = set(zip(seen.user.tolist(), seen.item.tolist(), strict=True))
    learned = [at for at, pair in enumerate(pairs) if pair in known]
    if learned:
        first = f"that of {items[learned[0]]!r} by {users[learned[0]]!r}"
        raise InputError(
            f"the model has learned {len(learned):,} of the {counted(len(pairs), 'rating')} that are to judge it, "
            f"{'' if len(learned) == 1 else 'the first '}{first}: learn one part and judge by the other "
            "(split_ratings), or leave these out"
        )


def _users(held: Ratings) -> list[slice]:
    begin = held.by_user.begin
    return [slice(int(begin[u]), int(begin[u + 1])) for u in range(len(held.users))]


def _lowest(model: Any, held: Ratings) -> float:
    """The lowest rating of the scale, as far as ratings show it."""
    learned = getattr(model, "ratings_", None)
    seen = learned.rating if isinstance(learned, Ratings) else held.rating
    return float(min(seen.min(initial=np.inf), held.rating.min(initial=np.inf)))


def _judged(
    predicted: Floats, truth: Floats, n: int, relevant: float | None, lowest: float
) -> tuple[float, float] | None:
    """Precision and NDCG of one user's list."""
    if len(truth) < 2:
        return None
    order = np.argsort(-predicted, kind="stable")[:n]
    bar = float(truth.mean()) if relevant is None else relevant
    precise = float(np.mean(truth[order] >= bar))
    with np.errstate(under="ignore"):
        gain = 2.0 ** (truth - truth.max()) - 2.0 ** (lowest - truth.max())  # in units of which no scale overflows
    discount = 1 / np.log2(2 + np.arange(len(order)))
    best = float(np.sort(gain)[::-1][: len(order)] @ discount)
    return precise, float(gain[order] @ discount) / best if best > 0 else 1.0


def _within(figure: Estimate) -> Estimate:
    return replace(figure, low=max(figure.low, 0.0), high=min(figure.high, 1.0))
