"""The reference has every public name with its parameters, what it returns and an example; the gallery has its code."""

import ast
import builtins
import doctest
import functools
import importlib.util
import inspect
import re
import sys
from pathlib import Path

import numpy as np
import pytest

import likely
from likely import LikelyError
from likely.data.sources.formats import _COLUMNAR, _TEXT

DOCS = Path(__file__).parents[2] / "docs"


def _loaded(name):
    spec = importlib.util.spec_from_file_location(name, DOCS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


reference = _loaded("make_api")
from api_meanings import _SHAPE, fitted_attributes, meanings_in_method  # noqa: E402, found once that is loaded
from api_members import INNER, is_routing, told_of  # noqa: E402
from api_names import is_attribute  # noqa: E402
from api_own_words import OWN  # noqa: E402
from api_words import USUAL  # noqa: E402

NAMES = [name for name in reference.public_names() if callable(name.thing)]


def test_every_public_name_has_words_and_an_example():
    assert len(NAMES) > 500
    assert [name.path for name in NAMES if not name.prose] == []
    assert [name.path for name in NAMES if ">>>" not in name.example] == []


def test_every_parameter_has_a_type_and_every_function_says_what_it_returns():
    untyped = []
    for name in NAMES:
        try:
            signature = inspect.signature(name.thing)
        except ValueError:  # exceptions, which have the constructor of a built-in class
            assert issubclass(name.thing, Exception)
            continue
        if getattr(name.thing, "_is_protocol", False):
            continue
        untyped += [f"{name.path}({one.name})" for one in signature.parameters.values() if one.annotation is one.empty]
        if not inspect.isclass(name.thing) and signature.return_annotation is signature.empty:
            untyped.append(f"{name.path} returns")
    assert untyped == []


def test_no_public_parameter_is_without_words():
    """In the docstring, beside the field, or by a name that means the same everywhere; a shape alone is no word."""
    lacking, used = [], set()
    for name in NAMES:
        told = reference.meanings(name)
        for one in name.parameters:
            words = told.get(one.name, "")
            used |= {one.name} if words.endswith(USUAL.get(one.name, "-")) else set()
            if not words or _SHAPE.fullmatch(words):
                lacking.append(f"{name.path}({one.name})")
    assert lacking == []
    assert sorted(set(USUAL) - used) == [], "usual words that nothing uses"


def test_words_are_those_nearest_to_the_parameter():
    told = {name.path: reference.meanings(name) for name in NAMES}
    assert told["likely.DecisionForest"]["n_estimators"] == "int: Trees."
    assert told["likely.DecisionForest"]["criterion"].startswith("As of `DecisionTree`: ")
    assert told["likely.NearestExemplar"]["p"].endswith("The order of Minkowski's distance; below 1 it is no metric.")
    assert (
        told["likely.evaluation.evaluate" if "likely.evaluation.evaluate" in told else "likely.evaluate"]["groups"]
        == "which rows depend on each other: one label per row"
    )
    assert "Pseudo-count of every class" in told["likely.GaussianBayes"]["class_alpha"]
    assert "impute" not in told["likely.BayesClassifier"]["missing"]
    assert told["likely.study"]["drop"] == "columns to leave out"
    assert told["likely.data.read_table"]["columns"] == "the only columns to read."
    assert told["likely.decisions.decide"]["classes"] == "`classes` names the columns"
    assert told["likely.data.joint_cells"]["classes"] == "how many classes"
    assert told["likely.evaluation.Audit"]["classes"].startswith("(k,) the classes")
    assert told["likely.NearestNeighborsRegressor"]["scale"] == told["likely.NearestNeighbors"]["scale"]


def test_words_of_a_name_are_those_of_the_place_where_it_stands():
    """A name such as `points`, `n` or `prior` means one thing here and another there."""
    told = {}
    for name in NAMES:
        told |= {f"{name.short}.{one}": words for one, words in reference.meanings(name).items()}
        for member, thing in name.methods:
            if not is_attribute(thing) and not is_routing(member):
                method = reference.Name(f"{name.path}.{member}", thing)
                found = meanings_in_method(name, method).items()
                told |= {f"{name.short}.{member}.{one}": words for one, words in found}
                place = getattr(inspect.unwrap(thing), "__qualname__", "")
                told |= {f"{place}.{one}": OWN.get(f"{place}.{one}", words) for one, words in found}
    assert sorted(set(OWN) - set(told)) == [], "words of a place that there is not"
    assert {place: told[place] for place in OWN if told[place] != OWN[place]} == {}
    assert "points of the curve" in told["RocDisplay.from_cross_validation.points"]
    assert "names of the measures" in told["Evaluation.frame.vocabulary"]
    assert "pseudo-counts" in told["BeliefsDisplay.from_counts.prior"]
    assert told["NaiveBayes.top_terms.n"] == "how many words"
    assert told["KMeans.fit.y"] == told["PCA.fit_transform.y"] and told["KMeans.fit.y"].startswith("not used")
    assert told["NearestNeighborsRegressor.fit.y"].startswith("the amount of each row")
    assert told["LogisticRegression.penalize_intercept"] != told["LogisticRegression.fit_intercept"]
    assert '"NA" or "-" say.' in told["scan.missing"] and "jsonl" in told["scan.format"]
    assert told["scan.separator"].startswith("between the cells") and told["scan.quote"].startswith("the mark")
    bare = re.compile(r"(int|float|bool|str|None|,| or| )*\.?")
    assert [place for place, words in told.items() if bare.fullmatch(words)] == [], "a type is no meaning"


def test_the_formats_that_are_scanned_are_all_named():
    told = next(reference.meanings(name) for name in NAMES if name.path == "likely.scan")["format"]
    assert set(re.findall(r'"(\w+)"', told)) == {*_TEXT.values(), *_COLUMNAR.values()}


def test_every_attribute_that_is_found_once_is_in_the_reference():
    """A `cached_property` is an attribute like any other property: name, type and words stand in the table."""
    lacking, seen = [], 0
    for name in NAMES:
        homes = name.thing.__mro__ if inspect.isclass(name.thing) else ()
        found = {one: thing for home in reversed(homes) for one, thing in vars(home).items()}
        entry = reference.entry(name)
        for one, thing in found.items():
            if isinstance(thing, property | functools.cached_property) and not one.startswith("_"):
                seen += 1
                row = re.search(rf"^\| `{one}` \| `[^|]+.*?` \| [^|\s].* \|$", entry, re.MULTILINE)
                lacking += [] if row else [f"{name.path}.{one}"]
    assert lacking == [] and seen > 300
    shown = reference.entry(next(name for name in NAMES if name.path == "likely.evaluation.Evaluation"))
    assert "| `log_loss` | `Estimate` | Mean of -ln p(true class), in nats." in shown


def test_what_other_parts_ask_of_a_model_stands_after_what_a_user_needs():
    entry = reference.entry(next(name for name in NAMES if name.path == "likely.NaiveBayes"))
    user, _, inner = entry.partition("**For those who write models**")
    assert "**`predict(" in user and "**`evidence(" in user and not [one for one in INNER if f"**`{one}(" in user]
    assert all(f"**`{one}(" in inner for one in ("obstacle", "parted", "onnx_scores", "over_draws", "evidence_after"))


def test_what_parameters_mean_is_said_once():
    for path in ("likely.scan", "likely.data.read_table", "likely.data.examine"):
        name = next(name for name in NAMES if name.path == path)
        entry = reference.entry(name)
        for one, words in reference.meanings(name).items():
            assert len(words.split()) < 4 or entry.count(words) <= 1, f"{path}({one})"


def test_what_takes_no_parameters_says_so():
    entries = {name.path: reference.entry(name) for name in NAMES if not name.parameters}
    assert "it is not called" in entries["likely.data.TableLike"]
    assert "A protocol" in entries["likely.distributions.Family"]
    assert "is not made by itself" in entries["likely.models.Classifier"]
    assert "likely.errors.InputError(message)" in entries["likely.errors.InputError"]
    assert "**Parameters** none\n\n**Returns** `Tree`" in entries["likely.engines.Tree"]
    said = ("**Parameters** none", "not called", "The library raises it")
    assert [path for path, entry in entries.items() if not any(words in entry for words in said)] == []


def test_an_entry_shows_all_of_it():
    audit = next(name for name in NAMES if name.path == "likely.evaluation.audit")
    entry = reference.entry(audit)
    assert "likely.evaluation.audit(model, X, y, *, confidence=0.95" in entry
    assert "| `X` | `TableLike` |" in entry and "| `y` | `TargetLike` |" in entry
    assert "| `confidence` | `float` | `0.95` |" in entry and "**Returns** `Audit`" in entry
    assert ">>> found = audit(NaiveBayes(), X" in entry
    result = reference.entry(next(name for name in NAMES if name.path == "likely.evaluation.Audit"))
    assert "| `bits` | `Array` |  | (n,) infinite where" in result and ">>> found = audit(" in result


def test_every_page_is_in_the_site():
    """What is written is found; links and anchors are checked by `make site`, which is strict."""
    listed = re.findall(r": ([\w/-]+\.md)$", (DOCS.parent / "mkdocs.yml").read_text(), re.MULTILINE)
    written = [path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")]
    made = {f"api/{room}.md" for room in ["index", "likely", *reference.ROOMS]}
    assert sorted(listed) == sorted({*written, *made})


def test_links_between_pages_lead_somewhere():
    for page in [*DOCS.rglob("*.md"), DOCS.parent / "README.md"]:
        if "api" in page.parts:
            continue
        for link in re.findall(r"\]\(([^)# ]+\.\w+)(?:#[^)]*)?\)", page.read_text()):
            if "://" not in link and not link.startswith(("mailto:", "api/")):
                assert (page.parent / link).exists(), f"{page.name}: {link}"


def test_no_page_names_a_file_of_the_repository_where_a_page_of_the_site_is_meant():
    pages = {path.name: path.read_text() for path in DOCS.rglob("*.md") if "api" not in path.parts} | reference.pages()
    named = [f"{name}: {found[0]}" for name, text in pages.items() for found in re.finditer(r"\bdocs/[\w-]+\.md", text)]
    assert named == []


def test_pages_import_from_public_rooms_alone():
    """Which are those of the reference; `likely.data.bundled` has the tables of the examples."""
    rooms = {"likely", "likely.data.bundled", *(f"likely.{room}" for room in reference.ROOMS)}
    private = [
        f"{page.name}: {found[1]}"
        for page in [*DOCS.rglob("*.md"), DOCS.parent / "README.md"]
        if "api" not in page.parts  # made of docstrings, which may name what is not public
        for found in re.finditer(
            r"^(?:>>> |\.\.\. )? *(?:from|import) (likely\b[\w.]*)", page.read_text(), re.MULTILINE
        )
        if found[1] not in rooms
    ]
    assert private == []


def test_every_picture_of_the_gallery_has_its_code():
    page = (DOCS / "gallery.md").read_text()
    pictures = re.split(r"^### ", page, flags=re.MULTILINE)[1:]
    assert len(pictures) > 100
    for picture in pictures:
        code = re.search(r"```python\n(.*?)```", picture, re.DOTALL)
        assert code, picture.splitlines()[0]
        ast.parse(code[1])


@pytest.mark.sample(1)
@pytest.mark.parametrize("title", ["EvidenceDisplay", "RocDisplay with two models", "TreeDisplay"])
def test_the_code_of_the_gallery_draws(title):
    page = (DOCS / "gallery.md").read_text()
    shared = re.search(r"comes after this:\n\n```python\n(.*?)```", page, re.DOTALL)[1]
    own = re.search(rf"### {title}\n\n!.*?\n\n```python\n(.*?)```", page, re.DOTALL)[1]
    names = {}
    exec(compile(shared + own, "<gallery>", "exec"), names)
    assert names["display"].figure_ is not None
    names["pyplot"].close("all")


def test_every_parameter_of_a_public_method_is_shown_with_words():
    lacking, untyped = [], []
    for name in NAMES:
        for member, thing in name.methods:
            if is_attribute(thing) or is_routing(member):
                continue
            method = reference.Name(f"{name.path}.{member}", thing)
            lacking += [f"{method.path}({one})" for one, words in meanings_in_method(name, method).items() if not words]
            given = list(inspect.signature(thing).parameters.values())
            untyped += [
                f"{method.path}({one.name})" for one in given if one.annotation is one.empty and one.name != "self"
            ]
    assert lacking == [] and untyped == []


def test_an_entry_shows_the_methods_as_they_are_called():
    entry = reference.entry(next(name for name in NAMES if name.path == "likely.NaiveBayes"))
    assert "**`evidence(X, against=None, for_class=None, prior=None)`** gives `Evidence`" in entry
    assert "- `against` (`Hashable`): the class, or classes, that stand on the other side" in entry
    assert "**`predict_interval(X, confidence=0.95" in entry and "set_fit_request" in entry


def test_every_fitted_attribute_is_in_the_reference_with_words():
    """Of every public estimator that can be fitted here, whatever it has that is public and ends in an underscore."""
    told = {name.thing: {one: words for one, _, words in fitted_attributes(name)} for name in NAMES}
    assert [f"{kind.__name__}.{one}" for kind, found in told.items() for one, words in found.items() if not words] == []
    lacking = []
    for model in fitted_models():
        had = {one for one in dir(model) if one.endswith("_") and not one.startswith("_") and _has(model, one)}
        lacking += [f"{type(model).__name__}.{one}" for one in sorted(had - set(told[type(model)]))]
    assert lacking == []


def _has(model, name):
    try:
        return hasattr(model, name)
    except LikelyError:  # of another option
        return False


def fitted_models():
    """One of each public estimator, and more where options change what there is after `fit`."""
    X = np.random.default_rng(0).normal(size=(60, 3))
    y = np.arange(60) % 3
    X[:, 0] += y
    texts = ["spam now", "ham at noon", "more spam", "more ham"] * 5
    ratings = [(f"user {i}", f"item {j}", float((i * j) % 5 + 1)) for i in range(5) for j in range(4)]
    naive = likely.NaiveBayes()
    own = {
        "TextBayes": (texts, [0, 1] * 10),
        "Recommender": (ratings,),
        "NearestNeighborsRegressor": (X, X[:, 1]),
        "NeuralNetworkRegressor": (X, X[:, 1]),
        **dict.fromkeys(("Mixture", "KMeans", "Hierarchy", "PCA"), (X,)),
    }
    bases = {"Clusterer", "Transformer", "Classifier", "Regressor", "Estimator"}  # of an estimator of one's own
    kinds = [name.thing for name in NAMES if inspect.isclass(name.thing) and hasattr(name.thing, "fit")]
    for kind in kinds:
        if not hasattr(kind, "get_params") or kind.__name__ in bases:
            continue
        model = kind(naive) if kind.__name__ in ("Calibrated", "Decider") else kind()
        if kind.__name__ == "Pool":
            model = kind([naive, likely.GaussianBayes()])
        yield model.fit(*own.get(kind.__name__, (X, y)))
    yield likely.LogisticRegression(C="auto").fit(X, y)
    yield likely.DependenceBayes(structure="tree").fit(X, y)
    yield likely.NaiveBayes(weighting="exponents").fit(X, y)
    yield likely.BayesClassifier().fit(X, [None, *y[1:].tolist()])
    yield likely.NearestExemplar("medoid").fit(X, y)
    yield likely.LeastSquaresClassifier(solver="gradient").fit(X, y)
    yield likely.NearestNeighbors().tune(X, y)
    yield likely.Decider(naive, max_error=0.9).fit(X, y)
    yield likely.Decider(naive, rule="recalibrated").fit(X, y)


def test_every_public_value_has_words_and_an_example_that_runs():
    values = [name for name in reference.public_names() if not callable(name.thing)]
    assert sorted(name.path for name in values) == sorted(reference.CONSTANTS)
    for name in values:
        entry = reference.entry(name)
        example = doctest.DocTestParser().get_doctest(reference.CONSTANTS[name.path], {}, name.path, None, 0)
        assert example.examples and doctest.DocTestRunner().run(example).failed == 0
        assert "<function" not in entry and "...\n```" not in entry.split("**Example**")[0]


def test_what_is_not_called_is_not_shown_as_a_call():
    shown = {name.path: reference.entry(name) for name in NAMES if not name.is_made}
    assert {"likely.engines.Engine", "likely.distributions.Family", "likely.data.TableLike"} <= set(shown)
    assert "class likely.engines.Engine(Protocol)" in shown["likely.engines.Engine"]
    assert not [path for path, entry in shown.items() if f"{path}()" in entry or "**Returns**" in entry]
    entries = [reference.entry(name) for name in NAMES]
    assert not [entry[:40] for entry in entries if "<lambda>" in entry or "<factory>" in entry or "['Callable" in entry]


def test_words_in_columns_keep_to_their_lines():
    for home in (likely, *(getattr(likely, room) for room in reference.ROOMS)):
        text = reference.paragraphs(inspect.cleandoc(home.__doc__))
        outside = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
        assert not re.search(r"^\S.*?\S {2,}\S", outside, re.MULTILINE), home.__name__
    about = "Words.\nmean(x)    the mean\n           of x\nmode(x)    the mode\nMore words."
    assert reference.paragraphs(about) == (
        "Words.\n\n```text\nmean(x)    the mean\n           of x\nmode(x)    the mode\n```\n\nMore words."
    )


def test_every_member_of_a_public_class_has_words():
    wordless = {name.path: [one for one, thing in name.methods if not told_of(one, thing)] for name in NAMES}
    assert {path: members for path, members in wordless.items() if members} == {}
    assert "add_note" not in dict(next(name for name in NAMES if name.short == "InputError").methods)


def test_an_example_imports_all_that_it_names():
    """So that it runs wherever it is copied to; that its lines give what they print is tested where they stand."""
    for name in NAMES:
        code = "".join(one.source for one in doctest.DocTestParser().get_examples(name.example))
        names = {}
        for line in code.splitlines():
            if line.startswith(("from ", "import ")):
                exec(line, names)
        tree = list(ast.walk(ast.parse(code)))
        own = {getattr(node, "name", None) or getattr(node, "arg", None) for node in tree}  # definitions and arguments
        own |= {node.id for node in tree if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        used = {node.id for node in tree if isinstance(node, ast.Name)}
        assert used - own - set(names) - set(dir(builtins)) == set(), name.path


def test_cells_of_tables_show_code_as_it_is_written():
    assert reference.cell("one of `int | None`, a | b") == "one of `int | None`, a \\| b"
    assert (
        reference.typed("likely.data.a.Table | numpy.random._generator.Generator | None") == "Table | Generator | None"
    )
