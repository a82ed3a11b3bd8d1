"""Words counted class by class: entries for the words that occur in a class, in the order of the words."""

from likely.numeric.jit import kernel

BLOCK = 16  # words that share a mark, so that a class of few documents need not look through all words


@kernel
def count_terms(  # type: ignore[no-untyped-def]
    ids, ends, visits, visit_ends, weight, tally, holding, stamps, marks, places, count, documents, entry_ends,
):  # fmt: skip
    """Write the entries of every class: the word, its occurrences, and the documents that hold it.

    Class c visits the documents visits[visit_ends[c - 1]:visit_ends[c]], each with its weight. The tally and the
    documents holding each word, its stamp (v,) and the marks of blocks of words are zeros, and scratch.
    """
    used = 0
    start = 0
    for c in range(visit_ends.size):
        for r in range(start, visit_ends[c]):
            i = visits[r]
            w = weight[r]
            for j in range(ends[i - 1] if i > 0 else 0, ends[i]):
                t = ids[j]
                tally[t] += w
                if stamps[t] != r + 1:
                    stamps[t] = r + 1
                    holding[t] += w
                    marks[t // BLOCK] = True
        start = visit_ends[c]
        for b in range(marks.size):
            if not marks[b]:
                continue
            marks[b] = False
            for t in range(b * BLOCK, min((b + 1) * BLOCK, tally.size)):
                if tally[t] != 0 or holding[t] != 0:
                    places[used] = t
                    count[used] = tally[t]
                    documents[used] = holding[t]
                    used += 1
                    tally[t] = 0
                    holding[t] = 0
        entry_ends[c] = used


@kernel
def united_entries(ends_a, places_a, ends_b, places_b, at_a, at_b, places, ends):  # type: ignore[no-untyped-def]
    """The union of the entries of two statistics of the same words, and where those of each stand in it."""
    size = i = j = 0
    for c in range(ends.size):
        while i < ends_a[c] or j < ends_b[c]:
            if j == ends_b[c]:
                t = places_a[i]
            elif i == ends_a[c]:
                t = places_b[j]
            else:
                t = min(places_a[i], places_b[j])
            places[size] = t
            if i < ends_a[c] and places_a[i] == t:
                at_a[i] = size
                i += 1
            if j < ends_b[c] and places_b[j] == t:
                at_b[j] = size
                j += 1
            size += 1
        ends[c] = size
