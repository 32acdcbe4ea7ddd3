"""The blocks of code on a page, and the commands in them.

Input: a page in Markdown. Output: its fenced blocks in order, and the page with the output of each command renewed.
Guarantee: the commands of a page that writes files run in an empty folder, those of any other page in the
repository's top folder. The first word of a fence is the language of the block. The words after it say what the
block is for. Readers do not see them, so the text before the block has to say the same:

    ```golpae file=x.golpae        these lines are the file
    ```golpae append=x.golpae      ... are added at its end, after an empty line
    ```golpae replace=x.golpae:41  ... replace line 41; with `:41-43`, lines 41 to 43
    ```console                     `$ command` lines, each with its output
    ```console apart               ... of which some write files
    ```pycon                       what a person types to Python after `>>> `, with what it prints
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from docs.generate.files import TOP
from docs.generate.sessions import renewed_session
from golpae.cli.main import main

FENCE = re.compile(r"^```(\w*) *([^\n`]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, the words after it, its text, and where that begins (offset, line)."""

    language: str
    words: str
    text: str
    start: int
    line: int


@dataclass(frozen=True)
class Command:
    """A command on a page, and its output there."""

    line: str
    output: str


def pages() -> list[Path]:
    """Return every page for readers."""
    return [TOP / "README.md", *sorted((TOP / "docs").rglob("*.md"))]


def blocks(page: str) -> list[Block]:
    """Return the fenced blocks of a page."""
    return [
        Block(match[1], match[2].strip(), match[3], match.start(3), page[: match.start(3)].count("\n") + 1)
        for match in FENCE.finditer(page)
    ]


def commands(block: Block) -> list[Command]:
    """Return the commands of a `console` block."""
    first, *rest = re.split(r"^\$ ", block.text, flags=re.MULTILINE)
    if first.strip():
        raise ValueError(f"line {block.line}: a console block begins without a command")
    return [Command(part.split("\n", 1)[0], part.split("\n", 1)[1]) for part in rest]


# Of the environment, what a command cannot do without. Others change what is printed: where `CI` is set, for
# instance, pytest prints its last lines uncut.
_KEPT = frozenset({"HOME", "LANG", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR"})


def _environment(cache: Path) -> dict[str, str]:
    """Return the environment of a command that golpae's pages show."""
    kept = {name: value for name, value in os.environ.items() if name in _KEPT or name.startswith("LC_")}
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    return kept | {"PATH": path, "GOLPAE_CACHE": str(cache), "GOLPAE_PROGRESS": "off"}


def output_of(line: str, folder: Path, cache: Path) -> str:
    """Return what a command prints, errors included, if it runs in this folder."""
    if re.fullmatch(r"golpae [^|;&<>$\"]*", line):
        return _output_of_golpae(shlex.split(line)[1:], folder, cache)
    done = subprocess.run(
        ["sh", "-c", line],
        cwd=folder,
        env=_environment(cache),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        text=True,
        check=False,
    )
    return done.stdout


def _output_of_golpae(words: list[str], folder: Path, cache: Path) -> str:
    """Return what golpae prints with these arguments, run in this process to save the start-up time."""
    out = io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True)
    before = dict(os.environ)
    os.environ.clear()
    os.environ.update(_environment(cache))
    try:
        with contextlib.chdir(folder), contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            main(words)
    finally:
        os.environ.clear()
        os.environ.update(before)
    return out.buffer.getvalue().decode()


def run_page(page: str, shown: Mapping[str, str] = MappingProxyType({})) -> tuple[str, dict[str, str]]:
    """Return the page with the present output of each command, and the files that its blocks write.

    Commands in `shown` are not run: it holds what they print.
    """
    with tempfile.TemporaryDirectory() as name:
        folder, cache = Path(name, "empty"), Path(name, "cache")
        folder.mkdir()
        alone = any(block.words or block.language == "pycon" for block in blocks(page))
        out = "".join(_run_blocks(page, folder if alone else TOP, cache, shown))
        files = [file for file in sorted(folder.iterdir()) if file.is_file() and file.suffix != ".wasm"]
        return out, {file.name: file.read_text("utf-8") for file in files}


def _run_blocks(page: str, folder: Path, cache: Path, shown: Mapping[str, str]) -> Iterator[str]:
    """Yield the pieces of the page, in order."""
    done = 0
    names: dict[str, Any] = {}  # of the sessions of Python
    for block in blocks(page):
        if block.language == "console":
            yield page[done : block.start]
            for command in commands(block):
                output = shown.get(command.line)
                yield f"$ {command.line}\n{output_of(command.line, folder, cache) if output is None else output}"
            done = block.start + len(block.text)
        elif block.language == "pycon":
            ours = {"GOLPAE_CACHE": str(cache), "GOLPAE_PROGRESS": "off"}
            yield page[done : block.start]
            yield renewed_session(block.text, names, folder, ours)
            done = block.start + len(block.text)
        elif block.words:
            _write(block, folder)
    yield page[done:]


def _write(block: Block, folder: Path) -> None:
    """Write the lines of a block into the file that the words after its language name."""
    what, _, target = block.words.partition("=")
    name, _, numbers = target.partition(":")
    file = folder / name
    if what == "file":
        text = block.text
    elif what == "append":
        text = f"{file.read_text('utf-8')}\n{block.text}"
    elif what == "replace":
        lines = file.read_text("utf-8").splitlines(keepends=True)
        first, _, last = numbers.partition("-")
        text = "".join([*lines[: int(first) - 1], block.text, *lines[int(last or first) :]])
    else:
        raise ValueError(f"line {block.line}: what is `{block.words}`?")
    file.write_text(text, "utf-8")
