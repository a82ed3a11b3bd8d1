"""Tables, models and costs from the names that the user gave."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from likely.cli.messages import note
from likely.cli.options import Columns, Parts, Reading, read_kinds
from likely.cli.signals import interruptible
from likely.cli.stages import doing
from likely.data.sources.places.user_paths import user_path
from likely.errors import InputError

if TYPE_CHECKING:
    import polars as pl

    from likely.data.findings.table import Findings
    from likely.decisions import CostMatrix
    from likely.models.roster import TableFacts
    from likely.models.traits.protocols import FittedClassifier
    from likely.reports.parting import Parting
    from likely.store.abilities import GoingOn

BUNDLED = {"penguins": "species"}  # tables that ship with the package, and the column that they are for


class TrainingTable(NamedTuple):
    """A table to learn from."""

    whole: "pl.DataFrame"  # as it was read
    findings: "Findings"
    prepared: "pl.DataFrame"  # its target, and the columns that are learned
    facts: "TableFacts"
    parting: "Parting"  # what columns say of the rows that are judged
    later: "pl.DataFrame | None" = None  # prepared rows for testing
    later_groups: Any = None  # (m,)


def read_training(
    data: str,
    target: str,
    columns: Columns,
    reading: Reading,
    parts: Parts | None = None,
    to_merge: bool = False,
) -> TrainingTable:
    """DATA, what was found in them, and what of them is learned; rows for testing are apart.

    `to_merge`: levels that are all alike are learned too, and rows of a single class. They tell no classes apart, but
    another table may have more of them, and the models of both may be merged.
    """
    from likely.cli.inputs.judged_parts import parted_training
    from likely.data.findings.table import examine
    from likely.data.text.corpora import known_kinds
    from likely.models.roster import TableFacts

    kinds = read_kinds(columns.kinds)
    whole = read_data(data, reading, spelled_kinds(kinds))
    table = with_text(without(whole, columns.drop, target), kinds)
    table, parting, later, later_groups = parted_training(table, target, parts or Parts(None, None, None), columns.keep)
    doing("looking at the columns")
    findings = examine(table, target, kinds, known_kinds(whole), one_class=to_merge)
    alike = [c.name for c in findings.columns if to_merge and c.warning == "constant" and c.kind == "nominal"]
    prepared = findings.prepared(table, (*columns.keep, *alike))
    later = None if later is None else findings.prepared(later, (*columns.keep, *alike))
    facts = TableFacts.found(findings, prepared)
    return TrainingTable(whole, findings, prepared, facts, parting, later, later_groups)


def spelled_kinds(kinds: Mapping[str, str]) -> list[str]:
    """The columns whose cells are names or words, and not numbers, even where they look like numbers."""
    return [name for name, kind in kinds.items() if kind in ("nominal", "text", "categorical")]


def with_text(table: "pl.DataFrame", kinds: Mapping[str, str]) -> "pl.DataFrame":
    """The table, numbers that are to be names or words as text: what a file of another format calls a number too."""
    from likely.cli.inputs.alignment import as_text

    names = [name for name in spelled_kinds(kinds) if name in table.columns]
    return table.with_columns(*(as_text(table[name]) for name in names))


def read_for(
    model: "FittedClassifier",
    data: str,
    reading: Reading,
    target: str | None = None,
    carried: Sequence[str] = (),
    form: str | None = None,
) -> "pl.DataFrame":
    """DATA for a model: what it learned as text is read as text, however much it looks like numbers in this file.

    So are the classes in the column `target`, and `carried` columns unless the result (`form`) tells types apart.
    """
    from likely.data.labels.target import are_texts
    from likely.models.any_classifier.inside import schema_inside, unwrap

    schema = schema_inside(model)
    if not schema.named and schema.texts:
        return read_data(data, reading, None)  # columns go by their places, and numbers are read from text later
    labels = [target] if target is not None and are_texts(unwrap(model).classes_) else []
    text = [*schema.texts, *labels]
    return read_data(data, reading, text if form == "json" else [*text, *carried])


def read_data(data: str, reading: Reading, as_text: Sequence[str] | None = ()) -> "pl.DataFrame":
    """The table of a file, a folder of texts, standard input ("-"), or one that ships with the package.

    `as_text` are columns to read as they are spelled, as `read_table` has them.
    """
    from likely.data.frames.tables import read_table

    interruptible()
    doing(f"reading {'standard input' if data == '-' else Path(data).name or data}")
    if is_bundled(data):
        from likely.data import bundled

        return read_table(getattr(bundled, data)(), missing=reading.spellings)
    try:
        return read_table(
            data,
            format=reading.file_format,
            separator=reading.separator,
            missing=reading.spellings,
            as_text=as_text,
            decimal=reading.decimal,
        )
    except InputError as error:
        hint = "" if reading.file_format else _if_texts(data)
        raise InputError(str(error) + hint) from None


def _if_texts(data: str) -> str:
    """A hint where files that were to be read as a table may be texts: their names tell no format."""
    from likely.data.sources.formats import format_of_suffix
    from likely.data.sources.places.paths import find_files

    if data == "-" or user_path(data).is_dir():
        return ""
    try:
        untold = [path for path in find_files(data, empty=True) if format_of_suffix(path) is None]
    except InputError:
        return ""
    return " If it is a text and no table, say --format text." if untold else ""


def is_bundled(data: str) -> bool:
    """Whether this names a table of the package and not a file."""
    return data in BUNDLED and not Path(data).exists()


def without(table: "pl.DataFrame", drop: tuple[str, ...], target: str | None = None) -> "pl.DataFrame":
    """The table without some columns, none of which is the target."""
    from likely.data.inputs import suggest

    features = [name for name in table.columns if name != target]
    for name in drop:
        if name not in features:
            raise InputError(f"--drop: there is no feature {name!r}{suggest(name, features)}")
    if features and not set(features) - set(drop):
        raise InputError(f"--drop leaves none of the features {', '.join(features[:8])}: keep one at least")
    return table.select(name for name in table.columns if name not in drop)


def open_model(path: str, learning: bool = False) -> Any:
    """The model of a file; one that is to learn or forget says in the end what its weights are of."""
    from likely.cli.inputs.reweighing import note_stale
    from likely.store import load

    doing("opening the model")
    model = load(path)
    if not learning:
        note_stale(model, f"{path}: ")
    return model


_DOING = {"update": "learn more rows", "merge": "be merged", "forget": "forget rows"}


def additive(model: object, path: str, verb: str, inner: bool) -> Any:
    """A model that can update, merge or forget; with `inner` the one inside calibration and decisions."""
    from likely.models.any_classifier.inside import unwrap
    from likely.store.abilities import GoingOn

    inside = unwrap(model)
    able = GoingOn.of_model(inside)
    if not able.can(verb):
        raise InputError(_why_not(able, path, verb))
    if verb == "update" and not able.can("merge"):
        note(
            f"{path} learns these rows one after the other, from where it is: it will not be quite the model that had "
            "learned all rows at once"
        )
    if inner and inside is not model:
        note(f"the calibration and decisions of {path} are left behind")
    return inside if inner else model


def _why_not(able: "GoingOn", path: str, verb: str) -> str:
    """That the model of a file cannot do this, what stands in the way, and what to do."""
    from likely.decisions.pooling.members import HOW_TO_UPDATE

    held, doing = f"{path} holds a {able.kind.__name__}", _DOING[verb]
    if able.members:
        names = able.hindering(verb) or list(able.members)
        return f"{held}, which cannot {doing}, as its members cannot: {', '.join(names)}; {HOW_TO_UPDATE}"
    why = able.why_not(verb)
    return f"{held}, which cannot {doing}{f', for {why}' if why else ''}; fit again on all the data"


def cost_file(path: str | None, classes: Any = None) -> "CostMatrix | None":
    """The costs in a file, which may lack the names of the classes; mistakes are told by `classes` where known."""
    if path is None:
        return None
    from likely.decisions import CostMatrix

    place = user_path(path)
    if place.is_dir() or not place.exists():
        raise InputError(f"--costs: there is no file {path!r}")
    try:
        try:
            return CostMatrix.of(place)
        except InputError:
            CostMatrix.of(place, classes)  # the same mistake, told by the classes where they are known
            raise
    except UnicodeDecodeError:
        raise InputError(f"--costs: {path} is no text. Give a CSV with a row per true class") from None
    except InputError as error:
        raise _in_file(path, error) from None


def costs_between(costs: "CostMatrix | None", classes: Iterable[Any], path: str | None) -> "CostMatrix | None":
    """The costs of a file in the order of the classes; costs without names are taken in sorted order, and it is said.

    The order is that of `classes`, which a model keeps sorted.
    """
    if costs is None:
        return None
    names = list(classes)
    try:
        found = costs.aligned(names)
    except InputError as error:
        raise _in_file(str(path), error) from None
    if costs.classes is None:
        shown = ", ".join(map(str, names))
        note(f"{path}: costs without names are taken in the order {shown}: costs[truth][said]")
    return found


def _in_file(path: str, error: InputError) -> InputError:
    """A mistake in a file of costs, with the name that the user gave it."""
    said = str(error)
    short = Path(path).name
    if said.startswith((f"{short}: ", f"{short}, ")):
        said = said[len(short) + 2 :]
    return InputError(f"--costs {path}: {said}")
