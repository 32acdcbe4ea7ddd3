"""Ctrl-C and SIGTERM end a verb in order, whatever it is busy with.

`unpack` and `recheck` are not called: what would keep them busy takes long to make.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from golpae.cli.verbs import VERBS
from tests.cli.busy import CALLS, Call, prepare

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="nobody says whether a process is busy"),
]

BUSY = 0.6  # seconds of the processor after which a call is in the middle of its work
PATIENCE = 120  # seconds; golpae ends far earlier
ENDED = {signal.SIGINT: 130, signal.SIGTERM: 143}
NOT_CALLED = {
    "unpack",
    "convert",
    "recheck",
    "help",
    "new",
    "completion",
    "lsp",
    "watch",
    "playground",
}  # the last five print, write one file, or start calls of golpae
FEW = {"check", "score", "simulate", "perft", "lint", "build", "conform"}  # verbs that quicker tests try


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Return a folder with what the calls read, which is the current one meanwhile."""
    place, before = tmp_path_factory.mktemp("busy"), Path.cwd()
    os.chdir(place)
    prepare()
    yield place
    os.chdir(before)


def heed(number: signal.Signals) -> None:
    """Let a new process receive a signal, even if this one ignores it."""
    signal.signal(number, signal.SIG_DFL)


def processes(group: int) -> list[list[str]]:
    """Return what the system says of each process of a group that has not ended."""
    found = []
    for place in Path("/proc").iterdir():
        if place.name.isdigit():
            try:
                words = (place / "stat").read_text().rpartition(")")[2].split()
            except OSError:  # it has ended since
                continue
            if words[2] == str(group) and words[0] != "Z":
                found.append(words)
    return found


def is_busy(process: subprocess.Popen[bytes], number: signal.Signals) -> bool:
    """Whether it has worked for a while, and has loaded what heeds a signal, which takes longer on some machines."""
    ticks = sum(int(word) for words in processes(process.pid) for word in words[11:15])
    return ticks >= BUSY * os.sysconf("SC_CLK_TCK") and heeds(process.pid, number)


def heeds(process: int, number: signal.Signals) -> bool:
    try:
        status = Path(f"/proc/{process}/status").read_text("ascii")
    except OSError:
        return True  # it has ended, or this system does not tell
    caught = re.search(r"^SigCgt:\s*([0-9a-f]+)$", status, re.MULTILINE)
    return caught is None or bool(int(caught[1], 16) >> (number - 1) & 1)


def test_every_verb_has_a_call() -> None:
    assert {call.words[0] for call in CALLS} == {*VERBS} - NOT_CALLED


@pytest.mark.parametrize("number", ENDED)
@pytest.mark.parametrize(
    "call", [c if c.words[0] in FEW else pytest.param(c, marks=pytest.mark.slow) for c in CALLS], ids=str
)
def test_a_signal_ends_a_busy_call_in_order(call: Call, number: signal.Signals, folder: Path) -> None:
    temporary = folder / f"temporary-{CALLS.index(call)}-{number.name}"
    temporary.mkdir()
    process = subprocess.Popen(
        [sys.executable, "-m", "golpae", *call.words],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=os.environ | {"TMPDIR": str(temporary), "GOLPAE_PROGRESS": "off"},
        start_new_session=True,
        preexec_fn=partial(heed, number),  # noqa: PLW1509 - this process has no threads
    )
    try:
        for tenth in range(10 * PATIENCE):
            if process.poll() is not None or is_busy(process, number) or (call.waits and tenth == 30):
                break
            time.sleep(0.1)
        assert process.poll() is None, "it has ended before the signal"
        process.send_signal(number)
        _, err = process.communicate(timeout=PATIENCE)
        assert b"Traceback" not in err
        assert process.returncode == ENDED[number]
        assert _nobody_is_left(process.pid)
        assert not sorted(temporary.iterdir())
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _nobody_is_left(group: int) -> bool:
    """Return whether all processes of a group end."""
    for _ in range(100):
        if not processes(group):
            return True
        time.sleep(0.1)
    return False
