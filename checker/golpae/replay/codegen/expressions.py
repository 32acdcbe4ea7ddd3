"""IR expressions as Python expressions.

Input: an IR expression and the instance it is for.
Output: the source of a Python expression over the state `S` and local names.
Guarantee: quantifiers become generator expressions, so evaluation stops as soon as the value is decided.

    some u in p's hand: beats(tile, u)    ->    any(T_beats[l_tile][l_u] for l_u in S.z_hand[l_p])
"""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from functools import cached_property
from typing import assert_never

from golpae.elaborate.instance import Instance
from golpae.ir import expr as ir
from golpae.ir.dependencies import nodes_through
from golpae.ir.limits import Limited
from golpae.ir.ruleset import Action, Definition
from golpae.ir.scoring import is_among
from golpae.ir.types import (
    Bag,
    Bool,
    Choice,
    Each,
    Int,
    Meld,
    NoneType,
    Opt,
    Seat,
    Tile,
    Type,
)
from golpae.replay.codegen.definitions import Definitions
from golpae.replay.codegen.folds import Folds
from golpae.replay.codegen.length import LONG, Lengths
from golpae.replay.codegen.names import faces, local
from golpae.replay.codegen.remembering import Remembered
from golpae.replay.state_layout import mangled, var_slot, zone_slot

