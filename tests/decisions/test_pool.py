import numpy as np
import polars as pl
import pytest
from scipy.optimize import minimize
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression as Theirs
from sklearn.model_selection import cross_val_score
from sklearn.utils.estimator_checks import check_estimator

from likely import (
    Calibrated,
    DecisionTree,
    DependenceBayes,
    GaussianBayes,
    LogisticRegression,
    NaiveBayes,
    NearestNeighbors,
    Pool,
    cross_validate,
    load,
    save,
    study,
)
from likely.decisions.pooling.rule import RIDGE, PoolingRule
from likely.errors import InputError, InputTypeError, LikelyError, NotFittedError, TierError
from likely.models import roster
from likely.models.any_classifier.inside import know_table, name_target
from likely.models.any_classifier.outcome import reconciled
from likely.models.held_out.folds import stratified_folds
from likely.models.held_out.weighing import floored, slopes_alone, weigh

X, Y = load_iris(return_X_y=True)
MEMBERS = [NaiveBayes(), GaussianBayes("full"), ("averaged", DependenceBayes(calibrate=False))]


def pool(**options):
    return Pool(MEMBERS, **options)


@pytest.fixture(scope="module")
def fitted():
    return pool().fit(X, Y)


def test_the_weights_are_the_best_for_rows_left_out(fitted):
    folds = stratified_folds(Y, 5)
    borne = 2 * np.log(151)  # nats that 150 rows bear out
    models = (MEMBERS[0], MEMBERS[1], MEMBERS[2][1])
    said = np.stack([floored(model.out_of_fold(X, Y, folds), borne) for model in models], axis=1)

    def loss(joint):
        return -(joint[np.arange(150), Y] - np.log(np.exp(joint).sum(axis=1))).sum()

    alone = np.array(
        [minimize(lambda t, x=said[:, m]: loss(t[0] * x) + 0.5 * (t[0] - 1) ** 2, [1.0]).x[0] for m in range(3)]
    )
    assert np.allclose(slopes_alone(said, Y), alone, atol=1e-4)

    def together(theta):
        pull = np.concatenate([theta[:3] - 1 / 3, theta[3:]])
        return loss(np.einsum("nmk,m->nk", said, alone * theta[:3]) + theta[3:]) + 5.0 * pull @ pull

    best = minimize(together, np.zeros(6), bounds=[(0, None)] * 3 + [(None, None)] * 3, options={"ftol": 1e-14})
    assert np.allclose(list(fitted.weights_.values()), alone * best.x[:3], atol=1e-4)
    joint = sum(
        weight * floored(model.predict_log_proba(X), borne)
        for weight, model in zip(fitted._weights(), fitted.estimators_.values(), strict=True)
    )
    assert np.allclose(fitted.predict_log_proba(X)[:, 0] - fitted.predict_log_proba(X)[:, 1],
                       (joint + fitted.offset_)[:, 0] - (joint + fitted.offset_)[:, 1])  # fmt: skip


def test_slopes_that_stand_alone_are_never_negative_and_grow_as_rows_ask():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 400)
    odds = rng.logistic(size=400) * 0.2 + (2.0 * y - 1)
    terms = floored(np.stack([np.stack([-odds, odds], axis=1), np.stack([odds, -odds], axis=1)], axis=1))
    right, wrong = slopes_alone(terms, y)
    assert right > 2 and wrong == 0
    twice = slopes_alone(terms, y, np.full(400, 2.0))[0]
    assert twice == pytest.approx(slopes_alone(np.tile(terms, (2, 1, 1)), np.tile(y, 2))[0], rel=1e-6) and twice > right


def test_a_member_that_says_nothing_is_dropped():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 600)
    table = pl.DataFrame({"x": rng.normal(2.0 * y - 1), "noise": rng.normal(size=600)})
    noise = DependenceBayes(calibrate=False, bins=300, kinds={"x": "numeric", "noise": "numeric"})
    model = Pool({"good": NaiveBayes(), "noise": noise}, ridge=0.0).fit(table, y)
    assert model.weights_["good"] > 0.7 and model.weights_["noise"] < 0.3
    same = Pool({"one": NaiveBayes(), "two": NaiveBayes()}).fit(table, y)
    assert same.weights_["one"] == pytest.approx(same.weights_["two"], abs=1e-6)
    opposed = weigh(floored(np.stack([model.predict_log_proba(table), -model.predict_log_proba(table)], axis=1)), y)
    assert opposed.weights[1] == 0


