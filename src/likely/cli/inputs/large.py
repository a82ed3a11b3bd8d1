"""Large files, answered, judged and learned batch by batch: memory grows with the batch and not with the rows.

Delimited text is read as it is spelled and brought into the types that the model learned, as a whole table would be.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from likely.cli.inputs.alignment import features_for, labels_for, schema_of_model
from likely.cli.messages import note, notes_once, say
from likely.cli.options import Reading, Result
from likely.cli.writing.results import delimited
from likely.data.sources.places.user_paths import user_path
from likely.errors import InputError

if TYPE_CHECKING:
    import polars as pl

    from likely.data.sources.files import FileSource
    from likely.models.traits.protocols import FittedClassifier

LARGE = 256_000_000  # bytes of a file, or of all files of a pattern, from which on it is read in batches
STREAMED = ("csv", "tsv", "jsonl")  # forms of a result that can be written as it comes


def is_large(data: str, reading: Reading) -> bool:
    """Whether DATA is read in batches: files of a format that can be, too large to be taken whole."""
    from likely.data.frames.tables import SCANNED, in_batches
    from likely.data.sources.places.paths import find_files

    try:
        if data == "-" or not (reading.file_format in SCANNED if reading.file_format else in_batches(data)):
            return False
        return sum(path.stat().st_size for path in find_files(data)) > LARGE
    except (InputError, OSError):  # what is wrong with it is said when it is read
        return False


@dataclass(frozen=True)
class Batches:
    """A large file in line with a model: the model's features of every batch, and the classes if they are asked for."""

    source: "FileSource"
    model: "FittedClassifier"
    target: str | None  # the column with the classes, for judging and learning
    others: tuple[str, ...] = ()  # columns that are carried along

    @classmethod
    def of(
        cls,
        model: "FittedClassifier",
        data: str,
        reading: Reading,
        target: str | None = None,
        others: tuple[str, ...] = (),
    ) -> "Batches":
        from likely.data.sources.files import scan
        from likely.data.sources.suspicions import without_suspicions

        with without_suspicions():
            source = scan(
                data,
                missing=reading.spellings,
                separator=reading.separator,
                format=reading.file_format,
                decimal=reading.decimal,
            )
        texts = schema_of_model(model).texts
        source = source.with_text(source.columns if reading.decimal == "." else [*texts, *others, target or ""])
        say(f"{data} is large: it is read in batches of {source.batch_rows:,} rows")
        return cls(source, model, target, others)

    @property
    def columns(self) -> list[str]:
        return [*schema_of_model(self.model).names, *([] if self.target is None else [self.target])]

    @property
    def n_batches(self) -> None:
        return None

    def first_row(self, number: int) -> int:
        return self.source.first_row(number)

    def batch(self, number: int) -> "pl.DataFrame":
        raise InputError("large files are read in order")

    def batches(self) -> Iterator["pl.DataFrame"]:
        """Features, and the classes where there is a target: rows without a class are left out, and it is said."""
        lost = 0
        for table, features in self.pairs():
            if self.target is None:
                yield features
                continue
            labels = labels_for(table, self.target, self.model)
            labels = labels.fill_nan(None) if labels.dtype.is_float() else labels
            known = labels.is_not_null()
            lost += int((~known).sum())
            if known.any():
                yield features.with_columns(labels.alias(self.target)).filter(known)
        if lost:
            note(f"{lost:,} rows without a class are left out")

    def pairs(self) -> Iterator[tuple["pl.DataFrame", "pl.DataFrame"]]:
        """Every batch as it was read, and its features as the model learned them."""
        from likely.data.sources.mistakes import in_rows
        from likely.engines.progress import progress

        start, others = 0, (*self.others, self.target)
        with notes_once(), progress(self.source.rows, "rows") as done:
            for table in self.source.batches():
                with in_rows(start, table.height):
                    features = features_for(table, self.model, others)
                yield table, features
                start += table.height
                done(table.height)


def write_as_it_comes(result: Result, form: str, frames: Iterator["pl.DataFrame"]) -> None:
    """A result in CSV or JSON lines, to standard output or a file, which is replaced when all of it is there."""
    import sys

    from likely.store.files.replacing import replacing

    def write(out: Callable[[bytes], Any]) -> None:
        for number, frame in enumerate(frames):
            text = frame.write_ndjson() if form == "jsonl" else delimited(frame, form, include_header=number == 0)
            out(text.encode("utf-8", "surrogatepass"))

    if result.output is None or result.output == "-":
        write(sys.stdout.buffer.write)
        sys.stdout.buffer.flush()
        return
    with replacing(user_path(result.output)) as file:
        write(file.write)
    say(f"wrote {result.output}")
