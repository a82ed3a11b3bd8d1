"""What once went wrong with texts, and must not again."""

import pickle

import numpy as np
import pytest

from likely import TextBayes, cross_validate
from likely.data import inputs
from likely.data.text import documents
from likely.distributions import TextFamily
from likely.errors import InputError
from likely.statistics import Membership
from likely.statistics.counting.words import Tokens, Words


@pytest.mark.parametrize("seed", range(8))
def test_a_word_of_every_text_is_kept_whatever_the_weights(seed, monkeypatch):
    rng = np.random.default_rng(seed)
    monkeypatch.setattr(documents, "_BATCH", 60)
    texts = [f"subject {rng.choice(['aa', 'bb'])}" for _ in range(40)]
    model = TextBayes().fit(texts, np.arange(40) % 10, sample_weight=rng.random(40))
    assert "subject" in model.vocabulary_
    thirds = TextBayes(min_df=2).fit(["aa bb", "aa", "cc"] * 2, [0, 1, 0] * 2, sample_weight=np.full(6, 1 / 3) * 3)
    assert set(thirds.vocabulary_) == {"aa", "bb", "cc"}


@pytest.mark.parametrize("options", [{}, {"min_df": 2}, {"max_features": 8}, {"model": "bernoulli", "min_df": 3}])
def test_hidden_labels_are_learned_with_any_vocabulary(options):
    texts = ["free prize"] * 2 + ["lunch noon"] * 2 + ["free claim cash"] * 50 + ["lunch agenda minutes"] * 50
    labels = ["spam"] * 2 + ["ham"] * 2 + [None] * 100
    model = TextBayes(**options, hidden="em").fit(texts, labels)
    assert model.predict(["claim cash", "agenda minutes"]).tolist() == ["spam", "ham"]
    assert model.predict_proba(["claim cash"])[0, 1] > 0.9
    assert np.all(np.diff(model.log_likelihoods_) > -1e-6)


def test_scores_are_no_likelihoods_to_learn_hidden_labels_with():
    with pytest.raises(InputError, match="hidden labels cannot be learned"):
        TextBayes("complement", hidden="em").fit(["aa", "bb", "cc"], ["u", "v", None])


def test_a_share_of_all_texts_is_a_bound():
    rng = np.random.default_rng(0)
    y = np.arange(30) % 2
    texts = [f"all {rng.choice(['aa', 'bb'])}" for _ in y]
    model = TextBayes(min_df=1.0)
    assert model.fit(texts, y).vocabulary_ == {"all": 0}
    found = model.out_of_fold(texts, y, np.arange(30))
    one = TextBayes(min_df=1.0).fit(texts[1:], y[1:])
    assert np.allclose(found[0], one.predict_log_proba(texts[:1])[0])
    assert TextBayes(min_df=np.float32(0.5)).fit(texts, y).vocabulary_
    for wrong in ({"alpha": True}, {"max_features": True}):
        with pytest.raises(InputError):
            TextBayes(**wrong).fit(texts, y)


def test_leave_one_out_in_cross_validation_is_that_of_folds_of_one():
    rng = np.random.default_rng(1)
    texts = [" ".join(rng.choice(["aa", "bb", "cc", "dd"], 4)) for _ in range(150)]
    y = rng.integers(0, 2, 150)
    judged = cross_validate(TextBayes(), texts, y, leave_one_out=True)
    assert np.allclose(judged.log_posterior[0], TextBayes().out_of_fold(texts, y, np.arange(150)), atol=1e-12)


@pytest.mark.parametrize("count", [10**4, 10**6])
def test_long_texts_keep_their_digits(count):
    model = TextBayes().fit(["aa aa bb", "aa bb bb"], [0, 1])
    text = "aa " * count + "bb " * count  # the log odds are exactly 0
    assert model.predict_proba([text])[0] == pytest.approx([0.5, 0.5], abs=1e-10)
    assert model.evidence([text]).log2_odds[0] == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize(("ids", "ends"), [([5], [1]), ([-1], [1]), ([0], [2]), ([0, 0], [2, 1]), ([0], [0])], ids=str)
