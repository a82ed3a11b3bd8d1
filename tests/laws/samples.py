"""Random tables of every kind of column, whose values depend on the group of the row."""

from typing import Any

import numpy as np
import polars as pl


def reals(rng: np.random.Generator, labels: Any) -> Any:
    """Correlated columns whose mean and spread depend on the group."""
    noise = rng.normal(size=(len(labels), 3)) @ np.array([[1.0, 0.4, 0.0], [0.0, 1.0, -0.3], [0.0, 0.0, 1.0]])
    return labels[:, None] * np.array([1.0, -0.5, 2.0]) + noise * (1 + labels[:, None] / 2)


def positives(rng: np.random.Generator, labels: Any) -> Any:
    return np.exp(reals(rng, labels) / 2)


def counts(rng: np.random.Generator, labels: Any) -> Any:
    """Whole numbers that vary more than Poisson's in one column and as those in the others."""
    rate = 1.0 + labels[:, None] + np.array([0.0, 1.0, 2.0])
    rate[:, 0] *= rng.gamma(2.0, 0.5, size=len(labels))
    return rng.poisson(rate).astype(np.float64)


def binaries(rng: np.random.Generator, labels: Any) -> Any:
    return (rng.random((len(labels), 3)) < (1 + labels[:, None]) / np.array([4.0, 5.0, 6.0])).astype(np.float64)


def nominals(rng: np.random.Generator, labels: Any) -> Any:
    table = np.empty((len(labels), 3), dtype=object)
    for j, names in enumerate((["red", "green", "blue"], ["no", "yes"], [3, 1, 20, 7])):
        place = np.minimum(rng.integers(0, len(names) + 1, size=len(labels)) + labels % 2, len(names) - 1)
        table[:, j] = [names[i] for i in place]
    return table


def documents(rng: np.random.Generator, labels: Any) -> Any:
    """One column of texts, some of them empty; a word of each group is more frequent there."""
    words = np.array(["red", "Green", "blue", "naïve", "the"])
    table = np.empty((len(labels), 1), dtype=object)
    for i, label in enumerate(labels):
        weight = np.where(np.arange(5) == label, 3.0, 1.0)
        table[i, 0] = " ".join(rng.choice(words, size=rng.poisson(3.0), p=weight / weight.sum()))
    return table


def mixed(rng: np.random.Generator, labels: Any) -> Any:
    return np.hstack([reals(rng, labels)[:, :2].astype(object), nominals(rng, labels)[:, :2]])


def numeric(rng: np.random.Generator, y: Any) -> Any:
    return np.hstack([reals(rng, y), rng.normal(size=(len(y), 1))])


def numeric_with_gaps(rng: np.random.Generator, y: Any) -> Any:
    X = numeric(rng, y)
    return np.where(rng.random(X.shape) < 0.1, np.nan, X)


def amounts(rng: np.random.Generator, y: Any) -> Any:
    return np.exp(numeric_with_gaps(rng, y) / 2)


def events(rng: np.random.Generator, y: Any) -> Any:
    return rng.poisson(1.0 + y[:, None] + np.array([0.0, 1.0, 2.0, 0.5])).astype(np.int64)


def flags(rng: np.random.Generator, y: Any) -> Any:
    return (rng.random((len(y), 4)) < (1 + y[:, None]) / np.array([4.0, 5.0, 6.0, 4.5])).astype(np.int64)


def level_numbers(rng: np.random.Generator, y: Any) -> Any:
    return (rng.integers(0, 4, size=(len(y), 4)) + (y[:, None] == 1) * np.array([1, 0, 2, 0])).astype(np.int64)


def texts(rng: np.random.Generator, y: Any) -> pl.DataFrame:
    """Nominal columns; some levels are rare, and some cells are missing."""
    rows = nominals(rng, y)
    rare = rng.random(len(y)) < 0.1
    colour = [None if rng.random() < 0.1 else "violet" if odd else v for v, odd in zip(rows[:, 0], rare, strict=True)]
    return pl.DataFrame({"colour": colour, "answer": rows[:, 1].tolist(), "code": [f"n{v}" for v in rows[:, 2]]})


def everything(rng: np.random.Generator, y: Any) -> pl.DataFrame:
    """Columns of every kind, with missing cells."""
    numbers_, names = numeric_with_gaps(rng, y), texts(rng, y)
    sizes = pl.Enum(["small", "medium", "large"])
    return pl.DataFrame(
        {
            "degrees": pl.Series(numbers_[:, 0]).fill_nan(None),
            "colour": names["colour"],
            "visits": rng.poisson(1.0 + y),
            "height": pl.Series(numbers_[:, 1]).fill_nan(None),
            "smokes": [None if rng.random() < 0.1 else bool(v) for v in flags(rng, y)[:, 0]],
            "size": pl.Series(
                [("small", "medium", "large")[min(v, 2)] for v in level_numbers(rng, y)[:, 0]], dtype=sizes
            ),
        }
    )


def prose(rng: np.random.Generator, y: Any) -> pl.DataFrame:
    """One column of texts; some are missing, some hold a word that is nowhere else."""
    texts_ = documents(rng, y)[:, 0].tolist()
    odd = [f"{text} once{i}" if rng.random() < 0.1 else text for i, text in enumerate(texts_)]
    return pl.DataFrame({"text": [None if rng.random() < 0.1 else text for text in odd]}, schema={"text": pl.String})


def messages(rng: np.random.Generator, y: Any) -> pl.DataFrame:
    """Texts beside numbers and levels."""
    return pl.DataFrame(
        {
            "subject": prose(rng, y)["text"],
            "degrees": pl.Series(numeric_with_gaps(rng, y)[:, 0]).fill_nan(None),
            "body": prose(rng, y)["text"],
            "colour": texts(rng, y)["colour"],
        }
    )


def numbers_and_texts(rng: np.random.Generator, y: Any) -> pl.DataFrame:
    return everything(rng, y).select("degrees", "colour", "height")
