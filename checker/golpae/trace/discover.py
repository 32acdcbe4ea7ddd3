"""Find trace files: from files, folders and standard input.

Input: the paths that a user names. Output: the sources to read, in order, and a fault for each path without
any. Guarantee: only folders are read, and the ends of tables in them.
"""

import errno
import os
import stat
import sys
from collections.abc import Iterator, Sequence
from typing import BinaryIO, Protocol, cast

from golpae.records import dataclass
from golpae.trace import packed, remote
from golpae.trace.log_text import LogForm, log_text
from golpae.trace.quote import quoted

SUFFIXES = (".jsonl", ".jsonl.gz", ".jsonl.zst", packed.ENDING)
OTHER_FILES = {
    ".golpae": ("a rule text", "`golpae lint {}` finds its faults; `--rules {}` checks traces against it"),
    ".verdicts": (
        "a file of expected verdicts",
        "name the trace file; `--expected` compares it with the verdicts",
    ),
}
"""Files of golpae that hold no traces, and what to do with them."""

_FOOTER = 1 << 20  # bytes at the end of a table among which golpae looks for what is in it


@dataclass(frozen=True, slots=True)
class Source:
    """Something that traces can be read from."""

    path: str
    """The path for the operating system, or a URL; `-` for standard input."""
    is_remote: bool = False
    """Whether the path is a URL, so that it is elsewhere. Where sources are listed this is decided, once."""
    form: LogForm | None = None
    """The format that another program wrote it in; None for traces."""

    @property
    def name(self) -> str:
        """Return the path as the user gave it, or a file below that path; always valid UTF-8."""
        return _printable(self.path)

    @property
    def shown(self) -> str:
        """Return the name for messages, on one line."""
        from golpae.diagnostics.hidden import on_one_line

        return "<stdin>" if self.path == "-" else on_one_line(self.name)

    @property
    def is_packed(self) -> bool:
        """Whether it holds packed games."""
        return self.form is None and self.path.endswith(packed.ENDING)

    @property
    def is_only_here(self) -> bool:
        """Whether no other process can read it."""
        return self.path == "-" or (self.is_remote and self.path.lower().startswith("memory://"))

    def open(self) -> BinaryIO:
        """Open the source: archives not unpacked, packed games and logs as their text. Raises OSError."""
        stream = self.open_bytes()
        if self.form is not None:
            text = self.form.text(stream, self.name)
            if log_text(text) is not None:
                stream.close()
            return text
        if not self.is_packed:
            return stream
        try:
            return cast("BinaryIO", packed.PackedText(stream))
        except OSError:
            stream.close()
            raise

    def open_bytes(self) -> BinaryIO:
        """Open the bytes of the source. Raises OSError."""
        if self.path == "-":
            if sys.stdin is None:
                raise OSError(errno.EBADF, "it is closed")
            return sys.stdin.buffer
        return remote.open_url(self.path) if self.is_remote else open(self.path, "rb")

    def size(self) -> int | None:
        """Return how many bytes the source has, archives not unpacked; None if nobody knows."""
        if self.path == "-":
            return None
        if self.is_remote:
            return remote.size_of(self.path)
        try:
            return os.path.getsize(self.path)
        except (OSError, ValueError):
            return None


@dataclass(frozen=True, slots=True)
class InputFault:
    """A path that no trace can be read from, or a wrong word of a call; `examples` follow the advice, a line each."""

    path: str
    message: str
    help: str | None = None
    examples: Sequence[str] = ()


class Forms(Protocol):
    """The formats of logs that are known."""

    @property
    def endings(self) -> tuple[str, ...]:
        """How the names of files end, beside `SUFFIXES`, that may be taken from folders."""

    def takes(self, path: str) -> bool:
        """Return whether a file of a folder is read, by its ending or its content."""

    def of(self, path: str) -> LogForm | None:
        """Return the format of a file, which may be `-`; None for traces."""


