"""Learning from the shell: fit, update, merge and forget are the library's, to the bit."""

import gzip
import io
import json

import numpy as np
import polars as pl
import pytest
from command_line import birds, refused, run

from likely import Calibrated, Decider, GaussianBayes, NaiveBayes
from likely.models import unwrap
from likely.store import load

KINDS = ("--kind", "year=nominal")
RAW = "--no-calibrate"


def probabilities(model, data) -> np.ndarray:
    table = pl.read_csv(io.StringIO(run("predict", model, data, "-q").stdout))
    return table.select(pl.col("^P\\(.*\\)$")).to_numpy()


@pytest.fixture
def halves(tmp_path):
    return birds(tmp_path, "a.csv", slice(0, 200)), birds(tmp_path, "b.csv", slice(200, None))


def test_fit_update_merge_forget_predict_is_the_library_to_the_bit(tmp_path, halves):
    a, b = halves
    whole = birds(tmp_path)
    run("fit", a, "--target", "species", *KINDS, RAW, "-o", tmp_path / "a.likely", "-q")
    run("fit", b, "--target", "species", *KINDS, RAW, "-o", tmp_path / "b.likely", "-q")
    run("update", tmp_path / "a.likely", b, "-o", tmp_path / "ab.likely")
    run("merge", tmp_path / "a.likely", tmp_path / "b.likely", "-o", tmp_path / "sum.likely")
    run("forget", tmp_path / "sum.likely", b, "-o", tmp_path / "left.likely")

    first, second, everything = (pl.read_csv(path) for path in (a, b, whole))
    rows = everything.drop("species")
    kinds = {**NaiveBayes().fit(first, "species").kinds_, "year": "nominal"}
    one, two = (NaiveBayes(kinds=kinds).fit(table, "species") for table in (first, second))
    both = one.merge(two)
    left = one.merge(two).forget(second, "species")
    updated = NaiveBayes(kinds=kinds).fit(first, "species").partial_fit(second, "species")
    for file, model in (("a", one), ("ab", updated), ("sum", both), ("left", left)):
        assert np.array_equal(probabilities(tmp_path / f"{file}.likely", whole), model.predict_proba(rows)), file


def test_update_replaces_its_model_and_says_what_it_has_become(tmp_path, halves):
    a, b = halves
    model = tmp_path / "model.likely"
    run("fit", a, "--target", "species", "-o", model, "-q")
    said = json.loads(run("update", model, b, "--json", "-q").stdout)
    assert sum(each["weight"] for each in said["training"]) == 344
    assert json.loads(run("inspect", model, "--json").stdout)["sha256"] == said["sha256"]


def test_standard_input_gzip_and_other_formats_give_the_same_model(tmp_path):
    path = birds(tmp_path)
    table = pl.read_csv(path)
    (tmp_path / "birds.csv.gz").write_bytes(gzip.compress(path.read_bytes()))
    table.write_parquet(tmp_path / "birds.parquet")
    table.write_ndjson(tmp_path / "birds.jsonl")
    table.write_csv(tmp_path / "birds.tsv", separator="\t")
    digests = set()
    for data in ("birds.csv", "birds.csv.gz", "birds.parquet", "birds.jsonl", "birds.tsv"):
        told = run("fit", tmp_path / data, "--target", "species", "-o", tmp_path / "m.likely", "-q", "--json")
        digests.add(json.loads(told.stdout)["sha256"])
    run("fit", "penguins", "--target", "species", "-o", tmp_path / "shipped.likely", "-q")
    assert unwrap(load(tmp_path / "shipped.likely")).class_count_.sum() == 344
    told = run("fit", "-", "--target=species", f"-o{tmp_path / 'm.likely'}", "--json", stdin=path.read_bytes())
    assert digests == {json.loads(told.stdout)["sha256"]}


