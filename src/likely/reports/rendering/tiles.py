"""The first screen of a report, for the person who decides: five questions, each with one figure and one sentence.

how often is it right?                  the share of rows that it had not seen
is that better than guessing?           always saying the commonest class
does something else do better?          the best of the other models, on the same folds
can its probabilities be trusted?       how far they are from what came true
what is the biggest worry?              the first that holds of a list, the gravest first
"""

from math import isfinite
from typing import TYPE_CHECKING, Any

from likely.data.printing.wording import counted
from likely.intervals.estimate import Estimate
from likely.reports.choosing.contest import BASELINE
from likely.reports.rendering.answer import (
    accuracy_of,
    beats_majority,
    in_points,
    leaking_columns,
    majority_class,
    off_by,
    right_more_often,
    small_classes,
)
from likely.reports.rendering.document import Picture, Tile
from likely.reports.rendering.rivals import best_rival

if TYPE_CHECKING:
    from likely.reports.study import Study

_TRUSTED, _DOUBTED = 0.03, 0.08  # calibration error below which probabilities are good, and above which they are not
_WIDE = 0.10  # an interval of accuracy of this width says little
_REPEATED = 0.02  # share of rows that repeat another
_SHARED = 1.0  # bits that two columns share within a class


def tiles(study: "Study") -> tuple[Tile, ...]:
    """The five tiles."""
    return _right(study), _guessing(study), _rival(study), _trust(study), _worry(study)


def answer_picture(study: "Study") -> Picture:
    """How often the model kept is right, beside guessing and the best rival."""
    bars = [("always " + str(majority_class(study)), accuracy_of(_entry(study, BASELINE)), "guess")]
    if study.choice.chosen != BASELINE:
        bars.append((study.choice.chosen, accuracy_of(study.chosen), "kept"))
    if (rival := best_rival(study)) is not None:
        bars.append((rival.entry.name, accuracy_of(rival.entry), "rival"))
    told = "; ".join(f"{name} {_share(figure)}" for name, figure, _ in bars)
    return Picture(
        lambda ax: _draw(ax, bars),
        f"Of 100 rows that it has not seen, how many each gets right, with 95 % intervals: {told}.",
        width=4.6,
        height=0.8 + 0.5 * len(bars),
    )


def _draw(ax: Any, bars: list[tuple[str, Estimate, str]]) -> None:
    from likely.figures.drawing.canvas import COLOURS, INK, MUTED, canvas

    canvas(ax)
    shades = {"guess": MUTED, "kept": COLOURS[0], "rival": COLOURS[5]}
    for place, (_, figure, role) in enumerate(reversed(bars)):
        ax.barh(place, 100 * figure.value, color=shades[role], height=0.62)
        ax.plot([100 * figure.low, 100 * figure.high], [place, place], color=INK, lw=1.4)
        ax.text(2, place, f"{100 * figure.value:.1f}", va="center", color="#ffffff", fontsize=10)
    ax.set_yticks(range(len(bars)), [_wrapped(name) for name, _, _ in reversed(bars)])
    ax.set_xlim(0, 100)
    ax.set_xlabel("right, of 100 rows")


def _wrapped(name: str) -> str:
    import textwrap

    return "\n".join(textwrap.wrap(name, 18)[:3]).replace("$", r"\$")


def _right(study: "Study") -> Tile:
    if study.evaluation.confusion.rejected.any():
        answered, right = study.evaluation.confusion.coverage, study.evaluation.confusion.selective_accuracy
        left = f"{_share(answered)} of the rows are answered, the others left to somebody else"
        return Tile("How often right?", _share(right), f"of the rows that it answers. {left}.")
    if study.tested is not None:
        tested = study.tested.accuracy
        words = f"of {study.tested.n:,} rows that were set aside or came later ({_ends(tested)})."
        return Tile("How often right?", _share(tested), words, "good" if _is_useful(study) else "bad")
    accuracy = accuracy_of(study.chosen) if not study.setting.given else study.evaluation.accuracy
    tone = "good" if study.choice.chosen != BASELINE and _is_useful(study) else "bad"
    return Tile("How often right?", _share(accuracy), f"of rows it has not seen ({_ends(accuracy)}).", tone)


