"""Tools of scikit-learn's ecosystem around these estimators; each where it is installed (extra `tools`)."""

import importlib
import importlib.util
import warnings

import numpy as np
import pandas as pd
import pytest

from likely import PCA, Calibrated, DecisionTree, GaussianBayes, LogisticRegression, NaiveBayes, NearestNeighbors

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]  # warnings of the tools are their own

rng = np.random.default_rng(0)
Y = rng.integers(0, 2, 300)
X = rng.normal(size=(300, 3)) + Y[:, None]


def tool(name):
    """A tool, or a skip where it is not installed; one that is and cannot be imported is a failure."""
    if importlib.util.find_spec(name.partition(".")[0]) is None:
        pytest.skip(f"{name} is not installed (extra `tools`; `make test-tools` installs it)")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return importlib.import_module(name)


def test_imbalanced_learn():
    tool("imblearn")
    from imblearn.over_sampling import RandomOverSampler
    from imblearn.pipeline import make_pipeline

    rare = np.r_[np.flatnonzero(Y == 0), np.flatnonzero(Y == 1)[:20]]
    fitted = make_pipeline(RandomOverSampler(random_state=0), GaussianBayes()).fit(X[rare], Y[rare])
    assert np.allclose(fitted[-1].class_prior_, 0.5) and fitted.score(X, Y) > 0.8


def test_optuna():
    optuna = tool("optuna")
    from sklearn.model_selection import cross_val_score

    def objective(trial):
        return cross_val_score(GaussianBayes(shrinkage=trial.suggest_float("shrinkage", 0, 1)), X, Y, cv=3).mean()

    study = optuna.create_study(direction="maximize", sampler=optuna.samplers.RandomSampler(seed=0))
    study.optimize(objective, n_trials=3)
    assert study.best_value > 0.8


def test_skore():
    skore = tool("skore")
    report = skore.EstimatorReport(
        NaiveBayes(), X_train=X[:200], y_train=Y[:200], X_test=X[200:], y_test=Y[200:], pos_label=1
    )
    found = report.metrics.accuracy()
    assert np.isclose(found, NaiveBayes().fit(X[:200], Y[:200]).score(X[200:], Y[200:]))


def test_fairlearn():
    tool("fairlearn")
    from fairlearn.metrics import MetricFrame
    from fairlearn.reductions import DemographicParity, ExponentiatedGradient
    from sklearn.metrics import accuracy_score

    group = rng.integers(0, 2, 300)
    fair = ExponentiatedGradient(GaussianBayes("shared"), DemographicParity(), max_iter=3).fit(
        X, Y, sensitive_features=group
    )
    frame = MetricFrame(
        metrics=accuracy_score, y_true=Y, y_pred=fair.predict(X, random_state=0), sensitive_features=group
    )
    assert frame.overall > 0.7


def test_mapie():
    tool("mapie")
    from mapie.classification import SplitConformalClassifier

    conformal = SplitConformalClassifier(NaiveBayes().fit(X[:150], Y[:150]), confidence_level=0.9, prefit=True)
    conformal.conformalize(X[150:250], Y[150:250])
    _, sets = conformal.predict_set(X[250:])
    assert sets[np.arange(50), Y[250:], 0].mean() > 0.75


def test_nannyml():
    nannyml = tool("nannyml")
    fitted = NaiveBayes().fit(X, Y)
    rows = pd.DataFrame({"p": fitted.predict_proba(X)[:, 1], "said": fitted.predict(X), "y": Y})
    estimator = nannyml.CBPE(
        y_pred_proba="p",
        y_pred="said",
        y_true="y",
        metrics=["accuracy"],
        chunk_size=100,
        problem_type="classification_binary",
    )
    estimator.fit(rows)
    assert len(estimator.estimate(rows.drop(columns="y")).to_df()) >= 3


@pytest.mark.parametrize("way", ["cloudpickle", "skops"])
def test_mlflow(way, tmp_path):
    mlflow = tool("mlflow")
    fitted = NaiveBayes().fit(X, Y)
    options = {"serialization_format": way}
    if way == "skops":  # which opens no class of a library that it is not told to trust
        io = tool("skops.io")
        options["skops_trusted_types"] = io.get_untrusted_types(data=io.dumps(fitted))
    mlflow.sklearn.save_model(fitted, str(tmp_path / "model"), **options)
    again = mlflow.sklearn.load_model(str(tmp_path / "model"))
    assert np.array_equal(again.predict_proba(X), fitted.predict_proba(X))


TABLE = pd.DataFrame({"x": X[:, 0], "z": X[:, 1], "c": np.where(X[:, 2] > 0.5, "u", "v")})


@pytest.mark.parametrize(
    "model",
    [NaiveBayes(), LogisticRegression(), DecisionTree(), NearestNeighbors(), Calibrated(NaiveBayes()), PCA(2)],
    ids=repr,
)
def test_skops(model):
    io = tool("skops.io")
    ask = "transform" if hasattr(model, "transform") else "predict_proba"
    fitted = model.fit(TABLE, Y)
    said = getattr(fitted, ask)(TABLE)
    kept = io.dumps(fitted)
    kinds = io.get_untrusted_types(data=kept)
    assert all(kind.startswith(("likely.", "numpy.", "builtins.frozenset")) for kind in kinds)
    assert np.array_equal(getattr(io.loads(kept, trusted=kinds), ask)(TABLE), said)


def test_dask():
    dd = tool("dask.dataframe")
    parts = dd.from_pandas(TABLE, npartitions=3)
    fitted = LogisticRegression().fit(parts, Y)
    assert np.allclose(fitted.predict_proba(parts[["c", "x", "z"]]), fitted.predict_proba(TABLE))
