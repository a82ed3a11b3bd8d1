"""The worked examples of group DAT."""

import numpy as np
from catalogue import check, covered, covers, differs, ids

from likely.data.filling import MeanFiller
from likely.data.grids import flatten_grid, pack_bits, threshold
from likely.data.scaling import MinMax, Whitening
from likely.data.sizes import joint_cells, naive_cells
from likely.data.words import bag_of_words


@covers("EX-DAT-01")
def test_ink_grids_as_bits(ex):
    a, b = ex.inputs["grid_a"], ex.inputs["grid_b"]
    bits = flatten_grid(a)
    difference = bits - flatten_grid(b)
    check(ex.id, "first16", bits[:16])
    check(ex.id, "last3", bits[-3:])
    check(ex.id, "dimension", len(bits))
    check(ex.id, "integer64", str(pack_bits(a)))
    check(ex.id, "column_major_first8", flatten_grid(a, order="column")[:8])
    check(ex.id, "hamming", np.count_nonzero(difference))
    check(ex.id, "euclidean", np.linalg.norm(difference))
    check(ex.id, "integer_difference", str(pack_bits(a) - pack_bits(b)))


@covers("EX-DAT-02")
def test_threshold_of_grey_levels(ex):
    check(ex.id, "bits", threshold(ex.inputs["grey"], ex.inputs["threshold"]))


@covers("EX-DAT-03")
def test_min_max_scaling(ex):
    values = np.array(ex.inputs["values"])[:, None]
    scale = MinMax.learn(values)
    check(ex.id, "scaled", scale.transform(values)[:, 0])
    check(ex.id, "query_scaled", scale.transform([[ex.inputs["query"]]])[0, 0])
    assert MinMax.learn([[3.0], [3.0]]).transform([[3.0], [5.0]]).tolist() == [[0.0], [0.0]]  # a constant attribute


@covers("EX-DAT-04")
def test_cell_counts(ex):
    arity = [ex.inputs["values_per_feature"]] * ex.inputs["features"]
    check(ex.id, "joint_cells", joint_cells(arity))
    check(ex.id, "naive_cells", naive_cells(arity))
    check(ex.id, "weather_cells", joint_cells(ex.inputs["weather_arity"]))
    check(ex.id, "weather_naive_cells", naive_cells(ex.inputs["weather_arity"]))


@covers("EX-DAT-05")
def test_matrices_as_maps(ex):
    for name, case in ex.inputs["matrices"].items():
        check(ex.id, name, np.array(case["matrix"]) @ np.array(case["vector"]))


@covers("EX-DAT-06")
def test_eigenvalues_of_a_triangular_matrix(ex):
    matrix = np.array(ex.inputs["matrix"])
    check(ex.id, "eigenvalues", sorted(np.linalg.eigvals(matrix), reverse=True))
    check(ex.id, "determinant", np.linalg.det(matrix))


@covers("EX-DAT-07")
def test_definiteness(ex):
    from likely.numeric.linear import is_positive_definite, is_positive_semidefinite

    m1, m2, a, v = (np.array(ex.inputs[name]) for name in ("m1", "m2", "a", "vector"))
    check(ex.id, "m1_form", float(v @ m1 @ v))
    check(ex.id, "m2_form", float(v @ m2 @ v))
    check(ex.id, "m1_positive_definite", is_positive_definite(m1))
    check(ex.id, "m2_positive_semidefinite", is_positive_semidefinite(m2))
    check(ex.id, "ata_positive_semidefinite", is_positive_semidefinite(a.T @ a))


@covers("EX-DAT-08")
def test_norms(ex):
    v = np.array(ex.inputs["v"])
    check(ex.id, "l1", np.linalg.norm(v, 1))
    check(ex.id, "l2", np.linalg.norm(v))
    check(ex.id, "linf", np.linalg.norm(v, np.inf))
    check(ex.id, "dot_self", float(v @ v))


@covers("EX-DAT-09")
def test_dot_product_has_no_root(ex):
    u, v = np.array(ex.inputs["u"], dtype=float), np.array(ex.inputs["v"], dtype=float)
    sizes = np.linalg.norm(u) * np.linalg.norm(v)
    angle = np.arctan2(np.linalg.norm(np.cross(u, v)), u @ v)
    check(ex.id, "dot", u @ v)
    check(ex.id, "cosine_form", sizes * np.cos(angle))
    differs(ex.id, "dot", u @ v)


@covers("EX-DAT-10")
def test_missing_cells_filled_with_means(ex):
    x, y = ex.inputs["train_x"], ex.inputs["train_y"]
    filler = MeanFiller.learn(x, y)
    check(ex.id, "class_means", dict(zip(filler.classes, filler.class_means, strict=True)))
    check(ex.id, "overall_mean", filler.overall_mean)
    check(ex.id, "train_filled", filler.fill_training(x, y))
    check(ex.id, "test_filled", filler.fill_query(ex.inputs["test_x"]))


@covers("EX-DAT-11")
def test_whitening_turns_mahalanobis_into_euclid(ex):
    from likely.numeric.linear import mahalanobis, whitening

    mean, cov, x = (np.array(ex.inputs[name], dtype=float) for name in ("mean", "cov", "x"))
    white = Whitening.of(mean, cov)
    for w in (white.matrix, whitening(cov)):
        check(ex.id, "whitened_cov", w @ cov @ w.T)
        check(ex.id, "euclid_after", np.linalg.norm(w @ (x - mean)))
    check(ex.id, "euclid_after", np.linalg.norm(white.transform([x])))
    check(ex.id, "mahalanobis_before", mahalanobis(x, mean, cov))


@covers("EX-DAT-12")
def test_bits_and_counts_of_a_document(ex):
    document, words = [ex.inputs["document"]], ex.inputs["vocabulary"]
    check(ex.id, "counts", bag_of_words(document, words)[0].toarray()[0])
    check(ex.id, "bits", bag_of_words(document, words, binary=True)[0].toarray()[0])


@covers("EX-DAT-13")
def test_email_table(ex):
    names, texts = zip(*ex.inputs["documents"].items(), strict=True)
    for key, binary in (("counts", False), ("bits", True)):
        table, words = bag_of_words(texts, stop_words=ex.inputs["stop_words"], binary=binary)
        check(ex.id, "vocabulary", words)
        check(ex.id, key, dict(zip(names, table.toarray(), strict=True)))


def test_every_example_is_covered():
    assert covered(globals()) == set(ids("EX-DAT-"))
