"""The order of the rooms is written down twice, for people and for import-linter; both must say the same."""

import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_order_file_and_import_linter_agree():
    order = [line.split("#")[0].strip() for line in (ROOT / "ORDER").read_text().splitlines()]
    rooms = {path.stem for path in (ROOT / "src/likely").iterdir() if not path.name.startswith("_")} - {"py"}
    contract = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"][0]
    layers = [layer.removeprefix("likely.") for layer in reversed(contract["layers"])]
    assert layers == [room for room in order if room in rooms]


def test_every_room_is_in_the_order():
    order = {line.split("#")[0].strip() for line in (ROOT / "ORDER").read_text().splitlines()}
    rooms = {path.stem for path in (ROOT / "src/likely").iterdir() if path.suffix in ("", ".py")}
    assert {room for room in rooms if not room.startswith("_") and room != "py"} <= order


def test_no_file_is_long_and_no_folder_is_crowded():
    files = list((ROOT / "src/likely").rglob("*.py"))
    assert not [path.name for path in files if len(path.read_text().splitlines()) > 400]
    folders = {path.parent for path in files}
    names = {folder: [each for each in folder.iterdir() if each.name != "__pycache__"] for folder in folders}
    crowded = {folder.name for folder in folders if len(names[folder]) > 15}  # a dozen or so, and `__init__.py`
    assert crowded <= {"likely", "models"}  # the rooms, and the rooms of models, as the design names them
