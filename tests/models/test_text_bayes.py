"""TextBayes: documents in any parts and order, words that come and go, evidence that adds up, strange texts."""

import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likely import TextBayes
from likely.data.text import batches
from likely.engines import Serial, Threads, use
from likely.errors import InputError, InputTypeError, NotFittedError
from likely.numeric.logspace import log_odds
from likely.statistics.counting.words import Words
from likely.store.shapes import check_statistic

MODELS = ("multinomial", "bernoulli", "complement")
MAILS = ["free money now", "Free prize, claim it now", "lunch at noon?", "minutes of the meeting at noon", "free lunch"]
KINDS = ["spam", "spam", "ham", "ham", "ham"]
WORDS = ("aa", "bb", "Cc", "dd", "naïve", "ΑΣ", "日本", "aa aa", "the", "x")
ROWS = st.lists(
    st.tuples(st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join), st.sampled_from("uvw")),
    min_size=2,
    max_size=14,
)


def split(rows: list[tuple[str, str]]) -> tuple[list[str], list[str]]:
    return [text for text, _ in rows], [label for _, label in rows]


def same(a: TextBayes, b: TextBayes, exact: bool = True) -> None:
    """Identical to the bit, or up to rounding where weights are fractions."""
    mine, its = a._seen, b._seen
    assert a.classes_.tolist() == b.classes_.tolist()
    assert mine.words == its.words
    for name in ("weight", "count", "documents"):
        x, y = getattr(mine, name), getattr(its, name)
        assert np.array_equal(x, y) if exact else np.allclose(x, y, rtol=1e-12)
        assert x.dtype == y.dtype
    if exact:
        assert np.array_equal(a.weights_.present, b.weights_.present)
        assert np.array_equal(a.class_prior_, b.class_prior_)


@given(ROWS, st.randoms(use_true_random=False), st.integers(1, 4), st.sampled_from(MODELS))
def test_any_parts_in_any_order_give_the_same_model(rows: Any, random: Any, parts: int, model: str) -> None:
    whole = TextBayes(model).partial_fit(*split(rows))
    random.shuffle(rows)
    pieces = [rows[i::parts] for i in range(parts) if rows[i::parts]]
    stream = TextBayes(model)
    for piece in pieces:
        stream.partial_fit(*split(piece))
    same(stream, whole)
    models = [TextBayes(model).partial_fit(*split(piece)) for piece in pieces]
    merged = models[0]
    for other in models[1:]:
        merged = other + merged
    same(merged, whole)


@given(ROWS, ROWS, st.sampled_from(MODELS))
def test_to_forget_is_never_to_have_seen(kept: Any, gone: Any, model: str) -> None:
    never = TextBayes(model).partial_fit(*split(kept))
    both = TextBayes(model).partial_fit(*split(kept + gone))
    same(both.forget(*split(gone)), never)
    assert both.vocabulary_ == never.vocabulary_


@given(ROWS)
def test_a_weight_is_that_many_documents(rows: Any) -> None:
    texts, labels = split(rows)
    weight = np.arange(len(rows)) % 3
    if not weight.any():
        return
    twice = [row for row, w in zip(rows, weight, strict=True) for _ in range(w)]
    weighed = TextBayes().partial_fit(texts, labels, sample_weight=weight)
    repeated = TextBayes().partial_fit(*split(twice))
    assert weighed.vocabulary_ == repeated.vocabulary_
    assert np.allclose(weighed.predict_log_proba(texts), repeated.predict_log_proba(texts))


def test_threads_change_nothing() -> None:
    rng = np.random.default_rng(0)
    texts = [" ".join(f"w{i}" for i in rng.integers(0, 5000, 3000)) for _ in range(600)]
    labels = rng.integers(0, 3, 600)
    assert len(list(batches(texts))) > 1
    with use(Serial()):
        one = TextBayes().fit(texts, labels)
        posteriors = one.predict_log_proba(texts)
    with use(Threads(2)):
        two = TextBayes().fit(texts, labels)
        assert np.array_equal(two.predict_log_proba(texts), posteriors)
    same(one, two)


