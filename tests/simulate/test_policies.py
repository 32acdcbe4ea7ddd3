"""The policies: what they choose, what they see, and who goes first."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import pytest

from golpae.replay.chance import Chance
from golpae.replay.legal_events import Event, Legal
from golpae.replay.random_deal import deal_of
from golpae.simulate.aims import Aims
from golpae.simulate.asking import choices_of
from golpae.simulate.play import SimulatedTable
from golpae.simulate.policies import PolicyFault, names_of
from golpae.simulate.policy import Choice, Random, Turn
from golpae.simulate.sight import Holding, Sight
from tests.replay.shared import machine
from tests.simulate.shared import SMALL, machine_of, table_of

MATES = {"6-3": "5-4", "6-2": "5-3", "5-2": "4-3", "4-1": "3-2", "4-2": "2-1"}
MATES |= {b: a for a, b in MATES.items()}


# ---------------------------------------------------------------------- what a seat sees


def test_a_seat_sees_its_own_hand_and_what_lies_open() -> None:
    table = machine_of(SMALL)
    state = table.new_state()
    state.z_hand[0], state.z_hand[1], state.z_shown = [0, 1], [2, 2], [1]
    zones = Sight(table).zones(state, 0)
    assert zones["hand"] == [["copper", "silver"], ["?", "?"]]
    assert zones["shown"] == ["silver"]
    assert Sight(table).out_of_sight(state, 0) == [1, 0, 2]


@pytest.mark.parametrize(
    ("rules", "unseen"),
    [
        ("jjak", {"lot": ["tile"], "draw": ["tile"]}),
        ("three-dozen", {"lot": ["tile"], "draw": ["tile"]}),
        ("ho-hpai", {"lot": ["tile"], "exchange": ["take"]}),
        ("korean-mahjong", {"draw": ["tile"], "replace": ["tile"]}),
    ],
)
def test_tiles_from_zones_that_the_seat_cannot_see_are_unknown(
    rules: str, unseen: dict[str, list[str]]
) -> None:
    table = machine(rules, 4)
    found = {
        action.name: [action.params[key.place - 1].name for key in keys]
        for action in table.rules.actions
        if (keys := Sight(table).unseen(Event(action.name, ())))
    }
    assert found == unseen


class _Watching:
    """A policy that notes what it is shown, and takes the first choice."""

    name, note = "watching", None

    def __init__(self) -> None:
        self.lines: list[list[dict[str, Any]]] = []

    def choose(self, turn: Turn) -> int | None:
        self.lines.append(turn.lines)
        return 0


def test_what_cannot_be_told_apart_is_one_choice() -> None:
    watching = _Watching()
    SimulatedTable(machine("jjak", 2), [watching, watching]).play(1, 0)
    draws = [line for lines in watching.lines for line in lines if line["do"] == "draw"]
    assert draws
    assert {line["tile"] for line in draws} == {"?"}
    assert all(sum(line["do"] == "draw" for line in lines) <= 1 for lines in watching.lines)


def test_each_tile_that_is_drawn_unseen_has_the_same_chance() -> None:
    choice = Choice((Event("take", (0, 0)), Event("take", (0, 1))), (1, 3))
    counts = Counter(choice.event(Chance(1, game)).args[1] for game in range(4_000))
    assert 2_860 < counts[1] < 3_140  # 3,000, five standard deviations
    table = machine_of(SMALL)
    state = table.new_state()
    state.z_purse.slots, state.z_purse.hidden = [1, 1, 0], []
    sight = Sight(table)
    events = [event for event in Legal(table).in_order(state) if event.action == "take"]
    assert all(sight.known(event) == ("take", event.args[0], 1) for event in events)
    assert sight.weights([Event("take", (0, tile)) for tile in (0, 1)], state) == (1, 2)


# ---------------------------------------------------------------------- greedy


def test_greedy_takes_and_melds_whenever_it_can() -> None:
    table = table_of(machine("jjak+lay-optional", 3), "greedy")
    for number in range(12):
        game, state = table.play(2, number), table.machine.new_state()
        for event in game.events:
            if event.action != "deal":
                legal = {other.action for other in table.legal.events(state)}
                wanted = {"lay"} if "lay" in legal else {"claim"} & legal
                assert not wanted or event.action in wanted
            table.machine.apply(event.action, state, event.args)


def test_greedy_first_gives_away_tiles_whose_mates_are_gone() -> None:
    table = table_of(machine("jjak", 3), "greedy")
    spared = 0
    for number in range(20):
        game, state = table.play(4, number), table.machine.new_state()
        for event in game.events:
            if event.action == "discard":
                seat, tile = event.args
                zones = table.sight.zones(state, seat)
                shown = zones["discards"] + [t for laid in zones["laid"] for pair in laid for t in pair]
                gone = {t for t in zones["hand"][seat] if MATES.get(t, t) in shown}
                assert not gone or table.machine.tile(tile) in gone
                spared += bool(gone)
            table.machine.apply(event.action, state, event.args)
    assert spared > 20


def test_whoever_gains_goes_before_whoever_only_draws() -> None:
    """Under `relaxed`, anyone may claim before the next player draws."""
    table = table_of(machine("jjak+relaxed", 4), "greedy")
    claimed = 0
    for number in range(10):
        game, state = table.play(6, number), table.machine.new_state()
        for event in game.events:
            if event.action == "draw":
                assert not [e for e in table.legal.events(state) if e.action == "claim"]
            claimed += event.action == "claim"
            table.machine.apply(event.action, state, event.args)
    assert claimed > 5


# ---------------------------------------------------------------------- towards


@pytest.mark.parametrize(
    ("rules", "measure", "names"),
    [
        ("jjak", "melding", ("lay",)),
        ("three-dozen", "melding", ("lay",)),
        ("ho-hpai", "arrangement", ("winning",)),
        ("korean-mahjong", "arrangement", ("complete",)),
    ],
)
def test_the_text_says_what_is_near(rules: str, measure: str, names: tuple[str, ...]) -> None:
    aims = Aims(Sight(machine(rules, 4)))
    assert (aims.measure, aims.names) == (measure, names)
    assert all(f"`{name}`" in aims.note for name in names)


def test_a_text_that_says_nothing_is_about_few_tiles() -> None:
    aims = Aims(Sight(machine_of(SMALL)))
    assert (aims.measure, aims.names) == ("shedding", ())
    assert aims.distance(Holding(Counter([0, 0, 1]), ())) == 3
    assert aims.support(0, Holding(Counter([0]), ()), [0, 0, 0]) == 1


def test_pairs_that_can_be_laid_are_near() -> None:
    table = machine("jjak", 3)
    aims, numbers = Aims(Sight(table)), table.instance.numbers()

    def holding(*tiles: str) -> Holding:
        return Holding(Counter(numbers[tile] for tile in tiles), ())

    assert aims.distance(holding("6-3", "5-4", "1-1", "4-2")) == 2
    assert aims.distance(holding("6-3", "5-4", "4-2", "2-1")) == 0
    unseen = [0] * len(table.instance.kinds)
    assert aims.support(numbers["6-3"], holding("6-3"), unseen) == 0
    unseen[numbers["5-4"]] = 1
    assert aims.support(numbers["6-3"], holding("6-3"), unseen) == 1
    assert aims.support(numbers["6-6"], holding("6-6", "6-6"), unseen) == 1


def test_most_tiles_go_together_even_if_a_first_choice_spoils_it() -> None:
    table = machine("three-dozen", 2)
    aims, numbers = Aims(Sight(table)), table.instance.numbers()
    tiles = Counter(numbers[tile] for tile in ("6-6", "5-5", "0-0", "1-1"))
    assert aims.distance(Holding(tiles, ())) == 0


def test_towards_wins_more_often_than_chance() -> None:
    wins: Counter[str] = Counter()
    for policy in ("random", "towards"):
        table = table_of(machine("three-dozen", 2), policy, "random")
        for number in range(60):
            wins[policy] += table.play(1, number).hands[0].winners == (0,)
    assert wins["towards"] > wins["random"] + 10


# ---------------------------------------------------------------------- names


def test_one_policy_is_for_all_seats() -> None:
    assert names_of("greedy", 3) == ["greedy"] * 3
    assert names_of("greedy, random", 2) == ["greedy", "random"]
    with pytest.raises(PolicyFault, match="names 2 policies for 3 players"):
        names_of("greedy,random", 3)


def test_the_policy_random_waits_as_often_as_others_have_events() -> None:
    table = machine("jjak", 2)
    choices = [Choice((Event("draw", (0, 1)),), (1,))]
    taken = sum(
        Random().choose(Turn(Sight(table), table.new_state(), 0, choices, Chance(1, game), 4, False, True))
        == 0
        for game in range(2_000)
    )
    assert 400 < taken < 600  # a quarter


# ---------------------------------------------------------------------- tiles that nobody sees


UNSEEN = Path(__file__).parents[1] / "kernel" / "texts" / "unseen.golpae"


def test_each_way_to_take_copies_that_nobody_sees_has_the_same_chance() -> None:
    """Copies are told apart here, and every way to take them is counted."""
    table = machine_of(UNSEEN.read_text("utf-8"), 3)
    state, sight = table.new_state(), Sight(table)
    deal = deal_of(table, 0, [[0], [1], [2]])
    table.apply(deal.action, state, deal.args)
    state.z_purse, state.z_hand = [0, 0, 0, 1, 1, 3], [[0], [1, 1, 2], [0]]
    purse = state.z_purse
    ways: dict[str, Counter[Any]] = {
        "draw": Counter((0, tile) for tile in purse),
        "draw-two": Counter((0, pair) for pair in combinations(purse, 2)),
        "draw-and-show": Counter((0, *pair) for pair in permutations(purse, 2)),
        "take-from 1": Counter((0, 1, tile) for tile in [1, 1, 2]),
        "take-from 2": Counter({(0, 2, 0): 1}),
        "swap 0 1": Counter((0, 0, 1, tile) for tile in [1, 1, 2]),
        "swap 0 2": Counter({(0, 0, 2, 0): 1}),
        "turn-up": Counter((tile,) for tile in purse),
    }
    choices = choices_of(sight, state, Legal(table).in_play(state))
    assert len(choices) == len(ways)
    for choice in choices:
        weighed = {
            tuple(tuple(arg) if isinstance(arg, list) else arg for arg in event.args): weight
            for event, weight in zip(choice.events, choice.weights, strict=True)
        }
        assert weighed in ways.values(), choice
