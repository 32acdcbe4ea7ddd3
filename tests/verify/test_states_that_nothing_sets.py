"""States that nothing sets or reads, and numbers that show nothing: what golpae says of the games anyway."""

from __future__ import annotations

import pytest

from golpae.elaborate.instance import instantiate
from golpae.prove.encoding import reachable_melds
from golpae.search.witness import as_trace, replays
from golpae.verify.options import Settings
from golpae.verify.result import PropertyResult
from golpae.verify.verifier import Verifier
from tests.prove.meanings import rule_set_of

NEVER = """
game never "A number that nothing sets"

option last: 3 to 5, normally 3

players 2 to 2

tiles 4 of 4 kinds
  pips: one of each "t{rank}" for rank in 1 to 4

zones
  heap: tiles seen by nobody, holds the set
  each player's hand: tiles seen by its owner

state of the hand
  mover: seat
  STATE

deal from heap
  hands: 1 for everyone
  then mover := first

action pass by p "pass"
  turn: p = mover "it is not {p}'s turn"
  then mover := p's right

action stop by p "stop"
  turn: p = mover and ASKED "too early"
  then p wins

end
  due: over "not yet"

reachable somebody-wins: winner is not none
ends every-hand: 10
"""
KINDS = [
    ("rounds: number = 0", "rounds > last"),
    ("rounds: number = 0 - 2", "rounds > last"),
    ("rounds: number = last", "rounds > last"),
    ("late: yes or no = no", "late"),
    ("early: yes or no = yes", "not early"),
    ("claimer: seat or none = none", "claimer is not none"),
    ("shown: tile or none", "shown is not none"),
    ("limit: number or none = 4", "(limit otherwise 9) > 4"),
    ("each player's rounds: number = 0", "p's rounds > last"),
    ("each player's late: yes or no = no", "p's late"),
    ("each player's early: yes or no = yes", "not p's early"),
    ("each player's lot: tile or none = none", "p's lot is not none"),
    ("thrown: tiles = {}", "size of thrown > 1"),
]


def results(text: str, walks: bool, games: int = 40) -> dict[str, PropertyResult]:
    """Return the results of the properties of a text with two players; `walks` is whether all games are tried."""
    verifier = Verifier(instantiate(rule_set_of(text), 2, {}), Settings(games=games))
    if not walks:
        verifier.analysis._walks.known[()] = None
    return {p.name: verifier.verify(p) for p in verifier.instance.rule_set.properties}


@pytest.mark.parametrize(("state", "asked"), KINDS)
def test_a_state_that_nothing_sets_keeps_its_first_value(state: str, asked: str) -> None:
    text = NEVER.replace("STATE", state).replace("ASKED", asked).replace("ends every-hand: 10\n", "")
    found = results(text, walks=False)["somebody-wins"]
    assert (found.verdict, found.story.split(",")[0]) == ("refuted", "unreachable")


@pytest.mark.parametrize(
    "more", ["turns := turns + 1", "p's passes := p's passes + turns\n  then turns := turns + 1"]
)
def test_a_counter_that_nothing_reads_tells_no_positions_apart(more: str) -> None:
    text = NEVER.replace("STATE", "turns: number = 0\n  each player's passes: number = 0")
    text = text.replace("ASKED", "size of p's hand > 3").replace(
        "  then mover := p's right", f"  then {more}\n  then mover := p's right"
    )
    found = results(text, walks=True)
    assert [(r.verdict, r.positions) for r in found.values()] == [("refuted", 25), ("refuted", None)]
    assert found["somebody-wins"].story == "no game gets there: all 25 positions"
    assert found["every-hand"].story.startswith(
        "after event 3 the game is in the same state as after event 1, but for `turns`"
    )


def test_a_counter_that_a_property_reads_is_told_apart_for_it_alone() -> None:
    text = NEVER.replace("STATE", "turns: number = 0").replace("ASKED", "size of p's hand > 3")
    text = text.replace("  then mover := p's right", "  then turns := turns + 1\n  then mover := p's right")
    found = results(text + "reachable four: turns = 4\nends falling: 10 - turns\n", walks=True)
    assert {name: r.verdict for name, r in found.items()} == {
        "somebody-wins": "refuted",
        "every-hand": "refuted",
        "four": "proved",
        "falling": "refuted",
    }


