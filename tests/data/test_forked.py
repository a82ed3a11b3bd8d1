"""A process that was forked after Polars began: arrays and texts are answered, frames are refused at once."""

import json
import multiprocessing
import os
import subprocess
import sys

import pytest

forks = pytest.mark.skipif(
    sys.platform != "linux" or "fork" not in multiprocessing.get_all_start_methods(), reason="no fork here"
)

PROGRAM = """
import os, signal, sys
import polars as pl
from likely import NaiveBayes, TextBayes
from likely.errors import LikelyError

table = pl.DataFrame({"x": [1.0, 2, 3, 4] * 50, "c": ["u", "v", "w", "u"] * 50})
y = ["a", "a", "b", "b"] * 50
frames, arrays = NaiveBayes().fit(table, y), NaiveBayes().fit([[1.0], [2], [3], [4]], y[:4])
texts = TextBayes().fit(["free money", "lunch", "free", "noon"], y[:4])
frames.predict(table)
assert os.cpu_count() and pl.thread_pool_size()
child = os.fork()
if child:
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
signal.alarm(120)  # a wait for threads that are not there would have no end
arrays.predict([[1.0]]), arrays.partial_fit([[5.0]], ["b"]), texts.predict(["free"])
try:
    frames.predict(table)
except LikelyError as error:
    os._exit(7 if "forked" in str(error) else 8)
os._exit(9)
"""


@forks
def test_frames_are_refused_after_a_fork_and_arrays_are_not():
    ended = subprocess.run([sys.executable, "-W", "ignore", "-c", PROGRAM], timeout=900, env=dict(os.environ))
    assert ended.returncode == 7


FORKED = """
import json, os, signal, sys
import numpy as np
import polars as pl
import likely
from likely import Pool, LikelyError, LogisticRegression, NaiveBayes

NAMES = json.loads(sys.argv[1])
y = np.arange(60) % 2
X = np.random.default_rng(0).normal(size=(60, 3)) + y[:, None]
table = pl.DataFrame(X, schema=["a", "b", "c"])

def made(name):
    model = Pool([NaiveBayes(), LogisticRegression()]) if name == "Pool" else getattr(likely, name)()
    return model.set_params(random_state=0) if "random_state" in model.get_params() else model

def ask(model, rows):
    return np.asarray(model.predict(rows) if hasattr(model, "predict") else model.transform(rows))

def refused(work):
    try:
        work()
    except LikelyError as error:
        return "forked" in str(error)
    return False

def told(name):
    arrays, frames = made(name).fit(X, y), made(name).fit(table, y)
    before, _ = ask(arrays, X), ask(frames, table)
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    signal.alarm(120)  # a wait for threads that are not there would have no end
    same = np.array_equal(ask(arrays, X), before) and np.array_equal(ask(made(name).fit(X, y), X), before)
    asked, fitted = refused(lambda: ask(frames, table)), refused(lambda: made(name).fit(table, y))
    os._exit(0 if same and asked and fitted else 10 + 4 * same + 2 * asked + fitted)

print(json.dumps({name: told(name) for name in NAMES}))
"""
ESTIMATORS = [
    *("LogisticRegression", "LeastSquaresClassifier", "FisherDiscriminant", "Perceptron", "KernelPerceptron"),
    *("DecisionTree", "DecisionForest", "NearestNeighbors", "NearestExemplar", "InstanceLearner", "NeuralNetwork"),
    *("NearestNeighborsRegressor", "DependenceBayes", "Pool", "KMeans", "Hierarchy", "Mixture", "PCA"),
]


@pytest.fixture(scope="module")
def told():
    """How the child of each estimator ended, all in one program: 0 where arrays are answered and frames refused."""
    ended = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", FORKED, json.dumps(ESTIMATORS)],
        timeout=1800, env=dict(os.environ), capture_output=True, text=True,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout)


@forks
@pytest.mark.slow
@pytest.mark.parametrize("name", ESTIMATORS)
def test_every_estimator_answers_arrays_and_refuses_frames_after_a_fork(told, name):
    assert told[name] == 0