def test_rows_left_out_twice_are_those_of_a_loop():
    folds = np.arange(150) % 4
    found = pool().out_of_fold(X, Y, folds)
    own, others = np.flatnonzero(folds == 2), np.flatnonzero(folds != 2)
    inside = [
        model.out_of_fold(X[others], Y[others], folds[others])
        for model in (m if not isinstance(m, tuple) else m[1] for m in MEMBERS)
    ]
    cuts = DependenceBayes(calibrate=False).fit(X, Y).cuts_  # no label is looked at: those of all rows
    inside[2] = DependenceBayes(calibrate=False, bins=cuts).out_of_fold(X[others], Y[others], folds[others])
    rule = PoolingRule("log", RIDGE, len(others))
    known = rule.solved(np.stack(inside, axis=1), Y[others], None)
    members = [NaiveBayes(), GaussianBayes("full"), DependenceBayes(calibrate=False, bins=cuts)]
    said = np.stack([m.fit(X[others], Y[others]).predict_log_proba(X[own]) for m in members], axis=1)
    assert np.allclose(found[own], rule.pooled(said, *known), atol=1e-6)
    judged = cross_validate(pool(), X, Y, cv=4, random_state=0)
    assert judged.estimate("accuracy").value > 0.9
    with pytest.raises(TierError, match="many passes"):
        Pool([NaiveBayes(), Theirs(max_iter=1000)]).out_of_fold(X, Y, folds)


@pytest.mark.parametrize("classes", [2, 3])
def test_evidence_adds_up(classes):
    rows = np.flatnonzero(classes > Y)
    model = Pool([NaiveBayes(), GaussianBayes("shared")]).fit(X[rows], Y[rows])
    for options in ({}, {"for_class": 1}, {"against": 0}, {"prior": [0.2, *[0.8 / (classes - 1)] * (classes - 1)]}):
        found = model.evidence(X[rows], **options)
        log_p = model.predict_log_proba(X[rows], options.get("prior"))
        place = np.searchsorted(model.classes_, found.classes)
        at = np.arange(len(rows))
        if found.against is None:
            rest = np.where(np.arange(classes) == place[:, None], -np.inf, log_p)
            odds = log_p[at, place] - np.log(np.exp(rest).sum(axis=1))
        else:
            odds = log_p[at, place] - log_p[at, np.searchsorted(model.classes_, found.against)]
        assert np.allclose(found.log2_odds, odds / np.log(2), atol=1e-7)
    mild = model.evidence(X[rows][:3])
    assert set(mild.names) >= {"x0", "x1", "x2", "x3"}


@pytest.mark.parametrize("method", ["log", "linear"])
def test_weights_repeat_rows_and_have_no_unit_otherwise(method):
    rng, folds = np.random.default_rng(0), stratified_folds(Y, 5)
    times = rng.integers(1, 4, len(Y))
    again = np.repeat(np.arange(len(Y)), times)
    weighed = pool(cv=folds, method=method).fit(X, Y, sample_weight=times)
    repeated = pool(cv=folds[again], method=method).fit(X[again], Y[again])
    assert np.allclose(weighed.predict_proba(X), repeated.predict_proba(X), atol=1e-9)
    members, own = [GaussianBayes("full"), GaussianBayes("shared")], rng.uniform(0.5, 1.5, len(Y))  # of no unit either
    plain, small = (
        Pool(members, method=method, cv=folds).fit(X, Y, sample_weight=own * unit).predict_log_proba(X)
        for unit in (1.0, 1e-3)
    )
    assert np.allclose(plain, small, atol=1e-6)


def test_any_classifier_may_be_a_member():
    model = Pool([NaiveBayes(), Theirs(max_iter=1000)]).fit(X, Y)
    assert set(model.weights_) == {"NaiveBayes", "LogisticRegression"} and model.score(X, Y) > 0.95
    assert "(LogisticRegression)" in model.evidence(X[:2]).names
    with pytest.raises(LikelyError, match="cannot forget"):
        model.forget(X[:5], Y[:5])
    with pytest.raises(InputError, match="which a model file cannot keep"):
        save(model, "/tmp/never.likely")


