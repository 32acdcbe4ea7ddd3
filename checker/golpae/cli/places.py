"""The places of clauses that the prover does not support.

Input: results that name a clause by its path, and the words of the call that name the rules.
Output: the same results with the file, the line and the words of these clauses.
Guarantee: a text is read again only if some result names a clause of it; one that has changed since gives no place.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from golpae.cli.rule_sets import Named
from golpae.diagnostics import SpecError
from golpae.verify.result import PropertyResult, UnsupportedPlace


def with_places(results: Iterable[PropertyResult], names: Mapping[str, Named]) -> list[PropertyResult]:
    """Return the results with the place of each clause that the prover does not support."""
    texts: dict[str, _Places] = {}
    out = []
    for result in results:
        if result.unsupported is not None and result.rules in names:
            places = texts.setdefault(result.rules, _Places(names[result.rules], result.spec_hash))
            result = replace(result, unsupported=places.of(result.unsupported))
        out.append(result)
    return out


class _Places:
    """The places of the clauses of one rule set."""

    def __init__(self, name: Named, spec_hash: str) -> None:
        from golpae.elaborate.clause_spans import clause_spans
        from golpae.elaborate.load import load
        from golpae.elaborate.resolve import resolve, split

        try:
            resolved = resolve(name.rules, load(split(name.rules)[0], name.places))
        except SpecError:
            self.spans = {}
            return
        self.spans = clause_spans(resolved) if resolved.spec_hash == spec_hash else {}

    def of(self, place: UnsupportedPlace) -> UnsupportedPlace:
        span = self.spans.get(place.clause)
        if span is None:
            return place
        return UnsupportedPlace(place.clause, span.text.name, span.text.position(span.start)[0], span.excerpt)
