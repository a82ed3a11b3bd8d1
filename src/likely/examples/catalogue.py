"""The worked examples as data: what goes in, what must come out, what was printed.

    expected   name -> {value, tol, shown}: the verified value, its absolute tolerance (0 is exact, none is equality),
               and the digits that the source prints where they are right (None marks a printed entry that is not)
    printed    what the source prints where it is wrong, under the same names; the erratum says why

They are those of the catalogue that this library computes, in `catalogue.json`; reading them imports nothing heavy.
"""

import json
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from typing import Any

from likely.errors import InputError

GROUPS = {
    "DAT": "Data and representation",
    "DIS": "Distances, exemplars and similarity",
    "REC": "Recommendation",
    "CLU": "Clustering",
    "PCA": "Principal components",
    "KNN": "Nearest neighbours",
    "PRB": "Probability",
    "EST": "Estimation",
    "GEN": "Generative classifiers",
    "DSC": "Discriminative classifiers",
    "EXF": "Exponential families",
    "DEC": "Decision rules",
    "CAL": "Calibration",
    "EVA": "Evaluation",
    "EMM": "Mixtures and EM",
    "MDL": "Description length",
    "OPT": "Optimisation and fitting",
}


@dataclass(frozen=True)
class Example:
    """One worked example."""

    id: str
    title: str
    kind: str  # printed, printed data, substitute or constructed
    rows: list[str]  # what of the catalogue it shows
    source: list[str]  # where it is printed
    figure: bool  # whether it has one
    inputs: dict[str, Any]  # by name
    expected: dict[str, dict[str, Any]]  # name -> value, tol, shown
    printed: dict[str, Any] = field(default_factory=dict)  # what the source has wrong, by name
    erratum: str | None = None  # why the source is wrong
    must_hold: list[str] = field(default_factory=list)  # statements that the values fulfil
    note: str | None = None

    @property
    def group(self) -> str:
        """The group's title.

        >>> find("EX-GEN-08").group
        'Generative classifiers'
        """
        return GROUPS[self.id.split("-")[1]]


@cache
def examples() -> dict[str, Example]:
    """All worked examples by id, in the catalogue's order.

    >>> len(examples()) > 80
    True
    """
    text = files("likely.examples").joinpath("catalogue.json").read_text(encoding="utf-8")
    return {entry["id"]: Example(**entry) for entry in json.loads(text)}


def find(id: str) -> Example:
    """The example of an id; upper or lower case, with or without EX.

    >>> find("gen-8").title
    'Spam by bit vector (1, 1, 0)'
    """
    known = examples()
    wanted = _spelled(id)
    if wanted in known:
        return known[wanted]
    close = get_close_matches(wanted, known, n=3, cutoff=0.75)
    group = [name for name in known if name[:7] == wanted[:7]] or list(known)
    advice = f"did you mean {' or '.join(close)}? They" if close else "they"
    raise InputError(f"there is no worked example {id!r}; {advice} run from {group[0]} to {group[-1]}")


def _spelled(id: str) -> str:
    parts = id.strip().upper().replace("_", "-").split("-")
    if parts[0] != "EX":
        parts = ["EX", *parts]
    if parts[-1].isdigit():
        parts[-1] = parts[-1].zfill(2)
    return "-".join(parts)
