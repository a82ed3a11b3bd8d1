"""What a study shows of single rows and features: typical and doubtful rows, and the features that tell most.

    typical row of a class    of the rows of that class that were called right, the one with the median posterior
    doubtful rows             those with the smallest lead of the best answer over the next, by expected cost
    telling feature           many bits for or against the predicted class, on average over the rows

Rows are picked by out-of-fold posteriors. What is said of them and its bits are those of the model kept, as it
predicts: fitted on all rows, after calibration, costs and another prior.
"""

from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from likely.data.accepted import TableLike
from likely.decisions.pooling import Pool
from likely.errors import LikelyError
from likely.intervals.estimate import Estimate
from likely.intervals.means import mean_interval
from likely.models.any_classifier.asking import take
from likely.models.any_classifier.inside import unwrap
from likely.models.traits.evidence import BEYOND, CALIBRATION
from likely.models.traits.protocols import ProbabilisticClassifier
from likely.models.traits.words import word_evidence, words_alone
from likely.numeric.arrays import Ints
from likely.reports.choosing.contest import BASELINE

if TYPE_CHECKING:
    from likely.reports.study import Study

_OWN = ("row", "label", "suggested", "bits", "p_mislabelled", "influence", "duplicate_of", "contradictory")
_LONGEST = 90  # characters of a cell
_TELLING = 0.005  # bits: less is 0.00 in the report, and tells nothing
_WEIGHED_ROWS = 20_000  # the mean bits of a feature are known well enough from as many
_WEIGHED_TEXTS = 200  # that are read in any case
_WEIGHED_CHARACTERS = 500_000  # of texts, by all members of a pool together
_TOLD = 6  # features


@dataclass(frozen=True)
class Example:
    """A row worth looking at."""

    what: str
    row: int  # in the rows that were learned from
    truth: Hashable
    said: Hashable  # by the model kept; where it leaves the row, the answer that would cost least
    probability: float  # that it gives to what it says
    out_of_fold: tuple[Hashable, float]  # what was said, and its probability, by a model that had not seen the row
    evidence: Any  # for what is said; None where the model gives none
    left: bool = False  # whether the model kept rather leaves the row unanswered


