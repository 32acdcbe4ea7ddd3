"""Writes effects out as statements.

Input: the clauses of an action or of the payout, of one rule set. Output: statements for each clause.
Guarantee: a statement does one thing. What leaves is found, then the place that it leaves, then the place that it goes
to, each once; `{a, b}` leaves and arrives in a row as it is written, any other bag in the order of the set.

    move {a, b} from p's hand to back of line
    ->  take {a, b} from p's hand
        put a at the back of line
        put b at the back of line
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import assert_never

from golpae.ir import expr as ir
from golpae.ir.distinct_names import MARK
from golpae.ir.ruleset import Action, EffectClause, RuleSet, paths_of, when_path
from golpae.ir.types import BOOL, INT, TILES, Meld, Tile, Type
from golpae.lower import statements as st
from golpae.records import dataclass

PAYOUT = "payout"  # the name of its block
SIMPLE = (ir.Local, ir.Const)  # what needs no name: it means the same wherever it stands


@dataclass(frozen=True, slots=True)
class LoweredClause:
    """The statements of a clause; `path` is its path, such as `put.then 2`."""

    path: str
    statements: tuple[st.Statement, ...]


def lowered(rules: RuleSet, block: str, clauses: Sequence[EffectClause]) -> tuple[LoweredClause, ...]:
    """Return the statements of the clauses of a block, which is the name of an action or `payout`."""
    kinds = {zone.name: zone.kind for zone in rules.zones}
    paths = paths_of(block, [c.name for c in clauses])
    return tuple(
        LoweredClause(path, _Lowering(kinds, path).block(clause.effects))
        for path, clause in zip(paths, clauses, strict=True)
    )


def statements_of(rules: RuleSet, action: Action) -> tuple[st.Statement, ...]:
    """Return the statements of an action, in order."""
    clauses = lowered(rules, action.name, action.effects)
    return tuple(statement for clause in clauses for statement in clause.statements)


def all_statements(rules: RuleSet) -> tuple[st.Statement, ...]:
    """Return the statements of all actions and of the payout, in order."""
    of_actions = (statement for action in rules.actions for statement in statements_of(rules, action))
    paid = lowered(rules, PAYOUT, rules.payout)
    return (*of_actions, *(statement for clause in paid for statement in clause.statements))


class _Lowering:
    """The statements of one clause, whose path is known."""

    def __init__(self, kinds: dict[str, str], path: str) -> None:
        self._kinds = kinds
        self._path = path
        self._tests = 0
        self._names = 0

    def block(self, effects: Iterable[ir.Effect]) -> tuple[st.Statement, ...]:
        """Return the statements of effects, in order."""
        return tuple(statement for effect in effects for statement in self._of(effect))

    def _of(self, effect: ir.Effect) -> Iterator[st.Statement]:
        match effect:
            case ir.Move(what=what, source=source, target=target, label=label):
                yield from self._move(what, source, target, label)
            case ir.SetState(name=name, seat=seat, value=value):
                yield st.Set(name, seat, value)
            case ir.Win(seat=seat):
                yield st.Over(seat)
            case ir.Pay(payer=payer, payee=payee, amount=amount):
                lets, paid = self._once("paid", amount)
                yield from lets
                yield st.Credit(payer, ir.Op("neg", (paid,), INT))
                yield st.Credit(payee, paid)
            case ir.Gain(seat=seat, amount=amount):
                yield st.Credit(seat, amount)
            case ir.Shuffle(zone=place):
                if self._kinds[place.zone] == "row":
                    yield st.Shuffle(place)
            case ir.Cut(zone=place, number=number):
                yield from self._cut(place, number)
            case ir.Arrange(zone=place, tiles=tiles):
                yield st.Arrange(tiles, place)
            case ir.PassOn(zone=zone, side=side):
                yield st.Rotate(zone, side)
            case ir.When(test=test, effects=inner, otherwise=otherwise):
                self._tests += 1
                path = when_path(self._path, self._tests)
                yield st.Branch(path, test, self.block(inner), self.block(otherwise))
            case ir.ForEach(name=name, domain=domain, effects=inner):
                yield from self._loop(name, domain, inner)
            case ir.Ensure(test=test, said=_, values=_):
                yield st.Ensure(self._path, test)
            case _:
                assert_never(effect)

    def _loop(self, name: str, domain: ir.Expr, inner: tuple[ir.Effect, ...]) -> Iterator[st.Statement]:
        """Yield a loop. One that only names a value (`word~~1`, which no text can write) has one round."""
        if MARK + MARK in name and isinstance(domain, ir.BagOf) and len(domain.items) == 1:
            [value] = domain.items
            yield st.Let(name, value)
            yield from self.block(inner)
        else:
            yield st.Loop(name, domain, self.block(inner))

    def _cut(self, place: ir.Place, number: ir.Expr) -> Iterator[st.Statement]:
        """Yield a cut. Where no order is asked, so that the row is a zone of tiles, its size is all that matters."""
        if self._kinds[place.zone] == "row":
            yield st.Cut(place, number)
            return
        lets, places = self._once("places", number)
        yield from lets
        size = ir.Op("size", (ir.ZoneRead(place.zone, place.seat, TILES),), INT)
        within = (ir.Op("le", (ir.Const(0, INT), places), BOOL), ir.Op("le", (places, size), BOOL))
        yield st.Ensure(self._path, ir.Op("and", within, BOOL))

    # ------------------------------------------------------------------ moves

    def _move(
        self,
        what: ir.Expr | None,
        source: ir.Place | ir.MeldPlace,
        target: ir.Place | ir.MeldPlace,
        label: str | None,
    ) -> Iterator[st.Statement]:
        if isinstance(source, ir.MeldPlace):
            assert what is not None
            lets, tiles = self._once("tiles", _as_tiles(what))
            yield from lets
            yield st.TakeFromMeld(tiles, source.meld, _zone_of(source))
            yield from self._arrive(tiles, target, label)
        elif self._kinds[source.zone] == "melds":
            yield from self._leave_melds(what, source, target, label)
        elif what is None:
            yield from self._leave_all(source, target, label)
        elif isinstance(what, ir.BagOf) and "row" in (self._kind(source), self._kind(target)):
            yield from self._move_written(what, source, target, label)
        else:
            tile = isinstance(what.type, Tile)
            lets, moved = self._once("tile" if tile else "tiles", what if tile else _as_tiles(what))
            yield from lets
            yield st.Take(moved, source)
            yield from self._arrive(moved, target, label)

    def _move_written(
        self, what: ir.BagOf, source: ir.Place, target: ir.Place | ir.MeldPlace, label: str | None
    ) -> Iterator[st.Statement]:
        """Yield how the tiles of `{a, b}` leave or arrive in a row, one after the other."""
        tiles = []
        for item in what.items:
            lets, tile = self._once("tile", item)
            yield from lets
            tiles.append(tile)
        together = ir.BagOf(tuple(tiles), TILES)
        if self._kind(source) == "row":
            lets, source = self._once_found(source)
            yield from lets
            yield from (st.Take(tile, source) for tile in tiles)
        else:
            yield st.Take(together, source)
        if isinstance(target, ir.Place) and self._kind(target) == "row":
            lets, target = self._once_found(target)
            yield from lets
            yield from (st.Put(tile, target) for tile in tiles)
        else:
            yield from self._arrive(together, target, label)

    def _leave_all(
        self, source: ir.Place, target: ir.Place | ir.MeldPlace, label: str | None
    ) -> Iterator[st.Statement]:
        """Yield how everything leaves a zone of tiles or a row."""
        if isinstance(target, ir.Place) and self._kind(source) == self._kind(target) == "row":
            yield st.MoveRow(source, target)
        else:
            yield from self._all_tiles(source, target, label)

    def _all_tiles(
        self, source: ir.Place, target: ir.Place | ir.MeldPlace, label: str | None
    ) -> Iterator[st.Statement]:
        """Yield how the tiles of a whole zone leave it, and arrive."""
        tiles = self._name("tiles", TILES)
        yield st.TakeAll(tiles.name, source)
        yield from self._arrive(tiles, target, label)

    def _leave_melds(
        self,
        what: ir.Expr | None,
        source: ir.Place,
        target: ir.Place | ir.MeldPlace,
        label: str | None,
    ) -> Iterator[st.Statement]:
        """Yield how one meld, or all melds, leave a zone of melds."""
        to_melds = isinstance(target, ir.Place) and self._kind(target) == "melds"
        if what is None:
            if to_melds:
                assert isinstance(target, ir.Place)
                yield st.MoveMelds(source, label, target)
            else:
                yield from self._all_tiles(source, target, label)
            return
        lets, meld = self._once("meld", what)
        yield from lets
        yield st.TakeMeld(meld, source)
        if to_melds:
            assert isinstance(target, ir.Place)
            yield st.PutMeld(meld, label, target)
        else:
            yield from self._arrive(_as_tiles(meld), target, label)

    def _arrive(
        self, what: ir.Expr, target: ir.Place | ir.MeldPlace, label: str | None
    ) -> Iterator[st.Statement]:
        """Yield how a tile, or tiles, arrive at a place."""
        if isinstance(target, ir.MeldPlace):
            yield st.AddToMeld(_as_tiles(what), target.meld, label, _zone_of(target))
        elif self._kind(target) == "melds":
            yield st.NewMeld(_as_tiles(what), label, target)
        else:
            yield st.Put(what, target)

    def _kind(self, place: ir.Place | ir.MeldPlace) -> str:
        return "meld" if isinstance(place, ir.MeldPlace) else self._kinds[place.zone]

    # ------------------------------------------------------------------ names

    def _name(self, word: str, kind: Type) -> ir.Local:
        self._names += 1
        return ir.Local(f"{word}{MARK}{MARK}{self._names}", kind)

    def _once(self, word: str, value: ir.Expr) -> tuple[list[st.Let], ir.Expr]:
        """Return the statement that names a value for more than one use, and the name; a simple value needs neither and
        is returned itself.
        """
        if isinstance(value, SIMPLE) or (
            isinstance(value, ir.BagOf) and all(isinstance(item, SIMPLE) for item in value.items)
        ):
            return [], value
        name = self._name(word, value.type)
        return [st.Let(name.name, value)], name

    def _once_found(self, place: ir.Place) -> tuple[list[st.Let], ir.Place]:
        """Return a place that is used more than once, and the statement that its owner needs before."""
        if place.seat is None:
            return [], place
        lets, seat = self._once("seat", place.seat)
        return lets, replace(place, seat=seat)


def _as_tiles(what: ir.Expr) -> ir.Expr:
    """Return a tile, a meld or tiles as a bag of tiles."""
    if isinstance(what.type, Tile):
        return ir.BagOf((what,), TILES)
    return ir.Op("tiles", (what,), TILES) if isinstance(what.type, Meld) else what


def _zone_of(place: ir.MeldPlace) -> ir.ZoneRead:
    """Return the zone in which a meld is looked for."""
    assert isinstance(place.meld, ir.Fold)
    assert isinstance(place.meld.domain, ir.ZoneRead)
    return place.meld.domain
