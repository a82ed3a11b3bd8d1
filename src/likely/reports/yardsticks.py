"""scikit-learn's logistic regression and random forest, as yardsticks: shown beside the candidates, never chosen.

They are given what they need and nothing more: imputation, scaling and one-hot encoding are steps of a pipeline and
learn inside each fold. Without scikit-learn there are none.
"""

from typing import Any

from likely.models.roster import Candidate, TableFacts


def yardsticks(facts: TableFacts, seed: int = 0) -> list[Candidate]:
    """The yardsticks for a table, or none where scikit-learn is not installed."""
    try:
        from sklearn.compose import ColumnTransformer
        from sklearn.ensemble import RandomForestClassifier
        from sklearn.impute import SimpleImputer
        from sklearn.linear_model import LogisticRegression
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, StandardScaler
    except ImportError:
        return []
    levels = facts.of_kind("nominal", "ordinal")
    numbers = [name for name in facts.kinds if name not in levels]

    def columns(*scaling: Any) -> Any:
        number = make_pipeline(
            FunctionTransformer(_numbers), SimpleImputer(strategy="median", add_indicator=facts.missing), *scaling
        )
        level = make_pipeline(FunctionTransformer(_levels), OneHotEncoder(handle_unknown="ignore", min_frequency=2))
        parts = [("numbers", number, numbers)] * bool(numbers) + [("levels", level, levels)] * bool(levels)
        return ColumnTransformer(parts)

    linear = make_pipeline(columns(StandardScaler()), LogisticRegression(max_iter=1000))
    forest = make_pipeline(columns(), RandomForestClassifier(n_estimators=100, min_samples_leaf=2, random_state=seed))
    return [
        Candidate("logistic regression (scikit-learn)", 99, "yardstick: linear log odds, ridge penalty", linear),
        Candidate("random forest (scikit-learn)", 99, "yardstick: 100 trees, at least two rows a leaf", forest),
    ]


def _numbers(table: Any) -> Any:
    import numpy as np

    return np.asarray(table.to_numpy(), dtype=np.float64)


def _levels(table: Any) -> Any:
    """Levels as texts; a missing one is a level of its own."""
    import numpy as np

    return np.array([[str(cell) for cell in row] for row in table.to_numpy()], dtype=object).reshape(table.shape)
