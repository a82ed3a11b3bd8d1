"""Sections of a report about the table: what more rows would bring, and what its columns say twice."""

from typing import TYPE_CHECKING, Any

import numpy as np

from likely.data.printing.wording import counted
from likely.evaluation.audit.rows import TOO_SURE
from likely.evaluation.measures.thresholds import threshold_table as thresholds
from likely.evaluation.resampling.learning_curve import LearningCurve
from likely.figures.curves.learning_curve import LearningCurveDisplay
from likely.intervals.estimate import Estimate
from likely.reports.choosing.choice import POOL
from likely.reports.choosing.contest import BASELINE
from likely.reports.rendering.document import Block, Picture, Section, Table, Text
from likely.reports.rendering.first_screen.answer import model_before
from likely.reports.rendering.first_screen.first_figures import judged
from likely.reports.rendering.first_screen.shown_figures import off_by
from likely.reports.rendering.first_screen.which_rows import (
    of_the_same,
    of_which_rows,
)

if TYPE_CHECKING:
    from likely.reports.study import Study


def more_rows(study: "Study") -> Section:
    """The learning curve: whether more rows would help."""
    found = study.growth
    title = "Would more rows help?"
    if found is None:
        return Section(title, [Text(f"This is not known: {study.no_growth}.")])
    words = f" {_growth_in_words(found)}" if len(found.sizes) > 1 else ""
    learner = model_before(study)
    rows = [[f"{size:,}", figure.short()] for size, figure in zip(found.sizes, found.estimates, strict=True)]
    return Section(
        title,
        [
            Text(f"{learner[0].upper()}{learner[1:]} learned from fewer rows and was judged on others.{words}"),
            Picture(
                lambda ax: LearningCurveDisplay.from_curve(found, ax=ax),
                "Log-loss (smaller is better) against the number of rows learned, on withheld and on learned rows.",
                instead=Table(["rows learned", "log-loss on withheld rows"], rows, numbers=(0, 1)),
            ),
        ],
    )


def _growth_in_words(found: LearningCurve) -> str:
    """Whether the last step of a learning curve promises that another would help, on the splits that both sizes share.

    >>> from likely.evaluation.measures.criteria import criterion
    >>> scores = np.array([[0.60, 0.50], [0.61, 0.52], [0.58, 0.49]])
    >>> print(_growth_in_words(LearningCurve(criterion("log_loss"), (100, 200), scores, scores, 90, 300)))
    From 100 to 200 rows the log-loss changed by -0.093 [-0.115, -0.072] nats: more rows are likely to help.
    """
    change, matters = found.changes[-1], max(0.01, 0.02 * found.estimates[-1].value)
    told = f"From {found.sizes[-2]:,} to {found.sizes[-1]:,} rows the log-loss changed by"
    if len(found.scores) < 2:
        return f"{told} {change.value:.3f} nats in the one split that was tried: luck may have a part in it."
    told = f"{told} {change.short()} nats"
    if change.high < 0 and change.value < -matters:
        return f"{told}: more rows are likely to help."
    if change.low > -matters:
        return f"{told}: more rows would add little."
    return f"{told}: more rows may help, which so few splits leave open."


def later_rows(study: "Study") -> Section:
    """How the model kept did on rows that were set aside, or came later."""
    found = study.tested
    assert found is not None
    folds = study.evaluation.figures
    figures = [
        [name, figure.short(), folds[name].short() if name in folds else "-", figure.method]
        for name, figure in found.figures.items()
    ]
    rival = study.rival
    against = (
        "" if rival is None else f" {rival.entry.name}, the best rival over folds, {rival.words}{of_the_same(study)}."
    )
    return Section(
        "Rows set aside",
        [
            Text(
                f"{study.looked.parting.words[0].upper()}{study.looked.parting.words[1:]}. The model kept has learned "
                f"none of them. {of_which_rows(study)}{against} To let the model learn from all rows, study the table "
                f"again without {'time' if study.arguments.get('time') else 'split'}."
            ),
            Table(
                ["figure", "rows set aside", "over folds of the rows learned", "interval of the first"],
                figures,
                numbers=(1, 2),
                caption="The model kept on rows set aside, and over folds of those it learned",
            ),
        ],
    )


def double_counting(study: "Study") -> Section:
    """Columns that say the same within the class, and what calibration makes of it."""
    found = study.redundancy
    assert found is not None
    title = "Columns that say the same"
    blocks: list[Block] = [
        Text(
            f"Once the class is known, the {found.columns} columns share at least {found.bits:.2f} bits a row (total "
            "correlation within the class, by the best tree). A model that takes columns for independent counts these "
            "bits more than once, and is too sure by as much."
        )
    ]
    if study.choice.chosen == BASELINE:
        blocks.append(Text("The model kept, the majority, learns from no column, so that does nothing to it."))
    elif study.audit is not None and study.audit.says_nothing:
        blocks.append(Text(f"The evidence of {study.choice.chosen} says nothing here, so there is little to overdo."))
    elif (found_strength := _strength_told(study)) is not None:
        strength = in_words_of_strength(found_strength)
        if study.calibrated_by:
            told = f"Before calibration the evidence of {study.choice.chosen} is {strength}. "
            told += f"Calibration ({study.calibrated_by}) mends its probabilities, which are judged after it."
        elif found_strength.high < 1:
            told = f"What that does to {study.choice.chosen}: its evidence is {strength}."
        else:
            told = f"The model kept is not misled by it: its evidence is {strength}."
        if study.tested is not None:
            off = off_by(judged(study).calibration_error.debiased)
            told += f" That is of the rows learned; of the rows set aside its probabilities are off by {off}."
        blocks.append(Text(told))
    rows = [[pair.first, pair.second, f"{pair.bits:.2f}"] for pair in found.strong[:10]]
    if rows:
        blocks.append(
            Table(
                ["column", "column", "bits shared"], rows, numbers=(2,), caption="Pairs that share most, in the class"
            )
        )
    return Section(title, blocks)


