from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics
from statsmodels.stats.proportion import proportion_confint

from likely.errors import InputError
from likely.evaluation import MEASURES, Confusion, measure

labels = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=60)
RNG = np.random.default_rng(0)
TRUTH = RNG.integers(0, 3, 500)
SAID = np.where(RNG.random(500) < 0.7, TRUTH, RNG.integers(0, 3, 500))
WEIGHT = RNG.random(500) + 0.1
NAMES = np.array(["x", "y", "z"])


@pytest.mark.filterwarnings("ignore:A single label was found")
@given(labels, st.sampled_from([int, bool, str, float]))
def test_counts_agree_with_scikit_learn(pairs, kind):
    truth, said = (np.array([kind(v) for v in side]) for side in zip(*pairs, strict=True))
    ours = Confusion.of(truth, said)
    names = sorted(set(truth.tolist()) | set(said.tolist()))
    assert list(ours.classes) == names
    assert np.array_equal(ours.matrix, metrics.confusion_matrix(truth, said, labels=names))
    four = metrics.multilabel_confusion_matrix(truth, said, labels=names)
    for c, ((tn, fp), (fn, tp)) in zip(names, four.tolist(), strict=True):
        assert ours.counts[c] == {"TP": tp, "FP": fp, "FN": fn, "TN": tn}


@pytest.mark.sample(2)
@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.int64, bool])
def test_whole_numbers_are_counted_as_they_are(dtype):
    truth, said = TRUTH.astype(dtype), SAID.astype(dtype)
    fast = Confusion.of(truth, said)
    slow = Confusion.of(truth.tolist(), said.tolist())
    assert np.array_equal(fast.matrix, slow.matrix)
    assert fast.classes == slow.classes
    assert {type(c) for c in fast.classes} == {type(c) for c in slow.classes}
    truth.flags.writeable = False
    assert np.array_equal(Confusion.of(truth[::2], said[::2]).matrix, Confusion.of(truth[::2], list(said[::2])).matrix)


def test_large_and_negative_numbers_are_labels_too():
    truth, said = np.array([-5, 10**12, 3]), np.array([-5, 3, 3])
    ours = Confusion.of(truth, said)
    assert ours.classes == (-5, 3, 10**12)
    assert ours.matrix.tolist() == [[1, 0, 0], [0, 1, 0], [0, 1, 0]]


@pytest.mark.parametrize("average", ["micro", "macro", "weighted"])
def test_averages_agree_with_scikit_learn(average):
    ours = Confusion.of(NAMES[TRUTH], NAMES[SAID])
    for name, function in (
        ("recall", metrics.recall_score),
        ("precision", metrics.precision_score),
        ("F1", metrics.f1_score),
        ("Jaccard index", metrics.jaccard_score),
    ):
        expected = function(TRUTH, SAID, average=average)
        assert ours.measure(name, average=average).value == pytest.approx(expected)
    weighted = Confusion.of(TRUTH, SAID, sample_weight=WEIGHT)
    expected = metrics.precision_score(TRUTH, SAID, average=average, sample_weight=WEIGHT)
    assert weighted.measure("precision", average=average).value == pytest.approx(expected)


def test_two_class_measures_agree_with_scikit_learn():
    truth, said = TRUTH > 0, SAID > 0
    ours = Confusion.of(truth, said)
    for name, function in (
        ("accuracy", metrics.accuracy_score),
        ("recall", metrics.recall_score),
        ("precision", metrics.precision_score),
        ("F1", metrics.f1_score),
        ("MCC", metrics.matthews_corrcoef),
        ("kappa", metrics.cohen_kappa_score),
        ("balanced accuracy", metrics.balanced_accuracy_score),
    ):
        assert ours.measure(name).value == pytest.approx(function(truth, said))
    plus, minus = metrics.class_likelihood_ratios(truth, said)
    assert ours.measure("LR+").value == pytest.approx(plus)
    assert ours.measure("LR-").value == pytest.approx(minus)


