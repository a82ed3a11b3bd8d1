"""Points on a line and in the plane: measurements, patterns, and configurations that bring out one effect each."""

from likely.data.bundled.dataset import Dataset

_NOTES = "Edinburgh notes on learning"
_CHAPTER = "a textbook chapter on probabilistic models"
_PLANE = ("x1", "x2")


def s_and_t() -> Dataset:
    """Six measurements of class S and six of class T, with mean 10 and 12 and variance (divisor n) 1 and 4.

    >>> s_and_t().x[:6].mean(), s_and_t().x[6:].var()
    (np.float64(10.0), np.float64(4.0))
    """
    values = (10, 8, 10, 10, 11, 11, 12, 9, 15, 10, 13, 13)
    return Dataset(
        rows=tuple((value,) for value in values),
        columns=("x",),
        target=("S",) * 6 + ("T",) * 6,
        source=f"{_NOTES}, section 9.2",
    )


def ink_grids() -> Dataset:
    """The same handwritten digit twice, as 8 x 8 cells of ink read row by row; two cells differ.

    >>> from likely.data import unflatten_grid
    >>> unflatten_grid(ink_grids().x[0], (8, 8))[0]
    array([0, 0, 0, 0, 0, 1, 1, 1])
    """
    first = "00000111 00001001 00011010 00011100 00111000 11110000 10011000 11110000"
    second = "00000111 00001001 00011010 00011100 00011000 01110000 10011000 11110000"
    return Dataset(
        rows=tuple(tuple(int(bit) for bit in grid if bit != " ") for grid in (first, second)),
        columns=tuple(f"r{row}c{column}" for row in range(8) for column in range(8)),
        names=("a", "b"),
        source=f"{_NOTES}, Figure 1.3",
    )


def perceptron_patterns() -> Dataset:
    """Six patterns of two inputs and their signs, separable by a line; `augmented` puts the constant 1 before them.

    >>> perceptron_patterns().rows[0], perceptron_patterns().target[0]
    ((1, 1), 1)
    """
    return Dataset(
        rows=((1, 1), (1, -1), (0, -1), (-1, -1), (-1, 1), (0, 1)),
        columns=_PLANE,
        target=(1, 1, 1, -1, -1, -1),
        source="Penn State slides, Perceptron learning algorithm: Example",
    )


def linear_patterns() -> Dataset:
    """Eight points, separable by a line, of which the line halfway between the class means gets one wrong.

    >>> linear_patterns().x.shape
    (8, 2)
    """
    return Dataset(
        rows=_pairs("1 3, 2 4, 1.5 5, 8 9, 2 1, 3 2, 4 2.5, 1 0.5"),
        columns=_PLANE,
        target=(1, 1, 1, 1, -1, -1, -1, -1),
        source="in place of a picture in the UNSW slides, Perceptron training: varying learning rate",
    )


def extreme_point() -> Dataset:
    """Six separable points on a line, the last so far out, on its own side, that least squares errs.

    >>> extreme_point().x.ravel()
    array([  0,   1,   2,   3,   4, 100])
    """
    return Dataset(
        rows=tuple((value,) for value in (0, 1, 2, 3, 4, 100)),
        columns=("x",),
        target=(-1, -1, -1, 1, 1, 1),
        source="in place of a picture in a Toronto chapter on classification, Figure 9.1",
    )


def apples_and_pears() -> Dataset:
    """Apples (A) and pears (P): what (17, 7) is depends on how many neighbours vote.

    >>> apples_and_pears().rows[0], apples_and_pears().target[0]
    ((16.7, 7.0), 'P')
    """
    middle = _pairs("16.7 7.0, 17.4 7.0, 17.1 6.4, 17.2 7.9, 16.0 7.1, 18.1 7.3, 18.0 6.2, 16.9 5.7, 16.2 8.1")
    pears = _pairs("15.8 9.6, 16.3 10.2, 15.9 10.5, 16.5 9.7, 15.6 10.1, 16.1 9.3, 16.4 10.6, 15.4 9.8, 16.8 10.1")
    apples = _pairs("18.8 6.2, 19.2 5.9, 19.1 6.4, 18.7 5.7, 19.4 6.2, 19.0 5.5, 19.5 5.7, 18.6 5.9, 19.3 6.6")
    return Dataset(
        rows=middle + pears + apples,
        columns=_PLANE,
        target=tuple("PAAPPAAAP" + "P" * 9 + "A" * 9),
        source=f"in place of a picture in the {_NOTES}, Figures 4.1 and 4.2",
    )


