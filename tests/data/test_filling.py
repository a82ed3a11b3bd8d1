import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.impute import SimpleImputer

from likely.data import MeanFiller
from likely.errors import InputError
from likely.statistics import Membership, Moments

cells = st.one_of(st.floats(-1e3, 1e3).map(lambda v: round(v, 3)), st.just(np.nan))
tables = arrays(np.float64, (8, 3), elements=cells).filter(lambda x: not np.isnan(x).all(axis=0).any())
labels = st.lists(st.sampled_from("abc"), min_size=8, max_size=8)


@given(tables, labels)
def test_queries_agree_with_scikit_learn(x, y):
    query = np.where(np.eye(8, 3) == 1, np.nan, x)
    assert np.allclose(MeanFiller.learn(x, y).fill_query(query), SimpleImputer().fit(x).transform(query))


@given(tables, labels)
def test_training_rows_take_the_mean_of_their_class(x, y):
    filler, y = MeanFiller.learn(x, y), np.array(y)
    filled = filler.fill_training(x, y)
    assert np.array_equal(filled[~np.isnan(x)], x[~np.isnan(x)])
    for name in set(y.tolist()):
        for j in range(3):
            column = x[y == name, j]
            known = column[~np.isnan(column)]
            mean = known.mean() if known.size else np.nanmean(x[:, j])  # never observed in this class
            assert np.allclose(filled[y == name, j], np.where(np.isnan(column), mean, column))


def test_an_attribute_unseen_in_one_class_takes_the_overall_mean():
    filler = MeanFiller.learn([[1.0, np.nan], [3.0, np.nan], [5.0, 8.0], [7.0, 6.0]], ["a", "a", "b", "b"])
    assert filler.class_means.tolist() == [[2.0, 7.0], [6.0, 7.0]]


def test_a_filler_comes_from_added_statistics():
    x = np.random.default_rng(0).normal(size=(20, 2))
    x[::3, 0] = np.nan
    y = np.arange(20) % 2
    parts = [Moments.of(x[rows].copy(), Membership.of_labels(y[rows], 2)) for rows in (slice(0, 7), slice(7, 20))]
    merged, whole = MeanFiller.of(parts[0] + parts[1], (0, 1)), MeanFiller.learn(x, y)
    assert np.allclose(merged.class_means, whole.class_means)
    assert np.allclose(merged.overall_mean, whole.overall_mean)
    assert merged.classes == whole.classes


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: MeanFiller.learn([[1.0, np.nan], [2.0, np.nan]], ["a", "b"]), "column 1 has no observed cell"),
        (lambda: MeanFiller.learn(np.empty((0, 2)), []), "no rows"),
        (lambda: MeanFiller.learn([[1.0]], ["a", "b"]), "one label per row"),
        (lambda: MeanFiller.learn([[1.0], [np.inf]], ["a", "b"]), "row 1, column 0 is infinite"),
        (lambda: MeanFiller.learn([1.0], ["a"]), "matrix"),
        (lambda: MeanFiller.learn([[1.0], [2.0]], ["a", None]), "row 1 is missing"),
        (lambda: MeanFiller.learn([[1.0]], ["a"]).fill_training([[2.0]], ["b"]), "'b' of row 0 is not among"),
        (lambda: MeanFiller.learn([[1.0]], ["a"]).fill_training([[2.0]], ["a", "a"]), "one label per row"),
        (lambda: MeanFiller.learn([[1.0]], ["a"]).fill_query([[2.0, 3.0]]), "cannot fill rows of 2"),
        (lambda: MeanFiller.of(Moments.of(np.ones((2, 1)), Membership.whole(2)), ("a", "b")), "1 groups"),
    ],
)
def test_mistakes_are_named(call, message):
    with pytest.raises(InputError, match=message):
        call()
