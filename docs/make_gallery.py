"""Draw docs/gallery.md (`make gallery`): every Display on the penguins, and the figures of the worked examples."""

import sys
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("agg")
import numpy as np
import polars as pl
from matplotlib import pyplot
from matplotlib.figure import Figure

import likely.examples as worked
from likely import (
    PCA,
    BoostedTrees,
    Calibrated,
    DecisionForest,
    DecisionTree,
    DependenceBayes,
    FisherDiscriminant,
    GaussianBayes,
    Hierarchy,
    KernelPerceptron,
    KMeans,
    LeastSquaresClassifier,
    LogisticRegression,
    NaiveBayes,
    NeuralNetwork,
    Perceptron,
    Pool,
    ProportionalOdds,
    Recommender,
    TextBayes,
    compare,
    cross_validate,
    figures,
)
from likely.data.bundled import penguins
from likely.distributions import Gaussian
from likely.evaluation import learning_curve
from likely.probability import Binomial, Uniform, version_space

sys.path.insert(0, str(Path(__file__).parent))
from gallery_code import code_of_displays, code_of_example, fenced, preamble

HERE = Path(__file__).parent
SHAPE = ["bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g"]
HEAD = """# Gallery

Every picture of `likely.figures`, drawn from the Palmer penguins that ship with the package, and the figures of the
worked examples (`likely examples ID --figure FILE`). Each Display has `from_estimator` or another maker, `plot(ax)` and
its numbers as `frame()`. This page is made by `make gallery`.
"""
FIGURES = (  # what a picture shows, and what draws it from your own data
    ("Named points on two features, a query, the best-fit line", "LineDisplay.from_values(x, y, names=, query=)"),
    ("Rows on the first two principal components", "ComponentsDisplay.from_estimator(pca, X, y, names=, loadings=)"),
    (
        "Clusters, centres and strokes to them, before and after each pass",
        "ClustersDisplay.from_estimator(kmeans, X, stages=True)",
    ),
    ("Circles of Minkowski distances", "MetricCirclesDisplay.from_orders(orders)"),
    ("Points with their mean, medians and medoids", "MiddlesDisplay.from_points(X)"),
    (
        "Voronoi cells, the boundary of the nearest neighbour, queries; regions of k neighbours",
        "VoronoiDisplay.from_points(X, y, queries=), DecisionRegionsDisplay.from_estimator(model, X, y)",
    ),
    (
        "Gaussian classes and their boundaries, on a line and in the plane",
        "ClassBoundariesDisplay.from_values(values, y), DecisionRegionsDisplay.from_estimator(model, X, y)",
    ),
    ("Beta posteriors as data arrive", "BeliefsDisplay.from_sequence(bits, sizes=, below=)"),
    ("Effect of priors", "PriorEffectDisplay.from_sequence(bits, priors)"),
    (
        "Histogram, kernel and normal density of one sample, with the true curve",
        "LawDisplay.from_values(values, families, true=)",
    ),
    (
        "Training scatter, fitted contours, test rows by true and said class, regions",
        "DecisionRegionsDisplay.from_estimator(model, X, y, radii=)",
    ),
    (
        "Gaussian curves, surfaces and contours, a fit over data",
        "LawDisplay.from_laws(laws), GaussianPlaneDisplay.from_values(X, covariance, style=)",
    ),
    (
        "Linear classifiers compared: boundaries, losses against the margin, learning rates",
        "DecisionRegionsDisplay.from_estimator(m, X, y), MarginLossDisplay.from_estimator(m, X, y), PassesDisplay",
    ),
    ("Rows on the line of means and on Fisher's direction", "ProjectionDisplay.from_estimator(model, X, y)"),
    (
        "A network drawn, with values and error signals",
        "NetworkDisplay.from_estimator(model), .from_matrices(matrices, values=, signals=)",
    ),
    ("Posterior over hypotheses", "HypothesesDisplay.from_examples(hypotheses, examples)"),
    (
        "Tree drawing beside the axis-aligned regions of its leaves",
        "TreeDisplay.from_estimator(model), TreePartitionDisplay.from_estimator(model, X, y)",
    ),
    ("Error areas of a movable boundary", "ClassBoundariesDisplay.from_values(values, y, boundary=, errors=True)"),
    ("Calibration curves over a sample", "CalibrationMapsDisplay.from_predictions(y, score)"),
    ("ROC curves, isometrics, best points", "RocDisplay.from_estimator(model, X, y, isometrics=True)"),
    ("Learning curve", "LearningCurveDisplay.from_estimator(model, X, y)"),
    ("EM convergence, several stationary points", "MixtureDisplay.from_values(X, n_components)"),
    (
        "Counts and shares per class with a decision line",
        "ClassHistogramDisplay.from_estimator(model, X, y), .from_values(values, y, lines=)",
    ),
    ("Distribution function and density, a shaded probability", 'LawDisplay.from_law(law, between=, kind="both")'),
    (
        "Likelihood curve; binomial bars",
        "LikelihoodDisplay.from_data(values, law), LawDisplay.from_law(Binomial(n, p))",
    ),
    ("Lines of equal posterior", "DecisionRegionsDisplay.from_estimator(model, X, y, lines=True)"),
    (
        "Several classes with ambiguous regions; updates in weight space",
        "DecisionRegionsDisplay.from_estimator(HardAnswers(m), X, y), WeightSpaceDisplay.from_estimator(m, X, y)",
    ),
    (
        "The triangle inequality; regions of exemplars under a metric",
        "MetricCirclesDisplay.from_points(points, centre), DecisionRegionsDisplay.from_estimator(model, X, y)",
    ),
    (
        "Error against passes, for several learning rates",
        "DescentDisplay.from_rates(model, X, y, rates), PassesDisplay.from_estimators(models)",
    ),
    ("A bit or grey grid as an image", "GridDisplay.from_grids(grids), .from_vectors(X, shape)"),
    ("Decision point or region as the prior varies", "PriorRegionsDisplay.from_estimator(model)"),
    ("Noisy line: points, true and fitted line, residuals", "LineDisplay.from_values(x, y, true=)"),
    ("Central area of the normal", "LawDisplay.from_law(law, central=)"),
    ("Decision surface of gates", "DecisionRegionsDisplay.from_estimator(model, corners, truth)"),
)


