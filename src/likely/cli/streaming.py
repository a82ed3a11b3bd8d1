"""Learn from files that do not fit in memory: batch by batch, with kinds guessed from the first rows."""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from likely.cli.messages import note, say

if TYPE_CHECKING:
    from likely.data.findings import Findings

_LOOKED_AT = 10_000  # rows from which kinds are guessed
_BATCH_BYTES = 32_000_000  # of a batch in memory; its words and counts need a few times as much


def learn_in_batches(
    data: str, target: str, given: dict[str, str], make: "Callable[[Findings, Any], Any]", keep: tuple[str, ...],
    drop: tuple[str, ...], spellings: tuple[str, ...] = (), separator: str | None = None, file_format: Any = None,
) -> Any:  # fmt: skip
    """A model made for the first rows of a file, which has learned all of them; memory does not grow with the rows."""
    from likely.cli.reading import without
    from likely.data import scan
    from likely.data.findings import examine
    from likely.evaluation.progress import progress

    source = scan(data, missing=spellings, separator=separator, format=file_format)
    first = without(source.head(_LOOKED_AT), drop, target)
    findings = examine(first, target, given)
    say(str(findings))
    note(f"kinds are those of the first {first.height:,} rows; with --kind they can be given")
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
