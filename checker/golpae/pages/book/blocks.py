"""A rule text as blocks and rows for readers: what it says, in what words, from which rules.

Input: a rule set.
Output: blocks, each with a heading, its rows and the numbers of its rules; and what a switch changes in them.
Guarantee: the code of all rows is what `golpae format` writes. Remarks, messages and numbers stand beside it, and
nothing is left out.

    held: tile in hand "{p} lacks {tile}"  [R2]      ->      a row `held` with code, words and the number R2
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from golpae.elaborate.resolve import Resolved
from golpae.syntax import tree as t
from golpae.syntax.format import format_decl

_IDS = re.compile(r"\s*\[([A-Za-z0-9 ._-]+)\]$")
_BEHIND = re.compile(r'((?:[^"#]|"[^"]*")*?)\s+#(?: (.*))?$')
_WORDS = re.compile(r'\s*"((?:[^"\\]|\\.)*)"$')
_KEY = re.compile(r"(?:pattern|where|requires) [\w-]+|then [\w-]+(?=:(?!=))|then\b|[\w'][\w' -]*(?=:)|\S+")
_NAMES = {
    "deal": "The deal",
    "end": "The end of a hand",
    "finish": "The end of a match",
    "payout": "What is paid",
}
GAME = "game"  # the kind and the path of the block that has the aim
INDENT = "  "
SECTIONS = ("given", "provided")  # lines of a score with rows of their own behind them


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a block: a clause, a zone, a pattern. `words` is what a player reads if it does not hold, with
    expressions in braces: `{p} lacks {tile}`.
    """

    key: str
    code: str
    words: str | None = None
    ids: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Part:
    """A block of the text. `head` is its first line, or all of it if it has no rows; `below`: remarks at its end."""

    path: str
    kind: str
    heading: str
    head: Row
    rows: tuple[Row, ...] = ()
    decl: t.Decl | None = None
    below: tuple[str, ...] = ()


def parts_of(resolved: Resolved) -> list[Part]:
    """Return the blocks of a rule set, in reading order. Blocks of one name, of several texts, are one."""
    parts: dict[str, Part] = {}
    for decl in (resolved.game, *resolved.decls):
        part = _part(decl)
        if part is not None:
            first = parts.get(part.path)
            parts[part.path] = part if first is None else _together(first, part)
    return [*parts.values()]


def _together(first: Part, second: Part) -> Part:
    """Return two blocks of one name as one; what stands above the second stands above its first row."""
    rows, head = second.rows, second.head
    if rows:
        rows = (replace(rows[0], remarks=(*first.below, *head.remarks, *rows[0].remarks)), *rows[1:])
    ids = tuple(dict.fromkeys((*first.head.ids, *head.ids)))
    return replace(first, head=replace(first.head, ids=ids), rows=(*first.rows, *rows), below=second.below)


def _part(decl: t.Decl) -> Part | None:
    kind, name, heading, has_rows = _about(decl)
    if not kind:
        return None
    lines = format_decl(decl).rstrip("\n").split("\n")
    remarks = []
    while lines and lines[0].startswith("#"):
        remarks.append(lines.pop(0)[2:])
    if not has_rows:
        return Part(f"{kind} {name}".strip(), kind, heading, _row(lines, tuple(remarks), True), (), decl)
    rows, below = _rows(lines[1:], isinstance(decl, t.Action | t.Score))
    head = _row(lines[:1], tuple(remarks), True)
    return Part(f"{kind} {name}".strip(), kind, heading, head, rows, decl, below)


def _about(decl: t.Decl) -> tuple[str, str, str, bool]:
    """Return the kind of a block, its name, its heading, and whether it has rows; no kind: it is not shown so."""
    match decl:
        case t.Game():
            return GAME, "", "The game", True
        case t.Players():
            return "players", "", "Players", False
        case t.Option(name=name):
            return "option", name.text, _heading(name.text), False
        case t.Order(name=name):
            return "order", name.text, _heading(name.text), False
        case t.RowSlice(name=name):
            return "part", name.text, _heading(name.text), False
        case t.Kind(name=name):
            return "kind", name.text, _heading(name.text), False
        case t.Tiles():
            return "tiles", "", "The tiles", True
        case t.Zones():
            return "zones", "", "Where tiles lie", True
        case t.State():
            return "state", _first_line(decl).removeprefix("state of the "), _heading(_first_line(decl)), True
        case t.Define(name=name, cases=cases):
            return "define", name.text, _heading(name.text), cases
        case t.Group(kind=kind, name=name):
            return kind, name.text, _heading(name.text), True
        case t.Shape(name=name) | t.Arrangement(name=name):
            return (
                ("shape" if isinstance(decl, t.Shape) else "arrangement"),
                name.text,
                _heading(name.text),
                False,
            )
        case t.Score(name=name, title=title):
            return "score", name.text, _heading(title or name.text), True
        case t.Action(kind=kind, name=name, title=title):
            return kind, name.text, _NAMES.get(kind) or _heading(title or name.text), True
        case t.Property(name=name, kind=kind):
            return "property", name.text, _heading(name.text), False
        case t.Include() | t.Source() | t.Delta() | t.Reword() | t.Variant():
            return "", "", "", False
        case _:
            assert_never(decl)


