"""What all tests share: a fixed profile for hypothesis, and where the shared data lie."""

import os
from collections import defaultdict
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# The same examples on every run and machine; no deadline, because the first call of a kernel compiles it.
settings.register_profile(
    "ci",
    deadline=None,
    derandomize=True,
    max_examples=15,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("thorough", settings.get_profile("ci"), max_examples=100)
THOROUGH = os.environ.get("LIKELY_TESTS") == "thorough"  # as `make test-all` has it
settings.load_profile("thorough" if THOROUGH else "ci")


@pytest.fixture(scope="session")
def examples():
    """How many examples to try: a few in `make test`, many in `make test-all`."""
    return lambda few, many: many if THOROUGH else few


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of data sets beside the repository, or the one that LIKELY_SHARED_DATA names."""
    beside = Path(__file__).parents[2] / "shared" / "data"
    folder = Path(os.environ.get("LIKELY_SHARED_DATA", beside))
    if not folder.is_dir():
        pytest.skip(f"the shared data are not at {folder}; set LIKELY_SHARED_DATA to where they are")
    return folder


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Of a test marked `sample(n)`, all but n cases, spread evenly, are slow: `make test` takes a sample."""
    cases = defaultdict(list)
    for item in items:
        if "examples" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.thorough)
        if mark := item.get_closest_marker("sample"):
            cases[item.nodeid.partition("[")[0], mark.args[0]].append(item)
    for (_, quick), listed in cases.items():
        kept = {round(i * (len(listed) - 1) / max(quick - 1, 1)) for i in range(quick)}
        for place, item in enumerate(listed):
            if place not in kept:
                item.add_marker(pytest.mark.slow)
