"""Rule texts with mistakes in them, and what golpae prints about each.

A case is a text `golden/N/NAME.golpae`, in the folder of the first letter of its first code. The text begins with
its faults, one a line, in reading order. `golden/N/NAME.txt` holds everything that golpae prints about it:

    # fault N001: movr              the code and the underlined words
    # fault L003                    a fault that has no place in the text
    # note W001: spare              a note on a text without faults, which `golpae lint` prints as well
    # rules: clash+one+other        the rule set to elaborate; without this line, the text is linted

`MADE` writes the texts of cases that no readable file can show.
"""

from __future__ import annotations

import inspect
import io
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, chdir, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, cast
from unittest import mock

from golpae.cli.main import main
from golpae.diagnostics import Diagnostic, SpecError, render
from golpae.elaborate import load
from golpae.elaborate.check import elaborate
from golpae.elaborate.names import OwnFolder

GOLDEN = Path(__file__).parent / "golden"
BASE = GOLDEN / "base"
NEARBY_BASE = Path("..", "base")  # the same folder, as messages about the texts beside it name it
BESIDE = (OwnFolder("one"), OwnFolder("two"))  # folders that no call names
ENDING = ".golpae"

Expected = tuple[str, str | None]  # code, underlined words
Line = tuple[str, int]  # of the program: file, number
Make = Callable[
    [str, ExitStack], None
]  # writes the text of this name; contexts that it enters are closed afterwards


@dataclass(frozen=True)
class Case:
    """A faulty text: its name, its folder, its faults, and the rule set to elaborate if it is not linted."""

    name: str
    folder: Path
    faults: tuple[Expected, ...]
    rules: str | None = None
    make: Make | None = None

    @property
    def answer(self) -> Path:
        return self.folder / f"{self.name}.txt"


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


def _write(name: str, content: bytes | str) -> None:
    Path(name + ENDING).write_bytes(content if isinstance(content, bytes) else content.encode())


def _game(name: str, rest: str = "") -> str:
    return f'game {name} "Made"\ninclude little\n\n{rest}\n'


def _includes(name: str, count: int = 100) -> None:
    for number in range(count):
        _write(f"part-{number}", f"include part-{number + 1}\n")
    _write(f"part-{count}", "define last: 1\n")
    _write(name, f'game {name} "Made"\ninclude part-0\n')


def _chain(name: str, count: int = 400) -> None:
    lines = [f"define d{number}: d{number + 1} + 1" for number in range(count)]
    _write(name, _game(name, "\n".join([*lines, f"define d{count}: 1"])))


def _doubling(name: str, count: int = 40) -> None:
    lines = [f"define d{number}: d{number - 1} + d{number - 1}" for number in range(1, count)]
    _write(name, _game(name, "\n".join(["define d0: size of pool", *lines])))


def _many_faults(name: str, count: int = 300) -> None:
    _write(name, _game(name, "\n".join(f"define d{number}: worng{number}" for number in range(count))))


def _many_variants(name: str, count: int = 510) -> None:
    lines = (f'variant v{number} "v"\n  add put.c{number}: turns < {number}' for number in range(count))
    _write(name, _game(name, "\n".join(lines)))


def _unreadable(name: str, stack: ExitStack) -> None:
    _write(name, _game(name))
    fault = PermissionError(13, "Permission denied")
    stack.enter_context(mock.patch.object(Path, "open", side_effect=fault))


def _too_deep_for_python(name: str, stack: ExitStack) -> None:
    _write(name, _game(name))
    stack.enter_context(mock.patch.object(load, "parse", side_effect=RecursionError))


def _several_texts(name: str) -> None:
    for folder in BESIDE:
        folder.mkdir(exist_ok=True)
        (folder / f"{name}{ENDING}").write_text(_game(name, f"define {folder.name}: 1"), encoding="utf-8")


def _plain(make: Callable[[str], object]) -> Make:
    return lambda name, stack: cast("None", make(name))


MADE: dict[str, tuple[Expected, Make]] = {
    "chain-of-definitions": (("S006", "chain-of-definitions"), _plain(_chain)),
    "doubling": (("S006", "d19"), _plain(_doubling)),
    "empty": (("L004", ""), _plain(lambda name: _write(name, ""))),
    "huge": (("S006", None), _plain(lambda name: _write(name, _game(name, "# more\n" * 700_000)))),
    "includes-too-deep": (("S006", "part-50"), _plain(_includes)),
    "long": (("S006", "g"), _plain(lambda name: _write(name, _game(name, "# more\n" * 160_000)))),
    "many-variants": (("S006", "v500"), _plain(_many_variants)),
    "nested-deep": (("S006", None), _too_deep_for_python),
    "nested-too-deep": (
        ("S006", "not " * 40),
        _plain(lambda name: _write(name, _game(name, f"define x: {'not ' * 2000}yes"))),
    ),
    "not-utf-8": (
        ("L003", None),
        _plain(lambda name: _write(name, _game(name).encode() + b"# caf\xe9\n")),
    ),
    "one-long-line": (("S006", "g"), _plain(lambda name: _write(name, f"game {'x' * 1_100_000}"))),
    "only-blank-lines": (("L004", ""), _plain(lambda name: _write(name, "\n  \n\n"))),
    "unreadable": (("L001", None), _unreadable),
    "utf-16": (("L003", None), _plain(lambda name: _write(name, _game(name).encode("utf-16")))),
}


