"""Check and type properties.

Input: a `theorem`, `claim`, `always`, `never`, `reachable` or `ends`, and what each action leaves in scope.
Output: its IR.
Guarantee: a property without `after` reads no names of an action.
"""

from __future__ import annotations

from dataclasses import replace

from golpae.diagnostics import near, quoted_list
from golpae.elaborate.declare import texts
from golpae.elaborate.typecheck.expressions import Checker
from golpae.elaborate.typecheck.scope import Scope
from golpae.ir import expr as ir
from golpae.ir.ruleset import PROPERTY_KINDS, PropertyDecl, form_of
from golpae.ir.types import BOOL, INT
from golpae.syntax import tree as t


def check_property(checker: Checker, node: t.Property) -> PropertyDecl:
    """Return the typed property. Names of an action are in scope only with `after`."""
    kind = PROPERTY_KINDS[node.kind]
    form = form_of(kind)
    expected_type = INT if form.number else BOOL
    if node.after is not None and form.of_rules:
        advice = "write `always`, `never`, `reachable` or `ends`, or leave `after` out"
        checker.symbols.fault("R005", f"a `{node.kind}` is not about an event", node.after.span, advice)
    scope = Scope({}) if node.after is None else _scope_after(checker, node.after)
    checker.ways_allowed = form.of_rules
    if scope is None:  # the types of the action's names are missing, so the property is not checked
        expr: ir.Expr = ir.Const(False, expected_type)
    else:
        # a number is compared with that before the event in any case
        event = node.after is not None and not form.number
        expr = checker.expect(node.expr, expected_type, replace(scope, event=event))
    checker.ways_allowed = False
    after = None if node.after is None else node.after.text
    return PropertyDecl(kind, node.name.text, expr, node.expected, node.within, texts(node.ids), after)


def _scope_after(checker: Checker, word: t.Word) -> Scope | None:
    """Return the names in scope right after an action's events; None if there is no such action."""
    scopes = checker.symbols.scopes_after
    if word.text not in scopes:
        advice = near(word.text, scopes) or f"the actions are {quoted_list(scopes)}"
        checker.symbols.fault("N001", f"there is no action `{word.text}`", word.span, advice)
    return scopes.get(word.text)
