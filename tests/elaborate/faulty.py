"""Rule texts with mistakes in them, and what golpae says of each.

A case is a text `golden/NAME.golpae` that begins with what is wrong with it, a line for each fault in reading
order, and the whole answer in `golden/NAME.txt`:

    # fault N001: movr              the code and the underlined words
    # fault L003                    a fault that has no place in the text
    # rules: clash+one+other        elaborated as this rule set; other texts are linted

Cases that no readable text can show are made by `MADE` when they are asked for.
"""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from golpae.cli.main import main
from golpae.diagnostics import SpecError, render
from golpae.elaborate.check import elaborate

GOLDEN = Path(__file__).parent / "golden"
BASE = GOLDEN / "base"
ENDING = ".golpae"

Expected = tuple[str, str | None]  # code, underlined words


@dataclass(frozen=True)
class Case:
    """A faulty text: its name, the faults it has, and the rule set to elaborate where it is not linted."""

    name: str
    faults: tuple[Expected, ...]
    rules: str | None = None
    make: Callable[[str], None] | None = None

    @property
    def answer(self) -> Path:
        return GOLDEN / f"{self.name}.txt"


@dataclass(frozen=True)
class Said:
    """One fault as it is printed."""

    code: str
    message: str
    place: str | None
    underlined: str | None
    help: str | None
    labels: tuple[str, ...]


# ---------------------------------------------------------------- texts that are made


def _write(name: str, content: bytes) -> None:
    Path(name + ENDING).write_bytes(content)


def _game(name: str, rest: str) -> bytes:
    return f'game {name} "Made"\ninclude little\n\n{rest}\n'.encode()


def _includes(name: str) -> None:
    count = 100
    for number in range(count):
        _write(f"part-{number}", f"include part-{number + 1}\n".encode())
    _write(f"part-{count}", b"define last: 1\n")
    _write(name, f'game {name} "Made"\ninclude part-0\n'.encode())


MADE: dict[str, tuple[tuple[Expected, ...], Callable[[str], None]]] = {
    "empty": ((("L004", None),), lambda name: _write(name, b"")),
    "only-blank-lines": ((("L004", None),), lambda name: _write(name, b"\n  \n\n")),
    "not-utf-8": ((("L003", None),), lambda name: _write(name, _game(name, "define x: 1") + b"# caf\xe9\n")),
    "utf-16": ((("L003", None),), lambda name: _write(name, _game(name, "").decode().encode("utf-16"))),
    "long": ((("S006", "g"),), lambda name: _write(name, _game(name, "# more\n" * 160_000))),
    "huge": ((("S006", None),), lambda name: _write(name, _game(name, "# more\n" * 700_000))),
    "one-long-line": ((("S006", "g"),), lambda name: _write(name, b"game " + b"x" * 1_100_000)),
    "nested-too-deep": ((("S006", None),), lambda name: _write(name, _game(name, "define x: " + "not " * 2000 + "yes"))),
    "includes-too-deep": ((("S006", "part-50"),), _includes),
}


# ---------------------------------------------------------------- reading


def cases() -> list[Case]:
    """Every case, by name."""
    found = [_read(path) for path in GOLDEN.glob("*" + ENDING)]
    found.extend(Case(name, faults, None, make) for name, (faults, make) in MADE.items())
    return sorted(found, key=lambda case: case.name)


def _read(path: Path) -> Case:
    rules = None
    faults: list[Expected] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if found := re.fullmatch(r"# rules: (\S+)", line):
            rules = found[1]
        elif found := re.fullmatch(r"# fault ([A-Z]\d{3})(?:: (.*))?", line):
            faults.append((found[1], found[2]))
        else:
            break
    return Case(path.name.removesuffix(ENDING), tuple(faults), rules)


@cache
def answer(case: Case, folder: Path) -> str:
    """All that golpae prints about a case. A text that is made is made in `folder`."""
    out = io.StringIO()
    with contextlib.chdir(GOLDEN if case.make is None else folder):
        if case.make is not None:
            case.make(case.name)
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            if case.rules is None:
                base = BASE if case.make is not None else Path("base")
                main(["lint", case.name + ENDING, "--spec-path", str(base)])
            else:
                _elaborate(case.rules)
    return out.getvalue()


def _elaborate(rules: str) -> None:
    try:
        elaborate(rules, [Path(), Path("base")])
    except SpecError as fault:
        print("\n".join(render(diagnostic) for diagnostic in fault.diagnostics))


def said(text: str) -> Iterator[Said]:
    """The faults in an answer."""
    for part in re.split(r"^(?=(?:\S+:\d+:\d+: )?error\[)", text, flags=re.MULTILINE)[1:]:
        first, *rest = part.splitlines()
        head = re.fullmatch(r"(?:(\S+:\d+):(\d+): )?error\[(\w+)\]: (.*)", first)
        assert head is not None, first
        place, column, code, message = head.groups()
        underlined = None if place is None else _underlined(rest[0], rest[1], int(column))
        advice = [line.removeprefix("  help: ") for line in rest if line.startswith("  help: ")]
        labels = [found[1] for line in rest if (found := re.fullmatch(r"\S+:\d+:\d+: (.*)", line))]
        yield Said(code, message, place, underlined, advice[0] if advice else None, tuple(labels))


def _underlined(source: str, carets: str, column: int) -> str:
    """The words over the carets."""
    shown = re.fullmatch(r" *\d+ \| (.*)", source)
    marks = re.fullmatch(r" *\| ( *)(\^+)", carets)
    assert shown is not None and marks is not None, (source, carets)
    start = len(marks[1])
    assert start == column - 1 or len(shown[1]) < column, (source, carets, column)
    return shown[1][start : start + len(marks[2])]
