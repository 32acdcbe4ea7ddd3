"""Legal events and games by chance on the compiled path, held against the reference."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest

from golpae.bundled import spec_dir
from golpae.elaborate.instance import bounds, instantiate, options_of
from golpae.kernel import player as player_module
from golpae.kernel.emit.playing import listing
from golpae.kernel.language.host import available
from golpae.kernel.player import DEAD_END, ENDED, Hand, Player, Referred
from golpae.kernel.unsupported import NotCompiled
from golpae.replay.machine import Machine
from golpae.rule_names import named, named_rule_set
from golpae.simulate.play import SimulatedTable
from golpae.simulate.policy import Random
from tests.differential.texts import RuleText
from tests.kernel.playing_harness import Both

pytestmark = [pytest.mark.property, pytest.mark.skipif(not available(), reason="modules do not run here")]

TABLES = [
    ("jjak", 2, 12),
    ("jjak", 3, 12),
    ("jjak", 4, 12),
    ("jjak+row", 4, 8),
    ("jjak+ten-rounds", 3, 8),
    ("jjak+take-to-pair+reserve-win", 3, 8),
    ("three-dozen", 2, 8),
    ("three-dozen", 5, 8),
    ("three-dozen+may-draw+winner-leads", 3, 8),
    ("ho-hpai", 3, 4),
    ("ho-hpai+nearest-end", 4, 3),
    ("korean-mahjong", 4, 3),
    ("korean-mahjong+dealer-keeps", 4, 3),
]
MOST = 150  # events of a game that is compared event by event
HERE = Path(__file__).parent
CANNOT_HAPPEN = HERE / "texts" / "cannot-happen.golpae"
TEXTS = sorted((HERE / "texts").glob("*.golpae"))


def machine(rules: str, players: int) -> Machine:
    rule_set = named_rule_set(named(rules, (spec_dir(),)))
    return Machine(instantiate(rule_set, players, options_of(rule_set, {})))


@pytest.mark.parametrize(("rules", "players", "games"), TABLES)
def test_both_paths_play_the_same_games(rules: str, players: int, games: int) -> None:
    both = Both(machine(rules, players))
    assert both.refused == ()
    compared = [both.play(11, game, MOST) for game in range(games)]
    assert not any(game.referred for game in compared)
    assert sum(game.events for game in compared) > 10 * games


@pytest.mark.parametrize("file", TEXTS, ids=lambda file: str(file.stem))
def test_both_paths_play_small_texts_alike(file: Path) -> None:
    events = 0
    rule_set = RuleText(file.stem, file.read_text("utf-8")).rule_set()
    low, high = bounds(rule_set, options_of(rule_set, {}))
    for players in range(low, high + 1):
        both = Both(Machine(instantiate(rule_set, players, options_of(rule_set, {}))))
        events += sum(both.play(3, game, 60).events for game in range(40))
    assert events > 80


def test_melds_that_an_event_names_are_listed() -> None:
    rule_set = RuleText("named-melds", (HERE / "texts" / "named-melds.golpae").read_text("utf-8")).rule_set()
    both = Both(Machine(instantiate(rule_set, 2, options_of(rule_set, {}))))
    assert both.refused == ()
    assert not any(both.play(5, game, 60).referred for game in range(10))


def test_events_that_cannot_happen_are_not_listed_and_not_referred() -> None:
    rule_set = RuleText("cannot-happen", CANNOT_HAPPEN.read_text("utf-8")).rule_set()
    both = Both(Machine(instantiate(rule_set, 2, options_of(rule_set, {}))))
    assert both.refused == ()
    compared = [both.play(3, game, 60) for game in range(20)]
    assert not any(game.referred for game in compared)


def test_games_are_the_same_however_many_are_played_at_once() -> None:
    table = machine("jjak", 3)
    player = Player(table.instance, "jjak", table.may_be_long)
    together = [*player.games(7, 0, 40, 2)]
    assert together == [game for first in range(40) for game in player.games(7, first, 1, 2)]
    assert all(game is not None and len(game) == 2 for game in together)
    assert len({game[0].events for game in together if game is not None}) > 5


def test_few_games_are_played_at_once_if_they_take_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that whoever ends a run is heard. The games are the same."""
    table = machine("jjak", 2)
    expected = [*Player(table.instance, "jjak", table.may_be_long).games(7, 0, 90, 1)]
    seconds = count()
    monkeypatch.setattr(player_module, "perf_counter", lambda: next(seconds))
    slow = Player(table.instance, "jjak", table.may_be_long)
    asked: list[int] = []
    play = slow._games

    def noted(seed: int, first: int, many: int) -> object:
        asked.append(many)
        return play(seed, first, many)

    monkeypatch.setattr(slow, "_games", noted)
    assert [*slow.games(7, 0, 90, 1)] == expected
    assert asked == [16, 8, 4, 2, *[1] * 60]


