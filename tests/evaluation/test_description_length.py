"""Bits of models and of labels: by hand, row by row, against the classes alone, and where a code does not apply."""

from itertools import pairwise
from math import comb, log2

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_iris
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from likely import BayesClassifier, GaussianBayes, NaiveBayes
from likely.decisions import MajorityClassifier
from likely.distributions import GaussianFamily, MixtureFamily
from likely.errors import InputError, NotFittedError
from likely.evaluation import choose_by_description_length, description_length, exception_bits

X, Y = load_iris(return_X_y=True)
CODES = ("two-part", "exceptions", "prequential")


@pytest.mark.parametrize(
    ("model", "parameters"),
    [
        (NaiveBayes(), 2 * (2 * 4 + 1)),
        (GaussianBayes("shared"), 2 * (4 + 1)),  # as many as a logistic regression of three classes has
        (GaussianBayes("full"), 2 * (4 + 10 + 1)),
        (GaussianBayes("shared_spherical"), 2 * (4 + 1)),
        (BayesClassifier(GaussianFamily()), 2 * (2 * 4 + 1)),
        (BayesClassifier(MixtureFamily(GaussianFamily(), 2), random_state=0), 2 * (2 * 2 * 4 + 1 + 1)),
        (NaiveBayes(class_prior=[0.2, 0.3, 0.5]), 2 * (2 * 4 + 1)),
        (MajorityClassifier(), 2),
    ],
)
def test_two_part_charges_the_parameters_that_labels_add(model, parameters):
    fitted = model.fit(X, Y)
    found = description_length(fitted, X, Y)
    assert found.model_bits == pytest.approx(parameters / 2 * log2(150), rel=1e-12)
    truth = fitted.predict_log_proba(X)[np.arange(150), Y]
    assert found.data_bits == pytest.approx(-truth.sum() / np.log(2), rel=1e-12)
    assert found.total == found.model_bits + found.data_bits == float(found)
    assert found.baseline == pytest.approx(log2(150) + 150 * log2(3))


def test_the_classes_alone_save_nothing():
    y = np.repeat([0, 1, 2], [100, 40, 10])
    for code in CODES:
        found = description_length(MajorityClassifier().fit(X, y), X, y, code)
        assert found.saved == pytest.approx(0.0, abs=1e-9), code
        assert np.isfinite(found.total)


@given(st.integers(0, 300), st.integers(0, 300), st.integers(2, 5))
def test_exceptions_are_counted(errors, right, classes):
    n = errors + right
    exact = log2(n + 1) + log2(comb(n, errors)) + errors * log2(classes - 1)
    assert exception_bits(errors, n, classes) == pytest.approx(exact, rel=1e-9, abs=1e-9)
    assert exception_bits(errors, n, classes, positions=False) == errors * log2(classes)


def test_exception_code_of_a_model():
    model = GaussianBayes("shared").fit(X, Y)
    wrong = int((model.predict(X) != Y).sum())
    found = description_length(model, X, Y, "exceptions")
    assert found.data_bits == pytest.approx(log2(151) + log2(comb(150, wrong)) + wrong, rel=1e-12)
    assert found.baseline == pytest.approx(log2(3) + log2(151) + log2(comb(150, 100)) + 100, rel=1e-12)


def test_a_model_that_is_written_down():
    class Stump:
        classes_ = np.array([0, 1])

        def predict(self, X):
            return (np.asarray(X)[:, 0] > 0.5).astype(int)

    x = np.linspace(0, 1, 101)[:-1, None]
    y = (x[:, 0] > 0.5).astype(int)
    y[:9] = 1
    found = description_length(Stump(), x, y, "exceptions", model_bits=5)
    assert found.total == pytest.approx(52.449041687, abs=1e-9)
    with pytest.raises(InputError, match="Stump does not say how many"):
        description_length(Stump(), x, y, "exceptions")
    with pytest.raises(InputError, match="finite number from 0"):
        description_length(Stump(), x, y, "exceptions", model_bits=-1)


