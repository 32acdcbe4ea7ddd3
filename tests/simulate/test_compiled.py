"""Games on the compiled path are those of the reference, event by event."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pytest

from golpae.build.module import build
from golpae.bundled import spec_dir
from golpae.elaborate.instance import bounds, options_of
from golpae.elaborate.load import game_names
from golpae.kernel.language.host import Host, available
from golpae.progress import Progress
from golpae.replay.machine import Machine
from golpae.rule_names import named, named_rule_set
from golpae.simulate import compiled, greedy
from golpae.simulate import series as running
from golpae.simulate.compiled import aims_of, compiled_table
from golpae.simulate.policy import Turn, best
from golpae.simulate.series import Series, simulate
from tests.replay.shared import machine
from tests.simulate.shared import OPEN_AT_TIMES, SMALL, machine_of, table_of

pytestmark = [pytest.mark.property, pytest.mark.skipif(not available(), reason="modules do not run here")]


def series(rules: str, players: int, games: int, hands: int = 1, policy: str = "random") -> Series:
    rule_set = named_rule_set(named(rules, (spec_dir(),)))
    options = options_of(rule_set, {})
    return Series(rule_set, players, options, (policy,) * players, 5, games, hands)


TURNED_UP = SMALL.replace(
    """deal from purse
""",
    """deal(turned: {a, b}) from purse
  other: a /= gold "gold cannot come first"
