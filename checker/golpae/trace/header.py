"""The header of a trace, read without the rules of its game.

Input: the JSON object of a header line. Output: a `Header`, or the fault in words. Guarantee: a `Header` has
values of the right types; the caller checks that the rules exist and allow these players and options.

    {"golpae":1,"rules":"game+variant","players":["An","Bo"]}
    Header(rules="game+variant", base="game", variants=("variant",), players=("An", "Bo"),
           stake=1, options={}, id=None)
"""

import re
from collections.abc import Mapping
from itertools import islice

from golpae.records import dataclass
from golpae.trace.quote import quoted

VERSION = 1

NO_HEADER = 'there is an event before any header; a header begins with `{"golpae":1,`'
"""The fault of a line before the first header."""

_NEEDED = ("golpae", "rules", "players")
_KEYS = frozenset((*_NEEDED, "id", "stake", "options", "note", "time"))
_LOOKED_AT = 20
"""Keys of a line that are compared with those of a header; a line can have very many."""
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_LONGEST_RULES = 1000
_USUAL_NAMES = ("An", "Bo", "Cy", "Di", "Ed", "Fay", "Gil", "Hal")


@dataclass(frozen=True, slots=True)
class Header:
    """A header: the rules, the players, the stake."""

    rules: str
    """The rule set as written: `base+variant+...`."""
    base: str
    variants: tuple[str, ...]
    """In the order written; none twice."""
    players: tuple[str, ...]
    """Seat 0 first; at least one."""
    stake: int
    options: Mapping[str, int]
    id: str | int | None


def is_header(line: Mapping[str, object]) -> bool:
    """Return whether this line starts a trace: it has `golpae`, or is a header with misspelt keys.

    Such a line lacks `do` and has `golpae` misspelt, or `rules` and `players`, however spelt.
    """
    if "golpae" in line or "do" in line:
        return "golpae" in line
    if _written_for("golpae", line) is not None:
        return True
    return all(key in line or _written_for(key, line) is not None for key in ("rules", "players"))


def may_be_header(line: bytes) -> bool:
    """Return whether `is_header` may hold for a line, without reading it: quick, and never wrong about "no"."""
    if b"golpae" in line or b"\\" in line:
        return True
    # INVARIANT: without escapes and objects within, these bytes are a key of the line; `"do"` alone may be a name.
    return not (line.startswith(b'{"do":') or (b'"do":' in line and line.count(b"{") == 1))


def identity(line: Mapping[str, object]) -> tuple[str | int | None, str | None]:
    """Return the `id` and the `rules` of a header that may have faults; None for one that is missing or unfit.

    With these, the report on a malformed trace can still name it.
    """
    name, rules = line.get("id"), line.get("rules")
    return (
        name if isinstance(name, str) or type(name) is int else None,
        rules if isinstance(rules, str) else None,
    )


def read_header(line: Mapping[str, object]) -> Header | str:
    """Return the header on a line, or its fault in words."""
    version = line.get("golpae")
    if version is None and "golpae" not in line:
        return f"this line looks like a header without the key `golpae`{_meant(line)}"
    if type(version) is not int:
        return f"`golpae` must be the whole number {VERSION}, not {_shown(version)}"
    if version != VERSION:
        return f"trace format {_shown(version)} is unknown: golpae reads format {VERSION}"
    for key in line:
        if key not in _KEYS:
            return f"unknown key {quoted(key)} in the header{_near(key)}"
    for key in _NEEDED:
        if key not in line:
            return f"the header lacks the key `{key}`"

    rules = line["rules"]
    if not isinstance(rules, str):
        return f"`rules` must be a text such as `base+variant`, not {_shown(rules)}"
    if len(rules) > _LONGEST_RULES:
        return f"`rules` is longer than {_LONGEST_RULES} characters: {quoted(rules)}"
    base, *variants = rules.split("+")
    if not all(name.strip() for name in (base, *variants)):
        return f"`rules` has an empty name: {quoted(rules)}"
    for name in (base, *variants):
        if not _NAME.fullmatch(name):  # so no name leads to a file in another folder
            return f"`rules` contains {quoted(name)}, which is not a name: use the letters a to z, digits, `-` and `_`"
    for place, variant in enumerate(variants):
        if variant in variants[:place]:
            return f"`rules` names the variant {quoted(variant)} twice"

    players = line["players"]
    if not isinstance(players, list):
        return f"`players` must be a list of names, not {_shown(players)}"
    if not players:
        return "`players` is empty"
    for seat, player in enumerate(players):
        if not isinstance(player, str):
            return f"`players` must be a list of names, but seat {seat} is {_shown(player)}"

    stake = line.get("stake", 1)
    if type(stake) is not int or stake < 1:
        return f"`stake` must be a whole number above 0, not {_shown(stake)}"

    options = line.get("options", {})
    if not isinstance(options, dict):
        return f'`options` must be an object such as `{{"name":1}}`, not {_shown(options)}'
    for option, value in options.items():
        if type(value) is not int:
            return f"option {quoted(option)} must be a whole number, not {_shown(value)}"

    given = line.get("id")
    if "id" in line and not isinstance(given, str) and type(given) is not int:
        return f"`id` must be a text or a whole number, not {_shown(given)}"

    ident, _ = identity(line)
    return Header(rules, base, tuple(variants), tuple(players), stake, options, ident)


def usual_names(players: int) -> list[str]:
    """Return names for players who have none, seat by seat."""
    more = (f"P{seat}" for seat in range(len(_USUAL_NAMES), players))
    return [*_USUAL_NAMES[:players], *more]


def _shown(value: object) -> str:
    """Return a JSON value as a trace writes it."""
    import msgspec

    return quoted(msgspec.json.encode(value).decode())


def _meant(line: Mapping[str, object]) -> str:
    """Return advice on the key that a line has in place of `golpae`."""
    written = _written_for("golpae", line)
    if written is None:
        return '; a header begins with `{"golpae":1,`'
    return f"; did you mean `golpae` for {quoted(written)}?"


def _written_for(key: str, line: Mapping[str, object]) -> str | None:
    """Return the key of a line that is near to a key of headers, and none of these itself."""
    from golpae.diagnostics import near

    for written in islice(line, _LOOKED_AT):
        if written not in _KEYS and near(written[:40].strip().lower(), [key]):
            return written
    return None


def _near(key: str) -> str:
    from golpae.diagnostics import near

    advice = near(key[:40], _KEYS)
    return f"; {advice}" if advice else ""
