"""ONNX graphs answer as the models do, in a runtime that knows nothing of this library."""

import numpy as np
import polars as pl
import pytest

from likely import (
    BayesClassifier,
    BoostedTrees,
    Calibrated,
    Decider,
    DecisionForest,
    DecisionTree,
    FisherDiscriminant,
    GaussianBayes,
    KernelPerceptron,
    LeastSquaresClassifier,
    LogisticRegression,
    Mixture,
    NaiveBayes,
    NearestNeighbors,
    NeuralNetwork,
    Perceptron,
    TextBayes,
)
from likely.data.bundled import penguins
from likely.errors import InputError, LikelyError, NotFittedError, TierError
from likely.models.linear import ProportionalOdds
from likely.store import to_onnx

try:
    import onnxruntime
except ImportError:
    onnxruntime = None
needs_onnx = pytest.mark.skipif(onnxruntime is None, reason="onnx and onnxruntime are not installed")

rng = np.random.default_rng(3)
Y = rng.integers(0, 3, 150)
REAL = rng.normal(Y[:, None], 1.0, (150, 4)) * [1.0, 5.0, 0.1, 2.0] + [0, 1e6, 0, -3]
GAPS = np.where(rng.random(REAL.shape) < 0.1, np.nan, REAL)
COUNTS = rng.poisson(1.0 + Y[:, None] * [0.2, 1.0, 0.5]).astype(float)
SPREAD = np.column_stack([rng.negative_binomial(0.5 + Y, 0.05), rng.negative_binomial(2.0, 1e-4, 150), COUNTS[:, 0]])
BITS = (COUNTS > 1).astype(float)
BIRDS = penguins().with_columns(pl.col("sex").cast(pl.Categorical), (pl.col("year") > 2007).alias("late"))
TABLE, SPECIES = BIRDS.drop("species"), BIRDS["species"]

