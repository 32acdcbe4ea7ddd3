"""The digest of a trace, by which a verdict can be cited.

Input: lines of a trace, one after the other. Output: the SHA-256 of those that a verdict is about: from the header
to the event that is refused, or to the last line.
Guarantee: blank lines, white space around lines, and the kind of their ends change nothing.
"""

from __future__ import annotations

from hashlib import sha256

_BOM = b"\xef\xbb\xbf"


class Digest:
    """The digest of the trace that is being read."""

    __slots__ = ("_hash", "_last")

    def __init__(self) -> None:
        self._hash, self._last = sha256(), b""

    def see(self, line: bytes) -> None:
        """Note a line that is not blank."""
        self._hash.update(self._last)
        self._last = line.removeprefix(_BOM).strip() + b"\n"

    def begin(self) -> None:
        """Begin with the line that was seen last: it is the first one of a trace."""
        self._hash = sha256()

    def text(self, with_last: bool) -> str:
        """Return the digest, with or without the line that was seen last."""
        if not with_last:
            return self._hash.hexdigest()
        whole = self._hash.copy()
        whole.update(self._last)
        return whole.hexdigest()


def digest_of(trace: bytes) -> str:
    """Return the digest of a whole trace."""
    lines = (line.strip() for line in trace.removeprefix(_BOM).split(b"\n"))
    return sha256(b"".join(line + b"\n" for line in lines if line)).hexdigest()
