"""The laws of classifiers that learn by summing, each written once.

Rows may come in any order, in any parts, and go again; names and units are no matter; posteriors are probabilities, and
the evidence adds up to them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
import pytest
from sklearn.base import clone
from statistic_laws import leaves

from likely.data import inputs
from likely.engines import Serial, Threads, current, use
from likely.errors import LikelyError
from likely.numeric.logspace import log_odds

Table = Any  # a matrix of numbers, or a Polars frame


@dataclass(frozen=True)
class Specimen:
    """How to make an estimator, and data that it can learn."""

    name: str
    make: Callable[..., Any]  # parameters to a fresh estimator
    table: Callable[[np.random.Generator, Any], Table]  # of classes: codes (n,) to rows
    exact: bool = False  # its sums are whole numbers
    naive: bool = False  # features are independent, and a missing one is left out
    silent: bool = True  # a missing cell says nothing
    linear: bool = False  # has an equivalent softmax model
    scale_free: bool = False  # the units of numeric columns are no matter
    real: bool = False  # all columns are numeric, of any size
    wide: bool = False  # takes 10,000 columns
    drawn: bool = True  # rows can be drawn from it

    def data(self, rng: np.random.Generator, count: int = 60) -> tuple[Table, Any]:
        """Rows of three classes, the second twice as frequent as the others."""
        codes = rng.permutation(np.arange(count) % 4 % 3)
        return self.table(rng, codes), np.array(["ash", "birch", "cedar"])[codes]

    def fitted(self, X: Table, y: Any, **parameters: Any) -> Any:
        return self.make(**parameters).fit(X, y)

    def begun(self, X: Table, y: Any) -> Any:
        """Fitted on a part of the rows, which may know only one class."""
        return self.make().partial_fit(X, y)


def taken(X: Table, index: Any) -> Table:
    return X[np.asarray(index).tolist()] if isinstance(X, pl.DataFrame) else X[index]


def joined(*tables: Table) -> Table:
    return pl.concat(tables) if isinstance(tables[0], pl.DataFrame) else np.concatenate(tables)


def blanked(X: Table, column: int) -> Table:
    """The column missing."""
    if isinstance(X, pl.DataFrame):
        name = X.columns[column]
        return X.with_columns(pl.lit(None, dtype=X[name].dtype).alias(name))
    out = X.astype(np.float64)
    out[:, column] = np.nan
    return out


def without(X: Table, column: int) -> Table:
    return X.drop(X.columns[column]) if isinstance(X, pl.DataFrame) else np.delete(X, column, axis=1)


def missing(X: Table) -> Any:
    """Which cells are missing (n, d)."""
    if isinstance(X, pl.DataFrame):
        return np.stack([column.is_null().to_numpy() for column in X], axis=1)
    return np.isnan(X.astype(np.float64))


def complete(X: Table) -> Table:
    return taken(X, np.flatnonzero(~missing(X).any(axis=1)))


def same_model(a: Any, b: Any, X: Table, tolerance: float = 1e-9) -> None:
    assert a.classes_.tolist() == b.classes_.tolist()
    assert np.allclose(a.class_count_, b.class_count_, rtol=1e-12, atol=0)
    assert np.max(np.abs(a.predict_proba(X) - b.predict_proba(X))) <= tolerance
    mine, its = a.log_likelihood(X), b.log_likelihood(X)
    finite = np.isfinite(its)
    assert np.array_equal(np.isfinite(mine), finite)
    assert np.all(np.abs(mine[finite] - its[finite]) <= tolerance * (1 + np.abs(its[finite])))


def same_bits(a: Any, b: Any, X: Table) -> None:
    assert a.classes_.tolist() == b.classes_.tolist()
    assert np.array_equal(a.predict_proba(X), b.predict_proba(X))
    assert np.array_equal(a.log_likelihood(X), b.log_likelihood(X))
    for (path, _, x), (_, _, y) in zip(leaves(a.statistic_), leaves(b.statistic_), strict=True):
        assert np.array_equal(x, y), path


def parts_of(rng: np.random.Generator, y: Any, count: int = 3) -> list[Any]:
    """A partition of the rows; the first part knows only one class, the last lacks one."""
    part = rng.integers(0, count, size=len(y))
    part[(part == 0) & (y != "birch")] = 1
    part[(part == count - 1) & (y == "ash")] = 1
    part[:count] = np.where(y[:count] == "birch", np.arange(count), 1)
    return [index for index in (np.flatnonzero(part == i) for i in range(count)) if len(index)]


def merging_parts_is_training_on_the_union(specimen: Specimen, rng: np.random.Generator) -> None:
    X, y = specimen.data(rng)
    whole = specimen.fitted(X, y)
    models = [specimen.begun(taken(X, i), y[i]) for i in parts_of(rng, y)]
    a, b, *rest = models
    before = a.predict_proba(X)
    left, right = a.merge(b), b + a
    for model in rest:
        left, right = left.merge(model), model + right
    same_model(left, whole, X)
    same_model(right, whole, X)
    assert np.array_equal(a.predict_proba(X), before), "merging changed an operand"
    if specimen.exact:
        same_bits(left, whole, X)


def batches_in_any_order_give_the_same_model(specimen: Specimen, rng: np.random.Generator) -> None:
    X, y = specimen.data(rng)
    batches = parts_of(rng, y, 4)
    models = []
    for order in (range(len(batches)), rng.permutation(len(batches))):
        model = specimen.make()
        for i in order:
            model.partial_fit(taken(X, batches[i]), y[batches[i]])
        models.append(model)
    one, other = models
    same_model(one, other, X)
    same_model(one, specimen.fitted(X, y), X)
    if specimen.exact:
        same_bits(one, other, X)


def forgotten_is_never_seen(specimen: Specimen, rng: np.random.Generator) -> None:
    X, y = specimen.data(rng)
    gone = rng.random(len(y)) < 0.3
    alone = np.flatnonzero(y == "cedar")
    variants = {
        "some rows": gone,
        "a class": y == "ash",
        "all rows of a class but one": np.isin(np.arange(len(y)), alone[1:]),
    }
    for what, removed in variants.items():
        model = specimen.fitted(X, y).forget(taken(X, np.flatnonzero(removed)), y[removed])
        kept = np.flatnonzero(~removed)
        never = specimen.fitted(taken(X, kept), y[kept])
        try:
            same_model(model, never, X)
        except AssertionError as error:
            raise AssertionError(f"forgetting {what}: {error}") from error
    weighted = specimen.make().fit(X, y, sample_weight=np.where(gone, 2.5, 1.0))
    weighted.forget(X, y, sample_weight=np.where(gone, 2.5, 0.0))
    same_model(weighted, specimen.fitted(taken(X, np.flatnonzero(~gone)), y[~gone]), X)


def nothing_is_left_of_thousands_of_forgotten_rows(specimen: Specimen, rng: np.random.Generator) -> None:
    """Of one class a single row remains: what rounding leaves of the others must not be taken for its spread."""
    X, y = specimen.data(rng, 2_000 if specimen.exact else 20_000)  # whole numbers leave nothing behind anyhow
    removed = y == "cedar"
    removed[np.flatnonzero(removed)[0]] = False
    gone, kept = np.flatnonzero(removed), np.flatnonzero(~removed)
    model = specimen.fitted(X, y).forget(taken(X, gone), y[gone])
    same_model(model, specimen.fitted(taken(X, kept), y[kept]), taken(X, range(200)), 1e-8)


def what_was_never_learned_cannot_be_forgotten(specimen: Specimen, rng: np.random.Generator) -> None:
    X, y = specimen.data(rng)
    model = specimen.fitted(X, y)
    before, likelihood = model.predict_proba(X), model.log_likelihood(X)
    birch = np.flatnonzero(y == "birch")
    attempts = [
        (joined(X, X), np.concatenate([y, y]), None),  # more rows than were learned
        (X, np.where(y == "ash", "oak", y), None),  # a class that was never learned
        (X, np.where(y == "ash", "birch", y), None),  # rows under another class
        (taken(X, birch), y[birch], np.full(len(birch), 1.5)),  # a weight that they did not have
        (X, y, None),  # everything: nothing would be left
    ]
    for table, labels, weight in attempts:
        with pytest.raises(LikelyError):
            model.forget(table, labels, sample_weight=weight)
        assert model.classes_.tolist() == ["ash", "birch", "cedar"]
        assert np.array_equal(model.predict_proba(X), before)
        assert np.array_equal(model.log_likelihood(X), likelihood)


def order_is_irrelevant(specimen: Specimen, rng: np.random.Generator) -> None:
    X, y = specimen.data(rng)
    order = rng.permutation(len(y))
    one, other = specimen.fitted(X, y), specimen.fitted(taken(X, order), y[order])
    same_model(one, other, X)
    if specimen.exact:
        same_bits(one, other, X)
    assert np.array_equal(one.predict_proba(X)[order], one.predict_proba(taken(X, order)))


def a_weight_is_that_many_rows(specimen: Specimen, rng: np.random.Generator) -> None:
    X, y = specimen.data(rng)
    times = rng.integers(0, 4, size=len(y))
    times[y == "cedar"] = 0  # a class that is not there
    again = np.repeat(np.arange(len(y)), times)
    repeated = specimen.fitted(taken(X, again), y[again])
    same_model(specimen.make().fit(X, y, sample_weight=times), repeated, X)
    model = specimen.make().partial_fit(X, y, sample_weight=times)
    same_model(model, repeated, X)
    ones = specimen.make().fit(X, y, sample_weight=np.ones(len(y)))
    same_model(ones, specimen.fitted(X, y), X)


def names_of_classes_are_no_matter(specimen: Specimen, rng: np.random.Generator) -> None:
    X, y = specimen.data(rng)
    model = specimen.fitted(X, y)
    for names in ({"ash": "zelkova", "birch": "maple", "cedar": "larch"}, {"ash": 30, "birch": -1, "cedar": 7}):
        renamed = specimen.fitted(X, np.array([names[name] for name in y]))
        place = [renamed.classes_.tolist().index(names[name]) for name in model.classes_]
        posteriors = model.predict_proba(X)
        assert np.allclose(renamed.predict_proba(X)[:, place], posteriors, rtol=0, atol=1e-12)
        second, first = np.sort(posteriors, axis=1)[:, -2:].T
        clear = first > second + 1e-9  # of equally probable classes the first is predicted, by name
        assert [names[name] for name in model.predict(X)[clear]] == renamed.predict(X)[clear].tolist()


def units_are_no_matter(specimen: Specimen, rng: np.random.Generator) -> None:
    X, y = specimen.data(rng)
    expected = specimen.fitted(X, y).predict_proba(X)
    columns = [j for j in range(X.shape[1]) if not isinstance(X, pl.DataFrame) or X.dtypes[j] == pl.Float64]
    largest = max(abs(float(np.nanmax(np.abs(column_of(X, j))))) for j in columns)
    for unit in (2.0**-30, 1024.0, 1e-150 / largest, 1e150 / largest):
        for chosen in ([columns[0]], columns):
            scaled = X
            for j in chosen:
                scaled = rescaled(scaled, j, unit)
            found = specimen.fitted(scaled, y).predict_proba(scaled)
            assert np.max(np.abs(found - expected)) <= 1e-9, unit


def column_of(X: Table, j: int) -> Any:
    return X[:, j].to_numpy().astype(np.float64) if isinstance(X, pl.DataFrame) else X[:, j]


def rescaled(X: Table, j: int, unit: float) -> Table:
    if isinstance(X, pl.DataFrame):
        return X.with_columns(X[:, j] * unit)
    out = X.copy()
    out[:, j] *= unit
    return out


def posteriors_are_probabilities(specimen: Specimen, rng: np.random.Generator) -> None:
    X, y = specimen.data(rng)
    model = specimen.fitted(X, y)
    nothing = X
    for j in range(X.shape[1]):
        nothing = blanked(nothing, j)
    queries = [X, nothing]
    if specimen.real:
        queries += [np.full((2, X.shape[1]), value) for value in (1e300, -1e300, 1e-300)]
        queries += [np.where(rng.random(X.shape) < 0.5, X, 1e300)]
    for table in queries:
        check_probabilities(model, table)
    if specimen.silent:
        assert np.allclose(model.predict_proba(nothing), model.class_prior_, rtol=0, atol=1e-12)


def check_probabilities(model: Any, X: Table) -> None:
    p, log_p = model.predict_proba(X), model.predict_log_proba(X)
    assert np.isfinite(p).all() and (p >= 0).all()
    assert np.all(np.abs(p.sum(axis=1) - 1) <= 1e-12)
    assert not np.isnan(log_p).any()
    assert np.all(log_p <= 1e-15)
    assert np.allclose(np.exp(log_p), p, rtol=0, atol=1e-12)
    assert np.array_equal(model.predict(X), model.classes_[log_p.argmax(axis=1)])


def ten_thousand_features_are_no_trouble(specimen: Specimen, rng: np.random.Generator) -> None:
    codes = np.arange(24) % 3
    X = np.hstack([specimen.table(rng, codes) for _ in range(10_000 // 4 + 1)])[:, :10_000]
    model = specimen.fitted(X, codes)
    check_probabilities(model, X)
    check_probabilities(model, X[:1] * 0 + 1)


def evidence_adds_up(specimen: Specimen, rng: np.random.Generator) -> None:
    X, y = specimen.data(rng)
    model = specimen.fitted(X, y)
    everyone = np.arange(len(y))
    cases: list[tuple[dict[str, Any], Any]] = [
        ({}, None),
        ({"for_class": "birch"}, 1),
        ({"for_class": "cedar", "against": "ash"}, 2),
        ({"for_class": "ash", "prior": "uniform"}, 0),
    ]
    for options, member in cases:
        evidence = model.evidence(X, **options)
        log_p = model.predict_log_proba(X, prior=options.get("prior"))
        place = np.searchsorted(model.classes_, evidence.classes)
        if member is None:
            assert np.all(log_p[everyone, place] >= log_p.max(axis=1) - 1e-9), "not the predicted class"
        else:
            assert np.all(place == member)
        odds = log_p[everyone, place] - log_p[:, 0] if "against" in options else log_odds(log_p, place)
        bits = odds / np.log(2)
        found = evidence.prior + evidence.bits.sum(axis=1)
        assert np.all(np.abs(found - bits) <= 1e-9 * (1 + np.abs(bits)))
        assert np.array_equal(found, evidence.log2_odds)
        if specimen.silent:
            assert np.all(np.abs(evidence.bits[missing(X)]) <= 1e-12), "a missing feature speaks"


def the_prior_can_be_changed_after_fitting(specimen: Specimen, rng: np.random.Generator) -> None:
    X, y = specimen.data(rng)
    model = specimen.fitted(X, y)
    for prior in ([0.7, 0.1, 0.2], {"cedar": 0.5, "ash": 0.25, "birch": 0.25}, "uniform", [0.0, 0.5, 0.5]):
        other = specimen.fitted(X, y, class_prior=prior)
        assert np.allclose(model.predict_proba(X, prior=prior), other.predict_proba(X), rtol=0, atol=1e-12)
        assert np.array_equal(model.predict(X, prior=prior), other.predict(X))
        assert np.allclose(other.class_prior_.sum(), 1)


def engines_give_the_same_bits(specimen: Specimen, rng: np.random.Generator) -> None:
    X, y = specimen.data(rng)
    usual = specimen.fitted(X, y)
    models = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(inputs, "_BATCH_ROWS", 7)
        patch.setattr(inputs, "_BATCH_CELLS", 16)
        for engine in (Serial(), Threads(1), Threads(3), current()):
            with use(engine):
                models.append(specimen.fitted(X, y))
                models[-1].posteriors = models[-1].predict_proba(X)
    one, *others = models
    for other in others:
        same_bits(one, other, X)
        assert np.array_equal(one.posteriors, other.posteriors)
    same_model(one, usual, X)
    assert np.allclose(one.posteriors, usual.predict_proba(X), rtol=0, atol=1e-12)


def the_linear_form_agrees(specimen: Specimen, rng: np.random.Generator) -> None:
    X, y = specimen.data(rng)
    model = specimen.fitted(X, y)
    if not specimen.linear:
        with pytest.raises(LikelyError):
            model.as_linear()
        return
    form, full = model.as_linear(), complete(X)
    assert np.max(np.abs(form.predict_proba(full) - model.predict_proba(full))) <= 1e-10
    assert form.design(full).shape[1] == form.coef.shape[1] == len(form.names)


def parameters_go_round(specimen: Specimen, rng: np.random.Generator) -> None:
    X, y = specimen.data(rng)
    model = specimen.make(class_alpha=0.5)
    parameters = model.get_params(deep=False)
    assert type(model)(**parameters).get_params(deep=False) == parameters
    assert type(model)().set_params(**parameters).get_params(deep=False) == parameters
    model.fit(X, y)
    assert model.get_params(deep=False) == parameters, "fitting changed a parameter"
    again = clone(model)
    assert not again.__sklearn_is_fitted__()
    same_bits(again.fit(X, y), model, X)
    assert eval(repr(model), {}, names_of(model)).get_params(deep=False) == parameters


def names_of(model: Any) -> dict[str, Any]:
    """What the repr of the model may refer to."""
    values = [model, *model.get_params(deep=False).values()]
    values += [inner for value in values if isinstance(value, dict) for inner in value.values()]
    return {type(value).__name__: type(value) for value in values}


def a_missing_cell_is_the_model_without_it(specimen: Specimen, rng: np.random.Generator) -> None:
    X, y = specimen.data(rng)
    model = specimen.fitted(X, y)
    for j in range(X.shape[1]):
        less = without(X, j)
        kinds = getattr(model, "kinds", None)
        if isinstance(kinds, dict):
            kinds = {name: kind for name, kind in kinds.items() if name in less.columns}
        fewer = specimen.fitted(less, y, **({} if kinds is None else {"kinds": kinds}))
        assert np.allclose(model.predict_proba(blanked(X, j)), fewer.predict_proba(less), rtol=0, atol=1e-10)


def samples_are_rows_of_the_table(specimen: Specimen, rng: np.random.Generator) -> None:
    X, y = specimen.data(rng)
    model = specimen.fitted(X, y)
    if not specimen.drawn:
        with pytest.raises(LikelyError):
            model.sample(50)
        return
    table, labels = model.sample(50, random_state=3)
    assert type(table) is type(X) and table.shape == (50, X.shape[1]) and set(labels) <= set(y)
    if isinstance(X, pl.DataFrame):
        assert table.schema == X.schema
    check_probabilities(model, table)
    model.merge(specimen.fitted(X, y)).partial_fit(table, labels)
    again, _ = model.sample(50, random_state=3)
    assert again.equals(table) if isinstance(X, pl.DataFrame) else np.array_equal(again, table, equal_nan=True)


def cross_validation_is_the_naive_loop(specimen: Specimen, rng: np.random.Generator) -> None:
    X, y = specimen.data(rng)
    folds = rng.integers(0, 4, size=len(y))
    found = specimen.make().out_of_fold(X, y, folds)
    for fold in range(4):
        inside, outside = np.flatnonzero(folds == fold), np.flatnonzero(folds != fold)
        expected = specimen.fitted(taken(X, outside), y[outside]).predict_log_proba(taken(X, inside))
        mine = found[inside]
        assert np.max(np.abs(np.exp(mine) - np.exp(expected))) <= 1e-9


Law = Callable[[Specimen, np.random.Generator], None]
LAWS: tuple[Law, ...] = (
    merging_parts_is_training_on_the_union,
    batches_in_any_order_give_the_same_model,
    forgotten_is_never_seen,
    nothing_is_left_of_thousands_of_forgotten_rows,
    what_was_never_learned_cannot_be_forgotten,
    order_is_irrelevant,
    a_weight_is_that_many_rows,
    names_of_classes_are_no_matter,
    posteriors_are_probabilities,
    evidence_adds_up,
    the_prior_can_be_changed_after_fitting,
    engines_give_the_same_bits,
    the_linear_form_agrees,
    parameters_go_round,
    samples_are_rows_of_the_table,
    cross_validation_is_the_naive_loop,
)
