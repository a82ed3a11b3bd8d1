"""A fitted model in a few lines: how much it saw, its classes, the kinds of its columns, what was missing."""

from collections.abc import Iterator, Sequence
from dataclasses import MISSING, fields, is_dataclass
from typing import Any

import numpy as np

from likely.data.columns.differences import how_columns_differ
from likely.data.printing.wording import counted, quoted, shortened
from likely.data.text import WORDS_OF_TWO
from likely.distributions.family import Family
from likely.distributions.names import called
from likely.distributions.texts.documents import TextDistribution, TextFamily
from likely.models.generative.answers.fitted import FittedGenerative
from likely.models.generative.summing.layout import Layout
from likely.models.traits.face import COLUMNS_SHOWN, Face, Section, classes_in_face, columns_left_out, size_in_face
from likely.numeric.arrays import Floats

_NOISE = 1e-9  # of a share: that of sums


def face(model: FittedGenerative) -> Face:
    """What a fitted generative model shows: rows, classes, and each column's kind and share of missing cells."""
    columns = Section(("feature", "kind", "missing"), _columns(model), more=columns_left_out(model.n_features_in_))
    return Face(in_short(model), size_in_face(model), (classes_in_face(model.classes_, model.class_count_), columns))


def in_short(model: FittedGenerative) -> str:
    """A model as Python writes it, but of a family of texts only the options that were chosen."""
    text = repr(model)
    for family in model.layout_.families:
        if family.form == "text":
            text = text.replace(repr(family), family_in_short(family))
    return text


def family_in_short(family: Family | str) -> str:
    """A family with the options that are not the usual ones.

    >>> family_in_short(TextFamily("bernoulli", min_df=2))
    "TextFamily(model='bernoulli', min_df=2)"
    """
    chosen = [f"{name}={shortened(repr(value))}" for name, value, usual in _options(family) if not _same(value, usual)]
    return f"{type(family).__name__}({', '.join(chosen)})"


def cutting_in_words(family: TextFamily) -> str:
    """How a family counts words, and how it cuts them out of texts.

    >>> cutting_in_words(TextFamily("bernoulli", ngram_range=(1, 2), min_df=2))
    'bernoulli, alpha 1; runs of two or more letters and digits, in small letters, 1 to 2 in a row; min_df=2'
    """
    usual = family.token_pattern == WORDS_OF_TWO
    cut = "runs of two or more letters and digits" if usual else f"what {shortened(family.token_pattern)} matches"
    if family.analyzer != "word" or family.own_tokenizer is not None:
        cut = {"char": "characters", "char_wb": "characters inside of words"}.get(family.analyzer, "by an own function")
    least, most = family.ngram_range
    several = "" if most == 1 else f", {least} to {most} in a row" if least < most else f", {most} in a row"
    told = ("model", "alpha", "lowercase", "token_pattern", "ngram_range", "analyzer", "own_tokenizer")
    others = [
        f"{name}={shortened(repr(value))}"
        for name, value, usual_value in _options(family)
        if name not in told and not _same(value, usual_value)
    ]
    case = ", in small letters" if family.lowercase else ", as they are written"
    return "; ".join([f"{family.model}, alpha {family.alpha:g}", f"{cut}{case}{several}", *others])


def words_known(layout: Layout, distribution: Any) -> dict[str, int]:
    """How many words a fitted model uses, for each column of texts."""
    return {
        layout.schema.columns[part.columns[0]].name: int(fitted.kept.sum())
        for part, fitted in zip(layout.parts, distribution.parts, strict=False)
        if isinstance(fitted, TextDistribution)
    }


