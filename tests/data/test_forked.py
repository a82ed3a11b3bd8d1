"""A process that was forked after Polars began: arrays and texts are answered, frames are refused at once."""

import multiprocessing
import os
import subprocess
import sys

import pytest

PROGRAM = """
import os, sys
import polars as pl
from likely import NaiveBayes, TextBayes
from likely.errors import LikelyError

table = pl.DataFrame({"x": [1.0, 2, 3, 4] * 50, "c": ["u", "v", "w", "u"] * 50})
y = ["a", "a", "b", "b"] * 50
frames, arrays = NaiveBayes().fit(table, y), NaiveBayes().fit([[1.0], [2], [3], [4]], y[:4])
texts = TextBayes().fit(["free money", "lunch", "free", "noon"], y[:4])
frames.predict(table)
assert os.cpu_count() and pl.thread_pool_size()
child = os.fork()
if child:
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
arrays.predict([[1.0]]), arrays.partial_fit([[5.0]], ["b"]), texts.predict(["free"])
try:
    frames.predict(table)
except LikelyError as error:
    os._exit(7 if "forked" in str(error) else 8)
os._exit(9)
"""


@pytest.mark.skipif(
    sys.platform != "linux" or "fork" not in multiprocessing.get_all_start_methods(), reason="no fork here"
)
def test_frames_are_refused_after_a_fork_and_arrays_are_not():
    ended = subprocess.run([sys.executable, "-W", "ignore", "-c", PROGRAM], timeout=120, env=dict(os.environ))
    assert ended.returncode == 7
