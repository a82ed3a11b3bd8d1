"""How the figures of the answer were found: folds, intervals, and on which rows rivals are judged."""

from typing import TYPE_CHECKING

from likely.reports.judging import price_of
from likely.reports.rendering.first_screen.answer import called_for
from likely.reports.rendering.first_screen.first_figures import judged, right

if TYPE_CHECKING:
    from likely.reports.study import Study


def footnotes(study: "Study") -> tuple[str, ...]:
    """How the figures of the answer were found."""
    accuracy, error = right(study), judged(study).calibration_error.debiased
    spread = "" if study.setting.given else study.result.spread_in_words("accuracy")
    result = study.result
    repeats = "" if result.repeats == 1 else f", {result.repeats} times"
    how = (
        f"How often right: {result.n_folds}-fold cross-validation{repeats}, each row judged by a model that had not "
        f"seen it; 95 % interval: {accuracy.method}, n={accuracy.n:,.0f}{f'; {spread}' if spread else ''}."
    )
    if study.tested is not None:
        how = (
            f"How often right, and off by: of the {study.tested.n:,} rows set aside, which were not learned; 95 % "
            f"interval: {accuracy.method}. What was chosen was chosen by {result.n_folds}-fold "
            f"cross-validation{repeats} of the others."
        )
    return (
        how,
        f"{_how_rivals(study)} Log-loss is the mean of -ln of the probability given to what came true, in nats: "
        "smaller is better.",
        f"Off by: the mean distance between what was said and what came true, in 15 groups of equal size, less what "
        f"chance adds (debiased calibration error; interval: {error.method}).",
    )


def _how_rivals(study: "Study") -> str:
    """On which rows rivals are judged, and by what."""
    where = (
        "Rivals are judged on the same folds; differences have intervals corrected for the rows that folds share "
        "(corrected resampled t), and no narrower than the rows leave them."
    )
    if study.tested is not None:
        where = (
            "The rival that was best over folds was asked about the same rows set aside; differences have intervals of "
            "the rows, pair by pair."
            if study.rival_aside is not None
            else "There was no time to ask a rival about the rows set aside: it is compared over folds of the others."
        )
    if price_of(study.setting) is not None:
        return f"{where} Both decide as {called_for(study)}; a hundredth of the cost counts as a difference."
    return f"{where} More than 1 point or 0.01 nats counts as a difference that matters."
