"""The face of a pool: its members and their weights, a line each; the columns, and what members take them for."""

from dataclasses import replace
from typing import Any

from likely.data.columns.schema import Schema
from likely.data.printing.wording import counted, shortened
from likely.models.any_classifier.inside import models_inside
from likely.models.traits.face import Face, Section, columns_in_face

_LONGEST = 80  # characters of a member


def pool_in_face(pool: Any, face: Face) -> Face:
    """The face of a fitted pool, from that of any classifier: members as they are written would fill pages."""
    usual = type(pool)()
    options = [f"{name}={getattr(pool, name)!r}" for name in pool._parameter_names() if name != "estimators"]
    told = [option for option in options if option not in {f"{n}={getattr(usual, n)!r}" for n in vars(usual)}]
    title = f"{type(pool).__name__} of {counted(len(pool.weights_), 'member')}"
    columns = [columns_in_face(schema) for schema in _schemas(pool)]
    return replace(
        face,
        title=f"{title} ({', '.join(told)})" if told else title,
        sections=(*face.sections, *columns, _weights(pool)),
    )


def _weights(pool: Any) -> Section:
    """The weights of the members, heaviest first, and what each of them is."""
    rows = [
        (shortened(name), f"{weight:.3f}" if weight > 0 else "none", _written(pool, name))
        for name, weight in sorted(pool.weights_.items(), key=lambda pair: -pair[1])
    ]
    if pool.stale_:
        rows.append(("(weights)", "", "of other rows than the members: reweigh"))
    if pool.trust_ < 1:
        rows.append(("(trust)", f"{pool.trust_:.2f}", "rows left out do not show that it beats the classes' shares"))
    return Section(("member", "weight", ""), rows)


def _written(pool: Any, name: str) -> str:
    """A member as Python writes it, if it was kept and that says more than its name."""
    text = repr(pool.estimators_[name]) if name in pool.estimators_ else ""
    return "" if text == f"{name}()" else shortened(text, _LONGEST)


def _schemas(pool: Any) -> list[Schema]:
    """The columns with all kinds that members take them for; none where no member knows them."""
    known = [inside.schema_ for inside in models_inside(pool) if hasattr(inside, "schema_")]
    if not known:
        return []
    alike = [schema.kinds for schema in known if schema.names == known[0].names]
    columns = (
        replace(column, kind=" or ".join(dict.fromkeys(kinds[column.name] for kinds in alike)))
        for column in known[0].columns
    )
    return [replace(known[0], columns=tuple(columns))]
