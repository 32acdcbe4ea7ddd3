"""Only what lines of a text say is counted, also where golpae writes words out."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

from golpae.coverage.measure import Coverage
from golpae.coverage.tally import GameTally
from golpae.elaborate.check import elaborate
from tests.coverage.picks import games_of

TEXT = """\
game floor "Two tiles on the floor, and two who can win"

players 2 to 2

tiles
  coins: two of each "{size}c" for size in 1 to 4

zones
  pool: tiles seen by nobody, holds the set
  floor: tiles seen by everyone
  each player's hand: tiles seen by its owner

state of the hand
  mover: seat

deal from pool
  hands: 2 for everyone
  floor: 2 "two tiles lie on the floor"
  then mover := first

action show(tile) by p
  held: tile in p's hand
  then won
    when tile in floor: each player wins
    when not over: nobody wins

end
  due: over

payout
  then for each q in winners: q scores 1
"""
HANDS = [["1c", "2c"], ["3c", "4c"]]
END = {"do": "end", "winner": None, "pay": [1, 1]}


def counted(at: Path) -> GameTally:
    (at / "floor.golpae").write_text(TEXT, encoding="utf-8")
    lines: list[dict[str, Any]] = []
    for floor in (["1c", "2c"], ["1c"]):
        lines.append({"golpae": 1, "rules": "floor", "players": ["An", "Bo"]})
        lines.append({"do": "deal", "first": 0, "hands": HANDS, "floor": floor})
    lines[2:2] = [{"do": "show", "by": 0, "tile": "1c"}, END]
    found = Coverage(lambda rules: elaborate(rules, [at]), [at])
    for _ in found.file(io.BytesIO(b"".join(json.dumps(line).encode() + b"\n" for line in lines)), "g.jsonl"):
        pass
    return found.game("floor")


def test_tiles_dealt_to_a_zone_are_a_condition(tmp_path: Path) -> None:
    tally = counted(tmp_path)
    assert [(c.name, c.kind) for c in tally.book.clauses if c.path == "deal.floor"] == [
        ("deal.floor", "condition")
    ]
    assert [games_of(tally, "deal.floor", side) for side in ("held", "broken", "done")] == [1, 1, 0]


def test_the_tests_behind_several_winners_are_not_counted(tmp_path: Path) -> None:
    tally = counted(tmp_path)
    tests = [clause for clause in tally.book.clauses if clause.kind == "when"]
    assert [clause.name for clause in tests] == ["show.won when", "show.won when 2"]
    assert [[tally.games_of(c, side) for side in ("yes", "no")] for c in tests] == [[1, 0], [0, 1]]
