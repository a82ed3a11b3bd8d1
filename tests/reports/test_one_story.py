"""Tiles, tables and pictures are of the same rows, decided alike: under a prior, costs, and of rows set aside."""

import re
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

import likely
from likely.evaluation.comparing.significance import mcnemar
from likely.evaluation.measures.criteria import cost_criterion
from likely.figures import PrecisionRecallDisplay, ReliabilityDisplay, RocDisplay, ThresholdCurveDisplay
from likely.intervals.estimate import Estimate
from likely.reports.judging import always, as_used, difference, saving
from likely.reports.rendering.first_screen.first_figures import bars, commonest, gain, saved
from likely.reports.rendering.first_screen.tiles import tiles
from likely.reports.rendering.rivals import best_rival

COSTS = {"ill": {"well": 4}, "well": {"ill": 1}}
PRIOR = {"ill": 0.1, "well": 0.9}


def rows(n=240, seed=0):
    rng = np.random.default_rng(seed)
    ill = rng.random(n) < 0.35
    return pl.DataFrame({"fever": rng.normal(37 + 1.2 * ill, 0.8), "state": np.where(ill, "ill", "well")})


def studied(table, **options):
    return likely.study(table, "state", repeats=1, cv=3, yardsticks=False, **options)


@pytest.fixture(scope="module")
def elsewhere():
    """A prior and costs of the place of use."""
    return studied(rows(), prior=PRIOR, costs=COSTS)


@pytest.fixture(scope="module")
def aside():
    table = rows().with_columns(part=pl.Series(["train", "train", "test"] * 80))
    return studied(table, split="part")


def drawn(study, monkeypatch):
    """What the pictures of the probabilities hold, by kind."""
    from matplotlib.figure import Figure

    found = {}
    for kind in (ReliabilityDisplay, RocDisplay, PrecisionRecallDisplay, ThresholdCurveDisplay):

        def kept(*args, _make=kind.from_predictions, _kind=kind, **options):
            found[_kind] = _make(*args, **options)
            return found[_kind]

        monkeypatch.setattr(kind, "from_predictions", kept)
    section = next(one for one in study.document.sections if one.title == "Its probabilities")
    for picture in section.blocks[0].pictures:
        picture.draw(Figure().subplots())
    return found


def test_pictures_under_a_prior_show_the_rows_of_the_tables(elsewhere, monkeypatch):
    found, figures = drawn(elsewhere, monkeypatch), elsewhere.evaluation.figures
    assert found[ReliabilityDisplay].brier == figures["Brier score"]
    assert found[ReliabilityDisplay].calibration_error.debiased == figures["calibration error"]
    assert found[RocDisplay].areas[0].value == pytest.approx(figures["ROC area"].value)
    assert found[PrecisionRecallDisplay].curves[0].average_precision == figures["average precision"]
    limit = found[ThresholdCurveDisplay].theoretical[0]
    assert limit == pytest.approx(1 / 5)  # of the costs alone: the posteriors are those under the prior already
    assert found[ThresholdCurveDisplay].curves[0].at(limit) == pytest.approx(figures["mean cost"].value)
    assert re.search(
        r"rows count with weights \([\d.]+ for a row of ill, [\d.]+ for a row of well\)", elsewhere.markdown()
    )
    matrix = elsewhere.markdown().split("## Its mistakes")[1].split("## ")[0]
    assert not re.search(r"\d\.\d\d+ \|", matrix.split("class |")[0])  # sums of weights to one digit


def test_rows_set_aside_have_every_figure_and_picture_of_judgement(aside, monkeypatch):
    found = drawn(aside, monkeypatch)
    assert found[ReliabilityDisplay].brier == aside.tested.brier
    assert found[RocDisplay].areas[0].n == 80
    text = aside.markdown()
    mistakes = text.split("## Its mistakes")[1].split("## ")[0]
    assert "the answers about the 80 rows set aside" in mistakes and "Class by class" not in mistakes
    counts = re.findall(r"^\| (?:ill|well) \| (\d+) \| (\d+) \|$", mistakes, re.MULTILINE)
    assert sum(int(cell) for line in counts for cell in line) == 80
    assert "Of the 80 rows set aside it is right for" in text.split("## What to distrust")[1].split("## ")[0]
    assert "| over folds of the rows learned |" in text and "study the table again without split" in text


def test_the_best_rival_over_folds_is_asked_about_the_rows_set_aside(aside):
    name, model = aside.rival_aside
    later = aside.looked.later
    right = model.predict(later.drop("state")) == later["state"].to_numpy()
    mine = aside.model.predict(later.drop("state")) == later["state"].to_numpy()
    rival = best_rival(aside)
    assert rival.entry.name == name and rival.accuracy.n == 80
    assert rival.accuracy.value == pytest.approx(right.mean() - mine.mean(), abs=1e-3)
    assert "of the same 80 rows set aside" in aside.answer[1]
    alone = replace(aside, rival_aside=None)
    shown = next(tile for tile in tiles(alone) if tile.title.startswith("Does something else"))
    assert best_rival(alone).over_folds and "resampled" in best_rival(alone).accuracy.method
    assert shown.figure != "Nothing else tried" and "no time to ask it about the rows set aside" in shown.words
    assert "set aside" not in [bar.name for bar in bars(alone) if bar.name.startswith(best_rival(alone).entry.name)]


