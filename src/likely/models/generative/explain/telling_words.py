"""Which words tell a class from all others together, with intervals that allow for the choice."""

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np

from likely.data.printing.html_table import as_html, text_as_html
from likely.data.printing.wording import amount, shortened
from likely.distributions.texts.documents import TextDistribution
from likely.errors import check_whole
from likely.intervals.quantiles import check_confidence
from likely.models.any_classifier.outcome import place_of
from likely.numeric.arrays import Array, Floats
from likely.statistics.counting.terms import Counted, TermCounts

_LOG2 = float(np.log(2.0))
_JEFFREYS = 0.5
_MOST_TIMES = 10_000.0  # that are told: beyond, a word that occurs once elsewhere decides


@dataclass(frozen=True)
class TellingTerm:
    """A word, how much more likely it is in a class than elsewhere (log2 ratio, interval), and how often it occurs."""

    word: str
    bits: float
    low: float
    high: float
    count: float  # in the class: occurrences, or documents in the Bernoulli model
    elsewhere: float
    documents: float = 0.0  # of the class that hold the word, in every model
    documents_elsewhere: float = 0.0

    def __str__(self) -> str:
        texts = f"in {amount(self.documents)} of its texts and {amount(self.documents_elsewhere)} others"
        return f"{shortened(self.word)}: {_times(self)} times as likely, {texts}"

    _repr_html_ = text_as_html


_HEAD = ("word", "times as likely", "texts", "elsewhere")


class TellingTerms(list[TellingTerm]):
    """The most telling words of a class, the surest first; printed as a table.

    >>> free, now = TellingTerm("free", 3.0, 1.0, 5.0, 12, 1, 9, 1), TellingTerm("now", 2.0, 0.5, 3.5, 4, 0, 4)
    >>> print(TellingTerms([free, now]))
    word  times as likely    texts  elsewhere
    free  8.0 (2.0 to 32.0)  9      1
    now   4.0 (1.4 to 11.3)  4      0
    >>> print(free)
    free: 8.0 (2.0 to 32.0) times as likely, in 9 of its texts and 1 others
    """

    def __str__(self) -> str:
        if not self:
            return "no word is more frequent in the class than elsewhere"
        cells = self._cells()
        wide = [max(map(len, column)) for column in zip(_HEAD, *cells, strict=True)]
        lines = ("  ".join(map(str.ljust, row, wide)).rstrip() for row in (_HEAD, *cells))
        return "\n".join(lines)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return as_html("", _HEAD, self._cells()) if self else as_html(str(self))

    def _cells(self) -> list[tuple[str, ...]]:
        return [(shortened(t.word), _times(t), amount(t.documents), amount(t.documents_elsewhere)) for t in self]


def _times(term: TellingTerm) -> str:
    """How many times as likely a word is in the class, with its interval."""
    middle, low, high = (float(np.exp2(min(end, 1000.0))) for end in (term.bits, term.low, term.high))
    told = [f"{one:,.1f}" if one < 1000 else f"{one:,.0f}" for one in (middle, low, min(high, _MOST_TIMES))]
    over = "over " if high > _MOST_TIMES else ""
    return f"{told[0]} ({told[1]} to {over}{told[2]})" if np.isfinite(term.high) else f"{told[0]} (no interval)"


