"""A small game for the tests of the command line, its traces, and ways to run golpae on them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SWITCHES = range(7)
PUT = """\
game put "Put"

players 2 to 3

option dealt: 1 to 3, normally 2

tiles 12 of 6 kinds
  plain: two of each 1-1 2-2 3-3 4-4 5-5 6-6
  written: "{high}-{low}"

zones
  pile: tiles seen by nobody, holds the set
  table: tiles seen by everyone
  each player's hand: tiles seen by its owner

state of the hand
  mover: seat

deal from pile
  hands: dealt for everyone
  then mover := first

action put(tile) by p "put a tile down"
  turn: p = mover "it is not {p}'s turn"
  held: tile in p's hand "{p} does not hold {tile}"
  then move tile from p's hand to table
  then mover := p's right
  then when p's hand is empty: p wins

end
  due: over "the hand is not over"

payout
  won: when winner is not none: for each q in players - winner: q pays winner price

"""
# Each switch changes the payment, so that a game shows which rules it was checked by.
PUT += f"define price: stake + {' + '.join(f'{2**i} * bit{i}' for i in SWITCHES)}\n"
PUT += "".join(f"define bit{i}: 0\n" for i in SWITCHES)
PUT += "".join(f'\nvariant plus{i} "{2**i} more"\n  replace bit{i}: 1\n' for i in SWITCHES)

# The same, and the last tile may be shown: it wins, and is scored.
SCORED = PUT.replace(
    "\nend\n",
    """
shape one(a): yes
arrangement single: 1 one

score worth
  given
    held: tiles
  hand: held
  as: single
  total: sum
  pattern plain 1: yes
  pattern high 2: 6-6 in held

action show by p "show the hand"
  one: size of p's hand = 1 "{p} has more than one tile"
  worth: (worth(held: p's hand) otherwise 0) > 0 "nothing"
  then p wins

end
""",
    1,
)

HEADER: dict[str, Any] = {"golpae": 1, "rules": "put", "players": ["An", "Bo"]}
EVENTS: tuple[dict[str, Any], ...] = (
    {"do": "deal", "first": 0, "hands": [["1-1", "2-2"], ["3-3", "4-4"]]},
    {"do": "put", "by": 0, "tile": "1-1"},
    {"do": "put", "by": 1, "tile": "3-3"},
    {"do": "put", "by": 0, "tile": "2-2"},
    {"do": "end", "winner": 0, "pay": [1, -1]},
)
LEGAL = (HEADER, *EVENTS)
INCOMPLETE = LEGAL[:4]
ILLEGAL = (*LEGAL[:2], {"do": "put", "by": 1, "tile": "3-3"}, *LEGAL[3:])
MALFORMED = (*LEGAL[:2], {"do": "put", "by": 0, "tile": "9-9"}, *LEGAL[3:])

# Bo puts although it is An's turn; behind that, the game goes on as it would
OUT_OF_TURN: list[Any] = [
    {**HEADER, "id": "t"},
    LEGAL[1],
    {"do": "put", "by": 1, "tile": "3-3"},
    {"do": "put", "by": 0, "tile": "1-1"},
    {"do": "put", "by": 1, "tile": "4-4"},
    {"do": "end", "winner": 1, "pay": [-1, 1]},
]

ILLEGAL_TEXT = """\
{name}:{line}  illegal  at event 2, line {at}
  it is not Bo's turn
  broken: put.put.turn in put
  Bo's hand: 3-3 4-4
  legal here: An: put 1-1 | 2-2
"""


def text(*lines: Mapping[str, object] | str) -> str:
    """Return the lines of a trace file: objects become JSON, texts stay as they are."""
    written = (line if isinstance(line, str) else json.dumps(line, ensure_ascii=False) for line in lines)
    return "".join(f"{line}\n" for line in written)


def write(name: str, *lines: Any) -> None:
    """Write a trace file."""
    Path(name).write_text(text(*lines), encoding="utf-8")


def with_header(
    lines: Iterable[Mapping[str, object]] = LEGAL, **keys: object
) -> tuple[Mapping[str, object], ...]:
    """Return a trace with other values in its header."""
    header, *events = lines
    return ({**header, **keys}, *events)


@dataclass(frozen=True, slots=True)
class Run:
    """The output and the status of a run of golpae."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> list[dict[str, Any]]:
        """The printed JSON objects, one a line."""
        return [json.loads(line) for line in self.out.split("\n")[:-1]]

    @property
    def verdicts(self) -> list[str]:
        return [found["verdict"] for found in self.json]


def run(*words: str | Path, cwd: Path, stdin: bytes = b"", **environment: str) -> Run:
    """Run golpae as a process."""
    command = [sys.executable, "-m", "golpae", *map(str, words)]
    done = subprocess.run(
        command, cwd=cwd, input=stdin, capture_output=True, env=os.environ | environment, check=False
    )
    return Run(done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"))


# A game of two tiles, whose properties are proved in a moment.
TAKE = """
game one "One"

players 2 to 2

tiles 2 of 1 kinds
  beads: two of each "{n}b" for n in 1 to 1

zones
  heap: tiles seen by nobody, holds the set
  each player's hand: tiles seen by its owner

state of the hand
  mover: seat

deal from heap
  hands: 0 for everyone
  then mover := first

action take(tile) by p "take"
  turn: p = mover "no"
  there: tile in heap "no"
  then move tile from heap to p's hand
  then mover := p's right

end
  due: heap is empty "no"

payout
  none: for each q in players: q scores 0

finish

always one-each: every p in players: size of p's hand <= 1
"""