def test_models_by_name_are_what_they_say(tmp_path):
    path, model = birds(tmp_path), tmp_path / "m.likely"
    run("fit", path, "--target", "species", "--model", "gaussian-shared", "-o", model, "--drop", "island", "-q", RAW,
        "--drop", "sex", "--kind", "year=numeric")  # fmt: skip
    kept = load(model)
    assert isinstance(kept, GaussianBayes) and kept.covariance == "shared"
    run("fit", path, "--target", "species", "--model", "gaussian", "--covariance", "diagonal", "-o", model, "-q")
    mixed = unwrap(load(model)).kinds["bill_length_mm"]
    assert mixed.covariance == "diagonal"
    run("fit", path, "--target", "species", "--alpha", "0.25", "--gaps", "evidence", "--unseen=prior", "-o", model)
    kept = unwrap(load(model))
    assert (kept.alpha, kept.missing, kept.unseen) == (0.25, "evidence", "prior")
    for name in ("kde", "histogram", "majority", "naive-bayes-histograms"):
        run("fit", path, "--target", "species", "--model", name, "-o", model, "-q")
    assert "histogram" in unwrap(load(model)).kinds.values()


def test_calibration_costs_and_prior_are_part_of_the_model(tmp_path):
    path, model, costs = birds(tmp_path), tmp_path / "m.likely", tmp_path / "costs.csv"
    costs.write_text(",Adelie,Chinstrap,Gentoo\nAdelie,0,1,1\nChinstrap,5,0,1\nGentoo,1,1,0\n")
    prior = "Adelie=0.2, Chinstrap=0.5, Gentoo=0.3"
    run("fit", path, "--target", "species", "--calibrate", "temperature", "--costs", costs, "--prior", prior,
        "--reject", "0.1", "-o", model, "-q")  # fmt: skip
    kept = load(model)
    assert isinstance(kept, Decider) and isinstance(kept.estimator_, Calibrated)
    assert kept.estimator_.method == "temperature" and kept.reject == 0.1
    assert kept.prior == {"Adelie": 0.2, "Chinstrap": 0.5, "Gentoo": 0.3}
    said = run("update", model, path, "-o", tmp_path / "more.likely").stderr
    assert "the calibration was learned again, from 688 rows" in said
    more = load(tmp_path / "more.likely")
    assert isinstance(more, Decider) and unwrap(more).class_count_.sum() == 688
    run("update", model, path, "--target", "species", "--inner", "-o", tmp_path / "inner.likely")
    assert load(tmp_path / "inner.likely").class_count_.sum() == 688


def test_rows_without_a_class_are_left_out_and_said(tmp_path):
    path, model = birds(tmp_path), tmp_path / "m.likely"
    run("fit", path, "--target", "species", "-o", model, "-q")
    gaps = tmp_path / "gaps.csv"
    pl.read_csv(path).head(10).with_columns(
        species=pl.when(pl.int_range(10) < 4).then(None).otherwise(pl.col("species"))
    ).write_csv(gaps)
    assert "4 rows without a class" in run("update", model, gaps, "-o", tmp_path / "n.likely").stderr
    assert unwrap(load(tmp_path / "n.likely")).class_count_.sum() == 350


@pytest.mark.filterwarnings("default")  # as in a shell, where the command makes notes of warnings
def test_a_new_class_is_welcome_and_classes_keep_their_type(tmp_path):
    first, second, model = tmp_path / "1.csv", tmp_path / "2.csv", tmp_path / "m.likely"
    first.write_text("x,code,y\n" + "".join(f"{i / 7},A{i % 3},{'1a' if i % 2 else '2'}\n" for i in range(40)))
    second.write_text("x,code,y\n" + "".join(f"{i / 7},{i % 3},{i % 2 + 2}\n" for i in range(40)))
    run("fit", first, "--target", "y", "-o", model, "-q")
    assert isinstance(load(model), Calibrated)
    said = run("update", model, second).stderr  # whole numbers now, text before
    assert "the calibration knows others: it is left behind" in said
    assert load(model).classes_.tolist() == ["1a", "2", "3"]


@pytest.mark.filterwarnings("default")
def test_sites_with_other_classes_merge_and_lose_their_calibration_aloud(tmp_path):
    """An island has one species only, or two of three: the sum is the model of all, and what is lost is said."""
    whole = pl.read_csv(birds(tmp_path))
    for name in ("Biscoe", "Dream", "Torgersen"):
        whole.filter(pl.col("island") == name).drop("island").write_csv(tmp_path / f"{name}.csv")
        said = run("fit", tmp_path / f"{name}.csv", "--target", "species", "-o", tmp_path / f"{name}.likely").stderr
    assert "target species: 1 class (Adelie 52)" in said
    assert "not calibrated: there is one class" in said and "merge the model with models of other classes" in said
    parts = [tmp_path / f"{name}.likely" for name in ("Biscoe", "Dream", "Torgersen")]
    merged = run("merge", *parts, "-o", tmp_path / "all.likely")
    assert "the calibration knows others: it is left behind" in merged.stderr and "Adelie 152" in merged.stdout
    one = run("fit", tmp_path / "Torgersen.csv", "--target", "species", "-o", tmp_path / "s.likely", "--stream")
    assert "Adelie 52" in one.stdout
    known = run("merge", parts[0], tmp_path / "s.likely", "-o", tmp_path / "two.likely")
    assert "left behind" not in known.stderr and isinstance(load(tmp_path / "two.likely"), Calibrated)


