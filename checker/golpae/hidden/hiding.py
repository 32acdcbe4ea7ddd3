"""Hides tiles of a recorded game: those that one player did not see, or some by chance.

Input: a machine, a header, and the lines of a game from its first event on. Output: the same lines with `UNKNOWN` in
place of tiles; a hand of which nothing is known has its size, and a `reserve` of which nothing is known is left out.
Guarantee: the lines that are given stay as they are. Nothing but tiles is hidden, so what is hidden can be filled in
with what was there.

    {"do":"draw","by":0,"tile":"3-3"}      as player 1 saw it: {"do":"draw","by":0,"tile":"?"}
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from golpae.diagnostics import quoted_list
from golpae.hidden.lines import HANDS, RESERVE, hidden_line
from golpae.hidden.places import tiles_in
from golpae.ir.limits import TooManySteps
from golpae.ir.ruleset import Action, ZoneDecl
from golpae.ir.types import has_tiles
from golpae.replay.machine import Machine, State
from golpae.replay.machine_cache import Waived
from golpae.replay.replay import happen, let_stand
from golpae.replay.report import Refusal
from golpae.trace import Header, quoted
from golpae.trace.unseen import UNKNOWN

Event = Mapping[str, Any]
Shows = Callable[[str, str, int | None], bool]
"""Whether a tile is shown: by its key, its name, and the seat whose tile it is if the key goes by seat."""

OFF_THE_RULES = (TypeError, ValueError, LookupError, AttributeError, NameError)
"""What comes of rules without some of their conditions, in a state that no legal game reaches: a seat may be none, or a
name stand for nothing."""
NOBODY = "none"
"""What names somebody who plays no hand."""


def seat_named(header: Header, word: str) -> int | str | None:
    """Return the seat of a player by name or number, None for `NOBODY`, or in words why there is no such seat."""
    names = header.players
    if names.count(word) == 1:
        return names.index(word)
    if word.isascii() and word.isdigit() and len(word) < 5 and int(word) < len(names):
        return int(word)
    if word == NOBODY:
        return None
    if word in names:
        return f"several players are called {quoted(word)}: say the seat, a number from 0 to {len(names) - 1}"
    return f"there is no player {quoted(word)} at this table; the players are {quoted_list(names)}"


def by_chance(
    machine: Machine, lines: Sequence[Event], rng: random.Random, share: float
) -> list[dict[str, Any]]:
    """Return lines in which each tile is unknown with this probability."""
    return [_shown(machine, line, lambda key, tile, seat: rng.random() >= share) for line in lines]


def seen_from(
    machine: Machine,
    header: Header,
    lines: Sequence[Event],
    seat: int | None,
    waived: Waived | None = None,
) -> list[dict[str, Any]]:
    """Return lines as one seat saw them, by the `seen by` of the rules; `None` for somebody who sees what all see.

    Whoever acts knows the tiles that the event names. Of a deal a player sees the hands and zones that are open to this
    player then, and what still lies in a hand that is opened later. Of any other event a player knows a tile that
    leaves a zone open to this player, or comes to one, or stays where it is: then it was said.

    An event that breaks a rule is followed as if it did not. If its tiles cannot be moved, the game goes on as if it
    had another tile, with which it gets furthest; the lines end with the first event that cannot happen with any.
    `waived` holds what was made to follow such games.
    """
    state: State | None = machine.new_state(header.stake)
    waived = waived or Waived()
    out: list[dict[str, Any]] = []
    dealt: _Dealt | None = None
    for number, line in enumerate(lines):
        assert state is not None
        shown, state = _next(machine, header, state, lines[number:], seat, waived)
        out.append(shown)
        if state is None:
            break
        if machine.actions[line["do"]].kind == "deal":
            dealt = _Dealt(machine, line, shown)
        if dealt is not None:
            dealt.look(state, seat)
    return out


class _Dealt:
    """The hands of a deal, as far as they still lie where they were dealt; a hand may be opened later."""

    def __init__(self, machine: Machine, line: Event, shown: dict[str, Any]) -> None:
        dealing = machine.actions[line["do"]].dealing
        assert dealing is not None
        self._machine, self._line, self._shown = machine, line, shown
        self._hand = machine.rules.zone(dealing.hand)
        numbers = machine.reader.numbers
        self._left = [Counter(machine.tile(numbers[tile]) for tile in hand) for hand in line[HANDS]]
        self._known: list[Counter[str]] = [Counter() for _ in self._left]
        self._was = [Counter(left) for left in self._left]
        self._mixed: set[int] = set()  # hands to which a tile has come that a seat did not see

    def look(self, state: State, seat: int | None) -> None:
        """Take note of what a seat sees of the hands now."""
        for owner, left in enumerate(self._left):
            now = Counter(map(self._machine.tile, tiles_in(self._hand, state, owner)))
            is_seen = _sees(self._machine, state, self._hand, owner, seat)
            if now - self._was[owner] and not is_seen:
                self._mixed.add(owner)
            self._was[owner] = now
            left &= now
            if is_seen and owner not in self._mixed and left - self._known[owner]:
                self._known[owner] |= left
                self._tell(owner)

    def _tell(self, owner: int) -> None:
        """Show in the deal what is known of a hand."""
        known = Counter(self._known[owner])
        shown = self._shown[HANDS][owner]
        tiles = list(self._line[HANDS][owner])
        for number, written in enumerate(tiles):
            tile = self._machine.tile(self._machine.reader.numbers[written])
            own = UNKNOWN if type(shown) is int else shown[number]
            if known[tile]:
                known[tile] -= 1
            elif own == UNKNOWN:
                tiles[number] = UNKNOWN
        self._shown[HANDS][owner] = tiles


def still_hidden(machine: Machine, line: Event, recorded: Event) -> dict[str, Any]:
    """Return a line without the tiles that were unknown when it was recorded; `line` says more or less than that."""
    action = machine.actions[line["do"]]
    known = hidden_line(recorded, action)
    assert not isinstance(known, str)
    shown = hidden_line(line, action)
    assert not isinstance(shown, str)
    whole = dict(shown.line)
    for place in known.places:
        if place[0] in whole:
            whole[str(place[0])] = _replaced(whole[str(place[0])], place[1:])
    return _short(action, {key: value for key, value in whole.items() if key in recorded})


# ------------------------------------------------------------------ what somebody sees


def _next(
    machine: Machine, header: Header, state: State, lines: Sequence[Event], seat: int | None, waived: Waived
) -> tuple[dict[str, Any], State | None]:
    """Return the first of these lines as a seat saw it, and the state after it; None if it cannot be followed."""
    before = machine.copy(state)
    after = _after(machine, header, state, lines[0], waived)
    try:
        if after is None:
            return _stuck(machine, header, before, lines, seat, waived)
        return seen_event(machine, before, after, lines[0], seat), after
    except OFF_THE_RULES:
        return _shown(machine, lines[0], lambda key, tile, owner: False), None


def seen_event(
    machine: Machine, before: State, after: State, line: Event, seat: int | None
) -> dict[str, Any]:
    """Return an event as a seat saw it; `None` for somebody who sees what all see."""
    if machine.actions[line["do"]].kind == "deal":
        return _shown(machine, line, _of_deal(machine, after, seat))
    if seat is not None and line.get("by") == seat:
        return dict(line)
    return _shown(machine, line, _of_event(machine, before, after, seat))


def _after(machine: Machine, header: Header, state: State, line: Event, waived: Waived) -> State | None:
    """Return the state after an event, whatever rules it breaks; None if it cannot be followed."""
    try:
        refused = happen(machine, header, state, line)
        if isinstance(refused, Refusal):
            found, _ = let_stand(refused, line, lambda clause: True, waived)
            return None if isinstance(found, Refusal) else found
    except (TooManySteps, *OFF_THE_RULES):
        return None
    return state if refused is None else None


def _stuck(
    machine: Machine, header: Header, before: State, lines: Sequence[Event], seat: int | None, waived: Waived
) -> tuple[dict[str, Any], State | None]:
    """Return the first of these events, whose tiles cannot be moved, as a seat saw it, and the state after it with
    another tile: that with which most of the lines behind it can happen.
    """
    line, *rest = lines
    if machine.actions[line["do"]].kind == "deal":
        return _shown(machine, line, _of_deal(machine, before, seat)), None
    furthest = -1
    shown, best = dict(line), None
    for kind in machine.instance.kinds:
        other = _shown(machine, line, lambda key, tile, owner: False, kind.name)
        after = _after(machine, header, machine.copy(before), other, waived)
        if after is not None:
            many = _followed(machine, header, machine.copy(after), rest, waived)
            if many > furthest:
                furthest, best = many, after
                shown = _alike(machine, line, other, seen_event(machine, before, after, other, seat))
    return shown, best


def _followed(machine: Machine, header: Header, state: State, lines: Sequence[Event], waived: Waived) -> int:
    """Return how many lines can happen one after the other, whatever rules they break."""
    for number, line in enumerate(lines):
        after = _after(machine, header, state, line, waived)
        if after is None:
            return number
        state = after
    return len(lines)


def _alike(machine: Machine, line: Event, other: Event, seen: Event) -> dict[str, Any]:
    """Return an event that shows those keys which are shown of another one."""
    return _shown(machine, line, lambda key, tile, owner: seen.get(key) == other[key])


def _of_deal(machine: Machine, after: State, seat: int | None) -> Shows:
    """Return what a seat sees of a deal."""
    deal = next(action for action in machine.rules.actions if action.kind == "deal")
    assert deal.dealing is not None
    hand, reserve = machine.rules.zone(deal.dealing.hand), deal.dealing.zone
    zones = {zone.name: zone for zone in machine.rules.zones}

    def shows(key: str, tile: str, owner: int | None) -> bool:
        if key == HANDS:
            return _sees(machine, after, hand, owner, seat)
        zone = zones.get(reserve if key == RESERVE else key)
        return zone is None or _sees(machine, after, zone, None, seat)

    return shows


def _of_event(machine: Machine, before: State, after: State, seat: int | None) -> Shows:
    """Return what a seat sees of the tiles that an event names."""
    changes: list[tuple[Counter[str], bool]] = []
    for zone in machine.rules.zones:
        for owner in range(machine.instance.players) if zone.each_player else (None,):
            first, then = (
                Counter(map(machine.tile, tiles_in(zone, state, owner))) for state in (before, after)
            )
            if first != then:
                changes.append((first - then, _sees(machine, before, zone, owner, seat)))
                changes.append((then - first, _sees(machine, after, zone, owner, seat)))

    def shows(key: str, tile: str, owner: int | None) -> bool:
        seen = [sees for moved, sees in changes if moved[tile]]
        return not seen or any(seen)

    return shows


def _sees(machine: Machine, state: State, zone: ZoneDecl, owner: int | None, seat: int | None) -> bool:
    """Return whether a seat sees a zone now; None sees what every player sees."""
    viewers = range(machine.instance.players) if seat is None else (seat,)
    return all(machine.sees(state, zone, owner, viewer) for viewer in viewers)


# ------------------------------------------------------------------ tiles in an event


def _shown(machine: Machine, line: Event, shows: Shows, hidden: str = UNKNOWN) -> dict[str, Any]:
    """Return an event of which only some tiles are shown, with `hidden` for the others."""
    do = line.get("do")
    action = machine.actions.get(do) if isinstance(do, str) else None
    if action is None:
        return dict(line)
    out = dict(line)
    for param in action.params:
        key = param.name
        if key not in out or not has_tiles(param.type):
            continue
        if key == HANDS and action.kind == "deal" and isinstance(out[key], list):
            out[key] = [
                _masked(machine, hand, key, seat, shows, hidden) for seat, hand in enumerate(out[key])
            ]
        else:
            out[key] = _masked(machine, out[key], key, None, shows, hidden)
    return _short(action, out)


def _masked(machine: Machine, value: Any, key: str, seat: int | None, shows: Shows, hidden: str) -> Any:
    if isinstance(value, list):
        return [_masked(machine, item, key, seat, shows, hidden) for item in value]
    numbers = machine.reader.numbers
    if not isinstance(value, str) or value not in numbers or value in machine.reader.labels:
        return value
    return value if shows(key, machine.tile(numbers[value]), seat) else hidden


def _short(action: Action, line: Event) -> dict[str, Any]:
    """Return a deal in which a hand has its size, and a reserve is left out, if nothing of it is known."""
    out = dict(line)
    if action.kind == "deal":
        if isinstance(out.get(HANDS), list):
            out[HANDS] = [len(hand) if _is_unknown(hand) else hand for hand in out[HANDS]]
        if _is_unknown(out.get(RESERVE)):
            del out[RESERVE]
    return out


def _is_unknown(tiles: Any) -> bool:
    return isinstance(tiles, list) and bool(tiles) and all(tile == UNKNOWN for tile in tiles)


def _replaced(value: Any, path: tuple[str | int, ...]) -> Any:
    """Return a value with an unknown tile at a place."""
    if not path:
        return UNKNOWN
    return [_replaced(item, path[1:]) if number == path[0] else item for number, item in enumerate(value)]
