"""What docs/text-quality.md and docs/bernoulli-or-multinomial.md claim, on the real corpora; the long ones are slow."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from bench.corpora import Corpus, corpus, drawn, path_of
from bench.text_quality import Choice, Verdicts, peer
from sklearn.metrics import roc_auc_score

from bench import text_quality
from docs import make_text_pages
from likely import Calibrated, cross_validate
from likely.evaluation import compare_results, holdout, learning_curve
from likely.models.generative.text_bayes import TextBayes


def read(name: str, folder: Path) -> Corpus:
    if not path_of(name, folder).exists():
        pytest.skip(f"{path_of(name, folder).name} is not among the shared data")
    return corpus(name, folder)


def read_bodies(folder: Path) -> Corpus:
    return make_text_pages.bodies(read("newsgroups", folder))


def divided(whole: Corpus, aside: np.ndarray) -> tuple[Corpus, Corpus]:
    return whole.taken(np.flatnonzero(~aside)), whole.taken(np.flatnonzero(aside))


def test_the_worked_examples_of_both_models() -> None:
    lines = {line.split("|")[1].strip(): line.split("|")[2:-1] for line in make_text_pages.worked_table().splitlines()}
    cells = {text: [cell.strip() for cell in row] for text, row in lines.items()}
    assert cells["`a b`"][:2] == ["0.222 / 0.148", "1.5"]  # EX-GEN-08
    assert cells["`a a a b`"] == ["0.222 / 0.148", "1.5", "0.3125"]  # EX-GEN-09: repeats count in one of them only
    assert cells["`a`"][1:] == ["0.375", "0.5"]  # without b the odds are a quarter in one, and lack only its factor
    assert cells["(empty)"][2] == "1"


def test_the_learning_curve_of_texts_rises() -> None:
    """EX-EVA-21: 30 words from 4 classes' own rates over 300 words, a third withheld."""
    rng = np.random.default_rng(0)
    rates = rng.dirichlet(np.full(300, 4.0), size=4)
    words = np.array([f"w{i}" for i in range(300)])
    labels = rng.integers(4, size=1_200)
    texts = [" ".join(rng.choice(words, 30, p=rates[c])) for c in labels]
    curve = learning_curve(TextBayes(), texts, labels, sizes=[20, 50, 100, 200, 400, 800], repeats=3)
    values = [figure.value for figure in curve.estimates]
    assert all(later >= earlier - 0.05 for earlier, later in pairwise(values))
    assert values[-1] >= values[0] + 0.1
    assert curve.withheld == 400


def test_the_curve_is_written_as_data_and_as_a_picture(tmp_path: Path) -> None:
    texts = drawn(300, 15, 2, seed=5)
    curve = learning_curve(TextBayes(), *texts[:2], sizes=[20, 100], repeats=2)
    text_quality.write_curves({"multinomial": curve}, tmp_path / "curve")
    rows = (tmp_path / "curve.csv").read_text().splitlines()
    assert rows[0].startswith("model,size,value,low,high")
    assert [row.split(",")[:2] for row in rows[1:]] == [["multinomial", "20"], ["multinomial", "100"]]
    assert (tmp_path / "curve.png").stat().st_size > 5_000


def test_verdicts_on_long_texts_are_judged_by_their_logarithms() -> None:
    whole = drawn(400, 15, 2, seed=6)
    long = Corpus([" ".join([text] * 200) for text in whole.texts], whole.labels, None)
    learned, asked = divided(long, np.arange(400) < 100)
    model = TextBayes().fit(*learned[:2])
    found, its = Verdicts.of(model, asked), Verdicts.of(peer(model).fit(*learned[:2]), asked)
    assert (model.predict_proba(asked.texts) == 0).any()
    assert np.isfinite(found.log_loss.value)
    assert found.log_loss.value == pytest.approx(its.log_loss.value, rel=1e-9)
    assert np.array_equal(found.right, its.right)
    assert found.accuracy.value == pytest.approx(model.score(*asked[:2]))
    assert found.mean_confidence > 0.99 > found.accuracy.value


