"""A test for an adapter of one's own: what every adapter of logs guarantees.

Input: an adapter, and logs that it reads. Output: nothing; `AdapterFault` says what does not hold, and of which log.
Guarantee: the same spoilt logs for the same seed.

    def test_our_score_sheets() -> None:
        check_adapter(ScoreSheet(), [Path("evening.sheet").read_bytes()])
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO
from typing import BinaryIO, cast

from golpae.logs.adapter import Adapter, Log, LogFault
from golpae.trace import lines, read_header
from golpae.trace.log_text import Reading, Recorded

NAME = "log"  # of the file that an adapter is told of
MOST_OTHERS = 20  # ways to read a game that are looked at


class AdapterFault(AssertionError):
    """What an adapter does not guarantee."""


def check_adapter(adapter: Adapter, logs: Iterable[bytes], *, spoilt: int = 200, seed: int = 1) -> None:
    """Check an adapter on logs that it reads, and on so many spoilt ones of each. Raises `AdapterFault` if

    - a log has no game, or is read in two ways in two readings;
    - a game is no trace: a header, then events, as docs/traces.md says;
    - a place is not within the log;
    - a log has a fault, or a spoilt one is met with anything but a `LogFault` or `Game.spoil`;
    - what it writes (`Adapter.written`) it does not read as the same games.
    """
    random_numbers = random.Random(seed)
    for number, log in enumerate(logs, 1):
        which = f"log {number}"
        games = _games(adapter, log, which)
        if not games:
            raise AdapterFault(f"{which}: there is no game in it")
        if games != _games(adapter, log, which):
            raise AdapterFault(f"{which}: it is read in two ways in two readings")
        for reading in _readings(adapter, log):
            if reading.fault is not None:
                raise AdapterFault(f"{which}: it has a fault, {reading.fault!r}, {reading.places[-1]}")
            _check_reading(reading, log, which)
        _check_written(adapter, games, which)
        for _ in range(spoilt):
            broken = _spoil(log, random_numbers)
            _games(adapter, broken, f"{which}, spoilt to {broken[:60]!r}...")


def _games(adapter: Adapter, log: bytes, which: str) -> list[bytes]:
    """Return the games of a log, read in the first way."""
    texts: list[bytes] = []
    try:
        for game in adapter.games(Log(log, NAME)):
            own = game.reading()
            texts.append((own.first if isinstance(own, Recorded) else own).text)
    except LogFault:
        pass
    except Exception as fault:
        raise AdapterFault(f"{which}: the adapter raises {type(fault).__name__}: {fault}") from fault
    return texts


def _readings(adapter: Adapter, log: bytes) -> Iterator[Reading]:
    for game in adapter.text(cast("BinaryIO", BytesIO(log)), NAME).games:
        yield game.first
        if game.others is not None:
            for _, other in zip(range(MOST_OTHERS), game.others(), strict=False):
                yield other


def _check_reading(reading: Reading, log: bytes, which: str) -> None:
    log_lines = log.decode("utf-8", "replace").split("\n")
    for place in reading.places:
        if not 1 <= place.line <= len(log_lines):
            raise AdapterFault(f"{which}: {place} is not in it: it has {len(log_lines)} lines")
        if place.column is not None and not 1 <= place.column <= len(log_lines[place.line - 1]) + 1:
            raise AdapterFault(
                f"{which}: {place} is not in it: that line has {len(log_lines[place.line - 1])} columns"
            )
    for number, line, fault in lines(cast("BinaryIO", BytesIO(reading.text))):
        if fault is not None or line is None:
            raise AdapterFault(f"{which}: line {number} of a game is no line of a trace: {fault}")
        if number == 1:
            header = read_header(line)
            if isinstance(header, str):
                raise AdapterFault(f"{which}: the header of a game has a fault: {header}")
        elif not isinstance(line.get("do"), str):
            raise AdapterFault(f"{which}: line {number} of a game is no event: {line}")


def _check_written(adapter: Adapter, games: Sequence[bytes], which: str) -> None:
    own = adapter.written([[json.loads(line) for line in game.splitlines()] for game in games])
    if own is not None and _games(adapter, own, f"{which}, written again") != list(games):
        raise AdapterFault(f"{which}: what the adapter writes of its games, it does not read as these")


def _spoil(log: bytes, numbers: random.Random) -> bytes:
    """Return a log that is cut short, has a part left out, doubled or put elsewhere, or other bytes."""
    first, second = sorted(numbers.randrange(len(log) + 1) for _ in range(2))
    part = log[first:second]
    match numbers.randrange(6):
        case 0:
            return log[:first]
        case 1:
            return log[:first] + log[second:]
        case 2:
            return log[:first] + part[: 1 << 12] + log[first:]
        case 3:
            return log[:first] + bytes(numbers.randrange(256) for _ in range(8)) + log[first:]
        case 4:
            at = numbers.randrange(len(log) + 1)
            return log[:at] + bytes([numbers.choice(b'0123456789"<>[]{},|:-')]) + log[at + 1 :]
        case _:
            words = log.split(b",")
            numbers.shuffle(words)
            return b",".join(words)