MODELS = {
    "mixed": (NaiveBayes(), TABLE, SPECIES),
    "mixed, gaps speak": (NaiveBayes(missing="evidence", unseen="prior"), TABLE, SPECIES),
    "levels of numbers": (NaiveBayes({"year": "nominal", "late": "nominal"}, alpha=0.0), TABLE, SPECIES),
    "logistic": (LogisticRegression(), TABLE, SPECIES),
    "logistic of two": (LogisticRegression(penalty=None), TABLE.drop("sex", "late"), SPECIES == "Gentoo"),
    "ordinal": (LogisticRegression(kinds={"island": "ordinal"}), TABLE.with_columns(
        pl.col("island").cast(pl.Enum(["Biscoe", "Dream", "Torgersen"]))), SPECIES),
    "calibrated": (Calibrated(NaiveBayes()), TABLE, SPECIES),
    "calibrated, two": (Calibrated(GaussianBayes(), "temperature"), REAL, Y > 0),
    "gaussian": (NaiveBayes("gaussian"), GAPS, Y),
    "bits": (NaiveBayes("bernoulli", alpha=0.0), np.where(np.isnan(GAPS[:, :3]), np.nan, BITS), Y),
    "rates": (NaiveBayes("poisson"), np.where(np.isnan(GAPS[:, :3]), np.nan, COUNTS), Y),
    "spread counts": (NaiveBayes("negative_binomial"), np.where(np.isnan(GAPS[:, :3]), np.nan, SPREAD), Y),
    "waits": (NaiveBayes("exponential"), COUNTS + 0.1, Y),
    "logs": (NaiveBayes("log_normal"), COUNTS + 0.1, Y),
    "words": (NaiveBayes("multinomial"), COUNTS, Y),
    "complement": (NaiveBayes("complement"), COUNTS, Y),
    "levels": (BayesClassifier("categorical"), COUNTS, Y.astype(str)),
    **{f"gaussian {c}": (GaussianBayes(c), GAPS if "diagonal" in c else REAL, Y) for c in (
        "full", "shared", "diagonal", "shared_diagonal", "spherical", "shared_spherical")},
    "tree": (DecisionTree(), TABLE, SPECIES),
    "tree, ordinal": (DecisionTree(kinds={"island": "ordinal"}), TABLE.with_columns(
        pl.col("island").cast(pl.Enum(["Biscoe", "Dream", "Torgersen"]))), SPECIES),
    "tree of gaps": (DecisionTree(smoothing=0.0), GAPS, Y),
    "stump": (DecisionTree(max_depth=0), REAL, Y),
    "forest": (DecisionForest(20, random_state=0), TABLE, SPECIES),
    "boosted": (BoostedTrees(max_iter=20, random_state=0), TABLE, SPECIES),
    "boosted of gaps": (BoostedTrees(max_iter=20, random_state=0), GAPS, Y > 0),
    "forest of gaps": (DecisionForest(20, random_state=0), GAPS, Y > 0),
    "calibrated tree": (Calibrated(DecisionTree(max_depth=3)), TABLE, SPECIES),
    **{f"squares, {p}": (LeastSquaresClassifier(posterior=p), TABLE, SPECIES) for p in ("clipped", "calibrated")},
    "squares of two": (LeastSquaresClassifier(), GAPS, Y > 0),
    "fisher": (FisherDiscriminant(), TABLE, SPECIES),
    "order": (ProportionalOdds(order=[2, 0, 1]), GAPS, Y),
    "perceptrons": (Perceptron(random_state=0), TABLE, SPECIES),
    "perceptron": (Perceptron(random_state=0), GAPS, Y > 0),
    "network": (NeuralNetwork(random_state=0, epochs=20), TABLE, SPECIES),
    "network, relu": (NeuralNetwork(activation="relu", random_state=0, epochs=20), GAPS, Y),
    "network, sigmoid": (NeuralNetwork(output="sigmoid", random_state=0, epochs=20), GAPS, Y),
    "network of two": (NeuralNetwork(output="sigmoid", random_state=0, epochs=20), GAPS, Y > 0),
    "network, linear": (NeuralNetwork(output="linear", loss="squares", random_state=0, epochs=20), GAPS, Y),
    "mixture": (Mixture(2, random_state=0), REAL, Y),
    "shrunk": (GaussianBayes("shared", shrinkage="auto"), REAL, Y),
}  # fmt: skip


def answers(graph, table):
    session = onnxruntime.InferenceSession(graph.SerializeToString(), providers=["CPUExecutionProvider"])
    feed = {}
    for given in session.get_inputs():
        if given.name == "X":
            feed["X"] = np.asarray(table, dtype=np.float64)
        elif given.type == "tensor(string)":
            cells = table[given.name].cast(pl.String).fill_null("").to_list()
            feed[given.name] = np.array(cells, dtype=object)[:, None]
        elif given.type == "tensor(bool)":
            feed[given.name] = table[given.name].to_numpy()[:, None]
        else:
            feed[given.name] = table[given.name].cast(pl.Float64).fill_null(float("nan")).to_numpy()[:, None]
    return session.run(["label", "probabilities"], feed)


@needs_onnx
@pytest.mark.parametrize(("model", "X", "y"), MODELS.values(), ids=MODELS)
@pytest.mark.filterwarnings("ignore:some classes are separated", "ignore:not converged", "ignore:the last pass")
def test_the_graph_answers_as_the_model(model, X, y):
    model.fit(X, y)
    label, probability = answers(to_onnx(model), X)
    assert np.allclose(probability, model.predict_proba(X), atol=1e-5, rtol=0)
    assert np.array_equal(label.astype(str), model.predict(X).astype(str))


