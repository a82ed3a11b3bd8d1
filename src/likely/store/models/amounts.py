"""Networks of amounts in a file: the sums behind the design, the weights, and the scale of the amounts."""

from collections.abc import Callable
from typing import Any

from likely.models.networks.regressor import NeuralNetworkRegressor
from likely.store.models.design_sums import encode_design, give_back, read_design
from likely.store.models.learned import Learned
from likely.store.values import Encoder

KIND = NeuralNetworkRegressor


def encode(model: NeuralNetworkRegressor, node: dict[str, Any], encoder: Encoder, path: str) -> None:
    """Put sums and weights into the node."""
    node["fitted"] = encode_design(model, encoder, path)


def decode(new: Callable[[], NeuralNetworkRegressor], learned: Learned) -> NeuralNetworkRegressor:
    """The model of a node."""
    model = new()
    model._begin(*read_design(model, learned))
    give_back(model, learned)
    return model
