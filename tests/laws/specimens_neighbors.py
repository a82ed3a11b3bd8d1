"""Specimens of the models of neighbours."""

from typing import Any

from one_estimator import KINDS, Estimator, estimator
from samples import everything, messages, numeric, numeric_with_gaps, texts

from likely import InstanceLearner, NearestExemplar, NearestNeighbors

TEXTS = {"kinds": {"subject": "text", "body": "text"}}  # a part of the rows may not read as prose

ESTIMATORS: dict[type[Any], tuple[Estimator, ...]] = {
    NearestNeighbors: (
        estimator("neighbors", NearestNeighbors, numeric_with_gaps, {"scale": "minmax"}, silent=False, real=True),
        estimator("neighbors-mixed", NearestNeighbors, everything, {**KINDS, "alpha": 1.0}, silent=False),
        estimator("neighbors-levels", NearestNeighbors, texts, {"n_neighbors": 9}, silent=False, exact=True),
        estimator(
            "neighbors-inverse",
            NearestNeighbors,
            numeric_with_gaps,
            {"weights": "inverse_square", "metric": "manhattan", "scale": "minmax"},
            silent=False,
            scale_free=True,
        ),
        estimator("neighbors-gower", NearestNeighbors, everything, {**KINDS, "metric": "gower"}, silent=False),
        estimator("neighbors-texts", NearestNeighbors, messages, {"n_neighbors": 7, **TEXTS}, silent=False),
    ),
    NearestExemplar: (
        estimator(
            "exemplar",
            NearestExemplar,
            numeric_with_gaps,
            {"scale": "minmax"},
            tier="many passes",
            silent=False,
            real=True,
        ),
        estimator("exemplar-mixed", NearestExemplar, everything, KINDS, tier="many passes", silent=False),
        estimator(
            "exemplar-medoid",
            NearestExemplar,
            everything,
            {**KINDS, "exemplar": "medoid"},
            tier="many passes",
            silent=False,
        ),
        estimator(
            "exemplar-median", NearestExemplar, numeric, {"exemplar": "median"}, tier="many passes", silent=False
        ),
        estimator(
            "exemplar-centroid",
            NearestExemplar,
            texts,
            {"exemplar": "centroid", "metric": "gower"},
            tier="many passes",
            silent=False,
        ),
    ),
    InstanceLearner: (
        estimator("ib2", InstanceLearner, numeric_with_gaps, {"rule": "IB2"}, tier="order", silent=False, real=True),
        estimator("ib3", InstanceLearner, everything, {"rule": "IB3", **KINDS}, tier="order", silent=False),
        estimator("edited", InstanceLearner, everything, {"rule": "edited", **KINDS}, tier="order", silent=False),
        estimator("condensed", InstanceLearner, texts, {"rule": "condensed"}, tier="order", silent=False),
    ),
}
