"""Edits of what a hand is worth.

Input: a text that scores hands, and what is known of the hands whose points differ: the points by the text, those that
are recorded, and the patterns that count.
Output: edits: slips of an author turned round; other points of a pattern, more and fewer conditions of it; other
numbers, tiles and totals; values of the score in each other's place.
Guarantee: they depend on the text and on the hands alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from golpae.elaborate.blocks import clauses_of, with_clauses
from golpae.elaborate.load import Loaded
from golpae.learn.asked import parsed
from golpae.learn.bits import WORD
from golpae.learn.edits import BETWEEN, SLIP, Edit, each_once
from golpae.learn.hands.vain import Differs, in_vain
from golpae.learn.superposed import with_decl
from golpae.learn.terms import asks, once, parts_of
from golpae.mutate.mutants import mutants
from golpae.mutate.rewrites import rewritten, said
from golpae.syntax import tree as t
from golpae.syntax.format import format_expression
from golpae.syntax.traverse import nodes, uncommented

DROPPED = 2 * WORD
INSTEAD = 6 * WORD
"""Bits of a whole other total, at most."""

HALF = 0.5
MOST_PATTERNS = 8
"""Patterns that are looked at: those that count in most hands whose points differ, and in at least half of them."""

MOST_WORDS = 8
"""Words of a condition that is put to others."""

MOST_CONDITIONS = 60
FEW_CONDITIONS = 12
"""Conditions that are put to a pattern, and to a definition: the shortest."""

MOST_TILES = 800
"""Edits of single tiles; where there are more, none is tried."""

MOST_PAIRS = 3
"""Points in place of others, in one edit."""

MOST_VALUES = 12
MOST_SOLVED = 3

TRUTH, NUMBER = "yes or no", "number"
TOTALS = ("sum", "highest", "unimplied")


def edits(loaded: Loaded, differing: Sequence[Differs], kinds: Sequence[str]) -> Iterator[Edit]:
    """Yield edits that make different texts."""
    return each_once(_edits(loaded, differing, kinds))


def _edits(loaded: Loaded, differing: Sequence[Differs], kinds: Sequence[str]) -> Iterator[Edit]:
    scores = {d.name.text: d for d in loaded.decls if isinstance(d, t.Score)}
    for mutant in mutants(loaded):
        score = scores.get(mutant.place)
        if score is not None and in_vain(score, mutant.loaded, differing):
            continue
        yield Edit(
            mutant.loaded, mutant.place, mutant.change, DROPPED if mutant.change == "dropped" else SLIP
        )
    held = Counter(name for one in differing for name in one.patterns)
    least = HALF * len(differing)
    common = [name for name, count in held.most_common() if count >= least][:MOST_PATTERNS]
    literals = sum(isinstance(node, t.TileName) for node in nodes(loaded.decls))
    kinds = kinds if literals * len(kinds) <= MOST_TILES else ()
    for at, decl in enumerate(loaded.decls):
        for place, words, changed, cost in _of_decl(decl, common, differing, kinds):
            yield Edit(with_decl(loaded, at, changed), place, words, cost)


def _of_decl(
    decl: t.Decl, common: Sequence[str], differing: Sequence[Differs], kinds: Sequence[str]
) -> Iterator[tuple[str, str, t.Decl, float]]:
    """Yield the edits of a declaration: the place, the edit in words, the declaration with it, and its bits."""
    match decl:
        case t.Score():
            yield from _of_score(decl, common, differing)
        case t.Shape(name=name):
            for number, clause in enumerate(clauses_of(decl)[1:], 1):
                fewer = with_clauses(decl, _put(clauses_of(decl), number))
                yield f"{name.text}.{clause.name.text}", "dropped", fewer, DROPPED
            yield from _other_literals(decl, differing, kinds)
        case t.Define() | t.Arrangement():
            yield from _other_literals(decl, differing, kinds)
        case _:
            pass  # it scores nothing


def _of_score(
    score: t.Score, common: Sequence[str], differing: Sequence[Differs]
) -> Iterator[tuple[str, str, t.Score, float]]:
    name = score.name.text
    conditions = _conditions(score)
    values = once(format_expression(uncommented(p.value)) for p in score.patterns)
    for at, pattern in enumerate(score.patterns):
        if pattern.name.text not in common:
            continue
        place = f"{name}.{pattern.name.text}"
        solved = _solved(pattern.value.value, differing) if isinstance(pattern.value, t.Number) else ()
        for words in once([*map(str, solved), *values[:MOST_VALUES], *map(str, range(7))]):
            value = parsed(words)
            if value is not None and value != pattern.value:
                changed = replace(score, patterns=_put(score.patterns, at, replace(pattern, value=value)))
                yield place, f"{said(pattern.value, value)} points", changed, _cost(words)
        for words in conditions[:MOST_CONDITIONS]:
            expr = parsed(words)
            if expr is not None:
                both = t.Binary(expr.span, "and", expr, pattern.test)
                changed = replace(score, patterns=_put(score.patterns, at, replace(pattern, test=both)))
                yield place, f"{words} and ...", changed, _cost(words)
    yield from _of_defines(score, conditions)
    yield from _of_brings(score, common)
    for at, field in enumerate(score.fields):
        if field.name.text == "total":
            for words, expr in _totals(field.expr, differing):
                changed = replace(score, fields=_put(score.fields, at, replace(field, expr=expr)))
                yield f"{name}.total", words, changed, min(_cost(words), INSTEAD)


def _of_defines(score: t.Score, conditions: Sequence[str]) -> Iterator[tuple[str, str, t.Score, float]]:
    """Yield a score whose definitions have another value of the score, or one condition more or less."""
    sorts = _sorts(score)
    for at, define in enumerate(score.defines):
        sort = sorts.get(define.name.text)
        if sort is None:
            continue
        place = f"{score.name.text}.{define.name.text}"
        others = [word for word, one in sorts.items() if one == sort and word != define.name.text]
        simple = sort == TRUTH
        for words in once([*others, *(conditions[:FEW_CONDITIONS] if simple else ())]):
            expr = parsed(words)
            if expr is None or define.name.text in words.split():
                continue
            changed = replace(define, expr=expr)
            yield place, words, replace(score, defines=_put(score.defines, at, changed)), _cost(words)
            if simple and words in conditions:
                for op in ("and", "or"):
                    both = t.Binary(expr.span, op, define.expr, expr)
                    changed = replace(define, expr=both)
                    more = replace(score, defines=_put(score.defines, at, changed))
                    yield place, f"{op} {words}", more, _cost(words)


def _sorts(score: t.Score) -> dict[str, str]:
    """Return the values of a score that are surely a truth, a number or of another type, each with its type."""
    sorts: dict[str, str] = {}
    for given in score.given:
        match given.type:
            case t.TypeName(name=name):
                sorts[given.name.text] = name
            case t.TypeTruth():
                sorts[given.name.text] = TRUTH
            case _:
                pass
    for define in score.defines:
        sort = _sort(define.expr, sorts)
        if sort is not None and not define.params:
            sorts[define.name.text] = sort
    return sorts


def _sort(expr: t.Expr, sorts: Mapping[str, str]) -> str | None:
    match expr:
        case t.Number() | t.Fold(kind="number of"):
            return NUMBER
        case t.Name(name=name):
            return sorts.get(name)
        case t.Binary(op="+" | "-" | "*", left=left, right=right):
            found = {_sort(left, sorts), _sort(right, sorts)}
            return NUMBER if found == {NUMBER} else None
        case _:
            return TRUTH if asks(expr) or isinstance(expr, t.Truth) else None


def _of_brings(score: t.Score, common: Sequence[str]) -> Iterator[tuple[str, str, t.Score, float]]:
    """Yield a score in which a pattern brings one more, or none."""
    lines = {line.pattern.text: at for at, line in enumerate(score.brings)}
    for name, at in lines.items():
        fewer = replace(score, brings=(*score.brings[:at], *score.brings[at + 1 :]))
        yield f"{score.name.text}.{name}-brings", "dropped", fewer, SLIP
    for name in common:
        for other in common:
            if name == other:
                continue
            place = f"{score.name.text}.{name}-brings"
            if name in lines:
                line = score.brings[lines[name]]
                word = replace(line.pattern, text=other)
                if other in (w.text for w in line.brought):
                    continue
                more = _put(score.brings, lines[name], replace(line, brought=(*line.brought, word)))
            else:
                span = score.span
                new = t.Brings(span, t.Word(span, name), (t.Word(span, other),), ())
                more = (*score.brings, new)
            yield place, f"also {other}", replace(score, brings=more), SLIP


def _conditions(score: t.Score) -> list[str]:
    """Return what a score asks, the short ones first, and each the other way round."""
    found: list[str] = []
    for given in score.given:
        match given.type:
            case t.TypeTruth():
                found.append(given.name.text)
            case _ if isinstance(given.initial, t.Truth):
                found.append(given.name.text)
            case _:
                pass
    found += [d.name.text for d in score.defines if not d.params and _is_condition(d.expr)]
    for expr in (*(p.test for p in score.patterns), *(d.expr for d in score.defines)):
        found += [
            format_expression(uncommented(part))
            for part in parts_of(expr)
            if asks(part) or isinstance(part, t.Name)
        ]
    short = [words for words in once(found) if len(words.split()) <= MOST_WORDS]
    short.sort(key=lambda words: len(words.split()))
    return [one for words in short for one in (words, _negated(words))]


def _negated(words: str) -> str:
    return f"not {words}" if len(words.split()) == 1 else f"not ({words})"


def _is_condition(expr: t.Expr) -> bool:
    return asks(expr) or isinstance(expr, t.Name)


def _totals(total: t.Expr, differing: Sequence[Differs]) -> Iterator[tuple[str, t.Expr]]:
    """Yield other totals: another way to add, limits, points in place of others, points that are added."""
    old = format_expression(uncommented(total))
    if old in TOTALS:
        words = [one for one in TOTALS if one != old]
    else:
        pairs = Counter(
            (d.worth, d.recorded) for d in differing if d.worth is not None and d.recorded is not None
        )
        every = [pair for pair, _ in sorted(pairs.items(), key=lambda one: (-one[1], one[0]))]
        recorded = once(str(new) for _, new in every)[:MOST_VALUES]
        words = [f"the {which} of {n} and {old}" for n in recorded for which in ("smaller", "larger")]
        words += [f"{old} rounded {how} to {n}" for n in (10, 100, 1000) for how in ("up", "down")]
        words += _instead(old, every[:1])
        if 1 < len(every) <= MOST_PAIRS:
            words += _instead(old, every)
        words += [f"({old}) {'+' if n > 0 else '-'} {abs(n)}" for n in _differences(every)]
        words += [f"({old}) * {n}" for n in (2, 3, 4)]
    for one in words:
        expr = parsed(one)
        if expr is not None:
            yield one, expr


def _differences(pairs: Iterable[tuple[int, int]]) -> list[int]:
    return [*dict.fromkeys(new - old for old, new in pairs)][:MOST_VALUES]


def _instead(old: str, pairs: Sequence[tuple[int, int]]) -> list[str]:
    """Return a total in which some points stand in place of others."""
    if not pairs:
        return []
    tests = "".join(f"if ({old}) = {before} then {after} else " for before, after in pairs)
    return [f"{tests}{old}"]


def _other_literals(
    decl: t.Define | t.Shape | t.Arrangement, differing: Sequence[Differs], kinds: Sequence[str]
) -> Iterator[tuple[str, str, t.Decl, float]]:
    """Yield a declaration with another number, tile or sort of parts in one place."""

    def change(node: t.Node) -> Iterable[t.Node]:
        match node:
            case t.Number(value=value):
                return [replace(node, value=n) for n in _solved(value, differing)]
            case t.Part(different=different):
                return [replace(node, different=not different)]
            case t.TileName(name=name):
                return [replace(node, name=kind) for kind in kinds if kind != name]
            case _:
                return ()

    for old, new, whole in rewritten(decl, change):
        if isinstance(new, t.Part):
            words = "different parts" if new.different else "equal parts"
        else:
            words = said(old, new)
        yield decl.name.text, words, whole, SLIP


def _solved(value: int, differing: Sequence[Differs]) -> list[int]:
    """Return the numbers in place of one by which most hands would have their points, if points are the number, times
    something or with something added.
    """
    found: Counter[int] = Counter()
    for one in differing:
        if one.worth and one.recorded is not None:
            found[value + one.recorded - one.worth] += 1
            if one.recorded * value % one.worth == 0:
                found[one.recorded * value // one.worth] += 1
    near = (value - 1, value, value + 1)  # slips
    best = sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))
    return [n for n, _ in best if n >= 0 and n not in near][:MOST_SOLVED]


def _cost(words: str) -> float:
    return BETWEEN + WORD * len(words.split())


def _put(items: tuple[Any, ...], at: int, *item: Any) -> tuple[Any, ...]:
    return (*items[:at], *item, *items[at + 1 :])
