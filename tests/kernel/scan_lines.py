"""Random lines of traces for the scanner: in order, nearly in order, and spoilt byte by byte.

Input: an instance, lines of recorded games, and a source of randomness. Output: lines without their ends.
Guarantee: the same seed makes the same lines.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Sequence
from typing import Any

from golpae.elaborate.instance import Instance
from golpae.ir.ruleset import Action
from golpae.ir.types import (
    Bag,
    Bool,
    Choice,
    Each,
    Int,
    Meld,
    NoneType,
    Opt,
    Patterns,
    Points,
    Seat,
    Tile,
    Type,
)

_PARTS = [
    b"\0", b"\\u0041", b"\\n", b'\\"', b"\\", b" ", b"  ", b"\t", b"\r", b"\n", b"\x0b", b"\x7f", b"\x1f", b"\xc3\xa9",
    b"\xc3", b"\xa9", b"\xed\xa0\x80", b"\xed\x9f\xbf", b"\xc0\x80", b"\xc1\xbf", b"\xe0\x9f\xbf", b"\xe0\xa0\x80",
    b"\xf0\x8f\xbf\xbf", b"\xf0\x90\x80\x80", b"\xf4\x8f\xbf\xbf", b"\xf4\x90\x80\x80", b"\xf5\x80\x80\x80",
    b"\xef\xbf\xbf", b"\xef\xbb\xbf", b"\xe2\x82", b"\xff", b"\x80", b'"', b"'", b",", b",,", b":", b"{", b"}", b"[",
    b"]", b"0", b"00", b"1", b"9", b"-", b"-0", b".0", b"e1", b"E", b"+", b"null", b"true", b"false", b"NaN", b"//",
    b"12345678901234", b"999999999999999", b"1000000000000000", b"-999999999999999", b"99999999999999999999",
    b',"note":"x"', b',"time":1', b',"note":null', b',"by":0', b'"do":"draw",', b',"golpae":1', b',"x":1', b"{}", b"[]",
    b'""', b'"?"', b'" ', b' "', b"\xe2\x80\xa8",
]  # fmt: skip
_TEXTS = [
    "",
    "x",
    "Bo hesitated",
    "é",
    "한국",
    "😀",
    "\x7f",
    "a" * 40,
    "\u2028",
    '"',
    "\\",
    "\n",
    "\x1f",
    "1234567",
    "/",
]
_PLAIN = ["", "An", "Bo", "Cho", "é", "한국", "😀", "\x7f", "a" * 40, "\u2028", "1234567", "12345678"]
_POOL = 1_000  # lines that are in use at a time
_NEW = 0.05  # the share of lines for which one of these is replaced
_MANY = (0, 1, 1, 1, 1, 1, 2, 3)  # how often a line is spoilt
_DIGIT = re.compile(rb"\d")


class Lines:
    """Makes lines for one instance."""

    def __init__(self, instance: Instance, rules: str, recorded: Sequence[bytes], rng: random.Random) -> None:
        self._instance, self._rules, self._recorded, self._rng = instance, rules, list(recorded), rng
        self._names = list(instance.numbers())
        self._actions = instance.rule_set.actions
        self._pool: list[bytes] = []  # lines that are spoilt in many ways

    def line(self) -> bytes:
        """Return a line, in order or spoilt."""
        rng, pool = self._rng, self._pool
        place = int(rng.random() * _POOL)
        if place >= len(pool):
            pool.append(self._whole())
            place = len(pool) - 1
        elif rng.random() < _NEW:
            pool[place] = self._whole()
        line = pool[place]
        for _ in range(_MANY[int(rng.random() * len(_MANY))]):
            line = _MUTATIONS[int(rng.random() * len(_MUTATIONS))](rng, line)
        return line.replace(b"\n", b"\r") if b"\n" in line else line

    def _whole(self) -> bytes:
        """Return a line that is not spoilt yet."""
        rng = self._rng
        chance = rng.random()
        if self._recorded and chance < 0.3:
            return rng.choice(self._recorded)
        return self.header() if chance > 0.85 else self.event()

    # ------------------------------------------------------------------ in order

    def event(self) -> bytes:
        """Return an event with keys of the right types, or almost."""
        rng = self._rng
        action = rng.choice(self._actions)
        keys: list[tuple[str, Any]] = [("do", action.name)]
        if action.by is not None:
            keys.append(("by", self._seat()))
        for param in action.params:
            if param.optional and rng.random() < 0.5:
                continue
            kind = param.type.item if param.optional and isinstance(param.type, Opt) else param.type
            keys.append((param.name, self._parts(param.parts) if param.parts else self._value(action, kind)))
        return self._written(keys)

    def header(self) -> bytes:
        """Return a header of the instance, or almost."""
        rng, instance = self._rng, self._instance
        players = instance.players + rng.choice((0, 0, 0, 0, 0, 0, 1, -1))
        texts = _TEXTS if rng.random() < 0.2 else _PLAIN
        keys: list[tuple[str, Any]] = [
            ("golpae", rng.choice((1, 1, 1, 1, 1, 1, 2, "1", True))),
            ("rules", rng.choice((self._rules, self._rules, self._rules, self._rules + "+x"))),
            ("players", [rng.choice(texts) for _ in range(players)]),
        ]
        if rng.random() < 0.5:
            keys.append(("stake", rng.choice((1, 2, 5, 0, -1, 10**14, 10**15, 10**16, True, "1"))))
        if rng.random() < 0.5:
            keys.append(("id", rng.choice((*_TEXTS, 7, -3, None, 1.5))))
        options = {k: v for k, v in instance.options.items() if rng.random() < 0.8}
        if options or rng.random() < 0.1:
            keys.append(("options", {k: v + (rng.random() < 0.1) for k, v in options.items()}))
        return self._written(keys)

    def _written(self, keys: list[tuple[str, Any]]) -> bytes:
        rng = self._rng
        if rng.random() < 0.3:
            keys.append(
                (rng.choice(("note", "time")), rng.choice((*_TEXTS, 0, -12, 3.5, None, [], {"a": 1})))
            )
        if rng.random() < 0.02:
            keys.append(rng.choice(keys))
        if rng.random() < 0.02 and len(keys) > 1:
            keys.pop(rng.randrange(len(keys)))
        if rng.random() < 0.3:
            rng.shuffle(keys)
        comma, colon = rng.choice(((",", ":"), (",", ":"), (", ", ": "), (", ", ":"), (",", ": ")))
        plain = rng.random() < 0.9

        def dumped(value: Any) -> str:
            return json.dumps(value, separators=(comma, colon), ensure_ascii=not plain)

        return ("{" + comma.join(f"{dumped(k)}{colon}{dumped(v)}" for k, v in keys) + "}").encode()

    def _seat(self) -> int:
        players = self._instance.players
        return self._rng.randrange(players + (self._rng.random() < 0.05))

    def _tile(self) -> str:
        return self._rng.choice(self._names)

    def _parts(self, parts: Sequence[str]) -> list[str]:
        return [self._tile() for _ in range(len(parts) + self._rng.choice((0, 0, 0, 0, 0, 0, 0, -1, 1)))]

    def _meld(self) -> list[Any]:
        rng = self._rng
        tiles = [self._tile()] * rng.randrange(5) if rng.random() < 0.5 else [self._tile(), self._tile()]
        shapes = [s.name for s in self._instance.rule_set.shapes]
        label = rng.choice((*shapes, "thrown", self._tile(), "x"))
        return rng.choice(([label, *tiles], [label, *tiles], [label, tiles], tiles, [tiles]))

    def _value(self, action: Action, kind: Type) -> Any:
        rng = self._rng
        match kind:
            case Seat():
                return self._seat()
            case Tile():
                return self._tile()
            case Int():
                return rng.choice((0, 1, 7, -1, rng.randrange(-100, 100), rng.randrange(-(10**16), 10**16)))
            case Bool():
                return rng.random() < 0.5
            case Choice(words):
                return rng.choice(words)
            case Opt(item):
                return None if rng.random() < 0.3 else self._value(action, item)
            case Bag(Int()) | Each():
                length = self._instance.players + rng.choice((0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, 1, 6))
                return [self._value(action, kind.item) for _ in range(length)]
            case Bag(item):
                return [self._value(action, item) for _ in range(rng.choice((0, 1, 2, 2, 3, 4, 5, 9, 13)))]
            case Patterns():
                names = [p.name for score in self._instance.rule_set.scores for p in score.patterns]
                chosen = rng.sample(names, min(len(names), rng.choice((0, 1, 2, 3, 5))))
                return {name: rng.randrange(-3, 30) for name in (*chosen, *["x"] * (rng.random() < 0.1))}
            case Meld():
                return self._meld()
            case NoneType() | Points():
                return None


# ---------------------------------------------------------------- spoilt

_Mutation = Callable[[random.Random, bytes], bytes]


def _place(rng: random.Random, line: bytes) -> int:
    return int(rng.random() * (len(line) + 1))


def _part(rng: random.Random) -> bytes:
    return _PARTS[int(rng.random() * len(_PARTS))]


def _flip(rng: random.Random, line: bytes) -> bytes:
    at = _place(rng, line)
    return line[:at] + bytes([byte ^ 1 << rng.randrange(8) for byte in line[at : at + 1]]) + line[at + 1 :]


def _replaced(rng: random.Random, line: bytes) -> bytes:
    at = _place(rng, line)
    return line[:at] + _part(rng) + line[at + (0, 0, 1, 1, 2, 3)[int(rng.random() * 6)] :]


def _any_byte(rng: random.Random, line: bytes) -> bytes:
    at = _place(rng, line)
    return line[:at] + bytes([rng.randrange(256)]) + line[at + rng.randrange(2) :]


def _at_mark(rng: random.Random, line: bytes) -> bytes:
    """Insert something beside a mark of JSON."""
    at = line.find(b'"",:[]}{'[(mark := int(rng.random() * 8)) : mark + 1], _place(rng, line))
    if at < 0:
        return line
    at += rng.random() < 0.5
    return line[:at] + _part(rng) + line[at:]


def _cut(rng: random.Random, line: bytes) -> bytes:
    at = _place(rng, line)
    return line[:at] + line[at + rng.choice((1, 1, 2, 4, 8)) :]


def _doubled(rng: random.Random, line: bytes) -> bytes:
    at, size = _place(rng, line), rng.choice((1, 2, 5, 9))
    return line[: at + size] + line[at:]


def _digits(rng: random.Random, line: bytes) -> bytes:
    found = _DIGIT.search(line, _place(rng, line))
    if not found:
        return line
    at = found.start() + (rng.random() < 0.5)
    return line[:at] + b"%d" % rng.randrange(10 ** rng.choice((1, 1, 2, 15, 16))) + line[at:]


def _moved(rng: random.Random, line: bytes) -> bytes:
    """Swap, double or drop the keys between commas."""
    parts = line[1:-1].split(b',"')
    match rng.randrange(3):
        case 0:
            rng.shuffle(parts)
        case 1:
            parts.append(rng.choice(parts))
        case _:
            parts.pop(rng.randrange(len(parts)))
    return b"{" + b',"'.join(parts) + b"}"


def _escaped(rng: random.Random, line: bytes) -> bytes:
    at = _place(rng, line)
    return line[:at] + b"".join(b"\\u%04x" % byte for byte in line[at : at + 1]) + line[at + 1 :]


def _spaced(rng: random.Random, line: bytes) -> bytes:
    mark = rng.choice((b",", b":", b"[", b"}", b'"'))
    return (
        line.replace(mark, mark + b" ", rng.choice((-1, 1, 2))) if rng.random() < 0.9 else b" " + line + b" "
    )


def _long(rng: random.Random, line: bytes) -> bytes:
    """Make a line as long as the longest that is recognised, or a little longer or shorter."""
    if rng.random() < 0.995:
        return line
    room = 60_000 - len(line) - len(b',"note":""') + rng.randrange(-9, 10)
    return line[:-1] + b',"note":"' + b"n" * room + b'"}'


_MUTATIONS: list[_Mutation] = [
    _flip, _replaced, _replaced, _any_byte, _at_mark, _at_mark, _cut, _doubled, _digits, _moved, _escaped, _spaced,
    _long,
]  # fmt: skip
