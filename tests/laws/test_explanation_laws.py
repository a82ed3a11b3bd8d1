"""One story per row: for every classifier that is fitted around another, the evidence is that of the answer."""

import json

import numpy as np
import polars as pl
import pytest
from discovery import tables_only, wrappers
from sklearn.base import clone
from sklearn.naive_bayes import GaussianNB

from likely import (
    Calibrated,
    Decider,
    DecisionTree,
    DependenceBayes,
    GaussianBayes,
    NaiveBayes,
    NearestNeighbors,
    Pool,
    TextBayes,
    study,
)
from likely.decisions.calibration.calibrated import METHODS
from likely.errors import LikelyError
from likely.reports.rendering.illustrations import chance, examples
from likely.testing import LawBroken, check_explanation

EXACT = ("logistic", "temperature")
COSTS = {2: [[0, 1], [5, 0]], 3: [[0, 1, 1], [5, 0, 1], [1, 8, 0]]}


def a_table(k, seed=0, n=240):
    """Columns that repeat each other, so that naive Bayes is too sure, with gaps and a level that names a class."""
    rng = np.random.default_rng(seed)
    y = np.array(["ash", "birch", "cedar"])[np.arange(n) % k]
    base = rng.normal(size=(n, 1)) + (y == "birch")[:, None] - 0.7 * (y == "cedar")[:, None]
    x = base + 0.3 * rng.normal(size=(n, 3))
    x[rng.random(x.shape) < 0.1] = np.nan
    level = np.where(rng.random(n) < 0.7, y, "other")
    return pl.DataFrame({**{f"x{j}": x[:, j] for j in range(3)}, "level": level}).fill_nan(None), y


def around(kind, inner, method, k):
    """A wrapper of this kind as it changes most, around a model that is calibrated by this method."""
    if kind is Calibrated:
        return Calibrated(inner, method)
    assert kind is Decider, f"say here how {kind.__name__} changes what the model inside says"
    prior = [0.7] + [0.3 / (k - 1)] * (k - 1)
    return Decider(Calibrated(inner, method), costs=COSTS[k], prior=prior, reject=0.9)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("kind", wrappers(), ids=lambda kind: kind.__name__)
def test_evidence_is_for_what_is_said_and_sums_to_its_odds(kind, k, method):
    X, y = a_table(k)
    model = around(kind, NaiveBayes(), method, k).fit(X, y)
    check_explanation(model, X)
    check_explanation(model, X, prior="uniform")
    told = model.evidence(X)
    rough = told.approximate if told.approximate is not None else np.zeros(len(X), dtype=bool)
    assert rough.mean() < 0.25 if method in EXACT else rough.any()  # but for odds beyond any that were borne out
    assert ("(calibration)" in told.names) == rough.any()
    assert np.array_equal(told.bits[:, :4] == 0, X.select(pl.all().is_null()).to_numpy())  # a missing cell says nothing


WEIGHING = [kind for kind in tables_only() if hasattr(kind, "evidence")]
POOLS = {
    "of sums": Pool([NaiveBayes(), DependenceBayes()]),
    "with a tree and a stranger": Pool([("tree", DecisionTree(max_depth=2)), ("stranger", GaussianNB())]),
    "of neighbours, to whom a class is impossible": Pool([NearestNeighbors(n_neighbors=3)]),
    "with levels that were never seen": Pool([NaiveBayes("nominal", alpha=0), GaussianBayes("shared")]),
}


@pytest.mark.sample(8)
@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("kind", WEIGHING, ids=lambda kind: kind.__name__)
def test_every_model_that_weighs_its_columns_tells_the_story_of_what_is_around_it(kind, k):
    X, y = a_table(k, n=120)
    numbers = X[:, :3].fill_null(0)
    few = numbers[:20]
    check_explanation(kind().fit(numbers, y), few)
    for wrapper in wrappers():
        check_explanation(around(wrapper, kind(), "logistic", k).fit(numbers, y), few)


