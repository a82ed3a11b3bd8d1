"""The first study of a new environment: a second process compiles kernels while this one works.

Kernels are compiled once and kept on disk (`numeric.jit`), one after the other in a process. A study meets those of
its candidates in their order, the dearest, of trees, near the end. Where they are not kept yet, another process fits
the candidates to a few rows in the opposite order, so that two cores compile from both ends; what one has compiled
the other reads. It stops when the study does.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any


@contextmanager
def compiling_beside() -> Iterator[None]:
    """Have kernels of the last candidates compiled while the body runs, if they are not kept yet."""
    from likely.numeric.kernels.trees.growing import grow_tree

    if (os.cpu_count() or 1) < 2 or grow_tree.kept:
        yield
        return
    command = [sys.executable, "-m", "likely.cli.compiling"]
    streams: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
    beside = None
    with suppress(OSError):  # a system without processes to spare: this one compiles all
        beside = subprocess.Popen(command, start_new_session=True, **streams)
    try:
        yield
    finally:
        if beside is not None:
            beside.kill()
            beside.wait()


def fit_backwards() -> None:
    """Fit the candidates for a table of numbers and levels to a few rows of it, the last candidate first."""
    import numpy as np
    import polars as pl

    from likely.models.roster import TableFacts, candidates

    rng, rows = np.random.default_rng(0), 120
    y = np.arange(rows) % 3
    table = pl.DataFrame({"a": rng.normal(y), "b": rng.normal(size=rows), "c": [str(i % 3) for i in range(rows)]})
    facts = TableFacts({"a": "numeric", "b": "numeric", "c": "nominal"}, rows, 3, 40, False)
    for one in reversed(candidates(facts)):
        with suppress(Exception):  # what is wrong with a candidate is said where it is judged
            one.model.fit(table, y).predict_proba(table)


if __name__ == "__main__":
    fit_backwards()
