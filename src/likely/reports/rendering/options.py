"""Options of a study as whoever reads about them would type them: in the command or in Python."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from likely.reports.study import Study


def option(study: "Study", name: str, value: str | None = None) -> str:
    """An option by its name in Python: --keep-best where the command made the study, else keep_best=True."""
    if "reading" in study.arguments:  # which the command alone knows
        spelled = f"--{name.replace('_', '-')}"
        return spelled if value is None else f"{spelled} {value}"
    return f"{name}={'True' if name == 'keep_best' else '...' if value is None else repr(value)}"
