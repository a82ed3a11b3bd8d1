"""Learn texts from a file of JSON lines in bounded memory, in a process of its own.

    python -m bench.text_file PATH

prints how many texts there were, the seconds, and the most memory that the process had resident: all of it, with
Python and its libraries.
"""

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import likely
from bench.memory import highest
from likely.models.generative.text_bayes import TextBayes

BATCH = 16_384  # texts


def learn(path: Path, model: TextBayes, done: Callable[[int, int], Any] = lambda texts, read: None) -> TextBayes:
    """Learn the texts of a file a batch at a time; `done` is told how many there were, and their bytes."""
    texts = read = 0
    for batch in likely.scan(path, columns=["text", "label"], batch_rows=BATCH).batches():
        model.partial_fit(batch["text"], batch["label"])
        texts, read = texts + batch.height, read + int(batch["text"].str.len_bytes().sum())
        done(texts, read)
    return model


def read_bytes(path: Path) -> int:
    """Read a file once and do nothing with it; how many bytes there were."""
    block, count = bytearray(1 << 22), 0
    with path.open("rb", buffering=0) as file:
        while size := file.readinto(block):
            count += size
    return count


def _main(path: Path) -> None:
    size, shown = path.stat().st_size, 0
    counted = 0

    def done(texts: int, read: int) -> None:
        nonlocal shown, counted
        counted = texts
        if 10 * read // size > shown:
            shown = 10 * read // size
            print(f"  {texts:,} texts, {read / 1e6:,.0f} of {size / 1e6:,.0f} MB", file=sys.stderr, flush=True)

    begin = time.perf_counter()
    model = learn(path, TextBayes(), done)
    seconds = time.perf_counter() - begin
    resident = highest()
    words = len(model.vocabulary_)
    print(json.dumps({"texts": counted, "words": words, "seconds": seconds, "resident": resident}))


if __name__ == "__main__":
    _main(Path(sys.argv[1]))