def test_guessing_is_beaten_row_by_row(aside):
    """31 rows gained and 13 lost are more than luck, though the two shares by themselves overlap."""
    said = aside.tested.said
    y = np.repeat([0, 1], [100, 56])
    answers = y.copy()
    answers[:13], answers[100:125] = 1, 0
    told = replace(said, y=y, answers=answers, posterior=None, log_posterior=None)
    apart = difference("accuracy", told, always(told, 0))
    against = mcnemar(told.right() > 0, always(told, 0).right() > 0)
    assert (against.only_first, against.only_second) == (31, 13) and against.p_value < 0.05
    assert apart.low > 0 and apart.value == pytest.approx(18 / 156)
    shown = next(tile for tile in tiles(aside) if tile.title == "Better than guessing?")
    more = gain(aside)
    assert f"{100 * more.value:+.1f} points [{100 * more.low:+.1f}, {100 * more.high:+.1f}]" in shown.words


def test_with_costs_a_rival_is_compared_by_what_it_costs(elsewhere):
    rival = best_rival(elsewhere)
    theirs = elsewhere.evaluation_of(rival.entry.result).cost.value
    assert rival.cost.value == pytest.approx(elsewhere.evaluation.cost.value - theirs)
    for words in (elsewhere.answer[1], tiles(elsewhere)[2].words):
        assert f"costs {theirs:.3f} a row" in words and "log-loss" not in words
    cheap = replace(rival, cost=Estimate(0.2, 0.1, 0.3, 0.95, "t", 10), costs=0.3, by_chance=False)
    assert cheap.wins and not replace(cheap, cost=Estimate(0.002, 0.001, 0.003, 0.95, "t", 10)).wins
    used = as_used(elsewhere.chosen.result, elsewhere.setting)
    assert np.array_equal(used.answers[0], elsewhere.evaluation.said.answers)


def test_a_rival_has_the_difference_of_the_comparison():
    found = studied(rows(150, seed=3))
    rival = best_rival(found)
    table = found.comparison.between(rival.entry.name, found.choice.chosen).difference
    assert (-rival.log_loss.value, -rival.log_loss.high, -rival.log_loss.low) == (table.value, table.low, table.high)
    assert found.record()["rival"]["log_loss_ahead"]["low"] == -table.high


def test_what_is_saved_has_the_interval_of_the_same_rows(elsewhere):
    said = elsewhere.evaluation.said
    price = cost_criterion(elsewhere.setting.costs)
    constant = elsewhere.evaluation.best_constant
    other = always(said, elsewhere.evaluation.classes.index(constant[0]))
    found = saving(price, said, other)
    assert found == saved(elsewhere)
    assert found.value == pytest.approx(1 - elsewhere.evaluation.cost.value / constant[1].value)
    assert f"{100 * found.low:.0f} to {100 * found.high:.0f} % cheaper" in tiles(elsewhere)[1].words


def test_classes_that_are_equally_common_are_not_called_the_commonest():
    table = pl.DataFrame({"x": np.arange(60.0) % 7, "state": ["a", "b"] * 30})
    found = studied(table, time_limit=1e-9)
    assert commonest(found) == "always saying the same class (all are equally common)"


def test_telling_columns_are_those_that_say_much_either_way():
    """A column that speaks strongly for one class and strongly against it in other rows cancels in a mean."""
    from likely.reports.rendering.illustrations import telling_features

    rng = np.random.default_rng(4)
    ill = np.arange(300) % 2 == 0
    table = pl.DataFrame(
        {"weak": rng.normal(0.5 * ill), "strong": rng.normal(2.0 * ill), "state": np.where(ill, "ill", "well")}
    )
    found = studied(table, time_limit=600)
    told = telling_features(found)
    evidence = np.abs(found.model.evidence(found.data.X).bits).mean(axis=0)
    assert told[0].name == "strong" and told[0].size.value == pytest.approx(evidence.max())
    assert all(one.size.value >= abs(one.towards.value) - 1e-12 for one in told)
    assert "for or against the predicted class" in found.markdown()
    assert "which alone would be" in found.markdown()  # the prior of the evidence is not that of the classes
    record = found.record()["telling_columns"][0]
    assert record["bits"]["value"] >= record["bits_for_predicted"]["value"]


def test_evidence_is_called_too_weak_before_calibration_alone():
    from likely.reports.rendering.table_sections import double_counting

    rng = np.random.default_rng(5)
    table = rows(300).with_columns(other=rng.normal(size=300))
    found = studied(table)
    words = " ".join(block.text for block in double_counting(found).blocks if hasattr(block, "text"))
    ends = found.audit.strength
    assert ends.low < ends.value < ends.high and ends.method == "likelihood, no label wrong"
    assert ("Before calibration" in words) == (bool(found.calibrated_by) and not ends.low <= 1 <= ends.high)


