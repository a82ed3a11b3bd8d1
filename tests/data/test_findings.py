"""What is found in a table: planted faults are found, real tables are judged as their makers describe them."""

import json
from datetime import date, timedelta

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likely import NaiveBayes
from likely.data.findings.leaks import error_alone
from likely.data.findings.table import examine
from likely.data.frames.tables import read_table
from likely.errors import InputError, LikelyError

N = 200
RNG = np.random.default_rng(0)
Y = RNG.choice(["no", "yes"], N)
BASE = {"size": RNG.normal(size=N), "spots": RNG.poisson(1.0, N) * 2, "y": Y}


def found(**columns):
    return {c.name: c for c in examine({**BASE, **columns}, "y").columns}


PLANTED = {
    "row": (np.arange(N), "identifier", False),
    "code": ([f"k{i}" for i in range(N)], "identifier", False),
    "user_id": (RNG.permutation(10 * N)[:N], "identifier", False),
    "account": (RNG.permutation(10**6)[:N], "perhaps identifier", True),
    "same": ([1] * N, "constant", False),
    "nothing": ([None] * N, "empty", False),
    "again": (BASE["spots"], "duplicate", True),
    "renamed": ([f"s{v}" for v in BASE["spots"]], "duplicate", True),
    "result": (np.where(Y == "yes", 1, 0), "leak", True),
    "score": ((Y == "yes") + RNG.normal(scale=0.05, size=N), "leak", True),
    "day": ([date(2001, 1, 1) + timedelta(days=int(i)) for i in RNG.integers(0, 900, N)], "date", True),
    "written": ([f"2001-0{1 + i % 9}-11" for i in range(N)], "date", True),
    "weight": ([f"{i % 30} kg" for i in range(N)], "number as text", True),
    "price": ([f"{i % 30},5" for i in range(N)], "number as text", True),
    "gaps": (["?" if i % 9 == 0 else str(i % 30) for i in range(N)], "number as text", True),
    "answer": (RNG.choice(["Yes", "yes", "no"], N), "mixed case", True),
    "lists": ([[1, 2]] * N, "nested", False),
    "split": (RNG.choice(["train", "test"], N), "split", True),
    "far": ([np.inf, *RNG.normal(size=N - 1)], "infinite", True),
}


@pytest.mark.parametrize("name", PLANTED)
def test_planted_faults_are_found(name):
    values, warning, used = PLANTED[name]
    columns = found(**{name: pl.Series(name, values)})
    assert (columns[name].warning, columns[name].used) == (warning, used)
    assert columns[name].words
    assert columns["size"].warning is None


def test_levels_that_differ_in_case_are_named_together():
    words = found(answer=pl.Series(RNG.choice(["Yes", "yes", "no"], N)))["answer"].words
    assert words == "'Yes' and 'yes' differ only in case or blanks: are they the same?"


def test_all_together_and_prepared():
    table = pl.DataFrame({**BASE, **{name: pl.Series(name, values) for name, (values, _, _) in PLANTED.items()}})
    table = table.with_columns(y=pl.Series([None, *Y[1:]]))
    findings = examine(table, "y")
    assert findings.unlabelled == 1
    assert "1 of 200 rows have no label" in findings.notes[0]
    assert set(findings.left_out) == {name for name, (_, _, used) in PLANTED.items() if not used}
    out = findings.prepared(table, keep=["code"])
    assert set(out.columns) == {*findings.usable, "code", "y"}
    assert out.height == N - 1
    assert out["day"][0] == (table["day"][1] - date(1970, 1, 1)).days
    assert out["written"][0] == (date.fromisoformat(table["written"][1]) - date(1970, 1, 1)).days
    assert findings.prepared(table.drop("y")).columns == list(findings.usable)
    assert findings.frame().height == len(findings.columns)
    assert all(c.name in str(findings) and c.why in str(findings) for c in findings.columns)
    with pytest.raises(InputError, match="row 3: 'soon' is not a date"):
        findings.prepared(table.with_columns(written=pl.Series(["2001-01-11"] * 3 + ["soon"] * (N - 3))))
    with pytest.raises(InputError, match="lacks the column 'size'"):
        findings.prepared(table.drop("size"))


NAMES = st.one_of(
    st.sampled_from(
        ["count", "rows", "len", "times", "literal", "index", "value", "plain", "row", "class", "", " ", "x" * 900,
         'a"b', "a'b", "a\nb", "a,b", "^a", "a$", "*", "^.*$", "column_0", "c0"]
    ),
    st.text(max_size=6),
)  # fmt: skip


