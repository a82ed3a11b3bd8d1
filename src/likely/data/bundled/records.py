"""Records of things and texts: weather, dates, e-mails, documents, critics, tosses."""

import numpy as np

from likely.data.bundled.dataset import Dataset


def weather() -> Dataset:
    """Fourteen days: the weather, and whether the game was played.

    >>> weather().rows[0], weather().target[0]
    (('sunny', 'hot', 'high', 'false'), 'no')
    """
    days = """
        sunny hot high false no
        sunny hot high true no
        overcast hot high false yes
        rainy mild high false yes
        rainy cool normal false yes
        rainy cool normal true no
        overcast cool normal true yes
        sunny mild high false no
        sunny cool normal false yes
        rainy mild normal false yes
        sunny mild normal true yes
        overcast mild high true yes
        overcast hot normal false yes
        rainy mild high true no
    """
    rows, target = _parsed(days)
    return Dataset(
        rows,
        columns=("outlook", "temperature", "humidity", "windy"),
        target=target,
        target_name="play",
        source="Quinlan's weather data; Edinburgh notes on learning, section 6.2",
    )


def dating() -> Dataset:
    """Eight people by the first letters of height, hair and eye colour, and whether they were liked.

    >>> dating().rows[0], dating().target[0]
    (('t', 'd', 'l'), '+')
    """
    rows, target = _parsed("t d l +\ns d l +\nt b l -\nt r l -\ns b l -\nt b w +\nt d w +\ns b w +")
    return Dataset(
        rows,
        columns=("height", "hair", "eye"),
        target=target,
        target_name="preference",
        source="Penn State slides, Learning Dating Preferences",
    )


def emails() -> Dataset:
    """Eight e-mails in an alphabet of five words, of which d and e are stop words.

    >>> emails().rows[0], emails().target[0]
    (('b d e b b d e',), 'spam')
    """
    spam = ["b d e b b d e", "b c e b b d d e c c", "a d a d e a e e", "b a d b e d a b"]
    ham = ["a b a b a b a e d", "a c a c a c a e d", "e a e d a e a", "d e d e d"]
    return Dataset(
        rows=tuple((text,) for text in spam + ham),
        columns=("text",),
        target=("spam",) * 4 + ("ham",) * 4,
        names=tuple(f"e{i}" for i in range(1, 9)),
        source="a textbook chapter on probabilistic models, Example 9.5 and Table 9.1",
    )


def sport_documents(binary: bool = False) -> Dataset:
    """How often eight words occur in six documents on sport (S) and five on informatics (I); with `binary`, whether.

    >>> sport_documents().x[0], sport_documents(binary=True).x[0]
    (array([2, 0, 0, 0, 1, 2, 3, 1]), array([1, 0, 0, 0, 1, 1, 1, 1]))
    """
    sport = ["20001231", "00102100", "01010210", "10020101", "20001013", "00120021"]
    informatics = ["02100010", "11010011", "01100200", "00100010", "00001000"]
    counts = np.array([[int(digit) for digit in document] for document in sport + informatics])
    rows = np.minimum(counts, 1) if binary else counts
    return Dataset(
        rows=tuple(map(tuple, rows.tolist())),
        columns=("goal", "tutor", "variance", "speed", "drink", "defence", "performance", "field"),
        target=("S",) * 6 + ("I",) * 5,
        source="Edinburgh notes on learning, sections 7.2 and 7.4; the documents on informatics are made to have the "
        "word totals printed there",
    )


def film_critics() -> Dataset:
    """How six critics rated six films, from 0 to 10.

    >>> film_critics().names[1], film_critics().rows[1]
    ('McCarthy', (7, 5, 5, 3, 8, 8))
    """
    return Dataset(
        rows=(
            (3, 7, 4, 9, 9, 7),
            (7, 5, 5, 3, 8, 8),
            (7, 5, 5, 0, 8, 4),
            (5, 6, 8, 5, 9, 8),
            (5, 8, 8, 8, 10, 9),
            (7, 7, 8, 4, 7, 8),
        ),
        columns=("Australia", "Body of Lies", "Burn After Reading", "Hancock", "Milk", "Revolutionary Road"),
        names=("Denby", "McCarthy", "Morgenstern", "Puig", "Travers", "Turan"),
        source="Edinburgh notes on learning, section 2.2",
    )


def thumbtack() -> Dataset:
    """Five tosses of a thumbtack: head (H) or tail (T).

    >>> "".join(toss for (toss,) in thumbtack().rows)
    'HTTHH'
    """
    return Dataset(
        rows=tuple((toss,) for toss in "HTTHH"),
        columns=("toss",),
        source="Penn State slides, The Likelihood Function",
    )


def _parsed(lines: str) -> tuple[tuple[tuple[str, ...], ...], tuple[str, ...]]:
    """Attributes and, last in each line, the class."""
    records = [tuple(line.split()) for line in lines.strip().splitlines()]
    return tuple(record[:-1] for record in records), tuple(record[-1] for record in records)
