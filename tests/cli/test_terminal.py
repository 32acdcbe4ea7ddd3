"""`golpae check` at a terminal: colour, and a bar over large files."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest

from tests.cli.table import ILLEGAL, LEGAL, text

if sys.platform == "win32":
    pytest.skip("no such terminals", allow_module_level=True)

import pty


def at_a_terminal(*words: str, **environment: str) -> tuple[str, int]:
    """What golpae shows at a terminal, and its exit status."""
    process, terminal = pty.fork()
    if process == 0:
        os.environ.update({"TERM": "xterm-256color", "COLUMNS": "80", **environment})
        os.execv(sys.executable, [sys.executable, "-m", "golpae", "check", "--spec-path", "rules", *words])
    shown = b""
    while True:
        try:
            more = os.read(terminal, 1 << 16)
        except OSError:  # how Linux says that nobody writes any more
            break
        if not more:
            break
        shown += more
    os.close(terminal)
    return shown.decode(), os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def test_a_small_file_is_checked_in_colour_without_a_progress_bar(here: Path) -> None:
    Path("a.jsonl").write_text(text(*ILLEGAL))
    shown, status = at_a_terminal("a.jsonl")
    assert status == 1
    assert shown.startswith(
        "a.jsonl:1  \x1b[31millegal\x1b[0m  at event 2, line 3\r\n  it is not Bo's turn\r\n"
    )
    assert "\x1b[2K" not in shown


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_no_colour_is_used_where_the_environment_forbids_it(here: Path, environment: dict[str, str]) -> None:
    Path("a.jsonl").write_text(text(*ILLEGAL))
    shown, status = at_a_terminal("a.jsonl", **environment)
    assert status == 1
    assert "\x1b" not in shown


def test_a_large_file_has_a_progress_bar_that_is_wiped_out_at_the_end(here: Path) -> None:
    Path("a.jsonl").write_text(text(*LEGAL) * 10_000)
    Path("b.jsonl").write_text(text(*ILLEGAL) + "\n")
    shown, status = at_a_terminal("a.jsonl", "b.jsonl", "none.jsonl")
    assert status == 2
    steps = [int(step) for step in re.findall(r"(\d+)%", shown)]
    assert steps == sorted(steps)
    assert len(set(steps)) > 2
    assert steps[-1] == 100
    assert "\x1b[31millegal\x1b[0m" in shown
    rest = shown[shown.rindex("\x1b[2K") :]  # the bar is wiped out, what was found stays
    assert rest.endswith("10001 traces: 10000 legal, 1 illegal\r\n")
    assert shown.rindex("\x1b[?25h") > shown.rindex("\x1b[?25l")  # the cursor is back
