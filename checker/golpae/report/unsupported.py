"""The places of clauses that the prover does not support.

Input: results that name a clause by its path, and where the texts of the rule sets are.
Output: the same results with the file, the line and the words of these clauses.
Guarantee: a text is read again only if some result names a clause of it; one that has changed since gives no place. A
clause that a variant replaced has the place of its new text.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from golpae.diagnostics import Span, SpecError
from golpae.elaborate.blocks import clause_spans
from golpae.elaborate.load import load
from golpae.elaborate.resolve import resolve, split
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
    return clause_spans(resolved.decls) if resolved.spec_hash == result.spec_hash else {}
