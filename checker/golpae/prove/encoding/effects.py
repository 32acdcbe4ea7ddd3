"""Effects of one event, carried out on a state.

Input: statements, a state, which is changed in place, and the values of names. Output: in `needs`, what the event needs
to be possible; in `definitions`, what the symbols for long tests stand for; in `whens`, which way the event goes at
tests.
Guarantee: effects happen one after the other, so an event that puts and takes the same tile ends with the sum.

With `Forks`, an event is cut into steps: at a test, one step goes one way and another step the other way.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import assert_never

from golpae.ir import expr as ir
from golpae.ir.lifecycle import OVER, STAGES
from golpae.ir.ruleset import Action
from golpae.ir.traverse import names_in
from golpae.ir.types import SEAT
from golpae.lower import statements as st
from golpae.lower.effects import LoweredClause
from golpae.lower.walk import flat, moves_melds, written_by
from golpae.prove.encoding.moves import Moment, Mover
from golpae.prove.encoding.rounds import ENDLESS, GroupMove, Rounds
from golpae.prove.encoding.said_by_conditions import said_of_chosen, tiles_of_groups
from golpae.prove.encoding.states import StateEncoder
from golpae.prove.evaluation.evaluator import OPAQUE, Evaluator
from golpae.prove.symbolic.parts import parts_within
from golpae.prove.symbolic.state import EVERYBODY, SymbolicState, is_changed, merged
from golpae.prove.symbolic.terms import Unsupported
from golpae.prove.symbolic.values import (
    BLANK,
    GuardedUnion,
    Number,
    Truth,
    Value,
    any_of,
    at_least,
    cases,
    conj,
    iff,
    implies,
    is_long,
    ite_number,
    negate,
    plus,
)
from golpae.prove.symbolic.zones import arranged, shuffled

MOST_IN_ALL = 5_000  # rounds of all loops around an effect together
FEW_ROUNDS = 3  # for one value of a bag that may hold it any number of times
MOST_NAMED = 12  # values of a state whose guards are named
MOST_FORKS = 3  # tests of effects at which one event is cut into steps


@dataclass(slots=True)
class Forks:
    """The ways that a step goes at the tests of its effects, in order; `passed` of them so far."""

    ways: list[bool] = field(default_factory=list)
    passed: int = 0

    def next(self) -> Forks | None:
        """Return the ways of the next step of the same event, or None after the last one."""
        ways = self.ways[: self.passed]
        while ways and not ways[-1]:
            ways.pop()
        if not ways:
            return None
        ways[-1] = False
        return Forks(ways)


class EffectRun:
    """The effects of one event. Without `forks`, both ways of a test are merged into one state.

    With `before`, the state before the event, what the conditions of `action` say there is known of what is moved.
    """

    def __init__(
        self,
        evaluator: Evaluator,
        states: StateEncoder,
        exhaustive: bool,
        forks: Forks | None = None,
        action: Action | None = None,
        before: SymbolicState | None = None,
    ) -> None:
        self._evaluator = evaluator
        self._states = states
        self._symbols = evaluator.symbols
        self.exhaustive = exhaustive
        self._forks = forks
        self._action = action
        self._groups_of = {} if action is None else tiles_of_groups(action)
        self._before = before
        self.needs: list[Truth] = []
        self.definitions: list[Truth] = []
        self.whens: list[Truth] = []
        self.paid: list[Value] | None = (
            None  # what each player gets by effects of an event, which change the state too
        )
        self.clause = ""  # the path of the clause whose effects are carried out
        self.approximated: list[Unsupported] = []  # what has no encoding, and was taken for anything
        self._rounds = Rounds(evaluator, states)
        self._mover = Mover(evaluator, states, self.needs, action)

    def run(
        self,
        statements: Iterable[st.Statement],
        state: SymbolicState,
        names: Mapping[str, Value],
        pay: list[Value] | None = None,
        path: Truth = True,
    ) -> None:
        """Carry statements out, in place.

        `path` is the condition under which they happen at all; `pay`, for a payout, is what each player gets.
        """
        bound = dict(names)
        for statement in statements:
            try:
                with parts_within():
                    self._run(statement, state, bound, pay, path)
            except Unsupported as fault:
                fault.at(self.clause)
                if not self._states.lenient:
                    raise
                if isinstance(statement, st.Let):
                    bound[statement.name] = OPAQUE
                    self.approximated.append(fault)
                else:
                    self._forget(statement, state, pay, path, fault)

    def _forget(
        self,
        statement: st.Statement,
        state: SymbolicState,
        pay: list[Value] | None,
        path: Truth,
        fault: Unsupported,
    ) -> None:
        """Let a statement without encoding do anything to what it writes. Raises `fault` if melds may be made."""
        inner = [*flat([statement])]
        if any(moves_melds(e, self._states.zone_decls) for e in inner):
            raise fault
        self.approximated.append(fault.at(self.clause))
        if pay is not None:
            pay[:] = [self._symbols.number("pay") for _ in pay]
            return
        if self.paid is not None and any(isinstance(e, st.Credit) for e in inner):
            self.paid[:] = [self._symbols.number("pay") for _ in self.paid]
        written = written_by(statement)
        for var in self._states.rules.vars:
            if var.name in written:
                if var.name in self._states.groups:
                    self._states.blank.add(var.name)  # it may have other members than were found
                seats = range(self._states.players)
                one = [self._states.unknown_value(var) for _ in (seats if var.each_player else [0])]
                state.vars[var.name] = one if var.each_player else one[0]
        for zone in self._states.rules.zones:
            if zone.name in written:
                state.zones[zone.name] = self._states.unknown_zones(zone.name)
        if any(isinstance(e, st.Over) for e in inner):
            state.winner = self._symbols.of("winner", [*range(self._states.players), None], SEAT)
            state.at = OVER if isinstance(statement, st.Over) else self._symbols.of("at", [*STAGES])
        state.memo = {}
        if self.exhaustive and not all(isinstance(e, st.Set | st.Over) for e in inner):
            self.needs.append(negate(path))

    def _run(
        self,
        statement: st.Statement,
        state: SymbolicState,
        names: dict[str, Value],
        pay: list[Value] | None,
        path: Truth,
    ) -> None:
        value, mover = self._evaluator.value, self._mover
        at = Moment(state, names, path)
        match statement:
            case st.Let(name=name, value=expr):
                names[name] = mover.name(name, expr, at)
            case st.Take(what=what, place=place):
                mover.take(what, place, at)
            case st.TakeAll(name=name, place=place):
                names[name] = mover.take_all(place, at)
            case st.Put(what=what, place=place):
                mover.put(what, place, at)
            case st.MoveRow(source=source, target=target):
                mover.move_row(source, target, at)
            case st.MoveMelds(source=source, label=label, target=target):
                mover.move_melds(source, label, target, at)
            case st.NewMeld(tiles=tiles, label=label, place=place):
                mover.new_meld(tiles, label, place, at)
            case st.TakeMeld(meld=meld, place=place):
                mover.take_meld(meld, place, at)
            case st.PutMeld(meld=meld, label=label, place=place):
                mover.put_meld(meld, label, place, at)
            case st.AddToMeld(meld=meld) | st.TakeFromMeld(meld=meld):
                mover.change_meld(
                    statement, at, _said_of(self._evaluator, self._action, meld, state, self._before)
                )
            case st.Set(name=var, seat=seat, value=expr):
                new = self._short(value(expr, state, names))
                self._states.note_members(var, new)
                if var in self._states.blank:
                    new = BLANK
                state.set_var(var, EVERYBODY if seat is None else value(seat, state, names), new)
            case st.Credit(seat=seat, amount=amount):
                paid = pay if pay is not None else self.paid
                assert paid is not None
                _credit(paid, value(seat, state, names), self._evaluator.number(amount, state, names), path)
            case st.Over(winner=winner):
                state.winner = None if winner is None else value(winner, state, names)
                state.at = OVER
                state.memo = {}
            case st.Shuffle(place=place):
                track = self._states.tracking.get(place.zone)
                state.change_zone(
                    place.zone, mover.seat(place, at), lambda z: shuffled(z, self._symbols, track)
                )
            case st.Cut(place=place, number=number):
                mover.cut(place, self._evaluator.number(number, state, names), at)
            case st.Arrange(tiles=order, place=place):
                self._arrange(order, place, at)
            case st.Rotate(zone=zone_name, side=side):
                old = state.zones[zone_name]
                state.zones[zone_name] = [old[-1], *old[:-1]] if side == "right" else [*old[1:], old[0]]
                state.memo = {}
            case st.Branch(test=test, yes=yes, no=no, path=_):
                holds = self._test(test, state, names)
                if _forks_at(self._forks, holds, pay, path):
                    holds = self._go(holds)
                self._under(holds, yes, state, names, pay, path)
                if no:
                    self._under(negate(holds), no, state, names, pay, path)
            case st.Ensure(test=test, path=_):
                self.needs.append(implies(path, self._evaluator.truth(test, state, names)))
            case st.Loop():
                self._loop(statement, state, names, pay, path)
            case _:
                assert_never(statement)

    def _arrange(self, order: ir.Expr, place: ir.Place, at: Moment) -> None:
        state, names, path = at
        track = self._states.tracking.get(place.zone)
        seat = self._mover.seat(place, at)
        if all(names.get(n) is not OPAQUE for n in names_in(order)):
            ordered = self._evaluator.bag(order, state, names)
            row = state.zone(place.zone, seat)
            self.needs.append(implies(path, self._evaluator.abstraction.fits_order(ordered, row)))
        state.change_zone(place.zone, seat, lambda z: arranged(z, self._symbols, track))

    def _test(self, test: ir.Expr, state: SymbolicState, names: Mapping[str, Value]) -> Truth:
        """Return whether a test holds, either if it has no encoding."""
        try:
            return self._evaluator.truth(test, state, names)
        except Unsupported as fault:
            if not self._states.lenient:
                raise
            self.approximated.append(fault.at(self.clause))
            return self._symbols.truth("when")

    # ------------------------------------------------------------------ loops

    def _loop(
        self,
        loop: st.Loop,
        state: SymbolicState,
        names: Mapping[str, Value],
        pay: list[Value] | None,
        path: Truth,
    ) -> None:
        name, domain, body = loop.name, loop.domain, loop.body
        bag = self._evaluator.bag(domain, state, names)
        bounded = pay is not None or not self._states.lenient
        rounds = [
            (key, count, self._rounds.most(key, count, domain, bounded))
            for key, count in self._rounds.in_order(bag, domain)
        ]
        needs_before = len(self.needs)
        move = self._rounds.group_move(body, name)
        whole = move is not None and _lays_out(domain, move, state, self._before, self._groups_of)
        if move is not None and pay is None and not bag.concrete:
            self._mover.move_all(move, bag, Moment(state, names, path))
        else:
            often = [FEW_ROUNDS if most is None else most for _, _, most in rounds]
            with self._evaluator.context.wider(sum(often), MOST_IN_ALL):
                for (key, count, _), most in zip(rounds, often, strict=True):
                    for k in range(1, most + 1):
                        there = at_least(count, k)
                        self._under(there, body, state, {**names, name: key}, pay, path)
            self._forget_more(loop, [count for _, count, most in rounds if most is None], state, path)
        if self.exhaustive and whole:
            del self.needs[needs_before:]  # the groups are all the tiles that lie there

    def _forget_more(self, loop: st.Loop, counts: list[Number], state: SymbolicState, path: Truth) -> None:
        """Let a loop do anything if it has more rounds for one of its values than were carried out."""
        more = any_of(at_least(count, FEW_ROUNDS + 1) for count in counts)
        if more is False:
            return
        then = state.copy()
        facts, deferred = len(self._symbols.facts), len(self._symbols.deferred)
        self._forget(loop, then, None, conj(path, more), Unsupported(ENDLESS))
        self._symbols.only_if(more, facts, deferred)
        _become(merged(more, then, state), state)

    # ------------------------------------------------------------------ tests

    def _under(
        self,
        test: Truth,
        statements: Iterable[st.Statement],
        state: SymbolicState,
        names: Mapping[str, Value],
        pay: list[Value] | None,
        path: Truth,
    ) -> None:
        """Carry statements out if a test holds."""
        if test is False:
            return
        if test is True:
            self.run(statements, state, names, pay, path)
            return
        if pay is not None:  # payments do not change the state
            self.run(statements, state, names, pay, conj(path, test))
            return
        test = self._symbol_for(test)
        then = state.copy()
        facts, deferred = len(self._symbols.facts), len(self._symbols.deferred)
        self.run(statements, then, names, pay, conj(path, test))
        # the effects may be impossible where the test fails, and then no symbols have what is certain of them
        self._symbols.only_if(test, facts, deferred)
        _become(merged(test, then, state), state)

    def _go(self, test: Truth) -> bool:
        """Return the way that this step goes; the same way if it has met this test before."""
        assert self._forks is not None
        test = self._symbol_for(test)
        other = negate(test)
        for when in self.whens:
            if when.eq(test):
                return True
            if when.eq(other):
                return False
        forks = self._forks
        if forks.passed == len(forks.ways):
            forks.ways.append(True)
        yes = forks.ways[forks.passed]
        forks.passed += 1
        self.whens.append(test if yes else other)
        return yes

    def _short(self, value: Value) -> Value:
        """Return one of few values, with symbols in place of long guards, of which one holds without definitions."""
        long = isinstance(value, GuardedUnion) and any(is_long(guard) for guard, _ in value.cases)
        if not long or len(value.cases) > MOST_NAMED:
            return value
        guards = [self._symbol_for(guard) for guard, _ in value.cases]
        self._symbols.fact(any_of(guards))
        for one, other in combinations(guards, 2):
            self._symbols.fact(negate(conj(one, other)))
        plain = (inner for _, inner in value.cases)
        return GuardedUnion(tuple(zip(guards, plain, strict=True)))

    def _symbol_for(self, test: Truth) -> Truth:
        """Return a test, or a symbol with a definition if the test is long."""
        if not is_long(test):
            return test
        symbol = self._symbols.truth("when")
        self.definitions.append(iff(symbol, test))
        return symbol


def _said_of(
    evaluator: Evaluator,
    action: Action | None,
    choice: ir.Expr,
    state: SymbolicState,
    before: SymbolicState | None,
) -> list[ir.Expr]:
    """Return the conditions of an event about a member that is chosen, if the states that they read are as they were
    before.
    """
    if action is None or before is None:
        return []
    said = [*said_of_chosen(action, choice)]
    for name in evaluator.context.dependencies.reads([choice, *said]) if said else ():
        for now, then in ((state.zones, before.zones), (state.vars, before.vars)):
            if name in now and is_changed(now[name], then[name]):
                return []
        if name not in state.zones and name not in state.vars:
            return []
    return said


def _lays_out(
    domain: ir.Expr,
    move: GroupMove,
    state: SymbolicState,
    before: SymbolicState | None,
    groups_of: Mapping[str, ir.Expr],
) -> bool:
    """Return whether a loop moves the groups of a key that are, by a condition, all the tiles where they lie."""
    if not isinstance(domain, ir.Local) or before is None:
        return False
    tiles = groups_of.get(domain.name)
    if not isinstance(tiles, ir.ZoneRead):
        return False
    same_place = (tiles.name, tiles.seat) == (move.source.zone, move.source.seat)
    return same_place and not is_changed(state.zones[tiles.name], before.zones[tiles.name])


def _become(other: SymbolicState, state: SymbolicState) -> None:
    """Make a state the same as another one, in place."""
    for name in ("at", "winner", "vars", "zones"):
        setattr(state, name, getattr(other, name))
    state.memo = {}


def _credit(pay: list[Value], seat: Value, amount: Value, path: Truth) -> None:
    for guard, plain in cases(seat):
        if plain is not None:
            pay[plain] = plus(pay[plain], ite_number(conj(path, guard), amount, 0))


def run_clauses(
    run: EffectRun,
    clauses: Iterable[LoweredClause],
    state: SymbolicState,
    names: Mapping[str, Value],
    pay: list[Value] | None = None,
) -> None:
    """Carry out the effects of an action, or payments, in place."""
    for clause in clauses:
        run.clause = clause.path
        run.run(clause.statements, state, names, pay)


def _forks_at(forks: Forks | None, test: Truth, pay: list[Value] | None, path: Truth) -> bool:
    """Return whether this step goes one way at a test, and another step the other."""
    if forks is None or pay is not None or path is not True or isinstance(test, bool):
        return False
    return forks.passed < len(forks.ways) or forks.passed < MOST_FORKS
