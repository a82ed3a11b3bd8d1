"""Whether two samples have the same distribution, from what a model keeps of them.

Each test gives a `Verdict`: a p-value that is exact or close to it for few rows too, the divergence of the two
estimates in bits, and the parts of which it is made, each with its own p-value and its words. Families say which test
is theirs (`compare`). Sums of weights count as numbers of rows.
"""

from likely.distributions.comparing.counts import (
    compare_counts,
    compare_value_counts,
    compare_values,
    fisher_exact,
)
from likely.distributions.comparing.gaussians import compare_gaussians
from likely.distributions.comparing.rates import compare_rates, compare_waits
from likely.distributions.comparing.verdict import TOO_FEW, Verdict

__all__ = [
    "TOO_FEW",
    "Verdict",
    "compare_counts",
    "compare_gaussians",
    "compare_rates",
    "compare_value_counts",
    "compare_values",
    "compare_waits",
    "fisher_exact",
]
