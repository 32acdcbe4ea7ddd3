"""What a player knows in the course of an event, statement by statement.

Input: statements, and what the player knows before them.
Output: what the player knows after them, and the statements whose success the player cannot foresee.
Guarantee: what is `KNOWN` after the statements is the same in any two games in which they look the same to the player
and start from what this player knows. Each class of statement is named.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import TypeVar, assert_never

from golpae.ir import expr as ir
from golpae.ir.dependencies import Dependencies
from golpae.ir.ruleset import EVERYONE, RuleSet
from golpae.ir.traverse import conjuncts, free
from golpae.ir.types import BOOL, INT, Bag, Opt, Seat, Tile
from golpae.ir.types import SEATS as SEATS_TYPE
from golpae.lower import statements as st
from golpae.lower.walk import written_by
from golpae.verify.privacy.levels import (
    HIDDEN,
    KNOWN,
    ME,
    MINE,
    OTHER,
    OWN,
    SEATS,
    Knowledge,
    Level,
    Levels,
    bound,
    given,
    join,
)

ALL = ir.Builtin("players", None, SEATS_TYPE)  # all players
MOST_PATHS = 24  # through the statements of an event that are looked at one by one
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Unforeseen:
    """A statement that may fail for a reason that the player does not know; the path of its clause, if it has one."""

    path: str | None
    expr: ir.Expr | None


class Moments:
    """Walks through the statements of one rule set."""

    def __init__(self, rules: RuleSet, levels: Levels) -> None:
        self._rules, self._levels = rules, levels
        self._zones = {zone.name: zone for zone in rules.zones}
        self._each = {v.name for v in rules.vars if v.each_player} | {"total"}
        self._dependencies = Dependencies(rules)
        self.assumes = False  # whether states may say of each player if it is the one
        self.is_lost = False  # whether such a state was set again in the same event
        self.unforeseen: list[Unforeseen] = []
        self._keys: frozenset[str] = frozenset()

    def after(
        self, statements: Iterable[st.Statement], knowledge: Knowledge, counted: Iterable[str] = ()
    ) -> Knowledge:
        """Return the knowledge of the player after statements; of the names in `counted` the number of tiles is
        known.
        """
        paths = self.paths(statements, knowledge, counted)
        return reduce(joined, paths)

    def paths(
        self, statements: Iterable[st.Statement], knowledge: Knowledge, counted: Iterable[str] = ()
    ) -> list[Knowledge]:
        """Return the knowledge after each path through the statements that the player can tell from the others."""
        self.unforeseen, self._keys = [], frozenset(counted)
        return self._ways(statements, [replace(knowledge, counted=knowledge.counted | self._keys)], True)

    def _all(self, statements: Iterable[st.Statement], knowledge: Knowledge, sure: bool) -> Knowledge:
        return reduce(joined, self._ways(statements, [knowledge], sure))

    def _ways(
        self, statements: Iterable[st.Statement], paths: list[Knowledge], sure: bool
    ) -> list[Knowledge]:
        for statement in statements:
            paths = [after for known in paths for after in self._next(statement, known, sure)]
            if len(paths) > MOST_PATHS:
                paths = [reduce(joined, paths)]
        return paths

    def _next(self, statement: st.Statement, knowledge: Knowledge, sure: bool) -> list[Knowledge]:
        """Return the knowledge after a statement, on each path that the player can tell from the others."""
        if not isinstance(statement, st.Branch):
            return [self._one(statement, knowledge, sure)]
        test = statement.test
        if any(knowledge.holds.get(part) is False for part in (test, *conjuncts(test))):
            return self._ways(statement.no, [knowledge], sure)
        if knowledge.holds.get(test):
            return self._ways(statement.yes, [knowledge], sure)
        is_known = self._levels.of(test, knowledge).is_known
        yes = self._ways(statement.yes, [self._levels.if_holds(test, knowledge)], sure and is_known)
        no = self._ways(statement.no, [self._levels.if_fails(test, knowledge)], sure and is_known)
        if sure and is_known:
            return [*yes, *no]
        after = reduce(
            joined, [*yes, *no]
        )  # another game may have gone the other way: what a way has said, it says alone
        stated = {e: level for e, level in after.stated.items() if knowledge.stated.get(e) is level}
        holds = {e: value for e, value in after.holds.items() if knowledge.holds.get(e) is value}
        return [replace(after, stated=stated, holds=holds)]

    def _one(self, statement: st.Statement, knowledge: Knowledge, sure: bool) -> Knowledge:
        """Return the knowledge after a statement. Unless `sure`, the player does not know whether it happens."""
        match statement:
            case st.Let(name=name, value=value):
                now = bound(knowledge, {name: self._levels.of(value, knowledge)})
                return counting(now, name) if self._levels.counts(value, knowledge) else now
            case st.Set(name=name, seat=seat, value=value):
                return self._set(name, seat, value, knowledge, sure)
            case st.Credit(seat=seat, amount=amount):
                return self._set("total", seat, amount, knowledge, sure)
            case st.Over(winner=winner):
                now = self._set("over", None, ir.Const(True, BOOL), knowledge, sure)
                won = ir.Const(None, Seat()) if winner is None else winner
                return self._set("winner", None, won, now, sure)
            case st.Branch(path=_, test=_, yes=_, no=_):
                return reduce(joined, self._next(statement, knowledge, sure))
            case st.Loop(name=name, domain=domain, body=body):
                return self._loop(name, domain, body, knowledge, sure)
            case st.Ensure(path=path, test=test):
                if not (sure and self._levels.of(test, knowledge).is_known):
                    self.unforeseen.append(Unforeseen(path, test))
                return self._levels.if_holds(test, knowledge)
            case st.Take(what=what, place=place) | st.TakeMeld(meld=what, place=place):
                self._foresee(what, place, knowledge, sure)
                return self._moved((place.zone,), (what, *_in_place(place)), what, knowledge, sure)
            case st.TakeAll(name=name, place=place):
                return self._take_all(name, place, knowledge, sure)
            case (
                st.Put(what=what, place=place)
                | st.NewMeld(tiles=what, place=place, label=_)
                | st.PutMeld(meld=what, place=place, label=_)
            ):
                return self._moved((place.zone,), (what, *_in_place(place)), what, knowledge, sure)
            case (
                st.MoveRow(source=source, target=target) | st.MoveMelds(source=source, target=target, label=_)
            ):
                whole = ir.ZoneRead(source.zone, source.seat, Bag(Tile()))
                exprs = (whole, *_in_place(source), *_in_place(target))
                return self._moved((source.zone, target.zone), exprs, whole, knowledge, sure)
            case (
                st.AddToMeld(tiles=tiles, meld=meld, zone=zone, label=_)
                | st.TakeFromMeld(tiles=tiles, meld=meld, zone=zone)
            ):
                self._foresee_all((tiles, meld, zone), zone, knowledge, sure)
                return self._moved((zone.name,), (tiles, meld, zone), None, knowledge, sure)
            case st.Shuffle(place=place):
                return self._moved((place.zone,), (*_in_place(place),), ir.Const(0, INT), knowledge, sure)
            case st.Cut(place=place, number=number):
                exprs = (number, *_in_place(place))
                self._foresee_all(exprs, number, knowledge, sure)
                return self._moved((place.zone,), exprs, ir.Const(0, INT), knowledge, sure)
            case st.Arrange(tiles=tiles, place=place):
                self._foresee(tiles, place, knowledge, sure)
                return self._moved((place.zone,), (tiles, *_in_place(place)), tiles, knowledge, sure)
            case st.Rotate(zone=zone_name, side=_):
                is_clear = sure and self._zones[zone_name].seen_by == EVERYONE
                return self._in_motion((zone_name,), knowledge, uncounted=not is_clear, is_clear=is_clear)
            case _:
                assert_never(statement)

    # ------------------------------------------------------------------ states

    def _foresee_all(
        self, exprs: Iterable[ir.Expr], unforeseen: ir.Expr, knowledge: Knowledge, sure: bool
    ) -> None:
        """Note that the player cannot foresee a change unless it happens for sure and all these values are known."""
        if not (sure and all(self._levels.of(e, knowledge).is_known for e in exprs)):
            self.unforeseen.append(Unforeseen(None, unforeseen))

    def _take_all(self, name: str, place: ir.Place, knowledge: Knowledge, sure: bool) -> Knowledge:
        """Return the knowledge after all tiles of a place were taken, which have this name now."""
        whole = ir.ZoneRead(place.zone, place.seat, Bag(Tile()))
        level, is_counted = self._levels.of(whole, knowledge), self._levels.counts(whole, knowledge)
        after = self._moved((place.zone,), (whole, *_in_place(place)), whole, knowledge, sure)
        after = bound(after, {name: level})
        return counting(after, name) if is_counted else after

    def _set(
        self, name: str, seat: ir.Expr | None, value: ir.Expr, knowledge: Knowledge, sure: bool
    ) -> Knowledge:
        level = self._levels.of(value, knowledge) if sure else HIDDEN
        level = HIDDEN if level is OWN else level
        states, fixed = dict(knowledge.states), dict(knowledge.fixed)
        fixed.pop(name, None)
        mine = dict(knowledge.mine)
        self.is_lost = mine.pop(name, None) is not None or self.is_lost
        if level is HIDDEN and sure and self.assumes and (fold := self._of_one(value, knowledge)) is not None:
            level, mine[name] = MINE, fold
        if name in self._each:
            states[name] = self._own(knowledge.states[name], seat, level, knowledge)
        else:
            states[name] = level
            if given(name) in states:
                states[given(name)] = self._noneness(value, level, knowledge, sure)
            if isinstance(value, ir.Const):
                fixed[name] = value
        reads = {name}
        return replace(
            knowledge,
            states=states,
            fixed=fixed,
            written=knowledge.written | {name},
            mine=mine,
            stated={**self._still(knowledge.stated, reads), **self._names(name, value, level)},
            holds=self._still(knowledge.holds, reads),
        )

    def _of_one(self, value: ir.Expr, knowledge: Knowledge) -> ir.Fold | None:
        """Return the expression `the p in players: ...` of a value, if its test is one that each player knows of
        oneself; else None.
        """
        if isinstance(value, ir.Op) and value.op == "otherwise":
            value = value.args[0]
        if not isinstance(value, ir.Fold) or value.kind != "the" or value.domain != ALL or value.test is None:
            return None
        one = Knowledge(
            knowledge.states, dict.fromkeys(value.names, ME)
        )  # as after the event, when nothing moves
        is_known = free(value.test) <= {*value.names} and self._levels.of(value.test, one).is_known
        return value if is_known and len(value.names) == 1 else None

    def _noneness(self, value: ir.Expr, level: Level, knowledge: Knowledge, sure: bool) -> Level:
        """Return whether the player knows if a state is none that is set to a value."""
        if not sure:
            return HIDDEN
        if not isinstance(value.type, Opt) or (isinstance(value, ir.Local) and value.name in self._keys):
            return KNOWN  # a key is in the event, or is not
        if isinstance(value, ir.StateRead) and value.seat is None:
            return knowledge.states.get(given(value.name), level)
        return KNOWN if level.is_known else HIDDEN

    def _names(self, name: str, value: ir.Expr, level: Level) -> dict[ir.Expr, Level]:
        """Return the level of a state that names the player or certainly another one, from now on; nothing for other
        levels.
        """
        if level not in (ME, OTHER):
            return {}
        return {ir.StateRead(name, None, kind): level for kind in SEATS}

    def _own(self, before: Level, seat: ir.Expr | None, value: Level, knowledge: Knowledge) -> Level:
        """Return the level of a state of each player, of which one player's value is set."""
        whose = KNOWN if seat is None else self._levels.of(seat, knowledge)
        if value.is_known and whose.is_known:
            return before
        return max(before, OWN) if whose is OTHER else HIDDEN

    def _still(self, said: Mapping[ir.Expr, T], changed: set[str]) -> dict[ir.Expr, T]:
        """Return the entries for values that do not depend on what has changed."""
        return {e: value for e, value in said.items() if changed.isdisjoint(self._dependencies.reads([e]))}

    def _loop(
        self, name: str, domain: ir.Expr, body: Sequence[st.Statement], known: Knowledge, sure: bool
    ) -> Knowledge:
        members: tuple[Level, ...] = (HIDDEN,)
        if self._levels.of(domain, known).is_known:
            of_seats = isinstance(domain.type, Bag) and domain.type.item == Seat()
            members = (ME, OTHER) if of_seats else (KNOWN,)
        else:
            sure = False
        changed = {each for statement in body for each in written_by(statement)} | {"total"}
        known = replace(
            known, stated=self._still(known.stated, changed), holds=self._still(known.holds, changed)
        )
        while True:
            rounds = [self._all(body, bound(known, {name: level}), sure) for level in members]
            after = known
            for one in rounds:
                after = joined(after, replace(one, names=known.names))
            after = replace(after, names=known.names)
            if after == known:
                return known
            known = after

    # ------------------------------------------------------------------ tiles

    def _moved(
        self,
        zones: tuple[str, ...],
        exprs: Iterable[ir.Expr],
        what: ir.Expr | None,
        knowledge: Knowledge,
        sure: bool,
    ) -> Knowledge:
        """Return the knowledge after a move of `what` in zones; it depends on these expressions."""
        exprs = [*exprs]
        if sure and all(self._levels.of(e, knowledge).is_known for e in exprs):
            return self._in_motion(zones, knowledge, is_clear=True)
        places = [e for e in exprs if e is not what]
        counted = (
            sure
            and what is not None
            and all(self._levels.of(e, knowledge).is_known for e in places)
            and self._levels.counts(what, knowledge)
        )
        return self._in_motion(zones, knowledge, uncounted=not counted)

    def _in_motion(
        self, zones: tuple[str, ...], knowledge: Knowledge, uncounted: bool = False, is_clear: bool = False
    ) -> Knowledge:
        return replace(
            knowledge,
            unclear=knowledge.unclear if is_clear else knowledge.unclear | {*zones},
            uncounted=knowledge.uncounted | {*zones} if uncounted else knowledge.uncounted,
            stated=self._still(knowledge.stated, {*zones}),
            holds=self._still(knowledge.holds, {*zones}),
        )

    def _foresee(self, what: ir.Expr, place: ir.Place, knowledge: Knowledge, sure: bool) -> None:
        """Note a statement that takes tiles from where the player does not know whether they lie."""
        lying = ir.ZoneRead(place.zone, place.seat, Bag(Tile()))
        exprs = (what, lying, *_in_place(place))
        if not (sure and all(self._levels.of(e, knowledge).is_known for e in exprs)):
            self.unforeseen.append(Unforeseen(None, ir.Op("member", (what, lying), BOOL)))


