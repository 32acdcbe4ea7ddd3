"""Pages taken apart: the blocks of code that a reader sees, and the commands in them.

In: a page in Markdown. Out: its fenced blocks in order, and the page with all its commands run anew. The
first word of a fence is the language that it is shown in; the words behind it, which readers do not see, say
what the block is for:

    ```golpae file=x.golpae       these lines are the file
    ```golpae append=x.golpae     ... stand at its end, after a blank line
    ```golpae again=x.golpae      ... stand there instead of the last block appended
    ```console                    `$ command` lines, each with what it prints
    ```console apart              ... which write files of their own

A page that writes files is followed in an empty folder, any other in the repository's top folder.
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
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from golpae.cli.main import main

TOP = Path(__file__).resolve().parents[2]
FENCE = re.compile(r"^```(\w*) *([^\n`]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, the words behind it, its text, and where that begins (offset, line)."""

    language: str
    words: str
    text: str
    start: int
    line: int


@dataclass(frozen=True)
class Command:
    """A command that a page shows, and what it is shown to print."""

    line: str
    output: str


def pages() -> list[Path]:
    """Every page that readers are led to."""
    return [TOP / "README.md", *sorted((TOP / "docs").rglob("*.md"))]


def blocks(page: str) -> list[Block]:
    return [
        Block(match[1], match[2].strip(), match[3], match.start(3), page[: match.start(3)].count("\n") + 1)
        for match in FENCE.finditer(page)
    ]


def commands(block: Block) -> list[Command]:
    """The commands of a `console` block."""
    first, *rest = re.split(r"^\$ ", block.text, flags=re.MULTILINE)
    if first.strip():
        raise ValueError(f"line {block.line}: a console block begins without a command")
    return [Command(part.split("\n", 1)[0], part.split("\n", 1)[1]) for part in rest]


def printed(line: str, folder: Path, cache: Path) -> str:
    """What a command prints, faults included, when it is typed in this folder."""
    if re.fullmatch(r"golpae [^|;&<>$\"]*", line):
        return _called(shlex.split(line)[1:], folder, cache)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    environment |= {
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)]),
        "GOLPAE_CACHE": str(cache),
    }
    done = subprocess.run(
        ["sh", "-c", line],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        text=True,
        check=False,
    )
    return done.stdout


def _called(words: list[str], folder: Path, cache: Path) -> str:
    """The same for golpae alone, without the time that a start takes."""
    out = io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True)
    before = os.environ.get("GOLPAE_CACHE")
    os.environ["GOLPAE_CACHE"] = str(cache)
    try:
        with contextlib.chdir(folder), contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            main(words)
    finally:
        if before is None:
            del os.environ["GOLPAE_CACHE"]
        else:
            os.environ["GOLPAE_CACHE"] = before
    return out.buffer.getvalue().decode()


def followed(page: str) -> tuple[str, dict[str, str]]:
    """The page with each command showing what it prints now; and the files that it has written."""
    with tempfile.TemporaryDirectory() as name:
        folder, cache = Path(name, "empty"), Path(name, "cache")
        folder.mkdir()
        alone = any(block.words for block in blocks(page))
        out = "".join(_followed(page, folder if alone else TOP, cache))
        files = [file for file in sorted(folder.iterdir()) if file.is_file()]
        return out, {file.name: file.read_text("utf-8") for file in files}


def _followed(page: str, folder: Path, cache: Path) -> Iterator[str]:
    """The pieces of the page, in order."""
    done = 0
    last: dict[str, int] = {}  # how long a file was before the last block that was appended
    for block in blocks(page):
        if block.language == "console":
            yield page[done : block.start]
            for command in commands(block):
                yield f"$ {command.line}\n{printed(command.line, folder, cache)}"
            done = block.start + len(block.text)
        elif block.words:
            what, _, name = block.words.partition("=")
            file = folder / name
            before = "" if what == "file" else file.read_text("utf-8")
            if what == "again":
                before = before[: last[name]]
            elif what == "append":
                last[name] = len(before)
            elif what != "file":
                raise ValueError(f"line {block.line}: what is `{block.words}`?")
            file.write_text(f"{before}\n{block.text}" if before else block.text, "utf-8")
    yield page[done:]
