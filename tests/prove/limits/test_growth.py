"""No game gets a state out of its bounds; what can double with each event has none but those of every state."""

from __future__ import annotations

import pytest

from golpae.elaborate.instance import Instance, instantiate
from golpae.ir.limits import LIMIT
from golpae.prove.limits.growth import bounds_of_games
from golpae.prove.limits.limits import NumberLimits
from golpae.replay.machine import Machine
from golpae.replay.state_layout import var_in
from golpae.verify.sample_states import PlayedGames
from tests.prove.limits.texts import DEFINED, Texts
from tests.prove.meanings import game, rule_set_of

STATE = "n: number = 1\nm: number = 3"


def instance_of(*effects: str, state: str = STATE, more: str = "", condition: str = "p = mover") -> Instance:
    lines = "\n".join(f"  then {effect}" for effect in effects)
    action = f'\naction go(k: number from 0 to 4) by p "go"\n  turn: {condition} "no"\n{lines}\n'
    return instantiate(rule_set_of(game(state=state, actions=action, more=more)), 2, {})


@pytest.mark.parametrize(
    ("effects", "bounded"),
    [
        (("n := n + 1",), "nm"),
        (("n := n + k", "m := m + n"), "nm"),
        (("n := 0 - n + 3",), "nm"),
        (("n := if n > m then n - 1 else m * 5",), "nm"),
        (("n := most of x for x in {n, m, k}",), "nm"),
        (("n := n mod 7 + m", "m := n"), "nm"),
        (("for each q in players: n := n + size of q's hand",), "nm"),
        (("n := n + n",), "m"),
        (("n := n * 2",), "m"),
        (("n := n + m", "m := n + m"), ""),
        (("n := sum of n for q in players",), "m"),
        (("n := m ^ 2 + 1", "m := n"), ""),
        (("when n > 4: n := n * n + 1",), "m"),
    ],
)
def test_only_what_grows_by_bounded_amounts_is_bounded(effects: tuple[str, ...], bounded: str) -> None:
    states = bounds_of_games(instance_of(*effects), any_stake=True).states
    assert "".join(name for name in "nm" if states[name].size < LIMIT // 10) == bounded


def test_an_unbounded_key_bounds_no_sum() -> None:
    action = '\naction go(k: number) by p "go"\n  turn: p = mover "no"\n  then n := n + k\n  then m := k\n'
    instance = instantiate(rule_set_of(game(state=STATE, actions=action)), 2, {})
    assert bounds_of_games(instance, any_stake=True).states["n"].high == LIMIT - 1


def test_a_stake_that_nobody_plays_for_counts_only_for_properties() -> None:
    instance = instance_of("n := stake * 3")
    assert bounds_of_games(instance, any_stake=True).states["n"].high == LIMIT - 1
    assert bounds_of_games(instance, any_stake=False).states["n"].high < 10**101
    assert NumberLimits(instance).are_kept


@pytest.mark.parametrize(
    ("condition", "bounded"),
    [
        ("k >= 0 and k <= 4", True),
        ("k = m and m < 9", True),
        ("0 <= k and k < m", True),
        ("k <= 4", False),
        ("k >= 1 and k = n", False),
        ("k = n and k >= 1", False),
    ],
)
def test_conditions_bound_a_key(condition: str, bounded: bool) -> None:
    action = f'\naction go(k: number) by p "go"\n  low: {condition} "no"\n  then n := n + k\n'
    instance = instantiate(rule_set_of(game(state=STATE, actions=action)), 2, {})
    states = bounds_of_games(instance, any_stake=True).states
    assert (states["n"].size < LIMIT // 10) is bounded


def test_no_game_gets_a_state_out_of_its_bounds() -> None:
    values = set()
    for seed in range(8):
        texts = Texts(seed)
        effects = [f"{name} := {texts.number(2, ('n', 'm', 'k'))}" for name in ("n", "m", "n")]
        effects.append(f"when {texts.truth(1)}: m := {texts.number(1, ('n', 'm'))}")
        instance = instance_of(*effects, more=DEFINED)
        states = bounds_of_games(instance, any_stake=True).states
        for state in PlayedGames(Machine(instance), seed).states(20):
            for name in ("n", "m"):
                values.add(value := var_in(state, name))
                assert states[name].low <= value <= states[name].high
    assert len(values) > 15
