"""The worked examples of group EST that the families cover: densities estimated from a sample."""

import numpy as np
from catalogue import check, covers

from likely.distributions import GaussianFamily, HistogramFamily, KernelDensityFamily, fit


@covers("EX-EST-20")
def test_three_density_estimates(ex):
    x = np.array(ex.inputs["points"])[:, None]
    grid = np.array(ex.inputs["grid"])[:, None]
    edges = np.linspace(ex.inputs["low"], ex.inputs["high"], ex.inputs["bins"] + 1)
    histogram = fit(HistogramFamily(bins=tuple(edges), alpha=0), x)
    density = np.exp(histogram.log_density(grid))[:, 0]
    check(ex.id, "histogram_density", density)
    middles = (edges[:-1] + edges[1:])[:, None] / 2
    heights = np.exp(histogram.log_density(middles))[:, 0]
    check(ex.id, "bin_counts", np.rint(heights * np.diff(edges) * len(x)).astype(int))
    check(ex.id, "histogram_area", float(heights @ np.diff(edges)))
    kernel = fit(KernelDensityFamily(bandwidth=ex.inputs["bandwidth"]), x)
    check(ex.id, "kernel_density", np.exp(kernel.log_density(grid))[:, 0])
    check(ex.id, "normal_fit", np.exp(fit(GaussianFamily(ddof=1), x).log_density(grid))[:, 0])
