"""The group of all verbs, and how the command ends.

Exit codes: 0 done; 1 a result that asks for attention; 2 a mistake in the input; 3 a mistake in likely itself; 130
interrupted, 143 terminated.
"""

import importlib
import os
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any

import click

from likely._version import __version__
from likely.cli.mistakes import exit_code_of
from likely.cli.writing.streams import silence

VERBS = {
    "study": "Compare models on a table, keep the simplest good one, write a report.",
    "fit": "Learn one model from a table.",
    "update": "Teach a model more rows.",
    "merge": "Add models up: one model of all their rows.",
    "forget": "Unlearn rows, as if the model had never seen them.",
    "predict": "The class of each row, and the probability of every class.",
    "decide": "What to do about each row, given costs, a prior, a cost of rejecting.",
    "explain": "The evidence behind predictions, in bits.",
    "evaluate": "How good a model is on rows with known classes.",
    "compare": "Which of several models is better, by cross-validation.",
    "inspect": "What a model file holds.",
    "audit": "Which rows of a table are probably mislabelled, influential or repeated.",
    "diff": "What changed between two models.",
    "cluster": "Groups of rows that no column names.",
    "components": "Rows on the few directions in which they differ most.",
    "recommend": "What people would like, from ratings.",
    "examples": "The worked examples that the library covers.",
}

_STEPS = {  # the folders of `verbs`; what is in none lies beside them
    "learning": ("fit", "update", "merge", "forget"),
    "answering": ("predict", "decide", "explain", "recommend"),
    "judging": ("evaluate", "compare", "audit", "diff"),
    "finding": ("cluster", "components"),
}

_EPILOG = """\b
Every verb explains itself with examples: likely VERB --help.
Results go to standard output (CSV where that is no terminal), messages to
standard error. DATA is a table (CSV, TSV, JSON lines, Parquet, Arrow or ARFF,
gzipped or not), a folder of texts with a folder for each class, or mail (.eml,
mbox, Maildir); - is standard input.

\b
Options that are always the same may stand in a file likely.toml where the
command is run: a table for each verb, as in [study] target = "sick".

\b
Exit codes: 0 done, 1 a result that asks for attention, 2 a mistake in the
input, 3 a mistake in likely itself, 130 interrupted, 143 terminated.

\b
Completion of verbs and options in the shell:
  bash  eval "$(_LIKELY_COMPLETE=bash_source likely)"   in ~/.bashrc
  zsh   eval "$(_LIKELY_COMPLETE=zsh_source likely)"    in ~/.zshrc
  fish  _LIKELY_COMPLETE=fish_source likely | source    in ~/.config/fish/config.fish
"""


class Verbs(click.Group):
    """Loads a verb when it is called; turns whatever goes wrong into a message and an exit code."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in VERBS:
            return None
        folder = next((f"{step}." for step, verbs in _STEPS.items() if cmd_name in verbs), "")
        command: click.Command = importlib.import_module(f"likely.cli.verbs.{folder}{cmd_name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not args[0].startswith("-") and args[0] not in VERBS and not ctx.resilient_parsing:
            near = get_close_matches(args[0], VERBS, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"the verbs are {', '.join(VERBS)}."
            raise click.UsageError(f"there is no verb {args[0]!r}; {hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Verbs"):
            formatter.write_dl(list(VERBS.items()))

    def invoke(self, ctx: click.Context) -> Any:
        if os.environ.get("NO_COLOR"):
            ctx.color = False
        from likely.cli.settings import options_of_file

        ctx.default_map = options_of_file(self, ctx)
        try:
            try:
                return super().invoke(ctx)
            finally:
                _flushed()
        except BrokenPipeError:  # the reader has seen enough
            silence(1)
            ctx.exit(0)

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        if not standalone_mode:
            return super().main(args, prog_name, complete_var, False, **extra)
        given = list(sys.argv[1:] if args is None else args)
        try:
            code = super().main(given, prog_name or "likely", complete_var, False, **extra)
        except Exception as error:
            code = exit_code_of(error, debug="--debug" in given)
        except KeyboardInterrupt as error:
            code = exit_code_of(error)
        sys.exit(code if isinstance(code, int) else 0)


@click.group(
    cls=Verbs,
    epilog=_EPILOG,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    no_args_is_help=True,
)
@click.version_option(__version__, prog_name="likely")
def likely() -> None:
    """How likely is each class, and what should I do about it?

    Classification that adds up: from a table to a classifier that can be trusted, and on to predictions, decisions,
    explanations and honest figures. To begin: likely study data.csv --target COLUMN
    """


def _flushed() -> None:
    """Have everything written; what cannot be is a mistake, and is not tried again at the end of the process."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        silence(1)
        raise OSError(error.errno, error.strerror, "standard output") from None
