"""A study's report: the data, what was done, the comparison; those about the model are in `model_sections`."""

import shlex
from typing import TYPE_CHECKING, Any

import numpy as np

from likely._version import __version__
from likely.data.printing.wording import percentage
from likely.figures.comparison import ComparisonDisplay
from likely.intervals.proportions import proportion_interval
from likely.intervals.resampled import fold_spread
from likely.reports.choosing.contest import BASELINE, Entry
from likely.reports.rendering.document import (
    Block,
    Bullets,
    Document,
    Folded,
    Heading,
    Listing,
    Picture,
    Section,
    Table,
    Text,
)
from likely.reports.rendering.doubts import distrust, not_judged
from likely.reports.rendering.evidence_section import evidence
from likely.reports.rendering.first_screen.answer import (
    answer,
    needs_attention,
    not_calibrated,
)
from likely.reports.rendering.first_screen.first_figures import accuracy_of, judged, majority_class
from likely.reports.rendering.first_screen.footnotes import footnotes
from likely.reports.rendering.first_screen.shown_figures import (
    off_by,
    percent,
)
from likely.reports.rendering.first_screen.tiles import answer_picture, tiles
from likely.reports.rendering.first_screen.which_rows import rows_in_words
from likely.reports.rendering.glossary import words_used
from likely.reports.rendering.model_sections import TRIED, mistakes, probabilities, suspicious_rows, why_not_tried
from likely.reports.rendering.table_sections import double_counting, later_rows, more_rows

if TYPE_CHECKING:
    from likely.reports.study import Study

_SHOWN = 30  # classes and columns listed one by one
_OPEN = "no end"  # of an interval that the rows do not bound
_SPELLED = {"seed": "random_state"}  # arguments as `likely.study` names them
_OPTIONS = {"cv": "folds", "kinds": "kind"}  # and as the command does


def document(study: "Study") -> Document:
    """The whole report."""
    columns = len(study.facts.kinds)
    return Document(
        f"{study.title}: predicting {study.target}",
        f"{rows_in_words(study)}, {columns} column{'s' * (columns != 1)} to learn from, {study.facts.classes} classes",
        answer(study),
        needs_attention(study),
        (
            Section("What to distrust", [Bullets(distrust(study))]),
            mistakes(study),
            probabilities(study),
            *([evidence(study)] if study.choice.chosen != BASELINE else []),  # which learns nothing of any column
            *([later_rows(study)] if study.tested is not None else []),
            more_rows(study),
            *([double_counting(study)] if study.redundancy is not None and study.redundancy.columns > 1 else []),
            suspicious_rows(study),
            _comparison(study),
            _data(study),
            _done(study),
            words_used(study),
            _again(study),
        ),
        tiles(study),
        answer_picture(study),
        footnotes(study),
    )


def _data(study: "Study") -> Section:
    found = study.findings
    total = sum(count for _, count in found.classes)
    classes = [
        [str(label), f"{count:,}", percent(proportion_interval(count, total))]
        for label, count in found.classes[:_SHOWN]
    ]
    columns = [
        [
            c.name,
            c.kind if c.used else f"{c.kind} (left out)",
            c.why,
            missing_cells(c.missing, found.rows),
            f"{c.distinct:,}",
            c.words,
        ]
        for c in found.columns
    ]
    faint = [i for i, c in enumerate(found.columns) if not c.used]
    blocks: list[Block] = [
        Text(f"{_which_rows(study)}{found.rows:,} rows{_unlabelled(study)}."),
        Table(["class", "rows", "share (95 % Wilson)"], classes, numbers=(1,), caption=f"Classes of {study.target}"),
    ]
    if len(found.classes) > _SHOWN:
        blocks.append(Text(f"... and {len(found.classes) - _SHOWN} more classes.", small=True))
    head = ["column", "kind", "why", "missing", "distinct", "remarks"]
    return Section("The data", [*blocks, Table(head, columns, numbers=(3, 4), faint=faint, caption="Columns")])


def _which_rows(study: "Study") -> str:
    return "" if study.tested is None else "Without the rows that were set aside: "


def _unlabelled(study: "Study") -> str:
    count = study.findings.unlabelled
    if not count:
        return f"; {study.target} is known in every row"
    return f"; {study.target} is missing in {count:,} of them, which {'were' if count > 1 else 'was'} left out"


