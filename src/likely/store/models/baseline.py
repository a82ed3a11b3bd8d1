"""The majority baseline in a file: its counts."""

from collections.abc import Callable
from typing import Any

from likely.data.columns.schema import Schema
from likely.data.labels.target import class_array
from likely.models.baseline.majority import MajorityClassifier
from likely.store.models.learned import Learned, check_known, check_names, check_summary, heading, read_class_names
from likely.store.values import Encoder

KIND = MajorityClassifier
_KEPT = {"class_count_", "class_prior_", "schema_"}


def encode(model: MajorityClassifier, node: dict[str, Any], encoder: Encoder, path: str) -> None:
    """Put the counts into the node."""
    check_known(model, _KEPT)
    node["fitted"] = {
        **heading(model, encoder, path),
        "class_count": encoder.encode(model.class_count_, f"{path}.class_count"),
        "class_prior": encoder.encode(model.class_prior_, f"{path}.class_prior"),
    }


def decode(new: Callable[[], MajorityClassifier], learned: Learned) -> MajorityClassifier:
    """The model of a node."""
    model = new()
    names = read_class_names(learned)
    schema = learned("schema", Schema)
    check_names(schema)
    model.class_count_ = learned.amounts("class_count", len(names))
    model.class_prior_ = learned.shares("class_prior", len(names))
    check_summary(learned, model.class_count_)
    model.classes_ = class_array(names)
    model._remember(schema)
    return model
