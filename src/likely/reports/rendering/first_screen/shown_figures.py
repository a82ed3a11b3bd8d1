"""Figures as sentences show them: shares with their ends, how far probabilities are off, ratios."""

from math import log2

from likely.intervals.estimate import Estimate

_HUGE = 1_000_000  # a ratio beyond which digits say nothing


def percent(figure: Estimate) -> str:
    """A share as a percentage with its interval."""
    return f"{100 * figure.value:.1f} % [{100 * figure.low:.1f}, {100 * figure.high:.1f}]"


def off_by(error: Estimate) -> str:
    """How far probabilities are off: with an interval, or where that reaches down to 0, at most so far.

    >>> off_by(Estimate(0.0, 0.0, 0.0058, 0.95, "bins", 100)), off_by(Estimate(0.04, 0.03, 0.05, 0.95, "bins", 100))
    ('at most 0.006', '0.040 [0.030, 0.050]')
    """
    return f"at most {error.high:.3f}" if error.low < 0.0005 else error.short()


def times(bits: float) -> str:
    """A ratio, given by its log2, in three digits.

    >>> times(1.0), times(11.7205), times(-6.0), times(40.0), times(-40.0)
    ('2', '3,370', '0.0156', 'over 1,000,000', 'under 0.001')
    """
    if bits > log2(_HUGE):
        return f"over {_HUGE:,}"
    ratio = 2.0**bits
    if ratio < 0.001:
        return "under 0.001"
    return f"{float(f'{ratio:.3g}'):,.0f}" if ratio >= 100 else f"{ratio:.3g}"
