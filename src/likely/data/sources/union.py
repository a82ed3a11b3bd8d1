"""Several files, or batches of rows, as one table: their columns must be the same, in types that go together."""

from collections.abc import Sequence

import polars as pl

from likely.data.printing.wording import quoted
from likely.data.sources.formats import File
from likely.data.sources.parsers.columnar import Columnar
from likely.data.sources.parsers.json_lines import JsonLines
from likely.errors import InputError


def common_types(files: Sequence[File], settled: pl.Schema) -> pl.Schema:
    """The columns of all files together, each in a type that holds its values in every file, if not settled."""
    common, origin = dict(files[0].own), dict.fromkeys(files[0].own, files[0])
    for file in files[1:]:
        if not (isinstance(file, JsonLines) and isinstance(files[0], JsonLines)):  # a key may be absent
            _check_same_columns(file, common, files[0])
        for name, dtype in file.own.items():
            merged = dtype if name in settled else _merged(common.get(name, dtype), dtype)
            if merged is None:
                if isinstance(file, Columnar) or isinstance(origin[name], Columnar):
                    raise InputError(
                        f"column {name!r} is {common[name]} in {origin[name].path} and {dtype} in {file.path}. "
                        f"Give one type for both: schema_overrides={{{name!r}: ...}}."
                    )
                merged = pl.String()  # which every cell of a text file is
            common[name] = merged
            origin.setdefault(name, file)
    return pl.Schema(common)


def stacked(batches: Sequence[pl.DataFrame], names: Sequence[str] = ()) -> pl.DataFrame:
    """Batches of a source as one frame: numbers in the type that holds all of them, other columns in their one type.

    Of no batch at all it is a frame of these names without rows.

    >>> stacked([pl.DataFrame({"x": [1, 2]}), pl.DataFrame({"x": [0.5]})])["x"].to_list()
    [1.0, 2.0, 0.5]
    """
    if not batches:
        return pl.DataFrame(schema=list(names))
    common: dict[str, pl.DataType] = {name: pl.Null() for name in batches[0].columns}
    for number, frame in enumerate(batches):
        if frame.columns != list(common):
            raise InputError(
                f"batch {number} of the source has the columns {quoted(frame.columns)}, and batch 0 has "
                f"{quoted(list(common))}: every batch has the same columns, in their order"
            )
        for name, dtype in frame.schema.items():
            empty = frame[name].null_count() == frame.height  # of no type, whatever it is read as
            merged = _merged(common[name], pl.Null() if empty else dtype)
            if merged is None:
                raise InputError(
                    f"column {name!r} is {dtype} in batch {number} of the source and {common[name]} before. Correct "
                    "the cells that do not fit, or read all batches in one type (schema_overrides in Polars)"
                )
            common[name] = merged
    types = pl.Schema({name: batches[0].schema[name] if dtype == pl.Null else dtype for name, dtype in common.items()})
    return pl.concat([frame.cast(types) for frame in batches])


def _check_same_columns(file: File, common: dict[str, pl.DataType], first: File) -> None:
    lacks, more = [name for name in common if name not in file.own], [name for name in file.own if name not in common]
    if lacks or more:
        lists = {"lacks": lacks, "also has": more}
        said = " and ".join(f"{word} {quoted(names)}" for word, names in lists.items() if names)
        raise InputError(f"{file.path} has not the columns of {first.path}: it {said}.")


def _merged(a: pl.DataType, b: pl.DataType) -> pl.DataType | None:
    """The type that holds the values of both, if they are equal, both numbers, or one has no values."""
    if a == b or b == pl.Null:
        return a
    if a == pl.Null:
        return b
    if a.is_numeric() and b.is_numeric():
        empty = [pl.DataFrame(schema={"both": dtype}) for dtype in (a, b)]
        return pl.concat(empty, how="vertical_relaxed").schema["both"]
    return None
