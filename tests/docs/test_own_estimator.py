"""The estimator on its page is what the page says: a scikit-learn classifier."""

import sys
from pathlib import Path
from types import ModuleType

import pytest

pytest.importorskip("sklearn", reason="scikit-learn is not installed")

PAGE = Path(__file__).parents[2] / "docs" / "own-estimator.md"


@pytest.mark.filterwarnings("ignore")
def test_the_estimator_of_the_page_passes_the_checks_of_scikit_learn(monkeypatch):
    from sklearn.utils.estimator_checks import check_estimator

    block = PAGE.read_text().split("```python")[1].split("```")[0]
    page = ModuleType("page_of_own_estimator")  # to be found by pickles
    monkeypatch.setitem(sys.modules, page.__name__, page)
    exec("\n".join(line[4:] for line in block.splitlines() if line[:4] in (">>> ", "... ")), vars(page))
    found = check_estimator(page.NearestMeans(), on_fail=None)
    assert len(found) > 50
    assert [check["check_name"] for check in found if check["status"] == "failed"] == []
