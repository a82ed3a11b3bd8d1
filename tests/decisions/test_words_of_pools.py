"""What each word of a text says to a pool, and to the linear models in it: exactly what the column says."""

import numpy as np
import polars as pl
import pytest

from likely import Calibrated, Decider, LogisticRegression, NaiveBayes, Pool, TextBayes
from likely.errors import InputError
from likely.models.linear import LeastSquaresClassifier
from likely.models.neighbors import NearestNeighbors
from likely.models.traits.words import word_evidence
from likely.testing import check_explanation

WORDS = ["free", "money", "lunch", "noon", "prize", "hello", "report", "meeting", "cheap", "plan"]


def mails(classes, n=90, seed=0):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % classes
    texts = [" ".join(rng.choice(np.roll(WORDS, 3 * c)[:6], 5)) for c in y]
    return pl.DataFrame({"mail": texts, "size": rng.normal(y, 1.0)}), np.array(list("abc"))[y]


def members():
    return {"bayes": NaiveBayes(), "linear": LogisticRegression(), "rare": NaiveBayes(alpha=0.1)}


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize(
    "model",
    [
        LogisticRegression(),
        LeastSquaresClassifier(),
        LeastSquaresClassifier(posterior="calibrated"),
        Calibrated(LogisticRegression(), cv=3),
        Pool(members()),
        Decider(Calibrated(Pool(members()), cv=3)),
        Pool({**members(), "near": NearestNeighbors(5)}),
    ],
    ids=lambda model: str(model.get_params(deep=False))[:60],
)
@pytest.mark.filterwarnings("ignore")
def test_words_sum_to_what_their_column_says(model, classes):
    X, y = mails(classes)
    model.fit(X, y)
    new = pl.concat([mails(classes, 9, seed=1)[0], pl.DataFrame({"mail": [None, "unheard of"], "size": [0.5, None]})])
    check_explanation(model, new)
    check_explanation(model, new, prior=dict(zip("abc", (0.7, 0.2, 0.1), strict=False)) if classes == 3 else "uniform")
    against = {"for_class": "a", "against": "b"}
    whole, words = model.evidence(new, **against), word_evidence(model, new, **against)["mail"]
    column = whole.bits[:, whole.names.index("mail")]
    assert words.absent + [sum(word.bits for word in told) for told in words.words] == pytest.approx(column)
    assert {"free", "lunch"} & {word.word for told in words.words for word in told}
    assert words.before == "prior and other columns"


def test_a_pool_of_models_of_texts_knows_the_name_of_their_column():
    X, y = mails(2)
    pool = Pool({"bayes": TextBayes(), "linear": LogisticRegression()}).fit(X[["mail"]], y)
    assert pool.evidence(X[["mail"]][:3]).names[0] == "mail"
    told = pool.text_evidence(X[["mail"]][:3])
    assert told.before == "prior" and told.log2_odds == pytest.approx(pool.evidence(X[["mail"]][:3]).log2_odds)
    check_explanation(pool, X[["mail"]])
    with pytest.raises(InputError, match="no column of which members weigh the words"):
        pool.text_evidence(X[["mail"]], "male")
    with pytest.raises(InputError, match="no column of texts"):
        pool.estimators_["linear"].text_evidence(X[["mail"]], "male")


def test_how_often_a_word_occurs_is_told():
    X, y = mails(2)
    model = LogisticRegression().fit(X[["mail"]], y)
    told = model.text_evidence(pl.DataFrame({"mail": ["free free lunch"]}))
    assert {word.word: word.count for word in told.words[0]} == {"free": 2, "lunch": 1}
