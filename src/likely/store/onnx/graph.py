"""A graph under construction: named tensors, operators between them, and the columns of a table as its inputs.

Numbers are double precision throughout. A table that named no columns, all of them numbers, is one input `X` (n, d);
otherwise every column is an input (n, 1) of its own name: numbers, truth values or texts, as the model learned them.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from likely.data.columns.schema import Schema, text_or_number
from likely.distributions.capabilities.operators import IMPOSSIBLE
from likely.errors import InputError, LikelyError
from likely.numeric.arrays import Array, Floats

OPSET, ML_OPSET, IR = 17, 3, 8  # what runtimes from 2022 on know


def onnx() -> Any:
    """The package that builds graphs."""
    try:
        import onnx
    except ImportError:
        raise LikelyError("ONNX graphs need the package onnx: pip install 'likely[onnx]'") from None
    return onnx


class Graph:
    """Operators on columns; what they give is called by a name.

    graph.numbers(columns)            (n, d) of doubles, by the places of the columns
    graph.texts(column)               (n,) of texts
    graph.constant(array)             the name of a constant
    graph.add("MatMul", a, b)         the name of what an operator gives; attributes by keyword
    """

    def __init__(self, schema: Schema) -> None:
        self._onnx, self._schema = onnx(), schema
        self.nodes: list[Any] = []
        self.initializers: list[Any] = []
        self.inputs: dict[str, Any] = {}
        self._made: dict[Any, str] = {}
        numbers = all(text_or_number(column.dtype) != "text" for column in schema.columns)
        self._whole = not schema.named and numbers

    def add(self, operator: str, /, *given: str, domain: str = "", **attributes: Any) -> str:
        """An operator's result."""
        name = self._name(operator.lower())
        self.nodes.append(self._onnx.helper.make_node(operator, list(given), [name], domain=domain, **attributes))
        return name

    def constant(self, value: ArrayLike) -> str:
        """An array of doubles, whole numbers or texts; minus infinity becomes `IMPOSSIBLE`."""
        array = np.asarray(value)
        if array.dtype.kind == "f":
            array = np.maximum(array.astype(np.float64), IMPOSSIBLE)
        name = self._name("constant")
        array = np.asarray(array, order="C")  # keeps arrays of no dimensions
        self.initializers.append(self._onnx.numpy_helper.from_array(array, name))
        return name

    def tensor(self, values: ArrayLike) -> Any:
        """Doubles as the attribute of an operator."""
        return self._onnx.numpy_helper.from_array(np.asarray(values, dtype=np.float64), self._name("tensor"))

    def numbers(self, columns: Sequence[int]) -> str:
        """Columns of numbers side by side (n, d); NaN is a missing cell."""
        key = ("numbers", tuple(columns))
        if key not in self._made:
            self._made[key] = self._numbers(tuple(columns))
        return self._made[key]

    def _numbers(self, columns: tuple[int, ...]) -> str:
        if self._whole:
            width = self._schema.width
            whole = self._input("X", self._onnx.TensorProto.DOUBLE, width)
            if columns == tuple(range(width)):
                return whole
            return self.add("Gather", whole, self.constant(np.array(columns, dtype=np.int64)), axis=1)
        each = [self._number(j) for j in columns]
        return each[0] if len(each) == 1 else self.add("Concat", *each, axis=1)

    def _number(self, j: int) -> str:
        column = self._schema.columns[j]
        if text_or_number(column.dtype) == "text":
            raise InputError(f"column {column.name!r} came as text and was learned as numbers; give numbers to fit")
        if column.dtype == "Boolean":
            given = self._input(column.name, self._onnx.TensorProto.BOOL, 1)
            return self.add("Cast", given, to=self._onnx.TensorProto.DOUBLE)
        return self._input(column.name, self._onnx.TensorProto.DOUBLE, 1)

    def texts(self, column: int) -> str:
        """A column of texts (n,)."""
        given = self._input(self._schema.columns[column].name, self._onnx.TensorProto.STRING, 1)
        return self.add("Reshape", given, self.constant(np.array([-1], dtype=np.int64)))

    def place(self, column: int, levels: Sequence[Any], gap: int, unknown: int) -> str:
        """The place (n,) of each cell among the levels; `gap` where it is missing (NaN, ""), `unknown` elsewhere.

        An empty text that is a level is that level.
        """
        if text_or_number(self._schema.columns[column].dtype) == "text":
            return self._place_of_texts(column, levels, gap, unknown)
        x = self.numbers([column])
        same = self.add("Equal", x, self.constant(np.array([float(level) for level in levels] or [np.nan])[None, :]))
        whole = self.add("Cast", same, to=self._onnx.TensorProto.INT64)
        found = self.sum_of(self.add("Mul", whole, self.constant(np.arange(1, max(len(levels), 1) + 1))), 1)
        row = self.add("Sub", found, self.constant(np.array(1)))
        none = self.add("Less", row, self.constant(np.array(0)))
        row = self.add("Where", none, self.constant(np.array(unknown)), row)
        absent = self.add("IsNaN", self.add("Reshape", x, self.constant(np.array([-1]))))
        return self.add("Where", absent, self.constant(np.array(gap)), row)

    def _place_of_texts(self, column: int, levels: Sequence[Any], gap: int, unknown: int) -> str:
        places = {str(level): place for place, level in enumerate(levels)}
        places.setdefault("", gap)
        return self.add(
            "LabelEncoder",
            self.texts(column),
            domain="ai.onnx.ml",
            keys_strings=list(places),
            values_int64s=list(places.values()),
            default_int64=unknown,
        )

    def gap(self, column: int) -> str:
        """Whether each cell of a column is missing (n, 1)."""
        if text_or_number(self._schema.columns[column].dtype) != "text":
            return self.add("IsNaN", self.numbers([column]))
        place = self._place_of_texts(column, (), 1, 0)
        return self.add("Cast", self.add("Unsqueeze", place, self.constant(np.array([1]))), to=9)  # truth value

    def sum_of(self, tensor: str, axis: int) -> str:
        """Summed along an axis, which is dropped."""
        return self.add("ReduceSum", tensor, self.constant(np.array([axis], dtype=np.int64)), keepdims=0)

    def or_nothing(self, absent: str, tensor: str) -> str:
        """0 where a cell is missing."""
        return self.add("Where", absent, self.constant(np.array(0.0)), tensor)

    def affine(self, x: str, weight: Floats, constant: Floats) -> str:
        """Scores (n, k) = x w' + b, of weights (k, d) and constants (k,)."""
        product = self.add("MatMul", x, self.constant(np.ascontiguousarray(np.asarray(weight, dtype=np.float64).T)))
        return self.add("Add", product, self.constant(np.asarray(constant, dtype=np.float64)))

    def finished(self, scores: str, classes: Array, name: str) -> Any:
        """The model: label and probabilities from scores (n, k) whose softmax is the posterior."""
        helper, kinds = self._onnx.helper, self._onnx.TensorProto
        self.add_named("Softmax", "probabilities", scores, axis=1)
        best = self.add("ArgMax", scores, axis=1, keepdims=0)
        kind = {"b": kinds.BOOL, "i": kinds.INT64, "u": kinds.INT64}.get(classes.dtype.kind, kinds.STRING)
        labels = classes.astype(np.int64) if kind == kinds.INT64 else classes
        if kind == kinds.STRING:
            labels = np.array([str(one) for one in classes.tolist()], dtype=object)
        self.add_named("Gather", "label", self.constant(labels), best, axis=0)
        outputs = [
            helper.make_tensor_value_info("label", kind, [None]),
            helper.make_tensor_value_info("probabilities", kinds.DOUBLE, [None, len(classes)]),
        ]
        graph = helper.make_graph(self.nodes, name, list(self.inputs.values()), outputs, self.initializers)
        sets = [helper.make_opsetid("", OPSET), helper.make_opsetid("ai.onnx.ml", ML_OPSET)]
        model = helper.make_model(graph, opset_imports=sets, ir_version=IR, producer_name="likely")
        self._onnx.checker.check_model(model, full_check=True)
        return model

    def add_named(self, operator: str, name: str, *given: str, **attributes: Any) -> None:
        """An operator whose result has this name: an output."""
        self.nodes.append(self._onnx.helper.make_node(operator, list(given), [name], **attributes))

    def _input(self, name: str, kind: int, width: int) -> str:
        if name in ("label", "probabilities"):
            raise InputError(f"the column {name!r} has the name of an output of the graph; rename it before fitting")
        if name not in self.inputs:
            self.inputs[name] = self._onnx.helper.make_tensor_value_info(name, kind, [None, width])
        return name

    def _name(self, what: str) -> str:
        taken = {column.name for column in self._schema.columns}
        name = f"{what}_{len(self.nodes) + len(self.initializers)}"
        while name in taken:
            name += "_"
        return name
