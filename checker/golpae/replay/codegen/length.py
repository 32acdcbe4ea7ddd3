"""How long an evaluation may be: a rough upper bound on its steps, from the text alone.

Input: an instance, and its expressions and effects.
Output: the bound. If it is above `LONG`, generated code counts the steps of each clause; above `VERY_LONG`, also those
of all clauses that decide a property.
Guarantee: quantifiers, sums and loops inside one another multiply, also through definitions. A bag that the text does
not bound, such as one that a state or a key holds, is taken to have no more members than there are tiles; if something
goes through such a bag, `unbounded` says so, and generated code counts whatever the bound is.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import comb, factorial, prod
from typing import assert_never

from golpae.elaborate.instance import Instance
from golpae.ir import expr as ir
from golpae.ir.dependencies import chooses_together, nodes_through
from golpae.ir.limits import WIDEST
from golpae.ir.ruleset import Action, Condition, ParamDecl, ScoreDecl, effects_of, form_of
from golpae.ir.traverse import children, exprs_in, nested, nodes
from golpae.ir.types import Bag, Each, Meld, Opt, Tile, Type
from golpae.replay.steps import MOST_ORDERS, MOST_STEPS

LONG = 1_000_000
VERY_LONG = 50_000_000
FEW_JOINED = 20_000  # members of a bag
MOST_PARTED = 14  # tiles of a hand, whose sub-bags are counted as what can be left of it
OF_WAYS = 2_000  # steps of a pattern; they are taken again for each way to lay out a hand


class Lengths:
    """The bounds of one instance."""

    def __init__(self, instance: Instance) -> None:
        self._instance = instance
        self._rules = instance.rule_set
        self._players = instance.players
        self._tiles = max(len(instance.whole), len(instance.kinds), instance.players, 2)
        self._definitions = {d.name: d for d in self._rules.definitions}
        self._known: dict[str, int] = {}
        self._sizes: dict[str, int] = {}
        self._large_tiles = any(_holds_bag(v.type) for v in self._rules.vars) or any(
            _holds_bag(p.type) for a in self._rules.actions for p in _keys_read(a)
        )
        self._longest: int | None = None
        self.unbounded = False  # whether something that was asked for goes through a bag without a bound

    def longest(self) -> int:
        """Return the largest bound of a clause, of the orders of an event, or of a property that replay evaluates."""
        if self._longest is None:
            self._longest = self._longest_clause()
        return self._longest

    def _longest_clause(self) -> int:
        rules = self._rules
        clauses = [*(c for a in rules.actions for c in a.effects), *rules.payout]
        exprs = [e for a in rules.actions for e in _exprs_of(a)]
        exprs += [v.initial for v in rules.vars if v.initial is not None]
        exprs += [s.event for s in rules.shares if not chooses_together(s.event, self._definitions)]
        for prop in rules.properties:
            ways = (n for n in nodes_through(prop.expr, self._definitions) if isinstance(n, ir.Ways))
            if not any(ways) and not chooses_together(prop.expr, self._definitions):
                if not form_of(prop.kind).of_rules:
                    exprs.append(prop.expr)
        for score in rules.scores:
            exprs += [e for p in score.patterns for e in (p.test, p.value)]
            exprs += [e for _, e in score.defines]
            exprs += [e for e in (score.keep, score.formula) if e is not None]
        orders = (self._orders(action) for action in rules.actions)
        return max(self._effects(effects_of(clauses)), *orders, *map(self.steps, exprs))

    def may_be_long(self) -> bool:
        """Return whether something may take so many steps that they have to be counted."""
        rules, kinds = self._rules, len(self._instance.kinds)
        if self.longest() > LONG or any(self._of_score(score) > LONG for score in rules.scores):
            return True
        once = [  # tables and lists of groups are made once
            kinds ** len(d.params) * self.of_definition(d.name)
            for d in rules.definitions
            if len(d.params) <= 2 and all(isinstance(p.type, Tile) for p in d.params)
        ]
        once += [kinds ** len(s.names) * self.steps(s.test) for s in rules.shapes if s.test is not None]
        return any(steps > MOST_STEPS for steps in once) or self.unbounded

    def _of_score(self, score: ScoreDecl) -> int:
        """Return a bound on the steps of a score; above `LONG` if those for each way may be many together."""
        exprs = [
            score.hand,
            *(e for e in (score.fixed, score.keep, score.formula) if e is not None),
            *(e for _, e in score.defines),
        ]
        if score.marking is not None:
            exprs.append(score.marking[0])
        exprs += [e for c in score.provided for e in _asked(c)]
        steps: int = sum(map(self.steps, exprs))
        for pattern in score.patterns:
            own = self.steps(pattern.test) + self.steps(pattern.value)
            if pattern.each is not None:
                own = self.steps(pattern.each[1]) + self._members(pattern.each[1]) * (1 + own)
            steps += own
        return steps * LONG if steps > OF_WAYS else steps

    def _orders(self, action: Action) -> int:
        """Return a bound on the steps of the conditions of an event, in all orders of its lists."""
        orders = prod(factorial(len(p.parts)) for p in action.params if len(p.parts) > 1)
        return min(orders, MOST_ORDERS) * sum(self.steps(c.expr) for c in action.conditions)

    def steps(self, expr: ir.Expr) -> int:
        """Return a bound on the steps of an expression."""
        if isinstance(expr, ir.Quant):
            return self.steps(expr.domain) + self._rounds(expr, expr.size) * self.steps(expr.body)
        if isinstance(expr, ir.Fold):
            inner = sum(self.steps(e) for e in (expr.item, expr.test) if e is not None)
            if expr.kind == "gather" and expr.item is not None:
                inner += self.joined(expr.item)
            return self.steps(expr.domain) + self._rounds(expr, expr.size) * (1 + inner)
        below = 1 + sum(map(self.steps, children(expr)))
        if isinstance(expr, ir.Op) and expr.op == "bag_add":
            below += self.joined(expr)
        if isinstance(expr, ir.CallDef | ir.CallScore):
            bags = (a for a in expr.args if _holds_bag(a.type))
            self.unbounded |= any(self._members(bag) > self._tiles for bag in bags)
        return below + self.of_definition(expr.name) if isinstance(expr, ir.CallDef) else below

    def joined(self, bag: ir.Expr) -> int:
        """Return how many members a bag has at most that is joined to others; 0 if they are too few to be counted."""
        members = self._members(bag)
        return members if members > FEW_JOINED else 0

    def of_definition(self, name: str) -> int:
        """Return a bound on the steps of a definition."""
        if name not in self._known:
            self._known[name] = 1  # a definition cannot depend on itself
            self._known[name] = sum(self.steps(case.expr) for case in self._definitions[name].cases)
        return self._known[name]

    def _rounds(self, expr: ir.Quant | ir.Fold, size: ir.Expr | None) -> int:
        members = self._members(expr.domain)
        if size is None:
            return power(members, expr.names)
        together = size.value if isinstance(size, ir.Const) and isinstance(size.value, int) else members // 2
        return comb(members, max(0, min(together, members)))

    def _effects(self, effects: Iterable[ir.Effect]) -> int:
        total = 0
        for effect in effects:
            inner = self._effects(nested(effect))
            own = sum(map(self.steps, exprs_in([effect])))
            rounds = self._members(effect.domain) if isinstance(effect, ir.ForEach) else 1
            total += own + rounds * (1 + inner)
        return total

    def _members(self, domain: ir.Expr) -> int:
        """Return how many members a bag has at most, as far as the text shows."""
        if isinstance(domain, ir.DuringGame):
            return self._during_game(domain)
        match domain:
            case ir.Builtin(name="players", seat=_):
                return self._players
            case ir.Builtin(name=_, seat=_) | ir.Group(name=_):
                return self._tiles
            case ir.BagOf(items=items):
                return len(items)
            case ir.Parted():  # by class
                return 1 << min(self._tiles, MOST_PARTED)
            case ir.Op(op="range" | "bag_add" | "bag_sub"):
                return self._combined(domain)
            case ir.Op(op="kinds" | "tiles", args=(inner,)) | ir.Faces(arg=inner, type=_):
                return self._members(inner)
            case ir.Op(op="otherwise", args=(one, other)) | ir.If(yes=one, no=other, test=_):
                return max(self._members(one), self._members(other))
            case ir.CallDef(name=name, args=_):
                if name not in self._sizes:
                    self._sizes[name] = 1  # a definition cannot depend on itself
                    cases = self._definitions[name].cases
                    self._sizes[name] = max((self._members(case.expr) for case in cases), default=0)
                return self._sizes[name]
            case ir.Fold(
                kind="gather", item=ir.ZoneRead(), domain=ir.Builtin(name="players"), names=_, test=_, size=_
            ):
                return self._tiles  # the zones of all players together
            case ir.Fold(kind="each", size=size, names=_, domain=_, item=_, test=_) if size is not None:
                return self._rounds(domain, size)
            case ir.Fold(kind="those" | "each" | "gather" as kind, item=item, test=_, size=_):
                gathered = kind == "gather" and item is not None and _holds_bag(item.type)
                each = self._members(item) if gathered and item is not None else 1
                return power(self._members(domain.domain), domain.names) * each
            case (
                ir.Const()
                | ir.Local()
                | ir.FitsScore()
                | ir.ScoreNumber()
                | ir.OptionRead()
                | ir.Attr()
                | ir.OwnValue()
                | ir.Op()
                | ir.Quant()
                | ir.Ways()
                | ir.Fold()
                | ir.IsShape()
                | ir.LayOut()
                | ir.IsBeside()
                | ir.CallScore()
            ):  # by class
                return self._held(domain)
            case _:
                assert_never(domain)

    def _during_game(self, bag: ir.DuringGame) -> int:
        """Return how many members a bag of a game in progress has at most."""
        if isinstance(bag, ir.ZoneRead):
            return self._tiles
        return self._members(bag.expr) if isinstance(bag, ir.Earlier) else self._held(bag)

    def _held(self, bag: ir.Expr) -> int:
        """Return how many members a bag that a name, a state or a key holds has at most."""
        if isinstance(bag, ir.StateRead) or self._large_tiles or not _has_tiles(bag.type):
            self.unbounded = True
        return self._tiles

    def _combined(self, bag: ir.Op) -> int:
        """Return how many members a range, a sum of bags or a difference of bags has at most."""
        if bag.op == "range":
            low, high = (end.value if isinstance(end, ir.Const) else None for end in bag.args)
            if isinstance(low, int) and isinstance(high, int):
                return min(max(high - low + 1, 0), WIDEST)
            return WIDEST
        if bag.op == "bag_add":
            return sum(map(self._members, bag.args))
        return self._members(bag.args[0])


def has_rounds(effects: Iterable[ir.Effect]) -> bool:
    """Return whether effects, with those inside them, go through members."""
    return any(isinstance(effect, ir.ForEach) for effect in effects)


def power(members: int, names: tuple[str, ...]) -> int:
    """Return how many choices of a member for each name there are."""
    return prod(members for _ in names)


def _exprs_of(action: Action) -> list[ir.Expr]:
    """Return the expressions that an event of an action evaluates before its effects, and to say why it is refused."""
    exprs = [e for condition in action.conditions for e in _asked(condition)]
    dealing = action.dealing
    return exprs if dealing is None else [*exprs, *dealing.sizes]


def _asked(condition: Condition) -> list[ir.Expr]:
    return [condition.expr, *(part for part in condition.message if not isinstance(part, str))]


def _keys_read(action: Action) -> list[ParamDecl]:
    """Return the keys without names for their tiles; those that every game has only if the text reads them."""
    exprs = [*_exprs_of(action), *exprs_in([*effects_of(action.effects)])]
    named = {n.name for e in exprs for n in nodes(e) if isinstance(n, ir.Local)}
    return [p for p in action.params if not p.parts and p.name in named]


def _holds_bag(kind: Type) -> bool:
    """Return whether a value has members."""
    inner = kind.item if isinstance(kind, Opt | Each) else kind
    return isinstance(inner, Bag | Meld)


def _has_tiles(kind: Type) -> bool:
    """Return whether a value has tiles as its members, or bags of tiles."""
    inner = kind.item if isinstance(kind, Opt) else kind
    if isinstance(inner, Meld):
        return True
    return isinstance(inner, Bag) and (isinstance(inner.item, Tile) or _has_tiles(inner.item))
