"""Single texts taken out of the counts: the same as a model of all the others."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likely import NaiveBayes, TextBayes
from likely.distributions import TextFamily
from likely.distributions.texts import documents as text_family
from likely.errors import TierError
from likely.models.generative.folds import left_out as out_of_fold

WORDS = ("aa", "bb", "cc", "dd", "ee", "the")
TEXTS = st.lists(st.lists(st.sampled_from(WORDS), max_size=5).map(" ".join), min_size=6, max_size=14)
MODELS = ("multinomial", "bernoulli", "complement")


def refitted(model, texts, y):
    classes = np.unique(y)
    out = np.full((len(texts), len(classes)), -np.inf)
    for i in range(len(texts)):
        rest = np.arange(len(texts)) != i
        one = type(model)(**model.get_params(deep=False)).partial_fit([texts[j] for j in np.flatnonzero(rest)], y[rest])
        out[i, np.searchsorted(classes, one.classes_)] = one.predict_log_proba([texts[i]])[0]
    return out


@settings(max_examples=60)
@given(TEXTS, st.sampled_from(MODELS), st.sampled_from([0.1, 1.0]), st.booleans())
def test_it_is_the_loop_of_refits(texts, kind, alpha, once):
    y = np.arange(len(texts)) % 3
    if once:
        texts = [f"{text} only{i}" if i % 4 == 0 else text for i, text in enumerate(texts)]
    model = TextBayes(kind, alpha=alpha)
    family = model._family()
    assert family.leaves_one_out
    found = out_of_fold.held_out_posteriors(out_of_fold.PartedTable.of(model, texts, y), np.arange(len(texts)))
    assert np.allclose(found, refitted(model, texts, y), atol=1e-9)


@pytest.mark.parametrize("kind", MODELS)
def test_beside_other_columns_and_with_gaps(kind):
    rng = np.random.default_rng(2)
    y = np.arange(40) % 2
    texts = [None if rng.random() < 0.2 else " ".join(rng.choice(WORDS, size=4)) for _ in y]
    table = pl.DataFrame({"text": texts, "x": rng.normal(size=40) + y})
    model = NaiveBayes({"text": TextFamily(kind)})
    found = model.out_of_fold(table, y, np.arange(40))
    for i in (0, 7, 23):
        rest = np.flatnonzero(np.arange(40) != i).tolist()
        one = NaiveBayes({"text": TextFamily(kind)}).fit(table[rest], y[rest])
        assert np.allclose(found[i], one.predict_log_proba(table[[i]])[0], atol=1e-9)


def test_options_without_a_closed_form(monkeypatch):
    rng = np.random.default_rng(0)
    texts = [" ".join(rng.choice(WORDS, size=3)) for _ in range(120)]
    y = np.arange(120) % 2
    for options in ({"min_df": 2}, {"max_df": 0.9}, {"max_features": 3}, {"unseen": "smooth"}, {"alpha": 0.0}):
        assert not TextBayes(**options)._family().leaves_one_out
    found = TextBayes(min_df=3).out_of_fold(texts, y, np.arange(120))
    one = TextBayes(min_df=3).fit(texts[1:], y[1:])
    assert np.allclose(found[0], one.predict_log_proba(texts[:1])[0], atol=1e-9)
    monkeypatch.setattr(text_family, "_MOST_TEXTS", 1000)
    with pytest.raises(TierError, match="Use fewer folds"):
        TextBayes(min_df=3).out_of_fold(texts, y, np.arange(120))
