"""scikit-learn's logistic regression and random forest, as yardsticks: shown beside the candidates, never chosen.

They are given what they need and nothing more: imputation, scaling, one-hot encoding and tf-idf weights of words are
steps of a pipeline and learn inside each fold. Without scikit-learn there are none.
"""

import re
from typing import Any

from likely.models.roster import Candidate, TableFacts

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
        parts: list[Any] = [("numbers", number, numbers)] * bool(numbers) + [("levels", level, levels)] * bool(levels)
        for name in texts:
            words = make_pipeline(FunctionTransformer(_texts), TfidfVectorizer(sublinear_tf=True))
            parts.append((f"words of {name}", words, name))
        return ColumnTransformer(parts)

    # tf-idf weights are small numbers, which the usual penalty would hold back too much
    linear = make_pipeline(columns(StandardScaler()), LogisticRegression(C=10.0 if texts else 1.0, max_iter=1000))
    found = [Candidate("logistic regression (scikit-learn)", 99, "yardstick: linear log odds, ridge penalty", linear)]
    if not texts:  # a forest of all words would take minutes, and is no match for the others
        trees = RandomForestClassifier(n_estimators=100, min_samples_leaf=2, random_state=seed)
        words = "yardstick: 100 trees, at least two rows a leaf"
        found.append(Candidate("random forest (scikit-learn)", 99, words, make_pipeline(columns(), trees)))
    return found


def _numbers(table: Any) -> Any:
    import numpy as np

    return np.asarray(table.to_numpy(), dtype=np.float64)


def _texts(column: Any) -> list[str]:
    """Texts; one without a word is a word of its own, because the vectorizer refuses a column that has none."""
    return [cell if cell and _WORD.search(cell) else "nothing_to_read" for cell in column.to_list()]


def _levels(table: Any) -> Any:
    """Levels as texts; a missing one is a level of its own."""
    import numpy as np

    return np.array([[str(cell) for cell in row] for row in table.to_numpy()], dtype=object).reshape(table.shape)