def test_rows_without_a_label_are_left_out_and_it_is_said(tmp_path):
    data, model = tmp_path / "d.csv", tmp_path / "m.likely"
    data.write_text("x,y\n" + "".join(f"{i % 7},{'ab'[i % 2] if i % 5 else ''}\n" for i in range(60)))
    assert "12 of 60 rows have no label" in run("fit", data, "--target", "y", "-o", model).stderr
    assert load(model).predict_proba(pl.DataFrame({"x": [1]})).shape == (1, 2)
    assert unwrap(load(model)).class_count_.sum() == 48
    assert "12 rows without a class are left out" in run("update", model, data).stderr


def test_fit_calibrates_unless_told_not_to_and_the_model_goes_on_learning(tmp_path, halves):
    a, b = halves
    fit, parts = ("--target", "species", *KINDS, "-q"), [tmp_path / "a.likely", tmp_path / "b.likely"]
    for path, model in zip((a, b), parts, strict=True):
        run("fit", path, *fit, "-o", model)
        assert isinstance(load(model), Calibrated)
    run("update", parts[0], b, "-o", tmp_path / "ab.likely", "-q")
    run("merge", *parts, "-o", tmp_path / "sum.likely", "-q")
    said = run("forget", tmp_path / "ab.likely", b, "-o", tmp_path / "left.likely").stderr
    assert "the calibration was learned again, from 200 rows" in said
    whole = birds(tmp_path)
    run("fit", whole, *fit, "-o", tmp_path / "whole.likely")
    truth = pl.read_csv(whole)["species"]
    right = {name: probabilities(tmp_path / f"{name}.likely", whole) for name in ("a", "ab", "sum", "left", "whole")}
    assert np.abs(right["left"] - right["a"]).max() < 1e-9
    for name in ("ab", "sum"):
        assert isinstance(load(tmp_path / f"{name}.likely"), Calibrated)
        assert unwrap(load(tmp_path / f"{name}.likely")).class_count_.sum() == 344
        assert load(tmp_path / f"{name}.likely").record_.n == 344
        assert np.abs(right[name] - right["whole"]).mean() < 0.02
    place = {name: k for k, name in enumerate(sorted(truth.unique()))}
    own = np.array([place[name] for name in truth])
    losses = {name: -np.log(p[np.arange(344), own]).mean() for name, p in right.items()}
    assert max(losses["ab"], losses["sum"]) < losses["whole"] + 0.02
    assert "contradict" in refused("fit", a, *fit, "--calibrate", "beta", RAW, "-o", tmp_path / "c.likely")


def test_a_class_of_one_row_and_a_stream_are_not_calibrated_and_it_is_said(tmp_path):
    data, model = tmp_path / "d.csv", tmp_path / "m.likely"
    data.write_text("x,y\n" + "".join(f"{i % 9},{'abc'[2 if i == 7 else i % 2]}\n" for i in range(60)))
    assert "not calibrated: a class has a single row" in run("fit", data, "--target", "y", "-o", model).stderr
    assert isinstance(load(model), NaiveBayes)
    assert "not calibrated" in run("fit", data, "--target", "y", "--stream", "-o", model).stderr
    assert "not calibrated" not in run("fit", data, "--target", "y", RAW, "-o", model).stderr