def test_merging_and_forgetting_keep_the_weights_until_they_are_learned_anew(fitted):
    half = np.arange(150) % 2 == 0
    one, two = (Pool([NaiveBayes(), GaussianBayes("full")]).fit(X[at], Y[at]) for at in (half, ~half))
    with pytest.warns(UserWarning, match="reweigh"):
        both = one + two
    whole = Pool([NaiveBayes(), GaussianBayes("full")]).fit(X, Y)
    name = "GaussianBayes"
    assert np.allclose(both.estimators_[name].predict_proba(X), whole.estimators_[name].predict_proba(X), atol=1e-9)
    assert both.weights_[name] == pytest.approx((one.weights_[name] + two.weights_[name]) / 2)
    assert both.stale_ and both.record_.n == 150
    both.reweigh(X, Y)
    assert not both.stale_ and both.weights_[name] == pytest.approx(whole.weights_[name], abs=1e-6)
    with pytest.warns(UserWarning, match="reweigh"):
        one.partial_fit(X[~half], Y[~half])
    assert np.allclose(one.estimators_[name].predict_proba(X), whole.estimators_[name].predict_proba(X), atol=1e-9)
    with pytest.warns(UserWarning, match="reweigh"):
        one.forget(X[~half], Y[~half])
    assert one.class_count_.sum() == 75
    with pytest.raises(InputError, match="same members"):
        both.merge(fitted)


def test_an_updatable_pool_merges_learns_on_and_forgets_as_if_it_had_been_fitted_so():
    small = np.arange(150) % 3 == 0
    one, two, whole = (Pool("updatable").fit(X[at], Y[at]) for at in (small, ~small, slice(None)))
    assert set(one.estimators_) == set(two.weights_) == set(whole.estimators_)  # also those without weight
    with pytest.warns(UserWarning, match="weights of the pool stay"):
        both = one + two
    with pytest.warns(UserWarning, match="weights of the pool stay"):
        two.partial_fit(X[small], Y[small]).forget(X[small], Y[small]).partial_fit(X[small], Y[small])
    for pool in (both, two):
        assert np.allclose(pool.reweigh(X, Y).predict_proba(X), whole.predict_proba(X), atol=1e-9)


def test_a_pool_that_cannot_forget_names_the_one_that_can():
    model = Pool([NaiveBayes(), DecisionTree()]).fit(X, Y)
    with pytest.raises(TierError, match=r"DecisionTree, a member of the pool, cannot forget rows.*'updatable'"):
        model.forget(X[:5], Y[:5])
    with pytest.raises(InputError, match="'auto' or 'updatable'"):
        Pool("sums").fit(X, Y)


@pytest.mark.parametrize("method", ["log", "linear"])
def test_kept_in_a_file(tmp_path, method):
    model = pool(method=method).fit(X, Y)
    save(model, tmp_path / "pool.likely")
    again = load(tmp_path / "pool.likely")
    assert np.array_equal(again.predict_proba(X), model.predict_proba(X))
    assert np.array_equal(again.predict_interval(X[:4]), model.predict_interval(X[:4]))
    assert again.weights_ == model.weights_ and str(again) == str(model)


def test_the_linear_pool_is_a_mean(fitted):
    model = pool(method="linear").fit(X, Y)
    assert sum(model.weights_.values()) == pytest.approx(1)
    each = [w * m.predict_proba(X) for w, m in zip(model._weights(), model.estimators_.values(), strict=True)]
    assert np.allclose(model.predict_proba(X), sum(each), atol=1e-8)
    with pytest.raises(InputError, match="log-linear"):
        model.evidence(X)


def test_intervals_hold_what_is_said(fitted):
    ends = fitted.predict_interval(X)
    said = fitted.predict_proba(X)
    assert (ends[..., 0] <= said).all() and (said <= ends[..., 1]).all()


def test_the_candidates_of_a_study_are_a_pool():
    model = Pool().fit(X, Y)
    assert len(model.weights_) > 5 and model.score(X, Y) > 0.95
    table = pl.DataFrame({"a": X[:, 0], "b": [str(round(v)) for v in X[:, 1]], "y": [f"c{v}" for v in Y]})
    assert Pool().fit(table, "y").predict(table.drop("y")).shape == (150,)


def test_what_cannot_be_pooled_is_refused():
    with pytest.raises(InputError, match="at least one member"):
        Pool([]).fit(X, Y)
    with pytest.raises(InputError, match="a name of its own"):
        Pool([("a", NaiveBayes()), ("a", NaiveBayes())]).fit(X, Y)
    with pytest.raises(InputTypeError, match="no classifier"):
        Pool([NaiveBayes]).fit(X, Y)
    with pytest.raises(InputError, match="one sample"):
        Pool([NaiveBayes()]).fit(X[:51], Y[:51])
    with pytest.raises(InputError, match="unknown method"):
        pool(method="mean").fit(X, Y)
    with pytest.raises(InputError, match="unknown estimators"):
        Pool("all").fit(X, Y)
    with pytest.raises(NotFittedError):
        pool().predict(X)


