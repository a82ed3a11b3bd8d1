import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likely.errors import InputError
from likely.evaluation import MEASURES, measure

counts = st.tuples(*[st.integers(1, 200)] * 4)


def by_formula(formula, tp, fp, fn, tn):
    """The formula as printed, read as arithmetic."""
    main, *helpers = re.split(r", (?=[CN] =)", formula)
    names = {"TP": tp, "FP": fp, "FN": fn, "TN": tn, "sqrt": np.sqrt}
    for helper in reversed(helpers):
        name, expression = helper.split(" = ")
        names[name] = eval(_python(expression), names)
    return eval(_python(main), names)


def _python(expression):
    expression = expression.replace("^", "**")
    product = r"(?<=[A-Z0-9)]) (?=[A-Z(])"  # a space between two factors
    return re.sub(product, " * ", expression)


@pytest.mark.parametrize("m", MEASURES, ids=lambda m: m.name)
@given(counts)
def test_the_printed_formula_is_what_is_computed(m, four):
    assert m.function(*map(np.array, four)) == pytest.approx(by_formula(m.formula, *four), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("m", MEASURES, ids=lambda m: m.name)
@given(counts)
def test_values_lie_within_the_bounds(m, four):
    value = m.function(*map(np.array, four))
    assert m.bounds[0] - 1e-12 <= value <= m.bounds[1] + 1e-12
    if m.share is not None:
        named = dict(zip(("TP", "FP", "FN", "TN"), four, strict=True))
        share = sum(named[c] for c in m.share[0]) / sum(named[c] for c in m.share[1])
        assert (m.of_share(share) if m.of_share else share) == pytest.approx(value)


def test_both_vocabularies_name_the_same_thing():
    pairs = [
        ("recall", "sensitivity"),
        ("hit rate", "TPR"),
        ("precision", "positive predictive value"),
        ("true negative rate", "specificity"),
        ("false positive rate", "false alarm rate"),
        ("false discovery rate", "false alarm ratio"),
        ("correlation", "Matthews correlation coefficient"),
        ("CC", "phi coefficient"),
        ("informedness", "YOUDEN'S J"),
    ]
    for one, other in pairs:
        assert measure(one) is measure(other)
    assert measure("specificity") is not measure("precision")
    assert "specificity" in measure("precision").caution
    assert measure("recall").named("medical") == "sensitivity"
    assert measure(measure("F1")).name == "F1"


def test_what_some_texts_confuse_is_said():
    assert str(measure("false alarm rate")) == (
        "false positive rate = FP / (FP + TN) (also false alarm rate, FPR, fall-out); "
        "some texts call FP / (FP + TP) the false alarm rate"
    )


def test_an_unknown_measure_is_refused():
    with pytest.raises(InputError, match=r"unknown measure 'recal'; did you mean 'recall'\?"):
        measure("recal")
