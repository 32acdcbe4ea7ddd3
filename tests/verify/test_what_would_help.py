"""What is said of a property that induction does not prove: where the proof ends, and what would help."""

from __future__ import annotations

from golpae.elaborate.instance import instantiate
from golpae.verify.deciders.open_position import of_each
from golpae.verify.options import Settings
from golpae.verify.properties import DEADLOCK_FREEDOM, properties_of
from golpae.verify.result import PropertyResult
from golpae.verify.verifier import Verifier
from tests.prove.meanings import rule_set_of

# `doubled` is never odd, which induction does not know.
STONES = """
game stones "Stones"

players 2 to 2

tiles 8 of 8 kinds
  stones: one of each A B C D E F G H

zones
  bag: tiles seen by nobody, holds the set
  river: row seen by everyone
  each player's hand: tiles seen by its owner

state of the hand
  mover: seat
  doubled: number = 0

deal from bag
  hands: 2 for everyone
  river: 1
  then mover := first

action lift(tile) by p "lift"
  turn: p = mover "no"
  odd: doubled /= 7 "no"
  top: tile = top of river "no"
  then doubled := doubled + 2

action rest by p "rest"
  turn: p = mover "no"
  odd: doubled /= 7 "no"
  then the hand is over

end
  due: over
"""
NOT_THREE = "always not-three: doubled /= 3"
NOT_FIVE = "always not-five: doubled /= 5"


def result_of(stated: str, name: str, rules: str = STONES) -> PropertyResult:
    verifier = Verifier(
        instantiate(rule_set_of(f"{rules}\n{stated}\n"), 2, {}), Settings(effort=0.1, games=4)
    )
    [prop] = [p for p in properties_of(verifier.instance.rule_set) if p.name == name]
    return verifier.verify(prop)


def test_where_nobody_can_act_the_conditions_are_named_that_refuse() -> None:
    result = result_of("", DEADLOCK_FREEDOM)
    assert result.verdict == "unknown"
    assert "mover = P0" in result.story  # players have the names that golpae gives them in games
    assert "doubled = 7" in result.story
    assert "back of river = " in result.story
    assert ", where `lift.odd`, `rest.odd` fail: an `always` of the text can say so" in result.story


def test_each_value_has_its_player() -> None:
    assert of_each(["7"], each_player=False) == "7"
    assert of_each(["0", "0", "0"], each_player=True) == "0 for everyone"
    assert of_each(["0", "16", "2"], each_player=True) == "0 for P0, 16 for P1 and 2 for P2"


def test_what_the_text_states_and_fails_first_is_named() -> None:
    result = result_of(f"{NOT_THREE}\n{NOT_FIVE}", "not-five")
    assert "it may need `not-three`, which may fail after `lift`: decide that first" in result.story
    assert "it may need" not in result_of(f"{NOT_THREE}\n{NOT_FIVE}", "not-three").story


def test_it_is_proved_with_what_helps() -> None:
    assert result_of("always even: doubled mod 2 = 0", DEADLOCK_FREEDOM).verdict == "proved"


# Nobody can lift, and the prover does not know whether somebody may lay down a row.
ROWS = """
shape row(t, next) of 1 or more: t in stones and next in stones
define rows-of(s: tiles): {r for r in row within s: size of r >= 1}

action lay by p "lay"
  turn: p = mover "no"
  rows: rows-of(p's hand) is not empty "no"
  then the hand is over
"""


def test_an_action_that_the_prover_leaves_out_is_named() -> None:
    stones = STONES.replace("action rest", ROWS + "\naction rest")
    result = result_of("", DEADLOCK_FREEDOM, stones)
    assert result.verdict == "unknown"
    assert result.story == (
        "the prover does not support `row` within unknown tiles, in `rows-of`, and so takes `lay` for illegal"
    )
    assert result.unsupported is not None
    assert result.unsupported.clause == "rows-of"
