"""A study: from a table to a classifier that can be trusted, with the comparison that led to it.

    read -> look at the columns -> judge candidates, each calibrated, on the same folds -> choose -> fit on all rows

Every figure is of rows that the model had not seen. The rule of the choice is that of `choice`, and how a candidate is
calibrated is chosen by the same rule. Where the user gave costs, a prior or a cost of not answering, the model kept
decides by them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from likely.data.bundled import penguins
from likely.data.findings.table import Findings, examine
from likely.data.findings.target import labels_of
from likely.data.inputs import suggest
from likely.data.kinds import KINDS
from likely.data.tables import read_table
from likely.data.text.corpora import known_kinds
from likely.decisions.rules import Decision
from likely.distributions.names import named_families
from likely.errors import InputError
from likely.evaluation.answers import Answers
from likely.evaluation.audit.rows import Audit, audit
from likely.evaluation.comparing.comparison import Comparison, compare_results
from likely.evaluation.evaluation import Evaluation
from likely.evaluation.resampling.cross_validation import CrossValidation, fold_assignments, read_training
from likely.intervals.estimate import Estimate
from likely.intervals.means import mean_interval
from likely.models.any_classifier.asking import Training, fitted_clone
from likely.models.any_classifier.inside import name_target, unwrap
from likely.models.any_classifier.posteriors import read_classes
from likely.models.roster import TableFacts, candidates
from likely.numeric.arrays import Floats
from likely.reports.choosing.choice import CRITERION, Choice, choose
from likely.reports.choosing.clock import Clock
from likely.reports.choosing.contest import BASELINE, Entry, baseline, judge, judged
from likely.reports.choosing.setting import Setting
from likely.reports.choosing.yardsticks import yardsticks as find_yardsticks

_REPEATED_ROWS = 5_000  # with more rows the luck of the split is small, and one repeat will do
_ROPE = 0.01  # nats of log-loss that do not matter


@dataclass(frozen=True, eq=False)
class Study:
    """What was done and what came of it."""

    title: str
    target: str
    findings: Findings
    facts: TableFacts
    data: Training  # the rows that were learned from
    entries: tuple[Entry, ...]
    choice: Choice
    setting: Setting
    model: Any  # fitted on all rows, calibrated and deciding as chosen
    seed: int
    seconds: float
    arguments: dict[str, Any]  # of `study`, to run it again
    source: str | None  # where the table came from, if it has a name
    alone: tuple[Any, ...] = ()  # classes of a single row, which were set aside
    row_names: Any = None  # (n,)  the path of each row, or another column that names the rows; None: there is none

    @property
    def chosen(self) -> Entry:
        """The candidate that was kept."""
        return next(entry for entry in self.entries if entry.name == self.choice.chosen)

    @property
    def calibrated_by(self) -> str | None:
        """The method of calibration; None: the model's own probabilities are kept."""
        return self.chosen.calibrated_by

    @property
    def result(self) -> CrossValidation:
        """The cross-validation of the model as it was kept."""
        return self.chosen.result

    @property
    def inner(self) -> Any:
        """The fitted candidate itself, without calibration and decisions."""
        return unwrap(self.model)

    @cached_property
    def comparison(self) -> Comparison:
        """Every other model against the one that was kept, by log-loss."""
        return compare_results(judged(self.entries, yardsticks=True), CRITERION, self.choice.chosen, _ROPE)

    @cached_property
    def contenders(self) -> Comparison:
        """The same without the majority, which is far behind in most tables and hides the differences that matter."""
        results = judged(self.entries, yardsticks=True)
        if self.choice.chosen != BASELINE:
            results.pop(BASELINE)
        return compare_results(results, CRITERION, self.choice.chosen, _ROPE)

    @property
    def posterior(self) -> Floats:
        """Out-of-fold posteriors (n, k) of the first repeat, under the prior of the place of use."""
        assert self.result.log_posterior is not None
        return np.exp(self.setting.shifted(self.result.log_posterior[0]))

    @cached_property
    def decision(self) -> Decision:
        """What is said of each row, out of fold, in the first repeat."""
        assert self.result.log_posterior is not None
        return self.setting.decide(self.result.log_posterior[0])

    @cached_property
    def evaluation(self) -> Evaluation:
        """Every figure of the model as it was kept, from out-of-fold answers of the first repeat."""
        said = self.decision
        codes = np.where(said.rejected, -1, said.code)
        posterior = self.posterior
        classes = tuple(self.result.classes.tolist())
        answers = Answers(classes, self.result.y, codes, posterior, posterior)
        positive = classes[1] if len(classes) == 2 else None
        weight = self.setting.weights(self.result.y)
        return Evaluation(answers, positive, weight, None, self.setting.costs, self.setting.reject, 0.95)

    @cached_property
    def best_constant(self) -> tuple[Any, Estimate]:
        """The one answer that costs least if it is always given, and what it costs."""
        assert self.setting.costs is not None
        each = self.setting.costs.values[self.result.y]  # (n, k) cost of every answer
        weight = self.setting.weights(self.result.y)
        place = int(np.average(each, axis=0, weights=weight).argmin())
        return self.result.classes.tolist()[place], mean_interval(each[:, place], sample_weight=weight)

    @cached_property
    def audit(self) -> Audit:
        """The rows that fit their label worst."""
        return audit(self.chosen.model, self.data.X, self.data.y, random_state=self.seed)

    @property
    def answer(self) -> tuple[str, ...]:
        """The answer in three sentences."""
        from likely.reports.rendering.answer import answer

        return answer(self)

    def html(self) -> str:
        """The report as one HTML page that needs nothing else."""
        from likely.reports.rendering.page import page
        from likely.reports.rendering.sections import document

        return page(document(self))

    def markdown(self) -> str:
        """The report as Markdown."""
        from likely.reports.rendering.markdown import markdown
        from likely.reports.rendering.sections import document

        return markdown(document(self))

    def record(self) -> dict[str, Any]:
        """The report as values that JSON can hold."""
        from likely.reports.record import record

        return record(self)

    def save(self, folder: str | Path) -> tuple[Path, ...]:
        """Write report.html, report.md, report.json and model.likely into a folder; each whole or not at all."""
        from likely.reports.writing import write_study

        return write_study(self, Path(folder))

    def __str__(self) -> str:
        return "\n".join(self.answer)


