"""Averaged one-dependence estimators and trees: against formulas by hand, refits, and the model's own promises."""

import itertools

import numpy as np
import polars as pl
import pytest

from likely import Calibrated, DependenceBayes, NaiveBayes, cross_validate, load, save
from likely.distributions import DependenceFamily
from likely.errors import InputError, TierError
from likely.figures import DependenceTreeDisplay
from likely.models.generative.uncertainty.parameter_posterior import posterior_of_part
from likely.statistics import Codes, JointCounts, Membership, PairCounts

RNG = np.random.default_rng(3)
N = 90
LABELS = np.r_[np.repeat(np.arange(3), 2), RNG.integers(0, 3, N - 6)]
LEVELS = np.stack([RNG.integers(0, s, N) + (LABELS == 1) for s in (2, 3, 4)], axis=1).astype(float)
LEVELS[RNG.random(LEVELS.shape) < 0.1] = np.nan


def codes(x):
    filled = np.where(np.isnan(x), -1, x).astype(np.int32)
    return Codes(filled, np.zeros(x.shape[1], dtype=np.int64), tuple(range(6) for _ in range(x.shape[1])))


def by_hand(x, y, row, m=1.0):
    """Log p(row | class) of every class, by the formula."""
    seen = [j for j in range(x.shape[1]) if not np.isnan(row[j]) and (x[:, j] == row[j]).any()]
    sizes = [len(np.unique(x[~np.isnan(x[:, j]), j])) for j in range(x.shape[1])]
    out = []
    for c in range(3):
        rows = x[y == c]
        models = []
        for i in seen:
            own = rows[rows[:, i] == row[i]]
            p = (len(own) + m / sizes[i]) / ((~np.isnan(rows[:, i])).sum() + m)
            for j in seen:
                if j != i:
                    p *= ((own[:, j] == row[j]).sum() + m / sizes[j]) / ((~np.isnan(own[:, j])).sum() + m)
            models.append(p)
        out.append(np.log(np.mean(models)) if models else 0.0)
    return np.array(out)


def test_the_average_is_that_of_the_formula():
    family = DependenceFamily()
    fitted = family.estimate(family.summarize(codes(LEVELS), Membership.of_labels(LABELS, 3)))
    found = fitted.log_density(codes(LEVELS))
    assert np.allclose(found, [by_hand(LEVELS, LABELS, row) for row in LEVELS], atol=1e-12)
    assert np.allclose(fitted.log_density_terms(codes(LEVELS)).sum(axis=1), found, atol=1e-12)


def test_a_row_left_out_is_a_fit_without_it():
    family, groups = DependenceFamily(), Membership.of_labels(LABELS, 3)
    found = family.leave_one_out(family.summarize(codes(LEVELS), groups), codes(LEVELS), groups)
    for i in range(0, N, 7):
        others = np.arange(N) != i
        assert np.allclose(found[i], by_hand(LEVELS[others], LABELS[others], LEVELS[i]), atol=1e-12)
    weight = RNG.uniform(0.2, 3, N)
    shared = Membership.of_labels(LABELS, 3, weight)
    found = family.leave_one_out(family.summarize(codes(LEVELS), shared), codes(LEVELS), shared)
    for i in range(0, N, 11):
        others = np.arange(N) != i
        rest = family.summarize(codes(LEVELS[others]), Membership.of_labels(LABELS[others], 3, weight[others]))
        assert np.allclose(found[i], family.estimate(rest).log_density(codes(LEVELS[[i]]))[0], atol=1e-9)


