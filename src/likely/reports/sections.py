"""The sections of a study's report, each from what the study holds."""

from typing import TYPE_CHECKING, Any

import numpy as np

from likely._version import __version__
from likely.evaluation.proportions import proportion_interval
from likely.figures.comparison import ComparisonDisplay
from likely.figures.confusion import ConfusionDisplay
from likely.figures.densities import ClassDensitiesDisplay
from likely.figures.evidence import EvidenceDisplay
from likely.figures.reliability import ReliabilityDisplay
from likely.figures.roc import RocDisplay
from likely.figures.threshold_curve import ThresholdCurveDisplay
from likely.reports.contest import Entry
from likely.reports.document import Block, Bullets, Code, Document, Heading, Picture, Pictures, Section, Table, Text
from likely.reports.illustrations import Example, examples, telling_features
from likely.reports.words import accuracy_of, answer, distrust, needs_attention, number, percent

if TYPE_CHECKING:
    from likely.reports.study import Study

_CURVES = 6  # classes whose ROC curves are drawn one by one
_SHOWN = 30  # classes and columns listed one by one


def document(study: "Study") -> Document:
    """The whole report."""
    rows, columns = study.facts.rows, len(study.facts.kinds)
    return Document(
        f"{study.title}: predicting {study.target}",
        f"{rows:,} rows, {columns} columns to learn from, {study.facts.classes} classes",
        answer(study),
        needs_attention(study),
        (
            _data(study),
            _done(study),
            _comparison(study),
            _probabilities(study),
            _mistakes(study),
            _evidence(study),
            _suspicious(study),
            Section("What to distrust", [Bullets(distrust(study))]),
            _again(study),
        ),
    )


def _data(study: "Study") -> Section:
    found = study.findings
    total = sum(count for _, count in found.classes)
    classes = [
        [str(label), f"{count:,}", percent(proportion_interval(count, total))]
        for label, count in found.classes[:_SHOWN]
    ]
    columns = [
        [c.name, c.kind if c.used else f"{c.kind} (left out)", c.why, f"{c.missing:,}", f"{c.distinct:,}", c.words]
        for c in found.columns
    ]
    faint = [i for i, c in enumerate(found.columns) if not c.used]
    blocks: list[Block] = [
        Text(f"{found.rows:,} rows{_unlabelled(study)}."),
        Table(["class", "rows", "share (95 % Wilson)"], classes, numbers=(1,)),
    ]
    if len(found.classes) > _SHOWN:
        blocks.append(Text(f"... and {len(found.classes) - _SHOWN} more classes.", small=True))
    head = ["column", "kind", "why", "missing", "distinct", "remarks"]
    return Section("The data", [*blocks, Table(head, columns, numbers=(3, 4), faint=faint)])


def _unlabelled(study: "Study") -> str:
    count = study.findings.unlabelled
    return f"; {count:,} of them have no {study.target} and were left out" if count else f", all with a {study.target}"


def _done(study: "Study") -> Section:
    result = study.result
    repeats = "" if result.repeats == 1 else f", {result.repeats} times with other folds"
    steps = [
        "Kinds of columns were guessed from the whole table before anything else; everything that is learned from "
        "cells was learned inside the folds.",
        f"Every model was judged by stratified {result.n_folds}-fold cross-validation{repeats}, all on the same folds; "
        "models that learn by sums are not refitted for that, and give the same figures as if they were.",
        "Choice: the best mean log score; then the simplest model that is worse by no more than one standard error "
        f"of the difference. {study.choice.words}",
        "Candidates were compared calibrated, each by the way that suits it by the same rule; the map of a fold learns "
        f"from rows outside it. The model kept is calibrated: {study.calibrated_by or 'no, its own probabilities do'}.",
        "Intervals of cross-validated figures are corrected for the rows that folds share (corrected resampled t).",
    ]
    if study.setting.prior is not None:
        shares = ", ".join(f"{c} {p:.3g}" for c, p in zip(study.setting.classes, study.setting.prior, strict=True))
        steps.append(f"The classes were taken to be as frequent as given ({shares}), not as in the table.")
    return Section("What was done", [Bullets(steps)])


