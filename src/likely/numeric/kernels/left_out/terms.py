"""Log likelihoods of documents under classes from which each is left out of its own, for the models of `term_weights`.

All words of the statistic must be kept. A word that no other document holds was never seen when the document is left
out: it says nothing.
"""

import numpy as np

from likely.numeric.jit import kernel


@kernel
def _distinct_words(ids, begin, end, bag, tally):  # type: ignore[no-untyped-def]
    """Put each word of a document once into `bag`, its occurrences into `tally`, and say how many there are."""
    distinct = 0
    for j in range(begin, end):
        t = ids[j]
        if tally[t] == 0:
            bag[distinct] = t
            distinct += 1
        tally[t] += 1
    return distinct


@kernel
def counts_without_own_text(ids, ends, labels, count, holding, totals, alpha, complement, bag, tally, out):  # type: ignore[no-untyped-def]
    """Multinomial and complement scores (n, k) of every document.

    count (v, k) are occurrences, those of all other classes with `complement`; holding (v,) the documents that hold a
    word; totals (k,) the sums of count; bag (v,) room for the words of a document, tally (v,) zeros.
    """
    words, k = count.shape
    begin = 0
    for i in range(ends.size):
        own = labels[i]
        distinct = _distinct_words(ids, begin, ends[i], bag, tally)
        length = ends[i] - begin
        begin = ends[i]
        vanished = 0
        told = 0
        for b in range(distinct):
            if holding[bag[b]] <= 1:
                vanished += 1
            else:
                told += tally[bag[b]]
        for c in range(k):
            touched = (c != own) if complement else (c == own)
            total = totals[c] + alpha * (words - vanished)
            if touched:
                total -= length
            out[i, c] = 0.0 if told == 0 else -told * np.log(total)
        for b in range(distinct):
            t = bag[b]
            times = tally[t]
            tally[t] = 0
            if holding[t] <= 1:
                continue
            for c in range(k):
                touched = (c != own) if complement else (c == own)
                seen = count[t, c] - times if touched else count[t, c]
                out[i, c] += times * np.log(seen + alpha)
        if complement:
            for c in range(k):
                out[i, c] = -out[i, c]


@kernel
def presence_without_own_text(ids, ends, labels, documents, rows, absent, absent_less, alpha, bag, tally, out):  # type: ignore[no-untyped-def]
    """Bernoulli scores (n, k) of every document.

    documents (v, k) hold a word, rows (k,) are all documents of a class; absent (k,) is the sum over all words of
    log(rows - documents + alpha), absent_less (k,) that of log(rows - 1 - documents + alpha) over the words that not
    all documents of the class hold.
    """
    words, k = documents.shape
    begin = 0
    for i in range(ends.size):
        own = labels[i]
        distinct = _distinct_words(ids, begin, ends[i], bag, tally)
        begin = ends[i]
        vanished = 0
        for b in range(distinct):
            t = bag[b]
            held = 0
            for c in range(k):
                held += documents[t, c]
            if held <= 1:
                vanished += 1
        for c in range(k):
            n = rows[c] - 1 if c == own else rows[c]
            out[i, c] = (absent_less[c] if c == own else absent[c]) - (words - vanished) * np.log(n + 2 * alpha)
        for b in range(distinct):
            t = bag[b]
            tally[t] = 0
            held = 0
            for c in range(k):
                held += documents[t, c]
            for c in range(k):
                n = rows[c]
                inside = documents[t, c]
                if c == own:
                    n -= 1
                    if inside <= n:
                        out[i, c] -= np.log(n - inside + alpha)
                    inside -= 1
                else:
                    out[i, c] -= np.log(n - inside + alpha)
                if held > 1:
                    out[i, c] += np.log(inside + alpha)