def test_a_tree_has_the_greatest_mutual_information():
    x = RNG.integers(0, 3, (400, 4))
    x[:, 2] = np.where(RNG.random(400) < 0.8, x[:, 0], x[:, 2])
    x[:, 3] = np.where(RNG.random(400) < 0.6, x[:, 2], x[:, 3])
    y = RNG.integers(0, 2, 400)
    model = DependenceBayes(structure="tree", kinds="nominal", calibrate=False).fit(x, y)
    seen = JointCounts.of(codes(x.astype(float)), Membership.of_labels(y, 2))
    bits = seen.mutual_information()
    own = sum(bits[j, int(p[1:])] for j, p in enumerate(model.parents_.values()) if p)
    trees = [  # every way to give each column but the first a parent
        sum(bits[j + 1, p] for j, p in enumerate(parents))
        for parents in itertools.product(range(4), repeat=3)
        if _is_tree(parents)
    ]
    assert own == pytest.approx(max(trees)) and model.parents_["x3"] in ("x2", "x0")
    display = DependenceTreeDisplay.from_estimator(model)
    assert display.frame().height == 4
    drawn = [words.get_text() for words in display.ax_.texts if words.get_text() in model.parents_]
    assert all(above is None or drawn.index(above) < drawn.index(name) for name, above in model.parents_.items())
    with pytest.raises(InputError, match="no tree"):
        DependenceTreeDisplay.from_estimator(DependenceBayes(kinds="nominal").fit(x, y))


def test_a_tree_does_not_depend_on_the_order_of_the_columns():
    rng = np.random.default_rng(5)
    for trial in range(12):
        x = rng.integers(0, 2 + trial % 3, (14, 5)).astype(float)
        x[:, 3] = x[:, 1] if trial % 2 else 1.0  # ties: of twins, and of columns that say nothing
        x[rng.random(x.shape) < 0.1 * (trial % 4)] = np.nan
        x[:2] = np.arange(2)[:, None]
        y, weight = np.arange(14) % 3, rng.uniform(0.5, 2, 14) if trial % 2 else None
        model = DependenceBayes(structure="tree", kinds="nominal", calibrate=False).fit(x, y, sample_weight=weight)
        for order in (np.arange(5)[::-1], rng.permutation(5)):
            turned = DependenceBayes(structure="tree", kinds="nominal", calibrate=False)
            turned.fit(x[:, order], y, sample_weight=weight)
            assert np.allclose(turned.predict_proba(x[:, order]), model.predict_proba(x), atol=1e-12)


@pytest.mark.parametrize("seed", range(6))
def test_a_tree_does_not_hang_on_what_levels_classes_and_copies_are_called(seed):
    rng = np.random.default_rng(seed)
    x = rng.choice(list("pqr"), (30, 5))
    x[:, 1], x[:, 4] = x[:, 0], "c"  # a copy, and one level alone
    y, weight, names = rng.integers(0, 2, 30), rng.integers(1, 4, 30), [*"edcba"]

    def tree(cells, classes, columns=names, weight=None):
        model = DependenceBayes(structure="tree", kinds="nominal", calibrate=False)
        return model.fit(pl.DataFrame(cells, schema=columns, orient="row"), classes, sample_weight=weight)

    model = tree(x, y)
    assert tree(np.char.translate(x, str.maketrans("pqrc", "zyxA")), y).parents_ == model.parents_
    assert tree(x, 1 - y).parents_ == model.parents_
    assert tree(x, y, weight=np.full(30, 0.3)).parents_ == model.parents_
    repeated = tree(np.repeat(x, weight, axis=0), np.repeat(y, weight))
    assert repeated.parents_ == tree(x, y, weight=weight.astype(float)).parents_
    order = [3, 1, 4, 0, 2]
    turned = tree(x[:, order], y, [names[j] for j in order])
    assert turned.parents_ == model.parents_
    unnamed = DependenceBayes(structure="tree", kinds="nominal", calibrate=False).fit(x[:, [1, 0]], y)
    assert unnamed.parents_ == {"x0": None, "x1": "x0"}  # as they stand
    assert tree(x[:, :2], y, ["b", "a"]).parents_ == {"b": "a", "a": None}  # by name


def test_a_tree_hangs_no_column_on_one_that_is_seldom_observed_with_it():
    rng = np.random.default_rng(0)
    first = rng.integers(0, 2, 600)
    second = np.where(rng.random(600) < 0.8, first, 1 - first)
    gaps = np.full((600, 3), np.nan)
    gaps[:4] = np.stack([first[:4], second[:4], 1 - first[:4]], axis=1)  # four rows in which they agree to the last
    x = np.column_stack([gaps[:, :1], first, second, gaps[:, 1:]])
    model = DependenceBayes(structure="tree", kinds="nominal", calibrate=False).fit(x, np.arange(600) % 2)
    assert {model.parents_["x1"], model.parents_["x2"]} <= {None, "x1", "x2"}
    tree = model.distribution_.parts[0]
    assert tree.bits[[0, 3, 4]].max() < 0.02 < tree.bits.max()


