"""The bench of real tables: what is measured of a fold, what is done already, and the page made of it."""

import json

import numpy as np
import polars as pl
import pytest

pytest.importorskip("sklearn")
from bench.tables import measuring
from bench.tables.harm import error_of, section
from bench.tables.loading import RealTable
from bench.tables.measuring import figures, judged, key, measure, read
from bench.tables.page import page
from sklearn.metrics import log_loss, roc_auc_score

RNG = np.random.default_rng(0)


def line(table, contender, fold, loss, rows=5000):
    return {
        "table": table,
        "contender": contender,
        "fold": fold,
        "rows": rows,
        "classes": 2,
        "judged": 10,
        "log_loss": loss,
        "accuracy": 0.9,
        "auc": None if fold == 4 else 0.8,
        "brier": 0.1,
        "seconds": 1.0,
    }


def test_figures_are_those_of_scikit_learn():
    p, y = RNG.dirichlet([1, 1, 1], 60), np.arange(60) % 3
    found = figures(p, y)
    assert np.isclose(found["log_loss"], log_loss(y, p))
    assert np.isclose(found["auc"], roc_auc_score(y, p, multi_class="ovr"))
    assert np.isclose(found["brier"], ((p - np.eye(3)[y]) ** 2).sum(axis=1).mean())


def test_rows_of_a_fold_that_share_a_map_are_no_news_of_each_other():
    folds = np.arange(50) % 5
    alike = np.where(folds == 0, 0.1, 0.0)  # one fold rose as a whole
    assert error_of(alike, folds) == pytest.approx(0.02)
    assert alike.std(ddof=1) / np.sqrt(50) < 0.01
    apart = RNG.normal(size=50)
    assert error_of(apart, np.arange(50)) == pytest.approx(apart.std(ddof=1) / np.sqrt(50))


def test_what_is_done_is_not_done_again_and_failures_are_told(tmp_path, monkeypatch):
    table = RealTable("toy", pl.DataFrame({"x": np.arange(20.0)}), np.array(["a", "b"] * 10), ())
    asked = []

    def shares(train, X):
        asked.append(len(train))
        return np.full((X.height, 2), 0.5)

    def broken(train, X):
        raise ValueError("cannot")

    monkeypatch.setattr(measuring, "names", lambda: ["toy"])
    monkeypatch.setattr(measuring, "load", lambda *_: table)
    monkeypatch.setattr(measuring, "contenders", lambda: {"shares": shares, "broken": broken})
    for _ in range(2):
        measure(tmp_path / "lines", 100, [], [])
    assert asked == [16] * 5
    lines = read(tmp_path / "lines")
    assert len(lines) == 10 and len({key(one) for one in lines}) == 10
    assert all(np.isclose(one["log_loss"], np.log(2)) for one in lines if one["contender"] == "shares")
    assert {one["failed"] for one in lines if "failed" in one} == {"ValueError: cannot"}
    assert "failed" in judged(lambda train, X: np.full((X.height, 2), np.nan), table, np.arange(20) < 4)


def test_the_page_has_the_means_and_what_is_worse_than_the_prior(monkeypatch):
    monkeypatch.setattr("bench.tables.loading.rows_of", lambda name: 5000)
    losses = {"class prior": 0.7, "LightGBM": 0.4, "Pool": 0.3, "study": 0.8}
    lines = [line("toy", name, fold, loss) for name, loss in losses.items() for fold in range(5)]
    lines += [line("toy", "EBM", 0, 0.1)]  # one fold is not all of them
    text = page(lines, [json.loads('{"table": "toy", "model": "M", "rows": 9, "difference": -0.2, "error": 0.01}')])
    assert "| Pool | 0.300 | 1.00 |" in text and "EBM" not in text
    assert text.index("| Pool | 0.3") < text.index("| LightGBM | 0.4")
    assert "| study | 0.800 | 4.00 | 0.900 | 0.800 | 0.100 | 1.00 | toy |" in text
    assert "0.3000 (-25%)" in text
    assert "| M | 1 | -0.200 | 1 | nowhere |" in text and section([]) == []


def test_the_page_shows_the_most_rows_that_ours_and_a_booster_finished(monkeypatch):
    """A sample on which more contenders were run does not hide the whole table."""
    monkeypatch.setattr("bench.tables.loading.rows_of", lambda name: 20_000)
    small = {"class prior": 0.7, "LightGBM": 0.4, "Pool": 0.3, "study": 0.35, "wnb": 0.9}
    large = {"class prior": 0.7, "LightGBM": 0.2, "Pool": 0.25}
    lines = [line("toy", name, fold, loss, 4_000) for name, loss in small.items() for fold in range(5)]
    assert "| toy | 4,000 | 0.4000 (LightGBM) |" in page(lines)
    lines += [line("toy", name, fold, loss, 20_000) for name, loss in large.items() for fold in range(5)]
    text = page(lines)
    assert "| toy | 20,000 | 0.2000 (LightGBM) | 0.2500 (+25%) |" in text and "| toy | 4,000 |" not in text
