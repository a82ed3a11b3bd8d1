"""Words as bytes one after the other: their order, and the union of two sorted lists.

Byte order of UTF-8 is the order of the code points, which is how Python sorts texts.
"""

import numpy as np

from likely.numeric.jit import kernel


@kernel
def sorted_terms(letters, ends):  # type: ignore[no-untyped-def]
    """The numbers of the words in alphabetical order.

    Eight bytes at a time are one number: words are sorted by the first, equal ones by the next, and so on.
    """
    n = ends.size
    order = np.arange(n)
    runs = [(0, n, 0)]
    while len(runs) > 0:
        start, stop, depth = runs.pop()
        size = stop - start
        if size < 2:
            continue
        keys = np.empty(size, np.uint64)
        longest = 0
        for r in range(size):
            t = order[start + r]
            begin = ends[t - 1] if t > 0 else 0
            longest = max(longest, ends[t] - begin)
            key = np.uint64(0)
            for i in range(begin + depth, begin + depth + 8):
                key = key << np.uint64(8)
                if i < ends[t]:
                    key |= np.uint64(letters[i])
            keys[r] = key
        if longest <= depth:  # equal but for zero bytes at the end
            for r in range(size):
                t = order[start + r]
                keys[r] = np.uint64(ends[t] - (ends[t - 1] if t > 0 else 0))
        place = np.argsort(keys)
        order[start:stop] = order[start:stop][place]
        if longest <= depth:
            continue
        begin = 0
        for r in range(1, size + 1):
            if r == size or keys[place[r]] != keys[place[begin]]:
                if r - begin > 1:
                    runs.append((start + begin, start + r, depth + 8))
                begin = r
    return order


@kernel
def gathered_terms(letters, ends, order):  # type: ignore[no-untyped-def]
    """The letters and ends of some of the words, in that order."""
    out_ends = np.empty(order.size, np.int64)
    size = 0
    for r in range(order.size):
        t = order[r]
        size += ends[t] - (ends[t - 1] if t > 0 else 0)
        out_ends[r] = size
    out = np.empty(size, np.uint8)
    to = 0
    for r in range(order.size):
        t = order[r]
        for i in range(ends[t - 1] if t > 0 else 0, ends[t]):
            out[to] = letters[i]
            to += 1
    return out, out_ends


@kernel
def united_terms(letters_a, ends_a, letters_b, ends_b):  # type: ignore[no-untyped-def]
    """The union of two sorted lists: where the words of each stand in it, its letters and its ends."""
    n, m = ends_a.size, ends_b.size
    place_a, place_b = np.empty(n, np.int64), np.empty(m, np.int64)
    letters = np.empty(letters_a.size + letters_b.size, np.uint8)
    ends = np.empty(n + m, np.int64)
    i = j = size = w = 0
    while i < n or j < m:
        begin_a = ends_a[i - 1] if i > 0 else 0
        begin_b = ends_b[j - 1] if j > 0 else 0
        if i == n:
            side = 1
        elif j == m:
            side = -1
        else:
            length_a, length_b = ends_a[i] - begin_a, ends_b[j] - begin_b
            r = 0
            while r < length_a and r < length_b and letters_a[begin_a + r] == letters_b[begin_b + r]:
                r += 1
            if r < length_a and r < length_b:
                side = -1 if letters_a[begin_a + r] < letters_b[begin_b + r] else 1
            else:
                side = 0 if length_a == length_b else (-1 if length_a < length_b else 1)
        if side <= 0:
            for r in range(begin_a, ends_a[i]):
                letters[w] = letters_a[r]
                w += 1
        else:
            for r in range(begin_b, ends_b[j]):
                letters[w] = letters_b[r]
                w += 1
        if side <= 0:
            place_a[i] = size
            i += 1
        if side >= 0:
            place_b[j] = size
            j += 1
        ends[size] = w
        size += 1
    return place_a, place_b, letters[:w].copy(), ends[:size].copy()


@kernel
def places_of_terms(letters_a, ends_a, letters_b, ends_b):  # type: ignore[no-untyped-def]
    """Where each word of the second sorted list stands in the first; those that are not in it count on from its end."""
    n, m = ends_a.size, ends_b.size
    place = np.empty(m, np.int32)
    new = n
    i = 0
    for j in range(m):
        begin_b = ends_b[j - 1] if j > 0 else 0
        length_b = ends_b[j] - begin_b
        found = False
        while i < n:
            begin_a = ends_a[i - 1] if i > 0 else 0
            length_a = ends_a[i] - begin_a
            r = 0
            while r < length_a and r < length_b and letters_a[begin_a + r] == letters_b[begin_b + r]:
                r += 1
            if r < length_a and r < length_b:
                before = letters_a[begin_a + r] < letters_b[begin_b + r]
            else:
                found = length_a == length_b
                before = length_a < length_b
            if not before:
                break
            i += 1
        if found:
            place[j] = i
            i += 1
        else:
            place[j] = new
            new += 1
    return place
