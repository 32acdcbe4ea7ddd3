"""Load rule texts from files, with the texts that they include.

Input: a game's name and the folders or files to look in. Output: the declarations of its text and of all that it
includes, in reading order, and a hash over those texts. Raises `SpecError`.
Guarantee: a text that several texts include is there once; the depth of includes is bounded.
"""

from __future__ import annotations

import hashlib
import os
import re
from codecs import BOM_UTF8
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from golpae.bundled import name_of, spec_dir
from golpae.diagnostics import Diagnostic, Span, SpecError, Text, near, quoted_list
from golpae.diagnostics.hidden import on_one_line
from golpae.elaborate.blocks import with_uses
from golpae.elaborate.names import ENDING, OwnFolder, find, settled
from golpae.opened import opened
from golpae.syntax import tree as t
from golpae.syntax.parse import MAX_TEXT, parse
from golpae.unreadable import reason_of

LARGEST = 4 * MAX_TEXT + 3  # bytes that a text can have, a byte order mark included
DEEPEST = 50  # includes within includes
MOST_FAULTS = 30  # parts of one text that are reported not to follow the grammar
NO_FILE = "<text>"  # the name of a text that is in no file


@dataclass(frozen=True, slots=True)
class Loaded:
    """The declarations of a game's text; `files` are all files read, each with its hash."""

    decls: tuple[t.Decl, ...]
    game: t.Game
    files: tuple[tuple[str, str], ...]

    @property
    def spec_hash(self) -> str:
        return combined_hash(self.files)


def combined_hash(files: Sequence[tuple[str, str]]) -> str:
    """Return one hash over the hashes of the texts, independent of their folders."""
    return hashlib.sha256("\n".join(digest for _, digest in files).encode()).hexdigest()


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def game_names(spec_path: Sequence[Path]) -> list[str]:
    """Return the names of all games within reach, sorted. Raises `SpecError` (L001) if a text cannot be read."""
    own = {game for place in spec_path if isinstance(place, OwnFolder) for game in games_in(place)}
    places = (*(place for place in spec_path if not isinstance(place, OwnFolder)), spec_dir())
    return sorted(
        own | {_name(file) for place in places for file in _texts_in(place) if _is_game(_content(file))}
    )


def readable_games(spec_path: Sequence[Path]) -> list[str]:
    """Return the names of the games within reach whose texts can be read, sorted, for advice."""
    return sorted({name for place in (*spec_path, spec_dir()) for name in games_in(place)})


def games_in(place: Path) -> list[str]:
    """Return the names of the games in a folder, or of one file. Texts that cannot be read are left out."""
    names = []
    for file in _texts_in(place):
        with suppress(SpecError):
            if _is_game(_content(file)):
                names.append(_name(file))
    return names


def _texts_in(place: Path) -> list[Path]:
    if os.path.isfile(place):
        return [place]
    return [file for file in sorted(place.glob("*" + ENDING)) if os.path.isfile(file)]


def _name(file: Path) -> str:
    return file.name.removesuffix(ENDING)


def _is_game(content: bytes) -> bool:
    """Return whether a text has a `game` line; the other ones are parts of texts."""
    return any(line.startswith(b"game ") for line in content.removeprefix(BOM_UTF8).splitlines())


def shown(path: Path) -> str:
    """Return the path as a person would write it, on one line: relative if it is below the working folder.

    A spec that is installed with golpae is called as in golpae's own repository.
    """
    own = name_of(path)
    if own is not None:
        return own
    try:
        relative = os.path.relpath(path)
    except (ValueError, OSError):  # another drive, or a working folder that was removed
        return on_one_line(str(path))
    return on_one_line(str(path) if relative.startswith("..") else relative)


def read(path: Path) -> tuple[Text, str]:
    """Return the text of a file and the hash of its bytes. Raises `SpecError` (L001, L003, S006)."""
    content = _content(path)
    return decoded(content, shown(path)), digest(content)


