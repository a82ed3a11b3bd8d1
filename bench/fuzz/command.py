"""The command with hostile arguments and files, in this process and as one of its own, and stopped by signals.

It never ends with code 3, never shows a traceback, and never changes what it was told to read.
"""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

from click.testing import CliRunner

from bench.fuzz.trial import PATIENCE
from likely.cli import likely
from likely.cli.command import VERBS
from likely.data.bundled import penguins

NAMES = [
    "$a$",
    "#000000",
    "\x1b[31mred",
    "a\tb",
    "é" * 50,
    "",
    " ",
    "-x",
    "007",
    "1.10",
    "$\\frac{$",
    "NaN",
    "x" * 5000,
]
WORDS = [
    "-1",
    "0",
    "1e308",
    "nan",
    "x",
    "",
    "~nosuchuser/x.csv",
    "/dev/null",
    ".",
    "a=b",
    "species",
    "-",
    "--",
    "1,2",
    "é",
]
OPTIONS = {
    "study": ["--target", "--seed", "--budget", "--costs", "--prior", "-o"],
    "fit": ["--target", "--kind", "--model", "--seed", "--prior", "-o", "--alpha"],
    "predict": ["--prior", "-o", "--format", "--stream"], "decide": ["--costs", "--prior", "--reject", "-o"],
    "explain": ["--rows", "--against", "-o"], "evaluate": ["--costs", "--target", "-o"],
    "compare": ["--target", "--folds", "--seed", "-o"], "audit": ["--target", "--top", "-o"],
    "update": ["--target", "-o"], "forget": ["--target", "-o"], "merge": ["-o"], "diff": ["--since", "-o"],
    "cluster": ["-k", "--choose", "--method", "--drop", "--with", "--model", "-o"],
    "components": ["-n", "--share", "--drop", "--kind", "--model", "-o"],
    "recommend": ["--user", "--rated", "--because", "--like", "--pairs", "--columns", "-n", "-k", "--model", "-o"],
    "inspect": ["--json", "-o"], "examples": ["--list", "--run"],
}  # fmt: skip
GOOD = (0, 1, 2)
ROWS = 120  # of good.csv
BAD = {
    "empty.csv": b"", "nul.csv": b"a,b\n\0,1\n", "cut.csv.gz": b"\x1f\x8b\x08", "one.csv": b"a,species\n1,x\n",
    "two.csv": b"a,species\n1,x\n2,y\n", "ragged.csv": b"a,b\n1\n1,2,3\n", "bad.likely": b"PK\3\4", "x.json": b"[1,",
    "latin.csv": "é,species\nü,x\nö,y\n".encode("latin-1"), "mail.eml": b"From: a\n\nb", "x.arff": b"@relation",
    "wide.csv": b",".join(b"c%d" % i for i in range(3000)) + b"\n",
    "huge.csv": b"a,species\n1e308,x\n-1e308,y\n1e308,x\n5e-324,y\n",
}  # fmt: skip


def invoked(chooser: random.Random, folder: Path) -> str | None:
    """The command in this process."""
    arguments = _arguments(chooser, folder)
    result = CliRunner().invoke(likely, arguments, input=chooser.choice([b"", b"a,b\n1,2\n", b"\0\xff"]))
    if result.exit_code not in GOOD or "Traceback" in result.output:
        last = (result.stderr.strip().splitlines() or [""])[-1]
        return f"exit {result.exit_code}: likely {' '.join(arguments)[:200]!r}: {last[:150]}"
    if "\x1b" in result.output:
        return f"control characters on the terminal: likely {' '.join(arguments)[:200]!r}"
    return None


def started(chooser: random.Random, folder: Path) -> str | None:
    """The command as a process of its own, with streams that are closed or full."""
    arguments = _arguments(chooser, folder)
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    if chooser.random() < 0.3:
        full = Path("/dev/full")
        streams[chooser.choice(["stdout", "stderr"])] = full.open("wb") if full.exists() else subprocess.DEVNULL
    process = _start(arguments, streams)
    try:
        _, said = process.communicate(timeout=PATIENCE - 60)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return f"no end: likely {' '.join(arguments)[:200]!r}"
    if process.returncode not in (*GOOD, 74) or b"Traceback" in (said or b""):
        return f"exit {process.returncode}: likely {' '.join(arguments)[:200]!r}"
    return None


