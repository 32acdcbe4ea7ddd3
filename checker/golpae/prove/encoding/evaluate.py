"""Expressions of the IR over values that may be unknown.

In: an expression, a `Table` and the values of its names. Out: a value of the algebra, a plain one wherever all
that it depends on is known. What cannot be put into a solver's terms (what a score says of unknown tiles) is an
unknown value of its own, the same one for the same question.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from itertools import product
from math import prod
from typing import Any, Protocol, assert_never

import z3

from golpae.elaborate.instance import Instance
from golpae.ir import expr as ir
from golpae.ir.dependencies import first_read, nodes_through
from golpae.ir.ruleset import CaseDecl, Definition
from golpae.ir.traverse import conjuncts, names_in, nodes
from golpae.ir.types import Bag as BagType
from golpae.ir.types import Bool, Choice, Int, Opt, Points, Seat, Tile, Type
from golpae.prove.encoding.footprint import Reads, all_known, identity, values
from golpae.prove.symbolic.multiset_count import MOST_COUNTED, Count, space, tally, ways_to_take
from golpae.prove.symbolic.state import OVER, SymbolicState
from golpae.prove.symbolic.symbol_factory import SymbolFactory
from golpae.prove.symbolic.values import (
    Bag,
    Group,
    GuardedUnion,
    Number,
    Truth,
    Unsupported,
    Value,
    all_of,
    any_of,
    as_bag,
    as_key,
    as_number,
    as_truth,
    at_least,
    bag_of,
    bags_same,
    cases,
    conj,
    constants,
    disj,
    each_case,
    equal,
    group_bag,
    guarded_union,
    holds,
    iff,
    implies,
    ite,
    ite_number,
    joined,
    merge,
    minus,
    negate,
    number_of,
    plus,
    same,
    size,
    tiles_of,
    times,
    total_of,
    within,
    without,
)
from golpae.prove.symbolic.zones import PLACES, fits, place_of, visible

MOST_GROUPS = 600  # of a shape, to ask for each by itself
MOST_HANDS = 60_000  # hands of an arrangement that are gone through
MOST_CASES = 1_000  # choices of values that an unknown question is split into
LARGEST_POWER = 12


class Shapes(Protocol):
    """What is known of the shapes of a table: their groups, as kinds sorted by number."""

    def groups(self, shape: str) -> Collection[tuple[int, ...]]: ...

    def holds(self, tiles: tuple[int, ...], label: str | None, shape: str) -> bool: ...

    def best(self, score: str, args: tuple[Any, ...]) -> int | None:
        """What a score says of known values; bags are sorted tuples, melds pairs of tiles and label."""
        ...


class Opaque:
    """A parameter of which nothing is known; what speaks of it cannot be asked."""


OPAQUE = Opaque()


class Evaluator:
    """Expressions of one table. `fresh` makes the unknown values that stand for what cannot be put in terms.

    With `traced`, definitions' cases are asked through it: it takes the path of a clause, the case's value and
    gives what stands for it (a proof can be asked which clauses it used).
    """

    def __init__(self, table: Instance, shapes: Shapes, symbols: SymbolFactory) -> None:
        self.instance = table
        self.rules = table.rule_set
        self.shapes = shapes
        self.symbols = symbols
        self.players = table.players
        self.numbers = table.numbers()
        self.kinds = [i for i, k in enumerate(table.kinds) if k.copies]
        self.copies = {i: k.copies for i, k in enumerate(table.kinds) if k.copies}
        self.attributes = {n: i for i, n in enumerate(self.rules.tiles.attributes)}
        self.definitions = {d.name: d for d in self.rules.definitions}
        self.shape_decls = {s.name: s for s in self.rules.shapes}
        self.arrangements = {a.name: a for a in self.rules.arrangements}
        self.scores = {s.name: s for s in self.rules.scores}
        self.static = {
            d.name: all(first_read(c.expr, self.definitions) is None for c in d.cases)
            for d in self.rules.definitions
        }
        self.traced: Callable[[str, Value, Any], Value] | None = None
        self.arrangement: str | None = None  # inside a score: the arrangement that is asked about
        self.axioms: list[Callable[[], Truth]] = []  # what abstract answers are, where it can be said
        self.reads = Reads(self.definitions)
        self._wides: dict[str, bool] = {}
        self._scorings: dict[str, bool] = {}
        self.counted: dict[ir.Fold, int] = {}  # choices that were gone through, by what was asked of them
        self._told: dict[tuple[Any, bool], list[Truth]] = {}
        self._answers: dict[Any, Value] = {}
        self._before: dict[Any, Any] = {}  # what was worked out, by what it reads
        self._asked: dict[Any, tuple[Value, Any]] = {}
        self._hands: dict[str, list[Bag]] = {}
        self._endless: set[str] = set()
        self._alone: dict[
            int, tuple[ir.Quant, bool]
        ] = {}  # with the expression, so that its number stays its own
        self._chosen: dict[int, list[tuple[tuple[tuple[Any, int], ...], Truth]]] = {}
        self._tried = 0  # how many of the axioms were tried
        self._said: list[Truth] = []
        self._earlier: SymbolicState | None = None  # before the event after which something is asked
        self._overapproximate = False  # whether a value was taken for any, which may be another

    # ------------------------------------------------------------------ expressions

    def truth(self, expr: ir.Expr, table: SymbolicState | None, names: Mapping[str, Value]) -> Truth:
        return as_truth(self.value(expr, table, names))

    def truth_after(
        self, expr: ir.Expr, before: SymbolicState, after: SymbolicState, names: Mapping[str, Value]
    ) -> Truth:
        """A truth after an event, that may ask for what was before it."""
        self._earlier = before
        try:
            return self.truth(expr, after, names)
        finally:
            self._earlier = None

    def number(self, expr: ir.Expr, table: SymbolicState | None, names: Mapping[str, Value]) -> Number:
        return as_number(self.value(expr, table, names))

    def bag(self, expr: ir.Expr, table: SymbolicState | None, names: Mapping[str, Value]) -> Bag:
        return as_bag(self.value(expr, table, names))

    def value(self, expr: ir.Expr, table: SymbolicState | None, names: Mapping[str, Value]) -> Value:
        """The value of an expression. Raises `Unsupported`."""
        match expr:
            case ir.Const(value=value, type=kind):
                return self.numbers[str(value)] if isinstance(kind, Tile) else value
            case ir.Local(name=name):
                found = names[name]
                if found is OPAQUE:
                    raise Unsupported(f"`{name}`, of which nothing is known")
                return found
            case ir.StateRead(name=name, seat=seat):
                found = _of(table).vars[name]
                return found if seat is None else self._at(found, self.value(seat, table, names))
            case ir.ZoneRead(name=name, seat=seat):
                return _of(table).zone(name, None if seat is None else self.value(seat, table, names)).bag
            case ir.ZoneEnd(name=name, seat=seat, end=end):
                zone = _of(table).zone(name, None if seat is None else self.value(seat, table, names))
                return None if zone.row is None else visible(getattr(zone.row, end))
            case ir.ZonePlace(name=name, seat=seat, number=number):
                zone = _of(table).zone(name, None if seat is None else self.value(seat, table, names))
                where = self.value(number, table, names)
                found = [(g, place_of(zone, n, self._behind)) for g, n in cases(where)]
                return merge(found) if len(found) > 1 else found[0][1]
            case ir.Earlier(expr=inner):
                if self._earlier is None:
                    raise Unsupported("what was earlier, where nothing has happened")
                return self.value(inner, self._earlier, names)
            case ir.Fits(tile=tile, name=name, seat=seat, end=end):
                zone = _of(table).zone(name, None if seat is None else self.value(seat, table, names))
                return fits(zone, self.value(tile, table, names), end)
            case ir.FitsOrder(tiles=tiles, name=name, seat=seat):
                zone = _of(table).zone(name, None if seat is None else self.value(seat, table, names))
                wanted = self.bag(tiles, table, names)
                return conj(bags_same(wanted, zone.bag), self._abstract("order", (wanted, zone.bag), BOOLEAN))
            case ir.FitsScore(patterns=patterns, score=score):
                asked = (self.value(patterns, table, names), self.value(score, table, names))
                return self._abstract("patterns", asked, BOOLEAN)
            case ir.Builtin():
                return self._builtin(expr, table, names)
            case ir.OptionRead(name=name):
                return self.instance.options[name]
            case ir.Attr(name=name, tile=tile):
                return each_case(self.value(tile, table, names), lambda k: self._attribute(name, k))
            case ir.Group(name=name):
                return Bag({i: 1 for i in self.kinds if self.instance.kinds[i].group == name})
            case ir.OwnValue(values=values, seat=seat):
                return self._at(self.value(values, table, names), self.value(seat, table, names))
            case ir.CallDef(name=name, args=args):
                return self._call(name, tuple(self.value(a, table, names) for a in args), table)
            case ir.Op():
                return self._op(expr, table, names)
            case ir.BagOf(items=items):
                return bag_of(self.value(i, table, names) for i in items)
            case ir.Quant():
                return self._quantified(expr, table, names)
            case ir.Fold():
                return self._fold(expr, table, names)
            case ir.If(test=test, yes=yes, no=no):
                asked = self.truth(test, table, names)
                if asked is True or asked is False:
                    return self.value(yes if asked else no, table, names)
                return ite(asked, self.value(yes, table, names), self.value(no, table, names))
            case ir.IsShape(arg=arg, shape=shape):
                if isinstance(arg, ir.Local) and arg.name == "arrangement" and self.arrangement is not None:
                    return shape == self.arrangement
                return each_case(self.value(arg, table, names), lambda v: self.is_shape(v, shape))
            case ir.LayOut(groups=groups, tiles=tiles, arrangement=arrangement):
                return self.lie_as(self.bag(groups, table, names), self.bag(tiles, table, names), arrangement)
            case ir.CallScore(name=name, args=args):
                return self._score(name, tuple(self.value(a, table, names) for a in args), table)
            case ir.Ways() | ir.Implicit():
                raise Unsupported("a question that is answered elsewhere")
            case _:
                assert_never(expr)

    def _behind(self) -> Value:
        """What lies in a row behind the places that are looked at: any tile."""
        if sum(self.copies.values()) <= PLACES:
            return None
        self._overapproximate = True
        return self.symbols.of("behind", [*self.kinds, None])

    def _at(self, values: Any, seat: Value) -> Value:
        if isinstance(seat, int):
            return values[seat]
        found = [(g, values[s]) for g, s in cases(seat) if s is not None]
        if not found:
            raise Unsupported("what nobody has")
        return merge(found)

    def _attribute(self, name: str, kind: Value) -> Value:
        if kind is None:
            return 0
        found = self.instance.kinds[kind]
        return found.group if name == "group" else found.attributes[self.attributes[name]]

    def _builtin(self, expr: ir.Builtin, table: SymbolicState | None, names: Mapping[str, Value]) -> Value:
        n = self.players
        match expr.name:
            case "players":
                return Bag(dict.fromkeys(range(n), 1))
            case "tiles":
                return Bag(dict(self.copies))
            case "kinds":
                return Bag(dict.fromkeys(self.kinds, 1))
            case "stake":
                return _of(table).stake
            case "winner":
                return _of(table).winner
            case "over":
                return same(_of(table).at, OVER)
            case "hands-played":
                return _of(table).hands_played
            case "total":
                assert expr.seat is not None
                return self._at(_of(table).total, self.value(expr.seat, table, names))
            case "right" | "left":
                assert expr.seat is not None
                step = 1 if expr.name == "right" else -1
                seat = self.value(expr.seat, table, names)
                return guarded_union((g, None if s is None else (s + step) % n) for g, s in cases(seat))
            case _:
                raise Unsupported(f"`{expr.name}`")

    def exact_axioms(self) -> tuple[list[Truth], bool]:
        """What the abstract answers are, of those of which it can be said; and whether that is all of them."""
        while self._tried < len(self.axioms):
            say = self.axioms[self._tried]
            self._tried += 1
            try:
                self._said.append(say())
            except Unsupported:
                continue
        out = list(self._said)
        return out, len(out) == len(self._asked) and not self._overapproximate

    def axioms_for(self, truths: Iterable[Truth], exact: bool) -> list[Truth]:
        """What is known of the abstract answers that stand in some truths: that tiles which score make an
        arrangement of the score; or `exact`ly what they are, where it can be said.
        """
        words = constants(truths)
        out: list[Truth] = []
        for key, (answer, asked) in list(self._asked.items()):
            if words.isdisjoint(constants(part for case in cases(answer) for part in case)):
                continue
            if (key, exact) not in self._told:
                told = self._exact(answer) if exact else self._arranged_as(key[0], answer, asked)
                self._told[key, exact] = list(told)
            out += self._told[key, exact]
        return out

    def _exact(self, answer: Value) -> Iterator[Truth]:
        for say in self.axioms:
            if isinstance(say, partial) and say.args[0] is answer:
                with suppress(Unsupported):
                    yield say()

    def _arranged_as(self, what: str, answer: Value, asked: tuple[Value, ...]) -> Iterator[Truth]:
        """That tiles which score make an arrangement. INVARIANT: a score counts arrangements of its hand, what lies
        fixed among them, whatever else it asks for.
        """
        score = self.scores.get(what.removeprefix("score "))
        if score is None or not what.startswith("score "):
            return
        names = {p.name: a for p, a in zip(score.params, asked, strict=True)}
        tiles = self.bag(score.hand, None, names)
        if score.fixed is not None:
            tiles = joined(tiles, tiles_of(self.bag(score.fixed, None, names)))
        for name in self.arrangements:
            if {*self._members(name)} >= {*score.arrangements}:
                yield disj(same(answer, None), self.is_shape(tiles, name))

    def _members(self, arrangement: str) -> Iterator[str]:
        """An arrangement and those that it is one of."""
        yield arrangement
        for member in self.arrangements[arrangement].union:
            yield from self._members(member)

    @property
    def precise(self) -> bool:
        """Whether every answer was said in a solver's terms, so that a model of them is one of the rules."""
        return not self._asked and not self._overapproximate

    # ------------------------------------------------------------------ unknown values

    def unknown(self, said: str, kind: Type) -> Value:
        """An unknown value of a type. Raises `Unsupported` for one that has no end of values."""
        match kind:
            case Bool():
                return self.symbols.truth(said)
            case Int():
                return self.symbols.number(said)
            case BagType(Tile()):
                return self.symbols.bag(said, dict.fromkeys(self.kinds))
            case BagType(Seat()):
                return self.symbols.bag(said, dict.fromkeys(range(self.players)))
            case Opt(Int()):
                there = self.symbols.truth(said)
                return guarded_union([(there, self.symbols.number(said)), (negate(there), None)])
            case Opt(item):
                return self.symbols.of(said, [*self.values(item), None])
            case _:
                return self.symbols.of(said, self.values(kind))

    def values(self, kind: Type) -> list[Any]:
        """All values of a type."""
        match kind:
            case Seat():
                return [*range(self.players)]
            case Tile():
                return [*self.kinds]
            case Choice(words):
                return [*words]
            case Bool():
                return [False, True]
            case Opt(item):
                return [*self.values(item), None]
            case _:
                raise Unsupported(f"all values of {kind}")

    # ------------------------------------------------------------------ definitions

    def _call(self, name: str, args: tuple[Value, ...], table: SymbolicState | None) -> Value:
        definition = self.definitions[name]
        static = self.static[name]
        memory = self._answers if static or table is None else table.memo
        key = (name, self.arrangement, *map(key_of, args))
        if key in memory:
            return memory[key][0]

        def work_out() -> Value:
            names = {p.name: a for p, a in zip(definition.params, args, strict=True)}
            found = self._case_by_case(definition, args, table)
            if found is None:
                found = self._abstract_call(definition, args, table)
            return self._cases(definition, table, names) if found is None else found

        if static or table is None:
            found = work_out()
        else:
            found = self._as_before(key, args, values(self.reads.of(name), args, table), work_out)
        memory[key] = (found, args)  # the arguments are kept, so that keys stay theirs
        return found

    def _as_before(
        self, key: Any, args: tuple[Value, ...], read: tuple[Any, ...], work_out: Callable[[], Value]
    ) -> Value:
        """What something is that reads these values, worked out once for all tables that have the same ones."""
        if self.traced is not None:
            return work_out()
        key = (key, *map(identity, read))
        if key not in self._before:
            begin = len(self.symbols.facts)
            found = work_out()
            if len(self.symbols.facts) > begin:
                return found  # what is certain of it has to be found again by whoever asks again
            # what the key speaks of is kept, so that it stays its own
            self._before[key] = (found, args, read)
        return self._before[key][0]

    def _case_by_case(
        self, definition: Definition, args: tuple[Value, ...], table: SymbolicState | None
    ) -> Value:
        """What is asked of tiles or seats that are one of some, asked of each choice of them; None where there are
        none, or too many, or there is no use in it.

        What is asked of any tiles is worked out once for each that is known, and leaves nothing to a solver. What
        asks for a score is the same question for the same tile.
        """
        name = definition.name
        alone = self.static[name] and isinstance(definition.type, Bool)
        if self.traced is not None or not (alone or self._scoring(definition)):
            return None
        rows = [cases(a) for a in args]
        if all(len(r) == 1 for r in rows) or prod(map(len, rows)) > MOST_CASES:
            return None
        picked = [v for a in args if isinstance(a, GuardedUnion) for _, v in a.cases]
        if not all(v is None or v.__class__ in (int, str) for v in picked):
            return None
        found = [
            (conj(*(g for g, _ in chosen)), self._call(name, tuple(v for _, v in chosen), table))
            for chosen in product(*rows)
        ]
        return any_of(conj(g, v) for g, v in found) if alone else merge(found)

    def _scoring(self, definition: Definition) -> bool:
        """Whether it is a number that a score says, which no solver can be told."""
        name = definition.name
        if name not in self._scorings:
            self._scorings[name] = isinstance(definition.type, Points) and any(
                self._asks_beyond(c.expr) for c in definition.cases
            )
        return self._scorings[name]

    def _abstract_call(
        self, definition: Definition, args: tuple[Value, ...], table: SymbolicState | None
    ) -> Value:
        """An unknown answer for a definition that goes through what a score says of many unknown hands, which no
        solver can be told; None for any other.
        """
        if table is None or self.traced is not None or not self._wide(definition):
            return None
        read = values(self.reads.of(definition.name), args, table)
        return None if all_known((*args, *read)) else self._abstract(definition.name, (*args, *read), BOOLEAN)

    def _wide(self, definition: Definition) -> bool:
        if definition.name not in self._wides:
            self._wides[definition.name] = isinstance(definition.type, Bool) and any(
                isinstance(n, ir.Quant) and self._asks_beyond(n.body)
                for c in definition.cases
                for n in nodes(c.expr)
            )
        return self._wides[definition.name]

    def _asks_beyond(self, expr: ir.Expr) -> bool:
        """Whether an expression asks for a score that no solver can be told."""
        return any(
            isinstance(n, ir.CallScore) and len(self.scores[n.name].params) != 1
            for n in nodes_through(expr, self.definitions)
        )

    def _cases(
        self, definition: Definition, table: SymbolicState | None, names: Mapping[str, Value]
    ) -> Value:
        if definition.single:
            return self._case(definition, definition.cases[0], definition.name, table, names)
        return any_of(
            self._case(definition, c, f"{definition.name}.{c.name}", table, names) for c in definition.cases
        )

    def _case(
        self,
        definition: Definition,
        case: CaseDecl,
        path: str,
        table: SymbolicState | None,
        names: Mapping[str, Value],
    ) -> Value:
        found = self.value(case.expr, table, names)
        return found if self.traced is None else self.traced(path, found, definition.type)

    # ------------------------------------------------------------------ operators

    def _op(self, expr: ir.Op, table: SymbolicState | None, names: Mapping[str, Value]) -> Value:
        op, args = expr.op, expr.args
        if op == "and":
            return all_of(self.truth(a, table, names) for a in args)
        if op == "or":
            return any_of(self.truth(a, table, names) for a in args)
        if op == "implies":
            left = self.truth(args[0], table, names)
            return True if left is False else implies(left, self.truth(args[1], table, names))
        if op == "bag_member" and isinstance(args[1], ir.BagOf):
            bag = self.bag(args[0], table, names)
            return any_of(bags_same(bag, self.bag(i, table, names)) for i in args[1].items)
        if op == "otherwise":
            left = self.value(args[0], table, names)
            missing = same(left, None)
            if missing is False:
                return left
            right = self.value(args[1], table, names)
            return ite(missing, right, left) if missing is not True else right
        values = [self.value(a, table, names) for a in args]
        left = values[0]
        right = values[-1]
        match op:
            case "not":
                return negate(as_truth(left))
            case "eq":
                return same(left, right)
            case "ne":
                return negate(same(left, right))
            case "bag_eq":
                return bags_same(as_bag(left), as_bag(right))
            case "bag_ne":
                return negate(bags_same(as_bag(left), as_bag(right)))
            case "member":
                return each_case(left, lambda one: self._member(one, as_bag(right)))
            case "bag_member":
                tiles = as_bag(left)
                return any_of(
                    conj(at_least(c, 1), bags_same(tiles, group_bag(g))) for g, c in as_bag(right).items()
                )
            case "within":
                return within(as_bag(left), as_bag(right))
            case "lt":
                return negate(at_least(as_number(left), as_number(right)))
            case "ge":
                return at_least(as_number(left), as_number(right))
            case "gt":
                return negate(at_least(as_number(right), as_number(left)))
            case "le":
                return at_least(as_number(right), as_number(left))
            case "add":
                return _case_by_case(plus, left, right)
            case "sub":
                return _case_by_case(minus, left, right)
            case "mul":
                return times(as_number(left), as_number(right))
            case "neg":
                return times(-1, as_number(left))
            case "div" | "mod":
                return self._divided(op, as_number(left), as_number(right))
            case "pow":
                return self._power(as_number(left), as_number(right))
            case "bag_add":
                return joined(as_bag(left), as_bag(right))
            case "bag_sub":
                return without(as_bag(left), as_bag(right))
            case "size":
                return size(as_bag(left))
            case "kinds":
                return Bag({k: ite_number(at_least(c, 1), 1, 0) for k, c in as_bag(left).items()})
            case "is_none":
                return same(left, None)
            case "range":
                low, high = as_number(left), as_number(right)
                if not isinstance(low, int) or not isinstance(high, int):
                    raise Unsupported("numbers between bounds that are not known")
                return Bag(dict.fromkeys(range(low, high + 1), 1))
            case "total":
                return left
            case _:
                raise Unsupported(f"`{op}`")

    def _member(self, value: Value, bag: Bag) -> Truth:
        if isinstance(value, Bag):
            value = as_key(value)
        if isinstance(value, Group):  # groups are alike by their tiles, whatever they are called
            return any_of(at_least(c, 1) for g, c in bag.items() if g.tiles == value.tiles)
        if isinstance(value, z3.ExprRef):
            return any_of(conj(same(value, k), at_least(c, 1)) for k, c in bag.items())
        return holds(bag, value)

    def _divided(self, op: str, left: Number, right: Number) -> Number:
        if isinstance(right, int):
            if right == 0:
                return 0
            if isinstance(left, int):
                return left // right if op == "div" else left % right
            if right > 0:  # z3 rounds down for these
                return left / right if op == "div" else left % right  # whole numbers, rounded down
        raise Unsupported("a division by what is not known")

    def _power(self, base: Number, exponent: Number) -> Number:
        if isinstance(exponent, int):
            if isinstance(base, int):
                return base ** max(0, exponent)
            out: Number = 1
            for _ in range(max(0, exponent)):
                out = times(out, base)
            return out
        steps = [self._power(base, k) for k in range(LARGEST_POWER + 1)]
        beyond = self.symbols.number("power")
        self._overapproximate = True
        guards = [(equal(exponent, k), step) for k, step in enumerate(steps)][1:]
        return number_of(
            [(at_least(0, exponent), steps[0]), *guards, (at_least(exponent, LARGEST_POWER + 1), beyond)]
        )

    # ------------------------------------------------------------------ going through bags

    def choices(
        self, names: tuple[str, ...], bag: Bag, known: Mapping[str, Value]
    ) -> Iterator[tuple[dict[str, Value], dict[Any, int]]]:
        """Each choice of values for the names, with how often the bag has to hold which."""
        keys = [k for k, _ in bag.items()]
        for chosen in product(keys, repeat=len(names)):
            needed: dict[Any, int] = {}
            for key in chosen:
                needed[key] = needed.get(key, 0) + 1
            if any(_fewer(bag.count(k), c) for k, c in needed.items()):
                continue
            yield {**known, **dict(zip(names, chosen, strict=True))}, needed

    def _quantified(self, expr: ir.Quant, table: SymbolicState | None, names: Mapping[str, Value]) -> Truth:
        bag = self.bag(expr.domain, table, names)
        if expr.size is not None:
            return self._together(expr, bag, self.number(expr.size, table, names))

        def found() -> Iterator[Truth]:
            if self._of_tiles_alone(expr):
                yield from self._tuples(expr, bag)
                return
            for inner, needed in self.choices(expr.names, bag, names):
                body = self._of_seat(expr, table, inner)
                if expr.kind == "every":
                    body = negate(body)
                if body is not False:
                    yield conj(*(at_least(bag.count(k), c) for k, c in needed.items()), body)

        some = any_of(found())
        return some if expr.kind == "some" else negate(some)

    def _of_seat(self, expr: ir.Quant, table: SymbolicState | None, names: Mapping[str, Value]) -> Truth:
        """What is asked of one choice; of a seat, it is worked out once for all tables that have the same there."""
        name = expr.names[0]
        seat = names[name]
        if table is None or len(expr.names) > 1 or seat.__class__ is not int or expr.domain.type != SEATS:
            return self.truth(expr.body, table, names)
        reads = self.reads.of_body(expr.body, name)
        if reads is None:
            return self.truth(expr.body, table, names)
        read = values(reads, (seat,), table)
        key = (id(expr.body), seat, self.arrangement)
        return self._as_before(key, (), read, lambda: self.truth(expr.body, table, names))

    def _of_tiles_alone(self, expr: ir.Quant) -> bool:
        """Whether what several tiles are asked is known of any tiles, whatever else is so."""
        if len(expr.names) == 1 or self.traced is not None or expr.domain.type != BagType(Tile()):
            return False
        if id(expr) not in self._alone:
            alone = names_in(expr.body) <= {*expr.names} and first_read(expr.body, self.definitions) is None
            self._alone[id(expr)] = (expr, alone)
        return self._alone[id(expr)][1]

    def _tuples(self, expr: ir.Quant, bag: Bag) -> Iterator[Truth]:
        """Of each choice of tiles that makes a difference: whether the bag has it."""
        if id(expr) not in self._chosen:
            every = Bag(dict.fromkeys(self.kinds, len(expr.names)))
            rows = []
            for inner, needed in self.choices(expr.names, every, {}):
                body = self.truth(expr.body, None, inner)
                if expr.kind == "every":
                    body = negate(body)
                if body is not False:
                    rows.append((tuple(needed.items()), body))
            self._chosen[id(expr)] = rows
        there: dict[tuple[Any, int], Truth] = {}
        for wanted, body in self._chosen[id(expr)]:
            for asked in wanted:
                if asked not in there:
                    there[asked] = at_least(bag.count(asked[0]), asked[1])
            yield conj(*(there[asked] for asked in wanted), body)

    def _together(self, expr: ir.Quant, bag: Bag, wanted: Number) -> Truth:
        """Whether some so many of a bag together are of a shape or make an arrangement."""
        match expr.body:
            case ir.IsShape(arg=ir.Local(name=name), shape=shape) if (
                name == expr.names[0] and expr.kind != "every" and isinstance(wanted, int)
            ):
                some = any_of(within(h, bag) for h in self.hands(shape) if size(h) == wanted)
                return some if expr.kind == "some" else negate(some)
            case _:
                raise Unsupported("a choice of several together, within another question")

    def _fold(self, expr: ir.Fold, table: SymbolicState | None, names: Mapping[str, Value]) -> Value:
        bag = self.bag(expr.domain, table, names)
        if expr.size is not None:
            return self._counted(expr, bag, table, names)
        rows: list[tuple[Any, Number, Truth, Mapping[str, Value]]] = []
        for inner, needed in self.choices(expr.names, bag, names):
            test: Truth = True if expr.test is None else self.truth(expr.test, table, inner)
            if test is not False:
                often: Number = 1
                for key, count in needed.items():
                    for less in range(count):
                        often = times(often, minus(bag.count(key), less))
                rows.append((inner[expr.names[0]], often, test, inner))

        def item(inner: Mapping[str, Value]) -> Value:
            assert expr.item is not None
            return self.value(expr.item, table, inner)

        match expr.kind:
            case "count":
                return total_of(ite_number(t, c, 0) for _, c, t, _ in rows)
            case "sum":
                return total_of(ite_number(t, times(c, as_number(item(i))), 0) for _, c, t, i in rows)
            case "gather":
                parts = []
                for _, c, t, i in rows:
                    inside = as_bag(item(i))
                    often = ite_number(t, c, 0)
                    parts.append(Bag({k: times(often, n) for k, n in inside.items()}))
                return joined(*parts)
            case "those":
                return Bag({k: ite_number(t, c, 0) for k, c, t, _ in rows})
            case "each":
                out = []
                for _, c, t, i in rows:
                    often = ite_number(t, c, 0)
                    for guard, plain in cases(item(i)):
                        out.append(Bag({as_key(plain): ite_number(guard, often, 0)}))
                return joined(*out)
            case "the":
                present = [(k, conj(at_least(c, 1), t)) for k, c, t, _ in rows]
                present = [(k, s) for k, s in present if s is not False]
                if not present:
                    return None
                alike: dict[Any, list[tuple[Any, Truth]]] = {}
                for k, s in present:
                    alike.setdefault(k.tiles if isinstance(k, Group) else k, []).append((k, s))
                how_many = total_of(ite_number(any_of(s for _, s in a), 1, 0) for a in alike.values())
                one = equal(how_many, 1)
                return guarded_union(
                    [(conj(s, one), k) for a in alike.values() for k, s in self._first_of(a)]
                    + [(negate(one), None)]
                )
            case "most" | "least":
                some: Truth = False
                best: Number = 0
                for _, c, t, i in rows:
                    here, value = conj(at_least(c, 1), t), as_number(item(i))
                    if expr.kind == "most":
                        better = at_least(value, best)
                    else:
                        better = at_least(best, value)
                    best = ite_number(conj(here, disj(negate(some), better)), value, best)
                    some = disj(some, here)
                return best
            case _:
                raise Unsupported(f"`{expr.kind}`")

    def _counted(
        self, expr: ir.Fold, bag: Bag, table: SymbolicState | None, names: Mapping[str, Value]
    ) -> int:
        """How many choices of so many members together pass a test, gone through one by one."""
        size = self.number(expr.size, table, names) if expr.size is not None else 0
        if not bag.concrete or not isinstance(size, int):
            raise Unsupported("how many choices there are of what is not known")
        if expr in self.counted:
            return self.counted[expr]
        copies = {k: n for k, n in bag.items() if isinstance(n, int)}
        many = space(copies, size).different
        if many > MOST_COUNTED:
            raise Unsupported(
                f"something of {many:,} choices of {size}: it goes through {MOST_COUNTED:,} at most"
            )
        [word] = expr.names
        kept, self._answers = self._answers, {}  # what is found on the way is never asked again

        def passes(choice: tuple[Any, ...]) -> bool:
            self._answers.clear()
            test = (
                True if expr.test is None else self.truth(expr.test, table, {**names, word: bag_of(choice)})
            )
            if not isinstance(test, bool):
                raise Unsupported("a number of what is not known")
            return test

        among = None if expr.test is None else self._among(expr.test, word)
        try:
            if among is None:
                found = tally(copies, size, passes).get(True, Count()).ways
            else:
                fitting = (h for h in among if sum(h.counts.values()) == size)
                found = sum(ways_to_take(copies, h.counts) for h in fitting if passes(h.tiles()))
        finally:
            self._answers = kept
        if not names and table is None:
            self.counted[expr] = found
        return found

    def _among(self, test: ir.Expr, word: str) -> list[Bag] | None:
        """Hands among which all are that pass a test, each once; None where that cannot be told at sight."""
        match test:
            case ir.IsShape(arg=ir.Local(name=name), shape=shape) if name == word:
                asked = [shape]
            case ir.Op(op="not", args=(ir.Op(op="is_none", args=(ir.CallScore(name=name, args=args),)),)):
                score = self.scores[name]
                alone = len(args) == 1 and isinstance(args[0], ir.Local) and args[0].name == word
                if (
                    not alone
                    or score.fixed is not None
                    or score.hand != ir.Local(score.params[0].name, args[0].type)
                ):
                    return None
                asked = [*score.arrangements]
            case ir.CallDef(name=name, args=(ir.Local(name=given),)) if given == word:
                definition = self.definitions[name]
                if not definition.single:
                    return None
                return self._among(definition.cases[0].expr, definition.params[0].name)
            case _:
                return None
        try:
            return [*{hand.tiles(): hand for a in asked for hand in self.hands(a)}.values()]
        except Unsupported:
            return None

    def _first_of(self, alike: list[tuple[Any, Truth]]) -> list[tuple[Any, Truth]]:
        """One of some groups of the same tiles with different labels: whichever lies first, which is not known."""
        if len(alike) == 1:
            return alike
        chosen = self.symbols.of("first", [*range(len(alike))])
        wanted = [same(chosen, i) for i in range(len(alike))]
        missing = negate(any_of(conj(w, has) for w, (_, has) in zip(wanted, alike, strict=True)))
        found = []
        earlier: Truth = False
        for want, (group, has) in zip(wanted, alike, strict=True):
            found.append((group, conj(has, disj(want, conj(missing, negate(earlier))))))
            earlier = disj(earlier, has)
        return found

    # ------------------------------------------------------------------ shapes and scores

    def is_shape(self, value: Value, name: str) -> Truth:
        """Whether tiles are of a shape or make an arrangement."""
        if value is None:
            return False
        if isinstance(value, Group):
            return self.shapes.holds(value.tiles, value.label, name)
        bag = as_bag(value)
        if bag.concrete:
            return self.shapes.holds(bag.tiles(), None, name)
        if name in self.shape_decls:
            shape = self.shape_decls[name]
            if shape.union:
                return any_of(self.is_shape(bag, u) for u in shape.union)
            assert shape.test is not None
            if not shape.names:
                fits_size = equal(size(bag), shape.size)
                return conj(fits_size, self.truth(shape.test, None, {"it": bag}))
            groups = self.shapes.groups(name)
            if len(groups) <= MOST_GROUPS:
                return any_of(bags_same(bag, group_bag(Group(g))) for g in groups)
        return self._abstract(
            f"is {name}",
            (bag,),
            BOOLEAN,
            lambda b: iff(b, any_of(bags_same(bag, h) for h in self.hands(name))),
        )

    def lie_as(self, groups: Bag, tiles: Bag, name: str) -> Truth:
        """Whether groups are all of some tiles, laid out as an arrangement."""
        return conj(bags_same(tiles_of(groups), tiles), self._parts(groups, name))

    def _parts(self, groups: Bag, name: str) -> Truth:
        arrangement = self.arrangements[name]
        if arrangement.union:
            return any_of(self._parts(groups, u) for u in arrangement.union)
        if len(arrangement.parts) != 1:
            raise Unsupported(f"groups that lie as `{name}`, of several shapes")
        part = arrangement.parts[0]
        right = [equal(size(groups), part.count)]
        for group, count in groups.items():
            if not self.shapes.holds(group.tiles, None, part.shape):
                right.append(equal(count, 0))
            elif part.different:
                right.append(at_least(1, count))
        return all_of(right)

    def candidates(self, name: str) -> list[Group]:
        """The groups that an arrangement can have. Raises `Unsupported` where they cannot be listed."""
        arrangement = self.arrangements[name]
        if arrangement.union:
            return list(dict.fromkeys(g for u in arrangement.union for g in self.candidates(u)))
        return list(dict.fromkeys(g for part in arrangement.parts for g in self._groups(part.shape)))

    def _groups(self, shape: str) -> list[Group]:
        decl = self.shape_decls[shape]
        if decl.union:
            return list(dict.fromkeys(g for u in decl.union for g in self._groups(u)))
        if decl.names:
            return [Group(g) for g in sorted(self.shapes.groups(shape))]
        assert decl.test is not None
        for asked in conjuncts(decl.test):
            if isinstance(asked, ir.IsShape) and asked.arg == ir.Local("it", asked.arg.type):
                if asked.shape in self.arrangements:
                    hands = [Group(h.tiles()) for h in self.hands(asked.shape)]
                else:
                    hands = self._groups(asked.shape)
                return [h for h in hands if self.shapes.holds(h.tiles, None, shape)]
        raise Unsupported(f"the groups of `{shape}`, which is a test of all its tiles together")

    def hands(self, name: str) -> list[Bag]:
        """Every bag of tiles of the set that makes an arrangement. Raises `Unsupported` where they are too many."""
        if name in self._endless:
            raise Unsupported(f"the hands of `{name}`, which are too many to list")
        if name not in self._hands:
            self._endless.add(name)  # until they are listed
            if name in self.shape_decls:
                found = {g.tiles for g in self._groups(name)}
            else:
                found = self._laid_out(name)
            self._endless.discard(name)
            self._hands[name] = [group_bag(Group(h)) for h in sorted(found)]
        return self._hands[name]

    def _laid_out(self, name: str) -> set[tuple[int, ...]]:
        arrangement = self.arrangements[name]
        if arrangement.union:
            return set().union(*(self._laid_out(u) for u in arrangement.union))
        hands: set[tuple[int, ...]] = {()}
        for part in arrangement.parts:
            groups = [g.tiles for g in self._groups(part.shape)]
            grown: set[tuple[tuple[int, ...], int]] = {((), -1)}
            for _ in range(part.count):
                larger: set[tuple[tuple[int, ...], int]] = set()
                for tiles, last in grown:
                    for i in range(last + 1 if part.different else max(last, 0), len(groups)):
                        if self.in_set((*tiles, *groups[i])):
                            larger.add((tuple(sorted((*tiles, *groups[i]))), i))
                    if len(larger) > MOST_HANDS:
                        raise Unsupported(f"the hands of `{name}`, which are too many to list")
                grown = larger
            own = {tiles for tiles, _ in grown}
            hands = {h for a in hands for b in own if self.in_set(h := tuple(sorted((*a, *b))))}
            if len(hands) > MOST_HANDS:
                raise Unsupported(f"the hands of `{name}`, which are too many to list")
        return hands

    def in_set(self, tiles: tuple[int, ...]) -> bool:
        """Whether the set has so many of each kind."""
        return all(tiles.count(t) <= self.copies.get(t, 0) for t in set(tiles))

    def _score(self, name: str, args: tuple[Value, ...], table: SymbolicState | None) -> Value:
        plain = tuple(_plain(a) for a in args)
        if all(p is not _UNKNOWN for p in plain):
            return self.shapes.best(name, plain)
        return self._abstract(f"score {name}", args, INTEGER, lambda a: self._said_by(name, args, a))

    def _said_by(self, name: str, args: tuple[Value, ...], answer: Value) -> Truth:
        """What the unknown answer of a score is, where all hands that count can be listed."""
        score = self.scores[name]
        if len(score.params) != 1 or score.fixed is not None or not isinstance(args[0], Bag):
            raise Unsupported(f"what `{name}` says of unknown tiles")
        hands = [h for a in score.arrangements for h in self.hands(a)]
        by_points: dict[int | None, list[Bag]] = {}
        for hand in {h.tiles(): h for h in hands}.values():
            points = self.shapes.best(name, (hand.tiles(),))
            by_points.setdefault(points, []).append(hand)
        facts = [
            iff(same(answer, points), any_of(bags_same(args[0], h) for h in found))
            for points, found in by_points.items()
            if points is not None
        ]
        possible = [p for p in by_points if p is not None]
        return all_of([*facts, any_of([same(answer, None), *(same(answer, p) for p in possible)])])

    def _abstract(
        self, what: str, asked: tuple[Value, ...], kind: str, exact: Callable[[Value], Truth] | None = None
    ) -> Value:
        """An unknown answer, the same one for the same question."""
        key = (what, *map(key_of, asked))
        if key not in self._asked:
            if kind == BOOLEAN:
                answer: Value = self.symbols.truth(what)
            else:
                there = self.symbols.truth(f"{what} counts")
                answer = GuardedUnion(((there, self.symbols.number(what)), (negate(there), None)))
            self._asked[key] = (answer, asked)
            if exact is not None:
                self.axioms.append(partial(exact, answer))
        return self._asked[key][0]


