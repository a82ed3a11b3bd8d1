import json
from math import inf, nan

import numpy as np
import pytest

from likely.errors import InputError
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


E = Estimate(0.8, 0.7, 0.875, 0.95, "Wilson", 40, standard_error=0.05)


def test_a_format_is_that_of_value_and_ends():
    assert f"{E:.3f}" == "0.800 [0.700, 0.875]" and f"{E:.0%}" == "80% [70%, 88%]"
    assert f"{E}" == str(E) and f"{Estimate(nan, 0, 1, 0.95, 'Wilson', 0):.2f}" == "undefined"
    with pytest.raises(ValueError):
        f"{E:no}"


def test_the_order_is_that_of_the_values():
    other = Estimate(0.75, 0.1, 0.99, 0.95, "Wilson", 5)
    assert E > 0.75 and E < 0.9 and E >= 0.8 and E <= 0.8 and other < E and max(other, E) is E
    assert sorted([E, other]) == [other, E] and np.float64(0.9) > E
    with pytest.raises(TypeError):
        assert E < "much"


def test_what_is_undefined_equals_what_is_undefined():
    first, second = (Estimate(0.5, 0.4, 0.6, 0.95, "t", 10, standard_error=float("nan")) for _ in range(2))
    assert first == second and hash(first) == hash(second) and first == Estimate(0.5, 0.4, 0.6, 0.95, "t", 10)
    assert first != Estimate(0.5, 0.4, 0.6, 0.95, "t", 11) and first != 0.5


def test_plain_numbers_take_the_interval_along():
    error = 1 - E
    assert (error.value, error.low, error.high) == pytest.approx((0.2, 0.125, 0.3))
    assert error.standard_error == E.standard_error and error.method == E.method and error.n == E.n
    assert (
        (100 * E).high == 87.5
        and (E / 2).low == 0.35
        and (-E).low == -0.875
        and (E + 1 - 1).value == pytest.approx(0.8)
    )
    assert (E * np.float64(2)).standard_error == 0.1
    for wrong in (lambda: E + E, lambda: E * "2", lambda: E - None):
        with pytest.raises(TypeError):
            wrong()
    for wrong in (lambda: 0 * E, lambda: E + float("inf"), lambda: E / 0):
        with pytest.raises(InputError):
            wrong()


def test_json_has_no_number_that_json_has_not():
    one_sided = json.loads(Estimate(0.5, 0.25, inf, 0.95, "Hoeffding", np.int64(30)).to_json())
    assert one_sided == {
        "value": 0.5, "low": 0.25, "high": None, "confidence": 0.95, "method": "Hoeffding", "n": 30.0,
        "standard_error": None, "note": "",
    }  # fmt: skip
