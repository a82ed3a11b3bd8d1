"""The page of results: docs/quality.md."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

LOOKS = (
    "The tables were looked at three times while the calibration was chosen (floor and prior of the maps, the "
    "staircase among them), once for DependenceBayes and once for the pool, all on at most 2,000 rows of each; nothing "
    "was tuned after the figures below."
)


def page(results: Sequence[dict[str, Any]], most: int) -> str:
    """Markdown from the lines of results."""
    lines = {
        (one["table"], one["contender"]): one
        for one in results
        if one["most"] == most and np.isfinite(one.get("log_loss", np.nan))
    }
    tables = sorted({t for t, _ in lines}, key=lambda t: max(v["rows"] for (u, _), v in lines.items() if u == t))
    every = list(dict.fromkeys(c for _, c in lines))
    common = [t for t in tables if all((t, c) in lines for c in every)]
    failed = sorted(
        {
            (one["table"], one["contender"])
            for one in results
            if one["most"] == most and not np.isfinite(one.get("log_loss", np.nan))
        }
    )
    out = [
        "# How good the answers are",
        "",
        f"Five stratified folds of {len(tables)} real tables, the same for every contender, seed 0; of a table with "
        f"more than {most:,} rows so many were chosen by chance. Every contender with its defaults. "
        "Log-loss in nats (a probability below 1e-15 counts as that), Brier score summed over the classes, AUC of "
        "each class against the rest; seconds are of a fit and the posteriors of its fold, on two "
        "cores that had other work.",
        "",
        LOOKS,
        "",
        f"## Means over the {len(common)} tables that every contender finished",
        "",
        "| contender | log-loss | mean rank | accuracy | AUC | Brier | seconds | worse than the class prior |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |",
    ]
    ranks = _ranks(lines, common, every)
    prior = "class prior"
    for name in sorted(every, key=lambda c: np.mean([lines[t, c]["log_loss"] for t in common])):
        mean = {
            m: np.mean([lines[t, name][m] for t in common]) for m in ("log_loss", "accuracy", "auc", "brier", "seconds")
        }
        worse = [
            t for t in tables
            if (t, name) in lines and (t, prior) in lines and lines[t, name]["log_loss"] > lines[t, prior]["log_loss"]
        ]  # fmt: skip
        out.append(
            f"| {name} | {mean['log_loss']:.3f} | {ranks[name]:.2f} | {mean['accuracy']:.3f} | {mean['auc']:.3f} "
            f"| {mean['brier']:.3f} | {mean['seconds']:.2f} | {', '.join(worse) or 'nowhere'} |"
        )
    if failed:
        out += ["", "Not finished: " + "; ".join(f"{c} on {t}" for t, c in failed) + "."]
    out += ["", "## Log-loss by table", "", "| table | rows | classes | " + " | ".join(every) + " |"]
    out.append("| --- | ---: | ---: | " + " | ".join("---:" for _ in every) + " |")
    for t in tables:
        own = [lines.get((t, c)) for c in every]
        best = min(one["log_loss"] for one in own if one)
        shown = ["" if one is None else f"{one['log_loss']:.3f}" for one in own]
        cells = [
            f"**{text}**" if one and one["log_loss"] == best else text for one, text in zip(own, shown, strict=True)
        ]
        some = next(one for one in own if one)
        out.append(f"| {t} | {some['rows']:,} | {some['classes']} | " + " | ".join(cells) + " |")
    return "\n".join(out) + "\n"


def write(results: Sequence[dict[str, Any]], most: int, place: Path) -> None:
    """Write the page."""
    place.write_text(page(results, most))


def _ranks(
    lines: dict[tuple[str, str], dict[str, Any]], tables: Sequence[str], names: Sequence[str]
) -> dict[str, float]:
    from scipy.stats import rankdata

    table = np.array([[lines[t, c]["log_loss"] for c in names] for t in tables])
    return dict(zip(names, rankdata(table, axis=1).mean(axis=0).tolist(), strict=True)) if len(tables) else {}
