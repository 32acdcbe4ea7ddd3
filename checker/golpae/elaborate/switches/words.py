"""Other words for players, in the place of those of a text.

Input: a game line, the declarations of a text, and a line such as `replace aim "..."` of a switch that is on.
Output: the game line and the declarations with these words.
Guarantee: only words for players change, and no rule does. If two switches replace the same words, those of the later
one in the text stand.
"""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from golpae.diagnostics import Diagnostic, Span, SpecError, near, quoted_list
from golpae.elaborate.blocks import Block, clauses_of, name_of, nothing_to_change, places_of
from golpae.syntax import tree as t


def with_words(game: t.Game, decls: list[t.Decl], reword: t.Reword) -> t.Game:
    """Return the game line with other words, or change a declaration. Raises `SpecError` if nothing has such words."""
    if reword.part == "aim":
        return replace(game, aim=_notes(game.aim, reword))
    at = _place(decls, reword)
    decl = decls[at]
    match reword.part:
        case "note":
            action = _action(decl, reword, "has notes")
            decls[at] = replace(action, notes=_notes(action.notes, reword))
        case "told":
            action = _action(decl, reword, "is told")
            if action.kind != "action":
                raise _fault(reword, f"`{action.name.text}` is told by golpae itself", None)
            decls[at] = replace(action, told=t.Told(reword.said.span, reword.said.text))
        case "words":
            decls[at] = _named(decl, reword) if len(reword.path) == 1 else _clause(decl, reword)
        case _:
            assert_never(reword.part)
    return game


def _notes(notes: tuple[t.Note, ...], reword: t.Reword) -> tuple[t.Note, ...]:
    """Return sentences with one more, or with another one in their place."""
    before = () if reword.kind == "replace" else notes
    return (*before, t.Note(reword.said.span, reword.said.text, reword.ids))


def _place(decls: list[t.Decl], reword: t.Reword) -> int:
    """Return the place of the declaration that a line is about."""
    name = reword.path[0]
    places = places_of(decls)
    if name.text not in places:
        advice = "name an action, a score or a property, or a clause as `action.clause`"
        raise nothing_to_change(decls, name, advice)
    return places[name.text]


def _action(decl: t.Decl, reword: t.Reword, what: str) -> t.Action:
    if not isinstance(decl, t.Action) or len(reword.path) > 1:
        listed = "name an action, or `deal`, `end`, `finish` or `payout`"
        raise _fault(reword, f"`{_path(reword)}` is no action, and only an action {what}", listed)
    return decl


def _named(decl: t.Decl, reword: t.Reword) -> t.Decl:
    """Return an action or score with another title, or a property with another message."""
    match decl:
        case t.Action() | t.Score():
            return replace(decl, title=reword.said.text)
        case t.Property():
            return replace(decl, message=reword.said.text)
        case _:
            raise _fault(reword, f"`{_path(reword)}` has no words of its own", "name a clause of it")


def _clause(decl: t.Decl, reword: t.Reword) -> t.Decl:
    """Return a block in which a condition, a number of tiles or a pattern has another message."""
    name, words = reword.path[1].text, reword.said
    if len(reword.path) > 2 or not isinstance(decl, Block):
        raise _fault(reword, f"`{_path(reword)}` is not a clause", None)
    if isinstance(decl, t.Score) and any(pattern.name.text == name for pattern in decl.patterns):
        patterns = (replace(p, message=words.text) if p.name.text == name else p for p in decl.patterns)
        return replace(decl, patterns=tuple(patterns))
    if not isinstance(decl, t.Action | t.Group | t.Score):
        raise _fault(reword, f"`{name_of(decl)}` is never refused, and has no messages", None)
    clauses = decl.provided if isinstance(decl, t.Score) else decl.clauses
    if not any(clause.name.text == name for clause in clauses):
        listed = dict.fromkeys(f"{name_of(decl)}.{clause.name.text}" for clause in clauses_of(decl))
        advice = near(name, [clause.name.text for clause in clauses_of(decl)])
        found = f"its clauses are {quoted_list(listed)}" if listed else "it has no clauses to change"
        message = f"`{name_of(decl)}` has no clause `{name}` with words"
        raise SpecError([Diagnostic("R002", message, reword.path[1].span, advice or found)])
    changed = tuple(_said(clause, reword) if clause.name.text == name else clause for clause in clauses)
    return replace(decl, provided=changed) if isinstance(decl, t.Score) else replace(decl, clauses=changed)


def _said(clause: t.Clause, reword: t.Reword) -> t.Clause:
    body = clause.body
    if not isinstance(body, t.Condition | t.Hands):
        raise _fault(reword, f"`{_path(reword)}` is no condition, and has no message", None)
    return replace(clause, body=replace(body, span=reword.said.span, message=reword.said.text))


def _path(reword: t.Reword) -> str:
    return ".".join(word.text for word in reword.path)


def _fault(reword: t.Reword, message: str, advice: str | None) -> SpecError:
    span: Span = reword.path[0].span.to(reword.path[-1].span)
    return SpecError([Diagnostic("R005", message, span, advice or "leave this line out")])
