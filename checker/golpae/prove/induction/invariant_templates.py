"""Candidates for invariants, from templates and sampled games.

Input: the `TransitionSystem` of one table and states of games that were played. Output: candidates for induction: how
many tiles a player has at a stage, which states are none and which are not, which players are the same.
Guarantee: each candidate holds in all states given. One that follows from a candidate of a wider scope is left out.
Whether a candidate holds in every reachable state is for induction to show.

    playing, stage = second: size of hand of the mover = 6
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import assert_never

from golpae.ir.lifecycle import BEFORE, ENDED, OVER, PLAYING
from golpae.ir.ruleset import VarDecl
from golpae.ir.types import Bag as BagType
from golpae.ir.types import Bool, Choice, Each, Int, Meld, NoneType, Opt, Patterns, Points, Seat, Tile, Type
from golpae.prove.encoding.transition_system import TransitionSystem
from golpae.prove.induction.candidate import Candidate, Predicate
from golpae.prove.symbolic.state import SymbolicState
from golpae.prove.symbolic.values import (
    Number,
    Truth,
    Unsupported,
    Value,
    all_of,
    any_of,
    as_bag,
    as_number,
    at_least,
    cases,
    conj,
    equal,
    holds,
    how_many_tiles,
    implies,
    negate,
    same,
    size,
    total_of,
)

WIDE = ("always", "in a hand", PLAYING, OVER)
Measure = Callable[[SymbolicState, int], Number]  # a number for each player


@dataclass(frozen=True, slots=True)
class _Scope:
    """The states that a candidate is about; `wider` are the names of the scopes that include it."""

    name: str
    predicate: Predicate
    wider: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Claim:
    """What a candidate claims about the states in its scope."""

    name: str
    predicate: Predicate


def candidates(system: TransitionSystem, games: Sequence[SymbolicState]) -> list[Candidate]:
    """Return the instances of the templates that hold in all these states."""
    out: list[Candidate] = []
    scopes = list(_scopes(system))
    sampled = {scope.name: [s for s in games if scope.predicate(s) is True] for scope in scopes}
    for claim in _claims(system):
        covered: set[str] = set()
        for scope in scopes:
            if not covered.isdisjoint(scope.wider):
                covered.add(scope.name)
                continue
            states = sampled[scope.name]
            if states and all(_holds(claim.predicate, s) for s in states):
                covered.add(scope.name)
                out.append(_candidate(scope, claim))
    return [*out, *_numbers(system, games, scopes, sampled)]


def basics(system: TransitionSystem) -> Iterator[Candidate]:
    """Yield candidates that hold in nearly every game and that other proofs rest on, without sampled games."""
    scopes = {scope.name: scope for scope in _scopes(system)}
    claims = {claim.name: claim for claim in _claims(system)}
    basic: list[tuple[str, str]] = [(PLAYING, "winner is none")]
    seats = [v.name for v in system.rules.vars if not v.each_player and isinstance(v.type, Seat)]
    basic += [("in a hand", f"{name} is not none") for name in seats]
    for scope, claim in basic:
        if claim in claims:
            yield _candidate(scopes[scope], claims[claim])


def _candidate(scope: _Scope, claim: _Claim) -> Candidate:
    return Candidate(f"{scope.name}: {claim.name}", _within(scope, _memoized(claim)))


def _within(scope: _Scope, predicate: Predicate) -> Predicate:
    """Return the predicate that holds in all states outside the scope, and inside as given."""

    def implication(state: SymbolicState) -> Truth:
        key = ("scope", scope.name)
        if key not in state.memo:
            state.memo[key] = scope.predicate(state)
        return implies(state.memo[key], predicate(state))

    return implication


def _memoized(claim: _Claim) -> Predicate:
    """Return the predicate of a claim, computed once for each state."""

    def memoized(state: SymbolicState) -> Truth:
        key = ("claim", claim.name)
        if key not in state.memo:
            state.memo[key] = claim.predicate(state)
        return state.memo[key]

    return memoized


def _holds(predicate: Predicate, state: SymbolicState) -> bool:
    try:
        return predicate(state) is True
    except Unsupported:
        return False


# ------------------------------------------------------------------ scopes


def _scopes(system: TransitionSystem) -> Iterator[_Scope]:
    yield _Scope("always", lambda state: True, ())
    yield _Scope("in a hand", _at(PLAYING, OVER), ("always",))
    for stage in (BEFORE, PLAYING, OVER, ENDED):
        wider = ("always", "in a hand") if stage in (PLAYING, OVER) else ("always",)
        yield _Scope(stage, _at(stage), wider)
    for var in system.rules.vars:
        if not var.each_player:
            for name, predicate in _phases(var):
                yield _Scope(
                    f"{PLAYING}, {name}", _while_playing(predicate), ("always", "in a hand", PLAYING)
                )


def _at(*stages: str) -> Predicate:
    return lambda state: any_of(same(state.at, s) for s in stages)


def _while_playing(predicate: Predicate) -> Predicate:
    return lambda state: conj(same(state.at, PLAYING), predicate(state))


def _phases(var: VarDecl) -> Iterator[tuple[str, Predicate]]:
    """Yield conditions on a shared state that divide the play of a hand into phases."""
    match var.type:
        case Choice(words):
            for word in words:
                yield f"{var.name} = {word}", _var_is(var.name, word)
        case Opt(Tile()):
            yield f"{var.name} is not none", _not(_var_is(var.name, None))
        case Bool() | Int() | Seat() | Tile() | Meld() | BagType() | Each() | Opt():
            return
        case NoneType() | Points() | Patterns():
            return
        case _:
            assert_never(var.type)


# ------------------------------------------------------------------ claims


def _claims(system: TransitionSystem) -> Iterator[_Claim]:
    decls = system.rules
    shared = [v for v in decls.vars if not v.each_player]
    seats = [v.name for v in shared if isinstance(v.type, Seat) or v.type == Opt(Seat())]
    for zone in decls.zones:
        if not zone.each_player:
            yield _Claim(f"{zone.name} is empty", _zone_has(zone.name, 0))
            yield _Claim(f"{zone.name} is not empty", _zone_is_occupied(zone.name))
        else:
            yield _Claim(f"every {zone.name} is empty", _zones_are_empty(zone.name))
    yield _Claim("winner is none", lambda state: same(state.winner, None))
    for var in shared:
        yield from _claims_on_shared(var, system.states.type_of(var))
    for i, one in enumerate(seats):
        for other in seats[i + 1 :]:
            yield _Claim(f"{one} = {other}", _vars_are_same(one, other))
            yield _Claim(f"{one} /= {other}", _not(_vars_are_same(one, other)))
    hands = [z.name for z in decls.zones if z.each_player and z.kind != "melds"]
    for var in shared:
        if var.type == Opt(Tile()):
            for seat in seats:
                for name in hands:
                    yield _Claim(f"{var.name} in {seat}'s {name}", _lies_with(var.name, seat, name))
    for var in decls.vars:
        if var.each_player:
            yield from _claims_on_own(var.name, var.type, range(system.players))


def _claims_on_shared(var: VarDecl, kind: Type) -> Iterator[_Claim]:
    """Yield claims on a shared state of a type."""
    match kind:
        case Bool():
            yield _Claim(f"{var.name}", _var(var.name))
            yield _Claim(f"not {var.name}", _not(_var(var.name)))
        case Opt(_):
            yield _Claim(f"{var.name} is none", _var_is(var.name, None))
            yield _Claim(f"{var.name} is not none", _not(_var_is(var.name, None)))
        case Choice(words):
            for word in words:
                yield _Claim(f"{var.name} /= {word}", _not(_var_is(var.name, word)))
        case Int() | Seat() | Tile() | Meld() | BagType() | Each() | NoneType() | Points() | Patterns():
            return
        case _:
            assert_never(kind)


def _claims_on_own(name: str, kind: Type, players: range) -> Iterator[_Claim]:
    """Yield claims on a state that each player has, of a type."""
    match kind:
        case Bool():
            yield _Claim(f"nobody's {name}", lambda s: negate(any_of(s.vars[name][p] for p in players)))
        case Opt(_):
            yield _Claim(
                f"everybody's {name} is none",
                lambda s: negate(any_of(negate(same(s.vars[name][p], None)) for p in players)),
            )
        case BagType(Tile()):
            yield _Claim(
                f"everybody's {name} is empty",
                lambda s: equal(total_of(size(as_bag(s.vars[name][p])) for p in players), 0),
            )
        case Int() | Seat() | Tile() | Choice() | Meld() | BagType() | Each():
            return
        case NoneType() | Points() | Patterns():
            return
        case _:
            assert_never(kind)


def _not(predicate: Predicate) -> Predicate:
    return lambda state: negate(predicate(state))


def _var(name: str) -> Predicate:
    return lambda state: state.vars[name]


def _var_is(name: str, value: str | None) -> Predicate:
    return lambda state: same(state.vars[name], value)


def _vars_are_same(one: str, other: str) -> Predicate:
    return lambda state: same(state.vars[one], state.vars[other])


def _zone_has(name: str, number: int) -> Predicate:
    return lambda state: equal(size(state.zones[name].bag), number)


def _zone_is_occupied(name: str) -> Predicate:
    return lambda state: at_least(size(state.zones[name].bag), 1)


def _zones_are_empty(name: str) -> Predicate:
    return lambda state: equal(total_of(size(zone.bag) for zone in state.zones[name]), 0)


def _lies_with(var: str, seat: str, zone: str) -> Predicate:
    """Return whether a tile, if it is one, lies in a player's zone."""

    def lies_with(state: SymbolicState) -> Truth:
        tile, owner = state.vars[var], state.vars[seat]
        return any_of(
            conj(guard, any_of([same(tile, None), holds(state.zones[zone][plain].bag, tile)]))
            for guard, plain in cases(owner)
            if plain is not None
        )

    return lies_with


