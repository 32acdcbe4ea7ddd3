"""Check that a text is complete: its parts, one zone that holds the set, rules that its sources list.

Input: the declarations of a resolved text and its symbol table. Output: faults in that table (G004, N003).
Guarantee: a text without these faults has every part that later passes need.
"""

from __future__ import annotations

from collections.abc import Iterable

from golpae.diagnostics import Diagnostic, Label, near
from golpae.elaborate.declare import head_span
from golpae.elaborate.resolve import Resolved
from golpae.elaborate.typecheck.symbols import SymbolTable
from golpae.ir.ruleset import OTHERS, OWNER
from golpae.syntax import tree as t
from golpae.syntax.citations import citations

REQUIRED = {
    "players": "write `players 2 to 4`",
    "tiles": "write `tiles`, and under it lines such as `low: two of each 1-1 2-1`",
    "zones": "write `zones`, and under it lines such as `pool: row seen by nobody, holds the set`",
    "deal": "write `deal from pool`, and under it `hands: 6 for first, 5 for the others`",
    "end": "write `end`, and under it when a hand may end: `due: over`",
}


def require_parts(symbols: SymbolTable, resolved: Resolved, action_kinds: Iterable[str]) -> None:
    """Check that the text has every required part, and that one zone holds the set."""
    present = {*action_kinds} | {type(decl).__name__.lower() for decl in resolved.decls}
    if not {"tiles", "zones"} <= present:
        # the missing part would have declared these words
        symbols.diagnostics = [d for d in symbols.diagnostics if d.code not in ("N001", "T004")]
    holds = next((zone.name for zone in symbols.zones.values() if zone.holds_set), "pool")
    for part, words in REQUIRED.items():
        if part not in present:
            advice = words.replace("deal from pool", f"deal from {holds}")
            symbols.fault(
                "G004", f"`{resolved.game.name.text}` has no `{part}`", resolved.game.name.span, advice
            )
    holding = [z.name for z in symbols.zones.values() if z.holds_set]
    for zone in symbols.zones.values():
        if zone.holds_set and (zone.each_player or zone.kind == "melds"):
            what = "belongs to each player" if zone.each_player else "holds melds"
            message = f"`{zone.name}` {what}, but the set needs a shared zone of tiles"
            advice = "let another zone hold it: `pool: tiles seen by nobody, holds the set`"
            symbols.fault("G004", message, symbols.zone_spans[zone.name], advice)
        if zone.seen_by in (OWNER, OTHERS) and not zone.each_player:
            message = f"`{zone.name}` has no owner: it is a shared zone"
            advice = f"write `each player's {zone.name}`, or `seen by everyone`"
            symbols.fault("G004", message, symbols.zone_spans[zone.name], advice)
    if "zones" in present and not holding:
        zones = next(d for d in resolved.decls if isinstance(d, t.Zones))
        advice = "add `, holds the set` to the zone that tiles are dealt from"
        symbols.fault("G004", "no zone holds the set", head_span(zones.span, "zones"), advice)
    for name in holding[1:]:
        message = f"`{holding[0]}` and `{name}` both hold the set"
        advice = "delete `, holds the set` from one of them"
        first = Label(symbols.zone_spans[holding[0]], "the first one")
        symbols.diagnostics.append(Diagnostic("G004", message, symbols.zone_spans[name], advice, (first,)))


def effects_are_faulty(symbols: SymbolTable, nodes: Iterable[t.Action]) -> bool:
    """Return whether a fault hides what some action sets."""
    spans = [c.span for node in nodes for c in node.clauses if isinstance(c.body, t.Effects)]
    places = [d.span for d in symbols.diagnostics if d.span is not None]
    return any(s.start <= p.start < s.end and s.text is p.text for s in spans for p in places)


def check_citations(symbols: SymbolTable, resolved: Resolved) -> None:
    """Check that rule numbers in brackets are those of the source blocks, if a text has any."""
    sources = [d for d in resolved.decls if isinstance(d, t.Source)]
    if not sources:
        return
    listed = {s.number.text for s in sources} | {r.name.text for s in sources for r in s.rules}
    symbols.once_each((s.number for s in sources), "there are two sources", "give each its own number")
    seen: dict[str, t.Rule] = {}
    for source in sources:
        for rule in source.rules:
            first = seen.setdefault(rule.name.text, rule)
            if first is not rule:
                symbols.twice(
                    f"there are two rules `{rule.name.text}`",
                    rule.name.span,
                    "give each its own number",
                    first.name.span,
                )
    for word in (w for part in (resolved.game, *resolved.decls, *resolved.variants) for w in citations(part)):
        if word.text not in listed:
            advice = near(word.text, listed) or f'write `{word.text}: "what it says"` under its `source`'
            symbols.fault("N003", f"no source lists a rule `{word.text}`", word.span, advice)
