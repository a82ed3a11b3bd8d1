"""How many numbers a model needs: why naive models exist.

With D attributes of M values and K classes:

    joint table     K M^D cells        naive tables    K D M cells
    per class, free d + d (d + 1) / 2 for a full Gaussian, 2 d for a diagonal one, 2^d - 1 for bits, d if independent
    documents of L words over V: K V^L for the word sequence, K L V by position, K V for a bag of words

A cell is an entry of a table; a free parameter is what is left when every distribution must sum to one. Counts are
Python integers: exact, and as large as they get.
"""

from collections.abc import Sequence
from math import prod
from typing import Literal, TypeAlias

from likely.errors import InputError

Covariance: TypeAlias = Literal["full", "shared", "diagonal", "shared_diagonal", "spherical", "shared_spherical"]
DocumentModel: TypeAlias = Literal["sequence", "positions", "multinomial", "bernoulli"]


def joint_cells(arity: Sequence[int], classes: int = 1) -> int:
    """Cells of the joint table of attributes with so many values each: K prod_j M_j.

    >>> joint_cells([20, 20, 20])
    8000
    >>> joint_cells([2] * 5, classes=2)
    64
    """
    return _count("classes", classes) * prod(_arity(arity))


def naive_cells(arity: Sequence[int], classes: int = 1) -> int:
    """Cells of one table per attribute and class: K sum_j M_j.

    >>> naive_cells([20, 20, 20])
    60
    """
    return _count("classes", classes) * sum(_arity(arity))


def block_cells(blocks: Sequence[Sequence[int]], classes: int = 1) -> int:
    """Cells when only whole blocks of attributes are independent: K sum_b prod_(j in b) M_j.

    Parameters
    ----------
    blocks : for each block, how many values each of its attributes takes

    >>> block_cells([[2, 2, 2], [4]])  # three dental facts together, the weather apart
    12
    """
    return _count("classes", classes) * sum(prod(_arity(block)) for block in blocks)


def joint_parameters(arity: Sequence[int], classes: int = 1) -> int:
    """Free parameters of the joint table of attributes and class: K prod_j M_j - 1.

    >>> joint_parameters([2, 2, 2])
    7
    """
    return joint_cells(arity, classes) - 1


def naive_parameters(arity: Sequence[int], classes: int = 1) -> int:
    """Free parameters of naive tables and the class prior: K sum_j (M_j - 1) + K - 1.

    >>> naive_parameters([2] * 5, classes=2)
    11
    """
    return _count("classes", classes) * sum(m - 1 for m in _arity(arity)) + classes - 1


def gaussian_parameters(dimension: int, classes: int = 1, covariance: Covariance = "full") -> int:
    """Free parameters of Gaussian classes and the class prior: K d + covariances + K - 1.

    A covariance has d (d + 1) / 2 parameters when full, d when diagonal, 1 when spherical; there are K of them, or
    one when shared.

    Parameters
    ----------
    dimension : how many columns, d
    covariance : its form: "full", "diagonal" or "spherical", of each class or shared by all

    >>> gaussian_parameters(3), gaussian_parameters(3, covariance="diagonal")
    (9, 6)
    """
    d, k = _count("dimension", dimension), _count("classes", classes)
    shape = covariance.removeprefix("shared_") if covariance != "shared" else "full"
    sizes = {"full": d * (d + 1) // 2, "diagonal": d, "spherical": 1}
    if shape not in sizes:
        raise InputError(f"covariance must be full, diagonal, spherical, or one of them shared; got {covariance!r}")
    copies = 1 if covariance.startswith("shared") else k
    return k * d + copies * sizes[shape] + k - 1


def document_cells(vocabulary: int, length: int = 1, classes: int = 1, model: DocumentModel = "multinomial") -> int:
    """Word probabilities of a document model.

    "sequence" K V^L, every text of L words its own; "positions" K L V, a word table per position; "multinomial" and
    "bernoulli" K V, whatever the position.

    Parameters
    ----------
    length : words of a text
    model : what a text is a draw from

    >>> [document_cells(1000, 3, 2, model) for model in ("positions", "multinomial", "sequence")]
    [6000, 2000, 2000000000]
    """
    v, n, k = _count("vocabulary", vocabulary), _count("length", length), _count("classes", classes)
    cells: dict[str, int] = {"sequence": v**n, "positions": n * v, "multinomial": v, "bernoulli": v}
    return k * cells[_model(model)]


def document_parameters(
    vocabulary: int, length: int = 1, classes: int = 1, model: DocumentModel = "multinomial"
) -> int:
    """Free parameters of a document model and the class prior.

    Word tables sum to one, the bits of a Bernoulli model do not: K (V^L - 1), K L (V - 1), K (V - 1), K V; and K - 1.

    Parameters
    ----------
    length : words of a text
    model : what a text is a draw from

    >>> document_parameters(3, classes=2), document_parameters(3, classes=2, model="bernoulli")
    (5, 7)
    """
    tables = {"sequence": 1, "positions": length, "multinomial": 1, "bernoulli": 0}[_model(model)]
    return document_cells(vocabulary, length, classes, model) - classes * tables + classes - 1


def model_sizes(
    features: int | Sequence[int],
    values: int = 2,
    classes: int = 1,
    vocabulary: int | None = None,
    length: int = 1,
) -> dict[str, int]:
    """Free parameters of each model for D features of M values, K classes and, with a vocabulary, documents.

    features: how many there are, of `values` values each; or how many values each of them has.
    With classes=1 they are those of one class: 2^d - 1 for the table of d bits, d for naive tables.

    Parameters
    ----------
    length : words of a text
    values : how many values each feature takes
    vocabulary : how many words there are; None: documents are left out

    >>> for name, size in model_sizes(features=5, values=2, classes=2).items():
    ...     print(f"{size:4} {name}")
      63 joint table
      11 naive tables
      41 Gaussian, full
      26 Gaussian, shared
      21 Gaussian, diagonal
      16 Gaussian, shared_diagonal
      13 Gaussian, spherical
      12 Gaussian, shared_spherical
    >>> sizes = model_sizes([2, 2, 2])
    >>> [sizes[name] for name in ("joint table", "naive tables", "Gaussian, full", "Gaussian, diagonal")]
    [7, 3, 9, 6]
    """
    arity = list(features) if isinstance(features, Sequence) else [values] * _count("number of features", features)
    covariances: tuple[Covariance, ...] = (
        "full",
        "shared",
        "diagonal",
        "shared_diagonal",
        "spherical",
        "shared_spherical",
    )
    models: tuple[DocumentModel, ...] = ("sequence", "positions", "multinomial", "bernoulli")
    sizes = {"joint table": joint_parameters(arity, classes), "naive tables": naive_parameters(arity, classes)}
    sizes |= {f"Gaussian, {name}": gaussian_parameters(len(arity), classes, name) for name in covariances}
    if vocabulary is not None:
        sizes |= {f"words, {name}": document_parameters(vocabulary, length, classes, name) for name in models}
    return sizes


def _model(model: str) -> str:
    if model not in ("sequence", "positions", "multinomial", "bernoulli"):
        raise InputError(f"model must be 'sequence', 'positions', 'multinomial' or 'bernoulli', got {model!r}")
    return model


def _arity(arity: Sequence[int]) -> list[int]:
    return [_count("number of values", m) for m in arity]


def _count(name: str, number: int) -> int:
    if number != int(number) or number < 1:
        raise InputError(f"the {name} must be a whole number of at least 1, got {number}")
    return int(number)
