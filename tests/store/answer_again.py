"""Run as a script: load every model of a folder and write what it answers, for another process to compare."""

import pickle
import sys
from pathlib import Path

from stored_models import answers

from likely.store import load

if __name__ == "__main__":
    folder = Path(sys.argv[1])
    found = {}
    for i, (X, y) in enumerate(pickle.loads((folder / "rows").read_bytes())):
        found[i] = answers(load(folder / f"{i}.likely"), X, y)
    (folder / "answers").write_bytes(pickle.dumps(found))
