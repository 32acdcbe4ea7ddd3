"""Values, events and scores in the players' words.

Input: a value with its type, an event, a score; the header of a trace, for the players' names.
Output: text on one line.
Guarantee: every type has words; names from a trace are printed without control characters. A tile is said by its title
wherever it stands in a value: alone, or in a bag, a meld or a list.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, assert_never

from golpae.diagnostics.hidden import on_one_line
from golpae.elaborate.lifecycle import own_params
from golpae.ir.ruleset import Action, ParamDecl
from golpae.ir.types import (
    Bag,
    Bool,
    Choice,
    Each,
    Int,
    Meld,
    NoneType,
    Opt,
    Patterns,
    Points,
    Seat,
    Tile,
    Type,
)
from golpae.lower.event_plan import asks_order
from golpae.replay.legal_events import Event
from golpae.replay.machine import Machine
from golpae.replay.scoring.score import Best, ScoredLayout
from golpae.trace import Header

LONGEST_NAME = 60  # characters of a player's name


class Speaker:
    """Words for the values of one match."""

    def __init__(self, machine: Machine, header: Header) -> None:
        self.machine = machine
        self._ordered: dict[
            tuple[str, str], bool
        ] = {}  # whether the order of a key counts, by action and key
        self.names = [_printable(name) or f"seat {i}" for i, name in enumerate(header.players)]

    def say(self, value: Any, kind: Type) -> str:
        """Return a value of some type in words."""
        match kind:
            case Opt(item):
                return "none" if value is None else self.say(value, item)
            case Seat():
                name: str = self.names[value]
                return name
            case Tile():
                spoken: str = self.machine.instance.kinds[value].spoken
                return spoken
            case Points():
                return "nothing" if value is None else self.score(value)
            case Patterns():
                patterns = (f"{_printable(name)} {points}" for name, points in value.items())
                return ", ".join(patterns) or "no patterns"
            case Bag(Tile()):
                return self._said(sorted(value))
            case Meld():
                tiles = self._said(sorted(value))
                return tiles if value.label is None else f"{value.label} {tiles}"
            case Bag(item) | Each(item):
                return listed(self.say(v, item) for v in value) or "none"
            case Bool() | Int() | Choice() | NoneType():
                if isinstance(value, bool):
                    return "yes" if value else "no"
                return str(value)
            case _:
                assert_never(kind)

    def _is_ordered(self, action: Action, param: ParamDecl) -> bool:
        key = action.name, param.name
        if key not in self._ordered:
            self._ordered[key] = not param.parts and asks_order(self.machine.rules, action, param.name)
        return self._ordered[key]

    def score(self, best: Best) -> str:
        """Return a score, pattern by pattern, with the names of several numbers that are not 0; if patterns do not add
        up, only those worth the whole score.

        Of several best ways, the one is said whose patterns come first: by their names, a higher number before a
        lower one, and that before none.
        """
        patterns = dict(said_layout(best).patterns)
        if best.numbers:
            of_pattern = {p.name: p.number for score in self.machine.rules.scores for p in score.patterns}
            said = ", ".join(f"{name} {points} {of_pattern[name]}" for name, points in patterns.items())
            return f"{said_numbers(best.numbers)} ({said})"
        if sum(patterns.values()) != best.total:
            patterns = {name: points for name, points in patterns.items() if points == best.total}
        return f"{best.total} ({', '.join(f'{name} {points}' for name, points in patterns.items())})"

    def _said(self, tiles: Iterable[int]) -> str:
        """Return tiles by their titles, in this order; between commas if a title has several words."""
        titles = [self.machine.instance.kinds[tile].spoken for tile in tiles]
        return (", " if any(" " in title for title in titles) else " ").join(titles) or "no tiles"

    def tiles(self, tiles: Any) -> str:
        """Return tiles as a trace names them, in the order of the set."""
        return " ".join(self.machine.tile(t) for t in sorted(tiles)) or "no tiles"

    def pay(self, pay: list[int]) -> str:
        """Return gains, each with its player's name."""
        return ", ".join(
            f"{name} {amount:+d}" if amount else f"{name} 0"
            for name, amount in zip(self.names, pay, strict=True)
        )

    def event(self, event: Event, unseen: Collection[int] = ()) -> str:
        """Return an event as players say it: `discard 6-5`. The arguments at the places `unseen` are not named.

        The action is said once: `red 1`, not `red red 1`, if it is `red` and a tile is called `red 1`.
        """
        action = self.machine.actions[event.action]
        args = list(event.args)
        if action.by is not None:
            args.pop(0)
        name = spoken(action.name)
        if action.kind == "end":
            who = "no winner" if args[0] is None else f"winner {self.names[args[0]]}"
            return ", ".join([f"{name} with {who}", *self._keys(action, args, named=True)])
        if action.kind == "finish":
            return ", ".join([name, *self._keys(action, args, named=True)])
        unclear = [p for p in action.params if p.optional or isinstance(p.type, Bag | Each | Meld)]
        tiles = [p for p in own_params(action) if isinstance(p.type, Tile)]
        hidden = {place - (len(event.args) - len(args)) for place in unseen}
        named = len(unclear) > 1 or len(tiles) > 1
        keys = [*self._keys(action, args, named, hidden)]
        return " ".join(keys if keys and keys[0].startswith(f"{name} ") else [name, *keys])

    def _keys(
        self, action: Action, args: list[Any], named: bool, unseen: Collection[int] = ()
    ) -> Iterator[str]:
        """Yield the values of those keys that the text gives an action, each but the first after its name; with
        `named`, the first too.
        """
        own = own_params(action)
        first = len(args) - len(own)
        for place, (param, value) in enumerate(zip(own, args[first:], strict=True), first):
            if value is None:
                continue
            if place in unseen:
                size = len(value) if isinstance(value, list) else 1
                said = "a tile" if size == 1 else f"{size} tiles"
            elif self._is_ordered(action, param):
                said = self._said(value)
            else:
                said = self.say(value, param.type)
            yield f"{param.name} {said}" if named or place > first else said


def listed(said: Iterable[str]) -> str:
    """Return values as a list; between semicolons if one of them has commas."""
    values = [*said]
    return ("; " if any(", " in value for value in values) else ", ").join(values)


def said_numbers(numbers: Mapping[str, int]) -> str:
    """Return numbers with their names, without those that are 0 if there are others: `3 han, 30 fu`."""
    told = {name: many for name, many in numbers.items() if many} or numbers
    return ", ".join(f"{many} {name}" for name, many in told.items())


def spoken(name: str) -> str:
    """Return the name of an action as players say it, which is one word in a text."""
    return name.replace("_", " ")


def said_layout(best: Best) -> ScoredLayout:
    """Return the layout of a hand that is said, of several best ones."""
    names = sorted({name for way in best.layouts for name in way.patterns})
    return max(
        best.layouts, key=lambda way: [(name in way.patterns, way.patterns.get(name, 0)) for name in names]
    )


def _printable(name: str) -> str:
    """Return a player's name on one line, without control characters; what is too long is cut."""
    whole = on_one_line(name).strip()
    cut = whole[:LONGEST_NAME].strip()
    return f"{cut}…" if len(cut) < len(whole) else whole