# ------------------------------------------------------------------ numbers


def _numbers(
    system: TransitionSystem,
    games: Sequence[SymbolicState],
    scopes: list[_Scope],
    sampled: dict[str, list[SymbolicState]],
) -> Iterator[Candidate]:
    """Yield sizes that are equal in all states of a scope, highest sizes, and the bounds of numbers."""
    decls = system.rules
    owned = [z.name for z in decls.zones if z.each_player]
    measures = [(f"size of {name}", _size_of(name)) for name in owned]
    measures.append(("all a player holds", _tiles_in(owned)))
    for name, measure in measures:
        yield from _sizes(system, scopes, sampled, name, measure)
    for zone in decls.zones:
        if not zone.each_player:
            for scope in scopes:
                values = {as_number(size(s.zones[zone.name].bag)) for s in sampled[scope.name]}
                if len(values) == 1:
                    number = values.pop()
                    yield Candidate(
                        f"{scope.name}: size of {zone.name} = {number}",
                        _within(scope, _zone_has(zone.name, number)),
                    )
    for var in decls.vars:
        if var.type == Int():
            yield from _bounds(system, games, var)


def _sizes(
    system: TransitionSystem,
    scopes: list[_Scope],
    sampled: dict[str, list[SymbolicState]],
    name: str,
    measure: Measure,
) -> Iterator[Candidate]:
    """Yield the values of a measure that all players share, or all but one, or the highest one."""
    seats = [v.name for v in system.rules.vars if not v.each_player and v.type == Seat()]
    players = range(system.players)
    covered: set[str] = set()
    for scope in scopes:
        if not covered.isdisjoint(scope.wider):
            covered.add(scope.name)
            continue
        states = sampled[scope.name]
        if not states:
            continue
        values = {as_number(measure(s, p)) for s in states for p in players}
        if len(values) == 1:
            covered.add(scope.name)
            yield _size(system, scope, name, measure, values.pop(), None, True, "=")
            continue
        if scope.name in WIDE:
            yield _size(system, scope, name, measure, max(values), None, True, "<=")
        for seat in seats:
            for is_seat in (True, False):
                own = {
                    as_number(measure(s, p))
                    for s in states
                    for p in players
                    if (s.vars[seat] == p) is is_seat
                }
                if len(own) == 1:
                    yield _size(system, scope, name, measure, own.pop(), seat, is_seat, "=")


