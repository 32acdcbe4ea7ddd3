"""Definitions used with values.

Input: a definition and its arguments. Output: its value. Guarantee: it is computed once for the same arguments and the
same values of what it reads; a definition that no solver can express is one symbol for each question.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import product
from math import prod
from typing import Any

from golpae.ir import expr as ir
from golpae.ir.dependencies import nodes_through
from golpae.ir.ruleset import CaseDecl, Definition
from golpae.ir.traverse import nodes
from golpae.ir.types import Bool, Points
from golpae.prove.evaluation.context import Context, Evaluate, Names
from golpae.prove.evaluation.memo_keys import Memo, all_concrete, key_of
from golpae.prove.evaluation.reads import DefinitionReads, values_read
from golpae.prove.symbolic.state import SymbolicState
from golpae.prove.symbolic.terms import Unsupported
from golpae.prove.symbolic.values import GuardedUnion, Value, any_of, cases, conj, merge

MOST_CASES = 1_000  # choices of values that an unknown call is split into


class DefinitionCalls:
    """Calls of the definitions of one table."""

    def __init__(self, context: Context, reads: DefinitionReads, memo: Memo, evaluate: Evaluate) -> None:
        self._context = context
        self._reads = reads
        self._memo = memo
        self._evaluate = evaluate
        self._static: dict[Any, Value] = {}  # values that depend on no state
        self._wide: dict[str, bool] = {}
        self._scoring: dict[str, bool] = {}

    def saved(self) -> Callable[[], None]:
        """Return a function that forgets all values since now that depend on no state."""
        static = dict(self._static)

        def restore() -> None:
            self._static = dict(static)

        return restore

    @contextmanager
    def scratch(self) -> Iterator[dict[Any, Value]]:
        """Store values in a temporary dictionary within the block. They are not needed later."""
        stored, self._static = self._static, {}
        try:
            yield self._static
        finally:
            self._static = stored

    def call(self, name: str, args: tuple[Value, ...], state: SymbolicState | None) -> Value:
        """Return the value of a definition for some arguments."""
        context = self._context
        definition = context.definitions[name]
        static = context.static[name] or state is None
        memory = self._static if static or state is None else state.memo
        key = (name, context.arrangement, *map(key_of, args))
        if key in memory:
            return memory[key][0]
        if static or state is None or context.traced is not None:
            value = self._compute(definition, args, state)
        else:
            read = values_read(self._reads.of(name), args, state)
            value = self._memo.get(key, args, read, lambda: self._compute(definition, args, state))
        memory[key] = (value, args)  # the arguments are referenced, so that keys stay theirs
        return value

    def _compute(self, definition: Definition, args: tuple[Value, ...], state: SymbolicState | None) -> Value:
        if args:
            return self._compute_for(definition, args, state)
        around, self._context.width = self._context.width, 1  # it is computed once, wherever it is used
        try:
            return self._compute_for(definition, args, state)
        finally:
            self._context.width = around

    def _compute_for(
        self, definition: Definition, args: tuple[Value, ...], state: SymbolicState | None
    ) -> Value:
        names = {p.name: a for p, a in zip(definition.params, args, strict=True)}
        value = self._case_by_case(definition, args, state)
        if value is None:
            value = self._abstract_call(definition, args, state)
        return self._cases(definition, state, names) if value is None else value

    def _case_by_case(
        self, definition: Definition, args: tuple[Value, ...], state: SymbolicState | None
    ) -> Value:
        """Return a call for arguments that are one of several, computed for each choice of them.

        None if there are no such arguments, if there are too many choices, or if it does not help. A call for tiles
        alone is a constant for each choice; a call that needs a score is the same question for the same tile.
        """
        name = definition.name
        alone = self._context.static[name] and isinstance(definition.type, Bool)
        if self._context.traced is not None or not (alone or self._is_scoring(definition)):
            return None
        rows = [cases(a) for a in args]
        if all(len(r) == 1 for r in rows) or prod(map(len, rows)) > MOST_CASES:
            return None
        options = [v for a in args if isinstance(a, GuardedUnion) for _, v in a.cases]
        if not all(v is None or v.__class__ in (int, str) for v in options):
            return None
        values = [
            (conj(*(g for g, _ in chosen)), self.call(name, tuple(v for _, v in chosen), state))
            for chosen in product(*rows)
        ]
        return any_of(conj(g, v) for g, v in values) if alone else merge(values)

    def _is_scoring(self, definition: Definition) -> bool:
        """Return whether a definition is a number that needs a score no solver can express."""
        name = definition.name
        if name not in self._scoring:
            self._scoring[name] = isinstance(definition.type, Points) and any(
                self._needs_opaque_score(c.expr) for c in definition.cases
            )
        return self._scoring[name]

    def _abstract_call(
        self, definition: Definition, args: tuple[Value, ...], state: SymbolicState | None
    ) -> Value:
        """Return a symbol for a definition that goes through many unknown hands of which no solver can express what
        they score, or whether they are an arrangement beside melds; otherwise None.
        """
        if state is None or self._context.traced is not None or not self._is_wide(definition):
            return None
        read = values_read(self._reads.of(definition.name), args, state)
        if all_concrete((*args, *read)):
            return None
        return self._context.abstraction.truth(definition.name, (*args, *read))

    def _is_wide(self, definition: Definition) -> bool:
        if definition.name not in self._wide:
            self._wide[definition.name] = isinstance(definition.type, Bool) and any(
                isinstance(n, ir.Quant) and (self._needs_opaque_score(n.body) or self._is_beside(n.body))
                for c in definition.cases
                for n in nodes(c.expr)
            )
        return self._wide[definition.name]

    def _is_beside(self, expr: ir.Expr) -> bool:
        """Return whether an expression asks for an arrangement beside melds, of which there are no lists."""
        return any(isinstance(n, ir.IsBeside) for n in nodes_through(expr, self._context.definitions))

    def _needs_opaque_score(self, expr: ir.Expr) -> bool:
        """Return whether an expression needs a score that no solver can express."""
        return any(
            isinstance(n, ir.CallScore) and len(self._context.scores[n.name].params) != 1
            for n in nodes_through(expr, self._context.definitions)
        )

    def _cases(self, definition: Definition, state: SymbolicState | None, names: Names) -> Value:
        if definition.single:
            return self._case(definition, definition.cases[0], definition.name, state, names)
        return any_of(
            self._case(definition, c, f"{definition.name}.{c.name}", state, names) for c in definition.cases
        )

    def _case(
        self, definition: Definition, case: CaseDecl, path: str, state: SymbolicState | None, names: Names
    ) -> Value:
        try:
            value = self._evaluate(case.expr, state, names)
        except Unsupported as fault:
            fault.at(path)
            raise
        traced = self._context.traced
        return value if traced is None else traced(path, value, definition.type)
