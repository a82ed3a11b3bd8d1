"""Tables of cells in the forms that families take."""

from collections.abc import Callable
from typing import Any

import numpy as np

from likely.distributions.texts.documents import TextFamily
from likely.statistics import Codes

NAN = float("nan")


def codes(rows: list[tuple[Any, ...]], width: int) -> Codes:
    """Each batch with its own levels, in the order in which they turn up."""
    names = [tuple(dict.fromkeys(row[j] for row in rows if row[j] is not None)) for j in range(width)]
    x = [[-1 if row[j] is None else names[j].index(row[j]) for j in range(width)] for row in rows]
    table = np.array(x, dtype=np.int32).reshape(len(rows), width)
    return Codes(table, np.zeros(width, dtype=np.int64), tuple(names))


def as_numbers(rows: object, columns: tuple[int, ...]) -> Any:
    return np.ascontiguousarray(rows, dtype=np.float64)


def as_codes(rows: Any, columns: tuple[int, ...]) -> Codes:
    return codes([tuple(row) for row in rows], len(columns))


def as_tokens(rows: Any, columns: tuple[int, ...]) -> Any:
    return TextFamily().tokens([row[0] if columns else None for row in rows.tolist()])


def as_parts(rows: Any, columns: tuple[int, ...]) -> tuple[Any, Codes]:
    real = [i for i, j in enumerate(columns) if j < 2]
    nominal = [i for i, j in enumerate(columns) if j >= 2]
    numbers = np.array([[NAN if v is None else v for v in row] for row in rows[:, real]], dtype=np.float64)
    return numbers.reshape(len(rows), len(real)), as_codes(rows[:, nominal], tuple(nominal))


ENCODINGS: dict[str, Callable[[Any, tuple[int, ...]], Any]] = {
    "real": as_numbers,
    "codes": as_codes,
    "text": as_tokens,
}
