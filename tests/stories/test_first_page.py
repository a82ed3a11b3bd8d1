"""What a newcomer meets first: a quick import, public names, a readable model."""

import subprocess
import sys

import numpy as np

import likely

HEAVY = ["numba", "polars", "sklearn", "matplotlib", "pandas", "scipy.stats", "pyarrow"]


def _modules_after(statement):
    code = f"import sys; {statement}; print(' '.join(sorted(sys.modules)))"
    return set(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split())


def test_import_is_light():
    loaded = _modules_after("import likely")
    assert not loaded & set(HEAVY)
    assert "numpy" not in loaded  # not even that


def test_an_array_needs_no_frame_library():
    fit = "import numpy as np; from likely import NaiveBayes; NaiveBayes().fit(np.eye(3), [0, 1, 1])"
    assert not _modules_after(fit) & {"polars", "pandas", "sklearn", "matplotlib", "pyarrow", "scipy.stats"}


def test_public_names_are_there():
    for name in likely.__all__:
        assert getattr(likely, name) is not None
    assert set(likely.__all__) <= set(dir(likely))


def test_a_model_can_be_read():
    X = np.array([[1.0, 2.0], [2.0, np.nan], [5.0, 6.0]])
    model = likely.NaiveBayes().fit(X, ["a<b", "a<b", "c"])
    assert repr(model) == "NaiveBayes()"
    assert str(model).splitlines()[1].strip() == "3 rows, 2 features"
    assert "a<b (2)" in str(model)
    assert "33.3 % missing" in str(model)
    assert "a&lt;b" in model._repr_html_()
    assert repr(likely.GaussianBayes("shared", ddof=1)) == "GaussianBayes(covariance='shared', ddof=1)"
    assert "not fitted" in likely.NaiveBayes()._repr_html_()
