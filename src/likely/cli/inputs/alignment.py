"""A later table in line with a model: its columns by name, each in the type that the model learned.

A file tells the types of its columns by what happens to be in it: codes that were text among letters are numbers
without them, and dates that the model learned as days are dates again. The model's schema decides; what does not fit
it is refused with the row.
"""

import re
from typing import TYPE_CHECKING, Any

from likely.cli.messages import note
from likely.errors import InputError
from likely.models.any_classifier.inside import positive_inside, schema_inside, unwrap
from likely.models.any_classifier.levels import levels_known

if TYPE_CHECKING:
    import polars as pl

    from likely.data.columns.schema import Column, Schema
    from likely.models.traits.protocols import FittedClassifier

_TEXT = ("String", "Categorical", "Enum")
_TWO_VALUES = ("binary", "bernoulli")
_WHOLE = {
    **dict.fromkeys(_TWO_VALUES, "0 and 1"),
    **dict.fromkeys(("count", "poisson", "negative_binomial"), "whole numbers from 0 up"),
}
_FORMAT = "; if DATA are texts and no table, say --format text"
_NUMBER = "a number, as the model learned"
_TRUTH = {"true": True, "false": False, "1": True, "0": False, "1.0": True, "0.0": False}


def schema_of_model(model: "FittedClassifier") -> "Schema":
    """The columns that a model knows."""
    schema: Schema = schema_inside(model)
    return schema


def features_for(
    table: "pl.DataFrame", model: "FittedClassifier", others: tuple[str | None, ...] = (), learning: bool = False
) -> "pl.DataFrame":
    """The model's features from a table; `others` are columns that are meant for something else.

    A column that is absent counts as missing in every row, and it is said; not where rows are learned, where most
    columns are absent, or where another column may be the one that is meant.
    """
    import polars as pl

    from likely.data.inputs import suggest
    from likely.data.printing.wording import quoted

    schema, places = schema_of_model(model), places_of_texts(table)
    table = _with_parts_of_dates(table, schema)
    if not schema.named:
        table = _named(table, schema, (*others, *places))
    known = {*schema.names, *schema.ignored, schema.target, *others, *places}
    extra = [name for name in table.columns if name not in known]
    absent = [name for name in schema.names if name not in table.columns]
    if absent and not learning and _may_be_missing(absent, extra, schema, places):
        note(f"the table lacks {quoted(absent)}, which the model learned: counted as missing in every row")
        table = table.with_columns(pl.lit(None).alias(name) for name in absent)
    elif absent:
        more = f" (and {len(absent) - 1} more)" if len(absent) > 1 else ""
        hint = suggest(absent[0], extra)
        hint += (
            ". Rows are learned with all columns: of one that nobody knows, add it without values" if learning else ""
        )
        raise InputError(
            f"the table lacks the column {absent[0]!r}{more}, which the model needs. It learned "
            f"{quoted(schema.names)}{hint}{_FORMAT if schema.kinds[absent[0]] == 'text' and not places else ''}"
        )
    if extra:
        shown = ", ".join(extra[:8]) + (f" and {len(extra) - 8} more" if len(extra) > 8 else "")
        note(f"columns that the model did not learn are ignored: {shown}")
    coded = levels_known(model)
    inside = unwrap(model)
    if not hasattr(inside, "layout_"):  # such a model brings columns in line with its schema itself
        for name, levels in coded.items():
            _note_unseen(table[name], levels)
        return table[list(schema.names)]
    coded |= {name: set() for name in inside.layout_.columns_with("tokens")}
    columns = {}
    for column in schema.columns:
        followed = _without_extremes(_followed(table[column.name], column, coded))
        columns[column.name] = followed
        _note_unseen(followed, coded.get(column.name))
    return pl.DataFrame(columns)


def places_of_texts(table: "pl.DataFrame") -> tuple[str, ...]:
    """The columns of a table of texts or mail that say where each lies, which nobody expects to be learned."""
    from likely.data.text.corpora import PLACES, known_kinds

    return PLACES if known_kinds(table) else ()


def labels_for(table: "pl.DataFrame", target: str, model: "FittedClassifier") -> "pl.Series":
    """The column with the classes, spelled as the model's classes are."""
    import polars as pl

    from likely.data.labels.target import are_texts, check_target_name

    check_target_name(target, table.columns)
    column = table[target]
    classes = unwrap(model).classes_
    if are_texts(classes):
        return _spelled(column)
    if classes.dtype.kind == "b":
        return _as_truth(column)
    return _as_numbers(column, pl.Int64(), "a whole number, as the model's classes are")


def target_of(model: "FittedClassifier", given: str | None) -> str:
    """The name of the column with the classes."""
    target = schema_of_model(model).target if given is None else given
    if target is None:
        raise InputError("the model does not know the name of the column that it predicts; say --target COLUMN")
    return target


