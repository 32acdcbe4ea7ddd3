"""Truths that may always hold of a game, found in what games look like.

In: the `Rules` of one table and tables from games that were played. Out: candidates for induction: how many tiles
a player holds at which stage, what is none and what is not, who is who. Only what holds in all tables given is
proposed, and what follows from a wider one is left out; whether it always holds is for induction to say.

    while playing, where stage = second: the mover holds 6 tiles
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from golpae.ir.types import Bag as BagType
from golpae.ir.types import Bool, Choice, Int, Opt, Seat, Tile
from golpae.prove.encoding.transition_system import TransitionSystem
from golpae.prove.induction.candidate import Candidate, Predicate
from golpae.prove.symbolic.state import BEFORE, ENDED, OVER, PLAYING, SymbolicState
from golpae.prove.symbolic.values import (
    Number,
    Truth,
    Unsupported,
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


@dataclass(frozen=True, slots=True)
class _Where:
    """When something is looked at; `within` are the names of wider ones."""

    name: str
    ask: Predicate
    within: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _What:
    name: str
    ask: Predicate


def candidates(rules: TransitionSystem, games: Sequence[SymbolicState]) -> list[Candidate]:
    """What holds of all these tables, in the words of the templates."""
    out: list[Candidate] = []
    wheres = list(_wheres(rules))
    seen = {w.name: [t for t in games if w.ask(t) is True] for w in wheres}
    for what in _whats(rules):
        found: set[str] = set()
        for where in wheres:
            if any(wider in found for wider in where.within):
                found.add(where.name)
                continue
            tables = seen[where.name]
            if tables and all(_holds(what.ask, t) for t in tables):
                found.add(where.name)
                out.append(Candidate(f"{where.name}: {what.name}", _where(where, _once(what))))
    return [*out, *_numbers(rules, games, wheres, seen)]


def basics(rules: TransitionSystem) -> Iterator[Candidate]:
    """What holds of nearly every game, and other proofs rest on: it is tried whatever games look like."""
    wheres = {w.name: w for w in _wheres(rules)}
    whats = {w.name: w for w in _whats(rules)}
    wanted = [(PLAYING, "winner is none")]
    seats = [v.name for v in rules.rules.vars if not v.each_player and isinstance(v.type, Seat)]
    wanted += [("in a hand", f"{name} is not none") for name in seats]
    for where, what in wanted:
        if what in whats:
            yield Candidate(f"{where}: {what}", _where(wheres[where], _once(whats[what])))


def _where(where: _Where, what: Predicate) -> Predicate:
    def ask(table: SymbolicState) -> Truth:
        key = ("where", where.name)
        if key not in table.memo:
            table.memo[key] = where.ask(table)
        return implies(table.memo[key], what(table))

    return ask


def _once(what: _What) -> Predicate:
    """The same, worked out once for a table."""

    def ask(table: SymbolicState) -> Truth:
        key = ("what", what.name)
        if key not in table.memo:
            table.memo[key] = what.ask(table)
        return table.memo[key]

    return ask


def _holds(ask: Predicate, table: SymbolicState) -> bool:
    try:
        return ask(table) is True
    except Unsupported:
        return False


# ------------------------------------------------------------------ when


def _wheres(rules: TransitionSystem) -> Iterator[_Where]:
    def at(*stages: str) -> Predicate:
        return lambda table: any_of(same(table.at, s) for s in stages)

    yield _Where("always", lambda table: True, ())
    yield _Where("in a hand", at(PLAYING, OVER), ("always",))
    for stage in (BEFORE, PLAYING, OVER, ENDED):
        wider = ("always", "in a hand") if stage in (PLAYING, OVER) else ("always",)
        yield _Where(stage, at(stage), wider)
    for var in rules.rules.vars:
        if var.each_player:
            continue
        match var.type:
            case Choice(words):
                for word in words:
                    yield _Where(
                        f"{PLAYING}, {var.name} = {word}",
                        lambda t, v=var.name, w=word: conj(same(t.at, PLAYING), same(t.vars[v], w)),  # type: ignore[misc]
                        ("always", "in a hand", PLAYING),
                    )
            case Opt(Tile()):
                yield _Where(
                    f"{PLAYING}, {var.name} is not none",
                    lambda t, v=var.name: conj(same(t.at, PLAYING), negate(same(t.vars[v], None))),  # type: ignore[misc]
                    ("always", "in a hand", PLAYING),
                )
            case _:
                pass


# ------------------------------------------------------------------ what


def _whats(rules: TransitionSystem) -> Iterator[_What]:
    decls = rules.rules
    shared = [v for v in decls.vars if not v.each_player]
    seats = [v.name for v in shared if isinstance(v.type, Seat) or v.type == Opt(Seat())]
    for zone in decls.zones:
        if not zone.each_player:
            yield _What(f"{zone.name} is empty", lambda t, z=zone.name: equal(size(t.zones[z].bag), 0))  # type: ignore[misc]
            yield _What(f"{zone.name} is not empty", lambda t, z=zone.name: at_least(size(t.zones[z].bag), 1))  # type: ignore[misc]
        else:
            yield _What(
                f"every {zone.name} is empty",
                lambda t, z=zone.name: equal(total_of(size(x.bag) for x in t.zones[z]), 0),  # type: ignore[misc]
            )
    yield _What("winner is none", lambda t: same(t.winner, None))
    for var in decls.vars:
        if var.each_player:
            continue
        match rules.states.type_of(var):
            case Bool():
                yield _What(f"{var.name}", lambda t, v=var.name: t.vars[v])  # type: ignore[misc]
                yield _What(f"not {var.name}", lambda t, v=var.name: negate(t.vars[v]))  # type: ignore[misc]
            case Opt(_):
                yield _What(f"{var.name} is none", lambda t, v=var.name: same(t.vars[v], None))  # type: ignore[misc]
                yield _What(
                    f"{var.name} is not none",
                    lambda t, v=var.name: negate(same(t.vars[v], None)),  # type: ignore[misc]
                )
            case Choice(words):
                for word in words:
                    yield _What(
                        f"{var.name} /= {word}",
                        lambda t, v=var.name, w=word: negate(same(t.vars[v], w)),  # type: ignore[misc]
                    )
            case _:
                pass
    for i, one in enumerate(seats):
        for other in seats[i + 1 :]:
            yield _What(f"{one} = {other}", lambda t, a=one, b=other: same(t.vars[a], t.vars[b]))  # type: ignore[misc]
            yield _What(f"{one} /= {other}", lambda t, a=one, b=other: negate(same(t.vars[a], t.vars[b])))  # type: ignore[misc]
    hands = [z.name for z in decls.zones if z.each_player and z.kind != "melds"]
    for var in shared:
        if var.type == Opt(Tile()):
            for seat in seats:
                for zone_name in hands:
                    yield _What(
                        f"{var.name} in {seat}'s {zone_name}",
                        lambda t, v=var.name, s=seat, z=zone_name: _lies_with(t, v, s, z),  # type: ignore[misc]
                    )
    for var in decls.vars:
        if var.each_player:
            for name, ask in _each(rules, var.name, var.type):
                yield _What(name, ask)


def _each(rules: TransitionSystem, name: str, kind: object) -> Iterator[tuple[str, Predicate]]:
    every = range(rules.players)
    match kind:
        case Bool():
            yield f"nobody's {name}", lambda t: negate(any_of(t.vars[name][p] for p in every))
        case Opt(_):
            yield (
                f"everybody's {name} is none",
                lambda t: negate(any_of(negate(same(t.vars[name][p], None)) for p in every)),
            )
        case BagType(Tile()):
            yield (
                f"everybody's {name} is empty",
                lambda t: equal(total_of(size(as_bag(t.vars[name][p])) for p in every), 0),
            )
        case _:
            pass


def _lies_with(table: SymbolicState, var: str, seat: str, zone: str) -> Truth:
    """Whether a tile, if it is one, lies in a player's zone."""
    tile, owner = table.vars[var], table.vars[seat]
    return any_of(
        conj(guard, any_of([same(tile, None), holds(table.zones[zone][plain].bag, tile)]))
        for guard, plain in cases(owner)
        if plain is not None
    )


