"""The bytes of a trace file, decompressed if it is an archive.

Input: a stream of bytes: plain text, gzip or zstd, recognised by its first bytes, not by its name. Output: its
text in blocks. Guarantee: a block is at most a few MiB, even if its archive is small; at most
one block and one library buffer are in memory. Archives of several members (frames) are read whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import BinaryIO

from golpae.reading_into import reads_into

BLOCK = 1 << 16

_GZIP = b"\x1f\x8b\x08"  # the third byte is the only method of compression that there is
_GZIP_RESERVED = 0b1110_0000  # flags in the fourth byte that no archive has
_GZIP_SYSTEMS = (*range(14), 255)  # the tenth byte: where it was made
_WITH_GZIP_HEADER = 31  # what `zlib` is told
_PADDING = b"\0"  # may follow a member
_ZSTD = b"\x28\xb5\x2f\xfd"
_ZSTD_SKIPPABLE = b"\x2a\x4d\x18"  # after a first byte of 0x50 .. 0x5f

# A zstd block has at least 4 bytes and gives at most 128 KiB, so this many bytes give at most 2 MiB.
_ZSTD_BITE = 64

Read = Callable[[int], bytes]


class DamagedArchive(Exception):
    """An archive that cannot be read any further, and why."""


class CutShort(DamagedArchive):
    """An archive whose end is missing; what was read of it is sound."""


def damage(stream: BinaryIO) -> DamagedArchive | None:
    """Return why a stream does not hold what was put into it, or None if nobody can tell, or its end is missing."""
    try:
        for _ in blocks(stream):
            pass
    except CutShort:
        return None
    except DamagedArchive as fault:
        return fault
    except OSError:
        return None
    return None


def blocks(stream: BinaryIO) -> Blocks:
    """Return the text of a stream, in blocks."""
    return Blocks(stream)


class Blocks(Iterator[bytes]):
    """The text of a stream, in blocks that are not empty. Nothing is read before the first one is asked for. If it
    `is_plain`, which is known behind the first one, the rest can be read to where it is wanted.

    Raises OSError if the stream cannot be read, `DamagedArchive` if its archive is broken or cut short.
    """

    def __init__(self, stream: BinaryIO) -> None:
        # `read1` does not wait for more bytes, so the lines of a running program arrive as they are written.
        self._read: Read = getattr(stream, "read1", stream.read)
        self._into = reads_into(stream)
        self._blocks: Iterator[bytes] | None = None
        self.is_plain = False

    def __next__(self) -> bytes:
        if self._blocks is None:
            self._blocks = self._begun()
        return next(self._blocks)

    def read_into(self, room: memoryview) -> int:
        """Read as many bytes of plain text as there is room for, fewer at the end. Return how many."""
        assert self._into is not None
        return self._into(room) or 0

    def _begun(self) -> Iterator[bytes]:
        """Read the first bytes, which tell what the stream holds."""
        read, head = self._read, b""
        while len(head) < (10 if head.startswith(_GZIP) else 4) and (more := read(BLOCK)):
            head += more
        if _is_gzip(head):
            return _gzip(head, read)
        if _is_zstd(head):
            return _zstd(head, read)
        self.is_plain = self._into is not None
        return _plain(head, read)


def is_archive(head: bytes) -> bool:
    """Return whether a file that begins like this is an archive."""
    return _is_gzip(head) or _is_zstd(head)


def _is_zstd(head: bytes) -> bool:
    return head.startswith(_ZSTD) or (head[1:4] == _ZSTD_SKIPPABLE and head[0] >> 4 == 5)


def _is_gzip(head: bytes) -> bool:
    """Return whether a file that begins like this is a gzip archive, or one that is cut short."""
    if len(head) < 4:
        return len(head) > 1 and _GZIP.startswith(head)
    if not head.startswith(_GZIP) or head[3] & _GZIP_RESERVED:
        return False
    return len(head) < 10 or head[9] in _GZIP_SYSTEMS


def _plain(head: bytes, read: Read) -> Iterator[bytes]:
    block = head
    while block:
        yield block
        block = read(BLOCK)


def _gzip(head: bytes, read: Read) -> Iterator[bytes]:
    import zlib

    # Not `gzip`, which reads a long name in an archive byte by byte.
    unpacker = zlib.decompressobj(_WITH_GZIP_HEADER)
    begun = False  # some of this member has been read
    packed = head
    try:
        while packed:
            while packed:
                if block := unpacker.decompress(packed, BLOCK):
                    yield block
                if begun := not unpacker.eof:
                    packed = unpacker.unconsumed_tail
                else:
                    packed = unpacker.unused_data.lstrip(_PADDING)
                    unpacker = zlib.decompressobj(_WITH_GZIP_HEADER)
            packed = read(BLOCK)
            if not begun:
                while packed and not (packed := packed.lstrip(_PADDING)):
                    packed = read(BLOCK)
    except zlib.error:
        raise DamagedArchive("the gzip archive is damaged") from None
    if begun:
        while block := unpacker.decompress(b"", BLOCK):
            yield block
        raise CutShort("the gzip archive is cut short")


def _zstd(head: bytes, read: Read) -> Iterator[bytes]:
    import zstandard

    # Not its `stream_reader`, which accepts a frame that is cut short as a whole one.
    unpacker = zstandard.ZstdDecompressor()
    frame = unpacker.decompressobj()
    begun = False  # some of this frame has been read
    packed = head
    try:
        while packed:
            for start in range(0, len(packed), _ZSTD_BITE):
                bite = packed[start : start + _ZSTD_BITE]
                while bite:
                    block = frame.decompress(bite)
                    if block:
                        yield block
                    if begun := not frame.eof:
                        break
                    bite = frame.unused_data
                    frame = unpacker.decompressobj()
            packed = read(BLOCK)
    except zstandard.ZstdError as error:
        if "memory" in str(error):
            raise DamagedArchive("the zstd archive needs a window of more than 128 MiB") from None
        raise DamagedArchive("the zstd archive is damaged") from None
    if begun:
        raise CutShort("the zstd archive is cut short")
