"""Terms and models of texts are those of scikit-learn's CountVectorizer and naive Bayes, option by option."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import BernoulliNB, ComplementNB, MultinomialNB

from likely import NaiveBayes, TextBayes, load, save
from likely.data import Tokenizer
from likely.distributions import TextFamily
from likely.errors import InputError, InputTypeError
from likely.statistics import Membership

TEXTS = [
    "Free  MONEY now, café™",
    "free prize; claim\tit now",
    "Lunch at noon? naïve Straße",
    "minutes of the meeting",
    "",
    "  a b  ",
    "x",
]
Y = ["s", "s", "h", "h", "h", "s", "h"]


def by_comma(text):
    return text.split(",")


def first_letters(text):
    return [word[0] for word in text.split()]


def upper(text):
    return text.upper()


CUTS = {
    "characters": {"analyzer": "char", "ngram_range": (1, 3)},
    "long characters": {"analyzer": "char", "ngram_range": (3, 5)},
    "inside words": {"analyzer": "char_wb", "ngram_range": (1, 4)},
    "inside words, long": {"analyzer": "char_wb", "ngram_range": (4, 6), "lowercase": False},
    "own tokenizer": {"tokenizer": by_comma, "ngram_range": (1, 2), "stop_words": ["lunch"]},
    "own analyzer": {"analyzer": first_letters},
    "ascii": {"strip_accents": "ascii"},
    "unicode": {"strip_accents": "unicode", "ngram_range": (1, 2)},
    "own accents": {"strip_accents": upper},
    "vocabulary": {"vocabulary": ["free", "now", "zebra", "café™", "café"]},
    "vocabulary of characters": {"analyzer": "char", "ngram_range": (2, 2), "vocabulary": ["fr", "no", "zz"]},
}
PEERS = {"multinomial": MultinomialNB, "bernoulli": BernoulliNB, "complement": ComplementNB}


def peer_options(options):
    extra = {"token_pattern": None} if "tokenizer" in options else {}
    return {**options, **extra}


@pytest.mark.parametrize("options", CUTS.values(), ids=CUTS)
def test_terms_are_those_of_the_peer(options):
    analyze = CountVectorizer(**peer_options({k: v for k, v in options.items() if k != "vocabulary"})).build_analyzer()
    ours = TextBayes(**options)._family().tokenizer
    for text in TEXTS:
        assert sorted(ours.terms(text)) == sorted(analyze(text))


@given(st.text("aé B\t\n™ß1", max_size=12), st.integers(1, 4), st.integers(0, 3), st.sampled_from(["char", "char_wb"]))
def test_runs_of_characters_of_any_text(text, low, more, analyzer):
    options = {"analyzer": analyzer, "ngram_range": (low, low + more)}
    theirs = CountVectorizer(**options, strip_accents="unicode").build_analyzer()(text)
    ours = Tokenizer.of(True, r"\w+", (low, low + more), None, analyzer, None, "unicode").terms(text)
    assert sorted(ours) == sorted(theirs)


@pytest.mark.parametrize("model", PEERS)
@pytest.mark.parametrize("options", CUTS.values(), ids=CUTS)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_posteriors_are_those_of_the_peer(options, model):
    counter = CountVectorizer(**peer_options(options))
    peer = PEERS[model](alpha=0.7).fit(counter.fit_transform(TEXTS), Y)
    ours = TextBayes(model, alpha=0.7, **options).fit(TEXTS, Y)
    asked = [*TEXTS, "free zebra lunch of a™", "nothing, known"]
    assert np.allclose(ours.predict_proba(asked), peer.predict_proba(counter.transform(asked)), rtol=1e-10, atol=1e-12)
    assert set(ours.vocabulary_) == set(counter.get_feature_names_out())


@pytest.mark.parametrize("options", CUTS.values(), ids=CUTS)
def test_models_add_up_fold_and_come_back(options, tmp_path):
    make = lambda rows: TextBayes(**options).fit([TEXTS[i] for i in rows], [Y[i] for i in rows])  # noqa: E731
    whole, parts = make(range(7)), make([0, 2, 4]) + make([1, 3, 5, 6])
    assert np.array_equal(parts.predict_proba(TEXTS), whole.predict_proba(TEXTS))
    forgot = make(range(7)).forget(TEXTS[4:], Y[4:])
    assert np.array_equal(forgot.predict_proba(TEXTS), make(range(4)).predict_proba(TEXTS))
    folds = np.arange(7) % 2
    exact = np.exp(TextBayes(**options).out_of_fold(TEXTS, Y, folds))
    for f in (0, 1):
        expected = make(np.flatnonzero(folds != f)).predict_proba([TEXTS[i] for i in np.flatnonzero(folds == f)])
        assert np.allclose(exact[folds == f], expected)
    assert whole.top_terms("s", 2) and whole.evidence(TEXTS[:2]).describe(top=2)
    if any(callable(option) for option in options.values()):
        with pytest.raises(InputError, match="function"):
            save(whole, tmp_path / "m.likely")
        return
    save(whole, tmp_path / "m.likely")
    assert np.array_equal(load(tmp_path / "m.likely").predict_proba(TEXTS), whole.predict_proba(TEXTS))


def test_a_column_of_a_table_takes_them_too():
    table = {"text": TEXTS, "x": list(range(7))}
    family = TextFamily(analyzer="char_wb", ngram_range=(2, 3), vocabulary=("fr", "lun", "zzz"))
    model = NaiveBayes({"text": family}).fit(table, Y)
    assert {term.word for term in model.top_terms("s", 9, column="text")} <= {"fr", "lun", "zzz"}
    assert model.predict_proba(table).shape == (7, 2)
    seen = family.summarize(family.tokens(TEXTS), Membership.whole(7))
    assert family.parameter_posterior(seen).alpha.shape == (1, 3)
    assert family.standard_errors(seen)["probability"].shape == (1, 3)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"analyzer": "letters"}, "unknown analyzer"),
        ({"tokenizer": 3}, "tokenizer must be"),
        ({"tokenizer": by_comma, "analyzer": "char"}, "give one of them"),
        ({"strip_accents": "utf"}, "unknown strip_accents"),
        ({"vocabulary": "free"}, "list of different words"),
        ({"vocabulary": []}, "list of different words"),
        ({"vocabulary": ["a", 3]}, "list of different words"),
        ({"vocabulary": ["a"], "unseen": "smooth"}, "fixed one"),
        ({"analyzer": "char", "ngram_range": (1, 10**9)}, "more than 20"),
    ],
)
def test_what_makes_no_sense_is_refused(options, said):
    with pytest.raises(InputError, match=said):
        TextBayes(**options).fit(TEXTS, Y)


def test_functions_must_give_texts():
    with pytest.raises(InputTypeError, match=re.escape("the analyzer gave 4 (int)")):
        TextBayes(analyzer=lambda text: [4]).fit(TEXTS, Y)
    with pytest.raises(InputError, match="overlap"):
        TextBayes(analyzer="char").fit(TEXTS, Y).sample(2)
