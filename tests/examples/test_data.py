"""What must hold of the worked examples of group DAT beside their numbers (which are in test_worked)."""

import numpy as np
from catalogue import check, covers

from likely.data import MinMax, Whitening
from likely.numeric.covariance import whitening


@covers("EX-DAT-03")
def test_a_constant_attribute_scales_to_zero(ex):
    assert MinMax.learn([[3.0], [3.0]]).transform([[3.0], [5.0]]).tolist() == [[0.0], [0.0]]


@covers("EX-DAT-11")
def test_both_whitenings_turn_mahalanobis_into_euclid(ex):
    mean, cov, x = (np.array(ex.inputs[name], dtype=float) for name in ("mean", "cov", "x"))
    for w in (Whitening.of(mean, cov).matrix, whitening(cov)):
        check(ex.id, "whitened_cov", w @ cov @ w.T)
        check(ex.id, "euclid_after", np.linalg.norm(w @ (x - mean)))
