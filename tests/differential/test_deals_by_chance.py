"""Deals that golpae makes by chance: the names of their lists stand for the first order that conditions allow (6.5).

In the game, `lead` is the first of two tiles that the deal turns up. Without gold, that is copper if there is some.
"""

from __future__ import annotations

import pytest

from golpae.compare.games.alignment import Rewritten
from golpae.compare.games.paired_machines import PairedMachines
from golpae.compare.games.random_search import find_divergences
from golpae.compare.size.paired_hands import PairedHands
from golpae.elaborate.instance import instantiate
from golpae.prove.induction.candidate import Candidate
from golpae.replay.machine import Machine
from golpae.search.lasso import find_lasso
from golpae.search.random_play import find
from golpae.verify.analysis import Analysis
from golpae.verify.confirmation import confirm
from golpae.verify.options import Settings
from golpae.verify.sample_states import PlayedGames
from tests.differential.texts import RuleText

pytestmark = [pytest.mark.property, pytest.mark.solver]
TEXT = RuleText(
    "turned-up",
    """\
game turned-up "A deal turns up two tiles"

players 2 to 2

tiles
  coins: 2 of each copper silver gold

zones
  purse: tiles seen by nobody, holds the set
  each player's hand: tiles seen by its owner

state of the hand
  mover: seat
  lead: tile or none = none
  both: tiles = {}
  up: yes or no = no

define turned-round: lead = silver and copper in both

deal(turned: {a, b}) from purse
  other: a /= gold "gold cannot come first"
  hands: 1 for everyone
  then mover := first
  then lead := a
  then both := {a, b}

action turn by p "turn"
  turn: p = mover and turned-round "no"
  then up := not up

action stop by p "stop"
  turn: p = mover "no"
  then p wins

end
  due: over

never asked: turned-round

variant still "nobody turns"
  drop turn.turn
  add turn.never: no
""",
)


def analysis() -> Analysis:
    return Analysis(instantiate(TEXT.rule_set(), 2, {}), Settings())


def pair() -> PairedMachines:
    return PairedMachines(*(Machine(instantiate(TEXT.rule_set(*s), 2, {})) for s in ((), ("still",))))


def test_random_play_finds_no_state_that_no_game_reaches() -> None:
    machine = analysis().machine
    assert find(machine, machine.rules.properties[-1].expr, seed=1, games=40) is None


def test_no_game_repeats_in_a_state_that_no_game_reaches() -> None:
    assert find_lasso(analysis().machine, seed=1, tries=40, steps=100) is None


def test_what_always_holds_is_confirmed() -> None:
    found = analysis()
    prop = found.instance.rule_set.properties[-1]
    found.induction.invariants.append(Candidate(prop.name, lambda state: True, prop))
    confirm(PlayedGames(found.machine, 1), found.induction)


def test_games_by_chance_show_no_difference_that_no_game_has() -> None:
    a, b = TEXT.rule_set(), TEXT.rule_set("still")
    assert find_divergences(pair(), Rewritten(a, b), seed=1, games=60, tries=5_000) == {}


def test_simulated_games_show_no_difference_that_no_game_has() -> None:
    played = [hand for hand, _ in PairedHands(pair(), 1).play(0, 40)]
    assert {hand.alone for hand in played} == {(False, False)}
    assert all(hand.dealt for hand in played)
