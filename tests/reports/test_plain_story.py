"""What is read first does not contradict itself: rows, prices, classes that are missed, leads that may be luck."""

import re
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

import likely
from likely.evaluation.audit.rows import audit
from likely.intervals.estimate import Estimate
from likely.reports.choosing.beside import kept_best
from likely.reports.choosing.contest import BASELINE
from likely.reports.judging import price_of
from likely.reports.rendering.first_screen.answer import best_of
from likely.reports.rendering.first_screen.first_figures import guess, never_found
from likely.reports.rendering.first_screen.tiles import _at_stake, tiles
from likely.reports.rendering.glossary import words_used
from likely.reports.rendering.rivals import Rival
from likely.reports.rendering.sections import _changing

COSTS = {"ill": {"well": 4}, "well": {"ill": 1}}
PRIOR = {"ill": 0.1, "well": 0.9}


def rows(n=240, seed=0):
    rng = np.random.default_rng(seed)
    ill = rng.random(n) < 0.35
    return pl.DataFrame({"fever": rng.normal(37 + 1.2 * ill, 0.8), "state": np.where(ill, "ill", "well")})


def studied(table, **options):
    return likely.study(table, "state", repeats=1, cv=3, yardsticks=False, **options)


def shown(study, title):
    return next(tile for tile in tiles(study) if tile.title.startswith(title))


@pytest.fixture(scope="module")
def gappy():
    """Every third row has no label; the other rows stand where they stood."""
    table = (
        rows()
        .with_row_index("at")
        .with_columns(state=pl.when(pl.col("at") % 3 == 0).then(None).otherwise(pl.col("state")))
    )
    with pytest.warns(UserWarning, match="80 of 240 rows have no state and are left out"):
        return table, studied(table.drop("at"))


@pytest.fixture(scope="module")
def unsure():
    return studied(rows(), prior=PRIOR, reject=0.1)


@pytest.fixture(scope="module")
def priced():
    return studied(rows(), costs=COSTS)


@pytest.fixture(scope="module")
def noise():
    rng = np.random.default_rng(5)
    table = pl.DataFrame({"x": rng.normal(size=200), "state": np.where(rng.random(200) < 0.4, "ill", "well")})
    return studied(table)


def test_rows_are_those_of_the_table_where_labels_are_missing(gappy):
    table, found = gappy
    assert len(found.looked.rows) == 160 and not (found.looked.rows % 3 == 0).any()
    told = found.record()["suspicious_rows"]
    assert told and all(table["state"][row["row"]] == row["label"] for row in told)
    suspects = found.audit.suspicious(10)
    assert all(table["state"][row] == label for row, label in suspects["row", "label"].iter_rows())
    text = found.markdown()
    section = text.split("## Suspicious rows")[1].split("## ")[0]
    for number, label, fever in re.findall(
        r"^\| (\d+) \| (\w+) \| \w+ \| [\d.]+ \| [^|]+ \| ([\d.]+) \|", section, re.M
    ):
        assert table["state"][int(number)] == label
        assert f"{table['fever'][int(number)]:.3g}" == fever
    for number, truth in re.findall(r"row (\d+), truth (\w+)", text):
        assert table["state"][int(number)] == truth


def test_an_audit_numbers_rows_and_twins_as_it_is_told():
    found = audit(likely.NaiveBayes(), np.array([[1.0], [1.0], [5.0], [5.2]]), ["a", "a", "b", "b"])
    there = replace(found, numbers=np.array([10, 20, 30, 40])).frame().sort("row")
    assert there["row"].to_list() == [10, 20, 30, 40]
    assert there["duplicate_of"].to_list() == [20, 10, None, None]


def test_rows_without_a_label_are_told_in_print_and_in_a_notebook(gappy):
    found = gappy[1]
    assert "80 of 240 rows have no state and are left out." in str(found)
    assert "240 rows (80 left out, without a state)" in found._repr_html_()
    assert found.record()["data"]["unlabelled"] == 80


def test_answered_and_left_rows_are_weighed_alike(unsure):
    share = unsure.evaluation.confusion.coverage.value
    assert f"as the prior says {100 - 100 * share:.1f} % of the rows are left unanswered" in unsure.answer[2]
    assert not re.search(r"\d+ of 240 rows are left", unsure.answer[2])


def test_how_few_of_the_rarer_class_are_found_among_the_answered_is_told(unsure):
    table, place = unsure.evaluation.confusion, 0
    hit = table.matrix[place, place] / (table.support - table.rejected)[place]
    told = f"of those that are ill only {100 * hit:.1f} % are called so"
    assert (told in unsure.answer[2]) == (hit < 0.5)


def test_the_majority_is_another_class_in_some_fold_only_where_it_is(unsure):
    assert _changing(unsure) == ""


def test_a_time_limit_is_no_promise_of_the_same_figures(unsure):
    limited = replace(unsure, arguments={**unsure.arguments, "time_limit": 60.0})
    promise = "version give the same figures."
    assert promise in unsure.markdown() and promise not in limited.markdown()


