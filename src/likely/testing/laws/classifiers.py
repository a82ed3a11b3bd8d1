"""The laws of classifiers, each written once: order, names and units are no matter, posteriors are probabilities,
and evidence adds up to them. Those of merging and forgetting are in `one_pass`.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl

from likely.engines import Serial, Threads, current, use
from likely.models.any_classifier.outcome import difference
from likely.numeric.logspace import log_odds
from likely.testing.specimens.specimen import Specimen, check_probabilities, same_bits, same_model
from likely.testing.specimens.tables import (
    blanked,
    column_of,
    complete,
    missing,
    rescaled,
    small_batches,
    taken,
    without,
)
from likely.testing.verdict import must, refused


def order_is_irrelevant(specimen: Specimen, rng: np.random.Generator) -> None:
    X, y = specimen.data(rng)
    order = rng.permutation(len(y))
    one, other = specimen.fitted(X, y), specimen.fitted(taken(X, order), y[order])
    same_model(one, other, X)
    if specimen.exact:
        same_bits(one, other, X)
    same = np.array_equal(one.predict_proba(X)[order], one.predict_proba(taken(X, order)))
    must(same, "a row's posterior depends on the rows around it")


def a_weight_is_that_many_rows(specimen: Specimen, rng: np.random.Generator) -> None:
    X, y = specimen.data(rng)
    times = rng.integers(0, 4, size=len(y))
    times[y == "cedar"] = 0  # a class that is not there
    again = np.repeat(np.arange(len(y)), times)
    repeated = specimen.fitted(taken(X, again), y[again])
    same_model(specimen.make().fit(X, y, sample_weight=times), repeated, X)
    if hasattr(repeated, "partial_fit") and hasattr(repeated, "merge"):  # row by row, rates decide
        same_model(specimen.make().partial_fit(X, y, sample_weight=times), repeated, X)
    ones = specimen.make().fit(X, y, sample_weight=np.ones(len(y)))
    same_model(ones, specimen.fitted(X, y), X)


def names_of_classes_are_no_matter(specimen: Specimen, rng: np.random.Generator) -> None:
    X, y = specimen.data(rng)
    model = specimen.fitted(X, y)
    for names in ({"ash": "zelkova", "birch": "maple", "cedar": "larch"}, {"ash": 30, "birch": -1, "cedar": 7}):
        renamed = specimen.fitted(X, np.array([names[name] for name in y]))
        place = [renamed.classes_.tolist().index(names[name]) for name in model.classes_]
        posteriors = model.predict_proba(X)
        apart = np.max(np.abs(renamed.predict_proba(X)[:, place] - posteriors))
        must(apart <= 1e-12, f"posteriors depend on the names of the classes, by {apart}")
        second, first = np.sort(posteriors, axis=1)[:, -2:].T
        clear = first > second + 1e-9  # of equally probable classes the first is predicted, by name
        said = [names[name] for name in model.predict(X)[clear]]
        must(said == renamed.predict(X)[clear].tolist(), "answers depend on the names of the classes")


def posteriors_are_probabilities(specimen: Specimen, rng: np.random.Generator) -> None:
    X, y = specimen.data(rng)
    model = specimen.fitted(X, y)
    nothing = X
    for j in range(X.shape[1] if specimen.gaps else 0):
        nothing = blanked(nothing, j)
    queries = [X, nothing]
    if specimen.real:
        queries += [np.full((2, X.shape[1]), value) for value in (1e300, -1e300, 1e-300)]
        queries += [np.where(rng.random(X.shape) < 0.5, X, 1e300)]
    for table in queries:
        check_probabilities(model, table)
    if specimen.gaps and specimen.silent and hasattr(model, "class_prior_"):
        said = np.allclose(model.predict_proba(nothing), model.class_prior_, rtol=0, atol=1e-12)
        must(said, "a row of which nothing is known does not have the prior")


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
            likeliest = np.all(log_p[everyone, place] >= log_p.max(axis=1) - 1e-9)
            must(likeliest, "evidence is not for the predicted class")
        else:
            must(np.all(place == member), "evidence is for another class than was asked")
        odds = difference(log_p[everyone, place], log_p[:, 0]) if "against" in options else log_odds(log_p, place)
        bits = odds / np.log(2)
        found = evidence.prior + evidence.bits.sum(axis=1)
        same = found == bits  # endless ones too
        with np.errstate(invalid="ignore"):
            same |= np.abs(found - bits) <= 1e-9 * (1 + np.abs(bits))
        must(np.all(same), "evidence does not add up to the odds")
        must(np.array_equal(found, evidence.log2_odds), "log2_odds is not the sum of the evidence")
        if specimen.silent:
            must(np.all(np.abs(evidence.bits[missing(X)]) <= 1e-12), "a missing feature speaks")


def the_prior_can_be_changed_after_fitting(specimen: Specimen, rng: np.random.Generator) -> None:
    X, y = specimen.data(rng)
    model = specimen.fitted(X, y)
    for prior in ([0.7, 0.1, 0.2], {"cedar": 0.5, "ash": 0.25, "birch": 0.25}, "uniform", [0.0, 0.5, 0.5]):
        other = specimen.fitted(X, y, class_prior=prior)
        same = np.allclose(model.predict_proba(X, prior=prior), other.predict_proba(X), rtol=0, atol=1e-12)
        must(same, f"the prior {prior} means something else after fitting")
        same = np.array_equal(model.predict(X, prior=prior), other.predict(X))
        must(same, f"the prior {prior} gives other answers after fitting")
        must(np.allclose(other.class_prior_.sum(), 1), f"the prior {prior} does not sum to 1")


def engines_give_the_same_bits(specimen: Specimen, rng: np.random.Generator) -> None:
    X, y = specimen.data(rng)
    usual = specimen.fitted(X, y)
    models, posteriors = [], []
    with small_batches():
        for engine in (Serial(), Threads(1), Threads(3), current()):
            with use(engine):
                models.append(specimen.fitted(X, y))
                posteriors.append(models[-1].predict_proba(X))
    one, *others = models
    for other, its in zip(others, posteriors[1:], strict=True):
        same_bits(one, other, X)
        must(np.array_equal(posteriors[0], its), "posteriors depend on the engine")
    same_model(one, usual, X)
    same = np.allclose(posteriors[0], usual.predict_proba(X), rtol=0, atol=1e-12)
    must(same, "posteriors depend on the size of the batches")


def the_linear_form_agrees(specimen: Specimen, rng: np.random.Generator) -> None:
    X, y = specimen.data(rng)
    model = specimen.fitted(X, y)
    if not specimen.linear:
        with refused("a linear form of a model that is not linear"):
            model.as_linear()
        return
    form, full = model.as_linear(), complete(X)
    apart = np.max(np.abs(form.predict_proba(full) - model.predict_proba(full)))
    must(apart <= 1e-10, f"the linear form's posteriors differ by {apart}")
    same = form.design(full).shape[1] == form.coef.shape[1] == len(form.names)
    must(same, "the design, the coefficients and their names differ in number")


def parameters_go_round(specimen: Specimen, rng: np.random.Generator) -> None:
    X, y = specimen.data(rng)
    model = specimen.make()
    if "class_alpha" in model.get_params(deep=False):
        model = specimen.make(class_alpha=0.5)
    parameters = model.get_params(deep=False)
    must(type(model)(**parameters).get_params(deep=False) == parameters, "the constructor changes a parameter")
    again = type(model)().set_params(**parameters).get_params(deep=False)
    must(again == parameters, "set_params changes a parameter")
    model.fit(X, y)
    must(model.get_params(deep=False) == parameters, "fitting changed a parameter")
    twin = type(model)(**parameters)
    must(not twin.__sklearn_is_fitted__(), "a new estimator is fitted")
    for verb in ("predict", "predict_proba", "predict_log_proba"):
        with refused(f"{verb} of an estimator that is not fitted"):
            getattr(twin, verb)(X)
    same_bits(twin.fit(X, y), model, X)
    same = eval(repr(model), {}, _names_in_repr(model)).get_params(deep=False) == parameters
    must(same, "the repr makes another estimator")


def samples_are_rows_of_the_table(specimen: Specimen, rng: np.random.Generator) -> None:
    X, y = specimen.data(rng)
    model = specimen.fitted(X, y)
    if not specimen.drawn:
        with refused("drawing from a model that cannot be drawn from"):
            model.sample(50)
        return
    table, labels = model.sample(50, random_state=3)
    alike = type(table) is type(X) and table.shape == (50, X.shape[1]) and set(labels) <= set(y)
    must(alike, "what is drawn is no table like the one that was learned")
    if isinstance(X, pl.DataFrame):
        must(table.schema == X.schema, "what is drawn has other columns than the table that was learned")
    check_probabilities(model, table)
    model.merge(specimen.fitted(X, y)).partial_fit(table, labels)
    again, _ = model.sample(50, random_state=3)
    same = again.equals(table) if isinstance(X, pl.DataFrame) else np.array_equal(again, table, equal_nan=True)
    must(same, "the same seed draws other rows")


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
            apart = np.max(np.abs(specimen.fitted(scaled, y).predict_proba(scaled) - expected))
            must(apart <= 1e-9, f"in units of {unit} posteriors differ by {apart}")


def a_missing_cell_is_the_model_without_it(specimen: Specimen, rng: np.random.Generator) -> None:
    X, y = specimen.data(rng)
    model = specimen.fitted(X, y)
    for j in range(X.shape[1]):
        less = without(X, j)
        kinds = getattr(model, "kinds", None)
        if isinstance(kinds, dict):
            kinds = {name: kind for name, kind in kinds.items() if name in less.columns}
        fewer = specimen.fitted(less, y, **({} if kinds is None else {"kinds": kinds}))
        apart = np.max(np.abs(model.predict_proba(blanked(X, j)) - fewer.predict_proba(less)))
        must(apart <= 1e-10, f"without column {j} posteriors differ by {apart}")


def ten_thousand_features_are_no_trouble(specimen: Specimen, rng: np.random.Generator) -> None:
    codes = np.arange(24) % 3
    X = np.hstack([specimen.table(rng, codes) for _ in range(10_000 // 4 + 1)])[:, :10_000]
    model = specimen.fitted(X, codes)
    check_probabilities(model, X)
    check_probabilities(model, X[:1] * 0 + 1)


Law = Callable[[Specimen, np.random.Generator], None]
ANY: tuple[Law, ...] = (  # of every classifier that gives probabilities and does not depend on the order of rows
    order_is_irrelevant,
    a_weight_is_that_many_rows,
    names_of_classes_are_no_matter,
    posteriors_are_probabilities,
    parameters_go_round,
    engines_give_the_same_bits,
)
GENERATIVE: tuple[Law, ...] = (
    the_prior_can_be_changed_after_fitting,
    the_linear_form_agrees,
    samples_are_rows_of_the_table,
)


def _names_in_repr(model: Any) -> dict[str, Any]:
    """What the repr of the model may refer to."""
    values = [model, *model.get_params(deep=False).values()]
    values += [inner for value in values if isinstance(value, dict) for inner in value.values()]
    return {type(value).__name__: type(value) for value in values}
