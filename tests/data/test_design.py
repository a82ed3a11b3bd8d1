"""Tables as matrices of numbers: equal to the pipelines of scikit-learn, and learned from sums alone."""

from itertools import pairwise

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from likely.data import Design, DesignPlan
from likely.data.columns.schema import schema_of
from likely.data.inputs import read_input
from likely.errors import InputError

RNG = np.random.default_rng(4)
N = 300
ORDER = ["low", "mid", "high"]
TEXTS = ["free money now", "lunch at noon", "free lunch", "noon meeting minutes", "money"]


def table() -> pl.DataFrame:
    gap = RNG.random((N, 4)) < 0.1
    return pl.DataFrame(
        {
            "age": np.where(gap[:, 0], np.nan, RNG.normal(40, 9, N)),
            "town": np.where(gap[:, 1], None, RNG.choice(["Rome", "Oslo", "Bonn"], N)).tolist(),
            "visits": RNG.poisson(2, N),
            "grade": pl.Series(np.where(gap[:, 2], None, RNG.choice(ORDER, N)).tolist(), dtype=pl.Enum(ORDER)),
            "member": RNG.random(N) < 0.3,
            "note": np.where(gap[:, 3], None, RNG.choice(TEXTS, N)).tolist(),
        }
    ).with_columns(pl.col("age").fill_nan(None))


KINDS = {"note": "text"}
TABLE = table()


def plan(frame: pl.DataFrame = TABLE, **options: object) -> DesignPlan:
    return DesignPlan.of(schema_of(read_input(frame), KINDS), **options)  # type: ignore[arg-type]


def test_numbers_and_levels_are_those_of_a_pipeline() -> None:
    frame = TABLE.select("age", "town", "visits")
    design = Design.of(frame)
    ours = dict(zip(design.names, design.transform(frame).T, strict=True))
    imputer = SimpleImputer(add_indicator=True)
    theirs = imputer.fit_transform(frame.select("age").to_numpy())
    observed = ~np.isnan(frame["age"].to_numpy())
    scaler = StandardScaler().fit(frame["age"].to_numpy()[observed][:, None])
    assert np.allclose(ours["age"], scaler.transform(theirs[:, :1])[:, 0])
    assert np.array_equal(ours["age is missing"], theirs[:, 1])
    assert np.allclose(ours["visits"], StandardScaler().fit_transform(frame.select("visits").to_numpy())[:, 0])
    hot = make_pipeline(OneHotEncoder(sparse_output=False)).fit(frame.select("town").to_pandas())
    expected = hot.transform(frame.select("town").to_pandas())
    found = np.column_stack([ours[f"town={name}"] for name in ("Bonn", "Oslo", "Rome")])
    assert np.array_equal(found, expected[:, :3])
    assert np.array_equal(ours["town is missing"], expected[:, 3])


@pytest.mark.parametrize(("text", "vectorizer"), [("tfidf", TfidfVectorizer()), ("counts", CountVectorizer())])
def test_texts_are_those_of_vectorizers(text: str, vectorizer: CountVectorizer) -> None:
    frame = TABLE.select("note").drop_nulls()
    design = Design.of(frame, KINDS, text=text)
    expected = vectorizer.fit_transform(frame["note"].to_list()).toarray()
    assert np.allclose(np.asarray(design.transform(frame)), expected)
    assert [name.removeprefix("note: ") for name in design.names] == list(vectorizer.get_feature_names_out())


@pytest.mark.parametrize("options", [{}, {"ordinal": "scores", "text": "counts"}, {"reference": True}], ids=str)
def test_any_grouping_of_the_rows_gives_the_same_design(options: dict[str, object]) -> None:
    made = plan(**options)
    whole = made.design(made.summarize(TABLE))
    cuts = [0, 0, 7, 150, N]
    seen = [made.summarize(TABLE[a:b], a) for a, b in pairwise(cuts) if b > a]
    parts = made.design(seen[2] + (seen[0] + seen[1]))
    assert whole.names == parts.names
    assert np.allclose(whole.matrix(TABLE), parts.matrix(TABLE), rtol=0, atol=1e-12)
    forgotten = made.design(made.summarize(TABLE).without(seen[0]))
    never = made.design(seen[1] + seen[2])
    assert forgotten.names == never.names
    assert np.allclose(forgotten.matrix(TABLE), never.matrix(TABLE), rtol=0, atol=1e-10)


