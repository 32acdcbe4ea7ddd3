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

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, Literal, TypeVar

from golpae.families.choices import PREFIX, Choices, Stated
from golpae.ir import expr as ir
from golpae.ir.dependencies import nodes_through, reads_through, written_by
from golpae.ir.distinct_names import MARK
from golpae.ir.ruleset import Action, Definition, EffectClause, PropertyDecl, RuleSet, effects_of
from golpae.ir.traverse import flat, nested
from golpae.ir.types import BOOL, Bag, Each

Way = Literal["allowed", "alike"]
Order = Literal["at once", "in order", "then"]
Node = TypeVar("Node")
YES, NO = ir.Const(True, BOOL), ir.Const(False, BOOL)


@dataclass(frozen=True, slots=True)
class Asked:
    """A property: under the setting `on` of the switch, whether the other one allows the events of an action too, or
    goes on alike after them.
    """

    name: str
    action: str
    on: bool
    way: Way


def asked_of(choices: Choices, switch: str) -> tuple[Choices, tuple[Asked, ...]]:
    """Return the choices with properties about a switch, and these. Raises `ValueError` if it is no choice there, or
    changes how a game begins.
    """
    rules = choices.rule_set
    state = PREFIX + switch
    if switch not in choices.free:
        raise ValueError(f"`{switch}` is no choice")
    definitions = {d.name: d for d in rules.definitions}

    def reads(expr: ir.Expr) -> bool:
        return any(isinstance(n, ir.StateRead) and n.name == state for n in nodes_through(expr, definitions))

    if any(var.initial is not None and reads(var.initial) for var in rules.vars):
        raise ValueError(f"`{switch}` changes how a game begins")
    touched = [d for d in rules.definitions if any(map(reads, (case.expr for case in d.cases)))]
    settings = {on: _Settled(state, on, touched) for on in (False, True)}
    bit = choices.family.bits([switch])
    asked: list[Asked] = []
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
                asked.append(Asked(name, action.name, on, "allowed" if way == "allowed" else "alike"))
                properties.append(PropertyDecl("always", name, expr, None, None, (), action.name))
                stated[name] = Stated(region, (((0, 0), "proved"),))
    made = replace(
        rules,
        definitions=(*rules.definitions, *settings[False].definitions, *settings[True].definitions),
        properties=(*rules.properties, *properties),
    )
    return replace(choices, rule_set=made, stated=stated), tuple(asked)


def settled(expr: ir.Expr, values: Mapping[str, bool]) -> ir.Expr:
    """Return an expression with these values of states of the table; the definitions that it uses stay as they are."""
    for state, on in values.items():
        expr = _Settled(state, on, ()).of(expr)
    return expr


class _Settled:
    """One setting of a switch: expressions and effects as they are then, and the definitions that they use."""

    def __init__(self, state: str, on: bool, touched: Sequence[Definition]) -> None:
        self._state, self._on = state, on
        self._names = {d.name: f"{d.name}{MARK}{'on' if on else 'off'}{MARK}" for d in touched}
        self.definitions = tuple(self._renamed(self.of(d)) for d in touched)

    def of(self, node: Node) -> Node:
        """Return a node as it is under this setting."""
        made: Any = self._made(node)
        return made  # type: ignore[no-any-return]

    def _renamed(self, definition: Definition) -> Definition:
        """Return a definition under its name of this setting, which is that of its case too, if it has only one."""
        name = self._names[definition.name]
        cases = (replace(definition.cases[0], name=name),) if definition.single else definition.cases
        return replace(definition, name=name, cases=cases)

    def _made(self, node: Any) -> Any:
        if isinstance(node, tuple):
            return tuple(map(self._made, node))
        if not is_dataclass(node) or isinstance(node, type):
            return node
        if isinstance(node, ir.StateRead) and node.name == self._state:
            return YES if self._on else NO
        old = {field.name: getattr(node, field.name) for field in fields(node)}
        changed = {name: new for name, value in old.items() if (new := self._made(value)) is not value}
        made = replace(node, **changed) if any(changed[name] != old[name] for name in changed) else node
        if isinstance(made, ir.CallDef) and made.name in self._names:
            return replace(made, name=self._names[made.name])
        return _folded(made)


def _folded(node: Any) -> Any:
    """Return an expression without the branches that cannot be taken."""
    if isinstance(node, ir.If) and node.test in (YES, NO):
        return node.yes if node.test == YES else node.no
    if isinstance(node, ir.Op):
        first = node.args[0]
        if node.op == "not" and first in (YES, NO):
            return NO if first == YES else YES
        if node.op == "and":
            return _joined(first, node.args[1])
        if node.op == "or":
            return _either(first, node.args[1])
        if node.op == "implies" and first in (YES, NO):
            return node.args[1] if first == YES else YES
    return node


def _joined(first: ir.Expr, second: ir.Expr) -> ir.Expr:
    if NO in (first, second):
        return NO
    if first == YES:
        return second
    return first if second == YES else ir.Op("and", (first, second), BOOL)


def _either(first: ir.Expr, second: ir.Expr) -> ir.Expr:
    if YES in (first, second):
        return YES
    if first == NO:
        return second
    return first if second == NO else ir.Op("or", (first, second), BOOL)


# ------------------------------------------------------------------ what is allowed