def test_shares_have_wilson_intervals():
    ours = Confusion.of(TRUTH, SAID)
    right, rows = np.trace(ours.matrix), ours.matrix.sum()
    assert (ours.accuracy.low, ours.accuracy.high) == pytest.approx(proportion_confint(right, rows, method="wilson"))
    assert ours.accuracy.n == 500
    recall = ours.measure("recall", of=1)
    low, high = proportion_confint(ours.matrix[1, 1], ours.matrix[1].sum(), method="wilson")
    assert (recall.low, recall.high) == pytest.approx((low, high))
    f1, jaccard = ours.measure("F1", of=1), ours.measure("Jaccard index", of=1)
    assert (f1.low, f1.high) == pytest.approx(tuple(2 * j / (1 + j) for j in (jaccard.low, jaccard.high)))
    assert ours.error.value == pytest.approx(1 - ours.accuracy.value)
    assert ours.measure("recall", of=1, confidence=0.5).width < recall.width


@pytest.mark.parametrize("average", ["micro", "macro", "weighted", 0])
@pytest.mark.parametrize("name", ["recall", "F1", "correlation", "kappa", "false alarm rate", "LR+", "informedness"])
@pytest.mark.parametrize("weighted", [False, True])
def test_delta_errors_agree_with_resampling(name, average, weighted):
    """The standard error against that of 2,000 samples of the rows."""
    weight = WEIGHT if weighted else None
    ours = Confusion.of(TRUTH, SAID, sample_weight=weight)
    place = {"of": 0} if average == 0 else {"average": average}
    estimate = ours.measure(name, **place)
    if name == "F1" and average == 0:
        assert estimate.method.startswith("Wilson")
        return
    drawn = averaged(measure(name).function, average, *resampled_counts(weighted))
    assert estimate.standard_error == pytest.approx(np.std(drawn), rel=0.12)


@cache
def resampled_counts(weighted):
    """TP, FP, FN and TN (4, samples, classes) of 2,000 samples of the rows."""
    rng = np.random.default_rng(1)
    rows = rng.integers(0, 500, (2000, 500))
    cell = (3 * TRUTH + SAID)[rows] + 9 * np.arange(2000)[:, None]
    weight = WEIGHT[rows].ravel() if weighted else None
    matrix = np.bincount(cell.ravel(), weights=weight, minlength=9 * 2000).reshape(2000, 3, 3)
    tp = matrix[:, range(3), range(3)]
    fp, fn = matrix.sum(axis=1) - tp, matrix.sum(axis=2) - tp
    return tp, fp, fn, matrix.sum(axis=(1, 2))[:, None] - tp - fp - fn


def averaged(function, average, tp, fp, fn, tn):
    if average == "micro":
        return function(*(c.sum(axis=1) for c in (tp, fp, fn, tn)))
    each = function(tp, fp, fn, tn)
    if average == "macro":
        return each.mean(axis=1)
    return np.average(each, axis=1, weights=tp + fn) if average == "weighted" else each[:, average]


def test_a_perfect_classifier_is_not_certain():
    perfect = Confusion.of(TRUTH[:30], TRUTH[:30])
    for m in MEASURES:
        for place in ({"of": 1}, *([{"average": "macro"}] if m.averaged else [])):
            figure = perfect.measure(m, **place)
            assert figure.low <= figure.value <= figure.high
            assert figure.width > 0.01, (m.name, place)


@given(labels)
def test_every_measure_has_an_interval_around_it(pairs):
    truth, said = zip(*pairs, strict=True)
    ours = Confusion.of(truth, said)
    for m in MEASURES:
        for place in [*({"of": c} for c in ours.classes), {"average": "micro"}, {"average": "macro"}]:
            figure = ours.measure(m, **place)
            assert not np.isnan([figure.low, figure.high]).any()
            if figure.defined:
                assert figure.low <= figure.value <= figure.high
            else:
                assert (figure.low, figure.high) == m.bounds


