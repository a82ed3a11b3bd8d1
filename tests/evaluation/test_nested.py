"""Nested cross-validation: without two folds at a time equals refitting, and its intervals cover."""

import numpy as np
import polars as pl
import pytest
from sklearn.datasets import load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC

from likely import GaussianBayes, LikelyError, NaiveBayes, engines
from likely.evaluation.resampling.cross_validation import cross_validate
from likely.evaluation.resampling.nested import nested_interval
from likely.intervals.means import mean_interval
from likely.models.held_out.folds import make_folds

X, Y = load_wine(return_X_y=True)
RNG = np.random.default_rng(2)
FOLDS = make_folds(Y, 5, random_state=0)


def _refitted(model, X, y, folds, weight=None):
    """[j, i]: row i under a model fitted without its fold and without fold j."""
    classes, count = np.unique(y), folds.max() + 1
    out = np.full((count, len(y), len(classes)), -np.inf)
    for j in range(count):
        for i in range(count):
            train, test = (folds != i) & (folds != j), np.flatnonzero(folds == i)
            share = {} if weight is None else {"sample_weight": weight[train]}
            fitted = type(model)(**model.get_params(deep=False)).fit(X[train], y[train], **share)
            out[j][np.ix_(test, np.searchsorted(classes, fitted.classes_))] = fitted.predict_log_proba(X[test])
    return out


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    "model",
    [NaiveBayes(), NaiveBayes("histogram"), GaussianBayes("full"), GaussianBayes("shared"), NaiveBayes("kde")],
    ids=repr,
)
@pytest.mark.parametrize("weighted", [False, True])
def test_leaving_two_folds_out_equals_refitting(model, weighted):
    weight = RNG.uniform(0.5, 2, len(Y)) if weighted else None
    got = model.out_of_two_folds(X, Y, FOLDS, sample_weight=weight)
    assert np.abs(np.exp(got) - np.exp(_refitted(model, X, Y, FOLDS, weight))).max() < 1e-10
    plain = model.out_of_fold(X, Y, FOLDS, sample_weight=weight)
    assert np.abs(np.exp(got[FOLDS, np.arange(len(Y))]) - np.exp(plain)).max() < 1e-12


def test_levels_and_classes_that_only_two_folds_have():
    n = 90
    frame = pl.DataFrame({"level": RNG.choice([f"l{i}" for i in range(30)], n), "number": RNG.normal(size=n)})
    y = RNG.choice(["a", "b"], n)
    folds = make_folds(y, 5, random_state=0)
    y[np.flatnonzero(folds < 2)[[0, -1]]] = "rare"  # gone when folds 0 and 1 are
    got = NaiveBayes().out_of_two_folds(frame, y, folds)
    classes = np.unique(y)
    for j, i in ((0, 1), (1, 0), (3, 4)):
        train, test = (folds != i) & (folds != j), np.flatnonzero(folds == i)
        fitted = NaiveBayes().fit(frame.filter(train), y[train])
        expected = np.full((len(test), 3), -np.inf)
        expected[:, np.searchsorted(classes, fitted.classes_)] = fitted.predict_log_proba(frame[test])
        assert np.abs(np.exp(got[j, test]) - np.exp(expected)).max() < 1e-10
    assert np.isneginf(got[0, folds == 1, 2]).all()


def _by_the_book(losses, folds, level=1.959963984540054):
    """The algorithm of the paper, line by line; losses[r][j] are those of all rows without fold j and their own."""
    a, b, inner, outer = [], [], [], []
    for table, fold in zip(losses, folds, strict=True):
        count = len(table)
        for j in range(count):
            e_in, e_out = table[j][fold != j], table[j][fold == j]
            a.append((e_in.mean() - e_out.mean()) ** 2)
            b.append(e_out.var(ddof=1) / len(e_out))
            inner.append(e_in.mean())
        outer.append(np.mean([table[fold[i]][i] for i in range(len(fold))]))
    err_ncv, err_cv = np.mean(inner), np.mean(outer)
    mse = (count - 1) / count * (np.mean(a) - np.mean(b))
    naive = np.mean([t[f, np.arange(len(f))].var(ddof=1) / len(f) for t, f in zip(losses, folds, strict=True)])
    error = np.sqrt(np.clip(mse, naive, count * naive))
    centre = err_ncv - (1 + (count - 2) / count) * (err_ncv - err_cv)
    return centre, centre - level * error, centre + level * error


def test_the_interval_is_that_of_the_paper():
    result = cross_validate(NaiveBayes(), X[:, :3], Y, cv=5, repeats=3)
    losses = [-NaiveBayes().out_of_two_folds(X[:, :3], Y, fold)[:, np.arange(len(Y)), Y] for fold in result.folds]
    got = nested_interval(losses, result.folds)
    assert (got.value, got.low, got.high) == pytest.approx(_by_the_book(losses, result.folds))
    assert got.method == "nested 5-fold cross-validation, 3 times"
    found = result.estimate("log_loss", method="nested")
    assert found.value == pytest.approx(nested_interval(losses, result.folds, bounds=(0, np.inf)).value)
    assert found.value == pytest.approx(got.value, abs=0.01)  # a factor is a difference where little is corrected