@pytest.mark.sample(4)
@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("members", POOLS)
def test_pools_tell_the_story_of_what_is_around_them(members, k):
    X, y = a_table(k, n=120)
    X = X if members == "of sums" else X[:, :3].fill_null(0).select(pl.all().round(0))
    pool = POOLS[members]
    alone = clone(pool).fit(X, y)
    assert len(alone.estimators_) == len(pool.estimators) or members in ("of sums", "with a tree and a stranger")
    check_explanation(alone, X)
    check_explanation(alone, X, prior="uniform")
    for wrapper, method in zip(wrappers(), ("isotonic", "logistic"), strict=True):
        check_explanation(around(wrapper, pool, method, k).fit(X, y), X[:40])


@pytest.mark.parametrize("method", METHODS)
def test_wrappers_in_wrappers_and_certainties(method):
    X, y = a_table(3)
    check_explanation(Calibrated(Decider(NaiveBayes(), prior=[0.2, 0.3, 0.5]), method).fit(X, y), X)
    certain = NaiveBayes(alpha=0)  # a level that was never seen in a class makes it impossible
    check_explanation(Calibrated(certain, method).fit(X, y), X)
    check_explanation(Calibrated(Calibrated(GaussianBayes("shared"), method)).fit(X[:, :3].fill_null(0), y), X[:, :3])
    for rule in ("bits", "likelihood", "recalibrated"):
        check_explanation(Decider(NaiveBayes(), COSTS[3], rule=rule).fit(X, y), X)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("model", ["multinomial", "bernoulli"])
def test_words_tell_the_same_story(method, model):
    rng = np.random.default_rng(0)
    y = np.array(["ham", "spam"])[np.arange(120) % 2]
    words = np.array(["free money now", "lunch at noon", "free lunch", "meeting notes", "win win win"])
    likely_words = {"ham": [0.1, 0.4, 0.1, 0.3, 0.1], "spam": [0.4, 0.1, 0.1, 0.1, 0.3]}
    texts = [" ".join(rng.choice(words, 4, p=likely_words[name])) for name in y]
    check_explanation(Decider(Calibrated(TextBayes(model), method), prior=[0.9, 0.1]).fit(texts, y), texts)
    table = pl.DataFrame({"body": texts, "size": rng.normal(size=120) + (y == "spam")})
    check_explanation(Calibrated(NaiveBayes({"body": "text"}), method).fit(table, y), table)


def test_a_model_that_weighs_nothing_has_no_evidence_and_a_false_story_is_found():
    from sklearn.linear_model import LogisticRegression

    X, y = a_table(2)
    numbers = X[:, :3].fill_null(0).to_numpy()
    with pytest.raises(LikelyError, match="LogisticRegression does not weigh its features"):
        Calibrated(LogisticRegression()).fit(numbers, y).evidence(numbers)

    class BeforeCalibration(Calibrated):
        def evidence(self, X, against=None, for_class=None, prior=None):
            return self.estimator_.evidence(X, against, for_class)

    with pytest.raises(LawBroken, match=r"evidence (is not for the class that is said|does not add up)"):
        check_explanation(BeforeCalibration(NaiveBayes()).fit(X, y), X)


@pytest.mark.parametrize("setting", [{}, {"costs": COSTS[2], "prior": [0.2, 0.8]}], ids=["plain", "costs"])
def test_the_kept_model_of_a_study_and_its_report_tell_the_same_story(setting):
    X, y = a_table(2)
    found = study(X.with_columns(kind=pl.Series(y)), "kind", yardsticks=False, cv=3, repeats=1, **setting)
    check_explanation(found.model, X)
    page = found.markdown()
    for example in examples(found):
        row = X[example.row]
        said = found.model.predict(row)[0]
        p = found.model.predict_proba(row)[0, found.model.classes_.tolist().index(said)]
        assert (example.said, example.evidence.classes[0]) == (said, said)
        assert example.probability == pytest.approx(p)
        assert example.evidence.log2_odds[0] == pytest.approx(np.log2(p / (1 - p)))
        words = f"What costs least to say is {said}," if setting else f"The model says {said}"
        assert f"{words} with probability {chance(p)}" in page
        assert f"{example.evidence.log2_odds[0]:+z.1f} bits in all for {said}" in page
    json.dumps(found.record())
