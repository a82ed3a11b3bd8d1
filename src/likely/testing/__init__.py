"""The laws as a library: hold statistics, families and classifiers of your own to what the library's own obey.

check_statistic(of, rows)        sums: splits, order, zero, weights, removal, factors, groups
check_family(family, rows)       estimates of parts, weights, missing cells, degenerate data, densities, samples;
                                 leaving a row out, filling gaps, posterior of parameters, comparison
check_estimator(model, X, y)     order, names, units, posteriors, evidence; merging, forgetting, cross-validation;
                                 of clusterers, transformers and regressors: answers to rows, engines, fitting again
check_explanation(model, X)      evidence is for what is said, and sums to its odds, whatever is around the model
check_engine(engine)             sums to the bit, work in order
check_source(source)             batches by number, as often as wanted

Each raises `LawBroken`, an AssertionError, which says which law, in which example, and what differed.
"""

from likely.testing.engines import check_engine, check_source
from likely.testing.estimators import check_estimator
from likely.testing.explanations import check_explanation
from likely.testing.families import check_family
from likely.testing.sums import check_statistic
from likely.testing.verdict import LawBroken

__all__ = [
    "LawBroken",
    "check_engine",
    "check_estimator",
    "check_explanation",
    "check_family",
    "check_source",
    "check_statistic",
]
