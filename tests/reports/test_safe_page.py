"""A page that is safe and whole whatever the data call their columns and classes."""

import re
from html.parser import HTMLParser

import numpy as np
import polars as pl
import pytest

from likely.reports.rendering.document import Document, Picture, Section
from likely.reports.rendering.formats.page import page
from likely.reports.study import study

CLASSES = ("$k^$", "#000000", "#222222")


@pytest.fixture(scope="module")
def written() -> str:
    rng = np.random.default_rng(0)
    numbers = {"a$x^$": rng.normal(size=60), "$b_{$": rng.normal(size=60)}
    return study(pl.DataFrame({**numbers, "c": ["$p^$", "#8a8a8a"] * 30, "y": CLASSES * 20}), "y", repeats=1).html()


class _Parts(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.words.append(data)


def test_dollar_signs_and_colours_in_names_are_only_names(written):
    words = " ".join(_Parts(written).words)
    assert "Not drawn" not in words and "currentColor" not in re.sub(r"[^{}]*\{[^{}]*\}", "", words)
    for name in (*CLASSES, "a$x^$", "$b_{$"):
        assert name in words
    drawn = " ".join(re.findall(r"<text[^>]*>([^<]*)</text>", written))
    assert all(name in drawn for name in CLASSES)


def test_the_page_keeps_to_a_policy_that_allows_nothing_from_outside(written):
    parts = _Parts(written)
    policies = [told["content"] for tag, told in parts.tags if told.get("http-equiv") == "Content-Security-Policy"]
    rules = dict(rule.split(" ", 1) for rule in policies[0].split("; "))
    assert len(policies) == 1 and rules["default-src"] == "'none'" and "script-src" not in rules
    assert rules["base-uri"] == rules["form-action"] == "'none'"
    head = written[: written.index("<style")]
    assert "Content-Security-Policy" in head and "<script" not in written
    assert not {"script", "link", "iframe", "object", "embed", "form", "base"} & {tag for tag, _ in parts.tags}
    for tag, told in parts.tags:
        assert not [name for name in told if name.startswith("on")]
        for name in ("src", "href", "xlink:href", "action"):
            assert (told.get(name) or "#").startswith(("#", "data:image/")), (tag, told)
    assert all(place.startswith("#") for place in re.findall(r"url\(['\"]?([^)'\"]*)", written))
    assert "@import" not in written


def test_what_cannot_be_drawn_for_any_reason_does_not_lose_the_page():
    def fails(ax):
        raise ZeroDivisionError("nothing to draw")

    text = page(Document("t", "s", ["a"], False, [Section("x", [Picture(fails, "a picture")])]))
    assert "Not drawn (a picture): nothing to draw" in text
