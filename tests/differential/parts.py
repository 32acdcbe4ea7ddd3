"""Parts of a rule text that have a value in any state: conditions, what effects evaluate, and every part of these.

Input: rules. Output: the parts that are a truth or a number, each with the name of the player who acts, if it reads it.
Guarantee: a part reads no other name, and nothing before the event. Out of its place it may meet none where the text
asks first; `meets_none` says so, and it has no value then.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import NamedTuple

from golpae.ir import expr as ir
from golpae.ir.limits import TooManySteps
from golpae.ir.ruleset import Action, RuleSet, effects_of
from golpae.ir.traverse import asks_earlier, exprs_in, flat, free, nodes
from golpae.ir.types import BOOL, INT, Opt
from golpae.replay.machine import Machine, State
from tests.judge.faults import Unclear, Unset

NO_VALUE = (
    AssertionError,
    AttributeError,
    IndexError,
    KeyError,
    TooManySteps,
    TypeError,
    Unclear,
    Unset,
    ValueError,
)


class Part(NamedTuple):
    """An expression, and the name of the player who acts, if it reads that."""

    expr: ir.Expr
    by: str | None


def parts_of(rules: RuleSet) -> list[Part]:
    """Return the parts of the conditions, effects, definitions and properties of rules, each once."""
    wholes = [case.expr for d in rules.definitions for case in d.cases]
    wholes += [prop.expr for prop in rules.properties]
    wholes += [*exprs_in(flat(effects_of(rules.payout)))]
    found = [Part(part, None) for whole in wholes for part in nodes(whole) if _is_closed(part, None)]
    found += [part for action in rules.actions for part in _of_action(action)]
    return [*dict.fromkeys(found)]


def meets_none(machine: Machine, expr: ir.Expr, state: State, names: Mapping[str, int]) -> bool:
    """Return whether an expression reads as a value what is none in a state, which the text asks somewhere else."""
    reads = ir.StateRead | ir.ZoneEnd | ir.ZonePlace | ir.Builtin | ir.CallDef
    for node in nodes(expr):
        if isinstance(node, reads) and not isinstance(node.type, Opt) and free(node) <= names.keys():
            with suppress(*NO_VALUE):
                if machine.value(node, state, names) is None:
                    return True
    return False


def _of_action(action: Action) -> Iterator[Part]:
    wholes = [c.expr for c in action.conditions] + [*exprs_in(flat(effects_of(action.effects)))]
    for part in (part for whole in wholes for part in nodes(whole)):
        if _is_closed(part, action.by):
            yield Part(part, action.by if free(part) else None)


def _is_closed(part: ir.Expr, by: str | None) -> bool:
    beyond = ir.Implicit | ir.Ways | ir.FitsOrder | ir.FitsScore
    return (
        part.type in (BOOL, INT)
        and not isinstance(part, ir.Const | ir.Local)
        and free(part) <= {by}
        and not asks_earlier(part)
        and not any(isinstance(node, beyond) for node in nodes(part))
    )
