"""Mistakes that were made once."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import likely
from likely import GaussianBayes, LikelyError, NaiveBayes

FRAME = pl.DataFrame({"a": [1.0, 2.0, 5.0, 6.0], "b": ["u", "v", "u", "v"], "y": ["p", "p", "q", "q"]})


@pytest.mark.parametrize(
    "column",
    [
        np.array([0, 2**40, 2**64 - 1], dtype=np.uint64),
        np.array([5, 2**64 - 1, 5], dtype=np.uint64),
        np.array([-(2**63), 2**63 - 1, 0]),
        np.array([-100, 100, 3], dtype=np.int8),
        np.array([1, 2, 2], dtype=">i4"),
        np.array([2**53, 2**53 + 1, 2**53 + 2]),
    ],
    ids=lambda c: f"{c.dtype}-{c[0]}",
)
def test_levels_at_the_ends_of_their_types(column):
    y = ["a", "b", "b"]
    for table in (column[:, None], pl.DataFrame({"c": column.astype(column.dtype.newbyteorder("="))})):
        model = NaiveBayes(kinds="nominal", alpha=0).fit(table, y)
        assert (model.predict(table)[np.unique(column, return_index=True)[1]] != "").all()
        levels = model.distribution_.parts[0].levels[0]
        assert levels == tuple(sorted({int(v) for v in column}))


def test_labels_of_narrow_types():
    model = NaiveBayes().fit([[1.0], [9.0], [1.2], [9.1]], np.array([-100, 100, -100, 100], dtype=np.int8))
    assert model.classes_.tolist() == [-100, 100]


def test_masks_are_missing_cells():
    X = np.ma.masked_array([[1.0], [999.0], [3.0], [2.0]], [[False], [True], [False], [False]])
    assert NaiveBayes().fit(X, list("abab")).distribution_.parts[0].mean.tolist() == [[2.0], [2.0]]
    y = np.ma.masked_array([0, 7, 1, 0], [False, True, False, False])
    with pytest.warns(UserWarning, match="1 row without a label is left out"):
        model = NaiveBayes().fit([[1.0], [1.1], [5.0], [1.2]], y)
    assert model.classes_.tolist() == [0, 1]
    assert model.class_count_.tolist() == [2, 1]


def test_arrow_arrays_as_labels():
    for labels in (pa.array(["p", "q", "p", "q"]), pa.array([True, False, True, False]), pa.array([1, 2, 1, 2])):
        assert len(NaiveBayes().fit(FRAME.select("a"), labels).classes_) == 2


def test_whole_number_classes_stay_whole_beside_missing_ones():
    y = pd.Series([0, 1, None, 1], dtype="Int64")
    with pytest.warns(UserWarning, match="1 row without a label is left out"):
        classes = NaiveBayes().fit(FRAME.select("a"), y).classes_
    assert classes.tolist() == [0, 1]
    assert classes.dtype.kind == "i"


class TestFiles:
    @pytest.fixture
    def source(self, tmp_path):
        FRAME.write_csv(tmp_path / "t.csv")
        return likely.scan(tmp_path / "t.csv")

    def test_the_target_column_is_ignored_in_later_tables(self, source):
        model = NaiveBayes().fit(source, "y")
        expected = model.predict(FRAME.drop("y"))
        assert (model.predict(source) == expected).all()
        assert (model.predict(FRAME) == expected).all()
        assert model.score(source, "y") == model.score(FRAME, "y") == model.score(FRAME.drop("y"), FRAME["y"])

    def test_a_scan_may_name_its_target(self, tmp_path, source):
        named = likely.scan(tmp_path / "t.csv", target="y")
        assert NaiveBayes().fit(named).classes_.tolist() == ["p", "q"]

    def test_weights_are_refused(self, source):
        with pytest.raises(LikelyError, match="sample_weight cannot be given for a scanned file"):
            NaiveBayes().fit(source, "y", sample_weight=np.ones(4))

    def test_rows_without_a_label_are_refused(self, tmp_path):
        FRAME.with_columns(y=pl.Series(["p", None, "q", "q"])).write_csv(tmp_path / "h.csv")
        with pytest.raises(LikelyError, match="row 1 of the file has no label"):
            NaiveBayes().fit(likely.scan(tmp_path / "h.csv"), "y")

    def test_a_file_without_rows(self, tmp_path):
        (tmp_path / "e.csv").write_text("a,y\n")
        with pytest.raises(LikelyError):
            NaiveBayes().fit(likely.scan(tmp_path / "e.csv"), "y")

    def test_kinds_fit_the_whole_file(self, tmp_path):
        column = np.r_[np.tile([0, 1], 10_000), 5]
        frame = pl.DataFrame({"n": column, "y": np.where(np.arange(len(column)) % 3, "p", "q")})
        frame.write_parquet(tmp_path / "k.parquet")
        scanned = NaiveBayes().fit(likely.scan(tmp_path / "k.parquet"), "y")
        assert scanned.kinds_ == NaiveBayes().fit(frame, "y").kinds_
        assert scanned.kinds_["n"] != "binary"


def test_refused_cells_are_named_by_the_table(monkeypatch):
    monkeypatch.setattr("likely.data.inputs._BATCH_ROWS", 256)
    monkeypatch.setattr("likely.data.inputs._BATCH_CELLS", 256)
    table = pl.DataFrame({"num": np.zeros(2000), "bin": np.r_[np.zeros(1500), 7, np.zeros(499)]})
    y = np.arange(2000) % 2
    kinds = {"bin": "binary"}
    with pytest.raises(LikelyError, match=r"column 'bin', row 1500 holds 7"):
        NaiveBayes(kinds).fit(table, y)
    model = NaiveBayes(kinds, unseen="error").fit(table.with_columns(bin=pl.lit(0.0)), y)
    with pytest.raises(LikelyError, match=r"column 'bin', row 1500 holds 7"):
        model.predict_proba(table)


def test_a_failed_change_leaves_the_model_as_it_was():
    X = [[1.0], [9.0], [1.5], [9.5]]
    model = NaiveBayes(class_prior=[0.5, 0.5]).fit(X, [0, 1, 0, 1])
    before = model.predict_proba(X)
    for change in (lambda: model.partial_fit(X, [0, 2, 0, 2]), lambda: model.forget(X[::2], [0, 0])):
        with pytest.raises(LikelyError):
            change()
        assert np.array_equal(model.predict_proba(X), before)
        assert model.classes_.tolist() == [0, 1]


def test_text_and_number_classes_do_not_mix():
    model = NaiveBayes().fit([[1.0], [2.0]], ["a", "b"])
    with pytest.raises(LikelyError, match="mix text and numbers"):
        model.partial_fit([[1.0], [2.0]], [1, 2])
    with pytest.raises(LikelyError, match="mix text and numbers"):
        model + NaiveBayes().fit([[1.0], [2.0]], [1, 2])


def test_one_class_is_said_of_every_row_with_a_warning_and_enough_to_begin():
    with pytest.warns(UserWarning, match="only one class, 'a'"):
        model = NaiveBayes().fit([[1.0], [2.0]], ["a", "a"])
    assert model.predict([[5.0]]).tolist() == ["a"] and model.predict_proba([[5.0]]).tolist() == [[1.0]]
    assert model.decision_function([[5.0]]).tolist() == [[0.0]]
    model = NaiveBayes().partial_fit([[1.0], [2.0]], ["a", "a"]).partial_fit([[8.0], [9.0]], ["b", "b"])
    assert model.predict([[1.4], [8.6]]).tolist() == ["a", "b"]


def test_scores_need_labels_that_fit():
    model = NaiveBayes().fit([[1.0], [2.0], [8.0]], [0, 0, 1])
    for y, says in [
        ([1], "inconsistent"),
        ([0, None, 1], "row 1 of y has no label"),
        (["0", "0", "1"], "knows classes"),
    ]:
        with pytest.raises(LikelyError, match=says):
            model.score([[1.0], [2.0], [8.0]], y)
    with pytest.raises(LikelyError, match="sample_weight"):
        model.score([[1.0], [2.0], [8.0]], [0, 0, 1], sample_weight=[1, -1, 1])


def test_evidence_where_a_class_is_impossible():
    X = np.array([["u"], ["u"], ["v"], ["w"]], dtype=object)
    model = NaiveBayes("nominal", alpha=0).fit(X, ["p", "p", "q", "q"])
    evidence = model.evidence(X)
    assert not np.isnan(evidence.bits).any()
    assert np.isposinf(evidence.log2_odds).all()
    assert "infinity" in evidence.describe(0)
    assert not np.isnan(model.evidence(X, prior=[1, 0]).bits).any()


def test_predictions_agree_on_impossible_rows():
    X = np.array([["u", "x"], ["u", "x"], ["v", "z"], ["v", "z"], ["v", "z"]], dtype=object)
    model = NaiveBayes("nominal", alpha=0).fit(X, ["p", "p", "q", "q", "q"])
    query = np.array([["u", "z"]], dtype=object)
    assert model.predict(query)[0] == model.classes_[model.predict_proba(query)[0].argmax()]


def test_features_may_be_called_anything():
    table = pl.DataFrame({"prior": [1.0, 2.0, 8.0], "class": [1.0, 2.0, 9.0]})
    frame = NaiveBayes().fit(table, [0, 0, 1]).evidence(table).frame()
    assert frame.columns == ["(class)", "(prior)", "prior", "class", "(log2 odds)"]


def test_a_gap_does_not_change_the_kind_of_whole_numbers():
    full, gap = pd.DataFrame({"v": [0, 1, 0, 1]}), pd.DataFrame({"v": [0, 1, None, 1]})
    both = NaiveBayes().fit(full, list("abab")) + NaiveBayes().fit(gap, list("abab"))
    assert both.kinds_ == {"v": "binary"}


def test_ranks_and_codes_are_not_counts():
    rng = np.random.default_rng(0)
    frame = pl.DataFrame({"grade": rng.integers(0, 11, 500), "visits": rng.negative_binomial(1, 0.4, 500)})
    assert NaiveBayes().fit(frame, rng.integers(0, 2, 500)).kinds_ == {"grade": "numeric", "visits": "count"}


@pytest.mark.parametrize("scale", [1e-150, 1e150])
def test_columns_at_the_ends_of_the_number_line(scale):
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 300)
    X = (rng.normal(size=(300, 2)) + y[:, None]) * scale
    for model in (NaiveBayes(), GaussianBayes(), GaussianBayes("shared")):
        p, unit = model.fit(X, y).predict_proba(X), type(model)(**model.get_params()).fit(X / scale, y)
        assert np.allclose(p, unit.predict_proba(X / scale), atol=1e-9)


@pytest.mark.parametrize(
    ("fit", "says"),
    [
        (lambda: NaiveBayes(5).fit([[1.0], [2.0]], [0, 1]), "no kind and no family"),
        (lambda: NaiveBayes({"x0": likely.distributions.GaussianFamily}).fit([[1.0], [2.0]], [0, 1]), "no family"),
        (lambda: NaiveBayes(alpha="a").fit([[1.0], [2.0]], [0, 1]), "alpha"),
        (lambda: NaiveBayes().fit(np.zeros((3, 2)), "name"), "without named columns"),
        (lambda: NaiveBayes().fit([[1, 2], [3]], [0, 1]), "same number of cells"),
        (lambda: NaiveBayes().fit([[1.0], [2.0]], [0, 1], sample_weight=["a", "b"]), "must be numbers"),
        (lambda: NaiveBayes().fit([[1.0], [2.0]], [0, 1]).sample(2.5), "whole number"),
        (lambda: NaiveBayes().fit([[1.0], [2.0]], [0, 1]).evidence([[1.0]]).describe(7), "no row 7"),
        (lambda: NaiveBayes(class_alpha=float("nan")).fit([[1.0], [2.0]], [0, 1]), "class_alpha"),
    ],
)
def test_no_other_error_than_ours(fit, says):
    with pytest.raises(LikelyError, match=says):
        fit()


def test_impute_takes_binary_and_count_columns():
    table = pl.DataFrame({"flag": [True, None, False, None, True], "n": [0, 3, None, 0, 0], "x": [1.0, 2, 3, 4, None]})
    y = list("aabba")
    filled = pl.DataFrame({"flag": [True, True, False, False, True], "n": [0, 3, 0, 0, 0], "x": [1.0, 2, 3, 4, 1.5]})
    kinds = {"flag": "binary", "n": "count"}
    a, b = NaiveBayes(kinds, missing="impute").fit(table, y), NaiveBayes(kinds).fit(filled, y)
    assert np.allclose(a.predict_proba(filled), b.predict_proba(filled), atol=1e-9)