def telling_terms(
    classes: Array, seen: TermCounts, fitted: TextDistribution, class_: Hashable, n: int, confidence: float
) -> TellingTerms:
    """The words whose log2 ratio (class against all others pooled) has the highest lower end of its interval.

    A word that is not more frequent in the class than elsewhere does not tell it, so there may be fewer than n. Words
    that are shown because they told most in these texts told more than they will (the winner's curse): n of v words are
    given intervals of the confidence 1 - (1 - c) n / v, so that of those shown a share c holds (Benjamini and Yekutieli
    2005). Without this the most telling word is found too telling in up to a quarter of all samples.

    The interval is that of the ratio of two gamma variables, one for each share, which a count of zero has too: Wald's
    on the logarithm took it for symmetric, so that a word of 242 texts and no other could be rarer in the class. Their
    shapes are 1 / v, v the variance of the logarithm: a number of independent events has the shape of that number. In
    the Bernoulli model documents are independent: with the smoothed numbers a of A the variance is 1/a - 1/A.
    Occurrences are not: a word that occurs once in a text occurs again. They come in bursts, which are independent;
    where d of N documents hold the word, there were about s = -N log(1 - d/N) of them. With bursts of geometric length
    1/a becomes (2 - s/a) / s, which is 1/a where words repeat no more than by chance (s = a) and up to 2/s where they
    do. Counts are smoothed by alpha, for the interval by no less than Jeffreys' 1/2: so many bursts, of the length that
    the word's have in all texts.
    """
    check_whole("n", n)
    member = place_of(class_, classes)
    alpha, kept, bits_model = fitted.family.alpha, fitted.kept, fitted.family.model == "bernoulli"
    counted: Counted = "documents" if bits_model else "count"
    places = 2 if bits_model else int(kept.sum())
    count = np.where(kept, seen.by_word(counted, member), 0).astype(np.float64)
    elsewhere = np.where(kept, seen.by_word(counted), 0) - count
    sizes = np.asarray(seen.weight, dtype=np.float64) if bits_model else seen.lengths(kept)
    size, rest = sizes[member], sizes.sum() - sizes[member]
    with np.errstate(divide="ignore", invalid="ignore"):
        bits = np.log2(count + alpha) - np.log2(size + alpha * places)
        bits -= np.log2(elsewhere + alpha) - np.log2(rest + alpha * places)
    place = np.flatnonzero(kept & (bits > 0))  # NaN is not
    bits, count, elsewhere = bits[place], count[place], elsewhere[place]
    own, whole = seen.by_word("documents", member)[place], seen.by_word("documents")[place]
    least = max(alpha, _JEFFREYS)
    pseudo = np.full(len(place), least)  # occurrences
    if bits_model:
        shapes = [1 / (1 / (one + least) - 1 / (of + 2 * least)) for one, of in ((count, size), (elsewhere, rest))]
    else:
        rows = float(seen.weight[member]), float(seen.weight.sum() - seen.weight[member])
        bursts = [_bursts(count, own, rows[0]), _bursts(elsewhere, whole - own, rows[1])]
        pseudo *= (count + elsewhere) / (bursts[0] + bursts[1])
        shapes = [
            (s + least) / (2 - (s + least) / (c + pseudo)) for s, c in zip(bursts, (count, elsewhere), strict=True)
        ]
    middle = np.log2(count + pseudo) - np.log2(elsewhere + pseudo)
    middle += np.log2(rest + least * places) - np.log2(size + least * places) if len(place) else 0.0
    surest = np.where(np.isfinite(bits), middle + _log2_below(shapes[0], shapes[1], confidence), -np.inf)
    order = np.lexsort((place, -bits, -surest))[:n]
    chosen = 1 - (1 - confidence) * min(n / max(int(kept.sum()), 1), 1.0)
    ours, others = (shape[order] for shape in shapes)
    known = np.isfinite(bits[order])
    low = np.where(known, middle[order] + _log2_below(ours, others, chosen), -np.inf)
    high = np.where(known, middle[order] - _log2_below(others, ours, chosen), np.inf)
    best = place[order]
    words = seen.words.taken(best).tolist()
    columns = (bits[order], low, high, count[order], elsewhere[order], own[order], (whole - own)[order])
    return TellingTerms(TellingTerm(word, *map(float, row)) for word, *row in zip(words, *columns, strict=True))


def _log2_below(ours: Floats, others: Floats, confidence: float) -> Floats:
    """How far the ratio of two gamma variables of mean 1 (an F variable) reaches below 1, in bits: its lower end."""
    from scipy.special import betaincinv

    check_confidence(confidence)
    part = betaincinv(ours, others, (1 - confidence) / 2)
    with np.errstate(divide="ignore"):
        return np.asarray(np.log2(part) - np.log1p(-part) / _LOG2 + np.log2(others) - np.log2(ours))


def _bursts(count: Floats, documents: Array, rows: float) -> Floats:
    """How many bursts (v,) the occurrences of a word came in, `documents` of `rows` holding one or more."""
    share = np.clip(documents / max(rows, 1e-300), 0.0, 1.0)
    with np.errstate(divide="ignore"):
        return np.asarray(np.minimum(-rows * np.log1p(-share), count))
