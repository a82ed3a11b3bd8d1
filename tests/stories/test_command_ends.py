"""How the command ends: at signals, and where its standard streams are closed, full or gone."""

import array
import fcntl
import os
import signal
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest
from command_line import birds, run, start

import likely

pytestmark = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="tells what is caught on Linux only")


def wait_until_caught(process: "subprocess.Popen[bytes]") -> None:
    """Until the process sees to its signals itself."""
    while process.poll() is None:
        lines = Path(f"/proc/{process.pid}/status").read_text().splitlines()
        caught = next(int(line.split()[1], 16) for line in lines if line.startswith("SigCgt"))
        if caught >> (signal.SIGTERM - 1) & 1:
            return
        time.sleep(0.01)


def wait_until_read(process: "subprocess.Popen[bytes]", rows: bytes) -> None:
    """Give the process these rows, and wait until it has taken them."""
    process.stdin.write(rows)
    process.stdin.flush()
    left = array.array("i", [1])
    while left[0] and process.poll() is None:
        fcntl.ioctl(process.stdin, termios.FIONREAD, left)
        time.sleep(0.01)


@pytest.mark.parametrize(
    ("number", "code", "word"), [(signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 143, "terminated")]
)
@pytest.mark.parametrize("reading", [False, True])
def test_a_signal_ends_the_command_with_its_code_and_without_a_trace(tmp_path, number, code, word, reading):
    environment = {**os.environ, "TMPDIR": str(tmp_path), "NO_COLOR": "1"}
    place = tmp_path / "m.likely"
    process = start("fit", "-", "--target", "y", "-o", place, stdin=subprocess.PIPE, env=environment)
    with process:
        wait_until_caught(process)  # during imports, or while it waits for more of its input
        if reading:
            wait_until_read(process, b"x,y\n1,a\n")
        process.send_signal(number)
        said = process.stderr.read().decode()
    assert process.returncode == code, said
    assert "Traceback" not in said and "ignored" not in said and (word in said or not reading)
    assert not list(tmp_path.iterdir())


_WORK = """
import sys, time
from pathlib import Path
from likely.cli.signals import catch_signals
from likely.store.files.replacing import replacing
catch_signals()

class Swallows:
    def __del__(self):
        print("ready", flush=True)
        time.sleep(30)  # what is raised here goes nowhere

def kept():
    while True:
        try:
            print("ready", flush=True)
            time.sleep(30)
        except KeyboardInterrupt:
            pass

with replacing(Path(sys.argv[1], "answer")) as file:
    file.write(b"half")
    file.flush()
    if sys.argv[2] == "swallowed":
        Swallows()
        time.sleep(30)
    kept()
"""


@pytest.mark.parametrize("how", ["swallowed", "kept"])
def test_a_signal_that_something_swallows_ends_the_process_all_the_same(tmp_path, how):
    words = [sys.executable, "-c", _WORK, str(tmp_path), how]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"ready\n"
        process.send_signal(signal.SIGTERM)
        if how == "kept":  # a second one is not waited for
            assert process.stdout.readline() == b"ready\n"
            process.send_signal(signal.SIGINT)
        said = process.stderr.read()
    assert process.returncode == 143, said  # also where it is raised to the end of the script
    assert b"ignored" not in said and b"Traceback" not in said
    assert not list(tmp_path.iterdir())


_ENDING = """
import os, signal
from likely.cli import signals
from likely.cli.command import likely
leave = signals.leave_signals

def late():
    os.kill(os.getpid(), signal.SIGTERM)
    leave()

class Panic(BaseException):
    "As compiled code raises it in the place of what it was given."

def fails():
    try:
        os.kill(os.getpid(), signal.SIGTERM)
    except KeyboardInterrupt:
        raise Panic from None

signals.leave_signals, likely.main = {"late": (late, lambda: None), "turned": (leave, fails)}["WHEN"]
from likely.cli import main
main()
"""


@pytest.mark.parametrize("when", ["late", "turned"])
def test_a_signal_that_nothing_catches_is_no_traceback(when):
    """While the command ends already, or turned into another exception by compiled code."""
    ended = subprocess.run([sys.executable, "-c", _ENDING.replace("WHEN", when)], capture_output=True, timeout=60)
    assert (ended.returncode, ended.stderr) == (143, b"")


def test_the_command_takes_over_the_signals_before_it_imports_anything_that_takes_time():
    words = [sys.executable, "-S", "-c", "import sys, likely.cli.signals; print(*sys.modules)"]
    here = {**os.environ, "PYTHONPATH": str(Path(likely.__file__).parents[1])}  # -S looks for nothing by itself
    loaded = subprocess.run(words, capture_output=True, text=True, timeout=60, env=here).stdout.split()
    assert "likely.cli.signals" in loaded and not {"typing", "re", "click", "numpy"} & set(loaded)


def shell(command: str, **names: object) -> "subprocess.CompletedProcess[str]":
    environment = {**os.environ, "NO_COLOR": "1", **{name: str(value) for name, value in names.items()}}
    words = command.replace("likely ", f"{sys.executable} -m likely ")
    return subprocess.run(["bash", "-c", words], env=environment, capture_output=True, text=True, timeout=60)


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = tmp_path_factory.mktemp("ends")
    run("fit", birds(folder), "--target", "species", "-o", folder / "m.likely", "-q")
    return folder / "m.likely"


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    ("streams", "code", "word"),
    [
        (">&-", 2, "standard output"),
        ("> /dev/full", 2, "standard output"),
        ("2>&-", 0, ""),
        ("2> /dev/full", 0, ""),
        ("<&-", 0, ""),
        ("<&- >&- 2>&-", 2, ""),
        ("> /dev/full 2> /dev/full", 2, ""),
        ("| head -1", 0, ""),
    ],
)
def test_streams_that_are_closed_or_full(model, streams, code, word):
    ended = shell(f"set -o pipefail; likely inspect $MODEL --text {streams}", MODEL=model)
    assert ended.returncode == code, ended
    assert word in ended.stderr and "Traceback" not in ended.stderr and "ignored" not in ended.stderr


@pytest.mark.parametrize("streams", ["2> /dev/full", "2>&-"])
def test_mistakes_keep_their_exit_code_where_they_cannot_be_said(model, streams):
    assert shell(f"likely predict $MODEL nowhere.csv {streams}", MODEL=model).returncode == 2
    assert shell(f"likely predict {streams}").returncode == 2


def test_no_file_takes_the_place_of_a_closed_stream(model, tmp_path):
    place = tmp_path / "again.likely"
    ended = shell(
        "likely update $MODEL $DATA -o $PLACE <&- >&- 2>&-", MODEL=model, DATA=model.with_name("birds.csv"), PLACE=place
    )
    assert ended.returncode == 2  # what it has become cannot be said
    assert "learned from 688 rows" in run("inspect", place, "--text").stdout
