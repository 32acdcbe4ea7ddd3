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
from itertools import permutations, product
from typing import NamedTuple, assert_never

from golpae.ir.lifecycle import OVER, PLAYING
from golpae.ir.ruleset import VarDecl
from golpae.ir.types import Bag as BagType
from golpae.ir.types import Bool, Choice, Each, Int, Meld, NoneType, Opt, Patterns, Points, Seat, Tile, Type
from golpae.prove.encoding.transition_system import TransitionSystem
from golpae.prove.induction.candidate import ALWAYS, IN_A_HAND, Candidate, Lemma, Predicate
from golpae.prove.induction.first_values import has_first_value, never_set
from golpae.prove.induction.scopes import Scope, denied, scopes_of, truth_of, value_is, within
from golpae.prove.induction.templates_of_turns import claims_of_turns
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
    minus,
    negate,
    same,
    size,
    times,
    total_of,
)

WIDE = (ALWAYS, IN_A_HAND, PLAYING, OVER)
COMPARED: dict[str, Callable[[Number, int], Truth]] = {
    "=": equal,
    "<=": lambda number, bound: at_least(bound, number),
    ">=": at_least,
}
SIGNS = tuple(COMPARED)
APART = (1, -1)  # whether others have more tiles than the player in a seat, or fewer
MOST_APART = 1  # tiles that sizes of zones differ by, if their difference says something
DIGITS = 9  # of a number in a name
NAMES = "pqrsuvwxyz"  # of which one stands for any player
Measure = Callable[[SymbolicState, int], Number]  # a number for each player
Measured = tuple[str, Measure]  # its name, an expression of the language


class _InSeat(NamedTuple):
    """The players that are in a seat (a state that holds a player), or all others."""

    seat: str
    is_in: bool


@dataclass(frozen=True, slots=True)
class _Claim:
    """What a candidate claims about the states in its scope; the name is an expression of the language."""

    name: str
    predicate: Predicate


def candidates(system: TransitionSystem, games: Sequence[SymbolicState]) -> list[Candidate]:
    """Return the instances of the templates that hold in all these states."""
    out: list[Candidate] = []
    scopes = list(scopes_of(system))
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
    scopes = list(scopes_of(system))
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


def _numbered(system: TransitionSystem, scopes: Sequence[Scope]) -> Iterator[Callable[[int], Candidate]]:
    """Yield the templates that end in a number."""
    seats = [v.name for v in system.rules.vars if not v.each_player and v.type == Seat()]
    whose = [None, *(_InSeat(*one) for one in product(seats, (True, False)))]
    for measured, scope in product(_measures(system), scopes):
        for those, sign in product(whose, SIGNS):
            yield partial(_size, system, scope, measured, those, sign)
    for name, seat, scope in product(_hands(system), seats, scopes):
        if scope.name == PLAYING:
            yield from (partial(_apart, system, scope, name, seat, sign) for sign in APART)
    for zone, scope in product(system.rules.zones, scopes):
        if not zone.each_player:
            yield partial(_zone_sized, scope, zone.name)
    for var, scope in product(system.rules.vars, scopes):
        if var.type == Int() and scope.name == PLAYING:
            yield partial(_not_below, system, scope, var)


def _zone_sized(scope: Scope, zone: str, number: int) -> Candidate:
    """Return the candidate that a zone has so many tiles."""
    return Candidate(scope.lemma(f"size of {zone} = {number}").name, within(scope, _zone_has(zone, number)))


def basics(system: TransitionSystem) -> Iterator[Candidate]:
    """Yield candidates that hold in nearly every game and that other proofs rest on, without sampled games."""
    scopes = {scope.name: scope for scope in scopes_of(system)}
    claims = {claim.name: claim for claim in _claims(system)}
    basic: list[tuple[str, str]] = [(PLAYING, "winner is none")]
    if (won := system.rules.winners_state) is not None:
        basic.append((PLAYING, _no_player(_any_player(system), won)))
    seats = [v for v in system.rules.vars if not v.each_player and isinstance(v.type, Seat)]
    basic += [(IN_A_HAND, _is_set(var, _any_player(system))) for var in seats]
    first = (
        has_first_value(system.evaluator.instance, var, _any_player(system))
        for var in never_set(system.rules)
    )
    basic += [(ALWAYS, claim) for claim, _ in filter(None, first)]
    for scope, claim in basic:
        if claim in claims:
            yield _candidate(scopes[scope], claims[claim])


