"""A fitted model in a few lines: how much it saw, its classes, the kinds of its columns, what was missing."""

from html import escape
from typing import Any

import numpy as np

from likely.models.generative.layout import Layout
from likely.numeric.arrays import Floats

_SHOWN = 12


def as_text(model: Any) -> str:
    """The model as plain text."""
    lines = [repr(model), f"  {_number(model.class_count_.sum())} rows, {model.n_features_in_} features"]
    lines.append("  classes  " + ", ".join(f"{name} ({_number(n)})" for name, n in _classes(model)))
    for name, kind, rate in _columns(model):
        lines.append(f"  {name:<20} {kind:<10} {_rate(rate)}".rstrip())
    hidden = model.n_features_in_ - _SHOWN
    if hidden > 0:
        lines.append(f"  ... and {hidden} more features")
    return "\n".join(lines)


def as_html(model: Any) -> str:
    """The model as an HTML fragment, for notebooks."""
    if not model.__sklearn_is_fitted__():
        return f"<pre>{escape(repr(model))} (not fitted)</pre>"
    classes = "".join(f"<tr><td>{escape(str(name))}</td><td>{_number(n)}</td></tr>" for name, n in _classes(model))
    columns = "".join(
        f"<tr><td>{escape(name)}</td><td>{escape(kind)}</td><td>{_rate(rate)}</td></tr>"
        for name, kind, rate in _columns(model)
    )
    more = model.n_features_in_ - _SHOWN
    note = f"<p>… and {more} more features</p>" if more > 0 else ""
    return (
        f"<div><pre>{escape(repr(model))}</pre>"
        f"<p>{_number(model.class_count_.sum())} rows, {model.n_features_in_} features</p>"
        f"<table><thead><tr><th>class</th><th>rows</th></tr></thead><tbody>{classes}</tbody></table>"
        f"<table><thead><tr><th>feature</th><th>kind</th><th>missing</th></tr></thead><tbody>{columns}</tbody></table>"
        f"{note}</div>"
    )


def how_layouts_differ(mine: Layout, its: Layout) -> str:
    """In words, which columns two models describe differently, and what to do about it."""
    kinds, others = mine.schema.kinds, its.schema.kinds
    for lacking, whose in (
        ([name for name in kinds if name not in others], "second"),
        ([name for name in others if name not in kinds], "first"),
    ):
        if lacking and mine.schema.named and its.schema.named:
            more = f" and {len(lacking) - 1:,} more" if len(lacking) > 1 else ""
            return f"the {whose} has no column {lacking[0]!r}{more}. Fit both with the same columns."
    unlike = [name for name in kinds if others.get(name, kinds[name]) != kinds[name]]
    if unlike:
        told = [f"{name!r} is {_in_words(kinds[name])} in the first and {_in_words(others[name])} in the second"
                for name in unlike[:20]]  # fmt: skip
        more = f"; and {len(unlike) - 20:,} more columns" if len(unlike) > 20 else ""
        return f"column {'; column '.join(told)}{more}. {same_kind(unlike[0], kinds[unlike[0]], others[unlike[0]])}."
    if mine.missing != its.missing:
        return f"missing={mine.missing!r} in the first and {its.missing!r} in the second. Fit both with the same one."
    if list(kinds) != list(others) and set(kinds) == set(others):
        return "their columns are in another order. Fit both with the columns in the same order."
    return "their families have other parameters. Fit both with the same parameters and kinds."


def same_kind(name: str, one: str, other: str) -> str:
    """What to do about a column that two models take for different kinds: the wider kind holds the values of both.

    >>> same_kind("age", "count", "numeric")
    "Fit both with the same kinds: --kind age=numeric in the command, kinds={'age': 'numeric'} in Python"
    """
    wide = next((kind for kind in ("nominal", "numeric", "count") if kind in (one, other)), one)
    return f"Fit both with the same kinds: --kind {name}={wide} in the command, kinds={{{name!r}: {wide!r}}} in Python"


def _in_words(kind: str) -> str:
    return kind.replace("_", "-")


def missing_rates(layout: Layout, statistic: Any) -> Floats:
    """Share of the rows in which each column is missing; NaN where the statistic does not say."""
    rates = np.full(layout.schema.width, np.nan)
    rows = float(statistic.weight.sum())
    for part, summed in zip(layout.parts, statistic.parts, strict=False):
        observed = getattr(summed, "observed", getattr(summed, "count", None))  # (k, d)
        if part.form == "text":
            observed = summed.weight[:, None]
        if rows > 0 and observed is not None and observed.shape[1:] == (len(part.columns),):
            rates[list(part.columns)] = np.maximum(0.0, 1 - observed.sum(axis=0) / rows)
    return rates


def _classes(model: Any) -> list[tuple[Any, float]]:
    return list(zip(model.classes_.tolist(), model.class_count_.tolist(), strict=True))


def _columns(model: Any) -> list[tuple[str, str, float]]:
    rates = missing_rates(model.layout_, model.statistic_.given)
    return [(name, kind, rates[j]) for j, (name, kind) in enumerate(model.kinds_.items())][:_SHOWN]


def _rate(rate: float) -> str:
    return "" if np.isnan(rate) or rate <= 0 else f"{100 * rate:.1f} % missing"


def _number(value: Any) -> str:
    return f"{float(value):,.0f}" if float(value).is_integer() else f"{float(value):,.2f}"
