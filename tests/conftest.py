"""What all tests share: a fixed profile for hypothesis, and where the shared data lie."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

pytest.register_assert_rewrite("statistic_laws", "family_laws", "estimator_laws")  # laws say what they compared

# The same examples on every run and machine; no deadline, because the first call of a kernel compiles it.
settings.register_profile(
    "ci",
    deadline=None,
    derandomize=True,
    max_examples=25,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("ci")


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of data sets beside the repository, or the one that LIKELY_SHARED_DATA names."""
    beside = Path(__file__).parents[2] / "shared" / "data"
    folder = Path(os.environ.get("LIKELY_SHARED_DATA", beside))
    if not folder.is_dir():
        pytest.skip(f"the shared data are not at {folder}; set LIKELY_SHARED_DATA to where they are")
    return folder
