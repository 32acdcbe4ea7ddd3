"""The steps of a game with tiles that nobody saw, for a page.

Input: the lines of a game, and a completion of them. Output: its first position, and its steps. In a position, `"?"`
stands for a hidden tile. For a zone with hidden tiles there are, beside `zone/hand/0`,

    "certain/hand/0": ["6-6"]                tiles that lie there in every completion, but are not recorded
    "possible/hand/0": ["5-5", "4-4"]        other tiles that can lie there
    "why/hand/0": {"6-6": "event 5 (...)"}   for certain tiles, what would be illegal without them

Guarantee: no tile that a completion has and others have not is shown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from golpae.corpus.inferred import InferredGame
from golpae.replay.decode import Bad
from golpae.replay.machine import Machine
from golpae.simulate.position import UNKNOWN, ZONE, Position, Positions

if TYPE_CHECKING:
    from golpae.hidden.inferring import Inferred

Step = dict[str, Any]


def steps_unseen(
    game: InferredGame,
    positions: Positions,
    lines: Sequence[tuple[int, dict[str, Any]]],
    completion: Sequence[Any],
) -> tuple[Position, list[Step]]:
    """Return the first position and the steps of a game. The lines are its events, each with its place."""
    machine = game.machine
    state = machine.new_state(game.header.stake)
    told, veils = game.told(), _Veils(game)
    first = shown = positions.flat(state)
    steps: list[Step] = []
    unfollowed = [hand.followed for hand in game.hands if hand.followed < hand.last]
    if unfollowed:  # behind it, only one completion would be shown
        lines = lines[: game.before + min(unfollowed)]
        completion = completion[: len(lines)]
    for number, ((at, line), whole) in enumerate(zip(lines, completion, strict=True), 1):
        read = machine.read(whole["do"], whole)
        assert not isinstance(read, Bad)
        _, ordered = machine.first(whole["do"], state, read)
        machine.apply(whole["do"], state, ordered)
        position = veils.over(number, positions.flat(state))
        new = {key: value for key, value in position.items() if shown.get(key) != value}
        new |= {key: [] for key in shown if key not in position}
        shown = position
        words = told.event(game.hidden_line(number)) + veils.certain_of(number)
        steps.append({"at": at, "line": line, "words": words, "new": new})
    return first, steps


class _Veils:
    """What hides zones and states of one game."""

    def __init__(self, game: InferredGame) -> None:
        self._game = game
        self._told = game.told()
        self._order = {kind.name: number for number, kind in enumerate(game.machine.instance.kinds)}
        self._of_event: dict[int, list[Inferred]] = {}
        self._unknown: dict[int, frozenset[tuple[str, int | None]]] = {}
        for hand in game.hands:
            for one in hand.places:
                self._of_event.setdefault(game.before + one.place.event, []).append(one)
            self._unknown |= {game.before + event: names for event, names in hand.unknown_states.items()}
        self._zones: dict[str, Inferred] = {}
        self._why: dict[str, dict[str, str]] = {}

    def over(self, event: int, position: Position) -> Position:
        """Return a position without what the record and the rules do not tell."""
        for one in self._of_event.get(event, ()):
            if one.place.is_zone:
                self._note(one)
        out = dict(position)
        for key, one in self._zones.items():
            out |= self._veiled(key, one, position[f"{ZONE}{key}"])
        for name, seat in self._unknown.get(event, ()):
            key = f"state/{name}" if seat is None else f"state/{name}/{seat}"
            out[key] = [UNKNOWN] * len(out[key]) if isinstance(out[key], list) else UNKNOWN
        return out

    def _note(self, one: Inferred) -> None:
        """Take note of a zone, from now on."""
        place = one.place
        key = place.key if place.seat is None else f"{place.key}/{place.seat}"
        if one.is_sized and Counter(one.recorded).total() == place.tiles:  # all of it is known again
            self._zones.pop(key, None)
            self._why.pop(key, None)
            return
        self._zones[key] = one
        why = self._why.get(key, {}) | {
            tile: ", ".join(self._reason(reason)) for tile, reason in one.why.items()
        }
        self._why[key] = {tile: words for tile, words in why.items() if tile in one.certain and words}

    def _reason(self, reason: tuple[tuple[int, str], ...]) -> Iterator[str]:
        for event, clauses in groupby(reason, key=lambda clause: clause[0]):
            words = self._told.otherwise(self._game.line(event), [name for _, name in clauses])
            yield f"event {self._game.before + event} ({words})"

    def _veiled(self, key: str, one: Inferred, held: list[Any]) -> Position:
        """Return what is shown of a zone whose tiles are not all known."""
        zone = self._game.machine.rules.zone(one.place.key)
        inferred = [*(Counter(one.certain) - Counter(one.recorded)).elements()]
        about = {
            f"certain/{key}": inferred,
            f"possible/{key}": [*one.more],
            f"why/{key}": self._why.get(key, {}),
        }
        if zone.kind == "melds" and not one.is_sized:
            return {f"{ZONE}{key}": []}
        if zone.kind == "melds":
            return {f"{ZONE}{key}": [{**meld, "tiles": [UNKNOWN] * len(meld["tiles"])} for meld in held]}
        if zone.kind == "row":
            return {**about, f"{ZONE}{key}": [UNKNOWN] * (len(held) if one.is_sized else 1)}
        known = sorted([*one.recorded, *inferred], key=lambda tile: self._order[tile])
        others = len(held) - len(known) if one.is_sized else int(bool(one.more))
        return {**about, f"{ZONE}{key}": [*known, *[UNKNOWN] * others]}

    def certain_of(self, event: int) -> str:
        """Return what is certain of the tiles that an event hides, behind its words."""
        own = [one for one in self._of_event.get(event, ()) if not one.place.is_zone and one.place.spots]
        certain = [tile for one in own for tile in one.certain]
        hidden = sum(one.place.tiles for one in own)
        if not certain or len(certain) < hidden or self._is_deal(event):
            return ""
        kinds = {kind.name: kind.spoken for kind in self._game.machine.instance.kinds}
        return f" (certainly {', '.join(kinds[tile] for tile in certain)})"

    def _is_deal(self, event: int) -> bool:
        machine: Machine = self._game.machine
        return machine.actions[self._game.events[event - 1]["do"]].kind == "deal"