def decoded(content: bytes, name: str) -> Text:
    """Return the text that is written as these bytes. Raises `SpecError` (L003, S006)."""
    if len(content) > LARGEST:
        message = f"`{name}` is longer than {MAX_TEXT} characters"
        raise SpecError([Diagnostic("S006", message, None, "split it with `include`")])
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        line = content.count(b"\n", 0, fault.start) + 1
        message = f"`{name}` is not a UTF-8 text: line {line} cannot be read"
        raise SpecError([Diagnostic("L003", message, None, "save it as UTF-8")]) from None
    return Text.of(name, text.replace("\r\n", "\n").replace("\r", "\n"))


def unreadable(name: str, fault: OSError) -> SpecError:
    """Return why a text cannot be read (L001)."""
    advice = "check that it is a file and that you may read it"
    message = f"`{name}` cannot be read: {reason_of(fault)}"
    return SpecError([Diagnostic("L001", message, None, advice)])


def _content(path: Path) -> bytes:
    """Return the bytes of a file; of one that is too large, one more than a text can have. Raises `SpecError`."""
    content = opened(path)
    if content is not None:
        return content
    try:
        with path.open("rb") as file:
            return file.read(LARGEST + 1)
    except OSError as fault:
        raise unreadable(shown(path), fault) from None


def load(name: str, spec_path: Sequence[Path] = ()) -> Loaded:
    """Return the text of the game `name` with its includes. Raises `SpecError`."""
    spec_path, within_reach = settled(name, spec_path), spec_path
    path = find(name, spec_path)
    if path is None:
        games = readable_games(within_reach)
        advice = near(name, games) or f"the games that can be found are {quoted_list(games)}"
        raise SpecError([Diagnostic("L001", f"there are no rules called `{name}`", None, advice)])
    loaded = _loaded(path, read(path), spec_path, name)
    if loaded.game.name.text != name:
        message = f"this file is called `{name}`, but its game is called `{loaded.game.name.text}`"
        raise SpecError([Diagnostic("L004", message, loaded.game.name.span, "give both the same name")])
    return loaded


def load_text(content: str, spec_path: Sequence[Path] = ()) -> Loaded:
    """Return a game's text that is in no file, with its includes, which are on the spec path. Raises `SpecError`."""
    written = content.encode("utf-8", "surrogatepass")
    folder = next((place for place in spec_path if os.path.isdir(place)), spec_dir())
    return _loaded(folder / NO_FILE, (decoded(written, NO_FILE), digest(written)), spec_path, "name")


def _loaded(path: Path, text: tuple[Text, str], spec_path: Sequence[Path], name: str) -> Loaded:
    files: list[tuple[str, str]] = []
    decls = _with_includes(path, text, spec_path, (), files)
    games_found = [d for d in decls if isinstance(d, t.Game)]
    if not games_found:
        message = f"`{text[0].name}` has no `game` line"
        advice = f'start it with `game {name} "its title"`'
        raise SpecError([Diagnostic("L004", message, Span(text[0], 0, 0), advice)])
    rules = with_uses(tuple(d for d in decls if not isinstance(d, t.Game)))
    return Loaded(rules, games_found[0], tuple(files))


def _with_includes(
    path: Path,
    read_text: tuple[Text, str],
    spec_path: Sequence[Path],
    chain: tuple[Path, ...],
    files: list[tuple[str, str]],
) -> list[t.Decl]:
    text, file_hash = read_text
    key = (str(path), file_hash)
    if key in files:
        return []  # two texts may include the same third
    files.append(key)
    decls: list[t.Decl] = []
    faults: list[Diagnostic] = []
    own_game: t.Game | None = None
    for decl in _parsed(text).decls:
        if isinstance(decl, t.Include):
            try:
                file = _included(decl, path, spec_path, chain)
                decls.extend(_with_includes(file, read(file), spec_path, (*chain, path), files))
            except SpecError as fault:
                faults.extend(fault.diagnostics)
        elif isinstance(decl, t.Game):
            if own_game is not None:
                advice = "keep one; write variants with `variant`"
                message = "this text has a second `game` line"
                faults.append(Diagnostic("L004", message, decl.name.span, advice))
            elif not chain:
                decls.append(decl)
            own_game = decl
        else:
            decls.append(decl)
    if faults:
        raise SpecError(faults)
    return decls


