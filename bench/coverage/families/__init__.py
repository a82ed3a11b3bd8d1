"""What is simulated, in the order of the page."""

from bench.coverage.families import calibration, cross_validated, differences, measures, probabilities, shares
from bench.coverage.simulation import Family

FAMILIES: tuple[Family, ...] = (
    measures.FAMILY,
    calibration.FAMILY,
    cross_validated.FAMILY,
    differences.FAMILY,
    probabilities.FAMILY,
    shares.FAMILY,
)
