"""Every workload runs and gives right answers at small sizes. Nothing here asserts a time."""

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from bench.__main__ import _command, main
from bench.machine import Machine
from bench.measure import Measured, Result, Times, in_turns, run
from bench.memory import extra_memory, rise
from bench.peers import SuitedThreads
from bench.quality import Quality, Scores
from bench.registry import Step, all_workloads
from bench.report import as_markdown, reading

WORKLOADS = all_workloads()
only_linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux keeps a high-water mark that can be reset")


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.slow) if n.startswith("cv-") else n for n in WORKLOADS]
)
def test_answers_at_small_sizes(name):
    workload = WORKLOADS[name]
    if not workload.available:
        pytest.skip(f"{workload.needs} is not here")
    result = run(workload, repeats=1, quick=True, say=lambda line: None)
    assert result.complaints == ()
    assert 0.6 < result.quality.likely.accuracy < 0.995  # neither hopeless nor trivial
    if workload.group not in ("Cross-validation", "Scores judged and calibrated"):
        assert result.steps[0].name == "fit"


def test_other_posteriors_are_a_complaint():
    same = Quality(Scores(0.8, 0.5), Scores(0.8, 0.5), "rows", difference=1e-12)
    assert WORKLOADS["gaussian"].complaints(same) == []
    assert WORKLOADS["gaussian"].complaints(replace(same, difference=1e-6)) != []
    assert WORKLOADS["gaussian"].complaints(replace(same, difference=float("nan"))) != []


def test_a_worse_log_loss_is_a_complaint_where_the_models_differ():
    better = Quality(Scores(0.8, 0.5), Scores(0.8, 0.6), "rows", difference=None)
    assert WORKLOADS["mixed"].complaints(better) == []
    assert WORKLOADS["mixed"].complaints(replace(better, likely=Scores(0.9, 0.7))) != []


def test_quality_is_that_of_the_posteriors():
    likely = np.array([[0.75, 0.25], [0.5, 0.5], [0.125, 0.875]])
    peer = np.array([[0.5, 0.5], [0.25, 0.75], [0.25, 0.75]])
    quality = Quality.of(["a", "a", "b"], likely, peer, np.array(["a", "b"]), "rows")
    assert quality.difference == 0.25
    assert quality.likely == Scores(1.0, pytest.approx(-np.log(0.75 * 0.5 * 0.875) / 3))
    assert quality.peer.accuracy == pytest.approx(2 / 3)


def test_sides_take_turns_after_a_round_that_is_not_counted():
    calls = []
    step = Step("fit", lambda: calls.append("likely"), lambda: calls.append("peer"))
    times = in_turns(step, lambda: calls.append("read"), repeats=3)
    assert calls == ["likely", "peer", "read"] * 4
    assert len(times.likely) == len(times.peer) == len(times.one_read) == 3


@pytest.mark.parametrize("alone_is_quicker", [True, False])
def test_a_peer_runs_with_the_threads_that_suit_it(alone_is_quicker, monkeypatch):
    from threadpoolctl import threadpool_info

    def threads():
        return max(pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas")

    monkeypatch.setattr(SuitedThreads, "_seconds", lambda self, limit: 1.0 if (limit == 1) == alone_is_quicker else 2.0)
    before = threads()
    job = SuitedThreads(threads)
    assert job() == job() == (1 if alone_is_quicker else before)
    assert threads() == before


def test_ratios_are_of_medians():
    times = Times(likely=(1.0, 2.0, 30.0), peer=(10.0, 8.0, 90.0), one_read=(0.5, 0.5, 4.0))
    assert times.faster == 5.0
    assert times.spread == (3.0, 10.0)
    assert (times.reads("likely"), times.reads("peer")) == (4.0, 20.0)


@pytest.mark.parametrize(
    ("peer", "target", "words"),
    [
        (8.0, 4, "8 times faster than GaussianNB(var_smoothing=0); the target of 4 is met"),
        (8.0, 10, "8 times faster than GaussianNB(var_smoothing=0); the target of 10 is NOT met"),
        (0.5, None, "NOT faster: 2 times as long as GaussianNB(var_smoothing=0)."),
    ],
)
def test_the_page_says_where_likely_falls_short(peer, target, words):
    step = Measured("fit", target, Times((1.0,), (peer,), (0.25,)), 3_000_000, 480_000_000)
    quality = Quality(Scores(0.8, 0.5), Scores(0.8, 0.5), "10 rows", difference=1e-12)
    result = Result(WORKLOADS["gaussian"], (step,), quality, ())
    page = as_markdown([result], Machine.here(), "make bench", repeats=1, quick=False)
    assert words in reading(step, result)
    assert "4 reads of the data and 3 MB of memory (the peer 480 MB)" in page
    summary = page.split("## Naive Bayes")[0]
    assert ("gaussian, fit" in summary) == (peer < max(1, target or 0))
    rows = [line for line in page.splitlines() if line.startswith("|")]
    assert len({line.count("|") for line in rows[:3]}) == 1


@only_linux
def test_memory_outside_python_is_seen():
    size = 64 << 20
    assert rise(lambda: np.ones(size // 8)) == pytest.approx(size, rel=0.1)
    assert rise(lambda: None) < size / 10


@pytest.mark.slow
@only_linux
def test_memory_is_measured_in_a_process_apart():
    steps = extra_memory("iris", "likely", quick=True)
    assert len(steps) == 2
    assert all(0 <= peak < 100e6 for peak in steps)


def test_the_page_says_how_busy_the_machine_was():
    """By its load: no sentence of being busy beside a load that says another thing."""
    here = Machine.here()
    busy = as_markdown([], replace(here, load=1.5, cores=2), "make bench", 1, False)
    assert "Other work took 1.5 of 2 cores" in busy and "Load of the machine when the run began: 1.5" in busy
    assert "Other work" not in as_markdown([], replace(here, load=0.2, cores=2), "make bench", 1, False)


def test_the_page_names_the_command_without_a_path():
    assert (
        _command(["--only", "iris", "--write", "docs/iris.md"], Path("docs/iris.md")) == "python -m bench --only iris"
    )
    assert _command([], None) == "make bench"


def test_the_command(tmp_path, capsys):
    assert main(["--list"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == list(WORKLOADS)
    page = tmp_path / "page.md"
    assert main(["--quick", "--only", "iris", "--repeats", "1", "--write", str(page)]) == 0
    text = page.read_text()
    assert "A smoke test at small sizes" in text
    assert "| iris | fit |" in text
    assert "--only iris" in text
    assert "gaussian" not in text
    with pytest.raises(SystemExit) as stop:
        main(["--only", "gausian"])
    assert stop.value.code == 2
    assert "did you mean 'gaussian'?" in capsys.readouterr().err
