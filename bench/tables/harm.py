"""Whether calibration harms: the log-loss of a calibrated model less that of the model itself, on the same rows.

One line of JSON for each table and model: the mean difference over the rows of five folds, and its standard error. A
difference above two standard errors would be harm that is no noise. The rows of a fold share one map, and what they
owe to it is no news of each other: the error is that over the rows or that over the folds, whichever is larger.
"""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from bench.tables.contenders import kinds_of
from bench.tables.loading import RealTable, folds_of, load, names
from bench.tables.measuring import FOLDS, Line
from likely.errors import LikelyError

_LEAST = 1e-15  # a probability below it counts as that
_NOISE = 2.0  # standard errors
_NATS = 0.001  # that do not matter


def models(kinds: dict[str, str]) -> dict[str, Callable[[], Any]]:
    """Fresh models: too sure, about right, and calibrated by themselves."""
    from likely import DecisionForest, DependenceBayes, LogisticRegression, NaiveBayes

    return {
        "NaiveBayes": lambda: NaiveBayes(kinds=kinds),
        "DependenceBayes (raw)": lambda: DependenceBayes(calibrate=False, kinds=kinds),
        "DecisionForest": lambda: DecisionForest(random_state=0, kinds=kinds),
        "LogisticRegression": lambda: LogisticRegression(kinds=kinds),
    }


def measure_harm(results: Path, most: int, skip: list[str]) -> None:
    """Run what is not yet in the file of results."""
    done = {(one["table"], one["model"]) for one in read_harm(results)}
    for name in names():
        if name in skip or all((name, model) in done for model in models({})):
            continue
        table = load(name, most)
        table = replace(table, kinds=kinds_of(table))
        for model, make in models(dict(table.kinds or {})).items():
            if (name, model) in done:
                continue
            try:
                difference = _differences(table, make)
            except LikelyError as refused:  # a table that is too wide, say
                print(f"{name}, {model}: {refused}", flush=True)
                continue
            line = {
                "table": name,
                "model": model,
                "rows": len(table),
                "difference": float(difference.mean()),
                "error": error_of(difference, folds_of(table.y, FOLDS)),
            }
            with results.open("a") as file:
                file.write(json.dumps(line) + "\n")
            print(line, flush=True)


def error_of(difference: np.ndarray, folds: np.ndarray) -> float:
    """The standard error of a mean over rows (n,): as if all were apart, or folds alone, whichever is larger."""
    rows = len(difference)
    by_fold = np.bincount(folds, weights=difference - difference.mean())
    of_folds = float(np.sqrt(len(by_fold) / (len(by_fold) - 1) * (by_fold @ by_fold))) / rows
    return max(float(difference.std(ddof=1) / np.sqrt(rows)), of_folds)


def read_harm(results: Path) -> list[Line]:
    """The results so far."""
    return [json.loads(line) for line in results.read_text().splitlines()] if results.exists() else []


def section(lines: list[Line]) -> list[str]:
    """Of the page: by model, how often and by how much the log-loss fell and rose."""
    if not lines:
        return []
    out = [
        "## Calibration does no harm",
        "",
        "`Calibrated(model)` less the model itself: mean difference of the log-loss over tables, and on how many it "
        f"falls or rises by more than {_NOISE:.0f} standard errors of the paired difference (and {_NATS} nats); "
        "the error is that over rows or that over folds, whose rows share a map, whichever is larger "
        f"(of at most {max(one['rows'] for one in lines):,} rows, five folds).",
        "",
        "| model | tables | mean difference | falls | rises | the greatest rise |",
        "| --- | ---: | ---: | ---: | --- | --- |",
    ]
    for model in dict.fromkeys(one["model"] for one in lines):
        own = [one for one in lines if one["model"] == model]
        falls = sum(-one["difference"] > max(_NOISE * one["error"], _NATS) for one in own)
        rises = [one["table"] for one in own if one["difference"] > max(_NOISE * one["error"], _NATS)]
        most = max(own, key=lambda one: one["difference"])
        out.append(
            f"| {model} | {len(own)} | {np.mean([one['difference'] for one in own]):+.3f} | {falls} "
            f"| {', '.join(rises) or 'nowhere'} "
            f"| {most['difference']:+.4f} ± {most['error']:.4f} ({most['table']}) |"
        )
    return [*out, ""]


def _differences(table: RealTable, make: Callable[[], Any]) -> np.ndarray:
    """Loss calibrated less loss as it is, of each row (n,) without its fold."""
    from likely import Calibrated

    folds, (_, codes) = folds_of(table.y, FOLDS), np.unique(table.y, return_inverse=True)
    out = np.empty(len(codes))
    for fold in range(FOLDS):
        train, test = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
        rows = table.taken(train)
        losses = []
        for model in (make(), Calibrated(make())):
            p = model.fit(rows.X, rows.y).predict_proba(table.X[test])
            losses.append(-np.log(np.clip(p[np.arange(len(test)), codes[test]], _LEAST, 1.0)))
        out[test] = losses[1] - losses[0]
    return out
