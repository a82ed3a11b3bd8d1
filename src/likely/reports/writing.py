"""Files written whole or not at all: first beside their place, then moved there."""

import json
import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from likely.errors import InputError
from likely.store import save

if TYPE_CHECKING:
    from likely.reports.study import Study


def write_text(path: Path, text: str) -> None:
    """Replace a file by a text; on any failure the old file stays as it was."""
    handle, name = -1, ""
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        with os.fdopen(handle, "w", encoding="utf-8", errors="surrogatepass", newline="\n") as file:
            file.write(text)
        Path(name).chmod(0o666 & ~_umask())
        Path(name).replace(path)
    except OSError as wrong:
        raise InputError(f"cannot write {path}: {wrong.strerror or wrong}") from None
    finally:
        with suppress(OSError):
            Path(name).unlink(missing_ok=True)


def write_study(study: "Study", folder: Path) -> tuple[Path, ...]:
    """The reports and the model into a folder, which is made if need be."""
    texts = {
        "report.html": study.html(),
        "report.md": study.markdown(),
        "report.json": json.dumps(study.record(), indent=2, ensure_ascii=False, allow_nan=False) + "\n",
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as wrong:
        raise InputError(f"cannot make the folder {folder}: {wrong.strerror or wrong}") from None
    for name, text in texts.items():
        write_text(folder / name, text)
    save(study.model, folder / "model.likely")
    return (*(folder / name for name in texts), folder / "model.likely")


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
