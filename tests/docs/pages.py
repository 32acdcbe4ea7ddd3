"""Pages taken apart: the blocks of code that a reader sees, and the commands in them.

In: a page in Markdown. Out: its fenced blocks in order. A fence's first word is the language that it is shown
in; the words behind it, which readers do not see, say what the block is for:

    ```golpae file=x.golpae       these lines are the file
    ```golpae append=x.golpae     ... stand at its end, after a blank line
    ```golpae again=x.golpae      ... stand there instead of the last block appended
    ```console                    `$ command` lines, each with what it prints
"""

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.committed import TOP

FENCE = re.compile(r"^```(\w*) *([^\n`]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, the words behind it, its text, the line on which the text begins."""

    language: str
    words: str
    text: str
    line: int


@dataclass(frozen=True)
class Command:
    """A command that a page shows, and what it is shown to print."""

    line: str
    output: str


def blocks(page: Path) -> list[Block]:
    text = page.read_text("utf-8")
    return [
        Block(match[1], match[2].strip(), match[3], text[: match.start(3)].count("\n") + 1)
        for match in FENCE.finditer(text)
    ]


def commands(block: Block) -> list[Command]:
    """The commands of a `console` block."""
    first, *rest = re.split(r"^\$ ", block.text, flags=re.MULTILINE)
    assert not first.strip(), f"a console block begins without a command: {first!r}"
    return [Command(part.split("\n", 1)[0], part.split("\n", 1)[1]) for part in rest]


def shell(line: str, folder: Path, cache: Path) -> str:
    """What a command prints, faults included, when it is typed in this folder."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    environment |= {
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)]),
        "GOLPAE_CACHE": str(cache),
        "COLUMNS": "80",
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


def prints_what_it_shows(block: Block, folder: Path, cache: Path) -> None:
    for command in commands(block):
        printed = shell(command.line, folder, cache)
        assert printed == command.output, f"line {block.line}: $ {command.line}\n{printed}"


def follow(page: Path, folder: Path) -> None:
    """Do what a page says, block after block: write its files, run its commands, compare what they print."""
    last: dict[str, int] = {}  # how long a file was before the last block that was appended
    for block in blocks(page):
        what, _, name = block.words.partition("=")
        if block.language == "console":
            prints_what_it_shows(block, folder, folder.parent / "cache")
        elif what:
            file = folder / name
            before = file.read_text("utf-8") if file.exists() and what != "file" else ""
            if what == "again":
                before = before[: last[name]]
            else:
                assert what in ("file", "append"), f"line {block.line}: {block.words}"
                last[name] = len(before)
            file.write_text(f"{before}\n{block.text}" if before else block.text, "utf-8")


def pages() -> list[Path]:
    """Every page that readers are led to."""
    return [TOP / "README.md", *sorted((TOP / "docs").rglob("*.md"))]