def test_bits_of_pairs_are_those_of_pairs_counted_alone():
    for weight in (None, RNG.uniform(0.1, 3, N)):
        groups = Membership.of_labels(LABELS, 3, weight)
        joint, pairs = JointCounts.of(codes(LEVELS), groups), PairCounts.of(codes(LEVELS), groups)
        assert np.allclose(joint.mutual_information(), pairs.mutual_information(), atol=1e-12)
        both = ~np.isnan(LEVELS[:, 0]) & ~np.isnan(LEVELS[:, 2])
        share = np.average(both, weights=weight)
        assert joint.bits_a_row()[0, 2] == pytest.approx(share * pairs.mutual_information()[0, 2], abs=1e-12)


def test_intervals_of_a_tree_draw_what_it_asks():
    wide = np.random.default_rng(1).integers(0, 4, (60, 40))
    model = DependenceBayes(structure="tree", kinds="nominal", calibrate=False).fit(wide, np.arange(60) % 3)
    drawn, tree = posterior_of_part(model, 0).draw(3, np.random.default_rng(0)), model.distribution_.parts[0]
    asked = {(above, j) for j, above in enumerate(tree.parent.tolist()) if above >= 0}
    at = np.arange(41) * 4
    for i, j in itertools.product(range(40), repeat=2):
        block = drawn.table[at[i] : at[i + 1], at[j] : at[j + 1]]
        assert i == j or block.any() == ((i, j) in asked)
    x, rng = wide[:5].astype(float), np.random.default_rng(2)
    x[rng.random(x.shape) < 0.5] = np.nan
    ends, p = model.predict_interval(x, n_draws=100), model.predict_proba(x)
    assert (ends[..., 0] <= p).all() and (p <= ends[..., 1]).all() and (ends[..., 1] > ends[..., 0]).all()


def test_the_names_of_a_drawn_tree_do_not_meet():
    parents = {"root": None, **{f"a column with a long name {i}": "root" for i in range(25)}}
    display = DependenceTreeDisplay(parents, {name: i / 25 for i, name in enumerate(parents) if i}).plot()
    display.figure_.canvas.draw()
    nodes = [words.get_window_extent() for words in display.ax_.texts]
    assert len(nodes) == 51  # names, and bits beside all but the root
    assert not any(one.overlaps(other) for one, other in itertools.combinations(nodes, 2))
    assert display.ax_.texts[1].get_text().endswith("24")  # the strongest first


def _is_tree(parents):
    above = dict(enumerate(parents, start=1))
    for start in above:
        at, steps = start, 0
        while at != 0 and steps < 5:
            at, steps = above[at], steps + 1
        if at != 0:
            return False
    return True


def test_mixed_tables_with_gaps_and_late_levels():
    X = pl.DataFrame(
        {"size": RNG.normal(size=200), "kind": RNG.choice(["a", "b", None], 200), "n": RNG.integers(0, 9, 200)}
    )
    y = np.where(X["size"].to_numpy() + (X["kind"] == "a").fill_null(False).to_numpy() > 0, "yes", "no")
    model = DependenceBayes(kinds={"n": "count"}).fit(X, y)
    assert list(model.cuts_) == ["size", "n"] and 4 <= len(model.cuts_["size"]) <= 9
    later = pl.DataFrame({"size": [None, 99.0], "kind": ["new", None], "n": [3, None]})
    p = model.predict_proba(later)
    assert np.allclose(p.sum(axis=1), 1) and model.score(X, y) > 0.85
    drawn, _ = model.sample(50, random_state=0)
    assert drawn.columns == X.columns and drawn["size"].is_between(-4, 4).all()
    with pytest.raises(InputError, match="texts"):
        DependenceBayes(kinds={"kind": "text"}).fit(X, y)
    with pytest.raises(InputError, match="infinity"):
        model.predict(pl.DataFrame({"size": [np.inf], "kind": ["a"], "n": [1]}))


