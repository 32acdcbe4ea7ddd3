"""`golpae new`: begin a rule text of your own, or a project with one.

Input: the name of a game, and which small game to begin with; at a terminal, what a call leaves open is asked.
Output: its text, a game that can be played, in a file that was not there; with `--project`, in a new folder, with
settings, recorded games, tests, and a workflow for continuous integration.
Guarantee: no file is changed. A folder is there whole or not at all.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from golpae import __version__, exit_codes
from golpae.assets.beginnings import KINDS, SETS, small_game
from golpae.cli.inputs import unwritable
from golpae.cli.terminal.output import printable
from golpae.elaborate.names import ENDING, NAME, find
from golpae.rule_names import UsageError
from golpae.trace import quoted

GAMES = 3  # that a new project has recorded

SETTINGS = """\
# Where rule texts and recorded games lie, and how golpae is usually called: docs/projects.md of golpae.
rules = ["rules"]
traces = ["games"]
"""
PYTEST = """\
[pytest]
golpae = true
golpae_spec_path = rules
"""
TEST = '''\
"""NAME, played by chance. `pytest` also runs the recorded games, and looks for faults of the text."""

import golpae

RULES = golpae.load("NAME", spec_path="rules")


def test_every_hand_comes_to_its_end() -> None:
    for players in RULES.players:
        result = RULES.at(players).simulate(50)
        call = f"golpae simulate NAME --players {players} --games 50 --traces stuck.jsonl"
        assert not result.stuck, f"games {result.stuck} did not end (counted from 0): {call}, golpae report stuck.jsonl"
'''
WORKFLOW = """\
# Checks texts, recorded games and tests at each change. Write where golpae lies for OWNER/golpae.
on: [push, pull_request]
jobs:
  golpae:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
        with:
          fetch-depth: 0
      - uses: OWNER/golpae@vVERSION
        with:
          rules: rules
          traces: games
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("name", metavar="NAME", help="the name of the game; its text is written to `NAME.golpae`")
    add("-o", "--output", metavar="FILE", help="the file to write, if it is in another folder")
    kinds = "; ".join(f"`{kind}`: {what}" for kind, (what, _) in KINDS.items())
    add("--kind", choices=tuple(KINDS), help=f"the small game to begin with: {kinds}")
    add("--set", choices=SETS, dest="tiles", help="what it is played with")
    add(
        "--project",
        action="store_true",
        help="write a folder NAME with the text, recorded games, tests, and a workflow for continuous integration",
    )


def run(args: argparse.Namespace) -> int:
    kind, tiles = _asked(args.kind, args.tiles)
    text = _text(args.name, kind, tiles)
    path = _project(args.name, text, args.output) if args.project else _written(args.name, text, args.output)
    shown = shlex.quote(str(path))
    if args.project:
        sys.stdout.write(
            f"{printable(str(path))}: a project with a small game; change it into yours\n  cd {shown}\n"
        )
        calls = ["watch", f"play {args.name}", "check"]
    else:
        sys.stdout.write(f"{printable(str(path))}: a small game; change it into yours\n")
        calls = [f"lint {shown}", f"play {shown}", f"simulate {shown} --games 100"]
    for call in calls:
        sys.stdout.write(f"  golpae {printable(call)}\n")
    return exit_codes.HOLDS


# ------------------------------------------------------------------ which game


def _asked(kind: str | None, tiles: str | None) -> tuple[str, str]:
    """Return which game to begin with, and its set: what the call says, what somebody answers, or the usual ones.

    Raises `UsageError`.
    """
    asks = (
        sys.stdin is not None
        and sys.stdin.isatty()
        and sys.stdout.isatty()
        and kind is None
        and tiles is None
    )
    if asks:
        kind = _answer("Which small game do you begin with?", {one: what for one, (what, _) in KINDS.items()})
    if kind is None:
        kind = next(one for one, (_, sets) in KINDS.items() if tiles is None or tiles in sets)
    sets = KINDS[kind][1]
    if asks and len(sets) > 1:
        tiles = _answer("What is it played with?", dict.fromkeys(sets, ""))
    if tiles is not None and tiles not in sets:
        there = " or ".join(f"`--set {one}`" for one in sets)
        raise UsageError("--set", f"there is no small game of kind `{kind}` with {tiles}", f"write {there}")
    return kind, tiles or sets[0]


