"""What makes a class a scikit-learn estimator: parameters, tags, a score, a readable face.

scikit-learn itself is imported only when it asks for tags. A constructor stores its parameters and does nothing else;
`fit` sets attributes that end in an underscore, inside `with self._anew()`, and keeps the table's columns by
`self._remember(schema)`; everything else asks `self._query(X)` for its rows (`likely.models.columns`).

    >>> from likely.data.columns.schema import schema_of
    >>> from likely.data.labels.target import read_amounts, split_target
    >>> from likely.models import Regressor
    >>> class Mean(Regressor):
    ...     '''Always says the mean of the amounts it learned.'''
    ...
    ...     def __init__(self):
    ...         pass
    ...
    ...     def fit(self, X, y=None):
    ...         with self._anew():
    ...             data, amounts = split_target(self._read(X), y)
    ...             self.mean_ = read_amounts(amounts, data.rows).mean()
    ...             self._remember(schema_of(data))
    ...         return self
    ...
    ...     def predict(self, X):
    ...         return np.full(self._query(X).rows, self.mean_)
    >>> table = {"age": [30, 40, 50], "pay": [2.0, 3.0, 7.0]}
    >>> model = Mean().fit(table, "pay")
    >>> model.predict({"age": [20, 60]}), model.score(table, "pay")
    (array([4., 4.]), 0.0)
    >>> print(model)
    Mean()
      1 feature
      age                  numeric
"""

import inspect
import sys
from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from likely.data.accepted import TableLike, TargetLike
from likely.data.labels.target import class_array, read_amounts, read_target
from likely.data.labels.weights import read_weight
from likely.data.printing.wording import shortened
from likely.errors import InputError
from likely.models.columns import Columns
from likely.models.traits.face import (
    LONGEST_TITLE,
    Face,
    as_html,
    as_text,
    classes_in_face,
    columns_in_face,
    size_in_face,
)
from likely.models.traits.precision import in_the_type_of
from likely.models.traits.routing import Routed
from likely.models.traits.state import of_one_state
from likely.models.traits.tiers import Tiered
from likely.numeric.arrays import Array, Floats, Ints, PerRow


