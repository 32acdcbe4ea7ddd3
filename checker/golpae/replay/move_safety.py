"""Whether the conditions of an action see to it that its effects can be carried out.

In: an action. Out: whether every tile that it moves is said to lie where it is taken from. Where this is not so, an
event may be legal as far as its conditions go, and still be none: its tiles are not there. Whoever needs to know
tries it on a copy of the state.
"""

from __future__ import annotations

from collections.abc import Iterable

from golpae.ir import expr as ir
from golpae.ir.ruleset import Action
from golpae.ir.traverse import conjuncts, flat, nodes

Lying = tuple[ir.Expr, str, ir.Expr | None, str | None]  # what lies in which zone, whose, and at which end
ORDER = "order"  # instead of an end: these are all tiles of a row, front first
GROUPS = "groups"  # instead of an end: groups of tiles that all lie there


def placed(action: Action) -> bool:
    """Whether all that an action moves is said by its conditions to lie where it is."""
    said = frozenset(lying for c in action.conditions for lying in _said(c.expr))
    return _Moves().fit([e for clause in action.effects for e in clause.effects], said)


def _said(condition: ir.Expr) -> Iterable[Lying]:
    """What a condition says of what lies where."""
    for part in conjuncts(condition):
        match part:
            case ir.Op(op="member" | "within", args=(what, ir.ZoneRead(name=zone, seat=seat))):
                yield what, zone, seat, None
            case ir.Fits(tile=what, name=zone, seat=seat, end=end):
                yield what, zone, seat, end
            case (
                ir.Op(op="eq", args=(what, ir.ZoneEnd(name=zone, seat=seat, end=end)))
                | ir.Op(op="eq", args=(ir.ZoneEnd(name=zone, seat=seat, end=end), what))
            ) if not isinstance(what, ir.ZoneEnd):
                yield what, zone, seat, end
            case ir.FitsOrder(tiles=what, name=zone, seat=seat):
                yield what, zone, seat, ORDER
            case ir.LayOut(groups=what, tiles=ir.ZoneRead(name=zone, seat=seat)):
                yield what, zone, seat, GROUPS
            case _:
                pass


class _Moves:
    """Effects one after the other: which zones were taken from, what was put at which end, what states were set."""

    def __init__(self) -> None:
        self.taken: set[str] = set()
        self.put: set[tuple[str, str | None]] = set()
        self.changed: set[str] = set()

    def fit(self, effects: Iterable[ir.Effect], said: frozenset[Lying]) -> bool:
        """Whether all of them find what they move."""
        return all(self._fits(effect, said) for effect in effects)

    def _fits(self, effect: ir.Effect, said: frozenset[Lying]) -> bool:
        match effect:
            case ir.Move(source=ir.MeldPlace()) | ir.Move(target=ir.MeldPlace()):
                return False
            case ir.Move(what=what, source=ir.Place() as source, target=ir.Place() as target):
                lies = what is None or self._lies(what, source, source.end, said)
                self.taken.add(source.zone)
                self.put.add((target.zone, target.end))
                return lies
            case ir.Arrange(zone=place, tiles=what):
                lies = not self._put_in(place.zone) and self._lies(what, place, ORDER, said)
                self.put.add((place.zone, None))
                return lies
            case ir.PassOn(zone=zone):
                self.taken.add(zone)
                return True
            case ir.When(test=test, effects=inner):
                return self.fit(inner, said | {*_said(test)})
            case ir.ForEach(name=name, domain=domain, effects=inner):
                groups = [(zone, seat) for what, zone, seat, end in said if end == GROUPS and what == domain]
                own = {e.what for e in inner if isinstance(e, ir.Move) and e.what is not None}
                own = {what for what in own if isinstance(what, ir.Local) and what.name == name}
                self.changed |= {e.name for e in flat(inner) if isinstance(e, ir.SetState)}
                # of what is not the loop's own nobody knows whether it still lies there the second time
                return self.fit(inner, frozenset((what, *place, None) for what in own for place in groups))
            case ir.SetState(name=name):
                self.changed.add(name)
                return True
            case _:
                return True

    def _lies(self, what: ir.Expr, place: ir.Place, end: str | None, said: frozenset[Lying]) -> bool:
        """Whether it still lies where a condition said."""
        if place.zone in self.taken or (what, place.zone, place.seat, end) not in said:
            return False
        if end in ("front", "back") and {(place.zone, end), (place.zone, None)} & self.put:
            return False
        asked = [n for e in (what, place.seat) if e is not None for n in nodes(e)]
        return all(
            isinstance(n, ir.Local | ir.Const | ir.BagOf)
            or (isinstance(n, ir.StateRead) and n.name not in self.changed)
            for n in asked
        )

    def _put_in(self, zone: str) -> bool:
        return any(name == zone for name, _ in self.put)
