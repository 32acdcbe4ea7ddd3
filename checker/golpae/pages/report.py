"""A report: a page for each game, and an index if there are several.

Input: recordings, one by one.
Output: files in a folder.
Guarantee: there are no more pages than the limit allows, and the index lists no more than `LISTED` games, or than there
are pages; of the others it has the counts. `index.html` is the page to open. A file is there as a whole or not at all.
Pages link to the index, to the games before and after, and to illegal ones.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from urllib.parse import quote

from golpae.beside import write_whole
from golpae.ir.ruleset import RuleSet
from golpae.pages.clause_text import ClauseTexts
from golpae.pages.game import game_page
from golpae.pages.index import Row, Tally, index_page
from golpae.pages.module import Modules
from golpae.pages.recording import Recording
from golpae.pages.stale import remove_others
from golpae.pages.ways import Linked, link
from golpae.trace import Verdict

INDEX = "index.html"
PAGES = 1_000  # games with a page of their own, if the call says no other number
LISTED = 20_000  # games in the table of the index
_PAGE = re.compile(r"game-\d+\.html")


class Report:
    """The pages of one folder, at most `limit` of them beside the index."""

    def __init__(
        self, folder: Path, clauses: ClauseTexts, limit: int = PAGES, books: Path | None = None
    ) -> None:
        self.folder = folder
        self._books = books
        self._linked: list[Linked] = []
        self.limit = limit
        self._listed = max(limit, LISTED)
        self._clauses = clauses
        self.tally = Tally()
        self.rows: list[Row] = []
        self._modules = Modules()

    def has_room(self) -> bool:
        """Return whether the next game gets a page."""
        return self.tally.games < self.limit

    def add(self, recording: Recording) -> None:
        """Write the page of a game. Raises OSError."""
        number = self.tally.games + 1
        page = None
        if recording.instance is not None and self.has_room():
            page = f"game-{number}.html"
            clauses = self._clauses.of(recording.instance.rule_set.rules)
            module = None if recording.is_hidden else self._modules.of(recording.instance)
            book = self._book(recording.instance.rule_set)
            self._write(page, game_page(recording, module, clauses, book))
            self._linked.append(Linked(page, recording.outcome.verdict is Verdict.ILLEGAL))
        players = () if recording.header is None else tuple(recording.header.players)
        rules = None if recording.instance is None else recording.instance.rule_set
        self.tally.add(recording.outcome, recording.message, rules)
        if number <= self._listed:
            self.rows.append(
                Row(number, recording.outcome, players, recording.events, recording.message, page)
            )

    def finish(self) -> str:
        """Write the index, or make the only page the index, and remove the pages of an earlier report with more games.
        Return the games in words. Raises OSError.
        """
        if self.tally.games == 1 and self.rows[0].page is not None:
            os.replace(self.folder / self.rows[0].page, self.folder / INDEX)
        else:
            self._write(INDEX, index_page(self.rows, self.tally, self.bounds()))
            link(self.folder, self._linked, INDEX)
        written = {row.page for row in self.rows if row.page is not None and len(self.rows) > 1}
        remove_others(self.folder, _PAGE, written)
        return self.tally.words

    def _book(self, rules: RuleSet) -> str | None:
        """Return the address of the rule book of a rule set, or of its game, seen from the pages."""
        if self._books is None:
            return None
        files = (self._books / f"{name}.html" for name in (rules.rules, rules.game))
        book = next(filter(Path.is_file, files), None)
        return None if book is None else quote(Path(os.path.relpath(book, self.folder)).as_posix())

    def bounds(self) -> list[str]:
        """Return what the limit has left out, in words."""
        games, out = self.tally.games, []
        if games > self.limit:
            have = "game has a page" if self.limit == 1 else f"{self.limit:,} games have pages"
            out.append(f"the first {have}; `--limit N` writes more")
        if games > self._listed:
            out.append(f"the first {self._listed:,} are in the table; all are counted")
        return out

    def _write(self, name: str, page: str) -> None:
        write_whole(self.folder / name, page)
