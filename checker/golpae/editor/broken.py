"""Recorded games beside a text that break its clauses.

Input: the text of a game, what editors have and nobody has saved. Output: where each clause refused an event.
Guarantee: verdicts are those of `golpae check`. Whatever a repository holds or names costs little: few folders are
looked at, none that is hidden, and few regular files of few bytes, none that is compressed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from golpae.editor.recorded import recorded_below
from golpae.elaborate.names import ENDING
from golpae.library.checking import Checked
from golpae.library.errors import GolpaeError
from golpae.library.front import check_all
from golpae.opened import OPENED
from golpae.project import ProjectFault, found
from golpae.regular import content_of
from golpae.trace.decompress import is_archive
from golpae.workers import Send

MOST_FILES = 100  # of recorded games that are looked at
LARGEST = 1 << 19  # bytes of these together
MOST_PLACES = 20  # that settings name for them


@dataclass(frozen=True, slots=True)
class Broken:
    """An event of a recorded game that a clause refused: `clause` is its path without the name of the game."""

    clause: str
    file: Path
    line: int
    message: str


def send_broken(send: Send, games: Sequence[Path], opened: Mapping[str, bytes]) -> None:
    """Send for each game where its clauses refused an event, from another process."""
    token = OPENED.set(opened)
    try:
        out: dict[Path, list[Broken]] = {}
        for game in games:
            files = [*_files(game)]
            name = game.name.removesuffix(ENDING)
            out[game] = []
            try:
                checked = (
                    check_all(files, spec_path=game.parent, on_fault=lambda fault: None) if files else ()
                )
                for one in checked:
                    base, _, clause = (one.clause or "").partition(".")
                    if base == name and one.at is not None:
                        out[game].append(Broken(clause, Path(one.file), one.at, _first_line(one)))
            except GolpaeError:
                continue
    finally:
        OPENED.reset(token)
    send(out)


def _first_line(checked: Checked) -> str:
    return (checked.message or "") if checked.refused is None else str(checked.refused).partition("\n")[0]


def _files(game: Path) -> Iterator[Path]:
    """Yield files of recorded games: those below the folder of a text, and those of its project."""
    places = [game.parent]
    try:
        project = found(None, lambda file: None, str(game.parent))
    except ProjectFault:
        project = None
    if project is not None:
        places += map(Path, project.traces)
    room = LARGEST
    every = (
        file
        for place in places[:MOST_PLACES]
        for file in (recorded_below(place) if place.is_dir() else [place])
    )
    for file in islice(dict.fromkeys(file.resolve() for file in every), MOST_FILES):
        try:
            content = content_of(file, room + 1)
        except OSError:
            continue
        if content is not None and len(content) <= room and not is_archive(content):
            room -= len(content)
            yield file
