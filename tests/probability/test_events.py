"""Events: text, values and expressions that mean the same, against Python's own reading, and what is refused."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likely.errors import InputError, InputTypeError
from likely.probability import Event, ImpossibleEvent, Joint, SampleSpace, V
from likely.probability.events.expressions import read_event

LEVELS = {"rain": (True, False), "sky": ("blue", "grey", "black"), "first": (1, 2, 3), "second": (-1, 0, 2)}
SPACE = SampleSpace.of(LEVELS)
WORLDS = [dict(zip(LEVELS, world, strict=True)) for world in itertools.product(*LEVELS.values())]
COMPARE = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


@st.composite
def quantities(draw):
    """A number: as text, as an expression and as a function of a world."""
    name = draw(st.sampled_from(["first", "second"]))
    text, expression, value = name, V(name), lambda world: world[name]
    if draw(st.booleans()):
        symbol, k = draw(st.sampled_from("+-*")), draw(st.integers(-3, 3))
        other = draw(st.sampled_from(["first", "second", None]))
        right = k if other is None else V(other)
        made = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b}[symbol]
        return (
            f"{name} {symbol} {k if other is None else other}",
            made(expression, right),
            lambda world: made(world[name], k if other is None else world[other]),
        )
    return text, expression, value


@st.composite
def simple(draw):
    kind = draw(st.sampled_from(["truth", "value", "within", "compared", "chained"]))
    if kind == "truth":
        return "rain", V("rain"), lambda world: world["rain"]
    if kind == "value":
        value, symbol = draw(st.sampled_from(LEVELS["sky"])), draw(st.sampled_from(["==", "!="]))
        quote = draw(st.sampled_from(["", "'", '"']))
        compare = COMPARE[symbol]
        return f"sky {symbol} {quote}{value}{quote}", compare(V("sky"), value), lambda w: compare(w["sky"], value)
    if kind == "within":
        values = draw(st.lists(st.sampled_from(LEVELS["sky"]), unique=True, min_size=1))
        negated = draw(st.booleans())
        event = V("sky").isin(values)
        return (
            f"sky {'not in' if negated else 'in'} {{{', '.join(values)}}}",
            ~event if negated else event,
            lambda world: (world["sky"] in values) != negated,
        )
    text, expression, value = draw(quantities())
    if kind == "compared":
        symbol, k = draw(st.sampled_from([s for s in COMPARE if s not in ("==", "!=")])), draw(st.integers(-2, 4))
        return f"{text} {symbol} {k}", COMPARE[symbol](expression, k), lambda world: COMPARE[symbol](value(world), k)
    low, high = draw(st.integers(-2, 2)), draw(st.integers(-2, 5))
    both = (expression >= low) & (expression < high)
    return f"{low} <= {text} < {high}", both, lambda world: low <= value(world) < high


def joined(parts):
    def pair(draw_two):
        (t, e, f), (u, g, h), which = draw_two
        if which == "and":
            return f"({t}) and ({u})", e & g, lambda world: f(world) and h(world)
        return f"({t}) or ({u})", e | g, lambda world: f(world) or h(world)

    return st.one_of(
        st.tuples(parts, parts, st.sampled_from(["and", "or"])).map(pair),
        parts.map(lambda part: (f"not ({part[0]})", ~part[1], lambda world: not part[2](world))),
    )


@given(st.recursive(simple(), joined, max_leaves=6))
def test_text_expression_and_python_agree(event):
    text, expression, holds = event
    expected = np.array([bool(holds(world)) for world in WORLDS]).reshape(SPACE.shape)
    for form in (read_event(text, SPACE), expression, read_event(str(expression), SPACE)):  # printed, and read again
        assert isinstance(form, Event)
        np.testing.assert_array_equal(np.broadcast_to(form.mask(SPACE), SPACE.shape), expected)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("rain and not sky == blue", {"rain": True, "sky": ["grey", "black"]}),
        ("rain = True, sky = 'blue'", {"rain": True, "sky": "blue"}),
        ("rain == 1", {"rain": True}),
        ("  sky in ('grey', black)", {"sky": {"grey", "black"}}),
        ("first in [1, 3] and second in {-1}", {"first": (1, 3), "second": -1}),
        ("first + second == 2", None),
        ("rain and\n  sky = blue\n", {"rain": True, "sky": "blue"}),
        ("True", {}),
        ("not False", {}),
    ],
)
def test_text_and_values_agree(text, said):
    mask = read_event(text, SPACE).mask(SPACE)
    if said is None:
        expected = (V("first") + V("second") == 2).mask(SPACE)
    else:
        expected = read_event(said, SPACE).mask(SPACE)
        np.testing.assert_array_equal(expected, read_event(None, SPACE, said).mask(SPACE))
    np.testing.assert_array_equal(*np.broadcast_arrays(mask, expected))


def test_precedence_is_pythons():
    joint = Joint.uniform({"a": [True, False], "b": [True, False], "c": [True, False]})
    assert joint.p("a or b and not c") == joint.p(V("a") | (V("b") & ~V("c"))) == 5 / 8
    assert joint.p("(a or b) and not c") == 3 / 8
    assert str((V("a") | V("b")) & ~V("c")) == "(a or b) and not c"
    assert str(~(V("a") & V("b"))) == "not (a and b)"


def test_values_in_every_spelling():
    joint = Joint({("sun", 1, 0.5): 0.25, ("rain", 2, 1.5): 0.75}, ["w", "k", "r"])
    for k in (2, 2.0, np.int64(2), np.float32(2)):
        assert joint.p(k=k) == 0.75
    assert joint.p(w=np.str_("sun")) == joint.p("w == sun") == joint.p("'sun' == w") == 0.25
    assert joint.p(k=np.array([1, 2])) == joint.p(k=range(1, 3)) == joint.p(k={1, 2}) == 1
    assert joint.p(w=[]) == 0
    assert joint.p("r > 1") == joint.p("1 < r") == joint.p(V("r") > 1) == 0.75
    assert joint.p("r + k > 3 or w == sun") == 1
    assert joint.p("k // 2 == 1") == joint.p("k % 2 == 0") == joint.p("k / 2 == 1") == 0.75
    assert joint.p("k + k in {2, 4}") == 1
    assert joint.p(1 + V("k") == 3) == joint.p(3 - V("k") == 1) == joint.p(2 * V("k") == 4) == joint.p(2 / V("k") == 1)
    assert joint.p("k == r") == 0
    flags = Joint({0: 0.5, 1: 0.5}, "flag")
    assert flags.p("flag") == flags.p("not flag") == 0.5


def test_a_lone_equals_sign_compares_outside_quotes():
    joint = Joint({"a=b": 0.25, "a==b": 0.75}, "x")
    assert joint.p("x = 'a=b'") == joint.p('x == "a=b"') == 0.25
    assert joint.p("x != 'a=b'") == 0.75


def test_names_that_are_no_words_of_python():
    joint = Joint.uniform({"blood type": ["A", "B"], "class": [True, False]})
    assert joint.p({"blood type": "A", "class": True}) == 0.25
    assert joint.p(V("blood type") == "A", given=V("class")) == 0.5
    assert joint.p("class") == 0.5  # a name alone is never parsed
    with pytest.raises(InputError, match="cannot read 'blood type == A'"):
        joint.p("blood type == A")


def test_whole_numbers_do_not_overflow():
    joint = Joint.uniform({"a": [2**40, 1], "b": [2**40, 1]})
    assert joint.p("a * b > 2") == 0.75
    assert joint.expectation("a * b") == pytest.approx((2.0**80 + 2 * 2.0**40 + 1) / 4)
    assert Joint.uniform({"a": [10**30, 1]}).p("a + 0 > 5") == 0.5


JOINT = Joint.uniform(LEVELS)


@pytest.mark.parametrize(
    ("event", "said"),
    [
        ("rian", "no variable 'rian'; did you mean 'rain'"),
        ("sky == blu", "sky has no value 'blu'; did you mean 'blue'"),
        ("sky in {blue, gray}", "did you mean 'grey'"),
        ({"sky": "Blue"}, "did you mean 'blue'"),
        ({"first": "1"}, "did you mean 1, the number"),
        ({"first": float("nan")}, "no value nan"),
        ({"rian": True}, "did you mean 'rain'"),
        ("blue == grey", "no variable 'blue'"),
        ("sky", "sky alone is no event"),
        ("not first", "first alone is no event"),
        ("sky < 3", "no order"),
        ("first < sky", "no order"),
        ("sky + 1 == 2", "'blue', with which one cannot calculate"),
        ("'a' * 1000000000 == sky", "'a', with which one cannot calculate"),
        ("first / second == 1", "no value in some world"),
        ("first // second == 1", "no value in some world"),
        ("first % second == 1", "no value in some world"),
        ("rain | first == 1", "could mean 'or' or 'given'"),
        ("rain & sky", "write and for &"),
        ("~rain", "write not for ~"),
        ("rain is True", "write == for is"),
        ("first ** 2 == 4", r"write x \* x"),
        ("first in second", "after in comes a set"),
        ("first + second", "is a value and not an event"),
        ("3", "cannot be used"),
        ("", "cannot read"),
        ("rain and", "cannot read"),
        ("rain\0", "cannot read"),
        ("__import__('os').system('true')", "cannot be used"),
        ("rain.__class__", "cannot be used"),
        ("(lambda: rain)()", "cannot be used"),
        ("[w for w in sky]", "cannot be used"),
        ("rain if rain else rain", "cannot be used"),
        ("first == {1: 2}", "cannot be used"),
        ("f'{rain}' == sky", "cannot be used"),
        ("sky[0] == 'b'", "cannot be used"),
        ("first == b'1'", "cannot be used"),
        ("(x := rain)", "cannot be used|cannot read"),
        ("await rain", "cannot be used|cannot read"),
        ("not " * 20_000 + "rain", "cannot read"),
        ("(" * 1000 + "rain" + ")" * 1000, "cannot read"),
        ("9" * 10_000 + " == first", "cannot read"),
        ("sky == '\\d'", "no value"),
    ],
)
def test_events_that_cannot_be_read(event, said):
    with pytest.raises(InputError, match=said) as error:
        JOINT.p(event)
    assert len(str(error.value)) < 400


@pytest.mark.parametrize(
    "make",
    [
        lambda: V("rain") and V("sky"),
        lambda: V("rain") or V("sky"),
        lambda: not V("rain"),
        lambda: 1 < V("first") < 3,
        lambda: V("first") == 1 & V("rain"),
        lambda: True | V("rain"),
        lambda: V("rain") & "sky",
        lambda: V("rain") | 1,
        lambda: V("first") == (V("second") == 1),
        lambda: V("sky").isin("blue"),
        lambda: V("first").isin(3),
        lambda: JOINT.p(5),
        lambda: JOINT.p(["rain"]),
        lambda: bool(V("first") == 1),
    ],
)
def test_python_that_does_not_mean_events(make):
    with pytest.raises(InputTypeError):
        make()


def test_impossible_conditions():
    joint = Joint({("a", 1): 0.5, ("b", 2): 0.5}, ["x", "y"])
    for condition in ("x == a and y == 2", {"x": "a", "y": 2}, (V("x") == "a") & (V("y") == 2), "False", {"x": []}):
        for ask in (joint.condition, lambda given: joint.p("x == a", given=given)):
            with pytest.raises(ImpossibleEvent, match="has probability zero"):
                ask(condition)
    assert issubclass(ImpossibleEvent, InputError)


def test_names_between_backticks():
    menu = Joint.uniform({"red meat": [True, False], "it's fish": [True, False], "or": [1, 2]})
    both = V("red meat") & (V("or") == 2)
    for text in ("`red meat` and `or` == 2", "`red meat`, `or` = 2", str(both)):
        assert menu.p(text) == menu.p(both) == 0.25
    assert menu.p("`it's fish` or `red meat`") == 0.75
    assert menu.expectation("`or` * `or`") == 2.5
    sky = Joint({"light rain": 0.25, "sun": 0.75}, "sky")
    assert sky.p("sky == `light rain`") == sky.p("sky in {`light rain`}") == 0.25


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x xor y", r"invalid syntax\. An event is made of names.*for xor write a != b"),
        ("x ^ y", "write a != b"),
        ("red meat and x", "between backticks, `red meat`, or is written V\\('red meat'\\)"),
        ("`red meet` and x", "no variable 'red meet'; did you mean 'red meat'"),
        ("`red meat and x", "between backticks"),
        ("f(`red meat`)", "'f\\(`red meat`\\)' cannot be used"),
    ],
)
def test_what_is_not_understood_is_told_with_what_is(text, said):
    joint = Joint.uniform({"x": [True, False], "y": [True, False], "red meat": [True, False]})
    with pytest.raises(InputError, match=said):
        joint.p(text)


def test_events_know_their_variables():
    event = (V("a") + 2 * V("b") > V("c")) | ~(V("d").isin([1]) & V("e"))
    assert event.names() == {"a", "b", "c", "d", "e"}
    assert (V("a") == "b").names() == {"a"}


def test_a_word_that_is_a_variable_and_a_value_is_ambiguous():
    joint = Joint.uniform({"weather": ["sun", "rain"], "rain": [True, False]})
    with pytest.raises(InputError, match="a variable and also a value of 'weather'"):
        joint.p("weather == rain")
    assert joint.p("weather == 'rain'") == joint.p("weather in {rain}") == 0.5