def _candidate(scope: Scope, claim: _Claim) -> Candidate:
    return Candidate(scope.lemma(claim.name).name, within(scope, _memoized(claim)))


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


# ------------------------------------------------------------------ claims


def _claims(system: TransitionSystem) -> Iterator[_Claim]:
    """Yield the claims of all templates without numbers, each once."""
    claimed: set[str] = set()
    for claim in _claims_of_kinds(system):
        claimed.add(claim.name)
        yield claim
    for var in system.rules.vars:
        first = has_first_value(system.evaluator.instance, var, _any_player(system))
        if first is not None and first[0] not in claimed:
            yield _Claim(*first)


def _claims_of_kinds(system: TransitionSystem) -> Iterator[_Claim]:
    decls, p = system.rules, _any_player(system)
    shared = [v for v in decls.vars if not v.each_player]
    seats = [v.name for v in shared if isinstance(v.type, Seat) or v.type == Opt(Seat())]
    certain = [v.name for v in shared if isinstance(v.type, Seat)]
    for zone in decls.zones:
        if not zone.each_player:
            yield _Claim(f"{zone.name} is empty", _zone_has(zone.name, 0))
            yield _Claim(f"{zone.name} is not empty", _zone_is_occupied(zone.name))
        else:
            empty = _zones_are_empty(zone.name)
            yield _Claim(f"every {p} in players: {p}'s {zone.name} is empty", empty)
            yield _Claim(f"some {p} in players: {p}'s {zone.name} is not empty", denied(empty))
    yield from _claims_on_winner(shared)
    for var in shared:
        yield from _claims_on_shared(var, system.states.type_of(var), p)
    for i, one in enumerate(seats):
        for other in seats[i + 1 :]:
            yield _Claim(f"{one} = {other}", _vars_are_same(one, other))
            yield _Claim(f"{one} /= {other}", denied(_vars_are_same(one, other)))
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
    for name, predicate in claims_of_turns(decls, system.players, _any_players(system)):
        yield _Claim(name, predicate)


def _claims_on_winner(shared: Sequence[VarDecl]) -> Iterator[_Claim]:
    """Yield who can be the winner, and which truths say whether there is one."""

    def nobody(state: SymbolicState) -> Truth:
        return same(state.winner, None)

    yield _Claim("winner is none", nobody)
    yield _Claim("winner is not none", denied(nobody))
    for var in shared:
        if isinstance(var.type, Seat) or var.type == Opt(Seat()):
            yield _Claim(f"winner is none or winner = {var.name}", _winner_is(var.name))
        elif isinstance(var.type, Bool) and var.initial is not None:
            for has, (word, test) in product(("", "not "), (("none", nobody), ("not none", denied(nobody)))):
                given = truth_of(var.name) if not has else denied(truth_of(var.name))
                yield _Claim(f"{has}{var.name} implies winner is {word}", _implied(given, test))


def _winner_is(name: str) -> Predicate:
    return lambda state: any_of([same(state.winner, None), same(state.winner, state.vars[name])])


def _implied(given: Predicate, test: Predicate) -> Predicate:
    return lambda state: implies(given(state), test(state))


def _any_player(system: TransitionSystem) -> str:
    """Return a name for any player that is no other name of the text."""
    return (*_any_players(system), NAMES[0])[0]


def _any_players(system: TransitionSystem) -> list[str]:
    """Return names for any players that are no other names of the text."""
    rules = system.rules
    taken = {d.name for part in (rules.zones, rules.vars, rules.definitions, rules.options) for d in part}
    return [name for name in NAMES if name not in taken]


def _claims_on_shared(var: VarDecl, kind: Type, any_player: str) -> Iterator[_Claim]:
    """Yield claims on a shared state of a type."""
    match kind:
        case Bool():
            yield _Claim(f"{var.name}", truth_of(var.name))
            yield _Claim(f"not {var.name}", denied(truth_of(var.name)))
        case Opt(_):
            unset, is_set = f"{var.name} is none", _is_set(var, any_player)
            yield _Claim(unset if isinstance(var.type, Opt) else f"not ({is_set})", value_is(var.name, None))
            yield _Claim(is_set, denied(value_is(var.name, None)))
        case Choice(words):
            for word in words:
                yield _Claim(f"{var.name} /= {word}", denied(value_is(var.name, word)))
        case Int() | Seat() | Tile() | Meld() | BagType() | Each() | NoneType() | Points() | Patterns():
            return
        case _:
            assert_never(kind)