def test_forgetting_a_document_removes_the_words_nobody_else_used() -> None:
    model = TextBayes().fit(MAILS, KINDS)
    assert "prize" in model.vocabulary_
    model.forget([MAILS[1]], ["spam"])
    assert not {"prize", "claim", "it"} & set(model.vocabulary_)
    assert "free" in model.vocabulary_
    before = model.predict_proba(MAILS)
    for texts, labels in ((["never seen"], ["spam"]), (MAILS[2:3], ["spam"]), (["free"], ["other"])):
        with pytest.raises(InputError, match="cannot be forgotten"):
            model.forget(texts, labels)
    assert np.array_equal(model.predict_proba(MAILS), before)
    with pytest.raises(InputError, match="leave nothing"):
        model.forget([MAILS[0], *MAILS[2:]], [KINDS[0], *KINDS[2:]])


@settings(max_examples=40)
@given(ROWS, st.sampled_from(MODELS), st.sampled_from(["ignore", "smooth"]), st.sampled_from([1, 2]))
def test_the_evidence_adds_up_to_the_odds(rows: Any, model: str, unseen: str, min_df: int) -> None:
    texts, labels = split(rows)
    if len(set(labels)) < 2:
        return
    asked = [*texts, "", "unheard of aa words", "aa aa aa bb"]
    fitted = TextBayes(model, unseen=unseen, min_df=min_df).fit(texts, labels)
    evidence = fitted.evidence(asked)
    joint = fitted.predict_log_proba(asked)
    member = joint.argmax(axis=1)
    assert evidence.classes.tolist() == fitted.predict(asked).tolist()
    assert np.allclose(evidence.log2_odds, log_odds(joint, member) / np.log(2), atol=1e-9)
    first, second = fitted.classes_[:2]
    pair = fitted.evidence(asked, for_class=first, against=second)
    assert np.allclose(pair.log2_odds, (joint[:, 0] - joint[:, 1]) / np.log(2), atol=1e-9)


def test_the_words_for_and_against() -> None:
    model = TextBayes().fit(MAILS, KINDS)
    evidence = model.evidence(["FREE free lunch, unheard"], for_class="spam")
    assert [(w.word, w.count) for w in evidence.words[0]] == [("free", 2), ("lunch", 1)]
    theta = {c: {w: float(np.exp(s)) for w, s in zip(model.vocabulary_, model.weights_.present[:, i], strict=False)}
             for i, c in enumerate(model.classes_.tolist())}  # fmt: skip
    bits = 2 * np.log2(theta["spam"]["free"] / theta["ham"]["free"])
    assert evidence.classes[0] == "spam"
    assert evidence.speaking_for()[0].bits == pytest.approx(bits)
    assert [word.word for word in evidence.speaking_against()] == ["lunch"]
    assert evidence.frame().columns == ["row", "word", "count", "bits"]
    assert "free" in str(evidence) and "x 2" in evidence.describe()
    with pytest.raises(InputError, match="no row 3"):
        evidence.describe(3)
    with pytest.raises(InputError, match="no class"):
        model.evidence(MAILS, for_class="spma")
    with pytest.raises(InputError, match="against itself"):
        model.evidence(MAILS, for_class="spam", against="spam")


def test_absent_words_speak_in_the_bernoulli_model_only() -> None:
    texts, labels = ["aa bb", "aa cc", "dd", "dd ee"], [0, 0, 1, 1]
    evidence = TextBayes("bernoulli").fit(texts, labels).evidence(["aa aa aa"], for_class=0)
    assert evidence.absent[0] != 0
    assert evidence.words[0][0].bits == pytest.approx(np.log2(3 / 4) - np.log2(1 / 4))  # (2 + 1)/(2 + 2), once
    assert TextBayes().fit(texts, labels).evidence(["aa"]).absent[0] == 0


