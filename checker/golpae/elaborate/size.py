"""Whether the numbers of a text fit together: the set, its stated size, the deal, the bounds.

In: a typed rule set and the text it came from. Out: faults, said where the numbers stand.
"""

from __future__ import annotations

from golpae.diagnostics import Diagnostic, Span
from golpae.elaborate.constant import NotConstant, constant_int
from golpae.elaborate.instance import TableFault, bounds, instance, options_of
from golpae.elaborate.resolve import Resolved
from golpae.ir.ruleset import RuleSet
from golpae.syntax import tree as t


def check_sizes(rule_set: RuleSet, resolved: Resolved) -> list[Diagnostic]:
    """Faults of size; empty where all fits."""
    out: list[Diagnostic] = []
    decls = resolved.decls
    for option in (d for d in decls if isinstance(d, t.Option)):
        out.extend(_option(rule_set, option))
    tiles = next(d for d in decls if isinstance(d, t.Tiles))
    players = next(d for d in decls if isinstance(d, t.Players))
    if out:
        return out
    try:
        options = options_of(rule_set, {})
        low, high = bounds(rule_set, options)
    except TableFault as fault:
        return [Diagnostic("G007", str(fault), players.span)]
    if not 1 <= low <= high:
        return [
            Diagnostic(
                "G007",
                f"a game for {low} to {high} players is for nobody",
                players.low.span.to(players.high.span),
                "write the lower number first",
            )
        ]
    if high > 1000:
        return [
            Diagnostic("G007", f"{high} players are too many", players.high.span, "at most 1000 are possible")
        ]
    full = instance(rule_set, high, {})
    found = sum(k.copies + k.withdrawn for k in full.kinds)
    if tiles.count is not None and (found, len(full.kinds)) != (tiles.count, tiles.kinds):
        message = f"the set has {found} tiles of {len(full.kinds)} kinds, not {tiles.count} of {tiles.kinds}"
        first = tiles.span.words.split("\n")[0].split("[")[0].rstrip()
        span = Span(tiles.span.text, tiles.span.start, tiles.span.start + len(first))
        out.append(Diagnostic("G001", message, span, "count the lines below, or correct this one"))
    deal = next(a for a in rule_set.actions if a.kind == "deal")
    node = next(d for d in decls if isinstance(d, t.Action) and d.kind == "deal")
    clause = next((c for c in node.clauses if isinstance(c.body, t.Hands)), None)
    if deal.dealing is not None and clause is not None:
        for number in range(low, high + 1):
            table = instance(rule_set, number, {})
            try:
                dealt = constant_int(deal.dealing.first, table.known) + (number - 1) * constant_int(
                    deal.dealing.others, table.known
                )
            except NotConstant:
                break
            if dealt > len(table.whole):
                message = f"{number} players need {dealt} tiles, and the set has {len(table.whole)}"
                out.append(
                    Diagnostic("G002", message, clause.body.span, "deal fewer tiles, or allow fewer players")
                )
                break
    return out


def _option(rule_set: RuleSet, node: t.Option) -> list[Diagnostic]:
    try:
        options_of(rule_set, {})
    except TableFault as fault:
        return [
            Diagnostic(
                "G007", str(fault), (node.normally or node.low).span, "keep `normally` between the bounds"
            )
        ]
    except NotConstant:
        return [
            Diagnostic(
                "G007",
                f"the bounds of `{node.name.text}` are no fixed numbers",
                node.low.span.to(node.high.span),
            )
        ]
    return []
