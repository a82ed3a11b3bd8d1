import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn import metrics
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import NearestCentroid
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from likely import Decider, GaussianBayes, NaiveBayes, compare, cross_validate, scan
from likely.errors import InputError
from likely.evaluation import Estimate, Evaluation, PrecisionRecallCurve, RocCurve, evaluate

X2, Y2 = load_breast_cancer(return_X_y=True)
X3, CODE3 = load_iris(return_X_y=True)
Y3 = np.array(["setosa", "versicolor", "virginica"])[CODE3]
TRAIN2, TEST2 = slice(0, 300), slice(300, None)
ORDER = np.random.default_rng(0).permutation(150)
TRAIN3, TEST3 = ORDER[:75], ORDER[75:]


@pytest.fixture(scope="module")
def two():
    return GaussianNB().fit(X2[TRAIN2], Y2[TRAIN2])


@pytest.fixture(scope="module")
def three():
    return make_pipeline(StandardScaler(), LogisticRegression()).fit(X3[TRAIN3], Y3[TRAIN3])


def test_two_classes_agree_with_scikit_learn(two):
    x, y = X2[TEST2], Y2[TEST2]
    ours = evaluate(two, x, y)
    said, p = two.predict(x), two.predict_proba(x)[:, 1]
    expected = {
        "accuracy": metrics.accuracy_score(y, said),
        "error rate": 1 - metrics.accuracy_score(y, said),
        "recall": metrics.recall_score(y, said),
        "precision": metrics.precision_score(y, said),
        "F1": metrics.f1_score(y, said),
        "correlation": metrics.matthews_corrcoef(y, said),
        "Brier score": metrics.brier_score_loss(y, p),
        "ROC area": metrics.roc_auc_score(y, p),
        "average precision": metrics.average_precision_score(y, p),
    }
    for name, value in expected.items():
        assert ours.figures[name].value == pytest.approx(value), name
    assert set(ours.figures) == {*expected, "log-loss", "calibration error"}
    assert all(isinstance(figure, Estimate) for figure in ours.figures.values())
    assert (ours.positive, ours.n, ours.classes) == (1, 269, (0, 1))
    assert isinstance(ours.roc, RocCurve)
    assert isinstance(ours.precision_recall, PrecisionRecallCurve)
    assert ours.measure("recall").value == ours.figures["recall"].value
    assert ours.measure("recall", average="macro").value == pytest.approx(metrics.balanced_accuracy_score(y, said))
    assert ours.decomposition("Brier").score == ours.brier


def test_the_first_class_may_be_positive(two):
    x, y = X2[TEST2], Y2[TEST2]
    ours = evaluate(two, x, y, pos_label=0)
    assert ours.measure("recall").value == pytest.approx(metrics.recall_score(y, two.predict(x), pos_label=0))
    assert ours.roc_area().value == pytest.approx(metrics.roc_auc_score(y, two.predict_proba(x)[:, 1]))
    assert ours.roc.positive == 0


def test_several_classes_agree_with_scikit_learn(three):
    x, y = X3[TEST3], Y3[TEST3]
    ours = evaluate(three, x, y)
    said, p = three.predict(x), three.predict_proba(x)
    assert ours.figures["macro F1"].value == pytest.approx(metrics.f1_score(y, said, average="macro"))
    assert ours.log_loss.value == pytest.approx(metrics.log_loss(y, p))
    assert ours.roc_area().value == pytest.approx(metrics.roc_auc_score(y, p, multi_class="ovr"))
    assert ours.roc_area("hand-till").value == pytest.approx(metrics.roc_auc_score(y, p, multi_class="ovo"))
    one = ours.roc_of("versicolor")
    assert one.area.value == pytest.approx(metrics.roc_auc_score(y == "versicolor", p[:, 1]))
    chosen = evaluate(three, x, y, pos_label="versicolor")
    assert chosen.roc_area().value == one.area.value
    assert chosen.average_precision.value == pytest.approx(metrics.average_precision_score(y == "versicolor", p[:, 1]))
    with pytest.raises(InputError, match=r"3 classes: ask for roc_of\(class\)"):
        ours.roc
    with pytest.raises(InputError, match="3 classes"):
        ours.average_precision


