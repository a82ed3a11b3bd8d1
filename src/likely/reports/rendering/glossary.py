"""The words of a report that are not everybody's, each explained once: those that this report uses."""

from typing import TYPE_CHECKING

from likely.reports.choosing.choice import POOL
from likely.reports.rendering.document import Section, Table
from likely.reports.rendering.first_screen.first_figures import judged

if TYPE_CHECKING:
    from likely.reports.study import Study

_WORDS = {
    "95 % interval": "what the rows leave open: of a hundred such intervals about 95 hold the figure that very many "
    "rows would give",
    "TP, FP, FN, TN": "of the rows called a class, those that are of it (true positives) and those that are not (false "
    "positives); of the rows not called so, those that are of it after all (false negatives) and those that are not",
    "recall, precision": "of the rows of a class, the share called so; of the rows called so, the share that are of it",
    "F1": "2 TP / (2 TP + FP + FN): one figure for recall and precision, high only where both are",
    "log-loss": "the mean of -ln of the probability given to what came true, in nats: 0 is best, a coin has 0.69",
    "Brier score": "the mean squared distance of the probabilities from what came true: 0 is best",
    "calibration": "whether what is given 70 % comes true in 70 % of cases; calibrating a model moves its "
    "probabilities to where they do, by what it says of rows left out",
    "bits": "1 bit doubles the odds, -1 halves them; 10 bits are odds of about 1,000 to 1",
    "log odds": "the logarithm of p / (1 - p); the bits of a prediction add up to it",
    "folds, out of fold": "the rows are dealt into parts, and each is judged by a model that learned the others only",
    "corrected resampled t": "an interval of a mean over folds that allows for the rows which folds share",
}
_OF_INTERVALS = {
    "Wilson, Clopper-Pearson": "intervals of a share of rows: the first is as wide as it must be on average, "
    "the second always wide enough",
    "skewness corrected": "an interval of a mean that reaches further to the side on which values lie far out",
    "bins, quantile bins": "groups of equally many rows, of alike probabilities, whose mean is held against what came "
    "true",
    "miscalibration, discrimination, uncertainty": "the parts of a Brier score: what wrong ones cost, less what "
    "telling rows apart saves, plus what the shares of the classes alone would cost",
    "prior, posterior": "the probability of a class before a row is looked at, and after",
}
_OF_GROUPS = {
    "cluster bootstrap (BCa)": "an interval of a figure of rows in groups: whole groups are drawn again, with "
    "replacement, and the figure found each time; what such draws are off by and lean to is corrected for",
}
_POOL = "all candidates asked together, each with a weight that it has earned by answers about rows left out"
_OF_CURVES = {
    "ROC area": "how often a row of the class has a higher probability of it than another row: 0.5 is chance, 1 best",
    "sensitivity, false alarm rate": "another name of recall; of the rows of the other class, the share called so",
    "DeLong": "an interval of a ROC area, from how each row ranks among those of the other class",
    "average precision": "the mean precision over the rows of the class, each at the threshold that just finds it",
    "MAP": "the answer of the largest probability (maximum a posteriori): of two classes, a threshold of 0.5",
    "minimum risk": "the answer that costs least on average, given the probabilities and the costs",
    "MOVER": "an interval of a sum made from the intervals of its parts (method of variance estimates recovery)",
}


def words_used(study: "Study") -> Section:
    """What the words mean."""
    words = _WORDS | _OF_INTERVALS
    if any(entry.name == POOL and entry.judged for entry in study.entries):
        words["pool"] = _POOL
    if judged(study).said.groups is not None:
        words |= _OF_GROUPS
    if judged(study).positive is not None:
        words |= _OF_CURVES
        words.pop("MAP" if study.setting.costs is not None else "minimum risk")
    else:
        words |= {name: _OF_CURVES[name] for name in ("ROC area", "DeLong")}
    return Section("What the words mean", [Table(["word", "meaning"], [[*pair] for pair in words.items()])])
