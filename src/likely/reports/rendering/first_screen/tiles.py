"""The first screen of a report, for the person who decides: five questions, each with one figure and one sentence.

how often is it right?                  the share of rows that it had not seen
is that better than guessing?           always saying the commonest class
does something else do better?          the best of the other models, on the same folds
can its probabilities be trusted?       how far they are from what came true
what is the biggest worry?              the first that holds of a list, the gravest first
"""

from collections.abc import Hashable
from math import isfinite
from typing import TYPE_CHECKING

from likely.data.printing.wording import counted
from likely.figures.drawing.canvas import Axes
from likely.intervals.estimate import Estimate
from likely.reports.choosing.contest import BASELINE
from likely.reports.rendering.document import Picture, Tile
from likely.reports.rendering.first_screen.answer import (
    FEW,
    WIDE,
    hurried_past,
    in_time,
    is_useful,
    leaking_columns,
    small_classes,
    verdict,
)
from likely.reports.rendering.first_screen.first_figures import (
    Bar,
    bars,
    by_costs,
    commonest,
    far_from_folds,
    gain,
    guess,
    judged,
    mean_cost,
    never_found,
    plain_name,
    right,
    right_over_folds,
    saved,
    saves,
    some_left,
    without_model,
)
from likely.reports.rendering.first_screen.shown_figures import off_by
from likely.reports.rendering.first_screen.which_rows import (
    of_the_same,
    units,
)
from likely.reports.rendering.options import option

if TYPE_CHECKING:
    from likely.reports.study import Study

_TRUSTED, _DOUBTED = 0.03, 0.08  # calibration error below which probabilities are good, and above which they are not
_ALMOST_ALWAYS, _EASY = 0.995, 0.95  # right of the model kept, and of guessing, where that is hardly ever wrong
_REPEATED = 0.02  # share of rows that repeat another
_BESIDE = 1.18  # of the longest bar: room for a figure beside it
_SHARED = 1.0  # bits that two columns share within a class


def tiles(study: "Study") -> tuple[Tile, ...]:
    """The five tiles."""
    return _right(study), _guessing(study), _rival(study), _trust(study), _worry(study)


def answer_picture(study: "Study") -> Picture:
    """How often the model kept is right, or what its decisions cost, beside guessing and the best rival."""
    drawn, cost = bars(study), by_costs(study)
    told = "; ".join(f"{bar.name} {f'{bar.figure.value:.3f}' if cost else _share(bar.figure)}" for bar in drawn)
    rows = "rows that it answers" if some_left(study) else "rows that it has not seen"
    what = "What a decision costs on average" if cost else f"Of 100 {rows}, how many each gets right"
    return Picture(
        lambda ax: _draw(ax, drawn, cost),
        f"{what}, with 95 % intervals: {told}.",
        width=4.4,
        height=0.8 + 0.5 * len(drawn),
    )


def _draw(ax: Axes, drawn: list[Bar], cost: bool) -> None:
    from likely.figures.drawing.canvas import COLOURS, INK, MUTED, canvas

    canvas(ax)
    shades = {"guess": MUTED, "kept": COLOURS[0], "rival": COLOURS[5]}
    scale = 1.0 if cost else 100.0
    longest = max(1e-12, *(scale * bar.figure.high for bar in drawn)) if cost else 100.0
    for place, bar in enumerate(reversed(drawn)):
        figure = bar.figure
        ax.barh(place, scale * figure.value, color=shades[bar.role], height=0.62)
        ax.plot([scale * figure.low, scale * figure.high], [place, place], color=INK, lw=1.4)
        beyond = scale * max(figure.value, figure.high) + 0.02 * longest
        words = f"{figure.value:.3f}" if cost else f"{scale * figure.value:.1f}"
        ax.text(beyond, place, words, va="center", color=INK, fontsize=10)
    ax.set_yticks(range(len(drawn)), [_wrapped(bar.name) for bar in reversed(drawn)])
    ax.set_xlim(0, _BESIDE * longest)
    ax.set_xticks([tick for tick in ax.get_xticks() if 0 <= tick <= longest])
    ax.set_xlabel("cost of a row: less is better" if cost else "right, of 100 rows")


