"""The Python source of one rule set at one table.

Input: the emitter of an `Instance`.
Output: the source of a module with, for each action `x`: `check_x` (the number of the first condition that fails, -1
if all hold), `apply_x` (its effects), `step_x` (read an event, check, apply), and a function for each definition.
Guarantee: the same instance gives the same source.
"""

from __future__ import annotations

from golpae.ir.ruleset import CaseDecl, Definition
from golpae.replay.codegen.conditions import ConditionEmitter
from golpae.replay.codegen.effects import EffectEmitter
from golpae.replay.codegen.events import EventEmitter
from golpae.replay.codegen.expressions import Emitter
from golpae.replay.codegen.lines import Lines
from golpae.replay.codegen.names import local
from golpae.replay.codegen.state import StateEmitter
from golpae.replay.state_layout import mangled


def source_of(expressions: Emitter) -> str:
    """Return the module's source."""
    instance, lines = expressions.instance, Lines()
    rules = instance.rule_set
    state = StateEmitter(instance, expressions, lines)
    conditions = ConditionEmitter(instance, expressions, lines)
    effects = EffectEmitter(instance, expressions, lines)
    events = EventEmitter(instance, lines)
    state.constants()
    state.state()
    for definition in rules.definitions:
        _definition(definition, expressions, lines)
    for action in rules.actions:
        conditions.check(action)
        effects.apply(action)
        events.read(action)
        events.first(action)
        events.step(action)
    effects.payout()
    effects.settled()
    return lines.text()


def _case(definition: Definition, case: CaseDecl, expressions: Emitter) -> str:
    """Return a case of a definition. What is noted is that the definition was asked, or that this case of it holds."""
    value = expressions.emit(case.expr)
    if definition.single:
        is_table = expressions.of_definitions.is_table(definition)  # then it is noted where it is looked up
        return value if is_table else expressions.noted(definition.name, value)
    path = f"{definition.name}.{case.name}"
    return f"({value} and {expressions.noted(path, 'True')})" if expressions.noting else value


def _definition(definition: Definition, expressions: Emitter, lines: Lines) -> None:
    """Write the function of a definition, and its table if it has one."""
    name = mangled(definition.name)
    params = [local(p.name) for p in definition.params]
    tests = [_case(definition, case, expressions) for case in definition.cases] or ["False"]
    key = expressions.key(definition)
    begin = "d" if key is None else "w"
    lines.put(0, f"def {begin}_{name}({', '.join(('S', *params))}):")
    all_asked = any(expressions.limited.can_fail(case.expr) for case in definition.cases)
    joined = f"any([{', '.join(tests)}])" if all_asked else " or ".join(tests)
    lines.put(1, f"return {tests[0] if definition.single else joined}")
    if key is not None:
        lines.put(0, f"r_{name} = remembering(w_{name})")
        lines.put(0, f"def d_{name}({', '.join(('S', *params))}):")
        lines.put(1, f"return r_{name}({', '.join((key, 'S', *params))})")
    if expressions.of_definitions.is_table(definition):
        if expressions.counts_steps:
            lines.put(0, f"begin_steps({definition.name!r})")
        listed = ", ".join(params)
        value = f"lambda {listed}: d_{name}(None, {listed})"
        eager = not expressions.of_definitions.asks_score(definition) and expressions.is_short(definition)
        lines.put(0, f"T_{name} = table({definition.name!r}, {value}, {len(params)}, {eager})")
