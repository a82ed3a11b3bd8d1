"""Laws, beliefs and hypotheses drawn: what is drawn is right."""

import matplotlib

matplotlib.use("agg")

import numpy as np
import pytest
from matplotlib import pyplot
from scipy import stats

from likely.distributions import Gaussian, KernelDensityFamily
from likely.errors import InputError, InputTypeError
from likely.estimation import Beta
from likely.figures import BeliefsDisplay, GaussianPlaneDisplay, HypothesesDisplay, LawDisplay
from likely.figures.laws.on_a_line import LineLaw
from likely.probability import Binomial, Geometric, PowerCurve, Uniform, bayes, version_space


@pytest.fixture(autouse=True)
def close_figures():
    yield
    pyplot.close("all")


def normal(mean=0.0, deviation=1.0):
    return Gaussian(np.array([[mean]]), np.array([[deviation**2]]))


LAWS = [
    (Uniform(0, 30), stats.uniform(0, 30)),
    (Binomial(40, 0.3), stats.binom(40, 0.3)),
    (Geometric(0.4), stats.geom(0.4)),
    (PowerCurve(2.0), stats.norm(0, np.sqrt(0.5))),
    (Beta(3, 5), stats.beta(3, 5)),
    (normal(5, 2), stats.norm(5, 2)),
    (stats.gamma(2), stats.gamma(2)),
]


@pytest.mark.parametrize(("law", "peer"), LAWS, ids=lambda law: type(law).__name__)
def test_heights_areas_and_shares_are_those_of_scipy(law, peer):
    read = LineLaw.of(law)
    x = read.grid()
    np.testing.assert_allclose(read.density(x), peer.pmf(x) if read.discrete else peer.pdf(x), atol=1e-12)
    np.testing.assert_allclose(read.below(x), peer.cdf(x), atol=1e-12)
    low, high = peer.ppf([0.2, 0.7])
    assert read.mass(low, high) == pytest.approx(peer.cdf(high) - peer.cdf(low), abs=1e-12)
    assert read.mass(-np.inf, high) == pytest.approx(peer.cdf(high), abs=1e-12)
    assert read.central(0.9) == pytest.approx(peer.ppf([0.05, 0.95]), abs=1e-9)


def test_an_interval_is_shaded_under_the_density_and_read_off_the_distribution_function():
    display = LawDisplay.from_law(Uniform(0, 30), between=(15, 21), kind="both", name="minutes")
    density, cumulative = display.panels_
    (shade,) = [one for one in density.collections if one.get_gid() == "shade"]
    corners = shade.get_paths()[0].vertices
    assert corners.min(axis=0).tolist() == [15, 0] and corners.max(axis=0) == pytest.approx([21, 1 / 30])
    assert [text.get_text() for text in density.get_legend().get_texts()] == ["P(15 < X ≤ 21) = 0.2"]
    levels = [line.get_ydata()[1] for line in cumulative.lines if line.get_linestyle() == ":"]
    assert levels == pytest.approx([0.5, 0.7])
    assert density.get_xlabel() == "minutes" and cumulative.get_ylabel() == "P(X ≤ x)"


def test_the_central_share_of_the_normal():
    display = LawDisplay.from_law(normal(), central=0.95)
    ((low, high, mass),) = display.masses["gaussian"]
    assert (low, high) == pytest.approx((-1.959964, 1.959964), abs=1e-6) and mass == pytest.approx(0.95)


def test_nested_intervals_are_rings():
    display = LawDisplay.from_law(normal(), between=[(-2, 2), (-1, 1)])
    inner, ring = [one for one in display.ax_.collections if one.get_gid() == "shade"]
    assert np.abs(inner.get_paths()[0].vertices[:, 0]).max() == 1
    assert len(ring.get_paths()) == 2 and min(np.abs(path.vertices[:, 0]).min() for path in ring.get_paths()) == 1


def test_estimates_of_one_sample_over_it_beside_the_true_curve():
    values = np.random.default_rng(0).normal(size=60)
    families = ("histogram", KernelDensityFamily(bandwidth=0.3), "gaussian")
    display = LawDisplay.from_values(values, families, true=stats.norm())
    assert list(display.laws) == ["histogram", "kde", "gaussian"]
    lines = {line.get_label(): line for line in display.ax_.lines}
    x, height = lines["kde"].get_data()
    expected = stats.norm.pdf((x[:, None] - values) / 0.3).mean(axis=1) / 0.3
    np.testing.assert_allclose(height, expected, rtol=1e-6)
    np.testing.assert_allclose(lines["gaussian"].get_ydata(), stats.norm(values.mean(), values.std()).pdf(x), rtol=1e-9)
    np.testing.assert_allclose(lines["true law"].get_ydata(), stats.norm.pdf(lines["true law"].get_xdata()))
    assert sorted(lines["60 values"].get_xdata()) == sorted(values)
    steps = next(patch for patch in display.ax_.patches if patch.get_gid() == "law")
    assert (steps.get_data().values * np.diff(steps.get_data().edges)).sum() == pytest.approx(1)


def test_bars_of_counts_are_probabilities():
    display = LawDisplay.from_law(Binomial(8, 0.3), between=(1, 3))
    bars = [bar for bar in display.ax_.patches if bar.get_gid() == "law"]
    np.testing.assert_allclose([bar.get_height() for bar in bars], Binomial(8, 0.3).pmf(range(len(bars))))
    shaded = [bar.get_x() + bar.get_width() / 2 for bar in display.ax_.patches if bar.get_gid() == "shade"]
    assert shaded == pytest.approx([2, 3])


