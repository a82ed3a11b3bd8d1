"""Numbers and names in sentences."""

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
