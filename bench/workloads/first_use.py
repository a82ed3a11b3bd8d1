"""A small table, and what the first use in a new environment costs on it."""

from collections.abc import Sequence
from typing import Any

import numpy as np

import likely
from bench.first_use import first_use
from bench.peers import ImputedNaiveBayes
from bench.quality import Quality
from bench.registry import Case, Fact, Step, workload
from likely.data.bundled import penguins

_TARGETS = {  # CPU seconds that an empty kernel cache may cost
    "penguins": ("NaiveBayes().fit and predict_proba in a new process", 2.0),
    "study": ("likely study penguins --target species", 10.0),
}


@workload(
    "first-use",
    "A small table, and the first use",
    "The 344 penguins, 5 numbers and 2 texts, in Polars: NaiveBayes()",
    "SimpleImputer, OrdinalEncoder, GaussianNB and CategoricalNB in pandas",
    remark="Every other penguin is of the other sex, hence the log-loss. The first kernel's seconds hold the start of "
    "the compiler, about 0.5 s, which a full cache does not spare. A busy machine stretches them all, by up to half.",
)
def small_table(quick: bool) -> Case:
    table = penguins()
    x, y = table.drop("species"), table["species"].to_numpy()
    theirs = x.to_pandas()
    numbers = [name for name in x.columns if x[name].dtype.is_numeric()]
    texts = [name for name in x.columns if name not in numbers]
    fitted: dict[str, Any] = {}

    def fit() -> None:
        fitted["likely"] = likely.NaiveBayes().fit(x, y)

    def fit_peer() -> None:
        fitted["peer"] = ImputedNaiveBayes(numbers, texts).fit(theirs, y)

    def quality() -> Quality:
        told = np.arange(len(y)) % 2 == 0
        model = likely.NaiveBayes().fit(x.filter(told), y[told])
        peer = ImputedNaiveBayes(numbers, texts).fit(theirs[told], y[told])
        posteriors = model.predict_proba(x.filter(~told)), peer.predict_proba(theirs[~told])
        return Quality.of(y[~told], *posteriors, model.classes_, "every other row", same_model=False)

    steps = (
        Step("fit", fit, fit_peer),
        Step(
            "predict_proba",
            lambda: fitted["likely"].predict_proba(x),
            lambda: fitted["peer"].predict_proba(theirs),
        ),
    )
    return Case(steps, np.zeros(x.shape).sum, quality, _facts)


def _facts() -> Sequence[Fact]:
    facts = []
    for job, (words, target) in _TARGETS.items():
        cost = first_use(job)
        facts.append(Fact(cost.words(words, target), cost.above < target))
    return facts