def _is_set(var: VarDecl, any_player: str) -> str:
    """Return the claim that a state has a value. Of one without a first value, `is not none` cannot be said."""
    if isinstance(var.type, Opt):
        return f"{var.name} is not none"
    return f"some {any_player} in players: {any_player} = {var.name}"


def _no_player(any_player: str, name: str) -> str:
    return f"no {any_player} in players: {any_player}'s {name}"


def _claims_on_own(name: str, kind: Type, players: range, any_player: str) -> Iterator[_Claim]:
    """Yield claims on a state that each player has, of a type."""
    of_all = f"{any_player} in players: {any_player}'s {name}"
    match kind:
        case Bool():
            nobody = _no_player(any_player, name)
            yield _Claim(nobody, lambda s: negate(any_of(s.vars[name][p] for p in players)))
        case Opt(_):
            yield _Claim(
                f"every {of_all} is none",
                lambda s: negate(any_of(negate(same(s.vars[name][p], None)) for p in players)),
            )
            yield _Claim(
                f"every {of_all} is not none",
                lambda s: negate(any_of(same(s.vars[name][p], None) for p in players)),
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
    scopes: list[Scope],
    sampled: dict[str, list[SymbolicState]],
) -> Iterator[Candidate]:
    """Yield sizes that are equal in all states of a scope, highest sizes, and the bounds of numbers."""
    decls = system.rules
    for measured in _measures(system):
        yield from _sizes(system, scopes, sampled, measured)
    for zone in decls.zones:
        if not zone.each_player:
            for scope in scopes:
                values = {as_number(size(s.zones[zone.name].bag)) for s in sampled[scope.name]}
                if len(values) == 1:
                    yield _zone_sized(scope, zone.name, values.pop())
    playing = next(scope for scope in scopes if scope.name == PLAYING)
    yield from _near(system, playing, sampled[PLAYING])
    for var in decls.vars:
        if var.type == Int():
            yield from _bounds(system, games, var)
            numbers = [n for state in sampled[PLAYING] for n in _values(state, var) if n is not None]
            if numbers and min(numbers) > 0:
                yield _not_below(system, playing, var, min(numbers))


def _measures(system: TransitionSystem) -> list[Measured]:
    """Return the numbers of tiles of a player, as expressions of the language: in each zone, and in all of them."""
    p = _any_player(system)
    own = [z for z in system.rules.zones if z.each_player]
    measures: list[Measured] = [(f"size of {p}'s {z.name}", _size_of(z.name)) for z in own]
    tiles = [
        f"(sum of size of m for m in {p}'s {z.name})" if z.kind == "melds" else f"size of {p}'s {z.name}"
        for z in own
    ]
    measures.append((" + ".join(tiles), _tiles_in([z.name for z in own])))
    return measures


def _sizes(
    system: TransitionSystem,
    scopes: list[Scope],
    sampled: dict[str, list[SymbolicState]],
    measured: Measured,
) -> Iterator[Candidate]:
    """Yield the values of a measure that all players share, or all but one, or the highest and the lowest one."""
    measure = measured[1]
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
            yield _size(system, scope, measured, None, "=", values.pop())
            continue
        if scope.name in WIDE:
            yield _size(system, scope, measured, None, "<=", max(values))
            if min(values) > 0:
                yield _size(system, scope, measured, None, ">=", min(values))
        for seat in seats:
            for is_seat in (True, False):
                own = {
                    as_number(measure(s, p))
                    for s in states
                    for p in players
                    if (s.vars[seat] == p) is is_seat
                }
                if len(own) == 1:
                    yield _size(system, scope, measured, _InSeat(seat, is_seat), "=", own.pop())
                elif scope.name in WIDE and own and min(own) > 0 == min(values):
                    yield _size(system, scope, measured, _InSeat(seat, is_seat), ">=", min(own))


def _size(
    system: TransitionSystem,
    scope: Scope,
    measured: Measured,
    whose: _InSeat | None,
    sign: str,
    bound: int,
) -> Candidate:
    """Return a candidate for a measure of all players, or of those that are in a seat or are not."""
    name, measure = measured

    def compared(state: SymbolicState) -> Truth:
        tests = []
        for p in range(system.players):
            number = measure(state, p)
            test = COMPARED[sign](number, bound)
            if whose is not None:
                in_seat = same(state.vars[whose.seat], p)
                test = implies(in_seat if whose.is_in else negate(in_seat), test)
            tests.append(test)
        return conj(*tests)

    p = _any_player(system)
    premise = "" if whose is None else f"{p} {'=' if whose.is_in else '/='} {whose.seat} implies "
    lemma = scope.lemma(f"every {p} in players: {premise}{name} {sign} {bound}")
    return Candidate(lemma.name, within(scope, compared))


