import pytest
from scipy import stats

from likely.errors import InputError
from likely.evaluation import normal_quantile, t_quantile


@pytest.mark.parametrize("confidence", [0.5, 0.8, 0.95, 0.999, 1 - 1e-12])
def test_agree_with_scipy(confidence):
    assert normal_quantile(confidence) == pytest.approx(stats.norm.isf((1 - confidence) / 2), rel=1e-12)
    assert normal_quantile(confidence, "upper") == pytest.approx(stats.norm.isf(1 - confidence), rel=1e-12, abs=1e-12)
    for degrees in (1, 2.5, 30, 1e6):
        assert t_quantile(confidence, degrees) == pytest.approx(stats.t.isf((1 - confidence) / 2, degrees), rel=1e-8)
        lower = t_quantile(confidence, degrees, "lower")
        assert lower == pytest.approx(stats.t.isf(1 - confidence, degrees), rel=1e-8, abs=1e-12)


def test_a_table_of_ones_own():
    assert normal_quantile(0.8, table=[(0.05, 2.0), (0.15, 1.0)]) == pytest.approx(1.5)


def test_what_is_refused():
    with pytest.raises(InputError, match=r"between 0 and 1, got 95; did you mean 0\.95\?"):
        normal_quantile(95)
    with pytest.raises(InputError, match=r"no row for 0\.25.*table='exact'"):
        normal_quantile(0.5, table="printed")
    with pytest.raises(InputError, match="unknown table 'normal'"):
        normal_quantile(0.95, table="normal")
    with pytest.raises(InputError, match="unknown side 'both'"):
        normal_quantile(0.95, side="both")
    with pytest.raises(InputError, match="degrees of freedom"):
        t_quantile(0.95, 0)
    with pytest.raises(InputError, match="pairs"):
        normal_quantile(0.95, table=[(1, 2, 3)])
