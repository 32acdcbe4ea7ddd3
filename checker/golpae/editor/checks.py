"""What is wrong with a rule text, or with recorded games, that an editor has open.

Input: the path of a text, and what editors have and nobody has saved. Output: faults and notes by the names of the
texts that they are in; faults of recorded games by their lines.
Guarantee: faults are those of `golpae lint`, verdicts those of `golpae check`.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from golpae.diagnostics import Diagnostic, SpecError
from golpae.elaborate.check import check, check_text
from golpae.elaborate.load import load
from golpae.elaborate.resolve import resolve
from golpae.ir.ruleset import RuleSet
from golpae.lint.text_notes import text_notes
from golpae.opened import OPENED
from golpae.workers import Send


@dataclass(frozen=True, slots=True)
class CheckedTexts:
    """Faults and notes of a game's texts."""

    faults: tuple[Diagnostic, ...]
    notes: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True, slots=True)
class FaultOfGame:
    """What is wrong with a recorded game, on a line from 1; `lines` are the whole explanation."""

    line: int
    lines: tuple[str, ...]
    clause: str | None


def base_faults(game: Path, opened: Mapping[str, bytes]) -> CheckedTexts:
    """Return the faults of a game's base rules."""
    return _found(game, opened, whole=False)


def all_faults(game: Path, opened: Mapping[str, bytes]) -> CheckedTexts:
    """Return the faults of a game with each of its variants and readings, and the notes on its text."""
    return _found(game, opened, whole=True)


def send_all_faults(send: Send, games: Sequence[Path], opened: Mapping[str, bytes]) -> None:
    """Send the faults of several games, from another process."""
    send([all_faults(game, opened) for game in games])


def _found(game: Path, opened: Mapping[str, bytes], whole: bool) -> CheckedTexts:
    token = OPENED.set(opened)
    try:
        loaded = load(game.name.removesuffix(".golpae"), (game,))
        if not whole:
            check(resolve(loaded.game.name.text, loaded))
            return CheckedTexts(())
        checked: dict[str, RuleSet] = {}
        faults = check_text(loaded, checked)
        return CheckedTexts(tuple(faults), () if faults else tuple(text_notes(loaded)))
    except SpecError as fault:
        return CheckedTexts(fault.diagnostics)
    finally:
        OPENED.reset(token)


def send_faults_of_games(
    send: Send, content: str, places: Sequence[Path], opened: Mapping[str, bytes]
) -> None:
    """Send what is wrong with the recorded games of a text, from another process."""
    from golpae.library.front import check_all

    token = OPENED.set(opened)
    faults = []
    try:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "games.jsonl"
            file.write_text(content, encoding="utf-8", errors="surrogatepass")
            for game in check_all(file, spec_path=places, on_fault=lambda fault: None):
                if game.ok or game.message is None:
                    continue
                lines = [game.message] if game.refused is None else str(game.refused).splitlines()
                faults.append(FaultOfGame(game.at or game.line, tuple(lines), game.clause))
    finally:
        OPENED.reset(token)
    send(faults)
