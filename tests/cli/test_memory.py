"""Memory of `golpae check`: it does not grow with a file, nor with a line of it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from golpae.cli.games import check
from golpae.exit_codes import UNKNOWN
from tests.cli.conftest import Golpae
from tests.cli.table import EVENTS, HEADER, ILLEGAL, LEGAL, run, text

GAME = text(*LEGAL)
MEMORY = r"""
import re, sys
from golpae.cli.main import main
status = main(sys.argv[1:])
with open("/proc/self/status") as file:
    print(status, re.search(r"VmHWM:\s+(\d+)", file.read())[1], file=sys.stderr)
"""


def memory(here: Path, name: str) -> tuple[int, int]:
    """Return the exit status of a check, and the most KiB of memory that it used."""
    if not os.path.exists("/proc/self/status"):
        pytest.skip("how much memory a process took at most is not known here")
    command = [sys.executable, "-c", MEMORY, "check", "--format", "json", "--spec-path", "rules", name]
    done = subprocess.run(command, cwd=here, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=True)
    status, most = done.stderr.split()[-2:]
    return int(status), int(most)


def legal_games(number: int) -> Iterator[str]:
    yield GAME * (number // len(EVENTS))


def illegal_games(number: int) -> Iterator[str]:
    yield text(*ILLEGAL[:3]) * (number // 50)


def unknown_rules(number: int) -> Iterator[str]:
    for i in range(number // 1000):
        yield text({**HEADER, "rules": f"put+{'x' * 900}{i}"})


def many_options(number: int) -> Iterator[str]:
    for i in range(number // 5000):
        yield text({**HEADER, "options": {f"option{i}-{j}": j for j in range(10_000)}})


@pytest.mark.parametrize("games", [legal_games, illegal_games, unknown_rules, many_options])
def test_memory_does_not_grow_with_a_file(here: Path, games: Callable[[int], Iterator[str]]) -> None:
    found = []
    for number in (50_000, 250_000):  # both files are large enough for the compiled path
        with open(f"{number}.jsonl", "w", encoding="utf-8") as file:
            file.writelines(games(number))
        found.append(memory(here, f"{number}.jsonl"))
    (few_status, few), (many_status, many) = found
    assert few_status == many_status
    assert many < few + 10 * 1024


def test_a_line_of_100_mib_is_refused_in_little_memory(here: Path) -> None:
    with open("a.jsonl", "wb") as file:
        file.write(text(HEADER).encode())
        file.seek(100 << 20, os.SEEK_CUR)  # zeros that need no place on the disk
        file.write(b"\n" + GAME.encode())
    status, most = memory(here, "a.jsonl")
    assert status == 2
    assert most < 100 * 1024
    done = run("check", "--spec-path", "rules", "a.jsonl", cwd=here)
    assert done.out == (
        "a.jsonl:1  malformed  at event 1, line 2\n"
        "  this line is longer than 1 MiB\n"
        "2 traces: 1 legal, 1 malformed\n"
    )


def test_too_little_memory_is_no_fault_of_golpae(golpae: Golpae, monkeypatch: pytest.MonkeyPatch) -> None:
    def too_much(*_: object) -> int:
        raise MemoryError

    monkeypatch.delenv("GOLPAE_DEBUG", raising=False)
    monkeypatch.setattr(check, "run", too_much)
    done = golpae("check", "none.jsonl")
    assert done.status == UNKNOWN
    assert done.err == (
        "golpae: the memory is not enough for this input; what was not shown is unknown\n"
        "  help: give golpae more memory, or less input at a time\n"
    )
