"""A sample of the attacks: the whole takes `make fuzz`."""

import pytest
from bench.fuzz.__main__ import ATTACKS, main, run
from bench.fuzz.stored import candidates, made
from bench.fuzz.trial import attacked

from likely.store import registry
from likely.store.models.nodes import _way_of

FEW = {"mutated": 300, "forged": 200, "invoked": 25, "started": 2, "signalled": 2, "mail": 200, "tables": 100}


@pytest.mark.slow
@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_finds_nothing(name, tmp_path):
    (tally,) = run(tmp_path, "sample", 120, [name], FEW.get(name, 3))
    assert tally.trials and not tally.faults


def test_what_goes_wrong_is_counted_and_can_be_repeated(tmp_path, capsys):
    def fails(chooser, folder):
        return 1 / 0 if chooser.random() < 0.5 else None

    tally = attacked("fails", fails, tmp_path, "0", 60, 20)
    assert tally.trials == 20 and 0 < tally.found < 20
    (what,) = tally.faults
    assert what.startswith("ZeroDivisionError at test_fuzz.py")
    assert main(["--again", "0/mail/3"]) == 0 and "nothing is wrong" in capsys.readouterr().out


@pytest.mark.slow
def test_every_model_that_can_be_kept_is_attacked(tmp_path):
    attacked = {stored.manifest["model"]["estimator"] for name in candidates() if (stored := made(tmp_path, name))}
    assert attacked == {name for name, kind in registry.estimators().items() if _way_of(kind) is not None}
