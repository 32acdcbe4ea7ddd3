"""Is a rule set as every reader of it may assume? Run after every pass in tests.

In: a `RuleSet`. Out: what is wrong with it, in words for golpae's own developers; empty for a sound one.

INVARIANT: what this holds to, backends do not check again: names that are read exist, are read of a player
exactly where each player has one, and have the type that is written at the place; definitions, scores and
shapes are used with values that fit; no definition rests on itself; every name of a quantifier is in scope.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import assert_never

from golpae.ir import expr as ir
from golpae.ir.ruleset import Action, Definition, ParamDecl, RuleSet
from golpae.ir.traverse import nodes
from golpae.ir.types import (
    BOOL,
    INT,
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
    Patterns,
    Points,
    Type,
    fits,
    spoken,
)

Names = Mapping[str, Type]
ARITY = {"not": 1, "neg": 1, "size": 1, "kinds": 1, "is_none": 1, "total": 1}
TRUTHS = {"and", "or", "implies", "not"}
NUMBERS_IN = {"lt", "le", "gt", "ge", "add", "sub", "mul", "div", "mod", "pow", "neg", "range"}
ANSWER_TRUTH = TRUTHS | {
    *("eq", "ne", "bag_eq", "bag_ne", "lt", "le", "gt", "ge", "member", "bag_member", "within", "is_none"),
}


def wellformed(rules: RuleSet) -> list[str]:
    """Everything that is wrong with a rule set."""
    return list(_Check(rules).faults())


class _Check:
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

    def faults(self) -> Iterator[str]:
        rules = self.rules
        yield from self._unique()
        for name, bound in (("low", rules.low), ("high", rules.high)):
            yield from self._typed(bound, INT, {}, f"players.{name}")
        for option in rules.options:
            for bound in (option.low, option.high, option.normally):
                yield from self._typed(bound, INT, {}, f"option {option.name}")
        if rules.tiles.withdrawn is not None:
            yield from self._typed(rules.tiles.withdrawn, TILES, {}, "tiles.withdrawn")
        for var in rules.vars:
            if var.initial is not None:
                yield from self._typed(var.initial, var.type, {}, f"state {var.name}")
        for definition in rules.definitions:
            yield from self._definition(definition)
        for shape in rules.shapes:
            yield from (f"shape {shape.name}: no shape {m}" for m in shape.union if m not in self.shapes)
            if shape.test is not None:
                names: Names = dict.fromkeys(shape.names, TILE) if shape.names else {"it": TILES}
                yield from self._typed(shape.test, BOOL, names, f"shape {shape.name}")
        for arrangement in rules.arrangements:
            yield from (
                f"arrangement {arrangement.name}: no shape {p.shape}"
                for p in arrangement.parts
                if p.shape not in self.shapes
            )
            yield from (
                f"arrangement {arrangement.name}: no arrangement {u}"
                for u in arrangement.union
                if u not in self.arrangements
            )
        for action in rules.actions:
            yield from self._action(action)
        for clause in rules.payout:
            yield from self._effects(clause.effects, {}, f"payout.{clause.name}", paying=True)
        yield from self._scores()
        for prop in rules.properties:
            where = f"{prop.kind} {prop.name}"
            acting = None if prop.after is None else rules.action(prop.after)
            if prop.after is not None and (acting is None or prop.kind in ("theorem", "claim")):
                yield f"{where}: after {prop.after}"
            spoken_of = {} if acting is None else _names_of(acting)
            yield from self._typed(prop.expr, INT if prop.kind == "ends" else BOOL, spoken_of, where)
            if prop.kind not in ("theorem", "claim") and _ways_in(prop.expr):
                yield f"{where}: goes through the ways of a score"
        for definition in rules.definitions:
            if any(_ways_in(case.expr) for case in definition.cases):
                yield f"define {definition.name}: goes through the ways of a score"

    def _unique(self) -> Iterator[str]:
        rules = self.rules
        for what, names in (
            ("zone", [z.name for z in rules.zones]),
            ("state", [v.name for v in rules.vars]),
            ("definition", [d.name for d in rules.definitions]),
            ("action", [a.name for a in rules.actions]),
            ("group", [g.name for g in rules.tiles.groups]),
        ):
            yield from (f"two {what}s called {n}" for n in set(names) if names.count(n) > 1)
        kinds = [a.kind for a in rules.actions]
        yield from (
            f"{kinds.count(k)} actions of kind {k}" for k in ("deal", "end", "finish") if kinds.count(k) != 1
        )
        if sum(z.holds_set for z in rules.zones) != 1:
            yield "not exactly one zone holds the set"

    def _definition(self, definition: Definition) -> Iterator[str]:
        names = {p.name: p.type for p in definition.params}
        for case in definition.cases:
            wanted = definition.type if definition.single else BOOL
            yield from self._typed(case.expr, wanted, names, f"define {definition.name}.{case.name}")
        if definition.name in self._used_by(definition.name, set()):
            yield f"define {definition.name}: rests on itself"

    def _used_by(self, name: str, seen: set[str]) -> set[str]:
        for case in self.definitions[name].cases:
            for node in nodes(case.expr):
                if isinstance(node, ir.CallDef) and node.name in self.definitions and node.name not in seen:
                    seen.add(node.name)
                    self._used_by(node.name, seen)
        return seen

    def _scores(self) -> Iterator[str]:
        for score in self.rules.scores:
            where = f"score {score.name}"
            names: dict[str, Type] = {p.name: p.type for p in score.params}
            for condition in score.provided:
                yield from self._typed(condition.expr, BOOL, names, f"{where}.{condition.name}")
                for said in condition.message:
                    if not isinstance(said, str):
                        yield from self._typed(said, said.type, names, f"{where}.{condition.name} (message)")
            patterns = {p.name for p in score.patterns}
            for line in score.brings:
                named = {line.pattern, *line.brought}
                yield from (f"{where}: no pattern {name} to bring" for name in sorted(named - patterns))
            yield from self._typed(score.hand, TILES, names, f"{where}.hand")
            if score.fixed is not None:
                yield from self._typed(score.fixed, MELDS, names, f"{where}.fixed")
            yield from (
                f"{where}: no arrangement {a}" for a in score.arrangements if a not in self.arrangements
            )
            for name in score.arrangements:
                for part in self.arrangements[name].parts:
                    names[part.word] = Meld() if part.count == 1 else MELDS
            if score.marking is not None:
                names[score.marking[1]] = Meld()
            names["arrangement"] = TILES
            for define, expr in score.defines:
                yield from self._typed(expr, expr.type, names, f"{where}.{define}")
                names[define] = expr.type
            for pattern in score.patterns:
                inner = dict(names)
                if pattern.each is not None:
                    name, domain = pattern.each
                    yield from self._typed(domain, domain.type, names, f"{where}.{pattern.name}")
                    inner[name] = _item(domain.type)
                yield from self._typed(pattern.test, BOOL, inner, f"{where}.{pattern.name}")
                yield from self._typed(pattern.value, INT, inner, f"{where}.{pattern.name}")
            if score.keep is not None:
                judged: dict[str, Type] = dict.fromkeys((p.name for p in score.patterns), BOOL)
                judged |= {"points": INT, "eligible": INT}
                yield from self._typed(score.keep, BOOL, {**judged, **names}, f"{where}.keep")

    # ------------------------------------------------------------------ actions

    def _action(self, action: Action) -> Iterator[str]:
        names = _names_of(action)
        if (action.kind == "deal") != (action.dealing is not None):
            yield f"{action.name}: dealing and kind disagree"
        if action.dealing is not None:
            zone, hand = self.zones.get(action.dealing.zone), self.zones.get(action.dealing.hand)
            if zone is None or zone.each_player or hand is None or not hand.each_player:
                yield f"{action.name}: no such zones to deal between"
            for size in (action.dealing.first, action.dealing.others):
                yield from self._typed(size, INT, names, f"{action.name}.hands")
        for condition in action.conditions:
            where = f"{action.name}.{condition.name}"
            yield from self._typed(condition.expr, BOOL, names, where)
            for part in condition.message:
                if not isinstance(part, str):
                    yield from self._typed(part, part.type, names, f"{where} (message)")
            if not condition.message:
                yield f"{where}: no message"
        for clause in action.effects:
            yield from self._effects(clause.effects, names, f"{action.name}.{clause.name}")

    def _effects(
        self, effects: Iterable[ir.Effect], names: Names, where: str, paying: bool = False
    ) -> Iterator[str]:
        for effect in effects:
            yield from self._effect(effect, names, where, paying)

    def _effect(self, effect: ir.Effect, names: Names, where: str, paying: bool) -> Iterator[str]:
        match effect:
            case ir.Move(what=what, source=source, target=target):
                if what is not None:
                    if not fits(what.type, TILES) and what.type != TILE:
                        yield f"{where}: moves {spoken(what.type)}"
                    yield from self._typed(what, what.type, names, where)
                yield from self._place(source, names, where)
                yield from self._place(target, names, where)
            case ir.SetState(name=name, seat=seat, value=value):
                var = self.vars.get(name)
                if var is None or var.each_player is (seat is None):
                    yield f"{where}: sets {name}, which is no such state"
                    return
                yield from self._typed(value, var.type, names, where)
                yield from self._seat(seat, names, where)
            case ir.Win(seat=seat):
                yield from self._seat(seat, names, where)
            case ir.Pay(payer=payer, payee=payee, amount=amount):
                if not paying:
                    yield f"{where}: pays outside the payout"
                for who in (payer, payee):
                    yield from self._typed(who, SEAT, names, where)
                yield from self._typed(amount, INT, names, where)
            case ir.Gain(seat=seat, amount=amount):
                if not paying:
                    yield f"{where}: scores outside the payout"
                yield from self._typed(seat, SEAT, names, where)
                yield from self._typed(amount, INT, names, where)
            case ir.Shuffle(zone=zone):
                yield from self._place(zone, names, where)
            case ir.Arrange(zone=zone, tiles=tiles):
                yield from self._place(zone, names, where)
                yield from self._typed(tiles, TILES, names, where)
            case ir.PassOn(zone=zone_name, side=side):
                passed = self.zones.get(zone_name)
                if passed is None or not passed.each_player or side not in ("right", "left"):
                    yield f"{where}: passes {zone_name} to the {side}"
            case ir.When(test=test, effects=inner):
                yield from self._typed(test, BOOL, names, where)
                yield from self._effects(inner, names, where, paying)
            case ir.ForEach(name=name, domain=domain, effects=inner):
                yield from self._typed(domain, domain.type, names, where)
                yield from self._effects(inner, {**names, name: _item(domain.type)}, where, paying)
            case _:
                assert_never(effect)

    def _place(self, place: ir.Place | ir.MeldPlace, names: Names, where: str) -> Iterator[str]:
        if isinstance(place, ir.MeldPlace):
            yield from self._typed(place.meld, Opt(Meld()), names, where)
            return
        zone = self.zones.get(place.zone)
        if zone is None or zone.each_player is (place.seat is None):
            yield f"{where}: no such zone {place.zone}"
        elif place.end is not None and zone.kind != "row":
            yield f"{where}: {place.zone} has no {place.end}"
        yield from self._seat(place.seat, names, where)

    def _seat(self, seat: ir.Expr | None, names: Names, where: str) -> Iterator[str]:
        if seat is not None:
            yield from self._typed(seat, SEAT, names, where)

    # ------------------------------------------------------------------ expressions

    def _typed(self, expr: ir.Expr, wanted: Type, names: Names, where: str) -> Iterator[str]:
        """Faults of an expression that has to serve as `wanted`."""
        if not fits(expr.type, wanted):
            yield f"{where}: {spoken(expr.type)} stands for {spoken(wanted)}"
        yield from self._expr(expr, names, where)

    def _all(self, exprs: Iterable[ir.Expr], names: Names, where: str) -> Iterator[str]:
        for expr in exprs:
            yield from self._expr(expr, names, where)

    def _expr(self, expr: ir.Expr, names: Names, where: str) -> Iterator[str]:
        match expr:
            case ir.Const():
                if (expr.value is None) is not (expr.type == NONE):
                    yield f"{where}: a constant {expr.value!r} of type {spoken(expr.type)}"
            case ir.Local(name=name):
                if name not in names:
                    yield f"{where}: {name} is not in scope"
                elif not fits(expr.type, names[name]):
                    yield f"{where}: {name} is read as {spoken(expr.type)}"
            case ir.StateRead(name=name, seat=seat):
                var = self.vars.get(name)
                if var is None or var.each_player is (seat is None) or not fits(expr.type, var.type):
                    yield f"{where}: no such state {name}"
                yield from self._seat(seat, names, where)
            case ir.ZoneRead(name=name, seat=seat):
                zone = self.zones.get(name)
                if zone is None or zone.each_player is (seat is None):
                    yield f"{where}: no such zone {name}"
                elif expr.type != (MELDS if zone.kind == "melds" else TILES):
                    yield f"{where}: {name} is read as {spoken(expr.type)}"
                yield from self._seat(seat, names, where)
            case (
                ir.ZoneEnd(name=name, seat=seat)
                | ir.ZonePlace(name=name, seat=seat)
                | ir.Fits(name=name, seat=seat)
                | ir.FitsOrder(name=name, seat=seat)
            ):
                zone = self.zones.get(name)
                if zone is None or zone.kind != "row" or zone.each_player is (seat is None):
                    yield f"{where}: no such row {name}"
                yield from self._seat(seat, names, where)
                if isinstance(expr, ir.ZonePlace):
                    yield from self._typed(expr.number, INT, names, where)
                elif isinstance(expr, ir.Fits):
                    yield from self._typed(expr.tile, TILE, names, where)
                elif isinstance(expr, ir.FitsOrder):
                    yield from self._typed(expr.tiles, TILES, names, where)
            case ir.Earlier(expr=inner):
                yield from self._typed(inner, expr.type, names, where)
                if any(isinstance(node, ir.Earlier) for node in nodes(inner)):
                    yield f"{where}: earlier than what was earlier"
            case ir.FitsScore(patterns=patterns, score=score):
                yield from self._typed(patterns, Patterns(), names, where)
                yield from self._typed(score, Points(), names, where)
            case ir.Builtin(name=name, seat=seat):
                if (name in ("right", "left", "total")) is (seat is None):
                    yield f"{where}: {name} is asked wrongly"
                yield from self._seat(seat, names, where)
            case ir.OptionRead(name=name):
                if name not in self.options:
                    yield f"{where}: no option {name}"
            case ir.Attr(name=name, tile=tile):
                if name != "group" and name not in self.rules.tiles.attributes:
                    yield f"{where}: no attribute {name}"
                yield from self._typed(tile, TILE, names, where)
            case ir.Group(name=name):
                if name not in self.groups:
                    yield f"{where}: no group {name}"
            case ir.OwnValue(values=values, seat=seat):
                yield from self._typed(values, Each(expr.type), names, where)
                yield from self._typed(seat, SEAT, names, where)
            case ir.CallDef(name=name, args=args):
                definition = self.definitions.get(name)
                if definition is None:
                    yield f"{where}: no definition {name}"
                else:
                    yield from self._args(name, definition.params, args, names, where)
                    if expr.type != definition.type:
                        yield f"{where}: {name} gives {spoken(definition.type)}"
            case ir.CallScore(name=name, args=args):
                if name not in self.scores:
                    yield f"{where}: no score {name}"
                else:
                    yield from self._args(name, self.scores[name].params, args, names, where)
            case ir.Op():
                yield from self._op(expr, names, where)
            case ir.BagOf(items=items):
                item = _item(expr.type)
                for each in items:
                    yield from self._typed(each, item, names, where)
            case ir.Quant(names=bound, domain=domain, body=body, size=size):
                yield from self._expr(domain, names, where)
                chosen = _item(domain.type)
                if size is not None:
                    chosen = Bag(chosen)
                    yield from self._typed(size, INT, names, where)
                    if len(bound) != 1:
                        yield f"{where}: {len(bound)} names of members together"
                yield from self._typed(body, BOOL, {**names, **dict.fromkeys(bound, chosen)}, where)
            case ir.Ways(score=name, body=body):
                if name not in self.scores:
                    yield f"{where}: no score {name}"
                # the names of the score's own parts and patterns are taken at their word
                own = {n.name: n.type for n in nodes(body) if isinstance(n, ir.Local)}
                yield from self._typed(body, BOOL, {**names, **own}, where)
                if _ways_in(body):
                    yield f"{where}: ways within ways"
            case ir.Fold():
                yield from self._fold(expr, names, where)
            case ir.If(test=test, yes=yes, no=no):
                yield from self._typed(test, BOOL, names, where)
                for branch in (yes, no):
                    yield from self._typed(branch, expr.type, names, where)
            case ir.IsShape(arg=arg, shape=shape):
                labels = {m.label for m in self._moves() if m.label is not None}
                if shape not in {*self.shapes, *self.arrangements, *labels}:
                    yield f"{where}: no shape {shape}"
                yield from self._typed(arg, TILES, names, where)
            case ir.LayOut(groups=groups, tiles=tiles, arrangement=arrangement):
                if arrangement not in self.arrangements:
                    yield f"{where}: no arrangement {arrangement}"
                yield from self._typed(groups, Bag(TILES), names, where)
                yield from self._typed(tiles, TILES, names, where)
            case ir.Implicit(kind=kind):
                if kind not in ir.IMPLICIT:
                    yield f"{where}: no implicit condition {kind}"
            case _:
                assert_never(expr)

    def _args(
        self, name: str, params: tuple[ParamDecl, ...], args: tuple[ir.Expr, ...], names: Names, where: str
    ) -> Iterator[str]:
        if len(params) != len(args):
            yield f"{where}: {name} with {len(args)} values"
            return
        for param, arg in zip(params, args, strict=True):
            yield from self._typed(arg, param.type, names, where)

    def _op(self, expr: ir.Op, names: Names, where: str) -> Iterator[str]:
        if expr.op not in ir.OPS:
            yield f"{where}: no operator {expr.op}"
        if len(expr.args) != ARITY.get(expr.op, 2):
            yield f"{where}: {expr.op} of {len(expr.args)}"
        if expr.op in ANSWER_TRUTH and expr.type != BOOL:
            yield f"{where}: {expr.op} gives {spoken(expr.type)}"
        if expr.op == "range" and expr.type != NUMBERS:
            yield f"{where}: a range gives {spoken(expr.type)}"
        wanted = BOOL if expr.op in TRUTHS else INT if expr.op in NUMBERS_IN else None
        for arg in expr.args:
            if wanted is not None:
                yield from self._typed(arg, wanted, names, where)
            else:
                yield from self._expr(arg, names, where)

    def _fold(self, expr: ir.Fold, names: Names, where: str) -> Iterator[str]:
        yield from self._expr(expr.domain, names, where)
        chosen = _item(expr.domain.type)
        if expr.size is not None:
            chosen = Bag(chosen)
            yield from self._typed(expr.size, INT, names, where)
            if expr.kind != "count" or len(expr.names) != 1:
                yield f"{where}: a {expr.kind} of {len(expr.names)} names of members together"
        inner = {**names, **dict.fromkeys(expr.names, chosen)}
        if expr.test is not None:
            yield from self._typed(expr.test, BOOL, inner, where)
        if (expr.item is not None) is not (expr.kind in ("sum", "gather", "most", "least", "each")):
            yield f"{where}: a {expr.kind} with or without an item"
        if expr.item is not None:
            yield from self._expr(expr.item, inner, where)

    def _moves(self) -> Iterator[ir.Move]:
        for action in self.rules.actions:
            for clause in action.effects:
                yield from _moves_in(clause.effects)


def _moves_in(effects: Iterable[ir.Effect]) -> Iterator[ir.Move]:
    for effect in effects:
        if isinstance(effect, ir.Move):
            yield effect
        elif isinstance(effect, ir.When | ir.ForEach):
            yield from _moves_in(effect.effects)


def _names_of(action: Action) -> dict[str, Type]:
    """Who acts, the parameters of an action and the parts of those."""
    names: dict[str, Type] = {} if action.by is None else {action.by: SEAT}
    for param in action.params:
        names[param.name] = param.type
        names |= dict.fromkeys(param.parts, TILE)
    return names


def _ways_in(expr: ir.Expr) -> bool:
    return any(isinstance(node, ir.Ways) for node in nodes(expr))


def _item(kind: Type) -> Type:
    """What a bag holds; a meld holds tiles."""
    match kind:
        case Bag(item):
            return item
        case Meld():
            return TILE
        case _:
            return NONE
