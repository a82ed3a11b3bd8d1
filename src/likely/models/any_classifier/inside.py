"""The model inside calibration and decisions."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any


def unwrap(model: object) -> Any:
    """The classifier that others were fitted around, or the model itself.

    Parameters
    ----------
    model : a fitted model, perhaps within a `Calibrated` or a `Decider`

    >>> from likely import Calibrated, Decider, NaiveBayes
    >>> model = Decider(Calibrated(NaiveBayes(), cv=2)).fit([[1.0], [2.0], [3.0], [4.0]], [0, 0, 1, 1])
    >>> unwrap(model)
    NaiveBayes()
    """
    while hasattr(model, "estimator_"):
        model = model.estimator_
    return model


def models_inside(model: object) -> list[Any]:
    """The classifier inside; of a pool, those inside its members."""
    inside = unwrap(model)
    members = getattr(inside, "estimators_", None)
    if not isinstance(members, dict):
        return [inside]
    return [one for member in members.values() for one in models_inside(member)]


def schema_inside(model: object) -> Any:
    """The columns that the model was fitted on; of a pool, those of its first member that knows them."""
    return next(one.schema_ for one in models_inside(model) if hasattr(one, "schema_"))


def name_target(model: object, target: str) -> Any:
    """The model, which knows the name of the column that it predicts, so that later tables may hold it."""
    for inside in models_inside(model):
        if hasattr(inside, "schema_"):
            inside.schema_ = replace(inside.schema_, target=target)
    return model


def name_positive(model: object, positive: Any) -> Any:
    """The model, which knows the class of two that recall, precision and curves are about; None: it was not said.

    A study says it of the model that it keeps: the class named, or the rarer of two. Who judges the model later takes
    it from there (`positive_inside`), unless told otherwise.
    """
    for inside in models_inside(model):
        if hasattr(inside, "schema_"):
            inside.schema_ = replace(inside.schema_, positive=positive)
    return model


def positive_inside(model: object) -> Any:
    """The class of two that measures of one class are about, where the model knows it; else None."""
    named = (getattr(getattr(one, "schema_", None), "positive", None) for one in models_inside(model))
    return next((one for one in named if one is not None), None)


def know_table(model: object, columns: Iterable[str], dates: Mapping[str, str] | None = None) -> Any:
    """The model, which passes over the other columns of the table that it was made from, and knows which were dates.

    `dates` are columns that were learned as days, each with the pattern of dates written as text, "" for none.
    """
    dates, names = dates or {}, tuple(columns)
    for inside in models_inside(model):
        if hasattr(inside, "schema_"):
            schema = inside.schema_
            ignored = tuple(name for name in names if name not in {*schema.names, schema.target})
            learned = tuple(replace(column, date=dates.get(column.name)) for column in schema.columns)
            inside.schema_ = replace(schema, columns=learned, ignored=ignored)
    return model