def oranges_and_lemons() -> Dataset:
    """Width and height of oranges and lemons: a tree's splits separate them, a line does not.

    >>> oranges_and_lemons().rows[0], oranges_and_lemons().target[0]
    ((6.5, 6.8), 'orange')
    """
    small = ((6.5, 6.8), (7.0, 7.2), (7.4, 7.0), (6.9, 7.5), (7.8, 7.7))
    lemons = ((8.4, 6.0), (9.0, 6.4), (8.8, 6.9), (9.5, 7.0), (6.0, 8.6), (6.3, 9.1), (6.6, 8.2))
    large = ((8.6, 8.6), (9.0, 8.8), (9.4, 8.5))
    return Dataset(
        rows=small + lemons + large,
        columns=("width", "height"),
        target=("orange",) * 5 + ("lemon",) * 7 + ("orange",) * 3,
        source="in place of a picture in a Toronto chapter on classification, Figure 9.4",
    )


def calibration_scores() -> Dataset:
    """Twenty positive and twenty negative cases with a score: one positive scores among the negatives.

    >>> calibration_scores().x.min(), calibration_scores().x.max()
    (np.float64(-3.32), np.float64(2.97))
    """
    positive = _column(
        "-0.45 0.87 0.89 1.02 1.1 1.2 1.25 1.26 1.3 1.34 1.43 1.86 1.97 2.08 2.09 2.15 2.22 2.62 2.76 2.97"
    )
    negative = _column(
        "-3.32 -2.91 -2.89 -2.59 -2.27 -2.21 -2.21 -2.14 -2.07 -1.87 "
        "-1.7 -1.63 -1.61 -1.36 -1.02 -1.01 -0.86 -0.68 -0.5 -0.36"
    )
    return Dataset(
        rows=positive + negative,
        columns=("score",),
        target=(1,) * 20 + (0,) * 20,
        source=f"in place of a picture in {_CHAPTER}, Example 9.6",
    )


def outlier_points() -> Dataset:
    """Nine points together and one far off: where the mean, the geometric median and the medoids differ.

    >>> outlier_points().x.mean(axis=0)
    array([3.7, 5.2])
    """
    return Dataset(
        rows=((1, 5), (2, 7), (2, 4), (3, 6), (3, 8), (4, 5), (4, 7), (5, 6), (3, 4), (10, 0)),
        columns=_PLANE,
        source="in place of a picture in the UNSW slides, Centroids and medoids",
    )


def four_points() -> Dataset:
    """Four points on which K-means with two centres has two local minima.

    >>> four_points().x.tolist()
    [[0, 0], [4, 0], [4, 2], [8, 2]]
    """
    return Dataset(
        rows=((0, 0), (4, 0), (4, 2), (8, 2)),
        columns=_PLANE,
        source=f"in place of a picture in the {_NOTES}, Figure 3.3, with the errors printed there",
    )


def fourteen_points() -> Dataset:
    """Fourteen points for K-means with three centres: begun at (4, 9), (6, 6), (8, 6), only (6, 6) changes cluster.

    >>> len(fourteen_points().rows)
    14
    """
    return Dataset(
        rows=_pairs("1 2, 2 1, 2 3, 3 2, 1 8, 2 9, 3 8, 4 9, 4 7, 6 6, 8 3, 9 2, 9 4, 8 6"),
        columns=_PLANE,
        source=f"in place of a picture in the {_NOTES}, Figure 3.2",
    )


def density_points() -> Dataset:
    """Twenty numbers for estimates of a density: histogram, kernel, Gaussian.

    >>> len(density_points().rows)
    20
    """
    points = "-1.9 -1.3 -1.1 -0.8 -0.6 -0.55 -0.3 -0.2 -0.1 0.0 0.15 0.2 0.4 0.5 0.7 0.75 1.0 1.2 1.6 2.1"
    return Dataset(
        rows=_column(points),
        columns=("x",),
        source=f"in place of a picture in {_CHAPTER}, Figure 9.5",
    )


def mixture_points() -> Dataset:
    """Ten numbers from two clusters: EM for a mixture of two ends elsewhere from other starts.

    >>> len(mixture_points().rows)
    10
    """
    return Dataset(
        rows=_column("-2.3 -1.6 -1.1 -0.7 0.2 1.4 1.9 2.2 2.8 3.5"),
        columns=("x",),
        source=f"in place of a picture in {_CHAPTER}, Figure 9.8",
    )


def _column(numbers: str) -> tuple[tuple[float, ...], ...]:
    return tuple((float(number),) for number in numbers.split())


def _pairs(numbers: str) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(float(number) for number in pair.split()) for pair in numbers.split(","))
