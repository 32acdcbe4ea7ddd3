"""Why a property is refuted: the part of it that fails, and the values on both sides, by replay.

Input: the machine of a table, a property, and the answer that refutes it. Output: the answer, whose story says so.
Guarantee: what is said has been evaluated by replay; if it cannot be, or takes too long, the answer stays as it is.
Each value stands behind the words of the text that have it.

    claim four-things: size of tiles = 4 and sum-of-all = size of kinds
    the second of 2 parts fails: `sum-of-all` is 10, and `size of kinds` is 4
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Any

from golpae.elaborate.typecheck.overloads import member_type
from golpae.ir import expr as ir
from golpae.ir.dependencies import chooses_together, nodes_through
from golpae.ir.distinct_names import word_of
from golpae.ir.limits import TooManySteps
from golpae.ir.ruleset import PropertyDecl, form_of
from golpae.ir.types import Bool
from golpae.lower.written import NotWritten, written
from golpae.prove.answer import REFUTED, Answer
from golpae.replay.machine import Machine, State
from golpae.replay.speaker import Speaker
from golpae.search import witness
from golpae.trace.header import Header

FAILS = "it does not hold"  # the story of an answer that knows no more
MOST_TRIED = 3_000  # choices of members of a bag
LONGEST = 60  # characters of a value
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
LONGEST_QUOTE = 100  # characters of what the text says
BETWEEN = {"lt": "less than", "le": "at most", "gt": "more than", "ge": "at least"}
TURNED: dict[ir.OpName, ir.OpName] = {
    "eq": "eq", "bag_eq": "bag_eq", "lt": "gt", "le": "ge", "gt": "lt", "ge": "le",
}  # fmt: skip
Names = Mapping[str, Any]


class _NotFound(Exception):
    """There is nothing to say."""


def with_failing_part(machine: Machine, prop: PropertyDecl, answer: Answer) -> Answer:
    """Return the answer; if it refutes what has to be true, its story says which part is false, and its values; if it
    refutes what must never be true, which part is true.
    """
    form, truth = form_of(prop.kind), prop.kind == "never"
    if answer.verdict != REFUTED or form.number or (form.negated and not truth):
        return answer
    definitions = {d.name: d for d in machine.rules.definitions}
    ways = any(isinstance(node, ir.Ways) for node in nodes_through(prop.expr, definitions))
    if ways:
        return answer
    told = dict(answer.witness.values) if answer.witness is not None else {}
    try:
        position = _asked(machine, prop, answer)
        if position is None:
            return answer
        if (
            not chooses_together(prop.expr, definitions)
            and position.value(prop.expr, position.names) is not truth
        ):
            return answer
        words = _Failing(position, told).words(prop.expr, position.names, truth)
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
        """Return a value. Raises `_NotFound` if it goes through choices of several members, which are too many."""
        if chooses_together(expr, {d.name: d for d in self.machine.rules.definitions}):
            raise _NotFound
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

    def __init__(self, position: _Position, told: Mapping[str, str]) -> None:
        self._asked = position
        self._told = told
        players = ("",) * position.machine.instance.players
        self._speaker = Speaker(position.machine, Header("", "", (), players, 1, {}, None))
        self._definitions = {d.name: d for d in position.machine.rules.definitions}
        self._tries = MOST_TRIED

    def words(self, expr: ir.Expr, names: Names, truth: bool) -> str:
        """Return why an expression has this truth, which it should not have. Raises `_NotFound`."""
        if isinstance(expr, ir.Op):
            return self._operation(expr, names, truth)
        if isinstance(expr, ir.If):
            holds = bool(self._asked.value(expr.test, names))
            taken = expr.yes if holds else expr.no
            return f"{self._plain(expr.test, holds)}; {self.words(taken, names, truth)}"
        if isinstance(expr, ir.Quant):
            return self._quantified(expr, names, truth)
        if isinstance(expr, ir.CallDef):
            return self._called(expr, names, truth)
        if isinstance(expr, ir.IsShape):
            which = "which is" if truth else "which is not"
            return f"{self._quoted(expr.arg)} is {self._said(expr.arg, names)}, {which} {expr.shape}"
        if isinstance(expr, ir.Fits):
            return self._with_value(expr.tile, expr, names, truth)
        if isinstance(expr, ir.FitsOrder):
            return self._with_value(expr.tiles, expr, names, truth)
        return self._plain(expr, truth)

    def _plain(self, expr: ir.Expr, truth: bool) -> str:
        return f"{self._quoted(expr)} {'holds' if truth else 'does not hold'}"

    def _with_value(self, part: ir.Expr, expr: ir.Expr, names: Names, truth: bool) -> str:
        """Return the words that an expression has this truth, and the value of one of its parts."""
        plain = self._plain(expr, truth)
        if _is_literal(part):
            return plain
        return f"{plain}: {self._quoted(part)} is {self._said(part, names)}"

    def _operation(self, expr: ir.Op, names: Names, truth: bool) -> str:
        op, args = expr.op, expr.args
        match op:
            case "not":
                return self.words(args[0], names, not truth)
            case "implies":
                return self._implied(args[0], args[1], names, truth)
            case "and" | "or":
                if truth is (op == "and"):  # each part has this truth
                    return "; ".join(dict.fromkeys(self.words(p, names, truth) for p in _parts(expr)))
                return self._first_part(expr, names, truth)
            case "is_none":
                said = f"{self._quoted(args[0])} is {self._said(args[0], names)}"
                return said if truth else f"{said}, not none"
            case "eq" | "bag_eq" | "lt" | "le" | "gt" | "ge":
                return self._compared(op, args[0], args[1], names, truth)
            case "member" | "bag_member" | "within":
                return self._among(op, args[0], args[1], names, truth)
            case _:
                return self._plain(expr, truth)

    def _implied(self, left: ir.Expr, right: ir.Expr, names: Names, truth: bool) -> str:
        if not truth:
            return f"{self._plain(left, True)}, but {self.words(right, names, False)}"
        if self._asked.value(left, names):
            return self.words(right, names, True)
        return self.words(left, names, False)

    def _first_part(self, expr: ir.Op, names: Names, truth: bool) -> str:
        """Return which part is the first to have this truth, and why."""
        parts, unknown = _parts(expr), []
        for at, part in enumerate(parts):
            try:
                if bool(self._asked.value(part, names)) is truth:
                    break
            except _NotFound:
                unknown.append(at)
        else:
            if len(unknown) != 1:
                raise _NotFound
            at, part = unknown[0], parts[unknown[0]]  # no other part has this truth
        number = f"the {ORDINALS[at]} of" if at < len(ORDINALS) else f"number {at + 1} of"
        return (
            f"{number} {len(parts)} parts {'holds' if truth else 'fails'}: {self.words(part, names, truth)}"
        )

    # ------------------------------------------------------------------ comparisons

    def _compared(self, op: ir.OpName, left: ir.Expr, right: ir.Expr, names: Names, truth: bool) -> str:
        if isinstance(left.type, Bool):
            return self._both_truths(left, right, names)
        if _is_literal(left) and not _is_literal(right):
            op, left, right = TURNED[op], right, left
        what, mine, other = self._quoted(left), self._said(left, names), self._said(right, names)
        if op in BETWEEN:
            than = other if _is_literal(right) else f"{self._quoted(right)}, which is {other}"
            return f"{what} is {mine}, {'which is' if truth else 'not'} {BETWEEN[op]} {than}"
        if _is_literal(right):
            return f"{what} is {mine}" if truth else f"{what} is {mine}, not {other}"
        if truth:
            return f"{what} and {self._quoted(right)} are both {mine}"
        return f"{what} is {mine}, and {self._quoted(right)} is {other}"

    def _both_truths(self, left: ir.Expr, right: ir.Expr, names: Names) -> str:
        """Return which of two questions hold that were to be answered alike, or not alike."""
        sides = [side for side in (left, right) if not _is_literal(side)]
        said = (self.words(side, names, bool(self._asked.value(side, names))) for side in sides)
        return ", and ".join(said) if sides else self._plain(left, bool(self._asked.value(left, names)))

    def _among(self, op: ir.OpName, left: ir.Expr, right: ir.Expr, names: Names, truth: bool) -> str:
        lies = f"{'are' if op == 'within' else 'is'}{'' if truth else ' not'}{' all' if op == 'within' else ''} in"
        what, where = self._quoted(left), self._quoted(right)
        if not _is_literal(left):
            what += f" is {self._said(left, names)}, which"
        if not _is_literal(right):
            where += f": {self._said(right, names)}"
        return f"{what} {lies} {where}"

    # ------------------------------------------------------------------ members of bags

    def _quantified(self, expr: ir.Quant, names: Names, truth: bool) -> str:
        """Return members that show the truth, and why; or that it is so of all or of none."""
        if expr.size is not None:
            return self._with_value(expr.domain, expr, names, truth)
        members = [*self._asked.value(expr.domain, names)]
        if truth is not (expr.kind == "some"):
            return self._of_all(expr, members, names)
        shows = expr.kind != "every"
        for inner in self._choices(expr, members, names):
            if bool(self._asked.value(expr.body, inner)) is shows:
                new = [name for name in expr.names if word_of(name) not in self._told]
                said = ", ".join(f"{word_of(name)} = {self._member(expr, inner[name])}" for name in new)
                why = self.words(expr.body, inner, shows)
                return f"{said}: {why}" if said else why
        raise _NotFound

    def _of_all(self, expr: ir.Quant, members: list[Any], names: Names) -> str:
        """Return the words that a question is so of each choice of members, or of none."""
        domain, lying = self._quoted(expr.domain), self._said(expr.domain, names)
        if not members:
            return f"{domain} is empty"
        if len(members) < len(expr.names):
            return f"{domain} has only {len(members)}: {lying}"
        which = f"{'every' if expr.kind == 'every' else 'no'} {', '.join(map(word_of, expr.names))}"
        beside = "" if _is_literal(expr.domain) else f": {lying}"
        return f"{self._quoted(expr.body)} holds for {which} in {domain}{beside}"

    def _choices(self, expr: ir.Quant, members: list[Any], names: Names) -> Iterator[dict[str, Any]]:
        for chosen in permutations(members, len(expr.names)):
            self._tries -= 1
            if self._tries < 0:
                raise _NotFound
            yield {**names, **dict(zip(expr.names, chosen, strict=True))}

    def _member(self, expr: ir.Quant, value: Any) -> str:
        item = member_type(expr.domain.type)
        return str(value) if item is None else self._speaker.say(value, item)

    # ------------------------------------------------------------------ definitions

    def _called(self, expr: ir.CallDef, names: Names, truth: bool) -> str:
        """Return why a definition has the wrong truth: the words about the expression that it stands for."""
        made = self._definitions[expr.name]
        inner = {p.name: self._asked.value(a, names) for p, a in zip(made.params, expr.args, strict=True)}
        cases = [case for case in made.cases if bool(self._asked.value(case.expr, inner)) is truth]
        what = self._quoted(expr)
        given = [
            f"{param.name} = {self._said(arg, names)}"
            for param, arg in zip(made.params, expr.args, strict=True)
            if not (_is_literal(arg) or (isinstance(arg, ir.Local) and word_of(arg.name) == param.name))
        ]
        if given:
            what += f" with {', '.join(given)}"
        if made.single:
            return f"{what}: {self.words(cases[0].expr, inner, truth)}"
        if truth:
            return f"{what}: `{cases[0].name}` holds: {self.words(cases[0].expr, inner, truth)}"
        failing = (f"`{case.name}` fails: {self.words(case.expr, inner, False)}" for case in cases)
        return f"{what}: {'; '.join(failing)}"

    # ------------------------------------------------------------------ words

    def _said(self, expr: ir.Expr, names: Names) -> str:
        words = self._speaker.say(self._asked.value(expr, names), expr.type)
        return _cut(words, LONGEST)

    def _quoted(self, expr: ir.Expr) -> str:
        """Return an expression as the text writes it, quoted and cut short. Raises `_NotFound`."""
        try:
            words = written(expr, self._asked.machine.rules)
        except NotWritten:
            raise _NotFound from None
        return f"`{_cut(words, LONGEST_QUOTE)}`"


def _cut(words: str, longest: int) -> str:
    return words if len(words) <= longest else f"{words[: longest - 1]}…"


def _is_literal(expr: ir.Expr) -> bool:
    """Return whether the words of an expression are its value."""
    if isinstance(expr, ir.Op) and expr.op == "neg":
        return _is_literal(expr.args[0])
    return isinstance(expr, ir.Const) or (isinstance(expr, ir.BagOf) and all(map(_is_literal, expr.items)))


def _parts(expr: ir.Op) -> list[ir.Expr]:
    """Return the operands that one operator joins, whatever the brackets."""
    parts: list[ir.Expr] = []
    for arg in expr.args:
        parts += _parts(arg) if isinstance(arg, ir.Op) and arg.op == expr.op else [arg]
    return parts
