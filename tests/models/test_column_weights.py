"""Weighted naive Bayes: exponents and subsets of columns, from rows that are left out exactly."""

import numpy as np
import polars as pl
import pytest

from likely import NaiveBayes, cross_validate, load, save
from likely.data.inputs import read_input
from likely.data.labels.target import read_target
from likely.errors import InputError, TierError
from likely.models.generative.summing.column_weights import _terms, _units, best_subset
from likely.models.generative.summing.spread_rows import spread_rows

RNG = np.random.default_rng(11)
N = 80
Y = np.arange(N) % 2
TABLE = pl.DataFrame(
    {
        "number": RNG.normal(size=N) + Y,
        "level": [None if RNG.random() < 0.1 else "abc"[min(int(RNG.integers(0, 2) + y), 2)] for y in Y],
        "flag": RNG.random(N) < 0.3 + 0.4 * Y,
        "often": RNG.poisson(2.0 + 2 * Y),
        "gap": [None if RNG.random() < 0.2 + 0.3 * y else float(RNG.normal()) for y in Y],
    }
)
KINDS = {"number": "gaussian", "level": "nominal", "flag": "binary", "often": "poisson", "gap": "gaussian"}


@pytest.mark.parametrize("missing", ["ignore", "evidence"])
def test_what_a_column_says_of_a_row_is_that_of_a_fit_without_it(missing):
    model = NaiveBayes(KINDS, missing=missing).fit(TABLE, Y)
    units = _units(model.layout_)
    batches = list(spread_rows(model, read_input(TABLE), read_target(Y), None, 10_000))
    found = _terms(model, batches, units)
    order = [TABLE.columns[j] for unit in units for j in unit.columns]
    for i in range(0, N, 9):
        others = np.flatnonzero(np.arange(N) != i)
        fitted = NaiveBayes(KINDS, missing=missing).fit(TABLE[others], Y[others])
        for column, said in zip(order, found[i], strict=True):
            told = fitted.evidence(TABLE[i], for_class=1, against=0)
            bits = told.bits[0, list(told.names).index(column)]
            assert np.isclose((said[1] - said[0]) / np.log(2), bits, atol=1e-9), (column, i)


def test_a_column_that_repeats_another_counts_once_and_noise_not_at_all():
    y = np.arange(600) % 2
    told = RNG.normal(size=600) + y
    X = np.stack([told, told, told, RNG.normal(size=600)], axis=1)
    model = NaiveBayes("gaussian", weighting="exponents").fit(X, y)
    first = np.array(list(model.exponents_.values()))
    assert 0.6 < first[:3].sum() < 1.4
    alone = NaiveBayes("gaussian").fit(X[:, :1], y)
    assert abs(model.predict_proba(X) - alone.predict_proba(X[:, :1])).mean() < 0.05
    chosen = NaiveBayes("gaussian", weighting="subset").fit(X, y).exponents_
    assert sum(list(chosen.values())[:3]) == 1.0


@pytest.mark.parametrize("kind", ["gaussian", "histogram", "kde"])
def test_too_sure_columns_are_mended_out_of_fold(kind):
    y = np.arange(240) % 2
    X = np.repeat(RNG.normal(size=(240, 2)) + y[:, None], 6, axis=1) + 0.1 * RNG.normal(size=(240, 12))
    losses = [
        cross_validate(NaiveBayes(kind, weighting=how), X, y, cv=5, random_state=0).estimate("log_loss").value
        for how in (None, "exponents", "subset")
    ]
    assert losses[1] < losses[0] - 0.1 and losses[2] < losses[0] - 0.1


def test_evidence_intervals_merging_and_files(tmp_path):
    model = NaiveBayes(KINDS, weighting="exponents", missing="evidence").fit(TABLE, Y)
    evidence = model.evidence(TABLE, for_class=1)
    p = model.predict_proba(TABLE)[:, 1]
    assert np.allclose(evidence.prior + evidence.bits.sum(axis=1), np.log2(p / (1 - p)))
    assert np.allclose(np.log(model.predict_proba(TABLE)), model.predict_log_proba(TABLE))
    ends = model.predict_interval(TABLE[:5], n_draws=100)
    assert ((ends[:, 1, 0] <= p[:5]) & (p[:5] <= ends[:, 1, 1])).all()
    assert list(model.exponents_) == TABLE.columns and "exponent" in str(model)
    assert (evidence.bits[:, [j for j, power in enumerate(model.exponents_.values()) if power == 0]] == 0).all()
    save(model, tmp_path / "weighted.likely")
    again = load(tmp_path / "weighted.likely")
    assert np.array_equal(again.predict_proba(TABLE), model.predict_proba(TABLE))
    assert again.exponents_ == model.exponents_
    first, second = (
        NaiveBayes(KINDS, weighting="exponents").fit(TABLE[at], Y[at]) for at in (slice(0, 20), slice(20, N))
    )
    united = first + second
    for name, power in united.exponents_.items():
        assert np.isclose(power, 0.25 * first.exponents_[name] + 0.75 * second.exponents_[name])
    forgotten = united.forget(TABLE[20:], Y[20:])
    assert forgotten.exponents_ == united.exponents_


def test_weights_of_rows_repeat_them():
    twice = np.r_[np.arange(N), np.arange(0, N, 3)]
    weight = 1.0 + (np.arange(N) % 3 == 0)
    repeated = NaiveBayes(KINDS, weighting="exponents").fit(TABLE[twice], Y[twice]).exponents_
    weighted = NaiveBayes(KINDS, weighting="exponents").fit(TABLE, Y, weight).exponents_
    assert np.allclose(list(repeated.values()), list(weighted.values()), atol=1e-4)


def test_a_subset_is_the_best_of_single_changes():
    terms = RNG.normal(size=(200, 5, 3))
    codes = RNG.integers(0, 3, 200)
    terms[np.arange(200), 2, codes] += 1.0
    assert best_subset(terms, np.zeros((200, 3)), codes, np.ones(200))[2]


def test_what_cannot_be_weighed_is_refused():
    with pytest.raises(InputError, match="unknown weighting='all'"):
        NaiveBayes(weighting="all").fit(TABLE, Y)
    with pytest.raises(InputError, match="missing='impute'"):
        NaiveBayes(weighting="subset", missing="impute").fit(TABLE, Y)
    texts = pl.DataFrame({"mail": ["some words", "other words"]})
    with pytest.raises(InputError, match="'mail' holds texts"):
        NaiveBayes({"mail": "text"}, weighting="subset").fit(texts, [0, 1])
    with pytest.raises(TierError, match="cross-validate this model by refitting"):
        NaiveBayes(KINDS, weighting="exponents").out_of_fold(TABLE, Y, np.arange(N) % 5)
    with pytest.raises(TierError):
        NaiveBayes(KINDS, weighting="exponents").fit(TABLE, Y).as_linear()
