"""Where the clauses of a rule set stand in its texts.

Input: a resolved text.
Output: the span of each clause, by its path, as the prover names it.
Guarantee: a clause that a variant replaced has the span of its new text.

    action put(tile) by p
      turn: p = mover "not yours"      put.turn
      then mover := p's right          put.then
      then move tile from ...          put.then 2
"""

from __future__ import annotations

from typing import assert_never

from golpae.diagnostics import Span
from golpae.elaborate.resolve import Resolved
from golpae.ir.ruleset import paths_of
from golpae.syntax import tree as t


def clause_spans(resolved: Resolved) -> dict[str, Span]:
    """Return the span of each clause by its path."""
    out: dict[str, Span] = {}
    for node in resolved.decls:
        match node:
            case t.Property(name=name):
                out[f"property {name.text}"] = node.span
            case t.State(vars=vars_):
                out |= {f"state.{var.name.text}": var.span for var in vars_}
            case t.Define(name=name, clauses=clauses):
                out |= {f"{name.text}.{c.name.text}": c.span for c in clauses} if node.cases else {}
                out[name.text] = node.span
            case t.Action(name=name, clauses=clauses):
                effects = [c for c in clauses if isinstance(c.body, t.Effects)]
                out |= {f"{name.text}.{c.name.text}": c.span for c in clauses if c not in effects}
                paths = paths_of(name.text, [c.name.text for c in effects])
                out |= dict(zip(paths, (c.span for c in effects), strict=True))
            case t.Players() | t.Option() | t.Tiles() | t.Zones() | t.Shape() | t.Arrangement() | t.Score():
                pass  # the prover names no part of these
            case t.Game() | t.Source() | t.Include() | t.Delta() | t.Variant():
                pass
            case _:
                assert_never(node)
    return out
