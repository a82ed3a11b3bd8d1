"""Every verb has a place in the benchmark, and the calls run at a small size. Nothing here asserts a time."""

from pathlib import Path

import pytest
from bench.machine import Machine
from bench.verbs import Run, as_markdown, calls, measure, mixed_table, renewed

from likely.cli.command import VERBS
from likely.data.findings.table import examine


def test_every_verb_is_called():
    called = {words[0] for words in calls(Path("folder"))}
    assert called == set(VERBS)


def test_the_table_is_mixed_and_nothing_in_it_is_suspicious():
    found = examine(mixed_table(2_000), "y")
    assert {column.kind for column in found.columns} == {"numeric", "nominal", "binary"}
    assert any(column.missing for column in found.columns)
    assert not any(column.warning for column in found.columns)


def test_the_page_has_a_line_for_each_call():
    page = as_markdown([Run("fit data.csv", 0, 1.25, 2.5, 300_000_000)], 1_000, Machine.here())
    assert "| `likely fit data.csv` | 1.2 | 2.5 | 300 |" in page and "1,000 rows" in page


def test_some_lines_are_renewed_and_the_others_stay_in_the_order_of_the_calls():
    model, answers = Run("inspect model.likely -o answers.csv", 0, 1.0, 2.0, 3_000_000), "explain model.likely data.csv"
    before = as_markdown([model, Run(f"{answers} -o answers.csv", 0, 9.0, 9.0, 9_000_000)], 1_000, Machine.here())
    page = renewed(as_markdown([Run(model.words, 0, 4.0, 5.0, 6_000_000)], 1_000, Machine.here()), before)
    assert [line.split("`")[1].split()[1] for line in page.splitlines() if "`likely " in line] == ["explain", "inspect"]
    assert "| 4.0 | 5.0 | 6 |" in page and "| 9.0 | 9.0 | 9 |" in page and "| 1.0 |" not in page


@pytest.mark.slow
def test_the_calls_run(tmp_path):
    runs = measure(600, tmp_path)
    assert len(runs) == len(list(calls(Path("folder")))) and all(run.bytes > 0 for run in runs)
