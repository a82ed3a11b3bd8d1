"""The levels that a fitted model knows, column by column, wherever its kind keeps them: whatever else is new to it."""

from collections.abc import Iterable, Iterator
from typing import Any

from likely.models.any_classifier.inside import models_inside


def levels_known(model: object) -> dict[str, set[Any]]:
    """The levels of each nominal column that rows learned have shown; of a pool, those that any member knows.

    Of a model that keeps no levels nothing is told.

    Parameters
    ----------
    model : a fitted model, perhaps within a `Calibrated` or a `Decider`

    >>> import polars as pl
    >>> from likely import NearestNeighbors
    >>> model = NearestNeighbors().fit(pl.DataFrame({"town": ["Ulm", "Bonn", "Ulm"]}), ["a", "b", "b"])
    >>> sorted(levels_known(model)["town"])
    ['Bonn', 'Ulm']
    """
    found: dict[str, set[Any]] = {}
    for inside in models_inside(model):
        for name, levels in _kept_by(inside):
            found[name] = found.get(name, set()) | set(levels)
    return found


def _kept_by(model: Any) -> Iterator[tuple[str, Iterable[Any]]]:
    """Columns and their levels in one model, by what it has learned."""
    if hasattr(model, "layout_"):  # densities, of which numbers and dates may be cut into bins: their levels are names
        layout = model.layout_
        for part, statistic in zip(layout.parts, model.statistic_.given.parts, strict=False):
            if part.form == "codes":
                levels = getattr(statistic, "levels", ((),) * len(part.columns))
                cuts = part.cuts or (None,) * len(part.columns)
                own = zip(part.columns, levels, cuts, strict=False)
                yield from ((layout.schema.columns[j].name, names) for j, names, cut in own if cut is None)
        return
    columns = getattr(getattr(model, "schema_", None), "columns", ())
    if hasattr(model, "design_"):  # a matrix
        for block in model.design_.blocks:
            places, levels = getattr(block, "columns", ()), getattr(block, "levels", ())
            yield from ((columns[j].name, names) for j, names in zip(places, levels, strict=False))
    elif hasattr(model, "coding_"):  # trees
        yield from ((columns[j].name, names) for j, names in enumerate(model.coding_.levels) if names)
    elif hasattr(model, "known_"):  # rows
        yield from _of_cells(model.known_.plan, model.known_.cells)
    elif hasattr(model, "exemplars_"):  # middles of the classes
        yield from _of_cells(model.plan_, model.exemplars_)


def _of_cells(plan: Any, cells: Any) -> Iterator[tuple[str, Iterable[Any]]]:
    return ((plan.schema.columns[j].name, names) for j, names in zip(plan.codes, cells.levels, strict=True))
