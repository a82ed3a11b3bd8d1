"""Models of neighbours and exemplars through the command: learned, asked, explained, and merged where they can be."""

import pytest
from command_line import birds, refused, run

from likely import InstanceLearner, NearestExemplar, NearestNeighbors, load


@pytest.mark.parametrize(
    ("name", "kind"), [("neighbors", NearestNeighbors), ("exemplar", NearestExemplar), ("instances", InstanceLearner)]
)
def test_they_are_learned_asked_explained_and_merged_or_refused(tmp_path, name, kind):
    path, model, both = birds(tmp_path), tmp_path / "m.likely", tmp_path / "both.likely"
    run("fit", path, "--target", "species", "--model", name, "-o", model, "-q", "--no-calibrate")
    assert isinstance(load(model), kind)
    assert "Adelie" in run("predict", model, path, "--json").stdout
    run("explain", model, path, "--row", "0")
    if kind is NearestNeighbors:
        run("merge", model, model, "-o", both, "-q")
        assert load(both).n_samples_fit_ == 2 * load(model).n_samples_fit_
    else:
        assert "cannot be merged" in refused("merge", model, model, "-o", both)