# ---------------------------------------------------------------- reading


def cases() -> list[Case]:
    """Return every case, by name."""
    read = [_read(path) for path in GOLDEN.glob("?/*" + ENDING)]
    made = [Case(name, GOLDEN / fault[0][0], (fault,), make=make) for name, (fault, make) in MADE.items()]
    many = [*(("N001", f"worng{number}") for number in range(100)), ("S006", "worng100")]
    made.append(
        Case("several-texts", GOLDEN / "L", (("L001", None),), "several-texts", _plain(_several_texts))
    )
    made.append(Case("many-faults", GOLDEN / "N", tuple(many), make=_plain(_many_faults)))
    return sorted([*read, *made], key=lambda case: case.name)


def _read(path: Path) -> Case:
    rules = None
    faults: list[Expected] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if found := re.fullmatch(r"# rules: (\S+)", line):
            rules = found[1]
        elif found := re.fullmatch(r"# (?:fault|note) ([A-Z]\d{3})(?:: (.*))?", line):
            faults.append((found[1], found[2]))
        else:
            break
    return Case(path.name.removesuffix(ENDING), path.parent, tuple(faults), rules)


@dataclass(frozen=True)
class Answer:
    """Everything that golpae prints about a case, and the lines of the program that made the faults."""

    text: str
    lines: frozenset[Line]


@cache
def answer(case: Case, folder: Path) -> Answer:
    """Return what golpae prints about a case. `folder` is where made texts are written."""
    out = io.StringIO()
    lines: set[Line] = set()
    with ExitStack() as stack:
        stack.enter_context(_noting(lines))
        stack.enter_context(chdir(case.folder if case.make is None else folder))
        if case.make is not None:
            case.make(case.name, stack)
        stack.enter_context(redirect_stdout(out))
        stack.enter_context(redirect_stderr(out))
        if case.rules is not None:
            places = BESIDE if case.make is not None else (Path(case.name + ENDING), NEARBY_BASE)
            _elaborate(case.rules, places)
        else:
            base = BASE if case.make is not None else NEARBY_BASE
            main(["lint", case.name + ENDING, "--spec-path", str(base)])
    return Answer(out.getvalue(), frozenset(lines))


@contextmanager
def _noting(lines: set[Line]) -> Iterator[None]:
    """Note which lines of the program ran when a fault was made."""
    plain = Diagnostic.__init__

    def noted(self: Diagnostic, *args: Any, **kwargs: Any) -> None:
        frame = inspect.currentframe()
        while frame is not None:
            lines.add((frame.f_code.co_filename, frame.f_lineno))
            frame = frame.f_back
        plain(self, *args, **kwargs)

    with mock.patch.object(Diagnostic, "__init__", noted):
        yield


def _elaborate(rules: str, places: Sequence[Path]) -> None:
    """Print the faults of a rule set, without bundled games, so that a new game changes no answer."""
    with mock.patch.object(load, "spec_dir", return_value=BASE):
        try:
            elaborate(rules, places)
        except SpecError as fault:
            print("\n".join(render(diagnostic) for diagnostic in fault.diagnostics))


def said(text: str) -> Iterator[Said]:
    """Yield the faults in an answer."""
    for part in re.split(r"^(?=(?:\S+:\d+:\d+: )?(?:error|note)\[)", text, flags=re.MULTILINE)[1:]:
        first, *rest = part.splitlines()
        head = re.fullmatch(r"(?:(\S+:\d+:\d+): )?(?:error|note)\[(\w+)\]: (.*)", first)
        assert head is not None, first
        place, code, message = head.groups()
        underlined = None if place is None else _underlined(rest[0], rest[1])
        advice = [line.removeprefix("  help: ") for line in rest if line.startswith("  help: ")]
        labels = [found[1] for line in rest if (found := re.fullmatch(r"\S+:\d+:\d+: (.*)", line))]
        yield Said(code, message, place, underlined, advice[0] if advice else None, tuple(labels))


def _underlined(source: str, carets: str) -> str:
    """Return the words over the carets."""
    shown = re.fullmatch(r" *\d+ \| (.*)", source)
    marks = re.fullmatch(r" *\| ( *)(\^+)", carets)
    assert shown is not None, source
    assert marks is not None, carets
    return shown[1][marks.start(2) - marks.start(1) : marks.end(2) - marks.start(1)]
