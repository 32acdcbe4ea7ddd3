"""Replay held against the judge in random games, event by event.

Input: a machine, the judge's table, a random generator, limits. Output: findings, counts, and the games as traces.
Guarantee: in every state of the games, events of all actions are tried by both, and every event that `legal` lists;
both have to give the same verdict and the same state, `legal` has to list exactly the accepted events, and expressions
of the properties have to have the same value. The game goes on with an event that both call legal.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from golpae.ir import expr as ir
from golpae.ir.dependencies import nodes_through
from golpae.ir.limits import TooManySteps
from golpae.ir.ruleset import Action, PropertyDecl, RuleSet
from golpae.ir.traverse import exprs_in, flat, nodes
from golpae.ir.types import Bag, Meld, Opt
from golpae.replay import simulate
from golpae.replay.decode import Bad
from golpae.replay.legal_events import Legal as Listing
from golpae.replay.machine import Machine
from golpae.replay.machine import State as Replayed
from golpae.replay.runtime import midway
from golpae.search.witness import bound, names_of
from tests.differential.parts import NO_VALUE, Part, meets_none, parts_of
from tests.differential.tries import Event, Tries
from tests.differential.values import as_judged, tiles_lying
from tests.judge.evaluate import Scene, evaluate
from tests.judge.events import Illegal, Legal, try_event
from tests.judge.faults import Unclear, Unset
from tests.judge.match import start
from tests.judge.reading import IGNORED, Malformed
from tests.judge.state import Slot, State
from tests.judge.table import Table
from tests.judge.values import Map, Value, truth

MALFORMED = "malformed"
MOST_WORK = 30_000  # evaluations of the judge for one event; what needs more is left out
MOST_LISTED = 300  # events that are taken from `legal` in one state
AGAIN = 0.75  # of the positions that are met again, those in which nothing is tried
PARTS = 2  # parts of the text whose values are compared, for each property
MOST_ALSO = 3  # legal events, and refused ones, of a position that `also` looks at
Say = Callable[[str, str, list[Event]], None]  # enters a finding: its kind, its detail, the game


@dataclass(frozen=True)
class Played:
    """A game: its stake, its events, and events that were refused after some of them, each with how many."""

    stake: int
    events: tuple[Event, ...]
    refused: tuple[tuple[int, Event], ...]


@dataclass
class Side:
    """Replay and the judge at one table."""

    machine: Machine
    table: Table
    rng: random.Random
    say: Say
    counts: Counter[str]
    tries: int = 14
    length: int = 14
    values: int = 3
    happened: Counter[str] = field(default_factory=Counter)
    played: list[Played] = field(default_factory=list)
    met: list[tuple[Replayed, Map[Slot, Value]]] = field(
        default_factory=list
    )  # states, with what has a value
    also: Callable[[Replayed, Event, list[Event]], None] | None = (
        None  # looks at some events in each position
    )

    def __post_init__(self) -> None:
        self._known: dict[tuple[int, State], list[tuple[Event, Legal]]] = {}
        self.listing = Listing(self.machine)
        self.making = Tries(self.table, self.rng, self.tries)
        self.ordered = {a.name: ordered_keys(a) for a in self.machine.rules.actions}
        self.parts = parts_of(self.machine.rules)
        self.written = {p.name: p.expr for p in self.table.rules.properties}  # the names as the text has them
        self._functions: dict[Part, Callable[..., Any]] = {}
        self.asked = [
            p for p in self.machine.rules.properties if not _is_beyond_a_state(p, self.machine.rules)
        ]

    def game(self) -> None:
        """Play one game."""
        stake = self.rng.choice((1, 1, 1, 2, 5))
        self.table, state = start(self.table.instance, stake, MOST_WORK)
        self.making.table = self.table
        replayed = self.machine.new_state(stake)
        events: list[Event] = []
        refused: list[tuple[int, Event]] = []
        self._same_state(state, replayed, "start", events)
        for _ in range(self.length):
            self.counts["positions"] += 1
            legal, bad = self._position(state, replayed, events)
            if bad:
                refused.append((len(events), self.rng.choice(bad)))
            if not legal:
                break
            event, verdict = self.rng.choices(legal, [self._wanted(e["do"]) for e, _ in legal])[0]
            before = self.machine.copy(replayed)
            if self._replayed(replayed, event) is not None:
                break
            events.append(event)
            self.happened[event["do"]] += 1
            self._after(event, state, verdict, before, replayed, events)
            state = verdict.state
            self.met.append((self.machine.copy(replayed), state.vars))
        self.counts["games"] += 1
        self.counts["games with an end"] += any(e["do"] == "end" for e in events)
        self.played.append(Played(stake, tuple(events), tuple(refused)))

    def _wanted(self, name: str) -> float:
        """Return how much an event of this action is wanted next: more, if it has not happened yet."""
        return 8.0 if not self.happened[name] else 1.0 / (1 + self.happened[name])

    # ---------------------------------------------------------------- one position

    def _position(
        self, state: State, replayed: Replayed, events: list[Event]
    ) -> tuple[list[tuple[Event, Legal]], list[Event]]:
        """Try events. Return those that both call legal, and those that both refuse.

        In a state that games were in before, most of the time these are the legal ones that were found then.
        """
        known = self._known.get((self.table.stake, state))
        if known and self.rng.random() < AGAIN:
            self.counts["positions met again"] += 1
            return known, []
        legal, bad = self._tried(state, replayed, events)
        self._known[self.table.stake, state] = legal
        return legal, bad

    def _tried(
        self, state: State, replayed: Replayed, events: list[Event]
    ) -> tuple[list[tuple[Event, Legal]], list[Event]]:
        """Try events of all actions. Return those that both call legal, and those that both refuse."""
        self._properties(state, replayed, events)
        listed = self._listed(replayed, events)
        tried: dict[str, Event] = {}
        for event in self.making.events(state):
            tried.setdefault(self.key(event), event)
        few = self.rng.sample(sorted(listed), min(len(listed), 3 * self.tries))
        tried.update({key: listed[key] for key in few if key not in tried})
        for key in self.rng.sample(sorted(tried), min(len(tried), 2)):
            spoilt = self.making.spoilt(tried[key])
            tried.setdefault(self.key(spoilt), spoilt)
        legal: list[tuple[Event, Legal]] = []
        bad: list[Event] = []
        unlisted = set(self.listing.unlisted(replayed))
        for key, event in tried.items():
            verdict = self._both(event, state, replayed, events)
            if isinstance(verdict, Legal):
                legal.append((event, verdict))
                if key not in listed:
                    self._missed(key, event, unlisted, replayed, events)
            elif verdict is not None:
                bad.append(event)
                if key in listed:
                    self.say("legal-but-refused", f"{key}: {self._mine(verdict)}", events)
        if self.also is not None:
            for event in (*[e for e, _ in legal[:MOST_ALSO]], *bad[:MOST_ALSO]):
                self.also(replayed, event, [*events, event])
        return legal, bad

    def _both(
        self, event: Event, state: State, replayed: Replayed, events: list[Event]
    ) -> Legal | Illegal | Malformed | None:
        """Return the verdict on which both agree; None if they do not, or the page is silent."""
        self.counts["events tried"] += 1
        try:
            verdict = try_event(self.table, state, event)
        except (Unclear, Unset) as fault:
            self.counts[f"unclear: {fault}"] += 1
            return None
        except RecursionError:
            self.counts["unclear: too deep"] += 1
            return None
        after = self.machine.copy(replayed)
        mine, theirs = self._mine(verdict), self._replayed(after, event)
        self.counts[
            f"tried and {'legal' if mine is None else 'malformed' if mine == MALFORMED else 'illegal'}"
        ] += 1
        if mine != theirs:
            kind = "verdict" if None in (mine, theirs) else "name"
            kind = f"{kind}-malformed" if MALFORMED in (mine, theirs) else kind
            detail = f"judge {mine or 'legal'}, replay {theirs or 'legal'}: {json.dumps(event)[:600]}"
            self.say(kind, detail, [*events, event])
            return None
        if isinstance(verdict, Legal):
            if not self._same_state(verdict.state, after, str(event["do"]), [*events, event]):
                return None
        elif theirs == "then" and str(event["do"]) not in self.machine.may_fail_midway:
            self.say("refused-midway", json.dumps(event), [*events, event])
        return verdict

    @staticmethod
    def _mine(verdict: Legal | Illegal | Malformed) -> str | None:
        if isinstance(verdict, Malformed):
            return MALFORMED
        return verdict.name if isinstance(verdict, Illegal) else None

    def _replayed(self, state: Replayed, event: Event) -> str | None:
        """Let replay change the state by an event. Return the condition that it breaks, if it does."""
        return replayed(self.machine, state, json.loads(json.dumps(event)))

    def _same_state(self, mine: State, theirs: Replayed, what: str, events: list[Event]) -> bool:
        """Return whether both have the same state; enter a finding if not."""
        other = as_judged(self.machine, self.table, theirs, mine.vars)
        other = replace(other, gains=mine.gains)
        if mine.winner == other.winner:
            other = replace(other, winners=mine.winners)
        if tiles_lying(mine) != self.table.whole:
            self.say("tiles-lost", f"{what}: the zones of the judge do not hold the set", events)
        if mine == other:
            return True
        self.say("state", f"{what}: {difference(mine, other)}", events)
        return False

    # ---------------------------------------------------------------- what is listed

    def _listed(self, replayed: Replayed, events: list[Event]) -> dict[str, Event]:
        """Return the events that `legal` lists, and enter those that it lists twice."""
        listed: dict[str, Event] = {}
        for number, event in enumerate(self.listing.events(replayed)):
            if number >= MOST_LISTED:
                self.counts["long lists"] += 1
                break
            line = json.loads(json.dumps(simulate.written(self.machine, event)))
            key = self.key(line)
            if key in listed:
                self.say("listed-twice", key, events)
            listed[key] = line
        self.counts["events listed"] += len(listed)
        return listed

    def _missed(
        self, key: str, event: Event, unlisted: set[str], replayed: Replayed, events: list[Event]
    ) -> None:
        """Enter an accepted event that `legal` neither lists nor names as open-ended."""
        action = self.machine.actions[event["do"]]
        if action.kind == "deal":
            if event["first"] not in self.listing.can_deal(replayed):
                self.say("deal-missed", key, [*events, event])
        elif action.name not in unlisted:
            listed = sum(1 for _ in zip(self.listing.events(replayed), range(MOST_LISTED), strict=False))
            if listed < MOST_LISTED:
                self.say("legal-misses", key, [*events, event])

    def key(self, event: Mapping[str, Any]) -> str:
        """Return an event in one way to write it, equal for events that are the same (6.6)."""
        ordered = self.ordered.get(str(event.get("do")), frozenset())
        said = {k: v for k, v in sorted(event.items()) if k not in IGNORED}
        return json.dumps({k: self._plain(v, k in ordered) for k, v in said.items()})

    def _plain(self, value: Any, ordered: bool) -> Any:
        if isinstance(value, str):
            number = self.machine.instance.number(value)
            return value if number is None else self.machine.tile(number)
        if isinstance(value, list):
            values = [self._plain(v, ordered) for v in self._whole(value)]
            return values if ordered else sorted(values, key=json.dumps)
        return value

    def _whole(self, value: list[Any]) -> list[Any]:
        """Return a meld with all its tiles, of which a label that is a shape lets a trace write one (6.2)."""
        if len(value) < 2 or not isinstance(value[0], str) or value[0] not in self.machine.reader.labels:
            return value
        meld = self.machine.reader.decode(("meld",), "", value)
        return value if isinstance(meld, Bad) else [value[0], *map(self.machine.tile, meld)]

    # ---------------------------------------------------------------- expressions

    def _properties(self, state: State, replayed: Replayed, events: list[Event]) -> None:
        """Compare the values of properties, and of parts of the text, in a state."""
        for part in self.rng.sample(self.parts, min(len(self.parts), PARTS * self.values)):
            seat = self.rng.choice(self.table.seats)
            self._part(part, {} if part.by is None else {part.by: seat}, state, replayed, events)
        for prop in self.rng.sample(self.asked, min(len(self.asked), self.values)):
            if prop.after is None:
                self._value(prop, Scene(self.table, state), replayed, {}, None, events)

    def _part(
        self, part: Part, names: dict[str, Any], state: State, replayed: Replayed, events: list[Event]
    ) -> None:
        self.table.begin()
        if part not in self._functions:
            self._functions[part] = self.machine.function(part.expr, tuple(names))
        try:
            mine = evaluate(part.expr, Scene(self.table, state, names))
            theirs = self._functions[part](replayed, *names.values())
        except NO_VALUE:
            self.counts["parts without a value"] += 1
            return
        self.counts["values of parts compared"] += 1
        if mine != theirs and not meets_none(self.machine, part.expr, replayed, names):
            self.say("value-of-part", f"judge {mine}, replay {theirs}: {part.expr!r:.300}", events)

    def _after(
        self,
        event: Event,
        state: State,
        verdict: Legal,
        before: Replayed,
        after: Replayed,
        events: list[Event],
    ) -> None:
        """Compare the values of properties that are asked after an event."""
        for prop in self.asked if self.values else ():
            if prop.after is not None and prop.after == event["do"]:
                args = self.machine.read(prop.after, json.loads(json.dumps(event)))
                assert not isinstance(args, Bad)
                action = self.machine.actions[prop.after]
                args = self.machine.first(prop.after, before, args)[1]
                names = dict(zip(names_of(action), bound(action, args), strict=True))
                scene = Scene(self.table, verdict.state, verdict.scene.names, verdict.scene.lists, state)
                self._value(prop, scene, after, names, before, events)

    def _value(
        self,
        prop: PropertyDecl,
        scene: Scene,
        replayed: Replayed,
        names: dict[str, Any],
        before: Replayed | None,
        events: list[Event],
    ) -> None:
        self.table.begin()
        try:
            mine = evaluate(self.written[prop.name], scene)
            theirs = self.machine.value(prop.expr, replayed, names, before)
        except (Unclear, Unset, TooManySteps):
            return
        self.counts["values compared"] += 1
        if isinstance(mine, bool):
            if truth(mine) != bool(theirs):
                self.say("value", f"{prop.name}: judge {mine}, replay {bool(theirs)}", events)
        elif mine != theirs:
            self.say("value", f"{prop.name}: judge {mine}, replay {theirs}", events)


def replayed(machine: Machine, state: Replayed, line: Mapping[str, Any]) -> str | None:
    """Let replay change a state by a line. Return the name of the condition that it breaks, `malformed`, or None."""
    function = machine.steps.get(line["do"]) if isinstance(line.get("do"), str) else None
    if function is None:
        return MALFORMED
    try:
        result = function(state, line)
    except ValueError as fault:
        return midway(fault)
    if result is None:
        return None
    return MALFORMED if isinstance(result, Bad) else machine.actions[line["do"]].conditions[result[0]].name


def ordered_keys(action: Action) -> frozenset[str]:
    """Return the keys of an action whose order means something (6.5)."""
    effects = [e for clause in action.effects for e in flat(clause.effects)]
    asked = [n for c in action.conditions for n in nodes(c.expr)]
    asked += [n for e in exprs_in(effects) for n in nodes(e)]
    fits = {n.tiles.name for n in asked if isinstance(n, ir.FitsOrder) and isinstance(n.tiles, ir.Local)}
    put = {e.tiles.name for e in effects if isinstance(e, ir.Arrange) and isinstance(e.tiles, ir.Local)}
    own = {"deal": {"reserve", "hands"}, "end": {"pay"}, "finish": {"totals"}}.get(action.kind, set())
    each = {p.name for p in action.params if _is_each(p.type)}
    return frozenset(fits | put | own | each)


def _is_each(kind: Any) -> bool:
    bare = kind.item if isinstance(kind, Opt) else kind
    return not isinstance(bare, Bag | Meld) and type(bare).__name__ == "Each"


def difference(mine: State, theirs: State) -> str:
    """Return in words where two states differ."""
    words = [
        f"{name}: judge {getattr(mine, name)}, replay {getattr(theirs, name)}"
        for name in ("stage", "winner", "totals", "hands_played")
        if getattr(mine, name) != getattr(theirs, name)
    ]
    for one, other in ((mine.zones, theirs.zones), (mine.vars, theirs.vars)):
        first, second = one.as_dict(), other.as_dict()
        words += [
            f"{slot}: judge {v}, replay {second.get(slot)}"
            for slot, v in first.items()
            if second.get(slot) != v
        ]
    return "; ".join(words)


def _is_beyond_a_state(prop: PropertyDecl, rules: RuleSet) -> bool:
    """Return whether a property goes through the ways of a score, or asks what 5.3 forbids before the first deal."""
    through = list(nodes_through(prop.expr, {d.name: d for d in rules.definitions}))
    return any(isinstance(n, ir.Ways) for n in through) or prop.name.endswith("-brings")
