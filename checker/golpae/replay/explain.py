"""Why an event was refused, for the people who played.

In: a `Refusal`. Out: an `Explanation`: what is wrong, what mattered (hands, melds, rows), the rule with its
source, and what would have been legal there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from golpae.ir import expr as ir
from golpae.ir.traverse import nodes
from golpae.ir.types import Bag, Each, Meld, Opt, Patterns, Points, Seat, Tile, Type
from golpae.replay.decode import shown
from golpae.replay.legal_events import Event, Legal
from golpae.replay.machine import Machine, State
from golpae.replay.replay import Refusal
from golpae.replay.runtime import HIDDEN, Row, minus
from golpae.replay.scoring.score import Best
from golpae.replay.state_layout import zone_in
from golpae.trace import Header

SHOWN = 8  # values listed before they are only counted
OFTEN = {0: "never", 1: "once", 2: "twice"}


@dataclass(frozen=True, slots=True)
class Explanation:
    """A refusal in words.

    `facts` are (what, its tiles or value); `rules` the numbered rules; `legal` what could have stood there.
    """

    message: str
    facts: tuple[tuple[str, str], ...]
    rules: tuple[str, ...]
    legal: tuple[str, ...]


def explain(refusal: Refusal) -> Explanation:
    """All that can be said of a refused event."""
    return _Explainer(refusal).explanation()


def reason(refusal: Refusal) -> str:
    """What is wrong, and no more."""
    return _Explainer(refusal).message()


def one_line(refusal: Refusal) -> str:
    """The same on one line."""
    found = explain(refusal)
    parts = [found.message]
    parts.extend(f"{what}: {value}" for what, value in found.facts)
    if found.rules:
        parts.append("rule " + ", ".join(found.rules))
    if found.legal:
        parts.append("legal here: " + ", ".join(found.legal))
    return "; ".join(parts)


class Speaker:
    """Says values as the players know them."""

    def __init__(self, machine: Machine, header: Header) -> None:
        self.machine = machine
        self.names = [_printable(name) or f"seat {i}" for i, name in enumerate(header.players)]

    def say(self, value: Any, kind: Type) -> str:
        """A value of some type in words."""
        match kind:
            case Opt(item):
                return "none" if value is None else self.say(value, item)
            case Seat():
                name: str = self.names[value]
                return name
            case Tile():
                spoken: str = self.machine.table.kinds[value].spoken
                return spoken
            case Points():
                return "nothing" if value is None else self.score(value)
            case Patterns():
                return (
                    ", ".join(f"{_printable(name)} {points}" for name, points in value.items())
                    or "no patterns"
                )
            case Bag(Tile()) | Meld():
                return self.tiles(value)
            case Bag(item) | Each(item):
                return ", ".join(self.say(v, item) for v in value) or "none"
            case _:
                return (
                    {True: "yes", False: "no"}.get(value, str(value))
                    if isinstance(value, bool)
                    else str(value)
                )

    def score(self, best: Best) -> str:
        """A score, pattern by pattern; where they do not add up, those that count as much as it."""
        patterns = dict(best.readings[0].patterns)
        if sum(patterns.values()) != best.total:
            patterns = {name: points for name, points in patterns.items() if points == best.total}
        return f"{best.total} ({', '.join(f'{name} {points}' for name, points in patterns.items())})"

    def tiles(self, tiles: Any) -> str:
        """Tiles in the order of the set."""
        return " ".join(self.machine.tile(t) for t in sorted(tiles)) or "no tiles"

    def pay(self, pay: list[int]) -> str:
        """Gains, each with its player's name."""
        return ", ".join(
            f"{name} {amount:+d}" if amount else f"{name} 0"
            for name, amount in zip(self.names, pay, strict=True)
        )

    def event(self, event: Event) -> str:
        """An event as one would say it: `discard 6-5`."""
        action = self.machine.actions[event.action]
        args = list(event.args)
        if action.by is not None:
            args.pop(0)
        if action.kind == "end":
            who = "no winner" if args[0] is None else f"winner {self.names[args[0]]}"
            return f"{action.name} with {who}"
        if action.kind == "finish":
            return action.name
        words = [self.say(a, p.type) for a, p in zip(args, action.params, strict=True) if a is not None]
        return " ".join([action.name, *words])


