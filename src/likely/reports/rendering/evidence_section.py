"""What the model kept has learned, and what that says of rows: telling columns and words, densities, examples."""

from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from likely.data.printing.wording import counted, shortened
from likely.decisions.pooling import Pool
from likely.figures.classes.densities import ClassDensitiesDisplay
from likely.figures.drawing.canvas import Axes
from likely.figures.explaining.evidence import EvidenceDisplay, bits_text
from likely.figures.explaining.telling_terms import TellingTermsDisplay
from likely.models.traits.evidence import BEYOND, CALIBRATION, NEARLY
from likely.reports.rendering.document import Block, Heading, Picture, Pictures, Section, Table, Text
from likely.reports.rendering.first_screen.shown_figures import times
from likely.reports.rendering.illustrations import (
    Example,
    cell_text,
    chance,
    counter_of_words,
    examples,
    family_of,
    powers,
    row_name,
    telling_features,
    telling_words,
    weighed_rows,
)

if TYPE_CHECKING:
    from likely.reports.study import Study

_DRAWN_CLASSES = 12  # classes whose telling words are drawn one by one
_DENSITIES = 4  # columns of which densities are drawn


def evidence(study: "Study") -> Section:
    """What it learned, and what that says of single rows."""
    telling = telling_features(study)
    if not telling:
        return Section("The evidence", [Text("The model kept does not say what each column contributes.")])
    rows = [[one.name, one.size.short(2), one.towards.short(2)] for one in telling]
    drawn = [_density(study, name) for name, *_ in telling if study.facts.kinds.get(name) not in (None, "text")][
        :_DENSITIES
    ]
    picked = [example for example in examples(study) if example.evidence is not None]
    return Section(
        "The evidence",
        [
            Text(
                "The most telling columns: those whose bits are largest, for or against the predicted class, mean over "
                f"{_weighed(study)} with its 95 % interval; beside it the mean of the bits for that class, in which "
                "those against cancel. Bits are those of the model kept, as it predicts: with those of the prior they "
                f"sum to the log odds of its probability{_after(study)}. {_of_the_prior(study)}"
                f"{_left_over(picked, _members(study))}"
            ),
            Table(
                ["column", "size of its bits", "bits for the predicted class"],
                rows,
                numbers=(1, 2),
                caption="The most telling columns",
            ),
            *([Pictures(drawn)] if drawn else []),
            *_words(study),
            Heading("Typical and doubtful rows"),
            Pictures([_example(study, example) for example in picked]),
        ],
    )


def _weighed(study: "Study") -> str:
    """Over which rows bits are averaged."""
    some, rows = len(weighed_rows(study)), len(study.data.codes)
    return "the rows" if some == rows else f"{some:,} of the {rows:,} rows, evenly spread over the table,"


def _of_the_prior(study: "Study") -> str:
    """What the first term of the evidence is."""
    setting, start = study.setting, ""
    prior = setting.training_prior if setting.prior is None else setting.prior
    if len(prior) == 2 and prior.min() > 0:
        place = int(prior.argmax())
        start = (
            f", which alone would be {np.log2(prior[place] / prior[1 - place]):+z.1f} bits for {setting.classes[place]}"
        )
    return (
        f"Prior, in the pictures, is where the sum begins, before any column speaks: the shares of the classes{start}, "
        "and with them what the model and its calibration add to every row alike, so that it may point to the "
        "rarer class."
    )


def _members(study: "Study") -> list[str]:
    return list(study.inner.heard()) if isinstance(study.inner, Pool) else []


def _left_over(picked: list[Example], members: Iterable[str]) -> str:
    """What the terms that are no columns are, where there are some."""
    named = {name for example in picked for name in example.evidence.names}
    told = {
        CALIBRATION: "what calibration adds or takes beyond one slope and an offset",
        BEYOND: "what the members of the pool say together that belongs to no column",
    }
    shown = "".join(f" {name} is {words}." for name, words in told.items() if name in named)
    whole = [name for name in members if f"({name})" in named]
    if whole:
        shown += (
            f" A model in brackets, such as ({whole[0]}), is a member of the pool that speaks for no single column."
        )
    return shown


def _after(study: "Study") -> str:
    """What became of the probability after the columns had spoken."""
    told = [f"calibration ({study.calibrated_by})"] if study.calibrated_by else []
    told += ["the prior given"] if study.setting.prior is not None else []
    return f", after {' and '.join(told)}" if told else ""


