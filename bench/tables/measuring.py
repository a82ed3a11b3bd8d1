"""Five folds of every table, the same for all contenders; one line of JSON for each contender and table."""

import json
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from bench.tables.contenders import Answer, contenders, kinds_of
from bench.tables.loading import RealTable, folds_of, load, names

FOLDS = 5
_LEAST = 1e-15  # a probability below it counts as that


def measure(results: Path, most: int, only: list[str], skip: list[str], seed: int = 0) -> None:
    """Run what is not yet in the file of results."""
    done = {(one["table"], one["contender"], one["most"]) for one in read(results)}
    able = {name: run for name, run in contenders().items() if not only or name in only}
    for table_name in names():
        if table_name in skip:
            continue
        table = load(table_name, most, seed)
        table = replace(table, kinds=kinds_of(table))
        for name, run in able.items():
            if (table_name, name, most) in done:
                continue
            line = {"table": table_name, "contender": name, "most": most, **_judged(run, table, seed)}
            with results.open("a") as file:
                file.write(json.dumps(line) + "\n")
            print(
                table_name,
                name,
                line.get("log_loss"),
                f"{line.get('seconds', 0):.1f} s",
                line.get("failed", ""),
                flush=True,
            )


def read(results: Path) -> list[dict[str, Any]]:
    """The results so far."""
    return [json.loads(line) for line in results.read_text().splitlines()] if results.exists() else []


def _judged(run: Answer, table: RealTable, seed: int) -> dict[str, Any]:
    folds, (classes, codes) = folds_of(table.y, FOLDS, seed), np.unique(table.y, return_inverse=True)
    p, seconds = np.empty((len(table), len(classes))), 0.0
    for fold in range(FOLDS):
        train, test = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
        begin = time.perf_counter()
        try:
            p[test] = run(table.taken(train), table.X[test])
        except Exception as wrong:  # of another library, in its own words
            return {"failed": f"{type(wrong).__name__}: {wrong}"[:200], "rows": len(table)}
        seconds += (time.perf_counter() - begin) / FOLDS
    if not np.isfinite(p).all():
        return {"failed": "some posteriors are NaN", "rows": len(table)}
    p = np.clip(p, _LEAST, 1.0)
    p /= p.sum(axis=1, keepdims=True)
    own = p[np.arange(len(codes)), codes]
    losses = -np.log(own)
    return {
        "rows": len(table),
        "classes": len(classes),
        "log_loss": float(losses.mean()),
        "log_loss_error": float(losses.std(ddof=1) / np.sqrt(len(losses))),
        "accuracy": float((p.argmax(axis=1) == codes).mean()),
        "auc": _auc(p, codes),
        "brier": float((p**2).sum(axis=1).mean() - 2 * own.mean() + 1),
        "seconds": seconds,
    }


def _auc(p: np.ndarray, codes: np.ndarray) -> float:
    """Of two classes; of more, the mean over the classes of each against the rest."""
    from scipy.stats import rankdata

    each = []
    for c in range(1 if p.shape[1] == 2 else 0, p.shape[1]):
        positive = codes == c
        ranks, n = rankdata(p[:, c]), int(positive.sum())
        each.append((ranks[positive].sum() - n * (n + 1) / 2) / (n * (len(codes) - n)))
    return float(np.mean(each))
