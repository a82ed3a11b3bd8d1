"""Recommendation: against sums written out, exact forgetting and leaving out, hostile ratings, files, real ratings."""

from datetime import date, datetime

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import likely
from likely import Recommender
from likely.errors import InputError, NotFittedError
from likely.evaluation import evaluate_recommender, split_ratings
from likely.models import read_ratings
from likely.models.recommend import Ratings

OPTIONS = [
    {"by": by, "similarity": similarity, "normalize": normalize, "k": k, "shrinkage": shrinkage, "damping": 0.3}
    for by in ("user", "item")
    for similarity, normalize in (("euclidean", "none"), ("pearson", "center"), ("cosine", "standard"))
    for k, shrinkage in ((None, 0.0), (2, 5.0))
]


def people(seed=0, users=12, items=9, share=0.6):
    rng = np.random.default_rng(seed)
    table = np.round(rng.normal(3.5, 1.2, (users, items)) * 2) / 2
    return np.where(rng.random((users, items)) < share, table, np.nan)


def as_frame(table):
    rows = [(f"u{u:02}", f"i{i:02}", x) for u, row in enumerate(table) for i, x in enumerate(row) if x == x]
    return pl.DataFrame(rows, schema=["user", "item", "rating"], orient="row")


def written_out(table, u, m, by, similarity, normalize, k, shrinkage, damping):
    """The prediction of one cell by the formulas, row by row."""
    X = table if by == "user" else table.T
    r, c = (u, m) if by == "user" else (m, u)
    middle = np.zeros(len(X)) if normalize == "none" else np.nanmean(X, axis=1)
    scale = np.ones(len(X))
    if normalize == "standard":
        scale = np.array([np.nanstd(row, ddof=1) if np.isfinite(row).sum() > 1 else 1.0 for row in X])
        scale = np.where(scale > 0, scale, 1.0)
    Z = (X - middle[:, None]) / scale[:, None]
    found = []
    for other in range(len(X)):
        both = np.isfinite(Z[r]) & np.isfinite(Z[other])
        if other == r or not both.any() or not np.isfinite(X[other, c]):
            continue
        a, b = Z[r, both], Z[other, both]
        if similarity == "euclidean":
            sim = 1 / (1 + np.linalg.norm(a - b))
        else:
            a, b = (a - a.mean(), b - b.mean()) if similarity == "pearson" else (a, b)
            size = np.linalg.norm(a) * np.linalg.norm(b)
            sim = a @ b / size if size > 1e-9 else 0.0
        sim *= both.sum() / (both.sum() + shrinkage)
        if sim > 0:
            found.append((sim, Z[other, c]))
    found = sorted(found, reverse=True)
    if not found or (k and len(found) > k and found[k - 1][0] - found[k][0] < 1e-9):
        return None  # nobody speaks, or it is a tie who does
    found = found[: k or len(found)]
    weight = sum(s for s, _ in found)
    damping = 0 if normalize == "none" else damping
    return middle[r] + scale[r] * sum(s * z for s, z in found) / (weight + damping)


@pytest.mark.parametrize("options", OPTIONS, ids=lambda o: "-".join(map(str, o.values())))
def test_predictions_are_the_formula(options):
    table = people(1)
    model = Recommender(**options).fit(as_frame(table))
    low, high = np.nanmin(table), np.nanmax(table)
    pairs = [(u, m) for u in range(len(table)) for m in range(table.shape[1]) if np.isnan(table[u, m])]
    got = model.predict([(f"u{u:02}", f"i{m:02}") for u, m in pairs])
    expected = [written_out(table, u, m, **options) for u, m in pairs]
    compared = [(g, np.clip(e, low, high)) for g, e in zip(got, expected, strict=True) if e is not None]
    assert len(compared) > 8
    assert np.allclose(*zip(*compared, strict=True), atol=1e-5)  # pairs of items are kept in single precision


@pytest.mark.parametrize("by", ["user", "item"])
def test_reasons_sum_to_what_is_said(by):
    table = people(2)
    model = Recommender(by=by, similarity="euclidean", normalize="none", k=None, shrinkage=0).fit(as_frame(table))
    for one in model.recommend("u00", n=3):
        parts = model.because("u00", one.item)
        assert sum(part.share for part in parts) == pytest.approx(1)
        assert sum(part.share * part.rating for part in parts) == pytest.approx(one.score, abs=1e-5)
        assert len(parts) == one.support


