"""Run the theory pages (`make docs`): every page of docs/theory is executed, and shows what its code printed and drew.

    python docs/build.py [PAGE ...]            run the pages, all of them unless some are named, and write them anew
    python docs/build.py --check [PAGE ...]    run them, write nothing; exit 1 where a page says something else

The ```python fences of a page run in order in one namespace, and are given nothing but what they import: a reader who
copies them gets the same. What a block prints stands in the ```text fence right after it. A figure that a block saves,
`figure.savefig("file-name.svg")`, is put into figures/ beside the page, and `![caption](figures/file-name.svg)` stands
after the block; the caption there is the author's, and stays. Warnings are errors. Blocks run in an empty folder that
is removed afterwards. A page whose code fails is left as it was.
"""

import argparse
import io
import os
import re
import sys
import traceback
import warnings
from collections.abc import Iterator, Sequence
from contextlib import chdir, contextmanager, redirect_stdout
from dataclasses import dataclass, field
from difflib import unified_diff
from functools import partialmethod
from pathlib import Path
from tempfile import TemporaryDirectory
from types import CodeType
from typing import Any

import matplotlib
from matplotlib.figure import Figure

THEORY = Path(__file__).parent / "theory"
FENCE = re.compile(r"(`{3,}|~{3,})\s*(\w*)")
LINK = re.compile(r"!\[(.*)\]\(figures/([\w-]+)\.svg\)\s*$")
FILE_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


class PageError(Exception):
    """What is wrong with a page, and where."""


@dataclass
class Block:
    """A piece of code in a page, and what a run of it gave."""

    number: int  # counted from 1
    first: int  # the line of its opening fence, counted from 0
    end: int  # the line after its closing fence
    after: int  # the line after what an older run left behind the block
    printed: str = ""
    figures: dict[str, tuple[str, bytes]] = field(default_factory=dict)  # caption and picture by file name

    def result(self) -> list[str]:
        """What stands behind the block."""
        lines: list[str] = []
        printed = [line.rstrip() for line in self.printed.rstrip().splitlines()]
        if printed:
            longest = max((len(run) for line in printed for run in re.findall(r"^`+", line)), default=0)
            fence = "`" * max(3, longest + 1)
            lines += ["", f"{fence}text", *printed, fence]
        for name, (caption, _) in self.figures.items():
            lines += ["", f"![{caption}](figures/{name}.svg)"]
        return lines


@dataclass(frozen=True)
class Page:
    """A page that has been run."""

    path: Path
    lines: list[str]
    blocks: list[Block]

    @property
    def text(self) -> str:
        """The page with the results of this run."""
        parts, last = [], 0
        for block in self.blocks:
            parts += [*self.lines[last : block.end], *block.result()]
            last = block.after
        return "\n".join([*parts, *self.lines[last:]]) + "\n"

    def write(self) -> None:
        """Save the pictures and put the page in place of the old one."""
        folder = self.path.parent / "figures"
        for block in self.blocks:
            for name, (_, picture) in block.figures.items():
                folder.mkdir(exist_ok=True)
                _replace(folder / f"{name}.svg", picture)
        _replace(self.path, self.text.encode())

    def differences(self) -> Iterator[str]:
        """Where the page does not say what its code gives."""
        for block in self.blocks:
            stands, given = self.lines[block.end : block.after], block.result()
            if stands != given:
                change = "\n".join(unified_diff(stands, given, "the page says", "its code gives", lineterm="", n=1))
                yield f"{self.path.name}, block {block.number} (line {block.first + 1}):\n{change}"
            for name in block.figures:
                if not (self.path.parent / "figures" / f"{name}.svg").is_file():
                    yield f"{self.path.name}, block {block.number} (line {block.first + 1}): no figures/{name}.svg"


def run(path: Path) -> Page:
    """Execute the code of a page; nothing is written."""
    lines = path.read_text(encoding="utf-8").rstrip("\n").split("\n")
    page = Page(path, lines, list(_blocks(path, lines)))
    namespace: dict[str, Any] = {"__name__": "__main__"}
    with TemporaryDirectory() as folder, chdir(folder), _same_bytes(), warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message="Creating legend with loc")  # of a slow machine, not of the page
        for block in page.blocks:
            code = _compiled(page, block)
            with redirect_stdout(io.StringIO()) as printed:
                try:
                    exec(code, namespace)
                    block.figures = _figures(page, block)
                except (Exception, SystemExit) as error:
                    frames = traceback.extract_tb(error.__traceback__)
                    inside = [frame.lineno for frame in frames if frame.filename == str(path)]
                    raise _failure(page, block, inside[-1] if inside else None, error) from error
            block.printed = printed.getvalue()
    return page


