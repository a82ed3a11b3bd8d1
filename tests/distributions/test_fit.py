"""Summarise and estimate in one go: what rows may be, and what is said of other things."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from likely.distributions import (
    CategoricalFamily,
    GaussianFamily,
    MultivariateGaussianFamily,
    PoissonFamily,
    ProductFamily,
    TextFamily,
    fit,
)
from likely.errors import LikelyError

ROWS = np.array([[1.0, 2.0], [2.0, 5.0], [6.0, 3.0], [0.5, 1.0]])


@pytest.mark.parametrize("family", [GaussianFamily(), MultivariateGaussianFamily()], ids=lambda f: type(f).__name__)
@pytest.mark.parametrize("as_given", [np.ndarray.tolist, pl.DataFrame, pd.DataFrame, np.asfortranarray])
def test_numbers_may_be_a_list_or_a_frame(family, as_given):
    found, usual = fit(family, as_given(ROWS)), fit(family, ROWS)
    assert np.array_equal(found.mean, usual.mean)
    assert np.array_equal(found.log_density(ROWS), usual.log_density(ROWS))


@pytest.mark.parametrize("rows", [2, 3, 7])
def test_a_product_is_fitted_to_any_number_of_rows(rows):
    lengths, counts = np.arange(1.0, rows + 1)[:, None], np.arange(rows)[:, None]
    pair = fit(ProductFamily((GaussianFamily(), PoissonFamily())), (lengths, counts))
    assert pair.parts[0].mean == pytest.approx(fit(GaussianFamily(), lengths).mean)
    assert pair.parts[1].rate == pytest.approx(fit(PoissonFamily(), counts).rate)


@pytest.mark.parametrize(
    ("family", "rows", "message"),
    [
        (GaussianFamily(), [1.0, 2.0], "two axes"),
        (GaussianFamily(), [["tall"]], "must be numbers"),
        (CategoricalFamily(), ROWS, "takes rows as statistics.Codes, got ndarray"),
        (TextFamily(), ["free money"], "takes rows as the tokens of texts, got list"),
        (ProductFamily((GaussianFamily(), PoissonFamily())), ROWS, "a tuple of as many tables"),
    ],
)
def test_other_things_are_refused(family, rows, message):
    with pytest.raises(LikelyError, match=message):
        fit(family, rows)
