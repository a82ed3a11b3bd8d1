"""Anything into batches: kinds of feature, schema, missing cells, encodings, and files scanned without loading them.

scan(path)                 a file read in batches, as often as wanted
read_table(path)           a whole table, from a file, standard input or a frame
examine(table, target)     what its columns are, and what to beware of
bundled                    small data sets from textbooks, ready to use

What rows, labels and texts are made into:

MinMax, Standard, Whitening                       attributes on a common scale, learned, applied and undone
norm, dot, outer, angle, linear_map               rows as vectors: lengths, products, angles, images under a matrix
stretch, rotation, reflection, projection, shear  matrices of the plane
MeanFiller                                        missing cells filled with means of the observed ones
Design, DesignPlan                                tables of any kinds as matrices of numbers, learned from additive sums
TableDistance                                     the distance between rows of tables of any kinds, with gaps
distance, distance_matrix, closest_pair           of vectors and texts: euclidean, manhattan, minkowski, chebyshev,
                                                  hamming, zero_norm, edit_distance; check_metric, is_metric
similarities, shared_distances                    how alike rows with gaps are; pearson_similarity, distance_similarity
centroid, geometric_median, medoids               points in the middle of many; total_distance
augmented, without_constant                       a leading column of ones, and rows without it
indices, signs, indicator                         class labels as numbers; from_indices, from_signs, from_indicator back
flatten_grid, pack_bits, grey_levels, threshold   images as vectors, whole numbers, grey, bits; unflatten_grid,
                                                  unpack_bits back
tokenize, vocabulary, bag_of_words                texts as words, and as counts of them
Tokenizer                                         how texts are cut into words

What an estimator of your own reads tables and labels with (the documents have a page on it):

TableLike, TargetLike, PriorLike                  what is accepted as a table, a target, a prior: names in signatures
whole_table, schema_of                            all rows of a table that was read; what its columns are
split_target, read_target, class_array            the target out of a table, its classes as codes, and back as an array
read_weight                                       weights of rows, checked
TableSource                                       what a source of tables has

How large a model of so many features, levels or words is:

joint_cells, naive_cells, block_cells, document_cells
joint_parameters, naive_parameters, gaussian_parameters, document_parameters
model_sizes
"""

from typing import TYPE_CHECKING

from likely._late import in_order, late

