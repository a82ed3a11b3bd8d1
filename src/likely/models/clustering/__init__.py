"""Groups of rows without labels: K-means, hierarchies, and help in choosing how many there are."""

from likely.models.clustering.code_book import Compression
from likely.models.clustering.kmeans import KMeans

__all__ = ["Compression", "KMeans"]