def test_what_is_no_law_is_refused():
    with pytest.raises(InputTypeError, match="pdf or pmf"):
        LawDisplay.from_law([0.5, 0.5])
    with pytest.raises(InputError, match="low < high"):
        LawDisplay.from_law(Uniform(0, 1), between=(0.5, 0.2))
    with pytest.raises(InputError, match="kind"):
        LawDisplay.from_law(Uniform(0, 1), kind="curve")
    with pytest.raises(InputError, match="central"):
        LawDisplay.from_law(Uniform(0, 1), central=95)
    with pytest.raises(InputError, match="two values"):
        LawDisplay.from_values([1.0, np.nan])


def test_beliefs_narrow_as_rows_arrive():
    bits = [1, 1, 0, 1, 1, 1, 1, 0, 1, 1]
    display = BeliefsDisplay.from_sequence(bits, sizes=[2, 5, 10])
    frame = display.frame()
    assert frame["a"].to_list() == [3, 5, 9] and frame["b"].to_list() == [1, 2, 3]
    np.testing.assert_allclose(frame["below"], stats.beta.cdf(0.5, [3, 5, 9], [1, 2, 3]))
    curves = [line for line in display.ax_.lines if line.get_gid() == "law"]
    for curve, a, b in zip(curves, [3, 5, 9], [1, 2, 3], strict=True):
        np.testing.assert_allclose(curve.get_ydata(), stats.beta.pdf(curve.get_xdata(), a, b), atol=1e-12)
    tails = [one.get_paths()[0].vertices[:, 0].max() for one in display.ax_.collections if one.get_gid() == "shade"]
    assert tails == [0.5, 0.5, 0.5]
    with pytest.raises(InputError, match="zeros and ones"):
        BeliefsDisplay.from_sequence([0.5, 1])
    with pytest.raises(InputError, match="sizes"):
        BeliefsDisplay.from_sequence(bits, sizes=[20])


def test_hypotheses_after_every_example():
    rules = {"even": lambda n: n % 2 == 0, "small": lambda n: n < 5, "all": lambda n: True}
    found = version_space(rules, [(2, True), (7, False), (4, True), (6, False)])
    display = HypothesesDisplay.from_posterior(found)
    assert len(display.panels_) == 5
    for panel, stage in zip(display.panels_, found.evolution, strict=True):
        assert [bar.get_width() for bar in panel.patches] == pytest.approx(list(stage.values()))
    assert [panel.get_title() for panel in display.panels_][:2] == ["after nothing", "after 2 is True"]
    pieces = HypothesesDisplay.from_posterior(bayes({"ill": 0.01, "well": 0.99}, {"ill": 0.9, "well": 0.1}))
    assert pieces.frame()["probability"].to_list()[0] == pytest.approx(0.01)
    with pytest.raises(InputTypeError):
        HypothesesDisplay.from_posterior({"a": 1.0})


@pytest.mark.parametrize("covariance", ["full", "diagonal", "spherical"])
def test_a_gaussian_of_rows_in_the_plane(covariance):
    rows = np.random.default_rng(1).normal(size=(300, 2)) @ [[2.0, 1.0], [0.0, 1.0]] + [3, -1]
    display = GaussianPlaneDisplay.from_values(rows, covariance)
    cov = np.cov(rows.T, ddof=0)
    expected = {"full": cov, "diagonal": np.diag(np.diag(cov)), "spherical": np.eye(2) * np.trace(cov) / 2}[covariance]
    np.testing.assert_allclose(display.covariance, expected, rtol=1e-9)
    first = next(line for line in display.ax_.lines if line.get_gid() == "ellipse").get_xydata() - rows.mean(axis=0)
    np.testing.assert_allclose(np.einsum("ni,ij,nj->n", first, np.linalg.inv(expected), first), 1)
    frame = display.frame()
    peer = stats.multivariate_normal(rows.mean(axis=0), expected).pdf(frame.select("x1", "x2").to_numpy())
    np.testing.assert_allclose(frame["density"], peer, rtol=1e-9)
    assert len(display.ax_.collections[-1].get_offsets()) == 300


def test_ellipses_share_axes_and_a_surface_has_three():
    first = GaussianPlaneDisplay.from_law([0, 0], [[1, 0.5], [0.5, 1]], style="ellipses", radii=(1,), box=True)
    GaussianPlaneDisplay.from_law([0, 0], [[4, 0], [0, 4]], style="ellipses", radii=(1,), ax=first.ax_)
    tones = {line.get_color() for line in first.ax_.lines if line.get_gid() == "ellipse"}
    assert len(tones) == 2 and first.ax_.get_xlim()[1] > 2
    surface = GaussianPlaneDisplay.from_law([0, 0], np.eye(2), style="surface")
    assert surface.ax_.name == "3d" and surface.ax_.get_zlabel() == "density"
    with pytest.raises(InputError, match="positive definite"):
        GaussianPlaneDisplay.from_law([0, 0], [[1, 2], [2, 1]])
    with pytest.raises(InputError, match="two columns"):
        GaussianPlaneDisplay.from_values(np.zeros((4, 3)))
