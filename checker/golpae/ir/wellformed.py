"""Check that a rule set is as its readers assume. Tests run this after every pass.

Input: a `RuleSet`. Output: what is wrong with it, in words for golpae's own developers; nothing for a sound one.

INVARIANT: backends do not check again what this checks: names that are read exist, have a player exactly if each
player has one, and have the type that is written in the node; definitions, scores and shapes are used with values
that fit; no definition depends on itself; every name of a quantifier is in scope, and hides no other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

from golpae.ir import expr as ir
from golpae.ir.dependencies import definitions_reached
from golpae.ir.ruleset import DEALT_PLAYER, WHOLE, Action, Definition, RuleSet, form_of
from golpae.ir.scoring import WILD
from golpae.ir.traverse import nested
from golpae.ir.types import (
    BOOL,
    INT,
    MELDS,
    SEAT,
    TILE,
    TILES,
    Meld,
    Opt,
    Type,
    fits,
    spoken,
)
from golpae.ir.wellformed_expr import Expressions, Names, goes_through_ways, item_of


def wellformed(rules: RuleSet) -> list[str]:
    """Return everything that is wrong with a rule set."""
    return list(_Check(rules).faults())


class _Check:
    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self.expressions = Expressions(rules)
        self.typed, self.expr, self.seat = (
            self.expressions.typed,
            self.expressions.expr,
            self.expressions.seat,
        )
        self.zones, self.vars = self.expressions.zones, self.expressions.vars
        self.shapes, self.arrangements = self.expressions.shapes, self.expressions.arrangements

    def faults(self) -> Iterator[str]:
        rules = self.rules
        yield from self._unique()
        for name, bound in (("low", rules.low), ("high", rules.high)):
            yield from self.typed(bound, INT, {}, f"players.{name}")
        for option in rules.options:
            for bound in (option.low, option.high, option.normally):
                yield from self.typed(bound, INT, {}, f"option {option.name}")
        for word, bag in rules.tiles.bags:
            yield from self.typed(bag, TILES, {}, f"tiles.{word}")
        for var in rules.vars:
            if var.initial is not None:
                yield from self.typed(var.initial, var.type, {}, f"state {var.name}")
        for definition in rules.definitions:
            yield from self._definition(definition)
        for shape in rules.shapes:
            yield from (f"shape {shape.name}: no shape {m}" for m in shape.union if m not in self.shapes)
            if shape.test is not None:
                names: Names = dict.fromkeys(shape.names, TILE) if shape.names else {"it": TILES}
                yield from self.typed(shape.test, BOOL, names, f"shape {shape.name}")
            if shape.wild is not None:
                yield from self.typed(shape.wild, BOOL, {"it": TILES, WILD: INT}, f"shape {shape.name}")
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
        yield from self._properties()
        for definition in rules.definitions:
            if any(goes_through_ways(case.expr) for case in definition.cases):
                yield f"define {definition.name}: goes through the ways of a score"

    def _properties(self) -> Iterator[str]:
        rules = self.rules
        for prop in rules.properties:
            where = f"{prop.kind} {prop.name}"
            acting = None if prop.after is None else rules.action(prop.after)
            form = form_of(prop.kind)
            if prop.after is not None and (acting is None or form.of_rules):
                yield f"{where}: after {prop.after}"
            elif acting is not None and form.number and acting.kind != "play":
                yield f"{where}: does not count {prop.after}"
            spoken_of = {} if acting is None else _names_of(acting)
            yield from self.typed(prop.expr, INT if form.number else BOOL, spoken_of, where)
            if not form.of_rules and goes_through_ways(prop.expr):
                yield f"{where}: goes through the ways of a score"
        for share in rules.shares:
            where = f"claim {share.name}"
            yield from self.typed(share.premise, BOOL, {}, where)
            yield from self.typed(share.event, BOOL, {}, where)
            if goes_through_ways(share.event) or goes_through_ways(share.premise):
                yield f"{where}: goes through the ways of a score"
            if not 0 <= share.low <= share.high <= WHOLE:
                yield f"{where}: bounds {share.low} and {share.high}"

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
            expected = definition.type if definition.single else BOOL
            yield from self.typed(case.expr, expected, names, f"define {definition.name}.{case.name}")
        definitions = self.expressions.definitions
        if definition.name in definitions_reached((c.expr for c in definition.cases), definitions):
            yield f"define {definition.name}: rests on itself"

    def _scores(self) -> Iterator[str]:
        for score in self.rules.scores:
            where = f"score {score.name}"
            names: dict[str, Type] = {}
            for param in score.params:
                if param.initial is not None:
                    yield from self.typed(param.initial, param.type, names, f"{where}: given {param.name}")
                names[param.name] = param.type
            for condition in score.provided:
                yield from self.typed(condition.expr, BOOL, names, f"{where}.{condition.name}")
                for words in condition.message:
                    if not isinstance(words, str):
                        yield from self.typed(words, words.type, names, f"{where}.{condition.name} (message)")
            patterns = {p.name for p in score.patterns}
            for line in score.brings:
                named = {line.pattern, *line.brought}
                yield from (f"{where}: no pattern {name} to bring" for name in sorted(named - patterns))
            yield from self.typed(score.hand, TILES, names, f"{where}.hand")
            if score.fixed is not None:
                yield from self.typed(score.fixed, MELDS, names, f"{where}.fixed")
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
                yield from self.typed(expr, expr.type, names, f"{where}.{define}")
                names[define] = expr.type
            types: dict[str, Type] = {}  # a pattern may ask about those above it
            for pattern in score.patterns:
                inner = types | names
                types[pattern.name] = BOOL
                if pattern.each is not None:
                    name, domain = pattern.each
                    yield from self.typed(domain, domain.type, inner, f"{where}.{pattern.name}")
                    if name in names:
                        yield f"{where}.{pattern.name}: `{name}` hides another name"
                    inner[name] = item_of(domain.type)
                yield from self.typed(pattern.test, BOOL, inner, f"{where}.{pattern.name}")
                yield from self.typed(pattern.value, INT, inner, f"{where}.{pattern.name}")
            if score.keep is not None:
                judged: dict[str, Type] = dict.fromkeys((p.name for p in score.patterns), BOOL)
                judged |= dict.fromkeys((*score.numbers, "points", "eligible"), INT)
                yield from self.typed(score.keep, BOOL, {**judged, **names}, f"{where}.keep")
            if score.formula is not None:
                judged = dict.fromkeys((p.name for p in score.patterns), BOOL)
                judged |= dict.fromkeys((*score.numbers, "eligible"), INT)
                yield from self.typed(score.formula, INT, {**judged, **names}, f"{where}.total")
            if (score.formula is None) is not (not score.numbers):
                yield f"{where}: names of numbers and the formula of the total go together"
            for pattern in score.patterns:
                if (pattern.number not in score.numbers) if score.numbers else pattern.number:
                    yield f"{where}.{pattern.name}: no number {pattern.number}"

    # ------------------------------------------------------------------ actions

    def _action(self, action: Action) -> Iterator[str]:
        names = _names_of(action)
        if (action.kind == "deal") != (action.dealing is not None):
            yield f"{action.name}: dealing and kind disagree"
        if action.dealing is not None:
            zone, hand = self.zones.get(action.dealing.zone), self.zones.get(action.dealing.hand)
            if zone is None or zone.each_player or hand is None or not hand.each_player:
                yield f"{action.name}: no such zones to deal between"
            for size in action.dealing.sizes:
                yield from self.typed(size, INT, {**names, DEALT_PLAYER: SEAT}, f"{action.name}.hands")
        for condition in action.conditions:
            where = f"{action.name}.{condition.name}"
            yield from self.typed(condition.expr, BOOL, names, where)
            for part in condition.message:
                if not isinstance(part, str):
                    yield from self.typed(part, part.type, names, f"{where} (message)")
            if not condition.message:
                yield f"{where}: no message"
        for clause in action.effects:
            paying = action.kind in ("end", "finish")
            yield from self._effects(clause.effects, names, f"{action.name}.{clause.name}", paying)

    def _effects(
        self, effects: Iterable[ir.Effect], names: Names, where: str, paying: bool = False
    ) -> Iterator[str]:
        for effect in effects:
            yield from self._effect(effect, names, where, paying)

    def _effect(self, effect: ir.Effect, names: Names, where: str, paying: bool) -> Iterator[str]:
        match effect:
            case ir.Move(what=what, source=source, target=target, label=_):
                if what is not None:
                    if not fits(what.type, TILES) and what.type != TILE:
                        yield f"{where}: moves {spoken(what.type)}"
                    yield from self.typed(what, what.type, names, where)
                yield from self._place(source, names, where)
                yield from self._place(target, names, where)
            case ir.SetState(name=name, seat=seat, value=value):
                var = self.vars.get(name)
                if var is None or var.each_player is (seat is None):
                    yield f"{where}: sets {name}, which is no such state"
                    return
                yield from self.typed(value, var.type, names, where)
                yield from self.seat(seat, names, where)
            case ir.Win(seat=seat):
                yield from self.seat(seat, names, where)
            case ir.Pay(payer=payer, payee=payee, amount=amount):
                if not paying:
                    yield f"{where}: pays where nothing is paid"
                for who in (payer, payee):
                    yield from self.typed(who, SEAT, names, where)
                yield from self.typed(amount, INT, names, where)
            case ir.Gain(seat=seat, amount=amount):
                if not paying:
                    yield f"{where}: scores where nothing is paid"
                yield from self.typed(seat, SEAT, names, where)
                yield from self.typed(amount, INT, names, where)
            case ir.Shuffle(zone=zone):
                yield from self._place(zone, names, where)
            case ir.Cut(zone=zone, number=number):
                yield from self._place(zone, names, where)
                yield from self.typed(number, INT, names, where)
            case ir.Arrange(zone=zone, tiles=tiles):
                yield from self._place(zone, names, where)
                yield from self.typed(tiles, TILES, names, where)
            case ir.PassOn(zone=zone_name, side=side):
                passed = self.zones.get(zone_name)
                if passed is None or not passed.each_player or side not in ("right", "left"):
                    yield f"{where}: passes {zone_name} to the {side}"
            case ir.When(test=test, effects=_, otherwise=_):
                yield from self.typed(test, BOOL, names, where)
            case ir.Ensure(test=test, said=_, values=values):
                yield from self.typed(test, BOOL, names, where)
                for value in values:
                    yield from self.typed(value, value.type, names, where)
            case ir.ForEach(name=name, domain=domain, effects=_):
                yield from self.typed(domain, domain.type, names, where)
                if name in names:
                    yield f"{where}: `{name}` hides another name"
                names = {**names, name: item_of(domain.type)}
            case _:
                assert_never(effect)
        yield from self._effects(nested(effect), names, where, paying)

    def _place(self, place: ir.Place | ir.MeldPlace, names: Names, where: str) -> Iterator[str]:
        if isinstance(place, ir.MeldPlace):
            yield from self.typed(place.meld, Opt(Meld()), names, where)
            return
        zone = self.zones.get(place.zone)
        if zone is None or zone.each_player is (place.seat is None):
            yield f"{where}: no such zone {place.zone}"
        elif place.end is not None and zone.kind != "row":
            yield f"{where}: {place.zone} has no {place.end}"
        elif (place.end == "places") is (place.number is None):
            yield f"{where}: a place of {place.zone} without its number, or a number without a place"
        if place.number is not None:
            yield from self.typed(place.number, INT, names, where)
        yield from self.seat(place.seat, names, where)


def _names_of(action: Action) -> dict[str, Type]:
    """Return the player who acts, the parameters of an action and their parts, each with its type."""
    names: dict[str, Type] = {} if action.by is None else {action.by: SEAT}
    for param in action.params:
        names[param.name] = param.type
        names |= dict.fromkeys(param.parts, TILE)
    return names
