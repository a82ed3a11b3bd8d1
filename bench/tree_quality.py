"""Trees and forests on real tables beside scikit-learn's, on the same folds: `python -m bench.tree_quality`.

The peer has levels one-hot encoded and gaps filled (median, or a level of their own), `likely` the table as it is. Each
row is judged once, by models of the other folds (5 folds, stratified). The difference of a figure has the interval of
the mean of paired rows. scikit-learn's posteriors are clipped at 1e-15 as its own log_loss does.
"""

import json
import sys
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier

import likely
from bench.workloads.generative import _DATA
from likely.intervals import Estimate, mean_interval

SETS = (
    "mushroom", "house_votes_84", "soybean", "adult", "hepatitis", "titanic", "german_credit", "car",
    "iris", "wine", "glass", "pima_diabetes", "vowel", "banknote", "spambase", "satimage",
)  # fmt: skip
_LEAKS = {"titanic": ("boat", "body")}
_MOST = 8_000  # rows; of larger tables the first of a fixed shuffle


@dataclass(frozen=True)
class Verdict:
    """Two models on one table."""

    table: str
    accuracy: tuple[float, float]  # ours and the peer's
    log_loss: tuple[float, float]
    more_right: Estimate  # accuracy less the peer's
    more_loss: Estimate  # log-loss less the peer's


def read(name: str) -> tuple[pl.DataFrame, Any]:
    """Features and classes of a set, nominal columns as text."""
    sets = json.loads((_DATA / "datasets.json").read_text())
    about = next(each for each in sets if each["name"] == name)
    kinds = about["column_kinds"]
    table = pl.read_csv(_DATA / about["files"][0], infer_schema_length=None)
    kept = [c for c, kind in kinds.items() if kind in ("numeric", "nominal") and c != about["target"]]
    kept = [c for c in kept if c not in _LEAKS.get(name, ())]
    y = table[about["target"]].cast(pl.String).to_numpy()
    table = table.select(pl.col(c).cast(pl.Float64 if kinds[c] == "numeric" else pl.String) for c in kept)
    order = np.random.default_rng(0).permutation(table.height)[:_MOST]
    return table[order], y[order]


def peer(model: Any, table: pl.DataFrame) -> Any:
    """scikit-learn's model behind what it needs."""
    numbers = [c for c in table.columns if table[c].dtype == pl.Float64]
    named = [c for c in table.columns if c not in numbers]
    levels = make_pipeline(SimpleImputer(strategy="constant", fill_value="?"), OneHotEncoder(handle_unknown="ignore"))
    return make_pipeline(ColumnTransformer([("n", SimpleImputer(), numbers), ("l", levels, named)]), model)


def judge(name: str, ours: Any, theirs: Any) -> Verdict:
    """Both models on the same folds of a table."""
    table, y = read(name)
    frame: pd.DataFrame = table.to_pandas()
    classes, codes = np.unique(y, return_inverse=True)
    said = np.zeros((2, len(y), len(classes)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # classes with fewer rows than folds
        for train, test in StratifiedKFold(5, shuffle=True, random_state=0).split(frame, y):
            for side, model in enumerate((ours, peer(theirs, table))):
                x, query = (table[train], table[test]) if side == 0 else (frame.iloc[train], frame.iloc[test])
                fitted = model.fit(x, y[train])
                place = np.searchsorted(classes, fitted.classes_)
                said[side][np.ix_(test, place)] = fitted.predict_proba(query)
    rows = np.arange(len(y))
    loss = -np.log(np.clip(said[:, rows, codes], 1e-15, 1))
    right = (said.argmax(axis=2) == codes).astype(float)
    return Verdict(
        name,
        (right[0].mean(), right[1].mean()),
        (loss[0].mean(), loss[1].mean()),
        mean_interval(right[0] - right[1]),
        mean_interval(loss[0] - loss[1]),
    )


def models(kind: str) -> tuple[Any, Any]:
    if kind == "tree":
        return likely.DecisionTree(random_state=0), DecisionTreeClassifier(random_state=0)
    return likely.DecisionForest(100, random_state=0), RandomForestClassifier(100, random_state=0, n_jobs=2)


def main() -> None:
    for kind in sys.argv[1:] or ("tree", "forest"):
        print(f"\n| {kind} | accuracy | scikit-learn | difference | log-loss | scikit-learn | difference |")
        print("| --- | --- | --- | --- | --- | --- | --- |")
        for name in SETS:
            found = judge(name, *models(kind))
            right, loss = f"{found.more_right:+.3f}", f"{found.more_loss:+.3f}"
            cells = (f"{found.accuracy[0]:.3f}", f"{found.accuracy[1]:.3f}", right)
            more = (f"{found.log_loss[0]:.3f}", f"{found.log_loss[1]:.3f}", loss)
            print(f"| {name} | {' | '.join((*cells, *more))} |", flush=True)


if __name__ == "__main__":
    main()
