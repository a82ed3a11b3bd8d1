"""pandas in, pandas out: frames of results come in the library of the rows, with the index where a line is a row."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from likely import Calibrated, Decider, LogisticRegression, NaiveBayes, cross_validate, evaluate
from likely.errors import InputError
from likely.evaluation import split_ratings
from likely.figures import ClassDensitiesDisplay, DecisionRegionsDisplay
from likely.models.clustering import choose_clusters

rng = np.random.default_rng(0)
Y = np.array(["no", "yes"] * 30)
FRAME = pd.DataFrame(rng.normal(size=(60, 2)) + (Y == "yes")[:, None], columns=["a", "b"], index=range(100, 160))


def test_decisions_and_folds_keep_the_index():
    decision = Decider(NaiveBayes(), reject=0.2).fit(FRAME, Y).decide(FRAME)
    told = decision.frame()
    assert told.index.equals(FRAME.index) and told["best"].tolist() == decision.best.tolist()
    assert told["decision"].isna().tolist() == decision.rejected.tolist()
    judged = cross_validate(NaiveBayes(), FRAME, Y, cv=3, repeats=2)
    told = judged.frame()
    assert told.index.tolist() == FRAME.index.tolist() * 2 and told["truth"].tolist() == Y.tolist() * 2
    assert np.allclose(told[["p_no", "p_yes"]].to_numpy(), judged.posterior.reshape(-1, 2))
    assert isinstance(cross_validate(NaiveBayes(), FRAME.to_numpy(), Y, cv=3).frame(), pl.DataFrame)


def test_figures_are_in_the_library_of_the_rows():
    model = NaiveBayes().fit(FRAME, Y)
    assert isinstance(evaluate(model, FRAME, Y).thresholds(), pd.DataFrame)
    assert isinstance(evaluate(model, pl.from_pandas(FRAME), Y).thresholds(), pl.DataFrame)
    ratings = pd.DataFrame({"user": list("aaaabbbb"), "item": [1, 2, 3, 4] * 2, "rating": [5, 3, 4, 1] * 2})
    assert all(isinstance(part, pd.DataFrame) for part in split_ratings(ratings, 0.5))


@pytest.mark.filterwarnings("ignore:the table shows no clusters")
def test_numbers_of_clusters_are_in_the_library_of_the_rows():
    assert isinstance(choose_clusters(FRAME, 2, resamples=2, null=19).frame(), pd.DataFrame)


def test_densities_of_the_model_inside():
    model = Calibrated(NaiveBayes(), cv=2).fit(FRAME, Y)
    drawn = ClassDensitiesDisplay.from_estimator(model, FRAME, Y, "a")
    alone = ClassDensitiesDisplay.from_estimator(model.estimator_, FRAME, Y, "a")
    assert drawn.frame().equals(alone.frame())
    with pytest.raises(InputError, match=r"LogisticRegression has no density .* NaiveBayes, GaussianBayes"):
        ClassDensitiesDisplay.from_estimator(LogisticRegression().fit(FRAME, Y), FRAME, Y, "a")


def test_regions_of_three_numbers_stand_at_the_medians():
    wide = FRAME.assign(c=rng.normal(size=60))
    model = NaiveBayes().fit(wide, Y)
    drawn = DecisionRegionsDisplay.from_estimator(model, wide, Y)
    asked = DecisionRegionsDisplay.from_estimator(model, wide, Y, at=wide.median().tolist())
    assert np.array_equal(drawn.regions.code, asked.regions.code)
