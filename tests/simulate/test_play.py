"""Games by chance: what happens at the table, and how a game ends."""

from __future__ import annotations

import json

import pytest

from golpae.replay.chance import Chance
from golpae.replay.legal_events import Event, Legal
from golpae.replay.random_deal import deal_by_chance
from golpae.simulate.play import LONGEST, Ending, PlayedHand, SimulatedGame
from golpae.simulate.tally import Tally
from tests.replay.shared import judged, machine
from tests.simulate.shared import ENDLESS, SMALL, STUCK, machine_of, table_of


@pytest.mark.parametrize(
    ("rules", "players"), [("jjak+relaxed", 4), ("three-dozen", 3), ("korean-mahjong", 4)]
)
def test_the_policy_random_takes_one_of_the_choices_in_order(rules: str, players: int) -> None:
    """Section 11 of the page on semantics, done once more."""
    table = machine(rules, players)
    game = table_of(table, "random").play(3, 8)
    chance, legal, state = Chance(3, 8), Legal(table), table.new_state()
    deal = deal_by_chance(legal, state, chance)
    assert deal is not None
    events = [deal]
    table.apply(deal.action, state, deal.args)
    while events[-1].action != "end":
        choices: dict[str, list[Event]] = {}
        for event in legal.in_order(state):
            if event.action != "finish":
                same = event.args[0] if event.action == "draw" else event
                choices.setdefault(repr(same), []).append(event)
        alike = [*choices.values()][chance.below(len(choices))]
        if len(alike) > 1:  # one of the copies that nobody sees
            there = state.z_boneyard if rules == "three-dozen" else state.z_reserve.all()
            copies = [event for event in alike for _ in range(there.count(event.args[1]))]
            alike = [copies[chance.below(len(copies))]]
        events.append(alike[0])
        table.apply(events[-1].action, state, events[-1].args)
    assert game.events == tuple(events)
    winner, pay = events[-1].args[:2]
    winners = () if winner is None else (winner,)
    (hand,) = game.hands
    assert (hand.winners, list(hand.pay), hand.events) == (winners, pay, len(events))


@pytest.mark.parametrize("policy", ["random", "greedy", "towards"])
@pytest.mark.parametrize("rules", ["jjak", "jjak+relaxed+ten-rounds", "three-dozen", "korean-mahjong"])
def test_games_are_legal_whatever_the_policy(rules: str, policy: str) -> None:
    table = table_of(machine(rules, 4), policy)
    for number in range(1 if policy == "towards" else 2):
        game = table.play(1, number, hands=2)
        lines = [table.header(number), *game.lines(table.machine)]
        report = judged(json.loads(json.dumps(line)) for line in lines)
        ended = game.hands[-1].ending is not Ending.BROKEN_OFF
        assert report.outcome.verdict.value == ("legal" if ended else "incomplete"), report.outcome.message
        assert game == table_of(table.machine, policy).play(1, number, hands=2)


@pytest.mark.parametrize("switch", ["", "+jack-of-diamonds", "+no-trick-bonus"])
def test_hearts_states_what_a_hand_pays_only_if_it_does(switch: str) -> None:
    table = machine(f"hearts{switch}", 4)
    paid = {sum(table_of(table, "random").play(1, number).hands[0].pay) for number in range(2)}
    stated = "points-in-a-hand" in [p.name for p in table.instance.rule_set.properties]
    assert stated == (paid <= {-26, -78})


def test_a_match_ends_when_no_further_hand_can_be_dealt() -> None:
    once = SMALL.replace("deal from purse\n", 'deal from purse\n  once: hands-played = 0 "no"\n')
    game = table_of(machine_of(once), "random").play(1, 0, hands=5)
    assert len(game.hands) == 1
    assert len(table_of(machine_of(SMALL), "random").play(1, 0, hands=5).hands) == 5


def test_events_before_the_deal_happen_if_nobody_can_be_dealt_without_them() -> None:
    lots = SMALL.replace(
        "state of the hand", "state of the match\n  ready: yes or no = no\n\nstate of the hand"
    )
    lots = lots.replace("deal from purse\n", 'deal from purse\n  set: ready "no"\n')
    lots += '\naction prepare by p before the deal "prepare"\n  once: not ready "no"\n  then ready := yes\n'
    game = table_of(machine_of(lots), "random").play(1, 0)
    assert [event.action for event in game.events[:2]] == ["prepare", "deal"]
    assert game.hands[0].events == len(game.events)


def test_a_dead_end_is_counted_and_told() -> None:
    tally = Tally(2)
    table = table_of(machine_of(STUCK), "random")
    for number in range(8):
        tally.add([number], table.play(1, number))
    assert tally.hands == 8
    assert tally.endings[Ending.DEAD_END] == len(tally.stuck) + max(0, tally.endings[Ending.DEAD_END] - 5) > 0
    assert tally.pay[0].count == tally.ended == 8 - tally.endings[Ending.DEAD_END]


def test_a_hand_that_goes_on_and_on_is_broken_off() -> None:
    game = table_of(machine_of(ENDLESS), "random").play(1, 0, hands=3)
    assert game.hands in (
        (PlayedHand(Ending.BROKEN_OFF, LONGEST),),
        (PlayedHand(Ending.DEAD_END, len(game.events)),),
    )


def test_patterns_are_those_of_the_winning_hand() -> None:
    table = table_of(machine("korean-mahjong", 4), "towards")
    won = [table.play(1, number) for number in (1, 6)]
    assert all(game.hands[0].winners for game in won)
    for game in won:
        (win,) = (event for event in game.events if event.action == "win")
        assert game.hands[0].patterns
        lines = [*game.lines(table.machine)]
        at = game.events.index(win)
        points = dict.fromkeys(game.hands[0].patterns, 1)
        spoilt = judged([table.header(0), *lines[:at], {**lines[at], "patterns": points}, *lines[at + 1 :]])
        if spoilt.outcome.verdict.value == "illegal":  # the points are others; the names have to be these
            assert spoilt.outcome.message is not None
            assert all(name in spoilt.outcome.message for name in points)


# ---------------------------------------------------------------------- sums


def test_tallies_of_parts_add_up_in_any_order() -> None:
    table = table_of(machine("jjak", 3), "greedy")
    games = [table.play(5, number) for number in range(9)]
    whole, parts = Tally(3), [Tally(3) for _ in range(3)]
    for number, game in enumerate(games):
        whole.add([number], game)
        parts[number % 3].add([number], game)
    merged = Tally(3)
    for part in reversed(parts):
        merged.merge(part)
    assert merged == whole
    assert whole.games == whole.hands == 9
    assert sum(own.total for own in whole.pay) == 0


def test_games_that_came_to_the_same_are_counted_together() -> None:
    won = PlayedHand(Ending.WON, 12, (1,), (-2, 2), ("pairs", "pairs"))
    for hand in (won, PlayedHand(Ending.DEAD_END, 7)):
        game, together, apart = SimulatedGame((won, hand), ()), Tally(2), Tally(2)
        together.add([3, 5, 8], game)
        for number in (3, 5, 8):
            apart.add([number], game)
        assert together == apart
        assert together.games == 3
