"""Studies of texts: of a column of them alone, and beside other columns."""

import json
import warnings

import numpy as np
import polars as pl
import pytest

import likely
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
        return likely.study(table, target, folds=5, repeats=1, **options)


@pytest.fixture(scope="module")
def letters():
    return studied(pl.DataFrame({"text": TEXTS, "kind": KIND}), yardsticks=True)


@pytest.fixture(scope="module")
def mixed():
    table = pl.DataFrame({"text": TEXTS, "size": RNG.normal(3.0 + SPAM), "kind": KIND})
    return studied(table, yardsticks=False)


def test_the_candidates_for_texts():
    alone = [type(c.model).__name__ for c in candidates(TableFacts({"t": "text"}, 500, 3, 100, False))]
    assert alone == ["TextBayes"] * 5
    beside = candidates(TableFacts({"t": "text", "x": "numeric"}, 500, 2, 100, False))
    assert {type(c.model).__name__ for c in beside} == {"NaiveBayes"}
    assert "naive Bayes (words present)" in {c.name for c in beside}
    assert not any("words" in c.name for c in candidates(TableFacts({"x": "numeric"}, 500, 2, 100, False)))


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
