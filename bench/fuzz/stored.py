"""A file of every model that can be kept, and the rows that it is asked about again; models are found by looking."""

import functools
import inspect
import json
import random
import warnings
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from likely import BayesClassifier, Calibrated, Decider, GaussianBayes, Mixture, NaiveBayes, TextBayes, save
from likely.decisions import recalibrate
from likely.errors import LikelyError
from likely.store import registry

X = np.array([[1.0, 0], [2, 1], [3, 1], [7, 0], [8, 1], [9, 0], [4, 1], [6, 1]])
Y = ["low", "low", "low", "high", "high", "high", "low", "high"]
SOME = [None, *Y[1:]]
TEXTS = ["free money now", "free prize", "lunch at noon?", "at noon", "money", "prize now", "minutes", "lunch"]
TABLE = pl.DataFrame({"town": [*"abcabcd", None], "x": X[:, 0], "seen": X[:, 1] > 0, "note": TEXTS})
RATINGS = pl.DataFrame({"user": list("aabbccdd"), "item": list("xyyzxzxy"), "rating": X[:, 0]})
ROWS: dict[str, Any] = {"numbers": X, "table": TABLE, "texts": TEXTS, "ratings": RATINGS}
SMALL: dict[str, Any] = {  # parameters, where a model has them, that make it quick
    "n_estimators": 3, "epochs": 5, "cv": 2, "n_clusters": 2, "n_init": 2, "max_iter": 20, "random_state": 0,
    "posterior_folds": 2,
}  # fmt: skip
PARTS: dict[str, Callable[[], Any]] = {
    "estimator": NaiveBayes,
    "estimators": lambda: [NaiveBayes(), GaussianBayes("shared")],
}
VARIANTS: dict[str, tuple[str, Callable[[], Any]]] = {  # the rows, and the model, of what a plain `fit` does not reach
    "levels": ("numbers", lambda: NaiveBayes("nominal").fit(X.astype(int), Y)),
    "histogram": ("numbers", lambda: NaiveBayes("histogram").fit(X, Y)),
    "counts": ("numbers", lambda: NaiveBayes("negative_binomial").fit(X, Y)),
    "kernels": ("numbers", lambda: NaiveBayes("kde").fit(X, Y)),
    "shared": ("numbers", lambda: GaussianBayes("shared", estimation="bayes").fit(X, Y)),
    "hidden": ("numbers", lambda: BayesClassifier().fit(X, SOME)),
    "unlabelled": ("table", lambda: Mixture(2, "auto", n_init=2, random_state=0).fit(TABLE)),
    "pairs": ("texts", lambda: TextBayes(ngram_range=(1, 2)).fit(TEXTS, Y)),
    "present": ("texts", lambda: TextBayes("bernoulli", token_pattern=r"[a-z]+").fit(TEXTS, Y)),
    "isotonic": ("numbers", lambda: Calibrated(NaiveBayes(), "isotonic", cv=2).fit(X, Y)),
    "beta": ("numbers", lambda: Calibrated(NaiveBayes(), "beta", cv=2).fit(X, Y)),
    "decider": ("numbers", lambda: Decider(GaussianBayes("shared"), rule="recalibrated", cv=2).fit(X, Y)),
    "weights": ("numbers", lambda: recalibrate(Y, NaiveBayes().fit(X, Y).log_likelihood(X))),
}


@dataclass(frozen=True)
class Stored:
    """A model file, whole and in its parts."""

    place: Path
    rows: Any
    manifest: dict[str, Any]
    arrays: dict[str, bytes]


def any_file(chooser: random.Random, folder: Path) -> Stored:
    """The file of one of the models, made when it is first wanted."""
    while (found := made(folder, chooser.choice(candidates()))) is None:
        pass  # not every model learns from every kind of rows
    return found


@functools.cache
def candidates() -> tuple[str, ...]:
    """Every estimator on every kind of rows, and the variants."""
    return (*(f"{kind} of {rows}" for kind in sorted(registry.estimators()) for rows in ROWS), *VARIANTS)


@functools.cache
def made(folder: Path, name: str) -> Stored | None:
    """The file of a candidate; None where the model does not learn from such rows, or is not one by itself."""
    kind, _, rows = name.partition(" of ")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if name in VARIANTS:
                rows, make = VARIANTS[name]
                model = make()
            else:
                model = _fitted(registry.estimators()[kind], rows)
            place = save(model, folder / f"{name}.likely")
    except LikelyError:
        return None
    with zipfile.ZipFile(place) as found:
        manifest = json.loads(found.read("likely.json"))
        arrays = {array: found.read(f"arrays/{array}.npy") for array in manifest["arrays"]}
    return Stored(place, ROWS[rows], manifest, arrays)


def _fitted(kind: type[Any], rows: str) -> Any:
    if not hasattr(kind, "fit"):
        raise LikelyError("it is made by another")
    known = inspect.signature(kind).parameters
    options = {name: value for name, value in SMALL.items() if name in known}
    model = kind(**options, **{name: make() for name, make in PARTS.items() if name in known})
    y: Any = X[:, 0] if getattr(kind, "_estimator_type", None) == "regressor" else Y
    return model.fit(ROWS[rows]) if rows == "ratings" else model.fit(ROWS[rows], y)
