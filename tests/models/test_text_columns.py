"""Texts beside other columns in one naive Bayes: the sum of their models, word by word."""

from typing import Any

import numpy as np
import polars as pl
import pytest

from likely import Calibrated, GaussianBayes, NaiveBayes, TextBayes
from likely.data.columns.kinds import guess_kind
from likely.distributions import TextFamily
from likely.errors import InputError, TierError
from likely.evaluation import model_difference
from likely.figures import EvidenceDisplay, TellingTermsDisplay
from likely.models.traits.words import word_evidence

RNG = np.random.default_rng(5)
N = 240
SPAM = RNG.random(N) < 0.4
KIND = np.where(SPAM, "spam", "ham")
ORDINARY = ["the meeting", "lunch at noon", "minutes of today", "see you", "project plan"]
OFFERS = ["free money", "claim your prize", "win cash now", "limited offer"]


def phrase(spam: bool, count: int) -> str:
    pool = OFFERS + ORDINARY[:2] if spam else ORDINARY + OFFERS[:1]
    return " ".join(RNG.choice(pool, size=count))


TABLE = pl.DataFrame(
    {
        "subject": [phrase(s, 2) for s in SPAM],
        "body": [None if RNG.random() < 0.1 else phrase(s, RNG.integers(0, 9)) for s in SPAM],
        "size": RNG.normal(3.0 + SPAM, 1.0),
        "domain": np.where(RNG.random(N) < 0.2 + 0.5 * SPAM, "example.biz", "work.org"),
    }
)
KINDS = {"subject": "text", "body": TextFamily("bernoulli", min_df=2)}


@pytest.fixture(scope="module")
def model() -> NaiveBayes:
    return NaiveBayes(KINDS).fit(TABLE, KIND)


def test_it_is_the_sum_of_the_models_of_its_columns(model: NaiveBayes) -> None:
    subject = TextBayes().fit(TABLE["subject"], KIND)
    body = TextBayes("bernoulli", min_df=2).fit(TABLE["body"], KIND)
    rest = NaiveBayes().fit(TABLE[["size", "domain"]], KIND)
    total = (
        subject.log_likelihood(TABLE["subject"])
        + body.log_likelihood(TABLE["body"])
        + rest.log_likelihood(TABLE[["size", "domain"]])
    )
    assert np.allclose(model.log_likelihood(TABLE), total, rtol=1e-12)
    assert model.kinds_ == {"subject": "text", "body": "text", "size": "numeric", "domain": "nominal"}
    assert "% missing" in str(model) and "text" in str(model)


def test_words_never_seen_and_missing_texts_say_nothing(model: NaiveBayes) -> None:
    row = TABLE[:1]
    odd = row.with_columns(subject=row["subject"] + " unheard", body=pl.lit(None, dtype=pl.String))
    plain = row.with_columns(body=pl.lit(None, dtype=pl.String))
    assert np.array_equal(model.predict_proba(odd), model.predict_proba(plain))
    less = NaiveBayes({"subject": "text"}).fit(TABLE.drop("body"), KIND)
    assert np.allclose(model.predict_proba(plain), less.predict_proba(row.drop("body")), atol=1e-12)


def test_columns_of_prose_are_recognised() -> None:
    assert guess_kind(pl.Series([f"note number {i} of today" for i in range(20)])) == "text"
    assert guess_kind(pl.Series(["a level of several words"] * 20)) == "nominal"
    assert guess_kind(pl.Series([f"code{i}" for i in range(20)])) == "nominal"
    assert guess_kind(pl.Series([None, None], dtype=pl.String)) == "nominal"
    kinds = NaiveBayes().fit(TABLE, KIND).kinds_
    assert kinds["body"] == "text" and kinds["domain"] == "nominal"
    assert kinds["subject"] == "nominal"  # few phrases, often the same


def test_words_are_weighed_beside_the_other_columns(model: NaiveBayes) -> None:
    bits = model.evidence(TABLE[:30])
    for column in ("subject", "body"):
        told = model.text_evidence(TABLE[:30], column)
        assert np.allclose(told.log2_odds, bits.log2_odds)
        place = bits.names.index(column)
        assert np.allclose(told.bits[:, 0], bits.bits[:, place])  # two classes: the order is no matter
        assert "prior and other columns" in told.describe()
        assert told.of_row(3).log2_odds == pytest.approx(bits.log2_odds[3])
    assert set(word_evidence(model, TABLE[:2])) == {"subject", "body"}
    gap = int(TABLE["body"].is_null().arg_true()[0])
    silent = model.text_evidence(TABLE[gap : gap + 1], "body")
    assert silent.words == ((),) and silent.absent[0] == 0


