"""`golpae check` as a process: its imports, its readers, interrupts, and closed or full streams."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import IO

import pytest

from golpae.corpus import reading
from tests.cli.conftest import Golpae
from tests.cli.table import ILLEGAL, LEGAL, text, with_header, write


@pytest.mark.parametrize("words", [[], ["--rules", "rules/put.golpae+plus1"]], ids=["header", "file"])
def test_a_check_from_the_cache_imports_nothing_heavy(here: Path, golpae: Golpae, words: list[str]) -> None:
    write("a.jsonl", *LEGAL)
    golpae("check", *words, "a.jsonl")  # fills the cache
    program = (
        "import sys; from golpae.cli.main import main; main(sys.argv[1:]); "
        "print(*{name.split('.')[0] for name in sys.modules})"
    )
    command = [sys.executable, "-c", program, "check", "--spec-path", "rules", *words, "a.jsonl"]
    done = subprocess.run(command, cwd=here, capture_output=True, text=True, check=True)
    *_, verdict, modules = done.stdout.splitlines()
    assert verdict == f"1 trace: 1 {'illegal' if words else 'legal'}"
    assert not {"lark", "rich", "z3", "numba", "numpy", "zstandard", "hypothesis"} & set(modules.split())


def _hear_interrupts() -> None:
    """Accept SIGINT again, which a shell blocks for background processes."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def started(here: Path, *words: str) -> tuple[subprocess.Popen[bytes], IO[bytes], IO[bytes], IO[bytes]]:
    """Start a check. Return it and its three streams."""
    command = [sys.executable, "-m", "golpae", "check", "--spec-path", "rules", *words]
    pipe = subprocess.PIPE
    process = subprocess.Popen(
        command,
        cwd=here,
        stdin=pipe,
        stdout=pipe,
        stderr=pipe,
        preexec_fn=_hear_interrupts,  # noqa: PLW1509 - no threads here
    )
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    return process, process.stdin, process.stdout, process.stderr


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_reader_that_closes_the_pipe_early_causes_no_message(here: Path, form: str) -> None:
    write("a.jsonl", *ILLEGAL * 2000)
    process, _, out, err = started(here, "--format", form, "a.jsonl")
    with process:
        assert b"illegal" in out.readline()
        out.close()
        assert (err.read(), process.wait()) == (b"", 141)


def test_an_interrupted_check_prints_one_line(golpae: Golpae, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **_options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(reading, "OneTrace", interrupted)
    write("a.jsonl", *LEGAL)
    done = golpae("check", "a.jsonl")
    assert (done.status, done.out, done.err) == (130, "", "golpae: interrupted\n")


def test_a_verdict_on_a_piped_trace_is_printed_at_once(here: Path) -> None:
    process, stdin, out, _ = started(here, "--format", "json", "-")
    with process:
        stdin.write(text(*ILLEGAL[:3]).encode())
        stdin.flush()
        assert b'"illegal"' in out.readline()  # while the game is still going on
        stdin.close()
        assert process.wait() == 1


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other signals")
def test_an_interrupted_process_prints_one_line(here: Path) -> None:
    process, stdin, out, err = started(here, "--format", "json", "-")
    with process:
        stdin.write(text(*ILLEGAL[:3]).encode())
        stdin.flush()
        assert b'"illegal"' in out.readline()  # it is under way
        process.send_signal(signal.SIGINT)
        assert (err.read(), process.wait()) == (b"golpae: interrupted\n", 130)


@pytest.mark.skipif(sys.platform == "win32", reason="a working folder cannot be removed")
def test_check_works_in_a_working_folder_that_was_removed(here: Path) -> None:
    write("a.jsonl", *with_header(rules="jjak"))
    command = f'mkdir gone && cd gone && rmdir ../gone && "{sys.executable}" -m golpae check "{here}/a.jsonl"'
    for cache in ("off", str(here / "kept")):
        environment = os.environ | {"GOLPAE_CACHE": cache}
        done = subprocess.run(
            command, shell=True, cwd=here, env=environment, capture_output=True, check=False
        )
        assert (done.returncode, done.stderr) == (1, b"")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is always full")
def test_a_full_disk_is_reported(here: Path) -> None:
    write("a.jsonl", *ILLEGAL)
    with open("/dev/full", "wb") as full:
        command = [sys.executable, "-m", "golpae", "check", "--spec-path", "rules", "a.jsonl"]
        done = subprocess.run(command, cwd=here, stdout=full, stderr=subprocess.PIPE, check=False)
    assert (done.returncode, done.stderr) == (
        2,
        b"golpae: the output cannot be written: no space left on device\n",
    )


@pytest.mark.skipif(sys.platform == "win32", reason="the shell of Windows cannot close streams")
@pytest.mark.parametrize(
    ("closed", "status"),
    [(">&-", 1), ("2>&-", 1), (">&- 2>&-", 1), ("<&-", 1)],
    ids=["out", "err", "both", "in"],
)
def test_closed_streams_change_no_status(here: Path, closed: str, status: int) -> None:
    write("a.jsonl", *ILLEGAL)
    command = f'"{sys.executable}" -m golpae check --spec-path rules a.jsonl {closed}'
    done = subprocess.run(command, shell=True, cwd=here, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (status, b"")