class Birds:
    """The penguins and what is learned from them, when a picture asks for it."""

    def __init__(self) -> None:
        self.all = penguins()
        self.X, self.y = self.all.drop("species"), self.all["species"]
        self.whole = self.all.drop_nulls(SHAPE)
        self.kinds = self.whole["species"]
        self.dark = (self.y == "Chinstrap").to_list()
        self.pair = self.X.select(SHAPE[1:3]), self.dark
        self.bills, self.depths = self.whole.select(SHAPE[:2]), self.whole.select(SHAPE[1])
        self.depth, self.slight = self.depths.to_numpy()[:, 0], (self.kinds == "Gentoo").to_numpy()
        self.named = np.where(self.slight, "Gentoo", "other")
        self.weights = ["light", "middle", "heavy"]  # below 3.7 kg, and from 4.5 kg
        self.heavy = np.array(self.weights)[np.digitize(self.whole["body_mass_g"].to_numpy(), [3700, 4500])]
        order = np.random.default_rng(0).permutation(len(self.whole))[:60]
        self.arriving = self.slight[order].astype(int)  # as if they had come in this order

    @cached_property
    def two(self) -> Any:
        return NaiveBayes().fit(*self.pair)

    @cached_property
    def tree(self) -> Any:
        return DecisionTree(mdl_pruning=True).fit(self.X, self.y)

    @cached_property
    def judged(self) -> Any:
        return cross_validate(NaiveBayes(), self.X.select(SHAPE[:2]), self.y)

    @cached_property
    def networks(self) -> Any:
        rates = {"rate 0.05": 0.05, "rate 0.5": 0.5, "rate 2": 2.0}
        plain = {"hidden": (8,), "optimizer": "gradient", "epochs": 60, "random_state": 0}
        made = {name: NeuralNetwork(learning_rate=rate, **plain) for name, rate in rates.items()}
        return {name: model.fit(self.bills, self.kinds) for name, model in made.items()}

    @cached_property
    def perceptron(self) -> Any:
        return Perceptron(random_state=0, max_iter=2).fit(self.bills, self.named)

    @cached_property
    def small_network(self) -> Any:
        return NeuralNetwork((4,), "tanh", random_state=0).fit(self.bills, self.kinds)

    @property
    def critics(self) -> dict[str, dict[str, float]]:
        """Six critics who rated six films, of a worked example."""
        seen = worked.find("EX-REC-01").inputs
        given = zip(seen["critics"], seen["ratings"], strict=True)
        return {name: dict(zip(seen["films"], row, strict=True)) for name, row in given}

    @property
    def texts(self) -> list[str]:
        return [f"{row['island']} {row['sex']} {row['year']}" for row in self.all.iter_rows(named=True)]


