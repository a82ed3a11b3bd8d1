"""Options that several verbs share, and how their values are read."""

import csv
import re
from collections.abc import Callable, Hashable, Iterable
from functools import wraps
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from likely.cli.messages import be_quiet, warnings_as_notes
from likely.cli.recipes import COVARIANCES, Options
from likely.cli.stages import Stages
from likely.errors import InputError

if TYPE_CHECKING:
    from likely.data.sources.formats import Format

Function = Callable[..., Any]
Decorator = Callable[[Function], Function]
Prior = str | dict[Hashable, float]  # "uniform", or the share of each class

FORMATS = (
    "csv", "tsv", "jsonl", "json", "arff", "parquet", "arrow", "xlsx", "sqlite", "duckdb",
    "text", "eml", "mbox", "maildir",
)  # fmt: skip


class Verb(click.Command):
    """A verb: warnings of the library become notes, and what its function gives back is the exit code."""

    def invoke(self, ctx: click.Context) -> Any:
        with warnings_as_notes(), Stages():
            code = super().invoke(ctx)
        if code:
            ctx.exit(code)


def verb(name: str, *examples: str) -> Callable[[Callable[..., Any]], click.Command]:
    """Make a function a verb, with the options of all verbs and examples below its help."""
    epilog = "\b\nExamples:\n" + "\n".join(f"  {example}" for example in examples)

    def make(function: Callable[..., Any]) -> click.Command:
        command = click.command(
            name, cls=Verb, epilog=epilog, context_settings={"help_option_names": ["-h", "--help"]}
        )(function)
        command.params.append(
            click.Option(["-q", "--quiet"], is_flag=True, expose_value=False, callback=be_quiet, help="No messages.")
        )
        command.params.append(
            click.Option(["--debug"], is_flag=True, expose_value=False, help="Show the traceback of a failure.")
        )
        return command

    return make


def together(*options: Decorator) -> Decorator:
    """Several options as one, in this order."""

    def decorate(function: Function) -> Function:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


def gathered(name: str, make: Callable[..., Any], *options: Decorator) -> Decorator:
    """Several options, in this order, whose values come as one argument of that name, made from them."""

    def decorate(function: Function) -> Function:
        @wraps(function)
        def command(**given: Any) -> Any:
            own = {key: given.pop(key) for key in names}
            return function(**given, **{name: make(**own)})

        before = len(getattr(function, "__click_params__", ()))
        command.__dict__["__click_params__"] = list(getattr(function, "__click_params__", ()))
        decorated = together(*options)(command)
        names = {option.name for option in decorated.__dict__["__click_params__"][before:]}
        return decorated

    return decorate


class Result(NamedTuple):
    """Where a result goes, and in what form."""

    form: str | None
    output: str | None


class Reading(NamedTuple):
    """How DATA are written."""

    spellings: tuple[str, ...] = ()  # of a missing cell
    separator: str | None = None
    file_format: "Format | None" = None
    decimal: str = "."


class Changing(NamedTuple):
    """What a model is to learn or unlearn on, and where what it becomes is written."""

    output: str | None  # None: its own file
    target: str | None
    inner: bool
    reweigh: str | None
    form: str | None


class Parts(NamedTuple):
    """Columns that say which rows belong together, come later, or are for testing."""

    groups: str | None
    time: str | None
    split: str | None

    @property
    def given(self) -> tuple[str, ...]:
        return tuple(name for name in self if name is not None)


class Columns(NamedTuple):
    """What is said of the columns of DATA."""

    kinds: tuple[str, ...]  # COLUMN=KIND
    keep: tuple[str, ...]
    drop: tuple[str, ...]


