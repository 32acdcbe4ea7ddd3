"""Are the expressions of a rule set as every reader of them may assume?

Input: a `RuleSet`; expressions in it, with the type that is needed and the names in scope. Output: what is wrong, in
words for golpae's own developers.
Guarantee: see `wellformed`, which this is the part of that knows expressions.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from typing import NamedTuple, assert_never, get_args

from golpae.ir import expr as ir
from golpae.ir.dependencies import read_by, refers_to
from golpae.ir.ruleset import Definition, RuleSet, ScoreDecl, effects_of
from golpae.ir.structure import ChildType
from golpae.ir.traverse import asks_earlier, bound_by, children_by_field, flat, free, nodes
from golpae.ir.types import (
    BOOL,
    INT,
    MELD,
    MELDS,
    NONE,
    NUMBERS,
    SEAT,
    TILE,
    TILES,
    Bag,
    Each,
    Meld,
    Opt,
    Type,
    fits,
    spoken,
    words_in,
)

Names = Mapping[str, Type]
QUANTIFIERS = get_args(ir.QuantKind)
WITH_ITEM = ("sum", "gather", "most", "least", "each")


class Expressions:
    """Checks expressions against the declarations of one rule set."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self.zones = {z.name: z for z in rules.zones}
        self.vars = {v.name: v for v in rules.vars}
        self.definitions = {d.name: d for d in rules.definitions}
        self.scores = {s.name: s for s in rules.scores}
        self.shapes = {s.name: s for s in rules.shapes}
        self.arrangements = {a.name: a for a in rules.arrangements}
        self.options = {o.name for o in rules.options}
        self.groups = {g.name for g in rules.tiles.groups}
        effects = flat(e for a in rules.actions for e in effects_of(a.effects))
        self.labels = {e.label for e in effects if isinstance(e, ir.Move) and e.label is not None}

    def seat(self, seat: ir.Expr | None, names: Names, where: str) -> Iterator[str]:
        """Return the faults of an expression for a player, if there is one."""
        if seat is not None:
            yield from self.typed(seat, SEAT, names, where)

    def typed(self, expr: ir.Expr, expected: Type, names: Names, where: str) -> Iterator[str]:
        """Return the faults of an expression that is used as `expected`."""
        if not fits(expr.type, expected) or not _same_words(expr.type, expected):
            yield f"{where}: {spoken(expr.type)} stands for {spoken(expected)}"
        yield from self.expr(expr, names, where)

    def expr(self, expr: ir.Expr, names: Names, where: str) -> Iterator[str]:
        """Return the faults of an expression: against what its class states, then against its own rules."""
        yield from (f"{where}: {fault}" for fault in (*self._reads(expr), *self._refers(expr)))
        yield from (f"{where}: {fault}" for fault in self._own_rules(expr, names))
        yield from (f"{where}: `{name}` hides another name" for name in bound_by(expr) if name in names)
        inner = {**names, **dict.fromkeys(bound_by(expr), _type_of_bound(expr)), **_foreign_names(expr)}
        operands = self._operands(expr)
        for number, (field, child, _) in enumerate(children_by_field(expr)):
            expected = operands[number] if number < len(operands) else expr.STRUCTURE.children[field]
            known = inner if field in (*expr.STRUCTURE.scope, *expr.STRUCTURE.foreign) else names
            yield from self.typed(child, _as_type(expected, expr, child), known, where)

    def _reads(self, expr: ir.Expr) -> Iterator[str]:
        """Return the faults of what an expression reads of a game."""
        if isinstance(expr, ir.Builtin):
            if ir.WORDS[expr.name].of_player is (expr.seat is None):
                yield f"{expr.name} with or without a player"
            return
        read = read_by(expr)
        if read is None:
            return
        if read.kind == "state":
            var = self.vars.get(read.name)
            if var is None or var.each_player is (read.seat is None) or not fits(expr.type, var.type):
                yield f"no such state {read.name}"
            return
        zone = self.zones.get(read.name)
        is_row = zone is not None and zone.kind == "row"
        if zone is None or zone.each_player is (read.seat is None) or (read.part is not None and not is_row):
            yield f"no such {'zone' if read.part is None else 'row'} {read.name}"

    def _refers(self, expr: ir.Expr) -> Iterator[str]:
        """Return the faults of the parts of the rule set that an expression names."""
        names: dict[str, Container[str]] = {
            "definition": self.definitions,
            "score": self.scores,
            "shape": {*self.shapes, *self.arrangements, *self.labels},
            "option": self.options,
        }
        for kind, name in refers_to(expr):
            if kind in names and name not in names[kind]:
                yield f"no {kind} {name}"

    def _own_rules(self, expr: ir.Expr, names: Names) -> Iterator[str]:
        """Return the faults of an expression by rules that only its class has."""
        if isinstance(expr, ir.Const) and (expr.value is None) is not (expr.type == NONE):
            yield f"a constant {expr.value!r} of type {spoken(expr.type)}"
        elif isinstance(expr, ir.Local):
            if expr.name not in names:
                yield f"{expr.name} is not in scope"
            elif not fits(expr.type, names[expr.name]):
                yield f"{expr.name} is read as {spoken(expr.type)}"
        elif isinstance(expr, ir.ZoneRead):
            zone = self.zones.get(expr.name)
            if zone is not None and expr.type != (MELDS if zone.kind == "melds" else TILES):
                yield f"{expr.name} is read as {spoken(expr.type)}"
        elif isinstance(expr, ir.Earlier) and asks_earlier(expr.expr):
            yield "earlier than what was earlier"
        elif isinstance(expr, ir.Attr):
            if expr.name != "group" and expr.name not in self.rules.tiles.attributes:
                yield f"no attribute {expr.name}"
        elif isinstance(expr, ir.Group) and expr.name not in self.groups:
            yield f"no group {expr.name}"
        elif isinstance(expr, ir.Faces) and not fits(expr.type, expr.arg.type):
            yield f"faces of {spoken(expr.arg.type)}"
        elif isinstance(expr, ir.CallDef | ir.CallScore):
            yield from self._call(expr)
        elif isinstance(expr, ir.Op):
            yield from _op(expr)
        elif isinstance(expr, ir.Quant | ir.Fold):
            if expr.size is not None and (
                len(expr.names) != 1 or expr.kind not in (*QUANTIFIERS, "count", "each")
            ):
                yield f"{len(expr.names)} names of members together"
            if isinstance(expr, ir.Fold) and (expr.item is not None) is not (expr.kind in WITH_ITEM):
                yield f"a {expr.kind} with or without an item"
        elif isinstance(expr, ir.Ways) and goes_through_ways(expr.body):
            yield "ways within ways"
        elif isinstance(expr, ir.LayOut | ir.IsBeside) and expr.arrangement not in self.arrangements:
            yield f"no arrangement {expr.arrangement}"
        elif isinstance(expr, ir.Parted) and expr.shape not in self.shapes:
            yield f"no shape {expr.shape}"
        elif isinstance(expr, ir.Implicit) and expr.kind not in ir.IMPLICIT:
            yield f"no implicit condition {expr.kind}"

    def _call(self, expr: ir.CallDef | ir.CallScore) -> Iterator[str]:
        declared = self._declared(expr)
        if declared is not None and len(declared.params) != len(expr.args):
            yield f"{expr.name} with {len(expr.args)} values"
        present = (
            declared.type.item
            if isinstance(declared, Definition) and isinstance(declared.type, Opt)
            else None
        )
        if isinstance(declared, Definition) and expr.type not in (declared.type, present):
            yield f"{expr.name} gives {spoken(declared.type)}"

    def _operands(self, expr: ir.Expr) -> list[Type]:
        """Return the types that the first children must have by an operator or a declaration."""
        if isinstance(expr, ir.OwnValue):
            return [Each(expr.type)]
        if isinstance(expr, ir.Op) and expr.op in ir.OPS:
            operand = signature(expr.op).operand
            return [] if operand is None else [operand for _ in expr.args]
        if isinstance(expr, ir.CallDef | ir.CallScore):
            declared = self._declared(expr)
            return [] if declared is None else [param.type for param in declared.params]
        return []

    def _declared(self, expr: ir.CallDef | ir.CallScore) -> Definition | ScoreDecl | None:
        return (self.scores if isinstance(expr, ir.CallScore) else self.definitions).get(expr.name)


