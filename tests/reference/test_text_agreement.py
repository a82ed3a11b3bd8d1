"""TextBayes beside scikit-learn's CountVectorizer with MultinomialNB, BernoulliNB and ComplementNB."""

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.metrics import roc_auc_score
from sklearn.naive_bayes import BernoulliNB, ComplementNB, MultinomialNB
from sklearn.pipeline import make_pipeline

from likely import TextBayes
from likely.evaluation import proportion_interval

PEERS = {"multinomial": MultinomialNB, "bernoulli": BernoulliNB, "complement": ComplementNB}
WORDS = ("aa", "bb", "Cc", "dd", "naïve", "ΑΣ", "ee ff", "x", "日本", "aa aa", "the")
DOCUMENTS = st.lists(
    st.tuples(st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join), st.sampled_from("uvw")),
    min_size=3,
    max_size=12,
)


def check(documents: list[tuple[str, str]], asked: list[str], model: str, alpha: float, **options: Any) -> None:
    texts, labels = [text for text, _ in documents], [label for _, label in documents]
    if len(set(labels)) < 2:
        return
    prior = options.pop("weights", None)
    peer = PEERS[model](alpha=alpha)
    vectorizer = CountVectorizer(**options)
    try:
        counts = vectorizer.fit_transform(texts)
    except ValueError:  # no word at all, which scikit-learn refuses
        return
    peer.fit(counts, labels, sample_weight=prior)
    ours = TextBayes(model, alpha=alpha, **options).fit(texts, labels, sample_weight=prior)
    assert list(ours.vocabulary_) == vectorizer.get_feature_names_out().tolist()
    asked_counts = vectorizer.transform(asked)
    assert np.allclose(ours.predict_proba(asked), peer.predict_proba(asked_counts), rtol=0, atol=1e-10)
    assert np.allclose(ours.predict_log_proba(asked), peer.predict_log_proba(asked_counts), rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("model", PEERS)
@given(DOCUMENTS, DOCUMENTS, st.sampled_from([1.0, 0.1, 3.5]))
def test_posteriors_agree(model: str, documents: Any, asked: Any, alpha: float) -> None:
    check(documents, [text for text, _ in asked], model, alpha)


@pytest.mark.sample(4)
@pytest.mark.parametrize("model", PEERS)
@pytest.mark.parametrize(
    "options",
    [
        {"stop_words": "english"},
        {"stop_words": ["aa"], "ngram_range": (1, 2)},
        {"min_df": 2},
        {"max_df": 0.5},
        {"lowercase": False, "token_pattern": r"(?u)\b\w+\b"},
    ],
    ids=str,
)
@given(documents=DOCUMENTS, asked=DOCUMENTS)
def test_posteriors_agree_under_options(model: str, options: dict[str, Any], documents: Any, asked: Any) -> None:
    check(documents, [text for text, _ in asked], model, 1.0, **options)


@pytest.mark.parametrize("model", PEERS)
def test_posteriors_agree_with_weights_and_the_most_frequent_words(model: str) -> None:
    rng = np.random.default_rng(1)
    documents = [
        (" ".join(f"w{int(i)}" for i in rng.zipf(1.5, 20) if i < 500), "ab"[i % 2 if i % 5 else 0]) for i in range(200)
    ]
    asked = [text for text, _ in documents[::3]]
    check(documents, asked, model, 0.5, weights=rng.uniform(0.1, 3.0, 200))
    check(documents, asked, model, 0.5, max_features=3)  # the three most frequent are no ties


def read(path: Path) -> pl.DataFrame:
    if not path.exists():
        pytest.skip(f"{path.name} is not among the shared data")
    if path.suffix == ".parquet":
        return pl.read_parquet(path)
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return pl.DataFrame([json.loads(line) for line in lines])


@pytest.mark.slow
def test_twenty_newsgroups(shared_data: Path) -> None:
    table = read(shared_data / "text" / "newsgroups20_bydate.parquet")
    texts, labels = table["text"].to_list(), table["label"].to_numpy()
    order = np.random.default_rng(0).permutation(len(texts))
    train, test = order[len(order) // 3 :], order[: len(order) // 3]
    learned, folds = [texts[i] for i in train], np.arange(len(train)) % 2

    def held_out(model: TextBayes) -> float:
        answers = model.out_of_fold(learned, labels[train], folds).argmax(axis=1)
        return float((np.unique(labels)[answers] == labels[train]).mean())

    choices = [TextBayes(kind, alpha=a) for kind in ("multinomial", "complement") for a in (0.1, 0.01)]
    model = max(choices, key=held_out).fit(learned, labels[train])  # chosen without a look at the test texts
    right = int((model.predict([texts[i] for i in test]) == labels[test]).sum())
    accuracy = proportion_interval(right, len(test))
    assert accuracy.value >= 0.89, str(accuracy)


def test_sms_spam(shared_data: Path) -> None:
    table = read(shared_data / "text" / "sms_spam.jsonl.gz")
    texts, labels = table["text"].to_list(), table["label"].to_numpy()
    test = np.random.default_rng(0).permutation(len(texts)) < len(texts) // 3
    train_texts, test_texts = ([t for t, held in zip(texts, test, strict=True) if held == side] for side in (0, 1))
    for kind, peer in (("multinomial", MultinomialNB()), ("bernoulli", BernoulliNB())):
        model = TextBayes(kind).fit(train_texts, labels[~test])
        pipeline = make_pipeline(CountVectorizer(), peer).fit(train_texts, labels[~test])
        ours, its = model.predict_proba(test_texts)[:, 1], pipeline.predict_proba(test_texts)[:, 1]
        assert np.allclose(ours, its, rtol=0, atol=1e-10)
        assert model.score(test_texts, labels[test]) >= 0.97
        assert roc_auc_score(labels[test] == model.classes_[1], ours) >= 0.98