def test_nothing_is_said_of_the_strength_of_what_learns_it_unless_it_is_shown_to_be_off():
    from likely.intervals.estimate import Estimate
    from likely.reports.choosing.choice import POOL
    from likely.reports.rendering.table_sections import double_counting

    found = studied(rows(300).with_columns(other=np.random.default_rng(5).normal(size=300)))

    def words(chosen, low, high):
        audit = replace(found.audit, strength=Estimate(1.2, low, high, 0.95, "likelihood", 300))
        told = replace(found, audit=audit, choice=replace(found.choice, chosen=chosen))
        return " ".join(block.text for block in double_counting(told).blocks if hasattr(block, "text"))

    assert "its evidence" not in words(POOL, 0.8, 1.9) and "the evidence of" not in words(POOL, 0.8, 1.9)
    assert "too careful" in words(POOL, 1.1, 1.9)


def test_worries_are_those_that_could_change_most(elsewhere):
    from likely.reports.rendering.first_screen.tiles import _worries

    names = [f"beast {i}" for i in range(40)] * 2
    table = pl.DataFrame({"animal": names, "x": [float(i % 20) for i in range(80)], "state": ["a", "b"] * 40})
    alike = studied(table.with_columns(animal=pl.Series([f"beast {i}" for i in range(80)])), time_limit=1e-9)
    hurried = [worry[0] for worry in _worries(alike)]
    assert "Not all were tried" in hurried and "Repeated rows" not in hurried
    shown = next(tile for tile in tiles(alike) if tile.figure == "Nothing else tried")
    assert "no time left" in shown.words
    rare = rows(200).with_columns(state=pl.Series(["rare"] * 6 + ["ill", "well"] * 97))
    told = [worry for worry in _worries(studied(rare)) if worry[0] == "Rare classes"]
    assert "of rare it finds" in told[0][1] and "95 % interval" in told[0][1]


def test_groups_are_what_there_are_few_of():
    table = rows(120).with_columns(patient=pl.Series([f"p{i // 12}" for i in range(120)]))
    found = studied(table, groups="patient")
    text = found.markdown()
    assert "All figures are about other values of patient" in text and "If rows belong together" not in text
    assert "its interval takes rows one by one" in tiles(found)[3].words
    one_by_one = "(they take rows one by one; those of the table count groups)"
    page = found.html()
    assert f"with Clopper-Pearson intervals {one_by_one}." in page and f"with its intervals {one_by_one}." in page
    assert "intervals take rows one by one, those of the figures count groups" in page
    if found.evaluation.accuracy.width > 0.1:
        assert "10 groups of patient (120 rows)" in text


def test_what_a_text_rules_out_is_named():
    rng = np.random.default_rng(6)
    words = [" ".join(rng.choice(["red", "green", "blue", "grey", "pale", "dark"], 6)) for _ in range(60)]
    table = pl.DataFrame({"note": words, "x": rng.normal(size=60), "state": ["a", "b"] * 30})
    found = studied(table, kinds={"note": "text"}, time_limit=1e-9)
    missed = {entry.name: entry.left_out for entry in found.entries if not entry.judged}
    assert "it reads no texts, and note is of that kind" in missed["decision tree"]
    assert {"decision forest", "nearest neighbours"} <= set(missed)


def test_the_column_of_times_is_not_learned():
    from datetime import date, timedelta

    n = 200
    table = rows(n).with_columns(
        when=pl.Series([date(2021, 1, 4) + timedelta(days=i) for i in range(n)]), number=pl.Series(range(n)) * 1.5
    )
    found = studied(table, time="when", time_limit=1e-9)
    assert "when" not in found.facts.kinds and "when: month" not in found.facts.kinds
    assert "when: weekday" in found.facts.kinds  # later rows have the same
    told = " ".join(found.findings.notes)
    assert "when and when: month are not learned" in told and "number of 40 of the 40 later rows lies outside" in told
    assert len(found.model.predict(table.drop("state"))) == n
    written = table.with_columns(pl.col("when").dt.strftime("%Y-%m-%d"))
    plain = studied(written, time="when", time_limit=1e-9)
    assert set(plain.facts.kinds) == {"fever", "number"} and plain.tested.n == 40
    assert len(plain.model.predict(written.drop("state"))) == n
    kept = studied(written, time="when", keep=["when"], time_limit=1e-9)
    assert "when" in kept.facts.kinds and kept.tested.n == 40


def test_probabilities_and_words_are_plain(elsewhere):
    text = elsewhere.markdown()
    assert "## What the words mean" in text and "average precision" in text
    assert "probability 1.000" not in text and "inf]" not in text and "-0.000" not in text
    assert "is the likeliest, and up to" in text or "not known" in text
