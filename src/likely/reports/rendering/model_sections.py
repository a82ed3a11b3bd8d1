"""The sections of a report that are about the model kept: its probabilities, mistakes and suspicious rows."""

from typing import TYPE_CHECKING, Any

from likely.data.printing.wording import amount
from likely.evaluation.audit.rows import TOO_SURE, Audit
from likely.evaluation.evaluation import Evaluation
from likely.figures.confusion import ConfusionDisplay
from likely.figures.curves.precision_recall import PrecisionRecallDisplay
from likely.figures.curves.reliability import ReliabilityDisplay
from likely.figures.curves.roc import RocDisplay
from likely.figures.curves.threshold_curve import ThresholdCurveDisplay
from likely.figures.drawing.canvas import Axes
from likely.intervals.estimate import Estimate
from likely.intervals.means import effective_size
from likely.models.any_classifier.posteriors import read_classes
from likely.reports.choosing.calibrating import ISOTONIC_ROWS, LOGISTIC_CLASSES
from likely.reports.choosing.choice import POOL
from likely.reports.choosing.contest import BASELINE
from likely.reports.rendering.document import Block, Heading, Picture, Pictures, Section, Table, Text
from likely.reports.rendering.first_screen.answer import (
    called_for,
    repeats_an_earlier_one,
)
from likely.reports.rendering.first_screen.first_figures import judged, mean_cost, some_left
from likely.reports.rendering.first_screen.shown_figures import percent
from likely.reports.rendering.illustrations import cell_text, chance, row_name, telling_features
from likely.reports.rendering.table_sections import threshold_table, ties_at_a_half

if TYPE_CHECKING:
    from likely.reports.study import Study

_CURVES = 12  # classes whose ROC curves are drawn one by one
_INTERVALS = 8  # classes up to which the cells of a confusion matrix have room for intervals
_SHOWN = 30  # classes listed one by one
_MARKS = " Star: the threshold that is best on these very rows; circle: the one that theory names."
_WEIGHTS = 6  # classes whose weights are listed
_OTHER_JUDGES = (
    "likely audit takes naive Bayes, logistic regression where that is the clearly better judge, or the one named by "
    "--model"
)
TRIED = ("temperature", "logistic", "isotonic")


def probabilities(study: "Study") -> Section:
    """How far its probabilities can be believed, and what they rank."""
    found = judged(study)
    said, classes, where = found.said, list(found.classes), _where(study)
    p = said.probabilities("its pictures")
    y = read_classes(classes, len(classes))[said.y]
    rows = [[way.name, way.loss.short(), way.words] for way in study.chosen.ways]
    kept = [i for i, row in enumerate(rows) if row[0] == study.chosen.way.name]
    tried = {row[0] for row in rows}
    untried = study.chosen.untried
    rows += [
        [name, "not tried", "no time left" if name in untried else why_not_tried(study, name)]
        for name in TRIED
        if name not in tried
    ]
    split = found.decomposition()
    figures = [
        [name, str(figure)]
        for name, figure in {**found.figures, **_cost_of_mistakes(study)}.items()
        if name in ("log-loss", "Brier score", "calibration error", "ROC area", "average precision", "mean cost")
    ]
    positive = found.positive
    event: dict[str, Any] = {"classes": classes, "sample_weight": said.weight}
    event |= {} if positive is None else {"pos_label": positive}
    pictures = [
        Picture(
            lambda ax: ReliabilityDisplay.from_predictions(y, p, n_bins=15, ax=ax, **event),
            f"Reliability: how often it came true against what was said, {where}, with Clopper-Pearson "
            f"intervals{_one_by_one(found)}.",
        )
    ]
    if len(classes) <= _CURVES:
        pictures.append(
            Picture(
                lambda ax: RocDisplay.from_predictions(y, p, ax=ax, **_priced(study), **event),
                f"ROC curves {where}; the intervals of the areas are named in the legend{_one_by_one(found)}"
                + (" and the operating point under the costs given." if _has_point(study) else "."),
                signs=_MARKS if len(classes) == 2 else "",
            )
        )
        pictures.append(
            Picture(
                lambda ax: PrecisionRecallDisplay.from_predictions(y, p, ax=ax, **event),
                f"Precision against recall {where}: of the rows called so how many are, of those that are how many are "
                f"found. Dotted: calling every row so.{_one_by_one(found)}",
            )
        )
    if positive is not None:
        what = "Expected cost of a row" if study.setting.costs is not None else "Share of wrong answers"
        pictures.append(
            Picture(
                lambda ax: ThresholdCurveDisplay.from_predictions(y, p, ax=ax, **_priced(study), **event),
                f"{what} against the probability from which a row is called {positive}, "
                f"{where}, with its intervals{_one_by_one(found)}.",
                signs=f"{_tied(study)}{_MARKS}",
            )
        )
    return Section(
        "Its probabilities",
        [
            Pictures(pictures),
            *([threshold_table(study)] if positive is not None else []),
            *(ties_at_a_half(study) if positive is not None else []),
            Table(["figure", "value, interval, method"], figures, caption=f"The model kept, {where}"),
            Table(
                ["calibration", "log-loss (nats)", "what it changes"],
                rows,
                numbers=(1,),
                strong=kept,
                caption="Ways to calibrate the model kept, judged inside the folds of the rows learned",
            ),
            Text(_about(study), small=True),
            Text(
                f"Brier score {split.score.short()} = miscalibration {split.miscalibration.short()} - discrimination "
                f"{split.discrimination.short()} + uncertainty {split.uncertainty.short()}",
                small=True,
            ),
        ],
    )