if TYPE_CHECKING:  # what type checkers and editors see of the names below
    from likely.data import bundled as bundled
    from likely.data.accepted import PriorLike as PriorLike
    from likely.data.accepted import TableLike as TableLike
    from likely.data.accepted import TargetLike as TargetLike
    from likely.data.columns.schema import schema_of as schema_of
    from likely.data.design import Design as Design
    from likely.data.design import DesignPlan as DesignPlan
    from likely.data.distances.axioms import check_metric as check_metric
    from likely.data.distances.exemplars import centroid as centroid
    from likely.data.distances.exemplars import geometric_median as geometric_median
    from likely.data.distances.exemplars import medoids as medoids
    from likely.data.distances.exemplars import total_distance as total_distance
    from likely.data.distances.pairs import chebyshev as chebyshev
    from likely.data.distances.pairs import closest_pair as closest_pair
    from likely.data.distances.pairs import distance as distance
    from likely.data.distances.pairs import distance_matrix as distance_matrix
    from likely.data.distances.pairs import edit_distance as edit_distance
    from likely.data.distances.pairs import edit_distances as edit_distances
    from likely.data.distances.pairs import euclidean as euclidean
    from likely.data.distances.pairs import hamming as hamming
    from likely.data.distances.pairs import is_metric as is_metric
    from likely.data.distances.pairs import manhattan as manhattan
    from likely.data.distances.pairs import minkowski as minkowski
    from likely.data.distances.pairs import zero_norm as zero_norm
    from likely.data.distances.similarities import distance_similarity as distance_similarity
    from likely.data.distances.similarities import pearson_similarity as pearson_similarity
    from likely.data.distances.similarities import shared_distances as shared_distances
    from likely.data.distances.similarities import similarities as similarities
    from likely.data.distances.table_distance import TableDistance as TableDistance
    from likely.data.features.filling import MeanFiller as MeanFiller
    from likely.data.features.grids import flatten_grid as flatten_grid
    from likely.data.features.grids import grey_levels as grey_levels
    from likely.data.features.grids import pack_bits as pack_bits
    from likely.data.features.grids import threshold as threshold
    from likely.data.features.grids import unflatten_grid as unflatten_grid
    from likely.data.features.grids import unpack_bits as unpack_bits
    from likely.data.features.labels import augmented as augmented
    from likely.data.features.labels import from_indicator as from_indicator
    from likely.data.features.labels import from_indices as from_indices
    from likely.data.features.labels import from_signs as from_signs
    from likely.data.features.labels import indicator as indicator
    from likely.data.features.labels import indices as indices
    from likely.data.features.labels import signs as signs
    from likely.data.features.labels import without_constant as without_constant
    from likely.data.features.plane_maps import projection as projection
    from likely.data.features.plane_maps import reflection as reflection
    from likely.data.features.plane_maps import rotation as rotation
    from likely.data.features.plane_maps import shear as shear
    from likely.data.features.plane_maps import stretch as stretch
    from likely.data.features.scaling import MinMax as MinMax
    from likely.data.features.scaling import Standard as Standard
    from likely.data.features.scaling import Whitening as Whitening
    from likely.data.features.sizes import block_cells as block_cells
    from likely.data.features.sizes import document_cells as document_cells
    from likely.data.features.sizes import document_parameters as document_parameters
    from likely.data.features.sizes import gaussian_parameters as gaussian_parameters
    from likely.data.features.sizes import joint_cells as joint_cells
    from likely.data.features.sizes import joint_parameters as joint_parameters
    from likely.data.features.sizes import model_sizes as model_sizes
    from likely.data.features.sizes import naive_cells as naive_cells
    from likely.data.features.sizes import naive_parameters as naive_parameters
    from likely.data.features.vectors import angle as angle
    from likely.data.features.vectors import dot as dot
    from likely.data.features.vectors import linear_map as linear_map
    from likely.data.features.vectors import norm as norm
    from likely.data.features.vectors import outer as outer
    from likely.data.findings.table import examine as examine
    from likely.data.frames.tables import read_table as read_table
    from likely.data.inputs import whole_table as whole_table
    from likely.data.labels.target import class_array as class_array
    from likely.data.labels.target import read_target as read_target
    from likely.data.labels.target import split_target as split_target
    from likely.data.labels.weights import read_weight as read_weight
    from likely.data.sources import scan as scan
    from likely.data.sources.source import TableSource as TableSource
    from likely.data.text.bag_of_words import bag_of_words as bag_of_words
    from likely.data.text.bag_of_words import tokenize as tokenize
    from likely.data.text.bag_of_words import vocabulary as vocabulary
    from likely.data.text.tokenizer import Tokenizer as Tokenizer

_LATE = {  # Polars is imported only when a file is read, numba when texts are cut
    "": ("bundled",),
    "accepted": ("PriorLike", "TableLike", "TargetLike"),
    "columns.schema": ("schema_of",),
    "design": ("Design", "DesignPlan"),
    "distances.axioms": ("check_metric",),
    "distances.exemplars": ("centroid", "geometric_median", "medoids", "total_distance"),
    "distances.pairs": (
        "chebyshev", "closest_pair", "distance", "distance_matrix", "edit_distance", "edit_distances", "euclidean",
        "hamming", "is_metric", "manhattan", "minkowski", "zero_norm",
    ),
    "distances.similarities": ("distance_similarity", "pearson_similarity", "shared_distances", "similarities"),
    "distances.table_distance": ("TableDistance",),
    "features.filling": ("MeanFiller",),
    "features.grids": ("flatten_grid", "grey_levels", "pack_bits", "threshold", "unflatten_grid", "unpack_bits"),
    "features.labels": (
        "augmented", "from_indicator", "from_indices", "from_signs", "indicator", "indices", "signs",
        "without_constant",
    ),
    "features.plane_maps": ("projection", "reflection", "rotation", "shear", "stretch"),
    "features.scaling": ("MinMax", "Standard", "Whitening"),
    "features.sizes": (
        "block_cells", "document_cells", "document_parameters", "gaussian_parameters", "joint_cells",
        "joint_parameters", "model_sizes", "naive_cells", "naive_parameters",
    ),
    "features.vectors": ("angle", "dot", "linear_map", "norm", "outer"),
    "findings.table": ("examine",),
    "inputs": ("whole_table",),
    "labels.target": ("class_array", "read_target", "split_target"),
    "labels.weights": ("read_weight",),
    "sources": ("scan",),
    "sources.source": ("TableSource",),
    "frames.tables": ("read_table",),
    "text.bag_of_words": ("bag_of_words", "tokenize", "vocabulary"),
    "text.tokenizer": ("Tokenizer",),
}  # fmt: skip

__all__ = in_order(name for names in _LATE.values() for name in names)

if not TYPE_CHECKING:  # to a type checker, a name that is not above is a mistake
    __getattr__, __dir__ = late(__name__, __all__, _LATE)
