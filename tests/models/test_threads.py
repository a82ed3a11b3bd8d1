"""Threads that ask while others learn: every answer is that of a state that existed, and no row is lost."""

import copy
import pickle
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import polars as pl
import pytest
from sklearn.base import clone

from likely import Calibrated, Decider, DependenceBayes, GaussianBayes, NaiveBayes, NearestNeighborsRegressor, TextBayes
from likely.errors import InputError, LikelyError, NotFittedError
from likely.models import Classifier
from likely.models.traits.state import Stateful
from likely.store import load, registry, save

RNG = np.random.default_rng(0)
ROUNDS = 25


def numbers(n, k=3):
    y = RNG.integers(0, k, n)
    return RNG.normal(size=(n, 4)) + y[:, None], np.array(["c", "a", "b", "d", "e"])[y]


def texts(n, k=3):
    y = RNG.integers(0, k, n)
    words = np.array(["free", "money", "lunch", "noon", "minutes", "prize", "claim"])
    return [" ".join(RNG.choice(words, 6)) + f" w{c}" for c in y], np.array(["c", "a", "b", "d", "e"])[y]


def mixed(n, k=3):
    x, y = numbers(n, k)
    return pl.DataFrame({"size": x[:, 0], "kind": np.where(x[:, 1] > 0, "up", "down"), "n": x[:, 2]}), y


MODELS = {
    "numbers": (NaiveBayes(), numbers),
    "covariances": (GaussianBayes(), numbers),
    "mixed": (NaiveBayes(missing="impute"), mixed),
    "dependence": (DependenceBayes(), numbers),
    "texts": (TextBayes(), texts),
}


def said(model, X):
    """One answer of each kind, each from one call."""
    return {
        "predict_proba": model.predict_proba(X),
        "predict": model.predict(X),
        "log": model.predict_log_proba(X),
        "evidence": model.log_evidence(X),
    }


