"""What must hold of the worked examples of group DAT beside their numbers (which are in test_worked)."""

import numpy as np
from catalogue import check, covers

from likely.data import MinMax, Whitening, linear_map, projection, reflection, rotation, shear, stretch
from likely.numeric.linear.covariance import whitening


@covers("EX-DAT-03")
def test_a_constant_attribute_scales_to_zero(ex):
    assert MinMax.learn([[3.0], [3.0]]).transform([[3.0], [5.0]]).tolist() == [[0.0], [0.0]]


@covers("EX-DAT-11")
def test_both_whitenings_turn_mahalanobis_into_euclid(ex):
    mean, cov, x = (np.array(ex.inputs[name], dtype=float) for name in ("mean", "cov", "x"))
    for w in (Whitening.of(mean, cov).matrix, whitening(cov)):
        check(ex.id, "whitened_cov", w @ cov @ w.T)
        check(ex.id, "euclid_after", np.linalg.norm(w @ (x - mean)))


@covers("EX-DAT-05")
def test_the_maps_have_names(ex):
    named = {
        "stretch": stretch(5),
        "rotate": rotation(np.pi / 2),
        "reflect": reflection([1, 1]),
        "project": projection([1, 0]),
        "shear_c_2": shear(2),
    }
    for name, case in ex.inputs["matrices"].items():
        assert np.array_equal(named[name], case["matrix"])
        check(ex.id, name, linear_map(named[name], case["vector"]))