TOGO = """
game togo "To go"

players 2 to 2

tiles
  coins: two of each "{size}c" for size in 1 to 8

zones
  pool: tiles seen by nobody, holds the set
  table: row seen by everyone
  each player's hand: tiles seen by its owner

state of the match
  lots: number = 0

state of the hand
  mover: seat
  togo: number = 3
  seen: yes or no = no
  who: seat or none = none
  count: number = 0

deal from pool
  hands: 4 for everyone
  then mover := first

action put(tile) by p
  turn: p = mover
  held: tile in p's hand
  then move tile from p's hand to table
  then togo := togo - 1
  then mover := p's right
  then when togo = 0: nobody wins

action stop(to: seat) by p
  then count := count + 1
  then to wins
  then who := winner
  then when p = to: nobody wins
  then when winner is none: seen := yes

action ghost(tile) by p
  never: lots < 0
  then move tile from table to p's hand

end
  due: over
"""


def decided(stated: str) -> PropertyResult:
    """Return the result of a property of that game."""
    [found] = results(f"{TOGO}\n{stated}\n", walks=True).values()
    return found


@pytest.mark.parametrize(
    "stated",
    [
        "always one after stop: count = 1",
        "always after-end after end: who is none or winner is none or winner = who",
        "always winner-stays after end: seen implies winner is none",
        "always left: togo >= 0",
        "ends puts after put: togo",
    ],
)
def test_first_values_lower_bounds_and_winners_are_tried_as_invariants(stated: str) -> None:
    assert decided(stated).verdict == "proved"


def test_an_end_after_an_action_that_never_happens_is_vacuous() -> None:
    found = decided("ends ghosts after ghost: size of table")
    assert (found.verdict, found.bound, found.vacuous) == ("proved", 0, "`ghost` can never happen")


def test_a_hand_with_too_many_events_refutes_a_bound() -> None:
    found = decided("ends puts after put within 2 events: togo")
    assert found.verdict == "refuted"
    assert found.witness is not None
    assert [e["do"] for e in found.witness.events].count("put") == 3


@pytest.mark.parametrize(
    ("measure", "why"),
    [
        ("size of table", "the number rises from 0 to 1 at `put`"),
        ("9", "the number stays 9 at `put`"),
        ("togo - 2", "the number is -1, below 0, after `put`"),
    ],
)
def test_a_number_that_shows_nothing_has_a_game_that_shows_why(measure: str, why: str) -> None:
    found = decided(f"ends puts after put: {measure}")
    assert found.verdict == "unknown"
    assert found.story.startswith(f"{why}, in a game of ")
    assert found.witness is not None
    machine = Verifier(instantiate(rule_set_of(TOGO), 2, {}), Settings()).analysis.machine
    lines = as_trace(machine, found.witness.events)
    assert replays(machine, lines[0], lines[1:]).accepted
    assert lines[-1]["do"] == "put"


GROWING = """
action lay(tile) by p
  held: tile in p's hand
  then move tile from p's hand to p's shown

action grow(tile) by p
  held: tile in p's hand
  then move tile from p's hand to (the m in p's shown: size of p's hand = 1)

always was-one after grow: earlier(size of p's hand) = 1
always was-two after grow: earlier(size of p's hand) = 2
"""


def test_games_decide_what_the_prover_does_not_support(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reachable_melds, "MOST_GROUPS", 20)
    text = TOGO.replace(
        "  each player's hand:", "  each player's shown: melds seen by everyone\n  each player's hand:"
    )
    found = results(text + GROWING, walks=True)
    assert (found["was-one"].verdict, found["was-two"].verdict) == ("refuted", "unknown")
    assert found["was-two"].story == "the prover does not support more than 20 different melds in `shown`"
