"""Live games: events are checked as they come, and a refused one changes nothing."""

from __future__ import annotations

import copy
import json
import pickle
import random
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import golpae

DEAL = {
    "do": "deal",
    "first": 0,
    "hands": [["6-6", "6-6", "5-4", "6-3", "1-1", "3-2"], ["5-5", "4-4", "4-1", "6-2", "2-1"]],
}


@cache
def jjak() -> golpae.Table:
    return golpae.load("jjak").at(2)


def dealt() -> golpae.Game:
    game = jjak().game(["An", "Bo"])
    assert game.apply(DEAL)
    return game


def test_an_event_happens() -> None:
    game = dealt()
    found = game.apply({"do": "lay", "by": 0, "tiles": ["6-6", "6-6"]})
    assert isinstance(found, golpae.Accepted)
    assert (found.event.do, found.event.by, found.event.words) == ("lay", 0, "An: lay 6-6 6-6")
    assert found.event.to_dict() == {"do": "lay", "by": 0, "tiles": ["6-6", "6-6"]}
    assert (
        game.position.zones["laid"][0] == (golpae.Meld(("6-6", "6-6"), "pair"),)
        or game.position.zones["laid"][0]
    )


def test_a_refused_event_changes_nothing_and_says_why() -> None:
    game = dealt()
    before = game.position
    found = game.apply({"do": "lay", "by": 0, "tiles": ["6-6", "5-4"]})
    assert isinstance(found, golpae.Refused)
    assert not found
    assert not found.malformed
    assert found.clause is not None
    assert found.clause.startswith("jjak.lay.")
    assert any(rule.startswith("J") for rule in found.sources)
    assert any("lay" in words for words in found.legal)
    assert found.message in str(found)
    assert (game.position, len(game.events)) == (before, 1)


@pytest.mark.parametrize(
    ("event", "message"),
    [
        ({"do": "discrd", "by": 0, "tile": "3-2"}, "`jjak` has no action `discrd`; did you mean `discard`?"),
        ({"do": "discard", "by": 0}, "`discard` lacks the key `tile`"),
        ({"do": "discard", "by": 7, "tile": "3-2"}, "there is no seat `7`"),
        ({"do": "discard", "by": 0, "tile": 5}, "`tile` must be a tile, not `5`"),
        ({}, "this line lacks the key `do`"),
        ("{", "not JSON"),
        ("", "an event is empty"),
        ("[1]", "this line must be a JSON object"),
        ('{"do":"discard","do":"discard"}', "the key `do` is given twice"),
        ({"golpae": 1}, "this line lacks the key `do`"),
    ],
)
def test_what_is_no_event_is_refused_as_malformed(event: dict[str, object] | str, message: str) -> None:
    game = dealt()
    found = game.apply(event)
    assert isinstance(found, golpae.Refused)
    assert found.malformed
    assert found.clause is None
    assert message in found.message
    assert len(game.events) == 1


@pytest.mark.parametrize("event", [None, 5, ["do"], {"do": object()}])
def test_what_json_has_not_is_a_type_error(event: object) -> None:
    with pytest.raises(TypeError):
        dealt().apply(event)  # type: ignore[arg-type]


def test_legal_events_are_legal_and_all_others_are_not() -> None:
    game = dealt()
    for event in game.legal():
        assert game.copy().apply(event), event
    tiles = {event.to_dict()["tile"] for event in game.legal() if event.do == "discard"}
    for tile in set(game.table.tiles) - tiles:
        assert not game.copy().apply({"do": "discard", "by": 0, "tile": tile})
    assert {event.by for event in game.legal(0)} == {0}
    assert game.legal(1) == ()
    assert game.dealers == ()


def play(game: golpae.Game, seed: int, most: int = 100) -> golpae.Game:
    """Play a hand, or so many events of it."""
    assert game.deal(seed)
    chance = random.Random(seed)
    while game.stage != "ended" and len(game.events) < most:
        assert game.apply(chance.choice(game.legal()))
    return game