def test_words_never_seen_say_nothing_or_have_their_smoothed_mass() -> None:
    texts, labels = ["aa bb aa", "cc"], ["u", "v"]
    ignoring = TextBayes().fit(texts, labels)
    assert np.array_equal(ignoring.predict_proba(["aa zz zz"]), ignoring.predict_proba(["aa"]))
    smooth = TextBayes(unseen="smooth").fit(texts, labels)
    expected = np.log([[1 / (3 + 4), 1 / (1 + 4)]]) * 2 + np.log([[3 / 7, 1 / 5]])
    assert np.allclose(smooth.log_likelihood(["aa zz yy"]), expected)
    presence = TextBayes("bernoulli", unseen="smooth").fit(texts, labels)
    one, two = (presence.log_likelihood([text]) for text in ("aa zz", "aa zz yy zz"))
    assert np.allclose(two - one, np.log([[1 / 3, 1 / 3]]))  # each new word once: a / (documents + 2 a)
    stopped = TextBayes(unseen="smooth", stop_words=["the"]).fit(texts, labels)
    assert np.array_equal(stopped.predict_proba(["aa the"]), stopped.predict_proba(["aa"]))
    seldom = TextBayes(unseen="smooth", min_df=2).fit([*texts, "aa"], [*labels, "v"])
    assert np.array_equal(seldom.predict_proba(["aa bb"]), seldom.predict_proba(["aa"]))  # seen, and not kept


def test_repetition_and_length_matter_to_the_multinomial_only() -> None:
    multinomial, bernoulli = (TextBayes(model).fit(MAILS, KINDS) for model in ("multinomial", "bernoulli"))
    once, often = "free", "free free free"
    assert multinomial.predict_proba([often])[0, 1] > multinomial.predict_proba([once])[0, 1]
    assert np.array_equal(bernoulli.predict_proba([often]), bernoulli.predict_proba([once]))


def test_without_smoothing_impossible_texts_have_defined_answers() -> None:
    texts, labels = ["aa bb", "aa", "cc", ""], ["u", "u", "v", "w"]
    for model in ("multinomial", "bernoulli"):
        fitted = TextBayes(model, alpha=0.0).fit(texts, labels)
        answers = fitted.predict_proba(["aa", "cc", "aa cc", "", "zz"])
        assert np.isfinite(answers).all() and np.allclose(answers.sum(axis=1), 1)
        assert answers[0, 0] == 1.0 if model == "bernoulli" else answers[0, 1] == 0.0
    exact = TextBayes("bernoulli", alpha=0.0).fit(texts[:3], labels[:3])
    assert np.allclose(
        exact.predict_proba(["bb"]), [[2 / 3, 1 / 3]]
    )  # no u without aa: impossible everywhere, the prior
    assert np.isneginf(exact.log_likelihood(["bb"])).all()


def test_strange_texts() -> None:
    rubbish = [bytes(range(256)).decode("latin-1"), "\ud800\udfff" * 50, "\x00" * 1000, "👍" * 100, "‮مرحبا‬ שלום"]
    labels = [0, 1, 0, 1, 0]
    for model in MODELS:
        fitted = TextBayes(model).fit(rubbish, labels)
        for answers in (fitted.predict_proba(rubbish), fitted.predict_proba(["", "the of", "日本語"])):
            assert np.isfinite(answers).all() and np.allclose(answers.sum(axis=1), 1)
    nothing = TextBayes(stop_words=["the"]).fit(["", "the", "a b c"], [0, 0, 1])
    assert nothing.vocabulary_ == {}
    assert np.allclose(nothing.predict_proba(["the", "anything", ""]), [2 / 3, 1 / 3])
    long = TextBayes().fit(["ham eggs " * 5_600_000, "spam"], ["food", "mail"])  # 50 MB
    assert long.class_count_.tolist() == [1, 1]
    assert long.predict(["ham " * 100_000, "spam"]).tolist() == ["food", "mail"]
    assert np.isfinite(long.predict_log_proba(["ham " * 5_000_000])).all()