def test_three_classes_add_up_too() -> None:
    y = np.where(RNG.random(N) < 0.2, "news", KIND)
    model = NaiveBayes(KINDS).fit(TABLE, y)
    log_p = model.predict_log_proba(TABLE[:20])
    for against in (None, "news"):
        told = model.text_evidence(TABLE[:20], "subject", against=against, for_class="spam")
        others = np.delete(log_p, 2, axis=1) if against is None else log_p[:, [1]]
        assert np.allclose(told.log2_odds, (log_p[:, 2] - np.logaddexp.reduce(others, axis=1)) / np.log(2))


def test_the_telling_words(model: NaiveBayes) -> None:
    alone = TextBayes().fit(TABLE["subject"], KIND)
    assert model.top_terms("spam", 4, column="subject") == alone.top_terms("spam", 4)
    for wrong in ({"column": "sbject"}, {}):
        with pytest.raises(InputError, match=r"did you mean 'subject'|columns of texts"):
            model.top_terms("spam", **wrong)
    with pytest.raises(InputError, match="no column of texts"):
        NaiveBayes().fit(TABLE[["size"]], KIND).top_terms("spam")
    display = TellingTermsDisplay.from_estimator(Calibrated(NaiveBayes(KINDS)).fit(TABLE, KIND), "spam", column="body")
    assert display.frame().height == len(display.ax_.get_yticklabels())
    display.figure_.canvas.draw()
    drawn = EvidenceDisplay.from_evidence(model.text_evidence(TABLE[:1], "subject").of_row())
    assert drawn.log2_odds == pytest.approx(model.evidence(TABLE[:1]).log2_odds[0])
    with pytest.raises(InputError, match="only models of texts"):
        TellingTermsDisplay.from_estimator(GaussianBayes().fit([[1.0], [2.0]], [0, 1]), 0)


def test_merged_updated_and_forgotten(model: NaiveBayes) -> None:
    a, b = NaiveBayes(KINDS).fit(TABLE[:100], KIND[:100]), NaiveBayes(KINDS).fit(TABLE[100:], KIND[100:])
    for other in (a + b, NaiveBayes(KINDS).fit(TABLE[:100], KIND[:100]).partial_fit(TABLE[100:], KIND[100:])):
        assert np.allclose(other.predict_log_proba(TABLE), model.predict_log_proba(TABLE), atol=1e-9)
    a.partial_fit(TABLE[100:], KIND[100:]).forget(TABLE[100:], KIND[100:])
    again = NaiveBayes(KINDS).fit(TABLE[:100], KIND[:100])
    assert np.allclose(a.predict_log_proba(TABLE), again.predict_log_proba(TABLE), atol=1e-8)
    with pytest.raises(InputError, match="'subject' is text in the first and nominal in the second"):
        again.merge(NaiveBayes({"subject": "nominal", "body": KINDS["body"]}).fit(TABLE, KIND))


def test_numbers_are_no_texts() -> None:
    with pytest.raises(InputError, match="'x0' holds numbers, not texts"):
        NaiveBayes("text").fit(np.ones((4, 1)), [0, 1, 0, 1])
    with pytest.raises(InputError, match="which is no text"):
        NaiveBayes({"size": "text"}).fit(TABLE, KIND)
    with pytest.raises(InputError, match="missing='impute'"):
        NaiveBayes(KINDS, missing="impute").fit(TABLE, KIND)


def test_words_that_became_frequent_are_found() -> None:
    early, late = TABLE[:120], TABLE[120:].with_columns(subject=TABLE["subject"][120:] + " quarterly report")
    one = NaiveBayes({"subject": "text", "body": "text"}).fit(early, KIND[:120])
    two = NaiveBayes({"subject": "text", "body": "text"}).fit(late, KIND[120:])
    changes = {(c.label, c.feature): c for c in model_difference(one, two).all if c.aspect == "values"}
    assert changes["ham", "subject"].significant and "'quarterly' in 0 % -> 100 %" in changes["ham", "subject"].what
    assert not changes["ham", "body"].significant
    assert "words, Bonferroni" in changes["ham", "subject"].test


def test_hidden_labels_are_learned_from_their_texts() -> None:
    few = np.where(np.arange(N) < 20, KIND, None)
    with_the_rest = TextBayes(hidden="em").fit(TABLE["subject"], few)
    alone = TextBayes().fit(TABLE["subject"][:20], KIND[:20])
    rest, truth = TABLE["subject"][20:], KIND[20:]
    assert with_the_rest.passes_ > 1
    assert with_the_rest.score(rest, truth) >= alone.score(rest, truth) - 0.02
    assert len(with_the_rest.vocabulary_) > len(alone.vocabulary_)  # words that only texts without a label hold
    assert with_the_rest.class_count_.sum() == pytest.approx(N)


