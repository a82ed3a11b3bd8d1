"""Recommendation by neighbours: what people (or items) that are alike say of what one has not rated yet.

    score(u, m) = sum over v of sim(u, v) x_vm / sum over v of sim(u, v)        v with sim > 0 who rated m

With by="item" the table is transposed: an item is scored by what the same person gave to items like it. Everything is
computed from the table of ratings when it is asked for, so a rating is learned or forgotten by changing one cell, and a
new person needs no refitting. Where no neighbour has rated an item, its mean speaks, shrunk towards the mean of all.
"""

import warnings
from collections.abc import Hashable, Iterable, Mapping
from copy import copy
from typing import Any, Self

import numpy as np

from likely.data.accepted import TableLike, TargetLike
from likely.data.inputs import suggest
from likely.errors import InputError, NotFittedError, check_choice, check_number, check_whole
from likely.intervals.estimate import Estimate
from likely.models.estimator import Estimator
from likely.models.recommend.answers import (
    Contribution,
    Neighbour,
    Recommendation,
    best_places,
    check_length,
    nearest_first,
    read_pairs,
)
from likely.models.recommend.everybody import lists_by_items, lists_by_users, pair_scores, profile_scores
from likely.models.recommend.left_out import Residuals
from likely.models.recommend.neighbourhood import Neighbourhood, Normalize, Scores, Similarity, falling
from likely.models.recommend.ratings import Ratings, as_array, read_ratings
from likely.models.recommend.silence import Silence
from likely.models.traits.face import Face
from likely.models.traits.state import of_one_state
from likely.numeric.arrays import Array, Floats, Ints