def _wrapped(name: str) -> str:
    import textwrap

    return "\n".join(textwrap.wrap(name, 18)[:3]).replace("$", r"\$")


def _right(study: "Study") -> Tile:
    title, figure = "How often right?", right(study)
    useful = "good" if study.choice.chosen != BASELINE and is_useful(study) else "bad"
    rows = (
        "rows it has not seen" if study.tested is None else f"{study.tested.n:,} rows that were set aside or came later"
    )
    if judged(study).confusion.rejected.any():
        left = f"{_share(judged(study).confusion.coverage)} of the rows are answered, the others left to somebody else"
        return Tile(title, _share(figure), f"of the rows that it answers ({_ends(figure)}). {left}.")
    if study.setting.costs is not None:
        return Tile(title, _share(figure), f"of {rows} ({_ends(figure)}), answering what costs least.", "fair")
    return Tile(title, _share(figure), f"of {rows} ({_ends(figure)}).", "bad" if far_from_folds(study) else useful)


def _guessing(study: "Study") -> Tile:
    title = "Better than guessing?"
    if by_costs(study):
        return _cheaper(study, title)
    among = " of the same rows" if some_left(study) or study.tested is not None else ""
    words = f"{_share(guess(study)[1])}{among} would be right by {commonest(study)}."
    if study.choice.chosen == BASELINE:
        return Tile(title, "Not shown", f"{words} No model is shown to do better.", "bad")
    more = gain(study)
    told = f"{words} Difference: {100 * more.value:+z.1f} points [{100 * more.low:+z.1f}, {100 * more.high:+z.1f}]."
    if not is_useful(study):
        return Tile(title, "Not shown", told, "bad")
    if more.low <= 0:
        less = "It is right less often" if more.value < 0 else "That it is right more often is not shown"
        sure = f"{less}, but its probabilities tell more than the classes' shares."
        return Tile(title, "In its probabilities", f"{told} {sure}", "fair")
    return Tile(title, f"{100 * more.value:+.1f} points", told, "good")


def _cheaper(study: "Study", title: str) -> Tile:
    """Against what costs least without a model: one answer for all rows, or none."""
    name, constant = without_model(study)
    cost = mean_cost(study)
    price = constant.short() if constant.width else f"{constant.value:g}"
    each = "A" if study.setting.costs is not None else "With 1 for a mistake, a"
    words = f"{each} decision costs {cost.short()}, {name} {price}."
    if cost.value >= constant.value:
        return Tile(title, "No", words, "bad")
    if not saves(study) and not is_useful(study):
        return Tile(title, "Not shown", f"{words} Luck can explain that.", "bad")
    less = saved(study)
    ends = f"{100 * less.low:.0f} to {100 * less.high:.0f} %"
    told = f"{100 * less.value:.0f} % cheaper"
    if not saves(study):
        return Tile(title, told, f"{words} That is {ends} cheaper, so luck can explain it.", "fair")
    return Tile(title, told, f"{words} That is {ends} cheaper, of the same rows.", "good")


def _rival(study: "Study") -> Tile:
    rival = study.rival
    title = "Does something else do better?"
    if rival is None:
        return Tile(title, "Nothing else tried", _untried(study), "fair")
    apart = f"{rival.words}{of_the_same(study)}"
    if rival.wins:
        return Tile(title, "Yes", f"{rival.entry.name} {apart}.", "bad")
    if rival.behind or not rival.ahead:
        return Tile(title, "No", f"The next best, {rival.entry.name}, {apart}{verdict(rival)}.", "good")
    return Tile(title, "Not clearly", f"{rival.entry.name} {apart}{verdict(rival)}.", "good")


def _untried(study: "Study") -> str:
    """Why there is no rival."""
    missed = [entry for entry in study.entries if not entry.judged]
    if not missed:
        return "There is no other model for such a table."
    reasons = list(dict.fromkeys(entry.left_out for entry in missed))
    why = f": {reasons[0]}" if len(reasons) == 1 else " (see What to distrust)"
    return f"{counted(len(missed), 'other model')} could not be judged{why}."