def test_its_own_map_is_learned_from_rows_left_out():
    behind = RNG.normal(size=(2_300, 1))
    everything = behind + 0.5 * RNG.normal(size=(2_300, 6))  # nearly the same evidence six times
    labels = (behind[:, 0] + RNG.normal(size=2_300) > 0).astype(int)
    x, y = everything[:300], labels[:300]
    raw, mapped = (DependenceBayes(calibrate=c).fit(x, y) for c in (False, True))
    assert mapped.slope_ < 0.7 and raw.slope_ == 1.0
    new, truth = everything[300:], labels[300:]
    loss = [-m.predict_log_proba(new)[np.arange(2_000), truth].mean() for m in (raw, mapped)]
    assert loss[1] < loss[0] - 0.02
    with pytest.raises(TierError, match="calibrate=False"):
        mapped.out_of_fold(x, y, np.arange(300) % 3)
    judged = cross_validate(DependenceBayes(), x, y, cv=3)
    assert judged.estimate("log_loss").value < loss[0]
    for options in ({}, {"prior": [0.1, 0.9]}, {"for_class": 1, "against": 0}):
        told = mapped.evidence(x[:20], **options)
        log_p = mapped.predict_log_proba(x[:20], options.get("prior"))
        own = np.searchsorted(mapped.classes_, told.classes)
        odds = (log_p[np.arange(20), own] - log_p[np.arange(20), 1 - own]) / np.log(2)
        assert np.allclose(told.log2_odds, odds, atol=1e-9)


def test_merging_keeps_counts_exactly_and_the_map_by_rows():
    half = np.arange(N) % 2 == 0
    one, two = (DependenceBayes(kinds="nominal").fit(LEVELS[at], LABELS[at]) for at in (half, ~half))
    both, whole = one + two, DependenceBayes(kinds="nominal").fit(LEVELS, LABELS)
    assert np.array_equal(both.log_likelihood(LEVELS), whole.log_likelihood(LEVELS))
    assert both.slope_ == pytest.approx((one.slope_ + two.slope_) / 2)
    numbers = RNG.normal(size=(N, 2))
    first = DependenceBayes().fit(numbers[half], LABELS[half])
    with pytest.raises(InputError, match=r"'x0', 'x1' are cut into other bins.*bins=first.cuts_"):
        first.merge(DependenceBayes().fit(numbers[~half], LABELS[~half]))
    second = DependenceBayes(bins=first.cuts_).fit(numbers[~half], LABELS[~half])
    third = DependenceBayes(bins=first.cuts_).fit(numbers, LABELS)
    assert np.array_equal(first.merge(second).log_likelihood(numbers), third.log_likelihood(numbers))
    forgotten = third.forget(numbers[~half], LABELS[~half])
    assert np.array_equal(forgotten.log_likelihood(numbers), first.log_likelihood(numbers))


@pytest.mark.parametrize("options", [{}, {"structure": "tree"}, {"calibrate": False, "m": 2.0, "bins": 4}], ids=str)
def test_kept_in_a_file(tmp_path, options):
    X = np.column_stack([RNG.normal(size=N), LEVELS])
    model = DependenceBayes(**options).fit(X, LABELS)
    save(model, tmp_path / "m.likely")
    again = load(tmp_path / "m.likely")
    assert np.array_equal(again.predict_proba(X), model.predict_proba(X)) and again.slope_ == model.slope_
    assert np.array_equal((again + again).class_count_, 2 * model.class_count_)


def test_intervals_are_of_the_counts():
    few, many = (
        DependenceBayes(kinds="nominal", calibrate=False).fit(np.tile(LEVELS, (r, 1)), np.tile(LABELS, r))
        for r in (1, 40)
    )
    width = [np.diff(m.predict_interval(LEVELS[:10], n_draws=200), axis=2).mean() for m in (few, many)]
    assert width[0] > 0.05 and width[1] < width[0] / 3
    said = few.predict_proba(LEVELS[:10])
    ends = few.predict_interval(LEVELS[:10])
    assert (ends[..., 0] <= said).all() and (said <= ends[..., 1]).all()
    assert Calibrated(DependenceBayes(calibrate=False)).fit(LEVELS, LABELS).predict_interval(LEVELS[:2]).shape == (
        2,
        3,
        2,
    )


