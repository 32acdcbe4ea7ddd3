"""The layout of a state: every slot is copied, compared and named differently."""

import random
from pathlib import Path

import pytest

from golpae.elaborate.check import elaborate
from golpae.elaborate.instance import instantiate
from golpae.replay.machine import Machine
from golpae.replay.random_deal import random_deal
from golpae.replay.runtime import Meld
from golpae.replay.simulate import play
from golpae.replay.state_layout import StateKey, mangled, same_state, slots, var_slot, zone_slot, zones_in
from tests.replay.shared import machine

TABLE = machine("jjak", 3)
KEEPER = """
game keeper "A keeper of values"
players 2 to 2

tiles
  coins: one of each a b c

zones
  pile: tiles seen by nobody, holds the set
  each player's hand: tiles seen by its owner
  shown: melds seen by everyone

state of the hand
  memo: meld or none = none
  many: list of tiles = {}

deal from pile
  hands: 1 for everyone

end
  due: memo is none and many = {} "not yet"

payout

finish
"""


def test_different_names_have_different_slots() -> None:
    names = ["a-b", "a_b", "ab", "a-b-c", "a_b-c"]
    assert len({mangled(name) for name in names}) == len(names)


def test_a_state_has_the_slots_that_the_layout_names() -> None:
    assert type(TABLE.new_state()).__slots__ == slots(TABLE.rules)


def test_a_copy_is_the_same_state_and_shares_no_zone() -> None:
    state = TABLE.new_state()
    copy = TABLE.copy(state)
    for _ in zip(play(TABLE, state, random.Random(5)), range(20), strict=False):
        copy = TABLE.copy(state)
        assert same_state(copy, state)
        assert StateKey(TABLE.rules)(copy) == StateKey(TABLE.rules)(state)
    for zone in TABLE.rules.zones:
        for own, other in zip(zones_in(state, zone), zones_in(copy, zone), strict=True):
            assert own is not other


def test_a_change_in_any_zone_makes_another_state() -> None:
    state = TABLE.new_state()
    deal = random_deal(TABLE, TABLE.new_state(), 0, random.Random(2))
    TABLE.apply(deal.action, state, deal.args)
    for zone in TABLE.rules.zones:
        copy = TABLE.copy(state)
        other = zones_in(copy, zone)[0]
        other.put_back(0) if zone.kind == "row" else other.append((0,) if zone.kind == "melds" else 0)
        assert not same_state(copy, state), zone_slot(zone.name)


def test_a_key_has_the_labels_of_melds_and_no_order_of_bags(tmp_path: Path) -> None:
    (tmp_path / "keeper.golpae").write_text(KEEPER, "utf-8")
    rules = elaborate("keeper", [tmp_path])
    table = Machine(instantiate(rules, 2, {}))

    def key(memo: Meld, many: list[list[int]]) -> object:
        state = table.new_state()
        setattr(state, var_slot("memo"), memo)
        setattr(state, var_slot("many"), many)
        return StateKey(rules)(state)

    assert key(Meld([1, 0], "pair"), [[1, 0], [2]]) == key(Meld([0, 1], "pair"), [[2], [0, 1]])
    assert key(Meld([1, 0], "pair"), [[2]]) != key(Meld([1, 0], "couple"), [[2]])


def test_different_melds_are_written_differently() -> None:
    melds = [Meld([1, 2]), Meld([2, 1], "pair"), Meld([1, 2], "run"), Meld([1])]
    assert len({repr(meld) for meld in melds}) == len(melds)
    assert repr(Meld([2, 1], "run")) == repr(melds[2])


def test_the_winner_is_the_one_seat_among_the_winners() -> None:
    state = TABLE.new_state()
    assert (state.winners, state.winner) == ((), None)
    for winners, winner in [((2,), 2), ((0, 2), None), ((), None)]:
        state.winners = winners
        assert state.winner == winner
    with pytest.raises(AttributeError):
        state.winner = 1


def test_who_has_won_tells_states_apart() -> None:
    state = TABLE.new_state()
    won = TABLE.copy(state)
    won.winners = (1,)
    assert not same_state(won, state)
    assert StateKey(TABLE.rules)(won) != StateKey(TABLE.rules)(state)
    assert TABLE.copy(won).winner == 1
