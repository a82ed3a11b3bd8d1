"""Draw docs/gallery.md (`make gallery`): every Display on the penguins, and the figures of the worked examples."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("agg")
from matplotlib import pyplot

import likely.examples as worked
from likely import GaussianBayes, NaiveBayes, TextBayes, compare, cross_validate, figures
from likely.data.bundled import penguins
from likely.evaluation import learning_curve

HERE = Path(__file__).parent
SHAPE = ["bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g"]
HEAD = """# Gallery

Every picture of `likely.figures`, drawn from the Palmer penguins that ship with the package, and the figures of the
worked examples (`likely examples ID --figure FILE`). Each Display has `from_estimator` or another maker, `plot(ax)` and
its numbers as `frame()`. This page is made by `make gallery`.
"""


def displays() -> dict[str, Callable[[Any], Any]]:
    """What draws each Display, by the words under it."""
    birds = penguins()
    X, y = birds.drop("species"), birds["species"]
    dark = (y == "Chinstrap").to_list()
    two = NaiveBayes().fit(X.select(SHAPE[1:3]), dark)
    judged = cross_validate(NaiveBayes(), X.select(SHAPE[:2]), y)
    models = {"naive": NaiveBayes(), "shared": GaussianBayes("shared"), "full": GaussianBayes("full")}
    costs = {True: {False: 5}, False: {True: 1}}
    pair = X.select(SHAPE[1:3]), dark
    return {
        "RocDisplay.from_estimator": lambda ax: figures.RocDisplay.from_estimator(two, *pair, ax=ax),
        "RocDisplay.from_cross_validation": lambda ax: figures.RocDisplay.from_cross_validation(judged, ax=ax),
        "PrecisionRecallDisplay": lambda ax: figures.PrecisionRecallDisplay.from_estimator(two, *pair, ax=ax),
        "CostCurveDisplay": lambda ax: figures.CostCurveDisplay.from_estimator(two, *pair, ax=ax),
        "ThresholdCurveDisplay": lambda ax: figures.ThresholdCurveDisplay.from_estimator(
            two, *pair, costs=costs, ax=ax
        ),
        "ReliabilityDisplay": lambda ax: figures.ReliabilityDisplay.from_cross_validation(judged, ax=ax),
        "ConfusionDisplay": lambda ax: figures.ConfusionDisplay.from_cross_validation(judged, ax=ax),
        "LearningCurveDisplay": lambda ax: figures.LearningCurveDisplay.from_curve(
            learning_curve(NaiveBayes(), X, y, repeats=10), ax=ax
        ),
        "ComparisonDisplay": lambda ax: figures.ComparisonDisplay.from_comparison(
            compare(models, X.select(SHAPE), y, repeats=3), ax=ax
        ),
        "ClassDensitiesDisplay": lambda ax: figures.ClassDensitiesDisplay.from_values(
            X["bill_length_mm"], y, name="bill length", unit="mm", ax=ax
        ),
        "LineDisplay": lambda ax: figures.LineDisplay.from_values(
            *birds.drop_nulls(SHAPE[2:]).select(SHAPE[2:]).to_numpy().T,
            prediction=True,
            residuals=False,
            labels=("flipper length (mm)", "body mass (g)"),
            ax=ax,
        ),
        "LikelihoodDisplay": lambda ax: figures.LikelihoodDisplay.from_data(
            (y == "Chinstrap").to_numpy().astype(int), "bernoulli", ax=ax
        ),
        "PriorEffectDisplay": lambda ax: figures.PriorEffectDisplay.from_sequence(dark[::5], [(1, 1), (10, 10)], ax=ax),
        "TellingTermsDisplay": lambda ax: figures.TellingTermsDisplay.from_estimator(
            TextBayes().fit(
                [f"{row['island']} {row['sex']} {row['year']}" for row in birds.iter_rows(named=True)], y.to_list()
            ),
            "Chinstrap",
            ax=ax,
        ),
        "EvidenceDisplay": lambda ax: figures.EvidenceDisplay.from_estimator(NaiveBayes().fit(X, y), X, row=0, ax=ax),
    }


def draw(name: str, paint: Callable[[Any], Any], width: float = 5.6, height: float = 4.2) -> str:
    """One picture as a file beside the page; what to write into the page."""
    figure, ax = pyplot.subplots(figsize=(width, height), layout="constrained")
    paint(ax)
    path = HERE / "gallery" / f"{name.lower().replace('.', '-')}.png"
    path.parent.mkdir(exist_ok=True)
    figure.savefig(path, dpi=80, metadata={"Software": None})
    pyplot.close(figure)
    return f"![{name}](gallery/{path.name})"


def main() -> None:
    """Write the page and all its pictures."""
    parts = [HEAD, "## Displays\n"]
    for name, paint in displays().items():
        wide = 9.0 if name.startswith("Comparison") else 5.6
        parts.append(f"### {name}\n\n{draw(name, paint, wide)}\n")
    parts.append("## Worked examples\n")
    for identifier in worked.registered():
        figure = worked.run(identifier).figure
        if figure is not None:
            example = worked.find(identifier)
            parts.append(f"### {identifier}: {example.title}\n\n{draw(identifier, figure)}\n")
    (HERE / "gallery.md").write_text("\n".join(parts), encoding="utf-8")


if __name__ == "__main__":
    main()
