"""Log densities of levels, events and counts with the row itself taken out of its class, in one pass.

The sums of whole numbers without weights are exact, so a row is taken out by a subtraction. With weights (`exact` is
false) a difference that is a small part of what it was taken from has lost its digits: such a row is NaN, to be
estimated without it instead. A label below 0 is in no class.
"""

import math

import numpy as np

from likely.numeric.jit import kernel

_ENOUGH = 1e-5  # of a sum of weights that must be left for its digits to be good
_CONSTANT_AT_MOST = 1e-9  # share of the other value between which and rounding weights cannot tell it from none
_IGNORE, _PRIOR, _ERROR = 0, 1, 2


@kernel
def levels_without_own_row(  # type: ignore[no-untyped-def]
    x, base, offset, place, labels, weight, exact,
    log_table, log_unseen, count, rows, everyone, pseudo, prior, levels, kept, prior_left, spare_left, unseen, out,
):  # fmt: skip
    """Write to `out` (n, k) the log probability of each row under the tables of levels as they are without it.

    place[offset[j] + code] is the level's row in the table (L), -1 if it has none. `rows` (k, d): observed cells,
    `prior` (d,) the pseudo-counts of a feature in all, `levels` (d,) how many it has. A level that nobody else has is
    gone with its row, unless it is `kept` (L,): `prior_left` and `spare_left` (L,) are the pseudo-counts then, and
    `unseen` (0 ignore, 1 prior, 2 error) says what becomes of it.
    """
    n, d = x.shape
    k = count.shape[0]
    for i in range(n):
        own = labels[i]
        w = weight[i] if own >= 0 else 0.0
        lost = False
        for c in range(k):
            out[i, c] = 0.0
        for j in range(d):
            code = np.int64(x[i, j]) - base[j]
            if code < 0:
                continue
            at = place[offset[j] + code]
            if at < 0:  # a row without weight, or one that is not in the sums
                lost = lost or w > 0.0 or unseen == _ERROR
                if unseen == _PRIOR:
                    for c in range(k):
                        out[i, c] += log_unseen[c, j]
                continue
            others = everyone[at] - w
            if not exact and others != 0.0 and others < _ENOUGH * everyone[at]:
                lost = True
            if others == 0.0 and w > 0.0 and not kept[at]:
                lost = lost or unseen == _ERROR
                if unseen != _PRIOR or levels[j] == 1:
                    continue
                for c in range(k):
                    seen = rows[c, j] - w if c == own else rows[c, j]
                    whole = seen + prior_left[at]
                    if c == own and not exact and seen != 0.0 and whole < _ENOUGH * rows[c, j]:
                        lost = True
                    out[i, c] += np.log(spare_left[at] / whole) if whole > 0.0 else -np.inf
                continue
            for c in range(k):
                if c != own:
                    out[i, c] += log_table[at, c]
            if own >= 0:
                part, seen = count[own, at] - w, rows[own, j] - w
                top, whole = part + pseudo[at], seen + prior[j]
                if not exact:
                    lost = lost or (part != 0.0 and top < _ENOUGH * count[own, at])
                    lost = lost or (seen != 0.0 and whole < _ENOUGH * rows[own, j])
                out[i, own] += np.log(top / whole if whole > 0.0 else 1.0 / levels[j])
        if lost:
            for c in range(k):
                out[i, c] = np.nan


@kernel
def events_without_own_row(  # type: ignore[no-untyped-def]
    x, labels, weight, exact, ones, rows, all_ones, all_rows, log_one, log_zero, pseudo, neutral, constant, out
):
    """Write to `out` (n, k) the log probability of each row of 0 and 1 under the classes as they are without it.

    `ones` and `rows` (k, d) are sums over the observed cells, `all_` (d,) those of all classes, log_one and log_zero
    (k, d) the classes with the row. With `neutral` a feature that is constant without the row says nothing.
    """
    n, d = x.shape
    k = ones.shape[0]
    for i in range(n):
        own = labels[i]
        w = weight[i] if own >= 0 else 0.0
        lost = False
        for c in range(k):
            out[i, c] = 0.0
        for j in range(d):
            v = x[i, j]
            if v != v:
                continue
            if neutral:
                seen = all_rows[j] - w
                other = min(all_ones[j] - w * v, seen - (all_ones[j] - w * v))
                if not exact and seen != 0.0 and seen < _ENOUGH * all_rows[j]:
                    lost = True
                if other <= constant * seen:
                    continue
                if not exact and w > 0.0 and other < _CONSTANT_AT_MOST * all_rows[j]:
                    lost = True
            log_table = log_one if v > 0.0 else log_zero
            for c in range(k):
                if c != own:
                    out[i, c] += log_table[c, j]
            if own >= 0:
                before = ones[own, j] if v > 0.0 else rows[own, j] - ones[own, j]
                part, seen = before - w, rows[own, j] - w
                top, whole = part + pseudo, seen + 2.0 * pseudo
                if not exact:
                    lost = lost or (part != 0.0 and top < _ENOUGH * rows[own, j])
                    lost = lost or (seen != 0.0 and whole < _ENOUGH * rows[own, j])
                out[i, own] += np.log(top / whole if whole > 0.0 else 0.5)
        if lost:
            for c in range(k):
                out[i, c] = np.nan


@kernel
def counts_without_own_row(  # type: ignore[no-untyped-def]
    x, labels, weight, exact, sums, rows, all_sums, all_rows, strength, mode, large, out
):
    """Write to `out` (n, k) the log probability of each row under Poisson rates as they are without it.

    `sums` and `rows` (k, d) over the observed cells, `all_` (d,) of all classes. `mode`: the rate is that of `strength`
    pseudo-rows, else the mean. A row with a count of `large` or more is NaN.
    """
    n, d = x.shape
    k = sums.shape[0]
    for i in range(n):
        own = labels[i]
        w = weight[i] if own >= 0 else 0.0
        lost = False
        for c in range(k):
            out[i, c] = 0.0
        for j in range(d):
            v = np.float64(x[i, j])
            if v != v:
                continue
            total, seen = all_sums[j] - w * v, all_rows[j] - w
            if not exact and w > 0.0:
                lost = lost or (total != 0.0 and total < _ENOUGH * all_sums[j])
                lost = lost or (seen != 0.0 and seen < _ENOUGH * all_rows[j])
            if total <= 0.0 or seen <= 0.0:
                continue  # zero in all data without this row, or never observed: says nothing
            lost = lost or v >= large
            centre = total / seen
            factorial = math.lgamma(v + 1.0) if v > 1.0 else 0.0
            for c in range(k):
                part, cells = sums[c, j], rows[c, j]
                if c == own:
                    part, cells = part - w * v, cells - w
                    if not exact and w > 0.0:
                        lost = lost or (part != 0.0 and part < _ENOUGH * sums[c, j])
                        lost = lost or (cells != 0.0 and cells < _ENOUGH * rows[c, j])
                if mode:
                    pooled = part + strength * centre
                    rate = (pooled - 1.0) / (cells + strength) if pooled > 1.0 else centre / (cells + 1.0)
                    lost = lost or (not exact and c == own and abs(pooled - 1.0) < _ENOUGH * (1.0 + sums[c, j]))
                else:
                    rate = part / cells if part > 0.0 else centre / (cells + 1.0)
                out[i, c] += v * np.log(rate) - rate - factorial
        if lost:
            for c in range(k):
                out[i, c] = np.nan
