"""Signals at random moments, also in the first tenth of a second and in workers.

Input: a source of chance. Output: what was tried, and what is wrong, if anything.
Guarantee: no process that was started here is left.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from functools import partial
from pathlib import Path

import golpae
from tests.cli.table import LEGAL, PUT, text
from tests.fuzz.oracle import Case

CALLS = (
    ("check", "--format", "json", "-"),
    ("check", "--spec-path", "signalled", "signalled/good.jsonl"),
    ("prove", "three-dozen", "--jobs", "2", "--no-cache"),
    ("lint", "--deep", "--jobs", "2", "three-dozen"),
    ("show", "jjak"),
    ("format", "--check", "signalled/put.golpae"),
    ("compare", "three-dozen", "three-dozen+may-draw", "--jobs", "2", "--no-cache"),
)
PATIENCE = 60  # seconds; golpae ends far earlier
PACKAGE = os.fsencode(Path(golpae.__file__).parent)


def heed(number: signal.Signals) -> None:
    """Let a new process receive a signal, even if this one ignores it."""
    signal.signal(number, signal.SIG_DFL)


def of_signals(chance: random.Random, _number: int) -> Case:
    """Send signals to a call, perhaps to its whole group, as a terminal does."""
    folder = Path("signalled")
    folder.mkdir(exist_ok=True)
    (folder / "put.golpae").write_text(PUT, encoding="utf-8")
    (folder / "good.jsonl").write_text(text(*LEGAL), encoding="utf-8")
    temporary = Path("temporary").absolute()
    shutil.rmtree(temporary, ignore_errors=True)
    temporary.mkdir()
    number = chance.choice((signal.SIGINT, signal.SIGTERM, signal.SIGHUP))
    words = chance.choice(CALLS)
    moment = chance.uniform(0, 0.3) if chance.random() < 0.5 else chance.uniform(0.3, 4)
    process = subprocess.Popen(
        [sys.executable, "-m", "golpae", *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"TMPDIR": str(temporary), "GOLPAE_PROGRESS": "off"},
        start_new_session=True,
        preexec_fn=partial(heed, number),  # noqa: PLW1509 - this process has no threads
    )
    case = Case()
    try:
        time.sleep(moment)
        with suppress(ProcessLookupError):
            for _ in range(chance.choice((1, 1, 2))):
                if chance.random() < 0.5:
                    process.send_signal(number)
                else:
                    os.killpg(process.pid, number)
        _, err = process.communicate(timeout=PATIENCE)
        called = (*words, f"{number.name} after {moment:.3f} s")
        early = b"Traceback" in err and PACKAGE not in err  # Python itself was starting
        if b"Traceback" in err and not early:
            case.see("a traceback", called, err)
        if process.returncode not in (0, 1, 2, 3, -number, 128 + number):
            case.see(f"status {process.returncode}", called, err)
        if not _nobody_is_left(process.pid):
            case.see("a process is left", called, err)
        if left := sorted(os.listdir(temporary)):
            case.see(f"files are left: {left}", called, err)
    except subprocess.TimeoutExpired:
        case.see("a signal does not end it", words, b"")
    finally:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    return case


def _nobody_is_left(group: int) -> bool:
    """Return whether all processes of a group end."""
    for _ in range(200):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False
