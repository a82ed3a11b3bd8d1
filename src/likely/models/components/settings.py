"""What principal components may be asked for, and what is said where it does not fit."""

from typing import Any

import numpy as np

from likely.errors import InputError, check_choice, check_whole

SOLVERS = ("auto", "scatter", "randomized")
GAPS = ("em", "pairs")


def check_settings(n_components: Any, solver: str, missing: str, max_iter: Any) -> None:
    """Refuse settings that mean nothing."""
    given = n_components
    number = given is None or (isinstance(given, int | float | np.number) and not isinstance(given, bool))
    if not number or (given is not None and not ((given >= 1 and float(given).is_integer()) or 0 < given < 1)):
        raise InputError(f"n_components is a whole number from 1 up, a share below 1 or None, got {given!r}")
    check_choice("solver", solver, SOLVERS)
    check_choice("missing", missing, GAPS)
    check_whole("max_iter", max_iter)


def other_columns(mine: tuple[str, ...], its: tuple[str, ...]) -> InputError:
    """Why components of one table cannot be added to those of another."""
    new = [name for name in its if name not in mine] or [name for name in mine if name not in its]
    shown = ", ".join(new[:5])
    return InputError(
        f"the tables do not have the same columns or levels ({shown}): components of one cannot be added to those of "
        "the other; fit on all rows together"
    )
