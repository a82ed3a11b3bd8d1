"""The files of a study, each written whole or not at all."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

from likely.errors import InputError
from likely.store import save
from likely.store.files.replacing import replacing

if TYPE_CHECKING:
    from likely.reports.study import Study


FILES = ("report.html", "report.md", "report.json", "model.likely")  # of a study


def write_text(path: Path, text: str) -> None:
    """Replace a file by a text; on any failure the old file stays as it was, and a link stays a link."""
    with replacing(path) as file:
        file.write(text.encode("utf-8", "surrogatepass"))


def write_study(study: "Study", folder: Path) -> tuple[Path, ...]:
    """The reports and the model into a folder, which is made if need be.

    The page comes last: its pictures have what is left of the time limit.
    """
    from likely.reports.rendering.formats.page import page

    clock = study.rest()
    record = json.dumps(study.record(), indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    text = study.markdown()
    texts = dict(zip(FILES, (page(study.document, clock), text, record), strict=False))
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as wrong:
        raise InputError(f"cannot make the folder {folder}: {wrong.strerror or wrong}") from None
    for name, text in texts.items():
        write_text(folder / name, text)
    save(study.model, folder / FILES[-1])
    return (*(folder / name for name in texts), folder / FILES[-1])