def test_our_own_models_and_every_kind_of_table():
    for frame in (pd.DataFrame, pl.DataFrame):
        table = frame(dict(zip("abcd", X3.T, strict=True)))
        model = NaiveBayes().fit(table, Y3)
        ours = evaluate(model, table, Y3)
        assert ours.accuracy.value > 0.9
        with_target = frame({**dict(zip("abcd", X3.T, strict=True)), "kind": Y3})
        assert evaluate(model, with_target, "kind").accuracy == ours.accuracy
        with pytest.raises(InputError, match="no target column 'species'"):
            evaluate(model, with_target, "species")


def test_predictions_from_anywhere(two):
    x, y = X2[TEST2], Y2[TEST2]
    whole = evaluate(two, x, y)
    p = two.predict_proba(x)
    rounded = evaluate(p, y=y)  # where a logarithm is finite the probability may round to 0
    assert rounded.log_loss.value == pytest.approx(whole.log_loss.value) and rounded.log_loss.high == np.inf
    assert str(rounded.confusion) == str(whole.confusion) and rounded.brier == whole.brier
    for answers in (p[:, 1], p[:, 1].tolist(), pd.Series(p[:, 1])):
        assert str(evaluate(answers, y=y)) == str(rounded)
    assert evaluate(p[:, 0], y=y, pos_label=0).log_loss.value == pytest.approx(whole.log_loss.value)
    for answers in (two.predict(x), two.predict(x).tolist(), two.predict(x).astype(float), pl.Series(two.predict(x))):
        labels = evaluate(answers, y=y)
        assert labels.accuracy == whole.accuracy
        assert "log-loss" not in labels.figures
    texts = np.array(["no", "yes"])
    assert evaluate(texts[two.predict(x)], y=texts[y]).measure("recall") == whole.measure("recall")
    named = evaluate(p[:, ::-1], y=texts[y], classes=["yes", "no"])
    assert named.log_loss.value == pytest.approx(whole.log_loss.value)


def test_models_that_give_less():
    x, y = X2[TRAIN2], Y2[TRAIN2]
    ridge = RidgeClassifier().fit(x, y)  # a decision function, no probabilities
    ours = evaluate(ridge, X2[TEST2], Y2[TEST2])
    score = ridge.decision_function(X2[TEST2])
    assert ours.roc_area().value == pytest.approx(metrics.roc_auc_score(Y2[TEST2], score))
    assert evaluate(ridge, X2[TEST2], Y2[TEST2], pos_label=0).roc_area().value == pytest.approx(ours.roc_area().value)
    assert "no log-loss and Brier score: there are no probabilities" in ours.notes
    with pytest.raises(InputError, match="need probabilities"):
        ours.log_loss
    many = evaluate(SVC().fit(X3[TRAIN3], Y3[TRAIN3]), X3[TEST3], Y3[TEST3])
    assert 0.9 < many.roc_area().value <= 1
    centroid = NearestCentroid().fit(X3[TRAIN3], Y3[TRAIN3])
    only = type("Only", (), {"predict": centroid.predict})()  # nothing but predict, and no classes_
    labels = evaluate(only, X3[TEST3], Y3[TEST3])
    assert labels.accuracy.value == pytest.approx(centroid.score(X3[TEST3], Y3[TEST3]))
    with pytest.raises(InputError, match="labels only"):
        labels.roc_area()


def test_one_class_in_y_has_everything_but_curves(two):
    x, y = X2[TEST2], Y2[TEST2]
    ours = evaluate(two, x[y == 1], y[y == 1])
    assert ours.accuracy.value == ours.measure("recall").value
    assert np.isfinite(ours.log_loss.value)
    assert "ROC area" not in ours.figures
    assert "no ROC curve: y has only one class, 1" in ours.notes
    assert "no ROC curve" in str(ours)
    with pytest.raises(InputError, match="no row of 0"):
        ours.roc
    with pytest.raises(InputError, match="no row of 0"):
        ours.roc_area()
    with pytest.raises(InputError, match="only one class, 1"):
        evaluate(two, x[y == 1], y[y == 1], groups=np.ones(np.sum(y == 1))).roc_area()