@contextmanager
def _same_bytes() -> Iterator[None]:
    """The same figure is the same file: ids hashed with a fixed salt, no date, letters as shapes."""
    plain = Figure.savefig
    Figure.savefig = partialmethod(plain, metadata={"Date": None, "Creator": None})  # type: ignore[method-assign]
    try:
        with matplotlib.rc_context({"svg.hashsalt": "likely", "svg.fonttype": "path"}):
            yield
    finally:
        Figure.savefig = plain  # type: ignore[method-assign]


def _figures(page: Page, block: Block) -> dict[str, tuple[str, bytes]]:
    """The figures that a block saved, with the captions that stand on the page, the oldest first; they are taken away,
    so that none is another block's too.
    """
    captions = {found[2]: found[1] for line in page.lines[block.end : block.after] if (found := LINK.match(line))}
    saved: dict[str, tuple[str, bytes]] = {}
    for path in sorted(Path().glob("*.svg"), key=lambda path: path.stat().st_mtime_ns):
        if not FILE_NAME.fullmatch(path.stem):
            raise ValueError(f"a figure's name has small letters, digits and hyphens, not {path.stem!r}")
        if any(path.stem in before.figures for before in page.blocks):
            raise ValueError(f"two figures of this page are named {path.stem!r}")
        saved[path.stem] = (captions.get(path.stem) or path.stem.replace("-", " ").capitalize(), path.read_bytes())
        path.unlink()
    return saved


def _compiled(page: Page, block: Block) -> CodeType:
    """The code of a block, with the line numbers of the page."""
    source = "\n" * (block.first + 1) + "\n".join(page.lines[block.first + 1 : block.end - 1]) + "\n"
    try:
        return compile(source, str(page.path), "exec", dont_inherit=True)
    except (SyntaxError, Warning) as error:
        raise _failure(page, block, getattr(error, "lineno", None), error) from error


def _failure(page: Page, block: Block, line: int | None, error: BaseException) -> PageError:
    where = f"{page.path.name}, block {block.number}, line {block.first + 2 if line is None else line}"
    return PageError(f"{where}: {type(error).__name__}: {getattr(error, 'msg', None) or error}")


def _blocks(path: Path, lines: list[str]) -> Iterator[Block]:
    number, at = 0, 0
    while at < len(lines):
        opened = FENCE.match(lines[at])
        if opened is None:
            at += 1
            continue
        end = _end_of_fence(path, lines, at)
        if opened[2] == "python":
            number += 1
            after = _end_of_result(path, lines, end)
            yield Block(number, at, end, after)
            end = after
        at = end


def _end_of_fence(path: Path, lines: list[str], at: int) -> int:
    """The line after the fence that opens at a line."""
    opened = FENCE.match(lines[at])
    assert opened is not None
    for line in range(at + 1, len(lines)):
        if re.fullmatch(re.escape(opened[1]) + opened[1][0] + r"*\s*", lines[line]):
            return line + 1
    raise PageError(f"{path.name}, line {at + 1}: this fence is not closed")


def _end_of_result(path: Path, lines: list[str], end: int) -> int:
    """The line after the output and the pictures that stand behind a block."""
    texts = 0
    while True:
        at = end
        while at < len(lines) and not lines[at].strip():
            at += 1
        if at == len(lines):
            return end
        opened = FENCE.match(lines[at])
        if opened and opened[2] == "text" and not texts:
            texts, end = 1, _end_of_fence(path, lines, at)
        elif LINK.match(lines[at]):
            end = at + 1
        else:
            return end


def _replace(path: Path, content: bytes) -> None:
    """Write a file as a whole or not at all."""
    if path.is_file() and path.read_bytes() == content:
        return
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        beside.write_bytes(content)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run pages; 0 if all went well."""
    parser = argparse.ArgumentParser(description="Run the theory pages and write what their code prints and draws.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 where a page says something else")
    parser.add_argument("pages", nargs="*", type=Path, help="pages to run (default: all of docs/theory)")
    options = parser.parse_args(arguments)
    matplotlib.use("agg")
    wrong = 0
    for path in options.pages or sorted(THEORY.glob("*.md")):
        try:
            page = run(path.resolve())
            found = list(page.differences()) if options.check else []
        except (PageError, OSError) as error:
            found = [str(error)]
        else:
            if not options.check:
                page.write()
        for message in found:
            print(message, file=sys.stderr)
        wrong += bool(found)
    if wrong and options.check:
        print("run `python docs/build.py` and read what changed", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