@pytest.mark.parametrize("rules", ["jjak", "three-dozen", "ho-hpai", "korean-mahjong"])
def test_a_game_played_live_is_legal_when_it_is_checked(rules: str) -> None:
    table = golpae.load(rules).at()
    game = play(table.game(), 3, 30 if rules == "ho-hpai" else 200)
    assert game.over == (rules != "ho-hpai")
    assert game.totals == (game.payments or (0,) * table.players)
    found = golpae.check(game.lines())
    assert found.ok
    assert (found.verdict, found.events) == (game.checked().verdict, len(game.events))


def test_a_seat_sees_its_own_hand_alone() -> None:
    game = dealt()
    hands = game.seen_by(1).zones["hand"]
    assert hands[0] == ("?",) * 6
    assert sorted(hands[1]) == sorted(DEAL["hands"][1])  # type: ignore[index]
    assert game.seen_by(1).seat == 1
    told = game.event_seen_by(1).to_dict()
    assert told["hands"] == [["?"] * 6, DEAL["hands"][1]]  # type: ignore[index]


@pytest.mark.parametrize("rules", ["jjak", "three-dozen", "korean-mahjong"])
def test_no_seat_is_told_which_tile_another_one_draws(rules: str) -> None:
    game = golpae.load(rules).at().game()
    game.deal(5)
    drawn = 0
    for step in range(12):
        legal = game.legal()
        event = legal[step % len(legal)]
        game.apply(event)
        if event.do == "draw" and event.by is not None:
            drawn += 1
            other = (event.by + 1) % len(game.players)
            assert game.event_seen_by(event.by) == event
            told = game.event_seen_by(other)
            assert (told.to_dict()["tile"], told.words) == ("?", f"P{event.by}: draw a tile")
            for name, value in game.position.states.items():
                if value == event.to_dict()["tile"]:
                    assert game.seen_by(other).states[name] == "?"
    assert drawn


def test_undo_takes_events_back() -> None:
    game = dealt()
    position = game.position
    first = game.legal()[0]
    game.apply(first)
    assert game.undo() == (first,)
    assert game.position == position
    assert len(game.undo(5)) == 1
    assert game.stage == "before"
    with pytest.raises(ValueError, match="a number of events"):
        game.undo(-1)


def test_a_copy_goes_its_own_way() -> None:
    game = dealt()
    for other in (game.copy(), copy.copy(game), copy.deepcopy(game), pickle.loads(pickle.dumps(game))):
        assert other.lines() == game.lines()
        assert other.position == game.position
        other.apply(other.legal()[0])
        assert len(game.events) == 1


def test_results_are_frozen_hashable_and_pickle() -> None:
    game = dealt()
    refused = game.apply({"do": "discard", "by": 1, "tile": "5-5"})
    for value in (
        game.position,
        game.seen_by(0),
        game.legal()[0],
        refused,
        game.rules,
        game.table,
        game.header,
    ):
        assert pickle.loads(pickle.dumps(value)) == value
        assert hash(value) == hash(pickle.loads(pickle.dumps(value)))
        assert len(repr(value)) < 2000
    with pytest.raises(AttributeError):
        game.position.stage = "over"  # type: ignore[misc]
    with pytest.raises(TypeError):
        game.position.zones["hand"] = ()  # type: ignore[index]


def test_a_game_begins_with_its_header() -> None:
    header = {"golpae": 1, "id": 7, "rules": "jjak", "players": ["An", "Bo"], "stake": 3, "note": "final"}
    game = golpae.live(header)
    assert json.loads(game.lines()[0]) == header
    assert (game.players, game.position.stake, game.rules.name) == (("An", "Bo"), 3, "jjak")
    assert golpae.live(json.dumps(header)).header == game.header
    assert game.header["players"] == ("An", "Bo")
    assert golpae.live(header, rules="jjak+relaxed").rules.name == "jjak+relaxed"