def test_tokens_that_name_no_word_are_refused(ids, ends):
    tokens = Tokens(np.array(ids, dtype=np.int32), np.array(ends), Words.of(["aa"]))
    with pytest.raises(InputError, match="token"):
        TextFamily().summarize(tokens, Membership.whole(len(ends)))


def test_what_is_impossible_everywhere_leaves_the_prior():
    model = TextBayes(alpha=0.0).fit(["aa bb", "cc dd", "cc dd"], list("abb"))
    told = model.evidence(["aa cc"])
    assert told.classes.tolist() == model.predict(["aa cc"]).tolist() == ["b"]
    assert told.log2_odds[0] == pytest.approx(1.0)


@pytest.mark.parametrize(
    "options",
    [{"model": "bernoulli"}, {"unseen": "smooth"}, {"unseen": "smooth", "stop_words": ["the"]}, {"ngram_range": (1, 2)},
     {"model": "bernoulli", "unseen": "smooth"}, {"token_pattern": r"\w+"}],
    ids=str,
)  # fmt: skip
def test_a_few_texts_are_scored_as_many_are(options):
    rng = np.random.default_rng(3)
    words = [f"w{i}" for i in range(300)] + ["the", "x"]
    texts = [" ".join(rng.choice(words, 12)) for _ in range(60)]
    model = TextBayes(**options).fit(texts[:40], np.arange(40) % 3)
    asked = [*texts[40:], "", "new words new", "the the w1 w1"]
    whole = model.predict_log_proba(asked)
    each = np.concatenate([model.predict_log_proba([text]) for text in asked])
    assert np.allclose(each, whole, atol=1e-12)


def test_what_is_only_for_speed_is_not_pickled():
    texts = [f"word{i} other{i % 7}" for i in range(2000)]
    model = TextBayes().fit(texts, np.arange(2000) % 2)
    before = len(pickle.dumps(model))
    expected = model.predict_proba(texts[:5])
    model.evidence(texts[:5])
    assert len(pickle.dumps(model)) == before
    assert np.array_equal(pickle.loads(pickle.dumps(model)).predict_proba(texts[:5]), expected)


def test_texts_in_files_are_learned_in_pieces(tmp_path, monkeypatch):
    import polars as pl

    import likely

    monkeypatch.setattr(documents, "_BATCH", 100)
    monkeypatch.setattr(inputs, "_BATCH_ROWS", 16)
    texts = [f"text number {i} of {'ab'[i % 2]} kind" for i in range(80)]
    pl.DataFrame({"text": texts, "kind": ["u" if i % 2 else "v" for i in range(80)]}).write_ndjson(tmp_path / "t.jsonl")
    source = likely.scan(tmp_path / "t.jsonl")
    model = TextBayes().fit(source, "kind")
    whole = TextBayes().fit(texts, ["u" if i % 2 else "v" for i in range(80)])
    assert model.vocabulary_ == whole.vocabulary_
    assert np.array_equal(model.predict_log_proba(texts), whole.predict_log_proba(texts))
    assert model.score(source, "kind") == whole.score(texts, ["u" if i % 2 else "v" for i in range(80)])


def test_figures_do_not_suffer_from_probabilities_that_round():
    """Long texts have posteriors that round to 0 and 1: their order and their logarithms are still known."""
    from likely import evaluate
    from likely.evaluation.curves.roc import RocCurve

    rng = np.random.default_rng(7)
    y = np.arange(200) % 2
    share = 0.5 + 0.02 * y[:, None] + rng.normal(0, 0.02, size=(200, 1))
    texts = [" ".join(np.where(rng.random(60_000) < s, "aa", "bb")) for s in share[:40]]
    model = TextBayes().fit(["aa " * 70 + "bb " * 30, "aa " * 30 + "bb " * 70], [1, 0])
    log_p = model.predict_log_proba(texts)
    assert (model.predict_proba(texts) == 0).sum() > 10
    judged = evaluate(model, texts, y[:40])
    odds = log_p[:, 1] - log_p[:, 0]
    assert np.isfinite(judged.log_loss.value)
    assert judged.log_loss.value == pytest.approx(-log_p[np.arange(40), y[:40]].mean())
    assert judged.roc_area().value == pytest.approx(RocCurve.of(y[:40], odds).area.value)