def _size(
    system: TransitionSystem,
    scope: _Scope,
    name: str,
    measure: Measure,
    bound: int,
    seat: str | None,
    is_seat: bool,
    sign: str,
) -> Candidate:
    """Return a candidate for a measure of all players, or of those that are in a seat or are not."""

    def compared(state: SymbolicState) -> Truth:
        tests = []
        for p in range(system.players):
            number = measure(state, p)
            test = equal(number, bound) if sign == "=" else at_least(bound, number)
            if seat is not None:
                in_seat = same(state.vars[seat], p)
                test = implies(in_seat if is_seat else negate(in_seat), test)
            tests.append(test)
        return conj(*tests)

    whose = "" if seat is None else f" of {'the' if is_seat else 'all but the'} {seat}"
    return Candidate(f"{scope.name}: {name}{whose} {sign} {bound}", _within(scope, compared))


def _size_of(zone: str) -> Measure:
    return lambda state, seat: size(state.zones[zone][seat].bag)


def _tiles_in(zones: list[str]) -> Measure:
    """Return the measure of how many tiles a player has in all zones, computed once for each state."""

    def tiles_in(state: SymbolicState, seat: int) -> Number:
        key = ("tiles", seat)
        if key not in state.memo:
            state.memo[key] = total_of(how_many_tiles(state.zones[z][seat].bag) for z in zones)
        return state.memo[key]

    return tiles_in


def _bounds(system: TransitionSystem, games: Sequence[SymbolicState], var: VarDecl) -> Iterator[Candidate]:
    """Yield that a number is not negative, and that it does not exceed its highest value."""

    def values(state: SymbolicState) -> list[Value]:
        return state.vars[var.name] if var.each_player else [state.vars[var.name]]

    def everywhere(test: Callable[[Number], Truth]) -> Predicate:
        """Return whether a test holds of each number that has a value."""
        return lambda state: all_of(
            implies(guard, test(number))
            for value in values(state)
            for guard, number in cases(value)
            if number is not None
        )

    sampled = [number for state in games for number in values(state) if number is not None]
    if sampled and min(sampled) >= 0:
        yield Candidate(f"{var.name} >= 0", everywhere(lambda number: at_least(number, 0)))
    if var.high is not None and sampled:
        high = system.evaluator.number(var.high, None, {})
        yield Candidate(f"{var.name} <= {high}", everywhere(lambda number: at_least(high, number)))
