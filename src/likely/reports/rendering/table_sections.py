"""Sections of a report about the table: what more rows would bring, and what its columns say twice."""

from typing import TYPE_CHECKING, Any

import numpy as np

from likely.data.printing.wording import counted
from likely.evaluation.audit.rows import TOO_SURE
from likely.evaluation.measures.thresholds import threshold_table as thresholds
from likely.evaluation.resampling.learning_curve import LearningCurve
from likely.figures.curves.learning_curve import LearningCurveDisplay
from likely.reports.rendering.answer import model_before
from likely.reports.rendering.document import Block, Picture, Section, Table, Text

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
    figures = [[name, str(figure)] for name, figure in found.figures.items()]
    return Section(
        "Rows set aside",
        [
            Text(
                f"{study.looked.parting.words[0].upper()}{study.looked.parting.words[1:]}. The model kept has learned "
                "none of them; fit again on all rows if they are to count."
            ),
            Table(["figure", "value, interval, method"], figures, caption="The model kept on rows set aside"),
        ],
    )


def double_counting(study: "Study") -> Section:
    """Columns that say the same within the class, and what calibration makes of it."""
    found = study.redundancy
    title = "Columns that say the same"
    if found is None or found.columns < 2:
        return Section(title, [Text("There are no two columns to hold against each other.")])
    blocks: list[Block] = [
        Text(
            f"Once the class is known, the {found.columns} columns share at least {found.bits:.2f} bits a row (total "
            "correlation within the class, by the best tree). A model that takes columns for independent counts these "
            "bits more than once, and is too sure by as much."
        )
    ]
    if study.audit is not None and np.isfinite(study.audit.temperature):
        how = f"{study.audit.temperature:.2f}"
        after = f" Calibration ({study.calibrated_by}) mends its probabilities." if study.calibrated_by else ""
        blocks.append(
            Text(
                f"What that does to {study.choice.chosen}: its evidence is honest when divided by {how}.{after}"
                if study.audit.temperature >= TOO_SURE
                else f"The model kept is not misled by it: {_as_it_is(study.audit.temperature)}."
            )
        )
    rows = [[pair.first, pair.second, f"{pair.bits:.2f}"] for pair in found.strong[:10]]
    if rows:
        blocks.append(
            Table(
                ["column", "column", "bits shared"], rows, numbers=(2,), caption="Pairs that share most, in the class"
            )
        )
    return Section(title, blocks)


def _as_it_is(temperature: float) -> str:
    """What is said of evidence that is not too strong.

    >>> print(_as_it_is(0.5))
    it is too careful rather than too sure (its evidence would be honest when multiplied by 2.0)
    """
    if temperature > 1 / TOO_SURE:
        return "its evidence is about as strong as it should be"
    times = f"when multiplied by {1 / temperature:.1f}" if temperature > 0.1 else "when far larger"
    return f"it is too careful rather than too sure (its evidence would be honest {times})"


def threshold_table(study: "Study") -> Table:
    """What each threshold on the probability of the positive class finds and lets through."""
    judged = study.evaluation
    rows = [
        [
            f"{row['threshold']:g}",
            f"{100 * row['called']:.1f} %",
            *(_with_ends(row, name) for name in ("recall", "precision", "wrong")),
        ]
        for row in thresholds(judged).to_dicts()
    ]
    return Table(
        [
            f"called {judged.positive} from",
            "rows called",
            "found of them (recall)",
            "right of called (precision)",
            "wrong in all",
        ],
        rows,
        numbers=(0, 1, 2, 3, 4),
        caption=f"What a threshold on the probability of {judged.positive} does, out of fold",
    )


def ties_at_a_half(study: "Study") -> list[Text]:
    """Rows of which both classes are equally probable: the table calls them, the answers may not; nothing: none."""
    judged = study.evaluation
    log_p = judged.said.log_posterior
    tied = 0 if log_p is None else int((log_p[:, 0] == log_p[:, 1]).sum())
    if not tied or study.setting.given or judged.positive == judged.classes[0]:
        return []
    rows = f"{counted(tied, 'row')} {'has' if tied == 1 else 'have'} a probability of exactly 0.5"
    answer = judged.classes[0]
    return [
        Text(f"{rows}: from 0.5 on they are called {judged.positive} here, and answered {answer} above.", small=True)
    ]


def _with_ends(row: dict[str, Any], name: str) -> str:
    if row[name] is None:
        return "none called"
    return f"{100 * row[name]:.1f} % [{100 * row[f'{name}_low']:.1f}, {100 * row[f'{name}_high']:.1f}]"
