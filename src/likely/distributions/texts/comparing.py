"""Whether texts of two samples hold other words: a test for each word, of the documents that hold it.

Occurrences of a word come in bursts within a text and are no independent draws; documents are. Of each word that can be
expected in at least twenty documents of either sample, and absent from twenty, a G test compares the shares of
documents; the smallest p-value is multiplied by the number of words (Bonferroni), which needs no independence.
"""

from dataclasses import replace

import numpy as np

from likely.distributions.comparing import Verdict, compare_counts
from likely.numeric.arrays import Floats
from likely.statistics.counting.terms import TermCounts

_EXPECTED = 20.0  # documents in every cell: with fewer a G test finds a little too much
_NAMED = 3  # words that are named


def compare_words(a: TermCounts, b: TermCounts) -> Verdict | None:
    """The test of two samples of texts, one group each; None where no word is frequent enough.

    >>> from likely.distributions import TextFamily
    >>> from likely.statistics import Membership
    >>> family = TextFamily()
    >>> def seen(free, other):
    ...     return family.summarize(family.tokens(["free"] * free + ["lunch"] * other), Membership.whole(free + other))
    >>> found = compare_words(seen(10, 90), seen(40, 60))
    >>> found.p < 1e-5, found.parts[0][1]
    (True, "'free' in 10 % -> 40 % of the texts")
    """
    one, two = a.aligned(b)
    n_a, n_b = float(one.weight[0]), float(two.weight[0])
    if n_a <= 0 or n_b <= 0:
        return None
    x, y = (seen.by_word("documents").astype(np.float64) for seen in (one, two))
    share = (x + y) / (n_a + n_b)
    tested = np.flatnonzero(min(n_a, n_b) * np.minimum(share, 1 - share) >= _EXPECTED)
    if not len(tested):
        return None
    p = np.minimum(1.0, _g_tests(x[tested], n_a, y[tested], n_b) * len(tested))
    order = np.argsort(p, kind="stable")[:_NAMED]
    words = one.words.taken(tested[order]).tolist()
    best = tested[order[0]]
    cells = np.array([n_a - x[best], x[best]]), np.array([n_b - y[best], y[best]])
    found = compare_counts(*cells, ("absent", "present"))
    if found is None:
        return None
    told = tuple(
        (float(p[i]), f"{word!r} in {100 * x[tested[i]] / n_a:.3g} % -> {100 * y[tested[i]] / n_b:.3g} % of the texts")
        for i, word in zip(order, words, strict=True)
    )
    return replace(found, p=float(p[order[0]]), parts=told, test=f"G of {len(tested):,} words, Bonferroni", free=None)


def _g_tests(x: Floats, n_a: float, y: Floats, n_b: float) -> Floats:
    """P-values of 2 x 2 tables, x of n_a against y of n_b."""
    from scipy.special import chdtrc, xlogy

    def entropy(s: Floats, n: float) -> Floats:
        return np.asarray(xlogy(s, s / n) + xlogy(n - s, (n - s) / n))

    g = 2 * (entropy(x, n_a) + entropy(y, n_b) - entropy(x + y, n_a + n_b))
    return np.asarray(chdtrc(1, np.maximum(g, 0.0)))
