"""What must hold of the worked examples of estimation and codes beside their numbers (which are in test_worked)."""

import numpy as np
import pytest
from catalogue import covers

from likely.examples import run
from likely.probability import entropy, huffman


@covers("EX-EST-21")
def test_prior_and_spread_fade_as_data_grow(ex):
    found = run(ex.id).values
    gap = np.abs(np.subtract(found["mle"], found["posterior_mean"]))
    assert (np.diff(gap) < 0).all()
    assert (np.diff(found["posterior_sd"]) < 0).all()
    assert (np.diff([high - low for low, high in found["central_95"]]) < 0).all()


@covers("EX-EST-23")
def test_the_error_is_that_of_cramer_and_rao(ex):
    found = run(ex.id).values
    assert np.allclose(found["mean_squared_error"], found["variance"], rtol=0.1, atol=0)


@covers("EX-MDL-05")
@pytest.mark.parametrize("seed", range(5))
def test_a_code_is_within_a_bit_of_the_entropy(ex, seed):
    drawn = np.random.default_rng(seed).dirichlet(np.ones(3 + seed)).tolist()
    for p in (ex.inputs["p"], ex.inputs["dyadic"], drawn):
        mean_length = huffman(p).mean_length
        assert entropy(p) - 1e-12 <= mean_length < entropy(p) + 1
