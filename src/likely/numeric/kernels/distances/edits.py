"""Edit distances of texts: the least number of insertions, deletions and substitutions (Levenshtein)."""

import numpy as np

from likely.numeric.arrays import Ints
from likely.numeric.jit import kernel


@kernel(
    makes=lambda q_letters, q_end, letters, end: (np.empty((len(q_end), len(end))),),
    scratch=lambda q_letters, q_end, letters, end: (np.empty(_longest(end) + 1),),
)
def edits_apart(q_letters, q_end, letters, end, out, line):  # type: ignore[no-untyped-def]
    """Edit distances (q, n) of texts, given as code points one after the other and where each text ends."""
    for i in range(q_end.shape[0]):
        a = 0 if i == 0 else q_end[i - 1]
        for r in range(end.shape[0]):
            b = 0 if r == 0 else end[r - 1]
            width = end[r] - b
            for t in range(width + 1):
                line[t] = t
            for s in range(a, q_end[i]):
                corner = line[0]
                line[0] += 1
                for t in range(width):
                    best = corner if q_letters[s] == letters[b + t] else corner + 1
                    best = line[t + 1] + 1 if line[t + 1] + 1 < best else best
                    best = line[t] + 1 if line[t] + 1 < best else best
                    corner = line[t + 1]
                    line[t + 1] = best
            out[i, r] = line[width]


def _longest(end: Ints) -> int:
    return int(np.diff(end, prepend=0).max(initial=0))
