"""Bands of very many steps: small on the page, and where they were."""

import io

import matplotlib

matplotlib.use("agg")

import numpy as np
import pytest
from matplotlib import pyplot

from likely.figures import CostCurveDisplay, PrecisionRecallDisplay, RocDisplay, ThresholdCurveDisplay
from likely.figures.drawing.bands import in_sight


@pytest.mark.parametrize("display", [RocDisplay, PrecisionRecallDisplay, CostCurveDisplay, ThresholdCurveDisplay])
def test_a_picture_does_not_grow_with_the_rows(display):
    rng = np.random.default_rng(0)
    p = rng.beta(1, 2, 100_000)
    drawn = display.from_predictions(rng.random(100_000) < p, p)
    page = io.BytesIO()
    drawn.figure_.savefig(page, format="svg")
    pyplot.close(drawn.figure_)
    assert len(page.getvalue()) < 1_000_000  # ten megabytes, were every step drawn


@pytest.mark.parametrize("step", ["pre", "post"])
def test_the_band_holds_every_step_and_moves_no_further_than_one_can_see(step):
    rng = np.random.default_rng(1)
    x = np.sort(rng.random(30_000))
    low = np.cumsum(rng.normal(size=30_000)) / 100
    high = low + rng.random(30_000)
    places, lowest, highest = in_sight(x, low, high, step, most=500)
    assert len(places) <= 501 and (np.diff(places) > 0).all()
    of = np.searchsorted(places, x, side="left" if step == "pre" else "right") - (step == "post")
    assert (lowest[of] <= low).all() and (highest[of] >= high).all()
    assert np.abs(places[of] - x).max() <= (x[-1] - x[0]) / 500
    few = in_sight(x[:9], low[:9], high[:9], step)
    assert all(np.array_equal(one, other) for one, other in zip(few, (x[:9], low[:9], high[:9]), strict=True))