# ------------------------------------------------------------------ numbers


def _numbers(
    rules: TransitionSystem,
    games: Sequence[SymbolicState],
    wheres: list[_Where],
    seen: dict[str, list[SymbolicState]],
) -> Iterator[Candidate]:
    """Sizes that are the same in all tables, and the highest and lowest ones."""
    decls = rules.rules
    seats = [v.name for v in decls.vars if not v.each_player and v.type == Seat()]
    owned = [z for z in decls.zones if z.each_player]
    measures: list[tuple[str, object]] = [
        (f"size of {z.name}", lambda t, p, z=z.name: size(t.zones[z][p].bag)) for z in owned
    ]
    measures.append(("all a player holds", lambda t, p: _held(t, p, [z.name for z in owned])))
    for name, measure in measures:
        found: set[str] = set()
        for where in wheres:
            if any(w in found for w in where.within):
                found.add(where.name)
                continue
            tables = seen[where.name]
            if not tables:
                continue
            values = {as_number(measure(t, p)) for t in tables for p in range(rules.players)}  # type: ignore[operator]
            if len(values) == 1:
                found.add(where.name)
                yield _size(rules, where, name, measure, values.pop(), None, True, "=")
            else:
                if where.name in WIDE:
                    yield _size(rules, where, name, measure, max(values), None, True, "<=")
                for seat in seats:
                    for who in (True, False):
                        own = {
                            as_number(measure(t, p))  # type: ignore[operator]
                            for t in tables
                            for p in range(rules.players)
                            if (t.vars[seat] == p) is who
                        }
                        if len(own) == 1:
                            yield _size(rules, where, name, measure, own.pop(), seat, who, "=")
    for zone in decls.zones:
        if not zone.each_player:
            for where in wheres:
                values = {as_number(size(t.zones[zone.name].bag)) for t in seen[where.name]}
                if len(values) == 1:
                    fixed = values.pop()
                    yield Candidate(
                        f"{where.name}: size of {zone.name} = {fixed}",
                        _where(where, lambda t, z=zone.name, c=fixed: equal(size(t.zones[z].bag), c)),  # type: ignore[misc]
                    )
    for var in decls.vars:
        if var.type != Int():
            continue
        spread = [x for t in games for x in (t.vars[var.name] if var.each_player else [t.vars[var.name]])]
        if spread and min(spread) >= 0:
            yield Candidate(
                f"{var.name} >= 0",
                lambda t, v=var.name, e=var.each_player: conj(  # type: ignore[misc]
                    *(at_least(x, 0) for x in (t.vars[v] if e else [t.vars[v]]))
                ),
            )
        if var.high is not None and spread:
            high = rules.evaluator.number(var.high, None, {})
            yield Candidate(
                f"{var.name} <= {high}",
                lambda t, v=var.name, e=var.each_player, h=high: conj(  # type: ignore[misc]
                    *(at_least(h, x) for x in (t.vars[v] if e else [t.vars[v]]))
                ),
            )


def _held(table: SymbolicState, seat: int, zones: list[str]) -> Number:
    key = ("held", seat)
    if key not in table.memo:
        table.memo[key] = total_of(how_many_tiles(table.zones[z][seat].bag) for z in zones)
    return table.memo[key]


def _size(
    rules: TransitionSystem,
    where: _Where,
    name: str,
    measure: object,
    wanted: int,
    seat: str | None,
    who: bool,
    sign: str,
) -> Candidate:
    def ask(table: SymbolicState) -> Truth:
        tests = []
        for p in range(rules.players):
            found = measure(table, p)  # type: ignore[operator]
            right = equal(found, wanted) if sign == "=" else at_least(wanted, found)
            if seat is not None:
                is_seat = same(table.vars[seat], p)
                right = implies(is_seat if who else negate(is_seat), right)
            tests.append(right)
        return conj(*tests)

    whose = "" if seat is None else f" of {'the' if who else 'all but the'} {seat}"
    return Candidate(f"{where.name}: {name}{whose} {sign} {wanted}", _where(where, ask))
