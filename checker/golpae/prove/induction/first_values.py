"""What a state has at first, as a claim about any position.

Input: the rules and the instance of a `TransitionSystem`.
Output: for a state whose first value depends on no game, an expression of the language that says that the state has it,
and its predicate; the states that no effect sets.
Guarantee: a state that no effect sets always has its first value, if that depends on no game.

    rounds: number = 0                     rounds = 0
    each player's lot: tile or none        every p in players: p's lot is none
"""

from __future__ import annotations

from collections.abc import Sequence

from golpae.elaborate.constant import NotConstant, constant
from golpae.elaborate.instance import Instance
from golpae.ir.dependencies import Dependencies
from golpae.ir.ruleset import TABLE, RuleSet, VarDecl
from golpae.ir.types import Bool, Choice, Int, Opt
from golpae.lower import statements as st
from golpae.lower.effects import all_statements
from golpae.lower.walk import flat
from golpae.prove.induction.candidate import Predicate
from golpae.prove.symbolic.values import Truth, Value, all_of, any_of, as_bag, cases, conj, equal, same, size

Plain = bool | int | str | tuple[()] | None  # a truth, a number, a word of a choice, no tiles, none


def has_first_value(instance: Instance, var: VarDecl, any_player: str) -> tuple[str, Predicate] | None:
    """Return the claim that a state, each player's if each has one, has its first value, as text and as a predicate;
    None if that cannot be said.

    The first part is an expression of the language, in which `any_player` names a player.
    """
    known = _first_value(instance, var)
    if known is None:
        return None
    value = known[0]
    of_each = f"{any_player} in players: {any_player}'s {var.name}"
    if isinstance(value, bool):
        shared = var.name if value else f"not {var.name}"
        claim = f"{'every' if value else 'no'} {of_each}" if var.each_player else shared
    else:
        said = "is none" if value is None else "is empty" if value == () else f"= {value}"
        claim = f"{f'every {of_each}' if var.each_player else var.name} {said}"
    if var.each_player:
        return claim, lambda state: all_of(_is(one, value) for one in state.vars[var.name])
    return claim, lambda state: _is(state.vars[var.name], value)


def never_set(rules: RuleSet) -> Sequence[VarDecl]:
    """Return the states that no effect sets and that are no part of the table."""
    targets = {s.name for s in flat(all_statements(rules)) if isinstance(s, st.Set)}
    return [v for v in rules.vars if v.scope != TABLE and v.name not in targets]


def _first_value(instance: Instance, var: VarDecl) -> tuple[Plain] | None:
    """Return the first value of a state, if it is one that can be said and depends on no game."""
    inner = var.type.item if isinstance(var.type, Opt) else var.type
    if var.initial is None:
        return (None,) if isinstance(var.type, Opt) else None
    if var.scope == TABLE or Dependencies(instance.rule_set).reads([var.initial]):
        return None
    try:
        value = constant(var.initial, instance.static)
    except NotConstant:
        return None
    if value is None:
        return (None,)
    if isinstance(value, list):
        return None if value or isinstance(var.type, Opt) else ((),)
    if isinstance(inner, Bool | Int) and isinstance(value, bool | int):
        return None if isinstance(inner, Bool) and isinstance(var.type, Opt) else (value,)
    return (value,) if isinstance(inner, Choice) and isinstance(value, str) else None


def _is(value: Value, first: Plain) -> Truth:
    """Return whether a value is a first value."""
    if first == ():
        return equal(size(as_bag(value)), 0)
    if isinstance(first, int) and not isinstance(first, bool):
        return any_of(conj(guard, equal(one, first)) for guard, one in cases(value) if one is not None)
    return same(value, first)