def test_a_game_has_the_name_that_it_is_given() -> None:
    table = golpae.load("jjak").at(players=2)
    assert (
        json.loads(table.game(id="table 5").lines()[0])["id"]
        == table.game(id="table 5").header["id"]
        == "table 5"
    )
    assert "id" not in table.game().header
    with pytest.raises(TypeError, match="`id` is a text or a whole number"):
        table.game(id=1.5)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("header", "kind", "message"),
    [
        (
            {"golpae": 1, "rules": "jjak", "players": ["An"]},
            golpae.TableError,
            "is for 2 to 4 players, not for 1",
        ),
        ({"golpae": 1, "rules": "jjk", "players": ["An", "Bo"]}, golpae.RulesError, "no rules called `jjk`"),
        ({"golpae": 2, "rules": "jjak", "players": ["An", "Bo"]}, golpae.TraceError, "format `2` is unknown"),
        ({"rules": "jjak"}, golpae.TraceError, "a header begins with `golpae`"),
        ("{", golpae.TraceError, "not JSON"),
        (
            {"golpae": 1, "rules": "jjak", "players": ["An", "Bo"], "options": {"x": 1}},
            golpae.TableError,
            "no option",
        ),
    ],
)
def test_a_wrong_header_is_an_exception(header: object, kind: type[golpae.GolpaeError], message: str) -> None:
    with pytest.raises(kind, match=message):
        golpae.live(header)  # type: ignore[arg-type]


def test_no_deal_can_be_made_in_the_middle_of_a_hand() -> None:
    found = dealt().deal(1)
    assert isinstance(found, golpae.Refused)
    assert found.message == "no deal can be made now"
    table = jjak().game()
    assert "with seat 9 first" in str(table.deal(1, first=9))
    assert table.deal(1, first=1)
    assert table.events[0].to_dict()["first"] == 1
    with pytest.raises(ValueError, match="a seed"):
        table.deal(-1)


def test_seats_that_there_are_not_are_index_errors() -> None:
    game = dealt()
    for call in (game.seen_by, game.event_seen_by, game.legal):
        with pytest.raises(IndexError, match="there is no seat 2"):
            call(2)


def test_many_threads_play_at_one_table() -> None:
    with ThreadPoolExecutor(4) as pool:
        games = list(pool.map(lambda seed: play(jjak().game(), seed).lines(), [1, 2, 3, 4] * 2))
    assert games[:4] == games[4:]
    assert games[0] == play(jjak().game(), 1).lines()


def first(turn: golpae.Turn) -> int | None:
    """Take the first choice."""
    assert turn.zones["hand"][1 - turn.seat][0] == "?"
    return 0


def test_a_policy_chooses_for_a_seat() -> None:
    game = dealt()
    before = game.position
    for policy in ("random", "greedy", "towards", first):
        chosen = game.choose(0, policy)
        assert chosen in game.legal(0)
        assert chosen == game.choose(0, policy, seed=1)
    assert game.choose(1, "greedy") is None
    assert game.position == before
    greedy = game.choose(0, "greedy")
    assert greedy is not None
    assert game.apply(greedy)


def test_policies_that_there_are_not_choose_nothing() -> None:
    game = dealt()
    with pytest.raises(golpae.PolicyError, match="there is no policy `gredy`"):
        game.choose(0, "gredy")
    with pytest.raises(golpae.PolicyError, match="it has to return a number"):
        game.choose(0, lambda turn: 99)
    with pytest.raises(TypeError, match="a name or a function, not int"):
        game.choose(0, 5)  # type: ignore[arg-type]


