"""Groups of rows without labels: K-means, hierarchies, and help in choosing how many there are.

KMeans, Hierarchy                    the estimators
Compression                          what a code book saves and loses
choose_clusters, ClusterNumbers      what error, BIC, silhouettes and resamples say of every number of clusters
silhouette, Silhouettes              how well rows sit in their clusters
adjusted_rand                        how alike two clusterings are
"""

from likely.models.clustering.choosing import ClusterNumbers, choose_clusters
from likely.models.clustering.code_book import Compression
from likely.models.clustering.hierarchy import Hierarchy
from likely.models.clustering.kmeans import KMeans
from likely.models.clustering.silhouettes import Silhouettes, adjusted_rand, silhouette

__all__ = [
    "ClusterNumbers",
    "Compression",
    "Hierarchy",
    "KMeans",
    "Silhouettes",
    "adjusted_rand",
    "choose_clusters",
    "silhouette",
]
