import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.preprocessing import LabelBinarizer, LabelEncoder

from likely.data import (
    augmented,
    from_indicator,
    from_indices,
    from_signs,
    indicator,
    indices,
    signs,
    without_constant,
)
from likely.errors import InputError

texts = st.lists(st.sampled_from(["ham", "spam", "eggs", "été"]), min_size=1, max_size=20)


@given(texts)
def test_indices_agree_with_scikit_learn(labels):
    codes, classes = indices(labels)
    encoder = LabelEncoder().fit(labels)
    assert np.array_equal(codes, encoder.transform(labels))
    assert list(classes) == encoder.classes_.tolist()


def test_indicator_agrees_with_scikit_learn():
    labels = ["b", "c", "a", "c"]
    matrix, classes = indicator(labels)
    binarizer = LabelBinarizer().fit(labels)
    assert np.array_equal(matrix, binarizer.transform(labels))
    assert list(classes) == binarizer.classes_.tolist()


@given(texts)
def test_every_coding_comes_back(labels):
    codes, classes = indices(labels)
    matrix, same = indicator(labels)
    assert same == classes
    assert from_indices(codes, classes).tolist() == labels
    assert from_indicator(matrix, classes).tolist() == labels
    assert (matrix.sum(axis=1) == 1).all()


@given(texts, st.integers(-2, 2))
def test_places_may_begin_anywhere(labels, start):
    codes, classes = indices(labels, start=start)
    assert np.array_equal(codes, indices(labels)[0] + start)
    assert np.array_equal(indices(labels, classes, start)[0], codes)
    assert from_indices(codes, classes, start).tolist() == labels


@given(st.lists(st.booleans(), min_size=1).filter(lambda y: len(set(y)) == 2))
def test_signs_come_back(labels):
    values, classes = signs(labels)
    assert classes == (False, True)
    assert values.tolist() == [1 if label else -1 for label in labels]
    assert from_signs(values, classes).tolist() == labels


def test_classes_given_decide_the_order_and_may_be_absent():
    assert indices(["b", "a"], classes=("b", "c", "a"))[0].tolist() == [0, 2]
    assert indicator(["b"], classes=("b", "c"))[0].tolist() == [[1.0, 0.0]]
    assert signs(["spam"], classes=("ham", "spam"))[0].tolist() == [1]
    assert signs(["spam"], classes=("spam", "ham"))[0].tolist() == [-1]


def test_whole_numbers_stay_numbers():
    values, classes = signs(np.array([3, 7, 3]))
    assert classes == (3, 7)
    assert from_signs(values, classes).dtype.kind == "i"
    assert from_indices([0, 1], (("a", 1), ("b", 2))).tolist() == [("a", 1), ("b", 2)]


def test_a_bias_is_the_weight_of_the_constant():
    rng = np.random.default_rng(0)
    x, w, bias = rng.normal(size=(5, 3)), rng.normal(size=3), 0.7
    assert np.allclose(augmented(x) @ [bias, *w], x @ w + bias)
    assert np.array_equal(without_constant(augmented(x)), x)
    assert augmented(np.empty((0, 2))).shape == (0, 3)
    assert augmented(x[0]) @ [bias, *w] == pytest.approx(x[0] @ w + bias)
    assert np.array_equal(without_constant(augmented(x[0])), x[0])


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: indices(["a", None, "b"]), "label of row 1 is missing"),
        (lambda: indices([1.0, np.nan]), "label of row 1 is missing"),
        (lambda: indices(["a", "z"], classes=("a", "b")), "'z' of row 1 is not among"),
        (lambda: indices(["a"], classes=("a", "a")), "twice"),
        (lambda: signs(["a", "b", "c"]), "two classes, got 3"),
        (lambda: signs(["a"]), "name two `classes`"),
        (lambda: from_signs([1, 0], ("a", "b")), "-1 and \\+1"),
        (lambda: from_signs([1], ("a", "b", "c")), "two classes"),
        (lambda: from_indices([0, 2], ("a", "b")), "row 1 holds code 2"),
        (lambda: from_indices([0.5], ("a", "b")), "whole numbers"),
        (lambda: from_indicator([[1, 1]], ("a", "b")), "single one among zeros"),
        (lambda: from_indicator([[0.4, 1]], ("a", "b")), "single one among zeros"),
        (lambda: from_indicator([[1, 0, 0]], ("a", "b")), "columns"),
        (lambda: from_indices([0, 1], ("a", "b"), start=1), r"row 0 holds code 0, .* 1 \.\. 2"),
        (lambda: augmented(np.zeros((1, 2, 3))), "matrix"),
        (lambda: without_constant([0, 3]), "column of ones"),
        (lambda: without_constant([[2, 3]]), "column of ones"),
    ],
)
def test_mistakes_are_named(call, message):
    with pytest.raises(InputError, match=message):
        call()