""",
).replace("then mover := first\n", "then mover := if a = copper then first else first's right\n")


def test_a_deal_turns_tiles_up_in_the_first_order_that_its_conditions_allow() -> None:
    assert "turned" in TURNED_UP
    assert "copper then" in TURNED_UP
    table = table_of(machine_of(TURNED_UP), "random")
    fast = compiled_table(table, traced=True)
    assert fast is not None
    for number in range(20):
        played = [(event.action, event.args) for event in table.play(1, number).events]
        assert [*fast.player.events(1, number, 1)] == played


@pytest.mark.parametrize("traced", [True, False])
@pytest.mark.parametrize(
    ("rules", "players", "games", "hands", "policy"),
    [
        ("jjak", 3, 40, 2, "random"),
        ("jjak+ten-rounds", 2, 10, 3, "random"),
        ("three-dozen", 5, 10, 1, "random"),
        ("korean-mahjong", 4, 2, 1, "random"),
        ("jjak", 4, 20, 2, "greedy"),
        ("jjak+relaxed+row", 3, 10, 1, "greedy"),
        ("three-dozen", 3, 5, 1, "greedy"),
        ("jjak", 4, 20, 2, "towards"),
        ("three-dozen", 3, 5, 1, "towards"),
        ("korean-mahjong", 4, 2, 1, "towards"),
        ("whist", 4, 3, 2, "greedy"),
        ("hearts", 4, 2, 1, "greedy"),
        ("spades", 4, 3, 1, "greedy"),
        ("minibridge", 4, 2, 1, "greedy"),
        ("bridge", 4, 2, 1, "greedy"),
        ("block-dominoes", 3, 5, 2, "greedy"),
        ("whist", 4, 2, 1, "towards"),
        pytest.param("korean-mahjong", 4, 1, 1, "greedy", marks=pytest.mark.slow),
    ],
)
def test_both_paths_have_the_same_tally_and_traces(
    rules: str,
    players: int,
    games: int,
    hands: int,
    policy: str,
    traced: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = series(rules, players, games, hands, policy)
    monkeypatch.setattr(compiled, "CHECKED", 1_000_000)  # game 0 alone is played by both
    texts: list[bytes] = []
    found = []
    for path in (compiled_table, lambda table, traced: None):
        monkeypatch.setattr(running, "compiled_table", path)
        lines: list[bytes] = []
        found.append(
            simulate(asked, 1, Progress("playing", games, "games"), lines.append if traced else None)
        )
        texts.append(b"".join(lines))
    assert found[0] == found[1]
    assert texts[0] == texts[1]
    assert bool(texts[0]) is traced


@pytest.mark.parametrize("policy", ["greedy", "towards"])
def test_seats_count_what_lies_open_at_times(policy: str) -> None:
    """What a seat sees depends on the state, and what it keeps depends on what it sees."""
    hidden = re.sub(r", by [^\n]*?(?=, holds|\n)", "", OPEN_AT_TIMES)
    table, other = (table_of(machine_of(text, 3), policy) for text in (OPEN_AT_TIMES, hidden))
    fast = compiled_table(table, traced=True)
    assert fast is not None
    differ = 0
    for number in range(20):
        played = [(event.action, event.args) for event in table.play(1, number).events]
        assert [*fast.player.events(1, number, 1)] == played, number
        differ += played != [(event.action, event.args) for event in other.play(1, number).events]
    assert differ > 5


@pytest.mark.parametrize("made", [machine("jjak", 3), machine_of(OPEN_AT_TIMES, 3), machine_of(SMALL)])
def test_a_module_says_how_it_rated_an_event(made: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    expected: list[int] = []

    def noting(turn: Turn, ratings: Sequence[int]) -> int:
        expected.append(max(ratings) + (8 if len({*ratings}) == 1 else 0))
        return best(turn, ratings)

    monkeypatch.setattr(greedy, "best", noting)
    table = table_of(made, "greedy")
    sight = table.sight
    module = Host(build(made.instance, aims_of(sight, greedy.Greedy(sight))).wasm)
    init, new_game, begin, deal, play, rated = (
        module.function(name) for name in ("init", "new_game", "begin", "deal", "play", "rated")
    )
    init()
    for number in range(10):
        events = len(table.play(3, number).events)
        new_game(1)
        begin(3, number)
        found = []
        assert deal() == 1
        for _ in range(events - 1):
            assert play() >= 0
            found.append(rated())
        assert [one for one in found if one >= 0] == expected, number
        expected.clear()


def test_the_patterns_of_won_hands_are_those_of_the_reference() -> None:
    table = series("ho-hpai", 3, 1).table()
    fast = compiled_table(table, traced=False)
    assert fast is not None
    won = [
        (number, game)
        for number, game in fast.games(1, 1, 12, 1)
        if game.hands[0].winners and game.hands[0].events < 200
    ]
    assert len(won) > 2
    for number, game in won[:3]:
        assert game.hands == table.play(1, number, 1).hands
        assert game.hands[0].patterns


def test_a_game_that_differs_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = series("jjak", 2, 3)
    table = asked.table()
    fast = compiled_table(table, traced=False)
    assert fast is not None
    monkeypatch.setattr(compiled, "CHECKED", 1)
    reference = type(table).play

    def other(self: object, seed: int, game: int, hands: int = 1) -> object:
        played = reference(table, seed, game, hands)
        return replace(played, hands=()) if game == 1 else played

    monkeypatch.setattr(type(table), "play", other)
    games = dict(fast.games(5, 0, 3, 1))
    assert fast.differ == [1]
    assert games[1].hands == ()


@pytest.mark.parametrize("rules", game_names(()))
def test_greedy_hands_of_every_game_are_played_by_its_module(rules: str) -> None:
    rule_set = named_rule_set(named(rules, (spec_dir(),)))
    players, _ = bounds(rule_set, options_of(rule_set, {}))
    fast = compiled_table(series(rules, players, 1, policy="greedy").table(), traced=False)
    assert fast is not None
    assert [*fast.player.games(5, 0, 2, 1)].count(None) == 0


def test_other_policies_are_for_the_reference() -> None:
    one_of_each = replace(series("jjak", 2, 1), policies=("towards", "greedy"))
    assert compiled_table(one_of_each.table(), traced=False) is None


def test_seats_at_random_and_others_play_at_one_table() -> None:
    turning = """action turn(tile) "turn"
  there: tile in purse "no"
  few: size of shown < 2 "no"
  then move tile from purse to shown

end
"""
    open_to_all = SMALL.replace("players 2 to 2", "players 2 to 3").replace('  turn: p = mover "no"\n', "")
    for made in (
        machine("jjak+relaxed+lay-optional", 3),
        machine_of(open_to_all.replace("end\n", turning, 1), 3),
    ):
        seats_of_both_kinds_play_alike(made)


def seats_of_both_kinds_play_alike(made: Machine) -> None:
    for names in (
        ("random", "greedy", "random"),
        ("greedy", "random", "greedy"),
        ("towards", "random", "towards"),
    ):
        table = table_of(made, *names)
        fast = compiled_table(table, traced=True)
        assert fast is not None
        for number in range(1, 9):
            found = [*fast.player.events(2, number, 1)]
            assert found == [(event.action, event.args) for event in table.play(2, number).events], number


def test_a_greedy_seat_is_not_shown_what_it_draws() -> None:
    """A draw from a hidden row is one choice, whose tiles have the chances of their copies."""
    asked = series("jjak+row", 2, 1, policy="greedy")
    fast = compiled_table(asked.table(), traced=True)
    assert fast is not None
    drawn = Counter(
        args[1] for game in range(300) for name, args in fast.player.events(2, game, 1) if name == "draw"
    )
    assert len(drawn) == len(asked.table().machine.instance.kinds)
