"""The page of results: docs/quality.md."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from bench.tables.harm import section
from bench.tables.measuring import FOLDS, Line

OURS = ("BoostedTrees", "Pool", "study", "study (accurate)")
BOOSTERS = ("LightGBM", "HistGradientBoosting (scikit-learn)", "CatBoost")
_PRIOR = "class prior"
_OWN = (*OURS, _PRIOR, "NaiveBayes", "Calibrated(NaiveBayes)", "DependenceBayes")
_LARGE = 2_000  # rows, beyond which boosters are at home
_FIGURES = ("log_loss", "accuracy", "auc", "brier", "seconds")
_LOOKS = (
    "The tables were looked at about thirty-five times while things were chosen: three times for the maps of "
    "calibration, once each for DependenceBayes and the pool, five times for how far few rows are trusted (twelve of "
    "these tables, beside seventeen of R's), two for exponents of columns, four for members (pairs of parents, "
    "networks of small tables, a look at one table), four for the rule that keeps the classes' shares of a dozen "
    "rows, six for the weights of the pool and two for maps that change less, which were dropped; each time on at "
    "most 4,000 rows, often on one fold. For the weights some twelve variants were seen (ridges of 1 to 100, slopes "
    "of members alone, two floors) on 21 of these tables, nursery the longest: the figures of the pool below are of "
    "tables that chose them. With errors over rows alone, as they were counted before, calibration would rise on iris "
    "(NaiveBayes, 0.0080 ± 0.0017) and on glass (LogisticRegression, 0.0058 ± 0.0028)."
)
_STUDIES = (
    "A study is taken without its search for wrong labels and its learning curve, which change nothing about the model "
    "kept, and judges its candidates on five folds, once, instead of ten (three times up to 200 rows). What columns "
    "are taken for is guessed from the cells of all rows by ours, a study apart; the others are told what the tables' "
    'documentation says. "study (accurate)" chooses among the same judged candidates, so its seconds are those of a '
    "last fit."
)


def page(results: Sequence[Line], harm: Sequence[Line] = ()) -> str:
    """Markdown from the lines of results, and those about calibration."""
    found = _tables(results)
    every = _in_order({c for figures in found.values() for c in figures})
    rows = {table: next(iter(figures.values()))["rows"] for table, figures in found.items()}
    main = [c for c in every if sum(c in figures for figures in found.values()) >= 0.9 * len(found)]
    common = [t for t, figures in found.items() if all(c in figures for c in main)]
    cut = [t for t in found if _is_sample(t, rows[t])]
    out = [
        "# How good the answers are",
        "",
        f"Five stratified folds of {len(found)} real tables, the same for every contender, seed 0. Every contender "
        "with its defaults, on one thread. Log-loss in nats (a probability below 1e-15 counts as that), Brier score "
        "summed over the classes, AUC the mean over folds of each class against the rest; seconds are of the "
        "processor, for a fit and the posteriors of its fold. Of these tables so many rows were chosen by chance: "
        + (", ".join(f"{t} {rows[t]:,}" for t in cut) or "none") + "; all others are whole.",
        "",
        _LOOKS,
        "",
        _STUDIES,
        "",
        f"## Means over the {len(common)} tables that all of these finished",
        "",
        "| contender | log-loss | mean rank | accuracy | AUC | Brier | seconds | worse than the class prior |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |",
        *_means(found, common, main),
        "",
        *_in_pairs(found, every, main),
        *_beside_boosters(found, rows),
        *section(list(harm)),
        "## Log-loss by table",
        "",
        "| table | rows | classes | " + " | ".join(every) + " |",
        "| --- | ---: | ---: | " + " | ".join("---:" for _ in every) + " |",
        *(_row(table, figures, every) for table, figures in found.items()),
    ]  # fmt: skip
    failed = sorted({(one["contender"], one["table"]) for one in results if "failed" in one})
    if failed:
        out += ["", "Not finished: " + "; ".join(f"{c} on {t}" for c, t in failed) + "."]
    return "\n".join(out) + "\n"


def write(results: Sequence[Line], harm: Sequence[Line], place: Path) -> None:
    """Write the page."""
    place.write_text(page(results, harm))


def _tables(results: Sequence[Line]) -> dict[str, dict[str, Any]]:
    """Figures of each contender that finished all folds, by table: of the most rows that ours and a booster finished.

    Of a table that has no such size, those of the most contenders.
    """
    folds: dict[tuple[str, int, str], list[Line]] = {}
    for one in results:
        if np.isfinite(one.get("log_loss", np.nan)):
            folds.setdefault((one["table"], one["rows"], one["contender"]), []).append(one)
    sizes: dict[str, dict[int, dict[str, Any]]] = {}
    for (table, rows, contender), lines in folds.items():
        if len(lines) == FOLDS:
            sizes.setdefault(table, {}).setdefault(rows, {})[contender] = _joined(lines)
    best = {table: max(by_rows, key=lambda n: (_tells(by_rows[n]), n)) for table, by_rows in sizes.items()}
    return {table: sizes[table][best[table]] for table in sorted(best, key=lambda t: (best[t], t))}


def _tells(figures: dict[str, Any]) -> int:
    """How much a size tells: most where ours stands beside a booster, else as many contenders as there are."""
    beside = "Pool" in figures and any(c in figures for c in BOOSTERS)
    return 1_000 if beside else len(figures)


def _joined(lines: list[Line]) -> dict[str, Any]:
    """Five folds as one: losses by row, areas and seconds by fold."""
    judged = np.array([one["judged"] for one in lines])
    mean = {name: float(np.average([one[name] for one in lines], weights=judged)) for name in _FIGURES[:2]}
    mean["brier"] = float(np.average([one["brier"] for one in lines], weights=judged))
    areas = [one["auc"] for one in lines if one["auc"] is not None]
    mean |= {
        "auc": float(np.mean(areas)) if areas else np.nan,
        "seconds": float(np.mean([one["seconds"] for one in lines])),
    }
    return {**mean, "rows": lines[0]["rows"], "classes": lines[0]["classes"]}


def _means(found: dict[str, dict[str, Any]], common: list[str], names: list[str]) -> list[str]:
    from scipy.stats import rankdata

    if not common:
        return []
    losses = np.array([[found[t][c]["log_loss"] for c in names] for t in common])
    ranks = dict(zip(names, rankdata(losses, axis=1).mean(axis=0), strict=True))
    out = []
    for name in sorted(names, key=lambda c: losses[:, names.index(c)].mean()):
        mean = {m: np.nanmean([found[t][name][m] for t in common]) for m in _FIGURES}
        worse = [t for t, figures in found.items() if _above(figures, name)]
        out.append(
            f"| {name} | {mean['log_loss']:.3f} | {ranks[name]:.2f} | {mean['accuracy']:.3f} | {mean['auc']:.3f} "
            f"| {mean['brier']:.3f} | {mean['seconds']:.2f} | {', '.join(worse) or 'nowhere'} |"
        )
    return out


def _above(figures: dict[str, Any], name: str) -> bool:
    """Whether the log-loss is above that of the class prior, by more than rounding."""
    if name not in figures or _PRIOR not in figures:
        return False
    return bool(figures[name]["log_loss"] > figures[_PRIOR]["log_loss"] + 1e-9)


def _in_pairs(found: dict[str, dict[str, Any]], every: list[str], main: list[str]) -> list[str]:
    """Others' contenders beside ours on the tables that both finished, where these are not all."""
    out = []
    for name in every:
        for own in () if name in _OWN else OURS[1:]:
            both = [f for f in found.values() if name in f and own in f]
            if not both or (name in main and own in main):
                continue
            its, ours = (np.array([f[c]["log_loss"] for f in both]) for c in (name, own))
            cells = f"{len(both)} | {its.mean():.3f} | {ours.mean():.3f} | {int((ours < its).sum())}"
            out.append(f"| {name} | {own} | {cells} |")
    head = [
        "## On the tables that both finished, where these are not all",
        "",
        "| contender | ours | tables | its log-loss | ours | ours is lower on |",
        "| --- | --- | ---: | ---: | ---: | ---: |",
    ]
    return [*head, *out, ""] if out else []