def signalled(chooser: random.Random, folder: Path) -> str | None:
    """INT, TERM or KILL at any moment of an update: the model file is the old one or the new one, and nothing else.

    An update that said it was done is in the file.
    """
    place, data = _with_model(folder, "signal"), folder / "good.csv"
    model = place / "m.likely"
    before, rows = {one.name for one in place.iterdir()}, _rows_in(model)
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    process = _start(["update", str(model), str(data), "-o", str(model)], streams)
    time.sleep(chooser.uniform(0.0, 3.0))
    sent = chooser.choice([signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
    starting = not _catches(process, signal.SIGTERM)
    process.send_signal(sent)
    _, said = process.communicate(timeout=PATIENCE - 60)
    found = _rows_in(model)
    left = {one.name for one in place.iterdir()} - before
    for name in left:
        (place / name).unlink()
    if found not in (rows, rows + ROWS) or (process.returncode == 0 and found == rows):
        return f"{found:g} rows after {sent.name} and exit {process.returncode}, of {rows:g} and {ROWS} more"
    if b"Traceback" in said and not (starting and b"/likely/" not in said):  # Python's own start shows one at INT
        return f"a traceback after {sent.name}: {said[-150:]!r}"
    if starting and sent == signal.SIGINT and b"Traceback" in said:
        return None
    if sent != signal.SIGKILL and process.returncode not in (0, 128 + sent, -sent):
        return f"exit {process.returncode} after {sent.name}"
    return f"files are left after {sent.name}" if left and sent != signal.SIGKILL else None


def together(chooser: random.Random, folder: Path) -> str | None:
    """Four updates of one file at once: every one that says it is done is in the file."""
    place = _with_model(folder, "together")
    model = place / "m.likely"
    before = _rows_in(model)
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    processes: list[subprocess.Popen[bytes]] = []
    try:
        for _ in range(4):
            processes.append(_start(["update", str(model), str(folder / "good.csv")], streams))
            time.sleep(chooser.choice((0.0, 0.0, 0.1, 0.5)))
        for process in processes:
            process.communicate(timeout=PATIENCE - 60)
    finally:
        for process in processes:
            process.kill()  # none goes on into the next trial
    codes = [process.returncode for process in processes]
    found, done = _rows_in(model), codes.count(0)
    if set(codes) - {0, 2}:
        return f"exits {codes}"
    return None if found == before + done * ROWS else f"{found:g} rows, of {before:g} and {done} updates of {ROWS}"


def _with_model(folder: Path, name: str) -> Path:
    """A folder that holds a model and nothing else."""
    _files(folder)
    place = folder / name
    place.mkdir(exist_ok=True)
    (place / "m.likely").write_bytes((folder / "good.likely").read_bytes())
    return place


def _catches(process: "subprocess.Popen[bytes]", number: int) -> bool:
    """Whether the process sees to this signal itself: whether the command has begun, or Python is still starting."""
    try:
        lines = Path(f"/proc/{process.pid}/status").read_text().splitlines()
    except OSError:
        return True
    caught = next((int(line.split()[1], 16) for line in lines if line.startswith("SigCgt")), -1)
    return bool(caught >> (number - 1) & 1)


def _rows_in(path: Path) -> float:
    from likely import load
    from likely.models.any_classifier.inside import unwrap

    return float(unwrap(load(path)).class_count_.sum())


def _start(arguments: list[str], streams: dict[str, object]) -> "subprocess.Popen[bytes]":
    environment = {**os.environ, "COLUMNS": "100", "NO_COLOR": "1"}
    words = [sys.executable, "-m", "likely", *arguments]
    return subprocess.Popen(words, env=environment, **streams)  # type: ignore[call-overload, no-any-return]


def _arguments(chooser: random.Random, folder: Path) -> list[str]:
    files = _files(folder)
    verb = chooser.choice(list(VERBS))
    given = [chooser.choice(files) for _ in range(chooser.choice((0, 1, 1, 2, 2, 3)))]
    if verb not in ("study", "fit", "compare", "audit", "examples") and chooser.random() < 0.8:
        given = [str(folder / "good.likely"), *given[:1]]
    if verb in ("study", "fit", "compare", "audit") and chooser.random() < 0.7:
        given += ["--target", chooser.choice(["species", "class", *NAMES])]
    for _ in range(chooser.choice((0, 0, 1, 2))):
        given.append(chooser.choice(OPTIONS[verb]))
        given.append(chooser.choice([*WORDS, *NAMES, str(folder / "out"), *files]).replace("\0", ""))
    if verb in ("study", "fit", "update", "forget", "merge") and "-o" not in given:
        given += ["-o", str(folder / f"out-{verb}")]
    return [verb, *(word for word in given if "\0" not in word)]


def _files(folder: Path) -> list[str]:
    """Tables and models, good and bad."""
    if not (folder / "good.likely").exists():
        birds = penguins().head(ROWS // 2).vstack(penguins().tail(ROWS // 2))
        birds.write_csv(folder / "good.csv")
        fitted = CliRunner().invoke(
            likely, ["fit", str(folder / "good.csv"), "--target", "species", "-o", str(folder / "good.likely")]
        )
        assert fitted.exit_code == 0, fitted.output
        chooser = random.Random(0)
        for i, name in enumerate(NAMES):
            cell = name.replace('"', "")
            lines = [
                f'"{cell}",b,class',
                *(f'{chooser.random()},"{chooser.choice(NAMES)}","{cell}{j % 3}"' for j in range(40)),
            ]
            (folder / f"names{i}.csv").write_text("\n".join(lines))
        for name, data in BAD.items():
            (folder / name).write_bytes(data)
        (folder / "loop.csv").symlink_to(folder / "loop.csv")
    return [str(folder / one.name) for one in sorted(folder.iterdir()) if one.is_file() or one.is_symlink()] + [
        str(folder),
        "none.csv",
    ]