def how_layouts_differ(mine: Layout, its: Layout) -> str:
    """In words, which columns two models describe differently, and what to do about it."""
    if differing := how_columns_differ(mine.schema, its.schema):
        return differing
    if retyped := mine.retyped(its):
        return f"the levels of {quoted(retyped)} are text in one and numbers in the other. Read both alike."
    if mine.missing != its.missing:
        return f"missing={mine.missing!r} in the first and {its.missing!r} in the second. Fit both with the same one."
    own, other = _cuts(mine), _cuts(its)
    apart = [repr(name) for name in own if tuple(own[name]) != tuple(other.get(name, own[name]))]
    if apart:
        more = f" and {len(apart) - 5:,} more" if len(apart) > 5 else ""
        return (
            f"numbers of {', '.join(apart[:5])}{more} are cut into other bins, each model's own from its first fit. "
            "Give both the same cut points (bins=first.cuts_), or let one learn the rows of the other (partial_fit; "
            "likely update)."
        )
    told = list(_unlike_options(mine, its))
    more = f"; and {len(told) - 5:,} more" if len(told) > 5 else ""
    named = f": {'; '.join(told[:5])}{more}" if told else ""
    return f"their families have other parameters{named}. Fit both with the same parameters and kinds."


def _cuts(layout: Layout) -> dict[str, Sequence[float]]:
    """Where numbers that become codes are cut, by column."""
    return {
        layout.schema.columns[j].name: cut
        for part in layout.parts
        for j, cut in zip(part.columns, part.cuts, strict=False)
        if cut is not None
    }


def _unlike_options(mine: Layout, its: Layout) -> Iterator[str]:
    """In words, the options in which the families of two layouts differ."""
    for part, family in zip(mine.parts, mine.families, strict=True):
        name = mine.schema.columns[part.columns[0]].name
        for other_part, other in zip(its.parts, its.families, strict=True):
            if its.schema.columns[other_part.columns[0]].name != name or type(family) is not type(other):
                continue
            others = {option: value for option, value, _ in _options(other)}
            for option, value, _ in _options(family):
                if not _same(value, others[option]):
                    first, second = (shortened(repr(one)) for one in (value, others[option]))
                    yield f"column {name!r} has {option}={first} in the first and {second} in the second"


def _options(family: object) -> Iterator[tuple[str, Any, Any]]:
    """Name, value and usual value of every option of a family."""
    for field in fields(family) if is_dataclass(family) else ():
        usual = field.default_factory() if field.default_factory is not MISSING else field.default
        yield field.name, getattr(family, field.name), usual


def _same(one: Any, other: Any) -> bool:
    return type(one) is type(other) and bool(np.all(one == other))


def _in_words(kind: str) -> str:
    return kind.replace("_", "-")


def missing_rates(layout: Layout, statistic: Any) -> Floats:
    """Share of the rows in which each column is missing; NaN where the statistic does not say."""
    rates = np.full(layout.schema.width, np.nan)
    rows = float(statistic.weight.sum())
    for part, summed in zip(layout.parts, statistic.parts, strict=False):
        observed = getattr(summed, "observed", getattr(summed, "count", None))  # (k, d)
        if rows > 0 and observed is not None and observed.shape[1:] == (len(part.columns),):
            rates[list(part.columns)] = np.maximum(0.0, 1 - observed.sum(axis=0) / rows)
    return rates


def _columns(model: FittedGenerative) -> list[tuple[str, str, str]]:
    rates = getattr(model, "missing_rates_", None)  # of a mixture, whose sums hold what gaps are expected to be
    rates = missing_rates(model.layout_, model.statistic_.given) if rates is None else rates
    words = words_known(model.layout_, model.distribution_)
    return [
        (shortened(name), f"{kind}, {counted(words[name], 'word')}" if name in words else called(kind), _rate(rates[j]))
        for j, (name, kind) in enumerate(model.kinds_.items())
        if j < COLUMNS_SHOWN
    ]


def _rate(rate: float) -> str:
    if np.isnan(rate) or rate <= _NOISE:
        return ""
    return f"{100 * rate:.1f} % missing" if rate >= 5e-4 else "under 0.1 % missing"
