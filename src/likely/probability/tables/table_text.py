"""Tables of probabilities as text: the last variable across, the others down."""

from itertools import islice, product

from likely.data.printing.text_table import aligned
from likely.numeric.arrays import Array
from likely.probability.events.sample_space import SampleSpace

_ROWS = 20
_ACROSS = 8  # values of the last variable; with more of them it goes down too


def table_text(space: SampleSpace, cells: Array, of: int = 1, defined: Array | None = None) -> str:
    """Cells over the worlds of a space as lines; with `defined`, a dash where a row of it says that there is no number.

    `of` is how many of the last variables the cells are probabilities of: where they are one with few values, these
    become columns.
    """
    across = of == 1 and len(space.names) > 1 and space.shape[-1] <= _ACROSS
    down = len(space.names) - 1 if across else len(space.names)
    wide = cells.reshape(-1, space.shape[-1] if across else 1)
    known = None if defined is None else defined.ravel()
    head = [*space.names[:down], *([str(value) for value in space.levels[-1]] if across else ["probability"])]
    lines = [head]
    for row, world in enumerate(islice(product(*space.levels[:down]), _ROWS)):
        shown = known is None or bool(known[row * len(known) // len(wide)])
        lines.append([*map(str, world), *(f"{p:.4g}" if shown else "–" for p in wide[row])])
    if across:
        lines.insert(0, [""] * down + [space.names[-1]] + [""] * (space.shape[-1] - 1))
    text = aligned(lines, range(down))
    return text + (f"\n... and {len(wide) - _ROWS:,} rows more" if len(wide) > _ROWS else "")