def test_models_that_are_refitted_give_the_same():
    x = X[:, :4]
    exact = cross_validate(NaiveBayes(), x, Y, cv=FOLDS).estimate("log_loss", "nested")
    refit = cross_validate(GaussianNB(var_smoothing=0), x, Y, cv=FOLDS).estimate("log_loss", "nested")
    assert (exact.value, exact.low, exact.high) == pytest.approx((refit.value, refit.low, refit.high), abs=1e-8)
    said = cross_validate(LinearSVC(), x, Y, cv=3).estimate("accuracy", "nested")
    assert 0 <= said.low < said.value < said.high <= 1


def test_the_bias_of_learning_from_fewer_rows_is_taken_off():
    def table(rows):  # the loss of a model of m rows is 1 + 40 / m, the same for every row
        return 1 + 40 / rows

    n, count = 200, 10
    fold = np.arange(n) % count
    losses = np.full((count, n), table(n * (count - 2) / count))
    losses[fold, np.arange(n)] = table(n * (count - 1) / count)
    got = nested_interval([losses], fold[None])
    assert got.value == pytest.approx(table(n))


def test_a_loss_that_a_few_rows_less_make_much_larger_is_not_corrected_below_nothing():
    """QDA of eight features from 30 rows: a difference taken off gave log-losses around -0.6 for a true 4."""
    rng = np.random.default_rng(0)
    found, truth = [], []
    with engines.use(engines.Serial()):
        for seed in range(20):
            y = np.arange(30) % 2
            x = rng.normal(size=(30, 8)) + 1.5 * np.outer(y, np.arange(8) == 0)
            far = np.arange(2000) % 2
            fresh = rng.normal(size=(2000, 8)) + 1.5 * np.outer(far, np.arange(8) == 0)
            model = GaussianBayes("full")
            truth.append(-model.fit(x, y).predict_log_proba(fresh)[np.arange(2000), far].mean())
            found.append(cross_validate(model, x, y, random_state=seed).estimate("log_loss", "nested"))
    assert min(e.value for e in found) > 0
    assert np.mean([t in e for t, e in zip(truth, found, strict=True)]) >= 0.8


def test_a_share_and_what_it_lacks_of_1_are_corrected_alike():
    result = cross_validate(NaiveBayes(), X[:, :2], Y, cv=5)
    right, wrong = (result.estimate(name, "nested") for name in ("accuracy", "error"))
    assert (right.value, right.low, right.high) == pytest.approx((1 - wrong.value, 1 - wrong.high, 1 - wrong.low))


def test_groups_widen_the_interval():
    groups = np.arange(len(Y)) // 6
    noise = RNG.normal(size=groups.max() + 1)[groups]  # rows of a group share their luck
    fold = np.arange(len(Y)) % 5
    losses = np.tile(noise, (5, 1))
    apart = nested_interval([losses], fold[None])
    together = nested_interval([losses], fold[None], groups=groups)
    assert together.standard_error > 2 * apart.standard_error
    assert together.value == pytest.approx(apart.value)


def test_weights_are_rows_that_count_more():
    losses = RNG.random((3, 30))
    fold = np.arange(30) % 3
    weight = RNG.integers(0, 3, 30).astype(float)
    got = nested_interval([losses], fold[None], sample_weight=weight)
    rows = np.repeat(np.arange(30), weight.astype(int))
    twice = nested_interval([losses[:, rows]], fold[rows][None], groups=rows)
    assert got.value == pytest.approx(twice.value)
    assert got.standard_error == pytest.approx(twice.standard_error, rel=0.05)


def test_degenerate_values():
    same = nested_interval([np.ones((3, 12))], (np.arange(12) % 3)[None])
    assert same.width == 0 and "same value" in same.note
    infinite = np.ones((3, 12))
    infinite[:, 4] = np.inf
    assert nested_interval([infinite], (np.arange(12) % 3)[None]).value == np.inf


def test_refusals():
    result = cross_validate(NaiveBayes(), X, Y, cv=2)
    with pytest.raises(LikelyError, match="3 to 50"):
        result.estimate(method="nested")
    with pytest.raises(LikelyError, match="not a mean over rows"):
        cross_validate(NaiveBayes(), X, Y, cv=3).estimate("roc_area", method="nested")
    with pytest.raises(LikelyError, match="three folds"):
        NaiveBayes().out_of_two_folds(X, Y, np.arange(len(Y)) % 2)
    with pytest.raises(LikelyError, match="one fold per row"):
        NaiveBayes().out_of_two_folds(X, Y, np.zeros((2, len(Y))))
    with pytest.raises(LikelyError, match="3 to 50"):
        cross_validate(NaiveBayes(), X, Y, leave_one_out=True).estimate(method="nested")


