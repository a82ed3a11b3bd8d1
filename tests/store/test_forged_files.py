"""Forged files with right digests: what they hold must be bounded, finite and quick to use, or it is refused."""

import copy
import re

import numpy as np
import pytest
from test_damaged_files import X, Y, forge, parts

from likely import (
    PCA,
    BayesClassifier,
    Calibrated,
    Decider,
    Mixture,
    NaiveBayes,
    NearestNeighbors,
    TextBayes,
    load,
    save,
)
from likely.data.text.patterns import takes_linear_time
from likely.decisions import MajorityClassifier
from likely.distributions import GaussianFamily, MixtureFamily
from likely.distributions.vectors.elliptical import Elliptical
from likely.errors import InputError, LikelyError
from likely.store import inspect, model_file
from likely.store.files import archive

TEXTS = ["free money now", "free prize, claim now", "lunch at noon?", "minutes of the meeting at noon"]
KINDS = ["spam", "spam", "ham", "ham"]


def replaced(tree, old, new):
    """The manifest with one value in the place of another, wherever it stands."""
    if isinstance(tree, dict):
        return {key: replaced(value, old, new) for key, value in tree.items()}
    if isinstance(tree, list):
        return [replaced(value, old, new) for value in tree] if tree != old else new
    return new if type(tree) is type(old) and tree == old else tree


def with_array(manifest, arrays, part, change):
    """The file with a change to the numbers of the array whose name contains `part`."""
    manifest, arrays = copy.deepcopy(manifest), dict(arrays)
    (name,) = [name for name in arrays if part in name]
    entry = manifest["arrays"][name]
    values = np.frombuffer(arrays[name][-entry["bytes"] :], entry["dtype"]).reshape(entry["shape"]).copy()
    change(values)
    raw, data = model_file.RawArray.of(values)
    manifest["arrays"][name] = raw.entry
    arrays[name] = raw.header + data.tobytes()
    return manifest, arrays


def put(value, place=0):
    def change(values):
        values.flat[place] = value

    return change


@pytest.fixture(scope="module")
def texts(tmp_path_factory):
    return save(
        TextBayes(token_pattern=r"\w+", ngram_range=(1, 2)).fit(TEXTS, KINDS), tmp_path_factory.mktemp("t") / "m"
    )


def test_an_n_gram_range_is_bounded(texts, tmp_path):
    manifest, arrays = parts(texts)
    for pair in ([1, 10**9], [10**9, 10**9], [1, 10**400]):
        with pytest.raises(LikelyError, match=r"ngram_range|bits"):
            load(forge(tmp_path / "long", replaced(manifest, [1, 2], pair), arrays))
    with pytest.raises(InputError, match="runs of more than 20 words"):
        TextBayes(ngram_range=(1, 21)).fit(TEXTS, KINDS)
    assert TextBayes(ngram_range=(1, 20)).fit(TEXTS, KINDS).predict(TEXTS).tolist() == KINDS


BAD = [
    r"(\w+)+!", r"(?:ab?|b)*c", r"\w*\w*\w*!", r"\w+!", r"(x+x+)+y", r"([a-z]+)*$", r".*.*=", r"(a)\1", r"(?=\w+)\w",
    r"(?i)(k|K)+!", r"[a-z]+\b", r"(?:a{1,99}){1,99}b", r"a{1000,}", "a" * 2000, r"(?:a?b?)+c", r"(?:[^a]|b)*c",
]  # fmt: skip
GOOD = [
    r"(?u)\b\w\w+\b", r"\b\w+\b", r"\S+", r"[a-z]{3,}", r"\w+(?:[-']\w+)*", r"[A-Z]?[a-z]+", r"\w+|[^\w\s]", r"(\w+)",
    r"https?://\S+|\w+", r"(?<!\w)\w{2,20}", r"\$?\d+(?:\.\d+)?%?", r"(?u)\b[^\d\W]+\b", r"(?s).", r"[а-я]+", r"[^,;]+",
]  # fmt: skip


@pytest.mark.parametrize("pattern", BAD)
def test_a_pattern_that_may_take_long_is_refused_unless_the_user_trusts_it(texts, tmp_path, pattern):
    assert not takes_linear_time(pattern)
    manifest, arrays = parts(texts)
    place = forge(tmp_path / "slow", replaced(manifest, r"\w+", pattern), arrays)
    with pytest.raises(LikelyError, match="any_pattern=True"):
        load(place)
    assert inspect(place).parameters["token_pattern"] == pattern
    assert load(place, any_pattern=True).token_pattern == pattern