def _has_point(study: "Study") -> bool:
    """Whether costs name one threshold, as they do between two classes."""
    return study.setting.costs is not None and len(judged(study).classes) == 2


def _where(study: "Study") -> str:
    """Of which rows figures and pictures are."""
    return "out of fold" if study.tested is None else "of the rows set aside"


def _answers_of(study: "Study") -> str:
    if study.tested is None:
        return "out-of-fold answers, each by a model that had not seen the row"
    return f"the answers about the {study.tested.n:,} rows set aside"


def _one_by_one(found: Evaluation) -> str:
    """Which intervals of a picture take rows one by one."""
    return "" if found.said.groups is None else " (they take rows one by one; those of the table count groups)"


def _cost_of_mistakes(study: "Study") -> dict[str, Estimate]:
    """The mean cost of a row where not answering has one and mistakes were given none: then each costs 1."""
    if study.setting.reject is None or study.setting.costs is not None:
        return {}
    return {"mean cost": mean_cost(study)}


def weights_explained(study: "Study") -> str:
    """What rows count for under a prior given, in a sentence; nothing where each counts once."""
    found = judged(study)
    weight = found.said.weight
    if weight is None:
        return ""
    each = [(str(c), weight[found.said.y == place]) for place, c in enumerate(found.classes)]
    told = ", ".join(f"{own[0]:.3g} for a row of {name}" for name, own in each[:_WEIGHTS] if len(own))
    more = f" and {len(each) - _WEIGHTS} more classes" if len(each) > _WEIGHTS else ""
    return (
        f" So that the classes are as frequent as the prior given says, rows count with weights ({told}{more}): counts "
        f"are sums of weights, and intervals are those of the {effective_size(weight, len(weight)):,.0f} rows of equal "
        "weight that would tell as much."
    )


def why_not_tried(study: "Study", name: str) -> str:
    """Why there was no such way to calibrate the model kept, where time was not what lacked."""
    if study.choice.chosen == POOL:
        return "the weights of a pool calibrate it already"
    if study.choice.chosen == BASELINE:
        return "it says the classes' shares of every row, which a map could not better"
    rows, classes = study.result.y.shape[0], len(study.result.classes)
    if name == "isotonic" and rows < ISOTONIC_ROWS:
        return f"its steps need {ISOTONIC_ROWS:,} rows"
    if name == "logistic" and classes > LOGISTIC_CLASSES:
        return f"more than {LOGISTIC_CLASSES} classes need too many offsets"
    return "some fold holds too few rows of a class"


