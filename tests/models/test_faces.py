"""What a cell of a notebook ends with is read: classes, columns and kinds of models, no raw arrays of results."""

import inspect

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

import likely
from likely import (
    PCA,
    BayesClassifier,
    BoostedTrees,
    Calibrated,
    Decider,
    DecisionForest,
    DecisionTree,
    DependenceBayes,
    FisherDiscriminant,
    GaussianBayes,
    Hierarchy,
    InstanceLearner,
    KernelPerceptron,
    KMeans,
    LeastSquaresClassifier,
    LogisticRegression,
    Mixture,
    NaiveBayes,
    NearestExemplar,
    NearestNeighbors,
    NearestNeighborsRegressor,
    NeuralNetwork,
    NeuralNetworkRegressor,
    Perceptron,
    Pool,
    ProportionalOdds,
    Recommender,
    TextBayes,
)
from likely.decisions import estimate_prior
from likely.evaluation import learning_curve, model_difference
from likely.models import Classifier, Regressor
from likely.models.clustering import choose_clusters

rng = np.random.default_rng(0)
CLASSES = np.array(["brown", "grey"] * 30)
FRAME = pd.DataFrame(
    {"weight of it": rng.normal(size=60) + (CLASSES == "grey"), "length": rng.normal(size=60), "sex": ["f", "m"] * 30}
)
NUMBERS = FRAME[["weight of it", "length"]]
AMOUNTS = rng.normal(size=60)
MODELS = [NaiveBayes(), GaussianBayes("shared"), BayesClassifier(), DependenceBayes(), LogisticRegression(),
          LeastSquaresClassifier(), FisherDiscriminant(), ProportionalOdds(), NeuralNetwork(epochs=3, random_state=0),
          Perceptron(), KernelPerceptron(), NearestNeighbors(), NearestExemplar(), InstanceLearner(), DecisionTree(),
          DecisionForest(3), BoostedTrees(max_iter=3), Calibrated(NaiveBayes()), Decider(NaiveBayes()),
          Pool([NaiveBayes(), LogisticRegression()]), NearestNeighborsRegressor(),
          NeuralNetworkRegressor(epochs=3, random_state=0), KMeans(2, random_state=0), Hierarchy(), PCA(1),
          Mixture(n_components=2, random_state=0)]  # fmt: skip
OTHERS = {TextBayes, Recommender}  # of texts and of ratings: they have no table of columns


def test_every_public_estimator_is_tried_here():
    public = {getattr(likely, name) for name in likely._HOME}
    estimators = {one for one in public if inspect.isclass(one) and hasattr(one, "fit")}
    assert estimators - OTHERS == {type(one) for one in MODELS}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
def test_a_fitted_estimator_shows_its_classes_columns_and_rows(model):
    mixed = not isinstance(model, GaussianBayes | BayesClassifier | Mixture)
    X = FRAME if mixed else NUMBERS
    fitted = clone(model).fit(X, AMOUNTS if isinstance(model, Regressor) else CLASSES)
    for text in (str(fitted), fitted._repr_html_()):
        assert "weight of it" in text and "length" in text and "60" in text and "array(" not in text
        if mixed:
            assert "numeric" in text and "sex" in text and "nominal" in text
        if isinstance(fitted, Classifier) and not isinstance(fitted, Mixture):
            assert "brown" in text and "grey" in text


def test_many_columns_are_counted():
    wide = pd.DataFrame(rng.normal(size=(40, 30))).rename(columns=lambda j: f"column {j}")
    said = str(LogisticRegression().fit(wide, CLASSES[:40]))
    assert "column 11" in said and "column 12" not in said and "... and 18 more features" in said


def test_a_pool_of_many_members_has_a_line_for_each():
    members = [(f"of strength {c}", LogisticRegression(C=c, kinds={"sex": "nominal"})) for c in range(1, 31)]
    pool = Pool(members, ridge=2.0).fit(FRAME, CLASSES)
    said = str(pool)
    assert max(map(len, said.splitlines())) < 140 and said.startswith("Pool of 30 members (ridge=2.0)\n")
    for name, weight in pool.weights_.items():
        assert any(name in line and (not weight or f"{weight:.3f}" in line) for line in said.splitlines())
    assert pool._repr_html_().count("<tr>") > 30
    assert (
        eval(repr(pool), {"Pool": Pool, "LogisticRegression": LogisticRegression}).get_params().keys()
        == pool.get_params().keys()
    )
    assert len(str(Calibrated(pool, cv=2).fit(FRAME, CLASSES)).splitlines()[0]) <= 500


def test_results_are_read_and_not_decoded():
    naive = NaiveBayes().fit(NUMBERS, CLASSES)
    found = likely.evaluate(naive, NUMBERS, CLASSES)
    mails, labels = pd.Series(["free money", "lunch at noon", "free prize", "lunch"]), ["spam", "ham", "spam", "ham"]
    results = [
        naive.as_linear(),
        NearestNeighbors(3).fit(NUMBERS, CLASSES).kneighbors(NUMBERS),
        TextBayes().fit(mails, labels).evidence(mails),
        LogisticRegression().fit(NUMBERS, CLASSES).coefficients(),
        model_difference(naive, NaiveBayes().fit(NUMBERS + 3, CLASSES)),
        learning_curve(naive, NUMBERS, CLASSES, repeats=2),
        estimate_prior(naive.predict_proba(NUMBERS), naive.class_prior_),
        choose_clusters(NUMBERS, 3, resamples=2, null=19),
        found.confusion,
        found.roc,
        found.precision_recall,
    ]
    for result in results:
        shown = result._repr_html_()
        assert shown.startswith(("<pre", "<div")) and len(repr(result)) < 5_000
        for text in (str(result), shown, repr(result)):
            assert "array(" not in text, type(result)


def test_every_result_with_a_text_has_a_face_in_notebooks():
    for room in (likely.evaluation, likely.decisions, likely.models):
        for name in room.__all__:
            one = getattr(room, name)
            if inspect.isclass(one) and "__str__" in vars(one):
                assert hasattr(one, "_repr_html_"), name
