"""`golpae check` at a terminal: colour, and a line that says how far it is."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.cli.table import ILLEGAL, LEGAL, text

if sys.platform == "win32":
    pytest.skip("no such terminals", allow_module_level=True)

import pty

# Long work is work of any length here, and the line at the terminal changes often.
PROGRAM = (
    "import sys; from golpae import progress; progress.FIRST = 0; progress.REDRAW = 0.001; "
    "from golpae.cli.main import main; raise SystemExit(main())"
)

# The line is drawn once after each block that was read, and the work waits for it: neither depends on the time.
BLOCK_BY_BLOCK = """
import threading
from golpae import progress
from golpae.cli.main import main

was_read, was_drawn = threading.Semaphore(0), threading.Semaphore(0)
watch, read, read_into = progress.Shown.watch, progress._Watched.read, progress._Watched._read_into

def watch_blocks(shown, wait):
    begun = False
    def wait_for_block(seconds):
        nonlocal begun
        if begun:
            was_drawn.release()
        begun = True
        while not was_read.acquire(timeout=0.01):
            if shown._over.is_set():
                return True
        return False
    watch(shown, wait_for_block)

def read_and_wait(stream, size=-1):
    block = read(stream, size)
    wait_for_line()
    return block

def read_some_and_wait(stream, into, room):
    size = read_into(stream, into, room[:1 << 18])
    wait_for_line()
    return size

def wait_for_line():
    was_read.release()
    assert was_drawn.acquire(timeout=300)

progress.Shown.watch = watch_blocks
progress._Watched.read, progress._Watched._read_into = read_and_wait, read_some_and_wait
raise SystemExit(main())
"""


def at_a_terminal(
    *words: str,
    program: Sequence[str] = ("-m", "golpae"),
    interrupt_at: str = "",
    call: Sequence[str] = ("check", "--spec-path", "rules"),
    **environment: str,
) -> tuple[str, int]:
    """Return what golpae shows at a terminal, and its exit status. Press Ctrl-C once `interrupt_at` is shown."""
    process, terminal = pty.fork()
    if process == 0:
        os.environ.update({"TERM": "xterm-256color", "COLUMNS": "80", **environment})
        os.execv(sys.executable, [sys.executable, *program, *call, *words])
    shown = b""
    while True:
        try:
            more = os.read(terminal, 1 << 16)
        except OSError:  # Linux reports the closed end in this way
            break
        if not more:
            break
        shown += more
        if interrupt_at and interrupt_at.encode() in shown:
            os.write(terminal, b"\x03")
            interrupt_at = ""
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


def test_a_line_says_how_far_a_large_file_was_read(here: Path) -> None:
    Path("a.jsonl").write_text(text(*LEGAL) * 10_000)
    Path("b.jsonl").write_text(text(*ILLEGAL) + "\n")
    shown, status = at_a_terminal(
        "a.jsonl", "b.jsonl", "none.jsonl", program=("-c", BLOCK_BY_BLOCK), GOLPAE_PROGRESS=""
    )
    assert status == 2
    steps = [int(step) for step in re.findall(r"golpae: checking: (\d+)%, [\d,]+ traces?, \d+ s", shown)]
    assert steps == sorted(steps)
    assert len(set(steps)) > 2
    read = readable(shown)
    assert read[0].startswith("golpae: no file or folder `none.jsonl`")
    assert any(line.startswith("b.jsonl:1  \x1b[31millegal\x1b[0m") for line in read)
    assert read[-2:] == ["10001 traces: 10000 legal, 1 illegal", ""]
    assert not any("checking" in line for line in read)


def test_an_interrupt_takes_the_line_away(here: Path) -> None:
    os.mkfifo("a.jsonl")
    feeder = os.open("a.jsonl", os.O_RDWR)  # nobody writes to it
    shown, status = at_a_terminal(
        "a.jsonl", program=("-c", PROGRAM), interrupt_at="golpae: checking: 0 traces", GOLPAE_PROGRESS=""
    )
    os.close(feeder)
    assert status == 130
    assert readable(shown) == ["golpae: interrupted", ""]


def readable(shown: str) -> list[str]:
    """Return the lines that are readable at the end. A carriage return goes back to the start of its line."""
    out = []
    for line in shown.split("\r\n"):
        read = ""
        for part in line.split("\r"):
            new, clear = part.removeprefix("\x1b[K"), part.startswith("\x1b[K")
            read = new if clear else new + read[len(new) :]
        out.append(read.rstrip())
    return out


def test_faults_and_notes_have_colours(here: Path) -> None:
    (here / "bad.golpae").write_text('game bad "Bad"\nplayers 2\n', encoding="utf-8")
    shown, status = at_a_terminal("bad.golpae", call=["lint"])
    assert status == 2
    assert "\x1b[31merror[S005]\x1b[0m: " in shown
    assert "\x1b[31m^" in shown
    plain, _ = at_a_terminal("bad.golpae", call=["lint"], NO_COLOR="1")
    assert "\x1b[31m" not in plain