@pytest.mark.parametrize("suffix", ["parquet", "csv"])
def test_kinds_of_a_stream_fit_rows_that_come_late(tmp_path, suffix):
    n = 12_000
    late = {"flag": 0.08, "code": 2, "none": 7.0, "place": "b", "switch": 1.0}
    table = pl.DataFrame(
        {
            "flag": np.r_[np.tile([0.0, 1.0], n // 2)[:-1], late["flag"]],
            "code": np.r_[(np.arange(n - 1) % 5 == 0).astype(int), late["code"]],
            "none": np.r_[np.zeros(n - 2), np.inf, late["none"]],
            "place": ["a"] * (n - 1) + [late["place"]],
            "switch": np.tile([0.0, 1.0, 1.0], n // 3),
            "y": np.tile(["a", "b", "b", "a"], n // 4),
        }
    )
    data, model = tmp_path / f"d.{suffix}", tmp_path / "m.likely"
    getattr(table, f"write_{suffix}")(data)
    told = run("fit", data, "--target", "y", "--stream", "-o", model).stderr
    assert "kinds are those of the first 10,000 rows, and fit the numbers of all" in told
    assert "renaming" not in told and "equal to" not in told  # of columns that vary in later rows alone
    learned = load(model)
    kinds = {"flag": "numeric", "code": "numeric", "none": "numeric", "place": "nominal", "switch": "binary"}
    assert learned.kinds_ == kinds and learned.class_count_.sum() == n
    run("predict", model, data, "-q", "-o", tmp_path / "p.csv")


def test_inspect_says_what_a_wrapped_model_can_go_on_to_do(tmp_path, halves):
    a, b = halves
    many, one = tmp_path / "many.likely", tmp_path / "one.likely"
    run("fit", a, "--target", "species", "--model", "logistic", "-q", "-o", many)
    run("fit", a, "--target", "species", *KINDS, "-q", "-o", one)
    told = json.loads(run("inspect", one, "--json").stdout)
    assert told["goes_on"] == {"update": True, "merge": True, "forget": True}
    assert "goes on      update, merge, forget" in run("inspect", one, "--text").stdout
    said = run("inspect", many, "--text").stdout
    assert "cannot update, merge, forget: fit again on all rows" in said and "passes" not in said
    assert "which cannot be merged" in refused("merge", many, many, "-o", tmp_path / "m.likely")
    hindered = refused("update", many, b)
    assert "holds a LogisticRegression, which cannot learn more rows" in hindered and "(C='auto')" in hindered


def test_an_updatable_pool_learns_on_merges_and_forgets_and_says_that_its_weights_stay(tmp_path, halves):
    a, b = halves
    whole = birds(tmp_path)
    fit = ("--target", "species", *KINDS, "--model", "pool-updatable", "-q", "-o")
    for data, name in ((a, "a"), (b, "b")):
        run("fit", data, *fit, tmp_path / f"{name}.likely")
    stay = "the weights of the pool stay as they were learned"
    assert stay in run("update", tmp_path / "a.likely", b, "-o", tmp_path / "ab.likely").stderr
    assert stay in run("merge", tmp_path / "a.likely", tmp_path / "b.likely", "-o", tmp_path / "sum.likely").stderr
    assert stay in run("predict", tmp_path / "sum.likely", a).stderr
    told = run("inspect", tmp_path / "sum.likely", "--text").stdout
    assert "learned from other rows than the members" in told and "naive Bayes 0." in told and "NaiveBayes(" not in told
    assert "other rows" not in run("inspect", tmp_path / "a.likely", "--text").stdout
    said = run("forget", tmp_path / "ab.likely", b, "--reweigh", a, "-o", tmp_path / "left.likely").stderr
    assert stay not in said and "the weights of the pool were learned from" in said
    assert np.allclose(probabilities(tmp_path / "left.likely", whole), probabilities(tmp_path / "a.likely", whole))
    run("fit", a, "--target", "species", *KINDS, "-q", "-o", tmp_path / "naive.likely")
    assert "NaiveBayes has no weights" in refused("update", tmp_path / "naive.likely", b, "--reweigh", b)


def test_numbers_in_bins_have_no_levels_and_other_bins_are_said_at_a_merge(tmp_path, halves):
    a, b = halves
    for name, rows in (("a", a), ("b", b)):
        run("fit", rows, "--target", "species", "--model", "dependence", "-o", tmp_path / f"{name}.likely", "-q")
    assert "has not seen" not in run("predict", tmp_path / "a.likely", b).stderr
    told = refused("merge", tmp_path / "a.likely", tmp_path / "b.likely", "-o", tmp_path / "ab.likely")
    assert "are cut into other bins" in told and "likely update" in told


def texts(folder, rows=240, name="mails.csv"):
    """Mails that say what they are, half of them with a number beside."""
    rng = np.random.default_rng(rows)
    words = {"ham": ["lunch", "noon", "report", "plan", "hello"], "spam": ["free", "prize", "money", "claim", "hello"]}
    labels = rng.choice(["ham", "spam"], rows)
    mails = [" ".join(rng.choice(words[label], 4)) for label in labels]
    place = folder / name
    pl.DataFrame({"mail": mails, "size": rng.normal(size=rows).round(3), "y": labels}).write_csv(place)
    return place


def test_what_inspect_says_can_be_updated_is_updated_row_by_row_with_a_note(tmp_path):
    first, more = texts(tmp_path), texts(tmp_path, 60, "more.csv")
    for name, option in {"plain": (RAW,), "calibrated": ()}.items():
        model = tmp_path / f"{name}.likely"
        run("fit", first, "--target", "y", "--model", "logistic", "--kind", "mail=text", *option, "-q", "-o", model)
        assert json.loads(run("inspect", model, "--json").stdout)["goes_on"]["update"] is True
        told = run("update", model, more, "-o", tmp_path / "on.likely").stderr
        assert "learns these rows one after the other" in told
        assert unwrap(load(tmp_path / "on.likely")).class_count_.sum() == 300
        hindered = refused("forget", model, more, "-o", tmp_path / "x.likely")
        assert "holds a LogisticRegression, which cannot forget rows" in hindered


def test_a_level_that_no_row_had_is_noted_by_every_model(tmp_path, halves):
    a, b = halves
    new = tmp_path / "new.csv"
    pl.read_csv(b).with_columns(island=pl.lit("Atlantis")).head(1).write_csv(new)
    for name in ("logistic", "tree", "neighbors", "pool"):
        model = tmp_path / f"{name}.likely"
        run("fit", a, "--target", "species", "--model", name, *KINDS, RAW, "-q", "-o", model)
        told = run("predict", model, new).stderr
        assert "column 'island': 1 row holds a level that the model has not seen: 'Atlantis'" in told, name
        assert "has not seen" not in run("predict", model, a).stderr


def test_a_month_that_no_row_had_is_noted(tmp_path):
    days = pl.DataFrame({"day": [f"2023-{1 + i % 5:02}-{1 + i % 28:02}" for i in range(140)], "y": ["a", "b"] * 70})
    days.with_columns(x=pl.int_range(140) % 7 * 1.5).write_csv(tmp_path / "days.csv")
    pl.DataFrame({"day": ["2023-08-03"], "x": [1.5]}).write_csv(tmp_path / "later.csv")
    for name in ("naive", "logistic", "forest"):
        run("fit", tmp_path / "days.csv", "--target", "y", "--model", name, RAW, "-q", "-o", tmp_path / "m.likely")
        told = run("predict", tmp_path / "m.likely", tmp_path / "later.csv").stderr
        assert "column 'day: month': 1 row holds a level that the model has not seen: 'Aug'" in told, name


def test_evaluate_notes_rows_that_the_model_may_have_learned(tmp_path, halves):
    a, b = halves
    model = tmp_path / "m.likely"
    run("fit", a, "--target", "species", "--model", "forest", *KINDS, "-q", "-o", model)
    assert "as many rows of each class as the model learned from" in run("evaluate", model, a).stderr
    assert "learned" not in run("evaluate", model, b).stderr

    rng = np.random.default_rng(0)  # of noise alone a forest remembers what it has learned, and nothing else
    noise = pl.DataFrame({"when": range(1000), "x": rng.normal(size=1000), "z": rng.normal(size=1000)})
    noise = noise.with_columns(y=pl.Series(rng.choice(["a", "b"], 1000)))
    noise[:600].write_csv(tmp_path / "early.csv")
    noise.write_csv(tmp_path / "all.csv")
    run("fit", tmp_path / "early.csv", "--target", "y", "--model", "forest", "--drop", "when", RAW, "-q", "-o", model)
    told = run("evaluate", model, tmp_path / "all.csv", "--time", "when").stderr
    assert "of the rows of 0 to 199, 200 to 399, 400 to 599 fewer are wrong" in told
    noise[600:].write_csv(tmp_path / "late.csv")
    assert "fewer" not in run("evaluate", model, tmp_path / "late.csv", "--time", "when").stderr
    noise[:300].write_csv(tmp_path / "part.csv")
    assert "fewer of these rows are wrong" in run("evaluate", model, tmp_path / "part.csv").stderr
