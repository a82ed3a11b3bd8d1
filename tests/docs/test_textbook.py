"""The page that leads from the textbook to a name names only what is public, and nothing twice by another room."""

import re
from pathlib import Path

import likely

PAGE = (Path(__file__).parents[2] / "docs" / "textbook.md").read_text()
ROOMS = [name for name in likely.__all__ if hasattr(getattr(likely, name), "__all__")]
NAMED = re.findall(rf"`({'|'.join(ROOMS)})\.(\w+)", PAGE)


def test_every_name_is_public():
    assert len(NAMED) > 120
    assert [f"{room}.{name}" for room, name in NAMED if name not in getattr(likely, room).__all__] == []


def test_estimators_and_methods_are_there():
    named = set(re.findall(r"`([A-Z]\w+)[(`]", PAGE))
    assert {"GaussianBayes", "Mixture", "NearestExemplar", "Calibrated", "NaiveBayes"} <= named <= set(likely.__all__)
    assert hasattr(likely.probability.Joint, "mutually_independent")
    assert hasattr(likely.distributions.Categorical, "of")