def test_undefined_classes_are_left_out_of_a_mean_and_named():
    ours = Confusion(("a", "b", "c"), np.array([[5, 1, 0], [2, 4, 0], [0, 0, 0]]))
    recall = ours.measure("recall", average="macro")
    assert recall.value == pytest.approx((5 / 6 + 4 / 6) / 2)
    assert recall.note == "0/0, left out: class 'c'"
    nothing = ours.measure("recall", of="c")
    assert not nothing.defined
    assert str(nothing).startswith("undefined")


def test_rejected_rows_are_misses_but_no_alarms():
    truth = ["a", "a", "a", "b", "b", "b"]
    said = ["a", None, "b", "b", None, "a"]
    ours = Confusion.of(truth, said)
    assert ours.matrix.tolist() == [[1, 1, 1], [1, 1, 1]]
    assert ours.rejected.tolist() == [1, 1]
    assert ours.counts["a"] == {"TP": 1, "FP": 1, "FN": 2, "TN": 2}
    assert ours.accuracy.value == pytest.approx(2 / 6)
    assert ours.coverage.value == pytest.approx(4 / 6)
    assert ours.selective_accuracy.value == pytest.approx(2 / 4)
    assert ours.measure("precision", average="micro").value == pytest.approx(2 / 4)
    assert ours.measure("recall", average="micro").value == pytest.approx(2 / 6)
    marked = Confusion.of(truth, ["a", "?", "b", "b", "?", "a"], reject_label="?")
    assert np.array_equal(marked.matrix, ours.matrix)
    silent = Confusion.of(truth, [None] * 6)
    assert silent.accuracy.value == 0
    assert "rejected" in str(silent)


def test_weights_are_effective_rows():
    twice = Confusion.of(TRUTH, SAID, sample_weight=np.full(500, 2.0))
    once = Confusion.of(TRUTH, SAID)
    for name in ("accuracy", "F1", "correlation"):
        for place in ({"of": 1}, {"average": "macro"}):
            a, b = twice.measure(name, **place), once.measure(name, **place)
            assert (a.value, a.low, a.high) == pytest.approx((b.value, b.low, b.high))
    uneven = Confusion.of(TRUTH, SAID, sample_weight=WEIGHT)
    assert uneven.n == pytest.approx(WEIGHT.sum() ** 2 / (WEIGHT**2).sum())
    assert uneven.n < 500
    assert uneven.accuracy.value == pytest.approx(metrics.accuracy_score(TRUTH, SAID, sample_weight=WEIGHT))


def test_groups_are_drawn_as_a_whole():
    group = np.repeat(np.arange(50), 10)
    said = np.where(np.repeat(RNG.random(50) < 0.7, 10), TRUTH, (TRUTH + 1) % 3)  # groups are right or wrong together
    apart, together = Confusion.of(TRUTH, said), Confusion.of(TRUTH, said, groups=group)
    assert together.accuracy.method == "cluster bootstrap (BCa) over 50 groups"
    assert together.accuracy.value == apart.accuracy.value
    assert together.accuracy.width > 2 * apart.accuracy.width
    expected = np.sqrt(together.accuracy.value * (1 - together.accuracy.value) / 50)
    assert together.accuracy.standard_error == pytest.approx(expected, rel=0.1)
    assert together.measure("F1", of=1).method.startswith("cluster bootstrap")
    assert together.coverage.value == 1
    alone = Confusion.of(TRUTH, SAID, groups=np.arange(500))  # every row its own group: like the delta method
    for name in ("recall", "correlation"):
        a, b = alone.measure(name, average="macro"), Confusion.of(TRUTH, SAID).measure(name, average="macro")
        assert (a.low, a.high) == pytest.approx((b.low, b.high), abs=0.01)
    perfect = Confusion.of(TRUTH, TRUTH, groups=group)
    assert perfect.accuracy.method == "Wilson over 50 groups"
    assert 0.9 < perfect.accuracy.low < 0.95


