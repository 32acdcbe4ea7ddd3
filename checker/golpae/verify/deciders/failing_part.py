"""Why a property is refuted: the part of it that fails, and the values on both sides, by replay.

Input: the machine of a table, a property, and the answer that refutes it. Output: the answer, whose story says so.
Guarantee: what is said has been evaluated by replay; if it cannot be, or takes too long, the answer stays as it is.

    claim four-things: size of tiles = 4 and sum-of-all = 11
    the second of 2 parts fails: `sum-of-all` is 10, not 11
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Any

from golpae.ir import expr as ir
from golpae.ir.dependencies import chooses_together, nodes_through
from golpae.ir.distinct_names import word_of
from golpae.ir.limits import TooManySteps
from golpae.ir.ruleset import PropertyDecl, form_of
from golpae.ir.types import Bag, Bool
from golpae.prove.answer import REFUTED, Answer
from golpae.replay.machine import Machine, State
from golpae.replay.speaker import Speaker
from golpae.search import witness
from golpae.trace.header import Header

FAILS = "it does not hold"  # the story of an answer that knows no more
MOST_TRIED = 3_000  # choices of members of a bag
LONGEST = 60  # characters of a value
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
BETWEEN = {"lt": "less than", "le": "at most", "gt": "more than", "ge": "at least", "within": "within"}
SIDES = ("the left side", "the right side")
Names = Mapping[str, Any]


class _NotFound(Exception):
    """There is nothing to say."""


def with_failing_part(machine: Machine, prop: PropertyDecl, answer: Answer) -> Answer:
    """Return the answer; if it refutes what has to be true, its story says which part is false, and its values."""
    if answer.verdict != REFUTED or form_of(prop.kind).number or form_of(prop.kind).negated:
        return answer
    definitions = {d.name: d for d in machine.rules.definitions}
    ways = any(isinstance(node, ir.Ways) for node in nodes_through(prop.expr, definitions))
    if ways or chooses_together(prop.expr, definitions):
        return answer
    told = dict(answer.witness.values) if answer.witness is not None else {}
    try:
        asked = _asked(machine, prop, answer)
        if asked is None or asked.value(prop.expr, asked.names) is not False:
            return answer
        words = _Failing(asked, told).words(prop.expr, asked.names, False)
    except (_NotFound, TooManySteps, TypeError, IndexError, KeyError, ValueError):
        return answer
    return replace(answer, story=words if answer.story == FAILS else f"{answer.story}; {words}")


@dataclass(frozen=True, slots=True)
class _Position:
    """Where a property is asked: a state, the names of an event if it is about one, and the state before it."""

    machine: Machine
    state: State
    names: Names
    before: State | None

    def value(self, expr: ir.Expr, names: Names) -> Any:
        return self.machine.value(expr, self.state, names, self.before)


def _asked(machine: Machine, prop: PropertyDecl, answer: Answer) -> _Position | None:
    """Return the position at the end of the game that refutes a property, or before all games if there is none."""
    events = answer.witness.events if answer.witness is not None else ()
    if not events:
        return None if prop.after is not None else _Position(machine, machine.first_state, {}, None)
    before = witness.replays(machine, {}, events[:-1])
    after = witness.replays(machine, {}, events)
    if not after.accepted or after.state is None:
        return None
    if prop.after is None:
        return _Position(machine, after.state, {}, None)
    action = machine.actions[prop.after]
    args = machine.read(prop.after, events[-1])
    if events[-1].get("do") != prop.after or not isinstance(args, tuple):
        return None
    values = witness.bound(action, args)
    names = dict(zip(witness.names_of(action), values, strict=True))
    return _Position(machine, after.state, names, before.state)


class _Failing:
    """Finds why expressions have the wrong truth."""

    def __init__(self, asked: _Position, told: Mapping[str, str]) -> None:
        self._asked = asked
        self._told = told
        players = ("",) * asked.machine.instance.players
        self._speaker = Speaker(asked.machine, Header("", "", (), players, 1, {}, None))
        self._tries = MOST_TRIED

    def words(self, expr: ir.Expr, names: Names, truth: bool) -> str:
        """Return why an expression has this truth, which it should not have. Raises `_NotFound`."""
        if isinstance(expr, ir.Op):
            return self._operation(expr, names, truth)
        if isinstance(expr, ir.If):
            taken = expr.yes if self._asked.value(expr.test, names) else expr.no
            return self.words(taken, names, truth)
        if isinstance(expr, ir.Quant) and expr.size is None and (not truth or expr.kind == "some"):
            return self._quantified(expr, names, truth)
        if isinstance(expr, ir.CallDef):
            return self._called(expr, names, truth)
        return self._plain(expr, names)

    def _operation(self, expr: ir.Op, names: Names, truth: bool) -> str:
        op, args = expr.op, expr.args
        if op == "not":
            return self.words(args[0], names, not truth)
        if op == "implies" and not truth:
            return self.words(args[1], names, False)
        if op in ("and", "or"):
            if truth is (op == "and"):  # each part has this truth
                return "; ".join(dict.fromkeys(self.words(part, names, truth) for part in _parts(expr)))
            return self._first_part(expr, names, truth)
        if op == "is_none":
            return f"{self._named(args[0], names, 0)} is {self._said(args[0], names)}"
        if len(args) == 2:
            return self._compared(op, args[0], args[1], names, truth)
        return self._plain(expr, names)

    def _first_part(self, expr: ir.Op, names: Names, truth: bool) -> str:
        """Return which part is the first to have this truth, and why."""
        parts = _parts(expr)
        at, part = next((n, p) for n, p in enumerate(parts) if bool(self._asked.value(p, names)) is truth)
        number = f"the {ORDINALS[at]} of" if at < len(ORDINALS) else f"number {at + 1} of"
        head = f"{number} {len(parts)} parts {'holds' if truth else 'fails'}"
        try:
            return f"{head}: {self.words(part, names, truth)}"
        except _NotFound:
            return head

    def _compared(self, op: ir.OpName, left: ir.Expr, right: ir.Expr, names: Names, truth: bool) -> str:
        if isinstance(left, ir.Const) and op == "eq":
            left, right = right, left
        mine, other = self._said(left, names), self._said(right, names)
        what = self._named(left, names, 0)
        is_or_not = "is" if truth else "not"
        match op:
            case "eq" | "bag_eq":
                return f"both sides are {mine}" if truth else f"{what} is {mine}, not {other}"
            case "lt" | "le" | "gt" | "ge" | "within":
                bound = f"{is_or_not} {BETWEEN[op]} {other}"
                return f"{what} is {mine}, {'which ' if truth else ''}{bound}"
            case "member" | "bag_member":
                among = "is" if truth else "is not"
                return f"{what} is {mine}, which {among} among: {other}"
            case _:
                raise _NotFound

    def _quantified(self, expr: ir.Quant, names: Names, truth: bool) -> str:
        """Return which members show the truth, and why; that a `some` has none is said as how many were tried."""
        members = [*self._asked.value(expr.domain, names)]
        if expr.kind == "some" and not truth:
            return f"none of {len(members):,} is so"
        shows = expr.kind != "every"
        for inner in self._choices(expr, members, names):
            if bool(self._asked.value(expr.body, inner)) is shows:
                new = [name for name in expr.names if word_of(name) not in self._told]
                said = [f"{word_of(name)} = {self._member(expr, inner[name])}" for name in new]
                try:
                    said.append(self.words(expr.body, inner, shows))
                except _NotFound:
                    if not said:
                        raise
                return ": ".join((", ".join(said[:-1]), said[-1])) if len(said) > 1 else said[0]
        raise _NotFound

    def _choices(self, expr: ir.Quant, members: list[Any], names: Names) -> Iterator[dict[str, Any]]:
        for chosen in permutations(members, len(expr.names)):
            self._tries -= 1
            if self._tries < 0:
                raise _NotFound
            yield {**names, **dict(zip(expr.names, chosen, strict=True))}

    def _member(self, expr: ir.Quant, value: Any) -> str:
        kind = expr.domain.type
        return self._speaker.say(value, kind.item) if isinstance(kind, Bag) else str(value)

    def _called(self, expr: ir.CallDef, names: Names, truth: bool) -> str:
        """Return why a definition has the wrong truth: the words about the expression that it stands for."""
        made = next(d for d in self._asked.machine.rules.definitions if d.name == expr.name)
        if not made.single or not isinstance(made.type, Bool):
            return self._plain(expr, names)
        inner = {p.name: self._asked.value(a, names) for p, a in zip(made.params, expr.args, strict=True)}
        try:
            return f"`{expr.name}`: {self.words(made.cases[0].expr, inner, truth)}"
        except _NotFound:
            return self._plain(expr, names)

    def _plain(self, expr: ir.Expr, names: Names) -> str:
        name = self._name(expr, names)
        if name is None:
            raise _NotFound
        return f"{name} is {self._said(expr, names)}"

    # ------------------------------------------------------------------ words

    def _said(self, expr: ir.Expr, names: Names) -> str:
        words = self._speaker.say(self._asked.value(expr, names), expr.type)
        return words if len(words) <= LONGEST else f"{words[: LONGEST - 1]}…"

    def _named(self, expr: ir.Expr, names: Names, side: int) -> str:
        return self._name(expr, names) or SIDES[side]

    def _name(self, expr: ir.Expr, names: Names) -> str | None:
        """Return what a part is called, if it has a name."""
        if isinstance(expr, ir.Local) or (isinstance(expr, ir.CallDef) and not expr.args):
            return f"`{word_of(expr.name)}`"
        if isinstance(expr, ir.StateRead | ir.ZoneRead):
            seat = expr.seat
            return f"`{expr.name}`" if seat is None else f"`{expr.name}` of {self._said(seat, names)}"
        if isinstance(expr, ir.Op) and expr.op == "size":
            inner = self._name(expr.args[0], names)
            return None if inner is None else f"the size of {inner}"
        return None


def _parts(expr: ir.Op) -> list[ir.Expr]:
    """Return what one operator joins, whatever the brackets."""
    parts: list[ir.Expr] = []
    for arg in expr.args:
        parts += _parts(arg) if isinstance(arg, ir.Op) and arg.op == expr.op else [arg]
    return parts
