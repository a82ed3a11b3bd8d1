"""Recommendations do not hang on the unit or the origin of the ratings, nor on how they are rounded."""

import numpy as np
import pytest

from likely import Recommender
from likely.errors import InputError
from likely.evaluation.recommendation import _judged, evaluate_recommender

BASE = {"a": {"x": 5.0, "y": 1.0, "z": 3.0}, "b": {"x": 4.0, "y": 1.0, "z": 2.0}, "c": {"x": 1.0, "y": 5.0, "z": 4.0}}


def changed(factor, offset=0.0):
    return {user: {item: factor * given + offset for item, given in of.items()} for user, of in BASE.items()}


def told(ratings, similarity, normalize="none", by="user"):
    model = Recommender(by, similarity, normalize, shrinkage=0.0).fit(ratings)
    near = {each.name: (each.similarity, each.distance) for each in model.nearest_users("a")}
    return np.array([near["b"], near["c"]])


@pytest.mark.parametrize("similarity", ["cosine", "pearson"])
@pytest.mark.parametrize("normalize", ["none", "center", "standard"])
@pytest.mark.parametrize("factor", [1e-30, 1e-7, 1e60])
def test_similarities_have_no_unit(similarity, normalize, factor):
    found, expected = told(changed(factor), similarity, normalize)[:, 0], told(BASE, similarity, normalize)[:, 0]
    assert found == pytest.approx(expected, rel=1e-9) and np.abs(expected).min() > 0.1


@pytest.mark.parametrize("similarity", ["pearson", "euclidean"])
@pytest.mark.parametrize("offset", [1e6, -1e8])
def test_similarities_and_distances_have_no_origin(similarity, offset):
    assert told(changed(1.0, offset), similarity) == pytest.approx(told(BASE, similarity), rel=1e-6)


@pytest.mark.parametrize("same", [0.1, 4.1, 3.3, 0.25])
@pytest.mark.parametrize("normalize", ["none", "center", "standard"])
def test_who_always_gives_the_same_is_like_nobody(same, normalize):
    people = {"k": dict.fromkeys(range(6), same), "a": {0: 5.0, 1: 4.0, 2: 5.0, 7: 1.0}, "b": {0: 1.0, 1: 2.0, 5: 4.0}}
    model = Recommender("user", "pearson", normalize, shrinkage=0.0, damping=0.0).fit(people)
    assert model.nearest_users("k")[0].similarity == 0.0
    assert [each.name for each in model.because("a", 5)] == []
    assert model.recommend("k", n=1)[0].support == 0 and model.recommend_all(1).filter(user="k")["support"][0] == 0
    exact = Recommender("user", "cosine", "standard", shrinkage=0.0).fit(people)
    assert exact.predict([("k", 7)]) == pytest.approx(exact.recommend("k", n=9)[-1].score, rel=1e-12)


def test_huge_ratings_are_answered_alike():
    critics = {"a": {1: 5, 2: 3, 3: 1}, "b": {1: 4, 2: 2, 4: 5}, "c": {1: 1, 2: 5, 3: 4, 4: 1}}
    huge = {user: {item: 1e50 * given for item, given in of.items()} for user, of in critics.items()}
    for by in ("user", "item"):
        model = Recommender(by, "euclidean", "none").fit(huge)
        said = model.predict([("a", 4)])[0]
        assert model.recommend("a")[0].score == pytest.approx(said, rel=1e-12)
        assert model.recommend_all().filter(user="a")["score"][0] == pytest.approx(said, rel=1e-12)
        assert model.because("a", 4) == []  # so far apart that nobody is asked


@pytest.mark.parametrize("least", [2.5, 0, -1])
def test_a_part_of_an_overlap_is_refused(least):
    with pytest.raises(InputError, match="min_overlap must be a whole number"):
        Recommender(min_overlap=least).fit(BASE)


def test_the_gain_of_a_list_begins_at_the_lowest_rating():
    wrong, right = np.array([1.0, 2.0]), np.array([2.0, 1.0])
    one_below = _judged(wrong, np.array([0.0, -1.0]), 10, None, -1.0)[1]
    assert one_below == pytest.approx(1 / np.log2(3)) and _judged(right, np.array([0.0, -1.0]), 10, None, -1.0)[1] == 1
    rng = np.random.default_rng(0)
    for low, high in ((-1, 2), (1, 6), (1000, 1400)):
        truth = rng.integers(low, high, (50, 5)).astype(float)
        figures = [_judged(rng.random(5), each, 3, None, float(low))[1] for each in truth]
        assert min(figures) >= 0 and max(figures) <= 1 and np.ptp(figures) > 0.1


def test_ratings_below_zero_are_judged_as_those_above():
    rng = np.random.default_rng(1)
    learn = {f"u{i}": {j: int(rng.integers(-1, 2)) for j in range(10)} for i in range(20)}
    held = {user: {j: of.pop(j) for j in range(int(user[1:]) % 4, 10, 4)} for user, of in learn.items()}
    moved = [{u: {j: r + 6 for j, r in of.items()} for u, of in part.items()} for part in (learn, held)]
    below = evaluate_recommender(Recommender("user", "pearson").fit(learn), held)
    above = evaluate_recommender(Recommender("user", "pearson").fit(moved[0]), moved[1])
    assert below.ndcg.value == pytest.approx(above.ndcg.value, abs=1e-12) and below.ndcg.high <= 1
