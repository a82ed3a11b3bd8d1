"""Worked examples of principal components."""

import numpy as np

from likely import PCA
from likely.examples.catalogue import Example
from likely.examples.worked import Worked, worked
from likely.figures import ComponentsDisplay
from likely.models.components import explained_share, project


@worked("EX-PCA-01")
def critics(ex: Example) -> Worked:
    """In which directions do six critics differ, and how much of it do two show?"""
    ratings, films = np.array(ex.inputs["ratings"], dtype=float), ex.inputs["films"]
    model = PCA().fit(ratings)
    scores = model.transform(ratings)
    spread = np.cov(scores[:, :2], rowvar=False)
    values = {
        "eigenvalues_first_five": model.explained_variance_[:5],
        "sixth_is_zero": bool(model.explained_variance_[5] < 1e-12),
        "retained_by_two": float(model.explained_variance_ratio_[:2].sum()),
        "variance_of_scores": np.diagonal(spread),
        "covariance_of_scores_is_zero": bool(abs(spread[0, 1]) < 1e-9),
        "abs_loadings": {film: np.abs(model.loadings_[j, :2]).tolist() for j, film in enumerate(films)},
        "abs_pc1": np.abs(model.components_[0]),
        "abs_pc2": np.abs(model.components_[1]),
    }
    names = ex.inputs["critics"]
    return Worked(values, lambda ax: ComponentsDisplay.from_estimator(model, ratings, names=names, ax=ax))


@worked("EX-PCA-02")
def share_kept(ex: Example) -> Worked:
    """What share of the variance do the largest eigenvalues keep?"""
    return Worked({"ratio": explained_share(ex.inputs["eigenvalues"], ex.inputs["kept"])})


@worked("EX-PCA-03")
def projection(ex: Example) -> Worked:
    """Where do points lie along two directions at right angles?"""
    y, z = project(ex.inputs["points"], ex.inputs["u"], ex.inputs["v"]).T
    return Worked({"y": y, "z": z})