def _included(decl: t.Include, path: Path, spec_path: Sequence[Path], chain: tuple[Path, ...]) -> Path:
    """Return the file that a line of the text at `path` includes. Raises `SpecError` (L001, L002, S006)."""
    name, span = decl.name.text, decl.name.span
    file = find(name, (path.parent, *spec_path))
    if file is None:
        folders = [place for place in (path.parent, *spec_path, spec_dir()) if os.path.isdir(place)]
        texts = [f.name.removesuffix(ENDING) for folder in folders for f in folder.glob("*" + ENDING)]
        advice = near(name, texts) or "put it beside this file"
        raise SpecError([Diagnostic("L001", f"there is no `{name}{ENDING}` to include", span, advice)])
    including = [p.resolve() for p in (*chain, path)]
    if file.resolve() in including:
        between = [p.name.removesuffix(ENDING) for p in (*chain, path)][including.index(file.resolve()) + 1 :]
        way = f", through {quoted_list(between)}" if between else ""
        advice = "delete one of the `include` lines" if between else "delete this `include`"
        raise SpecError([Diagnostic("L002", f"`{name}` includes itself{way}", span, advice)])
    if len(chain) >= DEEPEST:
        message = f"includes are nested more than {DEEPEST} deep"
        raise SpecError([Diagnostic("S006", message, span, "include them from one text")])
    return file


def _parsed(text: Text) -> t.RuleText:
    """Return the surface tree of a text. Raises `SpecError` with the first fault of each of its parts."""
    tree, faults = parsed_in_parts(text)
    if faults:
        raise SpecError(faults)
    return tree


def parsed_in_parts(text: Text) -> tuple[t.RuleText, tuple[Diagnostic, ...]]:
    """Return the surface tree of a text without the parts that do not follow the grammar, and the first fault of each
    of these, in order.
    """
    try:
        return _in_parts(text)
    except RecursionError:
        advice = "give parts of its longest lines names with `define`"
        return t.RuleText(()), (Diagnostic("S006", f"`{text.name}` is nested too deeply", None, advice),)


@lru_cache(maxsize=8)  # one text serves many rule sets, and an editor
def _in_parts(text: Text) -> tuple[t.RuleText, tuple[Diagnostic, ...]]:
    """Return the tree and the faults of `parsed_in_parts`. Raises RecursionError."""
    faults: list[Diagnostic] = []
    rest = text
    while True:
        try:
            return parse(rest), tuple(sorted(faults, key=_start))
        except SpecError as fault:
            [*others, last] = fault.diagnostics
            faults.extend(_moved(d, text) for d in (*others, last))
            shorter = rest if last.span is None else _without_part(rest, last.span)
            if shorter == rest or last.code == "S006" or len(faults) >= MOST_FAULTS:
                return t.RuleText(()), tuple(sorted(faults, key=_start))
            rest = shorter


def _start(diagnostic: Diagnostic) -> int:
    return 0 if diagnostic.span is None else diagnostic.span.start


def _without_part(text: Text, span: Span) -> Text:
    """Return the text with the faulty part blanked: a line at the left edge and the indented lines under it."""
    content = text.content
    starts = [m.start() for m in re.finditer(r"^[^\s#]", content, flags=re.MULTILINE)]
    start = max((s for s in starts if s <= span.start), default=0)
    end = min((s for s in starts if s > span.start), default=len(content))
    blank = re.sub(r"[^\n]", " ", content[start:end])
    return Text.of(text.name, content[:start] + blank + content[end:])


def _moved(diagnostic: Diagnostic, text: Text) -> Diagnostic:
    """Return the fault with its place in the whole text, of which a part may have been blanked."""
    span = diagnostic.span
    return diagnostic if span is None else replace(diagnostic, span=Span(text, span.start, span.end))
