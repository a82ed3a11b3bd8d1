"""The figure of a worked example as a file."""

from io import BytesIO
from pathlib import Path

from likely.errors import InputError
from likely.examples.worked import Worked


def save_figure(result: Worked, path: str) -> None:
    """Draw an example into a file, whose name tells the format; nothing is written if drawing fails."""
    from matplotlib.figure import Figure

    if result.figure is None:
        raise InputError("this example has no figure")
    figure = Figure(figsize=result.size, layout="constrained")
    result.figure(figure.subplots())
    drawn = BytesIO()
    figure.savefig(drawn, format=Path(path).suffix[1:].lower(), dpi=150)
    Path(path).write_bytes(drawn.getvalue())
