"""Perceptrons and networks beside scikit-learn's and torch."""

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np
from sklearn.linear_model import Perceptron
from sklearn.neural_network import MLPClassifier

import likely
from bench import synthetic
from bench.peers import SuitedThreads
from bench.quality import Quality
from bench.registry import Case, Fact, Step, workload

PERCEPTRONS, NETWORKS = "Perceptrons", "Networks"
PASSES, EPOCHS, BATCH, RATE, DECAY = 20, 8, 200, 0.001, 1e-4


@workload(
    "perceptron",
    PERCEPTRONS,
    f"200,000 x 50, 2 classes, {PASSES} passes: Perceptron(posterior_folds=None)",
    f"Perceptron(max_iter={PASSES}, tol=None)",
    remark="The peer tells no probabilities: its scores are taken for log odds, in units of their mean size.",
)
def perceptron(quick: bool) -> Case:
    return _perceptrons(quick, 200_000, 2)


@workload(
    "perceptron-10",
    PERCEPTRONS,
    f"100,000 x 50, 10 classes, {PASSES} passes: units that compete",
    f"Perceptron(max_iter={PASSES}, tol=None), one against the rest",
)
def perceptron_classes(quick: bool) -> Case:
    return _perceptrons(quick, 100_000, 10)


@workload(
    "network",
    NETWORKS,
    f"60,000 x 64, 10 classes, 128 hidden units, {EPOCHS} passes of Adam in float32: NeuralNetwork((128,))",
    "MLPClassifier((128,)) of the same batches and rate, on the threads that suit it",
    remark="Both take standardised columns; `likely` standardises them itself. Single pairs of fits scatter by 2.5 % "
    "of the log-loss (standard deviation); over twelve seeds ours is 1.0 % above, -0.5 to 2.6.",
    chance=0.02,
)
def network(quick: bool) -> Case:
    x, y, held_out = _ten_classes(quick)
    theirs = MLPClassifier(
        (128,), batch_size=BATCH, learning_rate_init=RATE, alpha=DECAY, max_iter=EPOCHS, tol=0.0,
        n_iter_no_change=10**6, random_state=0,
    )  # fmt: skip

    def peer_fit() -> Any:
        import warnings

        with warnings.catch_warnings():  # that it stops after the passes it was given
            warnings.simplefilter("ignore")
            return theirs.fit(x[held_out:], y[held_out:])

    return _networks(x, y, held_out, peer_fit, theirs.predict_proba, lambda: theirs.loss_)


if find_spec("torch") is not None:

    @workload(
        "network-torch",
        NETWORKS,
        f"The same 60,000 x 64, 10 classes, 128 hidden units, {EPOCHS} passes of Adam in float32",
        "a torch script with fused Adam, on the threads that suit it",
        chance=0.02,
    )
    def network_torch(quick: bool) -> Case:
        x, y, held_out = _ten_classes(quick)
        script = TorchScript(x[held_out:], y[held_out:])
        return _networks(x, y, held_out, script, script.predict_proba, lambda: script.loss)


class TorchScript:
    """A training loop as one writes it with torch, with one thread or all, whichever is quicker."""

    def __init__(self, x: Any, y: Any) -> None:
        import torch

        self.torch, self.x, self.y = torch, torch.from_numpy(x), torch.from_numpy(y)
        self.loss, self.threads, self.net = 0.0, 0, None

    def __call__(self) -> Any:
        import time

        if not self.threads:
            tried = {}
            for threads in (1, 2):
                self.torch.set_num_threads(threads)
                begin = time.perf_counter()
                self._train(1)
                tried[threads] = time.perf_counter() - begin
            self.threads = min(tried, key=lambda threads: tried[threads])
        self.torch.set_num_threads(self.threads)
        return self._train(EPOCHS)

    def predict_proba(self, x: Any) -> Any:
        with self.torch.no_grad():
            return self.net(self.torch.from_numpy(x)).double().softmax(dim=1).numpy()  # type: ignore[misc]

    def _train(self, epochs: int) -> Any:
        torch = self.torch
        torch.manual_seed(0)
        net = torch.nn.Sequential(torch.nn.Linear(64, 128), torch.nn.ReLU(), torch.nn.Linear(128, 10))
        adam = torch.optim.Adam(net.parameters(), lr=RATE, fused=True)
        entropy = torch.nn.CrossEntropyLoss()
        for _ in range(epochs):
            total = 0.0
            for batch in torch.randperm(len(self.x)).split(BATCH):
                adam.zero_grad(set_to_none=True)
                lost = entropy(net(self.x[batch]), self.y[batch])
                lost.backward()
                adam.step()
                total += float(lost.detach()) * len(batch)
            self.loss = total / len(self.x)
        self.net = net
        return net


def _perceptrons(quick: bool, rows: int, classes: int) -> Case:
    rows, held_out = (4_000, 1_000) if quick else (rows, 20_000)
    x, y = synthetic.correlated_gaussians(rows + held_out, 50, classes, seed=7, shared=True)
    x /= x.std(axis=0)
    options: dict[str, Any] = {"max_iter": PASSES, "n_iter_no_change": None, "posterior_folds": None}
    ours = likely.Perceptron(random_state=0, **options)
    theirs = Perceptron(max_iter=PASSES, tol=None, random_state=0)
    train, labels = x[held_out:], y[held_out:]

    def quality() -> Quality:
        query = x[:held_out]
        score = theirs.decision_function(query)
        score = np.column_stack([-score / 2, score / 2]) if score.ndim == 1 else score
        score = score / np.mean(np.ptp(score, axis=1))
        posterior = np.exp(score) / np.exp(score).sum(axis=1, keepdims=True)
        told = ours.predict_proba(query)
        return Quality.of(y[:held_out], told, posterior, ours.classes_, f"{held_out:,} rows held out", same_model=False)

    step = Step("fit", lambda: ours.fit(train, labels), lambda: theirs.fit(train, labels), 1)
    return Case((step,), train.sum, quality)


def _ten_classes(quick: bool) -> tuple[Any, Any, int]:
    rows, held_out = (4_000, 1_000) if quick else (60_000, 10_000)
    x, y = synthetic.correlated_gaussians(rows + held_out, 64, 10, seed=8, shared=False)
    x = ((x - x.mean(axis=0)) / x.std(axis=0)).astype(np.float32)
    return x, y, held_out


def _networks(
    x: Any, y: Any, held_out: int, peer_fit: Any, peer_posterior: Any, peer_loss: Callable[[], float]
) -> Case:
    train, labels, query = x[held_out:], y[held_out:], x[:held_out]
    ours = likely.NeuralNetwork(
        (128,), learning_rate=RATE, weight_decay=DECAY * len(train) / BATCH, batch_size=BATCH, epochs=EPOCHS, tol=0.0,
        n_iter_no_change=10**6, dtype="float32", random_state=0,
    )  # fmt: skip
    suited = peer_fit if isinstance(peer_fit, TorchScript) else SuitedThreads(peer_fit)

    def quality() -> Quality:
        told = ours.predict_proba(query), peer_posterior(query)
        return Quality.of(y[:held_out], *told, ours.classes_, f"{held_out:,} rows held out", same_model=False)

    def facts() -> list[Fact]:
        mine, its = float(ours.history_.loss[-1]), float(peer_loss())
        words = f"training loss of the last pass {mine:.4f}, the peer's {its:.4f}"
        return [Fact(words, mine <= its * 1.02)]

    return Case((Step("fit", lambda: ours.fit(train, labels), suited, 1.3),), train.sum, quality, facts)