def test_weights_are_repetitions() -> None:
    made = plan()
    weight = RNG.integers(0, 3, N)
    repeated = made.design(made.summarize(TABLE[np.repeat(np.arange(N), weight)]))
    weighed = made.design(made.summarize(TABLE, weight=weight.astype(np.float64)))
    assert repeated.names == weighed.names
    assert np.allclose(repeated.matrix(TABLE), weighed.matrix(TABLE), atol=1e-12)


def test_thresholds_and_ranks_follow_the_declared_order() -> None:
    frame = pl.DataFrame({"grade": pl.Series(["mid", "low", "high", "low"], dtype=pl.Enum(ORDER))})
    design = Design.of(frame)
    assert design.names == ("grade>=mid", "grade>=high")
    assert design.transform(frame).tolist() == [[1, 0], [0, 0], [1, 1], [0, 0]]
    assert Design.of(frame, ordinal="scores").transform(frame).ravel().tolist() == [1, 0, 2, 0]
    gap = pl.DataFrame({"grade": pl.Series([None], dtype=pl.Enum(ORDER))})
    assert design.transform(gap).tolist() == [[0.5, 0.25]]  # the means of the columns: it says nothing


def test_late_levels_and_late_gaps_say_nothing() -> None:
    frame = pl.DataFrame({"town": ["Rome", "Oslo"], "age": [1.0, 3.0]})
    design = Design.of(frame)
    late = pl.DataFrame({"town": ["Kyiv", None], "age": [None, 2.0]})
    assert design.names == ("age", "town=Oslo", "town=Rome")
    assert design.transform(late).tolist() == [[0, 0, 0], [0, 0, 0]]


def test_the_reference_is_the_commonest_level() -> None:
    frame = pl.DataFrame({"town": ["Rome", "Oslo", "Rome", "Bonn"]})
    assert Design.of(frame, reference=True).names == ("town=Bonn", "town=Oslo")


def test_wide_tables_are_sparse_and_hold_the_same_numbers() -> None:
    frame = pl.DataFrame({"code": [f"c{i % 80}" for i in range(400)], "x": RNG.normal(size=400), "t": TEXTS * 80})
    design = Design.of(frame, {"t": "text"})
    assert design.sparse
    matrix = design.transform(frame)
    assert sp.issparse(matrix)
    dense = np.hstack([block.dense(rows) for block, rows in zip(design.blocks, design.plan.rows(frame), strict=True)])
    assert np.allclose(matrix.toarray(), dense)


def test_a_sparse_matrix_stays_one_and_is_not_centred() -> None:
    x = sp.random(50, 9, 0.2, format="csr", rng=RNG)
    design = Design.of(x)
    scaled = design.transform(x)
    assert scaled.nnz == x.nnz
    assert np.allclose(scaled.toarray(), x.toarray() / x.toarray().std(axis=0))
    assert np.allclose(design.transform(x.toarray()).toarray(), scaled.toarray())


def test_terms_are_added_up_by_the_column_of_the_table() -> None:
    design = Design.of(TABLE, KINDS)
    terms = RNG.normal(size=(5, 2, design.width))
    by_source = design.by_source(terms)
    assert by_source.shape == (5, 2, TABLE.width)
    assert np.allclose(by_source.sum(axis=2), terms.sum(axis=2))
    assert np.allclose(by_source[..., 0], terms[..., [n.startswith("age") for n in design.names]].sum(axis=-1))


def test_constant_and_empty_columns_are_zero() -> None:
    frame = pl.DataFrame({"c": [7.0, 7.0, 7.0], "e": pl.Series([None] * 3, dtype=pl.Float64), "x": [1.0, 2.0, 3.0]})
    matrix = Design.of(frame).transform(frame)
    assert np.isfinite(matrix).all()
    assert (matrix[:, 0] == 0).all()


def test_pandas_arrays_and_frames_agree() -> None:
    x = RNG.normal(size=(40, 3))
    x[3, 1] = np.nan
    frame = pd.DataFrame(x, columns=list("abc"))
    assert np.allclose(Design.of(x).transform(x), Design.of(frame).transform(frame))


@pytest.mark.parametrize("options", [{"ordinal": "ranks"}, {"text": "bag"}, {"min_df": 0}], ids=str)
def test_options_that_do_not_exist_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(InputError):
        plan(**options)