def mistakes(study: "Study") -> Section:
    """What it gets wrong."""
    found = judged(study)
    side = min(9.0, max(4.4, 2.8 + 0.55 * len(found.classes)))
    drawn = ", and of the shares drawn in the matrix" if len(found.classes) <= _INTERVALS else ""
    first = found.classes[0]
    ways = {name: found.confusion.measure(name, of=first).method for name in ("recall", "F1")}
    chart = Picture(
        lambda ax: _draw_matrix(found, ax),
        f"Confusion matrix of {_answers_of(study)}: truth in rows, answers in columns.",
        width=side,
        height=0.85 * side,
        instead=_matrix(study),
    )
    rows = [
        [
            str(c),
            amount(support),
            *(found.confusion.measure(m, of=c).short() for m in ("recall", "precision", "F1")),
        ]
        for c, support in zip(found.classes[:_SHOWN], found.confusion.support, strict=False)
    ]
    once = ""
    if study.result.repeats > 1 and not study.setting.given and study.tested is None:
        once = f" Counted is the first of {study.result.repeats} repeats; the figures at the top are of all of them."
    said = f"what {called_for(study)}" if study.setting.given else "its most probable class"
    left = ""
    if some_left(study):
        of_answered = percent(found.confusion.selective_accuracy)
        left = f" A row that is left unanswered counts as not found; right of the rows answered: {of_answered}."
    blocks: list[Block] = [
        Text(f"Each row is answered by {said}.{left}{once}{weights_explained(study)}"),
        chart,
        Table(
            ["class", "rows", "recall TP/(TP+FN)", "precision TP/(TP+FP)", "F1"],
            rows,
            numbers=(1, 2, 3, 4),
            caption=f"Class by class, {_where(study)}",
        ),
        Text(f"95 % intervals of recall and precision{drawn}: {ways['recall']}; of F1: {ways['F1']}.", small=True),
    ]
    if study.setting.costs is not None:
        names = [str(c) for c in study.setting.classes]
        costs = [[n, *(f"{v:g}" for v in row)] for n, row in zip(names, study.setting.costs.values, strict=True)]
        blocks += [Heading("Costs"), Table(["truth \\ said", *names], costs, numbers=range(1, len(names) + 1))]
    return Section("Its mistakes", blocks)


def _draw_matrix(found: Evaluation, ax: Axes) -> None:
    """The matrix; how often it is right stands in the first tile, with the interval of folds."""
    ConfusionDisplay(found.confusion).plot(ax).ax_.set_title("", loc="left")


def suspicious_rows(study: "Study") -> Section:
    """Rows that the others contradict."""
    found = study.audit
    if found is None:
        return Section("Suspicious rows", [Text("There was no time left to look for rows with a wrong label.")])
    if says_nothing(study):
        return Section("Suspicious rows", [Text(_no_judge(study, found))])
    frame = found.suspicious(top=10, disputed=True)
    shown = [name for name, *_ in telling_features(study, top=4) if name in study.data.X.columns]
    shown = shown or study.data.X.columns[:1]
    cells = study.data.X.select(shown)
    rows = [
        [
            *(cell_text(record[field]) for field in ("row", "label", "suggested")),
            f"{record['bits']:.1f}",
            chance(record["p_mislabelled"]),
            *(cell_text(value) for value in row_name(study, study.looked.place(record["row"])).values()),
            *(cell_text(cells[name][study.looked.place(record["row"])]) for name in shown),
        ]
        for record in frame.to_dicts()
    ]
    named = list(row_name(study, 0))
    extra = found.duplicates.extra
    against = int(found.contradictory.sum())
    twins = f" {repeats_an_earlier_one(found)}; {against:,} contradict{'s' * (against == 1)} a twin's label."
    if found.by_chance.repeated >= 0.5:
        chance_makes = found.by_chance.repeated, found.by_chance.against
        twins += (
            " With the cells of each column shuffled within the classes {:,.0f} repeat, {:,.0f} contradict.".format(
                *chance_makes
            )
        )
    return Section(
        "Suspicious rows",
        [
            Text(
                "Rows whose label is not the one that a model of all other rows suggests, the greatest surprise first. "
                "Look at these first for wrong labels. Rows are counted from 0, as the table has them."
            ),
            Text(_judge_of_rows(study, found)),
            Text(f"{_share_of_wrong(found)}{twins if extra else ''}"),
            *(
                [
                    Table(
                        ["row", "label", "suggested", "bits", "P(wrong)", *named, *shown],
                        rows,
                        caption="Suspicious rows",
                    )
                ]
                if rows
                else [Text("The other rows suggest the very label that each row has: none is suspicious.")]
            ),
        ],
    )


def says_nothing(study: "Study") -> bool:
    """Whether the model kept says nothing of single rows, so that it is no judge of their labels."""
    return study.audit is not None and (study.choice.chosen == BASELINE or study.audit.says_nothing)