@pytest.mark.filterwarnings("ignore:Estimator .* does not inherit from `sklearn.base.BaseEstimator`")
@pytest.mark.filterwarnings("ignore:y has only one class")
def test_it_is_an_estimator(fitted):
    assert clone(pool()).cv == 5 and cross_val_score(Pool(MEMBERS[:2]), X, Y, cv=3).mean() > 0.9
    model = Pool([NaiveBayes(), GaussianBayes("shared")], cv=2)
    failed = {r["check_name"]: r["exception"] for r in check_estimator(model, on_skip=None, on_fail=None)
              if r["status"] == "failed"}  # fmt: skip
    assert not failed
    assert Calibrated(fitted, cv="prefit").fit(X, Y).score(X, Y) > 0.95


def test_a_pool_of_a_study_passes_over_columns_that_were_left_out():
    table = pl.DataFrame({"a": X[:, 0], "b": X[:, 2], "same": np.zeros(150), "y": [f"c{v}" for v in Y]})
    found = study(table, "y", yardsticks=False, prefer="accurate", cv=3, repeats=1)
    pooled = name_target(Pool([NaiveBayes(), GaussianBayes("full")]).fit(table.select("a", "b"), table["y"]), "y")
    know_table(pooled, table.columns)
    assert pooled.predict(table).shape == found.model.predict(table).shape == (150,)


def test_a_pool_of_noise_says_nearly_the_shares_and_one_of_signal_does_not():
    rng = np.random.default_rng(4)
    noise, labels = rng.normal(size=(14, 3)), np.repeat([0, 1], [9, 5])
    model = Pool([NaiveBayes(), GaussianBayes("shared")]).fit(noise, labels)
    assert model.trust_ < 0.3 and np.allclose(model.predict_proba(noise), [9 / 14, 5 / 14], atol=0.1)
    assert np.abs(model.evidence(noise).bits).sum(axis=1).max() < 1
    assert "(trust)" in str(model)
    sure = Pool([NaiveBayes(), GaussianBayes("shared")]).fit(noise + 4 * labels[:, None], labels)
    assert sure.trust_ == 1 and sure.score(noise + 4 * labels[:, None], labels) == 1


def test_trust_rises_with_the_gain_and_keeps_evidence_adding_up(tmp_path):
    rng = np.random.default_rng(0)
    labels = np.repeat([0, 1], [20, 10])
    for strength in np.linspace(0.2, 1.0, 17):
        table = rng.normal(size=(30, 2)) + strength * labels[:, None]
        model = Pool([NaiveBayes(), GaussianBayes("shared")]).fit(table, labels)
        if 0 < model.trust_ < 1:
            break
    assert 0 < model.trust_ < 1
    log_p = model.predict_log_proba(table)
    odds = (log_p[:, 1] - log_p[:, 0]) / np.log(2)
    assert np.allclose(model.evidence(table, for_class=1, against=0).log2_odds, odds, atol=1e-9)
    save(model, tmp_path / "pool.likely")
    assert np.array_equal(load(tmp_path / "pool.likely").predict_proba(table), model.predict_proba(table))


def test_members_that_read_rows_in_their_own_ways_share_no_table():
    table = pl.DataFrame(X, schema=list("abcd"))
    members = [NearestNeighbors(), NaiveBayes(), NearestNeighbors(3), DependenceBayes(calibrate=False)]
    found = Pool(members).fit(table, Y)
    alone = Pool(members[::-1]).fit(table, Y)
    np.testing.assert_allclose(found.predict_proba(table), alone.predict_proba(table), atol=1e-4)


def test_the_candidates_of_a_table_do_not_depend_on_what_was_imported_first(monkeypatch):
    facts = roster.TableFacts({"a": "numeric", "b": "nominal"}, 500, 2, 200, False)
    before = [one.name for one in roster.candidates(facts)]
    monkeypatch.setattr(roster, "_ENTRIES", dict(reversed(roster._ENTRIES.items())))
    after = [one.name for one in roster.candidates(facts)]
    rooms = [roster._ENTRIES[name][2].__module__ for name in before]
    assert rooms == [roster._ENTRIES[name][2].__module__ for name in after] and sorted(before) == sorted(after)


