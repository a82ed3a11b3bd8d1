"""What a model says of rows, whichever kind of model it is."""

from typing import TYPE_CHECKING, Any

from likely.errors import InputError

if TYPE_CHECKING:
    import polars as pl


def carried_columns(table: "pl.DataFrame", names: tuple[str, ...], own: tuple[str, ...]) -> list["pl.Series"]:
    """Columns of the data that go into the result beside its own."""
    from likely.data.inputs import suggest

    for name in names:
        if name in own:
            raise InputError(f"--keep-column: the result has a column {name!r} of its own; rename yours")
        if name not in table.columns:
            raise InputError(f"--keep-column: there is no column {name!r}{suggest(name, table.columns)}")
    return [table[name] for name in dict.fromkeys(names)]


def probabilities(model: Any, features: "pl.DataFrame", prior: Any = None) -> tuple[list[Any], Any]:
    """The answer of each row, None where there is none, and probabilities (n, k)."""
    import numpy as np

    if prior is None:
        return model.predict(features).tolist(), model.predict_proba(features)
    decision = decided(model, features, None, prior, None)
    said = decision.answers().tolist()
    if hasattr(model, "decide"):
        return said, model.predict_proba(features, prior)
    return said, np.exp(_shifted(model, features, prior))


def decided(model: Any, features: "pl.DataFrame", costs: Any, prior: Any, reject: float | None) -> Any:
    """The decision of each row; what is not given is what the model was fitted with."""
    if hasattr(model, "decide"):
        return model.decide(features, costs, prior, reject)
    from likely.decisions import CostMatrix, decide

    matrix = None if costs is None else CostMatrix.of(costs, model.classes_)
    return decide(_shifted(model, features, prior), model.classes_, matrix, reject=reject, form="log_posterior")


def _shifted(model: Any, features: "pl.DataFrame", prior: Any) -> Any:
    from likely.decisions import shift_prior

    found = model.predict_log_proba(features)
    if prior is None:
        return found
    return shift_prior(found, model.class_prior_, prior, form="log_posterior", classes=model.classes_)
