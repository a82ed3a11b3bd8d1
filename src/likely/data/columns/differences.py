"""How the columns of two models differ, in words, and what to do so that what they learned can be put together."""

from collections.abc import Mapping

from likely.data.columns.schema import Schema

_MOST = 20  # columns that are named


def how_columns_differ(mine: Schema, its: Schema) -> str | None:
    """Which columns one of two models lacks, takes for another kind or has elsewhere; None where they are alike.

    >>> from likely.data.columns.schema import Column
    >>> one, other = (Schema((Column("age", kind), Column("dose", kind)), True) for kind in ("count", "numeric"))
    >>> print(how_columns_differ(one, other).replace(". ", ".\\n"))
    column 'age' is count in the first and numeric in the second; column 'dose' is count in the first and numeric in...
    Fit both with the same kinds: --kind age=numeric --kind dose=numeric in the command, kinds={'age': 'numeric', ...
    """
    from likely.data.printing.wording import quoted

    kinds, others = mine.kinds, its.kinds
    if mine.named and its.named:
        gone = {
            "second": [name for name in kinds if name not in others],
            "first": [name for name in others if name not in kinds],
        }
        if any(gone.values()):
            told = [
                f"the {whose} has no {'column' if len(names) == 1 else 'columns'} {quoted(names, _MOST)}"
                for whose, names in gone.items()
                if names
            ]
            same = "Fit both with the same columns (numbers that never vary: likely fit --keep COLUMN)"
            return f"{'; '.join(told)}. {same}."
    unlike = {name: (kinds[name], others[name]) for name in kinds if others.get(name, kinds[name]) != kinds[name]}
    if unlike:
        differ = [
            f"column {name!r} is {_in_words(one)} in the first and {_in_words(other)} in the second"
            for name, (one, other) in list(unlike.items())[:_MOST]
        ]
        more = f"; and {len(unlike) - _MOST:,} more columns" if len(unlike) > _MOST else ""
        return f"{'; '.join(differ)}{more}. {same_kinds(unlike)}."
    if list(kinds) != list(others) and set(kinds) == set(others):
        return "their columns are in another order. Fit both with the columns in the same order."
    return None


def same_kinds(unlike: Mapping[str, tuple[str, str]]) -> str:
    """What to do about columns that two models take for different kinds: the wider kind holds the values of both.

    >>> same_kinds({"age": ("count", "numeric")})
    "Fit both with the same kinds: --kind age=numeric in the command, kinds={'age': 'numeric'} in Python"
    """
    wide = {
        name: next((kind for kind in ("nominal", "numeric", "count") if kind in pair), pair[0])
        for name, pair in list(unlike.items())[:_MOST]
    }
    options = " ".join(f"--kind {name}={kind}" for name, kind in wide.items())
    return f"Fit both with the same kinds: {options} in the command, kinds={wide!r} in Python"


def _in_words(kind: str) -> str:
    return kind.replace("_", "-")