def _comparison(study: "Study") -> Section:
    ordered = sorted(study.entries, key=lambda entry: (not entry.judged, _loss(study, entry)))
    rows = [_compared(study, entry) for entry in ordered]
    strong = [i for i, entry in enumerate(ordered) if entry.name == study.choice.chosen]
    faint = [i for i, entry in enumerate(ordered) if not entry.judged]
    head = ["model", "log-loss (nats)", "right", "log-loss against the model kept", "seconds"]
    words = [w for w in study.comparison.verdicts if "majority" not in w]
    kept = study.choice.chosen
    drawn = study.contenders
    chart = Picture(
        lambda ax: ComparisonDisplay.from_comparison(drawn, reference=kept, ax=ax),
        "Log-loss of every model but the majority's, and its difference from the model kept on the same folds, with "
        "95 % intervals.",
        width=8.5,
        height=1.4 + 0.42 * len(drawn.results),
    )
    notes = [f"{entry.name}: {entry.words[0].lower()}{entry.words[1:].rstrip('.')}." for entry in ordered]
    return Section(
        "The comparison",
        [
            Table(head, rows, numbers=(1, 2, 3, 4), strong=strong, faint=faint),
            Text(
                "Intervals: 95 % corrected resampled t; how often the majority is right: Wilson. Smaller log-loss is "
                "better.",
                small=True,
            ),
            *([chart] if len(drawn.results) > 1 else []),
            Bullets(words),
            Heading("What the models take for granted"),
            Bullets(notes),
        ],
    )


def _loss(study: "Study", entry: Entry) -> float:
    return study.comparison.estimates[entry.name].value if entry.judged else np.inf


def _compared(study: "Study", entry: Entry) -> list[str]:
    if not entry.judged:
        return [entry.name, "not judged", entry.left_out, "", f"{entry.seconds:.2f}"]
    apart = "kept"
    if entry.name != study.choice.chosen:
        apart = number(study.comparison.between(entry.name, study.choice.chosen).difference)
    loss = number(study.comparison.estimates[entry.name])
    name = entry.name if entry.calibrated_by is None else f"{entry.name}, calibrated: {entry.calibrated_by}"
    return [name, loss, percent(accuracy_of(entry)), apart, f"{entry.seconds:.2f}"]


def _probabilities(study: "Study") -> Section:
    y, p, classes = _posterior(study)
    judged = study.evaluation
    rows = [[entry.name, number(entry.result.estimate("log_loss")), entry.words] for entry in study.chosen.ways]
    kept = [i for i, row in enumerate(rows) if row[0] == study.chosen.way.name]
    split = judged.decomposition()
    figures = [
        [name, str(figure)]
        for name, figure in judged.figures.items()
        if name in ("log-loss", "Brier score", "calibration error", "ROC area", "average precision", "mean cost")
    ]
    positive = judged.positive
    event: dict[str, Any] = {} if positive is None else {"positive": positive}
    pictures = [
        Picture(
            lambda ax: ReliabilityDisplay.from_predictions(y, p, classes=classes, ax=ax, **event),
            "Reliability: how often it came true against what was said, out of fold, with Clopper-Pearson intervals.",
        )
    ]
    if len(classes) <= _CURVES:
        pictures.append(
            Picture(
                lambda ax: RocDisplay.from_predictions(y, p, classes=classes, ax=ax, **_priced(study), **event),
                "ROC curves out of fold, with the areas' DeLong intervals"
                + (" and the operating point under the costs given." if study.setting.costs is not None else "."),
            )
        )
    if positive is not None and study.setting.costs is not None:
        pictures.append(
            Picture(
                lambda ax: ThresholdCurveDisplay.from_predictions(
                    y, p, classes=classes, positive=positive, ax=ax, **_priced(study)
                ),
                f"Expected cost of a row against the probability from which it is called {positive}.",
            )
        )
    return Section(
        "Its probabilities",
        [
            Text("Ways to calibrate the model kept, judged inside the folds (log-loss, nats):"),
            Table(["calibration", "log-loss", "what it changes"], rows, numbers=(1,), strong=kept),
            Pictures(pictures),
            Table(["figure of the model kept, out of fold", "value, interval, method"], figures),
            Text(
                f"Brier score {number(split.score)} = miscalibration {number(split.miscalibration)} - discrimination "
                f"{number(split.discrimination)} + uncertainty {number(split.uncertainty)}",
                small=True,
            ),
        ],
    )


def _priced(study: "Study") -> dict[str, Any]:
    """Costs and prior for pictures of two classes."""
    if len(study.setting.classes) != 2:
        return {}
    prior = None if study.setting.prior is None else float(study.setting.prior[1])
    return {"costs": study.setting.costs, "prior": prior}


