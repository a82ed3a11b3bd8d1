"""What a mistake costs: costs[truth][said], labelled by class names.

    R(said | x) = sum over truth of costs[truth][said] P(truth | x)

Rows are the truth, columns the answer. A right answer may cost something too, and a negative cost is a gain. Adding a
constant to a row of the matrix adds the same to the risk of every answer, so it changes no decision.

Costs come from an array, a mapping of mappings, a labelled frame, a CSV file whose first row and column hold the class
names (its top left cell is a title or empty; a file of bare numbers is taken in the order of the classes), or a Weka
`.cost` file, which has no names either. An array (n, k, k) holds one matrix per row of the data.
"""

import csv
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from likely.data.accepted import ClassNames
from likely.data.inputs import suggest
from likely.errors import InputError
from likely.models.any_classifier.posteriors import names_of
from likely.numeric.arrays import Array, Floats, as_floats, in_brief

LARGEST_COST = 1e100  # what is beyond has no square, and an interval of mean costs needs one


if TYPE_CHECKING:
    CostsLike: TypeAlias = "CostMatrix | Mapping[Any, Any] | ArrayLike | Path"
else:

    class CostsLike:
        """Costs of mistakes, costs[truth][said]: a `CostMatrix`, a mapping of mappings, an array, a frame or a file.

        A name for signatures: nothing is made of it.

        >>> def dearest(costs: CostsLike) -> float:
        ...     return float(CostMatrix.of(costs).values.max())
        >>> dearest([[0, 5], [1, 0]]), dearest({"ham": {"spam": 10}, "spam": {"ham": 1}})
        (5.0, 10.0)
        """


@dataclass(frozen=True)
class CostMatrix:
    """A cost (loss) matrix: what every answer costs for every truth.

    >>> costs = CostMatrix.of({"ham": {"spam": 10}, "spam": {"ham": 1}})
    >>> costs.classes, costs.values.tolist()
    (('ham', 'spam'), [[0.0, 10.0], [1.0, 0.0]])
    >>> costs.risks([[0.2, 0.8]])
    array([[0.8, 2. ]])
    """

    values: Floats  # (k, k), or (n, k, k) for one matrix per row: [truth, said]
    classes: tuple[Hashable, ...] | None = None  # None: in the order of whatever classes they are used with
    stored_as: ClassVar[str] = "CostMatrix"

    __repr__ = in_brief

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", as_floats(self.values, "costs[truth][said]").copy())
        _check_values(self.values)
        if self.classes is not None:
            object.__setattr__(self, "classes", names_of(self.classes))
            _check_names(self.classes, self.values.shape[-1])

    @classmethod
    def of(cls, source: "CostsLike", classes: ClassNames = None) -> Self:
        """Costs from any source, brought to the order of `classes` where these are given.

        >>> CostMatrix.of([[0, 5], [1, 0]], classes=["ill", "well"]).classes
        ('ill', 'well')
        """
        if isinstance(source, Mapping) and classes is not None:
            _check_truths(source, names_of(classes))
        read = source if isinstance(source, CostMatrix) else _read(source, classes)
        matrix = cls(read.values, read.classes)
        return matrix if classes is None else matrix.aligned(classes)

    @classmethod
    def zero_one(cls, classes: Sequence[Hashable] | Array) -> Self:
        """Every mistake costs 1.

        >>> CostMatrix.zero_one(["a", "b"]).values.tolist()
        [[0.0, 1.0], [1.0, 0.0]]
        """
        names = names_of(classes)
        return cls(1.0 - np.eye(len(names)), names)

    @property
    def per_row(self) -> bool:
        """Whether every row of the data has its own matrix."""
        return self.values.ndim == 3

    def aligned(self, classes: Sequence[Hashable] | Array) -> Self:
        """The same costs in the order of these classes; names are compared as they are, then by their spelling."""
        wanted = names_of(classes)
        k = self.values.shape[-1]
        if self.classes is None or self.classes == wanted:
            if k != len(wanted):
                raise InputError(
                    f"the costs are of {k} classes, but there are {len(wanted)}: {', '.join(map(str, wanted))}"
                )
            return type(self)(self.values, wanted)
        place = _places(self.classes, wanted)
        order = [place[name] for name in wanted]
        return type(self)(self.values[..., order, :][..., order], wanted)

    def risks(self, posterior: ArrayLike) -> Floats:
        """Expected cost of every answer (n, k), from posterior probabilities (n, k) in the order of the classes."""
        p = np.asarray(posterior, dtype=np.float64)
        k = self.values.shape[-1]
        if p.ndim != 2 or p.shape[1] != k:
            raise InputError(f"the costs are of {k} classes, the posterior has shape {p.shape}; give one (n, {k})")
        if not self.per_row:
            return p @ self.values
        if len(self.values) != len(p):
            raise InputError(f"there are costs for {len(self.values)} rows, but {len(p)} rows to decide")
        return np.asarray(np.einsum("ni,nij->nj", p, self.values))


