"""Events with several tiles in one key: which of them are listed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, combinations, combinations_with_replacement
from pathlib import Path
from typing import Any

import pytest

from golpae.elaborate.check import elaborate
from golpae.elaborate.instance import instantiate
from golpae.replay.chance import Chance
from golpae.replay.legal_events import Legal
from golpae.replay.machine import Machine, State
from golpae.replay.random_deal import deal_by_chance
from golpae.replay.state_layout import var_in, zone_in

TEXTS = Path(__file__).parent.parent / "kernel" / "texts"


def dealt(game: int) -> tuple[Legal, State]:
    """Return a machine of the text and a state after a deal."""
    legal = Legal(Machine(instantiate(elaborate("many-tiles", [TEXTS]), 2, {})))
    state = legal.machine.new_state()
    deal = deal_by_chance(legal, state, Chance(1, game))
    assert deal is not None
    legal.machine.apply(deal.action, state, deal.args)
    return legal, state


def parts(tiles: Sequence[Any]) -> list[list[Any]]:
    """Return every part of a list, each once."""
    chosen = chain.from_iterable(combinations(sorted(tiles), n) for n in range(len(tiles) + 1))
    return [[*part] for part in dict.fromkeys(chosen)]


def check(legal: Legal, state: State, action: str, values: Sequence[Any]) -> int:
    """Check that those values of a key that the conditions allow are listed, each once. Return how many they are."""
    mover = var_in(state, "mover")
    allowed = [v for v in values if legal.machine.first(action, state, (mover, v))[0] < 0]
    listed = [event.args[1] for event in legal.in_order(state) if event.action == action]
    assert sorted(map(_sorted, listed)) == sorted(map(_sorted, allowed))
    return len(listed)


def _sorted(value: Any) -> Any:
    return sorted(map(_sorted, value)) if isinstance(value, list | tuple) else value


@pytest.mark.parametrize("action", ["throw", "play"])
def test_the_parts_of_a_hand_that_are_legal_are_listed(action: str) -> None:
    found = 0
    for game in range(3):
        legal, state = dealt(game)
        found += check(legal, state, action, parts(zone_in(state, "hand")[var_in(state, "mover")]))
    assert found > 6


def test_the_lists_of_melds_that_are_legal_are_listed() -> None:
    found = 0
    for game in range(6):
        legal, state = dealt(game)
        hand = zone_in(state, "hand")[var_in(state, "mover")]
        melds = [(*part,) for part in parts(hand) if legal.machine.shapes.holds(part, "meld")]
        lists = [[*map(list, some)] for n in range(4) for some in combinations_with_replacement(melds, n)]
        found += check(legal, state, "lay", lists)
    assert found > 6