@given(st.lists(NAMES, min_size=4, max_size=4, unique=True))
def test_any_names_of_columns_are_judged_as_plain_ones_are(names):
    number, text, mixed, target = names
    values = (BASE["size"], RNG.choice(["low", "high"], N), ["Yes", "yes", "no", "?"] * (N // 4), Y)
    plain = examine(dict(zip(("a", "b", "c", "d"), values, strict=True)), "d")
    table = pl.DataFrame(dict(zip(names, values, strict=True)))
    if any(name == "*" or (name[:1] == "^" and name[-1:] == "$") for name in names):
        with pytest.raises(InputError, match=r"pattern.*Rename"):
            examine(table, target)
        return
    findings = examine(table, target)
    assert [c.name for c in findings.columns] == [number, text, mixed]
    assert findings.classes == plain.classes and findings.columns[2].words == plain.columns[2].words
    assert findings.prepared(table).columns == [*findings.usable, target]
    lines = str(findings).splitlines()
    assert len(lines) == len(str(plain).splitlines()) or findings.left_out
    assert max(map(len, lines)) < 300


def test_extreme_numbers_are_missing_cells():
    huge, wide = BASE["size"].copy(), BASE["size"].copy()
    huge[:3], wide[:2], wide[2] = 1e160, np.inf, -np.inf
    table = pl.DataFrame({**BASE, "huge": huge, "wide": wide, "none": [np.inf] * N})
    findings = examine(table, "y")
    columns = {c.name: c for c in findings.columns}
    assert columns["huge"].words == (
        "holds 3 numbers beyond 1e+152, too large to be squared; treated as missing, so rescale the column."
    )
    assert columns["wide"].words == "holds 3 infinite numbers; they are treated as missing."
    assert columns["wide"].missing == columns["huge"].missing == 3
    assert columns["none"].warning == "empty" and not columns["none"].used
    out = findings.prepared(table)
    for name, values in (("huge", huge), ("wide", wide)):
        assert out[name].null_count() == 3
        assert np.array_equal(out[name].drop_nulls().to_numpy(), values[3:])
    assert NaiveBayes().fit(out, "y").score(out, "y") > 0.4
    small = pl.DataFrame({"x": pl.Series([np.inf, 1.5, 2.5] * 20, dtype=pl.Float32), "y": ["a", "b"] * 30})
    assert examine(small, "y").prepared(small)["x"].null_count() == 20


def test_many_levels_that_occur_once_are_said():
    once = [f"t{i}" if i < 120 else f"t{i % 40}" for i in range(N)]
    column = found(ticket=once)["ticket"]
    assert column.warning == "many levels" and column.used
    assert "80 of 120 occur once" in column.words
    assert found(ticket=[f"t{i % 100}" for i in range(N)])["ticket"].warning is None
    assert found(ticket=[f"t{i % 110}" for i in range(N)])["ticket"].warning is None  # most occur twice


def test_prose_is_told_from_levels():
    prose = [f"the patient number {i} came in with a light cough" for i in range(N)]
    column = found(prose=prose)["prose"]
    assert column.kind == column.family == "text" and column.used and not column.warning
    assert column.why == "text of 10 words on average, 200 different in 200 cells"
    assert found(kinds=["a level of many words"] * 100 + ["another level of words"] * 100)["kinds"].kind == "nominal"
    assert found(prose=[*prose[:150], *[None] * 50])["prose"].kind == "text"
    assert found(place=[f"Hill Road {i % 150}" for i in range(N)])["place"].kind == "nominal"  # too short


def test_a_message_lists_few_columns():
    wide = {f"column{j}": [1.5] for j in range(500)}
    with pytest.raises(InputError) as refusal:
        examine(wide, "zz")
    assert "and 480 more" in str(refusal.value) and len(str(refusal.value)) < 500


def test_a_kind_that_is_given_is_used():
    columns = examine({**BASE, "code": [f"k{i}" for i in range(N)]}, "y", kinds={"code": "nominal"}).columns
    assert [(c.kind, c.used) for c in columns if c.name == "code"] == [("nominal", True)]


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (["a"] * N, "one class only"),
        ([None] * N, "has no value"),
        (RNG.normal(size=N), "classification.*Bin it"),
        (np.arange(N), "classification"),
        (RNG.choice([0.5, 1.5], N), "decimal numbers"),
        ([f"r{i}" for i in range(N)], "names rows and not"),
        ([date(2001, 1, 1)] * N, "names no classes"),
    ],
)
def test_targets_that_cannot_be(y, message):
    with pytest.raises(InputError, match=message):
        examine(pl.DataFrame({"x": BASE["size"], "y": pl.Series("y", y)}), "y")


def test_targets_to_beware_of():
    notes = " ".join(examine({"x": BASE["size"], "y": ["a"] * (N - 1) + ["b"]}, "y").notes)
    assert "one row only is of class 'b'" in notes
    assert "strongly unbalanced" in notes
    with pytest.raises(InputError, match="did you mean 'species'"):
        examine({"species": ["a"], "x": [1]}, "specis")


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 2)), min_size=1, max_size=30))
def test_error_alone_equals_leaving_out_each_row(rows):
    codes, classes = np.array(rows).T
    largest = np.bincount(classes).argmax()
    right = 0
    for i, (v, k) in enumerate(rows):
        others = [c for j, (u, c) in enumerate(rows) if u == v and j != i]
        counts = np.bincount(others, minlength=3)
        right += k == largest if not others else counts[k] > np.delete(counts, k).max()
    assert error_alone(codes, classes) == pytest.approx(1 - right / len(rows))


