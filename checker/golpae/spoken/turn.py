"""When an action can happen: at which stages of a turn, and in whose turn.

Input: a rule set.
Output: its stages, the state that says whose turn it is, and for each action where it belongs.
Guarantee: nothing is played. A stage is left out only if the conditions of the action exclude it, whatever else is so.

    turn: stage = taking and p = mover      ->      at the stage `taking`, in one's own turn
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, assert_never

from golpae.ir import expr as ir
from golpae.ir.dependencies import nodes_through
from golpae.ir.ruleset import Action, Definition, RuleSet
from golpae.ir.types import BOOL, SEAT, Choice, NoneType, Opt, Points, Type

EITHER: Final = frozenset((True, False))
DEEPEST = 40  # definitions within definitions


@dataclass(frozen=True, slots=True)
class Unknown:
    """A value that can be any; `certain` if it cannot be none."""

    certain: bool = False


@dataclass(frozen=True, slots=True)
class Actor:
    """Whoever acts."""


@dataclass(frozen=True, slots=True)
class Mover:
    """The player whose turn it is."""


Value = Unknown | Actor | Mover | bool | int | str | None


@dataclass(frozen=True, slots=True)
class When:
    """At which stages an action can happen (none if the rules have no stages), in one's own turn, and out of it."""

    stages: tuple[str, ...]
    in_turn: bool
    out_of_turn: bool


@dataclass(frozen=True, slots=True)
class Turn:
    """The actions of play in the order in which they happen, each with when it can happen."""

    stages: tuple[str, ...]
    actions: tuple[tuple[Action, When], ...]


def course_of(rules: RuleSet) -> Turn:
    """Return the actions of play: those of an early stage first, and at the end those that no stage excludes;
    otherwise in the order of the text.
    """
    actions = [action for action in rules.actions if action.kind == "play"]
    mover = _mover(rules, actions)
    definitions = {definition.name: definition for definition in rules.definitions}
    found: dict[str, list[tuple[str, ...]]] = {}
    for var in rules.vars:
        if var.scope == "hand" and not var.each_player and isinstance(var.type, Choice):
            stages = [_stages(action, var.name, var.type.words, definitions, mover) for action in actions]
            if any(len(of_action) < len(var.type.words) for of_action in stages):
                found[var.name] = stages
    stage = max(found, key=lambda name: _narrowness(rules, name, found[name]), default=None)
    words = () if stage is None else _words(rules, stage)
    when = [
        When(
            found[stage][number] if stage is not None else (),
            *(_is_possible(action, {}, definitions, mover, own) for own in (True, False)),
        )
        for number, action in enumerate(actions)
    ]
    order = sorted(range(len(actions)), key=lambda number: _first(words, when[number].stages))
    return Turn(words, tuple((actions[number], when[number]) for number in order))


def _words(rules: RuleSet, stage: str) -> tuple[str, ...]:
    kind = next(var.type for var in rules.vars if var.name == stage)
    return kind.words if isinstance(kind, Choice) else ()


def _narrowness(rules: RuleSet, stage: str, found: Iterable[tuple[str, ...]]) -> int:
    """Return how many stages actions cannot happen at, in all."""
    words = _words(rules, stage)
    return sum(len(words) - len(of_action) for of_action in found)


def _first(words: tuple[str, ...], stages: tuple[str, ...]) -> int:
    """Return the number of the first stage; of an action that can happen at all of them, it is behind the last one."""
    return len(words) if len(stages) == len(words) else min(map(words.index, stages), default=len(words))


def _mover(rules: RuleSet, actions: Iterable[Action]) -> str | None:
    """Return the state that most actions compare with whoever acts, or None."""
    seats = [var.name for var in rules.vars if not var.each_player and _is_seat(var.type)]
    definitions = {definition.name: definition for definition in rules.definitions}
    counts = dict.fromkeys(seats, 0)
    for action in actions:
        seen = {name for condition in action.conditions for name in _compared(condition.expr, definitions)}
        for name in seen.intersection(counts):
            counts[name] += 1
    best = max(counts, key=lambda name: counts[name], default=None)
    return best if best is not None and counts[best] else None


