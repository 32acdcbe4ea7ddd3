"""Where the order of a text comes to something: effects that changed places, and tiles that are piled up.

In: the effects that two blocks share, in the order of each. Out: those that changed places and do not commute.
Two effects commute where neither sets or moves what the other one reads, sets or moves.

Guarantees: what is not given out may stand in either order.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from golpae.compare.text.normal_form import Reader
from golpae.syntax import tree as t

Uses = Mapping[str, frozenset[str]]  # the names in each definition, those that it uses in turn included


@dataclass(frozen=True, slots=True)
class _Touched:
    reads: frozenset[str]
    writes: frozenset[str]

    def commutes(self, other: _Touched) -> bool:
        return not (self.writes & (other.reads | other.writes) or other.writes & (self.reads | self.writes))


def out_of_order(
    a: Sequence[tuple[Hashable, t.Clause]], b: Sequence[tuple[Hashable, t.Clause]], uses: Uses
) -> list[Hashable]:
    """The keys, in the order of `a`, of effects that changed places with one that they do not commute with."""
    place = {key: at for at, (key, _) in enumerate(b)}
    shared = [(key, _touched(clause, uses)) for key, clause in a if key in place]
    places = [place[key] for key, _ in shared]
    if places == sorted(places):
        return []
    moved: dict[Hashable, None] = {}
    for at, (key, touched) in enumerate(shared):
        for later, other in shared[at + 1 :]:
            if place[later] < place[key] and not touched.commutes(other):
                moved |= {key: None, later: None}
    return [key for key, _ in shared if key in moved]


def _touched(clause: t.Clause, uses: Uses) -> _Touched:
    assert isinstance(clause.body, t.Effects)
    reader = Reader()
    reader.form(clause.body, {})
    reads = set(reader.used)
    for name in reader.used:
        reads |= uses.get(name, frozenset())
    return _Touched(frozenset(reads), frozenset(_written(clause.body.effects)))


def _written(effects: Sequence[t.Effect]) -> Iterator[str]:
    for effect in effects:
        match effect:
            case t.Assign(target=target):
                yield from _named(target)
            case t.Move(source=source, target=target):
                yield from _named(source)
                yield from _named(target)
            case t.Wins():
                yield from ("winner", "over")
            case t.Shuffle(row=row) | t.Arrange(row=row):
                yield from _named(row)
            case t.PassOn(zone=zone):
                yield zone.text
            case t.When(effects=inner) | t.ForEach(effects=inner):
                yield from _written(inner)
            case t.Pays() | t.Scores():  # sums, whichever comes first; totals are reckoned afterwards
                pass


def _named(place: t.Expr) -> Iterator[str]:
    """The zone or state that a place is, or is the end of."""
    match place:
        case t.RowEnd(row=row):
            yield from _named(row)
        case t.Name(name=name) | t.Possessive(name=name):
            yield name
        case _:  # an unknown place may be any
            reader = Reader()
            reader.form(place, {})
            yield from reader.used


def piled_up(decls: Sequence[t.Decl]) -> bool:
    """Whether tiles go one by one to a row: they can lie there in the order that the set is written in."""
    rows = {z.name.text for d in decls if isinstance(d, t.Zones) for z in d.zones if z.kind.text == "row"}
    actions = (d for d in decls if isinstance(d, t.Action))
    bodies = (c.body for a in actions for c in a.clauses if isinstance(c.body, t.Effects))
    return any(_piles(effect, rows, False) for body in bodies for effect in body.effects)


def _piles(effect: t.Effect, rows: Collection[str], repeated: bool) -> bool:
    match effect:
        case t.Move(target=t.RowEnd()):
            return repeated
        case t.Move(what=what, target=t.Name(name=name) | t.Possessive(name=name)) if what is not None:
            return repeated and name in rows
        case t.When(effects=inner):
            return any(_piles(one, rows, repeated) for one in inner)
        case t.ForEach(effects=inner):
            return any(_piles(one, rows, True) for one in inner)
        case _:
            return False
