"""Effects of one event, carried out on a state.

Input: effects, a state, which is changed in place, and the values of names. Output: in `needs`, what the event needs to
be possible; in `definitions`, what the symbols for long tests stand for; in `whens`, which way the event goes at tests.
Guarantee: effects happen one after the other, so an event that puts and takes the same tile ends with the sum.

With `Forks`, an event is cut into steps: at a test, one step goes one way and another step the other way.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import assert_never

from golpae.ir import expr as ir
from golpae.ir.dependencies import written_by
from golpae.ir.lifecycle import OVER, STAGES
from golpae.ir.ruleset import EffectClause, paths_of
from golpae.ir.traverse import flat, names_in, places_of
from golpae.ir.types import SEAT
from golpae.prove.encoding.moves import Mover
from golpae.prove.encoding.rounds import ENDLESS, Rounds
from golpae.prove.encoding.states import StateEncoder
from golpae.prove.evaluation.evaluator import OPAQUE, Evaluator
from golpae.prove.symbolic.parts import parts_within
from golpae.prove.symbolic.state import EVERYBODY, SymbolicState, is_changed, merged
from golpae.prove.symbolic.terms import Unsupported
from golpae.prove.symbolic.values import (
    BLANK,
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
    times,
)
from golpae.prove.symbolic.zones import arranged, shuffled

MOST_IN_ALL = 5_000  # rounds of all loops around an effect together
FEW_ROUNDS = 3  # for one value of a bag that may hold it any number of times
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

    `groups_of` are the tiles of the keys whose groups are, by a condition, all of some tiles in the state `before`.
    """

    def __init__(
        self,
        evaluator: Evaluator,
        states: StateEncoder,
        exhaustive: bool,
        forks: Forks | None = None,
        groups_of: Mapping[str, ir.Expr] | None = None,
        before: SymbolicState | None = None,
    ) -> None:
        self._evaluator = evaluator
        self._states = states
        self._symbols = evaluator.symbols
        self.exhaustive = exhaustive
        self._forks = forks
        self._groups_of = groups_of or {}
        self._before = before
        self.needs: list[Truth] = []
        self.definitions: list[Truth] = []
        self.whens: list[Truth] = []
        self.clause = ""  # the path of the clause whose effects are carried out
        self.approximated: list[Unsupported] = []  # what has no encoding, and was taken for anything
        self._rounds = Rounds(evaluator, states)
        self._mover = Mover(evaluator, states, self.needs)

    def run(
        self,
        effects: Iterable[ir.Effect],
        state: SymbolicState,
        names: Mapping[str, Value],
        pay: list[Value] | None = None,
        path: Truth = True,
    ) -> None:
        """Carry effects out, in place.

        `path` is the condition under which they happen at all; `pay`, for payments, is what each player gets.
        """
        for effect in effects:
            try:
                with parts_within():
                    self._run(effect, state, names, pay, path)
            except Unsupported as fault:
                fault.at(self.clause)
                if not self._states.lenient:
                    raise
                self._forget(effect, state, pay, path, fault)

    def _forget(
        self,
        effect: ir.Effect,
        state: SymbolicState,
        pay: list[Value] | None,
        path: Truth,
        fault: Unsupported,
    ) -> None:
        """Let an effect that has no encoding do anything to what it writes. Raises `fault` if melds may be made."""
        inner = [*flat([effect])]
        if any(self._may_make_melds(e) for e in inner):
            raise fault
        self.approximated.append(fault.at(self.clause))
        if pay is not None:
            pay[:] = [self._symbols.number("pay") for _ in pay]
            return
        written = written_by([effect])
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
        if any(isinstance(e, ir.Win) for e in inner):
            state.winner = self._symbols.of("winner", [*range(self._states.players), None], SEAT)
            state.at = OVER if isinstance(effect, ir.Win) else self._symbols.of("at", [*STAGES])
        state.memo = {}
        if self.exhaustive and not all(isinstance(e, ir.SetState | ir.Win) for e in inner):
            self.needs.append(negate(path))

    def _may_make_melds(self, effect: ir.Effect) -> bool:
        if not isinstance(effect, ir.Move):
            return False
        return any(
            isinstance(place, ir.MeldPlace) or self._states.zone_decls[place.zone].kind == "melds"
            for place in places_of(effect)
        )

    def _run(
        self,
        effect: ir.Effect,
        state: SymbolicState,
        names: Mapping[str, Value],
        pay: list[Value] | None,
        path: Truth,
    ) -> None:
        value = self._evaluator.value
        match effect:
            case ir.Move():
                self._mover.move(effect, state, names, path)
            case ir.SetState(name=var, seat=seat, value=expr):
                new = value(expr, state, names)
                self._states.note_members(var, new)
                if var in self._states.blank:
                    new = BLANK
                state.set_var(var, EVERYBODY if seat is None else value(seat, state, names), new)
            case ir.Win(seat=seat):
                state.winner = None if seat is None else value(seat, state, names)
                state.at = OVER
                state.memo = {}
            case ir.Pay(payer=payer, payee=payee, amount=amount):
                assert pay is not None
                sum_ = self._evaluator.number(amount, state, names)
                _credit(pay, value(payer, state, names), times(-1, sum_), path)
                _credit(pay, value(payee, state, names), sum_, path)
            case ir.Gain(seat=seat, amount=amount):
                assert pay is not None
                winner = value(seat, state, names)
                _credit(pay, winner, self._evaluator.number(amount, state, names), path)
            case ir.Shuffle(zone=place):
                track = self._states.tracking.get(place.zone)
                seat_ = self._seat(place, state, names)
                state.change_zone(place.zone, seat_, lambda z: shuffled(z, self._symbols, track))
            case ir.Arrange(zone=place, tiles=order):
                track = self._states.tracking.get(place.zone)
                seat_ = self._seat(place, state, names)
                if all(names.get(n) is not OPAQUE for n in names_in(order)):
                    ordered = self._evaluator.bag(order, state, names)
                    row = state.zone(place.zone, seat_)
                    self.needs.append(implies(path, self._evaluator.abstraction.fits_order(ordered, row)))
                state.change_zone(place.zone, seat_, lambda z: arranged(z, self._symbols, track))
            case ir.PassOn(zone=zone, side=side):
                old = state.zones[zone]
                state.zones[zone] = [old[-1], *old[:-1]] if side == "right" else [*old[1:], old[0]]
                state.memo = {}
            case ir.When(test=test, effects=inner):
                holds = self._test(test, state, names)
                if self._forks_at(holds, pay, path):
                    holds = self._go(holds)
                self._under(holds, inner, state, names, pay, path)
            case ir.ForEach():
                self._for_each(effect, state, names, pay, path)
            case _:
                assert_never(effect)

    def _test(self, test: ir.Expr, state: SymbolicState, names: Mapping[str, Value]) -> Truth:
        """Return whether a test holds, either if it has no encoding."""
        try:
            return self._evaluator.truth(test, state, names)
        except Unsupported as fault:
            if not self._states.lenient:
                raise
            self.approximated.append(fault.at(self.clause))
            return self._symbols.truth("when")

    def _seat(self, place: ir.Place, state: SymbolicState, names: Mapping[str, Value]) -> Value:
        return None if place.seat is None else self._evaluator.value(place.seat, state, names)

    # ------------------------------------------------------------------ loops

    def _for_each(
        self,
        effect: ir.ForEach,
        state: SymbolicState,
        names: Mapping[str, Value],
        pay: list[Value] | None,
        path: Truth,
    ) -> None:
        name, domain, inner = effect.name, effect.domain, effect.effects
        bag = self._evaluator.bag(domain, state, names)
        bounded = pay is not None or not self._states.lenient
        rounds = [
            (key, count, self._rounds.most(key, count, domain, bounded))
            for key, count in self._rounds.in_order(bag, domain)
        ]
        needs_before = len(self.needs)
        whole = self._lays_out(effect, state)
        moved = inner[0] if inner and pay is None and not bag.concrete else None
        if isinstance(moved, ir.Move) and self._rounds.just_moves(inner, name):
            self._mover.move_all(moved, bag, state, names, path)
        else:
            often = [FEW_ROUNDS if most is None else most for _, _, most in rounds]
            with self._evaluator.context.wider(sum(often), MOST_IN_ALL):
                for (key, count, _), most in zip(rounds, often, strict=True):
                    for k in range(1, most + 1):
                        there = at_least(count, k)
                        self._under(there, inner, state, {**names, name: key}, pay, path)
            self._forget_more(effect, [count for _, count, most in rounds if most is None], state, path)
        if self.exhaustive and whole:
            del self.needs[needs_before:]  # the groups are all the tiles that lie there

    def _forget_more(
        self, effect: ir.ForEach, counts: list[Number], state: SymbolicState, path: Truth
    ) -> None:
        """Let a loop do anything if it has more rounds for one of its values than were carried out."""
        more = any_of(at_least(count, FEW_ROUNDS + 1) for count in counts)
        if more is False:
            return
        then = state.copy()
        facts, deferred = len(self._symbols.facts), len(self._symbols.deferred)
        self._forget(effect, then, None, conj(path, more), Unsupported(ENDLESS))
        self._symbols.only_if(more, facts, deferred)
        _become(merged(more, then, state), state)

    def _lays_out(self, effect: ir.ForEach, state: SymbolicState) -> bool:
        """Return whether a loop moves the groups of a key that are, by a condition, all the tiles where they lie."""
        domain, inner = effect.domain, effect.effects
        if not isinstance(domain, ir.Local) or not inner or not self._rounds.just_moves(inner, effect.name):
            return False
        move = inner[0]
        assert isinstance(move, ir.Move)
        tiles, source = self._groups_of.get(domain.name), move.source
        if not isinstance(tiles, ir.ZoneRead) or not isinstance(source, ir.Place) or self._before is None:
            return False
        same_place = (tiles.name, tiles.seat) == (source.zone, source.seat)
        return same_place and not is_changed(state.zones[tiles.name], self._before.zones[tiles.name])

    # ------------------------------------------------------------------ tests

    def _under(
        self,
        test: Truth,
        effects: Iterable[ir.Effect],
        state: SymbolicState,
        names: Mapping[str, Value],
        pay: list[Value] | None,
        path: Truth,
    ) -> None:
        """Carry effects out if a test holds."""
        if test is False:
            return
        if test is True:
            self.run(effects, state, names, pay, path)
            return
        if pay is not None:  # payments do not change the state
            self.run(effects, state, names, pay, conj(path, test))
            return
        test = self._symbol_for(test)
        then = state.copy()
        facts, deferred = len(self._symbols.facts), len(self._symbols.deferred)
        self.run(effects, then, names, pay, conj(path, test))
        # the effects may be impossible where the test fails, and then no symbols have what is certain of them
        self._symbols.only_if(test, facts, deferred)
        _become(merged(test, then, state), state)

    def _forks_at(self, test: Truth, pay: list[Value] | None, path: Truth) -> bool:
        """Return whether this step goes one way at a test, and another step the other."""
        if self._forks is None or pay is not None or path is not True or isinstance(test, bool):
            return False
        return self._forks.passed < len(self._forks.ways) or self._forks.passed < MOST_FORKS

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

    def _symbol_for(self, test: Truth) -> Truth:
        """Return a test, or a symbol with a definition if the test is long."""
        if not is_long(test):
            return test
        symbol = self._symbols.truth("when")
        self.definitions.append(iff(symbol, test))
        return symbol


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
    block: str,
    clauses: Sequence[EffectClause],
    state: SymbolicState,
    names: Mapping[str, Value],
    pay: list[Value] | None = None,
) -> None:
    """Carry out the effects of an action, or payments, in place."""
    for path, clause in zip(paths_of(block, [c.name for c in clauses]), clauses, strict=True):
        run.clause = path
        run.run(clause.effects, state, names, pay)
