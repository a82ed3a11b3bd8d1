"""What the words of a text say to the densities of texts, each time that one occurs (see `models.traits.words`)."""

from collections import Counter
from dataclasses import replace
from typing import Any, cast

import numpy as np

from likely.data.inputs import Input
from likely.distributions.texts.documents import TextDistribution
from likely.models.any_classifier.outcome import Outcome
from likely.models.generative.answers import scoring
from likely.models.generative.answers.fitted import FittedGenerative
from likely.models.traits.words import Spoken, TextEvidence, weigh_words
from likely.numeric.arrays import Array, Floats


def weigh_texts(
    classes: Array,
    fitted: TextDistribution,
    texts: list[str | None],
    base: Floats,
    for_class: Any = None,
    against: Any = None,
    outcome: Outcome | None = None,
) -> TextEvidence:
    """The evidence of texts for these classes, beside what is known without them: log joints `base` (n, k)."""
    spoken = [_spoken(fitted, text, len(classes)) for text in texts]
    return weigh_words(classes, spoken, base, for_class, against, outcome)


def words_of_column(
    model: FittedGenerative,
    data: Input,
    part: int,
    log_prior: Floats,
    for_class: Any = None,
    against: Any = None,
    outcome: Outcome | None = None,
) -> TextEvidence:
    """The words of one text column among others; what all the others say stands with the prior."""
    layout, fitted = model.layout_, model.distribution_
    name = layout.schema.columns[layout.parts[part].columns[0]].name
    base, texts = [], []
    for start, batch in data.batches():
        rows = scoring.query_rows(model, batch, start)
        others = [one.log_density(x) for i, (one, x) in enumerate(zip(fitted.parts, rows, strict=True)) if i != part]
        base.append(log_prior + np.sum([np.zeros((batch.height, len(log_prior))), *others], axis=0))
        texts += batch[name].to_list()
    own = cast(TextDistribution, fitted.parts[part])
    told = weigh_texts(model.classes_, own, texts, np.concatenate(base), for_class, against, outcome)
    return replace(told, before="prior" if len(fitted.parts) == 1 else "prior and other columns")


def _spoken(fitted: TextDistribution, text: str | None, classes: int) -> Spoken:
    """What the words of a text say; of a missing text nothing."""
    silent = np.zeros(classes)
    if text is None:
        return Spoken((), np.zeros(0, dtype=np.int64), np.zeros((0, classes)), silent)
    known, new, smooth = fitted.numbers, len(fitted.words), fitted.family.unseen == "smooth"
    bag = Counter(fitted.family.tokenizer.terms(text))
    rows = [(word, known.get(word, new), count) for word, count in bag.items()]
    speaking = [row for row in rows if (smooth if row[1] == new else fitted.kept[row[1]])]
    words, numbers, counts = zip(*speaking, strict=True) if speaking else ((), (), ())
    places, times = np.array(numbers, dtype=np.int64), np.array(counts, dtype=np.int64)
    weights = fitted.weights
    said = weights.present[places] if weights.once else weights.present[places] * times[:, None]
    absent = silent if weights.absent is None else _less_present(weights.absent, places)
    return Spoken(words, times, said, absent)


def _less_present(absent: Floats, rows: Array) -> Floats:
    """The sum over the words that are not among these rows; minus infinity stays where one of them has it."""
    mask = np.ones(len(absent), dtype=np.bool_)
    mask[rows] = False
    return np.asarray(absent[mask].sum(axis=0))
