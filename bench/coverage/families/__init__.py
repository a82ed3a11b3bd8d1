"""What is simulated, in the order of the page."""

from bench.coverage.families import (
    calibration,
    cross_validated,
    differences,
    label_noise,
    measures,
    nested,
    parameters,
    probabilities,
    shares,
    words,
)
from bench.coverage.simulation import Family

FAMILIES: tuple[Family, ...] = (
    measures.FAMILY,
    measures.MACRO,
    calibration.FAMILY,
    cross_validated.FAMILY,
    cross_validated.HARDER,
    cross_validated.LEAVE_ONE_OUT,
    nested.FAMILY,
    differences.FAMILY,
    parameters.FAMILY,
    probabilities.FAMILY,
    words.FAMILY,
    shares.FAMILY,
    label_noise.FAMILY,
)