def study(
    data: Any,
    target: str,
    *,
    costs: Any = None,
    prior: Any = None,
    reject: float | None = None,
    kinds: Mapping[str, str] | None = None,
    keep: Sequence[str] = (),
    drop: Sequence[str] = (),
    folds: int | None = None,
    repeats: int | None = None,
    yardsticks: bool = True,
    time_limit: float | None = None,
    seed: int = 0,
    title: str | None = None,
    source: str | None = None,
    report: Callable[[str], None] = lambda stage: None,
) -> Study:
    """Study a table: compare models honestly, keep the simplest good one, calibrate it, and say what it is worth.

    Parameters
    ----------
    data : a path (CSV, TSV, JSON lines, Parquet, Arrow, ARFF), a folder of texts, mail, "-" (standard input) or a frame
        "penguins", where there is no such file, is the table that ships with the package.
    target : the column to predict
    costs : costs[truth][said], anything `CostMatrix.of` takes
    prior : of the classes where the model will be used; None: as in the table
    reject : cost of not answering; None: every row is answered
    kinds : kinds or families of columns, instead of those guessed
    keep, drop : columns to learn from although they look useless, and columns to leave out
    folds, repeats : of the cross-validation; 10 folds, or one a row where there are fewer; repeats default to 3 up to
        5,000 rows and 1 beyond
    yardsticks : whether scikit-learn's logistic regression and random forest are shown, where it is installed
    time_limit : seconds; what would not be done in time is left out and named
    seed : of the folds
    title, source : what the report calls the table, and where it says that the table comes from
    report : is called with the name of each stage as it begins

    Examples
    --------
    >>> import likely, polars as pl
    >>> rng = np.random.default_rng(0)
    >>> table = pl.DataFrame({"x": rng.normal(size=90), "kind": list("abc") * 30})
    >>> table = table.with_columns(x=pl.col("x") + 3.0 * (pl.col("kind") == "b"))
    >>> found = likely.study(table, "kind", yardsticks=False)
    >>> found.model.predict(pl.DataFrame({"x": [3.5]}))
    array(['b'], dtype='<U1')
    """
    if not isinstance(target, str):
        raise InputError(
            "target is the name of a column of the table; texts and their labels by themselves make one as "
            "{'text': texts, 'label': labels}"
        )
    clock = Clock(time_limit)
    arguments = {
        "costs": costs, "prior": prior, "reject": reject, "kinds": dict(kinds or {}), "keep": list(keep),
        "drop": list(drop), "folds": folds, "repeats": repeats, "time_limit": time_limit, "seed": seed,
    }  # fmt: skip
    report("reading")
    frame = penguins() if _is_bundled(data) else read_table(data)
    known = known_kinds(frame)
    _check_columns(frame, target, drop, "drop")
    frame = frame.drop(list(drop))
    _check_kinds(kinds or {})
    findings = examine(frame, target, kinds, known)
    table, alone = _without_single_rows(findings.prepared(frame, keep), target)
    training = read_training(table.drop(target), table[target].to_numpy(), None)
    facts = _facts(findings, training)
    classes = read_classes(training.classes, len(training.classes))
    setting = Setting.of(classes, training.shares(), costs, prior, reject)
    count = _folds_for(folds, facts)
    times = repeats if repeats is not None else (3 if facts.rows <= _REPEATED_ROWS else 1)
    assignments = fold_assignments(training, count, times, True, None, False, seed)
    entrants = [(baseline(), False), *((candidate, False) for candidate in candidates(facts))]
    if yardsticks:
        entrants += [(yardstick, True) for yardstick in find_yardsticks(facts, seed)]
    entries = judge(entrants, training, assignments, clock, seed, report)
    choice = choose(judged(entries), {entry.name: entry.rank for entry in entries})
    report("fitting the chosen model")
    chosen = next(entry for entry in entries if entry.name == choice.chosen)
    model = fitted_clone(setting.around(chosen.way.model), training)
    name_target(model, target)
    origin = source or (str(data) if isinstance(data, str | Path) and str(data) != "-" else None)
    name = title or ("a table" if origin is None else Path(origin).name)
    return Study(
        name, target, findings, facts, training, entries, choice, setting, model, seed,
        clock.elapsed, arguments, origin, alone, _row_names(frame, findings, alone),
    )  # fmt: skip


