"""What a model says of rows, whichever kind of model it is."""

from typing import TYPE_CHECKING, Any

from likely.cli.messages import note
from likely.errors import InputError

if TYPE_CHECKING:
    import polars as pl

    from likely.cli.options import Prior
    from likely.decisions import CostMatrix, Decision
    from likely.models.traits.protocols import ClassifierWithPrior, FittedClassifier
    from likely.numeric.arrays import Floats


def carried_columns(table: "pl.DataFrame", names: tuple[str, ...], own: tuple[str, ...]) -> list["pl.Series"]:
    """Columns of the data that go into the result beside its own."""
    from likely.data.inputs import suggest

    for name in names:
        if name in own:
            raise InputError(f"--keep-column: the result has a column {name!r} of its own; rename yours")
        if name not in table.columns:
            raise InputError(f"--keep-column: there is no column {name!r}{suggest(name, table.columns)}")
    return [table[name] for name in dict.fromkeys(names)]


def probabilities(
    model: "ClassifierWithPrior", features: "pl.DataFrame", prior: "Prior | None" = None
) -> tuple[list[Any], "Floats"]:
    """The answer of each row, None where there is none, and probabilities (n, k)."""
    import numpy as np

    from likely.decisions import Decider

    if prior is None:
        said = model.decide(features).answers() if isinstance(model, Decider) else model.predict(features)
        return said.tolist(), model.predict_proba(features)
    decision = decided(model, features, None, prior, None)
    said = decision.answers().tolist()
    if isinstance(model, Decider):
        return said, model.predict_proba(features, prior)
    return said, np.exp(_shifted(model, features, prior))


def intervals(
    model: "FittedClassifier", features: "pl.DataFrame", confidence: float, prior: "Prior | None"
) -> "Floats":
    """How far each probability can be trusted: ends (n, k, 2)."""
    from likely.decisions import Calibrated, Decider, MajorityClassifier, Pool

    held: Any = model.estimator_ if isinstance(model, Decider) else model
    if not hasattr(held, "predict_interval"):
        raise InputError(f"--interval: a {type(held).__name__} does not know how far its probabilities can be trusted")
    if isinstance(held, MajorityClassifier):
        note("the model is the majority: its intervals are of the classes' shares, the same for every row")
    elif not isinstance(held, Calibrated | Pool):  # these have a record of rows left out
        note(
            "the model is not calibrated: its intervals are of its parameters alone, if the model were true, and not "
            "how often such rows come true; likely fit calibrates unless told not to"
        )
    asked: Any = model
    ends: Floats = asked.predict_interval(features, confidence, prior=prior)
    return ends


def decided(
    model: "ClassifierWithPrior",
    features: "pl.DataFrame",
    costs: "CostMatrix | None",
    prior: "Prior | None",
    reject: float | None,
) -> "Decision":
    """The decision of each row; what is not given is what the model was fitted with."""
    from dataclasses import replace

    from likely.decisions import CostMatrix, Decider, decide
    from likely.models.any_classifier.posteriors import read_class_prior

    if isinstance(model, Decider):
        return model.decide(features, costs, prior, reject)

    matrix = None if costs is None else CostMatrix.of(costs, model.classes_)
    found = decide(_shifted(model, features, prior), model.classes_, matrix, reject=reject, form="log_posterior")
    return found if prior is None else replace(found, prior=read_class_prior(prior, model.classes_, "prior"))


def _shifted(model: "ClassifierWithPrior", features: "pl.DataFrame", prior: "Prior | None") -> "Floats":
    from likely.decisions import shift_prior

    found = model.predict_log_proba(features)
    if prior is None:
        return found
    return shift_prior(found, model.class_prior_, prior, form="log_posterior", classes=model.classes_)
