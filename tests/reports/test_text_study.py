"""Studies of texts: of a column of them alone, and beside other columns."""

import json
import sys
import warnings
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

import likely
from likely.intervals.estimate import Estimate
from likely.models.roster import TableFacts, candidates

RNG = np.random.default_rng(3)
N = 300
SPAM = RNG.random(N) < 0.4
ORDINARY = ["the meeting", "lunch at noon", "minutes of today", "see you", "project plan", "日本語 テスト", "$x$ cost"]
OFFERS = ["free money", "claim your prize", "win cash now", "limited offer", "🎉 party"]


def mail(spam, i):
    pool = OFFERS + ORDINARY[:2] if spam else ORDINARY + OFFERS[:1]
    return f"{' '.join(RNG.choice(pool, size=5))} number{i}"


TEXTS = [mail(s, i) for i, s in enumerate(SPAM)]
KIND = np.where(SPAM, "spam", "ham").tolist()


def studied(table, target="kind", **options):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return likely.study(table, target, cv=5, repeats=1, **options)


@pytest.fixture(scope="module")
def letters():
    return studied(pl.DataFrame({"text": TEXTS, "kind": KIND}), yardsticks=True)


@pytest.fixture(scope="module")
def mixed():
    table = pl.DataFrame({"text": TEXTS, "size": RNG.normal(3.0 + SPAM), "kind": KIND})
    return studied(table, yardsticks=False)


def test_the_candidates_for_texts():
    alone = [type(c.model).__name__ for c in candidates(TableFacts({"t": "text"}, 500, 3, 100, False))]
    assert alone.count("TextBayes") == 5 and "LogisticRegression" in alone
    beside = candidates(TableFacts({"t": "text", "x": "numeric"}, 500, 2, 100, False))
    assert {type(c.model).__name__ for c in beside} >= {"NaiveBayes", "LogisticRegression"}
    assert "naive Bayes (words present)" in {c.name for c in beside}
    assert not any("words" in c.name for c in candidates(TableFacts({"x": "numeric"}, 500, 2, 100, False)))


@pytest.mark.slow
def test_a_column_of_texts_alone(letters, tmp_path):
    assert letters.facts.kinds == {"text": "text"}
    assert letters.evaluation.figures["accuracy"].low > 0.8
    names = {entry.name for entry in letters.entries if entry.judged}
    assert "logistic regression (scikit-learn)" in names and "random forest (scikit-learn)" not in names
    page, text = letters.html(), letters.markdown()
    assert "Telling words" in page and "free" in page and "日本語" in page
    assert "times as frequent" in text and "from 1 column it" in text
    letters.save(tmp_path)
    again = likely.load(tmp_path / "model.likely")
    asked = pl.DataFrame({"text": ["claim your free money now", "minutes of the meeting today"]})
    assert again.predict(asked).tolist() == ["spam", "ham"]
    assert json.loads((tmp_path / "report.json").read_text())


@pytest.mark.slow
def test_texts_beside_other_columns(mixed):
    assert mixed.facts.kinds == {"text": "text", "size": "numeric"}
    page = mixed.html()
    assert "Telling words" in page and "text: free" in page  # the words of single rows


def test_out_of_fold_figures_are_those_of_refits(letters):
    entry = next(e for e in letters.entries if e.name == "naive Bayes")
    folds, y = entry.ways[0].result.folds[0], np.array(KIND)
    found = entry.ways[0].result.log_posterior[0]
    for fold in range(5):
        inside = folds != fold
        model = likely.TextBayes().fit([t for t, keep in zip(TEXTS, inside, strict=True) if keep], y[inside])
        held = [t for t, keep in zip(TEXTS, inside, strict=True) if not keep]
        assert np.allclose(found[~inside], model.predict_log_proba(held), atol=1e-9)


