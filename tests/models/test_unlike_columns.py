"""Models of tables whose columns differ cannot be merged, and the refusal names every column that differs."""

import polars as pl
import pytest

from likely import LeastSquaresClassifier, NaiveBayes, NearestNeighbors
from likely.errors import InputError

TABLE = pl.DataFrame({"age": [1, 2, 3, 4], "dose": [0, 3, 0, 5], "zip": [7, 8, 7, 9]})
Y = ["a", "b", "a", "b"]
MODELS = pytest.mark.parametrize("kind", [NaiveBayes, LeastSquaresClassifier, NearestNeighbors])


@MODELS
def test_all_columns_of_other_kinds_are_named_and_what_to_do_about_them(kind):
    one = kind(kinds={"age": "numeric", "dose": "numeric", "zip": "numeric"}).fit(TABLE, Y)
    other = kind(kinds={"age": "numeric", "dose": "nominal", "zip": "nominal"}).fit(TABLE, Y)
    with pytest.raises(InputError) as refused:
        one.merge(other)
    said = str(refused.value)
    assert "column 'dose' is numeric in the first and nominal in the second; column 'zip' is numeric" in said
    assert "--kind dose=nominal --kind zip=nominal" in said and "{'dose': 'nominal', 'zip': 'nominal'}" in said
    assert "'age'" not in said


@MODELS
def test_all_columns_that_one_lacks_are_named(kind):
    one, other = kind().fit(TABLE.select("age", "dose"), Y), kind().fit(TABLE.select("zip"), Y)
    with pytest.raises(InputError, match="the second has no columns 'age', 'dose'; the first has no column 'zip'"):
        one.merge(other)


@MODELS
def test_columns_in_another_order_are_told(kind):
    one, other = kind().fit(TABLE, Y), kind().fit(TABLE.select("zip", "age", "dose"), Y)
    with pytest.raises(InputError, match="their columns are in another order"):
        one.merge(other)


def test_of_very_many_columns_twenty_are_named():
    wide = pl.DataFrame({f"x{j}": [1, 2, 3, 4] for j in range(25)})
    one, other = (NaiveBayes(kinds=kind).fit(wide, Y) for kind in ("numeric", "nominal"))
    with pytest.raises(InputError, match=r"column 'x19' is .*; and 5 more columns\. Fit both") as refused:
        one.merge(other)
    assert "'x20'" not in str(refused.value)