def described(shared_data, name):
    sets = {each["name"]: each for each in json.loads((shared_data / "datasets.json").read_text())}
    return read_table(shared_data / sets[name]["files"][0]), sets[name]


REAL = {
    "penguins": {},
    "titanic": {
        "boat": "leak",
        "body": "leak",  # known of the dead alone
        "fare": "zeros",
        **dict.fromkeys(["ticket", "cabin", "home.dest"], "many levels"),
    },
    "adult": {"split": "split", "education-num": "duplicate"},
    "zoo": {"animal": "identifier"},
    "glass": {"id": "identifier"},
    "ecoli": {"sequence_name": "identifier"},
    "heart_disease": {"chol": "zeros"},
    "vowel": {"split": "split"},
    "iris": {},
    "sms_spam": {},
}


@pytest.mark.parametrize("name", REAL)
def test_real_tables(name, shared_data):
    frame, about = described(shared_data, name)
    findings = examine(frame, about["target"])
    assert {c.name: c.warning for c in findings.columns if c.warning} == REAL[name]
    assert dict(findings.classes) == {type(findings.classes[0][0])(k): v for k, v in about["classes"].items()}
    for column in findings.columns:
        true = about["column_kinds"][column.name]
        if true == "numeric":
            assert column.kind in ("numeric", "count", "binary")
        elif true == "nominal" and frame[column.name].dtype == pl.String:
            assert column.kind == "nominal"


CELLS = st.one_of(st.none(), st.text(max_size=5), st.sampled_from(["1,5", "2 kg", "?", "2001-01-01", "01/02/2003"]))
NUMBERS = st.one_of(st.none(), st.floats(), st.integers(-(2**60), 2**60).map(float))


@given(st.lists(st.tuples(CELLS, NUMBERS, st.sampled_from("ab")), min_size=1, max_size=40), st.text(max_size=4))
def test_hostile_tables(rows, name):
    names = [name, name + "x", name + "xy"]
    table = pl.DataFrame(rows, dict(zip(names, (pl.String, pl.Float64, pl.String), strict=True)), orient="row")
    try:
        findings = examine(table, names[2])
    except LikelyError:
        return
    assert str(findings)
    assert findings.prepared(table).height == table.height


CHINESE = [f"今天天气很好我们一起去公园{chr(0x4E00 + i)}散步吧" for i in range(40)]
JAPANESE = [f"明日の会議は午後三時からです{chr(0x4E00 + i)}よろしく" for i in range(40)]
THAI = [f"วันนี้อากาศดีมากไปเที่ยวกันไหม{chr(0x0E01 + i)}" for i in range(40)]


@pytest.mark.parametrize("texts", [CHINESE, JAPANESE, THAI])
def test_texts_without_blanks_are_texts(texts):
    found = examine({"note": texts, "y": ["a", "b"] * 20}, "y")
    assert found.kinds == {"note": "text"}
    assert "in a script without blanks" in found.columns[0].why


def test_short_names_in_such_a_script_are_levels():
    found = examine({"city": ["東京都", "大阪府", "京都府", "北海道"] * 10, "y": ["a", "b"] * 20}, "y")
    assert found.kinds == {"city": "nominal"}


def test_texts_that_look_like_names_can_be_declared():
    table = {"word": [f"w{i}" for i in range(40)], "id": [f"r{i}" for i in range(40)], "y": ["a", "b"] * 20}
    found = examine(table, "y")
    assert "kinds={'word': 'text'} (--kind word=text)" in found.left_out["word"]
    assert "--kind" not in found.left_out["id"]
    assert examine(table, "y", {"word": "text"}).kinds == {"word": "text"}


@pytest.mark.parametrize(
    "written",
    [
        "Mon, {} Feb 2021 10:00:00 +0000",
        "{} Feb 2021 10:00:00 GMT",
        "Mon Feb {} 10:00:00 2021",
        "Feb {}, 2021 at 10:00 pm",
    ],
)
def test_dates_in_words_are_no_prose(written):
    found = examine({"sent": [written.format(1 + i) for i in range(28)], "y": ["a", "b"] * 14}, "y")
    assert not found.usable and "dates such as" in found.left_out["sent"] and "--kind" not in found.left_out["sent"]


def test_prose_that_begins_with_a_date_is_prose():
    notes = [f"{1 + i} March 2021 we met the client and agreed on item {i}" for i in range(28)]
    assert examine({"note": notes, "y": ["a", "b"] * 14}, "y").kinds == {"note": "text"}
