"""`--plot`: a result as a picture in a file."""

from typing import TYPE_CHECKING, Any

from likely.cli.messages import say
from likely.data.sources.places.user_paths import user_path
from likely.errors import InputError

if TYPE_CHECKING:
    from likely.evaluation import Comparison, Evaluation

_FORMS = (".png", ".svg", ".pdf")


def check_plot(path: str | None) -> None:
    """Refuse before the long work what cannot be drawn or written."""
    if path is None:
        return
    place = user_path(path)
    if place.suffix.lower() not in _FORMS:
        raise InputError(f"--plot {path}: name a file that ends in {', '.join(_FORMS[:-1])} or {_FORMS[-1]}")
    if not place.parent.is_dir():
        raise InputError(f"--plot {path}: there is no folder {place.parent}")
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise InputError("--plot needs Matplotlib: pip install 'likely[plot]'") from None


def draw_evaluation(found: "Evaluation", path: str) -> None:
    """Confusion matrix, reliability, ROC and precision-recall curves, as far as there are probabilities.

    With costs of two classes the ROC curve marks what these call for, and a cost curve stands beside it.
    """
    import numpy as np
    from matplotlib.figure import Figure

    from likely.evaluation.measures.calibration.calibration_error import N_BINS
    from likely.figures import (
        ConfusionDisplay,
        CostCurveDisplay,
        PrecisionRecallDisplay,
        ReliabilityDisplay,
        RocDisplay,
    )

    panels: list[Any] = [lambda ax: ConfusionDisplay(found.confusion).plot(ax)]
    if found.said.has_probabilities:
        y = np.array(found.classes)[found.said.y]
        p, classes = np.asarray(found.said.posterior), list(found.classes)
        event: dict[str, Any] = {"classes": classes, "sample_weight": found.said.weight}
        event |= {} if found.positive is None else {"pos_label": found.positive}
        priced = {"costs": found.costs} if len(classes) == 2 and found.costs and not found.costs_per_row else {}
        curves: list[tuple[Any, dict[str, Any]]] = [
            (ReliabilityDisplay, {"n_bins": N_BINS}), (RocDisplay, priced), (PrecisionRecallDisplay, {}),
            *([(CostCurveDisplay, priced)] if priced else []),
        ]  # fmt: skip
        panels += [
            lambda ax, own=display, also=own_costs: own.from_predictions(y, p, ax=ax, **event, **also)
            for display, own_costs in curves
        ]
    columns = min(2, len(panels))
    rows = -(-len(panels) // columns)
    figure = Figure(figsize=(6.4 * columns, 5.2 * rows), layout="constrained")
    for number, draw in enumerate(panels, 1):
        draw(figure.add_subplot(rows, columns, number))
    _write(figure, path)


def draw_comparison(found: "Comparison", path: str) -> None:
    """The measure of every model, and its difference from the first."""
    from matplotlib.figure import Figure

    from likely.figures import ComparisonDisplay

    figure = Figure(figsize=(8.5, 1.6 + 0.45 * len(found.results)), layout="constrained")
    ComparisonDisplay.from_comparison(found, ax=figure.subplots())
    _write(figure, path)


def _write(figure: Any, path: str) -> None:
    from likely.store.files.replacing import replacing

    place = user_path(path)
    with replacing(place) as file:
        figure.savefig(file, format=place.suffix.lower().lstrip("."))
    say(f"wrote {path}")
