"""Which files of a call are logs of another program.

Input: the value of `--from`. Output: `Forms`, by which sources are listed.
Guarantee: adapters are loaded only if something is named that does not look like traces. Standard input is looked at
when it is opened, and nothing of it is lost.
"""

from __future__ import annotations

import io
import os
from dataclasses import field
from typing import TYPE_CHECKING, BinaryIO, cast

from golpae.records import dataclass
from golpae.trace.discover import SUFFIXES, Forms
from golpae.trace.log_text import LogForm

if TYPE_CHECKING:
    from golpae.logs.adapter import Adapter

_START = 1_000  # bytes of a file that are looked at


@dataclass(frozen=True, slots=True)
class FormsOfCall:
    """All files are of the format that a call names. Of a folder those are read that look like it."""

    form: Adapter
    left_alone: list[str] = field(default_factory=list)
    """Files of folders that do not look like it."""

    @property
    def endings(self) -> tuple[str, ...]:
        return self.form.endings + self.form.shared_endings

    def takes(self, path: str) -> bool:
        if path.endswith(self.form.endings) or not self.form.knows_its_logs or _recognises(self.form, path):
            return True
        self.left_alone.append(path)
        return False

    def of(self, path: str) -> LogForm | None:
        return self.form


def _recognises(form: Adapter, path: str) -> bool:
    """Return whether a file begins as logs of a format do. One that cannot be read is left to whoever reads it."""
    from golpae.logs.installed import start_of

    start = start_of(path)
    return start is None or form.recognises(start)


@dataclass(frozen=True, slots=True)
class _AsItBegins:
    """Standard input, which is of the format that its first bytes surely tell."""

    def text(self, stream: BinaryIO, name: str) -> BinaryIO:
        if not hasattr(stream, "peek"):
            stream = cast("BinaryIO", io.BufferedReader(cast("io.RawIOBase", stream)))
        start = cast("io.BufferedReader", stream).peek(_START)
        if _begins_traces(start):
            return stream
        from golpae.logs.installed import recognised

        form = recognised(start)
        return stream if form is None else form.text(stream, name)


class _Recognised:
    """Files are of the format that their name or their content surely tells."""

    @property
    def endings(self) -> tuple[str, ...]:
        from golpae.logs.installed import all_adapters

        return tuple(ending for one in all_adapters() for ending in one.endings + one.shared_endings)

    def takes(self, path: str) -> bool:
        from golpae.logs.installed import all_adapters

        surely = SUFFIXES + tuple(ending for one in all_adapters() for ending in one.endings)
        return path.endswith(surely) or self.of(path) is not None

    def of(self, path: str) -> LogForm | None:
        if path == "-":
            return _AsItBegins()
        if not os.path.isfile(path):  # what can be read once, such as a pipe
            return None
        if path.endswith(SUFFIXES) and _looks_like_traces(path):
            return None
        from golpae.logs.installed import adapter_of

        return adapter_of(path)


def _looks_like_traces(path: str) -> bool:
    """Return whether a file may hold traces: unless it is one of JSON lines, the first of which is no header."""
    if not path.endswith(".jsonl"):
        return True
    try:
        with open(path, "rb") as stream:
            start = stream.read(_START).lstrip(b"\xef\xbb\xbf \t\r\n")
    except (OSError, ValueError):
        return True
    return not start.startswith(b'{"') or _begins_traces(start)


def _begins_traces(start: bytes) -> bool:
    """Return whether a file that begins with these bytes has traces: the first line is a header."""
    return b'"golpae"' in start.lstrip().partition(b"\n")[0]


def forms_of(name: str | None) -> FormsOfCall | Forms:
    """Return the formats of the logs of a call. Raises `UsageError`."""
    if name is None:
        return _Recognised()
    from golpae.logs.installed import adapter

    return FormsOfCall(adapter(name))