@needs_onnx
def test_late_levels_gaps_and_impossible_rows():
    late = TABLE.head(3).with_columns(pl.lit("Elsewhere").alias("island"), pl.lit(None, pl.Float64).alias("year"))
    forest = DecisionForest(10, random_state=0)
    for model in (NaiveBayes(), NaiveBayes(unseen="prior"), LogisticRegression(), DecisionTree(), forest):
        fitted = model.fit(TABLE, SPECIES)
        close = 1e-7 if isinstance(model, DecisionTree | DecisionForest | BoostedTrees) else 1e-9
        assert np.allclose(answers(to_onnx(fitted), late)[1], fitted.predict_proba(late), atol=close)
    strict = NaiveBayes("bernoulli", alpha=0.0).fit([[0.0, 1], [0, 1], [1, 0]], ["a", "a", "b"])
    odd = np.array([[1.0, 1.0], [0.0, 1.0], [0.0, 0.0]])
    assert np.allclose(answers(to_onnx(strict), odd)[1], strict.predict_proba(odd), atol=1e-9)


@needs_onnx
def test_a_model_and_a_distribution_of_a_users_own(tmp_path):
    class Steep(LogisticRegression):
        def onnx_scores(self, graph):
            return graph.affine(graph.numbers(range(4)), 2.0 * np.eye(3, 4), np.zeros(3))

    fitted = Steep().fit(REAL, Y)
    graph = to_onnx(fitted, tmp_path / "own.onnx")
    assert (tmp_path / "own.onnx").read_bytes() == graph.SerializeToString()
    with pytest.raises(InputError, match="there is no folder"):
        to_onnx(fitted, tmp_path / "nowhere" / "own.onnx")
    expected = np.exp(2 * GAPS[:0, :3])
    assert answers(graph, REAL[:0])[1].shape == expected.shape
    scores = 2 * (REAL[:, :3] - REAL[:, :3].max(axis=1, keepdims=True))
    posterior = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    assert np.allclose(answers(graph, REAL)[1], posterior, atol=1e-9)


@needs_onnx
@pytest.mark.parametrize(
    ("model", "X"),
    [
        (NaiveBayes("kde"), REAL),
        (NaiveBayes(missing="impute"), REAL),
        (TextBayes(), [f"word{c} and more" for c in Y]),
        (LogisticRegression(kinds={"t": "text"}), {"t": [f"word{c} and more" for c in Y]}),
        (Calibrated(GaussianBayes(), "isotonic"), REAL),
        (Decider(GaussianBayes()), REAL),
        (Perceptron(multiclass="one_vs_one"), REAL),
        (KernelPerceptron(), REAL),
        (NearestNeighbors(), REAL),
    ],
    ids=lambda one: type(one).__name__,
)
def test_what_has_no_plain_form_is_refused(model, X):
    with pytest.raises(TierError, match="ONNX"):
        to_onnx(model.fit(X, Y))


@needs_onnx
def test_columns_without_a_plain_form_are_named():
    table = {name: REAL[:, j] for j, name in enumerate(["height", "width", "depth"])}
    fitted = NaiveBayes({"height": "gaussian", "width": "kde", "depth": "kde"}).fit(table, Y)
    with pytest.raises(TierError, match=r"describes 'width', 'depth', .*kinds=\{'width': 'gaussian'\}"):
        to_onnx(fitted)


@needs_onnx
def test_mistakes():
    with pytest.raises(NotFittedError):
        to_onnx(NaiveBayes())
    with pytest.raises(InputError, match="rename"):
        to_onnx(NaiveBayes().fit({"label": [1.0, 2.5, 3.0, 4.5]}, [0, 0, 1, 1]))


@pytest.mark.skipif(onnxruntime is not None, reason="onnx is installed")
def test_without_the_package_it_is_said():
    with pytest.raises(LikelyError, match=r"pip install 'likely\[onnx\]'"):
        to_onnx(NaiveBayes().fit(REAL, Y))


@needs_onnx
def test_rows_with_gaps_are_left_open_by_full_covariances():
    model = GaussianBayes("full").fit(GAPS, Y)
    _, probability = answers(to_onnx(model), GAPS)
    gaps = np.isnan(GAPS).any(axis=1)
    assert gaps.any() and np.isnan(probability[gaps]).all()
    assert np.allclose(probability[~gaps], model.predict_proba(GAPS)[~gaps], atol=1e-5)