@pytest.mark.parametrize("pattern", GOOD)
def test_a_harmless_pattern_takes_time_in_proportion_to_the_text(texts, tmp_path, pattern):
    """On these texts a search that goes back in the square of their length would not end."""
    assert takes_linear_time(pattern)
    manifest, arrays = parts(texts)
    assert load(forge(tmp_path / "good", replaced(manifest, r"\w+", pattern), arrays)).token_pattern == pattern
    rng = np.random.default_rng(0)
    letters = np.array(list("aZ09_-'.$%:/h \n,;ёж"))
    for hostile in ("a" * 10**5, "a-" * 10**5, "a1" * 10**5, "0." * 10**5, "".join(rng.choice(letters, 10**5))):
        re.findall(pattern, hostile)
        re.findall(pattern, hostile + "!")


def test_a_model_with_an_unproven_pattern_is_saved_with_a_note(tmp_path):
    model = TextBayes(token_pattern=r"[a-z]+\b").fit(TEXTS, KINDS)
    with pytest.warns(UserWarning, match="any_pattern=True"):
        place = save(model, tmp_path / "m")
    again = load(place, any_pattern=True)
    assert np.array_equal(again.predict_proba(TEXTS), model.predict_proba(TEXTS))


@pytest.mark.parametrize(
    "pattern", ["(" * 5000 + ")" * 5000, "a{99999999999999999999}", "("], ids=["deep", "many", "open"]
)
def test_what_is_no_pattern_is_refused_in_a_few_words(pattern):
    with pytest.raises(InputError, match="token pattern") as error:
        TextBayes(token_pattern=pattern).fit(TEXTS, KINDS)
    assert len(str(error.value)) < 300


def test_a_file_unfolds_to_a_bounded_multiple(tmp_path, monkeypatch):
    manifest, arrays = parts(save(NaiveBayes().fit(X, Y), tmp_path / "m"))
    zeros = np.zeros(2**25, dtype=np.uint8)
    raw, data = model_file.RawArray.of(zeros)
    manifest["arrays"]["zeros"] = raw.entry
    monkeypatch.setattr(archive, "UNFOLDING", 10**9)
    place = forge(tmp_path / "bomb", manifest, {**arrays, "zeros": raw.header + data.tobytes()})
    monkeypatch.undo()
    assert place.stat().st_size * 200 < 2**25 and archive.UNFOLDING <= 32
    for read in (load, inspect):
        with pytest.raises(LikelyError, match="refused"):
            read(place)


def test_a_model_of_many_zeros_is_saved_and_loaded(tmp_path):
    wide = np.zeros((40, 20_000))
    wide[:, 0] = np.arange(40) % 2
    model = NaiveBayes("bernoulli").fit(wide, np.arange(40) % 2)
    assert np.array_equal(load(save(model, tmp_path / "m")).predict_proba(wide), model.predict_proba(wide))


PRIORS = {
    "naive": lambda: NaiveBayes(class_prior=[0.3, 0.7]).fit(X, Y),
    "hidden": lambda: BayesClassifier().fit(X, [None, *Y[1:]]),
    "majority": lambda: MajorityClassifier().fit(X, Y),
    "calibrated": lambda: Calibrated(NaiveBayes(), cv=2).fit(X, Y),
    "decider": lambda: Decider(NaiveBayes(), cv=2).fit(X, Y),
}


@pytest.mark.parametrize("value", [np.nan, np.inf, -0.5, 0.9], ids=str)
@pytest.mark.parametrize("name", PRIORS)
def test_a_prior_is_of_probabilities_that_sum_to_one(tmp_path, name, value):
    whole = parts(save(PRIORS[name](), tmp_path / "m"))
    held = [key for key in whole[1] if key.endswith(("class_prior", "class_prior_", "training_prior_"))]
    assert held or name == "decider"
    for key in held:
        with pytest.raises(LikelyError):
            load(forge(tmp_path / "prior", *with_array(*whole, key, put(value))))


@pytest.mark.parametrize(
    "forged",
    [{"reject": "x"}, {"max_error": "x"}, {"max_error": 0.1}, {"rule": "recalibrated"}, {"rule": [[1, 2]]}],
    ids=str,
)
def test_a_decider_has_what_its_rule_needs(tmp_path, forged):
    manifest, arrays = parts(save(PRIORS["decider"](), tmp_path / "m"))
    manifest["model"]["parameters"] |= forged
    with pytest.raises(LikelyError):
        load(forge(tmp_path / "decider", manifest, arrays))