def test_the_largest_seed_and_game_have_numbers() -> None:
    table = machine("jjak", 2)
    player = Player(table.instance, "jjak", table.may_be_long)
    last = (1 << 64) - 1
    (game,) = player.games(last, last, 1, 1)
    assert game is not None
    both = Both(table)
    (hand,) = game
    assert hand.ending in (ENDED, DEAD_END)
    assert isinstance(hand, Hand)
    assert both.play(last, last, 10_000).events == hand.events - 1  # the deal counts there


def test_what_has_no_room_is_for_the_reference() -> None:
    table = machine("jjak", 2)
    player = Player(table.instance, "jjak", table.may_be_long)
    assert [*player.games(1, 0, 2, 100_000)] == [None, None]


@pytest.mark.parametrize("file", TEXTS, ids=lambda file: str(file.stem))
def test_events_of_small_texts_are_the_same(file: Path) -> None:
    rule_set = RuleText(file.stem, file.read_text("utf-8")).rule_set()
    low, high = bounds(rule_set, options_of(rule_set, {}))
    for players in range(max(2, low), min(high, max(low, 3)) + 1):
        played = Machine(instantiate(rule_set, players, options_of(rule_set, {})))
        table = SimulatedTable(played, [Random()] * players)
        player = Player(played.instance, played.rules.rules, played.may_be_long)
        for game in range(12):
            try:
                found = [*player.events(9, game, 1)]
            except (Referred, NotCompiled):
                continue
            assert listed(found) == listed([(e.action, e.args) for e in table.play(9, game).events])


def listed(value: object) -> object:
    """Return a value in which each bag is a list, however a path keeps it."""
    return [listed(item) for item in value] if isinstance(value, list | tuple) else value


def test_a_position_with_too_many_values_to_try_is_for_the_reference(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever lays two tiles has a few choices; a low limit stands for many."""
    table = machine("three-dozen", 3)
    player = Player(table.instance, "three-dozen", table.may_be_long)
    assert None not in [*player.games(1, 0, 4, 1)]
    monkeypatch.setenv("GOLPAE_CACHE", "off")  # which has the module with another limit
    monkeypatch.setattr(listing, "MOST_TRIED", 1)
    assert [*Player(table.instance, "three-dozen", table.may_be_long).games(1, 0, 4, 1)] == [None] * 4


def test_numbers_between_far_bounds_are_for_the_reference(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bid may be any of a few numbers; a low limit stands for many."""
    text = next(file for file in TEXTS if file.stem == "numbers-between").read_text("utf-8")
    bids = text[: text.index("action raise")] + text[text.index("action shout") :]  # nothing but numbers
    table = Machine(instantiate(RuleText("numbers-between", bids).rule_set(), 2, {}))
    assert None not in [*Player(table.instance, table.rules.rules, table.may_be_long).games(1, 0, 4, 1)]
    monkeypatch.setenv("GOLPAE_CACHE", "off")  # which has the module with another limit
    monkeypatch.setattr(listing, "MOST_TRIED", 1)
    assert [*Player(table.instance, table.rules.rules, table.may_be_long).games(1, 0, 4, 1)] == [None] * 4
