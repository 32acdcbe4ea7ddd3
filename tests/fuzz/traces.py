"""Random changes of recorded games, as lines and as bytes.

Input: recorded games and a source of chance. Output: files of three traces, of which the middle one is spoilt.
Guarantee: the same chance gives the same file. The spoilt trace still begins with a header that can be read, so the
contract leaves the traces beside it alone.
"""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Sequence
from functools import cache
from typing import Any

import zstandard

from tests.committed import TOP
from tests.replay.shared import judged

WORDS: tuple[Any, ...] = (
    None, True, -1, 0, 7, 10**40, 0.5, 1e308, "", "6-6", "6-7", "?", "\x1b[31m", "\u202e", "\ud800", "a" * 5_000,
    [], [[]], [None], ["6-6"] * 99, {}, {"a": {}}, [[["6-6"]]], "__proto__", "golpae", "../../etc/passwd",
)  # fmt: skip
LINES = (
    b"", b" ", b"\t\r", b"null", b"[]", b'"', b"{", b"}{", b'{"do":"end"', b"\xff\xfe", b"\x00", b"[" * 500, b"{}",
    b'{"do":"end","do":"end"}', b'{"do":"finish"}', b'{"\\u0000":1}', b"9" * 3_000, b'{"do":' + b" " * 2_000 + b"1}",
    b"\xef\xbb\xbf{}", b"\x1f\x8b\x08\x00", b"\x28\xb5\x2f\xfd",
)  # fmt: skip

Trace = list[dict[str, Any]]


@cache
def recorded() -> tuple[Trace, ...]:
    """Return the recorded games that consist of JSON objects, and begin with a header."""
    found: list[Trace] = []
    for path in sorted((TOP / "traces").rglob("*.jsonl")):
        if "malformed" not in path.name:
            for line in path.read_text("utf-8").splitlines():
                try:
                    event = json.loads(line)
                except ValueError:
                    event = None
                if not isinstance(event, dict):
                    continue
                if "golpae" in event:
                    found.append([])
                if found:
                    found[-1].append(event)
    return tuple(found)


def some(chance: random.Random) -> Sequence[Trace]:
    """Return traces that stand near one another: they are played under a few rule sets."""
    at = chance.randrange(len(recorded()))
    return [trace for trace in recorded()[at : at + 12] if len(trace) < 60] or recorded()[at : at + 1]


@cache
def finished() -> tuple[Trace, ...]:
    """Return the games whose recorded verdict is legal: no fault of another trace may change that."""
    short = [trace for trace in recorded() if len(trace) < 25 and trace[-1].get("do") in ("end", "finish")]
    by_length = sorted(short, key=len)
    return tuple(trace for trace in by_length[::20] if judged(trace).outcome.verdict.value == "legal")


def quick(games: Sequence[Trace]) -> list[Trace]:
    """Return short games of one rule set: those near these games, if any of them are finished."""
    rules = {game[0].get("rules") for game in games}
    near = [trace for trace in finished() if trace[0].get("rules") in rules]
    return sorted(near or finished()[:1], key=len)[:4]


def encoded(trace: Trace) -> list[bytes]:
    return [json.dumps(event).encode() for event in trace]


def spoilt(games: Sequence[Trace], chance: random.Random) -> list[bytes]:
    """Return the lines of one of some traces, with changes; the first one is still a header."""
    trace = [dict(event) for event in chance.choice(games)]
    for _ in range(chance.choice((1, 1, 2, 3, 8))):
        at = chance.randrange(len(trace))
        match chance.randrange(8):
            case 0 if at:
                del trace[at]
            case 1:
                trace.insert(max(1, at), dict(trace[-1]) if len(trace) > 1 else {"do": "end"})
            case 2 if len(trace) > 2:
                other = chance.randrange(1, len(trace))
                at = max(1, at)
                trace[at], trace[other] = trace[other], trace[at]
            case 3:
                trace[at][chance.choice([*trace[at], "note", "x", "by"])] = chance.choice(WORDS)
            case 4:
                trace[at].pop(chance.choice([k for k in trace[at] if k != "golpae"] or ["none"]), None)
            case 5:
                donor = chance.choice(chance.choice(games))
                trace.insert(max(1, at), {k: v for k, v in donor.items() if k not in ("golpae", "players")})
            case 6:
                trace[at] = {k: _changed(v, chance) if k != "golpae" else v for k, v in trace[at].items()}
            case _:
                pass
    lines = encoded(trace)
    for _ in range(chance.choice((0, 0, 1, 2))):
        lines.insert(chance.randrange(1, len(lines) + 1), chance.choice(LINES))
    if chance.random() < 0.3:
        at = chance.randrange(len(lines))
        if at:
            line = bytearray(lines[at])
            for _ in range(chance.randrange(1, 4)):
                if line:
                    line[chance.randrange(len(line))] = chance.choice(b'\x00"{}[],:\\9a\xff\x7f -')
            lines[at] = bytes(line).replace(b"\n", b" ").replace(b'"golpae"', b'"golpa"')
    return lines


def _changed(value: Any, chance: random.Random) -> Any:
    if isinstance(value, list) and value and chance.random() < 0.8:
        at = chance.randrange(len(value))
        return [*value[:at], _changed(value[at], chance), *value[at + 1 :]]
    return chance.choice(WORDS) if chance.random() < 0.4 else value


def packed(content: bytes, chance: random.Random) -> tuple[bytes, bool]:
    """Return the content of a file, perhaps as an archive, and whether it can still be read to its end."""
    match chance.randrange(10):
        case 0:
            return gzip.compress(content, 1, mtime=0), True
        case 1:
            return zstandard.compress(content, 1), True
        case 2:
            half = content.find(b"\n", len(content) // 2) + 1
            return gzip.compress(content[:half], 1, mtime=0) + gzip.compress(content[half:], 1, mtime=0), True
        case 3:
            archive = chance.choice((lambda c: gzip.compress(c, 1, mtime=0), zstandard.compress))(content)
            cut = bytearray(archive[: chance.randrange(1, len(archive) + 1)])
            if chance.random() < 0.5:
                cut[chance.randrange(len(cut))] ^= 1 << chance.randrange(8)
            return bytes(cut), False
        case _:
            return content, True
