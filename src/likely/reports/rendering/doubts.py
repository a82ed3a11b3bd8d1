"""What could make the figures of a report wrong, for this very table."""

from typing import TYPE_CHECKING

from likely.evaluation.audit.rows import TOO_SURE
from likely.reports.choosing.contest import BASELINE
from likely.reports.copies import Copies
from likely.reports.rendering.first_screen.answer import (
    WIDE,
    not_calibrated,
    repeats_an_earlier_one,
    small_classes,
)
from likely.reports.rendering.first_screen.first_figures import far_from_folds, right, right_over_folds
from likely.reports.rendering.first_screen.shown_figures import (
    off_by,
    percent,
)
from likely.reports.rendering.first_screen.which_rows import (
    of_which_rows,
    units,
)

if TYPE_CHECKING:
    from likely.reports.study import Study


def distrust(study: "Study") -> tuple[str, ...]:
    """What could make the figures wrong, for this table."""
    doubts = [*study.findings.notes]
    doubts += [f"Column {c.name}: {c.words}" for c in study.findings.columns if c.words and c.used]
    if study.looked.alone:
        names = ", ".join(map(str, study.looked.alone))
        doubts.append(f"Classes with a single row cannot be learned and tested, and were set aside: {names}.")
    if study.tested is not None:
        doubts.append(_of_set_aside(study))
    accuracy = right(study)
    if accuracy.width > WIDE:
        doubts.append(f"{units(study)} leave open how often it is right: {percent(accuracy)}.")
    if small := small_classes(study):
        more = f" and {len(small) - 10} more" if len(small) > 10 else ""
        doubts.append(f"Figures of small classes are uncertain: {', '.join(small[:10])}{more}.")
    if study.choice.optimism > 0:
        count = sum(entry.judged and not entry.yardstick for entry in study.entries)
        doubts.append(
            f"The model was chosen among {count}, the majority one of them, by the same folds that judge it, which "
            f"flatters its log-loss by {_little(study.choice.optimism)} nats, found by drawing the rows anew."
        )
    if not study.setting.given and study.choice.chosen != BASELINE:  # which says one class of every row anyway
        doubts += [f"{note[0].upper()}{note[1:]}." for note in study.evaluation.notes]
    if lacking := not_calibrated(study):
        doubts.append(f"{lacking}. With more time the choice may be another.")
    if study.redundancy is not None and (strong := study.redundancy.strong):
        named = "; ".join(f"{pair.first} and {pair.second} ({pair.bits:.1f} bits)" for pair in strong[:3])
        doubts.append(
            f"Columns repeat each other: within a class they share at least {study.redundancy.bits:.1f} bits, most of "
            f"all {named}. {_double(study)}"
        )
    if study.copies is not None and study.copies.repeated:
        doubts.append(_alike(study, study.copies))
    if missed := not_judged(study):
        doubts.append(missed)
    doubts.append(_like_these(study))
    return tuple(doubts)


def not_judged(study: "Study") -> str:
    """Which models were not judged, and why; empty: none."""
    missed: dict[str, list[str]] = {}
    for entry in study.entries:
        if not entry.judged:
            missed.setdefault(entry.left_out, []).append(entry.name)
    told = "; ".join(f"{', '.join(names)} ({why})" for why, names in missed.items())
    return f"Not judged: {told}." if missed else ""


def _alike(study: "Study", found: Copies) -> str:
    """What rows that are alike do to the figures."""
    assert study.audit is not None
    told = repeats_an_earlier_one(study.audit)
    if found.named is not None and (found.named < found.repeated or study.data.groups is not None):
        same = f"{told} in the columns learned, {found.named:,} of them under the same {found.name}"
        kept = ", which no fold takes apart" if study.data.groups is not None else ""
        return f"{same}{kept}: the others are alike, not copies."
    if found.named is None and found.by_chance >= 0.5:
        told += f", and {found.by_chance:,.0f} would if the cells of each column were shuffled within the classes"
        if not found.copies:
            return f"{told}: they are alike by chance, not copies."
    return f"{told}; a copy in another fold flatters the figures."


def _of_set_aside(study: "Study") -> str:
    """How rows set aside do beside folds."""
    assert study.tested is not None
    n, there, over = study.tested.n, percent(right(study)), percent(right_over_folds(study))
    off, its = (off_by(found.calibration_error.debiased) for found in (study.tested, study.evaluation))
    told = (
        f"Of the {n:,} rows set aside it is right for {there}, over folds of the rows learned for {over}; its "
        f"probabilities are off by {off} there, over folds by {its}"
    )
    if far_from_folds(study):
        return f"{told}. The rows set aside are not like those learned: do not expect of new rows what folds promise."
    return f"{told}."


def _like_these(study: "Study") -> str:
    """Of which rows the figures are, and what was allowed for."""
    groups, time = study.arguments.get("groups"), study.arguments.get("time")
    if groups is not None:
        return (
            f"All figures are about other values of {groups}, drawn like those of the table. If the model is used "
            "elsewhere or later, expect less."
        )
    together = "If rows belong together (the same patient, the same day)"
    if time is not None:
        return f"{of_which_rows(study)} {together} or the model is used elsewhere, expect less."
    return (
        f"All figures hold for rows drawn like those of the table. {together} or the model is used elsewhere or later, "
        "expect less."
    )


def _little(amount: float) -> str:
    """At most so much; what three digits do not show is less than their last.

    >>> _little(0.0042), _little(0.0002)
    ('up to about 0.004', 'less than 0.001')
    """
    return f"up to about {amount:.3f}" if amount >= 0.0005 else "less than 0.001"


def _double(study: "Study") -> str:
    """What columns that repeat each other do to the model kept."""
    if study.audit is not None and study.audit.exaggeration < TOO_SURE:
        return "That does not make the model kept too sure, but what it says of single columns is less certain."
    return "A model that takes them for independent counts that evidence more than once."
