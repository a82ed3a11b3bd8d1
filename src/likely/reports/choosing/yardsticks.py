"""scikit-learn's logistic regression and random forest, as yardsticks: shown beside the candidates, never chosen.

They are given what they need and nothing more: imputation, scaling, one-hot encoding and tf-idf weights of words are
steps of a pipeline and learn inside each fold. Of a long table they learn from 10,000 rows of each fold, chosen by
chance, which is said where they are shown: a forest of all would take longer than everything else in a study. Without
scikit-learn there are none.
"""

import re
from functools import partial
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from likely.data.accepted import TableLike, TargetLike
from likely.models.any_classifier.asking import Training, fitted_clone
from likely.models.estimator import Classifier
from likely.models.roster import Candidate, TableFacts
from likely.models.traits.protocols import Learner

if TYPE_CHECKING:
    import polars as pl

_MOST_ROWS = 10_000  # of each fold that yardsticks learn from
_SHORT = 5_000  # rows, up to which handing trees to threads takes longer than growing them
_WORD = re.compile(r"\b\w\w+\b")


def yardsticks(facts: TableFacts, seed: int = 0) -> list[Candidate]:
    """The yardsticks for a table, or none where scikit-learn is not installed."""
    try:
        from sklearn.compose import ColumnTransformer
        from sklearn.ensemble import RandomForestClassifier
        from sklearn.feature_extraction.text import TfidfVectorizer
        from sklearn.impute import SimpleImputer
        from sklearn.linear_model import LogisticRegression
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, StandardScaler
    except ImportError:
        return []
    levels, texts = facts.of_kind("nominal", "ordinal"), facts.of_kind("text")
    numbers = [name for name in facts.kinds if name not in (*levels, *texts)]

    def columns(*scaling: Any) -> Any:
        number = make_pipeline(
            FunctionTransformer(_numbers),
            SimpleImputer(strategy="median", add_indicator=facts.missing, keep_empty_features=True),
            *scaling,
        )
        level = make_pipeline(FunctionTransformer(_levels), OneHotEncoder(handle_unknown="ignore", min_frequency=2))
        groups = {"numbers": (number, numbers), "levels": (level, levels)}
        parts: list[Any] = [(name, one, partial(_places, names)) for name, (one, names) in groups.items() if names]
        for name in texts:
            words = make_pipeline(FunctionTransformer(_texts), TfidfVectorizer(sublinear_tf=True))
            parts.append((f"words of {name}", words, partial(_place, name)))
        return ColumnTransformer(parts)

    # tf-idf weights are small numbers, which the usual penalty would hold back too much
    linear = make_pipeline(columns(StandardScaler()), LogisticRegression(C=10.0 if texts else 1.0, max_iter=1000))
    some = f"; of each fold it learned {_MOST_ROWS:,} rows, chosen by chance" if facts.rows > _MOST_ROWS else ""

    def candidate(name: str, words: str, pipeline: Any) -> Candidate:
        return Candidate(name, 99, words + some, FromSomeRows(pipeline, _MOST_ROWS, seed) if some else pipeline)

    found = [candidate("logistic regression (scikit-learn)", "yardstick: linear log odds, ridge penalty", linear)]
    if not texts:  # a forest of all words would take minutes, and is no match for the others
        jobs = -1 if facts.rows > _SHORT else None
        trees = RandomForestClassifier(n_estimators=100, min_samples_leaf=2, n_jobs=jobs, random_state=seed)
        words = "yardstick: 100 trees, at least two rows a leaf"
        found.append(candidate("random forest (scikit-learn)", words, make_pipeline(columns(), trees)))
    return found


def _places(names: list[str], X: "pl.DataFrame") -> list[int]:
    """Where columns stand: not every scikit-learn finds them in a frame of Polars by their names."""
    return [X.columns.index(name) for name in names]


def _place(name: str, X: "pl.DataFrame") -> int:
    return int(X.columns.index(name))


class FromSomeRows(Classifier):
    """A classifier that learns from so many rows of a table at most, and answers for any."""

    def __init__(self, estimator: Learner, rows: int, random_state: int = 0) -> None:
        self.estimator = estimator
        self.rows = rows
        self.random_state = random_state

    def fit(self, X: TableLike, y: TargetLike) -> Self:
        """Fit a clone on the rows, or on some of them chosen by chance."""
        data = Training.of(X, y, None)
        if len(data.codes) > self.rows:
            chosen = np.random.default_rng(self.random_state).choice(len(data.codes), self.rows, replace=False)
            data = data.taken(np.sort(chosen))
        self.estimator_ = fitted_clone(self.estimator, data)
        self.classes_ = self.estimator_.classes_
        return self

    def predict(self, X: TableLike) -> Any:
        return self.estimator_.predict(X)

    def predict_proba(self, X: TableLike) -> Any:
        return self.estimator_.predict_proba(X)


def _numbers(table: Any) -> Any:
    return np.asarray(table.to_numpy(), dtype=np.float64)


def _texts(column: Any) -> list[str]:
    """Texts; one without a word is a word of its own, because the vectorizer refuses a column that has none."""
    return [cell if cell and _WORD.search(cell) else "nothing_to_read" for cell in column.to_list()]


def _levels(table: Any) -> Any:
    """Levels as texts; a missing one is a level of its own."""
    return np.array([[str(cell) for cell in row] for row in table.to_numpy()], dtype=object).reshape(table.shape)
