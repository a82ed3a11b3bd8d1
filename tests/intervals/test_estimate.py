from math import inf, nan

import numpy as np
import pytest

from likely.evaluation import Estimate


def test_reads_as_in_the_design():
    assert str(Estimate(0.8533, 0.8117, 0.8876, 0.95, "Wilson", 300)) == "0.853 [0.812, 0.888] 95 % Wilson, n=300"


@pytest.mark.parametrize(
    "numbers, text",
    [
        ((0.853121, 0.852931, 0.853312), "0.85312 [0.85293, 0.85331]"),  # a narrow interval shows more digits
        ((1234.567, 1200.123, 1269.9), "1235 [1200, 1270]"),
        ((12.34, 8.12, 17.9), "12.3 [8.1, 17.9]"),
        ((0.5, 0.5, 0.5), "0.500 [0.500, 0.500]"),
        ((inf, inf, inf), "inf [inf, inf]"),
        ((0.5, 0.25, inf), "0.500 [0.250, inf]"),
    ],
)
def test_shows_as_many_digits_as_the_interval_deserves(numbers, text):
    assert str(Estimate(*numbers, 0.95, "t", 10)) == f"{text} 95 % t, n=10"


def test_an_undefined_figure_says_so():
    estimate = Estimate(nan, 0.0, 1.0, 0.95, "Wilson", 0, note="0/0: no rows")
    assert str(estimate) == "undefined, n=0 (0/0: no rows)"
    assert not estimate.defined
    assert np.isnan(float(estimate))


def test_is_a_number_with_an_interval():
    estimate = Estimate(0.5, 0.4, 0.7, 0.9, "t", 12.34, 0.1, "so")
    assert float(estimate) == 0.5
    assert 0.4 in estimate
    assert 0.71 not in estimate
    assert estimate.width == pytest.approx(0.3)
    assert str(estimate) == "0.500 [0.400, 0.700] 90 % t, n=12.3 (so)"
    assert estimate.fields()["standard_error"] == 0.1
    assert Estimate(0.0, -inf, inf, 0.95, "t", 1).width == inf
