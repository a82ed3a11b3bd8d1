"""The members of a pool: what a user may give, their names, and what each says of rows that it has not seen."""

import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from likely.data.labels.target import read_target
from likely.errors import InputError, InputTypeError, TierError
from likely.models.any_classifier.asking import Training, check_probabilities
from likely.models.generative import DependenceBayes
from likely.models.held_out.cv import is_number, read_folds
from likely.models.held_out.exact_or_refit import HeldOut
from likely.models.held_out.folds import make_folds, stratified_folds
from likely.models.neighbors import NearestNeighbors
from likely.models.roster import TableFacts, candidates
from likely.models.traits.protocols import Learner
from likely.numeric.arrays import Floats, Ints
from likely.numeric.random_state import Seed

UPDATABLE = "updatable"  # the candidates that merge, learn on and forget exactly
HOW_TO_UPDATE = (
    "fit again on all the data. For a pool of members that learn by sums, which can, "
    "say estimators='updatable' (--model pool-updatable)"
)
_BY_SUMS = ("merge", "partial_fit", "forget")


def named_members(given: Any, data: Training) -> dict[str, Learner]:
    """Classifiers by name: from a list of them, of pairs, a mapping, or a word for candidates of a study."""
    if isinstance(given, str):
        if given not in ("auto", UPDATABLE):
            raise InputError(
                f"unknown estimators={given!r}; give classifiers, pairs of name and classifier, 'auto' or 'updatable'"
            )
        return _candidates(data, updatable=given == UPDATABLE)
    pairs = list(given.items()) if hasattr(given, "items") else list(given)
    if not pairs:
        raise InputError("a pool needs at least one member")
    named: dict[str, Learner] = {}
    for one in pairs:
        name, model = one if isinstance(one, tuple) else (_plain_name(one, named), one)
        if isinstance(model, type) or not hasattr(model, "fit"):
            raise InputTypeError(f"member {name!r} of the pool is no classifier with fit: {model!r}")
        if not isinstance(name, str) or name in named:
            raise InputError(f"every member of a pool needs a name of its own; {name!r} will not do")
        named[name] = model
    return named


def given_names(given: Any) -> dict[str, Any]:
    """The members that the user named: of a mapping or of pairs; no others are parameters of the pool."""
    pairs = list(given.items()) if hasattr(given, "items") else given if isinstance(given, list | tuple) else []
    return dict(one for one in pairs if isinstance(one, tuple) and len(one) == 2 and isinstance(one[0], str))


def exchanged(given: Any, name: str, model: Any) -> Any:
    """The same members in the same form, another model in the place of the one of this name."""
    if hasattr(given, "items"):
        return {**given, name: model}
    return [(name, model) if isinstance(one, tuple) and one[0] == name else one for one in given]


def take_what_all_take(tags: Any, given: Any) -> None:
    """Say in scikit-learn's tags of an input what every member takes; the candidates of a study take anything."""
    from sklearn.utils import get_tags

    members: Any = () if isinstance(given, str) else given.values() if hasattr(given, "values") else given
    each = [get_tags(one[1] if isinstance(one, tuple) else one).input_tags for one in members]
    for name in ("categorical", "string", "allow_nan", "sparse"):
        setattr(tags, name, all(getattr(one, name) for one in each))


def held_members(members: dict[str, Any], data: Training) -> dict[str, HeldOut]:
    """Every member with the rows, those that take them alike sharing what was read."""
    held: dict[str, HeldOut] = {}
    table = None
    for name, model in members.items():
        held[name] = HeldOut(model, data, table)
        table = held[name].table if held[name].table is not None else table
    return held


def said_out_of_fold(held: Sequence[HeldOut], folds: Ints) -> Floats:
    """Log posteriors (n, m, k) of every row under each member without the row's fold: exactly, or by refitting."""
    found = []
    for one in held:
        verdict, _ = one.once(folds[None])
        if verdict.log_posterior is None:
            check_probabilities(one.model)
            raise InputTypeError(f"{one.model!r} gives no probabilities to be pooled")
        found.append(np.asarray(verdict.log_posterior[0], dtype=np.float64))
    return np.stack(found, axis=1)


def _plain_name(model: Any, taken: dict[str, Learner]) -> str:
    base = type(model).__name__
    return next(name for i in range(1, len(taken) + 2) if (name := base if i == 1 else f"{base} {i}") not in taken)