def displays() -> dict[str, Callable[[], Any]]:
    """What draws each Display at its own size, by the words over it."""
    b = Birds()
    models = {"naive": NaiveBayes(), "shared": GaussianBayes("shared"), "full": GaussianBayes("full")}
    costs = {True: {False: 5}, False: {True: 1}}
    standard = Gaussian(np.zeros((1, 1)), np.ones((1, 1)))
    seen, digits = (worked.find(identifier).inputs for identifier in ("EX-PRB-10", "EX-DAT-01"))
    f = figures
    return {
        "RocDisplay.from_estimator": lambda: f.RocDisplay.from_estimator(b.two, *b.pair),
        "RocDisplay with two models": lambda: _two_rocs(b.two, GaussianBayes().fit(*b.pair), b.pair),
        "RocDisplay.from_cross_validation": lambda: f.RocDisplay.from_cross_validation(b.judged),
        "PrecisionRecallDisplay": lambda: f.PrecisionRecallDisplay.from_estimator(b.two, *b.pair),
        "CostCurveDisplay": lambda: f.CostCurveDisplay.from_estimator(b.two, *b.pair),
        "ThresholdCurveDisplay": lambda: f.ThresholdCurveDisplay.from_estimator(b.two, *b.pair, costs=costs),
        "ReliabilityDisplay": lambda: f.ReliabilityDisplay.from_cross_validation(b.judged),
        "CalibrationMapsDisplay": lambda: f.CalibrationMapsDisplay.from_predictions(
            b.named, -b.depth, pos_label="Gentoo"
        ),
        "CalibrationMapsDisplay.from_estimator": lambda: f.CalibrationMapsDisplay.from_estimator(
            Calibrated(NaiveBayes(), "isotonic").fit(b.bills, b.named), b.bills, b.named
        ),
        "ConfusionDisplay": lambda: f.ConfusionDisplay.from_cross_validation(b.judged),
        "LearningCurveDisplay": lambda: f.LearningCurveDisplay.from_curve(
            learning_curve(NaiveBayes(), b.X, b.y, repeats=10), name="naive Bayes of all features"
        ),
        "ComparisonDisplay": lambda: f.ComparisonDisplay.from_comparison(
            compare(models, b.X.select(SHAPE), b.y, repeats=3)
        ),
        "ClassDensitiesDisplay": lambda: f.ClassDensitiesDisplay.from_values(
            b.X["bill_length_mm"], b.y, name="bill length", unit="mm"
        ),
        "ClassHistogramDisplay": lambda: f.ClassHistogramDisplay.from_estimator(
            GaussianBayes().fit(b.depths, b.named), b.depths, b.named, name="bill depth", unit="mm"
        ),
        "ClassBoundariesDisplay": lambda: f.ClassBoundariesDisplay.from_values(
            b.whole["bill_length_mm"], b.kinds, name="bill length (mm)"
        ),
        "ClassBoundariesDisplay with a boundary of your own": lambda: f.ClassBoundariesDisplay.from_values(
            b.depth, b.named, family="kde", boundary=17.5, errors=True, name="bill depth (mm)"
        ),
        "DecisionRegionsDisplay": lambda: f.DecisionRegionsDisplay.from_estimator(
            GaussianBayes("full").fit(b.bills, b.kinds), b.bills, b.kinds
        ),
        "DecisionRegionsDisplay with lines of equal posterior": lambda: f.DecisionRegionsDisplay.from_estimator(
            GaussianBayes("shared").fit(b.bills, b.named), b.bills, b.named, lines=True
        ),
        "PriorRegionsDisplay": lambda: f.PriorRegionsDisplay.from_estimator(
            GaussianBayes().fit(b.depths, b.named), pos_label="Gentoo", priors=[0.1, 0.5, 0.9]
        ),
        "PriorRegionsDisplay in the plane": lambda: f.PriorRegionsDisplay.from_estimator(
            GaussianBayes("full").fit(b.bills, b.named), pos_label="Gentoo"
        ),
        "DecisionRegionsDisplay of a kernel perceptron": lambda: f.DecisionRegionsDisplay.from_estimator(
            KernelPerceptron(random_state=0).fit(b.bills, b.kinds), b.bills, b.kinds
        ),
        "DecisionRegionsDisplay of a network": lambda: f.DecisionRegionsDisplay.from_estimator(
            b.small_network, b.bills, b.kinds
        ),
        "DecisionRegionsDisplay of ordered classes": lambda: f.DecisionRegionsDisplay.from_estimator(
            ProportionalOdds(b.weights).fit(b.bills, b.heavy), b.bills, b.heavy
        ),
        "PassesDisplay": lambda: f.PassesDisplay.from_estimators(b.networks),
        "PassesDisplay of boosted trees": lambda: f.PassesDisplay.from_estimators(
            BoostedTrees(random_state=0).fit(b.X, b.y)
        ),
        "WeightSpaceDisplay": lambda: f.WeightSpaceDisplay.from_estimator(b.perceptron, b.bills, b.named),
        "NetworkDisplay": lambda: f.NetworkDisplay.from_estimator(b.small_network),
        "LineDisplay": lambda: f.LineDisplay.from_values(
            *b.all.drop_nulls(SHAPE[2:]).select(SHAPE[2:]).to_numpy().T,
            prediction=True,
            residuals=False,
            labels=("flipper length (mm)", "body mass (g)"),
        ),
        "LineDisplay with names and a query": lambda: _named_line(b.whole),
        "GridDisplay": lambda: f.GridDisplay.from_grids(
            [digits["grid_a"], digits["grid_b"]], names=("first digit", "second digit"), difference=True
        ),
        "LawDisplay": lambda: f.LawDisplay.from_law(Uniform(0, 30), between=(15, 21), kind="both", name="minutes"),
        "LawDisplay.from_values": lambda: f.LawDisplay.from_values(
            b.whole["bill_length_mm"].filter(b.kinds == "Adelie"), name="bill length of Adelie penguins (mm)"
        ),
        "LawDisplay of counts": lambda: f.LawDisplay.from_law(Binomial(40, 0.3), between=(-1, 8), name="errors of 40"),
        "LawDisplay of a central share": lambda: f.LawDisplay.from_law(standard, central=0.95),
        "GaussianPlaneDisplay": lambda: f.GaussianPlaneDisplay.from_values(
            b.bills.filter(b.kinds == "Gentoo"), labels=("bill length (mm)", "bill depth (mm)")
        ),
        "GaussianPlaneDisplay as a surface": lambda: f.GaussianPlaneDisplay.from_law(
            [0, 0], [[2.0, 1.0], [1.0, 1.0]], style="surface"
        ),
        "MixtureDisplay": lambda: f.MixtureDisplay.from_values(b.bills, 3),
        "LikelihoodDisplay": lambda: f.LikelihoodDisplay.from_data(np.array(b.dark).astype(int), "bernoulli"),
        "PriorEffectDisplay": lambda: f.PriorEffectDisplay.from_sequence(b.arriving, [(1, 1), (10, 10)]),
        "BeliefsDisplay": lambda: f.BeliefsDisplay.from_sequence(b.arriving, name="share of Gentoo"),
        "MetricCirclesDisplay": lambda: f.MetricCirclesDisplay.from_orders(),
        "MiddlesDisplay": lambda: f.MiddlesDisplay.from_points(b.X.drop_nulls().select(SHAPE[:2]).head(40)),
        "VoronoiDisplay": lambda: f.VoronoiDisplay.from_points(
            b.whole.select(SHAPE[:2])[::6], b.whole["species"][::6], queries=[[45.0, 18.0]], n_neighbors=3
        ),
        "HypothesesDisplay": lambda: f.HypothesesDisplay.from_posterior(
            version_space(seen["hypotheses"], seen["data"], seen["domain"])
        ),
        "DescentDisplay": lambda: f.DescentDisplay.from_rates(
            LogisticRegression(solver="gradient", max_iter=40), b.bills, b.named, [0.0002, 0.002, 0.02]
        ),
        "MarginLossDisplay": lambda: f.MarginLossDisplay.from_estimator(
            LeastSquaresClassifier().fit(b.bills, b.named), b.bills, b.named
        ),
        "ProjectionDisplay": lambda: f.ProjectionDisplay.from_estimator(
            FisherDiscriminant().fit(b.bills, b.kinds), b.bills, b.kinds
        ),
        "TellingTermsDisplay": lambda: f.TellingTermsDisplay.from_estimator(
            TextBayes().fit(b.texts, b.y.to_list()), "Chinstrap"
        ),
        "TreeDisplay": lambda: f.TreeDisplay.from_estimator(b.tree),
        "TreePartitionDisplay": lambda: f.TreePartitionDisplay.from_estimator(
            DecisionTree(mdl_pruning=True).fit(b.bills, b.kinds), b.bills, b.kinds
        ),
        "ImportanceDisplay": lambda: f.ImportanceDisplay.from_estimator(
            DecisionForest(50, random_state=0).fit(b.X[::2], b.y[::2]), b.X[1::2], b.y[1::2]
        ),
        "ThresholdGainsDisplay": lambda: f.ThresholdGainsDisplay.from_values(
            b.whole["flipper_length_mm"], b.kinds, name="flipper length (mm)"
        ),
        "ClustersDisplay": lambda: f.ClustersDisplay.from_estimator(
            KMeans(3, standardize=True, random_state=0).fit(b.whole.select(SHAPE)), b.whole.select(SHAPE)
        ),
        "ClustersDisplay of the first passes": lambda: f.ClustersDisplay.from_estimator(
            KMeans(3, init="extremes").fit(b.bills), b.bills, stages=range(3), lines=False
        ),
        "DendrogramDisplay": lambda: f.DendrogramDisplay.from_estimator(
            Hierarchy("average", n_clusters=3, standardize=True).fit(b.whole.select(SHAPE)[::12]),
            names=[kind[:3] for kind in b.kinds[::12]],
        ),
        "DendrogramDisplay of many rows": lambda: f.DendrogramDisplay.from_estimator(
            Hierarchy("ward", n_clusters=3, standardize=True).fit(b.whole.select(SHAPE))
        ),
        "ClusterNumbersDisplay": lambda: f.ClusterNumbersDisplay.from_values(
            b.whole.select(SHAPE), 6, standardize=True, resamples=10, null=19
        ),
        "ComponentsDisplay": lambda: f.ComponentsDisplay.from_estimator(
            PCA(2, standardize=True).fit(b.whole.select(SHAPE)), b.whole.select(SHAPE), b.kinds.to_numpy()
        ),
        "ComponentsDisplay with loadings": lambda: f.ComponentsDisplay.from_estimator(
            PCA(2, standardize=True).fit(b.whole.select(SHAPE)), b.whole.select(SHAPE), loadings=True
        ),
        "DependenceTreeDisplay": lambda: f.DependenceTreeDisplay.from_estimator(
            DependenceBayes(structure="tree").fit(b.X, b.y)
        ),
        "PoolWeightsDisplay": lambda: f.PoolWeightsDisplay.from_estimator(
            Pool([NaiveBayes(), DependenceBayes(calibrate=False)]).fit(b.X, b.y)
        ),
        "ExponentsDisplay": lambda: f.ExponentsDisplay.from_estimator(NaiveBayes(weighting="exponents").fit(b.X, b.y)),
        "RecommendationsDisplay": lambda: f.RecommendationsDisplay.from_estimator(
            Recommender(similarity="euclidean", normalize="none", k=None, shrinkage=0).fit(b.critics),
            ratings={"Hancock": 2, "Revolutionary Road": 7},
        ),
        "EvidenceDisplay": lambda: f.EvidenceDisplay.from_estimator(NaiveBayes().fit(b.X, b.y), b.X, row=0),
    }


