"""The laws hold where every batch is sent: functions, batches and statistics travel through pickle (`sending`)."""

import pytest
from tests.engines.sending import Pickled

from likely.engines import use


@pytest.fixture(autouse=True)
def sending():
    with use(Pickled()):
        yield
