"""Check and type properties.

Input: a `theorem`, `claim`, `always`, `never`, `reachable` or `ends`, and what each action leaves in scope.
Output: its IR: a property, or a share if it is about many hands.
Guarantee: a property without `after` reads no names of an action. The bounds of a share are in order.
"""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from golpae.diagnostics import near, quoted_list
from golpae.elaborate.declare import texts
from golpae.elaborate.typecheck.expressions import Checker
from golpae.elaborate.typecheck.scope import Scope
from golpae.ir import expr as ir
from golpae.ir.ruleset import (
    ABOUT,
    POLICY_NAMES,
    PROPERTY_KINDS,
    WHOLE,
    PropertyDecl,
    ShareDecl,
    form_of,
)
from golpae.ir.types import BOOL, INT
from golpae.syntax import tree as t

DIGITS = 3  # of a percentage, after the point
LONGEST = 9  # digits of a percentage that are read


def check_property(checker: Checker, node: t.Property) -> PropertyDecl:
    """Return the typed property. Names of an action are in scope only with `after`."""
    kind = PROPERTY_KINDS[node.kind]
    form = form_of(kind)
    expected_type = INT if form.number else BOOL
    if node.after is not None and form.of_rules:
        advice = "write `always`, `never`, `reachable` or `ends`, or leave `after` out"
        checker.symbols.fault("R005", f"a `{node.kind}` is not about an event", node.after.span, advice)
    elif node.after is not None and form.number and node.after.text in checker.symbols.uncounted:
        message = f"an `{node.kind}` does not count `{node.after.text}` events"
        advice = "write an action of a hand, or leave `after` out"
        checker.symbols.fault("R005", message, node.after.span, advice)
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


def share_of(node: t.Property) -> t.Share | None:
    """Return the share that a property states, or None."""
    stated = node.expr.right if isinstance(node.expr, t.Binary) else node.expr
    return stated if isinstance(stated, t.Share) else None


def expected_of(node: t.Property) -> str:
    """Return the verdict that a text expects of a property."""
    return node.expected or ("proved" if share_of(node) is None else "measured")


def check_share(checker: Checker, node: t.Property, share: t.Share) -> ShareDecl:
    """Return the typed share of a property that states one."""
    symbols = checker.symbols
    if node.kind != "claim":
        message = f"a `{node.kind}` cannot state a share of hands"
        symbols.fault("R005", message, share.span, "write a `claim`")
    if node.after is not None:
        advice = "leave `after` out: a share is about hands that are over"
        symbols.fault("R005", "a share of hands is not about an event", node.after.span, advice)
    if share.policy.text not in POLICY_NAMES:
        advice = near(share.policy.text, POLICY_NAMES) or f"the policies are {quoted_list(POLICY_NAMES)}"
        symbols.fault("N001", f"there is no policy `{share.policy.text}`", share.policy.span, advice)
    if node.within == 0:
        symbols.fault("G007", "no hand has 0 events", node.span, "write how many events a hand may have")
    premise: ir.Expr = ir.Const(True, BOOL)
    if isinstance(node.expr, t.Binary):
        premise = checker.expect(node.expr.left, BOOL, Scope({}))
    low, high = _bounds(checker, share)
    return ShareDecl(
        node.name.text,
        premise,
        share.word,
        low,
        high,
        POLICY_NAMES.get(share.policy.text, "random"),
        checker.expect(share.event, BOOL, Scope({})),
        node.expected,
        node.within,
        texts(node.ids),
    )


def _bounds(checker: Checker, share: t.Share) -> tuple[int, int]:
    """Return the bounds of a share, in thousandths of a percent."""
    numbers = [_thousandths(checker, word) for word in share.percents]
    match share.word:
        case "about":
            return max(0, numbers[0] - ABOUT), min(WHOLE, numbers[0] + ABOUT)
        case "over":
            return numbers[0], WHOLE
        case "under":
            return 0, numbers[0]
        case "between":
            low, high = numbers
            if low > high:
                both = share.percents[0].span.to(share.percents[1].span)
                one, other = (word.text for word in share.percents)
                message = f"there is no share between `{one}` and `{other}`"
                checker.symbols.fault("G007", message, both, f"write `between {other} and {one}`")
            return low, high
        case _:
            assert_never(share.word)


def _thousandths(checker: Checker, word: t.Word) -> int:
    """Return a percentage in thousandths of a percent."""
    whole, _, part = word.text.removesuffix("%").partition(".")
    if len(part) > DIGITS:
        message = f"`{word.text}` is more exact than golpae measures"
        checker.symbols.fault("G007", message, word.span, f"write at most {DIGITS} digits after the point")
    out = int(whole[:LONGEST]) * 1000 + int(part[:DIGITS].ljust(DIGITS, "0"))
    if out > WHOLE:
        checker.symbols.fault("G007", f"no share is `{word.text}`", word.span, "write at most `100%`")
    return out


def _scope_after(checker: Checker, word: t.Word) -> Scope | None:
    """Return the names in scope right after an action's events; None if there is no such action."""
    scopes = checker.symbols.scopes_after
    if word.text not in scopes:
        advice = near(word.text, scopes) or f"the actions are {quoted_list(scopes)}"
        checker.symbols.fault("N001", f"there is no action `{word.text}`", word.span, advice)
    return scopes.get(word.text)