def test_where_nothing_is_found_nothing_is_told_of_the_majority_that_it_cannot_know(noise):
    assert noise.choice.chosen == BASELINE
    text = noise.markdown()
    assert "divided by" not in text and "too few rows of a class" not in text
    assert "no judge of labels: none is listed" in text and "Look at these first" not in text
    assert noise.record()["suspicious_rows"] == []
    assert "signal that luck cannot" not in text and "may be luck" in noise.answer[0]
    trust = shown(noise, "Can its probabilities")
    assert trust.figure == "Only on average" and "nothing of a single one" in trust.words
    assert "the majority one of them" in text or "chosen among" not in text
    assert "[+0.000, +0.000]" not in text.replace("\\", "")
    assert "is never found" not in text


def test_classes_of_a_single_row_are_not_guessed_at():
    table = rows(60)
    some = pl.concat([table, pl.DataFrame({"fever": [36.0, 36.5], "state": ["odd", "strange"]})])
    found = studied(some)
    counts = table["state"].value_counts()["count"]
    assert guess(found)[1].value == pytest.approx(counts.max() / 60)
    assert "62 rows (2 left out, the only ones of their classes)" in found.markdown()
    assert "(1 row)" in found.markdown() and "(1 rows)" not in found.markdown()


def test_a_class_that_is_never_found_is_a_worry():
    """Of three classes one is rarer and has the rows of another."""
    state = np.repeat(["a", "b", "c"], [100, 100, 20])
    found = studied(pl.DataFrame({"x": np.where(state == "a", "left", "right"), "state": state}))
    assert never_found(found) == [("c", 20)]
    told = ("A class is never found", "None of the rows of c (20 rows) is called so.", "fair")
    assert told in [worry for _, worry in _at_stake(found)]


def test_figures_of_later_rows_are_told_from_those_of_rows_learned():
    table = rows().with_columns(when=pl.int_range(240))
    found = studied(table, time="when")
    text = found.markdown()
    assert "240 rows (192 learned and 48 later)" in text
    assert "All figures are of rows later" not in text and "every figure and picture above" not in text
    assert text.count("of the later rows; those of the evidence") == 2
    assert "time=" not in shown(replace(found, audit=None), "Biggest worry").words


def test_with_a_price_the_best_is_the_cheapest(priced):
    from likely.reports.judging import as_used, figure

    price = price_of(priced.setting)
    cost = {
        entry.name: figure(price, as_used(entry.result, priced.setting))
        for entry in priced.entries
        if entry.judged and entry.name != BASELINE
    }
    cheapest = min(cost, key=cost.__getitem__)
    assert best_of(priced) == cheapest
    other = next(name for name in cost if name != cheapest)
    kept = kept_best(replace(priced.choice, best=other, chosen=other), priced.entries, priced.setting)
    assert kept.chosen == cheapest and kept.best == other
    assert kept.words.startswith(f"{cheapest} costs least over folds")


def test_the_result_of_a_study_decides_by_the_costs(priced):
    assert np.array_equal(priced.result.answers[0], priced.evaluation.said.answers)
    assert priced.result.estimate(COSTS).value == pytest.approx(priced.evaluation.cost.value, abs=0.01)


@pytest.mark.parametrize("named", [None, "well"])
def test_the_model_remembers_its_positive_class(named, tmp_path):
    table = rows(90)
    found = studied(table, positive=named)
    likely.save(found.model, tmp_path / "m.likely")
    for model in (found.model, likely.load(tmp_path / "m.likely")):
        judged = likely.evaluate(model, table.drop("state"), table["state"].to_numpy())
        assert judged.positive == found.evaluation.positive == (named or "ill")
    named_here = likely.evaluate(found.model, table.drop("state"), table["state"].to_numpy(), pos_label="well")
    assert named_here.positive == "well"


def test_a_lead_that_luck_can_explain_is_told_whoever_has_it(priced):
    apart = Estimate(-0.023, -0.064, 0.019, 0.95, "t", 10)
    none = Estimate(0.0, -0.1, 0.1, 0.95, "t", 10)
    trailing = Rival(priced.entries[1], none, apart, 0.6)
    assert trailing.trails and not trailing.ahead
    assert not replace(trailing, log_loss=Estimate(-0.1, -0.2, -0.05, 0.95, "t", 10)).trails


def test_a_lead_that_choosing_may_have_made_says_so(priced):
    from likely.reports.rendering.first_screen.answer import _compared, _flattered

    flattered = replace(priced, choice=replace(priced.choice, optimism=10.0))
    assert "choosing among so many models may have made 10.000" in _flattered(flattered)
    assert "it is open whether" in _compared(flattered)
    assert _flattered(replace(priced, choice=replace(priced.choice, optimism=0.0))) == ""


def test_words_that_are_shown_are_explained(priced):
    told = " ".join(row[0] for row in words_used(priced).blocks[0].rows)
    for word in ("pool", "sensitivity", "posterior", "DeLong", "Wilson", "Clopper-Pearson", "skewness corrected"):
        assert word in told
    for word in ("quantile bins", "discrimination", "uncertainty"):
        assert word in told