def test_a_telling_term_has_an_interval_that_holds_what_it_should() -> None:
    rng = np.random.default_rng(0)
    truth = {"u": [0.5, 0.3, 0.2], "v": [0.2, 0.3, 0.5]}
    names = np.array(["aa", "bb", "cc"])
    held = drawn = 0
    for _ in range(200):
        texts = [" ".join(rng.choice(names, 10, p=truth[c])) for c in "uuuuuvvvvv"]
        model = TextBayes().fit(texts, list("uuuuuvvvvv"))
        for own, other in ("uv", "vu"):  # each word is more frequent in one of them, and tells that one
            true = dict(zip(names, np.log2(truth[own]) - np.log2(truth[other]), strict=True))
            told = model.top_terms(own, 3)
            assert all(term.bits > 0 for term in told)
            held += sum(term.low <= true[term.word] <= term.high for term in told)
            drawn += len(told)
    assert drawn >= 550  # but for ties
    assert 0.92 <= held / drawn <= 0.99


def test_the_top_terms_print_as_a_table() -> None:
    mails = ["free money now", "free prize, claim now", "lunch at noon?", "minutes of the meeting at noon"]
    top = TextBayes().fit(mails, ["spam", "spam", "ham", "ham"]).top_terms("spam", 3)
    lines = str(top).splitlines()
    assert lines[0].split() == ["word", "times", "as", "likely", "texts", "elsewhere"] and len(lines) == 1 + len(top)
    assert all(line.startswith(term.word) for line, term in zip(lines[1:], top, strict=True)) and repr(top) == str(top)
    assert str(top[0]).startswith("free: 3.") and str(top[0]).endswith(
        "times as likely, in 2 of its texts and 0 others"
    )
    same = TextBayes().fit(["a b", "a b"], ["x", "y"]).top_terms("x")
    assert same == [] and str(same) == "no word is more frequent in the class than elsewhere"


@pytest.mark.parametrize("alpha", [0.01, 1.0])
@pytest.mark.parametrize("model", ["multinomial", "bernoulli"])
def test_a_word_of_many_texts_and_no_other_surely_tells(model: str, alpha: float) -> None:
    rng = np.random.default_rng(0)
    filler = [" ".join(f"w{i}" for i in rng.integers(0, 4000, 20)) for _ in range(900)]
    texts = [f"{text} gt" if i < 242 else text for i, text in enumerate(filler)]
    (top,) = TextBayes(model, alpha=alpha).fit(texts, ["a"] * 450 + ["b"] * 450).top_terms("a", 1)
    assert (top.word, top.documents, top.elsewhere) == ("gt", 242, 0)
    # Chosen among some 4,000 words: 242 events against at most -ln(tail) of none, which is what a Poisson count allows.
    tail = 0.025 / 4000
    assert 242 / (-2 * np.log(tail)) < 2**top.low < 242 / (-0.5 * np.log(tail)) and top.low < top.bits < top.high


def test_words_in_bursts_are_less_sure_to_tell() -> None:
    spread = ["xx " * 2 + "common word here"] * 6 + ["common word there"] * 6
    burst = ["xx " * 12 + "common word here"] + ["common word here"] * 5 + ["common word there"] * 6
    kinds = ["a"] * 6 + ["b"] * 6
    sure, unsure = (
        {t.word: t for t in TextBayes().fit(texts, kinds).top_terms("a", 9)}["xx"] for texts in (spread, burst)
    )
    assert sure.count == unsure.count == 12 and sure.low > unsure.low


