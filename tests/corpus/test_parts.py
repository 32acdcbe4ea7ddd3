"""Pieces of files are read as the bytes that they are, whatever kind of stream they come from."""

from __future__ import annotations

from io import BytesIO
from typing import Any, cast

import pytest

from golpae.corpus import text
from golpae.corpus.parts import Piece
from golpae.corpus.text import Text
from golpae.progress import Progress
from golpae.trace import Source, blocks

TEXT = b"".join(b'{"golpae":1}%d\n' % number for number in range(50_000))


class _WithoutRoom:
    """A stream that cannot read to where its bytes are wanted, as those of other machines."""

    def __init__(self, stream: BytesIO) -> None:
        self.read, self.seek, self.close = stream.read, stream.seek, stream.close


@pytest.mark.parametrize("has_readinto", [True, False])
@pytest.mark.parametrize("ends", [(0, None), (0, 300_000), (150_000, 700_001), (450_000, None), (9, 9)])
def test_a_piece_has_its_bytes(
    has_readinto: bool, ends: tuple[int, int | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    def opened(_: Source) -> Any:
        return BytesIO(TEXT) if has_readinto else _WithoutRoom(BytesIO(TEXT))

    monkeypatch.setattr(Source, "open", opened)
    monkeypatch.setattr(text, "WINDOW", 100_000)
    piece = Piece(0, Source("games.jsonl"), *ends)
    progress = Progress()
    held = Text(blocks(progress.watched(cast("Any", piece.open()))))
    expected = TEXT[slice(*ends)]
    end_of_line = b"\n" if expected and not expected.endswith(b"\n") else b""
    assert b"".join(held.pieces(0, 4_000)) == expected + end_of_line
    assert progress.read == len(expected)
