"""Trees and forests among the candidates of a study."""

from likely.models.roster import TableFacts, candidate
from likely.models.traits.protocols import Learner
from likely.models.trees.decision_forest import DecisionForest
from likely.models.trees.decision_tree import DecisionTree

_NO_TEXTS = "a table without texts"


@candidate("decision tree", rank=3, needs=_NO_TEXTS)
def decision_tree(facts: TableFacts) -> Learner | None:
    """Tests on one column at a time, as many as are worth their bits; every leaf has its own shares of the classes."""
    return None if facts.of_kind("text") else DecisionTree(mdl_pruning=True, kinds=dict(facts.kinds))


@candidate("decision forest", rank=5, needs=_NO_TEXTS)
def decision_forest(facts: TableFacts) -> Learner | None:
    """The mean of 100 trees of rows and columns drawn at random."""
    return None if facts.of_kind("text") else DecisionForest(random_state=0, kinds=dict(facts.kinds))
