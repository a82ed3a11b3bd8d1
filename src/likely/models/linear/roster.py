"""The linear models that a study tries."""

from likely.models.linear.log_odds.logistic_regression import LogisticRegression
from likely.models.roster import TableFacts, candidate
from likely.models.traits.protocols import Learner

_MANY = 20_000  # rows with which a penalty of usual size hardly matters, and choosing one takes long


@candidate("logistic regression", rank=2, needs="at least 10 rows")
def logistic(facts: TableFacts) -> Learner | None:
    """Log odds are sums over the columns; nothing is assumed of how these are spread."""
    return logistic_for(facts) if facts.rows >= 10 else None


def logistic_for(facts: TableFacts) -> LogisticRegression:
    """Logistic regression of a table, its penalty chosen where rows are few enough for it to matter."""
    few = facts.rows <= _MANY and not facts.of_kind("text")
    return LogisticRegression(C="auto" if few else 1.0, kinds=dict(facts.kinds))
