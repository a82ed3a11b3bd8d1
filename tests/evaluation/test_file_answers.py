"""A file of more rows than are kept: all are counted, a sample is judged, and it is said."""

import numpy as np
import polars as pl
import pytest

from likely import Decider, GaussianBayes, NaiveBayes, evaluate, scan
from likely.decisions import CostMatrix
from likely.errors import InputError
from likely.evaluation import file_answers

ROWS, KEPT = 6000, 1000


@pytest.fixture
def few_are_kept(monkeypatch):
    monkeypatch.setattr(file_answers, "KEPT_ROWS", KEPT)
    monkeypatch.setattr(file_answers, "FEWEST", 10)


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, ROWS)
    return pl.DataFrame(rng.normal(size=(ROWS, 2)) + y[:, None], schema=["a", "b"]).with_columns(
        kind=pl.Series(np.array(["x", "y", "z"])[y])
    )


@pytest.fixture(scope="module")
def place(table, tmp_path_factory):
    place = tmp_path_factory.mktemp("file") / "table.parquet"
    table.write_parquet(place)
    return place


def judged(model, place, **options):
    return evaluate(model, scan(place, batch_rows=700), "kind", **options)


@pytest.mark.parametrize("model", [NaiveBayes(), Decider(NaiveBayes(), reject=0.4)])
def test_answers_are_counted_of_all_rows_and_the_rest_is_of_a_sample(model, table, place, few_are_kept):
    model.fit(table[:300], "kind")
    whole, found = evaluate(model, table, "kind"), judged(model, place)
    assert found.n == ROWS and len(found.said) == KEPT
    np.testing.assert_array_equal(found.confusion.matrix, whole.confusion.matrix)
    np.testing.assert_array_equal(found.confusion.rejected, whole.confusion.rejected)
    assert found.figures.keys() == whole.figures.keys()
    for name, figure in found.figures.items():
        assert figure.low <= whole.figures[name].value <= figure.high, name
    assert found.log_loss.n == KEPT and any("1,000 of them, drawn at random" in note for note in found.notes)
    assert not any("at random" in note for note in whole.notes)


def test_every_row_is_as_likely_to_be_kept_and_the_same_ones_every_time(table, place, few_are_kept):
    model = GaussianBayes().fit(table[:300], "kind")
    first, again = judged(model, place).said, judged(model, place).said
    np.testing.assert_array_equal(first.posterior, again.posterior)
    known = {tuple(row): i for i, row in enumerate(model.predict_proba(table.drop("kind")))}
    rows = np.array([known[tuple(row)] for row in first.posterior])
    assert (np.diff(rows) > 0).all()  # once, and in their order
    by_part = np.bincount(rows * 6 // ROWS, minlength=6)
    assert ((by_part - KEPT / 6) ** 2 / (KEPT / 6)).sum() < 20.5  # chi-square with 5 degrees of freedom, 0.999


def test_costs_decide_the_sample_and_it_is_said(table, place, few_are_kept):
    model = NaiveBayes().fit(table[:300], "kind")
    costs = [[0, 1, 9], [1, 0, 1], [9, 1, 0]]
    found, whole = judged(model, place).deciding(costs), evaluate(model, table, "kind").deciding(costs)
    assert found.n == KEPT and found.confusion.matrix.sum() == KEPT
    assert found.cost.low <= whole.cost.value <= found.cost.high
    assert any("1,000 of 6,000 rows" in note for note in found.notes)


def test_a_true_class_of_probability_0_is_found_outside_the_sample_too(place, few_are_kept):
    class Sure:
        classes_ = np.array(["x", "y", "z"])

        def __init__(self):
            self.seen = 0

        def predict(self, X):
            return np.full(len(X), "x")

        def predict_proba(self, X):
            p = np.full((len(X), 3), 1 / 3)
            for row in (4242, 4343):
                if self.seen <= row < self.seen + len(X):
                    p[row - self.seen] = 0.0, 0.0, 0.0
                    p[row - self.seen, 0] = 1.0
            self.seen += len(X)
            return p

    kinds = pl.read_parquet(place)["kind"]
    wrong = [row for row in (4242, 4343) if kinds[row] != "x"]
    found = judged(Sure(), place)
    assert wrong and np.isinf(found.log_loss.value)
    assert f"{len(wrong)} of 6000 rows" in found.log_loss.note and f"row {wrong[0]}" in found.log_loss.note


def test_rows_with_weights_groups_or_costs_are_all_kept(table, place, few_are_kept):
    model = NaiveBayes().fit(table[:300], "kind")
    weight, groups = np.linspace(0.5, 2, ROWS), np.arange(ROWS) // 100
    costs = (1.0 - np.eye(3)) * weight[:, None, None]
    for options in (
        {"sample_weight": weight},
        {"groups": groups},
        {"costs": costs},
        {"costs": CostMatrix(costs, ("x", "y", "z"))},
    ):
        assert str(judged(model, place, **options)) == str(evaluate(model, table, "kind", **options))


def test_of_many_classes_fewer_rows_are_kept(monkeypatch, table, place, few_are_kept):
    monkeypatch.setattr(file_answers, "KEPT_NUMBERS", 300)
    assert len(judged(NaiveBayes().fit(table[:300], "kind"), place).said) == 100


def test_what_is_wrong_far_down_names_its_rows_and_no_rows_are_refused(table, tmp_path):
    model = NaiveBayes().fit(table[:300], "kind")
    bad = table[:200].with_columns(kind=pl.Series(["x"] * 150 + ["q"] * 50))
    bad.write_parquet(tmp_path / "bad.parquet")
    with pytest.raises(InputError, match=r"in rows 140 to 199, there counted from 0: row 10 of y is of class 'q'"):
        evaluate(model, scan(tmp_path / "bad.parquet", batch_rows=140), "kind")
    table[:0].write_parquet(tmp_path / "none.parquet")
    with pytest.raises(InputError, match="no rows to judge"):
        evaluate(model, scan(tmp_path / "none.parquet"), "kind")