def _trust(study: "Study") -> Tile:
    error = judged(study).calibration_error.debiased
    title = "Can its probabilities be trusted?"
    if not isfinite(error.high):
        return Tile(title, "Not known", "These rows do not tell how far they are off.", "bad")
    alone = " (its interval takes rows one by one, not by groups)" if study.data.groups is not None else ""
    words = f"On average they are off by {off_by(error)}{alone}."
    if study.choice.chosen == BASELINE:  # the shares of the classes come true, whoever is asked about
        return Tile(
            title,
            "Only on average",
            f"{words} They are the same for every row, and say nothing of a single one.",
            "fair",
        )
    if error.high <= _TRUSTED:
        return Tile(title, "Yes", words, "good")
    if error.low > _DOUBTED:
        return Tile(title, "No", f"{words} Go by what it answers, not by how sure it is.", "bad")
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
        f"The figures hold for rows drawn like these. {_other_rows(study)}",
        "fair",
    )


def _other_rows(study: "Study") -> str:
    """Which other rows need a test of their own, and how to make it, where this study was none."""
    ways = {"groups": "rows of the same person or day", "time": "a later use"}
    lacking = {name: words for name, words in ways.items() if study.arguments.get(name) is None}
    if study.arguments.get("split") is not None:
        lacking.pop("time", None)  # either says which rows are set aside
    if not lacking:
        return "Use elsewhere needs a test of its own."
    named, asked = " and ".join(lacking.values()), ", ".join(option(study, name) for name in lacking)
    one = "needs a test of its own" if list(lacking) == ["time"] else "need a test of their own"
    return f"{named[0].upper()}{named[1:]} {one} ({asked})."


def _worries(study: "Study") -> list[tuple[str, str, str]]:
    """What could make the answer wrong, the gravest first."""
    found = []
    if leaks := leaking_columns(study):
        asked = in_time(study, leaks)
        what = "A column may give it away" if len(leaks) == 1 else "Columns may give it away"
        found.append((what, f"{asked[0].upper()}{asked[1:]}", "bad"))
    if far_from_folds(study) and study.tested is not None:
        over, there = _share(right_over_folds(study)), _share(study.tested.accuracy)
        told = f"{over} right over folds of the rows learned, {there} of those set aside."
        found.append(("Rows set aside do worse", f"{told} Expect the latter of new rows.", "bad"))
    if saves(study) and not is_useful(study):
        words = f"Decisions cost less than {without_model(study)[0]}, but by log-loss it is open whether it knows more"
        found.append(("Open in log-loss", f"{words} than the classes' shares.", "fair"))
    elif study.choice.chosen == BASELINE or not is_useful(study):
        area = _ranking(study)
        words = (
            f"It ranks rows better than chance (ROC area {area}), but neither its log-loss nor how often it is right"
        )
        if area:
            found.append(("Open in log-loss", f"{words} is shown to beat the classes' shares.", "fair"))
        else:
            found.append(("No signal", "The columns are not shown to say anything about the answer.", "bad"))
    rival = study.rival
    if rival is not None and rival.wins:
        found.append(("Something else wins", f"{rival.entry.name} does better on the same rows.", "bad"))
    if not leaks and (told := _almost_never_wrong(study)):
        found.append(("Almost never wrong", told, "fair"))
    against = 0 if study.copies is None else study.copies.contradictions
    if against > _REPEATED * study.facts.rows:
        told = f"{against:,} rows have a twin with another value of {study.target}{_beyond(study)}."
        found.append(("Contradictions", told, "bad"))
    if hurried := hurried_past(study):
        tried = sum(entry.judged and not entry.yardstick for entry in study.entries) - 1
        beside = sum(not entry.judged and entry.yardstick and "time" in entry.left_out for entry in study.entries)
        also = f" and {counted(beside, 'yardstick')}" if beside else ""
        told = f"{counted(len(hurried), 'model')}{also} had no time to be judged, beside {tried:,} that had."
        found.append(("Not all were tried", f"{told} Another may do better: give more time.", "bad"))
    return found + [worry for _, worry in sorted(_at_stake(study), key=lambda one: -one[0])]