result_options = gathered(
    "result",
    Result,
    click.option("--text", "form", flag_value="text", help="A table to read; as on a terminal."),
    click.option("--csv", "form", flag_value="csv", help="CSV; as where standard output is no terminal."),
    click.option("--json", "form", flag_value="json", help="JSON."),
    click.option(
        "-o",
        "--output",
        metavar="FILE",
        help="Write the result there instead: .json, .jsonl, .txt, .parquet, .arrow and .xlsx as named, else CSV.",
    ),
)
reading_options = gathered(
    "reading",
    Reading,
    click.option(
        "--missing", "spellings", multiple=True, metavar="TEXT", help="A spelling of a missing cell, such as NA or ?."
    ),
    click.option("--separator", metavar="CHAR", help="Between the cells of delimited text; guessed otherwise."),
    click.option(
        "--decimal",
        type=click.Choice([".", ","]),
        default=".",
        show_default=True,
        help="Before the fraction of a number in delimited text.",
    ),
    click.option(
        "--format", "file_format", type=click.Choice(FORMATS), help="Of DATA, or of the files in it; told by its name."
    ),
)
in_and_out = together(result_options, reading_options)
data_argument = click.argument("data", metavar="DATA")
model_argument = click.argument("model", metavar="MODEL")
model_and_data = together(model_argument, data_argument)
carry_option = click.option(
    "--keep-column", "carried", multiple=True, metavar="COLUMN", help="Carry a column of DATA along."
)
target_option = click.option("--target", metavar="COLUMN", required=True, help="The column to predict.")
data_and_target = together(data_argument, target_option)
known_target_option = click.option(
    "--target", metavar="COLUMN", help="The column with the classes, where the model does not know its name."
)
reweigh_option = click.option(
    "--reweigh",
    metavar="FILE",
    help="Of a pool: learn the weights of its members anew from these labelled rows; otherwise they stay.",
)
changing_options = gathered(
    "changing",
    Changing,
    click.option("-o", "--output", metavar="FILE", help="Write the model there; otherwise MODEL itself is replaced."),
    known_target_option,
    click.option("--inner", is_flag=True, help="Take the model inside calibration and decisions."),
    reweigh_option,
    click.option("--json", "form", flag_value="json", help="What the model now holds as JSON."),
)
column_options = gathered(
    "columns",
    Columns,
    click.option(
        "--kind",
        "kinds",
        multiple=True,
        metavar="COLUMN=KIND",
        help="numeric, nominal, ordinal, binary, count or text; or a family such as gamma or poisson. May be repeated.",
    ),
    click.option("--keep", multiple=True, metavar="COLUMN", help="Learn from a column although it looks useless."),
    click.option("--drop", multiple=True, metavar="COLUMN", help="Leave a column out."),
)


def part_options(
    time: str,
    groups: str = "Rows that belong together, as of one patient: never on both sides.",
    split: str = "Which rows are for testing (train, test), or the fold of each.",
) -> Decorator:
    """Columns that say which rows belong together, come later, or are for testing, and what a verb does with them."""
    return gathered(
        "parts",
        Parts,
        click.option("--groups", metavar="COLUMN", help=groups),
        click.option("--time", metavar="COLUMN", help=time),
        click.option("--split", metavar="COLUMN", help=split),
    )


positive_option = click.option(
    "--positive", metavar="CLASS", help="The class that recall, precision and curves are about; of two the rarer."
)
plot_option = click.option("--plot", metavar="FILE", help="Draw it, too: .png, .svg or .pdf.")
_WORDS = (
    click.option(
        "--words",
        type=click.Choice(["multinomial", "bernoulli"]),
        help="Whether it counts how often a word is in a text, or only that it is there; multinomial otherwise.",
    ),
    click.option("--stop-words", type=click.Choice(["english"]), help="Leave out the words that every text has."),
    click.option("--ngrams", type=click.IntRange(1, 5), metavar="N", help="Up to N words in a row are one too."),
    click.option("--min-df", type=click.IntRange(1), metavar="N", help="Leave out words in fewer than N texts."),
)
words_options = gathered("options", Options, *_WORDS)
model_options = gathered(
    "options",
    Options,
    click.option("--covariance", type=click.Choice(COVARIANCES), help="Of the model gaussian; full otherwise."),
    click.option("--alpha", type=float, help="Pseudo-count of every level of a column and of every word; 1 otherwise."),
    click.option(
        "--gaps", type=click.Choice(["ignore", "evidence", "impute", "error"]), help="What a missing cell means."
    ),
    click.option("--unseen", type=click.Choice(["ignore", "prior", "error"]), help="What a new level says later on."),
    *_WORDS,
)
place_option = click.option(
    "--prior",
    metavar="SHARES",
    help="Of the classes where the model is used: a=0.2,b=0.8 or uniform; otherwise as it was fitted. Rows are weighed "
    "by it; observed: they count as they are.",
)
prior_option = click.option(
    "--prior", metavar="SHARES", help="Of the classes where DATA come from: a=0.2,b=0.8 or uniform."
)
decision_options = together(
    click.option("--costs", metavar="FILE", help="What mistakes cost: a CSV with a row per true class, or Weka .cost."),
    click.option("--prior", metavar="SHARES", help="Of the classes where the model is used: a=0.2,b=0.8 or uniform."),
    click.option("--reject", type=float, metavar="COST", help="Of not answering; without it every row is answered."),
)
seed_option = click.option(
    "--seed", type=click.IntRange(0, 2**32 - 1), default=0, show_default=True, help="Of everything random."
)


