"""Files as R writes them: a column without a name numbers the rows, and a gap is NA."""

import warnings

import pytest

from likely import scan
from likely.errors import InputError


@pytest.fixture
def path(tmp_path):
    rows = "\n".join(f"{i},{'NA' if i == 3 else i * 0.5},{'ab'[i % 2]}" for i in range(1, 30))
    (tmp_path / "r.csv").write_text(f",dose,y\n{rows}\n")
    return tmp_path / "r.csv"


def test_row_numbers_and_named_gaps_are_warned_of(path):
    with pytest.warns(UserWarning) as told:
        scan(path, target="y")
    said = sorted(str(one.message) for one in told)
    assert len(said) == 2 and 'drop=""' in said[0] and "missing='NA'" in said[1] and "'dose'" in said[1]


def test_columns_are_dropped(path):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        source = scan(path, target="y", drop="", missing="NA")
    assert source.columns == ["dose", "y"] and source.head(3)["dose"].to_list() == [0.5, 1.0, None]
    assert scan(path, drop=["", "y"], missing="NA").columns == ["dose"]
    for wrong, says in (("dosis", "drop: there is no column 'dosis'"), ("y", "is the target")):
        with pytest.raises(InputError, match=says):
            scan(path, target="y", drop=wrong, missing="NA")
