"""How many tiles a player can have in zones that only a deal and the player's own moves feed."""

from __future__ import annotations

from pathlib import Path

import pytest

from golpae.elaborate.check import elaborate
from golpae.elaborate.instance import instantiate
from golpae.prove.answer import PROVED, REFUTED
from golpae.prove.encoding.tiles_of_players import most_tiles
from golpae.prove.evaluation.evaluator import Evaluator
from golpae.prove.symbolic.symbol_factory import SymbolFactory
from golpae.replay.machine import Machine
from golpae.replay_bridge import ReplayShapes
from golpae.verify.options import Settings
from golpae.verify.sample_states import PlayedGames
from golpae.verify.verifier import Verifier

GAME = """
game lay "Lay"

players 2 to 2

option many: 2 to 3, normally 2

tiles
  coins: two of each "{size}c" for size in 1 to 3

zones
  pool: tiles seen by nobody, holds the set
  each player's shown: melds seen by everyone
  each player's side: tiles seen by everyone
  each player's hand: tiles seen by its owner

state of the hand
  mover: seat

deal from pool
  hands: many for first, 2 for the others
  then mover := first

action lay(tile) by p
  held: tile in p's hand
  then move tile from p's hand to p's shown

action grow(tile) by p
  held: tile in p's hand
  then move tile from p's hand to (the m in p's shown: size of p's hand = 1)

action shrink(tile) by p
  there: some m in p's shown: tile in m
  then move tile from (the m in p's shown: tile in m) to p's side

action fold by p
  empty: p's hand is empty
  then for each q in players: move all from q's side to q's hand

action stop by p
  turn: p = mover
  then p wins

end
  due: over
"""
PROPERTIES = """
always full: no m in mover's shown: m is empty
reachable large expected refuted: some m in mover's shown: size of m > many
"""


def evaluator_of(folder: Path, text: str, many: int) -> Evaluator:
    path = folder / "lay.golpae"
    path.write_text(text, encoding="utf-8")
    machine = Machine(instantiate(elaborate("lay", [path]), 2, {"many": many}))
    return Evaluator(machine.instance, ReplayShapes(machine), SymbolFactory(""))


@pytest.mark.parametrize("many", [2, 3])
def test_tiles_that_only_their_player_moves_are_as_many_as_were_dealt(tmp_path: Path, many: int) -> None:
    evaluator = evaluator_of(tmp_path, GAME, many)
    assert most_tiles(evaluator) == {"shown": many}
    machine = Machine(evaluator.instance)
    for state in PlayedGames(machine, 1).states(10):
        for seat in range(2):
            tiles = [t for m in state.z_shown[seat] for t in m]
            assert len(tiles) + len(state.z_hand[seat]) + len(state.z_side[seat]) <= many


@pytest.mark.parametrize(
    "action",
    [
        "draw(tile) by p\n  there: tile in pool\n  then move tile from pool to p's hand",
        "give(tile) by p\n  held: tile in p's hand\n  then move tile from p's hand to p's right's side",
        "swap by p\n  then pass each player's hand to the right",
    ],
)
def test_nothing_is_said_of_tiles_that_come_from_elsewhere(tmp_path: Path, action: str) -> None:
    assert (
        most_tiles(
            evaluator_of(tmp_path, GAME.replace("\naction stop", f"\naction {action}\n\naction stop"), 2)
        )
        == {}
    )


def test_nothing_is_said_if_a_deal_may_be_of_any_size(tmp_path: Path) -> None:
    text = GAME.replace("deal from pool", "deal(more: number from 0 to 1) from pool").replace(
        "many for", "many + more for"
    )
    assert most_tiles(evaluator_of(tmp_path, text, 2)) == {}


def test_no_meld_is_larger_than_the_hand_that_was_dealt(tmp_path: Path) -> None:
    evaluator = evaluator_of(tmp_path, GAME + PROPERTIES, 2)
    verifier = Verifier(evaluator.instance, Settings())
    found = {p.name: verifier.verify(p).verdict for p in evaluator.rules.properties}
    assert found == {"full": PROVED, "large": REFUTED}
