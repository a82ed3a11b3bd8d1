"""Worked examples of data and their representation: grids, scales, missing cells, words, and a little algebra."""

from typing import Any

import numpy as np

from likely.data import (
    MeanFiller,
    MinMax,
    Whitening,
    angle,
    bag_of_words,
    dot,
    flatten_grid,
    joint_cells,
    linear_map,
    naive_cells,
    norm,
    pack_bits,
    threshold,
)
from likely.examples.catalogue import Example
from likely.examples.worked import Axes, Worked, worked
from likely.figures import GridDisplay
from likely.statistics import (
    determinant,
    eigenpairs,
    gram_matrix,
    is_positive_definite,
    is_positive_semidefinite,
    mahalanobis,
    quadratic_form,
)


@worked("EX-DAT-01")
def ink_grids(ex: Example) -> Worked:
    """How is a drawn digit kept as bits, and how far apart are two of them?"""
    a, b = ex.inputs["grid_a"], ex.inputs["grid_b"]
    bits = flatten_grid(a)
    apart = bits - flatten_grid(b)
    values = {
        "first16": bits[:16],
        "last3": bits[-3:],
        "dimension": len(bits),
        "integer64": str(pack_bits(a)),
        "column_major_first8": flatten_grid(a, order="column")[:8],
        "hamming": int(norm(apart, 1)),  # of bits
        "euclidean": norm(apart),
        "integer_difference": str(pack_bits(a) - pack_bits(b)),
    }

    def figure(ax: Axes) -> None:
        GridDisplay.from_grids([a, b], names=("first digit", "second digit"), difference=True, ax=ax)

    return Worked(values, figure, (8.0, 4.2))


@worked("EX-DAT-02")
def grey_levels(ex: Example) -> Worked:
    """Which cells are ink when grey levels are cut at a threshold?"""
    return Worked({"bits": threshold(ex.inputs["grey"], ex.inputs["threshold"])})


@worked("EX-DAT-03")
def min_max(ex: Example) -> Worked:
    """What are the values of an attribute on a scale from its least to its largest?"""
    column = np.array(ex.inputs["values"])[:, None]
    scale = MinMax.learn(column)
    values = {
        "scaled": scale.transform(column)[:, 0],
        "query_scaled": scale.transform([[ex.inputs["query"]]])[0, 0],
    }
    return Worked(values)


@worked("EX-DAT-04")
def cells(ex: Example) -> Worked:
    """How many cells has a table of all combinations, and how many have the single attributes?"""
    arity = [ex.inputs["values_per_feature"]] * ex.inputs["features"]
    values = {
        "joint_cells": joint_cells(arity),
        "naive_cells": naive_cells(arity),
        "weather_cells": joint_cells(ex.inputs["weather_arity"]),
        "weather_naive_cells": naive_cells(ex.inputs["weather_arity"]),
    }
    return Worked(values)


@worked("EX-DAT-05")
def maps(ex: Example) -> Worked:
    """Where do matrices that stretch, rotate, reflect and project take a vector?"""
    cases = ex.inputs["matrices"].items()
    return Worked({name: linear_map(case["matrix"], case["vector"]) for name, case in cases})


@worked("EX-DAT-06")
def eigenvalues(ex: Example) -> Worked:
    """What are the eigenvalues and the determinant of a triangular matrix?"""
    eigenvalues, _ = eigenpairs(ex.inputs["matrix"])
    return Worked({"eigenvalues": eigenvalues, "determinant": determinant(ex.inputs["matrix"])})


@worked("EX-DAT-07")
def definiteness(ex: Example) -> Worked:
    """Which of these matrices are positive definite or semidefinite?"""
    m1, m2, a, v = (ex.inputs[name] for name in ("m1", "m2", "a", "vector"))
    values = {
        "m1_form": quadratic_form(m1, v),
        "m2_form": quadratic_form(m2, v),
        "m1_positive_definite": is_positive_definite(m1),
        "m2_positive_semidefinite": is_positive_semidefinite(m2),
        "ata_positive_semidefinite": is_positive_semidefinite(gram_matrix(a)),
    }
    return Worked(values)


@worked("EX-DAT-08")
def norms(ex: Example) -> Worked:
    """How long is a vector by three norms?"""
    v = ex.inputs["v"]
    return Worked({"l1": norm(v, 1), "l2": norm(v), "linf": norm(v, np.inf), "dot_self": dot(v, v)})


@worked("EX-DAT-09")
def dot_product(ex: Example) -> Worked:
    """What is the dot product of two vectors, by sums and by the angle between them?"""
    u, v = ex.inputs["u"], ex.inputs["v"]
    return Worked({"dot": dot(u, v), "cosine_form": norm(u) * norm(v) * np.cos(angle(u, v))})


@worked("EX-DAT-10")
def filled_cells(ex: Example) -> Worked:
    """With what are missing cells filled in training, where the class is known, and in a test?"""
    x, y = ex.inputs["train_x"], ex.inputs["train_y"]
    filler = MeanFiller.learn(x, y)
    values = {
        "class_means": dict(zip(filler.classes, filler.class_means, strict=True)),
        "overall_mean": filler.overall_mean,
        "train_filled": filler.fill_training(x, y),
        "test_filled": filler.fill_query(ex.inputs["test_x"]),
    }
    return Worked(values)


@worked("EX-DAT-11")
def whitened(ex: Example) -> Worked:
    """Is the Euclidean distance after decorrelating and scaling the Mahalanobis distance before?"""
    mean, cov, x = (np.array(ex.inputs[name], dtype=float) for name in ("mean", "cov", "x"))
    white = Whitening.of(mean, cov)
    values = {
        "whitened_cov": white.matrix @ cov @ white.matrix.T,
        "euclid_after": norm(white.transform([x])[0]),
        "mahalanobis_before": mahalanobis(x, mean, cov),
    }
    return Worked(values)


@worked("EX-DAT-12")
def words_of_a_document(ex: Example) -> Worked:
    """Which words of a vocabulary occur in a document, and how often?"""
    document, words = [ex.inputs["document"]], ex.inputs["vocabulary"]
    values = {
        "counts": bag_of_words(document, words)[0].toarray()[0],
        "bits": bag_of_words(document, words, binary=True)[0].toarray()[0],
    }
    return Worked(values)


@worked("EX-DAT-13")
def table_of_emails(ex: Example) -> Worked:
    """What table of words do eight mails make without their stop words?"""
    names, texts = zip(*ex.inputs["documents"].items(), strict=True)
    values: dict[str, Any] = {}
    for key, binary in (("counts", False), ("bits", True)):
        table, words = bag_of_words(texts, stop_words=ex.inputs["stop_words"], binary=binary)
        values |= {"vocabulary": words, key: dict(zip(names, table.toarray(), strict=True))}
    return Worked(values)
