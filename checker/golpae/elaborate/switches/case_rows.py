"""Rows of a definition by cases, as clauses that a delta can name: `price.second`, `price.3`, `price.otherwise`.

Rows that are questions have numbers: `price.1` is the first `when`.

Input: a definition by cases. Output: a clause for each of its keys; and the same definition made of other clauses.
Guarantee: a definition made of its own clauses is equal to itself. A value has one clause, that of the first row which
applies to it.

    define price by place              first: 20
      first: 20                  ->    second: 10
      second or third: 10              third: 10
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from golpae.diagnostics import Diagnostic, Span, SpecError
from golpae.syntax import tree as t

OTHERWISE = "otherwise"
MOST_NAMED = 1_000  # numbers of a range, each of which a delta can name


def by_cases(block: t.Define) -> t.Cases | None:
    """Return the cases of a definition; None if it has none, or if it lists questions of which one has to be true."""
    if block.cases or len(block.clauses) != 1:
        return None
    body = block.clauses[0].body
    if not isinstance(body, t.Condition) or not isinstance(body.expr, t.Cases):
        return None
    return body.expr


def rows_of(block: t.Define) -> tuple[t.Clause, ...]:
    """Return a clause for each key of a definition by cases, and one for `otherwise`."""
    cases = by_cases(block)
    if cases is None:
        return ()
    taken = {block.name.text, *(where.name.text for where in block.wheres)}
    first: dict[str, t.Clause] = {}  # of two ranges that share a number, the first one gives its value
    for row in _rows(cases):
        first.setdefault(row.name.text, row)
    return tuple(row for name, row in first.items() if name not in taken)


def _numbered(cases: t.Cases) -> list[tuple[int, t.CaseRow]]:
    """Return the rows, each with its number in the text: the rows that a switch dropped have numbers too."""
    return [(row.number or place, row) for place, row in enumerate(cases.rows, 1)]


def _rows(cases: t.Cases) -> Iterator[t.Clause]:
    for number, row in _numbered(cases):
        if row.keys and cases.by is None:
            yield _clause(row.keys[0].span, str(number), row)
            continue
        for key in row.keys:
            yield from (_clause(key.span, word, row) for word in _words(key))
        if not row.keys:
            yield _clause(row.span, OTHERWISE, row)


def _clause(place: Span, word: str, row: t.CaseRow) -> t.Clause:
    return t.Clause(row.span, t.Word(place, word), t.Condition(row.value.span, row.value, None), row.ids)


def _words(key: t.Expr) -> list[str]:
    """Return the words by which a delta names a key: of `3 to 5`, each number; none for what it cannot name."""
    match key:
        case t.Name(name=name) | t.TileName(name=name):
            return [name]
        case t.Number(value=value):
            return [str(value)]
        case t.Truth(value=yes):
            return ["yes" if yes else "no"]
        case t.Nothing():
            return ["none"]
        case t.RangeBag(low=t.Number(value=low), high=t.Number(value=high)) if high - low < MOST_NAMED:
            return [str(number) for number in range(low, high + 1)]
        case _:
            return []


def _key(word: str, span: Span) -> t.Expr:
    """Return the key that a word of a delta names."""
    if word.isdecimal():
        return t.Number(span, int(word))
    if word in ("yes", "no"):
        return t.Truth(span, word == "yes")
    if word == "none":
        return t.Nothing(span)
    return t.TileName(span, word) if word[0].isdecimal() else t.Name(span, word)


def with_rows(block: t.Define, clauses: tuple[t.Clause, ...]) -> tuple[t.Define, tuple[t.Clause, ...]]:
    """Return a definition by cases with the rows that are among some clauses, and the other ones of these clauses.

    Raises `SpecError` if no row is left.
    """
    whole, named = block.clauses[0], {where.name.text for where in block.wheres}
    rows = tuple(c for c in clauses if c.name.text not in named and c.name.text != whole.name.text)
    others = tuple(c for c in clauses if c not in rows)
    if whole not in others or rows == rows_of(block):
        return block, others
    changed = replace(whole, body=_body(block, rows))
    return replace(block, clauses=(changed,)), tuple(changed if c == whole else c for c in others)


def _body(block: t.Define, rows: tuple[t.Clause, ...]) -> t.Condition:
    """Return the cases with these rows: a key with a new value has a row of its own, and `otherwise` is last."""
    cases, body = by_cases(block), block.clauses[0].body
    assert cases is not None
    assert isinstance(body, t.Condition)
    new = {row.name.text: row for row in rows}
    last = new.pop(OTHERWISE, None)
    made = _questions(cases, new) if cases.by is None else _keyed(cases, new)
    if last is not None:
        made.append(t.CaseRow(last.span, (), _value(last), last.ids))
    if not made:
        message = f"no case of `{block.name.text}` is left"
        raise SpecError([Diagnostic("R005", message, block.name.span, "replace it as a whole")])
    return replace(body, expr=replace(cases, rows=tuple(made), in_line=False))


def _questions(cases: t.Cases, new: dict[str, t.Clause]) -> list[t.CaseRow]:
    """Return the rows that are left of questions, each with the value of its number."""
    numbered = [(number, row, new.get(str(number))) for number, row in _numbered(cases) if row.keys]
    return [
        replace(row, value=_value(c), ids=c.ids, number=number)
        for number, row, c in numbered
        if c is not None
    ]


def _keyed(cases: t.Cases, new: dict[str, t.Clause]) -> list[t.CaseRow]:
    """Return the rows of keys, without `otherwise`; a key with a new value has a row of its own."""
    made: list[t.CaseRow] = []
    for row in cases.rows:
        same: list[t.Expr] = []
        rest: list[t.CaseRow] = []
        for key in row.keys:
            words = _words(key)
            stay = [word for word in words if word in new and _value(new[word]) == row.value]
            same += [key] if stay == words else [_key(word, key.span) for word in stay]
            changed = [new[word] for word in words if word in new and word not in stay]
            rest += [_row(clause, key.span) for clause in changed]
            new = {word: clause for word, clause in new.items() if word not in words}
        if same:
            made.append(replace(row, keys=tuple(same)))
        made += rest
    return [*made, *(_row(clause, clause.name.span) for clause in new.values())]


def _row(clause: t.Clause, key: Span) -> t.CaseRow:
    return t.CaseRow(clause.span, (_key(clause.name.text, key),), _value(clause), clause.ids)


def _value(clause: t.Clause) -> t.Expr:
    assert isinstance(clause.body, t.Condition)
    return clause.body.expr
