"""Verdicts on the properties of a text that are kept beside it.

Input: the text of a game, what editors have and nobody has saved, and the file of its kept proofs.
Output: what an editor shows behind the name of each property.
Guarantee: nothing is proved or checked here, and it says that a verdict is kept, and whether the rules have changed
since. A file of any content costs time only.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from golpae.diagnostics import SpecError
from golpae.editor.workspace import Workspace
from golpae.elaborate.check import check
from golpae.elaborate.load import load
from golpae.elaborate.names import ENDING
from golpae.elaborate.resolve import resolve
from golpae.opened import OPENED
from golpae.verify.kept_proofs import KeptFile, UselessProofs, beside, hash_of, read

Content = tuple[tuple[Path, str], ...]  # of a text and all that it includes


@dataclass(frozen=True, slots=True)
class KeptVerdict:
    """What is kept about a property: a few words, and lines that say more."""

    words: str
    more: str


class KeptVerdicts:
    """What is kept about the properties of games. A text is hashed again only after it, or one it includes, changed."""

    def __init__(self, texts: Workspace) -> None:
        self._texts = texts
        self._hashes: dict[Path, tuple[Content, str | None]] = {}

    def of(self, game: Path) -> dict[str, KeptVerdict]:
        """Return the stored result of each property of the base rules of a game, by its name."""
        try:
            kept_file = read(beside(game))
        except UselessProofs:
            return {}
        name = game.name.removesuffix(ENDING)
        if kept_file is None or not any(rules == name for rules, _, _ in kept_file.tables):
            return {}
        return _of(kept_file, name, self._hash(game, name), beside(game).name)

    def _hash(self, game: Path, name: str) -> str | None:
        """Return the hash of what the text means now; None if it has faults."""
        content = tuple((one.path, one.text.content) for one in self._texts.included(game))
        known = self._hashes.get(game)
        if known is None or known[0] != content:
            known = self._hashes[game] = content, _hash(game, name, self._texts.opened)
        return known[1]


def _hash(game: Path, name: str, opened: Mapping[str, bytes]) -> str | None:
    token = OPENED.set(opened)
    try:
        return hash_of(check(resolve(name, load(name, (game,)))))
    except SpecError:
        return None
    finally:
        OPENED.reset(token)


def _of(kept_file: KeptFile, name: str, now: str | None, file: str) -> dict[str, KeptVerdict]:
    tables: dict[str, dict[str, list[str]]] = {}
    lines: dict[str, list[str]] = {}
    changed = set()
    for (rules, players, options), table in sorted(kept_file.tables.items()):
        if rules != name:
            continue
        at = ", ".join((f"{players} players", *(f"{option} {value}" for option, value in options)))
        for result in table.results:
            tables.setdefault(result.name, {}).setdefault(result.verdict, []).append(str(players))
            lines.setdefault(result.name, []).append(f"{at}: {result.verdict}, {result.how}")
            if table.text != now:
                changed.add(result.name)
    results = {}
    for prop, verdicts in tables.items():
        words = ", ".join(
            verdict if len(verdicts) == 1 else f"{verdict} with {' and '.join(dict.fromkeys(players))}"
            for verdict, players in verdicts.items()
        )
        since = "; the rules have changed since" if prop in changed else ""
        head = f"kept in {file}{since}. `golpae prove` checks it again."
        results[prop] = KeptVerdict(f"{words} before" if since else words, "\n".join((head, *lines[prop])))
    return results
