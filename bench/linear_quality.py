"""Logistic regression from raw tables beside scikit-learn's pipeline, row by row on the same folds.

    python -m bench.linear_quality                     the mixed tables, then the tables of numbers
    python -m bench.linear_quality hepatitis titanic   some of them
    python -m bench.linear_quality --optimum           objectives beside scikit-learn's tightest, on tables of numbers

Ours is `LogisticRegression(C="auto")` of the frame as it is. Theirs fills gaps (means, the commonest level), makes
levels columns, standardises numbers and chooses C by `LogisticRegressionCV` with five folds and log-loss. Both leave
out columns of texts, names and dates, and learn the same kinds. Of every row left out the difference of log-losses is
taken; the interval is that of its mean over rows.
"""

import gzip
import json
import sys
import time
import warnings
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from bench.corpora import DATA

MIXED = ("adult", "german_credit", "credit_approval", "titanic", "heart_disease", "horse_colic", "hepatitis")
NUMBERS = ("optdigits", "spambase", "satimage", "letter", "mnist_5k")
SMALL = ("banknote", "pima_diabetes", "spambase", "wine", "iris", "glass", "ecoli", "pendigits")
_LEAKS = {"titanic": ("boat", "body")}  # what is known of passengers only afterwards
_FOLDS = {"adult": 3, "letter": 3, "mnist_5k": 3}
_FEW = 5
_ROWS = {"letter": 6_000, "mnist_5k": 2_500, "adult": 24_000}  # of the largest, a sample: the peer takes minutes


class Table(NamedTuple):
    """A table of numbers and levels, and the class of each row."""

    frame: Any
    y: Any
    kinds: dict[str, str]


class Duel(NamedTuple):
    """Mean log-losses of rows left out, and the interval of their difference."""

    name: str
    rows: int
    likely: float
    peer: float
    low: float
    high: float
    seconds: tuple[float, float]

    def __str__(self) -> str:
        verdict = "not above" if self.low <= 0 else "ABOVE"
        return (
            f"{self.name:<16} {self.rows:>6} rows  likely {self.likely:.4f}  scikit-learn {self.peer:.4f}  difference "
            f"{self.likely - self.peer:+.4f} [{self.low:+.4f}, {self.high:+.4f}] {verdict}; "
            f"{self.seconds[0]:.1f} s and {self.seconds[1]:.1f} s"
        )


def table(name: str) -> Table:
    """A set of the shared data, its columns of numbers and levels alone."""
    about = next(one for one in json.loads((DATA / "datasets.json").read_text()) if one["name"] == name)
    path = DATA / about["files"][0]
    raw = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    kinds = {
        column: kind
        for column, kind in about["column_kinds"].items()
        if kind in ("numeric", "nominal") and column != about["target"] and column not in _LEAKS.get(name, ())
    }
    texts = {column: pl.String for column, kind in kinds.items() if kind == "nominal"}
    frame = pl.read_csv(raw, infer_schema_length=None, schema_overrides={**texts, about["target"]: pl.String})
    if name in _ROWS:
        frame = frame.sample(_ROWS[name], seed=0)
    return Table(frame.select(list(kinds)), frame[about["target"]].to_numpy(), kinds)


def duel(name: str) -> Duel:
    """Both sides on the same folds of a set."""
    import likely
    from likely.evaluation import make_folds

    given = table(name)
    folds = make_folds(given.y, _FOLDS.get(name, _FEW), random_state=0)
    losses, seconds = np.empty((2, len(given.y))), [0.0, 0.0]
    pandas = given.frame.to_pandas()
    for fold in range(int(folds.max()) + 1):
        train, test = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
        start = time.perf_counter()
        ours = likely.LogisticRegression(C="auto", kinds=given.kinds).fit(given.frame[train], given.y[train])
        losses[0, test] = _loss(ours.predict_log_proba(given.frame[test]), ours.classes_, given.y[test])
        seconds[0] += time.perf_counter() - start
        start = time.perf_counter()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            theirs = pipeline(given.kinds).fit(pandas.iloc[train], given.y[train])
        losses[1, test] = _loss(theirs.predict_log_proba(pandas.iloc[test]), theirs.classes_, given.y[test])
        seconds[1] += time.perf_counter() - start
    apart = losses[0] - losses[1]
    error = 1.96 * float(apart.std(ddof=1)) / np.sqrt(len(apart))
    mean = float(apart.mean())
    own, its = losses.mean(axis=1).tolist()
    return Duel(name, len(given.y), own, its, mean - error, mean + error, (seconds[0], seconds[1]))


def optimum(name: str) -> str:
    """How far our objective is above scikit-learn's tightest solution, relative to it, on standardised numbers."""
    from sklearn.linear_model import LogisticRegression

    import likely

    given = table(name)
    x = given.frame.select([c for c, kind in given.kinds.items() if kind == "numeric"]).to_numpy().astype(float)
    x = (x - x.mean(axis=0)) / np.where(x.std(axis=0) > 0, x.std(axis=0), 1.0)
    ours = likely.LogisticRegression(standardize=False, kinds="numeric", tol=1e-10).fit(x, given.y)
    theirs = LogisticRegression(solver="newton-cholesky", tol=1e-13, max_iter=10_000).fit(x, given.y)

    def objective(model: Any) -> float:
        return float(_loss(model.predict_log_proba(x), model.classes_, given.y).sum() + 0.5 * (model.coef_**2).sum())

    own, its = objective(ours), objective(theirs)
    return f"{name:<16} objective {own:.10g}, scikit-learn's {its:.10g}: {(own - its) / its:+.1e} of it"


def pipeline(kinds: dict[str, str]) -> Any:
    """What a careful user of scikit-learn writes."""
    from sklearn.compose import make_column_transformer
    from sklearn.impute import SimpleImputer
    from sklearn.linear_model import LogisticRegressionCV
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    numbers = [name for name, kind in kinds.items() if kind == "numeric"]
    levels = [name for name, kind in kinds.items() if kind == "nominal"]
    columns = make_column_transformer(
        (make_pipeline(SimpleImputer(), StandardScaler()), numbers),
        (make_pipeline(SimpleImputer(strategy="most_frequent"), OneHotEncoder(handle_unknown="ignore")), levels),
    )
    return make_pipeline(columns, LogisticRegressionCV(cv=5, scoring="neg_log_loss", max_iter=1000))


def _loss(log_posterior: Any, classes: Any, y: Any) -> Any:
    place = {name: i for i, name in enumerate(classes.tolist())}
    at = np.array([place[name] for name in y.tolist()])
    return -np.maximum(log_posterior[np.arange(len(y)), at], np.log(1e-15))


if __name__ == "__main__":
    if sys.argv[1:] == ["--optimum"]:
        for name in SMALL:
            print(optimum(name), flush=True)
        raise SystemExit
    for name in sys.argv[1:] or (*MIXED, *NUMBERS):
        print(duel(name), flush=True)
