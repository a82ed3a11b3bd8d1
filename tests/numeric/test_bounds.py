"""The bounded search of K-means beside a search of all centres from differences, whatever the centres do."""

import pickle

import numpy as np
import pytest

from likely.models.clustering.passes import Pass
from likely.numeric.kernels.clusters.bounds import Found, Known, Sought, bounded_pass

N, D, K = 5000, 7, 13


def rows(seed: int, apart: float = 3.0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.normal(size=(N, D)) + apart * rng.normal(size=(K, D))[rng.integers(K, size=N)]


def squares(x: np.ndarray, origin: np.ndarray, centres: np.ndarray) -> np.ndarray:
    away = (x.astype(float) - origin)[:, None] - centres
    return np.square(np.where(np.isnan(away), 0.0, away)).sum(axis=2)


def sums(x: np.ndarray, weight: np.ndarray, labels: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    member = np.eye(K)[labels] * (weight if len(weight) else np.ones(len(x)))[:, None]
    seen = ~np.isnan(x)
    return member.T @ np.where(seen, x, 0.0), member.T @ seen, member.sum(axis=0)


def follow(
    x: np.ndarray, weight: np.ndarray, origin: np.ndarray, steps: list[float], anew: frozenset[int] = frozenset()
) -> list[Found]:
    """Passes while centres go where their rows are, and are pushed by `steps`; every one is held to the search."""
    rng = np.random.default_rng(5)
    whole = not np.isnan(x).any()
    centres = np.nan_to_num(x[:K].astype(float) - origin)
    drift, known, room, total, passes = np.zeros(K), None, None, None, []
    for number, step in enumerate(steps):
        found = bounded_pass(x, weight, origin, Sought.of(centres, whole, drift), known, room, number in anew)
        labels, square = found.known.labels, squares(x, origin, centres)
        own, least = square[np.arange(len(x)), labels], square.min(axis=1)
        assert (own <= least * (1 + 1e-11)).all()
        fresh = known is None or number in anew
        parts = found.first, found.observed, found.weight
        total = parts if fresh or total is None else tuple(a + b for a, b in zip(total, parts, strict=True))
        for got, wanted in zip(total, sums(x - origin, weight, labels), strict=True):
            np.testing.assert_allclose(got, wanted, rtol=1e-9, atol=1e-9 * np.abs(wanted).max())
        if fresh:
            assert found.error == pytest.approx((weight if len(weight) else np.ones(len(x))) @ own, rel=1e-9)
        if known is not None:
            assert found.moved == (labels != known.labels).sum()
        room, known = known, found.known
        passes.append(found)
        after = np.where(total[1] > 0, total[0] / np.maximum(total[1], 1e-300), centres)
        after[rng.integers(K)] += step * rng.normal(size=D)
        drift, centres = np.sqrt(np.square(after - centres).sum(axis=1)), after
    return passes


STEPS = [1.0, 0.0, 0.0, 0.3, 0.0, 0.0, 0.01, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 1e-4, 0.0]


@pytest.mark.parametrize("kind", [np.float64, np.float32])
@pytest.mark.parametrize("case", ["plain", "weights", "gaps", "far"])
def test_the_bounded_search_finds_what_a_search_of_all_centres_finds(kind: type, case: str) -> None:
    x, origin, weight = rows(1), np.zeros(D), np.empty(0)
    if case == "weights":
        weight = np.random.default_rng(2).integers(0, 4, N).astype(float)
    if case == "gaps":
        x[np.random.default_rng(3).random(x.shape) < 0.2] = np.nan
    if case == "far":
        origin = np.full(D, 1024.0)
        x += origin
    passes = follow(x.astype(kind), weight, origin, STEPS, frozenset({6, 14}))
    assert passes[-1].known.single
    assert any(len(found.known.movers) for found in passes) or case in ("weights", "gaps")


@pytest.mark.parametrize("count", [2, 3, 64, 300, 900])
def test_any_number_of_centres(count: int) -> None:
    x, still = rows(1), np.zeros(D)
    before = bounded_pass(x, np.empty(0), still, Sought.of(x[:count], True, np.zeros(count)), None).known
    centres = x[:count] + 0.05 * rows(4)[:count]
    drift = np.sqrt(np.square(centres - x[:count]).sum(axis=1))
    found = bounded_pass(x, np.empty(0), still, Sought.of(centres, True, drift), before)
    np.testing.assert_array_equal(before.labels, squares(x, still, x[:count]).argmin(axis=1))
    np.testing.assert_array_equal(found.known.labels, squares(x, still, centres).argmin(axis=1))


def test_rows_that_single_precision_cannot_tell_apart_are_searched_in_double() -> None:
    x = rows(1)
    x[: N // 2] += 1e7  # the half of the groups so far from the rest that a product in single precision drowns all
    passes = follow(x, np.empty(0), np.full(D, 5e6), STEPS)
    assert not any(found.known.single for found in passes)


def test_one_row_beyond_single_precision_spoils_no_other() -> None:
    x = rows(1)
    x[17] *= 1e25
    assert follow(x, np.empty(0), np.zeros(D), [0.0, 0.3, 0.0])[0].known.labels[17] in range(K)


@pytest.mark.parametrize("scale", [1e-30, 1e30])
def test_units_do_not_matter_to_what_is_found(scale: float) -> None:
    plain, scaled = (follow(rows(1) * by, np.empty(0), np.zeros(D), [0.0] * 8) for by in (1.0, scale))
    for one, other in zip(plain, scaled, strict=True):
        np.testing.assert_array_equal(one.known.labels, other.known.labels)
    assert scaled[-1].known.single


def test_a_pass_writes_into_the_room_it_is_given_and_nowhere_else() -> None:
    x, still, none = rows(1), np.zeros(K), np.empty(0)
    sought = Sought.of(x[:K], True, still)
    before = bounded_pass(x, none, np.zeros(D), sought, None).known
    kept = [before.labels.copy(), before.bounds.copy(), before.moved.copy()]
    moved = Sought.of(x[:K] + 0.1, True, still + 0.1 * np.sqrt(D))
    room = Known.room(N)
    found = bounded_pass(x, none, np.zeros(D), moved, before, room)
    again = bounded_pass(x, none, np.zeros(D), moved, before)
    assert found.known.labels is room.labels
    np.testing.assert_array_equal(found.known.bounds, again.known.bounds)
    for was, one in zip(kept, (before.labels, before.bounds, before.moved), strict=True):
        np.testing.assert_array_equal(was, one)


def test_room_is_not_sent_along_with_a_pass() -> None:
    known = {0: Known.room(3)}
    sent = pickle.loads(pickle.dumps(Pass(np.zeros((2, 1)), np.zeros(1), True, np.zeros(2), known, known)))
    assert sent.room is None
    assert sent.known is not None
