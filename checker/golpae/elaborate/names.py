"""The names of rule texts, and their files.

Input: the name of a game or include, and the folders or files to look in.
Output: its file.
Guarantee: nothing that reads texts is imported. One rule says which text a name means: that of the folders which a call
names, in their order; then golpae's own; then the one text of this name in the current folder or beside the games. So
no text that lies beside a stranger's games takes the place of one of golpae's own, and two texts of a name, of which
nobody has named one, are a fault.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from golpae.bundled import spec_dir

if TYPE_CHECKING:
    from golpae.diagnostics import SpecError

ENDING = ".golpae"
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_INCLUDE = re.compile(rb"^include\b", re.MULTILINE)


class OwnFolder(type(Path())):  # type: ignore[misc]
    """A folder that no call names, in which the user's own texts may lie."""


def own_folders(traces: Sequence[str] = ()) -> list[Path]:
    """Return the folders of the user's own texts: the current one, and those of the traces, which may be folders."""
    paths: dict[str, Path] = {}
    with suppress(FileNotFoundError):  # somebody has removed the current folder
        paths[os.path.realpath(os.curdir)] = OwnFolder()
    for trace in traces:
        if trace == "-" or not os.path.lexists(trace):
            continue
        for folder in _below(trace) if os.path.isdir(trace) else [os.path.dirname(trace)]:
            paths.setdefault(os.path.realpath(folder), OwnFolder(folder))
    return list(paths.values())


def _below(top: str) -> Iterator[str]:
    """Yield a folder, and those below it that hold rule texts, but no hidden ones."""
    yield top
    for folder, below, files in os.walk(top):
        below[:] = sorted(name for name in below if not name.startswith("."))
        if folder != top and any(name.endswith(ENDING) for name in files):
            yield folder


def texts_lie_in(folder: Path) -> bool:
    """Return whether a folder holds rule texts."""
    try:
        with os.scandir(folder) as files:
            return any(file.name.endswith(ENDING) for file in files)
    except OSError:
        return False


def settled(name: str, spec_path: Sequence[Path]) -> tuple[Path, ...]:
    """Return the spec path of one game: no folders that nobody has named, but its text if that lies in one. Raises
    `SpecError`.
    """
    named = tuple(place for place in spec_path if not isinstance(place, OwnFolder))
    if len(named) == len(spec_path):
        return named
    file = find(name, spec_path)
    own = file is not None and file != find(name, named)
    return (*named, file) if file is not None and own else named


def find(name: str, spec_path: Sequence[Path]) -> Path | None:
    """Return the file of this game or include: on the spec path in its order, then among the bundled ones, then in the
    folders that nobody has named. Raises `SpecError` (L001) if these hold several.
    """
    if not NAME.fullmatch(name):  # such as a path to another folder
        return None
    own = [place for place in spec_path if isinstance(place, OwnFolder)]
    for place in (*(place for place in spec_path if not isinstance(place, OwnFolder)), spec_dir()):
        if os.path.isfile(place):
            if place.name == name + ENDING:
                return place
        elif os.path.isfile(candidate := place / (name + ENDING)):
            return candidate
    files = [file for place in own if os.path.isfile(file := place / (name + ENDING))]
    if len(files) > 1 and not _are_same(files):
        raise _several(name, files)
    return Path(files[0]) if files else None


def _are_same(files: Sequence[Path]) -> bool:
    """Return whether files are one text, whichever of them is read."""
    try:
        first, *others = (file.read_bytes() for file in files)
    except OSError:
        return False
    return _INCLUDE.search(first) is None and all(other == first for other in others)


def _several(name: str, files: Sequence[Path]) -> SpecError:
    from golpae.diagnostics import Diagnostic, SpecError, quoted_list
    from golpae.diagnostics.hidden import on_one_line

    shown = quoted_list([on_one_line(os.path.join(os.curdir, file)) for file in files])
    advice = "`--spec-path` names the folder of the one that is meant"
    return SpecError([Diagnostic("L001", f"there are several texts of `{name}`: {shown}", None, advice)])
