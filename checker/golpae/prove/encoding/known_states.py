"""What the conditions of an event say that states are, so that its step begins where these states are known.

Input: an action, and the definitions that its conditions call. Output: states that a condition says are a constant, or
a key of the event. Guarantee: an event that is legal finds each of these states as it says. Whoever uses it adds that
to the guards of the step.

    requires stage = draw and offer is not none and tile = offer        stage is draw, offer is the tile
    p's vow is none                                                     the vow of the player who acts is none
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from golpae.ir import expr as ir
from golpae.ir.facts import Equal, fact_of
from golpae.ir.ruleset import Action, Definition
from golpae.ir.substitute import substituted
from golpae.ir.traverse import conjuncts
from golpae.ir.types import BOOL, NONE, Int
from golpae.records import dataclass

DEEPEST = 4  # definitions that call each other


@dataclass(frozen=True, slots=True)
class KnownState:
    """A state of the table, or (`own`) of the player who acts, and what it is: a constant or a key."""

    name: str
    own: bool
    value: ir.Const | ir.Local


def known_states(action: Action, definitions: Mapping[str, Definition]) -> tuple[KnownState, ...]:
    """Return the states that the conditions of an action know, in the order of the conditions, each once."""
    out: dict[tuple[str, bool], KnownState] = {}
    for condition in action.of_text:
        for part in _parts(condition.expr, definitions, 0):
            for known_state in _known(part, action):
                out.setdefault((known_state.name, known_state.own), known_state)
    return tuple(out.values())


def _parts(expr: ir.Expr, definitions: Mapping[str, Definition], depth: int) -> Iterator[ir.Expr]:
    """Yield the conjuncts of an expression, with calls of definitions written out if they are given names and
    constants.
    """
    for part in conjuncts(expr):
        called = definitions.get(part.name) if isinstance(part, ir.CallDef) else None
        if (
            isinstance(part, ir.CallDef)
            and called is not None
            and called.single
            and depth < DEEPEST
            and all(isinstance(arg, ir.Local | ir.Const) for arg in part.args)
        ):
            given = {p.name: arg for p, arg in zip(called.params, part.args, strict=True)}
            yield from _parts(substituted(called.cases[0].expr, given), definitions, depth + 1)
        else:
            yield part


def _known(part: ir.Expr, action: Action) -> Iterator[KnownState]:
    fact = fact_of(part)
    if isinstance(fact, Equal):
        for read, value in fact.sides():
            if isinstance(value, ir.Const | ir.Local):
                yield from _of(read, value, action)
    elif isinstance(part, ir.StateRead) and part.type == BOOL:
        yield from _of(part, ir.Const(True, BOOL), action)
    elif isinstance(part, ir.Op) and part.op == "is_none":
        yield from _of(part.args[0], ir.Const(None, NONE), action)
    elif isinstance(part, ir.Op) and part.op == "not" and part.type == BOOL:
        if isinstance(part.args[0], ir.StateRead):
            yield from _of(part.args[0], ir.Const(False, BOOL), action)


def _of(read: ir.Expr, value: ir.Const | ir.Local, action: Action) -> Iterator[KnownState]:
    """Yield the fact that a state has a value, if it is read as a shared one or as that of the player who acts."""
    if not isinstance(read, ir.StateRead) or (isinstance(value.type, Int) and isinstance(value, ir.Local)):
        return
    seat = read.seat
    if seat is None or (isinstance(seat, ir.Local) and seat.name == action.by):
        yield KnownState(read.name, seat is not None, value)
