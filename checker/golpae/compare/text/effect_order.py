"""Find effects whose order matters: those that changed places and do not commute. Also whether the
rules can follow the order of the set.

Input: the effects that two blocks share, in the order of each.
Output: those that changed places and do not commute. Two effects commute if neither sets or moves what the other
reads, sets or moves.
Guarantee: an effect that is not returned may stand in either order.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import assert_never

from golpae.compare.text.normal_form import Normalizer
from golpae.syntax import tree as t
from golpae.syntax.traverse import children, leaves, nested

Uses = Mapping[str, frozenset[str]]  # the names that each definition uses, directly or through others


@dataclass(frozen=True, slots=True)
class _Footprint:
    reads: frozenset[str]
    writes: frozenset[str]

    def commutes(self, other: _Footprint) -> bool:
        return not (self.writes & (other.reads | other.writes) or other.writes & (self.reads | self.writes))


def out_of_order(
    a: Sequence[tuple[Hashable, t.Clause]], b: Sequence[tuple[Hashable, t.Clause]], uses: Uses
) -> list[Hashable]:
    """Return the keys, in the order of `a`, of effects that changed places with one that they do not commute with."""
    place = {key: at for at, (key, _) in enumerate(b)}
    shared = [(key, _footprint(clause, uses)) for key, clause in a if key in place]
    places = [place[key] for key, _ in shared]
    if places == sorted(places):
        return []
    moved: dict[Hashable, None] = {}
    for at, (key, footprint) in enumerate(shared):
        for later, other in shared[at + 1 :]:
            if place[later] < place[key] and not footprint.commutes(other):
                moved |= {key: None, later: None}
    return [key for key, _ in shared if key in moved]


def _footprint(clause: t.Clause, uses: Uses) -> _Footprint:
    assert isinstance(clause.body, t.Effects)
    direct = _names_in(clause.body)
    reads = direct.union(*(uses.get(name, frozenset()) for name in direct))
    return _Footprint(reads, frozenset(_written(clause.body.effects)))


def _names_in(node: t.Node) -> frozenset[str]:
    normalizer = Normalizer()
    normalizer.form(node, {})
    return frozenset(normalizer.used)


def _written(effects: Sequence[t.Effect]) -> Iterator[str]:
    for effect in leaves(effects):
        match effect:
            case t.Assign(target=target, value=_):
                yield from _zone_or_state(target)
            case t.Move(source=source, target=target, what=_, label=_):
                yield from _zone_or_state(source)
                yield from _zone_or_state(target)
            case t.Wins(seat=_, over=_):
                yield from ("winner", "over")
            case t.Shuffle(row=row) | t.Arrange(row=row, tiles=_) | t.Cut(row=row, number=_):
                yield from _zone_or_state(row)
            case t.PassOn(zone=zone, side=_):
                yield zone.text
            case t.Pays(payer=_, payee=_, amount=_) | t.Scores(seat=_, amount=_):
                pass  # sums do not depend on order, and totals are added up after the hand
            case t.Use(group=_):
                pass
            case _:
                assert_never(effect)


def _zone_or_state(place: t.Expr) -> Iterator[str]:
    """Yield the zone or state that a place is, or is a part of; every name in it if that is not clear."""
    if isinstance(place, t.RowPart):
        yield from _zone_or_state(place.row)
    elif isinstance(place, t.Name | t.Possessive):
        yield place.name
    else:
        yield from _names_in(place)


def follows_set(decls: Sequence[t.Decl]) -> bool:
    """Return whether the rules may follow the order of the set: tiles go one by one to a row, in which they can lie in
    that order; a loop goes through something else than players; effects treat the tiles of `{a, b}` differently.
    """
    rows = {z.name.text for d in decls if isinstance(d, t.Zones) for z in d.zones if z.kind.text == "row"}
    for action in (d for d in decls if isinstance(d, t.Action)):
        parts = [frozenset(w.text for w in p.parts) for p in action.params if p.parts]
        for clause in action.clauses:
            for effect in clause.body.effects if isinstance(clause.body, t.Effects) else ():
                if _piles(effect, rows, bool(parts)) or any(_tells_apart(effect, names) for names in parts):
                    return True
                if action.kind != "payout" and _goes_through_more_than_players(effect):
                    return True
    return False


def _tells_apart(node: t.Node, names: frozenset[str]) -> bool:
    """Return whether a node names one of these tiles, and not all of them as a bag."""
    if isinstance(node, t.Bag) and {i.name for i in node.items if isinstance(i, t.Name)} == names:
        return False
    return (isinstance(node, t.Name) and node.name in names) or any(
        _tells_apart(child, names) for child in children(node)
    )


def _goes_through_more_than_players(effect: t.Effect) -> bool:
    if isinstance(effect, t.Repeat):
        return True
    if isinstance(effect, t.ForEach):
        domain = effect.domain
        while isinstance(domain, t.Binary) and domain.op == "-":
            domain = domain.left
        if not (isinstance(domain, t.Name) and domain.name == "players"):
            return True
    return any(map(_goes_through_more_than_players, nested(effect)))


def _piles(effect: t.Effect, rows: Collection[str], repeated: bool) -> bool:
    if repeated and isinstance(effect, t.Move) and _goes_to_row(effect, rows):
        return True
    repeated = repeated or isinstance(effect, t.ForEach | t.Repeat)
    return any(_piles(inner, rows, repeated) for inner in nested(effect))


def _goes_to_row(move: t.Move, rows: Collection[str]) -> bool:
    """Return whether a move puts single tiles on a row."""
    if isinstance(move.target, t.RowEnd):
        return True
    named = isinstance(move.target, t.Name | t.Possessive) and move.target.name in rows
    return named and move.what is not None