def rows_with_labels(
    table: "pl.DataFrame", model: "FittedClassifier", target: str, others: tuple[str, ...] = (), learning: bool = False
) -> tuple["pl.DataFrame", "pl.Series"]:
    """Features and classes of the rows that have a class."""
    labels = labels_for(table, target, model)
    labels = labels.fill_nan(None) if labels.dtype.is_float() else labels
    known = labels.is_not_null()
    if not known.any():
        raise InputError(f"the column {target!r} names no class in any row")
    if not known.all():
        note(f"{int((~known).sum()):,} rows without a class are left out")
    return features_for(table, model, (target, *others), learning).filter(known), labels.filter(known)


def rarer_class(model: "FittedClassifier") -> Any:
    """Of two classes the one that a study named, else the rarer of the rows learned, of two alike the second."""
    classes = unwrap(model).classes_.tolist()
    if len(classes) != 2:
        return None
    if (named := positive_inside(model)) in classes:
        return named
    prior = getattr(unwrap(model), "class_prior_", None)
    return classes[0] if prior is not None and prior[0] < prior[1] else classes[1]


def _may_be_missing(absent: list[str], extra: list[str], schema: "Schema", places: tuple[str, ...]) -> bool:
    from likely.data.inputs import suggest

    misspelled = any(suggest(name, extra) for name in absent) if extra else False
    texts = any(schema.kinds[name] == "text" for name in absent)
    known = set(schema.names)
    parts = {name: name.partition(": ")[0] for name in schema.names}  # the year and month of a date are that date's
    lost, all_of = ({parts[n] if parts[n] in known else n for n in names} for names in (absent, schema.names))
    return not misspelled and not texts and not places and 2 * len(lost) <= len(all_of)


def _with_parts_of_dates(table: "pl.DataFrame", schema: "Schema") -> "pl.DataFrame":
    """The table with the year, month, weekday and hour of its dates that the model learned as columns."""
    import polars as pl

    from likely.data.features.dates import with_asked_parts
    from likely.data.findings.suspicions import date_pattern

    patterns = {column.name: column.date for column in schema.columns if column.date is not None}
    for name, pattern in list(patterns.items()):
        if name in table.columns and table.schema[name] == pl.String and not pattern:
            patterns[name] = date_pattern(table[name]) or ""
    return with_asked_parts(table, schema.names, dict(patterns))


def _named(table: "pl.DataFrame", schema: "Schema", others: tuple[str | None, ...]) -> "pl.DataFrame":
    """The table for a model that learned columns without names: by their places, or the one that is a text."""
    import polars as pl

    from likely.data.columns.kinds import guess_kind
    from likely.data.printing.wording import quoted
    from likely.data.text.corpora import known_kinds

    plain = table[[name for name in table.columns if name not in others]]
    if plain.width == schema.width:
        return plain.rename(dict(zip(plain.columns, schema.names, strict=True)))
    if schema.names != ("text",) or schema.columns[0].kind != "text":
        raise InputError(
            f"the model learned {schema.width} columns without names, and the table has {plain.width}: "
            f"{quoted(plain.columns)}. Give it those alone, in the order in which it learned them"
        )
    texts = [column.name for column in plain if column.dtype == pl.String and guess_kind(column) == "text"]
    if "body" in known_kinds(table):
        texts = ["body"]
    if "text" not in plain.columns and len(texts) != 1:
        found = f"of which {quoted(texts)} are texts" if texts else "none of which reads as a text"
        raise InputError(
            f"the model learned texts without the name of their column, and the table has {quoted(plain.columns)}, "
            f"{found}. Call the one that is meant 'text', or leave out all others{_FORMAT if not texts else ''}"
        )
    chosen = "text" if "text" in plain.columns else texts[0]
    if chosen != "text":
        note(f"the texts are those of the column {chosen!r}")
    return table[[chosen]].rename({chosen: "text"})


def _followed(column: "pl.Series", learned: "Column", coded: dict[str, set[Any]]) -> "pl.Series":
    """A column in the type that the model learned."""
    import polars as pl

    from likely.data.features.dates import as_days

    if column.dtype == pl.Null:
        return column
    if learned.name in coded:
        if learned.dtype in _TEXT:
            return _spelled(column)
        if learned.dtype == "Boolean":
            return _as_truth(column)
        return _as_numbers(column, pl.Float64(), _NUMBER)
    if learned.dtype == "Boolean":
        return _as_truth(column)
    if column.dtype in (pl.String, pl.Categorical, pl.Enum):
        dated = _as_dates(column)
        column = _as_numbers(column, pl.Float64(), _NUMBER) if dated is None else dated
    column = as_days(column)
    if learned.kind in _WHOLE:
        _check_whole(column, learned.kind)
    return column


