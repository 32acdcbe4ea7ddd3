"""Candidates for invariants, from templates and sampled games.

Input: the `TransitionSystem` of one table and states of games that were played. Output: candidates for induction: how
many tiles a player has at a stage, which states are none and which are not, which players are the same.
Guarantee: each candidate holds in all states given. One that follows from a candidate of a wider scope is left out.
Whether a candidate holds in every reachable state is for induction to show. The name of a candidate is its `Lemma`: an
expression of the language that says the same.

    playing: stage = second implies every p in players: p = mover implies size of p's hand = 6
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import assert_never

from golpae.ir.lifecycle import BEFORE, ENDED, OVER, PLAYING
from golpae.ir.ruleset import VarDecl
from golpae.ir.types import Bag as BagType
from golpae.ir.types import Bool, Choice, Each, Int, Meld, NoneType, Opt, Patterns, Points, Seat, Tile, Type
from golpae.prove.encoding.transition_system import TransitionSystem
from golpae.prove.induction.candidate import ALWAYS, IN_A_HAND, Candidate, Lemma, Predicate
from golpae.prove.symbolic.state import SymbolicState
from golpae.prove.symbolic.terms import Unsupported
from golpae.prove.symbolic.values import (
    Number,
    Truth,
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

WIDE = (ALWAYS, IN_A_HAND, PLAYING, OVER)
COMPARED: dict[str, Callable[[Number, int], Truth]] = {
    "=": equal,
    "<=": lambda number, bound: at_least(bound, number),
    ">=": at_least,
}
SIGNS = tuple(COMPARED)
DIGITS = 9  # of a number in a name
NAMES = "pqrsuvwxyz"  # of which one stands for any player
Measure = Callable[[SymbolicState, int], Number]  # a number for each player


@dataclass(frozen=True, slots=True)
class _Scope:
    """The states that a candidate is about: those at a stage, `when` an expression of the language holds there.

    `wider` are the names of the scopes that include it.
    """

    at: str
    when: str
    predicate: Predicate
    wider: tuple[str, ...]

    @property
    def name(self) -> str:
        return f"{self.at}, {self.when}" if self.when else self.at

    def lemma(self, claim: str) -> Lemma:
        """Return the lemma that a claim, an expression of the language, holds in these states."""
        return Lemma(self.at, f"{self.when} implies {claim}" if self.when else claim)


@dataclass(frozen=True, slots=True)
class _Claim:
    """What a candidate claims about the states in its scope; the name is an expression of the language."""

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


def named(system: TransitionSystem, names: Iterable[str]) -> dict[str, Candidate]:
    """Return those instances of the templates that have these names, by name, whether games suggest them or not."""
    wanted = dict.fromkeys(names)
    numbers: dict[str, list[int]] = {}  # by what stands before the number that ends a name
    for name in wanted:
        before, _, number = name.rpartition(" ")
        if number.isdecimal() and len(number) <= DIGITS:
            numbers.setdefault(before, []).append(int(number))
    scopes = list(_scopes(system))
    out: list[Candidate] = []
    for claim in _claims(system):
        out += [_candidate(s, claim) for s in scopes if s.lemma(claim.name).name in wanted]
    for make in _numbered(system, scopes):
        before = make(0).name.removesuffix(" 0")
        out += map(make, numbers.get(before, ()))
    for var in system.rules.vars:
        if var.type == Int():
            out += _bounds(system, None, var)
    return {c.name: c for c in out if c.name in wanted}


def _numbered(system: TransitionSystem, scopes: Sequence[_Scope]) -> Iterator[Callable[[int], Candidate]]:
    """Yield the templates that end in a number."""
    seats = [v.name for v in system.rules.vars if not v.each_player and v.type == Seat()]
    whose = [(None, True), *product(seats, (True, False))]
    for (name, measure), scope in product(_measures(system), scopes):
        for (seat, is_seat), sign in product(whose, SIGNS):
            yield partial(_sized, system, scope, name, measure, seat, is_seat, sign)
    for zone, scope in product(system.rules.zones, scopes):
        if not zone.each_player:
            yield partial(_zone_sized, scope, zone.name)


def _sized(
    system: TransitionSystem,
    scope: _Scope,
    name: str,
    measure: Measure,
    seat: str | None,
    is_seat: bool,
    sign: str,
    bound: int,
) -> Candidate:
    return _size(system, scope, name, measure, bound, seat, is_seat, sign)


def _zone_sized(scope: _Scope, zone: str, number: int) -> Candidate:
    """Return the candidate that a zone has so many tiles."""
    return Candidate(scope.lemma(f"size of {zone} = {number}").name, _within(scope, _zone_has(zone, number)))


def basics(system: TransitionSystem) -> Iterator[Candidate]:
    """Yield candidates that hold in nearly every game and that other proofs rest on, without sampled games."""
    scopes = {scope.name: scope for scope in _scopes(system)}
    claims = {claim.name: claim for claim in _claims(system)}
    basic: list[tuple[str, str]] = [(PLAYING, "winner is none")]
    seats = [v for v in system.rules.vars if not v.each_player and isinstance(v.type, Seat)]
    basic += [(IN_A_HAND, _is_set(var, _any_player(system))) for var in seats]
    for scope, claim in basic:
        if claim in claims:
            yield _candidate(scopes[scope], claims[claim])


def _candidate(scope: _Scope, claim: _Claim) -> Candidate:
    return Candidate(scope.lemma(claim.name).name, _within(scope, _memoized(claim)))


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
    yield _Scope(ALWAYS, "", lambda state: True, ())
    yield _Scope(IN_A_HAND, "", stage_holds(IN_A_HAND), (ALWAYS,))
    for stage in (BEFORE, PLAYING, OVER, ENDED):
        wider = (ALWAYS, IN_A_HAND) if stage in (PLAYING, OVER) else (ALWAYS,)
        yield _Scope(stage, "", stage_holds(stage), wider)
    for var in system.rules.vars:
        if not var.each_player:
            for name, predicate in _phases(var):
                yield _Scope(PLAYING, name, _while_playing(predicate), (ALWAYS, IN_A_HAND, PLAYING))


def stage_holds(at: str) -> Predicate:
    """Return the predicate that holds in the states that a lemma of this stage is about."""
    if at == ALWAYS:
        return lambda state: True
    stages = (PLAYING, OVER) if at == IN_A_HAND else (at,)
    return _at(*stages)


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
        case Bool():
            if var.initial is not None:  # otherwise it has no value in some states
                yield var.name, _var(var.name)
                yield f"not {var.name}", _not(_var(var.name))
        case Int() | Seat() | Tile() | Meld() | BagType() | Each() | Opt():
            return
        case NoneType() | Points() | Patterns():
            return
        case _:
            assert_never(var.type)


# ------------------------------------------------------------------ claims


def _claims(system: TransitionSystem) -> Iterator[_Claim]:
    decls, p = system.rules, _any_player(system)
    shared = [v for v in decls.vars if not v.each_player]
    seats = [v.name for v in shared if isinstance(v.type, Seat) or v.type == Opt(Seat())]
    certain = [v.name for v in shared if isinstance(v.type, Seat)]
    for zone in decls.zones:
        if not zone.each_player:
            yield _Claim(f"{zone.name} is empty", _zone_has(zone.name, 0))
            yield _Claim(f"{zone.name} is not empty", _zone_is_occupied(zone.name))
        else:
            yield _Claim(f"every {p} in players: {p}'s {zone.name} is empty", _zones_are_empty(zone.name))
    yield _Claim("winner is none", lambda state: same(state.winner, None))
    for var in shared:
        yield from _claims_on_shared(var, system.states.type_of(var), p)
    for i, one in enumerate(seats):
        for other in seats[i + 1 :]:
            yield _Claim(f"{one} = {other}", _vars_are_same(one, other))
            yield _Claim(f"{one} /= {other}", _not(_vars_are_same(one, other)))
    hands = [z.name for z in decls.zones if z.each_player and z.kind != "melds"]
    for var in shared:
        if var.type == Opt(Tile()):
            for seat in seats:
                for name in hands:
                    lies = f"{var.name} is none or {var.name} in {seat}'s {name}"
                    lies = lies if seat in certain else f"{seat} is not none and ({lies})"
                    yield _Claim(lies, _lies_with(var.name, seat, name))
    for var in decls.vars:
        if var.each_player:
            yield from _claims_on_own(var.name, var.type, range(system.players), p)


def _any_player(system: TransitionSystem) -> str:
    """Return a name for any player that is no other name of the text."""
    rules = system.rules
    taken = {d.name for part in (rules.zones, rules.vars, rules.definitions, rules.options) for d in part}
    return next((name for name in NAMES if name not in taken), NAMES[0])


def _claims_on_shared(var: VarDecl, kind: Type, any_player: str) -> Iterator[_Claim]:
    """Yield claims on a shared state of a type."""
    match kind:
        case Bool():
            yield _Claim(f"{var.name}", _var(var.name))
            yield _Claim(f"not {var.name}", _not(_var(var.name)))
        case Opt(_):
            unset, is_set = f"{var.name} is none", _is_set(var, any_player)
            yield _Claim(unset if isinstance(var.type, Opt) else f"not ({is_set})", _var_is(var.name, None))
            yield _Claim(is_set, _not(_var_is(var.name, None)))
        case Choice(words):
            for word in words:
                yield _Claim(f"{var.name} /= {word}", _not(_var_is(var.name, word)))
        case Int() | Seat() | Tile() | Meld() | BagType() | Each() | NoneType() | Points() | Patterns():
            return
        case _:
            assert_never(kind)


def _is_set(var: VarDecl, any_player: str) -> str:
    """Return the claim that a state has a value. Of one without a first value, `is not none` cannot be said."""
    if isinstance(var.type, Opt):
        return f"{var.name} is not none"
    return f"some {any_player} in players: {any_player} = {var.name}"


def _claims_on_own(name: str, kind: Type, players: range, any_player: str) -> Iterator[_Claim]:
    """Yield claims on a state that each player has, of a type."""
    of_all = f"{any_player} in players: {any_player}'s {name}"
    match kind:
        case Bool():
            yield _Claim(f"no {of_all}", lambda s: negate(any_of(s.vars[name][p] for p in players)))
        case Opt(_):
            yield _Claim(
                f"every {of_all} is none",
                lambda s: negate(any_of(negate(same(s.vars[name][p], None)) for p in players)),
            )
        case BagType(Tile()):
            yield _Claim(
                f"every {of_all} is empty",
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
    for name, measure in _measures(system):
        yield from _sizes(system, scopes, sampled, name, measure)
    for zone in decls.zones:
        if not zone.each_player:
            for scope in scopes:
                values = {as_number(size(s.zones[zone.name].bag)) for s in sampled[scope.name]}
                if len(values) == 1:
                    yield _zone_sized(scope, zone.name, values.pop())
    for var in decls.vars:
        if var.type == Int():
            yield from _bounds(system, games, var)


def _measures(system: TransitionSystem) -> list[tuple[str, Measure]]:
    """Return the numbers of tiles of a player, as expressions of the language: in each zone, and in all of them."""
    p = _any_player(system)
    own = [z for z in system.rules.zones if z.each_player]
    measures: list[tuple[str, Measure]] = [(f"size of {p}'s {z.name}", _size_of(z.name)) for z in own]
    tiles = [
        f"(sum of size of m for m in {p}'s {z.name})" if z.kind == "melds" else f"size of {p}'s {z.name}"
        for z in own
    ]
    measures.append((" + ".join(tiles), _tiles_in([z.name for z in own])))
    return measures


def _sizes(
    system: TransitionSystem,
    scopes: list[_Scope],
    sampled: dict[str, list[SymbolicState]],
    name: str,
    measure: Measure,
) -> Iterator[Candidate]:
    """Yield the values of a measure that all players share, or all but one, or the highest and the lowest one."""
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
            if min(values) > 0:
                yield _size(system, scope, name, measure, min(values), None, True, ">=")
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
                elif scope.name in WIDE and own and min(own) > 0 == min(values):
                    yield _size(system, scope, name, measure, min(own), seat, is_seat, ">=")


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
            test = COMPARED[sign](number, bound)
            if seat is not None:
                in_seat = same(state.vars[seat], p)
                test = implies(in_seat if is_seat else negate(in_seat), test)
            tests.append(test)
        return conj(*tests)

    p = _any_player(system)
    whose = "" if seat is None else f"{p} {'=' if is_seat else '/='} {seat} implies "
    lemma = scope.lemma(f"every {p} in players: {whose}{name} {sign} {bound}")
    return Candidate(lemma.name, _within(scope, compared))


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


def _bounds(
    system: TransitionSystem, games: Sequence[SymbolicState] | None, var: VarDecl
) -> Iterator[Candidate]:
    """Yield that a number is not negative, and that it does not exceed its highest value.

    With games, only what these suggest.
    """

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

    p = _any_player(system)
    number_of = f"every {p} in players: {p}'s {var.name}" if var.each_player else var.name
    sampled = (
        [0]
        if games is None
        else [number for state in games for number in values(state) if number is not None]
    )
    if sampled and min(sampled) >= 0:
        yield Candidate(
            Lemma(ALWAYS, f"{number_of} >= 0").name, everywhere(lambda number: at_least(number, 0))
        )
    if var.high is not None and sampled:
        high = system.evaluator.number(var.high, None, {})
        yield Candidate(
            Lemma(ALWAYS, f"{number_of} <= {high}").name, everywhere(lambda number: at_least(high, number))
        )
