"""Polars after a fork: its threads are not in the child, and whoever waits for them waits for ever.

A process that is forked after Polars has started its threads (as `multiprocessing` does by default on older Pythons for
Linux) can use models on arrays and lists of texts, and not on frames and files, which Polars reads. That is said at
once, in place of a wait without end.
"""

import os
import sys
from pathlib import Path

from likely.errors import LikelyError

_started = False  # whether Polars had threads when this process was forked


def check_not_forked() -> None:
    """Refuse to use Polars in a process that was forked from one where its threads were running."""
    if _started:
        raise LikelyError(
            "this process was forked after Polars had started its threads, which a fork does not copy: frames and "
            "files cannot be read here. Start processes by multiprocessing.get_context('spawn'), or give arrays or "
            "lists of texts"
        )


def _has_threads() -> bool:
    if "polars" not in sys.modules:
        return False
    try:
        return any(one.read_text().startswith("polars") for one in Path("/proc/self/task").glob("*/comm"))
    except OSError:
        return True  # a thread that just ended, or a system that does not tell


def _before() -> None:
    global _found
    _found = _has_threads() if sys.platform == "linux" else "polars" in sys.modules


def _in_child() -> None:
    global _started
    _started = _started or _found


_found = False
if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before, after_in_child=_in_child)
