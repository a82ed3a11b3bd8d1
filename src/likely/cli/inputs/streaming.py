"""Learn from files that do not fit in memory: batch by batch, with kinds that fit the numbers of all rows."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from likely.cli.messages import note, say
from likely.cli.options import Columns, Reading, read_kinds
from likely.errors import InputError

if TYPE_CHECKING:
    import polars as pl

    from likely.data.findings.table import Findings
    from likely.data.sources.files import FileSource

_BATCH_BYTES = 32_000_000  # of a batch in memory; its words and counts need a few times as much


def learn_in_batches(
    data: str, target: str, make: "Callable[[Findings, pl.DataFrame], Any]", columns: Columns, reading: Reading
) -> Any:
    """A model made for the first rows of a file, which has learned all of them; memory does not grow with the rows.

    Where the first rows are of one class, the first ones of another class are looked at too.
    """
    from likely.cli.inputs.tables import spelled_kinds, with_text, without
    from likely.data.columns.later_cells import LOOKED_AT, later_cells
    from likely.data.findings.table import examine
    from likely.data.sources.files import scan
    from likely.data.sources.mistakes import in_rows
    from likely.data.sources.suspicions import without_suspicions
    from likely.data.text.corpora import known_kinds
    from likely.engines.progress import progress
    from likely.models.any_classifier.inside import know_table

    given, (spellings, separator, file_format, decimal) = read_kinds(columns.kinds), reading
    _refuse_texts(data, file_format)
    with without_suspicions():
        source = scan(data, missing=spellings, separator=separator, format=file_format, decimal=decimal)
    as_spelled = target in source.columns and source.schema[target] != source.with_text([target]).schema[target]
    source = source.with_text([*spelled_kinds(given), target])
    head = with_text(source.head(LOOKED_AT), given)
    whole = with_text(_with_second_class(source, head, target), given)
    labels = _Labels.of(whole, target, as_spelled)
    whole = labels.read(whole)
    first = without(whole, columns.drop, target)
    beyond = None
    if head.height == LOOKED_AT:
        guessed = [name for name in first.columns if name != target and name not in given]
        beyond = later_cells(first[guessed], source.batches(), constants=True)
    findings = examine(first, target, given, known_kinds(whole), beyond, one_class=True)
    say(str(findings))
    later = f" and of {first.height - head.height:,} with another class" if first.height > head.height else ""
    fits = "" if beyond is None else ", and fit the numbers of all"
    note(f"kinds are those of the first {head.height:,} rows{later}{fits}; with --kind they can be given")
    model = make(findings, findings.prepared(first, columns.keep))
    size = first.estimated_size() / max(first.height, 1)
    rows = max(256, min(source.batch_rows, int(_BATCH_BYTES / max(size, 1.0))))
    seen = learned = extreme = 0
    with progress(source.rows, "rows learned") as done:
        for batch in replace(source, batch_rows=rows).batches():
            with in_rows(seen, batch.height):
                ready = findings.prepared(labels.read(with_text(batch, given)), columns.keep)
                extreme += _extremes(batch[[name for name in ready.columns if name in batch.columns]])
                if ready.height:
                    model.partial_fit(ready, target)
            seen, learned = seen + batch.height, learned + ready.height
            done(batch.height)
    if seen > learned:
        note(f"{seen - learned:,} of {seen:,} rows have no class and are left out")
    if extreme:
        note(f"{extreme:,} cells are infinite or too large to be squared, and treated as missing")
    say(f"learned {learned:,} rows in batches of {rows:,}")
    return know_table(model, whole.columns, findings.dates)


@dataclass(frozen=True)
class _Labels:
    """How the target of every batch is read: as it is, or from text as the numbers that the first rows have."""

    target: str
    dtype: "pl.DataType | None" = None  # None: as it is

    @classmethod
    def of(cls, first: "pl.DataFrame", target: str, as_spelled: bool) -> "_Labels":
        from likely.data.frames.tables import retyped

        if not as_spelled:
            return cls(target)
        return cls(target, retyped(first[target]).dtype)

    def read(self, batch: "pl.DataFrame") -> "pl.DataFrame":
        """The batch with its target in that type; a label that is none of it is refused."""
        import polars as pl

        from likely.data.frames.tables import retyped

        cells = batch[self.target] if self.dtype is not None else None
        if cells is None or cells.dtype != pl.String or cells.null_count() == len(cells):
            return batch
        found = retyped(cells)
        if (found.dtype.is_numeric(), found.dtype == pl.String) != (
            self.dtype is not None and self.dtype.is_numeric(),
            self.dtype == pl.String,
        ):
            raise InputError(
                f"the target {self.target!r} is {self.dtype} in the first rows, and here it has others, or numbers "
                "with zeros in front. Write the classes alike, or leave --stream out"
            )
        return batch.with_columns(found)


def _extremes(batch: "pl.DataFrame") -> int:
    """How many cells are numbers that no sum can hold."""
    from likely.data.features.preparing import without_extremes

    floats = [column for column in batch if column.dtype.is_float()]
    return sum(without_extremes(c).null_count() - c.null_count() - int(c.is_nan().sum()) for c in floats)


def _refuse_texts(data: str, file_format: str | None) -> None:
    """Refuse what cannot be read in batches; said here, because --stream can be left out."""
    from likely.data.sources.formats import TEXTS, format_of_content, format_of_suffix
    from likely.data.sources.places.paths import find_files
    from likely.data.sources.places.user_paths import user_path

    what = None
    if data == "-":
        what = "standard input can be read once only"
    elif user_path(data).is_dir():
        what = f"{data} is a folder"
    elif file_format in TEXTS:
        what = f"{data} is to be read as {file_format}"
    elif file_format is None:
        path = find_files(data, empty=True)[0]
        told = format_of_suffix(path)
        mbox = told is None and path.stat().st_size and format_of_content(path) == "mbox"
        what = f"{path} is mail" if mbox or told in TEXTS else None
    if what is not None:
        raise InputError(f"--stream is for tables in files, and {what}. Leave --stream out for folders, mail and pipes")


def _with_second_class(source: "FileSource", head: "pl.DataFrame", target: str) -> "pl.DataFrame":
    """The first rows, and where these are of one class only, the first rows from where another one begins."""
    import polars as pl

    from likely.data.columns.later_cells import LOOKED_AT
    from likely.data.findings.target_column import labels_of

    if target not in head.columns or head.height < LOOKED_AT:
        return head
    parts, seen = [head], set(labels_of(head[target]).drop_nulls().unique().to_list())
    batches = source.batches()
    while len(seen) < 2 and (batch := next(batches, None)) is not None:
        labels = labels_of(batch[target])
        new = (labels.is_not_null() & ~labels.is_in(list(seen))).arg_true() if seen else labels.is_not_null().arg_true()
        if len(new):
            parts.append(batch.slice(int(new[0]), LOOKED_AT))
            seen |= set(labels_of(parts[-1][target]).drop_nulls().unique().to_list())
    return pl.concat(parts)
