"""How a specimen of an estimator is written: a name, a class, a table, options, and what is true of it."""

from typing import Any

from likely.testing.specimens.specimen import Specimen as Estimator

GAUSSIAN: dict[str, Any] = {"scale_free": True, "real": True}
KINDS = {"kinds": {"visits": "count"}}  # a part of the rows may hold nothing but 0 and 1


def estimator(name: str, kind: type[Any], table: Any, options: dict[str, Any] | None = None, **facts: Any) -> Estimator:
    return Estimator(name, lambda **parameters: kind(**{**(options or {}), **parameters}), table, **facts)