def are_per_row(costs: CostsLike | None) -> bool:
    """Whether these costs hold one matrix for every row of the data.

    >>> are_per_row(np.zeros((5, 2, 2))), are_per_row({"ham": {"spam": 10}, "spam": {"ham": 1}})
    (True, False)
    """
    values = costs.values if isinstance(costs, CostMatrix) else costs
    return values is not None and not isinstance(values, Mapping | Path) and np.ndim(values) == 3


def _read(source: Any, classes: ClassNames = None) -> CostMatrix:
    if isinstance(source, str | Path):
        path = Path(source)
        if path.is_dir() or not path.exists():
            raise InputError(f"there is no file of costs at {str(path)!r}")
        lines = path.read_text(encoding="utf-8-sig").splitlines()
        return _read_weka(lines, path) if path.suffix.lower() == ".cost" else _read_csv(lines, path, classes)
    if isinstance(source, Mapping):
        return _read_mapping(source)
    if hasattr(source, "index") and hasattr(source, "columns"):  # a pandas frame: rows by truth
        said = list(source.columns)
        values = as_floats(source, "costs[truth][said]")
        return _read_mapping(
            {t: dict(zip(said, row, strict=True)) for t, row in zip(source.index, values, strict=True)}
        )
    return CostMatrix(as_floats(source, "costs[truth][said]"))


def _read_mapping(source: Mapping[Any, Any]) -> CostMatrix:
    names = tuple(source)
    values = np.zeros((len(names), len(names)))
    for i, truth in enumerate(names):
        row = source[truth]
        if not isinstance(row, Mapping):
            raise InputError(f"costs[{truth!r}] must map each answer to its cost, got {row!r}")
        for said in row:
            if said not in source:
                raise InputError(
                    f"costs[{truth!r}] names the answer {said!r}, which is no class{suggest(said, names)}; "
                    f"the classes are {', '.join(map(str, names))}"
                )
        for j, said in enumerate(names):
            if said not in row and i != j:  # a right answer costs nothing unless it says otherwise
                raise InputError(f"costs[{truth!r}] says nothing of the answer {said!r}")
            values[i, j] = _number(row.get(said, 0.0), f"costs[{truth!r}][{said!r}]")
    return CostMatrix(values, names)


def _check_truths(source: Mapping[Any, Any], classes: tuple[Hashable, ...]) -> None:
    """Every class must say what its mistakes cost, before the mapping's own names are taken for all there are."""
    given = {str(name) for name in source}
    for name in classes:
        if str(name) not in given:
            raise InputError(
                f"the costs say nothing of class {name!r}{suggest(name, list(source))}: give costs[{name!r}], what "
                f"each answer costs when {name!r} is true"
            )


def _check_sides(rows: list[str], columns: list[str], classes: ClassNames, where: str) -> None:
    """Rows and columns of a file must name the same: all classes, where these are known."""
    if classes is None:
        if set(rows) != set(columns):
            alone = next(name for name in (*columns, *rows) if name not in rows or name not in columns)
            raise InputError(
                f"{where}: the rows, true classes, are {', '.join(rows)}, and the columns, answers, "
                f"{', '.join(columns)}; both must name every class, and {alone!r} has no "
                f"{'row' if alone in columns else 'column'}"
            )
        return
    names = [str(name) for name in names_of(classes)]
    for side, given in (("row", rows), ("column", columns)):
        odd = next((name for name in given if name not in names), None)
        if odd is not None:
            raise InputError(
                f"{where}: there is a {side} {odd!r}, which is no class{suggest(odd, names)}; the classes are "
                f"{', '.join(names)}"
            )
        lost = next((name for name in names if name not in given), None)
        if lost is not None:
            raise InputError(f"{where}: there is no {side} of class {lost!r}; the classes are {', '.join(names)}")