def _strength_told(study: "Study") -> Estimate | None:
    """How strong the evidence is; None: not known, or not shown to be off in a model that learns how strong it is."""
    found = None if study.audit is None else study.audit.strength
    if found is None or not np.isfinite(found.value):
        return None
    learned = study.calibrated_by is not None or study.choice.chosen == POOL
    return None if learned and found.low <= 1 <= found.high else found


def in_words_of_strength(strength: Estimate) -> str:
    """Whether evidence is as strong as it should be, by the power that makes it so and by its interval.

    >>> print(in_words_of_strength(Estimate(2.0, 1.6, 2.5, 0.95, "likelihood", 100)))
    too careful: it would be honest when multiplied by 2.0 [1.6, 2.5]
    >>> print(in_words_of_strength(Estimate(0.5, 0.4, 0.625, 0.95, "likelihood", 100)))
    too sure: it is honest when divided by 2.0 [1.6, 2.5]
    >>> print(in_words_of_strength(Estimate(1.0, 0.8, 1.25, 0.95, "likelihood", 100)))
    about as strong as it should be (honest when multiplied by 1.00 [0.80, 1.25])
    >>> print(in_words_of_strength(Estimate(1.42, 1.19, 1.68, 0.95, "likelihood", 100)))
    somewhat too careful: it would be honest when multiplied by 1.42 [1.19, 1.68]
    >>> print(in_words_of_strength(Estimate(0.8, 0.64, 0.9, 0.95, "likelihood", 100)))
    somewhat too sure: it is honest when divided by 1.25 [1.11, 1.56]
    >>> print(in_words_of_strength(Estimate(2.0, 0.5, 8.0, 0.95, "likelihood", 100)))
    not shown to be too sure or too careful: honest when multiplied by 2.00 [0.50, 8.00]
    """
    much = not 1 / TOO_SURE < strength.value < TOO_SURE
    if strength.low <= 1 <= strength.high:
        told = "not shown to be too sure or too careful: honest" if much else "about as strong as it should be (honest"
        return f"{told} when multiplied by {strength.short(2)}{'' if much else ')'}"
    digits, some = (1, "") if much else (2, "somewhat ")
    if strength.value > 1:
        return f"{some}too careful: it would be honest when multiplied by {strength.short(digits)}"
    ends = (f"{1 / end:,.{digits}f}" for end in (strength.value, strength.high, strength.low))
    return "{}too sure: it is honest when divided by {} [{}, {}]".format(some, *ends)


def threshold_table(study: "Study") -> Table:
    """What each threshold on the probability of the positive class finds and lets through."""
    found = judged(study)
    where = "out of fold" if study.tested is None else "of the rows set aside"
    taken = "" if found.said.groups is None else "; intervals take rows one by one, those of the figures count groups"
    rows = [
        [
            f"{row['threshold']:g}",
            f"{100 * row['called']:.1f} %",
            *(_with_ends(row, name) for name in ("recall", "precision", "wrong")),
            *([f"{row['cost']:.3g} [{row['cost_low']:.3g}, {row['cost_high']:.3g}]"] if "cost" in row else []),
        ]
        for row in thresholds(found).to_dicts()
    ]
    return Table(
        [
            f"called {found.positive} from",
            "rows called",
            "found of them (recall)",
            "right of called (precision)",
            "wrong in all",
            *(["cost of a row"] if rows and len(rows[0]) > 5 else []),
        ],
        rows,
        numbers=(0, 1, 2, 3, 4, 5),
        caption=f"What a threshold on the probability of {found.positive} does, {where}{taken}",
    )


def ties_at_a_half(study: "Study") -> list[Text]:
    """Rows of which both classes are equally probable: the table calls them, the answers may not; nothing: none."""
    found = judged(study)
    p = found.said.posterior
    tied = 0 if p is None else int((p[:, 0] == p[:, 1]).sum())
    if not tied or study.setting.given or found.positive == found.classes[0]:
        return []
    rows = f"{counted(tied, 'row')} {'has' if tied == 1 else 'have'} a probability of exactly 0.5"
    answer = found.classes[0]
    return [
        Text(f"{rows}: from 0.5 on they are called {found.positive} here, and answered {answer} above.", small=True)
    ]


def _with_ends(row: dict[str, Any], name: str) -> str:
    if row[name] is None:
        return "none called"
    return f"{100 * row[name]:.1f} % [{100 * row[f'{name}_low']:.1f}, {100 * row[f'{name}_high']:.1f}]"
