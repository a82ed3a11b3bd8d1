"""The neighbours behind predictions, for a model that answers by them."""

from collections.abc import Sequence
from typing import Any

from likely.cli.options import Result
from likely.errors import readable

_SHOWN = 3  # rows, unless they are named


def show_neighbours(inside: Any, features: Any, chosen: Sequence[int], named: bool, result: Result) -> None:
    """Show, for each of the rows, which training rows voted, how far they are and how much each had to say."""
    from likely.cli.messages import note
    from likely.cli.writing.results import show

    found = inside.neighbors(features)
    said = inside.predict(features).tolist()

    def text() -> str:
        shown = len(chosen) if named else min(len(chosen), _SHOWN)
        if shown < len(chosen):
            note(f"the first {shown} of {len(chosen):,} rows are shown; name others with --row, or use --csv")
        return "\n\n".join(readable(f"row {chosen[i]}: {said[i]}, by {found.describe(i)}") for i in range(shown))

    def frame() -> Any:
        import polars as pl

        told = found.frame()
        own = pl.Series("query", list(chosen))[told["query"]]
        return told.with_columns(own.alias("query")).rename({"query": "row", "row": "neighbour"})

    def record() -> Any:
        return [
            {
                "row": chosen[i],
                "class": said[i],
                "neighbours": [
                    {"row": int(found.row[t]), "distance": float(found.distance[t]), "class": found.label[t].item(),
                     "share": float(found.share[t])}
                    for t in range(found.start[i], found.start[i + 1])
                ],
            }
            for i in range(len(chosen))
        ]  # fmt: skip

    show(result, text, frame, record, coloured=False)
