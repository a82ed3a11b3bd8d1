"""The laws of classifiers that learn in one pass: rows come in any parts and any order, and go again.

A model is a function of sums, so merging is training on the union, forgetting is never having seen, and
cross-validation needs no refit.
"""

from collections.abc import Callable

import numpy as np

from likely.testing.specimens.specimen import CLASSES, Specimen, same_bits, same_model
from likely.testing.specimens.tables import joined, parts_of, taken
from likely.testing.verdict import must, refused


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
    must(np.array_equal(a.predict_proba(X), before), "merging changed an operand")
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
    asked = [verb for verb in ("predict_proba", "log_likelihood") if hasattr(model, verb)]
    before = [getattr(model, verb)(X) for verb in asked]
    birch = np.flatnonzero(y == "birch")
    attempts = {
        "forgetting more rows than were learned": (joined(X, X), np.concatenate([y, y]), None),
        "forgetting a class that was never learned": (X, np.where(y == "ash", "oak", y), None),
        "forgetting rows under another class": (X, np.where(y == "ash", "birch", y), None),
        "forgetting a weight that rows did not have": (taken(X, birch), y[birch], np.full(len(birch), 1.5)),
        "forgetting everything": (X, y, None),
    }
    for what, (table, labels, weight) in attempts.items():
        with refused(what):
            model.forget(table, labels, sample_weight=weight)
        must(model.classes_.tolist() == list(CLASSES), f"{what} changed the classes")
        same = [np.array_equal(getattr(model, verb)(X), was) for verb, was in zip(asked, before, strict=True)]
        must(all(same), f"{what} changed the model")


def cross_validation_is_the_naive_loop(specimen: Specimen, rng: np.random.Generator) -> None:
    X, y = specimen.data(rng)
    folds = rng.integers(0, 4, size=len(y))
    found = specimen.make().out_of_fold(X, y, folds)
    for fold in range(4):
        inside, outside = np.flatnonzero(folds == fold), np.flatnonzero(folds != fold)
        expected = specimen.fitted(taken(X, outside), y[outside]).predict_log_proba(taken(X, inside))
        apart = np.max(np.abs(np.exp(found[inside]) - np.exp(expected)))
        must(apart <= 1e-9, f"posteriors out of fold {fold} differ from a refit by {apart}")


Law = Callable[[Specimen, np.random.Generator], None]
LAWS: tuple[Law, ...] = (
    merging_parts_is_training_on_the_union,
    batches_in_any_order_give_the_same_model,
    forgotten_is_never_seen,
    nothing_is_left_of_thousands_of_forgotten_rows,
    what_was_never_learned_cannot_be_forgotten,
    cross_validation_is_the_naive_loop,
)