def _done(study: "Study") -> Section:
    result = study.result
    repeats = "" if result.repeats == 1 else f", {result.repeats} times with other folds"
    steps = [
        "Kinds of columns were guessed from the whole table before anything else; everything that is learned from "
        "cells was learned inside the folds.",
        f"Every model was judged by stratified {result.n_folds}-fold cross-validation{repeats}, all on the same folds; "
        "models that learn by sums are not refitted for that, and give the same figures as if they were.",
        "Choice: the best mean log score; of the models that are worse by no more than one standard error of the "
        f"difference and 5 %, the one that is preferred ({study.choice.prefer}). {study.choice.words}",
        "Candidates were compared calibrated, each by the way with the best log score; the map of a fold learns "
        f"from rows outside it. {_kept_as(study)}",
        *([f"{lacking}."] if (lacking := not_calibrated(study)) else []),
        "Intervals of cross-validated figures are corrected for the rows that folds share (corrected resampled t).",
    ]
    if study.looked.parting.words:
        steps.append(f"{study.looked.parting.words[0].upper()}{study.looked.parting.words[1:]}.")
    if study.setting.prior is not None:
        shares = ", ".join(f"{c} {p:.3g}" for c, p in zip(study.setting.classes, study.setting.prior, strict=True))
        steps.append(f"The classes were taken to be as frequent as given ({shares}), not as in the table.")
    return Section("What was done", [Bullets(steps)])


def _kept_as(study: "Study") -> str:
    if study.calibrated_by:
        return f"The model kept is calibrated: {study.calibrated_by}."
    if study.chosen.untried:
        return f"The model kept is not calibrated; there was no time to try {' and '.join(study.chosen.untried)}."
    if len(study.chosen.ways) > 1:
        found = "has a better log score over folds"
    else:
        reasons = {name: why_not_tried(study, name) for name in TRIED}
        several = len(set(reasons.values())) > 1
        why = "; ".join(f"{name}: {told}" for name, told in reasons.items()) if several else reasons[TRIED[0]]
        found = f"was tried ({why})"
    told = f"No way to calibrate the model's own probabilities {found}: they are used as they are"
    if study.tested is None:
        return f"{told}."
    return f"{told}; of the rows set aside they are off by {off_by(judged(study).calibration_error.debiased)}."


def _comparison(study: "Study") -> Section:
    every = sorted(study.entries, key=lambda entry: (not entry.judged, _loss(study, entry)))
    ordered = [entry for entry in every if entry.judged]
    rows = [_compared(study, entry) for entry in ordered]
    strong = [i for i, entry in enumerate(ordered) if entry.name == study.choice.chosen]
    head = ["model", "log-loss (nats)", "right", "log-loss against the model kept", "folds", "seconds"]
    kept = study.choice.chosen
    drawn = study.contenders
    words = drawn.verdicts
    chart = Picture(
        lambda ax: ComparisonDisplay.from_comparison(drawn, reference=kept, ax=ax),
        "Log-loss of every model but the majority's, and its difference from the model kept on the same folds, with "
        "95 % intervals.",
        width=8.5,
        height=1.4 + 0.42 * len(drawn.results),
    )
    notes = [f"{entry.name}: {entry.words[0].lower()}{entry.words[1:].rstrip('.')}." for entry in every]
    missed = not_judged(study)
    return Section(
        "The comparison",
        [
            Table(head, rows, numbers=(1, 2, 3, 4, 5), strong=strong, caption="Models on the same folds"),
            Text(
                "Intervals: 95 % corrected resampled t; how often the majority is right: Wilson. Smaller log-loss is "
                "better. Folds: the deviation of their log-losses, and of how often each is right; a fold is much "
                f"smaller than the table, and this is no interval.{_open(rows)}{_changing(study)}",
                small=True,
            ),
            *([Text(missed, small=True)] if missed else []),
            *([chart] if len(drawn.results) > 1 else []),
            Folded("Each pair in words", [Bullets(words)]),
            Heading("What the models take for granted"),
            Folded("One line for each model", [Bullets(notes)]),
        ],
    )


def _open(rows: list[list[str]]) -> str:
    """What an interval without an end means, where there is one."""
    if not any(_OPEN in row[1] + row[3] for row in rows):
        return ""
    return " No end: rows of which the model is very sure rule its mean, and nothing bounds it from above."


def _changing(study: "Study") -> str:
    """Why the majority of the folds is not right as often as the commonest class of the table."""
    label = majority_class(study)
    entry = next((entry for entry in study.entries if entry.name == BASELINE and entry.judged), None)
    if entry is None or (entry.result.said(0).labels == study.result.classes.tolist().index(label)).all():
        return ""
    return f" The majority is that of the rows learned, which in some folds is another class than {label}."


