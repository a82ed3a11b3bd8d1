"""Events as text and as values by name.

    "cavity and not toothache or weather in {'sun', 'rain'}"
    "2 <= first < 5 and first + second == 7"
    "cavity = True, weather = sun"               = compares as == does, a comma means and, quotes may be left out
    "`red meat` and not fish"                    a name that is not one word stands between backticks
    {"cavity": True, "weather": {"sun", "rain"}}

The text is read by Python's parser and never run: names, numbers, texts, lists of them, `and`, `or`, `not`,
comparisons, `in` and the four kinds of calculation are all that it may hold.
"""

import ast
import re
import warnings
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from likely.errors import InputError, InputTypeError
from likely.probability.events.event import Compared, Computed, Constant, Event, Every, Not, Quantity, Some, V, Within
from likely.probability.events.sample_space import SampleSpace

EventLike: TypeAlias = Event | Mapping[str, Any] | str | None

_LONG = 60  # characters of an event that a message repeats
_SYMBOLS: dict[type[ast.AST], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
}
_UNDERSTOOD = (
    "an event is made of names, values, and, or, not, ==, !=, <, <=, >, >=, in {...}, +, -, *, / and brackets; "
    "for xor write a != b"
)
_INSTEAD = {
    ast.BitOr: "| could mean 'or' or 'given'; write or, or put the condition in given=",
    ast.BitAnd: "write and for &",
    ast.Invert: "write not for ~",
    ast.Is: "write == for is",
    ast.IsNot: "write != for is not",
    ast.Pow: "write x * x for x ** 2",
    ast.BitXor: "write a != b for a ^ b",
}


def read_event(event: EventLike, space: SampleSpace, values: Mapping[str, Any] | None = None) -> Event:
    """An event from any of its forms, and from values by name, over the variables of a space.

    >>> space = SampleSpace.of({"cavity": [True, False], "weather": ["sun", "rain", "snow"]})
    >>> print(read_event("not cavity or weather in {rain, snow}", space))
    not cavity or weather in {'rain', 'snow'}
    >>> print(read_event(None, space, {"cavity": True, "weather": ["sun", "snow"]}))
    cavity == True and weather in {'sun', 'snow'}
    """
    parts = [] if event is None else [_whole(event, space)]
    parts += [_value(space, name, value) for name, value in (values or {}).items()]
    return parts[0] if len(parts) == 1 else Every(tuple(parts))


def read_quantity(of: str, space: SampleSpace) -> Quantity | Event:
    """What a text says of a world: a value or an event."""
    if of in space.names:  # also a name that Python could not read
        return V(of)
    return _Reader(of, space).read()


def _whole(event: object, space: SampleSpace) -> Event:
    if isinstance(event, Event):
        return event
    if isinstance(event, Mapping):
        return Every(tuple(_value(space, name, value) for name, value in event.items()))
    if isinstance(event, str):
        found = read_quantity(event, space)
        if isinstance(found, Event):
            return found
        raise InputError(f"{shown(event)} is a value and not an event; compare it with something")
    raise InputTypeError(f"an event is a text, values by name or an expression of V('name'), got {event!r}")


def _value(space: SampleSpace, name: Any, value: Any) -> Event:
    """That a variable has a value, or one of several; a value of the variable comes before a list of values."""
    space.axis(name)
    several = isinstance(value, Iterable) and not isinstance(value, str | bytes)
    if several and not space.has(name, value):
        return Within(V(name), tuple(value))
    return Compared("==", V(name), Constant(value))