def test_choices_name_no_tile_that_the_seat_has_not_seen() -> None:
    game = dealt()
    assert game.apply({"do": "lay", "by": 0, "tiles": ["6-6", "6-6"]})
    assert game.choices(1) == ()
    while game.choices(0):
        game.apply(game.choices(0)[-1].events[0])
    [draw] = [choice for choice in game.choices(1) if choice.do == "draw"]
    assert (json.loads(draw.line)["tile"], str(draw)) == ("?", "Bo: draw a tile")
    assert len(draw.events) == len(draw.weights) == len({event.line for event in draw.events}) > 1
    assert set(draw.events) <= set(game.legal(1))
    assert game.apply(draw.events[0])
    assert sum(len(choice.events) for choice in game.choices(1)) == len(game.legal(1))


def test_a_long_game_keeps_few_states_and_goes_back_to_any() -> None:
    game = golpae.load("three-dozen").at().game()
    chance, positions = random.Random(2), [game.position]
    while len(game.events) < 90:
        assert game.deal(2) if game.dealers else game.apply(chance.choice(game.legal()))
        positions.append(game.position)
    assert len(game._history._kept) < 40
    told = [game.event_seen_by(0, number) for number in range(90)]
    again = pickle.loads(pickle.dumps(game))
    assert told == [again.event_seen_by(0, number) for number in range(90)]
    for number in (88, 64, 63, 40, 1, 0):
        game.undo(len(game.events) - number)
        assert (game.position, len(game.events)) == (positions[number], number)


@pytest.mark.parametrize("rules", ["jjak", "korean-mahjong"])
def test_what_a_seat_sees_does_not_depend_on_when_it_looked(rules: str) -> None:
    game, chance = golpae.load(rules).at().game(), random.Random(5)
    game.deal(5)
    while not game.over and len(game.events) < 40:
        game.apply(chance.choice(game.legal()))
        assert game.seen_by(1) == game.copy().seen_by(1)


def test_one_game_is_looked_at_while_it_goes_on() -> None:
    game = jjak().game()
    over = threading.Event()

    def look() -> int:
        looks = 0
        while not over.is_set():
            assert game.stage
            assert len(game.totals) == len(game.seen_by(1).zones["hand"]) == 2
            looks += 1
        return looks

    with ThreadPoolExecutor(2) as pool:
        looking = [pool.submit(look) for _ in range(2)]
        for seed in range(3):
            play(game, seed, 30)
            game.undo(len(game.events))
        over.set()
        assert all(one.result() for one in looking)


def test_a_ruling_lets_an_event_stand(tmp_path: Path) -> None:
    header = {"golpae": 1, "rules": "jjak", "players": ["An", "Bo"], "id": "table 5"}
    game = golpae.live(header)
    hands = [["6-6", "6-6", "5-4", "6-3", "4-2", "2-1"], ["5-5", "5-5", "5-1", "4-4", "1-1"]]
    assert game.apply({"do": "deal", "first": 0, "hands": hands})
    early = {"do": "lay", "by": 1, "tiles": ["5-5", "5-5"]}
    turn, reason = "jjak.lay.turn", "nobody noticed in time"
    refused = game.apply(early)
    assert isinstance(refused, golpae.Refused)
    still = game.apply(early, {"jjak.lay.held": reason})
    assert (bool(still), still) == (False, refused)  # the ruling is on another clause
    accepted = game.apply(early, {turn: reason})
    assert isinstance(accepted, golpae.Accepted)
    [ruled] = accepted.rulings
    assert (ruled.event, ruled.at, ruled.clause, ruled.reason) == (2, 3, turn, reason)
    assert ruled.message == refused.message
    right = {"do": "lay", "by": 0, "tiles": ["6-6", "6-6"]}
    with pytest.raises(golpae.TraceError, match="nothing needs this ruling"):
        game.apply(right, {turn: reason})
    assert len(game.events) == 2
    for wrong, kind in (({turn: " "}, ValueError), ({turn: 5}, TypeError)):
        with pytest.raises(kind):
            game.apply(early, wrong)  # type: ignore[arg-type]
    assert game.apply(right)
    again = pickle.loads(pickle.dumps(game))
    for one in (game, game.copy(), again):
        assert one.rulings == (ruled,)
        assert one.seen_by(1) == game.seen_by(1)
        assert one.checked().rulings == (ruled,)
    rulings = tmp_path / "rulings.jsonl"
    rulings.write_text("\n".join(one.line("table 5") for one in game.rulings), "utf-8")
    found = golpae.check(game.lines(), rulings=rulings)
    assert (found.verdict, found.rulings) == (game.checked().verdict, game.rulings)
    game.undo(2)
    assert game.rulings == ()
    assert not game.apply(early)


