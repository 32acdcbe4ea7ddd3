"""Claims about players who act in turn, as candidates for invariants that nobody has to state."""

from __future__ import annotations

from pathlib import Path

from golpae.elaborate.check import elaborate
from golpae.elaborate.instance import instantiate
from golpae.prove.induction.invariant_templates import candidates, named
from golpae.replay.machine import Machine
from golpae.verify.sample_states import PlayedGames, sample_states
from tests.prove.induction.pile import system_of

# Everybody names a number, and then plays a tile to each round. When all have played, the next round begins.
ROUNDS = """
game rounds "Rounds"

players 3 to 3

tiles
  coins: four of each "{size}c" for size in 1 to 6

zones
  pool: tiles seen by nobody, holds the set
  each player's hand: tiles seen by its owner
  each player's played: tiles seen by everyone
  each player's won: tiles seen by everyone

state of the hand
  mover: seat
  stage: one of naming, playing = naming
  each player's said: number from 0 to 3 or none = none

deal from pool
  hands: 8 for everyone
  then mover := first

action say(n: number from 0 to 3) by p
  turn: stage = naming and p = mover
  then p's said := n
  then mover := p's right
  then when (every q in players: q's said is not none): stage := playing

action play(tile) by p
  turn: stage = playing and p = mover
  held: tile in p's hand
  then
    move tile from p's hand to p's played
    mover := p's right
  then when (every q in players: q's played is not empty)
    for each q in players: move all from q's played to q's won
  then when (every q in players: q's hand is empty): nobody wins

end
  due: over "the hand is not over"
"""
AS_MANY = (
    "always: every p in players: every q in players: "
    "size of p's hand + size of p's played = size of q's hand + size of q's played"
)
NOT_YET = "playing: stage = naming implies mover's said is none"


def test_players_in_turn_have_as_many_tiles_and_no_value_yet(tmp_path: Path) -> None:
    (tmp_path / "rounds.golpae").write_text(ROUNDS, "utf-8")
    rules = elaborate("rounds", [tmp_path])
    machine, system = Machine(instantiate(rules, 3, {})), system_of(rules, 3)
    names = {c.name for c in candidates(system, list(sample_states(PlayedGames(machine, 1))))}
    assert {AS_MANY, NOT_YET} <= names, sorted(names)
    assert named(system, [AS_MANY, NOT_YET]).keys() == {
        AS_MANY,
        NOT_YET,
    }  # they are read from kept proofs by name


def test_what_they_say_is_true_of_sampled_states_alone(tmp_path: Path) -> None:
    (tmp_path / "rounds.golpae").write_text(ROUNDS, "utf-8")
    rules = elaborate("rounds", [tmp_path])
    machine, system = Machine(instantiate(rules, 3, {})), system_of(rules, 3)
    states = list(sample_states(PlayedGames(machine, 1)))
    claims = named(system, [AS_MANY, NOT_YET.replace("naming", "playing")])
    assert [all(c.predicate(s) is True for s in states) for c in claims.values()] == [True, False]
