"""`a + b` of every public model is the model of both, or refused with words; never a bare error of Python."""

import re

import numpy as np
import pytest
from discovery import estimators, regressors, unlabelled, wrappers

from likely import LogisticRegression, NaiveBayes, TextBayes
from likely.decisions import merge_models
from likely.errors import LikelyError, NoSuchVerbError, TierError

X = np.random.default_rng(0).normal(size=(24, 2))
Y = np.arange(24) % 2
MODELS = [kind for kind in [*estimators(), *regressors(), *unlabelled()] if kind is not TextBayes]


def two_models(kind, make=None):
    y = X[:, 0] if kind in regressors() else Y
    halves = [(X[:12], y[:12]), (X[12:], y[12:])]
    return [(make or kind)().fit(*(rows[:1] if kind in unlabelled() else rows)) for rows in halves]


@pytest.mark.parametrize("kind", MODELS, ids=lambda kind: kind.__name__)
def test_a_sum_is_a_model_or_is_refused_with_words(kind):
    one, other = two_models(kind)
    if not hasattr(one, "merge"):
        for attempt in (lambda: one + other, lambda: one.merge(other)):
            with pytest.raises(NoSuchVerbError, match=rf"^{kind.__name__} .* cannot be merged. Fit one on all rows"):
                attempt()
        return
    try:
        merged = one.merge(other)
    except LikelyError as refused:  # of a tier that has no sum, or cut into other bins
        assert re.search("Fit|Train|Give|use", str(refused))
        with pytest.raises(type(refused)) as again:
            one + other
        assert str(again.value) == str(refused)
        return
    assert type(merged) is type(one + other) is kind


@pytest.mark.parametrize("kind", [*MODELS, *wrappers()], ids=lambda kind: kind.__name__)
def test_a_verb_that_is_not_there_says_why_and_what_to_do(kind):
    model = kind(NaiveBayes()) if kind in wrappers() else kind()
    for verb in ("merge", "forget", "partial_fit"):
        if hasattr(model, verb):
            continue
        with pytest.raises(AttributeError, match=r"Fit|likely\.decisions") as refused:
            getattr(model, verb)
        assert isinstance(refused.value, TierError) and str(refused.value).startswith(kind.__name__)
        assert verb not in dir(model)
    with pytest.raises(AttributeError, match=f"'{kind.__name__}' object has no attribute 'mergee'"):
        model.mergee


def test_models_of_two_kinds_and_what_is_no_model_have_no_sum():
    plain, many = NaiveBayes().fit(X, Y), LogisticRegression().fit(X, Y)
    with pytest.raises(TierError, match="NaiveBayes and LogisticRegression are models of two kinds"):
        plain + many
    for attempt in (lambda: many + 1, lambda: 1 + many, lambda: sum([many, many])):
        with pytest.raises(TypeError, match="unsupported operand"):
            attempt()


@pytest.mark.parametrize("kind", wrappers(), ids=lambda kind: kind.__name__)
def test_a_sum_of_models_around_others_says_what_merges_them(kind):
    one, other = two_models(kind, lambda: kind(NaiveBayes(), cv=2))
    with pytest.raises(TierError, match=r"merge_models\(one, other\)"):
        one + other
    assert type(merge_models(one, other)) is kind
