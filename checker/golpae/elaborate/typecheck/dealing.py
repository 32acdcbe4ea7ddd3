"""Numbers of tiles under `deal` that do not say where the tiles go: `hands: 5`, `market: 4`.

Input: the clauses of `deal`. Output: a fault for each such clause, with the way to write it.
Guarantee: a clause that is a condition is left to others.
"""

from __future__ import annotations

from golpae.elaborate.typecheck.expressions import Checker
from golpae.elaborate.typecheck.scope import Scope
from golpae.elaborate.typecheck.symbols import Refused
from golpae.ir.types import INT
from golpae.syntax import tree as t

HANDS = ("hand", "hands")


def numbers_dealt(checker: Checker, node: t.Action, scope: Scope) -> tuple[t.Clause, ...]:
    """Return the clauses that are numbers, a fault entered for each."""
    if node.kind != "deal":
        return ()
    found = tuple(
        c for c in node.clauses if isinstance(c.body, t.Condition) and _is_number(checker, c.body, scope)
    )
    deals = any(isinstance(c.body, t.Hands) for c in node.clauses)
    for clause in found:
        assert isinstance(clause.body, t.Condition)
        number = clause.body.expr
        words = number.span.excerpt if isinstance(number, t.Number | t.Name) else f"({number.span.excerpt})"
        advice = f"write `hands: {words} for everyone`, or `hands: 6 for first, 5 for the others`"
        if deals or clause.name.text not in HANDS:
            advice = tiles_on_the_table(checker, node, clause)
        message = f"`{number.span.excerpt}` does not say which hands get so many tiles"
        checker.symbols.fault("T001", message, number.span, advice)
    return found


def tiles_on_the_table(checker: Checker, node: t.Action, clause: t.Clause) -> str:
    """Return how tiles come to the table as a hand is dealt."""
    stock = "stock" if node.zone is None else node.zone.text
    zone = checker.symbols.zones.get(clause.name.text)
    target = zone.name if zone is not None and not zone.each_player else "market"
    return (
        f"tiles for the table are named in the event: write `deal(open: {{a, b}}) from {stock}`, "
        f"and under it `then move open from {stock} to {target}`"
    )


def _is_number(checker: Checker, body: t.Condition, scope: Scope) -> bool:
    faults = len(checker.symbols.diagnostics)
    try:
        return checker.infer(body.expr, scope).type == INT
    except Refused:
        return False
    finally:
        del checker.symbols.diagnostics[faults:]  # the check of the condition enters them again
