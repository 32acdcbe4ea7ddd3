"""Write out patterns of tiles whose ranges have words, or several parts, to ordinary groups.

Input: the declarations of a text. Output: the same, each such group as groups of listed tiles or simpler patterns,
with a definition for the name of the line and one for what each tile's word is. Raises `SpecError`.
Guarantee: the order of the tiles is that of docs/semantics.md, 1.8.

    cards: one of each "{size}{suit}"          clubs: one of each 2C 3C ... AC     (each with its number `size`)
      for size in 2 to 10, J, Q, K, A,         diamonds: one of each 2D ...
      suit in clubs "C", diamonds "D"          define cards: clubs + diamonds
                                               define each tile's suit: its group
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import islice

from golpae.diagnostics import Diagnostic, Label, Span, SpecError, near
from golpae.elaborate.instance import HOLE, MAX_KINDS, holes
from golpae.syntax import tree as t

GROUP = "group"  # every tile has one already


@dataclass(frozen=True, slots=True)
class _Value:
    """One value of a range: how names of tiles have it, how it is spoken, and its number, unless it is a word."""

    written: str
    spoken: str
    number: int | None


_Row = dict[str, _Value]  # the values of one tile, by the names of the ranges


@dataclass(frozen=True, slots=True)
class _Words:
    """A range of words: of the first in a pattern each word is a group, of another one the tiles with this word."""

    range: t.Range
    ids: tuple[t.Word, ...]
    line: t.Word
    tiles: dict[str, list[str]] | None  # None if the words are groups

    @property
    def name(self) -> t.Word:
        return self.range.name


def tile_patterns(decls: tuple[t.Decl, ...]) -> tuple[t.Decl, ...]:
    """Return the declarations with such patterns written out."""
    out: list[t.Decl] = []
    for decl in decls:
        out += _written_out(decl) if isinstance(decl, t.Tiles) else (decl,)
    return tuple(out)


def words_of(of: t.Range) -> tuple[t.Word, ...]:
    """Return the words of a range of words; none if it has a number."""
    words = [t.Word(p.low.span, p.low.name) for p in of.parts if isinstance(p.low, t.Name) and p.high is None]
    return tuple(words) if len(words) == len(of.parts) else ()


def unknown_hole(template: t.Template, hole: str, known: Iterable[str]) -> Diagnostic:
    """Return the fault of a name between braces that no range of the pattern has."""
    place = _in_words(template, "{" + hole + "}", 1)
    advice = near(hole, known) or f"add `for {hole} in 1 to 9`"
    return Diagnostic("N001", f"nothing here is called `{hole}`", place, advice)


def _in_words(node: t.Node, words: str, edge: int = 0) -> Span:
    """Return the place of the first of these words in a node, without `edge` characters at either end."""
    start = node.span.start + max(0, node.span.words.find(words))
    return Span(node.span.text, start + edge, start + len(words) - edge)


def _written_out(node: t.Tiles) -> list[t.Decl]:
    groups: list[t.TileGroup] = []
    bags: list[t.Decl] = []
    words: list[_Words] = []
    for group in node.groups:
        tiles = group.tiles
        if isinstance(tiles, t.Template) and tiles.like is not None:
            groups.append(_like_others(group, tiles))
            continue
        if not isinstance(tiles, t.Template) or all(of.bounds is not None for of in tiles.ranges):
            groups.append(group)
            continue
        _require_names(tiles, words)
        made, own = _groups(group, tiles)
        groups += made
        words += own
        if own:
            parts: list[t.Expr] = [t.Name(group.name.span, part.name.text) for part in made]
            whole = reduce(lambda a, b: t.Binary(group.name.span, "+", a, b), parts)
            bags.append(defined(group.name, None, whole, group.ids))
    lines = [group for group in node.groups if not are_like(group)]
    for of in words:
        _add_alike(of, groups)
    owns = [d for of in words for d in _definitions(of, groups, lines)]
    return [replace(node, groups=tuple(groups)), *bags, *owns]


def are_like(group: t.TileGroup) -> bool:
    """Return whether the tiles of a line count as others."""
    if isinstance(group.tiles, t.Template):
        return group.tiles.like is not None
    return any(tile.like is not None for tile in group.tiles)


def _like_others(group: t.TileGroup, template: t.Template) -> t.TileGroup:
    """Return the line of tiles that count as others, as a list. Raises `SpecError`."""
    _require_names(template, ())
    rows = list(_rows(template.ranges))
    _require_different(template, rows)
    return replace(group, tiles=tuple(_tile(template, row) for row in rows))


def _add_alike(of: _Words, groups: Sequence[t.TileGroup]) -> None:
    """Add to the tiles of each word those that count as one of them."""
    alike = [
        tile for group in groups if not isinstance(group.tiles, t.Template)
        for tile in group.tiles if tile.like is not None
    ]  # fmt: skip
    for tiles in (of.tiles or {}).values():
        tiles += [tile.name for tile in alike if tile.like is not None and tile.like.text in tiles]


# ---------------------------------------------------------------- one line


def _require_names(template: t.Template, before: Sequence[_Words]) -> None:
    """Check the names of ranges, and those between braces. Raises `SpecError`."""
    first: dict[str, t.Word] = {of.name.text: of.name for of in before}
    known: list[str] = []
    for of in template.ranges:
        if of.name.text == GROUP:
            advice = "choose another name: `suit in ...`"
            raise SpecError([Diagnostic("N002", "every tile already has a `group`", of.name.span, advice)])
        if of.name.text in first:
            message = f"there are two ranges `{of.name.text}`"
            label = Label(first[of.name.text].span, "the first one")
            raise SpecError([Diagnostic("N002", message, of.name.span, "give each its own name", (label,))])
        first[of.name.text] = of.name
        known.append(of.name.text)
    for hole in holes(template.pattern) + holes(template.spoken or "") + holes(template.like or ""):
        if hole not in known:
            raise SpecError([unknown_hole(template, hole, known)])


def _groups(group: t.TileGroup, template: t.Template) -> tuple[list[t.TileGroup], list[_Words]]:
    """Return the groups of one line, and its ranges of words."""
    worded = [of for of in template.ranges if words_of(of)]
    first = worded[0] if worded else None
    _require_own_tiles(template, worded)
    if first is not None and all(of is first or of.bounds is not None for of in template.ranges):
        return (
            [_pattern(group, template, first, v) for v in values_of(first, {})],
            [_Words(first, group.ids, group.name, None)],
        )
    rows = list(_rows(template.ranges))
    _require_different(template, rows)
    if first is None:
        return [replace(group, tiles=tuple(_tile(template, row) for row in rows))], []
    made = []
    for word in words_of(first):
        own = tuple(_tile(template, row) for row in rows if row[first.name.text].spoken == word.text)
        made.append(replace(group, name=word, tiles=own))
    words = [_Words(first, group.ids, group.name, None)]
    for of in worded[1:]:
        tiles: dict[str, list[str]] = {word.text: [] for word in words_of(of)}
        for row in rows:
            tiles[row[of.name.text].spoken].append(_filled(template.pattern, row, written=True))
        words.append(_Words(of, group.ids, group.name, tiles))
    return made, words


def _require_own_tiles(template: t.Template, worded: Sequence[t.Range]) -> None:
    """Check that names tell the words of each range apart. Raises `SpecError`."""
    for of in worded:
        if of.name.text not in holes(template.pattern):
            message = f"the names of these tiles do not say their `{of.name.text}`"
            advice = f'write `"{template.pattern}{{{of.name.text}}}"`'
            place = _in_words(template, f'"{template.pattern}"')
            raise SpecError([Diagnostic("G006", message, place, advice)])


def _require_different(template: t.Template, rows: Sequence[_Row]) -> None:
    """Check that no two tiles of a line have one name. Raises `SpecError`."""
    seen: set[str] = set()
    for row in rows:
        name = _filled(template.pattern, row, written=True)
        if name in seen:
            message = f"two kinds of tile are written `{name}`"
            advice = "let the pattern have every range, and give each word a text of its own"
            place = _in_words(template, f'"{template.pattern}"')
            raise SpecError([Diagnostic("G006", message, place, advice)])
        seen.add(name)


def _pattern(group: t.TileGroup, template: t.Template, of: t.Range, value: _Value) -> t.TileGroup:
    """Return the group of one word, as a pattern over the other ranges."""
    row = {of.name.text: value}
    spoken = template.spoken
    others = tuple(r for r in template.ranges if r is not of)
    name = next(w for w in words_of(of) if w.text == value.spoken)
    if not others:
        return replace(group, name=name, tiles=(_tile(template, row),))
    tiles = replace(
        template,
        pattern=_filled(template.pattern, row, written=True),
        spoken=None if spoken is None else _filled(spoken, row, written=False),
        ranges=others,
    )
    return replace(group, name=name, tiles=tiles)


def _tile(template: t.Template, row: _Row) -> t.SpokenTile:
    name = _filled(template.pattern, row, written=True)
    spoken = None if template.spoken is None else _filled(template.spoken, row, written=False)
    if template.like is not None:
        face = t.Word(template.span, _filled(template.like, row, written=True))
        return t.SpokenTile(template.span, name, spoken, like=face)
    numbers = tuple((of, value.number) for of, value in row.items() if value.number is not None)
    return t.SpokenTile(template.span, name, spoken, numbers)


def _filled(pattern: str, row: _Row, written: bool) -> str:
    """Return a pattern with the values of these ranges in place of their names."""
    texts = {of: value.written if written else value.spoken for of, value in row.items()}
    return HOLE.sub(lambda m: texts.get(m[1], m[0]), pattern)


# ---------------------------------------------------------------- ranges


def _rows(ranges: Sequence[t.Range]) -> Iterator[_Row]:
    """Yield the values of each tile, the last range running fastest. Raises `SpecError` for too many."""
    rows: list[_Row] = [{}]
    for of in ranges:
        rows = [
            {**row, of.name.text: value} for row in rows for value in islice(values_of(of, row), MAX_KINDS)
        ]
        if len(rows) > MAX_KINDS:
            message = f"this set has more than {MAX_KINDS} kinds of tiles"
            raise SpecError([Diagnostic("G007", message, of.span, "write smaller numbers")])
    yield from rows


def values_of(of: t.Range, row: _Row) -> Iterator[_Value]:
    """Yield the values of a range, those of the ranges before it being known."""
    words = words_of(of)
    if words:
        _require_once(words)
        for part, word in zip(of.parts, words, strict=True):
            yield _Value(word.text if part.written is None else part.written, word.text, None)
        return
    first = next(i for i, part in enumerate(of.parts) if not is_word(part))
    number = _number(of.parts[first].low, row) - first  # of the first part: words count back from a number
    for part in of.parts:
        if is_word(part):
            spoken = part.low.span.words
            yield _Value(spoken if part.written is None else part.written, spoken, number)
            number += 1
            continue
        low = _number(part.low, row)
        high = low if part.high is None else _number(part.high, row)
        if part.high is not None and low > high:
            message = f"the lower bound {low} of `{of.name.text}` is above the upper bound {high}"
            raise SpecError([Diagnostic("G007", message, part.span, "write the lower bound first")])
        for number in range(low, high + 1):
            yield _Value(str(number) if part.written is None else part.written, str(number), number)
        number = high + 1


def is_word(part: t.RangePart) -> bool:
    return isinstance(part.low, t.Name) and part.high is None


def _require_once(words: Sequence[t.Word]) -> None:
    """Check that no word of a range is there twice. Raises `SpecError`."""
    first: dict[str, t.Word] = {}
    for word in words:
        if word.text in first:
            label = Label(first[word.text].span, "the first one")
            message = f"`{word.text}` is listed twice"
            raise SpecError([Diagnostic("N002", message, word.span, "list each word once", (label,))])
        first[word.text] = word


def _number(expr: t.Expr, row: _Row) -> int:
    """Return a number that is written, or that of an earlier range. Raises `SpecError`."""
    if isinstance(expr, t.Number):
        return expr.value
    if isinstance(expr, t.Name) and expr.name in row:
        number = row[expr.name].number
        if number is not None:
            return number
    raise SpecError([_no_number(expr)])


def _no_number(expr: t.Expr) -> Diagnostic:
    """Return the fault of a part of a range that is no number."""
    message = "here the numbers of a range are written in digits"
    advice = "write a number, as in `size in 2 to 10, J, Q, K, A`"
    if isinstance(expr, t.Bag):
        message = "the parts of a range stand without braces"
        advice = f"write `{', '.join(item.span.excerpt for item in expr.items)}`"
    elif isinstance(expr, t.TileName) and "-" in expr.name:
        message = "a range is written with `to`"
        advice = f"write `{' to '.join(expr.name.split('-'))}`"
    elif isinstance(expr, t.TileName):
        message = f"`{expr.name}` is the name of a tile, not a number"
        advice = f'write a word, and in quotes how names of tiles have it: `size "{expr.name}"`'
    return Diagnostic("G007", message, expr.span, advice)


# ---------------------------------------------------------------- what the words mean


def _definitions(of: _Words, groups: Sequence[t.TileGroup], lines: Sequence[t.TileGroup]) -> Iterator[t.Decl]:
    """Yield the definition of each tile's word, and of the bag of a word that is no group."""
    words = words_of(of.range)
    texts = tuple(word.text for word in words)
    span = of.name.span
    it = t.Name(span, "it")
    values: list[t.Expr] = [t.Name(span, word, texts) for word in texts]
    group = t.Possessive(span, it, GROUP)
    yield t.Kind(span, of.name, t.TypeChoice(span, words), False, of.ids)
    everywhere = len(lines) == 1
    if of.tiles is None and everywhere:
        yield defined(of.name, "tile", group, of.ids)
        return
    tests: list[t.Expr] = []
    for word in texts:
        if of.tiles is None:
            tests.append(t.Binary(span, "=", group, t.Name(span, word)))
        else:
            tests.append(
                t.Binary(span, "in", it, t.Bag(span, tuple(t.TileName(span, n) for n in of.tiles[word])))
            )
    cases = list(zip(tests, values, strict=True))
    otherwise: t.Expr = t.Nothing(span)
    if everywhere:
        otherwise = cases.pop()[1]
    value = reduce(lambda rest, case: t.If(span, case[0], case[1], rest), reversed(cases), otherwise)
    yield defined(of.name, "tile", value, of.ids)
    if of.tiles is not None:
        for name, same in zip(words, values, strict=True):
            test = t.Binary(span, "=", t.Possessive(span, it, of.name.text), same)
            bag = t.Fold(span, "those", (t.Word(span, "it"),), t.Name(span, of.line.text), None, test)
            yield defined(name, None, bag, of.ids)


def defined(name: t.Word, owner: t.DefineOwner | None, value: t.Expr, ids: tuple[t.Word, ...]) -> t.Define:
    clause = t.Clause(name.span, name, t.Condition(name.span, value, None), ())
    return t.Define(name.span, name, owner, (), (clause,), False, ids)
