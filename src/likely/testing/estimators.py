"""A user's own estimator held to the laws, on a user's own rows."""

from typing import Any, Literal, TypeAlias

import numpy as np

from likely.data.accepted import TargetLike
from likely.testing.laws import answering, classifiers, one_pass
from likely.testing.laws.answering import Answering
from likely.testing.specimens.specimen import CLASSES, Specimen
from likely.testing.specimens.tables import Table, taken
from likely.testing.verdict import must, obey

Tier: TypeAlias = Literal["one pass", "many passes", "order"]


def check_estimator(
    estimator: Any,
    X: Table,
    y: TargetLike = None,
    tier: Tier | None = None,
    examples: int = 3,
    random_state: int = 0,
    **facts: Any,
) -> None:
    """Hold a classifier to the laws of its tier: what it promises of rows, weights, names, units, merging, forgetting.

    A clusterer, transformer or regressor is held to those of its answers: they depend on the row alone, on no engine,
    and on nothing that was learned or asked before.

    Parameters
    ----------
    estimator : classifier, clusterer, transformer or regressor
        Of which fresh ones are made with the same parameters. It is not fitted itself.
    X : array (n, d) or Polars frame
        Rows to draw from, with missing cells if the classifier takes them.
    y : array (n,), optional
        Their classes: rows are drawn within them, so that there is something to learn. Of a regressor their amounts.
    tier : {"one pass", "many passes", "order"}, optional
        How it learns; by default one pass if it can merge. In one pass, merging, forgetting and cross-validation are
        held to be exact; if it depends on the order of the rows, that and weights are left out.
    examples : int
        How many examples each law is tried on.
    random_state : int
        What the examples are drawn from.
    **facts
        What else is true of it, and false unless said: `exact` (its sums are whole numbers), `naive`, `linear`,
        `scale_free`, `real`, `ordered` (classes have the order of their names); true unless said: `gaps` (takes missing
        cells), `silent` (a missing cell says nothing), `drawn` (rows can be drawn from it).

    Raises
    ------
    LawBroken
        An `AssertionError` that names the law, the example and what differed.

    >>> import numpy as np
    >>> from likely import NaiveBayes
    >>> from likely.testing import check_estimator
    >>> X = np.random.default_rng(0).normal(size=(60, 3))
    >>> check_estimator(NaiveBayes(), X, examples=1, linear=True, naive=True, scale_free=True)
    """

    def make(**parameters: Any) -> Any:
        return type(estimator)(**{**estimator.get_params(deep=False), **parameters})

    if getattr(estimator, "_estimator_type", "classifier") != "classifier":
        begun = (
            {"random_state": random_state} if estimator.get_params(deep=False).get("random_state", 0) is None else {}
        )
        subject = Answering(type(estimator).__name__, lambda: make(**begun), X, y)
        for each in answering.LAWS:
            obey(each, subject, examples, random_state)
        return
    drawn_from = _rows_by_class(X, y)

    def table(rng: np.random.Generator, codes: Any) -> Table:
        groups = [drawn_from[code % len(drawn_from)] for code in codes]
        return taken(X, [group[rng.integers(len(group))] for group in groups])

    specimen = Specimen(type(estimator).__name__, make, table, **facts)
    for law in laws_of(estimator, specimen, tier):
        obey(law, specimen, examples, random_state)


def laws_of(estimator: object, specimen: Specimen, tier: Tier | None = None) -> list[classifiers.Law]:
    """The laws that apply to a classifier."""
    tier = tier or specimen.tier or ("one pass" if hasattr(estimator, "merge") else "many passes")
    of_order = (classifiers.order_is_irrelevant, classifiers.a_weight_is_that_many_rows)
    laws = [law for law in classifiers.ANY if tier != "order" or law not in of_order]
    if specimen.ordered:
        laws.remove(classifiers.names_of_classes_are_no_matter)
    if hasattr(estimator, "evidence"):
        laws.append(classifiers.evidence_adds_up)
    if hasattr(estimator, "log_likelihood"):
        laws += classifiers.GENERATIVE
    if tier == "one pass":
        laws += one_pass.LAWS
    if specimen.scale_free:
        laws.append(classifiers.units_are_no_matter)
    if specimen.naive and specimen.silent:
        laws.append(classifiers.a_missing_cell_is_the_model_without_it)
    return laws


def _rows_by_class(X: Table, y: TargetLike) -> list[Any]:
    must(len(X), "give at least one row to draw from")
    if y is None:
        return [np.arange(len(X))]
    labels = np.asarray(y)
    return [np.flatnonzero(labels == name) for name in np.unique(labels)][: len(CLASSES)]