def _coverage(simulations, repeats, rows=80, features=15, folds=5):
    """How often intervals hold the error of the model at hand: nested ones, and those of the rows as if independent."""
    rng = np.random.default_rng(0)
    mean = np.zeros(features)
    mean[:4] = 0.6

    def draw(n):
        y = rng.integers(0, 2, n)
        return rng.normal(size=(n, features)) + np.outer(y, mean), y

    held = np.zeros(2)
    model = GaussianBayes("shared")
    with engines.use(engines.Serial()):
        for seed in range(simulations):
            x, y = draw(rows)
            fresh, truth = draw(4000)
            loss = -model.fit(x, y).predict_log_proba(fresh)[np.arange(4000), truth].mean()
            result = cross_validate(model, x, y, cv=folds, repeats=repeats, random_state=seed)
            held[0] += loss in result.estimate("log_loss", "nested")
            held[1] += loss in mean_interval(result.row_scores("log_loss")[0], method="t")
    return held / simulations


@pytest.mark.slow
def test_intervals_cover_more_often_than_naive_ones():
    nested, naive = _coverage(simulations=60, repeats=2)
    assert nested >= 0.88  # 95 % less what 60 simulations may miss it by
    assert nested >= naive


@pytest.mark.slow
def test_coverage():
    nested, naive = _coverage(simulations=400, repeats=10)
    assert 0.925 <= nested <= 0.995  # never narrower than the pooled rows, so rather too wide
    assert naive < nested


@pytest.mark.slow
def test_coverage_of_a_model_that_is_refitted():
    rng = np.random.default_rng(1)
    held = 0
    for seed in range(60):
        y = rng.integers(0, 2, 80)
        x = rng.normal(size=(80, 5)) + 0.7 * y[:, None]
        truth = rng.integers(0, 2, 5000)
        fresh = rng.normal(size=(5000, 5)) + 0.7 * truth[:, None]
        model = LogisticRegression()
        error = 1 - model.fit(x, y).score(fresh, truth)
        held += error in cross_validate(model, x, y, cv=5, random_state=seed).estimate("error", "nested")
    assert held >= 51  # of 60; 95 % would be 57, and the target is the error of one model from 80 rows


def test_folds_of_one_row_say_nothing_about_how_folds_vary():
    rng = np.random.default_rng(1)
    losses, alone = rng.random((12, 12)), np.arange(12)  # leave one out
    got = nested_interval([losses], alone[None])
    naive = losses[alone, np.arange(12)].var(ddof=1) / 12
    assert got.standard_error == pytest.approx(np.sqrt(12 * naive))
    assert "no fold has two rows" in got.note
    mixed = np.array([0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3])
    table = rng.random((4, 12)) + 3 * np.repeat([0, 1, 0, -1], [1, 4, 4, 3])  # folds that differ a lot
    held_out = table[mixed, np.arange(12)]
    gaps = [
        (table[j][mixed != j].mean() - held_out[mixed == j].mean()) ** 2
        - held_out[mixed == j].var(ddof=1) / (mixed == j).sum()
        for j in (1, 2, 3)
    ]
    naive = held_out.var(ddof=1) / 12
    got = nested_interval([table], mixed[None])
    assert got.standard_error == pytest.approx(np.sqrt(np.clip(0.75 * np.mean(gaps), naive, 4 * naive)))
    assert got.standard_error > np.sqrt(naive) and got.note == ""


def test_groups_of_weight_0_are_no_units():
    losses, fold, groups = RNG.random((3, 30)), np.arange(30) % 3, np.arange(30) // 3
    weight = np.where(groups < 6, 1.0, 0.0)
    kept = weight > 0
    got = nested_interval([losses], fold[None], sample_weight=weight, groups=groups)
    part = nested_interval([losses[:, kept]], fold[kept][None], groups=groups[kept])
    assert (got.low, got.value, got.high) == pytest.approx((part.low, part.value, part.high))


def test_losses_that_are_infinite_without_two_folds():
    fold = np.array([[0, 0, 1, 1, 2, 2]])
    table = np.ones((3, 6))
    table[0, 3] = np.inf
    got = nested_interval([table], fold, bounds=(0, np.inf))
    assert (got.value, got.low, got.high) == (1, 1, np.inf) and "infinite" in got.note
    spread = nested_interval([table * np.arange(1, 7)], fold, bounds=(0, np.inf))
    assert spread.value == 3.5 and 0 <= spread.low < 3.5 and spread.high == np.inf
    below = nested_interval([-table * np.arange(1, 7)], fold)
    assert below.low == -np.inf and np.isfinite(below.high)
    table[1, 3] = np.inf  # held out once, by the model that is judged
    got = nested_interval([table], fold)
    assert (got.low, got.value, got.high, got.method) == (np.inf, np.inf, np.inf, "certain")
    ignored = nested_interval([table], fold, sample_weight=[1, 1, 1, 0, 1, 1])
    assert (ignored.low, ignored.value, ignored.high) == (1, 1, 1)
