"""The set of tiles, from the lines of the text (1.4 to 1.8).

Input: the `tiles` of a text, the values of its options. Output: `TileSet`: every kind in the order of the set, none
withdrawn, and the words that tiles have.
Guarantee: nothing of the package writes a pattern out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from golpae.elaborate.instance import Kind
from golpae.syntax import tree as t
from tests.judge.faults import Unclear

HOLE = re.compile(r"\{([a-z][a-z0-9_-]*)\}")


@dataclass(frozen=True, slots=True)
class Piece:
    """A value of a range: how names have it, how it is called, and its number, if it is no word of its own."""

    written: str
    called: str
    number: int | None


Row = Mapping[str, Piece]


@dataclass
class TileSet:
    """Every kind of a set. `words` has the word of each kind for each range of words, `bags` the kinds of each word of
    a further range, and of each line whose name is no group.
    """

    attributes: tuple[str, ...]
    kinds: list[Kind] = field(default_factory=list)
    words: dict[str, dict[int, str]] = field(default_factory=dict)
    bags: dict[str, list[int]] = field(default_factory=dict)

    def add(self, line: t.TileGroup, patterns: tuple[str, ...], options: Mapping[str, int]) -> None:
        """Add the kinds of a line, in their order."""
        if not isinstance(line.tiles, t.Template):
            for tile in line.tiles:
                self._kind(
                    tile.name, tile.spoken, line.name.text, line, patterns, numbers_in(tile.name, patterns)
                )
                self._counts_as(None if tile.like is None else tile.like.text)
            return
        template = line.tiles
        if template.like is not None:
            for row in rows([*template.ranges], options):
                written, called = ({n: at(p) for n, p in row.items()} for at in (_written, _called))
                spoken = None if template.spoken is None else filled(template.spoken, called)
                self._kind(filled(template.pattern, written), spoken, line.name.text, line, (), {})
                self._counts_as(filled(template.like, written))
            return
        of_words = [r for r in template.ranges if all(is_word(part) for part in r.parts)]
        first = of_words[0] if of_words else None
        for name in [r.name.text for r in of_words[1:]] + [line.name.text] * bool(of_words):
            self.bags.setdefault(name, [])
        ranges = [*([first] if first is not None else []), *(r for r in template.ranges if r is not first)]
        for row in rows(ranges, options):
            group = line.name.text if first is None else row[first.name.text].called
            numbers = {name: piece.number for name, piece in row.items() if piece.number is not None}
            spoken = (
                None
                if template.spoken is None
                else filled(template.spoken, {n: p.called for n, p in row.items()})
            )
            name = filled(template.pattern, {n: p.written for n, p in row.items()})
            at = self._kind(name, spoken, group, line, patterns, numbers)
            for own in of_words:
                word = row[own.name.text].called
                self.words.setdefault(own.name.text, {})[at] = word
                if own is not first:
                    self.bags.setdefault(word, []).append(at)
            if first is not None:
                self.bags[line.name.text].append(at)
        for own in of_words[1:]:
            del self.bags[own.name.text]

    def _kind(
        self,
        name: str,
        spoken: str | None,
        group: str,
        line: t.TileGroup,
        patterns: tuple[str, ...],
        numbers: Mapping[str, int],
    ) -> int:
        texts = {hole: str(n) for hole, n in numbers.items()}
        other_names = (filled(p, texts) for p in patterns if {*HOLE.findall(p)} <= texts.keys())
        aliases = tuple(dict.fromkeys(other for other in other_names if other != name))
        values = tuple(numbers.get(a, 0) for a in self.attributes)
        self.kinds.append(Kind(name, spoken or name, group, line.copies, 0, values, aliases, group))
        return len(self.kinds) - 1

    def _counts_as(self, like: str | None) -> None:
        """Say what the last kind counts as (1.11)."""
        self.kinds[-1] = replace(self.kinds[-1], like=like)

    def add_faces(self) -> None:
        """Let each kind that counts as another have the words of that, and be where that is one by its words (1.11)."""
        numbers = {name: at for at, kind in enumerate(self.kinds) for name in (kind.name, *kind.aliases)}
        for at, kind in enumerate(self.kinds):
            if kind.like is None:
                continue
            face = numbers[kind.like]
            for words in self.words.values():
                if face in words:
                    words[at] = words[face]
            for bag in self.bags.values():
                if face in bag:
                    bag.append(at)


def set_of(tiles: t.Tiles, attributes: tuple[str, ...], options: Mapping[str, int]) -> TileSet:
    """Return the set that the lines of a text say."""
    out = TileSet(attributes)
    patterns = () if tiles.written is None else tiles.written.patterns
    for line in tiles.groups:
        out.add(line, patterns, options)
    out.add_faces()
    return out


def _written(piece: Piece) -> str:
    return piece.written


def _called(piece: Piece) -> str:
    return piece.called


def is_word(part: t.RangePart) -> bool:
    return part.high is None and isinstance(part.low, t.Name)


def rows(ranges: list[t.Range], options: Mapping[str, int]) -> Iterator[Row]:
    """Yield a value of each range, the last range running fastest (1.4)."""
    found: list[Row] = [{}]
    for own in ranges:
        found = [{**row, own.name.text: piece} for row in found for piece in pieces(own, row, options)]
    yield from found


def pieces(own: t.Range, row: Row, options: Mapping[str, int]) -> list[Piece]:
    """Return the values of a range (1.7)."""
    if all(is_word(part) for part in own.parts):
        names = [part.low.name for part in own.parts if isinstance(part.low, t.Name)]
        return [Piece(part.written or name, name, None) for part, name in zip(own.parts, names, strict=True)]
    out: list[Piece] = []
    known = {**options, **{name: p.number for name, p in row.items() if p.number is not None}}
    before = 0  # words that no number has come before
    for part in own.parts:
        if is_word(part) and not (out and out[-1].number is not None):
            before += 1
            assert isinstance(part.low, t.Name)
            out.append(Piece(part.written or part.low.name, part.low.name, None))
            continue
        if is_word(part):
            assert isinstance(part.low, t.Name)
            last = out[-1].number
            assert last is not None
            out.append(Piece(part.written or part.low.name, part.low.name, last + 1))
            continue
        low = value(part.low, known)
        high = low if part.high is None else value(part.high, known)
        if before and before == len(out):
            out = [Piece(p.written, p.called, low - before + at) for at, p in enumerate(out)]
            before = 0
        out += [Piece(part.written or str(n), str(n), n) for n in range(low, high + 1)]
    return out


def value(expr: t.Expr, known: Mapping[str, int]) -> int:
    """Return a bound of a range. Raises `Unclear` for what is more than a number, a name or a sum."""
    match expr:
        case t.Number(value=number):
            return number
        case t.Name(name=name) if name in known:
            return known[name]
        case t.Binary(op="+" | "-" | "*" as op, left=left, right=right):
            a, b = value(left, known), value(right, known)
            return a + b if op == "+" else a - b if op == "-" else a * b
        case _:
            raise Unclear(f"the bound {expr} of a range")


def filled(pattern: str, texts: Mapping[str, str]) -> str:
    return HOLE.sub(lambda hole: texts[hole[1]], pattern)


def numbers_in(name: str, patterns: tuple[str, ...]) -> dict[str, int]:
    """Return the numbers in a name, by the first pattern that it follows; the first number is as long as it can be."""
    for pattern in patterns:
        seen: set[str] = set()
        parts = []
        for at, part in enumerate(HOLE.split(pattern)):
            if at % 2 == 0:
                parts.append(re.escape(part))
            else:
                parts.append(rf"(?P={_key(part)})" if part in seen else rf"(?P<{_key(part)}>[0-9]{{1,9}})")
                seen.add(part)
        found = re.fullmatch("".join(parts), name)
        if found is not None:
            return {hole: int(found[_key(hole)]) for hole in seen}
    return {}


def _key(hole: str) -> str:
    return hole.replace("-", "__")
