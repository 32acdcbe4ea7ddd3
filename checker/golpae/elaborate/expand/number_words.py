"""Write out the words of ranges of numbers, where a text uses one as a number.

Input: the declarations of a text. Output: the same, with a definition for each such word that is used.
Guarantee: a word that means anything else somewhere in the text, or that has two numbers, gets no definition.

    stones: one of each "{size}{hue}" for size in 2 to 10, J, Q, ...
    define each tile's value by its size: Q 11, 10 10, otherwise 0           adds `define Q: 12`
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from itertools import islice

from golpae.diagnostics import SpecError
from golpae.elaborate.expand.tile_patterns import defined, is_word, tile_patterns, values_of, words_of
from golpae.elaborate.instance import MAX_KINDS
from golpae.syntax import tree as t
from golpae.syntax.traverse import nodes


def number_words(decls: tuple[t.Decl, ...]) -> tuple[t.Decl, ...]:
    """Return the declarations with a definition for each word of a range of numbers that stands for its number."""
    numbers: dict[str, set[int]] = {}
    places: dict[str, t.Word] = {}
    for of in _ranges(decls):
        for word, number in _words(of):
            numbers.setdefault(word.text, set()).add(number)
            places.setdefault(word.text, word)
    if not numbers:
        return decls
    others = [decl for decl in decls if not isinstance(decl, t.Tiles)]
    used = {node.name for node in nodes(others) if isinstance(node, t.Name)}
    if not used.intersection(numbers):
        return decls
    taken = set(_taken(tile_patterns(decls)))  # with the name of each tile
    made = (
        defined(places[word], None, t.Number(places[word].span, number), ())
        for word, [number, *more] in ((word, sorted(values)) for word, values in numbers.items())
        if not more and word in used and word not in taken
    )
    return (*decls, *made)


def _ranges(decls: tuple[t.Decl, ...]) -> Iterator[t.Range]:
    """Yield the ranges of numbers in which there are words."""
    for decl in decls:
        for group in decl.groups if isinstance(decl, t.Tiles) else ():
            if isinstance(group.tiles, t.Template):
                for of in group.tiles.ranges:
                    if not words_of(of) and any(map(is_word, of.parts)):
                        yield of


def _words(of: t.Range) -> Iterator[tuple[t.Word, int]]:
    """Yield the words of a range with their numbers; none if a number depends on another range, or is faulty."""
    spans = {part.low.span.words: part.low.span for part in of.parts if is_word(part)}
    try:
        for value in islice(values_of(of, {}), MAX_KINDS):
            if value.spoken in spans and value.number is not None:
                yield t.Word(spans[value.spoken], value.spoken), value.number
    except SpecError:
        return


def _taken(decls: tuple[t.Decl, ...]) -> Iterator[str]:
    """Yield every declared name and every word of a list, but no names of clauses."""
    for node in nodes(decls):
        match node:
            case t.Clause():
                pass
            case t.Param(name=name):
                yield name
            case t.SpokenTile(name=name):
                yield name
            case _:
                yield from (own.text for own in _own_words(node))


def _own_words(node: t.Node) -> Iterator[t.Word]:
    """Yield the words that are fields of a node."""
    for field in fields(node):
        value = getattr(node, field.name)
        yield from (
            item for item in (value if isinstance(value, tuple) else (value,)) if isinstance(item, t.Word)
        )