def test_a_new_person_is_answered_as_if_learned():
    table = people(3)
    whole, rest = Recommender().fit(as_frame(table)), Recommender().fit(as_frame(table).filter(pl.col("user") != "u00"))
    own = {f"i{m:02}": x for m, x in enumerate(table[0]) if x == x}
    assert rest.recommend(ratings=own, n=9) == whole.recommend("u00", n=9)
    assert rest.nearest_users(ratings=own) == whole.nearest_users("u00")


@given(st.integers(0, 50), st.floats(0.1, 0.9))
def test_merging_learning_and_forgetting_are_the_table(seed, share):
    frame = as_frame(people(seed, 6, 5, 0.8))
    part = np.random.default_rng(seed).random(len(frame)) < share
    one, two = frame.filter(part), frame.filter(~part)
    if not len(one) or not len(two):
        return
    whole = Recommender().fit(frame)
    assert (Recommender().fit(one) + Recommender().fit(two)).ratings_ == whole.ratings_
    assert Recommender().fit(one).partial_fit(two).ratings_ == whole.ratings_
    left = Recommender().fit(frame).forget(two)
    assert left.ratings_ == Recommender().fit(one).ratings_
    assert np.array_equal(left.predict(frame), Recommender().fit(one).predict(frame))


@pytest.mark.parametrize("by", ["user", "item"])
def test_left_out_ratings_are_predicted_without_them(by):
    frame = as_frame(people(4))
    model = Recommender(by=by).fit(frame)
    residuals = model.residuals_
    order = np.random.default_rng(0).permutation(len(frame))
    sorted_frame = frame.sort("user", "item")
    for place, at in list(enumerate(order))[:8]:
        row = sorted_frame[int(at)]
        other = Recommender(by=by).fit(sorted_frame.with_row_index().filter(pl.col("index") != int(at)).drop("index"))
        off = row["rating"][0] - other.predict(row)[0]
        assert residuals.residual[place] == pytest.approx(off, abs=1e-5)


def test_files_keep_everything(tmp_path):
    frame = as_frame(people(5))
    model = Recommender(by="item", k=3).fit(frame)
    likely.save(model, tmp_path / "m.likely")
    again = likely.load(tmp_path / "m.likely")
    assert again.ratings_ == model.ratings_ and again.get_params() == model.get_params()
    assert np.array_equal(again.predict(frame), model.predict(frame))


def test_tables_are_read_by_name_or_place():
    rows = [("b", 7, 2.0, 5), ("a", 7, 4.0, 1), ("b", 7, 3.0, 9)]
    seen = read_ratings(pl.DataFrame(rows, schema=["user", "item", "rating", "time"], orient="row"))
    assert seen.columns() == (["a", "b"], [7, 7], [4.0, 3.0])  # the later one counts
    assert read_ratings(pl.DataFrame(rows[:2], schema=["who", "what", "stars", "when"], orient="row")).users == (
        "a",
        "b",
    )
    with pytest.raises(InputError, match="twice"):
        read_ratings(pl.DataFrame({"user": ["a", "a"], "item": [1, 1], "rating": [1, 2]}))
    with pytest.raises(InputError, match="must be numbers"):
        read_ratings(pl.DataFrame({"user": ["a"], "item": [1], "rating": ["good"]}))
    with pytest.raises(InputError, match="names no item"):
        read_ratings(pl.DataFrame({"user": ["a"], "item": [None], "rating": [1]}))
    with pytest.raises(InputError, match="missing or infinite"):
        read_ratings(pl.DataFrame({"user": ["a"], "item": [1], "rating": [float("nan")]}))
    with pytest.raises(InputError, match="columns user, item, rating"):
        read_ratings(pl.DataFrame({"user": ["a"]}))


