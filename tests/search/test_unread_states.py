"""States that no rule reads: what counts as reading one."""

from __future__ import annotations

import pytest

from golpae.elaborate.instance import instantiate
from golpae.ir.ruleset import RuleSet
from golpae.search.unread_states import unread_states
from tests.prove.meanings import rule_set_of

PASSING = """
game passing "Passing"

players 2 to 2

tiles 4 of 4 kinds
  pips: one of each "t{rank}" for rank in 1 to 4

zones
  heap: tiles seen by nobody, holds the set
  each player's hand: tiles seen by its owner

state of the match
  games: number = 0

state of the hand
  mover: seat
  turns: number = 0
  twice: number = 0
  shown: tile or none = none
  each player's passes: number = 0

deal from heap
  hands: 1 for everyone
  then mover := first
  then games := games + 1

action pass(tile) by p "pass"
  turn: p = mover "it is not {p}'s turn, {turns}"
  held: tile in p's hand "no"
  then mover := p's right
  then when turns > 3
    twice := twice + turns
    shown := tile
  then for each q in players: q's passes := q's passes + 1
  then turns := turns + 1

end
  due: over "not yet"
"""


def unread(text: str = PASSING, *also: str) -> set[str]:
    rules: RuleSet = rule_set_of(text + "".join(f"\nalways asked-{n}: {e}\n" for n, e in enumerate(also)))
    exprs = [p.expr for p in rules.properties]
    return set(unread_states(instantiate(rules, 2, {}), exprs))


def test_states_that_only_messages_and_unread_states_read_are_unread() -> None:
    assert unread() == {"games", "turns", "twice", "shown", "passes"}


@pytest.mark.parametrize(
    ("clause", "read"),
    [
        ("  turn: p = mover and twice < 9", {"twice", "turns"}),
        ("  held: shown is none and tile in p's hand", {"shown", "turns"}),
        ("  held: p's passes < 9 and tile in p's hand", {"passes"}),
        ("  then mover := if games > 3 then p else p's right", {"games"}),
        ("  then when turns > 9: nobody wins", {"turns"}),
        ("  then turns := turns * 2 + 1", set()),
    ],
)
def test_what_a_rule_reads_directly_or_through_other_states_is_read(clause: str, read: set[str]) -> None:
    name = clause.split(":", maxsplit=1)[0] + ":"
    lines = PASSING.splitlines()
    if name.startswith("  then"):
        text = PASSING.replace("  then turns := turns + 1", f"{clause}\n  then turns := turns + 1")
    else:
        text = "\n".join(clause if line.startswith(name) else line for line in lines)
    assert unread(text) == {"games", "turns", "twice", "shown", "passes"} - read


def test_payments_and_properties_that_are_asked_read_states() -> None:
    paid = PASSING + "\npayout\n  paid: mover scores twice\n"
    assert unread(paid) == {"games", "shown", "passes"}
    assert unread(PASSING, "turns >= 0") == {"games", "twice", "shown", "passes"}
