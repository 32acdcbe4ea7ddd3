"""The words that can follow while somebody types a rule text.

Input: a text of a `Workspace`, and a place in it. Output: words, each with what it is.
Guarantee: only what the texts of the game declare, and words of the language, are offered. What stands before the place
says which of them: after `p's` what players and tiles have, in brackets rules of sources, after `include` texts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from golpae.bundled import grammar_text, spec_dir
from golpae.editor.workspace import Workspace
from golpae.elaborate.names import ENDING
from golpae.syntax import tree as t
from golpae.syntax.traverse import children

BEGINNINGS = (
    "game", "include", "players", "option", "kind", "order", "tiles", "zones", "state of the hand",
    "state of the match", "define", "effects", "conditions", "shape", "arrangement", "score", "deal", "action", "end",
    "payout", "finish", "theorem", "always", "never", "reachable", "ends", "claim", "variant", "reading", "replace",
    "add", "drop", "expect", "source",
)  # fmt: skip
OF_SOMEBODY = ("right", "left", "total", "group", "gains")
_KEYWORD = re.compile(r'"([a-z]{2,}(?: [a-z]+)*)"')
_OWN = re.compile(r"'s\s+[\w-]*$")
_CITED = re.compile(r"\[[\w\s]*$")
_INCLUDED = re.compile(r"^include\s+[\w-]*$")
_CHANGED = re.compile(r"^\s*(replace|add|drop|expect)\s+([\w-]+)\.[\w-]*$")


@dataclass(frozen=True, slots=True)
class Offer:
    """A word that can follow, and what it is."""

    word: str
    what: str


def offers(workspace: Workspace, path: Path, offset: int) -> list[Offer]:
    """Return the words that can stand at a place of a text, each once."""
    parsed = workspace.parsed(path)
    if parsed is None:
        return []
    content = parsed.text.content
    line = content[content.rfind("\n", 0, offset) + 1 : offset]
    by_word: dict[str, Offer] = {}
    for offer in _offers(workspace, path, offset, line):
        by_word.setdefault(offer.word, offer)
    return sorted(by_word.values(), key=lambda offer: offer.word)


def _offers(workspace: Workspace, path: Path, offset: int, line: str) -> Iterator[Offer]:
    if _INCLUDED.match(line):
        for folder in (path.parent, spec_dir()):
            yield from (Offer(file.name.removesuffix(ENDING), "text") for file in folder.glob("*" + ENDING))
        return
    declared = [
        (one, name)
        for texts in workspace.games(path)
        for one in texts
        for name in one.names
        if name.declared is not None
    ]
    if _CITED.search(line):
        for _, name in declared:
            if isinstance(name.declared, t.Rule):
                yield Offer(name.symbol.name, name.declared.gist)
        return
    changed = _CHANGED.match(line)
    if changed is not None:
        begin = f"{changed[2]}."
        for _, name in declared:
            if name.symbol.space in ("clause", "pattern") and name.symbol.name.startswith(begin):
                yield Offer(name.symbol.name.removeprefix(begin), what_is(name.declared))
        return
    own = _OWN.search(line) is not None
    around = _around(workspace, path, offset)
    for one, name in declared:
        symbol = name.symbol
        local = symbol.scope in around and (one.path == path or isinstance(symbol.scope, str))
        if symbol.space == "name" and (symbol.scope is None or local):
            yield Offer(symbol.name, what_is(name.declared))
    if own:
        yield from (Offer(word, "of a player or a tile") for word in OF_SOMEBODY)
    elif line.strip() == line:
        yield from (Offer(word, "begins a part") for word in BEGINNINGS)
    if not own:
        yield from (Offer(word, "word of the language") for word in keywords())


def _around(workspace: Workspace, path: Path, offset: int) -> set[int | str | None]:
    """Return the parts of a text whose names have a meaning at a place: their names, or else their places."""
    parsed = workspace.parsed(path)
    around: set[int | str | None] = set()
    waiting: list[t.Node] = [] if parsed is None else [*parsed.decls]
    while waiting:
        node = waiting.pop()
        if node.span.start <= offset <= node.span.end + 1:
            around.add(node.span.start)
            match node:
                case t.Delta(path=(word, *_)) | t.Action(name=word) | t.Define(name=word):
                    around.add(word.text)
                case t.Group(name=word) | t.Score(name=word):
                    around.add(word.text)
                case _:
                    pass
            waiting += children(node)
    return around


@cache
def keywords() -> tuple[str, ...]:
    """Return the words of the language, as its grammar has them."""
    return tuple(sorted(set(_KEYWORD.findall(grammar_text()))))


def what_is(node: t.Node | None) -> str:
    """Return the kind of a declaration, in one or two words."""
    match node:
        case t.Define(params=()):
            return "value"
        case t.Define():
            return "definition"
        case t.Zone(each_player=True):
            return "zone of each player"
        case t.Zone() | t.RowSlice():
            return "zone"
        case t.StateVar():
            return "state"
        case t.Action():
            return "action"
        case t.Group():
            return "effects" if node.kind == "effects" else "conditions"
        case t.Param():
            return "key"
        case t.TypeChoice():
            return "word"
        case t.TileGroup():
            return "tiles"
        case t.Property():
            return "property"
        case _:
            return "" if node is None else re.sub(r"(?<!^)(?=[A-Z])", " ", type(node).__name__).lower()
