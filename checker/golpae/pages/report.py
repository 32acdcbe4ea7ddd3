"""A report: a page for each game, and an index if there are several.

Input: recordings, one by one.
Output: files in a folder.
Guarantee: memory holds a row for each game, not the games. `index.html` is the page to open. A file is there as a whole
or not at all.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from golpae.pages.clause_text import ClauseTexts
from golpae.pages.game import game_page
from golpae.pages.index import Row, counted, index_page
from golpae.pages.module import Modules
from golpae.pages.recording import Recording
from golpae.pages.stale import remove_others

INDEX = "index.html"
_PAGE = re.compile(r"game-\d+\.html")


class Report:
    """The pages of one folder."""

    def __init__(self, folder: Path, clauses: ClauseTexts) -> None:
        self.folder = folder
        self._clauses = clauses
        self.rows: list[Row] = []
        self._modules = Modules()

    def add(self, recording: Recording) -> None:
        """Write the page of a game. Raises OSError."""
        number = len(self.rows) + 1
        page = None
        if recording.instance is not None:
            page = f"game-{number}.html"
            clauses = self._clauses.of(recording.instance.rule_set.rules)
            self._write(page, game_page(recording, self._modules.of(recording.instance), clauses))
        message = (recording.refused or {}).get("message") or recording.outcome.message or ""
        players = () if recording.header is None else tuple(recording.header.players)
        self.rows.append(Row(number, recording.outcome, players, recording.events, message, page))

    def finish(self) -> str:
        """Write the index, or make the only page the index, and remove the pages of an earlier report with more games.
        Return the games in words. Raises OSError.
        """
        if len(self.rows) == 1 and self.rows[0].page is not None:
            os.replace(self.folder / self.rows[0].page, self.folder / INDEX)
        else:
            self._write(INDEX, index_page(self.rows))
        written = {row.page for row in self.rows if row.page is not None and len(self.rows) > 1}
        remove_others(self.folder, _PAGE, written)
        return counted(self.rows)

    def _write(self, name: str, page: str) -> None:
        beside = self.folder / f".{name}.new"
        beside.write_text(page, encoding="utf-8", newline="\n")
        os.replace(beside, self.folder / name)
