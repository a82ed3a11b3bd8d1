"""Figures are asked for by one set of names, costs of models that decide among them."""

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier

from likely import Decider, GaussianBayes, NaiveBayes, compare, cross_validate, evaluate
from likely.errors import InputError
from likely.evaluation import cost_criterion, learning_curve
from likely.evaluation.measures.criteria import criterion

COSTS = {"no": {"yes": 1}, "yes": {"no": 5}}
SAME = [
    ("log_loss", "log-loss", "neg_log_loss"),
    ("roc_area", "ROC area", "roc_auc"),
    ("brier", "Brier score", "neg_brier_score"),
    ("balanced_accuracy", "balanced accuracy"),
    ("average_precision", "average precision"),
    ("macro F1", "f1_macro"),
    ("F1", "f1"),
    ("error", "error rate", "zero-one loss"),
    ("correlation", "matthews_corrcoef", "MCC"),
]


@pytest.fixture(scope="module")
def table() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    ill = rng.random(300) < 0.3
    return rng.normal(size=(300, 2)) + ill[:, None], np.where(ill, "yes", "no")


@pytest.mark.parametrize("names", SAME)
def test_every_spelling_is_one_figure_everywhere(names: tuple[str, ...], table: tuple[np.ndarray, np.ndarray]) -> None:
    result = cross_validate(NaiveBayes(), *table, cv=5)
    judged = evaluate(result)
    assert len({judged.measure(name).value for name in names}) == 1
    assert len({result.estimate(name).value for name in names}) == 1
    assert criterion(names[0]).estimate(result.said()).value == pytest.approx(judged.measure(names[0]).value)


def test_printed_figures_are_found_by_their_names(table: tuple[np.ndarray, np.ndarray]) -> None:
    picky = Decider(NaiveBayes(), COSTS, reject=0.3, calibrate=None).fit(*table)
    judged = evaluate(picky, *table, costs=COSTS)
    assert {name: judged.measure(name) for name in judged.figures} == judged.figures


def test_an_average_of_two_classes_is_of_both(table: tuple[np.ndarray, np.ndarray]) -> None:
    result = cross_validate(NaiveBayes(), *table, cv=5)
    assert result.estimate("f1_macro").value != result.estimate("f1").value


def test_average_precision_compares_models(table: tuple[np.ndarray, np.ndarray]) -> None:
    models = {"a": NaiveBayes(), "b": GaussianBayes()}
    found = compare(models, *table, cv=3, scoring="average_precision")
    assert found.estimates["a"].value == pytest.approx(
        cross_validate(models["a"], *table, cv=3).scores("average_precision").mean()
    )
    of_no = compare(models, *table, cv=3, scoring="average_precision", pos_label="no")
    assert of_no.estimates["a"].value > found.estimates["a"].value
    three = (table[0], np.arange(300) % 3)
    with pytest.raises(InputError, match="say which, pos_label="):
        compare(models, *three, cv=3, scoring="average_precision")


def test_a_confusion_matrix_says_where_figures_of_probabilities_are(table: tuple[np.ndarray, np.ndarray]) -> None:
    judged = evaluate(NaiveBayes().fit(*table), *table)
    with pytest.raises(
        InputError, match=r"of probabilities, and not of counts: evaluate\(...\).measure\('Brier score'\)"
    ):
        judged.confusion.measure("Brier score")


def test_cost_means_the_costs_of_a_decider(table: tuple[np.ndarray, np.ndarray]) -> None:
    picky = Decider(NaiveBayes(), COSTS, reject=0.3, calibrate=None)
    result = cross_validate(picky, *table, cv=5)
    price = cost_criterion(COSTS, reject=0.3)
    assert result.estimate("cost") == result.estimate(COSTS) == result.estimate(price)
    assert result.estimate("cost").value == pytest.approx(
        evaluate(result, costs=COSTS, reject_cost=0.3).cost.value, 0.05
    )
    models = {"picky": picky, "plain": NaiveBayes()}
    named, given = (compare(models, *table, cv=5, scoring=scoring).estimates for scoring in ("cost", COSTS))
    assert named == given
    assert named["picky"] == result.estimate("cost")
    curve = learning_curve(picky, *table, sizes=[100], repeats=2, scoring="cost")
    assert curve.criterion.name == "cost"


def test_cost_without_costs_says_what_works(table: tuple[np.ndarray, np.ndarray]) -> None:
    with pytest.raises(InputError, match=r"estimate\(costs\), scoring=costs"):
        cross_validate(NaiveBayes(), *table, cv=3).estimate("cost")
    both = {"a": Decider(NaiveBayes(), COSTS), "b": Decider(NaiveBayes())}
    with pytest.raises(InputError, match="different costs"):
        compare(both, *table, cv=3, scoring="cost")


def test_a_probability_of_zero_is_compared_with_a_warning(table: tuple[np.ndarray, np.ndarray]) -> None:
    forest = RandomForestClassifier(10, random_state=0)
    models = {"forest": forest, "naive": NaiveBayes()}
    with pytest.warns(UserWarning, match=r"'forest' gives the true class of \d+ rows the probability 0.*Calibrated"):
        found = compare(models, *table, cv=3, scoring="log_loss")
    assert np.isfinite(found.estimates["forest"].value)
    assert found.pairs[0].difference.value > 0


def test_points_are_called_so_in_a_comparison(table: tuple[np.ndarray, np.ndarray]) -> None:
    told = str(compare({"a": NaiveBayes(), "b": GaussianBayes()}, *table, cv=3))
    assert "difference in points" in told
    assert "P(within 1 point)" in told