def test_what_it_cannot_take_is_refused():
    for options, words in (
        ({"n_parents": 3}, "n_parents"), ({"structure": "forest"}, "structure"), ({"m": 0}, "positive"),
        ({"bins": 1}, "bins"), ({"bins": {"x0": [1.0]}}, "no cut points"),
        ({"bins": {"x0": [2.0, 1.0], "x1": []}}, "rise"), ({"kinds": {"x9": "nominal"}}, "x9"),
    ):  # fmt: skip
        with pytest.raises(InputError, match=words):
            DependenceBayes(**options).fit(RNG.normal(size=(20, 2)), np.arange(20) % 2)
    wide = RNG.integers(0, 2_000, (3_000, 6))
    with pytest.raises(InputError, match="GB are allowed"):
        DependenceBayes(kinds="nominal").fit(wide, np.arange(3_000) % 2)


def test_degenerate_tables_have_an_answer():
    constant = DependenceBayes().fit(np.ones((10, 2)), np.arange(10) % 2)
    assert np.allclose(constant.predict_proba([[1.0, 5.0]]), 0.5, atol=1e-6)
    empty = DependenceBayes().fit(np.full((6, 2), np.nan), [0, 0, 0, 0, 1, 1])
    assert empty.predict([[np.nan, 1.0]])[0] == 0
    alone = DependenceBayes().fit([[1.0], [2.0], [3.0]], ["a", "b", "b"])
    assert np.isfinite(alone.predict_proba([[2.0]])).all()
    with pytest.warns(UserWarning, match="only one class"):
        assert DependenceBayes().fit([[1.0], [2.0]], ["a", "a"]).predict([[1.0]])[0] == "a"
    xor = RNG.integers(0, 2, (400, 2))
    y = xor[:, 0] ^ xor[:, 1]
    assert DependenceBayes(kinds="nominal").fit(xor, y).score(xor, y) == 1.0
    assert NaiveBayes("nominal").fit(xor, y).score(xor, y) < 0.7


def test_its_map_does_not_know_that_classes_take_turns():
    """Of 20,000 rows the map learns from every second or so: not from those of one class alone."""
    rng = np.random.default_rng(0)
    y = np.arange(20_000) % 2
    x = np.stack([y ^ (rng.random(len(y)) < 0.4) for _ in range(5)], axis=1)
    order = rng.permutation(len(y))
    in_turn, shuffled = (DependenceBayes(kinds="nominal").fit(x[o], y[o]) for o in (np.arange(len(y)), order))
    assert np.abs(in_turn.predict_proba(x[:100]) - shuffled.predict_proba(x[:100])).max() < 0.02


@pytest.mark.parametrize("parents", [1, 2])
def test_intervals_where_a_column_was_never_observed(parents):
    rows = pl.DataFrame({"a": list("uvuv") * 5, "b": list("uuvv") * 5, "c": list("uvvu") * 5, "gone": [None] * 20})
    model = DependenceBayes(parents, kinds="nominal", calibrate=False).fit(rows, list("xyxx") * 5)
    ends, p = model.predict_interval(rows, n_draws=50), model.predict_proba(rows)
    assert (ends[..., 0] <= p).all() and (p <= ends[..., 1]).all()
    without = DependenceBayes(parents, kinds="nominal", calibrate=False).fit(rows.drop("gone"), list("xyxx") * 5)
    assert np.allclose(p, without.predict_proba(rows.drop("gone")), atol=1e-12)


def test_a_raw_and_a_calibrated_model_do_not_merge():
    raw, calibrated = (DependenceBayes(kinds="nominal", calibrate=each).fit(LEVELS, LABELS) for each in (False, True))
    for first, second in ((raw, calibrated), (calibrated, raw)):
        with pytest.raises(InputError, match="same `calibrate`"):
            first.merge(second)
