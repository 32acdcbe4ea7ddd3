"""How far the sizes of hands are from each other, as candidates for invariants."""

from __future__ import annotations

from pathlib import Path

from golpae.elaborate.check import elaborate
from golpae.elaborate.instance import instantiate
from golpae.ir.ruleset import RuleSet
from golpae.prove.answer import PROVED
from golpae.prove.induction.invariant_templates import candidates, named
from golpae.replay.machine import Machine
from golpae.verify.options import Settings
from golpae.verify.sample_states import PlayedGames, sample_states
from golpae.verify.verifier import Verifier
from tests.prove.induction.pile import system_of

# Hands of any size lose a tile in turn, so they differ by one tile at most; nothing else bounds the number of events.
NEAR = """
game near "Near"

players 2 to 2

tiles
  coins: two of each "{size}c" for size in 1 to 8

zones
  pool: tiles seen by nobody, holds the set
  pile: tiles seen by everyone
  each player's hand: tiles seen by its owner

state of the hand
  mover: seat

deal(more: number from 1 to 2, plus: yes or no) from pool
  hands: more + (if plus then 1 else 0) for first, more for the others
  then mover := first

action put(tile) by p
  turn: p = mover
  held: tile in p's hand
  then move tile from p's hand to pile
  then mover := p's right
  then when p's hand is empty and mover's hand is empty: nobody wins

action pass by p
  turn: p = mover
  none: p's hand is empty
  then mover := p's right

end
  due: over
"""
SAYS = [
    "every p in players: p = mover implies every q in players: size of q's hand <= size of p's hand + 0",
    "every p in players: p = mover implies every q in players: size of p's hand <= size of q's hand + 1",
]


def near(folder: Path, more: str) -> RuleSet:
    path = folder / "near.golpae"
    path.write_text(NEAR + more, encoding="utf-8")
    return elaborate("near", [path])


def test_games_suggest_how_near_hands_are_and_their_names_make_them_again(tmp_path: Path) -> None:
    system = system_of(near(tmp_path, ""))
    states = list(sample_states(PlayedGames(Machine(system.evaluator.instance), 1)))
    names = {candidate.name for candidate in candidates(system, states)}
    wanted = {f"playing: {claim}" for claim in SAYS}
    assert wanted <= names
    assert {*named(system, wanted)} == wanted


def test_what_such_a_candidate_is_called_is_what_it_says(tmp_path: Path) -> None:
    others = [claim.replace("+ 0", "+ 1").replace("+ 1", "+ 0") for claim in SAYS]
    claims = [*SAYS, *others]
    stated = "".join(f"\nalways says{number}: {claim}" for number, claim in enumerate(claims))
    rules = near(tmp_path, f"{stated}\n")
    system = system_of(rules)
    made = named(system, [f"playing: {claim}" for claim in claims])
    states = list(sample_states(PlayedGames(Machine(system.evaluator.instance), 1)))
    seen = set()
    for state in states:
        if state.at == "playing":
            for claim, prop in zip(claims, rules.properties, strict=True):
                holds = made[f"playing: {claim}"].predicate(state)
                assert holds is system.evaluator.truth(prop.expr, state, {})
                seen.add(holds)
    assert seen == {True, False}


def test_that_hands_are_near_shows_that_a_game_ends(tmp_path: Path) -> None:
    rules = near(tmp_path, "\nends all: size of mover's hand + (sum of size of p's hand for p in players)\n")
    found = Verifier(instantiate(rules, 2, {}), Settings()).verify(rules.properties[0])
    assert found.verdict == PROVED
    assert f"playing: {SAYS[0]}" in found.lemmas