def _hands(system: TransitionSystem) -> list[str]:
    """Return the zones of each player whose sizes are compared; none if no two names of players are left."""
    if len(_any_players(system)) < 2:
        return []
    return [z.name for z in system.rules.zones if z.each_player and z.kind != "melds"]


def _near(system: TransitionSystem, scope: Scope, states: Sequence[SymbolicState]) -> Iterator[Candidate]:
    """Yield how far the size of a zone of the player in a seat is from that of each other player, if it is near.

    Sizes that do not change say so by themselves.
    """
    seats = [v.name for v in system.rules.vars if not v.each_player and v.type == Seat()]
    players = range(system.players)
    for zone in _hands(system):
        sizes = [[as_number(size(s.zones[zone][p].bag)) for p in players] for s in states]
        if len({number for of_state in sizes for number in of_state}) < MOST_APART + 2:
            continue
        for seat in seats:
            pairs = [
                (own[s.vars[seat]], own)
                for s, own in zip(states, sizes, strict=True)
                if s.vars[seat] in players
            ]
            for sign in APART:
                most = max(
                    (sign * (number - n) for n, own in pairs for number in own), default=MOST_APART + 1
                )
                if most <= MOST_APART:
                    yield _apart(system, scope, zone, seat, sign, most)


def _apart(system: TransitionSystem, scope: Scope, zone: str, seat: str, sign: int, most: int) -> Candidate:
    """Return the candidate that others have at most so many more tiles, or fewer, than the player in a seat."""

    def near(state: SymbolicState) -> Truth:
        sizes = [size(state.zones[zone][p].bag) for p in range(system.players)]
        return all_of(
            implies(same(state.vars[seat], p), at_least(most, times(sign, minus(other, sizes[p]))))
            for p, q in permutations(range(system.players), 2)
            for other in [sizes[q]]
        )

    p, q = _any_players(system)[:2]
    own, others = f"size of {p}'s {zone}", f"size of {q}'s {zone}"
    less, more = (others, own) if sign > 0 else (own, others)
    lemma = scope.lemma(
        f"every {p} in players: {p} = {seat} implies every {q} in players: {less} <= {more} + {most}"
    )
    return Candidate(lemma.name, within(scope, near))


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


def _values(state: SymbolicState, var: VarDecl) -> list[Value]:
    """Return the value of a state, or that of each player."""
    return state.vars[var.name] if var.each_player else [state.vars[var.name]]


def _everywhere(var: VarDecl, test: Callable[[Number], Truth]) -> Predicate:
    """Return whether a test holds of each number that a state has."""
    return lambda state: all_of(
        implies(guard, test(number))
        for value in _values(state, var)
        for guard, number in cases(value)
        if number is not None
    )


def _number_of(system: TransitionSystem, var: VarDecl) -> str:
    """Return a state as the left side of a comparison, for every player if each has one."""
    p = _any_player(system)
    return f"every {p} in players: {p}'s {var.name}" if var.each_player else var.name


def _not_below(system: TransitionSystem, scope: Scope, var: VarDecl, bound: int) -> Candidate:
    """Return the candidate that a number is not below a bound in the states of a scope."""
    lemma = scope.lemma(f"{_number_of(system, var)} >= {bound}")
    return Candidate(lemma.name, within(scope, _everywhere(var, lambda number: at_least(number, bound))))


def _bounds(
    system: TransitionSystem, games: Sequence[SymbolicState] | None, var: VarDecl
) -> Iterator[Candidate]:
    """Yield the candidates that a number is not negative, and that it does not exceed its highest value.

    With games, only what these suggest.
    """
    number_of = _number_of(system, var)
    sampled = (
        [0]
        if games is None
        else [number for state in games for number in _values(state, var) if number is not None]
    )
    if sampled and min(sampled) >= 0:
        lemma = Lemma(ALWAYS, f"{number_of} >= 0")
        yield Candidate(lemma.name, _everywhere(var, lambda number: at_least(number, 0)))
    if var.high is not None and sampled:
        high = system.evaluator.number(var.high, None, {})
        lemma = Lemma(ALWAYS, f"{number_of} <= {high}")
        yield Candidate(lemma.name, _everywhere(var, lambda number: at_least(high, number)))
