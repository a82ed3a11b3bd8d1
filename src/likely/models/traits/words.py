"""What the words of a text say, in bits.

Against one class c', a word gives log2 p(w | c) / p(w | c') for each time it occurs. Against the rest the words are
weighed in the order in which they first occur, as features are (`models.traits.evidence`). In every case

    prior + absent words + words + calibration = log2 odds

where absent words speak only in the Bernoulli model, all together, and calibration is what a wrapper's map does to the
odds beyond a slope and an offset.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from likely.data.printing.html_table import text_as_html
from likely.data.printing.wording import one_by_one, shortened
from likely.errors import InputError
from likely.models.any_classifier.inside import schema_inside, unwrap
from likely.models.any_classifier.outcome import Outcome, Rescaling, difference, reconciled, sides
from likely.models.traits.evidence import CALIBRATION, MOST_DESCRIBED, NEARLY, Evidence, opponents
from likely.numeric.arrays import Array, Floats
from likely.numeric.logspace import log_sum_exp

_LOG2 = float(np.log(2.0))


@dataclass(frozen=True)
class Word:
    """A word of a text: how often it occurs there, and what all its occurrences together say."""

    word: str
    count: int
    bits: float


@dataclass(frozen=True)
class TextEvidence:
    """Weight of evidence of each text: its words with their bits, in the order of their first occurrence."""

    classes: Array  # (n,)  the class spoken for
    against: Array | None  # (n,)  the class spoken against; None: all the others together
    prior: Floats  # (n,)
    absent: Floats  # (n,)  words that a text does not hold; 0 but in the Bernoulli model
    words: tuple[tuple[Word, ...], ...]  # of each text
    before: str = "prior"  # what `prior` holds
    calibration: Floats | None = None  # (n,)  what a map does beyond a slope and an offset; None: nothing
    approximate: Array | None = None  # (n,)  texts of which it does something; None: none
    like: Any = field(default=None, repr=False, compare=False)  # the user's table without columns (`bare_table`)
    rest: str = CALIBRATION  # what `calibration` is called; in a pool it is what belongs to no column

    def __len__(self) -> int:
        return len(self.prior)

    @property
    def names(self) -> tuple[str, ...]:
        """Of the one feature, and of what calibration adds."""
        return ("text",) if self.calibration is None else ("text", self.rest)

    @property
    def log2_odds(self) -> Floats:
        """Prior, absent words, words and calibration together."""
        return np.asarray(self.prior + self.bits.sum(axis=1))

    @property
    def bits(self) -> Floats:
        """What each text says in all (n, 1), and what calibration adds (n, 2)."""
        said = self.absent + np.array([sum(word.bits for word in words) for words in self.words])
        return np.column_stack([said] if self.calibration is None else [said, self.calibration])

    def of_row(self, row: int = 0) -> Evidence:
        """One text with its words for features, to be drawn as those of a table are."""
        words = sorted(self.words[row], key=lambda word: (-abs(word.bits), word.word))
        shown = [shortened(word.word) for word in words]
        names = [f"{name} x {word.count}" if word.count > 1 else name for name, word in zip(shown, words, strict=True)]
        bits = [word.bits for word in words]
        if self.absent[row]:
            names, bits = [*names, "(absent words)"], [*bits, float(self.absent[row])]
        if self.calibration is not None and self.calibration[row]:
            names, bits = [*names, self.rest], [*bits, float(self.calibration[row])]
        here = slice(row, row + 1)
        against, nearly = (None if cells is None else cells[here] for cells in (self.against, self.approximate))
        table = np.array(bits, dtype=np.float64).reshape(1, -1)
        return Evidence(self.classes[here], against, tuple(names), self.prior[here], table, nearly)

    def speaking_for(self, row: int = 0) -> list[Word]:
        """The words for the class, strongest first."""
        return sorted((word for word in self.words[row] if word.bits > 0), key=lambda word: (-word.bits, word.word))

    def speaking_against(self, row: int = 0) -> list[Word]:
        """The words against the class, strongest first."""
        return sorted((word for word in self.words[row] if word.bits < 0), key=lambda word: (word.bits, word.word))

    def frame(self) -> Any:
        """One row per word of each text: a Polars frame, or a table of the library that the texts came in."""
        import polars as pl

        from likely.data.frames import told_like

        rows = [(i, word.word, word.count, word.bits) for i, words in enumerate(self.words) for word in words]
        schema = {"row": pl.Int64, "word": pl.String, "count": pl.Int64, "bits": pl.Float64}
        return told_like(pl.DataFrame(rows, schema=schema, orient="row"), self.like, [row for row, *_ in rows])

    def describe(self, row: int | None = None, top: int = 10) -> str:
        """The evidence of every text, or of one: prior, then the strongest words; of many texts the first twenty.

        >>> words = (Word("free", 2, 5.0), Word("hello", 1, -0.25))
        >>> print(TextEvidence(np.array(["spam"]), None, np.array([-1.0]), np.zeros(1), (words,)).describe())
        spam against the rest: 3.75 bits
          prior  -1.00
          free   +5.00  x 2
          hello  -0.25
        """
        if row is None:
            return one_by_one(lambda one: self.describe(one, top), len(self), MOST_DESCRIBED, "text")
        if not -len(self) <= row < len(self):
            raise InputError(f"there is no row {row}: the evidence is of {len(self)} texts")
        against = "the rest" if self.against is None else self.against[row]
        shown = sorted(self.words[row], key=lambda word: (-abs(word.bits), word.word))[:top]
        rest = sum(word.bits for word in self.words[row]) - sum(word.bits for word in shown)
        entries = [(self.before, float(self.prior[row]), 1)]
        if self.absent[row]:
            entries.append(("(absent words)", float(self.absent[row]), 1))
        if self.calibration is not None and self.calibration[row]:
            entries.append((self.rest, float(self.calibration[row]), 1))
        entries += [(shortened(word.word), word.bits, word.count) for word in shown]
        if len(shown) < len(self.words[row]):
            entries.append((f"({len(self.words[row]) - len(shown)} more words)", rest, 1))
        width = max(len(name) for name, _, _ in entries)
        names = shortened(str(self.classes[row])), shortened(str(against))
        nearly = NEARLY if self.approximate is not None and self.approximate[row] else ""
        lines = [f"{names[0]} against {names[1]}: {self.log2_odds[row]:.2f} bits{nearly}"]
        for name, bits, count in entries:
            lines.append(f"  {name:<{width}}  {bits + 0.0:+.2f}" + (f"  x {count}" if count > 1 else ""))
        return "\n".join(lines)

    def __str__(self) -> str:
        return one_by_one(self.describe, len(self), 3, "text")

    __repr__ = __str__
    _repr_html_ = text_as_html


@dataclass(frozen=True)
class Spoken:
    """What the words of one text add to the log joint of each class."""

    words: Sequence[str]
    counts: Array  # (w,)
    said: Floats  # (w, k)
    absent: Floats  # (k,)  by words that it does not hold


def weigh_words(
    classes: Array,
    spoken: Sequence[Spoken],
    base: Floats,
    for_class: Any = None,
    against: Any = None,
    outcome: Outcome | None = None,
    rest: str = CALIBRATION,
) -> TextEvidence:
    """The evidence of the words of texts, beside what is known without them: log joints `base` (n, k).

    With an `outcome` it is for that: its classes, its posterior; what the words leave of that is called `rest`.
    """
    own, other = sides(classes, for_class, against) if outcome is None else (None, outcome.other)
    asked = [own] * len(spoken) if outcome is None else outcome.member.tolist()
    scale = None if outcome is None else outcome.rescaling
    verdicts = [_weigh(one, row, member, other, scale) for one, row, member in zip(spoken, base, asked, strict=True)]
    members, prior, absent, words = zip(*verdicts, strict=True)
    member = np.array(members)
    found = TextEvidence(classes[member], opponents(classes, member, other), np.array(prior), np.array(absent), words)
    return found if outcome is None else replace(_with_what_is_left(found, outcome), rest=rest)


def _with_what_is_left(found: TextEvidence, outcome: Outcome) -> TextEvidence:
    """The evidence, with what it leaves of the odds as a further term where it leaves anything."""
    odds = outcome.log2_odds
    prior, absent, words = found.prior.copy(), found.absent.copy(), list(found.words)
    left, nearly = np.zeros(len(odds)), np.zeros(len(odds), dtype=bool)
    for i, told in enumerate(found.words):
        bits = np.array([[found.absent[i], *(word.bits for word in told)]])
        before, bits, left[i : i + 1], nearly[i : i + 1] = reconciled(prior[[i]], bits, odds[[i]])
        prior[i], absent[i] = before[0], bits[0, 0]
        words[i] = tuple(replace(word, bits=float(b)) for word, b in zip(told, bits[0, 1:], strict=True))
    return replace(
        found,
        prior=prior,
        absent=absent,
        words=tuple(words),
        calibration=left if left.any() else None,
        approximate=nearly if nearly.any() else None,
    )


def word_evidence(
    model: Any, X: Any, against: Any = None, for_class: Any = None, prior: Any = None
) -> dict[str, TextEvidence]:
    """What the words say, for each column of texts that a fitted model knows, or the model inside it, by name.

    >>> from likely import LogisticRegression
    >>> mails = {"t": ["free money", "lunch", "free prize", "lunch at noon"]}
    >>> model = LogisticRegression(kinds={"t": "text"}).fit(mails, [1, 0, 1, 0])
    >>> [word.word for word in word_evidence(model, {"t": ["a free lunch"]})["t"].words[0]]
    ['free', 'lunch']
    """
    inside = unwrap(model)
    names = columns_of_words(inside)
    if names and not hasattr(inside, "text_evidence"):  # a model of texts alone, all of whose evidence is of words
        return {names[0]: model.evidence(X, against, for_class, prior)}
    return {name: model.text_evidence(X, name, against, for_class, prior) for name in names}


def columns_of_words(model: Any) -> list[str]:
    """The columns of texts of which a fitted model weighs the words one by one."""
    if hasattr(model, "layout_"):
        return list(model.layout_.columns_with("tokens"))
    members = getattr(model, "estimators_", None)
    if isinstance(members, dict):  # a pool, for each column if any of its members does so
        found = [name for one in model.heard().values() for name in columns_of_words(unwrap(one))]
        return list(dict.fromkeys(found)) if getattr(model, "method", "log") == "log" else []
    if not hasattr(model, "text_evidence"):
        return []
    return [column.name for column in model.schema_.columns if column.kind == "text"]


def words_alone(model: Any) -> bool:
    """Whether one text is all that a model sees of a row, so that its words are all there is to say."""
    return len(columns_of_words(model)) == 1 == len(schema_inside(model).columns)


def _weigh(
    spoken: Spoken, base: Floats, own: int | None, other: int | None, scale: Rescaling | None
) -> tuple[int, float, float, tuple[Word, ...]]:
    """The class spoken for, and the bits of what was known before, of absent words and of each word."""
    said, absent = spoken.said, spoken.absent
    joint = base + absent + said.sum(axis=0)
    if np.isneginf(joint).all():  # impossible under every class: what is left is what was known before
        said, absent, joint = np.zeros_like(said), np.zeros(len(base)), base.copy()
    if scale is not None:
        base, absent, said = scale.prior(base), scale.terms(absent), scale.terms(said)
    if other is not None:
        joint[other] = -np.inf
    member = int(joint.argmax()) if own is None else own
    steps = np.vstack([base, absent, said])  # (2 + words, k)
    one = 1 - member if len(base) == 2 else other
    bits = (_against_rest(steps, member) if one is None else difference(steps[:, member], steps[:, one])) / _LOG2
    each = zip(spoken.words, spoken.counts, bits[2:], strict=True)
    return member, float(bits[0]), float(bits[1]), tuple(Word(w, int(c), float(b)) for w, c, b in each)


def _against_rest(steps: Floats, member: int) -> Floats:
    others = np.delete(steps, member, axis=1).cumsum(axis=0)
    so_far = log_sum_exp(others, axis=1)
    return difference(steps[:, member], difference(so_far, np.concatenate([[0.0], so_far[:-1]])))