def _check_whole(column: "pl.Series", kind: str) -> None:
    """Refuse numbers that are none of the counts, or of the zeros and ones, that the model learned."""
    if not column.dtype.is_numeric():
        return
    seen = column.fill_nan(None) if column.dtype.is_float() else column
    wrong = (seen < 0) | (seen > 1 if kind in _TWO_VALUES else seen < 0)
    if seen.dtype.is_float():
        wrong = (wrong | (seen != seen.round())) & seen.is_finite()
    if wrong.any():
        row = int(wrong.arg_true()[0])
        raise InputError(
            f"column {column.name!r}, row {row} holds {column[row]}, which is numeric, and the model learned it as "
            f"{kind}: {_WHOLE[kind]} only. Correct it, or fit the model again with "
            f"--kind {column.name}=numeric"
        )


def _without_extremes(column: "pl.Series") -> "pl.Series":
    """Infinite numbers as missing cells, which they were when the model learned, and too large ones too."""
    from likely.data.features.preparing import without_extremes

    found = without_extremes(column)
    if lost := found.null_count() - column.null_count() - int(column.is_nan().sum() if column.dtype.is_float() else 0):
        cells = "1 cell is" if lost == 1 else f"{lost:,} cells are"
        note(f"column {column.name!r}: {cells} infinite or too large to be squared, and treated as missing")
    return found


def _spelled(column: "pl.Series") -> "pl.Series":
    """Numbers of a file that has numbers (Parquet, say) as the text that the model learned; it is said."""
    if column.dtype.is_numeric():
        note(f"column {column.name!r} holds numbers, and the model learned text: they are spelled as they are shown")
    return as_text(column)


def as_text(column: "pl.Series") -> "pl.Series":
    """A column as text; whole numbers without a point."""
    import polars as pl

    if column.dtype.is_float() and bool((column.drop_nulls() == column.drop_nulls().round()).all()):
        column = column.fill_nan(None).cast(pl.Int64, strict=False)
    return column if column.dtype in (pl.String, pl.Categorical, pl.Enum) else column.cast(pl.String)


def _as_truth(column: "pl.Series") -> "pl.Series":
    import polars as pl

    if column.dtype == pl.Boolean:
        return column
    column = column.fill_nan(None) if column.dtype.is_float() else column
    text = column.cast(pl.String).str.strip_chars().str.to_lowercase()
    truth = text.replace_strict(_TRUTH, default=None, return_dtype=pl.Boolean)
    return _checked(column, truth, "true or false, as the model learned")


def _as_numbers(column: "pl.Series", dtype: Any, what: str) -> "pl.Series":
    import polars as pl

    if column.dtype in (pl.String, pl.Categorical, pl.Enum):
        return _checked(column, column.cast(pl.String).str.strip_chars().cast(dtype, strict=False), what)
    return column.cast(dtype) if column.dtype == pl.Boolean else column


def _checked(column: "pl.Series", read: "pl.Series", what: str) -> "pl.Series":
    lost = (column.is_not_null() & read.is_null()).arg_true()
    if len(lost):
        row, mend = int(lost[0]), "a spelling of missing cells is named by --missing"
        if re.fullmatch(r"\s*[-+]?\d+,\d+\s*", str(column[row])):
            mend = "numbers with a decimal comma are read with --decimal ,"
        raise InputError(
            f"column {column.name!r}, row {row}: {column[row]!r} is not {what}. Correct it, or leave it empty; {mend}"
        )
    return read


def _as_dates(column: "pl.Series") -> "pl.Series | None":
    """Dates written as text, or None where they are none."""
    import polars as pl

    from likely.data.features.dates import read_dates
    from likely.data.findings.suspicions import date_pattern

    text = column.cast(pl.String)
    pattern = date_pattern(text)
    if pattern is None:
        return None
    note(f"column {column.name!r}: texts are read as dates written {pattern}, and become days since 1970-01-01")
    return read_dates(text, pattern)


def _note_unseen(column: "pl.Series", levels: set[Any] | None) -> None:
    if not levels:
        return
    values = column.drop_nulls().unique().to_list()
    if len({isinstance(value, str) for value in (*levels, *values)}) > 1:
        return  # the file tells other types than the one that was learned: the model itself reads them as one
    unseen = sorted((value for value in values if value == value and value not in levels), key=str)
    if unseen:
        shown = ", ".join(map(repr, unseen[:5])) + (", ..." if len(unseen) > 5 else "")
        rows = int(column.is_in(unseen).sum())
        holding = "1 row holds" if rows == 1 else f"{rows:,} rows hold"
        note(f"column {column.name!r}: {holding} a level that the model has not seen: {shown}")