def _is_seat(kind: object) -> bool:
    return kind == SEAT or (isinstance(kind, Opt) and kind.item == SEAT)


def _compared(expr: ir.Expr, definitions: Mapping[str, Definition]) -> Iterator[str]:
    """Yield the states that an expression, or a definition that it reaches, says are equal to a name."""
    for node in nodes_through(expr, definitions):
        if isinstance(node, ir.Op) and node.op == "eq":
            for one, other in (node.args, node.args[::-1]):
                if isinstance(one, ir.Local) and isinstance(other, ir.StateRead) and other.seat is None:
                    yield other.name


def _stages(
    action: Action,
    stage: str,
    words: Iterable[str],
    definitions: Mapping[str, Definition],
    mover: str | None,
) -> tuple[str, ...]:
    return tuple(
        word
        for word in words
        if any(_is_possible(action, {stage: word}, definitions, mover, own) for own in (True, False))
    )


def _is_possible(
    action: Action,
    states: Mapping[str, str],
    definitions: Mapping[str, Definition],
    mover: str | None,
    own: bool,
) -> bool:
    """Return whether the conditions of an action can hold with these states; `own`: in one's own turn."""
    names: dict[str, Value] = {param.name: Unknown(not param.optional) for param in action.params}
    names |= {part: Unknown(True) for param in action.params for part in param.parts}
    if action.by is not None:
        names[action.by] = Actor()
    world = _World(definitions, states, mover, own)
    return all(True in world.truths(condition.expr, names, 0) for condition in action.of_text)


