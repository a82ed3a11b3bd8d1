"""The lowest versions that `pyproject.toml` allows, as pip takes them; tools of the tests may be of any version.

python tests/floors.py          numpy==2.0 scipy==1.14 ...
"""

import re
import tomllib
from pathlib import Path

HELD = ("arrow", "sklearn", "excel", "duckdb", "zstd", "onnx")  # extras whose lowest versions are tried too
LOOSE = ("pandas",)  # of the peers in `dev`, those that users bring
_BOUND = re.compile(r"^([A-Za-z0-9_.-]+)(?:\[[^]]*\])?\s*>=\s*([0-9][0-9a-z.]*)$")


def floors(project: dict) -> list[str]:
    """Every dependency, and what its users bring, at its lowest version."""
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *(one for name in HELD for one in extras[name])]
    wanted += [one for one in extras["dev"] if one.startswith(LOOSE)]
    pins = {}
    for requirement in wanted:
        bound = _BOUND.match(requirement)
        if bound is None:
            raise SystemExit(f"{requirement!r} says no lowest version: write name>=version")
        pins[bound[1]] = bound[2]
    return [f"{name}=={version}" for name, version in pins.items()]


if __name__ == "__main__":
    print(" ".join(floors(tomllib.loads(Path("pyproject.toml").read_text())["project"])))