@pytest.mark.parametrize(
    "times",
    [
        [1, 2, None],
        [-3.5, 0.25, 9.0],
        [datetime(2024, 5, 6, 7), datetime(2024, 5, 6, 8), None],
        [date(2024, 5, 6), date(2024, 5, 7), None],
        ["2024-05-06", "2024-05-06 00:01", None],
        ["2024-05-06T10:00:00+02:00", "2024-05-06T09:00:00Z", "2024-05-06 23:00:00"],
    ],
)
def test_the_later_of_two_ratings_counts(times):
    table = pl.DataFrame({"user": ["a", "a", "b"], "item": ["x", "x", "x"], "rating": [1.0, 2.0, 5.0], "time": times})
    assert read_ratings(table).rating.tolist() == [2.0, 5.0]
    assert read_ratings(table[[1, 0, 2]]).rating.tolist() == [2.0, 5.0]


def test_times_that_cannot_be_compared_are_refused():
    table = pl.DataFrame({"user": ["a", "a", "b"], "item": ["x", "x", "x"], "rating": [1.0, 2.0, 5.0]})

    def read(times):
        return read_ratings(table.with_columns(pl.Series("time", times)))

    for row, times in enumerate(([None, 4.0, 1.0], [4.0, None, 1.0], [float("nan"), 4.0, 1.0])):
        with pytest.raises(InputError, match=rf"item 'x' twice, and row {row % 2} has no time"):
            read(times)
    with pytest.raises(InputError, match="column 'time', row 1: 'noon' is no time"):
        read(["2024-05-06", "noon", None])
    with pytest.raises(InputError, match="numbers or dates, got List"):
        read([[1], [2], [3]])
    with pytest.raises(InputError, match="one for each"):
        Ratings.of(["a", "b"], ["x", "x"], [1, 2], [1])


def test_ratings_that_are_no_numbers_are_refused():
    with pytest.raises(InputError, match=r"ratings must be numbers: .*'good'"):
        read_ratings({"a": {"x": "good"}})
    with pytest.raises(InputError, match="no ratings"):
        read_ratings({"a": {}})


def test_hostile_ratings_have_an_answer():
    equal = Recommender().fit({f"u{i}": {"a": 3, "b": 3} for i in range(4)})
    assert equal.predict([("u0", "a"), ("new", "b"), ("u1", "never")]).tolist() == [3.0, 3.0, 3.0]
    single = Recommender().fit({"u": {"a": 5}, "v": {"b": 1}})
    assert [one.item for one in single.recommend("u")] == ["b"]
    assert single.because("u", "b") == [] and single.nearest_users("u") == []
    with pytest.raises(InputError, match=r"user 'w' has rated nothing"):
        single.recommend("w")
    with pytest.raises(InputError, match="rated by nobody"):
        single.because("u", "z")
    with pytest.raises(InputError, match="one of them"):
        single.recommend()
    with pytest.raises(InputError, match="never learned"):
        single.forget({"u": {"a": 4}})
    with pytest.raises(InputError, match="leave nothing"):
        single.forget({"u": {"a": 5}, "v": {"b": 1}})
    with pytest.raises(NotFittedError):
        Recommender().predict([("u", "a")])


@pytest.mark.parametrize("by", ["user", "item"])
def test_one_user_or_one_item_is_a_table(by):
    alone = Recommender(by).fit({"u": {"a": 5, "b": 1}})
    assert alone.recommend("u") == [] and alone.recommend_all().is_empty()
    high, low = alone.predict([("new", "a"), ("u", "b")])  # one rating of an item: drawn to the mean of all, 3
    assert 3 < high < 5 and high + low == pytest.approx(6.0) and alone.nearest_users("u") == []
    common = Recommender(by).fit({"u": {"a": 5}, "v": {"a": 1}, "w": {"a": 3}})
    assert common.recommend("u") == [] and common.nearest_items("a") == []
    assert common.predict([("new", "a")]).tolist() == [3.0]


@pytest.mark.parametrize("dtype", [pl.Int8, pl.Int64, pl.UInt64, pl.String])
def test_names_of_any_type_are_numbered_alike(dtype):
    rows = pl.DataFrame({"user": [9, 4, 9], "item": [2, 2, 7], "rating": [1.0, 2.0, 3.0]})
    seen = read_ratings(rows.with_columns(pl.col("user", "item").cast(dtype)))
    assert list(map(int, seen.users)) == [4, 9] and list(map(int, seen.items)) == [2, 7]
    assert seen.user.tolist() == [0, 1, 1] and seen.item.tolist() == [0, 0, 1]
    assert type(seen.users[0]) is (str if dtype == pl.String else int)
    with pytest.raises(InputError, match="row 1 names no user"):
        read_ratings(pl.DataFrame({"user": [1, None], "item": [1, 2], "rating": [1.0, 2.0]}))


