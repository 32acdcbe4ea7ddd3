"""An adapter for the block dominoes of OpenSpiel (`pip install open_spiel`), as its version 2.0.2 has it.

OpenSpiel names an action by the pips that a tile is laid at, not by an end of the line; its player 0 always begins.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any

Line = dict[str, Any]
Tile = tuple[float, ...]


def tile_of(name: str) -> Tile:
    """Return a tile as OpenSpiel has it, the lower number first."""
    return tuple(sorted(map(float, name.split("-"))))


def name_of(tile: Tile) -> str:
    return f"{int(tile[1])}-{int(tile[0])}"


class Adapter:
    """One game of OpenSpiel after the other."""

    def __init__(self) -> None:
        self.module: Any = import_module("open_spiel.python.games.block_dominoes")
        self.game = self.module.BlockDominoesGame()

    def new(self, header: Line) -> None:
        self.state = self.game.new_initial_state()
        self.ends: dict[str, float] = {}
        self.first = 0

    def event(self, event: Line) -> Line:
        if event["do"] == "deal":
            self.first = event["first"]
            for seat in (self.first, 1 - self.first):
                for tile in event["hands"][seat]:
                    self.state.apply_action(self.module._DECK.index(tile_of(tile)))
        elif event["do"] == "lay":
            action = self._action(event)
            if action is None or self.state.is_terminal() or action not in self.state.legal_actions():
                return {"ok": False}
            self.state.apply_action(action)
            self._lengthen(tile_of(event["tile"]), event["end"])
        return self._told()

    def _action(self, event: Line) -> int | None:
        """Return the number of an action, or None if OpenSpiel has no such action."""
        if not self.ends and event["end"] == "front":
            return None
        pips = self.ends.get(event["end"])
        words = f"p{self._player(event['by'])} tile:{tile_of(event['tile'])} pip:{pips}"
        actions: list[str] = self.module._ACTIONS_STR
        return actions.index(words) if words in actions else None

    def _lengthen(self, tile: Tile, end: str) -> None:
        """Note the open ends, which OpenSpiel has in no order."""
        if not self.ends:
            self.ends = {"front": tile[1], "back": tile[0]}
        else:
            self.ends[end] = tile[0] if tile[1] == self.ends[end] else tile[1]

    def _player(self, seat: int) -> int:
        return seat if self.first == 0 else 1 - seat

    def _told(self) -> Line:
        state, over = self.state, self.state.is_terminal()
        players = [self._player(0), self._player(1)]
        hands = [[name_of(tile) for tile in state.hands[player]] for player in players]
        line = [name_of(action.tile) for action in state.actions_history]
        told = {
            "over": over,
            "legal": [] if over else [*self._legal()],
            "state": {"zones": {"hand": hands, "line": line}},
        }
        if over:
            returns = state.returns()
            told["pay"] = [int(returns[player]) for player in players]
        return told

    def _legal(self) -> Iterator[Line]:
        for number in self.state.legal_actions():
            action = self.module._ACTIONS[number]
            by, tile = self._player(action.player), name_of(action.tile)
            ends = [end for end, pips in self.ends.items() if pips == action.edge] if self.ends else ["back"]
            yield from ({"do": "lay", "by": by, "tile": tile, "end": end} for end in ends)