def _loss(study: "Study", entry: Entry) -> float:
    return study.comparison.estimates[entry.name].value if entry.judged else np.inf


def _compared(study: "Study", entry: Entry) -> list[str]:
    apart = "kept"
    if entry.name != study.choice.chosen:
        apart = _ends_in_words(study.comparison.between(entry.name, study.choice.chosen).difference.short())
    loss = _ends_in_words(study.comparison.estimates[entry.name].short())
    how = f", calibrated: {entry.calibrated_by}" if entry.calibrated_by else ""
    hurried = ", no time to calibrate it" if entry.untried and len(entry.ways) == 1 else ""
    name = f"{entry.name}{how or hurried}"
    spread = ", ".join(_deviation(entry, name) for name in ("log_loss", "accuracy"))
    return [name, loss, percent(accuracy_of(entry)), apart, spread, f"{entry.seconds:.2f}"]


def _ends_in_words(interval: str) -> str:
    return interval.replace("[-inf,", f"[{_OPEN},").replace("inf]", f"{_OPEN}]")


def _deviation(entry: Entry, measure: str) -> str:
    """Of the folds' scores: nats, or points."""
    scores = entry.result.scores(measure)
    if scores.size < 2 or not np.isfinite(scores).all():
        return "-"
    deviation = fold_spread(scores).deviation
    return f"{100 * deviation:.1f} %" if measure == "accuracy" else f"{deviation:.3f}"


def _again(study: "Study") -> Section:
    given = {name: value for name, value in study.arguments.items() if _is_given(name, value)}
    options = "".join(f", {_SPELLED.get(name, name)}={value!r}" for name, value in given.items())
    if study.looked.source is None:
        code = f"found = likely.study(table, {study.target!r}{options})\nfound.save('study')"
    else:
        by_name = not isinstance(given.get("costs"), dict | list) and not isinstance(given.get("prior"), list)
        call = f"likely.study({study.looked.source!r}, {study.target!r}{options})"
        ways = [_command(study, given)] if by_name else []
        if "reading" not in given:  # else the table is to be read as told before it is studied
            ways.append(f"import likely\n\nfound = {call}\nfound.save('study')")
        code = "\n\nor in Python\n\n".join(ways)
    return Section(
        "To do it again",
        [
            Listing(code),
            Text(
                f"likely {__version__}, seed {study.seed}; it took {study.seconds:.1f} s. {_how_alike(study)}",
                small=True,
            ),
        ],
    )


def _how_alike(study: "Study") -> str:
    """Whether the same figures come again."""
    same = "The same table, options and version give the same figures"
    if study.arguments.get("time_limit") is None:
        return f"{same}."
    return (
        f"{same} only as far as the time limit lets the same models be tried, which depends on how fast the machine is "
        "and what else it does: without a limit they are always the same."
    )


def _command(study: "Study", given: dict[str, Any]) -> str:
    """The command that does the same."""
    words = ["likely", "study", study.looked.source or "-", "--target", study.target]
    for name, value in given.items():
        option = f"--{_OPTIONS.get(name, name).replace('_', '-')}"
        if name == "yardsticks":
            words += ["--no-yardsticks"]
        elif value is True:
            words += [option]
        elif name == "reading":
            spelled = {way: [said] if isinstance(said, str) else said for way, said in value.items()}
            words += [word for way, all_said in spelled.items() for said in all_said for word in (f"--{way}", said)]
        elif name == "kinds":
            words += [word for column, kind in value.items() for word in ("--kind", f"{column}={kind}")]
        elif name in ("keep", "drop"):
            words += [word for column in value for word in (option, str(column))]
        elif name == "prior" and isinstance(value, dict):
            words += [option, ",".join(f"{c}={p:g}" for c, p in value.items())]
        else:
            words += [option, str(value)]
    return shlex.join(words)


def _is_given(name: str, value: object) -> bool:
    """Whether an argument was given, and is not what it would be anyway."""
    usual = {"seed": 0, "prefer": "simple", "yardsticks": True, "keep_best": False}
    return value is not None and value != usual.get(name) and not (isinstance(value, list | dict) and not value)


def missing_cells(count: int, rows: int) -> str:
    """How many cells are missing, and their share.

    >>> missing_cells(0, 344), missing_cells(11, 48_842), missing_cells(11, 344)
    ('0', '11 (under 0.1 %)', '11 (3.2 %)')
    """
    return f"{count:,} ({percentage(count, rows)})" if count else "0"