@pytest.mark.parametrize(
    "options",
    [
        {"by": "film"},
        {"similarity": "l3"},
        {"normalize": "z"},
        {"k": 0},
        {"shrinkage": -1},
        {"min_overlap": 0},
        {"damping": -1},
    ],
)
def test_mistakes_are_refused(options):
    with pytest.raises(InputError, match=next(iter(options))):
        Recommender(**options).fit({"u": {"a": 5}})


def test_options_change_something():
    frame = as_frame(people(6, 20, 12, 0.5))
    pairs = frame.select("user", "item")
    base = Recommender().fit(frame).predict(pairs)
    for change in ({"by": "item"}, {"similarity": "pearson"}, {"normalize": "standard"}, {"k": 2}, {"shrinkage": 0.0},
                   {"min_overlap": 4}, {"damping": 0.0}):  # fmt: skip
        assert not np.allclose(Recommender(**change).fit(frame).predict(pairs), base), change


def test_lists_are_judged_with_intervals():
    learn, judge = split_ratings(as_frame(people(7, 40, 12, 0.8)), 0.3)
    report = evaluate_recommender(Recommender().fit(learn), judge, n=3)
    for figure in (report.rmse, report.mae, report.precision, report.ndcg):
        assert figure.low <= figure.value <= figure.high
    assert report.mae.value <= report.rmse.value and "NDCG at 3" in str(report)


@pytest.mark.slow
def test_real_ratings(shared_data):
    table = pl.read_csv(shared_data / "recommender" / "movielens_small_2016.csv.gz")
    table = table.select(user="user_id", item="item_id", rating="rating")
    learn, judge = split_ratings(table)
    model = Recommender().fit(learn)
    report = evaluate_recommender(model, judge)
    assert report.rmse.value < 0.90  # Surprise's KNNWithMeans has .92 on such splits
    some = judge.sample(3000, seed=0)
    held = model.predict_interval(some, 0.9)
    inside = np.mean([e.low <= x <= e.high for e, x in zip(held, some["rating"], strict=True)])
    assert 0.87 < inside < 0.93
    every = model.recommend_all(5)
    assert every.group_by("user").len()["len"].to_list() == [5] * len(model.users_)


@pytest.mark.parametrize("options", OPTIONS, ids=lambda o: "-".join(map(str, o.values())))
def test_lists_of_all_are_those_of_each(options):
    table = people(7, 20, 14, 0.5)
    model = Recommender(**options).fit(as_frame(table))
    found = model.recommend_all(4)
    for user in model.users_:
        own, one = found.filter(pl.col("user") == user), model.recommend(user, 4)
        assert np.allclose(own["score"], [each.score for each in one], atol=1e-6)
        if len({round(each.score, 5) for each in one}) == len(one):  # else it is a tie which comes first
            assert own["item"].to_list() == [each.item for each in one]
            assert own["support"].to_list() == [each.support for each in one]


def test_the_most_similar_are_found_among_equals():
    from likely.models.recommend.everybody import _scratch
    from likely.numeric.kernels.recommending.recommended import profile_says

    rng = np.random.default_rng(0)
    similarity = np.round(np.maximum(rng.normal(0.2, 0.4, (30, 700)), 0), 1).astype(np.float32)
    cells = rng.normal(size=30)
    total, weight, number, *scratch = _scratch(700)
    for most in (0, 1, 5, 40):
        profile_says(similarity, np.arange(30), cells, most, total, weight, number, *scratch)
        for m in range(700):
            order = np.argsort(-similarity[:, m], kind="stable")
            order = order[similarity[order, m] > 0][: most or 30]
            assert number[m] == len(order) and weight[m] == pytest.approx(similarity[order, m].sum(dtype=float))
            assert total[m] == pytest.approx(float(similarity[order, m].astype(float) @ cells[order]), abs=1e-6)


