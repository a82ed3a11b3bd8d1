"""Four threads that ask while one learns: every answer is that of a state that existed; and four that learn."""

import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from pathlib import Path

import numpy as np

from likely import GaussianBayes, NaiveBayes, TextBayes

LATENCIES: list[float] = []  # seconds of predict_proba while another thread learns


def answers(chooser: random.Random, folder: Path) -> str | None:
    """Every answer must equal, to the bit, that of one of the states that the model went through."""
    rng, kind = np.random.default_rng(chooser.randrange(2**32)), chooser.choice((NaiveBayes, GaussianBayes, TextBayes))
    batches = [_rows(rng, kind, 12, 3 + min(2, i // 4)) for i in range(12)]
    query, model = _rows(rng, kind, 20, 3)[0], kind().fit(*_rows(rng, kind, 40, 3))
    states = [copy(model)]
    for X, y in batches:
        states.append(copy(states[-1]).partial_fit(X, y))
    known, found, done = [state.predict_proba(query) for state in states], list[np.ndarray](), threading.Event()

    def read() -> None:
        while not done.is_set():
            begin = time.perf_counter()
            found.append(model.predict_proba(query))
            LATENCIES.append(time.perf_counter() - begin)

    with ThreadPoolExecutor(4) as pool:
        readers = [pool.submit(read) for _ in range(4)]
        try:
            for X, y in batches:
                model.partial_fit(X, y)
        finally:
            done.set()
        for reader in readers:
            reader.result()
    wrong = sum(not any(np.array_equal(answer, state) for state in known) for answer in found)
    return f"{wrong} answers are of no state" if wrong else None


def writers(chooser: random.Random, folder: Path) -> str | None:
    """No row that was learned is lost."""
    rng, kind = np.random.default_rng(chooser.randrange(2**32)), chooser.choice((NaiveBayes, GaussianBayes, TextBayes))
    parts = [[_rows(rng, kind, 10, 3) for _ in range(10)] for _ in range(4)]
    model = kind()

    def learn(part: list[tuple[object, object]]) -> None:
        for X, y in part:
            model.partial_fit(X, y)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(learn, parts))
    lost = 400 - model.class_count_.sum()
    return f"{lost:g} rows were lost" if lost else None


def _rows(rng: np.random.Generator, kind: type, n: int, k: int) -> tuple[object, object]:
    y = rng.integers(0, k, n)
    names = np.array(["c", "a", "b", "d", "e"])[y]
    if kind is TextBayes:
        return [" ".join(rng.choice(["free", "noon", "lunch", "prize"], 5)) + f" w{one}" for one in y], names
    return rng.normal(size=(n, 3)) + y[:, None], names
