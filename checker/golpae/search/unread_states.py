"""States that no rule reads.

Input: an instance, and expressions that count as rules beside those of the text.
Output: the names of the states that decide nothing.
Guarantee: two positions that differ in such states alone allow the same events, pay the same, and lead to positions
that differ in such states alone. Messages and properties do not count, unless their expressions are given.

A state is read if a condition, a payment, a size of hands, a bound of a key, the first value of a state that is read,
or an effect on anything but unread states reads it. So a counter that only another unread counter reads is unread too.

    turns: number = 0
    action pass ... then turns := turns + 1      unread, if nothing else names `turns`

A state that an effect may set to too large a value counts as read: an event that does so is refused.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from golpae.elaborate.instance import Instance
from golpae.ir import expr as ir
from golpae.ir.dependencies import Dependencies, contents_of, written_by
from golpae.ir.ruleset import TABLE, RuleSet, effects_of
from golpae.ir.traverse import exprs_in, exprs_of, nested


def unread_states(instance: Instance, also: Iterable[ir.Expr] = ()) -> frozenset[str]:
    """Return the states that neither a rule nor one of these expressions reads."""
    rules = instance.rule_set
    dependencies = Dependencies(rules)
    always = [*exprs_in(effects_of(rules.payout)), *also]
    unread = {v.name for v in rules.vars if v.scope != TABLE}
    before: set[str] | None = None
    while unread and unread != before:
        before = set(unread)
        unread -= dependencies.reads([*always, *deciding_exprs(rules, unread)])
    return frozenset(unread)


def deciding_exprs(rules: RuleSet, unread: Collection[str] = ()) -> Iterator[ir.Expr]:
    """Yield every expression on which an event, or the state after it, depends; payments and `unread` states aside."""
    for action in rules.actions:
        yield from (c.expr for c in action.of_text)
        yield from _exprs_on_others(effects_of(action.effects), unread)
        yield from (e for p in action.params for e in (p.low, p.high, p.initial) if e is not None)
        if action.dealing is not None:
            yield from action.dealing.sizes
    yield from (v.initial for v in rules.vars if v.initial is not None and v.name not in unread)
    for (kind, _), content in contents_of(rules).items():
        if kind != "definition":  # a definition counts if something else uses it
            yield from content.exprs


def _exprs_on_others(effects: Iterable[ir.Effect], unread: Collection[str]) -> Iterator[ir.Expr]:
    """Yield the expressions in effects that change something else than these states."""
    for effect in effects:
        if not _changes_only(effect, unread):
            yield from exprs_of(effect)
            yield from _exprs_on_others(nested(effect), unread)


def _changes_only(effect: ir.Effect, unread: Collection[str]) -> bool:
    """Return whether an effect changes nothing but these states."""
    inner, writes = nested(effect), effect.STRUCTURE.writes
    if writes:
        return all(each.kind == "state" for each in writes) and written_by([effect]) <= {*unread}
    return bool(inner) and all(_changes_only(one, unread) for one in inner)
