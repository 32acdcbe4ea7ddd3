"""Give a name another one, in all texts and recorded games that have it.

Input: a name in a text of a `Workspace`, and the new one. Output: what to write where.
Guarantee: each place that means the same is changed, in messages too, and no other. A key whose name said what kind of
value it has gets that kind (`tile` becomes `card: tile`). What would have two meanings afterwards is refused.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from golpae.diagnostics import Span, Text
from golpae.editor.occurrences import Occurrence, Symbol
from golpae.editor.recorded import recorded_below
from golpae.editor.workspace import Parsed, Workspace
from golpae.elaborate.typecheck.parameters import NAMED_TYPES
from golpae.regular import content_of
from golpae.syntax import tree as t

NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[-_][A-Za-z0-9]+)*")
MOST_FILES, LARGEST = 500, 1 << 22  # files of recorded games that are looked through, and their size
_OF_THE_LANGUAGE = ("end", "finish", "deal", "payout")  # actions whose own keys nobody names


class NotRenamed(ValueError):
    """A name cannot be changed so; the message says why."""


@dataclass(frozen=True, slots=True)
class WordChange:
    """Other words for a part of a file."""

    path: Path
    span: Span
    words: str


def renamed(workspace: Workspace, path: Path, name: Occurrence, new: str) -> list[WordChange]:
    """Return the changes that give a name another one. Raises `NotRenamed`."""
    symbol = name.symbol
    declarations = workspace.declarations(path, symbol)
    games = workspace.games(path)
    own = {one.path for one, _ in declarations}
    if symbol.space == "text" or not declarations:
        raise NotRenamed(f"`{symbol.name}` is not declared in these texts")
    if not NAME.fullmatch(new):
        raise NotRenamed(f"`{new}` is no name: a name has letters, digits and `-`, a letter first")
    if not all(_is_beside(one, path) for one in own):
        raise NotRenamed(f"`{symbol.name}` is declared in a text of another folder")
    kinds = {
        decl.name.text for texts in games for one in texts for decl in one.decls if isinstance(decl, t.Kind)
    }
    kinds |= {*NAMED_TYPES}
    _refuse_clashes(games, symbol, new)
    changes = []
    for one, place in workspace.uses(path, symbol):
        words, declared = new, place.declared
        if isinstance(declared, t.Param) and declared.type is None and declared.parts is None:
            if declared.name in kinds:
                words = f"{new}: {declared.name}"
            elif symbol.scope in _OF_THE_LANGUAGE:
                raise NotRenamed(f"`{symbol.name}` is a word of the language")
        changes.append(WordChange(one.path, place.span, words))
    return [*changes, *_in_games(games, path.parent, symbol, declarations[0][1], new)]


def _is_beside(declared: Path, path: Path) -> bool:
    return declared.parent == path.parent


def _refuse_clashes(games: list[list[Parsed]], symbol: Symbol, new: str) -> None:
    """Raise `NotRenamed` if a game has the new name already, where it would be mixed up with it."""
    begin = symbol.name.rpartition(".")[0]
    name = f"{begin}.{new}" if begin else new
    for texts in games:
        for one in texts:
            for other in one.names:
                same = other.symbol.space == symbol.space and other.symbol.name == name
                near = other.symbol.scope in (None, symbol.scope) or symbol.scope is None
                if same and near and other.declared is not None:
                    line, _ = one.text.position(other.span.start)
                    raise NotRenamed(f"there is a `{new}` already: {one.text.name}, line {line}")


# ---------------------------------------------------------------------- recorded games


def _in_games(
    games: list[list[Parsed]], folder: Path, symbol: Symbol, declared: Occurrence, new: str
) -> Iterator[WordChange]:
    """Yield the changes in recorded games below a folder: the names of actions, their keys, and variants."""
    node = declared.declared
    is_key = isinstance(node, t.Param) and isinstance(symbol.scope, str)
    if not (is_key or isinstance(node, t.Action | t.Variant)):
        return
    names = {texts[0].game for texts in games} - {None}
    for file in islice(recorded_below(folder), MOST_FILES):
        try:
            content = content_of(file, LARGEST + 1)
            if content is None or len(content) > LARGEST:
                continue
            text = Text.of(file.name, content.decode().replace("\r\n", "\n").replace("\r", "\n"))
        except (OSError, UnicodeDecodeError):
            continue
        of_game = False
        for start, line in zip(text.starts, text.content.split("\n"), strict=True):
            try:
                record = json.loads(line)
            except ValueError:
                continue
            if not isinstance(record, Mapping):
                continue
            if "golpae" in record:
                base, *switches = str(record.get("rules")).split("+")
                of_game = base in names
                if of_game and isinstance(node, t.Variant) and symbol.name in switches:
                    yield from _found(
                        file, text, start, line, rf'"rules"\s*:\s*"[^"]*\+({symbol.name})(?=["+])', new
                    )
            elif of_game and isinstance(node, t.Action) and record.get("do") == symbol.name:
                yield from _found(file, text, start, line, rf'"do"\s*:\s*"({symbol.name})"', new)
            elif of_game and is_key and record.get("do") == symbol.scope and symbol.name in record:
                yield from _found(file, text, start, line, rf'[{{,]\s*"({symbol.name})"\s*:', new)


def _found(file: Path, text: Text, start: int, line: str, pattern: str, new: str) -> Iterator[WordChange]:
    for match in islice(re.finditer(pattern, line), 1):
        yield WordChange(file, Span(text, start + match.start(1), start + match.end(1)), new)
