"""Lines through points, drawn: what is drawn is what was fitted."""

import matplotlib

matplotlib.use("agg")

import numpy as np
import pytest
from matplotlib import pyplot

from likely import figures
from likely.errors import InputError, InputTypeError
from likely.estimation import fit_line
from likely.figures.linear.line import LineDisplay

X, Y = np.array([1.0, 2.0, 3.0, 4.0, 6.0]), np.array([2.0, 3.0, 5.0, 4.0, 6.5])


@pytest.fixture(autouse=True)
def close_figures():
    yield
    pyplot.close("all")


def labels(display):
    return display.ax_.get_legend_handles_labels()[1]


def drawn(display, gid):
    return [line for line in display.ax_.lines if line.get_gid() == gid]


def test_points_line_band_and_residuals_are_drawn():
    display = LineDisplay.from_values(X, Y, true=(1.0, 1.0), prediction=True, labels=("dose", "effect"))
    display.figure_.canvas.draw()
    line = fit_line(X, Y)
    (points,), (fitted,) = drawn(display, "points"), drawn(display, "fitted line")
    np.testing.assert_array_equal(points.get_xydata(), np.column_stack([X, Y]))
    np.testing.assert_allclose(fitted.get_ydata(), line.predict(fitted.get_xdata()))
    assert [text.split(",")[0] for text in labels(display)] == [
        "95 % of an observation",
        "95 % of the line",
        "true line",
        "fitted line",
    ]
    assert "true line, y = 1 + 1 x" in labels(display)
    assert (display.ax_.get_xlabel(), display.ax_.get_ylabel()) == ("dose", "effect")
    observation, band, strokes = display.ax_.collections
    for shade, ends in ((observation, line.prediction_band), (band, line.confidence_band)):
        corners = shade.get_paths()[0].vertices
        low, high = ends(fitted.get_xdata())
        assert corners[:, 1].min() == pytest.approx(low.min()) and corners[:, 1].max() == pytest.approx(high.max())
    ends = np.array([segment[:, 1] for segment in strokes.get_segments()])
    np.testing.assert_allclose(ends, np.column_stack([line.predict(X), Y]))


def test_parts_can_be_left_out():
    bare = LineDisplay.from_values(X, Y, band=False, residuals=False)
    assert not bare.ax_.collections
    assert labels(bare) == ["fitted line, y = 1.42 + 0.838 x"]


def test_the_numbers_drawn():
    frame = LineDisplay.from_values(X, Y, names=list("abcde")).frame()
    assert frame.columns == ["name", "x", "y", "fitted", "residual"]
    np.testing.assert_allclose(frame["fitted"] + frame["residual"], Y)
    np.testing.assert_allclose(frame["residual"], fit_line(X, Y).residuals(X, Y))


def test_weights_move_the_line():
    weight = [1, 1, 1, 1, 50]
    display = LineDisplay.from_values(X, Y, sample_weight=weight)
    assert display.line == fit_line(X, Y, weight) != fit_line(X, Y)


def test_names_are_written_and_do_not_cover_each_other():
    x, y = np.array([1.0, 1.02, 5.0, 5.02]), np.array([1.0, 1.02, 3.0, 2.98])
    display = LineDisplay.from_values(x, y, names=["a long name", "another one", "a third", "a fourth"])
    display.figure_.canvas.draw()
    boxes = [text.get_window_extent() for text in display.ax_.texts]
    assert [text.get_text() for text in display.ax_.texts] == ["a long name", "another one", "a third", "a fourth"]
    assert not any(one.overlaps(other) for i, one in enumerate(boxes) for other in boxes[:i])


def test_names_of_points_close_together_do_not_cover_each_other():
    x = [13.64, 13.89, 13.53, 13.21, 13.27, 12.79, 13.3, 13.15]  # sodium and magnesium of the first panes of glass
    y = [4.49, 3.6, 3.55, 3.69, 3.62, 3.61, 3.6, 3.61]
    display = LineDisplay.from_values(x, y, names=[f"sample {i}" for i in range(8)], query=(13.5, 3.0))
    display.figure_.canvas.draw()
    boxes = [text.get_window_extent() for text in display.ax_.texts]
    assert len(boxes) == 8
    assert not any(one.overlaps(other) for i, one in enumerate(boxes) for other in boxes[:i])


def test_a_query_is_answered_on_the_line():
    display = LineDisplay.from_values(X, Y, query=9.0)
    line = fit_line(X, Y)
    (low,), (high,) = line.prediction_band([9.0])
    assert labels(display)[-1] == f"at 9: {line.predict(9.0):.3g} [{low:.3g}, {high:.3g}]"
    (fitted,) = drawn(display, "fitted line")
    assert fitted.get_xdata().max() > 9


def test_two_points_have_no_band():
    display = LineDisplay.from_values([1.0, 2.0], [1.0, 3.0], query=3.0, prediction=True)
    display.figure_.canvas.draw()
    assert labels(display) == ["fitted line, y = -1 + 2 x", "at 3: 5"]


def test_lines_on_the_same_axes_differ_in_colour():
    first = LineDisplay.from_values(X, Y)
    second = LineDisplay.from_line(fit_line(X, -Y), X, -Y, ax=first.ax_)
    assert second.ax_ is first.ax_
    one, other = drawn(first, "fitted line")
    assert one.get_color() != other.get_color()
    assert "− 0.838 x" in labels(second)[-1]


def test_offsets_do_no_harm():
    display = LineDisplay.from_values(X + 1e8, Y + 1e8, true=(1.0, 1.0))
    (fitted,) = drawn(display, "fitted line")
    near = LineDisplay.from_values(X, Y)
    np.testing.assert_allclose(fitted.get_ydata() - 1e8, drawn(near, "fitted line")[0].get_ydata(), atol=1e-6)


def test_mistakes():
    with pytest.raises(InputTypeError, match="what fit_line returns"):
        LineDisplay.from_line((1.0, 2.0), X, Y)
    with pytest.raises(InputError, match="as many names"):
        LineDisplay.from_values(X, Y, names=["a"])
    with pytest.raises(InputError, match="at most 40"):
        LineDisplay.from_values(np.arange(50.0), np.arange(50.0), names=range(50))
    with pytest.raises(InputError, match="equal length"):
        LineDisplay.from_line(fit_line(X, Y), X, Y[:-1])
    with pytest.raises(InputError, match="x is constant"):
        LineDisplay.from_values([1.0, 1.0], [1.0, 2.0])


def test_it_is_public():
    assert figures.LineDisplay is LineDisplay


def test_names_keep_off_the_line_and_the_residuals():
    films = ["Australia", "Body of Lies", "Burn After Reading", "Hancock", "Milk", "Revolutionary Road"]
    display = LineDisplay.from_values([3, 7, 4, 9, 9, 7], [5, 8, 8, 8, 10, 9], names=films)
    grid = np.linspace(2.7, 9.3, 500)
    way = display.ax_.transData.transform(np.column_stack([grid, display.line.predict(grid)]))
    for text in display.ax_.texts:
        assert not text.get_window_extent().count_contains(way)
    pyplot.close(display.figure_)
