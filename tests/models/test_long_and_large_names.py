"""Names of classes of any length, with any character, and whole numbers of any size."""

import tracemalloc

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner

from likely import Calibrated, Decider, NaiveBayes, cross_validate, evaluate, load, save, scan
from likely.cli import likely
from likely.data.labels.target import class_array, read_target
from likely.errors import InputError, LikelyError, readable
from likely.models.any_classifier.inside import unwrap

RNG = np.random.default_rng(0)


def a_table(n=4000, name="L" * 20_000):
    y = np.array(["a", "b"], dtype=object)[RNG.integers(0, 2, n)]
    y[:3] = name
    kind = np.where(RNG.random(n) < 0.5, "up", "down").astype(object)
    kind[5:8] = "M" * 20_000
    return pl.DataFrame({"x": RNG.normal(size=n), "kind": kind.tolist(), "y": y.tolist()})


def test_one_long_label_takes_the_memory_of_one(tmp_path):
    """As texts of one width, 4,000 answers would take 320 MB each time."""
    table = a_table()
    tracemalloc.start()
    model = NaiveBayes().fit(table, "y")
    assert set(model.predict(table)) <= set(model.classes_)
    assert 0 <= model.score(table, "y") <= 1
    evaluate(model, table, "y")
    cross_validate(NaiveBayes(), table, "y", cv=3)
    Calibrated(NaiveBayes(), cv=2).fit(table, "y").predict(table)
    Decider(NaiveBayes()).fit(table, "y").predict(table)
    again = load(save(model, tmp_path / "m"))
    assert again.predict(table).tolist() == model.predict(table).tolist()
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 60e6


def test_messages_shorten_what_they_quote():
    model = NaiveBayes().fit(a_table(), "y")
    with pytest.raises(InputError, match="…") as error:
        model.forget(a_table(50, "unheard-of" * 5000), "y")
    assert len(str(error.value)) < 1000
    assert len(str(model)) < 2000
    wordy = LikelyError("class " + "many words " * 10_000 + "was never learned")
    assert len(str(wordy)) < 5000 and str(wordy).endswith("was never learned")


def test_control_characters_are_written_out():
    table = a_table(60, "\x1b[31mred\x07").rename({"x": "x\x1b[2J"})
    model = NaiveBayes().fit(table, "y")
    for text in (str(model), model.summary(), str(LikelyError("\x1b]0;title\x07"))):
        assert "\x1b" not in text and "\x07" not in text and "\\x1b" in text
    assert readable("a\u202eb\nc\td é") == "a\\u202eb\nc\td é"


@pytest.mark.parametrize(
    "names", [(2**53, 2**53 + 1), (-(2**63), 2**63 - 1), (2**63, 2**64 - 1), (-1, 2**63), (10**30, 10**30 + 1)]
)
def test_whole_numbers_beyond_2_53_stay_apart(names, tmp_path):
    y = list(names) * 5
    array = class_array(names)
    assert tuple(array.tolist()) == names
    model = NaiveBayes().fit(RNG.normal(size=(10, 1)), np.array(y, dtype=object))
    assert tuple(model.classes_.tolist()) == names
    found = load(save(model, tmp_path / "m"))
    assert tuple(found.classes_.tolist()) == names and set(found.predict([[0.0]]).tolist()) <= set(names)


def test_missing_labels_do_not_round_the_others():
    series = pl.Series([2**53, 2**53 + 1, None])
    assert read_target(series).classes == (2**53, 2**53 + 1)
    with pytest.raises(InputError, match=r"row 1 of y holds 9007199254740994 as a decimal number"):
        read_target(np.array([1.0, 2.0**53 + 2, np.nan]))


def test_the_command_reads_labels_as_text_also_where_one_is_long(tmp_path):
    """Classes of long names are kept as objects, which are texts all the same, also codes that look like numbers."""
    table, data, model = a_table(60).with_columns(pl.col("y").replace({"a": "007"})), tmp_path / "d.csv", tmp_path / "m"
    table.write_csv(data)
    run = CliRunner()
    for words in (["fit", data, "--target", "y", "-o", model], ["evaluate", model, data], ["update", model, data],
                  ["forget", model, data]):  # fmt: skip
        done = run.invoke(likely, [str(word) for word in words])
        assert done.exit_code == 0, done.output
    codes = tmp_path / "codes.csv"
    table.filter(pl.col("y") == "007").write_csv(codes)  # every label looks like a number here
    assert run.invoke(likely, ["update", str(model), str(codes)]).exit_code == 0
    learned = unwrap(load(model))
    assert dict(zip(learned.classes_.tolist(), learned.class_count_.tolist(), strict=True))["007"] == (
        2 * table["y"].to_list().count("007")
    )
    assert NaiveBayes().fit(table, "y").score(scan(codes), "y") > 0
