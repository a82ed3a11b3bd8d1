"""Text into words: runs of at least two word characters, each put in a table of distinct words.

    bytes of UTF-8  ->  word characters, in lower case  ->  hash  ->  slot  ->  number of the word

ASCII is put in lower case here by a table; texts with other characters come in lower case already, and of those the
kernel only asks which code points belong to words. A slot holds the upper half of the hash and the number of a word
plus one; the letters of all words lie one after the other, and the first eight of each are kept once more as one
number, so that a short word is recognised by a single comparison (no word holds a zero byte).

Arrays do not grow inside a kernel (that made it 13 times slower): it stops where the table is half full and says where
to go on.
"""

import numpy as np

from likely.numeric.jit import kernel

TOKENS, TERMS = 2, 3  # entries of `state`; the first two say where to go on

_BASIS = np.uint64(0xCBF29CE484222325)  # FNV-1a, eight bytes at a time
_PRIME = np.uint64(0x9E3779B97F4A7C15)
_EIGHT = np.uint64(8)
_WHOLE = np.uint64(64)
_HALF = np.uint64(32)
_LOWER = np.uint64(0xFFFFFFFF)
_FEW = 64  # weights that are added up before their sum is


@kernel
def tokenize(  # type: ignore[no-untyped-def]
    text, ends, alphabet, word, slots, letters, term_ends, firsts, scratch, ids, token_ends, state, learn, seed,
):  # fmt: skip
    """Write to `ids` the word of every token and to `token_ends` where each document's tokens end.

    Document i is text[ends[i - 1]:ends[i]]. `alphabet` (256,) maps a byte to the letter that is kept, to 0 (a
    separator) or to 1 (the first byte of a longer character, which is looked up in `word`). With `learn` new words are
    added to the table; without, they have the number that the next new word would have. The `seed` of the hashes is
    secret, so that nobody can write a text whose words all fall into one slot. Returns whether all is done.
    """
    document, p, tokens, terms = state[0], state[1], state[2], state[3]
    mask = np.uint64(slots.size - 1)
    one, nothing = np.uint64(1), np.uint64(0)
    used = term_ends[terms - 1] if terms > 0 else 0
    while document < ends.size:
        stop = ends[document]
        first = p
        w = 0
        characters = 0
        h = _BASIS ^ seed
        key = initial = shift = nothing
        while True:
            step = 1
            if p < stop:
                c = alphabet[text[p]]
                if c > 1:
                    scratch[w] = c
                    w += 1
                    key |= np.uint64(c) << shift
                    shift += _EIGHT
                    if shift == _WHOLE:
                        if w == 8:
                            initial = key
                        h = (h ^ key) * _PRIME
                        h ^= h >> _HALF
                        key = shift = nothing
                    characters += 1
                    p += 1
                    continue
                if c == 1:
                    b = np.int64(text[p])
                    if b >= 0xF0:
                        step = 4
                        code = b & 0x07
                    elif b >= 0xE0:
                        step = 3
                        code = b & 0x0F
                    else:
                        step = 2
                        code = b & 0x1F
                    for i in range(1, step):
                        code = (code << 6) | (np.int64(text[p + i]) & 0x3F)
                    if word[code]:
                        for i in range(step):
                            scratch[w] = text[p + i]
                            w += 1
                            key |= np.uint64(text[p + i]) << shift
                            shift += _EIGHT
                            if shift == _WHOLE:
                                if w == 8:
                                    initial = key
                                h = (h ^ key) * _PRIME
                                h ^= h >> _HALF
                                key = shift = nothing
                        characters += 1
                        p += step
                        continue
            if characters >= 2:
                if w < 8:
                    initial = key
                h = (h ^ key) * _PRIME
                h ^= h >> _HALF
                h *= _PRIME
                tag = h >> _HALF
                slot = h & mask
                found = np.int64(-1)
                while True:
                    entry = slots[np.int64(slot)]
                    if entry == 0:
                        break
                    if entry >> _HALF == tag:
                        t = np.int64(entry & _LOWER) - 1
                        if firsts[t] == initial:
                            if w < 8:
                                found = t
                                break
                            at = term_ends[t - 1] if t > 0 else 0
                            i = 8 if term_ends[t] - at == w else w + 1
                            while i < w and letters[at + i] == scratch[i]:
                                i += 1
                            if i == w:
                                found = t
                                break
                    slot = (slot + one) & mask
                if found < 0:
                    found = terms
                    if learn:
                        if 2 * (terms + 1) > slots.size:
                            state[0], state[1], state[2], state[3] = document, first, tokens, terms
                            return False
                        for i in range(w):
                            letters[used + i] = scratch[i]
                        used += w
                        term_ends[terms] = used
                        firsts[terms] = initial
                        terms += 1
                        slots[np.int64(slot)] = (tag << _HALF) | np.uint64(terms)
                ids[tokens] = found
                tokens += 1
            if p >= stop:
                break
            p += step
            first = p
            w = 0
            characters = 0
            h = _BASIS ^ seed
            key = initial = shift = nothing
        token_ends[document] = tokens
        document += 1
    state[0], state[1], state[2], state[3] = document, p, tokens, terms
    return True