def candidates_for(facts: TableFacts, updatable: bool = False) -> dict[str, Learner]:
    """Those of a study of such a table, by name; or of them those that two tables with the same columns share.

    >>> facts = TableFacts({"colour": "nominal", "size": "numeric"}, 200, 2, 80, False)
    >>> list(candidates_for(facts, updatable=True))[::2]
    ['naive Bayes', 'naive Bayes (histograms)']
    """
    if not updatable:
        found = {one.name: one.model for one in candidates(facts)}
    else:  # the kinds of columns alone decide on the members, not how many rows there are: pools of two tables merge
        usual = replace(facts, rows=1_000, smallest_class=100, missing=False)
        numbers = bool(facts.of_kind("numeric", "count"))
        found = {one.name: one.model for one in candidates(usual) if _adds_up(one.model, numbers)}
    if not found:
        raise InputError("no candidate of a study is for such a table: give the members of the pool yourself")
    return found


def _adds_up(model: Any, numbers: bool) -> bool:
    """Whether a candidate is a function of sums that add up over any tables, without the rows themselves.

    Not so: exponents of columns and cuts of numbers, which are of the rows of the first fit; kernels and neighbours.
    """
    rows = isinstance(model, NearestNeighbors) or "kde" in dict(getattr(model, "kinds", {})).values()
    own = getattr(model, "weighting", None) is not None or (numbers and isinstance(model, DependenceBayes))
    return learns_by_sums(model) and hasattr(model, "parted") and not rows and not own


def learns_by_sums(model: object) -> bool:
    """Whether a classifier merges, learns on and forgets exactly."""
    return all(hasattr(model, verb) for verb in _BY_SUMS)


def _candidates(data: Training, updatable: bool) -> dict[str, Learner]:
    from likely.data.columns.schema import schema_of
    from likely.data.inputs import FrameInput, read_input, whole_table

    table = read_input(data.X)
    schema = schema_of(table)
    rows = np.bincount(data.codes, minlength=len(data.classes)).tolist()
    if isinstance(table, FrameInput):
        facts = TableFacts.of(whole_table(table), schema.kinds, rows)
    else:
        facts = TableFacts(dict(schema.kinds), len(data.codes), len(rows), min(rows), bool(_gaps(data.X)))
    return candidates_for(facts, updatable)


def _gaps(X: Any) -> bool:
    values = getattr(X, "data", X) if hasattr(X, "indptr") else X
    array = np.asarray(values)
    return bool(array.dtype.kind == "f" and np.isnan(array).any())


def folds_for(cv: Any, data: Training, random_state: Seed) -> Ints:
    """The fold of each row, groups kept whole where there are any."""
    if not is_number(cv):
        return np.asarray(read_folds(cv, data)[0], dtype=np.int64)
    count = int(cv)
    if data.groups is not None:
        return make_folds(data.codes, count, groups=data.groups, random_state=random_state or 0)
    return stratified_folds(data.codes, min(count, len(data.codes)), random_state)


def check_announced(classes: Any, y: Any, known: tuple[Any, ...] | None) -> None:
    """Refuse announced classes that the pool does not know; of its first rows, those that have none among them."""
    if classes is None:
        return
    announced = read_target(np.asarray(classes)).classes
    named = read_target(y).classes if known is None else known
    strange = [name for name in announced if name not in named]
    if strange and known is not None:
        raise InputError(
            f"`classes` names {strange[0]!r}, and the offsets of the pool are of others: fit again on all the data"
        )
    if strange:
        raise InputError(
            f"class {strange[0]!r} has no row, and the weights of a pool learn from rows of every class: give two rows "
            "or more of all classes at the first call, later any"
        )
    unnamed = [name for name in named if name not in announced]
    if unnamed:
        raise InputError(f"y has the class {unnamed[0]!r}, which `classes` does not name")


def able(model: Any, verb: str) -> Any:
    """What a member does under this name, if it does so by itself."""
    if not hasattr(model, verb):
        doing = {"merge": "be merged", "forget": "forget rows"}.get(verb, "learn more rows")
        raise TierError(f"{type(model).__name__}, a member of the pool, cannot {doing}: {HOW_TO_UPDATE}")
    return getattr(model, verb)


def say_stale() -> None:
    """Warn whoever calls the pool that its weights are of other rows than its members."""
    warnings.warn(
        "the weights of the pool stay as they were learned, from other rows than its members now know; reweigh(X, y) "
        "learns them anew",
        stacklevel=3,
    )
