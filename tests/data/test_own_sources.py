"""Sources of a user's own: what their batches may differ in, and what is said where they differ in more."""

import io
from dataclasses import dataclass

import numpy as np
import polars as pl
import pytest
from sklearn.base import clone

from likely import DecisionTree, NaiveBayes, NearestNeighbors
from likely.data.sources.union import stacked
from likely.errors import InputError
from likely.testing import LawBroken, check_source


@dataclass(frozen=True)
class Texts:
    """A source of a user's own: texts of CSV, each read in the types that it happens to show."""

    texts: tuple[str, ...]
    target: str | None = "y"
    columns: tuple[str, ...] = ("x", "y")

    @property
    def n_batches(self):
        return len(self.texts)

    def batch(self, number):
        return pl.read_csv(io.StringIO(self.texts[number]))

    def batches(self):
        return map(self.batch, range(self.n_batches))

    def first_row(self, number):
        return sum(self.batch(i).height for i in range(number))


def delimited(*cells, header="x,y"):
    return header + "\n" + "".join(f"{cell},{'ab'[i % 2]}\n" for i, cell in enumerate(cells))


@pytest.mark.parametrize(
    "model", [NaiveBayes(), NearestNeighbors(1), DecisionTree()], ids=lambda model: type(model).__name__
)
def test_batches_of_a_source_may_show_whole_numbers_decimal_ones_or_none(model):
    texts = delimited(*range(1, 9)), delimited(*(i + 0.5 for i in range(8))), delimited("", "")
    whole = pl.DataFrame(
        {"x": [*range(1, 9), *(i + 0.5 for i in range(8)), None, None], "y": ["a", "b"] * 9}, strict=False
    )
    query = pl.DataFrame({"x": [1.0, 3.5, 6.0]})
    expected = clone(model).fit(whole, "y").predict_proba(query)
    for order in (texts, texts[::-1]):
        check_source(Texts(order))
        assert np.allclose(clone(model).fit(Texts(order)).predict_proba(query), expected)
    assert stacked([pl.DataFrame({"x": [None]}), pl.DataFrame({"x": [None]}, schema={"x": pl.String})]).height == 2


def test_batches_of_a_source_that_do_not_go_together_are_refused_in_words():
    numbers, words = delimited(1.5, 2.5), delimited("high", "low")
    for order in ((numbers, words), (words, numbers)):
        with pytest.raises(InputError, match=r"column 'x' is .* in batch 1 of the source and .* before"):
            NaiveBayes().fit(Texts(order))
        with pytest.raises(LawBroken, match="do not go together: column 'x'"):
            check_source(Texts(order))
    other = delimited(1.5, 2.5, header="z,y")
    with pytest.raises(InputError, match="batch 1 of the source has the columns 'z', 'y', and batch 0 has 'x', 'y'"):
        NaiveBayes().fit(Texts((numbers, other)))
    with pytest.raises(InputError, match="lacks the column 'x'"):  # beyond the rows that settle the kinds
        NaiveBayes().fit(Texts((delimited(*(i / 2 for i in range(10_000))), other)))
