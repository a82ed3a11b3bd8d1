"""Counts of words hold what occurs and nothing else, however classes are moved about."""

import numpy as np

from likely.data import Tokenizer
from likely.statistics import Membership
from likely.statistics.counting.terms import TermCounts

TEXTS = ["aa bb aa", "cc", "bb dd dd", "", "aa cc cc"]
LABELS = np.array([0, 1, 3, 1, 0])


def seen(weight=None):
    return TermCounts.of(Tokenizer().tokens(TEXTS), Membership.of_labels(LABELS, 4, weight))


def test_only_words_that_a_class_uses_have_an_entry():
    counts = seen()
    assert counts.words.tolist() == ["aa", "bb", "cc", "dd"]
    assert counts.table("count").tolist() == [[3, 1, 2, 0], [0, 0, 1, 0], [0, 0, 0, 0], [0, 1, 0, 2]]
    assert counts.table("documents").tolist() == [[2, 1, 1, 0], [0, 0, 1, 0], [0, 0, 0, 0], [0, 1, 0, 1]]
    assert len(counts.places) == 6 and counts.ends.tolist() == [3, 4, 4, 6]
    assert counts.by_word("count").tolist() == [3, 2, 3, 2] and counts.by_word("documents", 3).tolist() == [0, 1, 0, 1]
    assert counts.lengths(np.array([True, False, True, True])).tolist() == [5, 1, 0, 2]


def test_classes_are_moved_and_put_together():
    counts = seen()
    assert counts.taken(np.array([3, 0])).table("count").tolist() == [[0, 1, 0, 2], [3, 1, 2, 0]]
    moved = counts.regrouped(np.array([4, 1, 0, 2]), 5).table("count")
    assert moved[[4, 1, 0, 2]].tolist() == counts.table("count").tolist() and not moved[3].any()
    assert counts.merged().table("count").tolist() == [[3, 2, 3, 2]]


def test_shares_count_as_labels_do():
    shares = np.zeros((5, 4))
    shares[np.arange(5), LABELS] = [1.0, 2.0, 0.5, 1.0, 0.25]
    shared = TermCounts.of(Tokenizer().tokens(TEXTS), Membership.of_shares(shares))
    weighed = seen(np.array([1.0, 2.0, 0.5, 1.0, 0.25]))
    assert np.array_equal(shared.table("count"), weighed.table("count"))
    assert np.array_equal(shared.places, weighed.places) and np.array_equal(shared.documents, weighed.documents)
