"""Do rows without a label help? Few labels with and without the other rows, on the same splits: docs/mixtures.md.

    python -m bench.partly_labelled

Each repeat hides all labels but a few of every class, learns from these alone and by EM from all rows, and judges both
on the rows whose labels were hidden. The interval is that of the mean difference over repeats.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from likely import GaussianBayes, NaiveBayes, TextBayes
from likely.intervals import mean_interval

DATA = Path(os.environ.get("LIKELY_SHARED_DATA", Path(__file__).resolve().parents[2] / "shared" / "data"))
REPEATS = 20


def tables() -> Iterator[tuple[str, Any, Any, Any, int]]:
    """Name, rows, labels, model, and labels kept of each class."""
    for name, place, drop, model, keep in (
        ("penguins", "mixed/penguins.csv", ["year"], NaiveBayes(), 5),
        ("iris", "numeric/iris.csv", [], GaussianBayes("shared"), 5),
        ("wine", "numeric/wine.csv", [], NaiveBayes(), 3),
        ("house votes", "mixed/house_votes_84.csv", [], NaiveBayes(), 5),
        ("breast cancer", "mixed/breast_cancer_wisconsin.csv", [], NaiveBayes("histogram"), 5),
        ("pendigits", "numeric/pendigits.csv.gz", [], GaussianBayes("shared"), 20),
    ):
        table = pl.read_csv(DATA / place, infer_schema_length=None).drop(drop)
        target = table.columns[-1]
        yield name, table.drop(target), table[target].cast(pl.String).to_numpy(), model, keep
    rows = pl.read_ndjson(DATA / "text/ling_spam.jsonl.gz")
    yield "ling-spam texts", rows["text"].to_list(), rows["label"].to_numpy(), TextBayes(), 20
    rows = pl.read_ndjson(DATA / "text/ag_news_test.jsonl.gz")
    yield "AG news texts", rows["text"].to_list(), rows["label"].to_numpy(), TextBayes(), 20


def judged(X: Any, y: Any, model: Any, keep: int, rng: np.random.Generator) -> tuple[float, float]:
    """Accuracy on the rows whose label was hidden: from the few labels, and from all rows."""
    known = np.concatenate([rng.choice(np.flatnonzero(y == name), keep, replace=False) for name in np.unique(y)])
    hidden = np.setdiff1d(np.arange(len(y)), known)
    partly = np.where(np.isin(np.arange(len(y)), known), y, None)
    few, rest = ([X[i] for i in index] if isinstance(X, list) else X[index] for index in (known, hidden))
    alone = type(model)(**model.get_params()).fit(few, y[known])
    together = type(model)(**{**model.get_params(), "hidden": "em"}).fit(X, partly)
    return alone.score(rest, y[hidden]), together.score(rest, y[hidden])


def main() -> None:
    for name, X, y, model, keep in tables():
        rng = np.random.default_rng(0)
        pairs = np.array([judged(X, y, model, keep, rng) for _ in range(REPEATS)])
        gain = mean_interval(pairs[:, 1] - pairs[:, 0])
        alone, together = pairs.mean(axis=0)
        print(json.dumps({"table": name, "model": repr(model), "labels": keep, "alone": round(alone, 3),
                          "together": round(together, 3), "gain": f"{gain:.3f}"}))  # fmt: skip


if __name__ == "__main__":
    main()
