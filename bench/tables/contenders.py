"""The contenders: ours and other libraries', each a function from training rows and test rows to posteriors.

All are used as they come, with their defaults; levels and gaps are handed over in the way that each asks for. What is
not installed is left out.
"""

import importlib.util
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import polars as pl

from bench.tables.loading import RealTable

Answer = Callable[[RealTable, Any], np.ndarray]  # training rows, X to be judged -> (n, k)


NAMES = (
    "class prior", "logistic regression (scikit-learn)", "random forest (scikit-learn)",
    "HistGradientBoosting (scikit-learn)", "LightGBM", "CatBoost", "Khiops", "EBM", "wnb",
    "NaiveBayes", "Calibrated(NaiveBayes)", "DependenceBayes", "BoostedTrees",
    "Pool", "study", "study (accurate)",
)  # fmt: skip


def contenders() -> dict[str, Answer]:
    """Those that can be run here, by name."""
    ours: dict[str, Answer] = {
        "class prior": _prior,
        "NaiveBayes": _of_kinds("NaiveBayes"),
        "Calibrated(NaiveBayes)": _calibrated,
        "DependenceBayes": _of_kinds("DependenceBayes"),
        "BoostedTrees": _of_kinds("BoostedTrees"),
        "Pool": _pool,
        **_studies(),
    }
    theirs: dict[str, tuple[str, Answer]] = {
        "logistic regression (scikit-learn)": ("sklearn", _scikit_learn(_logistic, scaled=True)),
        "random forest (scikit-learn)": ("sklearn", _scikit_learn(_forest)),
        "HistGradientBoosting (scikit-learn)": ("sklearn", _histogram_boosting),
        "LightGBM": ("lightgbm", _lightgbm),
        "CatBoost": ("catboost", _catboost),
        "Khiops": ("khiops", _khiops),
        "EBM": ("interpret", _ebm),
        "wnb": ("wnb", _wnb),
    }
    return ours | {name: run for name, (module, run) in theirs.items() if importlib.util.find_spec(module)}


def kinds_of(table: RealTable) -> dict[str, str]:
    """What our models take the columns for: guessed from all rows, no label among them."""
    from likely.data.columns.schema import schema_of
    from likely.data.inputs import read_input

    return dict(schema_of(read_input(table.X)).kinds)


def _prior(train: RealTable, X: pl.DataFrame) -> np.ndarray:
    counts = np.unique(train.y, return_counts=True)[1]
    return np.tile(counts / counts.sum(), (X.height, 1))


def _of_kinds(name: str) -> Answer:
    def run(train: RealTable, X: pl.DataFrame) -> np.ndarray:
        import likely

        return getattr(likely, name)(kinds=train.kinds).fit(train.X, train.y).predict_proba(X)

    return run


def _calibrated(train: RealTable, X: pl.DataFrame) -> np.ndarray:
    from likely import Calibrated, NaiveBayes

    return Calibrated(NaiveBayes(kinds=train.kinds)).fit(train.X, train.y).predict_proba(X)


def _pool(train: RealTable, X: pl.DataFrame) -> np.ndarray:
    """The pool of the candidates of a study."""
    from likely import LogisticRegression, Pool
    from likely.models.roster import TableFacts, candidates

    facts = TableFacts.of(train.X, train.kinds, np.unique(train.y, return_counts=True)[1].tolist())
    members = {one.name: one.model for one in candidates(facts)}
    members.setdefault("logistic regression", LogisticRegression(kinds=train.kinds))
    return Pool(members).fit(train.X, train.y).predict_proba(X)


def _studies() -> dict[str, Answer]:
    """The model that a study keeps, and the one that it would keep with prefer="accurate".

    Both choose among the same candidates on the same folds, which are judged once: the second takes the time of a fit.
    """
    known: dict[tuple[str, bytes], Any] = {}  # of a table and a fold: the study

    def run(prefer: str) -> Answer:
        def answer(train: RealTable, X: pl.DataFrame) -> np.ndarray:
            import likely
            from likely.models.any_classifier.asking import fitted_clone
            from likely.models.any_classifier.inside import know_table
            from likely.reports.choosing.contest import chosen_of

            key = train.name, train.X.hash_rows().to_numpy().tobytes()
            if key not in known:
                whole = train.X.with_columns(pl.Series("the class", train.y))
                known[key] = likely.study(whole, "the class", yardsticks=False, cv=5, repeats=1)
            found = known[key]
            choice = chosen_of(found.entries, prefer, guarded=True)
            if choice.chosen == found.choice.chosen:
                return found.model.predict_proba(X)
            kept = next(entry for entry in found.entries if entry.name == choice.chosen)
            model = fitted_clone(kept.way.model, found.data)
            know_table(model, found.looked.columns, found.findings.dates)
            return model.predict_proba(X)

        return answer

    return {"study": run("simple"), "study (accurate)": run("accurate")}