def _allows(
    action: Action, own: _Settled, other: _Settled, reads: Callable[[ir.Expr], bool]
) -> ir.Expr | None:
    """Return that the other setting allowed an event, or None if the switch has nothing to do with that."""
    out: ir.Expr = YES
    for condition in action.conditions:
        if not isinstance(condition.expr, ir.Implicit) and reads(condition.expr):
            out = _joined(out, other.of(condition.expr))
    if action.dealing is not None:
        for mine, theirs in zip(_sizes(action, own), _sizes(action, other), strict=True):
            if mine != theirs:
                out = _joined(out, ir.Op("eq", (mine, theirs), BOOL))
    return None if out == YES else ir.Earlier(out, BOOL)


def _sizes(action: Action, settled: _Settled) -> tuple[ir.Expr, ...]:
    dealing = action.dealing
    return () if dealing is None else (settled.of(dealing.first), settled.of(dealing.others))


# ------------------------------------------------------------------ what happens


def _goes_on_alike(rules: RuleSet, action: Action, own: _Settled, other: _Settled) -> ir.Expr | None:
    """Return that what happens and what is paid does not depend on the switch; None if it never does."""
    places = _Places(rules, (own, other))
    mine, theirs = _effects(action.effects, own), _effects(action.effects, other)
    # what a play changes is still so after it; the end of a hand changes more than its effects
    out = _differ(mine, theirs, "then" if action.kind == "play" else "in order", places)
    if action.kind == "end":
        paid = _effects(rules.payout, own), _effects(rules.payout, other)
        out = _either(out, _differ(*paid, "at once", places))
    return None if out == NO else ir.Op("not", (out,), BOOL)


def _effects(clauses: Sequence[EffectClause], settled: _Settled) -> list[ir.Effect]:
    return list(_possible(map(settled.of, effects_of(clauses))))


def _possible(effects: Iterable[ir.Effect]) -> Iterator[ir.Effect]:
    """Yield effects without those that cannot happen."""
    for effect in effects:
        if isinstance(effect, ir.When) and effect.test in (YES, NO):
            yield from _possible(effect.effects) if effect.test == YES else ()
        elif isinstance(effect, ir.When | ir.ForEach):
            inside = tuple(_possible(effect.effects))
            if inside:
                yield replace(effect, effects=inside)
        else:
            yield effect


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
        if isinstance(a, ir.When) and isinstance(b, ir.When):
            inside = _joined(self._read(a.test), self.of(a.effects, b.effects))
            happens = _either(_any(map(self._happens, a.effects)), _any(map(self._happens, b.effects)))
            return _either(_joined(self._other(a.test, b.test), happens), inside)
        if isinstance(a, ir.ForEach) and isinstance(b, ir.ForEach):
            if (a.name, a.domain) != (b.name, b.domain):
                return _either(self._happens(a), self._happens(b))
            return self._some(a, self.of(a.effects, b.effects))
        out: ir.Expr = NO
        for field in fields(a):
            mine, theirs = getattr(a, field.name), getattr(b, field.name)
            if mine != theirs:
                out = _either(out, self._other(mine, theirs))
        return out

    def _other(self, a: Any, b: Any) -> ir.Expr:
        """Return when two expressions have other values."""
        if a == b:
            return NO
        if isinstance(a, ir.If) and isinstance(b, ir.If) and a.test == b.test:
            test = self._read(a.test)
            off = YES if test == YES else _folded(ir.Op("not", (test,), BOOL))
            return _either(_joined(test, self._other(a.yes, b.yes)), _joined(off, self._other(a.no, b.no)))
        kind = getattr(a, "type", None)
        if kind is None or kind != getattr(b, "type", None) or isinstance(kind, Each):
            return YES
        same = ir.Op("bag_eq" if isinstance(kind, Bag) else "eq", (a, b), BOOL)
        return self._read(ir.Op("not", (same,), BOOL))

    def _happens(self, effect: ir.Effect) -> ir.Expr:
        """Return when an effect does anything, as far as its tests say."""
        inside = _any(map(self._happens, nested(effect)))
        if isinstance(effect, ir.When):
            return _joined(self._read(effect.test), inside)
        return self._some(effect, inside) if isinstance(effect, ir.ForEach) else YES

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
        out = _either(out, expr)
    return out


class _Places:
    """What a rule set can write, by name: zones and states."""

    def __init__(self, rules: RuleSet, settled: Iterable[_Settled]) -> None:
        self._names = {*(zone.name for zone in rules.zones), *(var.name for var in rules.vars)}
        own = [*rules.definitions, *(d for one in settled for d in one.definitions)]
        self._definitions = {d.name: d for d in own}

    def may_read(self, expr: ir.Expr, written: Sequence[ir.Effect]) -> bool:
        """Return whether an expression may read what effects before it have changed."""
        if expr in (YES, NO) or not written:
            return False
        if not all(isinstance(e, ir.SetState | ir.Move | ir.When | ir.ForEach) for e in flat(written)):
            return True
        names = self._names & {name for effect in flat(written) for name in _words(effect)}
        return any(not names.isdisjoint(_words(node)) for node in nodes_through(expr, self._definitions))

    def reads_changed(self, expr: ir.Expr, written: Sequence[ir.Effect]) -> bool:
        """Return whether an expression reads what effects after it change, or something else than states and zones."""
        read = reads_through(expr, self._definitions)
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
    made = choices.rule_set
    values = choices.values(switches_on)
    for state, on in values.items():
        setting = _Settled(state, on, ())
        made = replace(
            made,
            definitions=setting.of(made.definitions),
            actions=setting.of(made.actions),
            payout=setting.of(made.payout),
            properties=setting.of(made.properties),
        )
    return replace(made, rules=rules, vars=tuple(v for v in made.vars if v.name not in values))