def _answer(question: str, choices: Mapping[str, str]) -> str:
    """Ask a person until one of these words is the answer; the first one if the answer is empty."""
    first = next(iter(choices))
    sys.stdout.write(f"{question}\n")
    for choice, what in choices.items():
        sys.stdout.write(f"  {choice:10}{what}".rstrip() + "\n")
    while True:
        sys.stdout.write(f"[{first}] ")
        sys.stdout.flush()
        answer = sys.stdin.readline()
        word = answer.strip() or first
        if word in choices or not answer:
            return word if word in choices else first
        sys.stdout.write(f"write one of these words: {', '.join(choices)}\n")


def _text(word: str, kind: str, tiles: str) -> str:
    """Return the text of a new game. Raises `UsageError`."""
    name = word.removesuffix(ENDING)
    if not NAME.fullmatch(name):
        advice = "a name consists of the letters a to z, digits, `-` and `_`, and starts with a letter"
        raise UsageError(word, f"{quoted(word)} cannot be the name of a game", advice)
    if find(name, ()) is not None:
        advice = "choose another name: its recorded games would be taken for those of golpae's own"
        raise UsageError(word, f"golpae's own game is called {quoted(name)}", advice)
    title = re.sub("[-_]+", " ", name).capitalize()
    how = f"Run `golpae lint {name}{ENDING}` after each change. `docs/tutorial.md` explains every line of such a text."
    return small_game(f"{kind}-{tiles}", name, title, how, f"`golpae prove {name}{ENDING}`")


# ------------------------------------------------------------------ what is written


def _written(word: str, text: str, output: str | None) -> Path:
    """Write the text of a new game, and return its file. Raises `UsageError`."""
    name = word.removesuffix(ENDING)
    path = Path(output or f"{name}{ENDING}")
    if path.name != f"{name}{ENDING}":
        message = f"the text of `{name}` is called `{name}{ENDING}`, not {quoted(path.name)}"
        raise UsageError(str(path), message, "name a file of that name, in any folder")
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise UsageError(
            str(path), f"there is already a file {quoted(str(path))}", "choose another name"
        ) from None
    except OSError as fault:
        raise unwritable(str(path), fault) from None
    return path


def _project(word: str, text: str, output: str | None) -> Path:
    """Write the folder of a new project, and return it. Raises `UsageError`."""
    name = word.removesuffix(ENDING)
    top = Path(output or name)
    if os.path.lexists(top):
        raise UsageError(str(top), f"there is already {quoted(str(top))}", "choose another name")
    try:
        with TemporaryDirectory(dir=top.absolute().parent, prefix=f".{name}-") as beside:
            made = Path(beside) / "made"
            _fill(made, name, text)
            made.rename(top)
    except OSError as fault:
        raise unwritable(str(top), fault) from None
    return top


def _fill(top: Path, name: str, text: str) -> None:
    """Write the files of a project to a folder that is not there yet."""
    parts = {
        f"rules/{name}{ENDING}": text,
        "golpae.toml": SETTINGS,
        "pytest.ini": PYTEST,
        f"tests/test_{name.replace('-', '_')}.py": TEST.replace("NAME", name),
        ".github/workflows/golpae.yml": WORKFLOW.replace("VERSION", __version__),
    }
    for file, content in parts.items():
        path = top / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, "utf-8")
    (top / "games").mkdir()
    rules = ["--spec-path", "rules"]
    _call(top, "simulate", name, *rules, "--games", str(GAMES), "--traces", "games/first.jsonl")
    _call(top, "check", *rules, "--write-expected", "games")


def _call(top: Path, *words: str) -> None:
    """Call golpae in the folder of a new project. Raises `UsageError`."""
    alone = {
        **os.environ,
        "GOLPAE_SETTINGS": "off",
    }  # the new settings hold nothing that the call does not say
    done = subprocess.run(
        [sys.executable, "-P", "-m", "golpae", *words],
        cwd=top,
        env=alone,
        check=False,
        capture_output=True,
        text=True,
        errors="replace",
    )
    if done.returncode:
        said = [line for line in (done.stderr or done.stdout).splitlines() if line.strip()]
        reason = said[0] if said else f"it ended with status {done.returncode}"
        advice = "nothing was written; without `--project` golpae writes the text alone"
        raise UsageError(words[0], f"`golpae {words[0]}` does not work for the new project: {reason}", advice)
