"""An adapter for the score sheets of a club, which its secretary types: a line for the table, and one for each event.

jjak: An, Bo
An begins: 6-6 6-6 5-4 6-3 4-2 2-1 / 6-1 3-1 5-1 4-4 1-1
An lays 6-6 6-6
An discards 4-2
"""

import re
from collections.abc import Iterator

from golpae.logs import Adapter, Game, Log, LogFault, Place


class ScoreSheet(Adapter):
    name = "score-sheet"
    what = "score sheets of our club"
    endings = (".sheet",)

    def games(self, log: Log) -> Iterator[Game]:
        game, names = None, []
        for number, line in log.lines():
            place = Place(number)
            if table := re.fullmatch(r"(\S+): (\w+(?:, \w+)+)", line):
                if game is not None:
                    yield game
                names = table[2].split(", ")
                game = Game(table[1], names, place)
            elif line.strip():
                if game is None:
                    raise LogFault("a sheet begins with the rules and the players", place)
                self._event(game, names, line, place)
        if game is not None:
            yield game

    def _event(self, game: Game, names: list[str], line: str, place: Place) -> None:
        name, _, rest = line.partition(" ")
        verb, _, told = rest.partition(" ")
        seat, tiles = names.index(name) if name in names else None, told.split()
        if verb == "begins:":
            game.tell("deal", place, first=seat, hands=[hand.split() for hand in told.split("/")])
        elif verb == "takes" and tiles:
            game.tell("claim", place, by=seat, tile=tiles[0])
        elif verb == "lays":
            game.tell("lay", place, by=seat, tiles=tiles)
        elif verb == "discards" and tiles:
            game.tell("discard", place, by=seat, tile=tiles[0])
        else:
            game.spoil(f"nothing is known of {verb or 'an empty event'}", place)