SIGNS = {"add": "+", "sub": "-", "mul": "*", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
FUNCTIONS = {
    "pow": "power",
    "div": "divide",
    "mod": "modulo",
    "within": "within",
    "bag_member": "bag_member",
    "bag_sub": "minus",
    "kinds": "kinds",
}


PLAIN = (Bool, Int, Seat, Tile, Choice, NoneType)
EARLIER = "before"  # the state before the event, if an expression reads it


def arguments(action: Action) -> list[str]:
    """Return the names of an action's arguments, in the order its functions take them."""
    names = [] if action.by is None else [local(action.by)]
    return names + [local(p.name) for p in action.params]


def is_plain(bag: Type) -> bool:
    """Return whether the members of a bag compare as Python compares them, and can be sorted as it sorts them."""
    return isinstance(bag, Meld) or isinstance(bag.item if isinstance(bag, Bag) else bag, PLAIN)


def copied(kind: Type, value: str) -> str:
    """Return the source of a value that no later change of a zone reaches."""
    bare = kind.item if isinstance(kind, Opt) else kind
    return f"copied({value})" if isinstance(bare, Bag | Each) else value


class Emitter:
    """Turns expressions of one instance into Python source."""

    def __init__(
        self,
        instance: Instance,
        arrangement: str | None = None,
        noting: bool = False,
        counting: bool = False,
        timing: bool = False,
        counts_steps: bool | None = None,
    ) -> None:
        self.instance = instance
        self.counting = counting  # the steps of each clause are counted, even if they are few
        self.arrangement = arrangement  # inside a score: the one that is tried
        self.timing = timing  # the code tells which condition it comes to (`at`)
        self.noting = noting  # the code notes which clauses it comes to (`note`)
        self.numbers = instance.numbers()
        self.zones = {z.name: z for z in instance.rule_set.zones}
        self.arrangements = {a.name: a for a in instance.rule_set.arrangements}
        self.definitions = {d.name: d for d in instance.rule_set.definitions}
        self.limited = Limited(instance.rule_set)
        self.of_definitions = Definitions(instance.rule_set, self.limited, noting)
        self.known: dict[
            str, str
        ] = {}  # the seats that names stand for, where a seat is written after the other
        self.lengths = Lengths(instance)
        if counts_steps is None:  # else it is known, and nobody has to look through all clauses
            counts_steps = counting or self.lengths.may_be_long()
        self.counts_steps = counts_steps

    @cached_property
    def longest(self) -> int:
        """How many steps the longest clause takes at most."""
        return self.lengths.longest()

    @cached_property
    def _remembered(self) -> Remembered:
        steps = {name: self.lengths.of_definition(name) for name in self.definitions}
        return Remembered(self.instance, self.definitions, steps)

    def within(self, arrangement: str) -> Emitter:
        """Return an emitter for an arrangement of a score that is tried."""
        (emitter := copy(self)).arrangement = arrangement
        return emitter

    def counts(self, exprs: Iterable[ir.Expr]) -> bool:
        """Return whether the steps of a clause with these expressions are counted. If nothing in it is gone through, it
        has none.
        """
        if self.counting:
            return True
        return any(
            (self.counts_steps and self._goes_through(e))
            or self.of_definitions.may_search(e)
            or self.limited.can_fail(e)
            for e in exprs
        )

    def takes_no_steps(self, expr: ir.Expr) -> bool:
        """Return whether an expression always has a value, and nothing in it is gone through."""
        return not (
            self._goes_through(expr) or self.of_definitions.may_search(expr) or self.limited.can_fail(expr)
        )

    def _goes_through(self, expr: ir.Expr) -> bool:
        """Return whether an expression goes through members that count, itself or through definitions."""
        return any(
            isinstance(node, ir.Quant | ir.Fold)
            or (isinstance(node, ir.Op) and node.op == "bag_add" and self.lengths.joined(node) > 0)
            for node in nodes_through(expr, self.definitions)
        )

    def is_short(self, definition: Definition) -> bool:
        """Return whether a definition of one tile can be computed for all tiles at once."""
        steps = sum(self.lengths.steps(case.expr) for case in definition.cases)
        return steps * len(self.instance.kinds) <= LONG

    def key(self, definition: Definition) -> str | None:
        """Return the source of what the value of a definition depends on, if it is remembered; else None."""
        if self.noting or self.of_definitions.is_table(definition):
            return None
        return self._remembered.key(definition)

    def noted(self, path: str, source: str) -> str:
        """Return the source of a value; if the code notes what it comes to, also that it came to this one."""
        return f"(note({path!r}) and {source})" if self.noting else source

    # ------------------------------------------------------------------ expressions

    def emit(self, expr: ir.Expr) -> str:
        """Return the Python expression of an IR expression."""
        match expr:
            case ir.Const(value=value, type=kind):
                return repr(self.numbers[str(value)] if isinstance(kind, Tile) else value)
            case ir.Local(name=name):
                return self.known.get(name) or local(name)
            case ir.StateRead(name=name, seat=seat):
                return f"S.{var_slot(name)}{self._seat(seat)}"
            case ir.ZoneRead(name=name, seat=seat):
                source = f"S.{zone_slot(name)}{self._seat(seat)}"
                return f"{source}.all()" if self.zones[name].kind == "row" else source
            case ir.ZoneEnd(name=name, seat=seat, end=end):
                return f"S.{zone_slot(name)}{self._seat(seat)}.end({0 if end == 'front' else -1})"
            case ir.ZonePlace(name=name, seat=seat, number=number):
                return f"S.{zone_slot(name)}{self._seat(seat)}.place({self.emit(number)})"
            case ir.Earlier(expr=inner):
                return f"(lambda S: {self.emit(inner)})({EARLIER})"
            case ir.Fits(tile=tile, name=name, seat=seat, end=end):
                return f"S.{zone_slot(name)}{self._seat(seat)}.fits({self.emit(tile)}, {0 if end == 'front' else -1})"
            case ir.FitsPlace(tile=tile, name=name, seat=seat, number=number):
                row = f"S.{zone_slot(name)}{self._seat(seat)}"
                return f"{row}.fits_place({self.emit(tile)}, {self.emit(number)})"
            case ir.FitsOrder(tiles=tiles, name=name, seat=seat):
                return f"S.{zone_slot(name)}{self._seat(seat)}.fits_order({self.emit(tiles)})"
            case ir.FitsScore(patterns=patterns, score=score):
                return f"fits_score({self.emit(patterns)}, {self.emit(score)})"
            case ir.ScoreNumber(score=score, number=number):
                return f"number_of({self.emit(score)}, {number!r})"
            case ir.OwnValue(values=values, seat=seat):
                return f"{self.emit(values)}{self._seat(seat)}"
            case ir.Builtin():
                return self._builtin(expr)
            case ir.OptionRead(name=name):
                return repr(self.instance.options[name])
            case ir.Attr(name=name, tile=tile):
                return f"A_{mangled(name)}[{self.emit(tile)}]"
            case ir.Group(name=name):
                return f"G_{mangled(name)}"
            case ir.Faces(arg=arg):
                return faces(self.emit(arg), arg.type)
            case ir.CallDef(name=name, args=args):
                definition = self.definitions[name]
                if self.of_definitions.is_table(definition):
                    looked_up = f"T_{mangled(name)}" + "".join(f"[{self.emit(a)}]" for a in args)
                    return self.noted(name, looked_up)
                return f"d_{mangled(name)}({', '.join(('S', *(self.emit(a) for a in args)))})"
            case ir.Op():
                return self._op(expr)
            case ir.BagOf(items=items):
                return f"[{', '.join(self.emit(i) for i in items)}]"
            case ir.Quant():
                return Folds(self).quant(expr)
            case ir.Fold():
                return Folds(self).fold(expr)
            case ir.If(test=test, yes=yes, no=no):
                return f"({self.emit(yes)} if {self.emit(test)} else {self.emit(no)})"
            case ir.IsShape(arg=arg, shape=shape):
                if isinstance(arg, ir.Local) and arg.name == "arrangement" and self.arrangement is not None:
                    return repr(is_among(self.arrangement, shape, self.arrangements))
                return f"shapes.holds({self.emit(arg)}, {shape!r})"
            case ir.LayOut(groups=groups, tiles=tiles, arrangement=arrangement):
                return f"shapes.lie_as({self.emit(groups)}, {self.emit(tiles)}, {arrangement!r})"
            case ir.IsBeside(tiles=tiles, melds=melds, arrangement=arrangement):
                return f"shapes.lies_beside({self.emit(tiles)}, {self.emit(melds)}, {arrangement!r})"
            case ir.Parted(kind=kind, shape=shape, tiles=tiles):
                return f"shapes.parted({kind!r}, {self.emit(tiles)}, {shape!r})"
            case ir.CallScore(name=name, args=args):
                return f"scores[{name!r}].best({', '.join(('S', *(self.emit(a) for a in args)))})"
            case ir.Ways(score=name):
                raise ValueError(f"only a prover goes through the ways of {name}")
            case ir.Implicit(kind=kind):
                raise ValueError(f"{kind} is emitted with its action")
            case _:
                assert_never(expr)

    def _seat(self, seat: ir.Expr | None) -> str:
        return "" if seat is None else f"[{self.emit(seat)}]"

    def members(self, domain: ir.Expr) -> str:
        """Return the members of a bag that something goes through; they are counted if that may be long."""
        return f"counted({self.emit(domain)})" if self.counts_steps else self.emit(domain)

    def _builtin(self, expr: ir.Builtin) -> str:
        n = self.instance.players
        match expr.name:
            case "players":
                return "PLAYERS"
            case "tiles":
                return "WHOLE"
            case "kinds":
                return "KINDS"
            case "stake":
                return "S.stake"
            case "winner":
                return "S.winner"
            case "over":
                return "(S.at == OVER)"
            case "hands-played":
                return "S.hands_played"
            case "total":
                return f"S.total{self._seat(expr.seat)}"
            case "right":
                assert expr.seat is not None
                return f"(({self.emit(expr.seat)} + 1) % {n})"
            case "left":
                assert expr.seat is not None
                return f"(({self.emit(expr.seat)} - 1) % {n})"
            case _:
                assert_never(expr.name)

    def _op(self, expr: ir.Op) -> str:
        op, args = expr.op, expr.args
        match op:
            case "and" | "or":
                return f"({self.emit(args[0])} {op} {self.emit(args[1])})"
            case "implies":
                return f"(not {self.emit(args[0])} or {self.emit(args[1])})"
            case "not":
                return f"(not {self.emit(args[0])})"
            case "eq":
                return self._equal(args[0], args[1])
            case "bag_eq":
                return self._same(args[0], args[1])
            case "member":
                return self._member(args[0], args[1])
            case "size":
                return self._size(args[0])
            case "is_none":
                return f"({self.emit(args[0])} is None)"
            case "otherwise":
                return f"otherwise({self.emit(args[0])}, lambda: {self.emit(args[1])})"
            case "neg":
                return f"(-{self.emit(args[0])})"
            case "bag_add":
                joined = f"[*{self.emit(args[0])}, *{self.emit(args[1])}]"
                return f"counted({joined})" if self.counts_steps and self.lengths.joined(expr) else joined
            case "range":
                return f"between({self.emit(args[0])}, {self.emit(args[1])})"
            case "total":
                return f"total({self.emit(args[0])})"
            case "add" | "sub" | "mul" | "lt" | "le" | "gt" | "ge":
                return f"({self.emit(args[0])} {SIGNS[op]} {self.emit(args[1])})"
            case "tiles":
                return f"tiles_of({self.emit(args[0])})"
            case "within" | "bag_member" | "bag_sub" | "kinds":
                by_key = "" if is_plain(args[0].type) else "_by_key"
                if op == "bag_member" and by_key:
                    op = "member"
                called = f"{FUNCTIONS.get(op, op)}{by_key}"
                return f"{called}({', '.join(self.emit(a) for a in args)})"
            case "pow" | "div" | "mod":
                return f"{FUNCTIONS[op]}({', '.join(self.emit(a) for a in args)})"
            case _:
                assert_never(op)

    def _equal(self, left: ir.Expr, right: ir.Expr) -> str:
        # a fast path: whether a zone is empty is checked often
        if isinstance(left, ir.Op) and left.op == "size" and right == ir.Const(0, right.type):
            inner = left.args[0]
            if isinstance(inner, ir.ZoneRead):
                source = f"S.{zone_slot(inner.name)}{self._seat(inner.seat)}"
                source += ".slots" if self.zones[inner.name].kind == "row" else ""
                return f"(not {source})"
        return f"({self.emit(left)} == {self.emit(right)})"

    def _same(self, left: ir.Expr, right: ir.Expr) -> str:
        if (
            isinstance(left, ir.BagOf)
            and isinstance(right, ir.BagOf)
            and len(left.items) == len(right.items) == 2
        ):
            simple = (ir.Local, ir.Const)
            if all(isinstance(i, simple) for i in (*left.items, *right.items)):
                a, b = (self.emit(i) for i in left.items)
                c, d = (self.emit(i) for i in right.items)
                return f"(({a} == {c} and {b} == {d}) or ({a} == {d} and {b} == {c}))"
        same = "same" if is_plain(left.type) and is_plain(right.type) else "same_by_key"
        return f"{same}({self.emit(left)}, {self.emit(right)})"

    def _member(self, left: ir.Expr, right: ir.Expr) -> str:
        if isinstance(right, ir.ZoneRead) and self.zones[right.name].kind == "row":
            return f"S.{zone_slot(right.name)}{self._seat(right.seat)}.has({self.emit(left)})"
        if isinstance(right, ir.Group):
            return f"({self.emit(left)} in GS_{mangled(right.name)})"
        if isinstance(right, ir.BagOf):
            return f"({self.emit(left)} in ({''.join(self.emit(i) + ', ' for i in right.items)}))"
        return f"({self.emit(left)} in {self.emit(right)})"

    def _size(self, bag: ir.Expr) -> str:
        if isinstance(bag, ir.Builtin) and bag.name == "players":
            return repr(self.instance.players)
        if isinstance(bag, ir.ZoneRead) and self.zones[bag.name].kind == "row":
            return f"len(S.{zone_slot(bag.name)}{self._seat(bag.seat)}.slots)"
        if isinstance(bag, ir.Fold) and bag.kind == "those" and bag.test is not None:
            return f"sum(1 for {Folds(self).choice(bag.names, bag.domain)} if {self.emit(bag.test)})"
        return f"len({self.emit(bag)})"