class _Reader:
    """From the parsed text to events; every kind of node that is not named here is refused."""

    def __init__(self, text: str, space: SampleSpace) -> None:
        self.text, self.space = text, space
        self.names: dict[str, str] = {}  # what stood between backticks, by the word that stands for it

    def read(self) -> Quantity | Event:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of the parser, about escapes and odd comparisons
                body = ast.parse(self.words().replace("\n", " ").strip(), mode="eval").body
            if isinstance(body, ast.Tuple) and body.elts:
                return Every(tuple(self.event(part) for part in body.elts))
            if isinstance(body, ast.Name | ast.BinOp):
                return self.quantity(body)
            return self.event(body)
        except SyntaxError as error:
            raise InputError(
                f"cannot read {shown(self.text)} as an event: {error.msg[:100]}. {self.advice()}"
            ) from None
        except (RecursionError, MemoryError, ValueError) as error:
            if isinstance(error, InputError):
                raise
            raise InputError(f"cannot read an event of {len(self.text)} characters: {error}") from None

    def words(self) -> str:
        """The text with == for a lone = and a word for every name between backticks, outside quotes."""
        parts = re.split(r"""('[^']*'|"[^"]*"|`[^`]*`)""", self.text)
        return "".join(self.word(p) if i % 2 else re.sub(r"(?<![=!<>])=(?!=)", "==", p) for i, p in enumerate(parts))

    def word(self, part: str) -> str:
        if not part.startswith("`"):
            return part
        word = f"_name_{len(self.names)}"
        while word in self.text or word in self.space.names:
            word += "_"
        self.names[word] = part[1:-1]
        return word

    def advice(self) -> str:
        """What to write instead of a text that Python cannot read."""
        odd = next(
            (n for n in self.space.names if not n.isidentifier() and n in self.text and f"`{n}`" not in self.text), None
        )
        if odd is not None:
            return f"A name that is not one word stands between backticks, `{odd}`, or is written V({odd!r})."
        return f"{_UNDERSTOOD[0].upper()}{_UNDERSTOOD[1:]}."

    def event(self, node: ast.expr) -> Event:
        match node:
            case ast.BoolOp(op=op, values=parts):
                found = tuple(self.event(part) for part in parts)
                return Every(found) if isinstance(op, ast.And) else Some(found)
            case ast.UnaryOp(op=ast.Not(), operand=part):
                return Not(self.event(part))
            case ast.Compare(left=left, ops=symbols, comparators=others):
                sides = [left, *others]
                links = [self.comparison(sides[i], symbol, sides[i + 1]) for i, symbol in enumerate(symbols)]
                return links[0] if len(links) == 1 else Every(tuple(links))
            case ast.Name(id=word):
                name = self.names.get(word, word)
                self.space.axis(name)
                return V(name)
            case ast.Constant(value=bool(value)):
                return Every(()) if value else Some(())
        raise self.refused(node)

    def comparison(self, left: ast.expr, symbol: ast.cmpop, right: ast.expr) -> Event:
        if isinstance(symbol, ast.In | ast.NotIn):
            if not isinstance(right, ast.Set | ast.List | ast.Tuple):
                raise self.refused(right, "after in comes a set or a list of values, {1, 2}")
            within = Within(self.quantity(left), tuple(self.literal(part) for part in right.elts))
            return within if isinstance(symbol, ast.In) else Not(within)
        if type(symbol) not in _SYMBOLS:
            raise self.refused(symbol)
        sides = [self.quantity(side, text=True) for side in (left, right)]
        self.check_ambiguous(*sides)
        if not any(_has_variable(side) for side in sides):  # two words: the first was meant as a variable
            sides[0] = self.quantity(left)
        return Compared(_SYMBOLS[type(symbol)], sides[0], sides[1])

    def check_ambiguous(self, left: Quantity, right: Quantity) -> None:
        """Refuse a word that is a variable and also a value of the variable that it is compared with."""
        if not (isinstance(left, V) and isinstance(right, V)):
            return
        for one, other in ((left.name, right.name), (right.name, left.name)):
            if other in self.space.levels[self.space.axis(one)]:
                raise InputError(
                    f"in the event {shown(self.text)}, {other!r} is a variable and also a value of {one!r}: write "
                    f"{one} == '{other}' for the value, or V({one!r}) == V({other!r}) for the two variables"
                )

    def quantity(self, node: ast.expr, text: bool = False) -> Quantity:
        match node:
            case ast.Name(id=word):
                name = self.names.get(word, word)
                if text and name not in self.space.names:
                    return Constant(name)
                self.space.axis(name)
                return V(name)
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _SYMBOLS:
                return Computed(_SYMBOLS[type(op)], self.quantity(left), self.quantity(right))
            case ast.BinOp():
                raise self.refused(node)
        return Constant(self.literal(node))

    def literal(self, node: ast.expr) -> Any:
        match node:
            case ast.Constant(value=bool() | int() | float() | str() | None as value):
                return value
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
                return -value
            case ast.Name(id=word):
                return self.names.get(word, word)
            case ast.Tuple(elts=parts):
                return tuple(self.literal(part) for part in parts)
        raise self.refused(node)

    def refused(self, node: ast.AST, instead: str | None = None) -> InputError:
        kind = node.op if isinstance(node, ast.UnaryOp | ast.BinOp) else node
        part = ast.unparse(node) if isinstance(node, ast.expr) else type(node).__name__
        for word, name in self.names.items():
            part = part.replace(word, f"`{name}`")
        advice = instead or _INSTEAD.get(type(kind), _UNDERSTOOD)
        return InputError(f"in the event {shown(self.text)}, {shown(part)} cannot be used: {advice}")


def shown(text: str) -> str:
    """A text as a message quotes it: its beginning, if it is long."""
    return repr(text if len(text) <= _LONG else text[:_LONG] + "...")


def _has_variable(side: Quantity) -> bool:
    return isinstance(side, V) or (
        isinstance(side, Computed) and (_has_variable(side.left) or _has_variable(side.right))
    )