def test_a_long_game_with_a_ruling_is_seen_by_a_seat_as_it_was() -> None:
    game = golpae.load("jjak").at(2).game()
    assert game.deal(seed=3)
    [out_of_turn] = [seat for seat in (0, 1) if not game.legal(seat)]
    discard = {"do": "discard", "by": out_of_turn, "tile": game.position.zones["hand"][out_of_turn][0]}
    refused = game.apply(discard)
    reasons: dict[str, str] = {}
    while isinstance(refused, golpae.Refused):
        reasons[str(refused.clause)] = "agreed"
        refused = game.apply(discard, reasons)
    chance = random.Random(1)
    while not game.over and len(game.events) < 60:
        game.apply(chance.choice(game.legal()))
    assert len(game.events) > 40
    other = pickle.loads(pickle.dumps(game))
    assert [other.event_seen_by(0, n) for n in range(40)] == [game.event_seen_by(0, n) for n in range(40)]
    assert other.rulings == game.rulings != ()
    game.undo(len(game.events) - 5)
    assert game.position == game.copy().position


LONG = "x" * (1 << 20)
DEEP = json.loads("[" * 99 + "]" * 99)
GROWS = f"[{','.join(['9e9'] * 200_000)}]"  # 0.8 MB as given, and 2.6 MB as golpae writes it


@pytest.mark.parametrize(
    ("given", "fault"),
    [
        ({"stake": 10**1000}, "a number of more than 1000 digits"),
        ({"stake": 10**5000}, "a number of more than 1000 digits"),
        ({"id": -(10**1000)}, "a number of more than 1000 digits"),
        ({"id": 10**5000}, "a number of more than 1000 digits"),
        ({"id": LONG}, "this line is longer than 1 MiB"),
        ({"players": [LONG, "Bo"]}, "this line is longer than 1 MiB"),
        ({"players": ["x" * 600_000, "y" * 600_000]}, "this line is longer than 1 MiB"),
        ({"players": ["An", "\ud800"]}, "half of a surrogate pair in a text"),
        ({"id": "\udfff"}, "half of a surrogate pair in a text"),
    ],
    ids=lambda value: str(value)[:40] if isinstance(value, str) else "-".join(value),
)
def test_a_game_that_no_trace_can_hold_is_not_begun(given: dict[str, Any], fault: str) -> None:
    table = golpae.load("jjak").at(2)
    with pytest.raises(golpae.TraceError) as raised:
        table.game(**given)
    assert raised.value.message == f"the header cannot be a line of a trace: {fault}"


def test_a_header_that_grows_as_it_is_written_is_refused() -> None:
    header = f'{{"golpae":1,"rules":"jjak","players":["An","Bo"],"note":{GROWS}}}'
    with pytest.raises(golpae.TraceError, match="longer than 1 MiB"):
        golpae.live(header)


@pytest.mark.parametrize(
    "key", [f'"note":{GROWS}', f'"time":"{LONG}"', f'"note":{10**1000}', f'"note":{json.dumps([DEEP])}']
)
def test_an_event_that_no_trace_can_hold_is_refused(key: str) -> None:
    game = golpae.load("jjak").at(2).game()
    assert game.deal(1)
    before = game.lines()
    refused = game.apply(f"{game.legal()[0].line[:-1]},{key}}}")
    assert isinstance(refused, golpae.Refused)
    assert refused.malformed
    assert game.lines() == before
    refused = game.apply({**game.legal()[0].to_dict(), "note": 10**5000})
    assert str(refused) == "a number of more than 1000 digits"


