"""What one switch changes, as properties of all rule sets in which the others are as they may be.

Input: `Choices`, and a switch that is a choice there.
Output: the same rule sets with a property for each action that the switch touches: after each of its events, the other
setting would have allowed the event too, and would have gone on alike.
Guarantee: if all properties of a setting hold, each game under that setting is one under the other, with the same
payments. A property that fails after an action shows that the event is refused; or that it may go on otherwise, which
replay has to confirm.

    late:put:off:allowed    always after put: earlier(what `put` asks with `late` on)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, Literal

from golpae.families.choices import PREFIX, Choices, StatedProperty
from golpae.families.settled import NO, YES, Settled, either, folded, joined, possible
from golpae.ir import expr as ir
from golpae.ir.dependencies import Dependencies, written_by
from golpae.ir.ruleset import (
    DEALT_PLAYER,
    Action,
    Definition,
    EffectClause,
    PropertyDecl,
    RuleSet,
    effects_of,
)
from golpae.ir.traverse import deciding_test, exprs_in, flat, free, nested, parts, tells_apart
from golpae.ir.types import BOOL, SEATS, Bag, Each

NO_CHOICE = "changes the tiles, or what another variant or reading brings"
OF_TABLE = "changes a shape or a score"
Way = Literal["allowed", "alike"]
Order = Literal["at once", "in order", "then"]


@dataclass(frozen=True, slots=True)
class SwitchProperty:
    """A property: under the setting `on` of the switch, whether the other one allows the events of an action too, or
    goes on alike after them.
    """

    name: str
    action: str
    on: bool
    way: Way


def asked_of(choices: Choices, switch: str) -> tuple[Choices, tuple[SwitchProperty, ...]]:
    """Return the choices with properties about a switch, and these. Raises `ValueError` if it is no choice there, or
    changes how a game begins.
    """
    rules = choices.rule_set
    state = PREFIX + switch
    if switch not in choices.free:
        raise ValueError(f"`{switch}` {NO_CHOICE}")
    if switch in choices.of_table:
        raise ValueError(f"`{switch}` {OF_TABLE}")
    dependencies = Dependencies(rules)

    def reads(expr: ir.Expr) -> bool:
        return any(isinstance(n, ir.StateRead) and n.name == state for n in dependencies.nodes([expr]))

    if any(var.initial is not None and reads(var.initial) for var in rules.vars):
        raise ValueError(f"`{switch}` changes how a game begins")
    touched = [d for d in rules.definitions if any(map(reads, (case.expr for case in d.cases)))]
    settings = {
        on: Settled({state: on}, touched, f"{switch}-{'on' if on else 'off'}") for on in (False, True)
    }
    bit = choices.family.bits([switch])
    switch_properties: list[SwitchProperty] = []
    properties: list[PropertyDecl] = []
    stated = dict(choices.stated)
    for action in rules.actions:
        for on in (False, True):
            region = choices.region.restrict((bit, bit if on else 0))
            if not region:
                continue
            own, other = settings[on], settings[not on]
            for way, expr in (
                ("allowed", _allows(action, own, other, reads)),
                ("alike", _goes_on_alike(rules, action, own, other)),
            ):
                if expr is None:
                    continue
                name = f"{switch}:{action.name}:{'on' if on else 'off'}:{way}"
                switch_properties.append(
                    SwitchProperty(name, action.name, on, "allowed" if way == "allowed" else "alike")
                )
                properties.append(PropertyDecl("always", name, expr, None, None, (), action.name))
                stated[name] = StatedProperty(region, (((0, 0), "proved"),))
    further = settings[False].definitions + settings[True].definitions
    return replace(_extended(choices, further, properties), stated=stated), tuple(switch_properties)


def tells_orders_apart(action: Action) -> bool:
    """Return whether what happens can depend on the order of the tiles of a list, which conditions choose."""
    each = [frozenset(param.parts) for param in action.params if param.parts]
    return any(tells_apart(expr, parts) for parts in each for expr in exprs_in(effects_of(action.effects)))


def together(choices: Choices, several: Iterable[Choices]) -> Choices:
    """Return choices with the properties about a switch that each of several of them has."""
    definitions: list[Definition] = []
    properties: list[PropertyDecl] = []
    stated = dict(choices.stated)
    for one in several:
        definitions += one.rule_set.definitions[len(choices.rule_set.definitions) :]
        properties += one.rule_set.properties[len(choices.rule_set.properties) :]
        stated.update(one.stated)
    return replace(_extended(choices, definitions, properties), stated=stated)


def _extended(
    choices: Choices, definitions: Sequence[Definition], properties: Sequence[PropertyDecl]
) -> Choices:
    """Return choices with further definitions and properties at the end."""

    def extended(own: RuleSet) -> RuleSet:
        return replace(
            own,
            definitions=(*own.definitions, *definitions),
            properties=(*own.properties, *properties),
        )

    alternatives = tuple(replace(one, rule_set=extended(one.rule_set)) for one in choices.alternatives)
    return replace(choices, rule_set=extended(choices.rule_set), alternatives=alternatives)


# ------------------------------------------------------------------ what is allowed


def _allows(action: Action, own: Settled, other: Settled, reads: Callable[[ir.Expr], bool]) -> ir.Expr | None:
    """Return the condition that the other setting allowed an event, or None if the switch has nothing to do with
    that.
    """
    out: ir.Expr = YES
    for condition in action.of_text:
        if reads(condition.expr):
            out = joined(out, other.of(condition.expr))
    if action.dealing is not None:
        for mine, theirs in zip(_sizes(action, own), _sizes(action, other), strict=True):
            if mine != theirs:
                alike: ir.Expr = ir.Op("eq", (mine, theirs), BOOL)
                if DEALT_PLAYER in free(alike):
                    alike = ir.Quant(
                        "every", (DEALT_PLAYER,), ir.Builtin("players", None, SEATS), alike, BOOL
                    )
                out = joined(out, alike)
    return None if out == YES else ir.Earlier(out, BOOL)


def _sizes(action: Action, settled: Settled) -> tuple[ir.Expr, ...]:
    dealing = action.dealing
    return () if dealing is None else (settled.of(dealing.first), settled.of(dealing.others))


# ------------------------------------------------------------------ what happens


def _goes_on_alike(rules: RuleSet, action: Action, own: Settled, other: Settled) -> ir.Expr | None:
    """Return the condition that effects and payments do not depend on the switch; None if they never depend on it."""
    places = _Places(rules, (own, other))
    mine, theirs = _effects(action.effects, own), _effects(action.effects, other)
    # what a play changes is still so after it; the end of a hand changes more than its effects
    out = _differ(mine, theirs, "then" if action.kind == "play" else "in order", places)
    if action.kind == "end":
        paid = _effects(rules.payout, own), _effects(rules.payout, other)
        out = either(out, _differ(*paid, "at once", places))
    return None if out == NO else ir.Op("not", (out,), BOOL)


def _effects(clauses: Sequence[EffectClause], settled: Settled) -> list[ir.Effect]:
    return list(possible(map(settled.of, effects_of(clauses))))


def _differ(a: Sequence[ir.Effect], b: Sequence[ir.Effect], order: Order, places: _Places) -> ir.Expr:
    """Return when effects may differ, asked after them all.

    Unless all happen at once, earlier ones change what later ones read. That is then read after the event, if no later
    one changes it, and nothing else does before the position after the event; otherwise it counts as different.
    """
    a, b, before, after = list(a), list(b), [], []
    while a and b and a[0] == b[0]:
        before.append(a.pop(0))
        b.pop(0)
    while a and b and a[-1] == b[-1]:
        after.append(a.pop())
        b.pop()
    if order == "at once":
        return _Difference((), None, places).of(a, b)
    written = before + (a + b if len(a) + len(b) > 2 else [])
    return _Difference(written, a + b + after if order == "then" else None, places).of(a, b)


class _Difference:
    """When effects differ that come after those that have `written` what they have, and before what comes `later`."""

    def __init__(
        self, written: Sequence[ir.Effect], later: Sequence[ir.Effect] | None, places: _Places
    ) -> None:
        self._written, self._later, self._places = written, later, places

    def of(self, a: Sequence[ir.Effect], b: Sequence[ir.Effect]) -> ir.Expr:
        """Return when the ones and the others differ."""
        if len(a) == len(b) and all(map(_same_kind, a, b)):
            return _any(map(self._pair, a, b))
        return _any(map(self._happens, (*a, *b)))

    def _read(self, expr: ir.Expr) -> ir.Expr:
        """Return the value that an expression has where effects read it, as the position before or after the event has
        it; if neither has it, that it may hold.
        """
        if expr in (YES, NO):
            return expr
        if not self._places.may_read(expr, self._written):
            return ir.Earlier(expr, expr.type)
        if self._later is not None and not self._places.reads_changed(expr, self._later):
            return expr
        return YES

    def _pair(self, a: ir.Effect, b: ir.Effect) -> ir.Expr:
        """Return when two effects of one kind differ."""
        if a == b:
            return NO
        mine, theirs = deciding_test(a), deciding_test(b)
        if mine is not None and theirs is not None:
            happens = either(_any(map(self._happens, nested(a))), _any(map(self._happens, nested(b))))
            out = joined(self._other(mine, theirs), happens)
            for (on, inner), (_, other) in zip(parts(a), parts(b), strict=True):
                out = either(out, joined(self._is(mine, on), self.of(inner, other)))
            return out
        if isinstance(a, ir.ForEach) and isinstance(b, ir.ForEach):
            if (a.name, a.domain) != (b.name, b.domain):
                return either(self._happens(a), self._happens(b))
            return self._some(a, self.of(a.effects, b.effects))
        out = NO
        for field in fields(a):
            own, other = getattr(a, field.name), getattr(b, field.name)
            if own != other:
                out = either(out, self._other(own, other))
        return out

    def _other(self, a: Any, b: Any) -> ir.Expr:
        """Return when two expressions have other values."""
        if a == b:
            return NO
        if isinstance(a, ir.If) and isinstance(b, ir.If) and a.test == b.test:
            yes, no = self._is(a.test, True), self._is(a.test, False)
            return either(joined(yes, self._other(a.yes, b.yes)), joined(no, self._other(a.no, b.no)))
        kind = getattr(a, "type", None)
        if kind is None or kind != getattr(b, "type", None) or isinstance(kind, Each):
            return YES
        same = ir.Op("bag_eq" if isinstance(kind, Bag) else "eq", (a, b), BOOL)
        return self._read(ir.Op("not", (same,), BOOL))

    def _happens(self, effect: ir.Effect) -> ir.Expr:
        """Return when an effect does anything, as far as its tests say."""
        if not effect.STRUCTURE.nested:
            return YES
        test = deciding_test(effect)
        inside: ir.Expr = NO
        for on, inner in parts(effect):
            happens = _any(map(self._happens, inner))
            inside = either(inside, happens if test is None else joined(self._is(test, on), happens))
        return self._some(effect, inside) if isinstance(effect, ir.ForEach) else inside

    def _is(self, test: ir.Expr, on: bool) -> ir.Expr:
        """Return when a test may be yes, or no."""
        read = self._read(test)
        return read if on or read == YES else folded(ir.Op("not", (read,), BOOL))

    def _some(self, loop: ir.ForEach, inside: ir.Expr) -> ir.Expr:
        domain = self._read(loop.domain)
        if inside in (YES, NO) and (inside == NO or domain == YES):
            return inside
        return YES if domain == YES else ir.Quant("some", (loop.name,), domain, inside, BOOL)


def _same_kind(a: ir.Effect, b: ir.Effect) -> bool:
    return type(a) is type(b)


def _any(exprs: Iterable[ir.Expr]) -> ir.Expr:
    out: ir.Expr = NO
    for expr in exprs:
        out = either(out, expr)
    return out


class _Places:
    """What a rule set can write, by name: zones and states."""

    def __init__(self, rules: RuleSet, settled: Iterable[Settled]) -> None:
        self._names = {*(zone.name for zone in rules.zones), *(var.name for var in rules.vars)}
        own = [*rules.definitions, *(d for one in settled for d in one.definitions)]
        self._dependencies = Dependencies(replace(rules, definitions=tuple(own)))

    def may_read(self, expr: ir.Expr, written: Sequence[ir.Effect]) -> bool:
        """Return whether an expression may read what effects before it have changed."""
        if expr in (YES, NO) or not written:
            return False
        if not all(isinstance(e, ir.SetState | ir.Move | ir.When | ir.ForEach) for e in flat(written)):
            return True
        names = self._names & {name for effect in flat(written) for name in _words(effect)}
        return any(not names.isdisjoint(_words(node)) for node in self._dependencies.nodes([expr]))

    def reads_changed(self, expr: ir.Expr, written: Sequence[ir.Effect]) -> bool:
        """Return whether an expression reads what effects after it change, or something else than states and zones."""
        read = self._dependencies.reads([expr])
        return not read <= self._names or not read.isdisjoint(written_by(written))


def _words(node: Any) -> Iterator[str]:
    """Yield every name in a node."""
    if isinstance(node, str):
        yield node
    elif isinstance(node, tuple):
        for one in node:
            yield from _words(one)
    elif is_dataclass(node) and not isinstance(node, type):
        for field in fields(node):
            yield from _words(getattr(node, field.name))


def under(choices: Choices, rules: str, switches_on: int) -> RuleSet:
    """Return one of the rule sets that choices stand for, without choices, with the properties of the choices."""
    made = choices.rule_set_at(switches_on)
    values = choices.values(switches_on)
    setting = Settled(values)
    return replace(
        made,
        rules=rules,
        vars=tuple(v for v in made.vars if v.name not in values),
        definitions=setting.of(made.definitions),
        actions=setting.of(made.actions),
        payout=setting.of(made.payout),
        properties=setting.of(made.properties),
    )
