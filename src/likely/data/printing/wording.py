"""Numbers and names in sentences."""

from collections.abc import Callable, Sequence

from likely.errors import readable

_LONGEST = 60  # characters of a name, a cell or a word


def shortened(text: str, most: int = _LONGEST) -> str:
    """The beginning of a text that is too long to be shown, control characters written out.

    >>> shortened("short"), shortened("a" * 50_000, 6), shortened("\\x1b[0m")
    ('short', 'aaaaa…', '\\\\x1b[0m')
    """
    return readable(text if len(text) <= most else f"{text[: most - 1]}…")


def counted(number: int, noun: str, nouns: str = "") -> str:
    """A number of things.

    >>> counted(1, "row"), counted(1200, "row"), counted(2, "class", "classes")
    ('1 row', '1,200 rows', '2 classes')
    """
    return f"{number:,} {noun if number == 1 else nouns or noun + 's'}"


def amount(number: float) -> str:
    """How many there are: whole, or a sum of weights to a digit; never as a power of ten.

    >>> amount(3_000_000), amount(12.5), amount(9.6768), amount(0.042), amount(1234567.8)
    ('3,000,000', '12.5', '9.7', '0.042', '1,234,568')
    """
    whole = float(number).is_integer() or abs(number) >= 100_000
    return f"{number:,.0f}" if whole else f"{number:,.1f}" if abs(number) >= 1 else f"{number:.2g}"


def listed(names: Sequence[str]) -> str:
    """Names in a sentence.

    >>> listed(["a"]), listed(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def percentage(count: float, of: float) -> str:
    """A share with a digit, and never 0 of something.

    >>> percentage(11, 344), percentage(11, 1_000_000), percentage(0, 9)
    ('3.2 %', 'under 0.1 %', '0 %')
    """
    share = count / max(of, 1)
    return "0 %" if not count else "under 0.1 %" if share < 0.0005 else f"{100 * share:.1f} %"


def without_a_value(names: Sequence[str]) -> str:
    """That columns are empty, and what follows.

    >>> without_a_value(["a"])
    "column 'a' has no value in any row: it says nothing, and its mean is given as 0"
    """
    column, have, says, mean = (
        ("column", "has", "it says", "its mean is") if len(names) == 1 else ("columns", "have", "they say", "means are")
    )
    return f"{column} {quoted(names)} {have} no value in any row: {says} nothing, and {mean} given as 0"


def one_by_one(tell: Callable[[int], str], rows: int, most: int, noun: str = "row") -> str:
    """What is told of each of so many rows, of the first ones where there are too many to read.

    >>> print(one_by_one(lambda row: f"row {row}", 4, 2))
    row 0
    row 1
    ... and 2 more rows
    """
    more = [f"... and {counted(rows - most, f'more {noun}', f'more {noun}s' if noun != 'query' else 'more queries')}"]
    return "\n".join([*map(tell, range(min(rows, most))), *(more if rows > most else [])])


def quoted(names: Sequence[str], most: int = 20, longest: int = 60) -> str:
    """Names for a message, not more and not longer than can be read.

    >>> quoted([f"x{j}" for j in range(400)], 3)
    "'x0', 'x1', 'x2' and 397 more"
    """
    shown = ", ".join(repr(name if len(name) <= longest else f"{name[:longest]}...") for name in names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most:,} more"