def test_a_member_that_cannot_go_on_is_named_with_what_to_do():
    model = Pool({"linear": LogisticRegression(C="auto")}).fit(X, Y)
    with pytest.raises(TierError, match=r"'linear', a member of the pool: partial_fit cannot choose the penalty.*"
                       "fit again on all the data"):  # fmt: skip
        model.partial_fit(X, Y)


@pytest.mark.parametrize("far", [1e3, 1e6, 999999999.0, 1e10, 1e200])
def test_evidence_adds_up_however_far_out_a_value_is(far):
    rng = np.random.default_rng(0)
    y = np.arange(150) % 3
    X = np.stack([rng.normal(size=150) + y, rng.normal(size=150) - y], axis=1)
    two = Calibrated(NaiveBayes()).fit(X[:, :1], y > 0)
    three = Pool([NaiveBayes(), Calibrated(NaiveBayes()), GaussianBayes("shared")]).fit(X, y)
    for model, rows in ((two, [[far]]), (three, [[far, -far], [far, far], [far, 0.0]])):
        told, said = model.evidence(rows), model.predict_log_proba(rows)
        own = said.max(axis=1)
        rest = np.log(np.exp(np.sort(said, axis=1)[:, :-1]).sum(axis=1))
        assert np.allclose(told.log2_odds, (own - rest) / np.log(2), rtol=1e-9, atol=1e-9)
        assert told.approximate.all() and np.isfinite(told.bits).all()
    assert two.evidence([[far]]).bits[0, 0] == pytest.approx(two.evidence([[1e5]]).bits[0, 0])


def test_terms_that_nearly_cancel_lose_nothing_of_the_odds():
    prior, bits, left, nearly = reconciled(np.zeros(1), np.array([[1e5 + 1e-4, -1e5]]), np.array([1.1e-4]))
    assert not left.any() or nearly.all()
    assert prior[0] + bits.sum() + left[0] == pytest.approx(1.1e-4, abs=1e-10)


def test_classes_that_are_announced_have_rows_in_the_first_part():
    """`classes` was dropped without a word."""
    members = [NaiveBayes(), GaussianBayes()]
    with pytest.raises(InputError, match="class 'moss' has no row"):
        Pool(members).partial_fit(X, np.array(["a", "b", "c"])[Y], classes=["a", "b", "c", "moss"])
    with pytest.raises(InputError, match="y has the class 2, which `classes` does not name"):
        Pool(members).partial_fit(X, Y, classes=[0, 1])
    known = Pool(members).partial_fit(X, Y, classes=[0, 1, 2])
    with pytest.raises(InputError, match="`classes` names 3, and the offsets of the pool are of others"):
        known.partial_fit(X, Y, classes=[0, 1, 2, 3])
    with pytest.warns(UserWarning, match="weights of the pool stay"):
        assert known.partial_fit(X, Y, classes=[0, 1, 2]).class_count_.sum() == 300


def test_weights_are_not_learned_anew_without_rows_of_a_class(fitted):
    with pytest.raises(InputError, match="class 2 has no sample"):
        fitted.reweigh(X[Y < 2], Y[Y < 2])


def test_members_without_parts_merge_and_forget_as_they_do_by_themselves():
    from likely import FisherDiscriminant, LeastSquaresClassifier
    from likely.store.abilities import GoingOn

    rng = np.random.default_rng(0)
    y = np.arange(120) % 2
    X = rng.normal(size=(120, 3)) + y[:, None]
    members = {"line": LeastSquaresClassifier(), "fisher": FisherDiscriminant(), "naive": NaiveBayes()}
    first, second = Pool(members).fit(X[:60], y[:60]), Pool(members).fit(X[60:], y[60:])
    assert GoingOn.of_model(first).abilities == {"update": True, "merge": True, "forget": True}
    with pytest.warns(UserWarning, match="weights of the pool stay"):
        both = first.merge(second)
    with pytest.warns(UserWarning, match="weights of the pool stay"):
        onward = Pool(members).fit(X[:60], y[:60]).partial_fit(X[60:], y[60:])
    for name, model in members.items():
        alone = clone(model).fit(X, y).predict_proba(X)
        assert both.estimators_[name].predict_proba(X) == pytest.approx(alone, abs=1e-9)
        assert onward.estimators_[name].predict_proba(X) == pytest.approx(alone, abs=1e-9)
    with pytest.warns(UserWarning, match="weights of the pool stay"):
        onward.forget(X[60:], y[60:])
    for name, model in first.estimators_.items():
        assert onward.estimators_[name].predict_proba(X) == pytest.approx(model.predict_proba(X), abs=1e-9)
