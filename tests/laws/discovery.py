"""What the laws apply to, found by looking: nothing is listed by hand."""

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from typing import Any

import likely
from likely.distributions.family import Family
from likely.models.learning.unlabelled import MatrixEstimator


def classes_in(package: str) -> Iterator[type[Any]]:
    """Every public class that a module below the package defines."""
    root = importlib.import_module(package)
    for info in pkgutil.walk_packages(root.__path__, f"{package}."):
        module = importlib.import_module(info.name)
        for name, found in inspect.getmembers(module, inspect.isclass):
            if found.__module__ == module.__name__ and not name.startswith("_"):
                yield found


def statistics() -> list[type[Any]]:
    """Whatever adds, subtracts and removes with a check: the subclasses of Additive, and what is made of them.

    Those that only lend methods to others have no fields of their own.
    """
    verbs = ("__add__", "__sub__", "__mul__", "without")
    found = {c for room in ("likely.statistics", "likely.distributions") for c in classes_in(room)}
    return sorted(
        (c for c in found if "__dataclass_fields__" in vars(c) and all(hasattr(c, verb) for verb in verbs)),
        key=lambda c: c.__name__,
    )


def families() -> list[type[Any]]:
    """Whatever is named a family, but for the protocol that says what one is."""
    found = [c for c in classes_in("likely.distributions") if c.__name__.endswith("Family") and c is not Family]
    return sorted(found, key=lambda c: c.__name__)


def estimators() -> list[type[Any]]:
    """The public classifiers that can be fitted by themselves."""
    return [
        c
        for c in _fittable()
        if not _wraps(c) and not _pools(c) and getattr(c, "_estimator_type", None) == "classifier"
    ]


def regressors() -> list[type[Any]]:
    """The public classes that predict amounts."""
    return [c for c in _fittable() if getattr(c, "_estimator_type", None) == "regressor"]


def unlabelled() -> list[type[Any]]:
    """The public classes that learn from a table without labels."""
    return [c for c in _fittable() if issubclass(c, MatrixEstimator)]


def tables_only() -> list[type[Any]]:
    """Those of them that take tables of numbers."""
    return [c for c in estimators() if c().__sklearn_tags__().input_tags.two_d_array]


def wrappers() -> list[type[Any]]:
    """The public classes that are fitted around another classifier."""
    return [c for c in _fittable() if _wraps(c)]


def _fittable() -> list[type[Any]]:
    public = [getattr(likely, name) for name in likely.__all__]
    return [c for c in public if inspect.isclass(c) and hasattr(c, "fit")]


def _pools(kind: type[Any]) -> bool:
    """Whether it is fitted around several classifiers: tests/decisions/test_pool.py has its laws."""
    return "estimators" in inspect.signature(kind).parameters


def _wraps(kind: type[Any]) -> bool:
    return "estimator" in inspect.signature(kind).parameters


def _classifies(kind: type[Any]) -> bool:
    return getattr(kind, "_estimator_type", None) == "classifier"
