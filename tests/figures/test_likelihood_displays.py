"""The likelihood and the effect of priors, drawn: what is drawn is right."""

import matplotlib

matplotlib.use("agg")

import numpy as np
import pytest
from matplotlib import pyplot
from scipy import stats

from likely import figures
from likely.errors import InputError, InputTypeError
from likely.estimation import maximum_likelihood, prior_effect
from likely.figures import LikelihoodDisplay, PriorEffectDisplay
from readable import complaints

VALUES = np.random.default_rng(0).gamma(3.0, 2.0, 25)


@pytest.fixture(autouse=True)
def close_figures():
    yield
    pyplot.close("all")


def rendered(display):
    """Drawn readably: curves with the numbers of the frame, and a legend for them."""
    assert complaints(display.figure_) == []
    frame, drawn = display.frame(), curves(display.ax_)
    if isinstance(display, PriorEffectDisplay):
        for line, name in zip(drawn, frame.columns[2:], strict=True):
            np.testing.assert_allclose(line.get_xydata(), frame.select("rows", name).to_numpy())
            assert line.get_label().startswith(name)
    else:
        column = "log_likelihood" if display.scale == "log" else "likelihood"
        shown = frame.filter(frame[column].is_finite())
        np.testing.assert_allclose(drawn[-1].get_xydata(), shown.select(frame.columns[0], column).to_numpy())
    assert display.ax_.get_legend() is not None
    return True


def curves(ax):
    return [line for line in ax.lines if line.get_gid() == "curve"]


def test_displays_are_public():
    assert {"LikelihoodDisplay", "PriorEffectDisplay"} <= set(figures.__all__)


def test_the_curve_is_the_likelihood():
    display = LikelihoodDisplay.from_data([1, 0, 0, 1, 1], "bernoulli", scale="likelihood")
    assert rendered(display)
    p, height = curves(display.ax_)[0].get_xydata().T
    np.testing.assert_allclose(height, p**3 * (1 - p) ** 2, atol=1e-15)
    assert p[0] == 0 and p[-1] == 1 and p[height.argmax()] == display.estimate == pytest.approx(0.6)
    frame = display.frame()
    np.testing.assert_allclose(frame["likelihood"], height, atol=1e-15)
    np.testing.assert_allclose(frame["log_likelihood"].to_numpy()[1:-1], np.log(height[1:-1]), rtol=1e-12)
    label = display.ax_.get_legend_handles_labels()[1][0]
    assert "0.6" in label and "0.219" in label and "[0.199, 0.919]" in label
    assert display.ax_.get_xlabel() == "probability" and display.ax_.get_ylabel() == "likelihood"


@pytest.mark.parametrize("scale", ["relative", "likelihood", "log"])
@pytest.mark.parametrize("confidence", [0.5, 0.95])
def test_the_shaded_values_are_those_of_the_interval(scale, confidence):
    fit = maximum_likelihood(VALUES, "gaussian")
    display = LikelihoodDisplay.from_fit(fit, "variance", scale=scale, confidence=confidence)
    assert rendered(display)
    low, high = fit.interval(confidence)["variance"]
    shaded = display.ax_.collections[-1].get_paths()[0].vertices[:, 0]
    step = np.diff(display.grid).max()
    assert low <= shaded.min() <= low + step and high - step <= shaded.max() <= high
    cut = next(line.get_ydata()[0] for line in display.ax_.lines if line.get_linestyle() == ":")
    fall = stats.chi2.ppf(confidence, 1) / 2
    expected = {"log": fit.log_likelihood - fall, "relative": np.exp(-fall)}.get(
        scale, np.exp(fit.log_likelihood - fall)
    )
    assert cut == pytest.approx(expected)


def test_the_others_are_refitted_along_the_curve():
    display = LikelihoodDisplay.from_data(VALUES, "gaussian", "mean")
    n, variance = len(VALUES), VALUES.var()
    frame = display.frame()
    away = frame["mean"].to_numpy() - VALUES.mean()
    np.testing.assert_allclose(frame["likelihood"], (1 + away**2 / variance) ** (-n / 2), rtol=1e-9)
    assert frame["likelihood"].max() == pytest.approx(1)


