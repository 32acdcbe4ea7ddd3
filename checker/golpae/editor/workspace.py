"""The rule texts that an editor has open, and those that they include or that include them.

Input: texts as somebody types them, and the files beside them.
Output: their trees, the places of their names, what a name means, and where else it stands.
Guarantee: a text that does not follow the grammar keeps all its other parts. Nothing of a file is kept that has changed
since.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Set
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from golpae.bundled import spec_dir
from golpae.diagnostics import Diagnostic, SpecError, Text
from golpae.editor.occurrences import Occurrence, Symbol, occurrences
from golpae.elaborate.load import LARGEST, decoded, digest, parsed_in_parts, shown
from golpae.elaborate.names import ENDING, find
from golpae.regular import content_of
from golpae.syntax import tree as t

MOST_TEXTS = 500  # of one folder


@dataclass(frozen=True, slots=True)
class Parsed:
    """A text: its tree without the parts that do not follow the grammar, the faults of these, and its names."""

    path: Path
    text: Text
    decls: tuple[t.Decl, ...]
    faults: tuple[Diagnostic, ...]
    names: tuple[Occurrence, ...]

    @property
    def game(self) -> str | None:
        """The name of its game; None if it is a part of other texts."""
        return next((decl.name.text for decl in self.decls if isinstance(decl, t.Game)), None)

    def at(self, offset: int) -> Occurrence | None:
        """Return the name at a place: one that is declared before one that is used, the shortest first."""
        here = [one for one in self.names if one.span.start <= offset <= one.span.end]
        return min(here, key=lambda one: (one.span.end - one.span.start, one.declared is None), default=None)


class Workspace:
    """Texts by their paths. What an editor has `opened` takes the place of the files."""

    def __init__(self) -> None:
        self._opened: dict[str, bytes] = {}
        self._parsed: dict[Path, tuple[str, Parsed]] = {}

    @property
    def opened(self) -> Mapping[str, bytes]:
        """The texts that an editor has, by the real paths of their files."""
        return dict(self._opened)

    def open(self, path: Path, content: str) -> None:
        """Take a text in place of its file."""
        self._opened[os.path.realpath(path)] = content.encode("utf-8", "surrogatepass")

    def close(self, path: Path) -> None:
        """Read the file of a text again from now on."""
        self._opened.pop(os.path.realpath(path), None)

    def parsed(self, path: Path) -> Parsed | None:
        """Return a text; None if it cannot be read."""
        content = self._content(path)
        if content is None:
            return None
        known = self._parsed.get(path)
        written = digest(content)
        if known is not None and known[0] == written:
            return known[1]
        try:
            text = decoded(content, shown(path))
        except SpecError as fault:
            made = Parsed(path, Text.of(shown(path), ""), (), fault.diagnostics, ())
        else:
            tree, faults = parsed_in_parts(text)
            made = Parsed(path, text, tree.decls, faults, tuple(occurrences(text, tree.decls)))
        self._parsed[path] = written, made
        return made

    def _content(self, path: Path) -> bytes | None:
        opened = self._opened.get(os.path.realpath(path))
        if opened is not None:
            return opened
        try:
            return content_of(path, LARGEST + 1)
        except OSError:
            return None

    # ------------------------------------------------------------------ texts that belong together

    def included(self, path: Path) -> list[Parsed]:
        """Return a text and all that it includes, each once."""
        parsed_files: dict[Path, Parsed] = {}
        waiting = [path]
        while waiting:
            one = waiting.pop().resolve()
            parsed = None if one in parsed_files else self.parsed(one)
            if parsed is None:
                continue
            parsed_files[one] = parsed
            waiting += _includes(parsed)
        return list(parsed_files.values())

    def games(self, path: Path) -> list[list[Parsed]]:
        """Return the texts of each game of the folder that a text belongs to; its own alone if it is part of none."""
        path = path.resolve()
        texts_of_games = []
        for game in self._texts_beside(path):
            parsed = self.parsed(game)
            if parsed is not None and parsed.game is not None:
                texts = self.included(game)
                if any(one.path == path for one in texts):
                    texts_of_games.append(texts)
        return texts_of_games or [self.included(path)]

    def _texts_beside(self, path: Path) -> Iterator[Path]:
        """Yield a text, and those of its folder; first those that an editor has."""
        yield path
        others = sorted(one.resolve() for one in path.parent.glob("*" + ENDING))[:MOST_TEXTS]
        yield from (one for one in others if one != path)

    # ------------------------------------------------------------------ names

    def at(self, path: Path, offset: int) -> tuple[Parsed, Occurrence] | None:
        """Return the name at a place of a text, with what it means."""
        parsed = self.parsed(path)
        name = None if parsed is None else parsed.at(offset)
        if parsed is None or name is None:
            return None
        if name.within is not None:
            bound = {
                one.symbol
                for texts in self.games(path)
                for text in texts
                for one in text.names
                if one.declared is not None
            }
            name = replace(name, symbol=_meant(name, bound))
        return parsed, name

    def declarations(self, path: Path, symbol: Symbol) -> list[tuple[Parsed, Occurrence]]:
        """Return where a name of a text is declared."""
        if isinstance(symbol.scope, int) or symbol.space == "text":
            return self._local(path, symbol)
        places: dict[tuple[Path, int], tuple[Parsed, Occurrence]] = {}
        for texts in self.games(path):
            for one in texts:
                for name in one.names:
                    if name.symbol == symbol and name.declared is not None:
                        places[one.path, name.span.start] = one, name
        return list(places.values())

    def _local(self, path: Path, symbol: Symbol) -> list[tuple[Parsed, Occurrence]]:
        parsed = self.parsed(path)
        if symbol.space == "text":
            try:
                file = find(symbol.name, (path.parent, spec_dir()))
            except SpecError:
                return []
            parsed = None if file is None else self.parsed(file.resolve())
            first = None if parsed is None else next(iter(parsed.names), None)
            return [] if parsed is None or first is None else [(parsed, first)]
        if parsed is None:
            return []
        return [(parsed, one) for one in parsed.names if one.symbol == symbol and one.declared is not None]

    def uses(self, path: Path, symbol: Symbol) -> list[tuple[Parsed, Occurrence]]:
        """Return where a name of a text stands: in all texts of the games in which it has the same declaration."""
        parsed = self.parsed(path)
        if parsed is None:
            return []
        if isinstance(symbol.scope, int):
            return [(parsed, one) for one in parsed.names if one.symbol == symbol]
        places = {(one.path, name.span.start) for one, name in self.declarations(path, symbol)}
        games = self.games(path)
        for one in {one for one, _ in places}:
            games += self.games(one)
        uses_at: dict[tuple[Path, int], tuple[Parsed, Occurrence]] = {}
        for texts in games:
            bound = {name.symbol for one in texts for name in one.names if name.declared is not None}
            here = [(one, name) for one in texts for name in one.names if _meant(name, bound) == symbol]
            if places and all((one.path, name.span.start) not in places for one, name in here):
                continue
            uses_at |= {(one.path, name.span.start): (one, name) for one, name in here}
        return [uses_at[key] for key in sorted(uses_at)]


def _includes(parsed: Parsed) -> Iterator[Path]:
    """Yield the files that a text includes."""
    for decl in parsed.decls:
        if isinstance(decl, t.Include):
            with suppress(SpecError):
                file = find(decl.name.text, (parsed.path.parent,))
                if file is not None:
                    yield file


def _meant(name: Occurrence, declared: Set[Symbol]) -> Symbol:
    """Return the symbol that a name refers to. Inside a change, a name that the changed part binds hides that of the
    game.
    """
    if name.within is None or name.symbol.scope is not None or name.symbol.space != "name":
        return name.symbol
    own = replace(name.symbol, scope=name.within)
    return own if own in declared else name.symbol
