"""Groups of effects and names for values beside the words for teams, winners and payments."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from golpae.cli.main import main

TEXT = """game weights "Weights"

players 4 to 4 in teams of 2

tiles
  stones: four of each "{weight}s" for weight in 1 to 8

zones
  sack: tiles seen by nobody, holds the set
  heap: tiles seen by everyone
  each player's hand: tiles seen by its owner

state of the hand
  mover: seat

deal from sack
  hands: 2 for everyone
  then mover := first

action put(tile) by p "put a stone down"
  turn: p = mover "it is not {p}'s turn"
  held: tile in p's hand "{p} does not hold {tile}"
  then move tile from p's hand to heap
  then mover := p's right
  LINES

end
  due: over "the hand is not over"

payout
  where share is size of winners
  won: for each q in winners: q scores share

GROUPS
"""


def ends(folder: Path, lines: str, groups: str) -> list[list[int]]:
    """Return what the ends of some hands pay."""
    file, traces = folder / "weights.golpae", folder / "games.jsonl"
    file.write_text(TEXT.replace("LINES", lines).replace("GROUPS\n", groups), encoding="utf-8")
    assert main(["lint", str(file)]) == 0
    assert main(["simulate", str(file), "--games", "4", "--traces", str(traces)]) == 0
    assert main(["check", "--spec-path", str(folder), str(traces)]) == 0
    events = map(json.loads, traces.read_text("utf-8").splitlines())
    return [event["pay"] for event in events if event.get("do") == "end"]


@pytest.mark.parametrize(
    ("lines", "groups"),
    [
        ("then p's team wins", ""),
        ("then win(p)", "effects win(p: seat)\n  p's team wins\n"),
        ("then win(p)", "effects win(p: seat)\n  p wins\n  p's partner wins\n"),
        ("then win(p)", "effects win(q: seat)\n  both(q's left)\n\neffects both(q: seat)\n  q's team wins\n"),
    ],
)
def test_a_team_wins_in_a_group_as_it_does_without(lines: str, groups: str, tmp_path: Path) -> None:
    for pay in ends(tmp_path, lines, groups):
        assert sorted(pay) == [0, 0, 2, 2]
        assert pay[0] == pay[2]


def test_payments_of_a_payout_with_names_count_as_gains(tmp_path: Path) -> None:
    lines = "then when p's gains > 9: p wins\n  then when p's hand is empty: p wins"
    for pay in ends(tmp_path, lines, ""):
        assert sorted(pay) == [0, 0, 0, 1]
