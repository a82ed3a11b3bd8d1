"""Pictures as features: a grid of ink becomes a vector of bits, one integer, or grey levels.

    vector[r C + c] = grid[r, c]   read row by row        vector[c R + r] = grid[r, c]   column by column
    integer = sum_i vector[i] 2^(RC - 1 - i)              bit = 1 if grey > level else 0
    grey = (value - white) / (black - white), 0 white and 1 black

Only the vector treats all cells alike: in the integer, a difference in the first cell outweighs all the others
together, so numbers that are far apart can be pictures that are nearly the same.
"""

import warnings
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from likely.errors import InputError
from likely.numeric.arrays import Array, Floats, Ints

Order: TypeAlias = Literal["row", "column"]


def flatten_grid(grid: ArrayLike, order: Order = "row") -> Array:
    """Read a grid (r, c), or a stack of grids (n, r, c), into vectors of r c cells; the kind of number is kept.

    Parameters
    ----------
    grid : the cells (r, c), or several grids (n, r, c)
    order : "row" after row, or "column" after column

    >>> flatten_grid([[1, 0], [1, 1]])
    array([1, 0, 1, 1])
    >>> flatten_grid([[1, 0], [1, 1]], order="column")
    array([1, 1, 0, 1])
    """
    cells = _cells(grid)
    if _checked(order) == "column":
        cells = np.swapaxes(cells, -1, -2)
    return cells.reshape(*cells.shape[:-2], cells.shape[-2] * cells.shape[-1])


def unflatten_grid(vector: ArrayLike, shape: tuple[int, int], order: Order = "row") -> Array:
    """The grid (r, c) that a vector was read from, or the stack (n, r, c) of the rows of a matrix.

    Parameters
    ----------
    vector : the cells (r c,) of a grid, or one grid a row (n, r c)
    order : "row" after row, or "column" after column

    >>> unflatten_grid([1, 1, 0, 1], (2, 2), order="column")
    array([[1, 0],
           [1, 1]])
    """
    cells = np.asarray(vector)
    rows, columns = _checked_shape(shape)
    if cells.ndim not in (1, 2) or cells.shape[-1] != rows * columns:
        raise InputError(
            f"an array of shape {cells.shape} does not hold grids of {rows} x {columns}: "
            f"give vectors of {rows * columns} cells"
        )
    if _checked(order) == "row":
        return cells.reshape(*cells.shape[:-1], rows, columns)
    return np.swapaxes(cells.reshape(*cells.shape[:-1], columns, rows), -1, -2)


def pack_bits(grid: ArrayLike) -> int:
    """One integer whose binary digits are the cells row by row, the first cell the most significant.

    Of any size, to the last bit: Python's integers have no limit.

    Parameters
    ----------
    grid : the cells (r, c), each 0 or 1

    >>> pack_bits([[1, 0], [1, 1]])
    11
    """
    cells = _cells(grid)
    if cells.ndim != 2:
        raise InputError(
            f"only a single grid can be packed into an integer, got shape {cells.shape}; pack them one by one"
        )
    bits = flatten_grid(_bits(cells))
    spare = -len(bits) % 8  # whole bytes are filled up at the end
    return int.from_bytes(np.packbits(bits.astype(np.uint8)).tobytes(), "big") >> spare


