"""What fails in a game that is played at random is refuted at once, without a search for invariants."""

from __future__ import annotations

import pytest

from golpae.elaborate.instance import instantiate
from golpae.verify.properties import properties_of
from golpae.verify.result import PropertyResult
from golpae.verify.verifier import Verifier
from tests.prove.meanings import PUT, SETTINGS, game, rule_set_of

FALSE = {
    "few": "always few: size of table <= 1",
    "many": "never many: size of table > 1",
    "still-there": "always still-there after put: tile in p's hand",
}
TRUE = "always all-are-somewhere: size of table <= 3"
STUCK = """
action finish by p "finish"
  turn: p = mover and size of table > 3 "too early"
  then nobody wins
"""


def decided(properties: str, name: str, without_stop: bool = False) -> PropertyResult:
    text = game(zones="table: tiles seen by everyone", actions=PUT, properties=properties)
    if without_stop:
        start, end = text.index('action stop by p "stop"'), text.index("end\n  due")
        text = text[:start] + STUCK.lstrip() + "\n" + text[end:]
    verifier = Verifier(instantiate(rule_set_of(text), 2, {}), SETTINGS)
    [prop] = [p for p in properties_of(verifier.instance.rule_set) if p.name == name]
    return verifier.verify(prop)


@pytest.mark.parametrize("name", FALSE)
def test_a_property_that_fails_in_a_game_asks_the_solver_nothing(name: str) -> None:
    result = decided(FALSE[name], name)
    assert (result.verdict, result.queries) == ("refuted", 0)
    assert result.witness


def test_one_that_holds_in_the_games_is_proved_as_before() -> None:
    result = decided(TRUE, "all-are-somewhere")
    assert result.verdict == "proved"


def test_a_game_in_which_nobody_can_act_needs_no_invariants() -> None:
    result = decided("", "some-event-is-legal", without_stop=True)
    assert (result.verdict, result.queries) == ("refuted", 0)
    assert "nobody can act" in result.story