def test_items_beyond_those_whose_pairs_are_held(monkeypatch):
    from likely.models.recommend import everybody

    frame = as_frame(people(8))
    held = Recommender("item", k=3).fit(frame).recommend_all(3)
    monkeypatch.setattr(everybody, "MOST_PAIRS", 1)
    one_by_one = Recommender("item", k=3).fit(frame).recommend_all(3)
    assert held["item"].to_list() == one_by_one["item"].to_list() and np.allclose(held["score"], one_by_one["score"])


def test_more_neighbours_than_users_are_all_users():
    table = {"user": list("aabbc"), "item": list("xyxyx"), "rating": [1.0, 2.0, 3.0, 4.0, 5.0]}
    asked = {"user": ["c"], "item": ["y"]}
    every, many = (Recommender(k=k).fit(pl.DataFrame(table)).predict(pl.DataFrame(asked)) for k in (None, 2**62))
    assert every == many


@pytest.mark.parametrize("by", ["user", "item"])
def test_what_is_recommended_is_what_is_predicted_and_on_the_scale(by):
    frame = as_frame(people(3))
    model = Recommender(by, damping=0).fit(frame)
    lists = model.recommend_all(9)
    assert np.allclose(lists["score"], model.predict(lists.select("user", "item")))
    assert frame["rating"].min() <= lists["score"].min() and lists["score"].max() <= frame["rating"].max()
    for user in model.users_[:4]:
        best = model.recommend(user, 9)
        assert np.allclose([each.score for each in best], model.predict([(user, each.item) for each in best]))
    with pytest.warns(UserWarning, match="is it on the same scale"):
        beyond = model.recommend(ratings={"i00": 99.0}, n=9)
    assert max(each.score for each in beyond) <= frame["rating"].max()


@pytest.mark.parametrize("normalize", ["none", "center", "standard"])
@pytest.mark.parametrize("by", ["user", "item"])
def test_neighbours_that_are_equally_alike_but_for_rounding_are_the_same_in_every_answer(by, normalize):
    """Of one shared rating a similarity is 1 / 21, but for the last digit: some were asked here, and others there."""
    for seed in (0, 13, 29):
        rng = np.random.default_rng(seed)
        table = {u: {f"i{i:02}": int(rng.integers(1, 6)) for i in range(20) if rng.random() < 0.35} for u in range(40)}
        model = Recommender(by, k=3, normalize=normalize).fit({u: given for u, given in table.items() if given})
        lists = model.recommend_all(20)
        assert np.allclose(lists["score"], model.predict(lists.select("user", "item")), atol=1e-6)
        for user in model.users_[:8]:
            best = model.recommend(user, 20)
            assert np.allclose([each.score for each in best], model.predict([(user, each.item) for each in best]))


def test_what_is_alike_by_rounding_alone_is_not_alike():
    """The deviations of A and B are at right angles: their cosine is 0, where sums leave 1e-17."""
    others = {"B": {"w": 0.1, "x": 0.3, "y": 0.3, "z": 0.1, "new": 0.2}, "C": {"new": 0.9, "old": 0.1}}
    model = Recommender(normalize="center", shrinkage=0).fit({"A": {"w": 0.1, "x": 0.1, "y": 0.3, "z": 0.3}, **others})
    assert all(abs(each.similarity) in (0.0, 1.0) for each in model.nearest_users("A"))
    assert model.because("A", "new") == []
    assert model.recommend("A", 2)[0].support == model.recommend_all(2).filter(user="A")["support"][0] == 0


def test_lists_of_no_length_are_refused():
    frame = as_frame(people(3))
    with pytest.raises(InputError, match="n must be a whole number"):
        evaluate_recommender(Recommender().fit(frame), frame, 0)


@pytest.mark.parametrize("n", [0, -1, 2.5, True, "all"])
def test_a_length_that_is_none_is_refused_by_neighbours_too(n):
    model = Recommender().fit({"a": {"x": 1, "y": 2}, "b": {"x": 2, "y": 5}})
    for ask in (lambda: model.nearest_users("a", n=n), lambda: model.nearest_items("x", n=n)):
        with pytest.raises(InputError, match="n must be a whole number"):
            ask()
    assert [one.name for one in model.nearest_users("a", n=None)] == ["b"]


