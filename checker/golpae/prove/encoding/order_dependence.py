"""Whether the outcome of a loop over players depends on the order of its rounds.

Input: the statements of a `for each`, and the name that stands for the players. Output: whether two orders can end
differently. Guarantee: "no" is certain; "yes" may be too careful. Rounds follow the numbers of the seats, which rules
cannot name: if the order does not matter, a table can be turned and nothing changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import assert_never

from golpae.ir import expr as ir
from golpae.ir.dependencies import Dependencies
from golpae.ir.ruleset import RuleSet
from golpae.ir.traverse import names_in, nodes
from golpae.ir.types import (
    SEAT,
    Bool,
    Choice,
    Each,
    Int,
    Meld,
    NoneType,
    Opt,
    Patterns,
    Points,
    Seat,
    Tile,
    Type,
)
from golpae.ir.types import Bag as BagType
from golpae.ir.wellformed_expr import item_of
from golpae.lower import statements as st
from golpae.lower.walk import exprs_of, flat


def depends_on_order(
    statements: Iterable[st.Statement], name: str, dependencies: Sequence[Dependencies], rows: frozenset[str]
) -> bool:
    """Return whether the order of the values of a name matters to statements. `dependencies` are those of the
    rule sets that these may be of, `rows` are the zones with an order."""
    inner = list(flat(statements))
    writes = _Writes(name, _varying(name, inner), rows)
    if any(writes.conflict(statement) for statement in inner):
        return True
    read = [expr for statement in inner for expr in _read_by(statement)]
    return any(  # a round also depends on others that write what it reads of its own value
        one.reads([expr], own_of=name) & writes.names or one.reads([expr]) & writes.shared
        for expr in read
        for one in dependencies
    )


def depends_on_seats(
    statements: Iterable[st.Statement], rule_sets: Iterable[RuleSet], rows: frozenset[str]
) -> bool:
    """Return whether among statements there is a loop whose outcome depends on the order of the seats.

    `rows` are the zones of whose order the rules read something.
    """
    dependencies = [Dependencies(rules) for rules in rule_sets]
    loops = (
        (statement, item_of(statement.domain.type))
        for statement in flat(statements)
        if isinstance(statement, st.Loop)
    )
    return any(
        depends_on_order(loop.body, loop.name, dependencies, rows) if item == SEAT else _has_seats(item)
        for loop, item in loops
    )


def _has_seats(kind: Type) -> bool:
    """Return whether the order of values of a type follows the numbers of seats."""
    match kind:
        case Seat():
            return True
        case BagType(item) | Each(item) | Opt(item):
            return _has_seats(item)
        case Bool() | Int() | Tile() | Choice() | Meld() | NoneType() | Points() | Patterns():
            return False
        case _:
            assert_never(kind)


def _varying(name: str, statements: Iterable[st.Statement]) -> frozenset[str]:
    """Return the name of a loop, and the names of loops in it that go through something else in each of its rounds."""
    names = {name}
    for statement in statements:  # outer loops come before those in them
        if isinstance(statement, st.Loop) and names & names_in(statement.domain):
            names.add(statement.name)
    return frozenset(names)


class _Writes:
    """What the rounds of a loop write: each round its own part of `own`, and any of them `shared`."""

    def __init__(self, name: str, varying: frozenset[str], rows: frozenset[str]) -> None:
        self._name = name
        self._varying = varying
        self._rows = rows
        self._own: set[str] = set()
        self.shared: set[str] = set()
        self._assigned: dict[str, ir.Expr | None] = {}  # states that every round gives the same value

    @property
    def names(self) -> set[str]:
        return self._own | self.shared

    def conflict(self, statement: st.Statement) -> bool:
        """Enter what a statement writes, and return whether a round can undo what another one did."""
        match statement:
            case st.Set(name=var, seat=seat, value=value):
                if self._write(var, seat):
                    return True
                added = accumulates(statement)
                return not self._is_own(seat) and self._assigns(var, None if added else value)
            case st.Over(winner=winner):
                self.shared |= {"winner", "over"}
                return self._assigns("winner", winner)
            case (
                st.Take(place=place, what=_)
                | st.TakeAll(place=place, name=_)
                | st.TakeMeld(place=place, meld=_)
            ):
                return self._takes(place)
            case (
                st.Put(place=place, what=_)
                | st.NewMeld(place=place, tiles=_, label=_)
                | st.PutMeld(place=place, meld=_, label=_)
            ):
                return self._puts(place)
            case (
                st.MoveRow(source=source, target=target) | st.MoveMelds(source=source, target=target, label=_)
            ):
                return self._takes(source) | self._puts(target)
            case (
                st.AddToMeld(tiles=_, meld=_, label=_, zone=_)
                | st.TakeFromMeld(tiles=_, meld=_, zone=_)
                | st.Shuffle(place=_)
                | st.Cut(place=_, number=_)
                | st.Arrange(tiles=_, place=_)
                | st.Rotate(zone=_, side=_)
            ):
                return True
            case (
                st.Let(name=_, value=_)
                | st.Credit(seat=_, amount=_)
                | st.Branch(path=_, test=_, yes=_, no=_)
                | st.Loop(name=_, domain=_, body=_)
                | st.Ensure(path=_, test=_)
            ):
                return False
            case _:
                assert_never(statement)

    def _takes(self, place: ir.Place) -> bool:
        """Enter a zone that tiles leave; return whether a round may take those of another one."""
        return self._write(place.zone, place.seat) or not self._is_own(place.seat)

    def _puts(self, place: ir.Place) -> bool:
        """Enter a zone in which tiles arrive; return whether they lie there in the order of the rounds."""
        clash = self._write(place.zone, place.seat)
        return clash or (place.zone in self._rows and not self._is_own(place.seat))

    def _is_own(self, seat: ir.Expr | None) -> bool:
        return isinstance(seat, ir.Local) and seat.name == self._name

    def _write(self, name: str, seat: ir.Expr | None) -> bool:
        """Enter what is written; return whether rounds write their own parts of it and others as well."""
        (self._own if self._is_own(seat) else self.shared).add(name)
        return name in self._own and name in self.shared

    def _assigns(self, name: str, value: ir.Expr | None) -> bool:
        """Return whether rounds can assign different values; None stands for what adds to a state, or for nobody."""
        differs = self._assigned.setdefault(name, value) != value
        return differs or (value is not None and bool(self._varying & names_in(value)))


def _read_by(statement: st.Statement) -> Iterable[ir.Expr]:
    """Return the expressions that a statement evaluates; of `x := x + y`, only `y`."""
    if isinstance(statement, st.Set) and accumulates(statement):
        assert isinstance(statement.value, ir.Op)
        return (*(() if statement.seat is None else (statement.seat,)), statement.value.args[1])
    return exprs_of(statement)


def accumulates(statement: st.Set) -> bool:
    """Return whether a statement adds something to a state that does not read the state."""
    value = statement.value
    if not isinstance(value, ir.Op) or value.op not in ("add", "bag_add"):
        return False
    own, other = value.args
    if not isinstance(own, ir.StateRead) or own.name != statement.name or own.seat != statement.seat:
        return False
    return not any(isinstance(n, ir.StateRead) and n.name == statement.name for n in nodes(other))