def test_costs_of_what_was_said(two):
    x, y = X2[TEST2], Y2[TEST2]
    costs = np.array([[0.0, 5.0], [1.0, 0.0]])
    ours = evaluate(two, x, y, costs=costs)
    each = costs[y, two.predict(x)]
    assert ours.cost.value == pytest.approx(each.mean())
    assert ours.figures["mean cost"] == ours.cost
    best = ours.best_point()
    assert best.expected_cost <= ours.cost.value + 1e-12
    assert best == evaluate(two, x, y, costs={0: {1: 5}, 1: {0: 1}}).best_point()
    flipped = evaluate(two, x, y, costs=costs, pos_label=0).best_point()
    assert flipped.expected_cost == pytest.approx(best.expected_cost)
    own = np.broadcast_to(costs, (len(y), 2, 2)) * np.arange(len(y))[:, None, None]
    assert evaluate(two, x, y, costs=own).cost.value == pytest.approx((each * np.arange(len(y))).mean())
    with pytest.raises(InputError, match="give costs"):
        evaluate(two, x, y).cost
    with pytest.raises(InputError, match="costs are of 3 classes"):
        evaluate(two, x, y, costs=np.ones((3, 3)))
    with pytest.raises(InputError, match="say nothing of class 0"):
        evaluate(two, x, y, costs={"ill": {"well": 1}, "well": {"ill": 1}})


def test_rejected_rows():
    y = ["a", "a", "b", "b"]
    ours = evaluate(["a", None, "b", "a"], y=y, costs=[[0, 1], [1, 0]])
    assert ours.figures["answered"].value == 0.75
    assert ours.figures["accuracy of answers"].value == pytest.approx(2 / 3)
    assert "mean cost" not in ours.figures
    with pytest.raises(InputError, match="1 rows were rejected"):
        ours.cost
    priced = evaluate(["a", None, "b", "a"], y=y, costs=[[0, 1], [1, 0]], reject_cost=0.2)
    assert priced.cost.value == pytest.approx((1 + 0.2) / 4)
    marked = evaluate(["a", "?", "b", "a"], y=y, reject_label="?")
    assert marked.accuracy == ours.accuracy