def _two_rocs(one: Any, other: Any, pair: Any) -> Any:
    first = figures.RocDisplay.from_estimator(one, *pair, name="naive Bayes, two features")
    return figures.RocDisplay.from_estimator(other, *pair, name="full covariance", ax=first.ax_)


def _named_line(birds: Any) -> Any:
    means = birds.group_by("species", "island", maintain_order=True).agg(pl.col(SHAPE).mean())
    names = [f"{kind}, {where}" for kind, where in means.select("species", "island").rows()]
    labels = ("mean flipper length (mm)", "mean body mass (g)")
    values = means["flipper_length_mm"].to_numpy(), means["body_mass_g"].to_numpy()
    return figures.LineDisplay.from_values(*values, names=names, query=(205.0, 4000.0), labels=labels, band=False)


def example_figure(identifier: str) -> Figure | None:
    """The figure of a worked example at its own size; None if it has none."""
    result = worked.run(identifier)
    if result.figure is None:
        return None
    figure = Figure(figsize=result.size, layout="constrained")
    result.figure(figure.subplots())
    return figure


def save(name: str, figure: Any) -> str:
    """One picture as a file beside the page; what to write into the page."""
    slug = name.lower().replace(".", "-").replace(" ", "-")
    path = HERE / "gallery" / f"{slug}.png"
    path.parent.mkdir(exist_ok=True)
    figure.savefig(path, dpi=80, metadata={"Software": None})
    pyplot.close(figure)
    return f"![{name}](gallery/{path.name})"


def main() -> None:
    """Write the page and all its pictures."""
    rows = [f"| {shows} | `{how}` |" for shows, how in FIGURES]
    parts = [HEAD, "## From your own data\n", "| Shows | Drawn by |\n| --- | --- |", *rows, ""]
    shared = preamble(sys.modules[__name__], (Birds, _two_rocs, _named_line), displays)
    parts += ["## Displays\n", "The code below each picture comes after this:\n", fenced(shared), ""]
    codes = code_of_displays(displays)
    for name, paint in displays().items():
        parts.append(f"### {name}\n\n{save(name, paint().figure_)}\n\n{fenced(codes[name])}\n")
    parts.append("## Worked examples\n")
    for identifier in worked.registered():
        figure = example_figure(identifier)
        if figure is not None:
            title = f"### {identifier}: {worked.find(identifier).title}"
            parts.append(f"{title}\n\n{save(identifier, figure)}\n\n{fenced(code_of_example(identifier))}\n")
    (HERE / "gallery.md").write_text("\n".join(parts), encoding="utf-8")


if __name__ == "__main__":
    main()
