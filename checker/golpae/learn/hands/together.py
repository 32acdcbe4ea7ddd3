"""Many edits of a score in one text: a value that each hand is given says which of them holds.

Input: a text that scores hands, and edits of patterns and definitions of a score.
Output: texts that have many of these each, with their numbers.
Guarantee: a hand with a number has the points of the text with this one edit. What is not well typed is left out.

    pattern low 2: size of pairs = 3    ->    pattern low 2: if edit = 1 then size of pairs = 2 else size of pairs = 3
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from golpae.elaborate.check import check
from golpae.elaborate.load import Loaded
from golpae.elaborate.resolve import resolve
from golpae.ir.ruleset import RuleSet
from golpae.learn.edits import Edit
from golpae.learn.meaningful import meaningful
from golpae.learn.superposed import EDIT, chosen_expr, marked_expr, marked_in, with_decl
from golpae.syntax import tree as t

TOGETHER = 100
"""Edits in one text."""

Site = tuple[str, int]
"""What is changed of a score: `test` or `value` of a pattern, or a definition, and its number there."""

Placed = tuple[int, Site, t.Expr, Edit]
"""An edit, with the number of the score that it changes, what of it, and the new expression."""


@dataclass(frozen=True, slots=True)
class Together:
    """A text with the numbers of its edits."""

    rules: RuleSet
    numbered: dict[int, Edit]


def together(loaded: Loaded, edits: Iterable[Edit]) -> tuple[list[Together], list[Edit]]:
    """Return texts with many edits each, and the edits that cannot be put together with others."""
    placed: list[Placed] = []
    alone: list[Edit] = []
    for edit in edits:
        found = _site(loaded, edit)
        if found is None:
            alone.append(edit)
        else:
            placed.append((*found, edit))
    texts: list[Together] = []
    for start in range(0, len(placed), TOGETHER):
        texts += _checked(loaded, dict(enumerate(placed[start : start + TOGETHER], 1)))
    return texts, alone


def _site(loaded: Loaded, edit: Edit) -> tuple[int, Site, t.Expr] | None:
    """Return the score that is changed, what of it, and the new expression."""
    if len(edit.loaded.decls) != len(loaded.decls):
        return None
    pairs = zip(loaded.decls, edit.loaded.decls, strict=True)
    changed = [at for at, (old, new) in enumerate(pairs) if old is not new]
    if len(changed) != 1:
        return None
    old, new = loaded.decls[changed[0]], edit.loaded.decls[changed[0]]
    if not isinstance(old, t.Score) or not isinstance(new, t.Score) or not old.given:
        return None
    sites = [*_differing(old, new)]
    if len(sites) != 1:
        return None
    site, expr = sites[0]
    return None if _with(old, site, expr) != new else (changed[0], site, expr)


def _differing(old: t.Score, new: t.Score) -> Iterable[tuple[Site, t.Expr]]:
    if len(old.patterns) == len(new.patterns):
        for at, (one, other) in enumerate(zip(old.patterns, new.patterns, strict=True)):
            if one.test != other.test:
                yield ("test", at), other.test
            if one.value != other.value:
                yield ("value", at), other.value
    if len(old.defines) == len(new.defines):
        for at, (this, that) in enumerate(zip(old.defines, new.defines, strict=True)):
            if this.expr != that.expr:
                yield ("define", at), that.expr


def _with(score: t.Score, site: Site, expr: t.Expr) -> t.Score:
    sort, at = site
    if sort == "define":
        define = replace(score.defines[at], expr=expr)
        return replace(score, defines=(*score.defines[:at], define, *score.defines[at + 1 :]))
    old = score.patterns[at]
    new = replace(old, test=expr) if sort == "test" else replace(old, value=expr)
    return replace(score, patterns=(*score.patterns[:at], new, *score.patterns[at + 1 :]))


def _expr(score: t.Score, site: Site) -> t.Expr:
    sort, at = site
    if sort == "define":
        return score.defines[at].expr
    return score.patterns[at].test if sort == "test" else score.patterns[at].value


def _checked(loaded: Loaded, numbered: dict[int, Placed]) -> list[Together]:
    def make(left: dict[int, Placed]) -> RuleSet:
        return check(resolve(loaded.game.name.text, _whole(loaded, left)))

    return [
        Together(rules, {number: edit for number, (_, _, _, edit) in left.items()})
        for left, rules in meaningful(numbered, make, marked_in)
    ]


def _whole(loaded: Loaded, numbered: dict[int, Placed]) -> Loaded:
    sites: dict[tuple[int, Site], list[tuple[int, t.Expr]]] = {}
    for number, (at, site, expr, _) in numbered.items():
        sites.setdefault((at, site), []).append((number, marked_expr(expr, number)))
    whole = loaded
    for (at, site), exprs in sites.items():
        score = whole.decls[at]
        assert isinstance(score, t.Score)
        whole = with_decl(whole, at, _with(score, site, chosen_expr(_expr(score, site), exprs)))
    for at in {at for at, _ in sites}:
        score = whole.decls[at]
        assert isinstance(score, t.Score)
        whole = with_decl(whole, at, replace(score, given=(*score.given, _given(score))))
    return whole


def _given(score: t.Score) -> t.GivenParam:
    span = score.span
    return t.GivenParam(span, t.Word(span, EDIT), t.TypeName(span, "number"), t.Number(span, 0), ())
