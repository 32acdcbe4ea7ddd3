"""What is wrong with a line of a trace that cannot be read as an event, in golpae's words.

Written by `golpae build`, for you to use and change as you like. It needs nothing but Python.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from typing import Any

ALWAYS = ("do", "note", "time")  # keys that every line may have
NEEDED = ("golpae", "rules", "players")  # keys of a header
HEADER = (*NEEDED, "id", "stake", "options", "note", "time")
LOOKED_AT = 20  # keys of a line that are compared with those of a header
NO_OBJECT = "this line must be a JSON object"
QUOTED = 60  # characters of a text that a message quotes
EMOJI = "[\u2190-\u21ff\u2300-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff]"  # pictures and signs, no letters
JOINING = re.compile(rf"(?:(?<={EMOJI})|(?<={EMOJI}\ufe0f))\u200d(?={EMOJI})")
COMPARED = 500  # names that a wrong one is compared with


def is_header(line: Any) -> bool:
    """Return whether a line starts a game: it has `golpae`, or lacks `do` and has that key misspelt, or `rules`
    and `players`, as they are or misspelt.
    """
    if not isinstance(line, dict) or "do" in line:
        return isinstance(line, dict) and "golpae" in line
    if "golpae" in line or written_for("golpae", line) is not None:
        return True
    return all(key in line or written_for(key, line) is not None for key in ("rules", "players"))


def written_for(key: str, line: dict[str, Any]) -> str | None:
    """Return the key of a line that is near to a key of headers, and none of these itself."""
    first = (written for written in [*line][:LOOKED_AT] if written not in HEADER)
    return next((written for written in first if near(written[:40].strip().lower(), [key])), None)


class Lines:
    """The lines that a module can read, from its templates."""

    def __init__(self, templates: dict[str, Any]) -> None:
        self.game, self.players, self.labels = templates["game"], templates["players"], templates["labels"]
        self.rules, self.options = templates["rules"], templates["options"]
        self.usual_options = templates["usual_options"]
        self.actions = {action["name"]: action for action in templates["actions"]}
        self.tiles = [name for kind in templates["tiles"] for name in (kind["name"], *kind["also"])]

    def fault(self, line: Any) -> str | None:
        """Return the fault of a line, or None."""
        if not isinstance(line, dict):
            return NO_OBJECT
        if "do" not in line:
            return "this line lacks the key `do`"
        do = line["do"]
        if not isinstance(do, str):
            return "`do` must be the name of an action, in quotes"
        if do not in self.actions:
            return f"`{self.game}` has no action {quoted(do)}{near(do, self.actions)}"
        types = {"by": "seat"} if self.actions[do]["by"] else {}
        types |= {key["name"]: key["type"] for key in self.actions[do]["keys"]}
        optional = [key["name"] for key in self.actions[do]["keys"] if key["optional"]]
        required = [name for name in types if name not in optional]
        for name in required:
            if name not in line:
                return f"`{do}` lacks the key `{name}`{_meant_for(name, line, [*types, *ALWAYS])}"
        for name in line:
            if name not in (*types, *ALWAYS):
                return f"unknown key {quoted(name)} in `{do}`{near(name, [*required, *optional, *ALWAYS])}"
        faults = (self._value(name, line[name], kind) for name, kind in types.items() if name in line)
        return next(filter(None, faults), None)

    def header_fault(self, line: Any) -> str | None:
        """Return the fault of a header, or None. It may be that of another table."""
        if not isinstance(line, dict):
            return NO_OBJECT
        if "golpae" not in line:
            written = written_for("golpae", line)
            meant = (
                f"did you mean `golpae` for {quoted(written)}?"
                if written
                else 'a header begins with `{"golpae":1,`'
            )
            return f"this line looks like a header without the key `golpae`; {meant}"
        if type(line.get("golpae")) is not int:
            return f"`golpae` must be the whole number 1, not {shown(line.get('golpae'))}"
        if line["golpae"] != 1:
            return f"trace format {shown(line['golpae'])} is unknown: golpae reads format 1"
        for key in line:
            if key not in HEADER:
                return f"unknown key {quoted(key)} in the header{near(key, HEADER)}"
        for key in NEEDED:
            if key not in line:
                return f"the header lacks the key `{key}`"
        rules, players, stake, options = (
            line["rules"],
            line["players"],
            line.get("stake", 1),
            line.get("options", {}),
        )
        if not isinstance(rules, str):
            return f"`rules` must be a text such as `base+variant`, not {shown(rules)}"
        if not isinstance(players, list):
            return f"`players` must be a list of names, not {shown(players)}"
        if not players:
            return "`players` is empty"
        for seat, player in enumerate(players):
            if not isinstance(player, str):
                return f"`players` must be a list of names, but seat {seat} is {shown(player)}"
        if type(stake) is not int or stake < 1:
            return f"`stake` must be a whole number above 0, not {shown(stake)}"
        if not isinstance(options, dict):
            return f'`options` must be an object such as `{{"name":1}}`, not {shown(options)}'
        for option, value in options.items():
            if type(value) is not int:
                return f"option {quoted(option)} must be a whole number, not {shown(value)}"
        given = line.get("id", "")
        if not isinstance(given, str) and type(given) is not int:
            return f"`id` must be a text or a whole number, not {shown(given)}"
        return None

    def is_here(self, header: dict[str, Any]) -> bool:
        """Return whether a header without a fault is that of a game with these rules at this table."""
        options = {**self.usual_options, **header.get("options", {})}
        here: bool = header["rules"] == self.rules and len(header["players"]) == self.players
        return here and options == self.options

    def _value(self, key: str, value: Any, kind: Any) -> str | None:
        """Return why the value of a key is not one of its type, or None."""
        match kind:
            case {"or none": item}:
                return None if value is None else self._value(key, value, item)
            case {"word": words}:
                fits, wanted = value in words, f"one of {', '.join(words)}"
            case "number":
                fits, wanted = type(value) is int, "a whole number"
            case "truth":
                fits, wanted = type(value) is bool, "true or false"
            case "patterns":
                fits = isinstance(value, dict) and all(type(points) is int for points in value.values())
                wanted = 'an object such as `{"name":1}`'
            case "seat":
                wanted = f"a seat from 0 to {self.players - 1}"
                fits = type(value) is int and 0 <= value < self.players
                if type(value) is int and not fits:
                    return f"there is no seat {shown(value)}: `{key}` must be {wanted}"
            case "tile":
                fits, wanted = value in self.tiles, "a tile"
                if value == "?":
                    return "unknown tiles (`?`) cannot be checked yet"
                if isinstance(value, str) and not fits:
                    return f"there is no tile {quoted(value)}{near(value, self.tiles)}"
            case {"list": item} | {"each": item}:
                fits, wanted = isinstance(value, list), "a list"
                for one in value if fits else ():
                    if isinstance(item, dict) and not isinstance(one, list):
                        return f"`{key}` must be a list of lists, but it contains {shown(one)}"
                    if fault := self._value(key, one, item):
                        return fault
            case _:
                return self._meld(key, value)
        return None if fits else f"`{key}` must be {wanted}, not {shown(value)}"

    def _meld(self, key: str, value: Any) -> str | None:
        """Return why a value is not a meld `[label, tile, ...]`, `[label, [tile, ...]]` or `[tile, ...]`, or None."""
        if not isinstance(value, list) or not value or not isinstance(value[0], str) or value in self._bare:
            return f"`{key}` must hold melds such as `[shape, tile]`, not {shown(value)}"
        if value[0] not in self.labels and value[0] not in self.tiles:
            return f"there is no shape {quoted(value[0])}{near(value[0], self.labels)}"
        tiles = value[1:] if value[0] in self.labels else value
        if value[0] in self.labels and len(tiles) == 1 and isinstance(tiles[0], list):
            tiles = tiles[0]
        return self._value(key, tiles, {"list": "tile"})

    @property
    def _bare(self) -> list[list[str]]:
        return [[label] for label in self.labels]


def _meant_for(name: str, line: Iterable[str], known: list[str]) -> str:
    """Return the unknown key of a line that may be meant for one that is missing."""
    written = next((key for key in line if key not in known and near(key, [name])), None)
    return "" if written is None else f"; did you write {quoted(written)} for `{name}`?"


def near(word: str, words: Iterable[str]) -> str:
    """Return advice that names the one of some words nearest to another; nothing if none is near."""
    known = sorted({*words})
    nearest = [other for other in known if other.lower() == word.lower()]
    if len(known) > COMPARED:
        known = [other for other in known if other[:1] == word[:1] and abs(len(other) - len(word)) < 3]
    nearest = nearest or get_close_matches(word, known[:COMPARED], n=1, cutoff=0.65)
    return f"; did you mean `{nearest[0]}`?" if nearest else ""


def with_hidden(text: str, written: Callable[[str], str]) -> str:
    """Return a text with each character that is not shown as `written` gives it. A joiner between emoji is shown."""
    joins = {result.start() for result in JOINING.finditer(text)}
    return "".join(c if c.isprintable() or at in joins else written(c) for at, c in enumerate(text))


def quoted(text: str) -> str:
    """Return a text in backticks, cut, without characters that cannot be printed."""
    cut = with_hidden(text[:QUOTED], lambda c: c.encode("unicode_escape").decode())
    return f"`{cut.replace('`', chr(39))}{'…' if len(text) > QUOTED else ''}`"


def shown(value: Any) -> str:
    """Return a value as a trace writes it, in backticks."""
    return quoted(json.dumps(value, ensure_ascii=False, default=repr))
