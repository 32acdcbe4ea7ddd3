"""Check and type states and their first values.

Input: the state declarations of a text, and its checked definitions and actions. Output: their IR, each state after
those that its first value reads. Guarantee: a state without a first value that `deal` does not always set is a fault
(G005).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import assert_never

from golpae.diagnostics import Span, near
from golpae.elaborate.resolve import Resolved
from golpae.elaborate.typecheck.expressions import Checker
from golpae.elaborate.typecheck.scope import Scope
from golpae.elaborate.typecheck.symbols import SymbolTable
from golpae.ir import expr as ir
from golpae.ir.dependencies import Dependencies
from golpae.ir.ruleset import Action, VarDecl, effects_of
from golpae.ir.traverse import exprs_in
from golpae.ir.types import (
    INT,
    SEAT,
    Bag,
    Bool,
    Choice,
    Each,
    Int,
    Meld,
    NoneType,
    Opt,
    Patterns,
    Points,
    Seat,
    Tile,
    Type,
)
from golpae.syntax import tree as t


def check_states(checker: Checker, resolved: Resolved) -> tuple[VarDecl, ...]:
    """Return the states with their first values, which may read any state and so are checked when all are declared."""
    symbols = checker.symbols
    for state in (d for d in resolved.decls if isinstance(d, t.State)):
        for node in state.vars:
            if symbols.var_spans.get(node.name.text) != node.name.span:
                continue  # a second state of this name
            declared = symbols.vars[node.name.text]
            kind = declared.type
            initial = None if node.initial is None else checker.expect(node.initial, kind, Scope({}))
            low = high = None
            if isinstance(node.type, t.TypeRange):
                low, high = (checker.expect(end, INT, Scope({})) for end in (node.type.low, node.type.high))
            if initial is None and state.scope == "match":
                advice = f"add `= {_example(kind)}`: a match begins before any deal"
                symbols.fault("G005", f"`{declared.name}` has no first value", node.name.span, advice)
            _check_title(symbols, node)
            symbols.vars[node.name.text] = VarDecl(
                declared.name,
                declared.each_player,
                kind,
                initial,
                state.scope,
                low,
                high,
                node.tells_winners,
                node.title,
                node.hidden,
            )
    return tuple(symbols.vars.values())


def _check_title(symbols: SymbolTable, node: t.StateVar) -> None:
    """Enter a fault for a hole of a title that does not name a state which the table shows beside it."""
    shown = [name for name, var in symbols.vars.items() if not var.each_player or node.each_player]
    for hole in re.findall(r"\{(.*?)\}", node.title or ""):
        if hole not in shown:
            message = f"`{node.name.text}` is told with `{{{hole}}}`, which is no state"
            symbols.fault("N001", message, node.name.span, near(hole, shown) or "in `{ }` stands a state")


def in_dependency_order(states: Iterable[VarDecl], dependencies: Dependencies) -> tuple[VarDecl, ...]:
    """Return the states in the order of the text, but each after those that its first value reads."""
    by_name = {var.name: var for var in states}
    placed: dict[str, VarDecl] = {}
    begun: set[str] = set()

    def place(var: VarDecl) -> None:
        if var.name in begun:  # placed already, or part of a cycle, which is a fault of its own
            return
        begun.add(var.name)
        for node in () if var.initial is None else dependencies.nodes([var.initial]):
            if isinstance(node, ir.StateRead) and node.name in by_name:
                place(by_name[node.name])
        placed[var.name] = var

    for var in by_name.values():
        place(var)
    return tuple(placed.values())


def require_first_values(symbols: SymbolTable, states: Iterable[VarDecl], actions: Iterable[Action]) -> None:
    """Enter a fault for each state of a hand that has no first value and that `deal` does not always set."""
    by_deal = [e for a in actions if a.kind == "deal" for e in effects_of(a.effects)]
    set_by_deal = {name for effect in by_deal if (name := _sets(effect, symbols.vars)) is not None}
    for var in states:
        optional = isinstance(var.type, Opt)
        if var.initial is None and var.scope == "hand" and var.name not in set_by_deal and not optional:
            first = "first" if var.type == SEAT else _example(var.type)
            advice = f"write `then {var.name} := {first}` under `deal`"
            if var.type != SEAT:
                advice = f"add `= {first}`, or write `then {var.name} := {first}` under `deal`"
            if var.each_player:
                example = "p" if var.type == SEAT else first
                advice = f"write `then for each p in players: p's {var.name} := {example}` under `deal`"
            symbols.fault("G005", f"`{var.name}` has no first value", symbols.var_spans[var.name], advice)


def require_set_before_read(
    symbols: SymbolTable, states: Iterable[VarDecl], actions: Iterable[tuple[Action, t.Action]]
) -> None:
    """Enter a fault for each place that may read a state before the first deal has set it."""
    unset = {
        v.name for v in states if v.scope == "hand" and v.initial is None and not isinstance(v.type, Opt)
    }
    if not unset:
        return
    for var in states:
        for name in () if var.initial is None else _read(symbols, var.initial, unset):
            message = f"`{name}` has no value yet when `{var.name}` gets its first one"
            advice = f"set `{var.name}` in the `then` of `deal`"
            symbols.fault("G005", message, symbols.var_spans[var.name], advice)
    for action, node in actions:
        clauses = {clause.name.text: clause for clause in node.clauses if clause.name.text != "then"}
        if action.kind in ("before", "deal"):
            for condition in action.conditions:
                exprs = (condition.expr, *(m for m in condition.message if not isinstance(m, str)))
                clause = clauses.get(condition.name)
                if clause is not None:
                    for name in dict.fromkeys(n for e in exprs for n in _read(symbols, e, unset)):
                        _unset(symbols, name, clause.body.span)
        dealt = [clause for clause in node.clauses if isinstance(clause.body, t.Hands)]
        if action.dealing is not None and dealt:
            for size in {action.dealing.first, action.dealing.others}:
                for name in _read(symbols, size, unset):
                    _unset(symbols, name, dealt[0].body.span)
        if action.kind in ("before", "deal"):
            left = set(unset)
            bodies = [clause.body for clause in node.clauses if isinstance(clause.body, t.Effects)]
            to_zones = 0 if action.dealing is None else len(action.dealing.table)
            for effects, body in zip(action.effects[to_zones:], bodies, strict=False):
                for effect in effects.effects:
                    for name in dict.fromkeys(n for e in exprs_in([effect]) for n in _read(symbols, e, left)):
                        _unset(symbols, name, body.span)
                    if action.kind == "deal":
                        left.discard(_sets(effect, symbols.vars) or "")


def _sets(effect: ir.Effect, states: Mapping[str, VarDecl]) -> str | None:
    """Return the name of the state that an effect certainly sets: of one for each player, every one."""
    if isinstance(effect, ir.SetState) and not states[effect.name].each_player:
        return effect.name
    if isinstance(effect, ir.ForEach) and isinstance(effect.domain, ir.Builtin):
        own = ir.Local(effect.name, SEAT)
        inner = (e.name for e in effect.effects if isinstance(e, ir.SetState) and e.seat == own)
        return next(inner, None) if effect.domain.name == "players" else None
    return None


def _read(symbols: SymbolTable, expr: ir.Expr, names: set[str]) -> list[str]:
    """Return which of these states an expression reads, itself or by other parts, in the order of the text."""
    nodes = symbols.dependencies.nodes([expr])
    return [*dict.fromkeys(n.name for n in nodes if isinstance(n, ir.StateRead) and n.name in names)]


def _unset(symbols: SymbolTable, name: str, span: Span) -> None:
    advice = f"give it a first value in `state`, after `{name}: ... =`, or set it before it is read"
    symbols.fault("G005", f"`{name}` may have no value yet here", span, advice)


def _example(kind: Type) -> str:
    """Return a value of this type as an author would write it, for advice."""
    match kind:
        case Bool():
            return "no"
        case Int():
            return "0"
        case Choice(words):
            return words[0] if words else "..."
        case Bag():
            return "{}"
        case Seat() | Tile() | Meld() | Each() | Opt() | NoneType() | Points() | Patterns():
            return "..."
        case _:
            assert_never(kind)