@dataclass(frozen=True, slots=True)
class _World:
    """What is known: some states, and whether whoever acts is the mover."""

    definitions: Mapping[str, Definition]
    states: Mapping[str, str]
    mover: str | None
    own: bool
    nothing: Unknown = field(default=Unknown())

    def truths(self, expr: ir.Expr, names: Mapping[str, Value], depth: int) -> frozenset[bool]:
        """Return the truths that an expression can have."""
        if isinstance(expr, ir.Op):
            return self._of_operator(expr.op, expr.args, names, depth)
        value = self.value(expr, names, depth)
        return frozenset((value,)) if isinstance(value, bool) else EITHER

    def _of_operator(
        self, op: ir.OpName, args: Sequence[ir.Expr], names: Mapping[str, Value], depth: int
    ) -> frozenset[bool]:
        """Return the truths that an operator can have, as far as they follow from those of its arguments."""
        match op:
            case "and":
                return _all(self.truths(arg, names, depth) for arg in args)
            case "or":
                return _negated(_all(_negated(self.truths(arg, names, depth)) for arg in args))
            case "implies":
                premise, then = (self.truths(arg, names, depth) for arg in args)
                return _negated(_all((premise, _negated(then))))
            case "not":
                return _negated(self.truths(args[0], names, depth))
            case "eq":
                left, right = (self.value(arg, names, depth) for arg in args)
                return self._equal(left, right)
            case "is_none":
                return self._equal(self.value(args[0], names, depth), None)
            case "member":
                return self._is_among(self.value(args[0], names, depth), args[1], names, depth)
            case (
                "bag_eq" | "lt" | "le" | "gt" | "ge" | "bag_member" | "within"
                | "add" | "sub" | "mul" | "div" | "mod" | "pow" | "neg" | "range"
                | "bag_add" | "bag_sub" | "size" | "kinds" | "tiles" | "otherwise" | "total"
            ):  # fmt: skip
                return EITHER
            case _:
                assert_never(op)

    def _is_among(self, one: Value, bag: ir.Expr, names: Mapping[str, Value], depth: int) -> frozenset[bool]:
        """Return whether a value can be one of a bag, as far as the bag names its members."""
        if not isinstance(bag, ir.BagOf):
            return EITHER
        equal = (self._equal(one, self.value(item, names, depth)) for item in bag.items)
        return _negated(_all(map(_negated, equal)))

    def value(self, expr: ir.Expr, names: Mapping[str, Value], depth: int) -> Value:
        """Return the value of an expression, as far as it is known."""
        if isinstance(expr, ir.DuringGame):
            return self._read(expr)
        match expr:
            case ir.Const(value=value):
                return value
            case ir.Local(name=name):
                return names.get(name, self.nothing)
            case ir.If(test=test, yes=yes, no=no):
                held = self.truths(test, names, depth)
                ways = [
                    self.value(way, names, depth)
                    for way, truth in ((yes, True), (no, False))
                    if truth in held
                ]
                return ways[0] if len(set(map(repr, ways))) == 1 else self.nothing
            case ir.CallDef(name=name, args=args):
                return self._called(name, [self.value(arg, names, depth) for arg in args], depth)
            case ir.Op(op=op, args=args):
                held = self._of_operator(op, args, names, depth) if expr.type == BOOL else EITHER
                return next(iter(held)) if len(held) == 1 else _unknown(expr.type)
            case (
                ir.FitsScore() | ir.ScoreNumber() | ir.Builtin() | ir.OptionRead() | ir.Attr() | ir.Group()
                | ir.Faces() | ir.OwnValue() | ir.BagOf() | ir.Quant() | ir.Ways() | ir.Fold()
                | ir.IsShape() | ir.LayOut() | ir.IsBeside() | ir.Parted() | ir.CallScore()
            ):  # by class  # fmt: skip
                return _unknown(expr.type)
            case _:
                assert_never(expr)

    def _read(self, expr: ir.DuringGame) -> Value:
        """Return the value of what belongs to a game in progress: a state of the table can be known."""
        if isinstance(expr, ir.StateRead) and expr.seat is None:
            return Mover() if expr.name == self.mover else self.states.get(expr.name, _unknown(expr.type))
        return _unknown(expr.type)

    def _called(self, name: str, args: list[Value], depth: int) -> Value:
        """Return the value of a definition: of one expression, or whether one of its cases holds."""
        definition = self.definitions.get(name)
        if definition is None or depth >= DEEPEST or len(args) != len(definition.params):
            return self.nothing
        names = {param.name: arg for param, arg in zip(definition.params, args, strict=True)}
        if definition.single:
            return self.value(definition.cases[0].expr, names, depth + 1)
        held = _negated(_all(_negated(self.truths(c.expr, names, depth + 1)) for c in definition.cases))
        return next(iter(held)) if len(held) == 1 else self.nothing

    def _equal(self, one: Value, other: Value) -> frozenset[bool]:
        """Return whether two values can be equal, and whether they can differ."""
        pair = {type(one), type(other)}
        if pair == {Actor, Mover}:
            return frozenset((self.own,))
        if pair in ({Actor}, {Mover}):
            return frozenset((True,))
        for this, that in ((one, other), (other, one)):
            if this is None and (isinstance(that, Actor) or (isinstance(that, Unknown) and that.certain)):
                return frozenset((False,))
            if this is None and isinstance(that, Mover) and self.own:
                return frozenset((False,))
        if pair & {Unknown, Actor, Mover}:
            return EITHER
        return frozenset((one == other,))


def _unknown(kind: Type) -> Unknown:
    """Return a value of a type of which nothing else is known."""
    return Unknown(not isinstance(kind, Opt | NoneType | Points))


def _negated(truths: frozenset[bool]) -> frozenset[bool]:
    return frozenset(not truth for truth in truths)


def _all(parts: Iterable[frozenset[bool]]) -> frozenset[bool]:
    """Return whether all of several truths can hold, and whether one can fail."""
    can_hold, can_fail = True, False
    for part in parts:
        can_hold = can_hold and True in part
        can_fail = can_fail or False in part
    return frozenset(truth for truth, can in ((True, can_hold), (False, can_fail or not can_hold)) if can)
