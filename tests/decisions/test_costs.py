import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from likely.decisions import CostMatrix, decide
from likely.errors import InputError, LikelyError

SPAM = {"ham": {"ham": 0, "spam": 10}, "spam": {"ham": 1, "spam": 0}}

matrices = st.integers(2, 5).flatmap(
    lambda k: arrays(np.float64, (k, k), elements=st.floats(-100, 100, allow_subnormal=False))
)


def posteriors(k, seed, n=30):
    return np.random.default_rng(seed).dirichlet(np.ones(k), n)


@pytest.mark.parametrize(
    "source",
    [
        SPAM,
        {"ham": {"spam": 10}, "spam": {"ham": 1}},
        CostMatrix([[0, 1], [10, 0]], ["spam", "ham"]),
        pd.DataFrame([[0, 1], [10, 0]], index=["spam", "ham"], columns=["spam", "ham"]),
        pd.DataFrame([[10, 0], [0, 1]], index=["ham", "spam"], columns=["spam", "ham"]),
        [[0, 10], [1, 0]],
        np.array([[0, 10], [1, 0]]),
    ],
    ids=["dicts", "without diagonal", "matrix", "frame", "frame in two orders", "lists", "array"],
)
def test_every_source_gives_the_same_costs(source):
    costs = CostMatrix.of(source, ["ham", "spam"])
    assert costs.classes == ("ham", "spam")
    assert costs.values.tolist() == [[0, 10], [1, 0]]


@pytest.mark.parametrize(
    "text",
    [
        "truth,ham,spam\nham,0,10\nspam,1,0\n",
        ",spam,ham\nham,10,0\nspam,0,1\n",
        "\ufeffx;ham;spam\nham;0;10\n\nspam;1;0\n",
        "truth\tham\tspam\nham\t0\t10\nspam\t1\t0",
        '"",ham,"spam"\nham,0,1e1\nspam, 1 ,0\n',
        "0,10\n1,0\n",
    ],
    ids=["named", "columns in another order", "semicolons and mark", "tabs", "quoted", "bare numbers"],
)
def test_costs_from_csv(tmp_path, text):
    path = tmp_path / "costs.csv"
    path.write_text(text, encoding="utf-8")
    assert CostMatrix.of(path, ["ham", "spam"]).values.tolist() == [[0, 10], [1, 0]]
    assert CostMatrix.of(str(path), ["ham", "spam"]).values.tolist() == [[0, 10], [1, 0]]


def test_costs_from_weka(tmp_path):
    path = tmp_path / "three.cost"
    path.write_text("% Rows\tColumns\n3\t3\n% Matrix elements\n0.0\t5.0\t2\n1.0\t0.0\t1\n\n3\t4\t0\n")
    costs = CostMatrix.of(path, ["a", "b", "c"])
    assert costs.values.tolist() == [[0, 5, 2], [1, 0, 1], [3, 4, 0]]
    # rows are the truth: when all are a, answering b costs 5
    assert costs.risks([[1.0, 0.0, 0.0]]).tolist() == [[0, 5, 2]]


def test_names_of_a_file_match_numbers_by_their_spelling(tmp_path):
    path = tmp_path / "costs.csv"
    path.write_text("truth,1,0\n1,0,7\n0,2,0\n")
    assert CostMatrix.of(path, np.array([0, 1])).values.tolist() == [[0, 2], [7, 0]]


def test_costs_per_row_are_each_row_by_itself():
    rng = np.random.default_rng(0)
    p, costs = rng.dirichlet(np.ones(3), 6), rng.uniform(0, 5, (6, 3, 3))
    together = CostMatrix.of(costs, list("abc"))
    assert together.per_row
    alone = [CostMatrix.of(c, list("abc")).risks(row[None])[0] for c, row in zip(costs, p, strict=True)]
    assert np.allclose(together.risks(p), alone, rtol=1e-14)
    swapped = CostMatrix(costs, ("a", "b", "c")).aligned(["c", "a", "b"])
    assert np.allclose(swapped.risks(p[:, [2, 0, 1]]), np.array(alone)[:, [2, 0, 1]])


