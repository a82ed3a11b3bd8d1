"""Trees through the command: learned, kept, asked, explained, and merged where they can be."""

import json

from command_line import birds, refused, run

from likely import BoostedTrees, DecisionForest, DecisionTree, load
from likely.models import unwrap


def test_a_tree_and_a_forest_are_learned_asked_and_explained(tmp_path):
    path = birds(tmp_path)
    kinds = {"tree": DecisionTree, "forest": DecisionForest, "boosted": BoostedTrees}
    for name, kind in kinds.items():
        model = tmp_path / f"{name}.likely"
        how = ["--calibrate", "temperature"] if name == "tree" else ["--no-calibrate"]
        run("fit", path, "--target", "species", "--model", name, "-o", model, "-q", *how)
        kept = unwrap(load(model))
        assert isinstance(kept, kind)
        said = run("predict", model, path, "--json").stdout
        assert "Adelie" in said
        run("explain", model, path, "--row", "0")
    assert "means nothing to the model 'tree'" in refused(
        "fit", path, "--target", "species", "--model", "tree", "--alpha", "2", "-o", tmp_path / "m.likely"
    )


def test_forests_merge_and_trees_do_not(tmp_path):
    halves = [birds(tmp_path, f"{at}.csv", slice(at, None, 2)) for at in (0, 1)]
    for name in ("tree", "forest"):
        for at, half in enumerate(halves):
            kept = tmp_path / f"{name}{at}.likely"
            run("fit", half, "--target", "species", "--model", name, "-o", kept, "-q", "--no-calibrate")
    both = tmp_path / "both.likely"
    run("merge", tmp_path / "forest0.likely", tmp_path / "forest1.likely", "-o", both, "-q")
    assert load(both).grove_.n_trees == 200
    said = refused("merge", tmp_path / "tree0.likely", tmp_path / "tree1.likely", "-o", both)
    assert "cannot be merged" in said
    assert "forget" in refused("forget", tmp_path / "forest0.likely", halves[0], "-o", both)


def test_they_are_compared_with_others(tmp_path):
    path = birds(tmp_path)
    told = run("compare", path, "--target", "species", "--models", "naive,tree", "--folds", "3", "--json")
    assert set(json.loads(told.stdout)["models"]) == {"naive", "tree"}
