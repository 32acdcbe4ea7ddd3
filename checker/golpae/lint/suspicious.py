"""Conditions that rarely mean what they say.

Input: a `Vocabulary`.
Output: a note for each.
Guarantee: nothing here depends on types; only the text itself is noted, not what it includes.

    some t in s: t in nets implies t's size = 1       true as soon as one tile is no net
    rounds = rounds                                   always true
    deal from sea / few: size of first's hand < 3     asks about the hand before the deal
    end                                               without a condition: may happen at any time
    for each mover in players: ...                    hides the state `mover`
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from golpae.diagnostics import Diagnostic, Label, Span
from golpae.elaborate.typecheck.builtins import STANDING_ALONE
from golpae.elaborate.typecheck.parameters import names_of
from golpae.lint.text_words import Vocabulary, words
from golpae.syntax import tree as t
from golpae.syntax.bound_names import bound_by
from golpae.syntax.format import format_expression
from golpae.syntax.traverse import children, nodes

Known = Mapping[str, tuple[str, Span | None]]  # what a name can hide, by its name: its kind and place


def suspicious(text: Vocabulary) -> Iterator[Diagnostic]:
    """Yield a note for each condition that rarely means what it says."""
    own = text.own_decls
    choices = {w.text for n in nodes(text.decls) if isinstance(n, t.TypeChoice) for w in n.words}
    for node in nodes(own):
        yield from _conditions(node, choices)
    declared = _declared(text)
    for decl in own:
        if isinstance(decl, t.Action):
            yield from _before_the_deal(text, decl)
            yield from _end(text, decl)
        yield from _hidden(decl, declared)
    yield from _without_order(text)


def _without_order(text: Vocabulary) -> Iterator[Diagnostic]:
    """Note the places that are asked of a row to which several tiles are dealt: nobody knows which lies where."""
    deals = [decl for decl in text.decls if isinstance(decl, t.Action) and decl.kind == "deal"]
    zones = [zone for decl in text.decls if isinstance(decl, t.Zones) for zone in decl.zones]
    rows = {zone.name.text for zone in zones if zone.kind.text == "row" and not zone.each_player}
    dealt = {
        clause.name.text: clause.body.expr.span
        for deal in deals
        for clause in deal.clauses
        if clause.name.text in rows and isinstance(clause.body, t.Condition)
        if not (isinstance(clause.body.expr, t.Number) and clause.body.expr.value < 2)
    }
    for place in _places_asked(text.own_decls):
        name = place.row.name if isinstance(place.row, t.Name) else ""
        if name in dealt:
            words = _short(format_expression(place))
            message = (
                f"`{words}` is none after a deal: several tiles that are dealt to `{name}` have no order"
            )
            advice = f"let the event name the tile, or deal the tiles whose place matters one by one, each to `{name}`"
            yield Diagnostic("W004", message, place.span, advice, (Label(dealt[name], "dealt here"),))


def _places_asked(parts: Iterable[t.Node]) -> Iterator[t.RowPart]:
    """Yield the places of rows whose tile is asked for; not those that a tile fits, or that it leaves or comes to."""
    for part in parts:
        if isinstance(part, t.RowPart):
            yield part
        inner = list(children(part))
        if isinstance(part, t.Binary) and part.op == "fits":
            inner = [part.left]
        elif isinstance(part, t.Move):
            inner = [] if part.what is None else [part.what]
        yield from _places_asked(inner)


def _conditions(node: t.Node, choices: set[str]) -> Iterator[Diagnostic]:
    match node:
        case t.Quantified(kind="some", body=t.Binary(op="implies", left=left, right=right)):
            names = ", ".join(word.text for word in node.names)
            first, second = (format_expression(side) for side in (left, right))
            message = f"this holds as soon as `{_short(first)}` does not hold for some `{names}`"
            advice = f"write `{_short(first)} and {_short(second)}`, or `every` for `some`"
            yield Diagnostic("W004", message, node.span, advice)
        case t.Binary(
            op="=" | "/=" | "<" | "<=" | ">" | ">=" | "implies" | "and" | "or", left=left, right=right
        ):
            if left == right and not (isinstance(left, t.Name) and left.name in choices):  # `ready = ready`
                advice = "compare with something else, or leave it out"
                yield Diagnostic(
                    "W004", f"both sides are `{_short(format_expression(left))}`", node.span, advice
                )


def _short(words: str) -> str:
    return words if len(words) <= 40 else "..."


def _before_the_deal(text: Vocabulary, action: t.Action) -> Iterator[Diagnostic]:
    """Note the conditions of a deal that ask about hands, which are not dealt yet."""
    if action.kind != "deal":
        return
    for clause in action.clauses:
        body = clause.body
        if not isinstance(body, t.Condition) or body.afterwards:
            continue
        if "hand" in text.through(words(body.expr)):
            message = f"`{clause.name.text}` asks about hands before the tiles are dealt"
            advice = f"write `{clause.name.text}: afterwards ...`; here the hands are those of the last deal"
            yield Diagnostic("W005", message, body.expr.span, advice)


def _end(text: Vocabulary, action: t.Action) -> Iterator[Diagnostic]:
    if action.kind != "end":
        return
    bodies = [c.body for c in action.clauses]
    bodies += [d.body for d in text.changes if d.path[0].text == "end" and d.body is not None]
    if not any(isinstance(body, t.Condition) for body in bodies):
        span = Span(action.span.text, action.span.start, action.span.start + len("end"))
        yield Diagnostic("W006", "a hand can end at any time", span, "write `due: over` under `end`")


# ---------------------------------------------------------------- names that hide others


def _declared(text: Vocabulary) -> Known:
    """Return the names that a name inside an expression can hide, each with its kind and place, if it has one."""
    out: dict[str, tuple[str, Span | None]] = dict.fromkeys(STANDING_ALONE, ("the word of every game", None))
    for decl in text.decls:
        match decl:
            case t.State(vars=things):
                out |= {v.name.text: ("the state", v.name.span) for v in things if not v.each_player}
            case t.Zones(zones=zones):
                out |= {z.name.text: ("the zone", z.name.span) for z in zones if not z.each_player}
            case t.RowSlice(name=name):
                out[name.text] = ("the part of a row", name.span)
            case t.Define(name=name, owner=None, params=()):
                out[name.text] = ("the definition", name.span)
            case t.Option(name=name):
                out[name.text] = ("the option", name.span)
    return out


def _hidden(decl: t.Decl, declared: Known) -> Iterator[Diagnostic]:
    """Note the names of questions, sums and loops that hide something."""
    if isinstance(decl, t.Action | t.Define):
        keys = [word for param in decl.params for word in names_of(param)]
        keys += [decl.by] if isinstance(decl, t.Action) and decl.by is not None else []
        kind = "the key" if isinstance(decl, t.Action) else "the value"
        declared = {**declared, **{word.text: (kind, word.span) for word in keys}}
    yield from _inside(children(decl), declared)


def _inside(parts: Iterable[t.Node], known: Known) -> Iterator[Diagnostic]:
    for part in parts:
        inner = known
        yield from _inside(_outside(part), known)
        for word in _bound(part):
            if word.text in known:
                kind, place = known[word.text]
                message = f"`{word.text}` hides {kind} `{word.text}`"
                labels = () if place is None else (Label(place, kind),)
                yield Diagnostic("W002", message, word.span, "choose another name", labels)
            inner = {**inner, word.text: ("an outer name", word.span)}
        outside = _outside(part)
        yield from _inside((child for child in children(part) if child not in outside), inner)


def _outside(node: t.Node) -> list[t.Node]:
    """Return the parts of a node in which the names that it binds mean nothing yet: what these go through."""
    parts = (getattr(node, name, None) for name in ("domain", "size")) if _bound(node) else ()
    return [part for part in parts if isinstance(part, t.Node)]


def _bound(node: t.Node) -> tuple[t.Word, ...]:
    """Return the names that a node binds; that of a loop which is spoken as `each player` is not in the text."""
    return () if isinstance(node, t.ForEach) and node.spoken else bound_by(node)
