"""Rule texts from files: found by name, includes brought in.

In: a game's name and the folders or files to look in. Out: the declarations of its text and of all it
includes, in reading order, and a hash over those texts. Raises `SpecError`.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from golpae.bundled import spec_dir
from golpae.diagnostics import Diagnostic, Span, SpecError, Text, near, quoted
from golpae.syntax import tree as t
from golpae.syntax.parse import MAX_TEXT, parse

ENDING = ".golpae"
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
LARGEST = 4 * MAX_TEXT + 3  # bytes that a text can have, a byte order mark included
DEEPEST = 50  # includes within includes


@dataclass(frozen=True, slots=True)
class Loaded:
    """The declarations of a game's text; `files` are all files that were read, with the hash of each."""

    decls: tuple[t.Decl, ...]
    game: t.Game
    files: tuple[tuple[str, str], ...]

    @property
    def spec_hash(self) -> str:
        return combined_hash(self.files)


def combined_hash(files: Sequence[tuple[str, str]]) -> str:
    """One hash over the hashes of the texts read, whatever folder they lie in."""
    return hashlib.sha256("\n".join(digest for _, digest in files).encode()).hexdigest()


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def find(name: str, spec_path: Sequence[Path]) -> Path | None:
    """The file of this game or include: on the spec path in its order, then among the bundled ones."""
    if not NAME.fullmatch(name):  # a path to elsewhere, say
        return None
    for place in (*spec_path, spec_dir()):
        if os.path.isfile(place):
            if place.name == name + ENDING:
                return place
        elif os.path.isfile(candidate := place / (name + ENDING)):
            return candidate
    return None


def known(spec_path: Sequence[Path]) -> list[str]:
    """The names of all games that can be found (files that hold a `game` line), sorted."""
    names = set()
    for place in (*spec_path, spec_dir()):
        for file in [place] if os.path.isfile(place) else sorted(place.glob("*" + ENDING)):
            try:
                content = _content(file) if os.path.isfile(file) else b""
            except OSError:
                continue
            if any(line.startswith(b"game ") for line in content.splitlines()):
                names.add(file.name.removesuffix(ENDING))
    return sorted(names)


def shown(path: Path) -> str:
    """The path as a person would write it: relative where it lies below the working folder."""
    try:
        relative = os.path.relpath(path)
    except ValueError:  # another drive
        return str(path)
    return str(path) if relative.startswith("..") else relative


def read(path: Path) -> tuple[Text, str]:
    """The text of a file and the hash of its bytes. Raises `SpecError` (L001, L003, S006)."""
    try:
        content = _content(path)
    except OSError as fault:
        reason = (fault.strerror or str(fault)).lower()
        raise SpecError([Diagnostic("L001", f"`{shown(path)}` cannot be read: {reason}", None)]) from None
    if len(content) > LARGEST:
        message = f"`{shown(path)}` is longer than {MAX_TEXT} characters"
        raise SpecError([Diagnostic("S006", message, None, "split it with `include`")])
    try:
        decoded = content.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        line = content.count(b"\n", 0, fault.start) + 1
        message = f"`{shown(path)}` is no UTF-8 text: line {line} cannot be read"
        raise SpecError([Diagnostic("L003", message, None, "save it as UTF-8")]) from None
    return Text.of(shown(path), decoded.replace("\r\n", "\n")), digest(content)


def _content(path: Path) -> bytes:
    """The bytes of a file; of one that is too large, one more than a text can have."""
    with path.open("rb") as file:
        return file.read(LARGEST + 1)


def load(name: str, spec_path: Sequence[Path] = ()) -> Loaded:
    """The text of the game `name` with its includes. Raises `SpecError`."""
    path = find(name, spec_path)
    if path is None:
        games = known(spec_path)
        advice = near(name, games) or f"the games that can be found are {', '.join(games) or 'none'}"
        raise SpecError([Diagnostic("L001", f"there are no rules called `{name}`", None, advice)])
    files: list[tuple[str, str]] = []
    decls = _with_includes(path, spec_path, (), files)
    games_found = [d for d in decls if isinstance(d, t.Game)]
    if not games_found:
        raise SpecError(
            [
                Diagnostic(
                    "L004",
                    f"`{shown(path)}` has no `game` line",
                    None,
                    f'start it with `game {name} "its title"`',
                )
            ]
        )
    game = games_found[0]
    if game.name.text != name:
        message = f"this file is called `{name}`, the game in it `{game.name.text}`"
        raise SpecError([Diagnostic("L004", message, game.name.span, "give both one name")])
    return Loaded(tuple(d for d in decls if not isinstance(d, t.Game)), game, tuple(files))


def _with_includes(
    path: Path, spec_path: Sequence[Path], chain: tuple[Path, ...], files: list[tuple[str, str]]
) -> list[t.Decl]:
    text, file_hash = read(path)
    key = (str(path), file_hash)
    if key in files:
        return []  # two texts may include the same third
    files.append(key)
    decls: list[t.Decl] = []
    own_game: t.Game | None = None
    for decl in _parsed(text).decls:
        if isinstance(decl, t.Include):
            found = find(decl.name.text, (path.parent, *spec_path))
            if found is None:
                folders = [place for place in (path.parent, *spec_path, spec_dir()) if place.is_dir()]
                texts = [f.name.removesuffix(ENDING) for folder in folders for f in folder.glob("*" + ENDING)]
                advice = near(decl.name.text, texts)
                message = f"there is no `{decl.name.text}{ENDING}` to include"
                raise SpecError(
                    [Diagnostic("L001", message, decl.name.span, advice or "put it beside this file")]
                )
            circle = [p.resolve() for p in (*chain, path)]
            if found.resolve() in circle:
                names = [p.name.removesuffix(ENDING) for p in (*chain, path)]
                between = names[circle.index(found.resolve()) + 1 :]
                message = f"`{decl.name.text}` includes itself"
                if between:
                    message += f", by way of {quoted(between)}"
                advice = "take this `include` out" if not between else "take one of the `include` lines out"
                raise SpecError([Diagnostic("L002", message, decl.name.span, advice)])
            if len(chain) >= DEEPEST:
                message = f"texts include one another more than {DEEPEST} deep"
                raise SpecError([Diagnostic("S006", message, decl.name.span, "include them from one text")])
            decls.extend(_with_includes(found, spec_path, (*chain, path), files))
        elif isinstance(decl, t.Game):
            if own_game is not None:
                raise SpecError([_second_game(decl.name.span)])
            own_game = decl
            if not chain:
                decls.append(decl)
        else:
            decls.append(decl)
    return decls


@lru_cache(maxsize=8)  # one text serves many rule sets
def _parsed(text: Text) -> t.RuleText:
    try:
        return parse(text)
    except RecursionError:
        message = f"`{text.name}` is nested too deep"
        raise SpecError(
            [Diagnostic("S006", message, None, "name parts of its longest lines with `define`")]
        ) from None


def _second_game(span: Span) -> Diagnostic:
    return Diagnostic(
        "L004", "this text has a second `game` line", span, "keep one; variants are written with `variant`"
    )