def _first_line(decl: t.Decl) -> str:
    lines = (line for line in format_decl(decl).split("\n") if not line.startswith("#"))
    return _IDS.sub("", next(lines)).strip()


def _heading(name: str) -> str:
    words = name.replace("-", " ") if " " not in name else name
    return words[:1].upper() + words[1:]


def _rows(lines: Sequence[str], says: bool) -> tuple[tuple[Row, ...], tuple[str, ...]]:
    """Return the rows of a block, and the remarks at its end.

    Lines that are further in belong to the row before, remarks to the one behind; those at the end of a section
    belong to its last row.
    """
    seen: Counter[str] = Counter()
    rows: list[Row] = []
    remarks: list[str] = []
    held: list[str] = []
    section = ""
    for given in [*lines, INDENT]:
        is_inner = given.startswith(INDENT * 2)
        line = given[len(INDENT) :] if section and is_inner else given
        if held and not line.startswith(INDENT * 2):
            row = _row(held, tuple(remarks), False, says)
            rows.append(_numbered(replace(row, key=f"{section} {row.key}".strip()), seen))
            held, remarks = [], []
        if not is_inner:
            if section and remarks:
                rows[-1] = replace(rows[-1], remarks=(*rows[-1].remarks, *remarks))
                remarks = []
            section = ""
        if line.startswith(f"{INDENT}#"):
            remarks.append(line.strip()[2:])
        elif line.strip():
            held.append(line)
        if given.strip().partition("  #")[0] in SECTIONS and not section:
            rows.append(_numbered(_row(held, tuple(remarks), False, says), seen))
            held, remarks, section = [], [], rows[-1].key
    return tuple(rows), tuple(remarks)


def _numbered(row: Row, seen: Counter[str]) -> Row:
    """Return a row with a name of its own: of several `then`, each has a number."""
    seen[row.key] += 1
    number = seen[row.key]
    return row if number == 1 else replace(row, key=f"{row.key} {number}")


def _row(lines: Sequence[str], remarks: tuple[str, ...], whole: bool, says: bool = True) -> Row:
    ids: list[str] = []
    behind: list[str] = []
    code = []
    for given in lines:
        line = given
        if found := _BEHIND.match(line):
            behind.append(found[2] or "")
            line = found[1]
        if found := _IDS.search(line):
            ids += found[1].split()
            line = line[: found.start()]
        if line.strip():
            code.append(line[len(INDENT) :] if not whole else line)
    text = "\n".join(code).rstrip()
    words = None
    if says and (found := _WORDS.search(text)):
        words, text = found[1], text[: found.start()].rstrip()
    match = _KEY.match(text)
    return Row(match[0] if match else text, text, words, tuple(ids), (*remarks, *behind))


# ---------------------------------------------------------------- what a switch changes


@dataclass(frozen=True, slots=True)
class Change:
    """A row, or the head of a block (`row` is ""), that a switch adds, drops or replaces; `new` is what it is then.

    `after` is what an added row or block stands behind, in the rule set without the switch; "" if it is the first.
    """

    switch: str
    kind: str
    path: str
    row: str
    new: Row | Part | None
    after: str = ""


def changes(switch: str, base: Sequence[Part], other: Sequence[Part]) -> Iterator[Change]:
    """Yield what is otherwise in the blocks of a rule set with a switch."""
    now, was = {part.path: part for part in other}, {part.path: part for part in base}
    for part in base:
        if part.path not in now:
            yield Change(switch, "drop", part.path, "", None)
        else:
            yield from _within(switch, part, now[part.path])
    last = ""
    for part in other:
        if part.path not in was:
            yield Change(switch, "add", part.path, "", part, last)
        else:
            last = part.path


def _within(switch: str, part: Part, other: Part) -> Iterator[Change]:
    if part.head.code != other.head.code or part.head.words != other.head.words:
        yield Change(switch, "replace", part.path, "", other.head)
    now, was = {row.key: row for row in other.rows}, {row.key: row for row in part.rows}
    for row in part.rows:
        if row.key not in now:
            yield Change(switch, "drop", part.path, row.key, None)
        elif (now[row.key].code, now[row.key].words) != (row.code, row.words):
            yield Change(switch, "replace", part.path, row.key, now[row.key])
    last = ""
    for row in other.rows:
        if row.key not in was:
            yield Change(switch, "add", part.path, row.key, row, last)
        else:
            last = row.key