@pytest.mark.parametrize("name", MODELS)
def test_readers_see_states_that_existed_and_writers_lose_no_row(name):
    """Classes are added on the way, so that half a model would have arrays that do not fit together."""
    model, draw = MODELS[name]
    model = clone(model)
    query = draw(30)[0]
    batches = [draw(20, 3 + min(2, i // 8)) for i in range(ROUNDS)]
    model.fit(*batches[0])
    states = [copy.copy(model)]
    for X, y in batches[1:]:
        states.append(copy.copy(states[-1]).partial_fit(X, y))
    known = {key: [found[key] for found in (said(state, query) for state in states)] for key in said(model, query)}
    answers, done, wrong = {key: [] for key in known}, threading.Event(), []

    def read():
        try:
            while not done.is_set():
                for key, answer in said(model, query).items():
                    answers[key].append(answer)
        except Exception as error:
            wrong.append(error)

    with ThreadPoolExecutor(4) as pool:
        readers = [pool.submit(read) for _ in range(4)]
        for X, y in batches[1:]:
            model.partial_fit(X, y)
        done.set()
        for reader in readers:
            reader.result()
    assert not wrong
    for key, found in answers.items():
        assert found and all(any(np.array_equal(answer, state) for state in known[key]) for answer in found), key
    assert model.class_count_.sum() == 20 * ROUNDS


@pytest.mark.parametrize("name", MODELS)
def test_four_writers_lose_no_row(name):
    model, draw = MODELS[name]
    model = clone(model)
    parts = [[draw(10) for _ in range(10)] for _ in range(4)]

    def learn(part):
        for X, y in part:
            model.partial_fit(X, y)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(learn, parts))
    assert model.class_count_.sum() == 400
    whole = clone(model)
    for part in parts:
        for X, y in part:
            whole.partial_fit(X, y)
    query = draw(20)[0]
    assert np.allclose(model.predict_proba(query), whole.predict_proba(query), rtol=0, atol=1e-12)

    def unlearn(part):
        for X, y in part:
            model.forget(X, y)

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(unlearn, parts[1:]))
    assert model.class_count_.sum() == 100


def test_a_wrapper_answers_from_one_state_of_the_model_inside():
    X, y = numbers(200)
    inside = NaiveBayes().fit(X, y)
    held = Decider(Calibrated(inside, cv="prefit").fit(X, y), cv="prefit").fit(X, y)
    batches, query = [numbers(10) for _ in range(10)], X[:20]
    before = copy.deepcopy(held)
    known = [before.predict_proba(query)]
    for X, y in batches:
        before.estimator_.estimator_.partial_fit(X, y)
        known.append(before.predict_proba(query))
    found, done = [], threading.Event()

    def read():
        while not done.is_set():
            found.append(held.predict_proba(query))

    with ThreadPoolExecutor(2) as pool:
        readers = [pool.submit(read) for _ in range(2)]
        for X, y in batches:
            inside.partial_fit(X, y)
        done.set()
        for reader in readers:
            reader.result()
    assert all(any(np.array_equal(answer, state) for state in known) for answer in found)


def test_the_old_model_answers_while_a_new_one_is_learned():
    X, y = numbers(60)
    within, go = threading.Event(), threading.Event()

    class Slow(NaiveBayes):
        def _layout(self, data):
            within.set()
            assert go.wait(10)
            return super()._layout(data)

    go.set()
    model = Slow().fit(X, y)
    go.clear()
    within.clear()
    before = model.predict_proba(X)
    learner = threading.Thread(target=lambda: model.fit(X[:30], y[:30]))
    learner.start()
    assert within.wait(10)
    assert np.array_equal(model.predict_proba(X), before) and model.class_count_.sum() == 60
    go.set()
    learner.join()
    assert model.class_count_.sum() == 30


def test_copies_have_a_lock_of_their_own(tmp_path):
    X, y = numbers(60)
    model = NaiveBayes().fit(X, y)
    twins = [
        copy.copy(model),
        copy.deepcopy(model),
        pickle.loads(pickle.dumps(model)),
        load(save(model, tmp_path / "m")),
    ]
    with ThreadPoolExecutor(1) as pool, model._lock:  # as a thread has that is learning
        for twin in twins:
            pool.submit(twin.partial_fit, X, y).result(10)
            assert twin.class_count_.sum() == 120 and model.class_count_.sum() == 60
        assert np.array_equal(pool.submit(model.predict, X).result(10), model.predict(X))


def test_learned_attributes_are_set_read_listed_and_removed():
    model = NaiveBayes()
    with pytest.raises(AttributeError, match="'NaiveBayes' object has no attribute 'classes_'"):
        model.classes_
    with pytest.raises(NotFittedError):
        model.kinds_
    X, y = numbers(30)
    model.fit(X, y)
    assert {"classes_", "statistic_", "n_features_in_"} <= set(dir(model))
    model.note_ = "mine"
    assert model.note_ == "mine" and "note_" not in vars(model)
    del model.note_
    assert not hasattr(model, "note_")
    with pytest.raises(AttributeError):
        del model.note_
    with pytest.raises(AttributeError, match="shared covariance only"):
        GaussianBayes().fit(X, y).coef_


def test_what_learning_sets_is_seen_by_others_when_all_of_it_is_there():
    class Half(Classifier):
        def __init__(self, fail=False):
            self.fail = fail

        def fit(self, X, y=None):
            with self._anew():
                self.first_ = 1
                seen.append(pool.submit(lambda: getattr(self, "first_", None)).result())
                assert self.first_ == 1
                if self.fail:
                    raise InputError("no")
                self.second_ = 2
            return self

    seen = []
    with ThreadPoolExecutor(1) as pool:
        model = Half().fit(None)
        assert seen == [None] and (model.first_, model.second_) == (1, 2)
        model.fit(None)
        assert seen == [None, 1]
        model.fail = True
        with pytest.raises(InputError):
            model.fit(None)
        assert not model._learned()


def learners():
    """Every estimator that learns on, or forgets, and parameters that make it quick."""
    kinds = registry.estimators()
    return sorted(name for name, kind in kinds.items() if hasattr(kind, "partial_fit") or hasattr(kind, "forget"))


def small(name):
    kind = registry.estimators()[name]
    quick = {"n_clusters": 3, "n_init": 1, "epochs": 2, "cv": 2, "n_estimators": 2, "random_state": 0}
    quick["estimators"] = [NaiveBayes(), GaussianBayes("shared")]
    known = kind().get_params()
    return kind(**{key: value for key, value in quick.items() if key in known})


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", learners())
def test_whoever_learns_on_or_forgets_puts_one_state_in_the_place_of_another(name, monkeypatch):
    """A second assignment would show others half a model in between."""
    X, y = texts(60) if name == "TextBayes" else numbers(60)
    target = X[:, 0] if getattr(registry.estimators()[name], "_estimator_type", "") == "regressor" else y
    if name == "Recommender":
        pairs = [(u, i) for u in range(10) for i in range(6)]
        X = pl.DataFrame({"user": [u for u, _ in pairs], "item": [i for _, i in pairs], "rating": X[:, 0]})
    model, states = small(name), []
    replace = Stateful._replace

    def watched(self, learned):
        before = self._state
        replace(self, learned)
        if self is model and self._state is not before:
            states.append(dict(self._state))

    monkeypatch.setattr(Stateful, "_replace", watched)
    first, second = (X[:40], target[:40]), (X[40:], target[40:])
    if not hasattr(model, "partial_fit"):
        model.fit(X, target)
    else:
        model.partial_fit(*first)
        assert len(states) == 1
        model.partial_fit(*second)
        assert len(states) == 2
    states.clear()
    try:
        model.forget(*second)
    except (LikelyError, AttributeError):  # not every model can, and then nothing has changed
        assert not states
    else:
        assert len(states) == 1


def test_what_fails_while_learning_on_leaves_the_state_as_it_was():
    model = Classifier()
    model._become({"first_": 1})
    before = model._state
    with pytest.raises(InputError), model._onward():
        model.first_ = 2
        with model._onward():
            model.second_ = 3
        assert (model.first_, model.second_) == (2, 3)
        raise InputError("no")
    assert model._state is before and not hasattr(model, "second_")


def test_the_first_rows_of_several_writers_are_kept():
    """Who finds nothing learned yet does not begin anew while another has begun."""
    model, X = NearestNeighborsRegressor(), numbers(40)[0]
    both = threading.Barrier(4)

    def learn(part):
        both.wait()
        model.partial_fit(X[part::4], X[part::4, 0])

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(learn, range(4)))
    assert model.known_.weight.sum() == 40