def _mistakes(study: "Study") -> Section:
    judged = study.evaluation
    side = min(9.0, max(5.0, 3.2 + 0.55 * len(judged.classes)))
    chart = Picture(
        lambda ax: ConfusionDisplay(judged.confusion).plot(ax),
        "Confusion matrix of out-of-fold answers: truth in rows, answers in columns, shares with Wilson intervals.",
        width=side,
        height=0.85 * side,
    )
    rows = [
        [str(c), f"{support:g}", *(number(judged.confusion.measure(m, of=c)) for m in ("recall", "precision", "F1"))]
        for c, support in zip(judged.classes[:_SHOWN], judged.confusion.support, strict=False)
    ]
    said = "what the costs, prior and reject given call for" if study.setting.given else "its most probable class"
    blocks: list[Block] = [
        Text(f"Each row is answered by {said}."),
        chart,
        Table(["class", "rows", "recall TP/(TP+FN)", "precision TP/(TP+FP)", "F1"], rows, numbers=(1, 2, 3, 4)),
        Text("Recall and precision with 95 % Wilson intervals, F1 by the delta method.", small=True),
    ]
    if study.setting.costs is not None:
        names = [str(c) for c in study.setting.classes]
        costs = [[n, *(f"{v:g}" for v in row)] for n, row in zip(names, study.setting.costs.values, strict=True)]
        blocks += [Heading("Costs"), Table(["truth \\ said", *names], costs, numbers=range(1, len(names) + 1))]
    return Section("Its mistakes", blocks)


def _evidence(study: "Study") -> Section:
    telling = telling_features(study)
    if not telling:
        return Section("The evidence", [Text(f"{study.choice.chosen} does not say what each column contributes.")])
    rows = [[name, number(figure, 2)] for name, figure in telling]
    drawn = [_density(study, name) for name, _ in telling[:4]]
    shown = [_example(example) for example in examples(study) if example.evidence is not None]
    return Section(
        "The evidence",
        [
            Text("The most telling columns: bits for the predicted class, mean over the rows with its 95 % interval."),
            Table(["column", "bits"], rows, numbers=(1,)),
            Pictures(drawn),
            Heading("Typical and doubtful rows"),
            Pictures(shown),
        ],
    )


def _density(study: "Study", name: str) -> Picture:
    kind = study.facts.kinds[name]
    return Picture(
        lambda ax: ClassDensitiesDisplay.from_values(study.data.X[name], study.data.y, kind=kind, name=name, ax=ax),
        f"{name} within each class.",
    )


def _example(example: Example) -> Picture:
    caption = (
        f"{example.what[0].upper()}{example.what[1:]}: row {example.row}, truth {example.truth}, said {example.said} "
        f"with probability {example.probability:.3f} out of fold."
    )
    return Picture(lambda ax: EvidenceDisplay.from_evidence(example.evidence, ax=ax, top=8), caption, height=3.4)


def _suspicious(study: "Study") -> Section:
    found = study.audit
    frame = found.suspicious(top=10)
    rows = [[_cell(value) for value in row] for row in frame.rows()]
    return Section(
        "Suspicious rows",
        [
            Text(
                "Rows whose own label is the greatest surprise to a model of all other rows. Look at these first for "
                "wrong labels. Rows are counted from 0 among those with a label."
            ),
            Text(f"Share of wrong labels, as far as this model can tell: {found.error_rate}."),
            Table(frame.columns, rows),
        ],
    )


def _again(study: "Study") -> Section:
    given = {name: value for name, value in study.arguments.items() if _is_given(value)}
    options = "".join(f", {name}={value!r}" for name, value in given.items())
    code = f"import likely\n\nfound = likely.study({study.title!r}, {study.target!r}{options})\nfound.save('study')"
    return Section(
        "To do it again",
        [
            Code(code),
            Text(
                f"likely {__version__}, seed {study.seed}; it took {study.seconds:.1f} s. The same table, options and "
                "version give the same figures.",
                small=True,
            ),
        ],
    )


def _is_given(value: Any) -> bool:
    return value is not None and not (isinstance(value, list | dict) and not value)


def _posterior(study: "Study") -> tuple[Any, Any, list[Any]]:
    log_posterior = study.result.log_posterior
    assert log_posterior is not None
    classes = study.result.classes
    return classes[study.result.y], np.exp(log_posterior[0]), classes.tolist()


def _cell(value: Any) -> str:
    return f"{value:.3g}" if isinstance(value, float) else "" if value is None else str(value)