def test_numbers_of_an_array_are_named_by_their_place():
    fit = maximum_likelihood(["a", "b", "a", "c", "a"], "categorical")
    display = LikelihoodDisplay.from_fit(fit, index=0)
    assert display.ax_.get_xlabel() == "probability of a" and display.estimate == pytest.approx(0.6)
    vectors = np.random.default_rng(1).normal(size=(30, 2))
    table = LikelihoodDisplay.from_data(vectors, "multivariate gaussian", "covariance", index=(1, 0))
    assert rendered(table) and table.ax_.get_xlabel() == "covariance[1, 0]"
    for wrong in ((), (5,), (0, 0)):
        with pytest.raises(InputError, match="shape"):
            LikelihoodDisplay.from_fit(fit, index=wrong)


@pytest.mark.parametrize("data", [(0, 10), (10, 10), (1, 10**6), (3, 7)])
def test_estimates_on_and_near_the_boundary_are_drawn(data):
    display = LikelihoodDisplay.from_data(data, "binomial")
    assert rendered(display)
    on = data[0] in (0, data[1])
    assert ("on the boundary" in display.ax_.get_legend_handles_labels()[1][0]) == on
    assert display.grid.min() >= 0 and display.grid.max() <= 1


def test_several_curves_on_the_same_axes():
    figure, (left, right) = pyplot.subplots(1, 2)
    for n in (10, 100):
        for scale, ax in (("relative", left), ("log", right)):
            LikelihoodDisplay.from_data((0.3 * n, n), "binomial", scale=scale, ax=ax, name=f"n={n}")
    for ax in (left, right):
        lines = curves(ax)
        assert len(lines) == 2 and lines[0].get_color() != lines[1].get_color()
        assert [label.split(":")[0] for label in ax.get_legend_handles_labels()[1]] == ["n=10", "n=100"]
    narrow, wide = (np.ptp(maximum_likelihood((0.3 * n, n), "binomial").interval()["probability"]) for n in (100, 10))
    assert narrow < wide
    assert pyplot.get_fignums() == [figure.number]


def test_bad_likelihood_displays_are_refused():
    fit = maximum_likelihood(VALUES, "gaussian")
    with pytest.raises(InputError, match="name one"):
        LikelihoodDisplay.from_fit(fit)
    with pytest.raises(InputError, match="unknown parameter"):
        LikelihoodDisplay.from_fit(fit, "sd")
    with pytest.raises(InputError, match="unknown scale"):
        LikelihoodDisplay.from_fit(fit, "mean", scale="linear")
    with pytest.raises(InputError, match="confidence"):
        LikelihoodDisplay.from_fit(fit, "mean", confidence=95)
    with pytest.raises(InputTypeError):
        LikelihoodDisplay.from_fit(VALUES)
    with pytest.raises(InputError, match="too small"):
        LikelihoodDisplay.from_data({1: 3000, 0: 3000}, "bernoulli", scale="likelihood")


# the effect of priors


def test_curves_of_priors():
    tails = np.array([4, 8, 20, 40, 100, 400])
    display = PriorEffectDisplay.from_counts(tails / 4, tails, [(1, 1), (5, 5), (10, 10)])
    assert rendered(display) and display.ax_.get_xscale() == "log"
    lines = curves(display.ax_)
    assert len(lines) == 3
    for line, a in zip(lines, (1, 5, 10), strict=True):
        np.testing.assert_allclose(line.get_ydata(), (a + tails / 4) / (2 * a + 1.25 * tails))
        assert f"Beta({a}, {a})" in line.get_label() and f"{2 * a} rows" in line.get_label()
    frame = display.frame()
    assert frame["share"].to_list() == [0.2] * 6
    np.testing.assert_allclose(frame["Beta(5, 5)"], lines[1].get_ydata())
    again = PriorEffectDisplay.from_effect(prior_effect(tails / 4, tails, [(1, 1), (5, 5), (10, 10)]))
    assert again.frame().equals(frame)


def test_data_as_they_arrive():
    bits = np.random.default_rng(0).random(60) < 0.3
    figure, ax = pyplot.subplots()
    display = PriorEffectDisplay.from_sequence(bits, [(1, 1), (10, 10)], ax=ax)
    assert rendered(display) and display.figure_ is figure and ax.get_xscale() == "linear"
    assert curves(ax)[1].get_ydata()[0] == 0.5
    share = next(line for line in ax.lines if line.get_label() == "share of successes")
    np.testing.assert_allclose(share.get_ydata(), np.cumsum(bits) / np.arange(1, 61))
    with pytest.raises(InputTypeError):
        PriorEffectDisplay.from_effect([0.5])