def unpack_bits(packed: int, shape: tuple[int, int]) -> Ints:
    """The grid (r, c) of bits that `pack_bits` made into an integer.

    Parameters
    ----------
    packed : the number that `pack_bits` gave

    >>> unpack_bits(11, (2, 2))
    array([[1, 0],
           [1, 1]])
    """
    rows, columns = _checked_shape(shape)
    size = rows * columns
    if packed < 0 or packed >> size:
        raise InputError(
            f"{packed} is not the number of a grid of {rows} x {columns} bits: it must lie in 0 .. 2^{size} - 1"
        )
    spare = -size % 8
    whole = np.frombuffer((packed << spare).to_bytes((size + spare) // 8, "big"), dtype=np.uint8)
    return np.unpackbits(whole)[:size].astype(np.int64).reshape(rows, columns)


def grey_levels(values: ArrayLike, white: float = 0, black: float = 255) -> Floats:
    """Grey levels in [0, 1], 0 white and 1 black, of cells on another scale, in the shape given.

    By default 0 is white paper and 255 the darkest ink, as in tables of drawn digits. Photographs are the other way
    round (`white=255, black=0`); scans of 16 levels have `black=16`.

    Parameters
    ----------
    white : the value of a white cell
    black : the value of a black cell

    >>> grey_levels([0, 51, 255])
    array([0. , 0.2, 1. ])
    >>> grey_levels([255, 204, 0], white=255, black=0)
    array([0. , 0.2, 1. ])
    """
    cells = _numbers(values)
    if (white, black) == (0, 255) and cells.dtype.kind == "f" and cells.size and cells.max() <= 1 and (cells % 1).any():
        warnings.warn(
            "these cells lie between 0 and 1, as grey levels that are scaled already do; on the scale from white=0 to "
            "black=255 all of them are nearly white. Give black=1 to keep them as they are",
            stacklevel=2,
        )
    if not (np.isfinite(white) and np.isfinite(black) and white != black):
        raise InputError(f"white and black are two different finite numbers, got {white} and {black}")
    grey = (cells.astype(np.float64) - white) / (black - white)
    outside = (grey < 0) | (grey > 1)
    if outside.any():
        place = tuple(np.argwhere(outside)[0].tolist())
        raise InputError(
            f"the cell at {place} is {cells[place]}, not between white={white:g} and black={black:g}; "
            "give the scale of these cells"
        )
    return np.asarray(grey + 0.0)  # no negative zero


def threshold(grey: ArrayLike, level: float = 0.5) -> Ints:
    """Bits of grey levels (0 white, 1 black): 1 where grey > level, else 0, in the shape given.

    Parameters
    ----------
    grey : grey levels, of any shape
    level : cells above it are 1

    >>> threshold([0.0, 0.02, 0.55, 0.5])
    array([0, 0, 1, 0])
    """
    cells = _numbers(grey)
    if np.isnan(level):
        raise InputError("the level of a threshold must be a number, got NaN")
    return (cells > level).astype(np.int64)


def _numbers(grey: ArrayLike) -> Array:
    cells = np.asarray(grey)
    if cells.dtype.kind not in "fiub":
        raise InputError(f"grey levels are numbers, got an array of {cells.dtype}")
    missing = np.isnan(cells)
    if missing.any():
        place = tuple(np.argwhere(missing)[0].tolist())
        raise InputError(f"the grey level at {place} is missing; fill it first")
    return cells


def _cells(grid: ArrayLike) -> Array:
    try:
        cells = np.asarray(grid)
    except ValueError as error:  # rows of different lengths
        raise InputError("the rows of a grid must all have the same number of cells") from error
    if cells.ndim not in (2, 3):
        raise InputError(f"a grid has rows and columns, got an array of shape {cells.shape}")
    return cells


def _bits(cells: Array) -> Array:
    wrong = (cells != 0) & (cells != 1)
    if wrong.any():
        place = tuple(np.argwhere(wrong)[0].tolist())
        raise InputError(
            f"the cell at {place} is {cells[place]}, not 0 or 1; use `threshold` to make bits of grey levels"
        )
    return cells


def _checked(order: str) -> str:
    if order not in ("row", "column"):
        raise InputError(f"order must be 'row' or 'column', got {order!r}")
    return order


def _checked_shape(shape: tuple[int, int]) -> tuple[int, int]:
    if len(shape) != 2 or min(shape) < 0:
        raise InputError(f"the shape of a grid is (rows, columns), got {shape}")
    return shape