@pytest.mark.parametrize("model", [NaiveBayes(), GaussianBayes("shared")])
def test_prequential_is_predict_then_learn_row_by_row(model):
    x, y = X[::3], Y[::3]
    found = description_length(model, x, y, "prequential", blocks=50, random_state=3)
    order = np.random.default_rng(3).permutation(50)
    bits = log2(3)
    learned = type(model)(**model.get_params(deep=False))
    for m, (before, now) in enumerate(pairwise(order), start=1):
        learned.partial_fit(x[[before]], y[[before]], classes=[0, 1, 2])
        p = learned.predict_proba(x[[now]])[0, y[now]]
        bits -= log2((m * p + 1 / 3) / (m + 1))
    assert found.data_bits == pytest.approx(bits, rel=1e-6)
    assert found.model_bits == 0.0


def test_prequential_by_refitting_is_the_same():
    class Refitted(NaiveBayes):
        growing_posteriors = None

    exact = description_length(NaiveBayes(), X, Y, "prequential")
    again = description_length(Refitted(), X, Y, "prequential")
    # while only one class was seen a refitted model cannot be asked, and tells nothing
    assert again.data_bits == pytest.approx(exact.data_bits, rel=0.1)
    assert again.baseline == exact.baseline


def test_prequential_of_the_classes_is_krichevsky_and_trofimovs():
    from scipy.special import betaln

    rng = np.random.default_rng(0)
    y = (rng.random(60) < 0.3).astype(int)
    found = description_length(MajorityClassifier(), np.zeros((60, 1)), y, "prequential", blocks=60)
    ones = int(y.sum())
    exact = -(betaln(ones + 0.5, 60 - ones + 0.5) - betaln(0.5, 0.5)) / np.log(2)
    assert found.baseline == pytest.approx(exact, rel=1e-10)
    assert found.data_bits == pytest.approx(exact, rel=1e-10)


def test_features_that_say_nothing_do_not_pay():
    rng = np.random.default_rng(1)
    noise, y = rng.normal(size=(400, 6)), rng.integers(0, 2, 400)
    for code in CODES:
        assert description_length(NaiveBayes().fit(noise, y), noise, y, code).saved < 0, code
        signal = noise + 2 * y[:, None]
        assert description_length(NaiveBayes().fit(signal, y), signal, y, code).saved > 200, code


def test_order_and_blocks_are_part_of_the_code():
    first = description_length(NaiveBayes(), X, Y, "prequential", random_state=5)
    again = description_length(NaiveBayes(), X, Y, "prequential", random_state=5)
    assert first == again
    assert first != description_length(NaiveBayes(), X, Y, "prequential", random_state=6)
    assert first != description_length(NaiveBayes(), X, Y, "prequential", random_state=5, blocks=5)


def test_other_libraries_models():
    model = LogisticRegression(max_iter=1000).fit(X, Y)
    with pytest.raises(InputError, match="LogisticRegression does not say how many free parameters"):
        description_length(model, X, Y)
    told = description_length(model, X, Y, model_bits=10 / 2 * log2(150))
    assert 0 < told.total < told.baseline
    assert description_length(model, X, Y, "prequential", blocks=8).saved > 100


def test_frames_and_named_targets():
    frame = pl.DataFrame({"wet": ["yes", "no", "yes", "no"] * 10, "play": ["no", "yes", "no", "yes"] * 10})
    model = NaiveBayes().fit(frame, "play")
    for code in CODES:
        assert description_length(model, frame, "play", code).saved > 10


def test_an_impossible_label_has_no_word():
    x, y = np.array([["a"], ["b"]] * 5, dtype=object), np.array([0, 1] * 5)
    model = NaiveBayes("categorical", alpha=0).fit(x, y)
    found = description_length(model, x, 1 - y)
    assert found.total == np.inf
    assert "10 rows gave their true class probability 0, the first is row 0" in str(found)


def test_strings():
    text = str(description_length(GaussianBayes("shared").fit(X, Y), X, Y))
    assert text == "45.6 bits (two-part: model 36.1 + labels 9.5), n=150, 199.4 fewer than the classes alone"


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((NaiveBayes(), X, Y), NotFittedError, "fit it first"),
        ((NaiveBayes().fit(X, Y), X, Y, "huffman"), InputError, "unknown code 'huffman'"),
        ((NaiveBayes(), X, Y, "prequential", 3.0), InputError, "takes no model_bits"),
        ((NaiveBayes(), X, Y, "prequential", None, 1), InputError, "blocks"),
        ((NaiveBayes(), X, np.zeros(150), "prequential"), InputError, "only one class"),
        ((NaiveBayes().fit(X, Y), X, Y + 1), InputError, "not among the known classes"),
    ],
)
def test_mistakes_are_named(arguments, error, message):
    with pytest.raises(error, match=message):
        description_length(*arguments)