def _facts(findings: Findings, data: Training) -> TableFacts:
    counts = np.bincount(data.codes, minlength=len(data.classes))
    kinds = {column.name: column.family for column in findings.columns if column.name in data.X.columns}
    if not kinds:
        raise InputError("no column is left to learn from: " + "; ".join(map(": ".join, findings.left_out.items())))
    return TableFacts.of(data.X, kinds, counts.tolist())


def _check_columns(frame: Any, target: str, names: Sequence[str], option: str) -> None:
    features = [name for name in frame.columns if name != target]
    for name in names:
        if name not in features:
            raise InputError(f"{option}: there is no feature {name!r}{suggest(name, features)}")


def _is_bundled(data: Any) -> bool:
    return isinstance(data, str) and data == "penguins" and not Path(data).exists()


def _check_kinds(kinds: Mapping[str, str]) -> None:
    known = list(dict.fromkeys((*KINDS, *named_families())))
    for name, kind in kinds.items():
        if kind not in known:
            raise InputError(
                f"unknown kind {kind!r} of column {name!r}{suggest(kind, known)}; known are {', '.join(known)}"
            )


def _without_single_rows(table: Any, target: str) -> tuple[Any, tuple[Any, ...]]:
    """The table without the classes of a single row, which cannot be learned and tested; and those classes."""
    labels, counts = np.unique(table[target].to_numpy().astype(str), return_counts=True)
    single = set(labels[counts == 1].tolist())
    alone = tuple(label for label in table[target].unique().to_list() if str(label) in single)
    return (table.filter(~table[target].is_in(alone)), alone) if alone else (table, ())


def _row_names(frame: Any, findings: Findings, alone: tuple[Any, ...]) -> Any:
    """The column by which people find the rows that were learned from: `path`, or the first that names the rows."""
    naming = [column.name for column in findings.columns if column.warning == "identifier"]
    if not naming:
        return None
    labels = labels_of(frame[findings.target])
    chosen = "path" if "path" in naming else naming[0]
    learned = labels.is_not_null()
    return frame[chosen].filter(learned & ~labels.is_in(alone) if alone else learned)


def _folds_for(folds: int | None, facts: TableFacts) -> int:
    if folds is None:
        return min(10, facts.rows)
    if not 2 <= folds <= facts.rows:
        raise InputError(f"folds must be between 2 and the number of rows, {facts.rows}; got {folds}")
    return folds
