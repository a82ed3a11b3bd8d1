"""What principal components may be asked for, and what is said where it does not fit."""

from typing import Any

import numpy as np

from likely.errors import InputError, check_choice, check_whole

SOLVERS = ("auto", "scatter", "randomized")
GAPS = ("em", "pairs")


def check_settings(n_components: Any, solver: str, missing: str, max_iter: Any) -> None:
    """Refuse settings that mean nothing."""
    given = n_components
    share = isinstance(given, float | np.floating) and 0 < given < 1
    number = isinstance(given, int | np.integer) and not isinstance(given, bool) and given >= 1
    if not (given is None or share or number):
        whole = isinstance(given, float | np.floating) and given >= 1 and float(given).is_integer()
        raise InputError(
            f"n_components={float(given)} is neither a share below 1 nor the whole number {int(given)}: say which"
            if whole
            else f"n_components is a whole number from 1 up, a share below 1 or None, got {given!r}"
        )
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
