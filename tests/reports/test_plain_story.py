"""What is read first does not contradict itself: rows, prices, classes that are missed, leads that may be luck."""

import re
from dataclasses import replace
from importlib.resources import files
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest

import likely
from likely.cli.verbs.judging.audit import _judges
from likely.evaluation.audit.rows import audit
from likely.evaluation.evaluation import Evaluation
from likely.figures.explaining.evidence import EvidenceDisplay
from likely.intervals.estimate import Estimate
from likely.models.traits.evidence import Evidence
from likely.reports.choosing.beside import kept_best
from likely.reports.choosing.contest import BASELINE
from likely.reports.judging import price_of
from likely.reports.rendering.evidence_section import _strongest
from likely.reports.rendering.first_screen.answer import best_of
from likely.reports.rendering.first_screen.first_figures import guess, never_found
from likely.reports.rendering.first_screen.tiles import _at_stake, _worries, tiles
from likely.reports.rendering.glossary import words_used
from likely.reports.rendering.model_sections import _OTHER_JUDGES, probabilities
from likely.reports.rendering.rivals import Rival
from likely.reports.rendering.sections import _changing, _kept_as

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
    assert "## The evidence" not in text and "most telling columns" not in text and "doubtful row" not in text
    assert noise.record()["telling_columns"] == []
    assert shown(noise, "Biggest worry").figure == "No signal"


def test_no_calibration_fails_that_was_not_tried(noise, priced):
    assert "was tried (it says the classes' shares" in _kept_as(noise) and "better log score" not in _kept_as(noise)
    own = priced.chosen.ways[0]
    plain = replace(priced.chosen, ways=(own,), calibration=replace(priced.chosen.calibration, chosen=own.name))
    alone = replace(priced, entries=tuple(plain if entry.name == plain.name else entry for entry in priced.entries))
    assert "was tried (" in _kept_as(alone)


def test_a_model_that_ranks_rows_is_not_without_signal(priced, monkeypatch):
    for name in ("is_useful", "saves"):
        monkeypatch.setattr(f"likely.reports.rendering.first_screen.tiles.{name}", lambda study: False)
    figure, words, _ = _worries(priced)[0]
    assert figure == "Open in log-loss" and priced.evaluation.roc_area().short() in words
    monkeypatch.setattr(Evaluation, "roc_area", lambda self: Estimate(0.6, 0.45, 0.7, 0.95, "DeLong", 240))
    assert _worries(priced)[0][0] == "No signal"


@pytest.mark.slow
def test_costs_name_a_point_of_the_curve_of_two_classes_only(priced):
    def caption(study):
        pictures = probabilities(study).blocks[0].pictures
        return next(picture.caption for picture in pictures if picture.caption.startswith("ROC"))

    assert "operating point" in caption(priced)
    rng = np.random.default_rng(1)
    three = rng.choice(["ill", "well", "unsure"], 150)
    table = pl.DataFrame({"fever": rng.normal(37 + (three == "ill"), 0.5), "state": three})
    costs = {a: {b: 1 for b in ("ill", "well", "unsure") if b != a} for a in ("ill", "well", "unsure")}
    assert "operating point" not in caption(studied(table, costs=costs))


def test_the_judges_of_likely_audit_are_named():
    assert "logistic regression" in _OTHER_JUDGES and _judges(
        SimpleNamespace(of_kind=lambda kind: (), rows=100, kinds={"a": "real"})
    ) == ["naive", "logistic"]


def test_small_bits_have_digits_in_words_as_in_pictures():
    from matplotlib.figure import Figure

    told = Evidence(np.array(["ill"]), None, ("a", "Age"), np.array([0.5]), np.array([[2.34, -0.0458]]))
    assert "a +2.3, Age -0.05" in _strongest(told)
    drawn = EvidenceDisplay.from_evidence(told, ax=Figure().subplots())
    assert {text.get_text() for text in drawn.ax_.texts} >= {"+2.3", "-0.05"}


def test_groups_have_their_interval_explained(unsure):
    name = "cluster bootstrap (BCa)"
    assert name not in [row[0] for row in words_used(unsure).blocks[0].rows]
    table = rows().with_columns(who=np.arange(240) % 30)
    assert name in [row[0] for row in words_used(studied(table, groups="who")).blocks[0].rows]


def test_no_word_of_a_headline_is_broader_than_its_tile():
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextPath

    style = files("likely.reports").joinpath("page.css").read_text(encoding="utf-8")
    size = float(re.search(r"\.tile \.figure \{ font-size: ([\d.]+)rem", style)[1])
    side = float(re.search(r"\.tile \{.*padding: [\d.]+rem ([\d.]+)rem", style)[1])
    least = float(re.search(r"\.tiles \{.*minmax\(([\d.]+)rem, 1fr\)", style)[1])
    narrow = float(
        re.search(r"max-width: ([\d.]+)rem\) \{ \.tiles \{ grid-template-columns: minmax\(0, 1fr\)", style)[1]
    )
    two = (narrow - 2 * 0.9 - 0.5) / 2  # of a page so narrow that only just two stand side by side
    broad = FontProperties(family="DejaVu Sans", weight="bold")
    for word in ("Contradictions", "probabilities."):
        assert TextPath((0, 0), word, size=size, prop=broad).get_extents().width <= min(least, two) - 2 * side
    assert 5 * least + 4 * 0.75 <= 62 - 2 * 1.25  # five beside each other on a broad page


def test_classes_of_a_single_row_are_not_guessed_at():
    table = rows(60)
    some = pl.concat([table, pl.DataFrame({"fever": [36.0, 36.5], "state": ["odd", "strange"]})])
    found = studied(some)
    counts = table["state"].value_counts()["count"]
    assert guess(found)[1].value == pytest.approx(counts.max() / 60)
    assert "62 rows (2 left out, the only ones of their classes)" in found.markdown()
    assert "(1 row)" in found.markdown() and "(1 rows)" not in found.markdown()


@pytest.mark.slow
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
