"""Write `src/likely/examples/catalogue.json`: the examples of `examples.yaml` that the library computes.

    python tests/examples/pack_catalogue.py

Run it after computing another example. The package reads JSON because YAML would be a dependency for this alone.
"""

import json
import re
from pathlib import Path

import yaml

from likely.examples.catalogue import Example
from likely.examples.worked import registered

HERE = Path(__file__).parent
TARGET = HERE.parents[1] / "src" / "likely" / "examples" / "catalogue.json"
SOURCES = {
    "000": "Edinburgh, notes from data to neural networks",
    "001": "a textbook chapter on probabilistic models",
    "002": "Toronto, a chapter on classification",
    "003": "UNSW, slides on supervised classification",
    "004": "Penn State, slides on principles of machine learning",
}
KINDS = {"seed": "printed", "seed-data": "printed data", "substitute": "substitute", "constructed": "constructed"}


def packed(computed):
    """The text of the file, for the functions by id that compute the examples."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    entries = yaml.load((HERE / "examples.yaml").read_text(encoding="utf-8"), Loader=loader)["examples"]
    chosen = [_entry(entry, computed[entry["id"]]) for entry in entries if entry["id"] in computed]
    missing = set(computed) - {entry["id"] for entry in chosen}
    if missing:
        raise SystemExit(f"computed, but not in examples.yaml: {sorted(missing)}")
    # one example a line, so that a change shows where it is
    return "[\n" + ",\n".join(json.dumps(entry, ensure_ascii=False) for entry in chosen) + "\n]\n"


def _entry(entry, compute):
    seeds = entry.pop("seed", [])
    source = [f"{SOURCES[seed['file'][:3]]}: {seed['section']}" for seed in seeds]
    order = {"id": entry.pop("id"), "title": entry.pop("title"), "kind": KINDS[entry.pop("kind")]}
    whole = {**order, "rows": entry.pop("rows"), "source": source, "figure": False, **entry}
    whole["figure"] = compute(Example(**whole)).figure is not None
    for name in ("title", "erratum", "note", "must_hold"):
        if name in whole:
            whole[name] = _worded(whole[name])
    return whole


def _worded(text):
    """The catalogue calls its sources seeds; here a seed starts random numbers."""
    if isinstance(text, list):
        return [_worded(part) for part in text]
    text = re.sub(r"\b(00\d)_\w+\.txt", lambda found: SOURCES[found[1]], text)
    return re.sub(r"\bseed(s?)\b", r"source\1", text)


if __name__ == "__main__":
    TARGET.write_text(packed(registered()), encoding="utf-8")