class _Explainer:
    def __init__(self, refusal: Refusal) -> None:
        self.refusal = refusal
        self.machine = refusal.machine
        self.state: State = refusal.state
        self.speaker = Speaker(refusal.machine, refusal.header)
        self.names: dict[str, Any] = {}
        args = list(refusal.args)
        action = refusal.action
        if action.by is not None:
            self.names[action.by] = args.pop(0)
        for param, value in zip(action.params, args, strict=True):
            self.names[param.name] = value
            if param.parts and isinstance(value, list) and len(value) == len(param.parts):
                self.names.update(zip(param.parts, value, strict=True))

    def explanation(self) -> Explanation:
        return Explanation(self.message(), tuple(self._facts()), tuple(self._rules()), tuple(self._legal()))

    # ------------------------------------------------------------------ message

    def message(self) -> str:
        condition = self.refusal.condition
        if condition is None:
            return "the tiles that this event moves do not lie where it takes them from"
        if isinstance(condition.expr, ir.Implicit):
            return self._implicit(condition.expr.kind)
        words = []
        for part in condition.message:
            if isinstance(part, str):
                words.append(part)
            else:
                words.append(self.speaker.say(self._value(part), part.type))
        for param in self.refusal.action.params:
            if param.parts and param.name == condition.name:
                return f"{''.join(words)}, not {len(self.names[param.name])}"
        return "".join(words)

    def _value(self, expr: ir.Expr) -> Any:
        return self.machine.value(expr, self.state, self.names)

    def _implicit(self, kind: str) -> str:
        action, say = self.refusal.action, self.speaker
        match kind:
            case "open":
                return self._not_open(action.kind)
            case "hands":
                return self._wrong_hands()
            case "set":
                return self._beyond_the_set()
            case "rest":
                dealt = [t for hand in self.names["hands"] for t in hand]
                rest = minus(list(self.machine.table.whole), dealt)
                lacks, more = minus(rest, self.names["reserve"]), minus(self.names["reserve"], rest)
                said = [f"lacks {say.tiles(lacks)}"] if lacks else []
                said += [f"has {say.tiles(more)} too many"] if more else []
                return f"`reserve` is not the rest of the set: it {' and '.join(said)}"
            case "winner":
                who = "nobody" if self.state.winner is None else say.names[self.state.winner]
                said_who = "nobody" if self.names["winner"] is None else say.names[self.names["winner"]]
                return (
                    f"{who} has won this hand, not {said_who}"
                    if who != "nobody"
                    else f"nobody has won this hand, so not {said_who} either"
                )
            case "pay":
                pay = self.machine.payout(self.state)
                return f"`pay` should be {pay} ({say.pay(pay)}), not {shown(self.names['pay'])}"
            case "totals":
                total = self.state.total
                return f"`totals` should be {total} ({say.pay(total)}), not {shown(self.names['totals'])}"
            case _:
                most = max(self.state.total)
                winners = [p for p, total in enumerate(self.state.total) if total == most]
                who = ", ".join(say.names[p] for p in winners)
                return f"`winners` should be {winners} ({who}), not {shown(self.names['winners'])}"

    def _not_open(self, kind: str) -> str:
        stage = self.machine.stage(self.state)
        name = self.refusal.action.name
        match stage:
            case "before":
                return (
                    f"no hand has been dealt yet: `{name}` has to wait for the `deal`"
                    if kind != "finish"
                    else "no hand has ended yet"
                )
            case "playing" if kind == "before":
                return f"`{name}` stands before the first `deal` only"
            case "playing":
                return f"a hand is under way: `{name}` has to wait for its `end`"
            case "over":
                return "the hand is over: only `end` can follow"
            case "ended":
                return "the hand has ended: only `deal` or `finish` can follow"
            case _:
                return "the match is finished: nothing can follow"

    def _wrong_hands(self) -> str:
        hands, n = self.names["hands"], self.machine.table.players
        if len(hands) != n:
            dealt = "1 hand is" if len(hands) == 1 else f"{len(hands)} hands are"
            return f"{dealt} dealt to {n} players"
        dealing = self.refusal.action.dealing
        assert dealing is not None
        for seat, hand in enumerate(hands):
            wanted = self._value(dealing.first if seat == self.names["first"] else dealing.others)
            if len(hand) != wanted:
                return f"{self.speaker.names[seat]} should be dealt {wanted} tiles, not {len(hand)}"
        return "the hands dealt are of the wrong size"

    def _beyond_the_set(self) -> str:
        dealt = Counter(t for hand in self.names["hands"] for t in hand)
        for number, count in sorted(dealt.items()):
            kind = self.machine.table.kinds[number]
            if count > kind.copies:
                if kind.withdrawn and not kind.copies:
                    return f"{kind.name} is withdrawn when {self.machine.table.players} play"
                often = OFTEN.get(count, f"{count} times")
                return f"{kind.name} is dealt {often}, and the set has {kind.copies} of it"
        return "more tiles were dealt than the set has"

    # ------------------------------------------------------------------ facts

    def _facts(self) -> Iterator[tuple[str, str]]:
        """The actor's zones, and the shared zones and states that the condition speaks of."""
        condition, action = self.refusal.condition, self.refusal.action
        if condition is None:
            return
        if self.machine.stage(self.state) not in ("playing", "over") or action.kind in (
            "deal",
            "end",
            "finish",
        ):
            return
        if action.by is not None:
            actor = self.names[action.by]
            for zone in self.machine.rules.zones:
                if zone.each_player:
                    tiles = self._zone(zone.name)[actor]
                    if tiles:
                        yield f"{self.speaker.names[actor]}'s {zone.name}", self._lying(tiles, zone.kind)
        for name in dict.fromkeys(self._zones_in(condition.expr)):
            zone = self.machine.rules.zone(name)
            if not zone.each_player:
                yield name, self._lying(self._zone(name), zone.kind)

    def _zone(self, name: str) -> Any:
        return zone_in(self.state, name)

    def _lying(self, tiles: Any, kind: str) -> str:
        if kind == "melds":
            return ", ".join("/".join(self.machine.tile(t) for t in meld) for meld in tiles) or "none"
        if kind == "row":
            return self._row(tiles)
        return self.speaker.tiles(tiles)

    def _row(self, row: Row) -> str:
        if not row.slots:
            return "empty"
        if HIDDEN in row.slots:
            return f"{len(row.slots)} tiles"
        shown = [self.machine.tile(t) for t in row.slots]
        return " ".join(shown if len(shown) <= SHOWN else ["...", *shown[-SHOWN:]])

    def _zones_in(self, expr: ir.Expr, depth: int = 0) -> Iterator[str]:
        definitions = {d.name: d for d in self.machine.rules.definitions}
        for node in nodes(expr):
            match node:
                case (
                    ir.ZoneRead(name=name)
                    | ir.ZoneEnd(name=name)
                    | ir.ZonePlace(name=name)
                    | ir.Fits(name=name)
                ):
                    yield name
                case ir.CallDef(name=name) if depth < 4:
                    for case in definitions[name].cases:
                        yield from self._zones_in(case.expr, depth + 1)
                case _:
                    pass

    # ------------------------------------------------------------------ rules and what would be legal

    def _rules(self) -> Iterator[str]:
        condition = self.refusal.condition
        ids = self.refusal.action.ids if condition is None else condition.ids
        for number in ids:
            rule = self.machine.rules.rule(number)
            if rule is None:
                title = dict(self.machine.rules.sources).get(number)
                yield f"source {number}" + (f" ({title})" if title else "")
            else:
                section = f", {rule.section}" if rule.section else ""
                yield f"{number} (source {rule.source}{section}: {rule.gist})"

        yield from self._changes()

    def _changes(self) -> Iterator[str]:
        """The switches that changed what the condition rests on: what their rules say is not what holds here."""
        rules, condition = self.machine.rules, self.refusal.condition
        if condition is None:
            return
        path = f"{self.refusal.action.name}.{condition.name}"
        asked = [condition.expr]
        blocks: set[str] = set()
        if condition.expr == ir.Implicit("pay", condition.expr.type):
            blocks.add("payout")
            asked += [e for clause in rules.payout for e in amounts(clause.effects)]
        definitions = {d.name: d for d in rules.definitions}
        for expr in asked:  # grows by the definitions that are met
            for node in nodes(expr):
                if isinstance(node, ir.CallDef) and node.name not in blocks:
                    blocks.add(node.name)
                    asked += [case.expr for case in definitions[node.name].cases]
        for switch in rules.switches:
            if switch.name in rules.active and any(
                p == path or p.split(".")[0] in blocks for p in switch.paths
            ):
                yield f"as changed by {switch.name}: {switch.gist}"

    def _legal(self) -> Iterator[str]:
        if not self.refusal.partially_applied:
            yield from legal_here(self.machine, self.speaker, self.state)


