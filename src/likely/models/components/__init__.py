"""Few directions instead of many columns: principal components, projections and what they keep."""

from likely.models.components.pca import PCA
from likely.models.components.projection import explained_share, project

__all__ = ["PCA", "explained_share", "project"]
