"""Tables of counts and of probabilities: diagnoses, boxes, coins, lengths, and confusion matrices."""

from typing import Literal

import numpy as np

from likely.data.bundled.dataset import Table
from likely.errors import InputError


def fish_lengths() -> Table:
    """How many male and female fish have each length in centimetres; both are absent at 19 and 20.

    >>> fish_lengths().at("M", 12), fish_lengths().at("F", 12)
    (22, 4)
    """
    males = [0, 1, 1, 2, 4, 7, 10, 14, 22, 17, 12, 6, 2, 1, 1, 0, 0]
    females = [2, 7, 9, 14, 18, 21, 12, 10, 4, 1, 1, 0, 1, 0, 0, 0, 0]
    return Table(
        np.array([males, females]),
        axes=("sex", "length"),
        levels=(("M", "F"), tuple(range(4, 21))),
        source="made to agree with every likelihood printed in the Edinburgh notes on learning, section 5.4",
    )


def dental() -> Table:
    """Joint probability of a cavity, a toothache and the dentist's probe catching.

    >>> round(float(dental().cells[:, 0].sum()), 3)  # a toothache
    0.2
    """
    return Table(
        np.array([[[0.108, 0.012], [0.072, 0.008]], [[0.016, 0.064], [0.144, 0.576]]]),
        axes=("cavity", "toothache", "catch"),
        levels=((True, False),) * 3,
        source="Penn State slides, Inference by enumeration",
    )


def cavity_and_toothache() -> Table:
    """Joint probability of a cavity and a toothache, in round numbers.

    >>> cavity_and_toothache().at(True, True)
    0.4
    """
    return Table(
        np.array([[0.4, 0.1], [0.1, 0.4]]),
        axes=("cavity", "toothache"),
        levels=((True, False), (True, False)),
        source="Penn State slides, Inference using the joint distribution",
    )


def weather_and_cavity() -> Table:
    """Joint probability of a cavity and the weather, which are independent.

    >>> weather_and_cavity().at(True, "sunny")
    0.144
    """
    return Table(
        np.array([[0.144, 0.02, 0.016, 0.02], [0.576, 0.08, 0.064, 0.08]]),
        axes=("cavity", "weather"),
        levels=((True, False), ("sunny", "rainy", "cloudy", "snow")),
        source="Penn State slides, Joint probability distribution",
    )


def cancer_test() -> Table:
    """Joint probability of a rare disease (0.008) and a test with sensitivity 0.98 and specificity 0.97.

    >>> round(cancer_test().at("cancer", "positive"), 5), round(cancer_test().at("healthy", "positive"), 5)
    (0.00784, 0.02976)
    """
    prior = np.array([0.008, 1 - 0.008])
    result = np.array([[0.98, 1 - 0.98], [1 - 0.97, 0.97]])  # given the state
    return Table(
        prior[:, None] * result,
        axes=("state", "test"),
        levels=(("cancer", "healthy"), ("positive", "negative")),
        source="Penn State slides, Bayes Rule",
    )


def fruit_boxes() -> Table:
    """What is in a red and a green box of fruit.

    >>> fruit_boxes().at("red", "orange")
    6
    """
    return Table(
        np.array([[2, 6], [3, 1]]),
        axes=("box", "fruit"),
        levels=(("red", "green"), ("apple", "orange")),
        source="Edinburgh notes on learning, section 5.2.2",
    )


def two_coins() -> Table:
    """Joint probability of which of two coins is tossed, one fair and one with two heads, and how it falls.

    >>> two_coins().at("rigged", "H")
    0.5
    """
    return Table(
        np.array([[0.25, 0.25], [0.5, 0.0]]),
        axes=("coin", "side"),
        levels=(("fair", "rigged"), ("H", "T")),
        source="Penn State slides, Conditional probability",
    )


def one_against_rest() -> Table:
    """Confusion of one class with the rest: 55 and 30 right, 10 missed, 5 false alarms.

    >>> one_against_rest().at(True, False)
    10
    """
    return Table(
        np.array([[55, 10], [5, 30]]),
        axes=("actual", "predicted"),
        levels=((True, False), (True, False)),
        source="Penn State slides, Classifier Learning: Measuring Performance",
    )


def three_class_confusion() -> Table:
    """Confusion of three Gaussian classes in the plane, a hundred test points each.

    >>> int(np.trace(three_class_confusion().cells))
    254
    """
    return _confusion(
        [[77, 15, 8], [5, 88, 7], [9, 2, 89]], ("A", "B", "C"), "Edinburgh notes on learning, section 9.4"
    )


def head_injury(part: Literal["train", "test"] = "train") -> Table:
    """Confusion of three outcomes after a head injury, on the training or the test patients.

    >>> int(head_injury("train").cells.sum()), int(head_injury("test").cells.sum())
    (500, 497)
    """
    matrices = {
        "train": [[209, 0, 50], [22, 1, 29], [15, 1, 173]],
        "test": [[188, 0, 59], [19, 1, 28], [29, 2, 171]],
    }
    if part not in matrices:
        raise InputError(f"part must be 'train' or 'test', got {part!r}")
    return _confusion(matrices[part], ("1", "2", "3"), "Edinburgh notes on learning, section 9.5")


def _confusion(matrix: list[list[int]], classes: tuple[str, ...], source: str) -> Table:
    return Table(np.array(matrix), axes=("actual", "predicted"), levels=(classes, classes), source=source)
