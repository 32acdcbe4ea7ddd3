"""Who else sees a zone, and when: `seen by its owner, by its partner, by everyone when it = dummy`.

Input: the declarations of a resolved text. Output: the same; each such zone names a definition that says so.
Guarantee: a zone without such words stays as it is.

    each player's hand: tiles seen by its owner, by everyone when it = dummy
    ->  define hand-seen(it: seat, viewer: seat): it = dummy
"""

from __future__ import annotations

from dataclasses import replace
from functools import reduce

from golpae.diagnostics import Diagnostic, SpecError
from golpae.elaborate.expand.effects import free_name
from golpae.syntax import tree as t
from golpae.syntax.traverse import nodes

OWNER = "it"


def sights_written_out(decls: tuple[t.Decl, ...]) -> tuple[t.Decl, ...]:
    """Return a text in which a definition says who else sees a zone."""
    made: list[t.Decl] = []
    viewer = ""
    for decl in decls:
        for zone in decl.zones if isinstance(decl, t.Zones) else ():
            if zone.sights:
                _refuse_its(zone)
                viewer = viewer or free_name("viewer", decls)
                made.append(_definition(zone, free_name(f"{zone.name.text}-seen", decls), viewer))
    if not made:
        return decls
    names = iter([d.name.text for d in made if isinstance(d, t.Define)])
    out = (
        replace(d, zones=tuple(replace(z, also=next(names), sights=()) if z.sights else z for z in d.zones))
        if isinstance(d, t.Zones)
        else d
        for d in decls
    )
    return (*out, *made)


def _refuse_its(zone: t.Zone) -> None:
    """Refuse `its` in who sees a zone that has no owner. Raises `SpecError`."""
    own = () if zone.each_player else nodes(part for s in zone.sights for part in (s.who, s.test) if part)
    for node in own:
        if isinstance(node, t.Name) and node.span.words == "its":
            name = zone.name.text
            message = f"`{node.span.words}` is the owner of a zone, and `{name}` has none"
            advice = (
                f"name a player, such as a state: `by mover's team`; or write `each player's {name}: ...`"
            )
            raise SpecError([Diagnostic("N001", message, node.span, advice)])


def _definition(zone: t.Zone, name: str, viewer: str) -> t.Define:
    """Return the definition of whether somebody sees a zone besides those who always do."""
    span = zone.name.span
    word = t.Word(span, name)
    seat = t.TypeName(span, "seat")
    params = [t.Param(span, OWNER, seat, None)] if zone.each_player else []
    params.append(t.Param(span, viewer, seat, None))
    tests = [_test(sight, viewer) for sight in zone.sights]
    nobody: t.Expr = t.Truth(span, False)
    expr = reduce(lambda one, other: t.Binary(span, "or", one, other), tests, nobody)
    return t.Define(
        span, word, None, tuple(params), (t.Clause(span, word, t.Condition(span, expr, None), ()),), False, ()
    )


def _test(sight: t.Sight, viewer: str) -> t.Expr:
    """Return whether somebody is one of those who see a zone, at a moment at which they do."""
    if sight.who is None:
        return sight.test or t.Truth(sight.span, True)
    span = sight.who.span
    nobody = t.Binary(span, "-", t.Name(span, "players"), t.Name(span, "players"))
    among = t.Binary(span, "in", t.Name(span, viewer), t.Binary(span, "+", nobody, sight.who))
    return among if sight.test is None else t.Binary(sight.span, "and", sight.test, among)