def joined(one: Knowledge, other: Knowledge) -> Knowledge:
    """Return the knowledge of a player who has come here in one of two ways, and may not know in which."""
    fixed = {name: value for name, value in one.fixed.items() if other.fixed.get(name) == value}
    states = {name: join((level, other.states[name])) for name, level in one.states.items()}
    return Knowledge(
        states
        | dict.fromkeys(fixed, KNOWN)
        | {given(name): KNOWN for name in fixed if given(name) in states},
        {name: join((level, other.names[name])) for name, level in one.names.items() if name in other.names},
        {e: join((level, other.stated[e])) for e, level in one.stated.items() if e in other.stated},
        fixed,
        {e: yes for e, yes in one.holds.items() if other.holds.get(e) is yes},
        one.unclear | other.unclear,
        one.uncounted | other.uncounted,
        one.written | other.written,
        one.counted & other.counted,
        one.meant,
        one.seen,
        {name: fold for name, fold in one.mine.items() if other.mine.get(name) == fold},
    )


def counting(knowledge: Knowledge, name: str) -> Knowledge:
    """Return the knowledge together with the number of tiles that a name stands for."""
    return replace(knowledge, counted=knowledge.counted | {name})


def _in_place(place: ir.Place) -> Iterable[ir.Expr]:
    return (e for e in (place.seat, place.number) if e is not None)
