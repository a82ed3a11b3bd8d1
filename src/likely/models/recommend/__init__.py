"""Recommendation from ratings: what people or items that are alike say."""

from likely.models.recommend.answers import Contribution, Neighbour, Recommendation
from likely.models.recommend.ratings import Ratings, read_ratings
from likely.models.recommend.recommender import Recommender

__all__ = ["Contribution", "Neighbour", "Ratings", "Recommendation", "Recommender", "read_ratings"]
