"""Five folds of every table, the same for all contenders; one line of JSON for each table, fold and contender.

A line is written as soon as its fold is judged, so that work that was stopped goes on where it was. Seconds are of the
processor, those of child processes among them: they do not change with what else the machine is doing.
"""

import json
import resource
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from bench.tables.contenders import Answer, contenders, kinds_of
from bench.tables.loading import RealTable, folds_of, load, names

FOLDS = 5
Line = dict[str, Any]
_LEAST = 1e-15  # a probability below it counts as that


def measure(
    results: Path, most: int, only: Sequence[str], skip: Sequence[str], seed: int = 0, limit: float = 600.0
) -> None:
    """Run what is not yet in the file of results. A contender whose fold took more than `limit` seconds is not
    tried on larger tables.
    """
    done = {key(one) for one in read(results)}
    able, slow = contenders(), set[str]()
    chosen = [name for name in (only or able) if name in able]
    for table_name in names():
        if table_name in skip:
            continue
        table = load(table_name, most, seed)
        wanted = [
            (name, fold)
            for name in chosen
            for fold in range(FOLDS)
            if name not in slow and (table_name, len(table), fold, name) not in done
        ]
        if not wanted:
            continue
        table = replace(table, kinds=kinds_of(table))
        folds = folds_of(table.y, FOLDS, seed)
        for name, fold in wanted:
            line = {"table": table_name, "fold": fold, "contender": name, **judged(able[name], table, folds == fold)}
            with results.open("a") as file:
                file.write(json.dumps(line) + "\n")
            print(*(line.get(k, "") for k in ("table", "contender", "log_loss", "seconds", "failed")), flush=True)
            if line["seconds"] > limit:
                slow.add(name)


def read(results: Path) -> list[Line]:
    """The results so far; of a fold that was judged twice, the last."""
    lines = [json.loads(line) for line in results.read_text().splitlines()] if results.exists() else []
    return list({key(one): one for one in lines}.values())


def key(line: Line) -> tuple[str, int, int, str]:
    """What a line is about. Rows tell a sample from the whole table."""
    return line["table"], line["rows"], line["fold"], line["contender"]


def judged(run: Answer, table: RealTable, held: np.ndarray) -> Line:
    """The figures of a contender on the rows that it was not given."""
    classes, codes = np.unique(table.y, return_inverse=True)
    about = {"rows": len(table), "classes": len(classes), "judged": int(held.sum())}
    begin = _processor_seconds()
    try:
        p = run(table.taken(np.flatnonzero(~held)), table.X[np.flatnonzero(held)])
    except Exception as wrong:  # of another library, in its own words
        return {
            **about,
            "failed": f"{type(wrong).__name__}: {wrong}"[:200],
            "seconds": round(_processor_seconds() - begin, 3),
        }
    seconds = round(_processor_seconds() - begin, 3)
    if p.shape != (about["judged"], len(classes)) or not np.isfinite(p).all():
        return {**about, "failed": "some posteriors are missing", "seconds": seconds}
    return {**about, **figures(p, codes[held]), "seconds": seconds}


def figures(p: np.ndarray, codes: np.ndarray) -> dict[str, float | None]:
    """Log-loss in nats, its variance over rows, accuracy, AUC and Brier score of posteriors (n, k)."""
    p = np.clip(p, _LEAST, 1.0)
    p /= p.sum(axis=1, keepdims=True)
    own = p[np.arange(len(codes)), codes]
    losses = -np.log(own)
    return {
        "log_loss": float(losses.mean()),
        "variance": float(losses.var(ddof=1)),
        "accuracy": float((p.argmax(axis=1) == codes).mean()),
        "auc": _auc(p, codes),
        "brier": float((p**2).sum(axis=1).mean() - 2 * own.mean() + 1),
    }


def _auc(p: np.ndarray, codes: np.ndarray) -> float | None:
    """Of two classes; of more, the mean over the classes of each against the rest. None where a fold has one class."""
    from scipy.stats import rankdata

    each = []
    for c in range(1 if p.shape[1] == 2 else 0, p.shape[1]):
        positive = codes == c
        ranks, n = rankdata(p[:, c]), int(positive.sum())
        if 0 < n < len(codes):
            each.append((ranks[positive].sum() - n * (n + 1) / 2) / (n * (len(codes) - n)))
    return float(np.mean(each)) if each else None


def _processor_seconds() -> float:
    both = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(used.ru_utime + used.ru_stime for used in both)
