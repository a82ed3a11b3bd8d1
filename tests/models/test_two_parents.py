"""Averaged two-dependence estimators: against the formula by hand, refits, and the model's own promises."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import polars as pl
import pytest

from likely import DependenceBayes, NaiveBayes, load, save
from likely.distributions import DependenceFamily
from likely.distributions.dependence.averaged_pairs import observed_together
from likely.errors import InputError, TierError
from likely.models.held_out.folds import stratified_folds
from likely.statistics import Codes, Membership, TripleCounts
from likely.statistics.counting.triple_counts import cells_of

RNG = np.random.default_rng(5)
N, K = 70, 2
LABELS = np.arange(N) % K
LEVELS = RNG.integers(0, 3, (N, 4)) + (LABELS == 1)[:, None] * np.array([1, 0, 0, 1])
LEVELS[RNG.random(LEVELS.shape) < 0.15] = -1
FAMILY, GROUPS = DependenceFamily(parents=2), Membership.of_labels(LABELS, K)


def codes(x):
    return Codes(x.astype(np.int32), np.zeros(x.shape[1], dtype=np.int64), (tuple(range(5)),) * x.shape[1])


def by_hand(x, y, row, weight=None, m=1.0):
    """Log p(row | class) of every class, by the formula."""
    weight = np.ones(len(x)) if weight is None else weight
    sizes = [len(np.unique(x[x[:, j] >= 0, j])) for j in range(x.shape[1])]
    seen = [j for j in range(x.shape[1]) if row[j] >= 0 and (x[:, j] == row[j]).any()]
    out = []
    for c in range(K):
        rows, w = x[y == c], weight[y == c]
        if len(seen) < 2:
            alone = [(w @ (rows[:, j] == row[j]) + m / sizes[j]) / (w @ (rows[:, j] >= 0) + m) for j in seen]
            out.append(np.log(alone[0]) if seen else 0.0)
            continue
        models = []
        for i, j in combinations(seen, 2):
            own = (rows[:, i] == row[i]) & (rows[:, j] == row[j])
            p = (w @ own + m / (sizes[i] * sizes[j])) / (w @ ((rows[:, i] >= 0) & (rows[:, j] >= 0)) + m)
            for child in set(seen) - {i, j}:
                p *= (w @ (own & (rows[:, child] == row[child])) + m / sizes[child]) / (
                    w @ (own & (rows[:, child] >= 0)) + m
                )
            models.append(p)
        out.append(np.log(np.mean(models)))
    return np.array(out)


def test_the_average_and_its_terms_are_those_of_the_formula():
    fitted = FAMILY.estimate(FAMILY.summarize(codes(LEVELS), GROUPS))
    found = fitted.log_density(codes(LEVELS))
    assert np.allclose(found, [by_hand(LEVELS, LABELS, row) for row in LEVELS], atol=1e-12)
    assert np.allclose(fitted.log_density_terms(codes(LEVELS)).sum(axis=1), found, atol=1e-12)


@pytest.mark.parametrize("weight", [None, RNG.uniform(0.2, 3.0, N)], ids=["rows", "weights"])
def test_a_row_left_out_is_a_fit_without_it(weight):
    groups = Membership.of_labels(LABELS, K, weight)
    found = FAMILY.leave_one_out(FAMILY.summarize(codes(LEVELS), groups), codes(LEVELS), groups)
    for i in range(0, N, 5):
        others = np.arange(N) != i
        own = None if weight is None else weight[others]
        assert np.allclose(found[i], by_hand(LEVELS[others], LABELS[others], LEVELS[i], own), atol=1e-9)


def test_triples_are_those_of_a_loop_whatever_levels_a_part_has_seen():
    parts = [slice(0, 20), slice(20, 21), slice(21, N)]
    sums = [TripleCounts.of(codes(LEVELS[at]), Membership.of_labels(LABELS[at], K)) for at in parts]
    whole = TripleCounts.of(codes(LEVELS), GROUPS)
    added = sums[0] + sums[1] + sums[2]
    assert added.levels == whole.levels
    assert np.array_equal(added.triple, whole.triple)
    assert whole.triple.shape[1] == cells_of(whole.sizes)
    complete = [sum(1 for row in LEVELS if (row[list(three)] >= 0).all()) for three in combinations(range(4), 3)]
    assert whole.triple.sum() == sum(complete)
    assert np.array_equal((whole - sums[2]).triple, (sums[0] + sums[1]).triple)


def test_three_columns_that_only_tell_together():
    X = RNG.integers(0, 2, (600, 3))
    y = X.sum(axis=1) % 2  # no two columns say anything of it
    one, two = (DependenceBayes(parents, kinds="nominal").fit(X, y) for parents in (1, 2))
    assert two.score(X, y) == 1.0
    assert one.score(X, y) < 0.7 and NaiveBayes("nominal").fit(X, y).score(X, y) < 0.7


def test_cross_validation_merging_and_forgetting_are_exact():
    X = np.where(LEVELS < 0, 0, LEVELS)
    model, folds = DependenceBayes(2, calibrate=False, kinds="nominal"), stratified_folds(LABELS, 4)
    found = model.out_of_fold(X, LABELS, folds)
    for fold in range(4):
        fitted = DependenceBayes(2, calibrate=False, kinds="nominal").fit(X[folds != fold], LABELS[folds != fold])
        assert np.allclose(found[folds == fold], fitted.predict_log_proba(X[folds == fold]), atol=1e-12)
    half = N // 2
    first, second = (
        DependenceBayes(2, calibrate=False, kinds="nominal").fit(X[at], LABELS[at])
        for at in (slice(0, half), slice(half, N))
    )
    whole = DependenceBayes(2, calibrate=False, kinds="nominal").fit(X, LABELS)
    assert np.array_equal((first + second).predict_proba(X), whole.predict_proba(X))
    assert np.array_equal(whole.forget(X[half:], LABELS[half:]).predict_proba(X), first.predict_proba(X))


def test_evidence_intervals_samples_and_files(tmp_path):
    X = np.where(LEVELS < 0, np.nan, LEVELS)
    model = DependenceBayes(2, kinds="nominal").fit(X, LABELS)
    evidence = model.evidence(X, for_class=1)
    p = model.predict_proba(X)[:, 1]
    assert np.allclose(evidence.prior + evidence.bits.sum(axis=1), np.log2(p / (1 - p)))
    ends = model.predict_interval(X[:5], n_draws=200)
    assert ((ends[..., 0] <= model.predict_proba(X[:5])) & (model.predict_proba(X[:5]) <= ends[..., 1])).all()
    drawn, y = model.sample(4000, random_state=0)
    again = DependenceBayes(2, kinds="nominal").fit(drawn, y)
    assert abs(again.predict_proba(X) - model.predict_proba(X)).mean() < 0.1
    save(model, tmp_path / "pairs.likely")
    assert np.array_equal(load(tmp_path / "pairs.likely").predict_proba(X), model.predict_proba(X))


def test_what_does_not_fit_in_memory_is_refused_with_what_to_do():
    X = RNG.integers(0, 40, (300, 30))
    with pytest.raises(InputError, match=r"triples of 30 columns .* numbers, and at most .* fewer bins"):
        DependenceBayes(2, kinds="nominal").fit(X, np.arange(300) % 2)
    with pytest.raises(InputError, match="every column has one parent"):
        DependenceBayes(2, "tree").fit(X, np.arange(300) % 2)


def test_cuts_that_have_seen_the_labels_are_made_anew_in_every_fold():
    y = np.arange(200) % 2
    X = np.stack([RNG.normal(size=200) + 3 * y, RNG.normal(size=200)], axis=1)
    model = DependenceBayes(bins="mdl").fit(X, y)
    assert len(model.cuts_["x0"]) >= 1 and not model.cuts_["x1"]  # noise is not cut
    assert min(abs(cut - 1.5) for cut in model.cuts_["x0"]) < 1.0
    with pytest.raises(TierError, match="anew in every fold"):
        DependenceBayes(bins="mdl", calibrate=False).out_of_fold(X, y, stratified_folds(y, 5))
    noise = RNG.normal(size=(60, 40))  # were the cuts made of all rows, noise would seem to tell
    from likely import cross_validate

    said = cross_validate(DependenceBayes(bins="mdl"), noise, np.arange(60) % 2, cv=5, random_state=0)
    assert said.estimate("accuracy").low < 0.5


def test_a_table_of_neighbours_lends_nothing_to_sums():
    from likely import NearestNeighbors
    from likely.models.any_classifier.asking import Training
    from likely.models.held_out.exact_or_refit import HeldOut

    X, folds = RNG.normal(size=(N, 3)), stratified_folds(LABELS, 4)[None]
    data = Training.of(X, LABELS, None)
    lent = HeldOut(NearestNeighbors(3), data).table
    assert lent is not None
    model = DependenceBayes(2, calibrate=False)
    found, alone = HeldOut(model, data, lent).once(folds)[0], HeldOut(model, data).once(folds)[0]
    assert np.array_equal(found.log_posterior, alone.log_posterior)


def test_weights_that_differ_much_lose_no_digits():
    levels = np.array([[0, 0, -1], [0, 1, 0], [1, 0, 1], [0, 1, 1], [1, 1, 0], [0, 0, 1]])
    rows = Codes(levels, np.zeros(3, dtype=np.int64), ((*"pq",), (*"pq",), (*"pq",)))
    weight = np.array([1e17, 0.3, 0.9, 1.7, 0.4, 1.1])
    whole, rest = (
        TripleCounts.of(some, Membership.whole(len(some.x), w))
        for some, w in ((rows, weight), (replace(rows, x=rows.x[1:]), weight[1:]))
    )
    assert np.allclose(observed_together(whole)[:, 2], observed_together(rest)[:, 2], rtol=1e-14)  # which it lacks
    assert np.allclose(whole.together()[:, :, 2], rest.together()[:, :, 2], rtol=1e-14)
    assert np.allclose(whole.observed[0, 2], weight[1:].sum(), rtol=1e-14)


@pytest.mark.parametrize("unit", [1e-12, 1.0, 1e6])
@pytest.mark.parametrize("heavy", [1.0, 1e13])
def test_rows_of_any_weight_are_left_out(unit, heavy):
    rng = np.random.default_rng(0)
    x, y, weight = rng.choice(list("pqr"), (30, 4)), np.arange(30) % 2, rng.uniform(0.5, 2, 30) * unit
    weight[0] *= heavy
    model = DependenceBayes(n_parents=2, kinds="nominal", calibrate=False, m=unit)
    found = model.out_of_fold(x, y, np.arange(30), weight)
    for i in (0, 1, 7):
        others = np.arange(30) != i
        again = DependenceBayes(n_parents=2, kinds="nominal", calibrate=False, m=unit)
        again.fit(x[others], y[others], sample_weight=weight[others])
        assert found[i] == pytest.approx(again.predict_log_proba(x[[i]])[0], rel=1e-7, abs=1e-7)


def test_empty_columns_cost_little_and_too_many_columns_are_refused_in_words():
    rng = np.random.default_rng(0)
    known = {name: rng.choice(list("pq"), 50) for name in "abc"}

    def fitted(empty):
        gaps = {f"m{j}": pl.Series([None] * 50, dtype=pl.String) for j in range(empty)}
        model = DependenceBayes(n_parents=2, calibrate=False)
        return model.fit(pl.DataFrame(gaps | known), np.arange(50) % 2).predict_proba(pl.DataFrame(gaps | known))

    assert np.allclose(fitted(60), fitted(0), rtol=1e-12)
    with pytest.raises(InputError, match="256 columns at most, got 303, 300 of them without a value"):
        fitted(300)
