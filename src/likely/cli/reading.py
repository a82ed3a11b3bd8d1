"""Tables, models and costs from the names that the user gave."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from likely.cli.messages import note
from likely.errors import InputError

if TYPE_CHECKING:
    import polars as pl

    from likely.decisions import CostMatrix

BUNDLED = {"penguins": "species"}  # tables that ship with the package, and the column that they are for


def read_data(
    data: str, spellings: tuple[str, ...] = (), separator: str | None = None, file_format: Any = None
) -> "pl.DataFrame":
    """The table of a file, a folder of texts, standard input ("-"), or one that ships with the package."""
    from likely.data.tables import read_table

    if is_bundled(data):
        from likely.data import bundled

        return read_table(getattr(bundled, data)(), missing=spellings)
    try:
        return read_table(data, format=file_format, separator=separator, missing=spellings)
    except InputError as error:
        raise InputError(in_words_of_the_command(str(error)) + _if_texts(data, file_format)) from None


def in_words_of_the_command(said: str) -> str:
    """A message of the readers, with options of the command instead of parameters in Python.

    >>> in_words_of_the_command("Close it, or double the sign, or give quote=None if the file quotes nothing.")
    'Close it, or double the sign.'
    """
    said = re.sub(r",? or give quote=None if the file quotes nothing", "", said)
    said = re.sub(r",? or give the column another type \(schema_overrides=.*?\)(?=\.|$)", "", said)
    return re.sub(r"missing=\['(.*?)'\]", r"--missing \1", said)


def _if_texts(data: str, file_format: Any) -> str:
    """A hint where files that were to be read as a table may be texts: their names tell no format."""
    from likely.data.sources.formats import format_of_suffix
    from likely.data.sources.paths import find_files

    if file_format is not None or data == "-" or Path(data).expanduser().is_dir():
        return ""
    try:
        untold = [path for path in find_files(data, empty=True) if format_of_suffix(path) is None]
    except InputError:
        return ""
    return " If it is a text and no table, say --format text." if untold else ""


def is_bundled(data: str) -> bool:
    """Whether this names a table of the package and not a file."""
    return data in BUNDLED and not Path(data).exists()


def without(table: "pl.DataFrame", drop: tuple[str, ...], target: str | None = None) -> "pl.DataFrame":
    """The table without some columns, none of which is the target."""
    from likely.data.inputs import suggest

    features = [name for name in table.columns if name != target]
    for name in drop:
        if name not in features:
            raise InputError(f"--drop: there is no feature {name!r}{suggest(name, features)}")
    return table[[name for name in table.columns if name not in drop]]


def open_model(path: str) -> Any:
    """The model of a file."""
    from likely.store import load

    return load(path)


def additive(model: Any, path: str, what: str, inner: bool) -> Any:
    """A model that can merge and forget: itself, or with `inner` the one inside calibration and decisions."""
    from likely.models.any_classifier.inside import unwrap

    inside = unwrap(model)
    if inside is not model and not inner:
        raise InputError(
            f"{path} holds a {type(model).__name__} around a {type(inside).__name__}: what calibration and decisions "
            f"learned cannot be added up, so it cannot {what}. Use --inner to take the model inside alone and leave "
            "them behind, or fit again on all the data"
        )
    if not hasattr(inside, "merge"):
        raise InputError(f"{path} holds a {type(inside).__name__}, which cannot {what}; fit again on all the data")
    if inside is not model:
        note(f"the calibration and decisions of {path} are left behind")
    return inside


def cost_file(path: str | None) -> "CostMatrix | None":
    """The costs in a file, which may lack the names of the classes."""
    if path is None:
        return None
    from likely.decisions import CostMatrix

    if not Path(path).is_file():
        raise InputError(f"--costs: there is no file {path!r}")
    try:
        return CostMatrix.of(path)
    except UnicodeDecodeError:
        raise InputError(f"--costs: {path} is no text. Give a CSV with a row per true class") from None
    except InputError as error:
        raise _in_file(path, error) from None


def costs_between(costs: "CostMatrix | None", classes: Iterable[Any], path: str | None) -> "CostMatrix | None":
    """The costs of a file in the order of the classes; costs without names are taken in sorted order, and it is said.

    The order is that of `classes`, which a model keeps sorted.
    """
    if costs is None:
        return None
    names = list(classes)
    try:
        found = costs.aligned(names)
    except InputError as error:
        raise _in_file(str(path), error) from None
    if costs.classes is None:
        shown = ", ".join(map(str, names))
        note(f"{path}: costs without names are taken in the order {shown}: costs[truth][said]")
    return found


def _in_file(path: str, error: InputError) -> InputError:
    """A mistake in a file of costs, with the name that the user gave it."""
    said = str(error)
    short = Path(path).name
    if said.startswith((f"{short}: ", f"{short}, ")):
        said = said[len(short) + 2 :]
    return InputError(f"--costs {path}: {said}")
