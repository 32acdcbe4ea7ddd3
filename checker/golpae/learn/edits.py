"""Small edits of a text: slips of an author turned round, and other words of the text put in a place.

Input: a text without switches, and its rule set.
Output: alternatives to single clauses; edits of parts that are no clauses, each as a whole text.
Guarantee: they depend on the text alone.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from golpae.elaborate.load import Loaded
from golpae.ir import types as ty
from golpae.ir.ruleset import RuleSet
from golpae.learn.asked import parsed
from golpae.learn.bits import WORD
from golpae.learn.superposed import Alternative
from golpae.learn.terms import Scope, bare, names_in, scope_of_action, words_in
from golpae.learn.vocabulary import Vocabulary
from golpae.mutate.mutants import Mutant, mutants
from golpae.mutate.rewrites import rewritten
from golpae.mutate.rewrites import said as in_words
from golpae.syntax import tree as t

SLIP = 4 * WORD
"""Bits of a slip, whatever it changes."""

BETWEEN = 2 * WORD
"""Bits of saying where an expression stands."""

TERMS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 50, 100)
"""Numbers that a number is added to, multiplied by, or limited to."""

DIVISORS = (2, 3, 4, 5, 10)


@dataclass(frozen=True, slots=True)
class Edit:
    """A text with one edit more: where it is, what it is in words, the bits of these.

    `may_break`: how many games that are legal without it may be illegal with it. `added`: it is a further condition.
    """

    loaded: Loaded
    place: str
    said: str
    cost: float
    may_break: int = 0
    added: bool = False


def each_once(edits: Iterable[Edit]) -> Iterator[Edit]:
    """Yield edits that make different texts; of those with the same words, the later ones are numbered."""
    known: dict[tuple[str, str], list[tuple[t.Decl, ...]]] = {}
    for edit in edits:
        texts = known.setdefault((edit.place, edit.said), [])
        if edit.loaded.decls in texts:
            continue
        texts.append(edit.loaded.decls)
        yield edit if len(texts) == 1 else replace(edit, said=f"{edit.said} ({len(texts)})")


def difference(start: Loaded, text: Loaded) -> Hashable:
    """Return in what a text differs from the one that was edited: the same for edits made in any order."""
    held = {id(decl) for decl in start.decls}
    left = {id(decl) for decl in text.decls}
    missing = frozenset(at for at, decl in enumerate(start.decls) if id(decl) not in left)
    return missing, tuple(decl for decl in text.decls if id(decl) not in held)


def slips(loaded: Loaded) -> tuple[list[Alternative], list[Edit]]:
    """Return the slips of a text: those in clauses, and the others."""
    alternatives: list[Alternative] = []
    others: list[Edit] = []
    for mutant in mutants(loaded):
        found = _as_alternative(loaded, mutant)
        if found is None:
            others.append(Edit(mutant.loaded, mutant.place, mutant.change, SLIP))
        else:
            alternatives.append(found)
    return alternatives, others


def _as_alternative(loaded: Loaded, mutant: Mutant) -> Alternative | None:
    decls = mutant.loaded.decls
    if len(decls) != len(loaded.decls):
        return None
    differing = [at for at, (old, new) in enumerate(zip(loaded.decls, decls, strict=True)) if old is not new]
    if len(differing) != 1:
        return None
    at = differing[0]
    old: Any = loaded.decls[at]
    new: Any = decls[at]
    if not isinstance(old, t.Define | t.Action | t.Group) or type(old) is not type(new):
        return None
    if replace(new, clauses=old.clauses) != old:
        return None
    if len(new.clauses) == len(old.clauses) - 1:
        where = next((i for i, c in enumerate(new.clauses) if c is not old.clauses[i]), len(old.clauses) - 1)
        body = None
    else:
        changed = [i for i, (a, b) in enumerate(zip(old.clauses, new.clauses, strict=True)) if a is not b]
        if len(changed) != 1:
            return None
        where = changed[0]
        body = new.clauses[where].body
    before = old.clauses[where].body
    if not isinstance(before, t.Condition | t.Effects) or (
        body is not None and type(body) is not type(before)
    ):
        return None
    return Alternative(at, where, body, mutant.place, mutant.change, SLIP)


def used(loaded: Loaded) -> dict[str, set[str]]:
    """Return all names that each block uses, directly or through others."""
    direct: dict[str, set[str]] = {}
    for decl in loaded.decls:
        if isinstance(decl, t.Define | t.Group | t.Action | t.Score | t.Shape | t.Arrangement):
            direct.setdefault(decl.name.text, set()).update(words_in(decl))
    found: dict[str, set[str]] = {}
    for name in direct:
        seen: set[str] = set()
        waiting = [name]
        while waiting:
            for other in direct.get(waiting.pop(), ()):
                if other not in seen:
                    seen.add(other)
                    waiting.append(other)
        found[name] = seen
    return found


def always(loaded: Loaded, rules: RuleSet) -> Iterator[Alternative]:
    """Yield definitions that are always so, or never."""
    truths = {d.name for d in rules.definitions if d.type == ty.BOOL}
    for at, decl in enumerate(loaded.decls):
        if isinstance(decl, t.Define) and decl.name.text in truths and not decl.cases:
            for value in (False, True):
                truth = t.Truth(decl.span, value)
                if _expr_of(decl.clauses[0]) != truth:
                    said = "yes" if value else "no"
                    yield _condition(at, 0, truth, decl.name.text, said, said)


def other_numbers(loaded: Loaded, blocks: Iterable[str] | None = None) -> Iterator[Alternative]:
    """Yield numbers further away than a slip in the places of those of some blocks (None: of all)."""
    wanted = None if blocks is None else set(blocks)
    for at, decl in enumerate(loaded.decls):
        if not isinstance(decl, t.Define | t.Action | t.Group):
            continue
        name = decl.name.text
        if wanted is not None and name not in wanted:
            continue
        for place, clause in enumerate(decl.clauses):
            if not isinstance(clause.body, t.Condition | t.Effects):
                continue
            where = name if isinstance(decl, t.Define) and not decl.cases else f"{name}.{clause.name.text}"
            for old, new, body in rewritten(clause.body, _further_numbers):
                yield Alternative(at, place, body, where, in_words(old, new), SLIP + WORD)


def _further_numbers(node: t.Node) -> Iterator[t.Node]:
    if isinstance(node, t.Number):
        n = node.value
        steps = (n + 2, n + 3, n + 5, n - 2, n - 3, n - 5)
        for value in dict.fromkeys((2 * n, 3 * n, n // 2, 3 * n // 2, *steps)):
            if value >= 0 and value not in (n - 1, n, n + 1):
                yield replace(node, value=value)


# ------------------------------------------------------------------ other words


def put(loaded: Loaded, rules: RuleSet, blocks: Iterable[str] | None = None) -> Iterator[Alternative]:
    """Yield what a text can name, put in the places of conditions and values of some of its blocks (None: of all)."""
    vocabulary = Vocabulary(loaded, rules)
    wanted = None if blocks is None else set(blocks)
    types = {d.name: d for d in rules.definitions}
    above = used(loaded)
    actions = {a.name: a for a in rules.actions}
    for at, decl in enumerate(loaded.decls):
        if not isinstance(decl, t.Define | t.Action) or (wanted is not None and decl.name.text not in wanted):
            continue
        name = decl.name.text
        if isinstance(decl, t.Define):
            if name not in types:
                continue
            scope: dict[str, ty.Type] = {p.name: bare(p.type) for p in types[name].params}
            for one in _of_definition(at, decl, types[name].type, scope, vocabulary):
                if not any(name in above.get(word, ()) for word in names_in(one.said)):
                    yield one
        else:
            scope = scope_of_action(actions[name]) if name in actions else {}
            yield from _of_effects(at, decl, scope, vocabulary)


def _of_definition(
    at: int, decl: t.Define, kind: ty.Type, scope: Scope, vocabulary: Vocabulary
) -> Iterator[Alternative]:
    name = decl.name.text
    if kind == ty.BOOL:
        conditions = [*_parsed(vocabulary.conditions(scope))]
        if decl.cases:
            new = len(decl.clauses)
            for words, expr in conditions:
                yield _condition(at, new, expr, f"{name}.learned", f"or {words}", words)
            return
        old = _expr_of(decl.clauses[0])
        if old is None:
            return
        for words, expr in conditions:
            yield _condition(at, 0, expr, name, words, words)
            if not isinstance(old, t.Truth):
                for op in ("and", "or"):
                    both = t.Binary(expr.span, op, old, expr)
                    yield _condition(at, 0, both, name, f"{op} {words}", words)
        return
    old = None if decl.cases else _expr_of(decl.clauses[0])
    if old is None:
        return
    for words, expr in (*values(kind, scope, vocabulary), *changed_values(kind, old, scope, vocabulary)):
        yield _condition(at, 0, expr, name, words, words)


def _of_effects(at: int, decl: t.Action, scope: Scope, vocabulary: Vocabulary) -> Iterator[Alternative]:
    """Yield other values that effects give to states, and other amounts that they pay."""
    kinds = {v.name: v.type for v in vocabulary.rules.vars}
    for number, clause in enumerate(decl.clauses):
        if not isinstance(clause.body, t.Effects):
            continue
        place = f"{decl.name.text}.{clause.name.text}"
        for effects, said, words in _other_effects(clause.body.effects, kinds, scope, vocabulary):
            body = replace(clause.body, effects=effects)
            yield Alternative(at, number, body, place, said, _cost(words))


def _other_effects(
    effects: tuple[t.Effect, ...], kinds: dict[str, ty.Type], scope: Scope, vocabulary: Vocabulary
) -> Iterator[tuple[tuple[t.Effect, ...], str, str]]:
    for i, effect in enumerate(effects):
        match effect:
            case t.Assign(target=t.Name(name=name), value=old) if name in kinds:
                for words, expr in values(kinds[name], scope, vocabulary):
                    yield _put(effects, i, replace(effect, value=expr)), f"{name} := {words}", words
                for words, expr in changed_values(kinds[name], old, scope, vocabulary):
                    yield _put(effects, i, replace(effect, value=expr)), f"{name} {words}", words
            case t.Scores(amount=old) | t.Pays(amount=old):
                for words, expr in values(ty.INT, scope, vocabulary):
                    yield _put(effects, i, replace(effect, amount=expr)), f"{words} points", words
                for words, expr in changed_values(ty.INT, old, scope, vocabulary):
                    yield _put(effects, i, replace(effect, amount=expr)), f"points {words}", words
            case t.When(effects=inner):
                for changed, said, words in _other_effects(inner, kinds, scope, vocabulary):
                    yield _put(effects, i, replace(effect, effects=changed)), said, words
            case t.ForEach(effects=inner, name=word):
                within = {**scope, word.text: ty.SEAT}
                for changed, said, words in _other_effects(inner, kinds, within, vocabulary):
                    yield _put(effects, i, replace(effect, effects=changed)), said, words
            case _:
                pass


def values(kind: ty.Type, scope: Scope, vocabulary: Vocabulary) -> Iterator[tuple[str, t.Expr]]:
    """Yield what a text can name of a type, the simple ones first."""
    match bare(kind):
        case ty.Seat():
            seats = vocabulary.seats(scope)
            words = [
                *seats,
                *(f"{one} otherwise {other}" for one in seats for other in seats if one != other),
            ]
            if isinstance(kind, ty.Opt):
                words.insert(0, "none")
        case ty.Int():
            words = vocabulary.amounts(scope)
        case ty.Choice(named):
            words = list(named)
        case ty.Bool():
            words = vocabulary.conditions(scope, quantified=False)
        case ty.Tile():
            words = vocabulary.tiles(scope)
        case _:
            words = []
    yield from _parsed(words)


def changed_values(
    kind: ty.Type, old: t.Expr, scope: Scope, vocabulary: Vocabulary
) -> Iterator[tuple[str, t.Expr]]:
    """Yield what a number is with one term more, and the words of that: a sum, a difference, a product, a limit."""
    if bare(kind) != ty.INT:
        return
    for words, term in _parsed((*map(str, TERMS), *vocabulary.numbers(scope))):
        for op in ("+", "-", "*"):
            yield f"{op} {words}", t.Binary(old.span, op, old, term)
        yield f"at most {words}", t.Extreme(old.span, "smaller", old, term)
        yield f"at least {words}", t.Extreme(old.span, "larger", old, term)
    for words, term in _parsed(map(str, DIVISORS)):
        yield f"div {words}", t.Binary(old.span, "div", old, term)


def _parsed(every: Iterable[str]) -> Iterator[tuple[str, t.Expr]]:
    for words in every:
        expr = parsed(words)
        if expr is not None:
            yield words, expr


def _expr_of(clause: t.Clause) -> t.Expr | None:
    return clause.body.expr if isinstance(clause.body, t.Condition) else None


def _condition(at: int, clause: int, expr: t.Expr, place: str, said: str, words: str) -> Alternative:
    return Alternative(at, clause, t.Condition(expr.span, expr, None), place, said, _cost(words))


def _cost(words: str) -> float:
    return BETWEEN + WORD * len(words.split())


def _put(items: tuple[Any, ...], at: int, item: Any) -> tuple[Any, ...]:
    return (*items[:at], item, *items[at + 1 :])
