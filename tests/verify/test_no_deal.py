"""Tables at which nobody can be dealt a hand: `lint` notes them, and no verb says anything of games there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Golpae, cache, golpae, here

__all__ = ["cache", "golpae", "here"]
pytestmark = pytest.mark.solver
TEXT = """\
game opt "A set of any size"

option top: 1 to 6, normally 6

players 2 to 4

tiles
  pips: one of each "t{rank}" for rank in 1 to top

zones
  heap: tiles seen by nobody, holds the set
  table: tiles seen by everyone
  each player's hand: tiles seen by its owner

state of the hand
  mover: seat

deal from heap
  hands: 1 for everyone
  then mover := first

action draw(tile) by p "draw"
  turn: p = mover "it is not {p}'s turn"
  left: tile in heap "gone"
  then move tile from heap to p's hand
  then nobody wins

end
  due: over "the hand is not over"

always nothing-ends expected refuted: not over
reachable somebody-wins expected refuted: over and size of heap = 9
theorem ranks: every t in tiles: t's rank > 0
"""
HANDS, PIPS = "1 for everyone", '  pips: one of each "t{rank}" for rank in 1 to top\n'
WHY = "no deal is possible at this table: 4 players need 4 tiles, but the set has 2"


def written(here: Path, old: str = "", new: str = "") -> None:
    assert old in TEXT
    (here / "opt.golpae").write_text(TEXT.replace(old, new) if old else TEXT, encoding="utf-8")


ONE = "4 players need 4 tiles, but with top 1 the set has"
SEVEN = "4 players need 7 tiles, but with top 1 the set has"
OF_FOUR = "1 for first, (if size of players = 4 then 2 else 1) for the others"
CASES = [
    ("", "", f"{ONE} 1"),
    (HANDS, "7 - top for everyone", "4 players need 24 tiles, but with top 1 the set has 1"),
    (f"1 to 6, normally 6|{HANDS}", f"1 to 9, normally 9|{OF_FOUR}", f"{SEVEN} 1"),
    (HANDS, "if top = 6 then 1 else top - 2 for everyone", "with top 1 a hand cannot have -1 tiles"),
    (PIPS, f"{PIPS}  withdrawn: if top > 5 then {{}} else {{t1}}\n", f"{ONE} 0"),
    (f"{PIPS}|{HANDS}", f"{PIPS}  withdrawn: if top > 5 then {{}} else {{t1, t1}}\n|0 for everyone",
     "2 tiles `t1` are withdrawn, but with top 1 the set has 1"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "words"), CASES)
def test_lint_notes_values_of_options(golpae: Golpae, here: Path, old: str, new: str, words: str) -> None:
    text = TEXT
    for one, other in zip(old.split("|"), new.split("|"), strict=True):
        text = text.replace(one, other) if one else text
    (here / "opt.golpae").write_text(text, encoding="utf-8")
    done = golpae("lint", "opt.golpae")
    assert done.status == 1
    assert f"note[W010]: {words}\n" in done.out
    assert "no hand can be dealt at these tables: top 1 " in done.out


def test_lint_is_silent_where_every_table_can_be_dealt(golpae: Golpae, here: Path) -> None:
    written(here, "1 to 6, normally 6", "4 to 6, normally 6")
    assert "W010" not in golpae("lint", "opt.golpae").out


def test_what_is_proved_without_a_deal_is_vacuous(golpae: Golpae, here: Path) -> None:
    written(here)
    call = ("prove", "opt.golpae", "--no-cache", "--players", "4")
    done = golpae(*call, "--option", "top=2", "--format", "json")
    assert done.status == 1
    found = {finding["name"]: finding for finding in json.loads(done.out)["findings"]}
    assert {name for name, finding in found.items() if finding["vacuous"] == WHY} == set(found) - {"ranks"}
    assert found["ranks"]["vacuous"] is None
    assert {finding["standing"] for name, finding in found.items() if name != "ranks"} == {"not as expected"}
    folded = golpae(*call, "--option", "top=all").out
    assert "\nopt: no deal is possible with 4 players, top 1–3; nothing is proved of games there\n" in folded
    assert "the only position" not in folded


def test_a_deal_whose_effects_cannot_happen_is_none(golpae: Golpae, here: Path) -> None:
    written(here, "  then mover := first\n", "  then mover := first\n  then move t1 from table to heap\n")
    done = golpae("prove", "opt.golpae", "nothing-ends", "--no-cache", "--players", "2", "--option", "top=3")
    assert done.status == 1
    assert "vacuous: no deal is possible at this table\n" in done.out


@pytest.mark.parametrize("verb", ["simulate", "play", "build"])
def test_no_game_is_played_at_such_a_table(golpae: Golpae, here: Path, verb: str) -> None:
    written(here)
    done = golpae(
        verb,
        "opt.golpae",
        "--players",
        "4",
        "--option",
        "top=2",
        *(["-o", "x.wasm"] if verb == "build" else []),
    )
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith(f"golpae: {WHY}\n  help: give other options, or fewer players")


def test_such_tables_are_not_compared(golpae: Golpae, here: Path) -> None:
    written(here)
    (here / "old").mkdir()
    (here / "old" / "opt.golpae").write_text(TEXT.replace("nobody wins", "p wins"), encoding="utf-8")
    call = ("compare", "old/opt.golpae", "./opt.golpae", "--no-cache", "--players", "4", "--layer", "meaning")
    done = golpae(*call, "--option", "top=2")
    assert (done.status, done.out) == (2, "")
    assert "no deal is possible at these tables: 4 players need 4 tiles, but the set has 2" in done.err
