"""Forged files of models that learn by other ways than sums: parameters and sizes that only a forger writes."""

import numpy as np
import pytest
from test_damaged_files import forge, little_memory, parts
from test_forged_files import put, replaced, with_array

from likely import (
    Calibrated,
    KernelPerceptron,
    KMeans,
    LogisticRegression,
    Mixture,
    NaiveBayes,
    NearestExemplar,
    NearestNeighbors,
    NeuralNetwork,
    Perceptron,
    load,
    save,
)
from likely.errors import LikelyError
from likely.store import model_file

X, Y = np.arange(12.0)[:, None] % 7, np.arange(12) % 2


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    return save(KernelPerceptron(gamma=0.5, random_state=0).fit(X, Y), tmp_path_factory.mktemp("k") / "m")


@pytest.mark.parametrize("gamma", [[1, 2], "x", -1.0, {"float": "inf"}])
def test_parameters_are_checked_before_answers_rely_on_them(kept, tmp_path, gamma):
    manifest, arrays = parts(kept)
    with pytest.raises(LikelyError, match="gamma must be a positive number"):
        load(forge(tmp_path / "m", replaced(manifest, 0.5, gamma), arrays))


def test_a_number_of_rows_takes_no_memory(kept, tmp_path):
    manifest, arrays = parts(kept)
    forged = forge(tmp_path / "m", replaced(manifest, ["rows", 12], ["rows", 2**31]), arrays)
    with little_memory():
        assert np.array_equal(load(forged).predict(X), load(kept).predict(X))
    for rows in (-1, 2**70, 1.5, 0):
        with pytest.raises(LikelyError):
            load(forge(tmp_path / "m", replaced(manifest, ["rows", 12], ["rows", rows]), arrays))


@pytest.mark.parametrize(
    ("part", "value"), [("weight", 0.0), ("weight", np.inf), ("positive", 99.0), ("positive", -1.0), ("first", 1e9)]
)
def test_steps_of_a_calibration_have_rows(tmp_path, part, value):
    model = Calibrated(NaiveBayes(), "isotonic", cv=2).fit(X + Y[:, None], Y)
    kept = save(model, tmp_path / "kept")
    manifest, arrays = with_array(*parts(kept), f"cells.{part}", put(value))
    with pytest.raises(LikelyError, match="calibration map is not one of 2 classes"):
        load(forge(tmp_path / "m", manifest, arrays))
    assert load(kept).evidence(X) is not None


@pytest.mark.parametrize("shape", [[1, 2], [1], [2, 1]])
def test_steps_of_a_calibration_have_one_row_of_cells_each(tmp_path, shape):
    kept = save(Calibrated(NaiveBayes(), "isotonic", cv=2).fit(X + Y[:, None], Y), tmp_path / "kept")
    manifest, arrays = parts(kept)
    for part in ("positive", "weight", "first", "last"):
        (name,) = [name for name in arrays if f"cells.{part}" in name]
        raw, data = model_file.RawArray.of(np.ones(shape))
        forged = {**manifest, "arrays": {**manifest["arrays"], name: raw.entry}}
        with pytest.raises(LikelyError):
            load(forge(tmp_path / "m", forged, {**arrays, name: raw.header + data.tobytes()}))


@pytest.mark.parametrize(
    "model",
    [
        NeuralNetwork((3,), epochs=3, random_state=0),
        Perceptron(random_state=0),
        KernelPerceptron(random_state=0),
        LogisticRegression(solver="gradient"),
        KMeans(2, random_state=0),
    ],
    ids=lambda model: type(model).__name__,
)
def test_the_history_of_a_training_is_vectors(tmp_path, model):
    kept = save(model.fit(X, Y), tmp_path / "kept")
    manifest, arrays = parts(kept)
    (history,) = (value for key, value in manifest["model"]["fitted"]["learned"]["dict"] if key == "history")
    raw, data = model_file.RawArray.of(np.ones((1, 2)))
    name = history[0]["array"]
    forged = {**manifest, "arrays": {**manifest["arrays"], name: raw.entry}}
    with pytest.raises(LikelyError, match="history of its training"):
        load(forge(tmp_path / "m", forged, {**arrays, name: raw.header + data.tobytes()}))
    assert str(load(kept))


@pytest.mark.parametrize("model", [NearestExemplar(), NearestNeighbors(), NaiveBayes()], ids=lambda m: type(m).__name__)
def test_classes_are_texts_or_numbers(tmp_path, model):
    manifest, arrays = parts(save(model.fit(X, np.array(["high", "low"])[Y]), tmp_path / "kept"))
    with pytest.raises(LikelyError, match="texts and numbers at once"):
        load(forge(tmp_path / "m", replaced(manifest, "high", -1), arrays))


@pytest.mark.parametrize("value", [-1.0, 1e300])
def test_the_scales_of_a_distance_are_of_a_size_that_can_be_squared(tmp_path, value):
    kept = save(NearestExemplar().fit(X, Y), tmp_path / "kept")
    with pytest.raises(LikelyError, match="its distance is not one of its columns"):
        load(forge(tmp_path / "m", *with_array(*parts(kept), "distance.scale", put(value))))


@pytest.mark.parametrize("value", [0.0, -1.0, np.inf])
def test_a_covariance_has_a_factor_with_an_inverse(tmp_path, value):
    model = Mixture(2, n_init=2, random_state=0).fit(np.hstack([X, Y[:, None] + X % 3]))
    kept = save(model, tmp_path / "kept")
    with pytest.raises(LikelyError, match="factor"):
        load(forge(tmp_path / "m", *with_array(*parts(kept), "factor", put(value))))
