"""The text that HTML shows, in time linear in its length, whatever is wrong with it.

Tags and comments go, and with them what stands inside script and style; entities are decoded. Elements that flow
within a line (b, span, a, font and their like) leave nothing behind, so that "V<b>ia</b>gra" is one word; all others,
also unknown ones, end the line. The alternative text of a picture is kept. A tag, a comment or a script that is
never closed swallows nothing: what follows it is text.

The standard library's parser is not used: in many versions of Python it takes quadratic time on "<a" or "<!" repeated.
"""

import html
import re
from dataclasses import dataclass

_WITHIN_A_LINE = frozenset(
    {"a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font", "i", "ins"}
    | {"kbd", "label", "mark", "nobr", "o:p", "q", "s", "samp", "small", "span", "strike", "strong", "sub", "sup"}
    | {"time", "tt", "u", "var", "wbr"}
)
_OPENING = re.compile(r"<(?=[A-Za-z!?]|/[A-Za-z])")
_CLOSING = {name: re.compile(rf"</{name}(?=[\s/>])[^<>]*>", re.IGNORECASE) for name in ("script", "style")}
# Possessive quantifiers never go back, so a failure costs one look at the rest. A quote counts after "=" only.
_TAG = re.compile(r"""</?([A-Za-z][^\s/>]*+)((?:[^>"'=]++|=\s*+(?:"[^"]*+"|'[^']*+')?+|["'])*+)>""")
_SHORT_TAG = re.compile(r"</?([A-Za-z][^\s/>]*+)([^>]*+)>")
_ALTERNATIVE = re.compile(r"""\balt\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s"'>]++))""", re.IGNORECASE)
_TARGET = re.compile(r"""\bhref\s*+=\s*+["']?\s*+(?:https?:|www\.|//)""", re.IGNORECASE)
_HUGE_REFERENCE = re.compile(r"&#(?:[0-9]{8,}+|[xX][0-9a-fA-F]{8,}+);?")
_BLANKS = re.compile(r"[^\S\n]+")
_LINES = re.compile(r" ?\n[ \n]*")


@dataclass(frozen=True)
class Shown:
    """What a page shows."""

    text: str
    links: int  # to other places on the web


def shown_text(page: str) -> Shown:
    """The text of a page of HTML, and how many links it has.

    >>> shown_text("<p>V<b>ia</b>gra &amp; more<p><a href='http://x.org'>click</a><style>p {color: red}</style> here")
    Shown(text='Viagra & more\\nclick\\nhere', links=1)
    >>> shown_text("1 < 2 <img src=a.png alt='two > one'> <!-- never closed")
    Shown(text='1 < 2\\ntwo > one\\n<!-- never closed', links=0)
    """
    scanner, pieces = _Scanner(page), list[str]()
    here, opening = 0, _OPENING.search(page)
    while opening and (start := opening.start()) < scanner.last:
        end = scanner.end_of_markup(start)
        if end > start:
            pieces += (_unescaped(page[here:start]), scanner.left)
            here = end
        opening = _OPENING.search(page, max(end, start + 1))
    pieces.append(_unescaped(page[here:]))
    return Shown(_LINES.sub("\n", _BLANKS.sub(" ", "".join(pieces))).strip(), scanner.links)


class _Scanner:
    """Finds where markup ends, and remembers what is never closed, so that it does not look for its end again."""

    def __init__(self, page: str) -> None:
        self.page = page
        self.last = page.rfind(">")
        self.left = ""  # what the latest markup leaves behind
        self.links = 0
        self._tag = _TAG
        self._unclosed: set[str] = set()  # comments and elements that are not closed any more

    def end_of_markup(self, start: int) -> int:
        """Where the markup that begins here ends; `start` itself if it is none."""
        self.left = ""
        if self.page.startswith("<!--", start):
            return self._end_of_comment(start)
        if self.page[start + 1] in "!?":
            return self.page.find(">", start) + 1
        found = self._tag.match(self.page, start)
        if found is None and self._tag is _TAG and _SHORT_TAG.match(self.page, start):
            self._tag = _SHORT_TAG  # no ">" stands outside quotes: from here on quotes mean nothing
            found = _SHORT_TAG.match(self.page, start)
        return start if found is None else self._end_of_element(found)

    def _end_of_comment(self, start: int) -> int:
        end = -1 if "--" in self._unclosed else self.page.find("-->", start + 4)
        if end < 0:
            self._unclosed.add("--")
            return start
        return end + 3

    def _end_of_element(self, tag: re.Match[str]) -> int:
        name, attributes = tag[1].lower(), tag[2]
        self.left = "" if name in _WITHIN_A_LINE else "\n"
        if name in ("a", "area") and _TARGET.search(attributes):
            self.links += 1
        if name == "img" and (found := _ALTERNATIVE.search(attributes)):
            self.left = f"\n{_unescaped(found[found.lastindex or 0])}\n"
        if name not in _CLOSING or name in self._unclosed or tag[0].startswith("</"):
            return tag.end()
        closing = _CLOSING[name].search(self.page, tag.end())
        if closing is None:
            self._unclosed.add(name)
            return tag.end()
        return closing.end()


def _unescaped(text: str) -> str:
    """Entities as the characters that they stand for."""
    if "&" not in text:
        return text
    return html.unescape(_HUGE_REFERENCE.sub("\ufffd", text))  # Python refuses to read numbers of thousands of digits