@kernel
def place_terms(letters, term_ends, terms, slots, firsts, seed):  # type: ignore[no-untyped-def]
    """Fill empty slots with the first `terms` words, which are all different, and `firsts` with their beginnings."""
    mask = np.uint64(slots.size - 1)
    one = np.uint64(1)
    begin = 0
    for t in range(terms):
        h = _BASIS ^ seed
        key = initial = shift = np.uint64(0)
        for i in range(begin, term_ends[t]):
            key |= np.uint64(letters[i]) << shift
            shift += _EIGHT
            if shift == _WHOLE:
                if i - begin == 7:
                    initial = key
                h = (h ^ key) * _PRIME
                h ^= h >> _HALF
                key = shift = np.uint64(0)
        if term_ends[t] - begin < 8:
            initial = key
        firsts[t] = initial
        begin = term_ends[t]
        h = (h ^ key) * _PRIME
        h ^= h >> _HALF
        h *= _PRIME
        slot = h & mask
        while slots[np.int64(slot)] != 0:
            slot = (slot + one) & mask
        slots[np.int64(slot)] = ((h >> _HALF) << _HALF) | np.uint64(t + 1)


@kernel
def score_tokens(ids, ends, weight, once, stamps, out):  # type: ignore[no-untyped-def]
    """Add to out[i] the weights of document i's words; numbers past the last row of `weight` have that row.

    With `once` a word counts once however often it occurs: `stamps` has a zero for every number among the ids. The
    weights of a few words are summed at a time, and these sums with compensation (Neumaier's), so that the error does
    not grow with the length of a document.
    """
    last = weight.shape[0] - 1
    k = weight.shape[1]
    block, lost = np.zeros(k), np.zeros(k)
    begin = 0
    for i in range(ends.size):
        row = out[i]
        short = ends[i] - begin <= _FEW
        held = 0
        for j in range(begin, ends[i]):
            t = ids[j]
            if once:
                if stamps[t] == i + 1:
                    continue
                stamps[t] = i + 1
            if t > last:
                t = last
            if short:
                for c in range(k):
                    row[c] += weight[t, c]
                continue
            for c in range(k):
                block[c] += weight[t, c]
            held += 1
            if held == _FEW:
                for c in range(k):
                    total = row[c] + block[c]
                    big, small = (row[c], block[c]) if abs(row[c]) >= abs(block[c]) else (block[c], row[c])
                    lost[c] += (big - total) + small
                    row[c] = total
                    block[c] = 0.0
                held = 0
        if not short:
            for c in range(k):
                total = row[c] + block[c]
                big, small = (row[c], block[c]) if abs(row[c]) >= abs(block[c]) else (block[c], row[c])
                lost[c] += (big - total) + small
                row[c] = total
                block[c] = 0.0
            for c in range(k):
                if np.isfinite(row[c]):
                    row[c] += lost[c]
                lost[c] = 0.0
        begin = ends[i]
