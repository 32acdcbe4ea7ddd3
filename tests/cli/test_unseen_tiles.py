"""What verbs say of games with tiles that nobody saw."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

import golpae as library
from golpae.hidden import decide
from golpae.hidden.following import OutOfEffort
from tests.cli.conftest import Golpae
from tests.cli.table import EVENTS, HEADER, LEGAL, OUT_OF_TURN, TAKE, text, write

DEAL = {**EVENTS[0], "hands": [2, ["3-3", "4-4"]]}
UNSEEN: tuple[dict[str, Any], ...] = (HEADER, DEAL, *EVENTS[1:])
WRONG = (HEADER, DEAL, EVENTS[1], {"do": "put", "by": 1, "tile": "6-6"}, *EVENTS[3:])
WORDS = "some tiles are unknown: this is about one of the games that agree with what is recorded"
HERE = ("--spec-path", "rules")
RULING = {"trace": "t", "event": 2, "clause": "put.put.turn", "reason": "An had left the table"}
ONE: tuple[dict[str, Any], ...] = (
    {**HEADER, "rules": "one"},
    {"do": "deal", "first": 0, "hands": [[], []]},
    {"do": "take", "by": 0, "tile": "1b"},
    {"do": "take", "by": 1, "tile": "1b"},
    {"do": "end", "winner": None, "pay": [0, 0]},
)
ONE_UNSEEN = (*ONE[:2], {**ONE[2], "tile": "?"})


def ruled(golpae: Golpae, *words: str) -> Any:
    return golpae("check", "a.jsonl", "--rulings", "rulings.jsonl", "--format", "json", *words)


def test_a_verdict_on_a_refused_game_cites_the_lines_up_to_the_event(golpae: Golpae) -> None:
    broken = (
        HEADER,
        DEAL,
        EVENTS[1],
        {"do": "put", "by": 1},
        {"do": "put", "by": 0, "tile": "9-9"},
        EVENTS[3],
    )
    for game, event in ((WRONG, 3), (broken, 4)):
        write("a.jsonl", *game, *LEGAL)
        found, _ = golpae("check", "a.jsonl", "--format", "json").json
        lines = text(*game[: event + 1]).encode()
        assert (found["event"], found["trace_hash"]) == (event, hashlib.sha256(lines).hexdigest())


def test_a_verdict_from_a_seat_cites_the_recorded_lines_that_it_is_about(golpae: Golpae) -> None:
    never = {**EVENTS[1], "tile": "5-5"}  # An never had it; Bo cannot know
    games = (HEADER, EVENTS[0], never, *EVENTS[2:]), (HEADER, EVENTS[0], never, never), LEGAL
    write("a.jsonl", *(line for game in games for line in game))
    found = golpae("check", "a.jsonl", "--seat", "Bo", "--format", "json").json
    assert [one["event"] for one in found] == [None, 3, None]
    for game, one in zip(games, found, strict=True):
        assert one["trace_hash"] == hashlib.sha256(text(*game).encode()).hexdigest()


def test_completed_games_have_the_rules_of_the_call(golpae: Golpae) -> None:
    for pay, of_pay in ((1, "put"), (2, "put+plus0")):
        end = {**EVENTS[-1], "pay": [pay, -pay]}
        write("a.jsonl", *UNSEEN[:-1], end)
        done = golpae("check", "a.jsonl", "--rules", of_pay, "--complete-with", "b.jsonl")
        assert (done.status, done.err) == (0, "")
        assert golpae("check", "b.jsonl").out == "1 trace: 1 legal\n"


def test_games_that_stand_by_rulings_are_not_among_completed_ones(golpae: Golpae) -> None:
    write("rulings.jsonl", RULING)
    for events in (OUT_OF_TURN, OUT_OF_TURN[:4]):
        write("a.jsonl", *events, *LEGAL)
        done = ruled(golpae, "--complete-with", "b.jsonl")
        assert done.status == 0
        assert golpae("check", "b.jsonl", "--verbose").out == "b.jsonl:1  legal\n1 trace: 1 legal\n"


def test_a_ruling_reaches_an_event_behind_an_unknown_tile(golpae: Golpae) -> None:
    header, _, *events = OUT_OF_TURN
    write("a.jsonl", header, {**DEAL, "hands": [["1-1", "2-2"], ["?", "4-4"]]}, *events)
    write("rulings.jsonl", RULING)
    done = ruled(golpae)
    assert (done.status, done.err) == (0, "")
    (found,) = done.json
    assert found["verdict"] == "legal by ruling"
    assert found["completion"][0]["hands"] == [["1-1", "2-2"], ["3-3", "4-4"]]
    (ruling,) = found["rulings"]
    assert [ruling[key] for key in ("event", "at", "clause")] == [2, 3, "put.put.turn"]
    lines = text(header, {**DEAL, "hands": [["1-1", "2-2"], ["?", "4-4"]]}, events[0]).encode()
    write("rulings.jsonl", {**RULING, "trace": hashlib.sha256(lines).hexdigest()})
    assert ruled(golpae).json[0]["verdict"] == "legal by ruling"


def test_a_ruling_makes_no_tile_behind_an_unknown_one(golpae: Golpae) -> None:
    write("a.jsonl", {**HEADER, "id": "t"}, *WRONG[1:])
    write("rulings.jsonl", {**RULING, "event": 3, "clause": "put.put.held"})
    done = ruled(golpae)
    assert done.status == 1
    (found,) = done.json
    assert (found["verdict"], found["event"]) == ("illegal", 3)
    write("rulings.jsonl", {**RULING, "event": 1, "clause": "put.deal.hands"})
    hands = {**DEAL, "hands": [["1-1", "?"], ["3-3"]]}
    write("a.jsonl", {**HEADER, "id": "t"}, hands, *EVENTS[1:])
    done = ruled(golpae)
    assert (done.json[0]["verdict"], done.json[0]["event"]) == ("illegal", 1)


def test_what_can_follow_is_told_of_one_of_the_games_that_agree(golpae: Golpae) -> None:
    words = f"golpae: {WORDS}\n"
    write("a.jsonl", *UNSEEN[:2], {**EVENTS[1], "tile": "?"})
    done = golpae("legal", "a.jsonl")
    assert (done.status, done.err, done.out) == (0, words, "Bo: put 3-3\nBo: put 4-4\n")
    done = golpae("perft", "put", "a.jsonl", "2", "--format", "json", *HERE)
    assert done.status == 0
    assert done.err.startswith(words)
    assert done.json == [
        {"depth": 1, "games": 2, "compiled": True},
        {"depth": 2, "games": 2, "compiled": True},
    ]
    done = golpae("legal", "a.jsonl", "--format", "json")
    assert (done.err, len(done.json)) == (words, 2)


def test_what_would_have_been_legal_is_told_at_the_event_that_is_refused(golpae: Golpae) -> None:
    write("a.jsonl", *WRONG)
    done = golpae("legal", "a.jsonl")
    assert (done.status, done.out) == (1, "Bo: put 3-3\nBo: put 4-4\n")
    assert "help: the listed events are legal at line 4" in done.err
    viewed = golpae("check", "--view", "a.jsonl")
    assert viewed.status == 1
    hands = [line.split()[2:] for line in viewed.out.splitlines() if line.split()[0] == "hand"]
    assert hands[1] == ["3-3", "4-4"]
    assert len(hands[0]) == 1
    assert f"  {WORDS}" in viewed.out


def test_nothing_is_told_of_a_game_that_is_undecided(golpae: Golpae, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decide, "_completed", lambda *args: OutOfEffort(2))
    write("a.jsonl", *UNSEEN)
    checked = golpae("check", "a.jsonl", "--format", "json")
    assert (checked.status, checked.verdicts, checked.json[0]["at"]) == (3, ["unknown"], 3)
    for words in (("legal", "a.jsonl"), ("perft", "put", "a.jsonl", "1", *HERE)):
        done = golpae(*words)
        assert (done.status, done.out) == (3, "")
        assert done.err.startswith(
            "golpae: a.jsonl:3: unknown: whether some tiles make this event legal takes"
        )
    done = golpae("check", "a.jsonl", "--format", "github")
    assert done.status == 3
    assert done.out.startswith("::warning file=a.jsonl,line=3,title=unknown%3A undecided-game::whether some")


def test_who_needs_all_tiles_says_that_some_are_unknown(golpae: Golpae) -> None:
    write("a.jsonl", *UNSEEN)
    for words, status, told in (
        (("attribute", "a.jsonl"), 3, "1 trace left out: some tiles are unknown, because nobody saw them\n"),
        (("audit", "a.jsonl"), 3, "1 game counts only up to a tile that nobody saw\n"),
        (("coverage", "a.jsonl"), 0, "\n1 game counts only up to a tile that nobody saw\n"),
        (
            ("find", "put", "after end: yes", "a.jsonl"),
            3,
            "1 asked only up to a tile that nobody saw; `golpae ",
        ),
        (("find", "put", "pile = {}", "a.jsonl"), 3, "0 positions in 0 of 1 game, 1 file\n"),
        (
            ("compare", "put", "put+plus0", "--traces", "a.jsonl"),
            3,
            "1 game left out: some tiles are unknown",
        ),
    ):
        done = golpae(*words, *HERE)
        assert done.status == status, words
        assert told in done.out + done.err
        assert "malformed" not in done.out + done.err


def test_mutants_are_tried_on_games_up_to_an_unknown_tile(golpae: Golpae, here: Path) -> None:
    (here / "rules" / "one.golpae").write_text(TAKE)
    write("a.jsonl", *ONE_UNSEEN, *ONE[:2])
    done = golpae("mutate", "one", "--traces", "a.jsonl", "--jobs", "1", *HERE)
    assert (done.status, done.err) == (1, "golpae: 1 game counts only up to a tile that nobody saw\n")


def test_counts_of_games_tell_those_with_unknown_tiles_apart(golpae: Golpae, here: Path) -> None:
    (here / "rules" / "one.golpae").write_text(TAKE)
    write("a.jsonl", *ONE_UNSEEN, *ONE)
    one, _, answer = golpae("attribute", "a.jsonl", "--format", "json", *HERE).json
    assert [one[key] for key in ("verdict", "event", "at")] == ["unknown", 2, 3]
    assert [answer[key] for key in ("traces", "legal", "malformed", "unseen")] == [1, 1, 0, 1]
    done = golpae(
        "compare", "one", "one", "--traces", "a.jsonl", "--expect", "same", "--format", "json", *HERE
    )
    found = json.loads(done.out)
    assert [found[key] for key in ("games", "same", "unseen", "status")] == [1, 1, 1, 3]
    found = json.loads(golpae("coverage", "a.jsonl", "--format", "json", *HERE).out)
    assert found["games"][0]["traces"] == {"legal": 1, "unknown": 1}


def test_findings_for_continuous_integration_name_the_clause(golpae: Golpae) -> None:
    write("a.jsonl", *WRONG)
    done = golpae("check", "a.jsonl", "--format", "github")
    assert done.status == 1
    assert done.out.startswith("::error file=a.jsonl,line=4,title=illegal%3A put.put.held::no tiles")


def test_the_library_says_which_games_have_unknown_tiles(golpae: Golpae, here: Path) -> None:
    (here / "rules" / "one.golpae").write_text(TAKE)
    write("a.jsonl", *ONE_UNSEEN, *ONE)
    unseen, whole = library.recorded_games("a.jsonl")
    (accepted, _), (refused, _) = unseen.steps(spec_path="rules")
    assert accepted
    assert not refused
    assert str(refused) == "a tile is unknown here: nobody saw it; a live game needs all tiles"
    assert all(accepted for accepted, _ in whole.steps(spec_path="rules"))
    (attributed,) = library.attribute_games("a.jsonl", spec_path="rules")
    assert (attributed.games, attributed.malformed, attributed.unseen) == (1, 0, 1)
    rules = library.load("one", spec_path="rules")
    compared = library.compare_traces(rules, rules, "a.jsonl")
    assert (compared.games, compared.same, compared.unseen, bool(compared)) == (1, 1, 1, False)