def test_the_top_terms_are_those_surest_to_speak_for_the_class() -> None:
    model = TextBayes().fit([*MAILS, *["free money now"] * 5], [*KINDS, *["spam"] * 5])
    top = model.top_terms("spam", 4)
    assert {term.word for term in top[:3]} == {"free", "money", "now"}
    every = model.top_terms("spam", len(model.vocabulary_))
    assert [term.low for term in every] == sorted((term.low for term in every), reverse=True)
    assert [term.word for term in top] == [term.word for term in every[:4]]
    assert all(shown.low < term.low for shown, term in zip(top, every, strict=False))  # chosen among many, less sure
    assert all(term.low < term.bits < term.high for term in top)
    assert (top[0].count, top[0].elsewhere) == (7.0, 0.0) and top[0].word == "now"
    wide = {t.word: t for t in model.top_terms("spam", 4, confidence=0.99)}
    assert wide["now"].low < top[0].low
    presence = TextBayes("bernoulli").fit(MAILS, KINDS).top_terms("ham", 1)
    assert (presence[0].word, presence[0].count) == ("at", 2.0)
    for arguments, problem in ((("egg",), "no class"), (("ham", 0), "n must"), (("ham", 1, 2.0), "confidence")):
        with pytest.raises(InputError, match=problem):
            model.top_terms(*arguments)


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    "options", [{}, {"min_df": 2, "max_df": 0.9}, {"max_features": 2}, {"unseen": "smooth"}], ids=str
)
@pytest.mark.parametrize("model", MODELS)
@given(rows=ROWS, weighted=st.booleans())
@settings(max_examples=10)
def test_out_of_fold_equals_fitting_anew(model: str, options: dict[str, Any], rows: Any, weighted: bool) -> None:
    texts, labels = split(rows)
    folds = np.arange(len(rows)) % 3 if len(rows) > 2 else np.arange(2)
    weight = np.linspace(0.5, 1.5, len(rows)) if weighted else None
    found = TextBayes(model, **options).out_of_fold(texts, labels, np.stack([folds, folds[::-1]]), weight)
    classes = sorted(set(labels))
    for answers, places in zip(found, (folds, folds[::-1]), strict=True):
        for fold in np.unique(places):
            train, test = np.flatnonzero(places != fold), np.flatnonzero(places == fold)
            fitted = TextBayes(model, **options).partial_fit(
                [texts[i] for i in train],
                [labels[i] for i in train],
                sample_weight=None if weight is None else weight[train],
            )
            expected = np.full((len(test), len(classes)), -np.inf)
            columns = [classes.index(c) for c in fitted.classes_.tolist()]
            expected[:, columns] = fitted.predict_log_proba([texts[i] for i in test])
            assert np.allclose(answers[test], expected, rtol=1e-12, atol=1e-12)


def test_the_summary_names_the_telling_words() -> None:
    model = TextBayes().fit(MAILS, KINDS)
    assert str(model).splitlines() == [
        "TextBayes()",
        "  5 texts, 13 words",
        "  ham (3): at, lunch, noon, meeting, minutes",
        "  spam (2): now, free, claim, it, money",
    ]
    assert str(TextBayes()) == "TextBayes()"
    assert TextBayes().partial_fit(["aa"], ["u"]).summary().endswith("u (1)")


def test_priors() -> None:
    model = TextBayes().fit(MAILS, KINDS)
    joint = np.exp(model.log_likelihood(MAILS)) * model.class_prior_
    assert np.allclose(model.log_evidence(MAILS), np.log(joint.sum(axis=1)))
    assert model.class_prior_.tolist() == [0.6, 0.4]
    assert np.allclose(model.predict_proba([""]), [[0.6, 0.4]])
    assert np.allclose(model.predict_proba([""], prior={"ham": 0.1, "spam": 0.9}), [[0.1, 0.9]])
    assert np.allclose(TextBayes(class_prior="uniform").fit(MAILS, KINDS).predict_proba([""]), 0.5)
    assert np.allclose(TextBayes(class_alpha=1.0).fit(MAILS, KINDS).class_prior_, [4 / 7, 3 / 7])
    assert np.allclose(TextBayes("complement").fit(MAILS, KINDS).predict_proba([""]), 0.5)


