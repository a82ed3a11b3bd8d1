"""A model for a place with other shares of the classes is judged for that place."""

import numpy as np
import pytest

from likely import Decider, NaiveBayes, cross_validate, evaluate
from likely.errors import InputError, InputTypeError
from likely.evaluation import decision_costs
from likely.evaluation.measures.share_weights import share_weights

COSTS = {"no": {"yes": 1}, "yes": {"no": 5}}
PLACE = {"no": 0.95, "yes": 0.05}


def rows(n: int, share: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    ill = rng.random(n) < share
    return rng.normal(size=(n, 2)) + ill[:, None], np.where(ill, "yes", "no")


@pytest.fixture(scope="module")
def decider() -> Decider:
    return Decider(NaiveBayes(), COSTS, prior=PLACE, reject=0.3, calibrate=None).fit(*rows(1000, 0.5, 0))


def test_rows_count_as_frequent_as_the_models_prior_says(decider: Decider) -> None:
    X, y = rows(4000, 0.4, 1)
    found = evaluate(decider, X, y, costs=COSTS)
    there = evaluate(decider, *rows(4000, 0.05, 2), costs=COSTS)
    assert found.confusion.support == pytest.approx([3800, 200])
    assert found.cost.low < there.cost.value < found.cost.high
    assert found.log_loss.low < there.log_loss.value < found.log_loss.high
    told = next(note for note in found.notes if "weighed" in note)
    assert told.startswith("the model takes 95.0 % no, 5.0 % yes; these rows hold ")


def test_rows_count_as_they_are_where_that_is_asked_for(decider: Decider) -> None:
    X, y = rows(500, 0.4, 1)
    found = evaluate(decider, X, y, costs=COSTS, prior="observed")
    assert found.said.weight is None
    assert any("count as they are" in note for note in found.notes)
    assert found.cost.value > 1.3 * evaluate(decider, X, y, costs=COSTS).cost.value


def test_another_prior_moves_the_model_and_the_weights(decider: Decider) -> None:
    X, y = rows(500, 0.4, 1)
    there = {"no": 0.2, "yes": 0.8}
    found = evaluate(decider, X, y, prior=there)
    np.testing.assert_allclose(found.said.posterior, decider.predict_proba(X, there))
    assert found.confusion.support == pytest.approx([100, 400])
    assert decider.prior == PLACE


def test_a_model_that_knows_its_prior_is_asked_under_another() -> None:
    X, y = rows(500, 0.4, 1)
    model = NaiveBayes().fit(X, y)
    found = evaluate(model, X, y, prior=PLACE)
    np.testing.assert_allclose(found.said.posterior, model.predict_proba(X, PLACE), atol=1e-12)
    assert any(note.startswith("the prior given is 95.0 % no") for note in found.notes)


def test_a_cross_validation_of_such_a_model_is_weighed_too(decider: Decider) -> None:
    X, y = rows(300, 0.5, 3)
    found = evaluate(cross_validate(decider, X, y, cv=3))
    assert found.confusion.support == pytest.approx([285, 15])
    with pytest.raises(InputError, match="cross-validate Decider"):
        evaluate(cross_validate(NaiveBayes(), X, y, cv=3), prior=PLACE)


def test_rows_of_a_class_without_a_prior_keep_their_share() -> None:
    weight = share_weights(np.array([0, 0, 1, 2]), np.array([0.2, 0.8, np.nan]))
    assert weight == pytest.approx([0.3, 0.3, 2.4, 1.0])


def test_decisions_know_what_they_cost() -> None:
    X, y = rows(400, 0.4, 4)
    plain = Decider(NaiveBayes(), COSTS, calibrate=None).fit(X, y)
    taken = plain.decide(X)
    told = decision_costs(taken, y)
    assert told.realised is not None
    assert told.realised.value == evaluate(plain, X, y, costs=COSTS).cost.value
    assert decision_costs(taken, y, COSTS).realised == told.realised
    with pytest.raises(InputError, match="taken by other costs"):
        decision_costs(taken, y, [[0, 1], [1, 0]])
    with pytest.raises(InputTypeError, match=r"got Decider: decision_costs\(model.decide\(X\), y\)"):
        decision_costs(plain, X, y)  # type: ignore[arg-type]


def test_decisions_under_a_prior_cost_what_they_cost_there(decider: Decider) -> None:
    X, y = rows(4000, 0.4, 1)
    told = decision_costs(decider.decide(X), y)
    assert told.realised == evaluate(decider, X, y, costs=COSTS).cost
    assert not told.surprising
    assert "weighed accordingly" in told.weighed_by
