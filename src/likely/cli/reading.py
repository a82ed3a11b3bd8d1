"""Tables, models and costs from the names that the user gave."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from likely.cli.messages import note
from likely.errors import InputError

if TYPE_CHECKING:
    import polars as pl

BUNDLED = {"penguins": "species"}  # tables that ship with the package, and the column that they are for


def read_data(
    data: str, spellings: tuple[str, ...] = (), separator: str | None = None, file_format: Any = None
) -> "pl.DataFrame":
    """The table of a file, of standard input ("-"), or one that ships with the package."""
    from likely.data.tables import read_table

    if is_bundled(data):
        from likely.data import bundled

        return read_table(getattr(bundled, data)(), missing=spellings)
    return read_table(data, format=file_format, separator=separator, missing=spellings)


def is_bundled(data: str) -> bool:
    """Whether this names a table of the package and not a file."""
    return data in BUNDLED and not Path(data).exists()


def without(table: "pl.DataFrame", drop: tuple[str, ...], target: str) -> "pl.DataFrame":
    """The table without some columns."""
    from likely.data.inputs import suggest

    features = [name for name in table.columns if name != target]
    for name in drop:
        if name not in features:
            raise InputError(f"--drop: there is no feature {name!r}{suggest(name, features)}")
    return table.drop(list(drop))


def open_model(path: str) -> Any:
    """The model of a file."""
    from likely.store import load

    return load(path)


def core(model: Any) -> Any:
    """The model inside calibration and decisions."""
    while hasattr(model, "estimator_"):
        model = model.estimator_
    return model


def additive(model: Any, path: str, what: str, inner: bool) -> Any:
    """A model that can merge and forget: itself, or with `inner` the one inside calibration and decisions."""
    inside = core(model)
    if inside is not model and not inner:
        raise InputError(
            f"{path} holds a {type(model).__name__} around a {type(inside).__name__}: what calibration and decisions "
            f"learned cannot be added up, so it cannot {what}. Use --inner to {what} with the model inside alone, or "
            "fit again on all the data"
        )
    if not hasattr(inside, "merge"):
        raise InputError(f"{path} holds a {type(inside).__name__}, which cannot {what}; fit again on all the data")
    if inside is not model:
        note(f"the calibration and decisions of {path} are left behind")
    return inside


def cost_file(path: str | None) -> str | None:
    """The name of a file of costs that can be read as text."""
    if path is not None:
        if not Path(path).is_file():
            raise InputError(f"--costs: there is no file {path!r}")
        try:
            Path(path).read_text(encoding="utf-8-sig")
        except UnicodeDecodeError:
            raise InputError(f"--costs: {path} is no text. Give a CSV with a row per true class") from None
    return path
