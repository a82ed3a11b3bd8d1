"""How the work of a call grows with its input: a ratio of processor times, which no load of the machine changes."""

import time


def growth(work, small, large):
    """How many times longer `work(large)` takes than `work(small)`: the best of three of each, in this thread."""
    return _best(work, large) / max(_best(work, small), 1e-4)  # below that a clock says nothing


def _best(work, given):
    found = []
    for _ in range(3):
        begin = time.thread_time()
        work(given)
        found.append(time.thread_time() - begin)
    return min(found)
