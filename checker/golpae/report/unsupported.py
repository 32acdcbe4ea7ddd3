"""The places of clauses that the prover does not support.

Input: results that name a clause by its path, and where the texts of the rule sets are.
Output: the same results with the file, the line and the words of these clauses.
Guarantee: a text is read again only if some result names a clause of it; one that has changed since gives no place. A
clause that a variant replaced has the place of its new text.

    action put(tile) by p
      turn: p = mover "not yours"      put.turn
      then mover := p's right          put.then
      then move tile from ...          put.then 2
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import assert_never

from golpae.diagnostics import Span, SpecError
from golpae.elaborate.load import load
from golpae.elaborate.resolve import Resolved, resolve, split
from golpae.ir.ruleset import paths_of
from golpae.syntax import tree as t
from golpae.verify.result import PropertyResult, UnsupportedPlace


def with_places(
    results: Iterable[PropertyResult], places: Mapping[str, Sequence[Path]]
) -> list[PropertyResult]:
    """Return the results with the place of each clause that the prover does not support.

    `places` says for each rule set where its texts are.
    """
    texts: dict[str, dict[str, Span]] = {}
    out = []
    for result in results:
        if result.unsupported is not None and result.rules in places:
            if result.rules not in texts:
                texts[result.rules] = _spans(result, places[result.rules])
            span = texts[result.rules].get(result.unsupported.clause)
            result = replace(result, unsupported=_placed(result.unsupported, span))
        out.append(result)
    return out


def _placed(place: UnsupportedPlace, span: Span | None) -> UnsupportedPlace:
    if span is None:
        return place
    return UnsupportedPlace(place.clause, span.text.name, span.text.position(span.start)[0], span.excerpt)


def _spans(result: PropertyResult, places: Sequence[Path]) -> dict[str, Span]:
    try:
        resolved = resolve(result.rules, load(split(result.rules)[0], places))
    except SpecError:
        return {}
    return clause_spans(resolved) if resolved.spec_hash == result.spec_hash else {}


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