class Recommender(Estimator):
    """Neighbourhood recommendation (collaborative filtering) from ratings of items by users.

    Parameters
    ----------
    by : "user" or "item"
        Whose neighbours are asked: people who rated alike, or items that were rated alike.
    similarity : "euclidean", "pearson" or "cosine"
        1 / (1 + distance), correlation, or cosine, over what both have.
    normalize : "none", "center" or "standard"
        Whether ratings are taken as they are, less the mean of their user (or item), or as standard scores too, so that
        generous and stingy scorers compare.
    k : None or int
        How many neighbours at most speak for an item; None: all of positive similarity.
    shrinkage : float
        A similarity over n shared ratings counts n / (n + shrinkage).
    min_overlap : int
        Shared ratings below which there is no similarity.
    damping : float
        Similarity of one more neighbour who says the user's (or item's) own mean: scores that few speak for are drawn
        to it. Without normalisation there is no such mean, and it plays no part.

    Attributes
    ----------
    users_, items_ : their names
    ratings_ : the table of ratings

    Examples
    --------
    >>> from likely import Recommender
    >>> critics = {"Puig": {"Milk": 9, "Hancock": 5, "Burn": 8}, "Denby": {"Milk": 9, "Hancock": 9, "Burn": 4}}
    >>> model = Recommender(similarity="euclidean", normalize="none").fit(critics)
    >>> model.recommend(ratings={"Burn": 9}, n=1)
    [Recommendation(item='Milk', score=9.0, support=2)]
    >>> model.nearest_users(ratings={"Burn": 9})[0].name
    'Puig'
    """

    users_: Array
    items_: Array
    ratings_: Ratings

    def __init__(
        self,
        by: str = "user",
        similarity: Similarity = "cosine",
        normalize: Normalize = "center",
        k: int | None = 40,
        shrinkage: float = 20.0,
        min_overlap: int = 1,
        damping: float = 1.0,
    ) -> None:
        self.by = by
        self.similarity = similarity
        self.normalize = normalize
        self.k = k
        self.shrinkage = shrinkage
        self.min_overlap = min_overlap
        self.damping = damping

    def fit(self, X: TableLike, y: TargetLike = None) -> Self:
        """Learn ratings: a table with columns user, item, rating, perhaps time; or a mapping user to {item: rating}."""
        with self._anew():
            self._check_parameters()
            self._settle(read_ratings(X))
        return self

    def partial_fit(self, X: TableLike, y: TargetLike = None) -> Self:
        """Learn more ratings; one that is there already is refused: forget it first."""
        more = read_ratings(X)
        with self._onward():
            self._check_parameters()
            self._settle(self.ratings_ + more if self.__sklearn_is_fitted__() else more)
        return self

    def forget(self, X: TableLike, y: TargetLike = None) -> Self:
        """Unlearn ratings, changing this model: it becomes what it would be without them, and is returned."""
        gone = read_ratings(X)
        with self._onward():
            self._check_fitted()
            self._settle(self.ratings_.without(gone))
        return self

    def merge(self, other: Self) -> Self:
        """A new model of the ratings of both; neither of them changes."""
        if not isinstance(other, Recommender):
            raise InputError(f"a Recommender merges with another, not with a {type(other).__name__}")
        self._check_fitted()
        other._check_fitted()
        if self.get_params() != other.get_params():
            raise InputError("models that are merged must have the same parameters")
        united = copy(self)
        united._settle(self.ratings_ + other.ratings_)
        return united

    @of_one_state
    def predict(self, X: TableLike) -> Floats:
        """The rating that each user is expected to give: X has columns user and item, by name or in this order."""
        self._check_fitted()
        users, items = read_pairs(X)
        return self._predicted(users, items)[0]

    @of_one_state
    def predict_interval(self, X: TableLike, confidence: float = 0.95) -> list[Estimate]:
        """The expected rating with an interval that holds the rating itself so often.

        From ratings that were left out one by one (a sample of them), by how many neighbours spoke.
        """
        self._check_fitted()
        users, items = read_pairs(X)
        score, support = self._predicted(users, items)
        residuals = self.residuals_
        return [residuals.around(float(s), int(n), confidence) for s, n in zip(score, support, strict=True)]

    @of_one_state
    def recommend(
        self, user: Hashable | None = None, n: int = 10, *, ratings: Mapping[Any, float] | None = None
    ) -> list[Recommendation]:
        """The items of the highest scores among those not rated: of a user, or of a new person with these ratings."""
        self._check_fitted()
        columns, cells = self._profile(user, ratings)
        wanted = self._unrated(columns)
        found = self._scores(columns, cells, wanted, self._number(user))
        best = best_places(found, wanted, check_length(n))
        score = self.ratings_.within(found.score[best])
        named = zip(wanted[best], score.tolist(), found.number[best], strict=True)
        return [Recommendation(self.ratings_.items[item], value, int(number)) for item, value, number in named]

    @of_one_state
    def recommend_all(self, n: int = 10) -> Any:
        """The n best items of every user, as a Polars frame: user, item, score, support."""
        self._check_fitted()
        n = check_length(n)
        lists = lists_by_users if self.by == "user" else lists_by_items
        return lists(self._asked(), self.ratings_, self._silence, n).frame(self.ratings_)

    @of_one_state
    def nearest_users(
        self, user: Hashable | None = None, n: int | None = None, *, ratings: Mapping[Any, float] | None = None
    ) -> list[Neighbour]:
        """People by how alike they rate what both have rated, the most similar first."""
        self._check_fitted()
        columns, cells = self._profile(user, ratings)
        alike = self._of_users().alike(columns, cells, self._number(user))
        return nearest_first(alike, self.ratings_.users, n)

    @of_one_state
    def nearest_items(self, item: Hashable, n: int | None = None) -> list[Neighbour]:
        """Items by how alike they were rated by those who rated both."""
        self._check_fitted()
        number = self._item(item)
        alike = self._of_items().alike(*self.ratings_.by_item.row(number), but=number)
        return nearest_first(alike, self.ratings_.items, n)

    @of_one_state
    def because(
        self, user: Hashable | None = None, item: Hashable | None = None, *, ratings: Mapping[Any, float] | None = None
    ) -> list[Contribution]:
        """What each neighbour says of an item, the weightiest first: their shares sum to 1."""
        self._check_fitted()
        columns, cells = self._profile(user, ratings)
        target = self._item(item)
        if self.by == "user":
            alike = self._of_users().alike(columns, cells, self._number(user))
            who, given = self.ratings_.by_item.row(target)
            names: tuple[Hashable, ...] = self.ratings_.users
        else:
            alike = self._of_items().alike(*self.ratings_.by_item.row(target), but=target)
            who, given, names = columns, cells, self.ratings_.items
        weight = np.nan_to_num(alike.similarity[who])
        order = falling(weight)
        order = order[weight[order] > 0][: self.k or len(order)]
        total = weight[order].sum()
        return [Contribution(names[who[i]], float(weight[i]), float(given[i]), float(weight[i] / total)) for i in order]

    @property
    def residuals_(self) -> Residuals:
        """What ratings that are left out one by one differ from their predictions by."""
        state = self._as_it_is()
        state._check_fitted()
        return Residuals.of(state, state.ratings_)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "ratings_")

    def _check_fitted(self) -> None:
        if not self.__sklearn_is_fitted__():
            raise NotFittedError(
                "This Recommender instance is not fitted yet. Call 'fit' with ratings before using it."
            )

    def _settle(self, ratings: Ratings) -> None:
        if not len(ratings):
            raise InputError("there are no ratings to learn from")
        self._become({"ratings_": ratings, "users_": as_array(ratings.users), "items_": as_array(ratings.items)})

    def _face(self) -> Face:
        seen = self.ratings_
        counts = f"{len(seen):,} ratings of {len(seen.items):,} items by {len(seen.users):,} users"
        return Face(repr(self), f"{counts}, from {seen.rating.min():g} to {seen.rating.max():g}")

    def _of_users(self) -> Neighbourhood:
        return self._neighbourhood(self.ratings_.by_user, self.ratings_.by_item)

    def _of_items(self) -> Neighbourhood:
        return self._neighbourhood(self.ratings_.by_item, self.ratings_.by_user)

    def _neighbourhood(self, rows: Any, columns: Any) -> Neighbourhood:
        found: dict[Any, Neighbourhood] = self.ratings_.derived.setdefault("neighbourhoods", {})
        options = (self.similarity, self.normalize, float(self.shrinkage), int(self.min_overlap), self.k, self.damping)
        key = (rows is self.ratings_.by_user, *options)
        if key not in found:
            damping = 0.0 if self.normalize == "none" else float(self.damping)
            found[key] = Neighbourhood(rows, columns, *options[:4], min(self.k or 0, len(rows.begin)), damping)
        return found[key]

    def _asked(self) -> Neighbourhood:
        """Users, or items, as they are asked."""
        return self._of_users() if self.by == "user" else self._of_items()

    @property
    def _silence(self) -> Silence:
        return Silence.of(self.ratings_, self.normalize != "none")

    def _scores(self, columns: Ints, cells: Floats, wanted: Ints, user: int) -> Scores:
        """What neighbours say of items to somebody with these ratings; the mean of an item where none says anything."""
        held = self._asked()
        if self.by == "user":
            found = held.scores(held.alike(columns, cells, user), cells, wanted)
        else:
            said = profile_scores(held, columns, cells)
            found = Scores(said.score[wanted], said.weight[wanted], said.number[wanted])
        lacking = np.isnan(found.score)
        if not lacking.any():
            return found
        silence = self._silence
        instead = silence.of_items()[wanted] + silence.lean(columns, cells)
        return found._replace(score=np.where(lacking, instead, found.score))

    def _unrated(self, columns: Ints) -> Ints:
        """Items that are not among these."""
        unrated = np.ones(len(self.items_), dtype=bool)
        unrated[columns] = False
        return np.flatnonzero(unrated)

    def _predicted(self, users: Iterable[Any], items: Iterable[Any]) -> tuple[Floats, Ints]:
        held = self.ratings_
        user = np.array([_place(name, held.number_of_user) for name in users], dtype=np.int64)
        item = np.array([_place(name, held.number_of_item) for name in items], dtype=np.int64)
        found = pair_scores(self._asked(), self.by, held, self._silence, user, item)
        return held.within(found.score), found.number

    def _profile(self, user: Hashable, ratings: Mapping[Any, float] | None) -> tuple[Ints, Floats]:
        """Items and ratings of a user, or of a new person."""
        if (user is None) == (ratings is None):
            raise InputError("give a user who was learned, or ratings={item: rating} of a new person: one of them")
        if ratings is None:
            number = self._number(user)
            return self.ratings_.by_user.row(number)
        columns = np.array([self._item(item) for item in ratings], dtype=np.int64)
        try:
            cells = np.array(list(ratings.values()), dtype=np.float64)
        except (TypeError, ValueError):
            raise InputError(f"ratings= must be numbers by item, got {list(ratings.values())!r:.80}") from None
        if not np.isfinite(cells).all():
            raise InputError("a rating is missing or infinite; leave it out")
        self._note_other_scale(ratings, cells)
        order = np.argsort(columns)
        return columns[order], cells[order]

    def _note_other_scale(self, ratings: Mapping[Any, float], cells: Floats) -> None:
        low, high = float(self.ratings_.rating.min()), float(self.ratings_.rating.max())
        beyond = np.flatnonzero((cells < low) | (cells > high))
        if len(beyond) and low < high:
            item = list(ratings)[beyond[0]]
            warnings.warn(
                f"ratings= says {cells[beyond[0]]:g} of {item!r}, and those that were learned are from {low:g} to "
                f"{high:g}: is it on the same scale?",
                stacklevel=5,
            )

    def _number(self, user: Hashable) -> int:
        if user is None:
            return -1
        place = _place(user, self.ratings_.number_of_user)
        if place < 0:
            names = list(map(str, self.ratings_.users))
            raise InputError(
                f"user {user!r} has rated nothing{suggest(str(user), names)}; give ratings= of a new person"
            )
        return place

    def _item(self, item: Hashable) -> int:
        place = _place(item, self.ratings_.number_of_item)
        if place < 0:
            names = list(map(str, self.ratings_.items))
            raise InputError(f"item {item!r} was rated by nobody{suggest(str(item), names)}")
        return place

    def _check_parameters(self) -> None:
        choices = {
            "by": ("user", "item"),
            "similarity": ("euclidean", "pearson", "cosine"),
            "normalize": ("none", "center", "standard"),
        }
        for name, known in choices.items():
            check_choice(name, getattr(self, name), known)
        check_whole("k", self.k, also=(None,))
        check_number("damping", self.damping)
        check_number("shrinkage", self.shrinkage)
        check_whole("min_overlap", self.min_overlap)


def _place(name: Hashable, known: Mapping[Hashable, int]) -> int:
    """Where somebody, or something, of this name stands; -1 where there is none."""
    return known.get(name, -1) if isinstance(name, Hashable) else -1