@pytest.mark.parametrize("options", [{}, {"min_df": 3}, {"unseen": "smooth"}, {"ngram_range": (1, 2)}], ids=str)
@pytest.mark.parametrize("kind", ["multinomial", "bernoulli", "complement"])
def test_texts_are_linear_in_their_words(kind: str, options: dict[str, Any]) -> None:
    texts, asked = TABLE["subject"].to_list(), ["free money money unheard unheard of", "", *TABLE["subject"][:20]]
    model = TextBayes(kind, **options).fit(texts, KIND)
    form = model.as_linear()
    assert np.allclose(form.predict_proba(asked), model.predict_proba(asked), atol=1e-12)
    assert np.allclose(form.predict_proba(pl.Series(asked)), model.predict_proba(asked), atol=1e-12)
    design = form.design(asked)
    assert design.shape == (22, len(form.names)) == (22, form.coef.shape[1])
    assert design[0, form.names.index("text: money")] == (1 if kind == "bernoulli" else 2)
    if "unseen" in options:
        assert design[0, form.names.index("text: (never seen)")] == (1 if kind == "bernoulli" else 2)
    else:
        weights = model.weights_.present[: len(model.weights_.present) - 1]
        less = 0.0 if model.weights_.absent is None else model.weights_.absent[:-1]
        assert np.allclose(
            form.coef.T, (weights - less)[[word in model.vocabulary_ for word in model._seen.words.tolist()]]
        )


def test_texts_beside_other_columns_are_linear(model: NaiveBayes) -> None:
    full = TABLE.filter(pl.col("body").is_not_null())
    assert np.allclose(model.as_linear().predict_proba(full), model.predict_proba(full), atol=1e-12)
    with pytest.raises(InputError, match="missing cells"):
        model.as_linear().design(TABLE)
    with pytest.raises(TierError, match="alpha > 0"):
        TextBayes(alpha=0).fit(TABLE["subject"], KIND).as_linear()


def test_a_design_of_too_many_words_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from likely.distributions.texts import linear

    monkeypatch.setattr(linear, "_CELLS", 100)
    with pytest.raises(InputError, match="too large a table"):
        TextBayes().fit(TABLE["subject"], KIND).as_linear().design(TABLE["subject"])


def test_telling_words_speak_for_their_class(model: NaiveBayes) -> None:
    words = {name: model.top_terms(name, 1000, column="subject") for name in ("ham", "spam")}
    assert all(term.bits > 0 for terms in words.values() for term in terms)
    both = [term.word for terms in words.values() for term in terms]
    assert len(both) == len(set(both)) <= len(TextBayes().fit(TABLE["subject"], KIND).vocabulary_)
    same = TextBayes().fit(["one two", "one two"], ["a", "b"])
    assert same.top_terms("a") == []
    drawn = TellingTermsDisplay.from_estimator(same, "a")
    drawn.figure_.canvas.draw()
    assert drawn.frame().height == 0


def test_a_model_is_shown_in_short() -> None:
    model = NaiveBayes(KINDS).fit(TABLE, KIND)
    shown = str(model)
    assert "'body': TextFamily(model='bernoulli', min_df=2)" in shown
    body = TextBayes("bernoulli", min_df=2).fit(TABLE["body"], KIND)
    assert f"text, {len(body.vocabulary_)} words" in shown
    page = model._repr_html_()
    assert "min_df=2)" in page and "max_features" not in page
    assert "1 row, 1 feature" in NaiveBayes().partial_fit([[1.0]], ["a"], classes=["a", "b"]).summary()


def test_long_words_and_names_are_cut() -> None:
    long = "x" * 50_000
    model = NaiveBayes({"text": "text", "a": "nominal"})
    table = pl.DataFrame({"text": [f"{long} one", "two three"], "a": ["u", "v"]})
    model.fit(table, [f"class {long}", "other"])
    assert len(str(model)) < 1000 and len(model._repr_html_()) < 2000
    told = model.text_evidence(table, "text")
    for shown in (told.describe(0), str(told)):
        assert "xxx…" in shown and len(shown) < 1000
    assert told.words[0][0].word == long  # the words themselves are whole


def test_models_that_cannot_be_merged_say_why() -> None:
    one = TextBayes().fit(TABLE["subject"], KIND)
    other = TextBayes("bernoulli", alpha=0.5, stop_words="english").fit(TABLE["subject"], KIND)
    with pytest.raises(InputError) as refused:
        one.merge(other)
    for words in (
        "model='multinomial' in the first and 'bernoulli' in the second",
        "alpha=1.0",
        "'english' in the second",
    ):
        assert words in str(refused.value)
    assert "min_df" not in str(refused.value)


def test_what_was_compared_is_said_where_nothing_changed(model: NaiveBayes) -> None:
    said = str(model_difference(model, model)).splitlines()
    assert len(said) == 2 and said[0].startswith("0 of ")
    for words in ("the classes' shares", "the values of subject", "body", "size, domain in 2 classes"):
        assert words in said[1]
