"""The networks among the candidates of a study: one hidden layer, where there are rows enough for it to gain."""

from likely.models.networks.neural_network import NeuralNetwork
from likely.models.roster import TableFacts, candidate
from likely.models.traits.protocols import Learner

_FEWEST, _MOST = 500, 50_000  # rows: of fewer a network rarely gains, of more its refits take long
_SHOWN = 1_200_000  # rows that are shown to it in all, in 60 to 300 rounds; rows withheld end them earlier
_WIDEST = 500  # columns


@candidate("neural network", rank=6, needs=f"{_FEWEST:,} to {_MOST:,} rows, no texts and at most {_WIDEST} columns")
def network(facts: TableFacts) -> Learner | None:
    """Columns act together, in a hidden layer of 32 units; stopped by rows withheld."""
    fitting = _FEWEST <= facts.rows <= _MOST and len(facts.kinds) <= _WIDEST and not facts.of_kind("text")
    if not fitting:
        return None
    epochs = min(max(_SHOWN // facts.rows, 60), 300)
    return NeuralNetwork((32,), early_stopping=True, epochs=epochs, random_state=0, kinds=dict(facts.kinds))