def _guessing(study: "Study") -> Tile:
    guess = accuracy_of(_entry(study, BASELINE))
    name = majority_class(study)
    words = f"would be right by always saying {name}."
    if study.choice.chosen == BASELINE:
        return Tile("Better than guessing?", "No", f"{_share(guess)} {words} No model does better.", "bad")
    if not _is_useful(study):
        return Tile("Better than guessing?", "Not shown", f"{_share(guess)} {words}", "bad")
    gain = 100 * (accuracy_of(study.chosen).value - guess.value)
    if gain < 0.05 or not right_more_often(study):
        return Tile(
            "Better than guessing?",
            "In its probabilities",
            f"Right about as often as always saying {name} ({_share(guess)}), but it knows better when it is sure.",
            "fair",
        )
    return Tile("Better than guessing?", f"+{gain:.1f} points", f"{_share(guess)} {words}", "good")


def _rival(study: "Study") -> Tile:
    rival = best_rival(study)
    title = "Does something else do better?"
    if rival is None:
        return Tile(title, "Nothing else tried", "No other model could be judged.", "fair")
    name = rival.entry.name
    nats = f"log-loss {abs(rival.log_loss.value):.3f} {'smaller' if rival.log_loss.value > 0 else 'larger'}"
    apart = f"{name} is right {in_points(rival.accuracy.value)}, {nats}"
    if rival.wins:
        return Tile(title, "Yes", f"{apart}.", "bad")
    if rival.log_loss.high < 0:
        return Tile(title, "No", f"The next best, {apart}.", "good")
    return Tile(title, "Not clearly", f"{apart}: luck can explain that, or it is too little.", "good")


def _trust(study: "Study") -> Tile:
    error = study.evaluation.calibration_error.debiased
    title = "Can its probabilities be trusted?"
    if study.choice.chosen == BASELINE or not isfinite(error.high):
        return Tile(title, "No", "It says the same of every row.", "bad")
    words = f"On average they are off by {off_by(error)}."
    if error.high <= _TRUSTED:
        return Tile(title, "Yes", words, "good")
    if error.value <= _DOUBTED:
        return Tile(title, "Roughly", words, "fair")
    return Tile(title, "With care", words, "bad")


def _worry(study: "Study") -> Tile:
    title = "Biggest worry"
    for figure, words, tone in _worries(study):
        return Tile(title, figure, words, tone)
    return Tile(
        title,
        "Other rows",
        "The figures hold for rows drawn like these. Rows of the same person or day, or a later use, need a test of "
        "their own (--groups, --time).",
        "fair",
    )


def _worries(study: "Study") -> list[tuple[str, str, str]]:
    """What could make the answer wrong, the gravest first."""
    found = []
    if leaks := leaking_columns(study):
        names = " and ".join(leaks)
        found.append(("A column may give it away", f"Is {names} known before {study.target} is?", "bad"))
    if study.choice.chosen == BASELINE or not _is_useful(study):
        found.append(("No signal", "The columns are not shown to say anything about the answer.", "bad"))
    rival = best_rival(study)
    if rival is not None and rival.wins:
        found.append(("Something else wins", f"{rival.entry.name} does better on the same rows.", "bad"))
    against = 0 if study.audit is None else int(study.audit.contradictory.sum())
    if against > _REPEATED * study.facts.rows:
        found.append(("Contradictions", f"{against:,} rows have a twin with another {study.target}.", "bad"))
    if study.audit is not None and study.audit.duplicates.extra > _REPEATED * study.facts.rows:
        extra = counted(study.audit.duplicates.extra, "row")
        found.append(("Repeated rows", f"{extra} repeat an earlier one, so the figures may flatter.", "fair"))
    accuracy = study.result.estimate("accuracy")
    if accuracy.width > _WIDE:
        found.append(("Few rows", f"{study.facts.rows:,} rows leave it open: {_ends(accuracy)}.", "fair"))
    if small := small_classes(study):
        found.append(("Rare classes", f"Little can be said of {', '.join(small[:3])}.", "fair"))
    shared = study.redundancy
    if shared is not None and shared.pairs and shared.pairs[0].bits > _SHARED:
        one = shared.pairs[0]
        found.append(("Columns repeat each other", f"{one.first} and {one.second} say much the same.", "fair"))
    return found


def _is_useful(study: "Study") -> bool:
    return beats_majority(study) or right_more_often(study)


def _entry(study: "Study", name: str) -> Any:
    return next(entry for entry in study.entries if entry.name == name)


def _share(figure: Estimate) -> str:
    return f"{100 * figure.value:.1f} %"


def _ends(figure: Estimate) -> str:
    return f"95 % interval {100 * figure.low:.1f} to {100 * figure.high:.1f} %"
