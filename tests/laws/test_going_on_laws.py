"""What the description of a model file says that its model can go on to do is what it can do."""

import copy

import numpy as np
import pytest
from discovery import estimators, regressors, unlabelled

from likely import (
    PCA,
    Calibrated,
    Decider,
    DecisionForest,
    LeastSquaresClassifier,
    LogisticRegression,
    NaiveBayes,
    Perceptron,
    Pool,
    TextBayes,
)
from likely.decisions import forget_rows, learn_more, merge_models
from likely.errors import InputError, TierError
from likely.store import inspect, save
from likely.store.abilities import GoingOn

X = np.random.default_rng(0).normal(size=(40, 2))
Y = np.arange(40) % 2
KINDS = [kind for kind in [*estimators(), *regressors(), *unlabelled()] if kind is not TextBayes]
AROUND_OTHERS = [
    NaiveBayes("numeric", hidden="em"),
    Calibrated(NaiveBayes("numeric")),
    Decider(Calibrated(LogisticRegression())),
    LogisticRegression(C="auto"),
    LogisticRegression(C="auto", prior_variance=2.0),
    LogisticRegression(penalty="l1"),
    LogisticRegression(penalty="elasticnet"),
    LeastSquaresClassifier(alpha="auto"),
    LeastSquaresClassifier(solver="gradient"),
    Perceptron(keep="pocket"),
    PCA(1, solver="randomized"),
    Pool({"bayes": NaiveBayes("numeric"), "hyperplane": LogisticRegression()}),
    Pool({"bayes": NaiveBayes("numeric"), "forest": DecisionForest(n_estimators=3)}),
    Calibrated(Pool({"bayes": NaiveBayes("numeric"), "plain": NaiveBayes("numeric", alpha=2.0)})),
]


def can(action):
    try:
        action()
    except (TierError, AttributeError):
        return False
    except InputError as refused:
        assert any(why in str(refused) for why in ("give a number for C", "need slopes everywhere", "keep='pocket'"))
        return False
    return True


@pytest.mark.filterwarnings("ignore:the weights of the pool")
@pytest.mark.parametrize("model", [*(kind() for kind in KINDS), *AROUND_OTHERS], ids=repr)
def test_a_file_says_what_its_model_can_go_on_to_do(model, tmp_path):
    y = X[:, 0] if type(model) in regressors() else Y
    learned, few = ((X,), (X[:4],)) if type(model) in unlabelled() else ((X, y), (X[:4], y[:4]))
    if getattr(model, "hidden", None) == "em":
        learned = X, np.where(np.arange(40) < 4, None, np.array(["a", "b"], dtype=object)[Y])
        few = X[4:8], learned[1][4:8]
    model.fit(*learned)
    if len(few) == 2:
        verbs = {
            "update": lambda: learn_more(model, *few),
            "merge": lambda: merge_models(model, model),
            "forget": lambda: forget_rows(model, *few),
        }
    else:
        verbs = {
            "update": lambda: copy.deepcopy(model).partial_fit(*few),
            "merge": lambda: model.merge(model),
            "forget": lambda: copy.deepcopy(model).forget(*few),
        }
    told = inspect(save(model, tmp_path / "m.likely"))
    assert told.goes_on == {verb: can(action) for verb, action in verbs.items()}
    assert GoingOn.of_model(model).abilities == told.goes_on  # the model itself says what its file says
    assert told.as_dict()["goes_on"] == told.goes_on and f"goes on      {told.going_on}" in str(told)
    assert (told.learned_in is not None) == (told.goes_on["merge"] or told.passes is not None)
    assert ("fit again on all rows" in told.going_on) == (not all(told.goes_on.values()))