def test_weights_and_groups_reach_every_figure(two):
    x, y = X2[TEST2], Y2[TEST2]
    rng = np.random.default_rng(0)
    weight = rng.random(len(y))
    ours = evaluate(two, x, y, sample_weight=weight)
    p = two.predict_proba(x)[:, 1]
    assert ours.accuracy.value == pytest.approx(np.average(two.predict(x) == y, weights=weight))
    assert ours.roc_area().value == pytest.approx(metrics.roc_auc_score(y, p, sample_weight=weight))
    assert ours.brier.value == pytest.approx(metrics.brier_score_loss(y, p, sample_weight=weight))
    assert all(figure.n < len(y) for figure in ours.figures.values())
    grouped = evaluate(two, x, y, groups=np.arange(len(y)) // 10, costs=[[0, 1], [1, 0]])
    for name, figure in grouped.figures.items():
        if name == "calibration error":
            assert figure.method == "bins (groups ignored)"
        else:
            assert "over 27 groups" in figure.method, name
        assert figure.low <= figure.value <= figure.high
    plain = evaluate(two, x, y)
    for name in ("ROC area", "average precision", "accuracy"):
        assert grouped.figures[name].value == pytest.approx(plain.figures[name].value)


def test_groups_of_one_row_are_rows(three):
    """The cluster bootstrap with every row its own group agrees with the methods for single rows."""
    x, y = X3[TEST3], Y3[TEST3]
    noise = np.random.default_rng(0).normal(scale=1.2, size=x.shape)
    rows, groups = evaluate(three, x + noise, y), evaluate(three, x + noise, y, groups=np.arange(75))
    for name in ("accuracy", "macro recall", "ROC area", "log-loss"):
        a, b = rows.figures[name], groups.figures[name]
        assert a.value == pytest.approx(b.value)
        assert (a.low, a.high) == pytest.approx((b.low, b.high), abs=0.25 * a.width), name
    with pytest.raises(InputError, match="average='macro'"):
        groups.roc_area("hand-till")


def test_text_and_frame(three):
    ours = evaluate(three, X3[TEST3], Y3[TEST3])
    text = str(ours)
    assert text.startswith("75 rows of 3 classes: setosa, versicolor, virginica")
    for part in ("macro recall", "log-loss", "ROC area", "truth \\ said", "versicolor", "95 % Wilson, n=75"):
        assert part in text
    frame = ours.frame()
    assert frame.columns[:5] == ["of", "measure", "also", "formula", "value"]
    headline = frame.filter(frame["of"] == "all rows")
    assert headline["measure"].to_list() == list(ours.figures)
    rows = {name: (also, formula) for name, also, formula in headline[["measure", "also", "formula"]].iter_rows()}
    assert rows["accuracy"] == ("diagnostic efficiency", "sum of TP / N")
    assert rows["macro recall"] == ("macro sensitivity", "mean over classes: TP / (TP + FN)")
    assert rows["log-loss"] == ("", "the classes' shares alone: 1.095")
    assert next(line for line in text.splitlines() if line.startswith("macro recall")).endswith("TP / (TP + FN)")
    assert "macro sensitivity" in ours.frame("medical")["measure"].to_list()
    assert "sensitivity" in ours.frame("medical")["measure"].to_list()
    assert isinstance(ours, Evaluation)


@pytest.mark.parametrize(
    "arguments, message",
    [
        (lambda m: (m, X3), "give rows and their true classes"),
        (lambda m: ([1, 2],), "give the true classes"),
        (lambda m: ([1, 2], X3, [1, 2]), "predictions need no X"),
        (lambda m: (m, X3, np.where(CODE3 == 1, "tulip", Y3)), r"row 50 of y is of class 'tulip', .*among the known"),
        (lambda m: (m, X3, CODE3), "row 0 of y is of class 0"),
        (lambda m: (m, X3[:10], Y3), "150 labels in y but 10 answers of the model"),
        (lambda m: (["a"], None, ["a", "b"]), "2 labels in y but 1 predictions"),
        (lambda m: ([0.1, 0.2, 0.3], None, ["a", "b"]), "2 labels in y but 3 rows of probabilities"),
        (lambda m: ([0.1, np.nan], None, ["a", "b"]), "row 1 of the predictions is nan"),
        (lambda m: ([0.1, 2.5], None, ["a", "b"]), r"row 1 of the predictions is 2\.5.*RocCurve\.of"),
        (lambda m: ([0.1, 0.5, 0.2], None, ["a", "b", "c"]), "one probability per row is for two classes"),
        (lambda m: ([[0.1, 0.9], [np.nan, 1.0]], None, ["a", "b"]), "row 1 of the probabilities"),
        (lambda m: ([[0.1, 0.9]] * 3, None, ["a", "b", "c"]), r"shape \(n, 3\)"),
        (lambda m: (["a", "b"], None, [1, 2]), "texts and numbers are never equal"),
        (lambda m: (["a", "b"], None, ["a", None]), "label of row 1 of y is missing"),
    ],
)
def test_what_is_refused(three, arguments, message):
    with pytest.raises(InputError, match=message):
        evaluate(*arguments(three))


def test_options_that_are_refused(two):
    x, y = X2[TEST2], Y2[TEST2]
    for options, message in (
        ({"confidence": 95}, "between 0 and 1"),
        ({"pos_label": 7}, "pos_label=7 is no class"),
        ({"groups": [1, 2]}, "2 entries for 269 rows"),
        ({"sample_weight": [1.0]}, "one weight per row"),
    ):
        with pytest.raises(InputError, match=message):
            evaluate(two, x, y, **options)


def test_scores_that_are_nan_are_refused():
    class Broken:
        classes_ = np.array([0, 1])

        def predict(self, X):
            return np.zeros(len(X), dtype=int)

        def decision_function(self, X):
            return np.array([0.5, np.nan, 1.0])

    with pytest.raises(InputError, match="NaN in row 1"):
        evaluate(Broken(), np.zeros((3, 1)), [0, 1, 1])


def test_one_group_alone_says_nothing_about_others(two):
    ours = evaluate(two, X2[TEST2], Y2[TEST2], groups=np.zeros(269))
    possible = {"correlation": (-1, 1), "log-loss": (0, np.inf)}
    for name, figure in ours.figures.items():
        if name != "calibration error":  # whose interval knows no groups
            assert (figure.low, figure.high) == possible.get(name, (0, 1)), name
            assert figure.note == "one group alone has no spread", name
    assert (ours.confusion.accuracy.low, ours.confusion.accuracy.high) == (0, 1)


@pytest.mark.parametrize("confidence", [0.8, 0.95, 0.999])
@pytest.mark.parametrize("count", [2, 3])
def test_few_groups_have_wide_but_defined_intervals(two, count, confidence):
    groups = np.arange(269) % count
    ours = evaluate(two, X2[TEST2], Y2[TEST2], groups=groups, confidence=confidence)
    rows = evaluate(two, X2[TEST2], Y2[TEST2], confidence=confidence)
    bounds = {"correlation": (-1, 1), "log-loss": (0, np.inf)}
    for name, figure in ours.figures.items():
        low, high = bounds.get(name, (0, 1))
        assert low <= figure.low <= figure.value <= figure.high <= high, name
        assert figure.width > 0, name
    assert rows.accuracy.value == ours.accuracy.value


def test_groups_of_weight_0_are_not_there(two):
    groups, weight = np.arange(269) % 9, np.random.default_rng(0).uniform(1, 2, 269)
    weight[groups >= 6] = 0
    kept = groups < 6
    x, y = X2[TEST2], Y2[TEST2]
    whole = evaluate(two, x, y, groups=groups, sample_weight=weight).figures
    part = evaluate(two, x[kept], y[kept], groups=groups[kept], sample_weight=weight[kept]).figures
    for name, figure in whole.items():
        if name != "calibration error":
            # replicates that equal the figure to rounding may fall on either side of it
            assert (figure.low, figure.high) == pytest.approx((part[name].low, part[name].high), rel=1e-3), name
            assert figure.method == part[name].method


def test_a_cross_validation_is_judged_by_its_first_repeat():
    weight = np.random.default_rng(0).uniform(0.5, 2, len(Y3))
    result = cross_validate(GaussianBayes(), X3, Y3, cv=5, repeats=2, sample_weight=weight)
    ours, same = evaluate(result), evaluate(result.posterior[0], y=Y3, sample_weight=weight)
    for one, other in ((ours.accuracy, same.accuracy), (ours.log_loss, same.log_loss)):  # sums may differ in order
        assert (one.value, one.low, one.high) == pytest.approx((other.value, other.low, other.high), rel=1e-12)
    assert ours.confusion.matrix == pytest.approx(same.confusion.matrix)
    with pytest.raises(InputError, match="knows its rows"):
        evaluate(result, X3, Y3)
    refitted = evaluate(cross_validate(SVC(), X3, Y3, cv=5))  # no probabilities
    assert refitted.accuracy.value > 0.9
    assert "log-loss" not in refitted.figures
    grouped = cross_validate(GaussianBayes(), X3, Y3, cv=5, groups=np.arange(150) // 3)
    assert "bootstrap" in evaluate(grouped).accuracy.method


def test_a_class_given_as_text_is_told_from_the_number():
    with pytest.raises(InputError, match=r"pos_label='1' is no class of y; did you mean 1, the number"):
        evaluate([0.2, 0.7, 0.9], y=[0, 1, 1], pos_label="1")
    with pytest.raises(InputError, match=r"did you mean 'spam'\?"):
        evaluate([0.2, 0.7, 0.9], y=["ham", "spam", "spam"], pos_label="spm")


@pytest.mark.parametrize("model", [NaiveBayes(), Decider(NaiveBayes(), max_error=0.05), NearestCentroid()])
def test_a_file_is_judged_batch_by_batch(model, tmp_path):
    frame = pl.DataFrame(X3, schema=list("abcd")).with_columns(kind=pl.Series(Y3))
    frame.write_parquet(tmp_path / "table.parquet")
    model.fit(frame.drop("kind"), Y3)
    expected = str(evaluate(model, frame, "kind"))
    assert str(evaluate(model, scan(tmp_path / "table.parquet", batch_rows=40), "kind")) == expected
    assert str(evaluate(model, scan(tmp_path / "table.parquet", batch_rows=40, target="kind"))) == expected
    with pytest.raises(InputError, match="no target column 'sort'"):
        evaluate(model, scan(tmp_path / "table.parquet"), "sort")
    with pytest.raises(InputError, match="give rows and their true classes"):
        evaluate(model, scan(tmp_path / "table.parquet"))


def test_a_path_is_a_table_wherever_one_is_judged(tmp_path):
    from likely import NaiveBayes, cross_validate
    from likely.data.bundled import penguins

    birds = penguins()
    path = tmp_path / "birds.csv"
    birds.write_csv(path)
    model = NaiveBayes().fit(birds, "species")
    assert evaluate(model, path, "species").accuracy == evaluate(model, birds, "species").accuracy
    found, known = (cross_validate(NaiveBayes(), table, "species").estimate("accuracy") for table in (path, birds))
    assert found == known


def test_figures_of_pandas_rows_are_in_pandas():
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.normal(size=(40, 2)), columns=["a", "b"], index=range(100, 140))
    y = np.arange(40) % 2
    told = evaluate(NaiveBayes().fit(table, y), table, y).frame()
    both = compare({"one": NaiveBayes(), "two": NaiveBayes(alpha=2.0)}, table, y, cv=4).frame()
    for frame in (told, both):
        assert isinstance(frame, pd.DataFrame) and frame.index.tolist() == list(range(len(frame)))
    assert isinstance(evaluate(NaiveBayes().fit(table.to_numpy(), y), table.to_numpy(), y).frame(), pl.DataFrame)