def _words(study: "Study") -> list[Block]:
    """The telling words of each class."""
    found = telling_words(study)
    if not found:
        return []
    many = len({column for column, _ in found}) > 1
    drawn = study.result.classes.tolist()[:_DRAWN_CLASSES]
    pictures, rows = [], []
    for (column, label), terms in found.items():
        if label in drawn and terms:
            pictures.append(_telling(label, terms, column if many else None))
        else:
            words = ", ".join(f"{shortened(term.word)} ({times(term.bits)})" for term in terms)
            rows.append([str(label), *([column] if many else []), words or "no word is more frequent here"])
    blocks: list[Block] = [
        Heading("Telling words"),
        Text(
            "The words of which it is surest that they are more frequent in the class than in all others together, by "
            f"{counter_of_words(study)[0]} fitted on all rows. Their intervals allow for having been picked from all "
            "words, and are wide where a word was never seen elsewhere."
        ),
        Pictures(pictures),
    ]
    if rows:
        head = ["class", *(["column"] if many else []), "words, and how many times as frequent they are there"]
        blocks += [
            Text(f"... and {counted(len({row[0] for row in rows}), 'more class', 'more classes')}:"),
            Table(head, rows),
        ]
    left = len(study.result.classes) - len({label for _, label in found})
    if left:
        blocks.append(
            Text(f"... and {counted(left, 'more class', 'more classes')}, of which no words are shown.", small=True)
        )
    return blocks


def _telling(label: Hashable, terms: list[Any], column: str | None) -> Picture:
    rows = []
    for term in terms:
        ends = f"{times(term.low)} to {times(term.high)}"
        held = term.documents, term.documents_elsewhere
        counts = [f"{float(f'{count:.6g}'):,}".removesuffix(".0") for count in held]
        rows.append([shortened(term.word), times(term.bits), ends, *counts])
    return Picture(
        lambda ax: TellingTermsDisplay(terms, str(label)).plot(ax),
        f"Words that tell {label} from the others" + ("." if column is None else f", in {column}."),
        height=4.2,
        instead=Table(
            ["word", "times as frequent", "95 % interval", "texts here", "texts elsewhere"], rows, numbers=(1, 3, 4)
        ),
    )


def _density(study: "Study", name: str) -> Picture:
    """A column within each class, by the densities of the model kept where it has them."""
    seen = family_of(study, name)
    if seen is None:
        return Picture(
            lambda ax: _rows_alone(study, name, ax),
            f"{name} within each class, as the rows have it: {_no_densities(study)}.",
        )
    family = seen if seen.islower() else study.choice.chosen
    return Picture(
        lambda ax: _as_kept(study, name, seen, ax), f"{name} within each class, as the model kept sees it ({family})."
    )


def _no_densities(study: "Study") -> str:
    if powers(study):
        return f"{study.choice.chosen} takes what densities say to a power, and so has none to draw"
    return f"{study.choice.chosen} has no densities of its own"


def _rows_alone(study: "Study", name: str, ax: Axes) -> None:
    values, kind = study.data.X[name], study.facts.kinds[name]
    ClassDensitiesDisplay.from_values(values, study.data.y, kind=kind, families=None, name=name, ax=ax)


def _as_kept(study: "Study", name: str, seen: str, ax: Axes) -> None:
    """By the model itself; one in which gaps are evidence has a column's density in a model of that column alone."""
    if getattr(study.inner, "missing", "ignore") == "ignore":
        ClassDensitiesDisplay.from_estimator(study.inner, study.data.X, study.data.y, name, ax=ax)
    else:
        ClassDensitiesDisplay.from_values(study.data.X[name], study.data.y, kind=seen, name=name, ax=ax)


def _example(study: "Study", example: Example) -> Picture:
    name = "".join(f" ({cell_text(value)})" for value in row_name(study, example.row).values())
    before, probability = example.out_of_fold
    said = f"The model says {example.said}"
    if example.left:
        said = f"The model leaves it unanswered; what would cost least to say is {example.said},"
    elif study.setting.costs is not None:
        said = f"What costs least to say is {example.said},"
    row = study.looked.rows[example.row]
    caption = (
        f"{example.what[0].upper()}{example.what[1:]}: row {row}{name}, truth {example.truth}. {said} "
        f"with probability {chance(example.probability)}; out of fold {before} with {chance(probability)}."
    )
    words = f"{caption} Evidence: {_strongest(example.evidence)}."
    return Picture(
        lambda ax: EvidenceDisplay.from_evidence(example.evidence, ax=ax, top=8),
        caption,
        height=3.4,
        instead=Text(words),
    )


def _strongest(evidence: Any) -> str:
    order = np.argsort(-np.abs(evidence.bits[0]), kind="stable")
    parts = [f"{evidence.names[j]} {bits_text(evidence.bits[0, j])}" for j in order[:5]]
    rest = order[5:]
    parts += [f"{len(rest)} more {bits_text(evidence.bits[0, rest].sum())}"] if len(rest) else []
    nearly = NEARLY if evidence.approximate is not None and evidence.approximate[0] else ""
    return (
        f"prior {bits_text(evidence.prior[0])}, {', '.join(parts)}: {evidence.log2_odds[0]:+z.1f} bits in all for "
        f"{evidence.classes[0]}{nearly}"
    )
