"""Feed-forward networks by back-propagation: layers, activations, losses and optimisers, composed."""

from likely.models.networks.activations import ACTIVATIONS, Activation, activation_values
from likely.models.networks.layers import Layers, Passed
from likely.models.networks.losses import LOSSES, OUTPUTS, loss_of, outputs_of
from likely.models.networks.neural_network import NeuralNetwork
from likely.models.networks.optimizers import RATES, Optimizer
from likely.models.networks.regressor import NeuralNetworkRegressor
from likely.models.networks.training import History

__all__ = [
    "ACTIVATIONS",
    "LOSSES",
    "OUTPUTS",
    "RATES",
    "Activation",
    "History",
    "Layers",
    "NeuralNetwork",
    "NeuralNetworkRegressor",
    "Optimizer",
    "Passed",
    "activation_values",
    "loss_of",
    "outputs_of",
]
