"""Every model of tables tells the levels that its rows have shown, so that new ones can be told from them."""

import polars as pl
import pytest
from discovery import estimators

from likely import Calibrated, NaiveBayes, Pool, TextBayes
from likely.models.any_classifier.levels import levels_known
from likely.models.baseline.majority import MajorityClassifier

TABLE = pl.DataFrame({"x": [float(i * i % 7) for i in range(24)], "town": ["Ulm", "Bonn", "Rome"] * 8})
Y = ["a", "b", "a", "b", "b", "a"] * 4
READERS = [kind for kind in estimators() if kind is not TextBayes and hasattr(kind(), "kinds")]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", READERS, ids=lambda kind: kind.__name__)
def test_a_model_knows_the_levels_of_its_rows(kind):
    model = kind(kinds={"x": "numeric", "town": "nominal"}).fit(TABLE, Y)
    assert levels_known(model) == {"town": {"Ulm", "Bonn", "Rome"}}


def test_what_is_around_a_model_hides_no_levels():
    assert levels_known(Calibrated(NaiveBayes(), cv=2).fit(TABLE, Y))["town"] == {"Ulm", "Bonn", "Rome"}


def test_a_pool_knows_what_any_of_its_members_knows():
    pool = Pool({"bayes": NaiveBayes(), "majority": MajorityClassifier()}).fit(TABLE, Y)
    assert levels_known(pool)["town"] == {"Ulm", "Bonn", "Rome"}
    assert levels_known(MajorityClassifier().fit(TABLE, Y)) == {}
