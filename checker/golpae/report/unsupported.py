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

from golpae.diagnostics import Span
from golpae.report.ci.places import TextPlaces
from golpae.verify.result import PropertyResult, UnsupportedPlace


def with_places(
    results: Iterable[PropertyResult], places: Mapping[str, Sequence[Path]]
) -> list[PropertyResult]:
    """Return the results with the place of each clause that the prover does not support.

    `places` says for each rule set where its texts are.
    """
    texts = TextPlaces(places)
    out = []
    for result in results:
        if result.unsupported is not None and result.rules in places:
            span = texts.span(result.rules, result.unsupported.clause, result.spec_hash)
            result = replace(result, unsupported=_placed(result.unsupported, span))
        out.append(result)
    return out


def _placed(place: UnsupportedPlace, span: Span | None) -> UnsupportedPlace:
    if span is None:
        return place
    return UnsupportedPlace(place.clause, span.text.name, span.text.position(span.start)[0], span.excerpt)
