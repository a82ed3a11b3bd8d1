"""One story per row: what a classifier's evidence says is what its `predict` and `predict_proba` say."""

from typing import Any

import numpy as np

from likely.models.any_classifier.outcome import difference
from likely.models.traits.words import word_evidence
from likely.numeric.logspace import log_odds
from likely.testing.verdict import must

_ROUNDING = 1e-9  # of the log odds


def check_explanation(model: Any, X: Any, prior: Any = None) -> None:
    """Hold a fitted classifier, whatever is wrapped around it, to telling one story of each row.

    Its evidence speaks for the class that `predict` says (of a row that is not answered, for some class), and the bits
    of the prior and of the features sum to the log odds of the probability that `predict_proba` gives that class; so do
    those of the words of every column of texts. Of two classes, and against a class that is named, likewise.

    Parameters
    ----------
    model : fitted classifier with `evidence`
        The library's own, or one around it such as `likely.Calibrated` and `likely.Decider`.
    X : table (n, d)
        Rows to explain.
    prior : optional
        Of the classes where the rows come from, handed to `predict_proba` and `evidence`.

    Raises
    ------
    LawBroken
        An `AssertionError` that says what differed.

    >>> from likely import Calibrated, NaiveBayes
    >>> from likely.testing import check_explanation
    >>> X, y = np.random.default_rng(0).normal(size=(60, 3)), np.arange(60) % 2
    >>> check_explanation(Calibrated(NaiveBayes()).fit(X, y), X)
    """
    given = {} if prior is None else {"prior": prior}
    log_p = model.predict_log_proba(X, **given)
    _hold(model.evidence(X, **given), model, X, log_p, given, None)
    for told in word_evidence(model, X, **given).values():
        _hold(told, model, X, log_p, given, None)
    for place, name in enumerate(model.classes_.tolist()):
        one = model.evidence(X, against=name, **given)
        must((one.classes != name).all(), f"evidence against {name!r} speaks for it")
        _hold(one, model, X, log_p, given, place)


def _hold(told: Any, model: Any, X: Any, log_p: Any, given: dict[str, Any], against: int | None) -> None:
    rows, place = np.arange(len(log_p)), np.searchsorted(model.classes_, told.classes)
    if against is None:
        said = model.decide(X, **given).answers() if hasattr(model, "decide") else model.predict(X, **given)
        answered = np.array([each is not None for each in said.tolist()])
        must((told.classes == said)[answered].all(), "evidence is not for the class that is said")
    odds = log_odds(log_p, place) if against is None else difference(log_p[rows, place], log_p[:, against])
    bits, found = odds / np.log(2), told.prior + told.bits.sum(axis=1)
    finite = np.isfinite(bits)
    must(np.array_equal(found[~finite], bits[~finite]), "evidence of a certain answer is not endless")
    apart = np.abs(found[finite] - bits[finite]) / (1 + np.abs(bits[finite]))
    must((apart <= _ROUNDING).all(), f"evidence does not add up to the odds of the probability: {apart.max(initial=0)}")
    must(np.array_equal(found, told.log2_odds), "log2_odds is not the sum of the evidence")
