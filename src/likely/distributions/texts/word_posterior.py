"""Posterior of the words of documents, of all classes and words at once: Dirichlet, or a Beta for each word."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from likely.distributions.conjugate.belief import REFERENCE
from likely.distributions.conjugate.beta import Beta
from likely.distributions.conjugate.dirichlet import Dirichlet
from likely.distributions.texts.term_weights import TermWeights
from likely.numeric.arrays import Floats
from likely.numeric.shares import draw_chances, draw_log_shares
from likely.statistics.counting.terms import TermCounts

if TYPE_CHECKING:
    from likely.distributions.texts.documents import TextDistribution


@dataclass(frozen=True)
class WordPosterior:
    """Of texts: Dirichlet of the words' shares (multinomial), or Beta of each word's presence (bernoulli)."""

    alpha: Floats  # (k, words kept [+ 1 for a word never seen])  occurrences, or documents that hold the word
    other: Floats | None  # (k, words kept [+ 1])  documents without it; None: multinomial
    fitted: "TextDistribution"

    @classmethod
    def learned(cls, seen: TermCounts, fitted: "TextDistribution") -> "WordPosterior":
        family = fitted.family
        place, smooth = np.flatnonzero(fitted.kept), family.unseen == "smooth"
        once = family.model == "bernoulli"
        counts = seen.table("documents" if once else "count")[:, place].astype(np.float64)
        counts = np.pad(counts, ((0, 0), (0, int(smooth))))
        pseudo = float(family.alpha) or REFERENCE
        rows = np.asarray(seen.weight, dtype=np.float64)[:, None]
        return cls(counts + pseudo, np.maximum(rows - counts, 0.0) + pseudo if once else None, fitted)

    def of(self, member: int, column: int) -> Any:
        """A `Dirichlet` with the words as its levels, or a `Beta` by word; None is a word never seen."""
        words: list[Any] = [w for w, kept in zip(self.fitted.words.tolist(), self.fitted.kept, strict=True) if kept]
        words += [None] * (self.alpha.shape[1] - len(words))
        if self.other is None:
            return Dirichlet(self.alpha[member], tuple(words))
        return {word: Beta(a, b) for word, a, b in zip(words, self.alpha[member], self.other[member], strict=True)}

    def draw(self, n: int, rng: np.random.Generator) -> "TextDistribution":
        place, known = np.flatnonzero(self.fitted.kept), len(self.fitted.words)
        smooth = self.alpha.shape[1] > len(place)
        rows = np.append(place, known) if smooth else place
        present = np.zeros((known + 1, n * len(self.alpha)))
        absent = None
        if self.other is None:
            present[rows] = draw_log_shares(self.alpha, n, rng).T
        else:
            p = draw_chances(self.alpha, self.other, n, rng)
            p = p.reshape(-1, p.shape[2]).T
            absent = np.zeros_like(present)
            present[rows], absent[rows] = np.log(p), np.log1p(-p)
            absent[-1] = 0.0  # nobody knows which words were never seen and are absent
        weights = TermWeights(np.ascontiguousarray(present), absent)
        return replace(self.fitted, weights=weights, mean_length=np.tile(self.fitted.mean_length, n))
