"""The window of a text shows its bytes, wherever a read ends."""

from __future__ import annotations

from io import BufferedReader, BytesIO, RawIOBase
from random import Random
from typing import Any

import pytest

from golpae.corpus import text
from golpae.corpus.text import Text
from golpae.trace import blocks

LINES = b"".join(b"%05d%s\n" % (n, b"x" * (n % 90)) for n in range(4_000))


@pytest.mark.parametrize("size", [100_000, 100_001, 60_000, 80_000, 120_000])
def test_the_window_is_the_text_wherever_a_read_ends(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text, "WINDOW", 20_000)
    monkeypatch.setattr(text, "_ROOM", 1_000)
    whole = LINES[: size - 1] + b"\n"
    for seed in range(30):
        rng, window, grown = Random(seed), Text(blocks(BytesIO(whole))), True
        while grown:
            grown = window.grow()
            assert bytes(window.data) == whole[window.before :][: len(window.data)]
            if not window.ended:
                window.drop(rng.choice((0, len(window.data) // 3, len(window.data))))
                assert bytes(window.data) == whole[window.before :][: len(window.data)]
        assert window.before + len(window.data) == len(whole)
        assert window.held == whole[window.before :]


class _Failing(RawIOBase):
    """A disk that cannot be read from a place on."""

    def __init__(self, whole: bytes) -> None:
        self.whole, self.at = whole, 0

    def readable(self) -> bool:
        return True

    def readinto(self, room: Any) -> int:
        if self.at >= len(self.whole):
            raise OSError(5, "Input/output error")
        part = self.whole[self.at : self.at + min(len(room), 8_192)]
        room[: len(part)] = part
        self.at += len(part)
        return len(part)


def test_what_was_read_before_a_fault_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text, "WINDOW", 60_000)
    window = Text(blocks(BufferedReader(_Failing(LINES[:100_000]))))
    while window.grow():
        pass
    assert window.damaged
    assert bytes(window.data) == LINES[:100_000]