def test_the_contract_of_an_estimator() -> None:
    from sklearn.base import clone
    from sklearn.model_selection import cross_val_score

    model = TextBayes("bernoulli", alpha=0.5, stop_words=["the"])
    assert repr(model) == "TextBayes(model='bernoulli', alpha=0.5, stop_words=['the'])"
    assert clone(model).get_params() == model.get_params()
    with pytest.raises(NotFittedError):
        model.predict(MAILS)
    with pytest.raises(NotFittedError):
        _ = model.vocabulary_
    assert cross_val_score(model, np.array(MAILS * 6), KINDS * 6, cv=3).shape == (3,)
    fitted = model.fit(pd.Series(MAILS), pd.Series(KINDS))
    again = pickle.loads(pickle.dumps(fitted))
    assert np.array_equal(again.predict_proba(MAILS), fitted.predict_proba(MAILS))
    frame = pl.DataFrame({"text": MAILS, "kind": KINDS})
    named = TextBayes().fit(frame, "kind")
    assert named.score(frame, "kind") == named.score(MAILS, KINDS)
    assert named.classes_.tolist() == ["ham", "spam"]
    declared = TextBayes().partial_fit(["aa"], ["u"], classes=["u", "v"])
    assert declared.predict_proba(["aa"]).tolist() == [[1.0, 0.0]]


@pytest.mark.parametrize(
    "options",
    [
        {"model": "gaussian"},
        {"alpha": -1},
        {"alpha": "much"},
        {"alpha": 0, "model": "complement"},
        {"alpha": 0, "unseen": "smooth"},
        {"class_alpha": float("inf")},
        {"unseen": "error"},
        {"min_df": 0},
        {"min_df": 1.5},
        {"min_df": 3, "max_df": 2},
        {"max_features": 0},
        {"class_prior": [0.5, 0.6]},
        {"token_pattern": "("},
        {"ngram_range": (0, 1)},
        {"stop_words": "german"},
    ],
    ids=str,
)
def test_wrong_parameters_are_refused_and_leave_no_model(options: dict[str, Any]) -> None:
    model = TextBayes(**options)
    with pytest.raises(InputError):
        model.fit(MAILS, KINDS)
    assert not model.__sklearn_is_fitted__()


def test_wrong_data_are_refused() -> None:
    model = TextBayes()
    with pytest.warns(UserWarning, match="only one class"):
        assert model.fit(MAILS, ["spam"] * 5).predict(["lunch"]).tolist() == ["spam"]
    with pytest.raises(InputError, match="inconsistent numbers"):
        model.fit(MAILS, KINDS[:3])
    with pytest.raises(InputTypeError, match="put it in a list"):
        model.fit("free money", ["spam"])
    fitted = TextBayes().fit(MAILS, KINDS)
    with pytest.raises(InputError, match="their families have other parameters"):
        fitted.merge(TextBayes(alpha=2.0).fit(MAILS, KINDS))
    with pytest.raises(InputError, match="no target column"):
        fitted.fit(pl.DataFrame({"text": MAILS, "kind": KINDS}), "knd")
    with pytest.raises(InputError, match="folds"):
        fitted.out_of_fold(MAILS, KINDS, [0, 1])
    with pytest.raises(InputError, match="at least two folds"):
        fitted.out_of_fold(MAILS, KINDS, np.zeros(5))


@pytest.mark.parametrize(
    "words",
    [
        Words.in_order(["bb", "aa"]),
        Words(np.frombuffer(b"aabb", dtype=np.uint8), np.array([2, 400])),
        Words(np.frombuffer(b"aabb", dtype=np.uint8), np.array([4, 2])),
        Words(np.frombuffer(b"aa\xff\xfe", dtype=np.uint8), np.array([2, 4])),
        Words(np.frombuffer(b"aabb", dtype=np.uint8), np.array([2.0, 4.0])),
        Words.of(["aa"]),
    ],
    ids=["unsorted", "past the end", "falling", "no text", "no whole numbers", "too few"],
)
def test_words_from_a_file_are_checked_before_kernels_read_them(words: Words) -> None:
    seen = TextBayes().fit(["aa bb", "bb"], [0, 1])._seen
    check_statistic(seen, 2, 1)
    with pytest.raises(InputError, match=r"TermCounts\.words"):
        check_statistic(replace(seen, words=words), 2, 1)