def _type_of_bound(expr: ir.Expr) -> Type:
    """Return the type of the names that a quantifier or a fold binds."""
    if not isinstance(expr, ir.Quant | ir.Fold):
        return NONE
    member = item_of(expr.domain.type)
    return member if expr.size is None else Bag(member)


def _foreign_names(expr: ir.Expr) -> Names:
    """Return the names in foreign fields with the types that they are used with: only their score knows better."""
    return {
        node.name: node.type
        for field, child, _ in children_by_field(expr)
        if field in expr.STRUCTURE.foreign
        for node in nodes(child)
        if isinstance(node, ir.Local) and node.name in free(child)
    }


def _same_words(actual: Type, expected: Type) -> bool:
    """Return whether two types have the same words, if both have some: a smaller list is converted first."""
    return not words_in(actual) or not words_in(expected) or words_in(actual) == words_in(expected)


def _as_type(expected: ChildType, expr: ir.Expr, child: ir.Expr) -> Type:
    if expected == "own":
        return expr.type
    if expected == "members":
        return item_of(expr.type)
    return child.type if expected is None else expected


class Signature(NamedTuple):
    """The number and the type of an operator's operands, and the type of its value; None means any type."""

    arity: int
    operand: Type | None
    value: Type | None


def signature(op: ir.OpName) -> Signature:
    """Return the signature of an operator."""
    match op:
        case "not":
            return Signature(1, BOOL, BOOL)
        case "and" | "or" | "implies":
            return Signature(2, BOOL, BOOL)
        case "lt" | "le" | "gt" | "ge":
            return Signature(2, INT, BOOL)
        case "eq" | "bag_eq" | "member" | "bag_member" | "within":
            return Signature(2, None, BOOL)
        case "is_none":
            return Signature(1, None, BOOL)
        case "neg":
            return Signature(1, INT, None)
        case "add" | "sub" | "mul" | "div" | "mod" | "pow":
            return Signature(2, INT, None)
        case "range":
            return Signature(2, INT, NUMBERS)
        case "size" | "kinds" | "total":
            return Signature(1, None, None)
        case "tiles":
            return Signature(1, Opt(MELD), None)
        case "bag_add" | "bag_sub" | "otherwise":
            return Signature(2, None, None)
        case _:
            assert_never(op)


def _op(expr: ir.Op) -> Iterator[str]:
    if expr.op not in ir.OPS:
        yield f"no operator {expr.op}"
        return
    arity, _, value = signature(expr.op)
    if len(expr.args) != arity:
        yield f"{expr.op} of {len(expr.args)}"
    if value is not None and expr.type != value:
        yield f"{expr.op} gives {spoken(expr.type)}"


def goes_through_ways(expr: ir.Expr) -> bool:
    """Return whether an expression goes through the ways of a score."""
    return any(isinstance(node, ir.Ways) for node in nodes(expr))


def item_of(kind: Type) -> Type:
    """Return the type of the members of a bag; a meld holds tiles."""
    if isinstance(kind, Bag):
        return kind.item
    return TILE if isinstance(kind, Meld) else NONE