def test_choice_beside_cross_validation():
    models = {"naive": NaiveBayes(), "shared": GaussianBayes("shared"), "full": GaussianBayes("full")}
    choice = choose_by_description_length(models, X, Y)
    assert choice.best == "shared"
    assert list(choice.lengths) == [*models, "classes alone"]
    assert choice.log_losses["classes alone"].value == pytest.approx(np.log(3), rel=1e-6)
    assert choice.lengths["full"].total == description_length(GaussianBayes("full").fit(X, Y), X, Y).total
    assert "fewest bits (two-part): shared" in str(choice)
    assert choice.best_by_cross_validation in models


def test_noise_is_best_described_without_a_model():
    rng = np.random.default_rng(2)
    noise, y = rng.normal(size=(200, 5)), rng.integers(0, 2, 200)
    assert choose_by_description_length([NaiveBayes(), GaussianBayes()], noise, y).best == "classes alone"


@pytest.mark.parametrize(
    ("models", "message"),
    [
        ([NaiveBayes(), NaiveBayes(alpha=2)], "two of the models"),
        ({}, "no models"),
        ({"classes alone": NaiveBayes()}, "give yours another"),
    ],
)
def test_candidates_have_names_of_their_own(models, message):
    with pytest.raises(InputError, match=message):
        choose_by_description_length(models, X, Y)


def test_errors_beyond_the_rows():
    for errors, rows, classes in [(3, 2, 2), (-1, 2, 2), (0.5, 2, 2), (1, 2, 1)]:
        with pytest.raises(InputError):
            exception_bits(errors, rows, classes)


def test_prequential_of_a_model_that_learns_in_many_passes():
    model = BayesClassifier(MixtureFamily(GaussianFamily(), 1), random_state=0)
    found = description_length(model, X, Y, "prequential", blocks=8)
    single = description_length(BayesClassifier(GaussianFamily()), X, Y, "prequential", blocks=8)
    assert found.baseline == single.baseline
    assert found.saved > 100


def test_a_model_that_does_not_learn_in_parts_pays_for_all_its_parameters():
    class Ridge(LogisticRegression):
        @property
        def n_parameters_(self):
            return self.coef_[1:].size + len(self.intercept_) - 1

    model = Ridge(max_iter=1000).fit(X, Y)
    assert description_length(model, X, Y).model_bits == pytest.approx(10 / 2 * log2(150))


def test_what_a_model_refuses_to_learn_is_not_hidden():
    class Picky(NaiveBayes):
        growing_posteriors = None

        def fit(self, X, y=None, sample_weight=None):
            raise InputError("not these rows")

    with pytest.raises(InputError, match="not these rows"):
        description_length(Picky(), X, Y, "prequential")


@pytest.mark.parametrize("model", [GaussianNB(), KNeighborsClassifier(5), LinearDiscriminantAnalysis()])
def test_prequential_begins_once_a_model_can_learn(model):
    """These give NaN, or refuse, after so few rows; the classes' shares tell the labels until then."""
    found = description_length(model, X, Y, "prequential")
    assert found.saved > 150
    assert f"labels by their shares, as {type(model).__name__} could not learn" in found.note
    assert found.baseline == description_length(NaiveBayes(), X, Y, "prequential").baseline


def test_prequential_tells_the_labels_before_by_their_shares():
    class Late(NaiveBayes):
        growing_posteriors = None

        def fit(self, X, y=None, sample_weight=None):
            if len(y) < 140:
                raise ValueError("too few rows")
            return super().fit(X, y, sample_weight)

    late = description_length(Late(), X, Y, "prequential", blocks=150)
    whole = description_length(NaiveBayes(), X, Y, "prequential", blocks=150)
    assert late.note.startswith("139 of the first 140 labels")
    assert whole.total < late.total < late.baseline
    assert whole.note == ""


def test_a_model_that_cannot_learn_from_all_rows_but_the_last_is_refused():
    with pytest.raises(InputError, match=r"cannot tell the last block, 35 rows .* from the 115 before them.*options"):
        description_length(KNeighborsClassifier(500), X, Y, "prequential")