def _logistic() -> Any:
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(max_iter=1000)


def _forest() -> Any:
    from sklearn.ensemble import RandomForestClassifier

    return RandomForestClassifier(random_state=0)


def _scikit_learn(make: Callable[[], Any], scaled: bool = False) -> Answer:
    def run(train: RealTable, X: pl.DataFrame) -> np.ndarray:
        from sklearn.compose import make_column_transformer
        from sklearn.impute import SimpleImputer
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import OneHotEncoder, StandardScaler

        nominal = list(train.nominal)
        numbers = [name for name in train.X.columns if name not in nominal]
        number = make_pipeline(
            SimpleImputer(strategy="median", keep_empty_features=True), *([StandardScaler()] if scaled else [])
        )
        columns = make_column_transformer(
            (number, numbers), (OneHotEncoder(handle_unknown="ignore"), nominal), sparse_threshold=0.0
        )
        model = make_pipeline(columns, make()).fit(_pandas(train.X, nominal), train.y)
        return np.asarray(model.predict_proba(_pandas(X, nominal)))

    return run


def _codes(train: RealTable, X: pl.DataFrame) -> tuple[np.ndarray, np.ndarray, list[int]]:
    """Numbers, levels as codes of those seen in training, -1 for others; and the places of columns of levels."""
    pairs = [_column(train.X[name], X[name], name in train.nominal) for name in train.X.columns]
    places = [j for j, name in enumerate(train.X.columns) if name in train.nominal]
    return np.column_stack([one for one, _ in pairs]), np.column_stack([two for _, two in pairs]), places


def _column(old: pl.Series, new: pl.Series, nominal: bool) -> tuple[np.ndarray, np.ndarray]:
    if not nominal:
        return old.to_numpy().astype(float), new.to_numpy().astype(float)
    place = {level: i for i, level in enumerate(sorted(old.drop_nulls().unique().to_list()))}
    return tuple(
        np.array([np.nan if level is None else place.get(level, np.nan) for level in column.to_list()])
        for column in (old, new)
    )  # type: ignore[return-value]


def _histogram_boosting(train: RealTable, X: pl.DataFrame) -> np.ndarray:
    from sklearn.ensemble import HistGradientBoostingClassifier

    old, new, places = _codes(train, X)
    few = [j for j in places if np.nanmax(old[:, j], initial=0) < 255]
    model = HistGradientBoostingClassifier(random_state=0, categorical_features=few or None)
    return np.asarray(model.fit(old, train.y).predict_proba(new))


def _lightgbm(train: RealTable, X: pl.DataFrame) -> np.ndarray:
    import lightgbm

    old, new, places = _codes(train, X)
    model = lightgbm.LGBMClassifier(random_state=0, verbose=-1, n_jobs=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return np.asarray(model.fit(old, train.y, categorical_feature=places or "auto").predict_proba(new))


def _catboost(train: RealTable, X: pl.DataFrame) -> np.ndarray:
    import catboost

    nominal = list(train.nominal)
    model = catboost.CatBoostClassifier(
        random_seed=0, verbose=False, thread_count=1, cat_features=nominal, allow_writing_files=False
    )
    return np.asarray(model.fit(_pandas(train.X, nominal), train.y).predict_proba(_pandas(X, nominal)))


def _khiops(train: RealTable, X: pl.DataFrame) -> np.ndarray:
    from khiops.sklearn import KhiopsClassifier

    nominal = list(train.nominal)
    model = KhiopsClassifier(n_trees=10)
    model.fit(_pandas(train.X, nominal), train.y)
    return np.asarray(model.predict_proba(_pandas(X, nominal)))


def _ebm(train: RealTable, X: pl.DataFrame) -> np.ndarray:
    from interpret.glassbox import ExplainableBoostingClassifier

    nominal = list(train.nominal)
    model = ExplainableBoostingClassifier(random_state=0, n_jobs=1)
    return np.asarray(model.fit(_pandas(train.X, nominal), train.y).predict_proba(_pandas(X, nominal)))


def _wnb(train: RealTable, X: pl.DataFrame) -> np.ndarray:
    from wnb import Distribution, GeneralNB

    old, new, places = _codes(train, X)
    middle = np.nanmedian(old, axis=0)
    old, new = (np.where(np.isnan(x), np.nan_to_num(middle), x) for x in (old, new))
    laws = [Distribution.CATEGORICAL if j in places else Distribution.NORMAL for j in range(old.shape[1])]
    return np.asarray(GeneralNB(distributions=laws).fit(old, train.y).predict_proba(new))


def _pandas(X: pl.DataFrame, nominal: Sequence[str]) -> Any:
    frame = X.to_pandas()
    for name in nominal:
        frame[name] = frame[name].astype(object).where(frame[name].notna(), "missing").astype(str)
    return frame
