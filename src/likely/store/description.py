"""What a model file holds, in words and as a mapping."""

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

from likely.data.printing.html_table import text_as_html
from likely.store.quoting import listed

STALE = "these weights were learned from other rows than the members now know: learn them anew, with --reweigh FILE"


@dataclass(frozen=True)
class Description:
    """The manifest of a model file, and the file itself; `str` gives a page to read, `as_dict` what JSON can take."""

    format_version: int  # of the file
    library_version: str  # that wrote the file
    estimator: str  # the name of the model's class
    parameters: dict[str, Any]  # a model inside a model in its own words
    classes: tuple[Hashable, ...]
    kinds: dict[str, str]  # the columns in order, and what they are
    target: str | None  # the column that it predicts, where it has a name
    training: dict[Hashable, float]  # sum of weights of the rows of each class; their number without weights
    passes: int | None  # of EM; None: in one pass, or not told
    arrays: int  # how many the file holds
    array_bytes: int  # bytes of all arrays
    size: int  # bytes of the file
    sha256: str  # of the file: it names the model
    members: dict[str, float] = field(default_factory=dict)  # of a pool, and what each weighs
    goes_on: dict[str, bool] = field(default_factory=dict)  # whether it can update, merge and forget
    stale: bool = False  # whether a pool learned, merged or forgot rows since its weights were learned

    def as_dict(self) -> dict[str, Any]:
        """For JSON: texts, numbers, lists and mappings of them."""
        return {
            "format_version": self.format_version,
            "library_version": self.library_version,
            "estimator": self.estimator,
            "parameters": {name: _plain(value) for name, value in self.parameters.items()},
            "classes": [_plain(name) for name in self.classes],
            "columns": [{"name": name, "kind": kind} for name, kind in self.kinds.items()],
            "target": self.target,
            "training": [{"class": _plain(name), "weight": weight} for name, weight in self.training.items()],
            "passes": self.passes,
            "goes_on": self.goes_on,
            "arrays": self.arrays,
            "array_bytes": self.array_bytes,
            "size": self.size,
            "sha256": self.sha256,
            **({"members": self.members, "weights_stale": self.stale} if self.members else {}),
        }

    @property
    def weighing(self) -> list[str]:
        """The members of a pool, heaviest first, and whether their weights are still of the rows they know."""
        lines = [f"{name} {weight:.3f}" for name, weight in sorted(self.members.items(), key=lambda one: -one[1])]
        return [*lines, *([STALE] if self.stale else [])]

    @property
    def going_on(self) -> str:
        """In words, what can be done with the model besides predicting."""
        rough = " (in the order of the rows, not as if fitted on all)" if not self.goes_on["merge"] else ""
        can = [verb + rough * (verb == "update") for verb, able in self.goes_on.items() if able]
        cannot = [verb for verb, able in self.goes_on.items() if not able]
        parts = [*([", ".join(can)] if can else []), *([f"cannot {', '.join(cannot)}"] if cannot else [])]
        return "; ".join(parts) + (": fit again on all rows" if cannot else "")

    @property
    def learned_in(self) -> str | None:
        """How many passes it took, where that is known."""
        if self.passes is not None:
            return str(self.passes)
        return "one" if self.goes_on.get("merge") else None

    def __str__(self) -> str:
        rows = f"{sum(self.training.values()):g}" if self.training else "unknown"
        shares = ", ".join(f"{name} {weight:g}" for name, weight in _few(list(self.training.items())))
        columns = ", ".join(f"{name} ({kind})" for name, kind in _few(list(self.kinds.items())))
        settings = ", ".join(f"{name}={listed(value)}" for name, value in self.parameters.items())
        lines = [
            ("model", self.estimator),
            ("parameters", settings or "none"),
            (
                "classes",
                f"{len(self.classes)}: {', '.join(str(name) for name, _ in _few([(c, '') for c in self.classes]))}",
            ),
            ("columns", f"{len(self.kinds)}: {columns}" if self.kinds else "none"),
            *((("members", "; ".join(self.weighing)),) if self.members else ()),
            ("predicts", self.target or "the class"),
            ("learned from", f"{rows} rows: {shares}" if self.training else rows),
            *((("passes", self.learned_in),) if self.learned_in else ()),
            ("goes on", self.going_on),
            ("file", f"{self.size} bytes, {self.arrays} arrays of {self.array_bytes} bytes"),
            ("written by", f"likely {self.library_version}, format {self.format_version}"),
            ("sha256", self.sha256),
        ]
        return "\n".join(f"{name:<13}{text}" for name, text in lines)

    _repr_html_ = text_as_html


def _few(pairs: list[tuple[Any, Any]], most: int = 12) -> list[tuple[Any, Any]]:
    return pairs if len(pairs) <= most else [*pairs[: most - 1], ("...", pairs[-1][1])]


def _plain(value: object) -> Any:
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if value == value and abs(value) != float("inf") else repr(value)
    if isinstance(value, dict) and all(isinstance(key, str) for key in value):
        return {key: _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return listed(value)
