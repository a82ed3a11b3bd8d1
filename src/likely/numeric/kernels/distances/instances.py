"""Which instances of a stream are stored: of a block, given how far each is from those stored and from each other."""

from likely.numeric.jit import kernel


@kernel
def keep_mistakes(nearest, said, within, code, kept, answered):  # type: ignore[no-untyped-def]
    """IB2: store what the store gets wrong.

    nearest (b,) and said (b,) are distance and class of the nearest instance stored before the block (said -1: there is
    none), within (b, b) the distances in the block. Of equally near ones the earlier speaks. Fills kept (b,) and the
    class that was answered (b,).
    """
    for i in range(code.shape[0]):
        far = nearest[i]
        answer = said[i]
        for j in range(i):
            if kept[j] and (answer < 0 or within[i, j] < far):
                far = within[i, j]
                answer = code[j]
        answered[i] = answer
        kept[i] = answer != code[i]


@kernel
def keep_records(apart, first, code, stored, alive, right, tries, seen, z_accept, z_reject, answered):  # type: ignore[no-untyped-def]
    """IB3: instances with records of their success.

    apart (b, s + b) are distances of the block's rows from the s = `first` instances stored before and from each other;
    stored (s + b,) their classes, -1: not stored; alive, right and tries (s + b,) whether they are stored still and how
    often they were right; seen (k + 1,) how many instances of each class, and in all, have come. An instance is
    accepted when the lower limit of its success is above the upper limit of its class's frequency, dropped when its
    upper limit is below the lower one. While none is accepted, the nearest speaks.
    """
    k = seen.shape[0] - 1
    for i in range(code.shape[0]):
        end = first + i
        best = -1
        accepted = -1
        for s in range(end):
            if not alive[s]:
                continue
            if best < 0 or apart[i, s] < apart[i, best]:
                best = s
            if tries[s] > 0.0 and (accepted < 0 or apart[i, s] < apart[i, accepted]):
                n = tries[s]
                share = right[s] / n
                z2 = z_accept * z_accept
                low = (share + z2 / (2 * n) - z_accept * ((share - share * share) / n + z2 / (4 * n * n)) ** 0.5) / (
                    1 + z2 / n
                )
                m = seen[k]
                often = seen[stored[s]] / m
                high = (often + z2 / (2 * m) + z_accept * ((often - often * often) / m + z2 / (4 * m * m)) ** 0.5) / (
                    1 + z2 / m
                )
                if low > high:
                    accepted = s
        speaker = accepted if accepted >= 0 else best
        answered[i] = stored[speaker] if speaker >= 0 else -1
        if speaker >= 0:
            reach = apart[i, speaker]
            for s in range(end):
                if alive[s] and apart[i, s] <= reach:
                    tries[s] += 1.0
                    right[s] += stored[s] == code[i]
        seen[code[i]] += 1.0
        seen[k] += 1.0
        if speaker >= 0:
            reach = apart[i, speaker]
            m = seen[k]
            for s in range(end):
                if alive[s] and apart[i, s] <= reach:
                    n = tries[s]
                    share = right[s] / n
                    z2 = z_reject * z_reject
                    high = (
                        share + z2 / (2 * n) + z_reject * ((share - share * share) / n + z2 / (4 * n * n)) ** 0.5
                    ) / (1 + z2 / n)
                    often = seen[stored[s]] / m
                    low = (
                        often + z2 / (2 * m) - z_reject * ((often - often * often) / m + z2 / (4 * m * m)) ** 0.5
                    ) / (1 + z2 / m)
                    if high < low:
                        alive[s] = False
        if answered[i] != code[i]:
            stored[end] = code[i]
            alive[end] = True
