"""Archives read as their text does, and damaged ones are faults."""

import gzip
import os
from collections.abc import Callable
from io import BytesIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from golpae.trace import lines
from tests.trace.streams import DRAW, DRAWN, TOO_LONG, Line, peak, read, stream, zst

archives = pytest.mark.parametrize(("pack", "kind"), [(gzip.compress, "gzip"), (zst, "zstd")])
Pack = Callable[[bytes], bytes]


@archives
def test_an_archive_reads_as_its_text(pack: Pack, kind: str) -> None:
    data = b"\xef\xbb\xbf" + b"\n".join([DRAW, b"", b"[1]", DRAW] * 3000)
    expected = read(data)
    assert len(expected) == 9000
    assert read(pack(data)) == expected
    # Bytes as a slow pipe gives them.
    assert list(lines(stream(pack(data)[i : i + 1] for i in range(len(pack(data)))))) == expected


@archives
def test_archives_of_several_members_are_read_whole(pack: Pack, kind: str) -> None:
    packed = pack(DRAW[:9]) + pack(b"") + pack(DRAW[9:] + b"\n") + pack(b"{}")
    assert read(packed) == [(1, DRAWN, None), (2, {}, None)]
    assert read(pack(b"")) == []


def test_a_gzip_archive_may_have_a_long_name_and_zeros_between_its_members() -> None:
    named = b"\x1f\x8b\x08\x08" + bytes(5) + b"\xff" + b"n" * 1_000_000 + b"\0" + gzip.compress(DRAW)[10:]
    packed = named + bytes(200_000) + gzip.compress(b"\n{}") + bytes(3)
    assert read(packed) == [(1, DRAWN, None), (2, {}, None)]
    found = read(packed + b"xyz")
    assert found[:-1] == [(1, DRAWN, None)]
    assert "damaged" in (found[-1][2] or "")


def test_zstd_files_may_begin_with_a_frame_to_skip() -> None:
    assert read(b"\x5a\x2a\x4d\x18\x03\x00\x00\x00abc" + zst(DRAW)) == [(1, DRAWN, None)]


@archives
def test_an_archive_cut_short_is_a_fault_at_the_line_reached(pack: Pack, kind: str) -> None:
    random_notes = b"".join(b'{"note":"%s"}\n' % os.urandom(40).hex().encode() for _ in range(20_000))
    packed = pack(random_notes)
    *good, (number, value, words) = read(packed[: len(packed) // 2])
    assert (value, words) == (None, f"the {kind} archive is cut short")
    assert number == len(good) + 1
    assert len(good) > 5000
    assert all(found is None for _, _, found in good)
    for cut in (1, 4, 8):
        assert read(packed[:-cut])[-1][1:] == (None, f"the {kind} archive is cut short")
    assert read(packed[:6]) == [(1, None, f"the {kind} archive is cut short")]


@archives
def test_a_damaged_archive_is_a_fault(pack: Pack, kind: str) -> None:
    packed = pack(DRAW + b"\n")
    wrong_check = packed[:-6] + bytes([packed[-6] ^ 1]) + packed[-5:]
    if kind == "zstd":
        wrong_check = packed[:-1] + bytes([packed[-1] ^ 1])
    assert read(wrong_check)[-1][1:] == (None, f"the {kind} archive is damaged")
    assert read(packed + b"more") == [(1, DRAWN, None), (2, None, f"the {kind} archive is damaged")]


@archives
@settings(max_examples=100)
@given(data=st.data())
def test_damaged_archives_never_raise(pack: Pack, kind: str, data: st.DataObject) -> None:
    packed = bytearray(pack((DRAW + b"\n") * 50))
    for _ in range(data.draw(st.integers(1, 3))):
        packed[data.draw(st.integers(0, len(packed) - 1))] = data.draw(st.integers(0, 255))
    found = read(bytes(packed[: data.draw(st.integers(0, len(packed)))]))
    assert [number for number, _, _ in found] == sorted({number for number, _, _ in found})


@archives
def test_a_decompression_bomb_is_skipped_in_little_memory(pack: Pack, kind: str) -> None:
    size = 64 << 20
    packed = pack(b" " * size + b"\n" + DRAW)
    assert len(packed) < size // 500
    found: list[Line] = []
    assert peak(lambda: found.extend(read(packed))) < 10 << 20
    assert found == [(1, None, TOO_LONG), (2, DRAWN, None)]


def test_a_failing_disk_under_an_archive_is_not_reported_as_damage() -> None:
    packed = gzip.compress(DRAW)
    broken = stream([packed[:20], OSError(5, "Input/output error")])
    assert list(lines(broken)) == [(1, None, "this line cannot be read to its end: input/output error")]


@pytest.mark.parametrize(
    "head", [b"\x1f\x8b\n", b"\x1f\x8bxyz\n", b"\x1f\x8b\x08\xff\n", b"\x1f\x8b\x08\n", b"\x1f\n"]
)
def test_a_line_that_begins_like_an_archive_costs_no_other_line(head: bytes) -> None:
    found = list(lines(BytesIO(head + b'{"golpae": 1}\n')))
    assert [(number, value) for number, value, fault in found if fault is None] == [(2, {"golpae": 1})]
    assert found[0][2] is not None
