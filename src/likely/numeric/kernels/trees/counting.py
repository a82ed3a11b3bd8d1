"""Which codes of a column occur in a node, in order, and how much weight of each class every one has.

A large node counts into a table and looks at a place for every code. A small one marks the codes it meets, a bit each,
and a bit for each word of marks, so that its work is that of its own rows and not of the codes there could be. Both
give the same: codes that occur (u,) in rising order, their weights by class (u * k,), and beside them those of the
missing cells, whose code is the number of bins, and their sum (k + 1,).

The code of a row in a column is at `first + row * step` of the codes, which may be laid column after column or row
after row.
"""

import numpy as np

from likely.numeric.jit import kernel

_ONE, _SIX, _LAST = np.uint64(1), np.uint64(6), np.uint64(63)
_SPREAD = np.uint64(0x03F79D71B4CB0A89)  # de Bruijn's: a bit times it has a number of its own in the highest six
_PLACE = np.zeros(64, dtype=np.uint64)  # of the bit by that number
_PLACE[[((1 << bit) * int(_SPREAD) % 2**64) >> 58 for bit in range(64)]] = np.arange(64)


@kernel(inner=True)
def add_to_table(codes, first, step, rows, own, mass, start, stop, k, tables, base):  # type: ignore[no-untyped-def]
    """Add the weights of rows start to stop of a node to the table of a column, which begins at `base`."""
    for i in range(start, stop):
        tables[base + codes[first + rows[i] * step] * k + own[i]] += mass[i]


@kernel(inner=True)
def from_table(tables, base, bins, k, present, weight, missing):  # type: ignore[no-untyped-def]
    """The codes that occur, from the table of a column; how many they are."""
    u = np.uint64(0)
    for b in range(bins):
        some = 0.0
        for c in range(k):
            n = tables[base + b * k + c]
            weight[u * k + c] = n  # written over by the next code where there is nothing of this one
            some += n
        present[u] = b
        u += np.uint64(some > 0)
    missing[k] = 0.0
    for c in range(k):
        missing[c] = tables[base + bins * k + c]
        missing[k] += missing[c]
    return u


@kernel(inner=True)
def by_marks(  # type: ignore[no-untyped-def]
    codes, first, step, rows, own, mass, start, stop, bins, k, tally, marks, words, present, weight, missing
):
    """The same from the rows of a small node; `tally` (codes * k), `marks` and `words` are zero before and after."""
    for i in range(start, stop):
        code = np.uint64(codes[first + rows[i] * step])
        tally[code * k + own[i]] += mass[i]
        word = code >> _SIX
        marks[word] |= _ONE << (code & _LAST)
        words[word >> _SIX] |= _ONE << (word & _LAST)
    missing[k] = 0.0
    for c in range(k):
        missing[c] = tally[bins * k + c]
        missing[k] += missing[c]
    u = np.uint64(0)
    for w in range((bins >> np.uint64(12)) + _ONE):
        marked = words[w]
        words[w] = 0
        while marked != 0:
            word = (w << _SIX) + _PLACE[((marked & (~marked + _ONE)) * _SPREAD) >> np.uint64(58)]
            marked &= marked - _ONE
            mark = marks[word]
            marks[word] = 0
            while mark != 0:
                code = (word << _SIX) + _PLACE[((mark & (~mark + _ONE)) * _SPREAD) >> np.uint64(58)]
                mark &= mark - _ONE
                present[u] = code
                for c in range(k):
                    weight[u * k + c] = tally[code * k + c]
                    tally[code * k + c] = 0.0
                u += _ONE
    return u - np.uint64(missing[k] > 0)  # the code of gaps is the last