def test_means_beyond_all_deviations_are_refused(tmp_path):
    manifest, arrays = parts(save(Mixture(2, "multivariate_gaussian", random_state=0).fit(X), tmp_path / "m"))
    (key,) = (key for key in arrays if key.endswith("shape.factor"))
    with pytest.raises(LikelyError, match="factor"):
        load(forge(tmp_path / "far", *with_array(manifest, arrays, key, put(5e-324))))
    with pytest.raises(LikelyError, match="too far apart"):
        Elliptical.of(np.array([[0.0], [1e300]]), np.array([[1e-60]]))


@pytest.mark.parametrize("name", ["n_neighbors", "bandwidth"])
def test_whole_numbers_are_no_larger_than_numbers(tmp_path, name):
    manifest, arrays = parts(save(NearestNeighbors(2).fit(X, Y), tmp_path / "m"))
    manifest["model"]["parameters"][name] = 10**400
    with pytest.raises(LikelyError, match="bits"):
        load(forge(tmp_path / "large", manifest, arrays))
    with pytest.raises(LikelyError, match=name):
        NearestNeighbors(**{name: 10**400}).fit(X, Y)


@pytest.mark.parametrize("place", [4, 5], ids=["total", "squares"])
def test_the_sums_of_variances_are_numbers(tmp_path, place):
    manifest, arrays = parts(save(PCA(1).fit(X), tmp_path / "m"))
    dict(manifest["model"]["fitted"]["learned"]["dict"])["spread"][place] = "x"
    with pytest.raises(LikelyError):
        load(forge(tmp_path / "sums", manifest, arrays))


MAPS = {method: lambda method=method: Calibrated(NaiveBayes(), method, cv=2).fit(X, Y) for method in
        ("logistic", "isotonic", "temperature", "beta", "gaussian")}  # fmt: skip


@pytest.mark.parametrize("method", MAPS)
def test_the_numbers_of_a_calibration_map_are_finite(tmp_path, method):
    whole = parts(save(MAPS[method](), tmp_path / "m"))
    keys = [key for key in whole[1] if ".map_." in key and whole[0]["arrays"][key]["dtype"] == "<f8"]
    assert keys
    for key in keys:
        with pytest.raises(LikelyError):
            load(forge(tmp_path / "map", *with_array(*whole, key, put(np.nan))))


def test_a_staircase_does_not_fall(tmp_path):
    whole = parts(save(MAPS["isotonic"](), tmp_path / "m"))
    for value in (1.5, -0.5):
        with pytest.raises(LikelyError, match="calibration map"):
            load(forge(tmp_path / "map", *with_array(*whole, ".share", put(value))))


def test_weights_of_mixtures_sum_to_one(tmp_path):
    model = BayesClassifier(MixtureFamily(GaussianFamily(), 2), random_state=0).fit(X, Y)
    whole = parts(save(model, tmp_path / "m"))
    (key,) = [key for key in whole[1] if ".distribution." in key and "weights" in key]
    for value in (np.nan, np.inf, -1.0, 0.99):
        with pytest.raises(LikelyError, match="sum to 1"):
            load(forge(tmp_path / "mixture", *with_array(*whole, key, put(value))))


@pytest.mark.parametrize(("family", "part", "value"), [("bernoulli", "probability", 1e300), ("poisson", "rate", -1.0)])
def test_numbers_of_a_distribution_are_in_its_range(tmp_path, family, part, value):
    whole = parts(save(Mixture(2, family, random_state=0).fit((np.median(X) < X).astype(int)), tmp_path / "m"))
    (key,) = [key for key in whole[1] if ".distribution" in key and key.endswith(part)]
    with pytest.raises(LikelyError, match="not between"):
        load(forge(tmp_path / "range", *with_array(*whole, key, put(value))))


def test_inspect_refuses_amounts_that_no_float_holds(tmp_path):
    manifest, arrays = parts(save(NaiveBayes().fit(X, Y), tmp_path / "m"))
    for value in (10**400, -1, True, "4", {"float": "nan"}, {"float": "inf"}, 1e308):
        forged = copy.deepcopy(manifest)
        forged["model"]["fitted"]["training"]["weight"] = [value, 4]
        place = forge(tmp_path / "huge", forged, arrays)
        for read in (load, inspect, lambda place: str(inspect(place))):
            with pytest.raises(LikelyError):
                read(place)
    for value in (10**400, "one", -1):
        forged = copy.deepcopy(manifest)
        forged["model"]["fitted"]["training"]["passes"] = value
        with pytest.raises(LikelyError, match="passes"):
            inspect(forge(tmp_path / "huge", forged, arrays))
