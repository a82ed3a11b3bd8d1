"""Recommenders in a file: the table of ratings, from which everything follows."""

from collections.abc import Callable
from typing import Any

import numpy as np

from likely.errors import InputError
from likely.models.recommend.ratings import Ratings
from likely.models.recommend.recommender import Recommender
from likely.store.models.learned import Learned, check_known, check_numbers
from likely.store.values import Encoder

KIND = Recommender
_KEPT = {"ratings_", "users_", "items_"}


def encode(model: Recommender, node: dict[str, Any], encoder: Encoder, path: str) -> None:
    """Put names and ratings into the node."""
    check_known(model, _KEPT)
    seen = model.ratings_
    fields = {"users": seen.users, "items": seen.items, "user": seen.user, "item": seen.item, "rating": seen.rating}
    node["fitted"] = {name: encoder.encode(value, f"{path}.{name}") for name, value in fields.items()}


def decode(new: Callable[[], Recommender], learned: Learned) -> Recommender:
    """The model of a node."""
    model = new()
    users, items = learned("users", tuple), learned("items", tuple)
    user, item, rating = (learned(name, np.ndarray) for name in ("user", "item", "rating"))
    check_numbers(rating)
    for codes, names, what in ((user, users, "user"), (item, items, "item")):
        whole = codes.dtype == np.int64 and codes.shape == rating.shape and len(set(names)) == len(names)
        if not whole or (len(codes) and not (codes.min() >= 0 and codes.max() < len(names))):
            raise InputError(f"its ratings do not say which {what} they are of")
    if (np.diff(user * max(len(items), 1) + item) <= 0).any():
        raise InputError("its ratings are not in order, or of one item by one user twice")
    model._settle(Ratings(users, items, user, item, rating))
    return model