def legal_here(machine: Machine, speaker: Speaker, state: State) -> Iterator[str]:
    """What can follow, said in short: events of one action together."""
    legal = _legal_of(machine)
    found: dict[tuple[str, int | None], list[Event]] = {}
    for event in legal.events(state):
        action = machine.actions[event.action]
        by = event.args[0] if action.by is not None else None
        found.setdefault((event.action, by), []).append(event)
    for (name, by), events in found.items():
        who = "" if by is None else f"{speaker.names[by]}: "
        said = [speaker.event(e) for e in events]
        if len(said) == 1:
            yield who + said[0]
        elif len(said) <= SHOWN:
            yield f"{who}{name} {' | '.join(s[len(name) + 1 :] for s in said)}"
        else:
            yield f"{who}{name} any of {len(said)}"
    for name in legal.unlisted(state):
        yield f"perhaps {name}"
    seats = legal.can_deal(state)
    if len(seats) == machine.table.players:
        yield "deal"
    elif seats:
        yield f"deal with {' or '.join(speaker.names[p] for p in seats)} first"


@lru_cache(maxsize=16)
def _legal_of(machine: Machine) -> Legal:
    """One for all refusals of a machine: it plans its search only once."""
    return Legal(machine)


def amounts(effects: tuple[ir.Effect, ...]) -> Iterator[ir.Expr]:
    """The conditions and amounts of payments."""
    for effect in effects:
        match effect:
            case ir.Pay(amount=amount) | ir.Gain(amount=amount):
                yield amount
            case ir.When(test=test, effects=inner):
                yield test
                yield from amounts(inner)
            case ir.ForEach(effects=inner):
                yield from amounts(inner)
            case _:
                pass


def _printable(name: str) -> str:
    """A player's name on one line, without control characters."""
    return "".join(c if c.isprintable() else " " for c in name).strip()[:60]
