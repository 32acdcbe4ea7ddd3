"""What must hold of every run of golpae, whatever its input.

Input: a call. Output: its exit status and what it prints; what is wrong with them.
Guarantee: standard input, if a call is given any, comes in pieces of any size, as from a pipe.
"""

from __future__ import annotations

import io
import re
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field

from golpae.cli.main import main
from golpae.exit_codes import FAILS, HOLDS, UNKNOWN, WRONG_INPUT

STATUSES = {HOLDS, FAILS, WRONG_INPUT, UNKNOWN}
HIDDEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")


@dataclass(frozen=True, slots=True)
class Finding:
    """What is wrong, after which call, with which input."""

    what: str
    words: tuple[str, ...]
    content: bytes


@dataclass(slots=True)
class Case:
    """What was tried: how many traces or texts, and what is wrong, if anything."""

    tried: int = 1
    finding: Finding | None = None
    verbs: list[str] = field(default_factory=list)

    def see(self, what: str | None, words: tuple[str, ...], content: bytes) -> None:
        """Note what is wrong with a call; the first counts."""
        if what is not None and self.finding is None:
            self.finding = Finding(what, words, content)


class _Pieces(io.RawIOBase):
    """Bytes that come in pieces."""

    def __init__(self, content: bytes, most: int) -> None:
        self._content = memoryview(content)
        self._most = most

    def readable(self) -> bool:
        return True

    def readinto(self, room: object) -> int:
        assert isinstance(room, memoryview)
        piece = self._content[: min(len(room), self._most)]
        room[: len(piece)] = piece
        self._content = self._content[len(piece) :]
        return len(piece)


def called(*words: str, stdin: bytes | None = None, most: int = 1 << 16) -> tuple[int, str, str]:
    """Call golpae in this process. Return its exit status and what it prints."""
    out, err = io.StringIO(), io.StringIO()
    before = sys.stdin
    if stdin is not None:
        sys.stdin = io.TextIOWrapper(io.BufferedReader(_Pieces(stdin, most)))
    try:
        with redirect_stdout(out), redirect_stderr(err):
            status = main(list(words))
    finally:
        sys.stdin = before
    return status, out.getvalue(), err.getvalue()


def fault_of(status: int, out: str, err: str) -> str | None:
    """Return what no run may do."""
    if status not in STATUSES:
        return f"status {status}: {err[:300]}"
    if "Traceback" in out + err:
        return "a traceback"
    hidden = HIDDEN.search(out) or HIDDEN.search(err)
    return f"the character {hidden[0]!r} in the output" if hidden else None