def examples(study: "Study", doubtful: int = 3, most_classes: int = 6) -> tuple[Example, ...]:
    """A typical row of each class (of the first few) and the most doubtful rows."""
    p, y = study.posterior, study.result.y
    said, names = study.decision.code, study.result.classes.tolist()
    picked = []
    for k, name in enumerate(names[:most_classes]):
        right = np.flatnonzero((y == k) & (said == k) & ~study.decision.rejected)
        if len(right):
            order = right[np.argsort(p[right, k], kind="stable")]
            picked.append((f"a typical {name}", int(order[len(order) // 2])))
    picked += [("a doubtful row", int(row)) for row in np.argsort(study.decision.margin, kind="stable")[:doubtful]]
    found = []
    for what, row in picked:
        X = take(study.data.X, np.array([row]))
        answer, probability, left = _answer(study.model, X)
        before = names[said[row]], float(p[row, said[row]])
        evidence = _of_words(study.model, X, answer)
        found.append(Example(what, row, names[y[row]], answer, probability, before, evidence, left))
    return tuple(found)


def _answer(model: ProbabilisticClassifier, X: TableLike) -> tuple[Hashable, float, bool]:
    """What a model says of one row, or would say if it had to, its probability, and whether it leaves the row."""
    decision = model.decide(X) if hasattr(model, "decide") else None
    said = model.predict(X) if decision is None else decision.best
    place = model.classes_.tolist().index(said.tolist()[0])
    left = decision is not None and bool(decision.rejected[0])
    return said.tolist()[0], float(model.predict_proba(X)[0, place]), left


class Telling(NamedTuple):
    """How much a feature says."""

    name: str
    size: Estimate  # mean over the rows of the bits for or against the predicted class, whatever their sign
    towards: Estimate  # mean of the bits for it


def telling_features(study: "Study", top: int = 6) -> tuple[Telling, ...]:
    """The features whose bits are largest, whichever way they point: those rule what is said of rows."""
    return study.telling[:top]


def weigh_features(study: "Study") -> tuple[Telling, ...]:
    """The telling features, of which there is at least one where the model kept tells what they say.

    The majority's are none.
    """
    if study.choice.chosen == BASELINE:  # whose bits are 0 of every column
        return ()
    evidence = _evidence(study.model, take(study.data.X, weighed_rows(study)))
    if evidence is None:
        return ()
    bits = np.clip(evidence.bits, -1000.0, 1000.0)  # what is impossible has infinitely many
    size = np.abs(bits)
    ranked = np.argsort(-size.mean(axis=0), kind="stable")
    columns = [j for j in ranked if evidence.names[j] not in (CALIBRATION, BEYOND)]
    order = [j for j in columns[:_TOLD] if size[:, j].mean() >= _TELLING] or columns[:1]
    return tuple(Telling(evidence.names[j], mean_interval(size[:, j]), mean_interval(bits[:, j])) for j in order)


def weighed_rows(study: "Study") -> Ints:
    """The rows whose bits are averaged: of many rows, or of long texts, some evenly spread over the table.

    Every member of a pool reads each text again.
    """
    rows = most = len(study.data.codes)
    if characters := study.facts.characters:
        readers = max(1, len(study.inner.heard())) if isinstance(study.inner, Pool) else 1
        most = max(_WEIGHED_TEXTS, _WEIGHED_CHARACTERS // readers * rows // characters)
    step = max(1, rows // _WEIGHED_ROWS, -(-rows // most))
    return np.arange(0, rows, step)


def family_of(study: "Study", name: str) -> str | None:
    """The family of densities by which the model kept sees a column; None: it has none of its own for one column."""
    schema, families = getattr(study.inner, "schema_", None), getattr(study.inner, "kinds_", None)
    if schema is None or families is None or not hasattr(study.inner, "log_likelihood") or powers(study):
        return None
    found = families.get(name) if isinstance(families, dict) else None
    return str(found) if found is not None else None


def powers(study: "Study") -> bool:
    """Whether the model kept takes what columns say to powers, which makes densities no densities any more."""
    return any(power != 1.0 for power in getattr(study.inner, "exponents_", {}).values())


def row_name(study: "Study", row: int) -> dict[str, Any]:
    """What the table itself calls a row: the column that names the rows and its cell; nothing where there is none."""
    names = study.looked.row_names
    if names is None:
        return {}
    return {f"{names.name} (of the table)" if names.name in _OWN else names.name: names[row]}


def counter_of_words(study: "Study") -> tuple[str, Any]:
    """The model that knows how often words are: the one kept, or of a pool the heaviest member that does."""
    if hasattr(study.inner, "top_terms"):
        return "the model", study.inner
    members = study.inner.heard() if isinstance(study.inner, Pool) else {}
    told = [name for name, model in members.items() if hasattr(model, "top_terms")]
    if not told:
        return "", None
    name = max(told, key=lambda one: study.inner.weights_[one])
    return f"{name}, of the pool's members that count words the heaviest,", members[name]


def telling_words(study: "Study", top: int = 12, most_classes: int = 100) -> dict[tuple[str, Hashable], list[Any]]:
    """The words that tell each class (of the first hundred) from the others, for each column of texts."""
    texts = [name for name, kind in study.facts.kinds.items() if kind == "text"]
    teller = counter_of_words(study)[1]
    if not texts or teller is None:
        return {}
    columns = [{"column": name} for name in texts] if hasattr(teller, "text_evidence") else [{}]
    return {
        (name, label): teller.top_terms(label, top, **option)
        for name, option in zip(texts, columns, strict=True)
        for label in study.result.classes.tolist()[:most_classes]
    }


def _of_words(model: Any, X: TableLike, for_class: Hashable) -> Any:
    """The evidence of one row: of its columns, or where all is in one text, of its words."""
    words = word_evidence(model, X, for_class=for_class)
    if words and words_alone(unwrap(model)):
        return next(iter(words.values())).of_row()
    found = _evidence(model, X, for_class)
    if found is None or len(model.classes_) > 2 or not words:
        return found
    names, bits = list(found.names), found.bits[0].tolist()
    for column, told in words.items():  # against one class all bits just add up, so words can stand for their column
        place = names.index(column)
        one = replace(told, calibration=None).of_row()
        names[place : place + 1] = [f"{column}: {name}" for name in one.names]
        bits[place : place + 1] = one.bits[0].tolist()
    return replace(found, names=tuple(names), bits=np.array([bits]))


def _evidence(model: Any, X: TableLike, for_class: Hashable = None) -> Any:
    if not hasattr(unwrap(model), "evidence"):
        return None
    try:
        return model.evidence(X, for_class=for_class)
    except LikelyError:
        return None  # a family that cannot tell what each feature says


def chance(p: float) -> str:
    """A probability that is never quite 0 or 1: no model is as sure as digits would have it.

    >>> chance(0.5), chance(0.9999), chance(0.0)
    ('0.500', 'over 0.999', 'under 0.001')
    """
    return "under 0.001" if p < 0.001 else "over 0.999" if p > 0.999 else f"{p:.3f}"


def cell_text(value: object) -> str:
    """A cell as a report prints it: on one line, and not too long."""
    if isinstance(value, float):
        return f"{value:.3g}"
    text = "" if value is None else " ".join(str(value).split())
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
