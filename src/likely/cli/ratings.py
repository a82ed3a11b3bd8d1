"""Ratings, people and items as the command names them."""

from typing import TYPE_CHECKING, Any

from likely.cli.options import Reading
from likely.errors import InputError

if TYPE_CHECKING:
    import polars as pl

    from likely.models.recommend import Recommender


def read_ratings_table(data: str, reading: Reading, columns: str | None) -> "pl.DataFrame":
    """A table of ratings: users, items, ratings and perhaps times, under these names."""
    from likely.cli.inputs.tables import read_data
    from likely.data.inputs import suggest

    table = read_data(data, reading)
    if columns is None:
        return table
    names = [name.strip() for name in columns.split(",")]
    if len(names) not in (3, 4):
        raise InputError(
            f"--columns {columns!r}: name those of the users, items, ratings and perhaps times, as in a,b,c"
        )
    for name in names:
        if name not in table.columns:
            raise InputError(f"--columns: there is no column {name!r}{suggest(name, table.columns)}")
    return table.select(**dict(zip(("user", "item", "rating", "time"), names, strict=False)))


def is_model(data: str) -> bool:
    """Whether this is a model file, and no table."""
    from zipfile import is_zipfile

    from likely.data.sources.places.user_paths import user_path

    place = user_path(data)
    return place.suffix == ".likely" or (place.is_file() and place.suffix != ".xlsx" and is_zipfile(place))


def open_recommender(path: str) -> "Recommender":
    """The recommender of a file."""
    from likely.cli.inputs.tables import open_model
    from likely.models.recommend import Recommender

    model = open_model(path)
    if not isinstance(model, Recommender):
        raise InputError(f"{path} holds a {type(model).__name__}, and no recommender; keep one with --model")
    return model


def named(text: str, names: Any, option: str, what: str) -> Any:
    """The user or item that is spelled like this."""
    from likely.data.inputs import suggest

    for name in names:
        if str(name) == text:
            return name
    raise InputError(f"{option}: no rating is of the {what} {text!r}{suggest(text, [str(name) for name in names])}")


def new_person(rated: tuple[str, ...], items: object) -> dict[Any, float]:
    """Ratings of somebody new, from ITEM=RATING."""
    given: dict[Any, float] = {}
    for pair in rated:
        item, equals, rating = pair.rpartition("=")
        try:
            value = float(rating)
        except ValueError:
            equals = ""
        if not equals or not item:
            raise InputError(f"--rated {pair!r}: say ITEM=RATING, as in --rated Heat=4.5")
        given[named(item, items, "--rated", "item")] = value
    return given
