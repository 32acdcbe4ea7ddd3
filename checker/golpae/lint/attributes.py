"""Comparisons of a number that some tiles lack, and for which it is 0.

Input: a `Vocabulary`.
Output: a note for each such comparison that does not ask first which tiles have the number.
Guarantee: a number that every tile of the set has is never noted.

    higher: tile's size > 3         noted if some tiles have no size
    higher: tile in boats and tile's size > 3
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from golpae.diagnostics import Diagnostic, quoted_list
from golpae.elaborate.expand.tile_patterns import are_like, words_of
from golpae.elaborate.instance import holes, read_attributes
from golpae.lint.text_words import Vocabulary, words
from golpae.syntax import tree as t
from golpae.syntax.format import format_expression
from golpae.syntax.traverse import children, nodes

COMPARISONS = ("=", "/=", "<", "<=", ">", ">=")


def lacking_numbers(text: Vocabulary) -> Iterator[Diagnostic]:
    """Yield a note for each comparison of a number that some tiles lack."""
    lacking = _lacking(text)
    if not lacking:
        return
    tests, of_shapes = _Tests(text, lacking), _Tests(text, _counted(text, lacking))
    for decl in text.own_decls:
        if isinstance(decl, t.Define) and decl.owner == "tile":
            continue
        for root, around in _roots(text, decl):
            own = of_shapes if isinstance(decl, t.Shape) else tests
            notes_by_words = {
                (n.message, n.help): n for n in reversed([*own.notes(root, around, frozenset())])
            }
            yield from notes_by_words.values()


def _counted(text: Vocabulary, lacking: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """Return `lacking` for shapes, in which wild tiles count as others: without the groups of wild tiles, unless the
    text says as which tiles they count.
    """
    wild: set[str] = set()
    for decl in text.decls:
        if isinstance(decl, t.Tiles) and decl.wild is not None and decl.wild_as is None:
            wild |= {node.name for node in nodes((decl.wild.body,)) if isinstance(node, t.Name)}
    left = {number: [group for group in groups if group not in wild] for number, groups in lacking.items()}
    return {number: groups for number, groups in left.items() if groups}


def _lacking(text: Vocabulary) -> dict[str, list[str]]:
    """Return, for each number of tiles that not all tiles have, the groups with tiles that lack it."""
    out: dict[str, list[str]] = {}
    for decl in text.decls:
        if not isinstance(decl, t.Tiles):
            continue
        written = () if decl.written is None else decl.written.patterns
        having = {
            group.name.text: _numbers(group.tiles)
            if isinstance(group.tiles, t.Template)
            else set.intersection(*(set(read_attributes(tile.name, written)) for tile in group.tiles))
            for group in decl.groups
            if not are_like(group)  # these have the numbers of other tiles
        }
        for number in sorted(set().union(*having.values())):
            groups = [group for group, numbers in having.items() if number not in numbers]
            if groups:
                out[number] = groups
    for define in text.decls:  # `define each tile's whole: its high + its low`
        if isinstance(define, t.Define) and define.owner == "tile" and not define.cases:
            body = define.clauses[0].body
            used = {n.name for n in nodes((body,)) if isinstance(n, t.Possessive)}
            groups = [group for number in out if number in used for group in out[number]]
            if groups and not any(isinstance(n, t.If) for n in nodes((body,))):
                out[define.name.text] = list(dict.fromkeys(groups))
    players = {v.name.text for d in text.decls if isinstance(d, t.State) for v in d.vars if v.each_player}
    return {number: groups for number, groups in out.items() if number not in players}


def _numbers(template: t.Template) -> set[str]:
    """Return the numbers of the tiles of a pattern: not what is a word."""
    return {*holes(template.pattern)} - {of.name.text for of in template.ranges if words_of(of)}


def _roots(text: Vocabulary, decl: t.Decl) -> Iterator[tuple[t.Expr, tuple[t.Expr, ...]]]:
    """Yield the conditions of a declaration, each with those beside it that may ask which tiles are meant."""
    match decl:
        case t.Define() | t.Action():
            beside = _conditions(text, decl.name.text)
            yield from ((c.body.expr, beside) for c in decl.clauses if isinstance(c.body, t.Condition))
            effects = [c.body for c in decl.clauses if isinstance(c.body, t.Effects)]
            yield from ((n.test, beside) for n in nodes(effects) if isinstance(n, t.When))
        case t.Shape(body=body):
            yield body, ()
        case t.Score():
            yield from ((p.test, ()) for p in decl.patterns)
            yield from ((define.expr, ()) for define in decl.defines)
            yield from ((field.expr, ()) for field in decl.fields)
        case t.Property(expr=expr):
            yield expr, ()
        case t.Variant(deltas=deltas, properties=properties):
            for delta in deltas:
                yield from _roots(text, delta)
            for prop in properties:
                yield from _roots(text, prop)
        case t.Delta(pattern=t.Pattern(test=test)):
            yield test, ()
        case t.Delta(body=t.Condition(expr=expr)):
            yield expr, _conditions(text, decl.path[0].text)
        case _:
            return


def _conditions(text: Vocabulary, name: str) -> tuple[t.Expr, ...]:
    """Return the conditions, or cases, of an action or definition, also those that variants change."""
    named = [d for d in text.decls if isinstance(d, t.Define | t.Action) and d.name.text == name]
    bodies = [c.body for d in named for c in d.clauses]
    bodies += [d.body for d in text.changes if d.path[0].text == name and d.body is not None]
    return tuple(body.expr for body in bodies if isinstance(body, t.Condition))


class _Tests:
    """Finds the comparisons in one text."""

    def __init__(self, text: Vocabulary, lacking: Mapping[str, list[str]]) -> None:
        self.text = text
        self.lacking = lacking
        groups = [group for d in text.decls if isinstance(d, t.Tiles) for group in d.groups]
        tiles = {tile.name for g in groups if isinstance(g.tiles, tuple) for tile in g.tiles}
        self.telling = (
            {g.name.text for g in groups} | tiles | {"group"}
        )  # words that say which tiles are meant

    def notes(self, expr: t.Node, around: tuple[t.Expr, ...], known: frozenset[str]) -> Iterator[Diagnostic]:
        """Yield the notes of one condition. `known` are names of tiles that are all of certain groups."""
        if isinstance(expr, t.Binary) and expr.op in COMPARISONS and not _is_exact(expr):
            for side in (expr.left, expr.right):
                for read in _reads(side):
                    tile = format_expression(read.owner)
                    groups = self.lacking.get(read.name)
                    if groups is None or tile in known or any(self._asks(test, tile) for test in around):
                        continue
                    message = f"`{read.name}` is 0 for {_tiles(groups)}"
                    advice = f"ask first which tile it is: `{tile} in ... and ...`"
                    yield Diagnostic("W003", message, read.span, advice)
        if isinstance(expr, t.Quantified | t.Fold | t.EachOf) and self._tells(expr.domain):
            names = (expr.name,) if isinstance(expr, t.EachOf) else expr.names
            known |= {word.text for word in names}
        if isinstance(expr, t.Binary | t.If | t.Quantified | t.Fold | t.EachOf):
            around = (*around, expr)
        for child in children(expr):
            yield from self.notes(child, around, known)

    def _tells(self, part: t.Node) -> bool:
        """Return whether a part of a text says which groups its tiles are of, itself or by definitions."""
        return bool(self.text.through(words(part)) & self.telling)

    def _asks(self, test: t.Expr, tile: str) -> bool:
        """Return whether a condition asks which tile one is."""
        for node in nodes((test,)):
            match node:
                case t.Binary(op="in" | "not in" | "=" | "/=", left=left, right=right):
                    tiles = [format_expression(side) for side in (left, right)]
                    named = tile in (*tiles, *_items(left), *_items(right))
                    if named and (self._tells(left) or self._tells(right) or _literal((left, right))):
                        return True
                case t.Call(args=args):
                    given = {format_expression(a) for a in args} | {i for a in args for i in _items(a)}
                    if tile in given and self._tells(node):
                        return True
                case t.Is(arg=arg):
                    if tile in (format_expression(arg), *_items(arg)) and self._tells(node):
                        return True
                case t.Possessive(owner=owner, name="group"):
                    if format_expression(owner) == tile:
                        return True
        return False


def _reads(expr: t.Expr) -> Iterator[t.Possessive]:
    """Yield the numbers of tiles in one side of a comparison, without those in questions and sums inside it."""
    match expr:
        case t.Possessive():
            yield expr
        case t.Binary(op="+" | "-" | "*" | "div" | "mod" | "^", left=left, right=right):
            yield from _reads(left)
            yield from _reads(right)
        case t.Unary(op="-", arg=arg):
            yield from _reads(arg)
        case _:
            return


def _is_exact(expr: t.Binary) -> bool:
    """Return whether a comparison asks for a certain number above 0, which no tile without one has."""
    return expr.op == "=" and any(isinstance(s, t.Number) and s.value for s in (expr.left, expr.right))


def _items(expr: t.Expr) -> list[str]:
    return [format_expression(item) for item in expr.items] if isinstance(expr, t.Bag) else []


def _literal(sides: tuple[t.Expr, ...]) -> bool:
    return any(isinstance(node, t.TileName) for node in nodes(sides))


def _tiles(groups: list[str]) -> str:
    return f"tiles of {quoted_list(groups)}"
