"""Small data sets from textbooks, ready to use: each is a function that gives a `Dataset` or a `Table`.

Numbers that were only ever shown as a picture are replaced by others with the same behaviour; `source` says so.

>>> weather().frame().shape
(14, 5)
"""

from likely.data.bundled.dataset import Dataset, Table
from likely.data.bundled.draws import draws_of_s_and_t, three_gaussians, topic_documents
from likely.data.bundled.penguins import penguins
from likely.data.bundled.points import (
    apples_and_pears,
    calibration_scores,
    density_points,
    extreme_point,
    four_points,
    fourteen_points,
    ink_grids,
    linear_patterns,
    mixture_points,
    oranges_and_lemons,
    outlier_points,
    perceptron_patterns,
    s_and_t,
)
from likely.data.bundled.records import dating, emails, film_critics, sport_documents, thumbtack, weather
from likely.data.bundled.tables import (
    cancer_test,
    cavity_and_toothache,
    dental,
    fish_lengths,
    fruit_boxes,
    head_injury,
    one_against_rest,
    three_class_confusion,
    two_coins,
    weather_and_cavity,
)

__all__ = [
    "Dataset",
    "Table",
    "apples_and_pears",
    "calibration_scores",
    "cancer_test",
    "cavity_and_toothache",
    "dating",
    "density_points",
    "dental",
    "draws_of_s_and_t",
    "emails",
    "extreme_point",
    "film_critics",
    "fish_lengths",
    "four_points",
    "fourteen_points",
    "fruit_boxes",
    "head_injury",
    "ink_grids",
    "linear_patterns",
    "mixture_points",
    "one_against_rest",
    "oranges_and_lemons",
    "outlier_points",
    "penguins",
    "perceptron_patterns",
    "s_and_t",
    "sport_documents",
    "three_class_confusion",
    "three_gaussians",
    "thumbtack",
    "topic_documents",
    "two_coins",
    "weather",
    "weather_and_cavity",
]
