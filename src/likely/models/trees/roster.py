"""Trees and forests among the candidates of a study."""

from likely.models.roster import TableFacts, candidate
from likely.models.traits.protocols import Learner
from likely.models.trees.boosted_trees import BoostedTrees
from likely.models.trees.decision_forest import DecisionForest
from likely.models.trees.decision_tree import DecisionTree

_NO_TEXTS = "a table without texts"
_SCANNED = 4_000  # columns times scores whose bins every node looks through


@candidate("decision tree", rank=3, needs=_NO_TEXTS)
def decision_tree(facts: TableFacts) -> Learner | None:
    """Tests on one column at a time, as many as are worth their bits; every leaf has its own shares of the classes."""
    return None if facts.of_kind("text") else DecisionTree(mdl_pruning=True, kinds=dict(facts.kinds))


@candidate("decision forest", rank=5, needs=_NO_TEXTS)
def decision_forest(facts: TableFacts) -> Learner | None:
    """The mean of 100 trees of rows and columns drawn at random."""
    if facts.of_kind("text"):
        return None
    kinds = dict(facts.kinds)
    return DecisionForest(oob_score=False, random_state=0, kinds=kinds)  # it is judged on folds, not out of bag


@candidate("boosted trees", rank=6, needs=f"{_NO_TEXTS}, of at most {_SCANNED:,} columns times classes")
def boosted_trees(facts: TableFacts) -> Learner | None:
    """A sum of small trees, each of which corrects those before it, as many as help on rows held out."""
    scores = 1 if facts.classes == 2 else facts.classes
    fits = len(facts.kinds) * scores <= _SCANNED and not facts.of_kind("text")
    return BoostedTrees(random_state=0, kinds=dict(facts.kinds)) if fits else None
