"""The hour of a date is a number, not a count of hours."""

from datetime import datetime, timedelta

import polars as pl

from likely.data.features.dates import with_parts
from likely.data.findings.table import examine


def test_an_hour_is_no_count():
    when = [datetime(2024, 1, 1) + timedelta(hours=8 * i) for i in range(60)]
    frame = with_parts(pl.DataFrame({"when": when, "late": ["yes", "no"] * 30}), {})
    assert examine(frame, "late").kinds["when: hour"] == "numeric"