def _read_csv(lines: list[str], path: Path, classes: ClassNames) -> CostMatrix:
    full = [line for line in lines if line.strip()]
    if not full:
        raise InputError(f"the file of costs {str(path)!r} is empty")
    delimiter = next((mark for mark in (";", "\t") if mark in full[0]), ",")
    cells = [[cell.strip() for cell in row] for row in csv.reader(full, delimiter=delimiter)]
    if not _is_number(cells[0][0]):
        said = cells[0][1:]
        table = {}
        for row in cells[1:]:
            if len(row) != len(said) + 1:
                raise InputError(f"{path.name}: the row of {row[0]!r} has {len(row) - 1} costs for {len(said)} answers")
            if row[0] in table:
                raise InputError(f"{path.name}: there are two rows of {row[0]!r}")
            table[row[0]] = dict(zip(said, row[1:], strict=True))
        _check_names(said, len(said))
        _check_sides(list(table), said, classes, path.name)
        return _read_mapping(table)
    for i, row in enumerate(cells):
        if len(row) != len(cells):
            raise InputError(f"{path.name}: row {i + 1} has {len(row)} costs, but there are {len(cells)} rows")
    return CostMatrix(np.array([[_number(c, f"{path.name}, row {i + 1}") for c in row] for i, row in enumerate(cells)]))


def _read_weka(lines: list[str], path: Path) -> CostMatrix:
    """Comments begin with %; then the number of rows and columns; then the rows, by true class."""
    rows = [line.split() for line in lines if line.strip() and not line.lstrip().startswith("%")]
    if not rows or len(rows[0]) != 2 or not all(cell.isdigit() for cell in rows[0]) or rows[0][0] != rows[0][1]:
        raise InputError(
            f"{path.name}: a Weka cost file begins with the number of rows and columns, which are equal; "
            f"got {' '.join(rows[0]) if rows else 'nothing'}"
        )
    k = int(rows[0][0])
    cells = rows[1:]
    if len(cells) != k or any(len(row) != k for row in cells):
        raise InputError(f"{path.name}: expected {k} rows of {k} costs, got {[len(row) for row in cells]} per row")
    return CostMatrix(np.array([[_number(c, f"{path.name}, row {i + 1}") for c in row] for i, row in enumerate(cells)]))


def _number(cell: Any, where: str) -> float:
    try:
        return float(cell)
    except (TypeError, ValueError):
        raise InputError(f"{where} is {cell!r}; a cost is a number") from None


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _check_values(values: Array) -> None:
    if values.ndim not in (2, 3) or values.shape[-1] != values.shape[-2] or values.shape[-1] == 0:
        raise InputError(
            f"costs are a square matrix costs[truth][said], or one per row (n, k, k); got shape {values.shape}"
        )
    wrong = ~(np.abs(values) <= LARGEST_COST)
    if wrong.any():
        where = tuple(int(i[0]) for i in np.nonzero(wrong))
        raise InputError(
            f"the cost at {list(where)} is {values[where]}; costs must be finite numbers, of size {LARGEST_COST:g} at "
            "most (for an answer that must never be given, use a large one)"
        )


def _check_names(names: Sequence[Hashable], k: int) -> None:
    if len(names) != k:
        raise InputError(f"the costs are of {k} classes, but {len(names)} are named: {', '.join(map(str, names))}")
    if len(set(names)) != k:
        twice = next(name for name in names if list(names).count(name) > 1)
        raise InputError(f"the costs name class {twice!r} more than once")


def _places(known: tuple[Hashable, ...], wanted: tuple[Hashable, ...]) -> dict[Hashable, int]:
    """Where each wanted class stands among the known ones."""
    exact = {name: i for i, name in enumerate(known)}
    spelled = {str(name): i for i, name in enumerate(known)}
    place = {name: exact.get(name, spelled.get(str(name))) for name in wanted}
    for name, i in place.items():
        if i is None:
            raise InputError(
                f"the costs say nothing of class {name!r}{suggest(name, known)}; "
                f"they are of {', '.join(map(str, known))}"
            )
    used = set(place.values())
    for i, name in enumerate(known):
        if i not in used:
            raise InputError(
                f"the costs name {name!r}, which is no class{suggest(name, wanted)}; "
                f"the classes are {', '.join(map(str, wanted))}"
            )
    return {name: i for name, i in place.items() if i is not None}
