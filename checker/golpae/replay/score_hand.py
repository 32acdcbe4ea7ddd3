"""A hand scored by itself, without a game.

In: an object whose keys are the parameters of a score block. Out: every arrangement that counts, best first,
or a `Fault` in words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from golpae.elaborate.instance import TableFault, bounds, options_of
from golpae.ir.ruleset import ParamDecl, ScoreDecl
from golpae.ir.types import Bag, Tile
from golpae.replay.library import Library
from golpae.replay.machine import Machine
from golpae.replay.parts import free
from golpae.replay.source import decoder
from golpae.replay.values import Bad
from golpae.trace import identity, quoted, read_header

OWN_KEYS = ("rules", "players", "id", "note", "time", "options")


@dataclass(frozen=True, slots=True)
class Fault:
    """A hand that cannot be scored, and why."""

    message: str


@dataclass(frozen=True, slots=True)
class Way:
    """One arrangement: its groups as people write them, and as lists;

    what it counts, by the patterns that do.
    """

    sets: tuple[str, ...]
    lists: tuple[tuple[str, ...], ...]
    patterns: Mapping[str, int]
    points: int


@dataclass(frozen=True, slots=True)
class Scored:
    """A hand and what it counts; `points` is None where it does not count."""

    rules: str
    hand: str
    points: int | None
    readings: tuple[Way, ...]
    adds: bool

    def to_json(self) -> dict[str, Any]:
        """As the trace format has it: `points`, `patterns` (where they add up) or `sets` of a best
        arrangement, `ok`.
        """
        best = next((r for r in self.readings if r.points == self.points), None)
        out: dict[str, Any] = {"points": self.points}
        if self.adds:
            out["patterns"] = {} if best is None else dict(best.patterns)
        else:
            out["sets"] = [] if best is None else [list(x) for x in best.lists]
        return {**out, "ok": self.points is not None}


def score_hand(
    hand: Mapping[str, Any], library: Library, players: int | None = None, tiles: Sequence[str] = ()
) -> Scored | Fault:
    """Score one hand. `tiles` stand in for its first parameter that is a bag of tiles."""
    rules = hand.get("rules")
    if not isinstance(rules, str):
        return Fault('a hand needs `rules`, such as `"rules":"base+variant"`')
    named = read_header({"golpae": 1, "rules": rules, "players": [""]})
    if isinstance(named, str):
        return Fault(named)
    if "id" in hand and identity(hand)[0] is None:
        return Fault("`id` is a text or a whole number")
    machine = _machine(rules, hand, library, players)
    if isinstance(machine, Fault):
        return machine
    if not machine.rules.scores:
        return Fault(f"`{rules}` has nothing to score: hands count nothing there")
    score = machine.rules.scores[0]
    values = dict(hand)
    first = next((p for p in score.params if p.type == Bag(Tile())), None)
    if tiles and first is not None:
        if first.name in values:
            return Fault(f"`{first.name}` is given twice: as tiles and by its key")
        values[first.name] = list(tiles)
    args = _arguments(machine, score, values)
    if isinstance(args, Fault):
        return args
    beyond = _beyond(machine, score, args)
    if beyond is not None:
        return beyond
    readings = sorted(
        machine.scorers[score.name].readings(machine.new_state(), *args), key=lambda r: -r.total
    )
    ways = []
    for reading in readings:
        groups = [sorted(g) for part in reading.groups for g in part]
        lists = tuple(tuple(machine.tile(t) for t in g) for g in groups)
        patterns = reading.patterns
        if score.total == "highest":
            patterns = {name: points for name, points in patterns.items() if points == reading.total}
        way = Way(tuple(" ".join(g) for g in lists), lists, patterns, reading.total)
        if way not in ways:
            ways.append(way)
    held = args[score.params.index(first)] if first is not None else []
    shown = " ".join(machine.tile(t) for t in sorted(held))
    return Scored(rules, shown, ways[0].points if ways else None, tuple(ways), score.total != "highest")


def _machine(rules: str, hand: Mapping[str, Any], library: Library, players: int | None) -> Machine | Fault:
    options = hand.get("options", {})
    if not isinstance(options, dict) or any(type(v) is not int for v in options.values()):
        return Fault("`options` is an object of whole numbers")
    number = hand.get("players", players)
    if number is None:
        number = _most_players(rules, options, library)
    if type(number) is not int:
        return Fault("`players` is a whole number: how many play")
    found = library.machine(rules, number, options)
    return Fault(found) if isinstance(found, str) else found


def _most_players(rules: str, options: Mapping[str, int], library: Library) -> int:
    """The largest table, where the whole set is in play."""
    rule_set = library.rule_set(rules)
    if rule_set is None:
        return 0
    try:
        return bounds(rule_set, options_of(rule_set, options))[1]
    except TableFault:
        return 0


def _arguments(machine: Machine, score: ScoreDecl, values: Mapping[str, Any]) -> tuple[Any, ...] | Fault:
    known = [p.name for p in score.params]
    for key in values:
        if key not in known and key not in OWN_KEYS:
            from golpae.diagnostics import near

            advice = near(key, known)
            return Fault(f"a hand has no key {quoted(key)}{'; ' + advice if advice else ''}")
    args = []
    for param in score.params:
        if param.name not in values:
            if param.initial is not None:
                args.append(machine.value(param.initial, machine.new_state(), {}))
            elif param.optional:
                args.append(None)
            else:
                return Fault(f"the hand lacks the key `{param.name}`")
            continue
        value = _value(machine, param, values[param.name])
        if isinstance(value, Bad):
            return Fault(value.message)
        args.append(value)
    return tuple(args)


def _value(machine: Machine, param: ParamDecl, value: Any) -> Any:
    return machine.reader.decode(decoder(param.type), param.name, value)


def _beyond(machine: Machine, score: ScoreDecl, args: tuple[Any, ...]) -> Fault | None:
    """More of a tile than the set has."""
    names = {param.name: value for param, value in zip(score.params, args, strict=True)}
    state = machine.new_state()
    held: Counter[int] = Counter(machine.value(score.hand, state, names))
    asked = free(score.hand)
    if score.fixed is not None:
        asked |= free(score.fixed)
        for meld in machine.value(score.fixed, state, names):
            held.update(meld)
    for param in score.params:
        if param.type == Bag(Tile()) and param.name not in asked:
            held.update(names[param.name])
    for number, count in sorted(held.items()):
        kind = machine.table.kinds[number]
        if count > kind.copies:
            return Fault(f"the hand has {count} of {kind.name}, and the set in play has {kind.copies}")
    return None
