"""Which conditions of a rule set depend on what a player cannot know, by the flow of information through its rules.

Input: an instance.
Output: the clauses that may offer, refuse or tell a player something that does not follow from what this player saw.
Guarantee: if there is none, the rules are private: in any two games that look the same to a player, the states that
count as known are the same, and so is all that the player is offered, refused and told.

The states start as known to all. Each event is looked at as the player's own, and as somebody else's; a state that it
sets by what the player does not see is known no longer, until nothing changes. What is left decides the conditions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from golpae.elaborate.instance import Instance
from golpae.ir import expr as ir
from golpae.ir.dependencies import Dependencies, read_by
from golpae.ir.ruleset import EVERYONE, Action, Condition, paths_of
from golpae.ir.traverse import conjuncts, free
from golpae.ir.types import BOOL, SEAT, Opt, Type, has_tiles
from golpae.lower import statements as st
from golpae.lower.effects import lowered, statements_of
from golpae.lower.event_plan import UnseenKey, unseen_keys
from golpae.lower.move_safety import moves_safely
from golpae.verify.privacy.levels import (
    HIDDEN,
    KNOWN,
    ME,
    MINE,
    OTHER,
    SEATS,
    WORDS,
    Knowledge,
    Level,
    Levels,
    given,
    join,
)
from golpae.verify.privacy.moments import Moments, Unforeseen
from golpae.verify.privacy.shown_keys import ShownKeys

SIZES = ("eq", "lt", "le", "gt", "ge")  # operators that compare how many tiles a key has


@dataclass(frozen=True, slots=True)
class Leak:
    """A clause that may depend on what whoever acts does not know: its path, and the hidden parts that it reads."""

    path: str
    reads: tuple[str, ...]
    in_message: bool = False


@dataclass(frozen=True, slots=True)
class TheOne:
    """After an event of an action, if states are as it has fixed them, a state names the one player of whom `fold` says
    something.
    """

    action: str
    state: ir.StateRead
    fold: ir.Fold
    fixed: tuple[ir.Expr, ...]


@dataclass(frozen=True, slots=True)
class SeenZone:
    """Whoever acts is taken to see a zone when a condition of an action is asked: that of `seat`, if the conditions
    before it hold, as far as these say it by who acts alone.
    """

    path: str
    by: str
    zone: str
    seat: ir.Expr
    before: tuple[ir.Expr, ...]


class Flow:
    """The flow of information of one rule set at one table.

    If it `assumes`, it takes whoever acts to see a zone that others see at times, where that clears a condition; and a
    state to name the one of whom something is true, if the text says so. Then `seen` and `ones` are what has to hold
    for there to be no leak.
    """

    def __init__(self, instance: Instance, assumes: bool = False) -> None:
        self._assumes = assumes
        self.seen: list[SeenZone] = []
        self.ones: list[TheOne] = []
        self._instance, self.rules = instance, instance.rule_set
        self._levels = Levels(self.rules, instance.players)
        self._moments = Moments(self.rules, self._levels)
        self._moments.assumes = assumes
        self._dependencies = Dependencies(self.rules)
        self._shown = ShownKeys(self.rules)
        self._unseen = {action.name: unseen_keys(self.rules, action) for action in self.rules.actions}
        variables = self.rules.vars
        self._single = {v.name: v.type for v in variables if not v.each_player}
        maybe = [given(name) for name, kind in self._single.items() if isinstance(kind, Opt)]
        self.states: dict[str, Level] = dict.fromkeys((*(v.name for v in variables), *WORDS, *maybe), KNOWN)

    def leaks(self) -> list[Leak]:
        """Return the clauses that may depend on what whoever acts does not know, in the order of the text."""
        self._settle()
        if self._moments.is_lost:
            return Flow(self._instance).leaks()
        own = (action for action in self.rules.actions if action.by is not None)
        return [*dict.fromkeys(leak for action in own for leak in self._leaks_of(action))]

    # ------------------------------------------------------------------ what is known

    def _settle(self) -> None:
        """Find the states that are known after any number of events."""
        seats = [name for name, kind in self._single.items() if kind in SEATS]
        self._levels.owned = frozenset(
            (name, seat) for name in self._single for seat in seats if name != seat
        )
        while True:
            before = self.states, self._levels.owned
            self.ones = []
            for action in self.rules.actions:
                for actor in (ME, OTHER) if action.by is not None else (OTHER,):
                    for path in self._paths(action, actor):
                        self._note(self._of_the_one(action, path))
            if (self.states, self._levels.owned) == before:
                return

    def _of_the_one(self, action: Action, after: Knowledge) -> Knowledge:
        """Note who states are taken to name. If a player does not know after the event whether it is this one, the
        state is hidden.
        """
        states, fixed = dict(after.states), []
        for name, value in after.fixed.items():
            if name in self._single:
                fixed.append(ir.Op("eq", (ir.StateRead(name, None, self._single[name]), value), BOOL))
        for name, level in after.states.items():
            if level is MINE and name in after.mine:
                fold = after.mine[name]
                now = Knowledge(after.states, dict.fromkeys(fold.names, ME))
                if fold.test is not None and self._levels.of(fold.test, now).is_known:
                    read = ir.StateRead(name, None, self._single[name])
                    self.ones.append(TheOne(action.name, read, fold, tuple(fixed)))
                else:
                    states[name] = HIDDEN
            elif level is MINE and name in after.written:
                states[name] = HIDDEN
        return replace(after, states=states)

    def _note(self, after: Knowledge) -> None:
        """Note what is still known after an event."""
        self.states = {
            name: _lasting(join((level, after.states[name]))) for name, level in self.states.items()
        }
        self._levels.owned = frozenset(
            (name, owner)
            for name, owner in self._levels.owned
            if after.states[name].is_known
            or not after.written.intersection((name, owner))
            or _said_of(owner, after) is OTHER
        )

    def _paths(self, action: Action, actor: Level) -> list[Knowledge]:
        knowledge = self._before(action, actor)
        for condition in action.of_text:  # in both games the event is legal
            knowledge = self._levels.if_holds(condition.expr, knowledge)
        statements: tuple[st.Statement, ...] = statements_of(self.rules, action)
        if action.kind == "end":
            paid = (
                s for clause in lowered(self.rules, "payout", self.rules.payout) for s in clause.statements
            )
            statements = (*paid, *statements)
        counted = [param.name for param in action.params if has_tiles(param.type)]
        paths = self._moments.paths(statements, knowledge, counted)
        if action.kind == "end" and self._tells_payments(action):
            paths = [replace(path, states={**path.states, "total": KNOWN}) for path in paths]
        return paths

    def _before(self, action: Action, actor: Level) -> Knowledge:
        """Return the knowledge of the player when an event of an action begins to happen."""
        names = {} if action.by is None else {action.by: actor}
        for param in action.params:
            level = KNOWN
            if has_tiles(param.type) and actor is not ME and not self._shown.shows(action, param):
                level = HIDDEN
            names |= dict.fromkeys((param.name, *param.parts), level)
        states = dict(self.states)
        if action.kind == "deal":
            for var in self.rules.vars:
                if var.scope == "hand":
                    states[var.name] = KNOWN
                    if given(var.name) in states:
                        states[given(var.name)] = KNOWN
            knowledge = Knowledge(states, {})
            for var in self.rules.vars:
                if var.scope == "hand" and var.initial is not None:
                    level = _lasting(self._levels.of(var.initial, knowledge))
                    states[var.name] = level
                    if given(var.name) in states:
                        states[given(var.name)] = level
        if action.kind in ("deal", "end"):  # an `end` says who has won
            states |= {"winner": KNOWN}
        if action.kind == "deal":
            states |= {"over": KNOWN}
        written = [v.name for v in self.rules.vars if v.scope == "hand"] if action.kind == "deal" else []
        return Knowledge(states, names, written=frozenset(written))

    @staticmethod
    def _tells_payments(action: Action) -> bool:
        return any(param.name == "pay" and not param.optional for param in action.params)

    # ------------------------------------------------------------------ what decides

    def _leaks_of(self, action: Action) -> Iterator[Leak]:
        unseen = {key.name: key for key in self._unseen[action.name]}
        drawn = {part for p in action.params if p.name in unseen for part in (p.name, *p.parts)}
        knowledge = self._before(action, ME)
        meant = {name: ir.Local(name, kind) for name, kind in _types(action)}
        knowledge = replace(knowledge, names={**knowledge.names, **dict.fromkeys(drawn, HIDDEN)}, meant=meant)
        for param in action.params:
            bounds = [e for e in (param.low, param.high) if e is not None]
            yield from (
                Leak(f"{action.name}.{param.name}", self._hidden(e, knowledge))
                for e in bounds
                if not self._levels.of(e, knowledge).is_known
            )
        for condition in action.conditions:
            if condition.of_game is not None:
                if condition.of_game == "open" and not knowledge.states["over"].is_known:
                    yield Leak(f"{action.name}.{condition.name}", ("over",))
                continue
            leaks = [*self._of_condition(action, condition, knowledge, unseen, drawn)]
            if leaks and self._assumes:
                zones = [*self._zones_to_see(action, condition, knowledge)]
                seeing = replace(knowledge, seen=knowledge.seen | {(s.zone, s.seat) for s in zones})
                if zones and not [*self._of_condition(action, condition, seeing, unseen, drawn)]:
                    self.seen += zones
                    knowledge, leaks = seeing, []
            yield from leaks
            knowledge = self._levels.if_holds(condition.expr, knowledge)
        yield from self._of_effects(action, knowledge, drawn)

    def _zones_to_see(self, action: Action, condition: Condition, knowledge: Knowledge) -> Iterator[SeenZone]:
        """Yield the zones that whoever acts would have to see for a condition to be known."""
        assert action.by is not None
        before = []
        for earlier in action.of_text:
            if earlier is condition:
                break
            if free(earlier.expr) <= {action.by}:
                before.append(earlier.expr)
        read = [condition.expr, *(hole for hole in condition.message if not isinstance(hole, str))]
        hidden_zones = dict.fromkeys(
            each for expr in read for each in self._levels.hidden_zones(expr, knowledge)
        )
        for zone, seat in hidden_zones:
            if free(seat) <= {action.by}:
                path = f"{action.name}.{condition.name}"
                yield SeenZone(path, action.by, zone, seat, tuple(before))

    def _of_condition(
        self,
        action: Action,
        condition: Condition,
        knowledge: Knowledge,
        unseen: dict[str, UnseenKey],
        drawn: set[str],
    ) -> Iterator[Leak]:
        path = f"{action.name}.{condition.name}"
        on_drawn = not drawn.isdisjoint(free(condition.expr))
        parts = [*conjuncts(condition.expr)] if on_drawn else [condition.expr]
        for part in parts:
            if self._levels.of(part, knowledge).is_known or self._turns_on_size(
                part, action, knowledge, unseen
            ):
                continue
            yield Leak(path, self._hidden(part, knowledge))
            return
        holes = [hole for hole in condition.message if not isinstance(hole, str)]
        for hole in holes:
            if not on_drawn and not self._levels.of(hole, knowledge).is_known:
                yield Leak(path, self._hidden(hole, knowledge), in_message=True)
                return

    def _turns_on_size(
        self, part: ir.Expr, action: Action, knowledge: Knowledge, unseen: dict[str, UnseenKey]
    ) -> bool:
        """Return whether drawn tiles fulfil a condition if only enough tiles lie where they come from."""
        if isinstance(part, ir.If):
            return self._levels.of(part.test, knowledge).is_known and all(
                self._turns_on_size(each, action, knowledge, unseen) for each in (part.yes, part.no)
            )
        if isinstance(part, ir.Op) and part.op in SIZES:
            number = part.args[1]
            return _size_of(part.args[0]) in unseen and self._levels.of(number, knowledge).is_known
        if isinstance(part, ir.Op) and part.op in ("member", "within"):
            what, where = part.args
            if isinstance(where, ir.Builtin) and where.name in ("kinds", "tiles"):
                return True  # as any tile that lies somewhere
            read = read_by(where) if isinstance(where, ir.ZoneRead) else None
        elif isinstance(part, ir.Fits | ir.FitsPlace):
            what, read = part.tile, read_by(part)
            if isinstance(part, ir.FitsPlace) and not self._levels.of(part.number, knowledge).is_known:
                return False
        else:
            return False
        key = _key_of(what, action, unseen)
        return (
            key is not None
            and read is not None
            and key.zone == read.name
            and (read.seat is None or self._levels.of(read.seat, knowledge).is_known)
        )

    def _of_effects(self, action: Action, knowledge: Knowledge, drawn: set[str]) -> Iterator[Leak]:
        """Yield the leaks of effects that may fail, unless they take what the player draws from where nobody sees
        it.
        """
        statements = statements_of(self.rules, action)
        counted = [param.name for param in action.params if has_tiles(param.type)]
        after = self._moments.after(statements, knowledge, counted)
        safe = moves_safely(self.rules, action)
        for one in self._moments.unforeseen:
            if one.path is None:
                if not safe and (one.expr is None or drawn.isdisjoint(free(one.expr))):
                    yield Leak(f"{action.name}.effects", self._read(one, knowledge))
            else:
                yield Leak(one.path, self._read(one, knowledge))
        yield from self._of_messages(action, replace(knowledge, states=after.states))

    def _of_messages(self, action: Action, knowledge: Knowledge) -> Iterator[Leak]:
        paths = paths_of(action.name, [clause.name for clause in action.effects])
        for clause, path in zip(action.effects, paths, strict=True):
            for effect in clause.effects:
                if isinstance(effect, ir.Ensure):
                    after = replace(knowledge, stated={}, unclear=frozenset(z.name for z in self.rules.zones))
                    for value in effect.values:
                        if not self._levels.of(value, after).is_known:
                            yield Leak(path, self._hidden(value, after), in_message=True)

    def _read(self, one: Unforeseen, knowledge: Knowledge) -> tuple[str, ...]:
        return () if one.expr is None else self._hidden(one.expr, knowledge)

    def _hidden(self, expr: ir.Expr, knowledge: Knowledge) -> tuple[str, ...]:
        """Return the zones and states that an expression reads and that not everybody knows."""
        zones = {zone.name: zone for zone in self.rules.zones}
        return tuple(
            name
            for name in sorted(self._dependencies.reads([expr]))
            if (name in zones and zones[name].seen_by != EVERYONE)
            or not knowledge.states.get(name, KNOWN).is_known
        )


def _said_of(state: str, knowledge: Knowledge) -> Level:
    """Return the level at which a state that names a player is known."""
    said = [knowledge.stated.get(ir.StateRead(state, None, kind), KNOWN) for kind in SEATS]
    return OTHER if OTHER in said else KNOWN


def _size_of(expr: ir.Expr) -> str | None:
    """Return the name whose number of tiles an expression is, or None."""
    if not isinstance(expr, ir.Op) or expr.op != "size":
        return None
    bag = expr.args[0]
    return bag.name if isinstance(bag, ir.Local) else None


def _key_of(what: ir.Expr, action: Action, unseen: dict[str, UnseenKey]) -> UnseenKey | None:
    """Return the unseen key whose tiles an expression is, or None."""
    items = what.items if isinstance(what, ir.BagOf) else (what,)
    names = {item.name for item in items if isinstance(item, ir.Local)}
    for param in action.params:
        if len(names) == len(items) and param.name in unseen and names <= {param.name, *param.parts}:
            return unseen[param.name]
    return None


def _types(action: Action) -> Iterator[tuple[str, Type]]:
    """Yield the names of an action that stand for one value, with their types."""
    if action.by is not None:
        yield action.by, SEAT
    yield from ((param.name, param.type) for param in action.params)


def _lasting(level: Level) -> Level:
    """Return the level of a state from then on, whoever acts, if it was set to a value of this level."""
    return KNOWN if level.is_known else level