def read_kinds(pairs: tuple[str, ...]) -> dict[str, str]:
    """Kinds or families by column, from COLUMN=KIND.

    >>> read_kinds(("zip=nominal", "a=b=gamma"))
    {'zip': 'nominal', 'a=b': 'gamma'}
    """
    from likely.data.columns.kinds import KINDS
    from likely.data.inputs import suggest
    from likely.distributions.names import named_families

    kinds, known = {}, tuple(dict.fromkeys((*KINDS, *named_families())))
    for pair in pairs:
        name, equals, kind = pair.rpartition("=")
        if not equals or not name:
            raise InputError(f"--kind {pair!r}: say COLUMN=KIND, as in --kind zip=nominal")
        if kind not in known:
            raise InputError(f"--kind {pair!r}: there is no kind {kind!r}; {', '.join(known)}{suggest(kind, known)}")
        kinds[name] = kind
    return kinds


def read_prior(text: str | None, classes: "Iterable[Hashable]", words: tuple[str, ...] = ()) -> Prior | None:
    """Shares of the classes, from a=0.2,b=0.8; a name with a comma stands in quotation marks. `words` stay words.

    >>> read_prior('1=0.2, 2=0.8', [1, 2]), read_prior('"no, sir"=0.5,yes=0.5', ["no, sir", "yes"])
    ({1: 0.2, 2: 0.8}, {'no, sir': 0.5, 'yes': 0.5})
    """
    if text is None or text.strip() in ("uniform", *words):
        return None if text is None else text.strip()
    shares = {}
    for cell in next(csv.reader([text], skipinitialspace=True)):
        name, equals, share = cell.rpartition("=")
        try:
            value = float(share)
        except ValueError:
            equals = ""
        if not equals:
            raise InputError(f"--prior {text!r}: say CLASS=SHARE for every class, as in a=0.2,b=0.8, or uniform")
        shares[class_named(name.strip(), classes, "--prior")] = value
    return shares


def check_reject(cost: float | None) -> None:
    """Refuse what no cost of not answering can be."""
    if cost is None:
        return
    from likely.decisions.costs import LARGEST_COST

    if not 0 <= cost <= LARGEST_COST:
        raise InputError(f"--reject: what not answering costs is 0 or more, and {LARGEST_COST:g} at most, got {cost:g}")


def class_named(text: str, classes: "Iterable[Hashable]", option: str) -> Any:
    """The class that is spelled like this.

    >>> class_named("3", [1, 2, 3], "--for")
    3
    """
    from likely.data.inputs import suggest

    names = list(classes.tolist() if hasattr(classes, "tolist") else classes)
    for name in names:
        if str(name) == text:
            return name
    shown = ", ".join(map(str, names[:20])) + (", ..." if len(names) > 20 else "")
    raise InputError(f"{option}: there is no class {text!r}; the classes are {shown}{suggest(text, names)}")


_UNITS = {"": 1.0, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}


def read_seconds(text: str | None) -> float | None:
    """Seconds, from 60, 60s, 5m or 1h.

    >>> read_seconds("90"), read_seconds("1.5 m"), read_seconds("1h")
    (90.0, 90.0, 3600.0)
    """
    if text is None:
        return None
    found = re.fullmatch(r"\s*(\d+\.?\d*|\.\d+)\s*(s|m|min|h|)\s*", text)
    if not found:
        raise InputError(f"--time-limit {text!r} is no time; say 60s, 5m or 1h")
    return float(found[1]) * _UNITS[found[2]]