def _ranking(study: "Study") -> str:
    """The ROC area of the model kept, where it is shown to be more than chance: 0.5."""
    if study.choice.chosen == BASELINE:
        return ""
    area = judged(study).roc_area()
    return area.short() if area.defined and area.low > 0.5 else ""


def _at_stake(study: "Study") -> list[tuple[float, tuple[str, str, str]]]:
    """What leaves figures open, each with the share by which it may move them: of all rows, or of the mean recall."""
    found = []
    repeated = 0 if study.copies is None or study.data.groups is not None else study.copies.copies
    if repeated > _REPEATED * study.facts.rows:
        told = f"{counted(repeated, 'row')} repeat an earlier one{_beyond(study)}, so the figures may flatter."
        found.append((repeated / study.facts.rows, ("Repeated rows", told, "fair")))
    if missed := never_found(study):
        rows, largest = sum(n for _, n in missed), missed[0]
        told = f"{plain_name(largest[0])} ({counted(largest[1], 'row')})"
        if len(missed) == 1:
            words = "A class is never found", f"None of the rows of {told} is called so."
        else:
            words = "Classes are never found", f"{len(missed)} of {len(judged(study).classes)}, the largest {told}."
        found.append((rows / judged(study).n, (*words, "fair")))
    accuracy = right(study)
    if accuracy.width > WIDE:
        few = "Few rows" if judged(study).said.groups is None else "Few groups"
        found.append((accuracy.width / 2, (few, f"{units(study)} leave it open: {_ends(accuracy)}.", "fair")))
    if small := small_classes(study):
        more = f" and {len(small) - 3} more" if len(small) > 3 else ""
        told, moved = f"Little can be said of {', '.join(small[:3])}{more}", 0.0
        if (known := _least_known(study)) is not None:
            told += f": of {plain_name(known[0])} it finds {_share(known[1])} ({_ends(known[1])})"
            moved = known[1].width / 2 / len(judged(study).classes)
        found.append((moved, ("Rare classes", f"{told}.", "fair")))
    shared = study.redundancy
    if shared is not None and shared.pairs and shared.pairs[0].bits > _SHARED:
        one = shared.pairs[0]
        told = f"{one.first} and {one.second} say much the same."
        found.append((0.0, ("Columns repeat each other", told, "fair")))
    return found


def _almost_never_wrong(study: "Study") -> str:
    """Where guessing is often wrong and the model kept is not, the question whether a column is known too late."""
    accuracy, guessing = right(study), guess(study)[1]
    if accuracy.value < _ALMOST_ALWAYS or guessing.value > _EASY or accuracy.low <= guessing.high:
        return ""
    kinds = study.facts.kinds
    names = list(kinds) if len(kinds) == 1 else [one.name for one in study.telling if one.name in kinds]
    most = f" {names[0]} says most." if names else ""
    return f"Is a column known only afterwards?{most}"


def _beyond(study: "Study") -> str:
    """Where rows are alike by chance too, that those counted are not these."""
    return ", beyond those that chance makes" if study.copies is not None and study.copies.by_chance >= 0.5 else ""


def _least_known(study: "Study") -> tuple[Hashable, Estimate] | None:
    """The class of few rows of whose recall least is known, and that recall; None: no such class is judged."""
    table = judged(study).confusion
    few = {str(label) for label, rows in study.findings.classes if rows < FEW}
    recalls = [(c, table.measure("recall", of=c)) for c in judged(study).classes if str(c) in few]
    return max((one for one in recalls if one[1].defined), key=lambda one: one[1].width, default=None)


def _share(figure: Estimate) -> str:
    return f"{100 * figure.value:.1f} %"


def _ends(figure: Estimate) -> str:
    return f"95 % interval {100 * figure.low:.1f} to {100 * figure.high:.1f} %"
