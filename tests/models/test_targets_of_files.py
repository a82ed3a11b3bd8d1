"""A file that was scanned for a target: whoever learns classes takes it, whoever learns none leaves it out."""

import numpy as np
import polars as pl
import pytest
from sklearn.base import clone

import likely
from likely.models import SplineBasis


def _named_file(folder):
    """A file with two groups of rows whose class does not follow them, and the table without the class."""
    rng = np.random.default_rng(0)
    table = pl.DataFrame({"u": rng.normal(size=200) + 8 * (np.arange(200) % 2), "v": rng.normal(size=200)})
    table.with_columns(c=pl.Series(["a", "b"] * 50 + ["b", "a"] * 50)).write_parquet(folder / "named.parquet")
    return likely.scan(folder / "named.parquet", target="c"), table


@pytest.mark.parametrize(
    "model",
    [
        likely.KMeans(2, random_state=0),
        likely.PCA(2),
        likely.Hierarchy(),
        likely.Mixture(2, random_state=0),
        SplineBasis(),
    ],
    ids=lambda model: type(model).__name__,
)
def test_who_learns_no_classes_leaves_the_target_of_a_file_out(model, tmp_path):
    source, table = _named_file(tmp_path)
    there = clone(model).fit(table)
    asked = "transform" if hasattr(model, "transform") else "predict"
    learned = model.fit(source)
    assert learned.schema_.names == ("u", "v")
    assert np.allclose(getattr(learned, asked)(source), getattr(there, asked)(table))


def test_the_general_classifier_takes_the_target_that_a_file_was_scanned_for(tmp_path):
    source, table = _named_file(tmp_path)
    labels = pl.read_parquet(tmp_path / "named.parquet")["c"]
    found = likely.BayesClassifier().fit(source)
    assert np.allclose(found.predict_proba(source), likely.BayesClassifier().fit(table, labels).predict_proba(table))
    with pytest.raises(likely.LikelyError, match="requires y"):
        likely.BayesClassifier().fit(likely.scan(tmp_path / "named.parquet"))