@pytest.mark.parametrize(
    ("source", "classes", "word"),
    [
        ([[0, 1, 2], [1, 0, 2]], None, "square"),
        ([0, 1], None, "square"),
        ([[0, np.nan], [1, 0]], None, "nan"),
        ([[0, np.inf], [1, 0]], None, "inf"),
        ([[0, "dear"], [1, 0]], None, "numbers"),
        ([[0, 1], [1, 0]], ["a", "b", "c"], "2 classes"),
        (SPAM, ["ham", "spam", "eggs"], "'eggs'"),
        (SPAM, ["ham", "spams"], "did you mean 'spam'"),
        (SPAM, ["ham"], "'spam'"),
        ({"ham": {"spam": 1}, "spam": {"hmm": 2}}, None, "did you mean 'ham'"),
        ({"a": {"b": 1}, "b": {"a": 1, "c": 2}}, None, "'c'"),
        ({"a": {"b": 1}, "b": {}}, None, "nothing of the answer 'a'"),
        ({"a": 1, "b": 2}, None, "must map each answer"),
        ({"a": {"b": "x"}, "b": {"a": 1}}, None, "a cost is a number"),
        ("nowhere.csv", None, "no file"),
    ],
)
def test_wrong_costs_are_refused_in_words(source, classes, word):
    with pytest.raises(InputError, match=word) as caught:
        CostMatrix.of(source, classes)
    assert isinstance(caught.value, LikelyError)


@pytest.mark.parametrize(
    ("name", "text", "word"),
    [
        ("a.cost", "", "nothing"),
        ("a.cost", "2 3\n0 1\n1 0\n", "equal"),
        ("a.cost", "2 2\n0 1\n", "2 rows of 2"),
        ("a.cost", "2 2\n0 a1+5\n1 0\n", "a cost is a number"),
        ("a.csv", "\n\n", "empty"),
        ("a.csv", "x,a,b\na,0,1\n", "'b'"),
        ("a.csv", "x,a,b\na,0\nb,1,0\n", "1 costs for 2"),
        ("a.csv", "x,a,b\na,0,1\na,1,0\n", "two rows of 'a'"),
        ("a.csv", "x,a,a\na,0,1\n", "more than once"),
        ("a.csv", "0,1\n1\n", "row 2 has 1"),
    ],
)
def test_wrong_files_are_refused_in_words(tmp_path, name, text, word):
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(InputError, match=word):
        CostMatrix.of(path)


@given(matrices, st.integers(0, 99), st.lists(st.floats(-50, 50), min_size=5, max_size=5))
def test_a_constant_per_truth_changes_no_decision(costs, seed, shift):
    k = len(costs)
    p = posteriors(k, seed)
    moved = costs + np.array(shift)[:k, None]
    here, there = decide(p, costs=costs), decide(p, costs=moved)
    clear = here.margin > 1e-9 * (1 + np.abs(costs).max() + np.abs(moved).max())
    assert (here.code == there.code)[clear].all()
    assert np.allclose(here.margin, there.margin, atol=1e-9)
    assert np.allclose(there.expected_cost - here.expected_cost, p @ np.array(shift)[:k], atol=1e-9)


@given(matrices, st.integers(0, 99), st.floats(0.1, 100))
def test_the_unit_of_the_costs_changes_no_decision(costs, seed, unit):
    p = posteriors(len(costs), seed)
    here, there = decide(p, costs=costs), decide(p, costs=costs * unit)
    clear = here.margin > 1e-9 * (1 + np.abs(costs).max())
    assert (here.code == there.code)[clear].all()


@given(matrices, st.integers(0, 99), st.randoms(use_true_random=False))
def test_renaming_classes_renames_answers(costs, seed, random):
    k = len(costs)
    names = [f"class {i}" for i in range(k)]
    order = random.sample(range(k), k)
    p = posteriors(k, seed)
    labelled = CostMatrix.of(costs, names)
    here = decide(p, names, labelled)
    there = decide(p[:, order], [names[i] for i in order], labelled)
    clear = here.margin > 1e-9 * (1 + np.abs(costs).max())
    assert (here.best == there.best)[clear].all()
    assert np.allclose(here.expected_cost, there.expected_cost, atol=1e-9)