@pytest.mark.parametrize(
    "given", [{"stake": 10**999}, {"players": ["x" * 1_000_000, "Bo"]}, {"id": "x" * 1_000_000}]
)
def test_the_largest_game_that_is_begun_is_one_for_check(given: dict[str, Any]) -> None:
    game = golpae.load("jjak").at(2).game(**given)
    assert game.deal(1)
    assert game.apply({**game.legal()[0].to_dict(), "note": DEEP[0], "time": 10**999})
    assert golpae.check("\n".join(game.lines())).verdict is golpae.Verdict.INCOMPLETE


def test_numbers_that_python_does_not_print_get_a_message() -> None:
    rules, many = golpae.load("three-dozen"), 10**5000
    game = rules.at(2).game()
    for call in (
        lambda: rules.at(many),
        lambda: rules.at(2, options={"double": many}),
        lambda: rules.at(2).game(stake=-many),
        lambda: game.deal(many),
        lambda: game.seen_by(many),
    ):
        with pytest.raises((golpae.TableError, ValueError, IndexError), match=r"digits"):
            call()


def test_a_ruling_that_no_file_can_hold_is_refused() -> None:
    game = golpae.load("jjak").at(2).game()
    with pytest.raises(ValueError, match="longer than 1 MiB"):
        game.apply({"do": "lay"}, {"jjak.lay.pair": LONG})


def test_a_hand_lies_open_from_a_moment_on() -> None:
    text = Path(__file__).parents[1] / "kernel" / "texts" / "open-hands.golpae"
    game = golpae.load(text).at(players=4).game()
    assert game.deal(2)
    first, right, across, left = ((3 + step) % 4 for step in range(4))

    def sees(seat: int) -> set[int]:
        """Return whose hands a seat sees."""
        return {owner for owner, hand in enumerate(game.seen_by(seat).zones["hand"]) if "?" not in hand}

    def sees_the_pile() -> set[int]:
        return {seat for seat in range(4) if "?" not in game.seen_by(seat).zones["pile"]}

    told = game.event_seen_by(first, 0).to_dict()["hands"]
    assert {owner for owner, hand in enumerate(told) if "?" not in hand} == {first, across}
    assert (sees(first), sees(right)) == ({first, across}, {right, left})
    assert sees_the_pile() == {first}  # the dealer
    held = game.position.zones["hand"]
    assert game.apply({"do": "lay", "by": first, "tile": held[first][0], "owner": first})
    assert (sees(first), sees(right)) == ({first, right, across}, {right, left})  # an open hand
    assert game.apply({"do": "lay", "by": right, "tile": held[right][0], "owner": right})
    assert game.apply({"do": "lay", "by": across, "tile": held[across][0], "owner": across})
    assert game.apply({"do": "lay", "by": left, "tile": held[right][1], "owner": right})  # of the open hand
    assert sees(first) == {first, right}  # partners see each other only while cards are laid
    assert sees_the_pile() == {0, 1, 2, 3}


def test_others_see_a_hand_that_its_owner_does_not(tmp_path: Path) -> None:
    text = Path(__file__).parents[1] / "kernel" / "texts" / "seen-by-others.golpae"
    game = golpae.load(text).at(players=3).game()
    assert game.deal(2)
    hands = [game.seen_by(seat).zones["hand"] for seat in range(3)]
    for owner in range(3):
        held = game.position.zones["hand"][owner]
        assert hands[owner][owner] == ("?", "?")
        assert all(hands[seat][owner] == held for seat in range(3) if seat != owner)
        told = game.event_seen_by(owner, 0).to_dict()["hands"]
        assert [hand == ["?", "?"] for hand in told] == [seat == owner for seat in range(3)]
