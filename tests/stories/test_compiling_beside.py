"""The first study of a new environment has its kernels compiled by two processes."""

import subprocess
import sys

from likely.cli import compiling
from likely.numeric.jit import Kernel
from likely.numeric.kernels.trees.growing import grow_tree


def test_the_second_process_ends_with_the_study(monkeypatch):
    started, start = [], subprocess.Popen

    def sleeping(command, **options):
        assert command[1:] == ["-m", "likely.cli.compiling"] and options["start_new_session"]
        started.append(start([sys.executable, "-c", "import time; time.sleep(600)"], **options))
        return started[-1]

    monkeypatch.setattr(subprocess, "Popen", sleeping)
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    monkeypatch.setattr(Kernel, "kept", False)
    with compiling.compiling_beside():
        assert started[0].poll() is None
    assert started[0].returncode == -9
    monkeypatch.setattr(Kernel, "kept", True)
    with compiling.compiling_beside():
        pass
    assert len(started) == 1


def test_what_was_compiled_is_kept():
    compiling.fit_backwards()
    assert grow_tree.kept
