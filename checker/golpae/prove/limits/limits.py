"""What has to be shown so that properties have values, and events do not fail, by the limits of numbers.

Input: an instance. Output: for a property, a condition or an effect, the condition under which it passes no limit, or
that it never passes one.
Guarantee: as in `growth` and `within`. The conditions use `definitions`, which belong beside those of the text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from golpae.elaborate.blocks import BRINGS
from golpae.elaborate.instance import Instance
from golpae.ir import expr as ir
from golpae.ir.dependencies import first_read, nodes_through, written_by
from golpae.ir.ruleset import Action, Condition, PropertyDecl, PropertyKind, effects_of, form_of
from golpae.ir.traverse import exprs_in, exprs_of
from golpae.ir.types import BOOL
from golpae.prove.limits.bounds import ANYTHING, NOTHING, Bound, added
from golpae.prove.limits.growth import bounds_of_games, comparisons, keys_of, payment, payment_exprs, walk
from golpae.prove.limits.static import TOTAL, Names, Passing, Static
from golpae.prove.limits.within import UNSETTLED, WITHIN, Within

__all__ = ["NO_LIMITS", "UNSETTLED", "WITHIN", "EffectLimits", "NumberLimits"]

# How far from the other side of a comparison the nearest number is for which it holds.
BEYOND: Mapping[ir.OpName, Bound] = {"gt": Bound(1, 1), "lt": Bound(-1, -1)}


@dataclass(frozen=True, slots=True)
class EffectLimits:
    """Of the effects of an action, by their `id`: under which conditions their expressions have values, if that is not
    settled; which of them may set a state to a number, or a bag, that is too large.
    """

    conditions: Mapping[int, tuple[ir.Expr, ...]]
    too_large: frozenset[int]

    def may_be_impossible(self, effect: ir.Effect) -> bool:
        """Whether an effect, leaving aside those inside it, may be impossible: a move, or one that may pass a limit."""
        never_impossible = isinstance(effect, ir.SetState | ir.Win)
        return not never_impossible or id(effect) in self.too_large or id(effect) in self.conditions


NO_LIMITS = EffectLimits({}, frozenset())


class NumberLimits:
    """The limits of numbers at one table."""

    def __init__(self, instance: Instance) -> None:
        self._instance = instance
        self._rules = instance.rule_set
        self._of_text = {d.name: d for d in self._rules.definitions}

    @cached_property
    def _any_stake(self) -> Static:
        return bounds_of_games(self._instance, any_stake=True)

    @cached_property
    def _played(self) -> Static:
        """The bounds of what events do, if the stake is one that people play for."""
        return bounds_of_games(self._instance, any_stake=False)

    @cached_property
    def _of_properties(self) -> Within:
        return Within(self._any_stake, self._of_text, "within")

    @cached_property
    def _of_events(self) -> Within:
        return Within(self._played, self._of_text, "played")

    @property
    def has_any(self) -> bool:
        """Whether the rules or properties have a power or `{a to b}` at all."""
        exprs = [p.expr for p in self._rules.properties]
        exprs += [c.expr for a in self._rules.actions for c in a.conditions]
        exprs += [e for a in self._rules.actions for e in exprs_in(effects_of(a.effects))]
        return any(self._written.is_limited(expr) for expr in exprs)

    @cached_property
    def _written(self) -> Static:
        """Only for what is written in expressions: no state has bounds yet."""
        return Static(self._instance, {}, ANYTHING)

    # ------------------------------------------------------------------ properties

    def of_property(self, prop: PropertyDecl) -> ir.Expr:
        """Return the condition under which a property has a value."""
        expr = self._asked(prop)
        if not self._written.is_limited(expr):
            return WITHIN
        return self._of_properties.of(expr, self._names(prop))

    def passing(self, prop: PropertyDecl) -> list[Passing]:
        """Return what may pass a limit in a property, as far as the bounds of states tell."""
        return self._any_stake.passing(self._asked(prop), self._names(prop))

    def stated(self) -> Instance:
        """Return the instance, with a property for each one whose value is not settled: that it has one."""
        if not self.has_any:
            return self._instance
        rules = self._rules
        values = tuple(v for p in rules.properties if (v := self.value_of(p)) is not None)
        for action in rules.actions:
            _ = self.of_conditions(action), self.of_effects(action)
        added_ = self._of_properties.definitions | self._of_events.definitions
        if not values and not added_:
            return self._instance
        definitions = (*rules.definitions, *added_.values())
        properties = (*rules.properties, *values)
        return replace(
            self._instance, rule_set=replace(rules, definitions=definitions, properties=properties)
        )

    def value_of(self, prop: PropertyDecl) -> PropertyDecl | None:
        """Return the property that another one has a value; None if that is settled, or cannot be asked."""
        condition = self.of_property(prop)
        if condition in (WITHIN, UNSETTLED):
            return None
        about_rules = form_of(prop.kind).of_rules and self._is_static(prop)
        kind: PropertyKind = "theorem" if about_rules else "always"
        after = None if form_of(prop.kind).number else prop.after
        return PropertyDecl(kind, f"{prop.name} has a value", condition, None, None, prop.ids, after)

    def _is_static(self, prop: PropertyDecl) -> bool:
        return prop.after is None and first_read(prop.expr, self._of_text) is None

    def _asked(self, prop: PropertyDecl) -> ir.Expr:
        """Return the expression of a property; for what patterns bring, all ways of the score."""
        if prop.name.endswith(BRINGS):
            return ir.Ways("every", prop.name.removesuffix(BRINGS), WITHIN, BOOL)
        return prop.expr

    def _names(self, prop: PropertyDecl) -> Names:
        action = None if prop.after is None else self._rules.action(prop.after)
        return {} if action is None else keys_of(action, self._any_stake)

    # ------------------------------------------------------------------ events

    def of_conditions(self, action: Action) -> dict[str, ir.Expr]:
        """Return, by the names of conditions, under which condition each has a value."""
        out: dict[str, ir.Expr] = {}
        for condition in action.conditions:
            if self._written.is_limited(condition.expr):
                own = self._of_events.of(condition.expr, keys_of(action, self._played, narrowed=False))
                out[condition.name] = own
        return out

    def too_large_keys(self, action: Action) -> frozenset[str]:
        """Return the keys for which the conditions of an action may ask for a number that is too large for an event."""
        names = keys_of(action, self._played, narrowed=False)
        return frozenset(
            key
            for key, op, other in comparisons(action)
            if not added(self._played.of(other, names), BEYOND.get(op, NOTHING)).fits_state
        )

    def condition_may_fail(self, action: Action, condition: Condition) -> bool:
        """Return whether a condition may pass a limit, for any stake."""
        return bool(self._any_stake.passing(condition.expr, keys_of(action, self._any_stake, narrowed=False)))

    def effects_may_fail(self, action: Action) -> bool:
        """Return whether an effect of an action may pass a limit, for any stake."""
        static = self._any_stake
        return any(
            any(static.passing(expr, names) for expr in exprs_of(effect))
            or (isinstance(effect, ir.SetState) and not self._fits_state(effect.value, names, static))
            for effect, names in walk(action, static)
        )

    def states_that_may_fail(self) -> set[str]:
        """Return the states of which a first value, or an effect that sets them, may pass a limit, for any stake."""
        rules, static = self._rules, self._any_stake
        out = {v.name for v in rules.vars if v.initial is not None and self.first_value_may_fail(v.initial)}
        for effect, names in (each for action in rules.actions for each in walk(action, static)):
            fails = any(static.passing(expr, names) for expr in exprs_of(effect))
            if isinstance(effect, ir.SetState) and not fails:
                fails = not self._fits_state(effect.value, names, static)
            if fails:
                out |= written_by([effect])
        return out

    def first_value_may_fail(self, value: ir.Expr) -> bool:
        """Return whether the first value of a state may pass a limit, for any stake."""
        static = self._any_stake
        return bool(static.passing(value, {})) or not self._fits_state(value, {}, static)

    def _fits_state(self, value: ir.Expr, names: Names, static: Static) -> bool:
        return static.of(value, names).fits_state and not self._joins_bags(value)

    def of_effects(self, action: Action) -> EffectLimits:
        """Return under which conditions the expressions in effects have values, and which states may get too large."""
        conditions: dict[int, tuple[ir.Expr, ...]] = {}
        too_large: set[int] = set()
        for effect, names in walk(action, self._played):
            own = [self._of_events.of(e, names) for e in exprs_of(effect) if self._written.is_limited(e)]
            conditions[id(effect)] = tuple(condition for condition in own if condition != WITHIN)
            if isinstance(effect, ir.SetState):
                if not self._fits_state(effect.value, names, self._played):
                    too_large.add(id(effect))
        return EffectLimits({at: own for at, own in conditions.items() if own}, frozenset(too_large))

    @cached_property
    def pays_within(self) -> bool:
        """Whether no `end` pays too much, and nobody's total becomes too large."""
        static = self._played
        if any(static.passing(expr, names) for expr, names in payment_exprs(static)):
            return False
        paid = payment(static)
        return paid.fits_state and added(static.states[TOTAL], paid).fits_state

    @cached_property
    def are_kept(self) -> bool:
        """Whether the text alone shows that no event fails by a limit, but for bags that are joined."""
        return self.pays_within and all(map(self._keeps, self._rules.actions))

    def _keeps(self, action: Action) -> bool:
        if self.of_effects(action).conditions or any(
            c != WITHIN for c in self.of_conditions(action).values()
        ):
            return False
        if self.too_large_keys(action):
            return False
        for effect, names in walk(action, self._played):
            if isinstance(effect, ir.SetState):
                value = self._played.of(effect.value, names)
                if self._joins_bags(effect.value):
                    value = replace(value, most=0)
                if not value.fits_state:
                    return False
        return True

    def _joins_bags(self, value: ir.Expr) -> bool:
        """Return whether a value is made of bags that are joined, so that a bag can grow with each event."""
        return any(
            isinstance(node, ir.Op) and node.op == "bag_add" for node in nodes_through(value, self._of_text)
        )
