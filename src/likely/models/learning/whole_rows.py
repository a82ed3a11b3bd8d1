"""All rows of a table as one matrix, for models that go through them one by one, in an order of their own."""

from typing import Any

import numpy as np

from likely.data.sources import Source
from likely.models.learning.designed import DesignedRows


def whole_rows(rows: Source[DesignedRows], dtype: object = np.float64) -> DesignedRows:
    """The batches put together: a matrix (n, m) of this type, dense or CSR, with classes and weights."""
    batches = list(rows.batches())
    weight = None
    if batches[0].weight is not None:
        weight = np.concatenate([batch.weight for batch in batches if batch.weight is not None])
    return DesignedRows(
        whole_matrix([batch.x for batch in batches], dtype), np.concatenate([b.codes for b in batches]), weight
    )


def whole_matrix(parts: list[Any], dtype: Any = np.float64) -> Any:
    """Matrices below each other, as one of this type."""
    if hasattr(parts[0], "indptr"):
        from scipy.sparse import vstack

        return vstack(parts, format="csr", dtype=dtype)
    if len(parts) == 1:
        return np.ascontiguousarray(parts[0], dtype=dtype)
    out = np.empty((sum(len(part) for part in parts), parts[0].shape[1]), dtype=dtype)
    return np.concatenate(parts, out=out, casting="same_kind")


def taken_rows(rows: DesignedRows, places: Any) -> DesignedRows:
    """Some of the rows."""
    weight = None if rows.weight is None else rows.weight[places]
    return DesignedRows(rows.x[places], rows.codes[places], weight)
