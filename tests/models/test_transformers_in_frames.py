"""Rows that are transformed keep the labels of the user's index, whichever verb transforms them."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from sklearn.base import clone
from sklearn.compose import ColumnTransformer

import likely
import likely.models
from likely.models import Transformer
from likely.models.linear.basis import PolynomialBasis, RadialBasis, SplineBasis

rng = np.random.default_rng(0)
FRAME = pd.DataFrame(rng.normal(size=(10, 2)), columns=["one", "two"], index=range(51, 61))
Y = ["no", "yes"] * 5
EVERY = [likely.PCA(1), likely.KMeans(2, random_state=0), likely.FisherDiscriminant(), PolynomialBasis(2),
         RadialBasis(3, random_state=0), SplineBasis()]  # fmt: skip


def below(kind):
    return {one for child in kind.__subclasses__() for one in {child, *below(child)}}


def test_every_transformer_is_tried_here():
    ours = {one for one in below(Transformer) if one.__module__.startswith("likely.") and one.__name__[0] != "_"}
    assert ours == {type(one) for one in EVERY}


@pytest.mark.parametrize("model", EVERY, ids=repr)
@pytest.mark.parametrize("wide", [False, True], ids=["its own option", "scikit-learn's option"])
def test_the_index_is_kept_by_every_verb(model, wide):
    model = clone(model)
    with sklearn.config_context(transform_output="pandas" if wide else "default"):
        if not wide:
            model.set_output(transform="pandas")
        both = model.fit_transform(FRAME, Y)
        assert both.index.equals(FRAME.index)
        pd.testing.assert_frame_equal(both, model.transform(FRAME))
        assert not FRAME.join(both.add_suffix(" again")).isna().to_numpy().any()
        assert model.fit_transform(FRAME.to_numpy(), Y).index.tolist() == list(range(10))
        assert model.transform(FRAME.to_numpy().tolist()).index.tolist() == list(range(10))


@pytest.mark.parametrize("model", EVERY, ids=repr)
def test_polars_out(model):
    model = clone(model).set_output(transform="polars")
    both = model.fit_transform(pl.from_pandas(FRAME), Y)
    assert isinstance(both, pl.DataFrame) and both.equals(model.transform(FRAME))
    assert isinstance(model.fit_transform(FRAME, Y), pl.DataFrame)


@pytest.mark.parametrize("model", EVERY, ids=repr)
def test_beside_columns_that_pass_through(model):
    frame = FRAME.assign(name=list("abcdefghij"))
    both = ColumnTransformer([("ours", clone(model), ["one", "two"])], remainder="passthrough")
    found = both.set_output(transform="pandas").fit_transform(frame, Y)
    assert found.index.equals(frame.index) and found["remainder__name"].tolist() == list("abcdefghij")
