"""`golpae new`: begin a rule text of your own.

Input: the name of a game. Output: its text, a small game that can be played, in a file that was not there.
Guarantee: no file is changed.
"""

from __future__ import annotations

import argparse
import re
import shlex
import sys
from importlib.resources import files
from pathlib import Path

from golpae import exit_codes
from golpae.cli.inputs import complain_of, unwritable
from golpae.cli.terminal.output import printable
from golpae.elaborate.names import ENDING, NAME
from golpae.rule_names import UsageError
from golpae.trace import quoted

TEXT = "new_game.txt"  # the text, with the name of the game left open


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "name", metavar="NAME", help="the name of the game; its text is written to `NAME.golpae`"
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="the file to write, if it is in another folder"
    )


def run(args: argparse.Namespace) -> int:
    try:
        path = _write(args.name, args.output)
    except UsageError as error:
        complain_of(error.fault)
        return exit_codes.WRONG_INPUT
    shown = shlex.quote(str(path))
    sys.stdout.write(f"{printable(str(path))}: a small game; change it into yours\n")
    for call in (f"lint {shown}", f"play {shown}", f"simulate {shown} --games 100"):
        sys.stdout.write(f"  golpae {printable(call)}\n")
    return exit_codes.HOLDS


def _write(word: str, output: str | None) -> Path:
    """Write the text of a new game, and return its file. Raises `UsageError`."""
    name = word.removesuffix(ENDING)
    if not NAME.fullmatch(name):
        advice = "a name consists of the letters a to z, digits, `-` and `_`, and starts with a letter"
        raise UsageError(word, f"{quoted(word)} cannot be the name of a game", advice)
    path = Path(output or f"{name}{ENDING}")
    if path.name != f"{name}{ENDING}":
        message = f"the text of `{name}` is called `{name}{ENDING}`, not {quoted(path.name)}"
        raise UsageError(str(path), message, "name a file of that name, in any folder")
    text = files("golpae.cli.rules").joinpath(TEXT).read_text("utf-8")
    try:
        with path.open("x", encoding="utf-8") as file:
            title = re.sub("[-_]+", " ", name).capitalize()
            file.write(re.sub("NAME|TITLE", lambda word: name if word[0] == "NAME" else title, text))
    except FileExistsError:
        raise UsageError(
            str(path), f"there is already a file {quoted(str(path))}", "choose another name"
        ) from None
    except OSError as fault:
        raise unwritable(str(path), fault) from None
    return path
