"""Choices of values for the parameters of an action.

Input: an action and a state. Output: each choice of tiles, seats and words, as values by name; a parameter with endless
values is a symbol. Guarantee: every event that a game can have is covered by one of the choices.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement, permutations, product

from golpae.ir import expr as ir
from golpae.ir.facts import Equal, LaidOut, Within, facts
from golpae.ir.ruleset import Action, ParamDecl, RuleSet
from golpae.ir.traverse import conjuncts, names_in
from golpae.ir.types import Bag as BagType
from golpae.ir.types import Bool, Choice, Each, Int, Opt, Seat, Tile
from golpae.lower.effects import statements_of
from golpae.lower.walk import transfers
from golpae.prove.encoding.argument_order import is_order_sensitive
from golpae.prove.encoding.step import FREE
from golpae.prove.evaluation.composed import unknown_key
from golpae.prove.evaluation.evaluator import OPAQUE, Evaluator
from golpae.prove.symbolic.parts import parts_apart
from golpae.prove.symbolic.state import SymbolicState
from golpae.prove.symbolic.terms import Unsupported
from golpae.prove.symbolic.values import EMPTY, Bag, MeldValue, Value, bag_of, first_of, merge, negate

MOST_NUMBERS = 40  # between two bounds, if they are enumerated
MOST_TOGETHER = 2_500  # choices of tiles that are the keys of one meld
FEW = (Seat, Tile, Choice, Bool)  # types whose values are enumerated


class ParameterChoices:
    """Choices of values for the actions of one rule set at one table.

    `order_sensitive` caches for each action whether the order of the tiles in `{a, b}` matters.
    """

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self.order_sensitive: dict[str, bool] = {}
        self._melded: dict[str, frozenset[str]] = {}

    def of(
        self, action: Action, state: SymbolicState, seat: int, exhaustive: bool
    ) -> Iterator[dict[str, Value]]:
        """Return the choices of values for an action by a seat.

        If `exhaustive`, every tile is filled in, and so are groups, so that no parameter is left open.
        """
        rows: list[list[dict[str, Value]]] = []
        if action.by is not None:
            rows.append([{action.by: seat}])
        given = given_values(action, state)
        rows.append([given])
        tiles = 0
        for param in action.params:
            if param.name in given:
                continue
            tiles += param.type == Tile()
            is_enough = tiles > 1 and not exhaustive and param.name not in self._together(action)
            if param.type == Tile() and is_enough:  # one tile filled in is enough, if it is alone
                rows.append([{param.name: unknown_key(self._evaluator, param.name, param.type)}])
            elif exhaustive and (some := self._some_tiles(action, param, state, seat)) is not None:
                rows.append([{param.name: some}])
            else:
                rows.append(list(self.values_of(action, param, exhaustive)))
        for chosen in product(*rows):
            yield {k: v for row in chosen for k, v in row.items()}

    def _together(self, action: Action) -> frozenset[str]:
        """Return the keys that name tiles of one meld, if the choices of all of them are few; else none."""
        if action.name not in self._melded:
            names = tiles_of_melds(action, self._evaluator.rules)
            few = len(self._evaluator.kinds) ** len(names) <= MOST_TOGETHER
            self._melded[action.name] = names if few else frozenset()
        return self._melded[action.name]

    def count(self, action: Action) -> int:
        """Return roughly how many choices an action has."""
        number = 1
        for param in action.params:
            if param.parts:
                number *= len(self._evaluator.kinds) ** len(param.parts)
            elif not param.optional and _has_few_values(param):
                number *= len(self._evaluator.values(param.type))
        return number

    def values_of(self, action: Action, param: ParamDecl, exhaustive: bool) -> Iterator[dict[str, Value]]:
        """Return the values of one parameter, each with its parts."""
        if param.parts:
            for tiles in combinations_with_replacement(self._evaluator.kinds, len(param.parts)):
                if self._evaluator.in_set(tiles):
                    sensitive = self.is_order_sensitive(action)
                    for order in sorted(set(permutations(tiles))) if sensitive else [tiles]:
                        yield {param.name: bag_of(tiles), **dict(zip(param.parts, order, strict=True))}
        elif exhaustive:
            for value in self._each_value(action, param):
                yield {param.name: value}
        else:
            yield from self._some_value(action, param)

    def _some_value(self, action: Action, param: ParamDecl) -> Iterator[dict[str, Value]]:
        """Return the values of a parameter, most often as one unknown value; OPAQUE if it has no encoding."""
        if not param.optional and isinstance(param.type, FEW):
            for value in self._evaluator.values(param.type):
                yield {param.name: value}
        elif param.type == BagType(BagType(Tile())):
            groups = self._groups(action, param)
            yield {param.name: OPAQUE if groups is None else groups}
        else:
            yield {param.name: self.unknown(param)}

    def unknown(self, param: ParamDecl) -> Value:
        """Return an unknown value of a parameter: FREE for a number without bounds, OPAQUE if it has no encoding."""
        bare = param.type.item if isinstance(param.type, Opt) else param.type
        numbers = self._numbers(param)
        if numbers is not None:
            value: Value = self._evaluator.symbols.of(param.name, numbers, bare)
        elif bare == Int() and not isinstance(param.type, Opt):
            return FREE
        elif bare == BagType(Tile()):
            value = self._evaluator.symbols.bag(param.name, dict(self._evaluator.copies))
        elif isinstance(bare, (*FEW, Int)):
            return unknown_key(self._evaluator, param.name, param.type)
        elif (
            isinstance(bare, Each)
            and isinstance(bare.item, (*FEW, Int))
            and bare == param.type
            and param.low is None
        ):
            return [
                unknown_key(self._evaluator, param.name, bare.item) for _ in range(self._evaluator.players)
            ]
        else:
            return OPAQUE
        if not isinstance(param.type, Opt):
            return value
        there = self._evaluator.symbols.truth(param.name)
        return merge([(there, value), (negate(there), None)])

    def _each_value(self, action: Action, param: ParamDecl) -> Iterator[Value]:
        """Return values of a parameter that an event can have for certain, as far as conditions allow.

        An unknown one stands for any of its kind, so that nothing is proved by a lucky choice.
        """
        bare = param.type.item if isinstance(param.type, Opt) else param.type
        if isinstance(param.type, Opt):
            yield None
        numbers = self._numbers(param)
        if numbers is not None:
            yield from numbers
        elif isinstance(bare, FEW):
            yield from self._evaluator.values(bare)
        elif param.optional:
            return
        elif bare == Int():
            yield (
                unknown_key(self._evaluator, param.name, param.type) if isinstance(param.type, Opt) else FREE
            )
        elif bare == BagType(Tile()) or isinstance(bare, Each):
            value = self.unknown(param)
            if value is not OPAQUE:
                yield value
        elif param.type == BagType(BagType(Tile())):
            groups = self._groups(action, param)
            if groups is not None and _layout_of(action, param) is not None:
                yield groups
            else:
                yield EMPTY

    def _some_tiles(self, action: Action, param: ParamDecl, state: SymbolicState, seat: int) -> Bag | None:
        """Return tiles that a key can have as far as two conditions say: where they lie, and how many they are.

        tiles in p's hand, size of tiles = 3        the first three tiles of the hand
        """
        if param.type != BagType(Tile()) or param.optional:
            return None
        names: dict[str, Value] = {} if action.by is None else {action.by: seat}
        key = ir.Local(param.name, param.type)
        stated = [fact for condition in action.conditions for fact in facts(condition.expr)]
        wholes = [fact.whole for fact in stated if isinstance(fact, Within) and fact.part == key]
        sides = [side for fact in stated if isinstance(fact, Equal) for side in fact.sides()]
        numbers = [
            n for one, n in sides if isinstance(one, ir.Op) and one.op == "size" and one.args == (key,)
        ]
        if not wholes or not all(names_in(e) <= names.keys() for e in (*wholes[:1], *numbers[:1])):
            return None
        number = self._evaluator.number(numbers[0], state, names) if numbers else 1
        return first_of(self._evaluator.bag(wholes[0], state, names), number)

    def _numbers(self, param: ParamDecl) -> list[int] | None:
        """Return the numbers between the bounds of a parameter if it is one, and these are known and few."""
        bare = param.type.item if isinstance(param.type, Opt) else param.type
        if bare != Int() or param.low is None or param.high is None:
            return None
        try:
            low, high = (self._evaluator.number(bound, None, {}) for bound in (param.low, param.high))
        except Unsupported:
            return None
        if not isinstance(low, int) or not isinstance(high, int) or not 0 <= high - low < MOST_NUMBERS:
            return None
        return [*range(low, high + 1)]

    def is_order_sensitive(self, action: Action) -> bool:
        """Return whether the order in which an event names its tiles matters."""
        if action.name not in self.order_sensitive:
            with parts_apart():  # it is kept for whatever asks next
                self.order_sensitive[action.name] = is_order_sensitive(action, self._evaluator)
        return self.order_sensitive[action.name]

    def _groups(self, action: Action, param: ParamDecl) -> Bag | None:
        """Return unknown groups of those that conditions let a parameter have; None if these do not say which."""
        said = self.groups_said(action, param)
        return None if said is None else self._evaluator.symbols.bag(param.name, dict.fromkeys(said[1]))

    def groups_said(self, action: Action, param: ParamDecl) -> tuple[str, list[MeldValue]] | None:
        """Return the name of a condition that says which groups a parameter can have, and these; None if none does.
        Raises `Unsupported` if they cannot be enumerated.
        """
        shapes = self._evaluator.shapes
        if (layout := _layout_of(action, param)) is not None:
            return layout[0], shapes.candidates(layout[1])
        if (shape := _shape_of(action, param, self._evaluator.rules)) is not None:
            return shape[0], shapes.groups(shape[1])
        return None


def given_values(action: Action, state: SymbolicState) -> dict[str, Value]:
    """Return the parameters of an action whose values the state of every game fixes."""
    if action.kind == "end":
        return {"winner": state.winner, "pay": OPAQUE}
    if action.kind == "finish":
        return {"totals": OPAQUE, "winners": OPAQUE}
    return {}


def tiles_of_melds(action: Action, rules: RuleSet) -> frozenset[str]:
    """Return the keys of an action that are a tile each, and that an effect moves together to a place of melds.

    move {mine, theirs} from p's hand to p's pairs        the keys `mine` and `theirs`
    """
    keys = {p.name for p in action.params if p.type == Tile() and not p.optional}
    out: set[str] = set()
    for moved in transfers(statements_of(rules, action)):
        what, target = moved.what, moved.target
        if isinstance(what, ir.BagOf):
            is_melds = not isinstance(target, ir.Place) or rules.zone(target.zone).kind == "melds"
            names = {i.name for i in what.items if isinstance(i, ir.Local)} & keys
            out |= names if is_melds and len(what.items) > 1 else set()
    return frozenset(out)


def _has_few_values(param: ParamDecl) -> bool:
    kind = param.type.item if isinstance(param.type, Opt) else param.type
    return isinstance(kind, FEW)


def _layout_of(action: Action, param: ParamDecl) -> tuple[str, str] | None:
    """Return the name of a condition, and the arrangement that by it the groups of a parameter make, or None."""
    for condition in action.conditions:
        for fact in facts(condition.expr):
            if isinstance(fact, LaidOut) and fact.groups == ir.Local(param.name, fact.groups.type):
                return condition.name, fact.expr.arrangement
    return None


def _shape_of(action: Action, param: ParamDecl, rules: RuleSet) -> tuple[str, str] | None:
    """Return the name of a condition, and the shape that by it each group of a parameter is, or None.

    every m in sets: m is meld        the groups of the key `sets` are melds
    """
    shapes = {shape.name for shape in rules.shapes}
    for condition in action.conditions:
        for part in conjuncts(condition.expr):
            if not isinstance(part, ir.Quant) or part.kind != "every" or part.size is not None:
                continue
            if part.domain != ir.Local(param.name, param.type) or len(part.names) != 1:
                continue
            for said in conjuncts(part.body):
                if isinstance(said, ir.IsShape) and said.shape in shapes and isinstance(said.arg, ir.Local):
                    if said.arg.name == part.names[0]:
                        return condition.name, said.shape
    return None
