"""Whether the outcome of a loop over players depends on the order of its rounds.

Input: the effects of a `for each`, and the name that stands for the players. Output: whether two orders can end
differently. Guarantee: "no" is certain; "yes" may be too careful. Rounds follow the numbers of the seats, which rules
cannot name: if the order does not matter, a table can be turned and nothing changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import assert_never

from golpae.ir import expr as ir
from golpae.ir.dependencies import reads_through
from golpae.ir.ruleset import Action, Definition, RuleSet, effects_of
from golpae.ir.traverse import exprs_of, flat, names_in, nodes
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


def depends_on_order(
    effects: Iterable[ir.Effect], name: str, definitions: Mapping[str, Definition], rows: frozenset[str]
) -> bool:
    """Return whether the order of the values of a name matters to effects. `rows` are the zones that have an order."""
    inner = list(flat(effects))
    writes = _Writes(name, _varying(name, inner), rows)
    if any(writes.conflict(effect) for effect in inner):
        return True
    read = [expr for effect in inner for expr in _read_by(effect)]
    return any(  # a round also depends on others that write what it reads of its own value
        reads_through(expr, definitions, name) & writes.names
        or reads_through(expr, definitions) & writes.shared
        for expr in read
    )


def depends_on_seats(action: Action, rule_sets: Iterable[RuleSet], rows: frozenset[str]) -> bool:
    """Return whether an action has a loop whose outcome depends on the order of the seats.

    `rows` are the zones of whose order the rules read something.
    """
    definitions = {d.name: d for rules in rule_sets for d in rules.definitions}
    loops = (
        (effect, item_of(effect.domain.type))
        for effect in flat(effects_of(action.effects))
        if isinstance(effect, ir.ForEach)
    )
    return any(
        depends_on_order(loop.effects, loop.name, definitions, rows) if item == SEAT else _has_seats(item)
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


def _varying(name: str, effects: Iterable[ir.Effect]) -> frozenset[str]:
    """Return the name of a loop, and the names of loops in it that go through something else in each of its rounds."""
    names = {name}
    for effect in effects:  # outer loops come before those in them
        if isinstance(effect, ir.ForEach) and names & names_in(effect.domain):
            names.add(effect.name)
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

    def conflict(self, effect: ir.Effect) -> bool:
        """Enter what an effect writes, and return whether a round can undo what another one did."""
        match effect:
            case ir.SetState(name=var, seat=seat, value=value):
                if self._write(var, seat):
                    return True
                return not self._is_own(seat) and self._assigns(var, None if accumulates(effect) else value)
            case ir.Win(seat=seat):
                self.shared |= {"winner", "over"}
                return self._assigns("winner", seat)
            case ir.Move(source=source, target=target, what=_, label=_):
                if not isinstance(source, ir.Place) or not isinstance(target, ir.Place):
                    return True
                clash = self._write(source.zone, source.seat) | self._write(target.zone, target.seat)
                own = self._is_own(source.seat)
                return clash or not own or (target.zone in self._rows and not self._is_own(target.seat))
            case ir.Shuffle(zone=_) | ir.Arrange(zone=_, tiles=_) | ir.PassOn(zone=_, side=_):
                return True
            case (
                ir.Pay(payer=_, payee=_, amount=_)
                | ir.Gain(seat=_, amount=_)
                | ir.When(test=_, effects=_)
                | ir.ForEach(name=_, domain=_, effects=_)
            ):
                return False
            case _:
                assert_never(effect)

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


def _read_by(effect: ir.Effect) -> Iterable[ir.Expr]:
    """Return the expressions that an effect evaluates; of `x := x + y`, only `y`."""
    if isinstance(effect, ir.SetState) and accumulates(effect):
        assert isinstance(effect.value, ir.Op)
        return (*(() if effect.seat is None else (effect.seat,)), effect.value.args[1])
    return exprs_of(effect)


def accumulates(effect: ir.SetState) -> bool:
    """Return whether an effect adds something to a state that does not read the state."""
    value = effect.value
    if not isinstance(value, ir.Op) or value.op not in ("add", "bag_add"):
        return False
    own, other = value.args
    if not isinstance(own, ir.StateRead) or own.name != effect.name or own.seat != effect.seat:
        return False
    return not any(isinstance(n, ir.StateRead) and n.name == effect.name for n in nodes(other))