def _no_judge(study: "Study", found: Audit) -> str:
    extra, against = found.duplicates.extra, int(found.contradictory.sum())
    twins = f" {repeats_an_earlier_one(found)}; {against:,} contradict{'s' * (against == 1)} a twin's label."
    return (
        f"{study.choice.chosen} says of no row more than the classes' shares, so it is no judge of labels: none is "
        f"listed. Another model may be one: {_OTHER_JUDGES}."
        f"{twins if extra else ''}"
    )


def _share_of_wrong(found: Audit) -> str:
    """How many labels are wrong, and why a row may be doubted where the likeliest share is 0."""
    rate = found.error_rate
    if not rate.defined:
        return f"Share of wrong labels: not known, {rate.note}."
    return (
        f"Share of wrong labels, as far as this model can tell: {100 * rate.value:.1f} % is the likeliest, and up to "
        f"{100 * rate.high:.1f} % is possible (95 %, profile likelihood): at most so many, because what the model "
        "itself gets surely wrong counts as a wrong label. P(wrong) of a row is averaged over all shares that are "
        "possible, so it may well be above the likeliest share; where it is small, the model is likelier to be "
        "mistaken than the label."
    )


def _judge_of_rows(study: "Study", found: Audit) -> str:
    """By which model rows are suspicious, and how far to believe it."""
    how = "each row left out by itself" if found.exact else "out of fold"
    worth = ""
    if found.exaggeration >= TOO_SURE:
        worth = (
            f" It is too sure of itself: its evidence, what it says beyond the classes' shares, is honest when divided "
            f"by {found.exaggeration:,.1f}. P(wrong) divides it by {found.temperature:,.1f}, which suits the share of "
            "wrong labels; bits are as the model said them."
        )
    before = ", before calibration" if study.calibrated_by else ""
    if study.calibrated_by not in (None, "temperature"):
        before += " (which may move what it suggests: the answers counted above are calibrated)"
    return (
        f"The judge is {study.choice.chosen}{before}, {how}.{worth} P(wrong) and the share of wrong labels "
        "allow for that, as far as one factor can, and are no surer than this one model: another may find more or "
        f"fewer ({_OTHER_JUDGES}; its column p_mislabelled is P(wrong))."
    )


def _about(study: "Study") -> str:
    positive = judged(study).positive
    of = f"ROC area and average precision: of telling {positive} apart. " if positive is not None else ""
    repeat = "the first repeat" if study.result.repeats > 1 else "the folds"
    where = repeat if study.tested is None else f"the {study.tested.n:,} rows set aside"
    once = "" if study.setting.prior is not None else "; each row counts once"
    folds = "the means of folds, with intervals about other folds, too"
    other = (
        f" Those of the comparison are {folds}."
        if study.tested is not None
        else (
            f" Those at the top and of the comparison are {folds}: with folds of unequal size or several repeats the "
            "figures themselves differ a little."
        )
    )
    weights = weights_explained(study)
    table = " The ways to calibrate and the comparison count rows as the table has them." if weights else ""
    return (
        f"{of}These figures, the pictures and the matrix are of {where}{once}.{weights} Their intervals are about "
        f"other rows to judge.{other}{table}"
    )


def _tied(study: "Study") -> str:
    """What a reader needs to hold two pictures of costs against each other, and against the cost of the decisions."""
    if study.setting.costs is None:
        return " Of thresholds that do equally well it marks the lowest, the ROC curve the highest."
    every = " Every row is answered." if study.setting.reject is not None else ""
    return f"{every} Of thresholds that cost the same it marks the lowest, the ROC curve the highest."


def _priced(study: "Study") -> dict[str, Any]:
    """Costs for pictures of two classes."""
    if len(study.setting.classes) != 2:
        return {}
    return {"costs": study.setting.costs}  # the weights of the rows hold the prior


def _matrix(study: "Study") -> Table:
    found = judged(study)
    rejected = found.confusion.rejected
    head = ["truth \\ said", *map(str, found.classes), *(["rejected"] if rejected.any() else [])]
    rows = [
        [str(c), *(amount(v) for v in cells), *([amount(r)] if rejected.any() else [])]
        for c, cells, r in zip(found.classes, found.confusion.matrix[:, : len(found.classes)], rejected, strict=True)
    ]
    return Table(head, rows, numbers=range(1, len(head)))