class Estimator(Routed, Tiered, Columns):
    """Parameters by name, tables, and a face; what kind of estimator it is, a subclass says.

    >>> class Shift(Estimator):
    ...     def __init__(self, by: float = 0.0) -> None:
    ...         self.by = by
    >>> Shift(by=2.0).get_params(), Shift(by=2.0)
    ({'by': 2.0}, Shift(by=2.0))
    """

    _estimator_type: str | None = None  # as scikit-learn names it
    _reads_levels = False  # whether columns may hold texts that name levels, unless `kinds` says otherwise

    @classmethod
    def _parameter_names(cls) -> list[str]:
        signature = inspect.signature(cls.__init__)
        return sorted(name for name in signature.parameters if name != "self")

    def _members(self) -> dict[str, Any]:
        """Estimators inside that a user named, each a parameter by its name; those of a pool, say."""
        return {}

    def _exchange(self, name: str, member: object) -> None:
        """Put another estimator in the place of that member."""
        raise NotImplementedError

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Parameters by name."""
        parameters = {name: getattr(self, name) for name in self._parameter_names()}
        if not deep:
            return parameters
        parameters = {**self._members(), **parameters}
        inside: dict[str, Any] = {}
        for name, value in parameters.items():
            if hasattr(value, "get_params") and not isinstance(value, type):
                inside.update({f"{name}__{k}": v for k, v in value.get_params().items()})
        return {**parameters, **inside}

    def set_params(self, **parameters: Any) -> Self:
        """Change parameters by name; those of an estimator inside (`estimator__alpha`) after that estimator itself."""
        known = self._parameter_names()
        for name in [name for name in known if name in parameters]:
            setattr(self, name, parameters.pop(name))
        inside: dict[str, dict[str, Any]] = {}
        for name, value in parameters.items():
            own, nested, inner = name.partition("__")
            if own not in known and own not in self._members():
                names = sorted({*known, *self._members()})
                raise InputError(f"Invalid parameter {own!r} for estimator {self!r}. Valid parameters are: {names!r}.")
            if nested:
                inside.setdefault(own, {})[inner] = value
            else:
                self._exchange(own, value)
        for own, values in inside.items():
            held = getattr(self, own) if own in known else self._members()[own]
            if not hasattr(held, "set_params"):
                raise InputError(f"{own}={held!r} of {type(self).__name__} has no parameters to set: {sorted(values)}")
            held.set_params(**values)
        return self

    @of_one_state
    def summary(self) -> str:
        """What was learned, in a few lines of text."""
        self._check_fitted()
        return as_text(self._face())

    def __repr__(self) -> str:
        signature = inspect.signature(type(self).__init__)
        changed = [
            f"{name}={getattr(self, name)!r}"
            for name, parameter in signature.parameters.items()
            if name != "self" and not _same(getattr(self, name, parameter.default), parameter.default)
        ]
        return f"{type(self).__name__}({', '.join(changed)})"

    @of_one_state
    def __str__(self) -> str:
        return self.summary() if self.__sklearn_is_fitted__() else repr(self)

    @of_one_state
    def _repr_html_(self) -> str:
        fitted = self.__sklearn_is_fitted__()
        return as_html(self._face() if fitted else Face(f"{shortened(repr(self), LONGEST_TITLE)} (not fitted)"))

    def _face(self) -> Face:
        """What a fitted estimator shows of itself; a subclass adds what it knows."""
        columns = (columns_in_face(self.schema_),) if hasattr(self, "schema_") else ()
        return Face(repr(self), size_in_face(self), columns)

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import InputTags, Tags, TargetTags

        kind = getattr(self, "kinds", "auto")
        levels = self._reads_levels and (not isinstance(kind, str) or kind in ("auto", "nominal", "categorical"))
        return Tags(
            estimator_type=self._estimator_type,
            target_tags=TargetTags(required=False),
            input_tags=InputTags(allow_nan=True, sparse=True, categorical=levels, string=levels),
        )


class Classifier(Estimator):
    """An estimator that predicts classes.

    `fit(X, y)` sets `classes_`; `predict` gives one of them for every row. A classifier with probabilities also has
    `predict_proba` and `predict_log_proba`, their columns in the order of `classes_`.

    >>> import likely
    >>> isinstance(likely.NaiveBayes(), Classifier), isinstance(likely.KMeans(2), Classifier)
    (True, False)
    """

    _estimator_type = "classifier"
    classes_: Array  # (k,)

    def predict(self, X: TableLike) -> Array:
        """The class of each row."""
        raise NotImplementedError

    @of_one_state
    def score(self, X: TableLike, y: TargetLike, sample_weight: PerRow = None) -> float:
        """Share of the rows whose class is predicted right (accuracy); y may be the name of a column of X."""
        self._check_fitted()
        right = np.concatenate([self._right(self.predict(rows), y) for rows, y in self._labelled(X, y)])
        return float(np.average(right, weights=read_weight(sample_weight, len(right))))

    def _right(self, predicted: Array, y: TargetLike) -> Array:
        """Which rows are predicted right (n,)."""
        truth = read_target(y, len(predicted))
        if truth.hidden:
            row = int(np.flatnonzero(truth.codes < 0)[0])
            raise InputError(f"row {row} of y has no label; only rows with one can be scored")
        names = class_array(truth.classes)
        if len(names) and isinstance(truth.classes[0], str) != isinstance(self.classes_.tolist()[0], str):
            raise InputError(f"y names classes like {names[0]!r}, the model knows classes like {self.classes_[0]!r}")
        return np.asarray(names[truth.codes] == predicted)

    def _face(self) -> Face:
        face, classes = super()._face(), classes_in_face(self.classes_, getattr(self, "class_count_", None))
        return replace(face, sections=(classes, *face.sections))

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import ClassifierTags

        tags = super().__sklearn_tags__()
        tags.target_tags.required, tags.classifier_tags = True, ClassifierTags()
        return tags


class Regressor(Estimator):
    """An estimator that predicts amounts: `fit(X, y)` reads y by `likely.data.labels.target.read_amounts`.

    >>> from likely import NearestNeighborsRegressor
    >>> model = NearestNeighborsRegressor(n_neighbors=1).fit([[0.0], [4.0]], [1.0, 9.0])
    >>> isinstance(model, Regressor), model.predict([[3.5]])
    (True, array([9.]))
    """

    _estimator_type = "regressor"

    def predict(self, X: TableLike) -> Floats:
        """The amount of each row."""
        raise NotImplementedError

    @of_one_state
    def score(self, X: TableLike, y: TargetLike, sample_weight: PerRow = None) -> float:
        """Coefficient of determination R²: the share of the squares about the mean of y that is predicted.

        1 where every amount is predicted right; 0 for a model that always says the mean of y, and below it for worse
        ones. Where all y are equal it is 1 if they are predicted right and else 0.
        """
        self._check_fitted()
        pairs = [(self.predict(rows), read_amounts(y)) for rows, y in self._labelled(X, y)]
        predicted, truth = (np.concatenate(side) for side in zip(*pairs, strict=True))
        truth = read_amounts(truth, len(predicted))
        weight = read_weight(sample_weight, len(truth))
        weight = np.ones(len(truth)) if weight is None else weight
        left = float(weight @ (truth - predicted) ** 2)
        total = float(weight @ (truth - np.average(truth, weights=weight)) ** 2)
        return 1 - left / total if total > 0 else float(left == 0)

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import RegressorTags

        tags = super().__sklearn_tags__()
        tags.target_tags.required, tags.regressor_tags = True, RegressorTags()
        return tags


class Transformer(Estimator):
    """An estimator that turns tables into tables of numbers; `_transform` gives the new columns.

    The result is an array, or after `set_output` a frame whose columns have the names of `get_feature_names_out`.

    >>> from likely import PCA
    >>> turned = PCA(1).fit([[0.0, 0.0], [1.0, 1.0], [2.0, 2.1]])
    >>> isinstance(turned, Transformer), turned.transform([[1.0, 1.0]]).shape
    (True, (1, 1))
    """

    _estimator_type = "transformer"
    n_features_out_: int

    def fit(self, X: TableLike, y: TargetLike = None) -> Self:
        """Learn from rows X."""
        raise NotImplementedError

    @of_one_state
    def transform(self, X: TableLike) -> Any:
        """The rows in the new columns (n, m)."""
        columns = self._transform(self._query(X))
        columns = in_the_type_of(X, self.schema_.columns, columns)
        form = self._output_form()
        if form == "default":
            return columns
        names = self.get_feature_names_out().tolist()
        if form == "pandas":
            import pandas as pd

            return pd.DataFrame(columns, columns=names, index=_pandas_index(X), copy=False)
        import polars as pl

        return pl.DataFrame(columns, schema=names, orient="row")

    def fit_transform(self, X: TableLike, y: TargetLike = None, **options: Any) -> Any:
        """Learn from rows X, and give them in the new columns."""
        table = self._read(X)  # once: a stream cannot be read again
        found = self.fit(table, y, **options).transform(table)
        if hasattr(found, "iloc"):  # what was read has lost the user's index
            found.index = found.index if (index := _pandas_index(X)) is None else index
        return found

    def set_output(self, *, transform: str | None = None) -> Self:
        """What `transform` gives: "default" (an array), "pandas" or "polars"; None leaves it as it is."""
        if transform not in (None, "default", "pandas", "polars"):
            raise InputError(f"unknown output {transform!r}; choose from default, pandas, polars")
        if transform is not None:
            self._sklearn_output_config = {"transform": transform}  # the name under which a clone takes it over
        return self

    @of_one_state
    def get_feature_names_out(self, input_features: ArrayLike | None = None) -> Array:
        """Names of the new columns: that of the estimator in small letters, and a number."""
        self._check_fitted()
        known = getattr(self, "feature_names_in_", None)
        if input_features is not None:
            given = np.asarray(input_features, dtype=object)
            if known is not None and not np.array_equal(given, known):
                raise InputError("input_features is not equal to feature_names_in_: leave it out")
            if len(given) != self.n_features_in_:
                raise InputError(
                    f"input_features should have length equal to number of features ({self.n_features_in_}), got "
                    f"{len(given)}: leave it out"
                )
        return np.array([f"{type(self).__name__.lower()}{j}" for j in range(self.n_features_out_)], dtype=object)

    def _transform(self, data: Any) -> Floats:
        """The new columns of a table that is in line with the one learned from."""
        raise NotImplementedError

    def _output_form(self) -> str:
        own = getattr(self, "_sklearn_output_config", None)
        if own is not None:
            return str(own["transform"])
        loaded = sys.modules.get("sklearn")  # nobody has set its option where it is not
        return "default" if loaded is None else str(loaded.get_config()["transform_output"])

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import TransformerTags

        tags = super().__sklearn_tags__()
        tags.transformer_tags = TransformerTags(preserves_dtype=["float64", "float32"])
        return tags


class Clusterer(Estimator):
    """An estimator that finds groups of rows: `fit(X)` sets `labels_`, the group of each row, 0, 1, 2, ...

    >>> import likely
    >>> groups = likely.KMeans(2, random_state=0).fit([[0.0], [0.2], [5.0], [5.2]])
    >>> isinstance(groups, Clusterer), len(set(groups.labels_.tolist()))
    (True, 2)
    """

    _estimator_type = "clusterer"
    labels_: Ints  # (n,)

    def fit(self, X: TableLike, y: TargetLike = None) -> Self:
        """Find groups in rows X."""
        raise NotImplementedError

    def fit_predict(self, X: TableLike, y: TargetLike = None, **options: Any) -> Ints:
        """Find groups in rows X, and give that of each row."""
        return self.fit(X, y, **options).labels_


def _pandas_index(X: Any) -> Any:
    """The labels of the rows of a pandas frame; None: X is another table (and the `index` of a list is a method)."""
    return X.index if hasattr(X, "iloc") else None


def _same(a: Any, b: Any) -> bool:
    """Whether a parameter is its default."""
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return np.array_equal(a, b)
    return a is b or (not getattr(a, "shape", ()) and bool(a == b))  # frames and series compare cell by cell