def sources(paths: Sequence[str], forms: Forms | None = None) -> tuple[list[Source], list[InputFault]]:
    """Return the sources under `paths`, in their order, and a fault for each path without any.

    A folder means all `SUFFIXES` files in and below it, and logs of the `forms`, sorted by path. Hidden files and
    folders in it are skipped, links to folders are not followed. A file that the user names may have any name except
    those of `OTHER_FILES`. A path that no file has is a URL if it begins with `scheme://`.
    """
    readable: list[Source] = []
    faults: list[InputFault] = []
    for path in paths:
        if path == "-":
            if any(source.path == "-" for source in readable):
                faults.append(_fault(path, "`-` is named twice", "standard input can be read only once"))
            else:
                readable.append(Source(path, form=_form_of(path, forms)))
            continue
        if remote.is_url(path):
            _add_remote(path, readable, faults)
            continue
        fault = _unreadable(path) or _other_file(path)
        if fault:
            faults.append(fault)
        elif not os.path.isdir(path):
            readable.append(Source(path, form=_form_of(path, forms)))
        else:
            before = len(faults)
            inside: list[Source] = []
            for file in sorted(_walk(path, faults, SUFFIXES + (forms.endings if forms else ()))):
                fault = _unreadable(file)
                if fault:
                    faults.append(fault)
                elif forms is None or forms.takes(file):
                    inside.append(Source(file, form=_form_of(file, forms)))
            if not inside and len(faults) == before:
                endings = "`.jsonl`, `.jsonl.gz`, `.jsonl.zst` or `.parquet`"
                advice = (
                    f"golpae reads files that end in {endings}, but no hidden files and no links to folders"
                )
                faults.append(_fault(path, f"no traces in folder {quoted(path)}", advice))
            readable.extend(inside)
    return readable, faults


def _add_remote(url: str, readable: list[Source], faults: list[InputFault]) -> None:
    """Add the sources that a URL stands for, or a fault."""
    try:
        listed = remote.listed(url, SUFFIXES)
    except OSError as error:
        faults.append(_cannot(url, error))
        return
    readable += (Source(file, True) for file in listed)
    if not listed:
        faults.append(_fault(url, f"no traces at {quoted(url)}"))


def _form_of(path: str, forms: Forms | None) -> LogForm | None:
    return None if forms is None else forms.of(path)


def _walk(top: str, faults: list[InputFault], endings: tuple[str, ...]) -> Iterator[str]:
    """Yield the files with these endings in and below a folder, in no order. A folder that cannot be listed is a
    fault.
    """

    def unlisted(error: OSError) -> None:
        faults.append(_cannot(error.filename or top, error))

    for folder, below, files in os.walk(top, onerror=unlisted):
        below[:] = sorted(name for name in below if not name.startswith("."))
        for name in files:
            if name.endswith(endings) and not name.startswith("."):
                file = os.path.join(folder, name)
                # A pipe would block for ever. A link to nothing is yielded, so that it is reported.
                if not os.path.exists(file) or (os.path.isfile(file) and not _is_other_table(file)):
                    yield file


def _is_other_table(file: str) -> bool:
    """Return whether a file is a table of something else than games. Its last bytes list what is in it."""
    if not file.endswith(packed.ENDING):
        return False
    try:
        with open(file, "rb") as stream:
            stream.seek(max(os.path.getsize(file) - _FOOTER, 0))
            return packed.KEY not in stream.read()
    except OSError:
        return False  # whoever opens it says why that fails


def _unreadable(path: str) -> InputFault | None:
    """Return why a path cannot be read, or None if it can."""
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        if os.path.islink(path):
            return _fault(path, f"{quoted(path)} is a link to a file that does not exist")
        advice = "golpae follows no chain of places: name one URL" if remote.is_chain(path) else _near(path)
        return _fault(path, f"no file or folder {quoted(path)}", advice)
    except (OSError, ValueError) as error:
        return _cannot(path, error)
    if not os.access(path, os.R_OK | os.X_OK if stat.S_ISDIR(mode) else os.R_OK):
        return _fault(path, f"{quoted(path)} cannot be read: permission denied")
    return None


def _other_file(path: str) -> InputFault | None:
    """Return a fault if a path names another kind of file, or None."""
    for ending, (what, advice) in OTHER_FILES.items():
        if path.endswith(ending) and not os.path.isdir(path):
            name = quoted(path)
            return _fault(path, f"{name} is {what}, not traces", advice.replace("{}", name.strip("`")))
    return None


def _cannot(path: str, error: OSError | ValueError) -> InputFault:
    if isinstance(error, OSError):
        reason = error.strerror or str(error)
    else:  # whose words are other ones in each version of Python
        reason = "no path has a null character"
    return _fault(path, f"{quoted(path)} cannot be read: {reason[:1].lower()}{reason[1:]}")


def _fault(path: str, message: str, advice: str | None = None) -> InputFault:
    return InputFault(_printable(path), message, advice)


def _printable(path: str) -> str:
    """Return the path with a replacement character for each byte that is not UTF-8."""
    return path if path.isascii() else path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _near(path: str) -> str | None:
    """Return advice that names the file beside `path` with the nearest name."""
    from golpae.diagnostics import near

    folder, name = os.path.split(path)
    try:
        stem = name.partition(".")[0]  # an ending that two names share does not make them alike
        others = (_printable(other) for other in os.listdir(folder or "."))
        return near(name, (other for other in others if near(stem, [other.partition(".")[0]])))
    except OSError:
        return None
