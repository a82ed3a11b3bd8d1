"""What a notebook shows of results: tables that can be read, with the names and the order of the text."""

import re

import numpy as np
import pytest

import likely
from likely import Decider, LikelyError, NaiveBayes, TextBayes, evaluate
from likely.data.printing.html_table import as_html
from likely.intervals import Estimate


def rows(n=200):
    rng = np.random.default_rng(0)
    y = np.where(rng.random(n) < 0.4, "ill", "well")
    return rng.normal(size=(n, 3)) + (y == "ill")[:, None] * [1.0, 2.0, 0.0], y


def test_words_keep_their_spaces_and_their_side():
    page = as_html("", ["node", "rows"], [["  x <= 2", 10], ["yes", "1.5e-3"]])
    assert '<td style="text-align: left; white-space: pre-wrap">  x &lt;= 2</td><td>10</td>' in page
    assert "<td>1.5e-3</td>" in page and '<th scope="col">rows</th>' in page
    tree = likely.DecisionTree().fit(*rows())._repr_html_()
    indented = re.findall(r"<td([^>]*)>  +", tree)
    assert indented and all("pre-wrap" in style for style in indented)


def test_an_evaluation_names_the_positive_class_and_has_all_its_tables():
    X, y = rows()
    page = evaluate(NaiveBayes().fit(X, y), X, y, pos_label="ill")._repr_html_()
    assert "positive: ill" in page and "truth \\ said" in page and ">precision</th>" in page
    assert page.count("<table") == 3


def test_evidence_is_shown_as_it_is_described():
    X, y = rows()
    found = NaiveBayes().fit(X, y).evidence(X)
    page = found.of_row(0)._repr_html_()
    told = found.describe(0).splitlines()
    assert f">{told[0]}</pre>" in page and "rows" not in page
    order = [line.split()[0] for line in told[1:]]
    assert re.findall(r"<tr><td[^>]*>(.*?)</td>", page) == order
    assert "the first 5 of 200 rows" in found._repr_html_() and found._repr_html_().count("<table") == 5
    wide = np.hstack([X, np.random.default_rng(1).normal(size=(200, 30))])
    assert ">(13 more)</td>" in NaiveBayes().fit(wide, y).evidence(wide[:1])._repr_html_()


def test_figures_decisions_and_words_have_faces():
    assert "0.853 [0.809, 0.889] 95 % Wilson" in Estimate(256 / 300, 0.8089, 0.8889, 0.95, "Wilson", 300)._repr_html_()
    X, y = rows()
    decider = Decider(NaiveBayes(), costs={"ill": {"well": 10}, "well": {"ill": 1}}, reject=0.3).fit(X, y)
    said = decider.decide(X)
    assert str(said).startswith("200 decisions, ") and "(190 more)" in repr(said) and "array" not in repr(said)
    assert ">(none)</td>" in said._repr_html_() and ">(180 more)</td>" in said._repr_html_()
    words = TextBayes().fit(["free money", "free prize", "lunch at noon", "noon"], ["s", "s", "h", "h"]).top_terms("s")
    assert "<table" in words._repr_html_() and ">times as likely</th>" in words._repr_html_()


def test_the_price_of_a_decider_is_known_to_the_judge():
    X, y = rows()
    costs = {"ill": {"well": 10}, "well": {"ill": 1}}
    decider = Decider(NaiveBayes(), costs=costs, reject=0.3).fit(X, y)
    found = evaluate(decider, X, y, costs=costs)
    assert found.confusion.rejected.any() and found.reject_cost == 0.3
    assert found.cost.value == evaluate(decider, X, y, costs=costs, reject_cost=0.3).cost.value
    assert evaluate(decider, X, y, costs=costs, reject_cost=2.0).cost.value > found.cost.value


@pytest.mark.parametrize("kind", [likely.NaiveBayes, likely.Perceptron, likely.LogisticRegression])
def test_classes_that_a_model_never_saw_count_as_mistakes(kind):
    X = np.random.default_rng(2).normal(size=(90, 2)) + np.repeat([[0, 0], [3, 0], [0, 3]], 30, axis=0)
    y = np.repeat(["a", "b", "c"], 30)
    model = kind().fit(X[:60], y[:60])
    with pytest.raises(LikelyError, match="name every class in classes="):
        evaluate(model, X, y)
    found = evaluate(model, X, y, classes=["c", "b", "a"])
    assert found.classes == ("c", "b", "a") and found.confusion.matrix[0, 0] == 0 and found.n == 90
    known = evaluate(model, X[:60], y[:60], classes=["b", "a"])
    plain = evaluate(model, X[:60], y[:60])
    assert known.accuracy.value == plain.accuracy.value
    if hasattr(model, "predict_proba"):
        assert found.log_loss.value == np.inf and known.log_loss.value == pytest.approx(plain.log_loss.value)
    with pytest.raises(LikelyError, match="classes= lacks 'b', which the model answers"):
        evaluate(model, X[:30], y[:30], classes=["a", "d"])
