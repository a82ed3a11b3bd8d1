"""Single precision in, single precision out, where scikit-learn's counterparts do so: learned from and asked in it.

Sums and scores are of double precision whatever the input is; only what is handed back is rounded.
"""

from collections.abc import Iterable

import numpy as np

from likely.data.accepted import TableLike
from likely.data.columns.schema import Column
from likely.numeric.arrays import Floats

_NUMBERS = ("numeric", "gaussian", "MultivariateGaussianFamily")


def in_the_type_of(X: TableLike, learned: Iterable[Column], found: Floats) -> Floats:
    """What was found of rows X, in single precision where they and the columns that were learned are.

    >>> single = Column("x", "numeric", dtype="Float32")
    >>> in_the_type_of(np.zeros((2, 1), np.float32), [single], np.ones(2)).dtype
    dtype('float32')
    >>> in_the_type_of(np.zeros((2, 1)), [single], np.ones(2)).dtype
    dtype('float64')
    """
    X = getattr(X, "x", getattr(X, "like", X))  # of a table that was read already, what the user gave
    lazy = not hasattr(X, "__len__")  # its types would have to be found out
    types = [X.dtype] if hasattr(X, "dtype") else [] if lazy else list(getattr(X, "dtypes", ()))
    if not types or any(str(one).lower() != "float32" for one in types):
        return found
    plain = all(column.dtype == "Float32" and column.kind in _NUMBERS for column in learned)
    return found.astype(np.float32) if plain else found