def test_the_telling_words_say_whose_they_are(letters, mixed):
    for found, column in ((letters, "text"), (mixed, "text")):
        text, told = found.markdown(), found.record()["telling_words"]
        for label in ("ham", "spam"):
            place = text.index(f"Words that tell {label} from the others.")
            words = [word for word in told if (word["class"], word["column"]) == (label, column)]
            assert words and f"| {words[0]['word']} |" in text[place:].split("Words that tell")[1]
            assert all(word["low"] < word["ratio"] < word["high"] and word["ratio"] > 1 for word in words)
        claim = next(word for word in told if word["word"] == "claim")
        held = ["claim" in text.split() for text in TEXTS]  # texts are counted, however often one says the word
        assert claim["documents"] == sum(n for n, spam in zip(held, SPAM, strict=True) if spam)
        assert claim["documents_elsewhere"] == sum(n for n, spam in zip(held, SPAM, strict=True) if not spam)
    assert "Confusion matrix of out-of-fold answers" in text  # every table that stands for a picture has its caption


@pytest.mark.slow
def test_no_class_is_left_out_in_silence():
    labels = [f"topic{i % 14:02d}" for i in range(140)]
    texts = [f"word{label} common number{i} and word{label}" for i, label in enumerate(labels)]
    found = studied(pl.DataFrame({"text": texts, "topic": labels}), "topic", yardsticks=False)
    for page in (found.html(), found.markdown()):
        assert "Words that tell topic11 from the others" in page and "Words that tell topic12" not in page
        assert "... and 2 more classes:" in page and "wordtopic13 (" in page
    assert {word["class"] for word in found.record()["telling_words"]} == set(labels)


def test_ratios_are_readable():
    from likely.reports.rendering.first_screen.shown_figures import times

    assert [times(bits) for bits in (11.7226, 9.0, 0.1, 500.0, float("inf"))] == [
        "3,380", "512", "1.07", "over 1,000,000", "over 1,000,000",
    ]  # fmt: skip
    assert not any("e+" in times(bits) or "e-" in times(bits) for bits in np.linspace(-60, 60, 500))


@pytest.mark.slow
def test_rows_are_called_what_the_table_calls_them():
    kind = [None if i == 3 else "rare" if i == 5 else label for i, label in enumerate(KIND)]
    table = pl.DataFrame({"path": [f"mail/{i}.txt" for i in range(N)], "text": TEXTS, "kind": kind})
    with pytest.warns(UserWarning, match="1 of 300 rows has no kind and is left out"):
        found = likely.study(table, "kind", cv=5, repeats=1, yardsticks=False)
    assert "path" not in found.facts.kinds and len(found.looked.row_names) == len(found.data.codes)
    for row, path in enumerate(found.looked.row_names):
        assert found.data.X["text"][row] == TEXTS[int(path[5:-4])]
    first = found.record()["suspicious_rows"][0]
    assert first["path"] == table["path"][first["row"]]
    for page in (found.html(), found.markdown()):
        assert first["path"] in page and "(mail/" in page


def test_what_was_not_calibrated_for_lack_of_time_is_said(monkeypatch):
    class Hurried(likely.reports.choosing.clock.Clock):
        asked = 0

        def allows(self, seconds=0.0, last=False):
            self.asked += 1
            return self.asked < 7  # the first candidate is calibrated, the second is not, the others are not judged

    monkeypatch.setattr(sys.modules["likely.reports.study"], "Clock", Hurried)
    found = studied(pl.DataFrame({"text": TEXTS, "kind": KIND}), yardsticks=False)
    second = next(entry for entry in found.entries if entry.name == "naive Bayes (words present)")
    assert second.untried == ("temperature", "logistic") and second.calibrated_by is None
    page = found.markdown()
    assert page.count("temperature and logistic of naive Bayes (words present)") == 2
    assert "naive Bayes (words present), no time to calibrate it" in page
    told = {model["name"]: model["calibrations_without_time"] for model in found.record()["models"]}
    assert told["naive Bayes"] == [] and told[second.name] == ["temperature", "logistic"]


def test_the_judge_of_rows_is_named_with_its_confidence(letters):
    assert f"The judge is {letters.choice.chosen}" in letters.markdown()
    strength = Estimate(1 / 4.72, 0.1, 0.4, 0.95, "likelihood", N)
    sure = replace(
        letters, audit=replace(letters.audit, temperature=3.11, strength=strength, p_mislabelled=np.zeros(N))
    )
    page = sure.markdown()
    assert "It is too sure of itself" in page and "honest when divided by 4.7" in page and "| under 0.001 |" in page
    assert "divided by 4.7" in str(sure.audit)