def test_sums_are_the_rows_of_both():
    whole = Confusion.of(TRUTH, SAID)
    parts = [Confusion.of(TRUTH[s], SAID[s], classes=(0, 1, 2)) for s in (slice(0, 100), slice(100, 500))]
    assert np.array_equal((parts[0] + parts[1]).matrix, whole.matrix)
    weighted = [
        Confusion.of(TRUTH[s], SAID[s], classes=(0, 1, 2), sample_weight=WEIGHT[s])
        for s in (slice(0, 100), slice(100, 500))
    ]
    both, at_once = weighted[0] + weighted[1], Confusion.of(TRUTH, SAID, sample_weight=WEIGHT)
    assert both.n == pytest.approx(at_once.n)
    assert both.accuracy.low == pytest.approx(at_once.accuracy.low)
    with_rejected = Confusion.of([0, 1, 2], [0, None, 2], classes=(0, 1, 2))
    assert (whole + with_rejected).rejected.tolist() == [0, 1, 0]
    grouped = Confusion.of(TRUTH, SAID, groups=TRUTH)
    assert len((grouped + grouped).by_group) == 6
    with pytest.raises(InputError, match="classes"):
        whole + Confusion.of(["a"], ["a"])
    with pytest.raises(InputError, match="groups"):
        whole + grouped


def test_imbalance_is_said_in_words():
    rare = Confusion(("no", "yes"), np.array([[980, 0], [20, 0]]))
    assert rare.imbalance == (
        "accuracy 0.980 is no better than always saying 'no' (0.980)",
        "class 'yes' (2 % of the rows) is never found: its recall is 0",
    )
    assert "never found" in str(rare)
    assert Confusion.of(TRUTH, SAID).imbalance == ()
    assert Confusion.of(["a", "a"], ["a", "a"]).imbalance == ()


def test_text_and_frame():
    ours = Confusion(("A", "B", "C"), np.array([[77, 15, 8], [5, 88, 7], [9, 2, 89]]))
    assert str(ours).splitlines()[1].split() == ["A", "77", "15", "8", "100"]
    assert "0.847 [0.802, 0.883] 95 % Wilson, n=300" in str(ours)
    frame = ours.frame("medical")
    averaged = sum(m.averaged for m in MEASURES)
    assert frame.height == 3 * len(MEASURES) + 3 * averaged
    chosen = frame.filter((frame["of"] == "B") & (frame["measure"] == "sensitivity")).to_dicts()[0]
    assert chosen["value"] == pytest.approx(0.88)
    assert chosen["formula"] == "TP / (TP + FN)"
    assert chosen["also"] == "recall"
    report = ours.report(average="micro")
    assert "sum of TP / N" in report
    assert "sensitivity" in ours.report(of="A", vocabulary="medical")


@pytest.mark.parametrize(
    "arguments, message",
    [
        (([0, 1], [0]), "2 true labels but 1 answers"),
        (([], []), "empty"),
        ((["a", None], ["a", "a"]), "label of row 1 of the truth is missing"),
        ((["1", "2"], [1, 2]), "texts and numbers are never equal"),
        ((["a", "b"], ["a", "b"], ["a"]), "row 1 of the truth is of class 'b'"),
        ((["a", "a"], ["a", "q"], ["a", "b"]), "row 1 of the answers is of class 'q'"),
        ((["a"], ["a"], ["a", "a"]), "twice"),
    ],
)
def test_labels_that_are_refused(arguments, message):
    with pytest.raises(InputError, match=message):
        Confusion.of(*arguments)