def _beside_boosters(found: dict[str, dict[str, Any]], rows: dict[str, int]) -> list[str]:
    """Our log-loss as a multiple of the best booster's, on tables of many rows."""
    large = [t for t in found if rows[t] > _LARGE and any(c in found[t] for c in BOOSTERS)]
    ours = [c for c in OURS if any(c in found[t] for t in large)]
    if not large or not ours:
        return []
    out = [
        f"## Above {_LARGE:,} rows: log-loss beside the best booster's",
        "",
        "| table | rows | best booster | " + " | ".join(ours) + " |",
        "| --- | ---: | ---: | " + " | ".join("---:" for _ in ours) + " |",
    ]
    for t in large:
        name = min((c for c in BOOSTERS if c in found[t]), key=lambda c: found[t][c]["log_loss"])
        best = found[t][name]["log_loss"]
        cells = [f"{found[t][c]['log_loss']:.4f} ({found[t][c]['log_loss'] / best - 1:+.0%})" if c in found[t] else ""
                 for c in ours]  # fmt: skip
        out.append(f"| {t} | {rows[t]:,} | {best:.4f} ({name}) | " + " | ".join(cells) + " |")
    return [*out, ""]


def _row(table: str, figures: dict[str, Any], names: list[str]) -> str:
    best = min(one["log_loss"] for one in figures.values())
    cells = []
    for name in names:
        text = f"{figures[name]['log_loss']:.3f}" if name in figures else ""
        cells.append(f"**{text}**" if text and figures[name]["log_loss"] == best else text)
    some = next(iter(figures.values()))
    return f"| {table} | {some['rows']:,} | {some['classes']} | " + " | ".join(cells) + " |"


def _in_order(names: set[str]) -> list[str]:
    from bench.tables.contenders import NAMES

    return [name for name in NAMES if name in names]


def _is_sample(table: str, rows: int) -> bool:
    from bench.tables.loading import rows_of

    return rows < rows_of(table)