def test_the_area_is_that_of_log_odds(shared_data: Path) -> None:
    spam = read("Ling-Spam", shared_data)
    result = cross_validate(TextBayes("bernoulli"), *spam[:2], cv=spam.part)
    assert result.log_posterior is not None
    exact, rounded = [], []
    for fold in range(result.n_folds):
        mine = result.folds[0] == fold
        log_p = result.log_posterior[0, mine]
        exact.append(roc_auc_score(result.y[mine], log_p[:, 1] - log_p[:, 0]))
        rounded.append(roc_auc_score(result.y[mine] == 0, np.exp(log_p[:, 0])))
    assert result.scores("roc_area")[0] == pytest.approx(exact, abs=1e-12)
    assert np.mean(exact) > np.mean(rounded) + 0.01  # probabilities of ham that round to 1 are ties


def test_calibration_lowers_the_log_loss_of_spam(shared_data: Path) -> None:
    spam = read("SMS", shared_data)
    models = {
        "raw": TextBayes(),
        "calibrated": Calibrated(TextBayes()),
        "bernoulli": Calibrated(TextBayes("bernoulli")),
    }
    groups = spam.copies()
    results = {name: cross_validate(model, *spam[:2], groups=groups) for name, model in models.items()}
    pairs = compare_results(results, "log_loss", baseline="raw")
    assert pairs.between("calibrated", "raw").difference.high < 0
    assert pairs.between("bernoulli", "raw").difference.high < 0
    assert results["calibrated"].estimate("accuracy").value > 0.98


def test_withheld_copies_are_as_many_as_elsewhere(shared_data: Path) -> None:
    spam = read("SMS", shared_data)
    groups = spam.copies()
    aside = holdout(spam.labels, 1 / 3, groups=groups, random_state=0)
    assert not set(groups[aside]) & set(groups[~aside])
    repeated = np.bincount(groups)[groups] > 1
    assert aside.mean() == pytest.approx(1 / 3, abs=0.02)
    assert repeated[aside].mean() == pytest.approx(repeated.mean(), abs=0.05)
    assert (spam.labels[aside] == "spam").mean() == pytest.approx((spam.labels == "spam").mean(), abs=0.03)


@pytest.mark.slow
def test_short_posts_hang_on_alpha_and_not_on_the_model(shared_data: Path) -> None:
    points = {p.alpha: p for p in make_text_pages.lengths("newsgroups", read_bodies(shared_data), [50])}
    assert points[1.0].differences["accuracy"].low > 0
    assert abs(points[0.01].differences["accuracy"].value) < 0.01
    for model in make_text_pages.MODELS:
        assert points[0.01].figures[model, "accuracy"].value > points[1.0].figures[model, "accuracy"].value


@pytest.mark.slow
def test_presence_of_few_words_tells_spam_better_than_their_counts(shared_data: Path) -> None:
    for point in make_text_pages.vocabularies("SMS", read("SMS", shared_data), [100]):
        assert point.differences["accuracy"].high < 0
        assert point.differences["log_loss"].low > 0


@pytest.mark.slow
def test_twenty_newsgroups_with_a_blind_choice(shared_data: Path) -> None:
    news = read("newsgroups", shared_data)
    train, test = divided(news, holdout(news.labels, 1 / 3, stratify=False, random_state=0))
    choice = Choice.among(train)
    found = Verdicts.of(choice.models[choice.best].fit(*train[:2]), test).accuracy
    assert found.value >= 0.89, str(found)


@pytest.mark.slow
@pytest.mark.parametrize("model", [TextBayes(), TextBayes("bernoulli"), TextBayes("complement", alpha=0.1)], ids=str)
def test_twenty_newsgroups_by_date_beside_the_peer(model: TextBayes, shared_data: Path) -> None:
    news = read("newsgroups", shared_data)
    train, test = divided(news, news.part == "test")
    ours = Verdicts.of(model.fit(*train[:2]), test)
    theirs = Verdicts.of(peer(model).fit(*train[:2]), test)
    assert np.abs(np.exp(ours.log_posterior) - np.exp(theirs.log_posterior)).max() < 1e-9
    assert ours.accuracy.value >= theirs.accuracy.value
