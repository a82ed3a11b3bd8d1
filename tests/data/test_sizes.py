from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likely.data import (
    block_cells,
    document_cells,
    document_parameters,
    gaussian_parameters,
    joint_cells,
    joint_parameters,
    model_sizes,
    naive_cells,
    naive_parameters,
)
from likely.errors import InputError

arities = st.lists(st.integers(1, 4), min_size=1, max_size=4)
MODELS = ["sequence", "positions", "multinomial", "bernoulli"]


@given(arities, st.integers(1, 3))
def test_tables_counted_one_by_one(arity, classes):
    values = [range(m) for m in arity]
    assert joint_cells(arity, classes) == len(list(product(range(classes), *values)))
    assert naive_cells(arity, classes) == len(
        [(c, j, v) for c in range(classes) for j in range(len(arity)) for v in values[j]]
    )
    assert joint_parameters(arity, classes) == joint_cells(arity, classes) - 1
    # every naive table and the prior sum to one
    assert naive_parameters(arity, classes) == naive_cells(arity, classes) - classes * len(arity) + classes - 1
    assert block_cells([arity], classes) == joint_cells(arity, classes)
    assert block_cells([[m] for m in arity], classes) == naive_cells(arity, classes)


def test_table_sizes_with_and_without_independence():
    """EX-PRB-22."""
    assert joint_cells([2] * 5, classes=2) == 64
    assert naive_cells([2] * 5, classes=2) == 20
    assert joint_parameters([2] * 5, classes=2) == 63
    assert naive_parameters([2] * 5, classes=2) == 11
    assert (joint_parameters([2] * 3), naive_parameters([2] * 3)) == (7, 3)
    assert gaussian_parameters(3, covariance="diagonal") == 6
    assert gaussian_parameters(3) == 9
    assert joint_cells([2, 2, 2, 4]) == 32
    assert block_cells([[2, 2, 2], [4]]) == 12


def test_word_probabilities_of_document_models():
    """EX-GEN-33: a product over positions does not need the power."""
    assert document_cells(1000, 3, 2, "positions") == 6000
    assert document_cells(1000, 3, 2, "multinomial") == 2000
    assert document_cells(1000, 3, 2, "sequence") == 2_000_000_000
    assert document_cells(1000, 3, 2, "positions") != 2_000_000_000


@given(st.integers(1, 4), st.integers(1, 3), st.integers(1, 3))
def test_free_parameters_of_document_models(vocabulary, length, classes):
    texts = len(list(product(range(vocabulary), repeat=length)))
    per_class = {
        "sequence": texts - 1,
        "positions": length * (vocabulary - 1),
        "multinomial": vocabulary - 1,
        "bernoulli": vocabulary,
    }
    for model in MODELS:
        expected = classes * per_class[model] + classes - 1
        assert document_parameters(vocabulary, length, classes, model) == expected
    assert document_cells(vocabulary, 1, classes, "sequence") == document_cells(vocabulary, 1, classes, "multinomial")


@given(st.integers(1, 6), st.integers(1, 4))
def test_free_parameters_of_gaussians(d, k):
    triangle = len(np.tril_indices(d)[0])
    sizes = {"full": k * triangle, "shared": triangle, "diagonal": k * d, "shared_diagonal": d, "spherical": k}
    sizes["shared_spherical"] = 1
    for covariance, size in sizes.items():
        assert gaussian_parameters(d, k, covariance) == k * d + size + k - 1


def test_counts_are_exact_however_large():
    assert joint_cells([2] * 200) == 2**200
    assert joint_cells(np.full(200, 2)) == 2**200
    assert document_cells(np.int64(10**6), np.int64(100), 2, "sequence") == 2 * 10**600


def test_the_report_names_every_model():
    report = model_sizes(features=3, values=20, classes=2, vocabulary=1000, length=3)
    assert report["joint table"] == 2 * 8000 - 1
    assert report["naive tables"] == 2 * 3 * 19 + 1
    assert report["Gaussian, shared"] == 2 * 3 + 6 + 1
    assert report["words, sequence"] == 2 * (1000**3 - 1) + 1
    assert len(report) == 12
    assert len(model_sizes(3, 20, 2)) == 8
    assert model_sizes([20, 20, 20], classes=2) == model_sizes(3, 20, 2)


def test_sizes_are_those_of_fitted_models():
    from likely import GaussianBayes, NaiveBayes

    rng, arity = np.random.default_rng(0), [2, 3, 4]
    y = np.arange(200) % 3
    sizes = model_sizes(arity, classes=3)
    levels = np.column_stack([rng.integers(0, m, 200) for m in arity])
    assert NaiveBayes("categorical").fit(levels, y).n_parameters_ == sizes["naive tables"]
    for name in ("full", "shared", "diagonal", "shared_diagonal", "spherical", "shared_spherical"):
        model = GaussianBayes(covariance=name).fit(rng.normal(size=(200, 3)), y)
        assert model.n_parameters_ == sizes[f"Gaussian, {name}"]


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: joint_cells([2, 0]), "number of values must be a whole number of at least 1"),
        (lambda: naive_cells([2.5]), "got 2.5"),
        (lambda: joint_cells([2], classes=0), "classes"),
        (lambda: gaussian_parameters(0), "dimension"),
        (lambda: gaussian_parameters(2, covariance="round"), "'round'"),
        (lambda: document_cells(0), "vocabulary"),
        (lambda: document_cells(10, model="ngram"), "'ngram'"),
        (lambda: document_parameters(10, model="ngram"), "'ngram'"),
        (lambda: model_sizes(0, 2, 2), "features"),
    ],
)
def test_mistakes_are_named(call, message):
    with pytest.raises(InputError, match=message):
        call()
