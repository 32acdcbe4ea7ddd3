"""Rules under one setting of a switch: expressions, effects and definitions without what the other one needs.

Input: parts of a rule set with states of the table, and values of these. Output: the same parts without the branches
that cannot be taken. Guarantee: they mean the same wherever the states have these values.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from golpae.ir import expr as ir
from golpae.ir.distinct_names import MARK
from golpae.ir.ruleset import Definition
from golpae.ir.traverse import deciding_test, nested, parts, with_nested
from golpae.ir.types import BOOL

Node = TypeVar("Node")
YES, NO = ir.Const(True, BOOL), ir.Const(False, BOOL)


def settled(expr: ir.Expr, values: Mapping[str, bool]) -> ir.Expr:
    """Return an expression with these values of states of the table; the definitions that it uses stay as they are."""
    return Settled(values).of(expr)


class Settled:
    """Values of states of the table: expressions and effects as they are then. Definitions that are `touched` get names
    of their own, with a `word`.
    """

    def __init__(
        self, values: Mapping[str, bool], touched: Sequence[Definition] = (), word: str = ""
    ) -> None:
        self._values = {state: YES if on else NO for state, on in values.items()}
        self._names = {d.name: f"{d.name}{MARK}{word}{MARK}" for d in touched}
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
        if isinstance(node, ir.StateRead) and node.name in self._values:
            return self._values[node.name]
        old = {field.name: getattr(node, field.name) for field in fields(node)}
        changed = {name: new for name, value in old.items() if (new := self._made(value)) is not value}
        made = replace(node, **changed) if any(changed[name] != old[name] for name in changed) else node
        if isinstance(made, ir.CallDef) and made.name in self._names:
            return replace(made, name=self._names[made.name])
        return folded(made)


def folded(node: Any) -> Any:
    """Return an expression without the branches that cannot be taken."""
    if isinstance(node, ir.If) and node.test in (YES, NO):
        return node.yes if node.test == YES else node.no
    if isinstance(node, ir.Op):
        first = node.args[0]
        if node.op == "not" and first in (YES, NO):
            return NO if first == YES else YES
        if node.op == "and":
            return joined(first, node.args[1])
        if node.op == "or":
            return either(first, node.args[1])
        if node.op == "implies" and first in (YES, NO):
            return node.args[1] if first == YES else YES
    return node


def joined(first: ir.Expr, second: ir.Expr) -> ir.Expr:
    if NO in (first, second):
        return NO
    if first == YES:
        return second
    return first if second == YES else ir.Op("and", (first, second), BOOL)


def either(first: ir.Expr, second: ir.Expr) -> ir.Expr:
    if YES in (first, second):
        return YES
    if first == NO:
        return second
    return first if second == NO else ir.Op("or", (first, second), BOOL)


def possible(effects: Iterable[ir.Effect]) -> Iterator[ir.Effect]:
    """Yield effects without those that cannot happen."""
    for effect in effects:
        test = deciding_test(effect)
        if test in (YES, NO):
            for on, inner in parts(effect):
                yield from possible(inner) if on is (test == YES) else ()
        elif not effect.STRUCTURE.nested:
            yield effect
        else:
            made = with_nested(effect, possible)
            if nested(made):
                yield made