def test_only_recommenders_of_the_same_parameters_merge():
    one, other = ({"a": {"x": 1}}, {"b": {"x": 2}})
    with pytest.raises(InputError, match="the same parameters"):
        Recommender(k=3).fit(one) + Recommender(k=4).fit(other)
    with pytest.raises(InputError, match="merges with another"):
        Recommender().fit(one).merge({"b": {"x": 2}})
    assert (Recommender(k=3).fit(one) + Recommender(k=3).fit(other)).ratings_.users == ("a", "b")


def test_names_that_cannot_be_names_are_unknown():
    model = Recommender().fit({"a": {"x": 1, "y": 2}, "b": {"x": 2, "y": 5}})
    assert model.predict([(["a"], "y")])[0] == model.predict([("nobody", "y")])[0]
    with pytest.raises(InputError, match="has rated nothing"):
        model.recommend(["a"])
    with pytest.raises(InputError, match="rated by nobody"):
        model.because("a", ["x"])


def few(people, items):
    return {f"u{k}": {f"i{j}": 1 + (j * k) % 5 for j in range(items)} for k in range(1, people + 1)}


def test_too_few_ratings_to_hold_out_are_told():
    with pytest.raises(InputError, match=r"share=0\.2 of a user's ratings is less than one of them: nobody has more"):
        split_ratings(few(4, 4))
    for nothing in ([], {}, pl.DataFrame({"user": [], "item": [], "rating": []})):
        with pytest.raises(InputError, match="no held-out ratings to judge by"):
            evaluate_recommender(Recommender().fit(few(4, 4)), nothing)


def test_errors_of_ratings_need_no_lists():
    learn, judge = split_ratings(few(8, 6))
    assert judge["user"].is_unique().all()  # one each
    report = evaluate_recommender(Recommender().fit(learn), judge)
    assert report.mae.value <= report.rmse.value < 3
    assert not report.precision.defined and not report.ndcg.defined
    assert "NDCG at 10       undefined, n=0 (nobody has two held-out ratings" in str(report)
    more = pl.concat([judge, learn.filter(pl.col("user") == "u1").head(2)])
    rest = learn.join(more, on=["user", "item"], how="anti")
    one = evaluate_recommender(Recommender().fit(rest), more)
    assert one.ndcg.defined and (one.ndcg.low, one.ndcg.high) == (0.0, 1.0)  # of one list


def test_what_was_learned_does_not_judge():
    learn, judge = split_ratings(few(8, 10))
    model = Recommender().fit(learn)
    assert evaluate_recommender(model, judge).rmse.value > 0
    both = pl.concat([judge, learn.head(3)])
    with pytest.raises(InputError, match="has learned 3 of the 19 ratings that are to judge it, the first that of"):
        evaluate_recommender(model, both)


def test_of_a_single_rating_the_interval_is_open():
    (said,) = Recommender().fit({"a": {"x": 3}}).predict_interval([("a", "y")])
    assert (said.value, said.low, said.high) == (3.0, -np.inf, np.inf)
    (said,) = Recommender().fit({"a": {"x": 3}, "b": {"x": 5}}).predict_interval([("a", "y")])
    assert (said.low, said.high) == (3.0, 5.0)
    many = Recommender().fit({f"u{k}": {"x": 3, "y": 3} for k in range(30)}).predict_interval([("u1", "z")])
    assert (many[0].low, many[0].high) == (3.0, 3.0)


def test_ratings_of_another_scale_are_remarked():
    model = Recommender().fit(few(8, 6))
    with pytest.warns(UserWarning, match="says 50 of 'i1', and those that were learned are from 1 to 5"):
        model.recommend(ratings={"i2": 3, "i1": 50})
    model.recommend(ratings={"i1": 5})  # no warning


def test_names_of_an_array_of_numbers_are_whole():
    model = Recommender().fit(np.array([[1, 3, 4.0], [1, 4, 3.5], [2, 3, 5.0]]))
    assert model.items_.tolist() == [3, 4] and model.items_.dtype.kind == "i" and model.users_.dtype.kind == "i"
    assert Recommender().fit(np.array([[1, 3.5, 4.0], [1, 4, 3.5]])).items_.tolist() == [3.5, 4.0]