BOOLEAN, INTEGER = "truth", "number"
SEATS = BagType(Seat())
_UNKNOWN = object()


def _of(table: SymbolicState | None) -> SymbolicState:
    if table is None:
        raise Unsupported("a game under way, where none is")
    return table


def _case_by_case(work_out: Callable[[Number, Number], Number], left: Value, right: Value) -> Value:
    """What comes of two numbers; of one of some known ones, and a known one, it is again one of some known ones."""
    if all(v.__class__ is int for side in (left, right) for _, v in cases(side)) and (
        left.__class__ is int or right.__class__ is int
    ):
        return guarded_union((conj(g, h), work_out(a, b)) for g, a in cases(left) for h, b in cases(right))
    return work_out(as_number(left), as_number(right))


def _fewer(have: Number, needed: int) -> bool:
    return have.__class__ is int and have < needed


def _plain(value: Value) -> Any:
    """A known value as a scorer takes it; `_UNKNOWN` for others."""
    if isinstance(value, Bag):
        if not value.concrete:
            return _UNKNOWN
        keys = [k for k, c in value.items() for _ in range(c)]
        return tuple(sorted(keys, key=lambda k: (k.tiles, k.label or "") if isinstance(k, Group) else (k,)))
    if value is None or isinstance(value, bool | int | str | Group):
        return value
    return _UNKNOWN


def key_of(value: Value) -> Any:
    """A value as part of a key. The value has to be kept as long as the key is."""
    if isinstance(value, Bag | GuardedUnion):
        if not value._key:
            value._key.append(_key(value))
        return value._key[0]
    if isinstance(value, z3.AstRef):
        return ("z3", value.ast.value)
    if isinstance(value, list):
        return tuple(map(key_of, value))
    if isinstance(value, bool):
        return ("truth", value)
    return value


def _key(value: Bag | GuardedUnion) -> Any:
    if isinstance(value, Bag):
        return ("bag", frozenset((k, key_of(c)) for k, c in value.items()))
    return ("pick", *((key_of(g), key_of(v)) for g, v in value.cases))
