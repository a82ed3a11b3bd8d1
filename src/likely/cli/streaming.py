"""Learn from files that do not fit in memory: batch by batch, with kinds guessed from the first rows."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from likely.cli.messages import note, say
from likely.errors import InputError

if TYPE_CHECKING:
    import polars as pl

    from likely.data.findings.table import Findings
    from likely.data.sources.files import FileSource

_LOOKED_AT = 10_000  # rows from which kinds are guessed
_BATCH_BYTES = 32_000_000  # of a batch in memory; its words and counts need a few times as much


def learn_in_batches(
    data: str, target: str, given: dict[str, str], make: "Callable[[Findings, Any], Any]", keep: tuple[str, ...],
    drop: tuple[str, ...], spellings: tuple[str, ...] = (), separator: str | None = None, file_format: Any = None,
) -> Any:  # fmt: skip
    """A model made for the first rows of a file, which has learned all of them; memory does not grow with the rows.

    Where the first rows are of one class, the first ones of another class are looked at too.
    """
    from likely.cli.reading import in_words_of_the_command, without
    from likely.data import scan
    from likely.data.findings.table import examine
    from likely.data.text.corpora import known_kinds
    from likely.engines.progress import progress

    _refuse_texts(data, file_format)
    try:
        source = scan(data, missing=spellings, separator=separator, format=file_format)
    except InputError as error:
        raise InputError(in_words_of_the_command(str(error))) from None
    head = source.head(_LOOKED_AT)
    whole = _with_second_class(source, head, target)
    first = without(whole, drop, target)
    findings = examine(first, target, given, known_kinds(whole))
    say(str(findings))
    later = f" and of {first.height - head.height:,} with another class" if first.height > head.height else ""
    note(f"kinds are those of the first {head.height:,} rows{later}; with --kind they can be given")
    model = make(findings, findings.prepared(first, keep))
    size = first.estimated_size() / max(first.height, 1)
    rows = max(256, min(source.batch_rows, int(_BATCH_BYTES / max(size, 1.0))))
    seen = 0
    with progress(source.rows, "rows learned") as done:
        for batch in replace(source, batch_rows=rows).batches():
            model.partial_fit(findings.prepared(batch, keep), target)
            seen += batch.height
            done(batch.height)
    say(f"learned {seen:,} rows in batches of {rows:,}")
    return model


def _refuse_texts(data: str, file_format: Any) -> None:
    """Refuse what cannot be read in batches; said here, because --stream can be left out."""
    from likely.data.sources.formats import TEXTS, format_of_content, format_of_suffix
    from likely.data.sources.paths import find_files

    what = None
    if data == "-":
        what = "standard input can be read once only"
    elif Path(data).expanduser().is_dir():
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

    from likely.data.findings.target_column import labels_of

    if target not in head.columns or head.height < _LOOKED_AT:
        return head
    parts, seen = [head], set(labels_of(head[target]).drop_nulls().unique().to_list())
    batches = source.batches()
    while len(seen) < 2 and (batch := next(batches, None)) is not None:
        labels = labels_of(batch[target])
        new = (labels.is_not_null() & ~labels.is_in(list(seen))).arg_true() if seen else labels.is_not_null().arg_true()
        if len(new):
            parts.append(batch.slice(int(new[0]), _LOOKED_AT))
            seen |= set(labels_of(parts[-1][target]).drop_nulls().unique().to_list())
    return pl.concat(parts)
