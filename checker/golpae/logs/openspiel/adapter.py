"""Playthroughs of OpenSpiel, as its script `generate_new_playthrough` writes them: every action, and of some states all
that OpenSpiel says, the legal actions among it.

Input: the text of playthroughs. Output: their games, each state that lists its legal actions with that list.
Guarantee: parameters that no rule text has end the game with words that say so.
"""

from __future__ import annotations

from collections.abc import Iterator

from golpae.logs.adapter import Adapter, Game, Log, LogFault
from golpae.logs.openspiel.bridge import BridgeTable
from golpae.logs.openspiel.dominoes import DominoesTable
from golpae.logs.openspiel.gin import GinTable
from golpae.logs.openspiel.hearts import HeartsTable
from golpae.logs.openspiel.playthrough import GAME, Playthrough, playthroughs
from golpae.logs.openspiel.spades import SpadesTable
from golpae.logs.openspiel.told_game import OpenSpielGame, Spoilt
from golpae.trace.log_text import Place

TABLES: dict[str, type[OpenSpielGame]] = {
    "bridge": BridgeTable,
    "gin_rummy": GinTable,
    "hearts": HeartsTable,
    "python_block_dominoes": DominoesTable,
    "spades": SpadesTable,
}
"""The games that are read, by OpenSpiel's names."""


class OpenSpiel(Adapter):
    """Reads playthroughs."""

    name = "openspiel"
    what = "playthroughs of OpenSpiel: gin rummy, block dominoes, spades, hearts, bridge"
    shared_endings = (".txt",)

    def recognises(self, start: bytes) -> bool:
        return start.lstrip(b"\xef\xbb\xbf").startswith(GAME.encode()) and b"\nGameType." in start

    def games(self, log: Log) -> Iterator[Game]:
        any_game = False
        for one in playthroughs(log.lines()):
            any_game = True
            yield _game(one)
        if not any_game and log.data.strip():
            raise LogFault(f"a playthrough begins with a line such as `{GAME}spades`", Place(1))


def _game(playthrough: Playthrough) -> Game:
    """Return the game of a playthrough. Raises `LogFault` if it is of no game that golpae reads."""
    kind = TABLES.get(playthrough.game)
    if kind is None:
        known = ", ".join(f"`{name}`" for name in TABLES)
        words = f"golpae does not read playthroughs of `{playthrough.game[:40]}`, but of {known}"
        raise LogFault(words, playthrough.place)
    try:
        table = kind(playthrough.parameters, playthrough.place)
    except Spoilt as fault:
        game = Game(kind.rules, kind.players, playthrough.place)
        game.spoil(fault.words, fault.place or playthrough.place)
        return game
    for step in playthrough.steps:
        try:
            table.step(step)
        except Spoilt as fault:
            table.game.spoil(fault.words, fault.place or step.place)
            break
    return table.game