def test_matrices_and_questions_that_are_refused():
    with pytest.raises(InputError, match=r"shape \(2, 2\), or \(2, 3\)"):
        Confusion(("a", "b"), np.ones((3, 3)))
    with pytest.raises(InputError, match="not negative"):
        Confusion(("a", "b"), np.array([[1, -1], [0, 1]]))
    with pytest.raises(InputError, match="no row was judged"):
        Confusion(("a", "b"), np.zeros((2, 2)))
    ours = Confusion.of(TRUTH, SAID)
    with pytest.raises(InputError, match="say of which class"):
        ours.measure("recall")
    with pytest.raises(InputError, match="there is no class 7"):
        ours.measure("recall", of=7)
    with pytest.raises(InputError, match="not both"):
        ours.measure("recall", of=1, average="macro")
    with pytest.raises(InputError, match="unknown average"):
        ours.measure("recall", average="mean")


@pytest.mark.sample(2)
@pytest.mark.parametrize("classes", [2, 3, 5])
@pytest.mark.parametrize("weighted", [False, True])
def test_agreement_of_the_whole_table_is_scikit_learns(classes, weighted):
    rng = np.random.default_rng(classes)
    truth = rng.integers(0, classes, 300)
    said = np.where(rng.random(300) < 0.6, truth, rng.integers(0, classes, 300))
    weight = rng.exponential(size=300) if weighted else None
    table = Confusion.of(truth, said, sample_weight=weight)
    kappa = metrics.cohen_kappa_score(truth, said, sample_weight=weight)
    correlation = metrics.matthews_corrcoef(truth, said, sample_weight=weight)
    assert table.kappa.value == pytest.approx(kappa)
    assert table.correlation.value == pytest.approx(correlation)
    assert table.measure("kappa").value == pytest.approx(kappa)
    assert table.measure("MCC").value == pytest.approx(correlation)
    drawn = []
    for _ in range(200):
        i = rng.integers(0, 300, 300)
        again = Confusion.of(truth[i], said[i], sample_weight=None if weight is None else weight[i])
        drawn.append((again.kappa.value, again.correlation.value))
    errors = table.kappa.standard_error, table.correlation.standard_error
    assert errors == pytest.approx(tuple(np.std(drawn, axis=0)), rel=0.2)
    if classes == 2:
        one = table.measure("kappa", of=1)
        assert (table.kappa.low, table.kappa.high) == pytest.approx((one.low, one.high))


def test_agreement_where_it_is_undefined_perfect_rejected_or_in_groups():
    assert np.isnan(Confusion.of([1, 1, 1], [1, 1, 1]).kappa.value)
    assert np.isnan(Confusion.of([1, 2, 3], [1, 1, 1]).correlation.value)
    assert Confusion.of([1, 2, 3], [1, 1, 1]).kappa.value == 0
    perfect = Confusion.of([1, 2, 3] * 4, [1, 2, 3] * 4).correlation
    assert perfect.value == perfect.high == 1
    assert perfect.low < 0.9
    truth, said = ["a", "b", "c", "a", "b", "c"], ["a", "b", None, "b", "b", "c"]
    rejected = Confusion.of(truth, said)
    named = ["none" if s is None else s for s in said]
    assert rejected.kappa.value == pytest.approx(metrics.cohen_kappa_score(truth, named))
    assert rejected.correlation.value == pytest.approx(metrics.matthews_corrcoef(truth, named))
    grouped = Confusion.of(truth * 8, said * 8, groups=np.arange(48) // 2).kappa
    assert "bootstrap" in grouped.method
    assert grouped.low < grouped.value < grouped.high


def test_balanced_accuracy_of_several_classes_is_the_mean_recall():
    from sklearn.metrics import balanced_accuracy_score

    rng = np.random.default_rng(0)
    for k in (2, 3, 5):
        y = rng.integers(0, k, 200)
        said = np.where(rng.random(200) < 0.6, y, rng.integers(0, k, 200))
        found = Confusion.of(y, said).measure("balanced accuracy")
        assert found.value == pytest.approx(balanced_accuracy_score(y, said), rel=1e-12)
        assert balanced_accuracy_score(y, said) in found
