"""Playthroughs of OpenSpiel: what is told of them, what they list, and what the rules say of it.

The files in `openspiel` were written by `python tests/engines/playthroughs.py`.
"""

from __future__ import annotations

import json
import os
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO, cast

import pytest

from golpae.cli.main import main
from golpae.logs.installed import adapter_of
from golpae.logs.openspiel.adapter import OpenSpiel
from golpae.logs.openspiel.gin import MELDS
from golpae.logs.openspiel.melds import best, count, is_meld, melds_of, onto
from golpae.testing.adapters import check_adapter
from golpae.trace.log_text import Place, Reading

FOLDER = Path(__file__).parent / "openspiel"
FILES = sorted(FOLDER.glob("*.txt"))


def log(name: str) -> bytes:
    return (FOLDER / f"{name}.txt").read_bytes()


def readings(data: bytes) -> list[Reading]:
    return [game.first for game in OpenSpiel().text(cast("BinaryIO", BytesIO(data)), "log").games]


def events(reading: Reading) -> list[dict[str, Any]]:
    return [json.loads(line) for line in reading.lines]


def told(reading: Reading) -> list[str]:
    """Return the events behind the deal, in short."""
    values = [[str(value) for key, value in event.items() if key != "do"] for event in events(reading)[2:]]
    return [" ".join((event["do"], *own)) for event, own in zip(events(reading)[2:], values, strict=True)]


def test_a_knock_that_is_told_in_steps_becomes_one_event() -> None:
    first, second = readings(log("gin"))
    header, deal, *_ = events(first)
    assert header["rules"].startswith("gin-rummy+")
    assert (deal["first"], len(deal["hands"][0]), deal["discards"]) == (0, 10, ["9D"])
    assert told(first)[-5:] == [
        "knock 0 KH [['5D', '6D', '7D', '8D'], ['10S', '10D', '10H']]",
        "lay-off 1 10C 10S",
        "lay-off 1 4D 5D",
        "answer 1 []",
        "end 0 [44, 0]",
    ]
    assert told(second)[-2:] == ["answer 0 [['9S', '9C', '9H'], ['4S', '4C', '4D']]", "end 1 [0, 23]"]
    # each step has a list of its own
    knock = events(first).index(next(event for event in events(first) if event.get("do") == "knock"))
    steps = [one for one in first.listings if one.after == knock - 1]
    assert [choice.words for choice in steps[-1].legal] == ["`Pass`"]
    assert len(steps) == 5


def test_a_player_who_is_passed_over_passes() -> None:
    first, second = readings(log("dominoes"))
    assert told(first)[-4:-2] == ["play 0 4-3 to-the-left", "pass 1"]
    assert told(second)[-3:] == ["pass 0", "pass 1", "end 0 [20, 0]"]
    assert told(second)[:5:2] == [
        "play 0 1-0 to-the-left",
        "play 0 5-1 to-the-left",
        "play 0 0-0 to-the-right",
    ]
    assert first.places[0] == Place(1)
    assert second.places[0] == Place(192)


def test_a_board_of_bridge() -> None:
    (board,) = readings(log("bridge"))
    *_, declarer = (event["by"] for event in events(board) if event.get("do") == "bid")
    played = [event["by"] for event in events(board) if event.get("do") == "play"]
    assert len(played) == 52
    assert (declarer + 2) % 4 not in played  # the declarer plays the cards of dummy


def test_an_auction_without_play_ends_with_the_tricks_of_double_dummy() -> None:
    (board,) = readings(log("auction"))
    assert (events(board)[1]["first"], events(board)[1]["vulnerable"]) == (2, "north-south")
    assert told(board)[-2:] == ["claim 12", "end None [-100, 100, -100, 100]"]


def test_a_hand_of_hearts() -> None:
    (hand,) = readings(log("hearts"))
    assert events(hand)[0]["rules"] == "hearts+any-direction+queen-breaks+jack-of-diamonds"
    assert events(hand)[1]["passing"] == "across"
    assert told(hand)[:5] == [
        "pass 0 ['5S', '2C', '9H']",
        "pass 1 ['10H', '4H', '6S']",
        "pass 2 ['4C', '2S', '6D']",
        "pass 3 ['7S', '10S', 'KC']",
        "play 2 2C",  # who has got it
    ]
    assert told(hand)[-1] == "end None [0, -12, -4, 0]"


def test_a_hand_of_spades() -> None:
    (hand,) = readings(log("spades"))
    assert told(hand)[:5] == ["bid 0 13", "bid 1 7", "bid 2 0", "bid 3 6", "play 0 AD"]
    assert told(hand)[-1] == "end None [-230, -130, -230, -130]"


@pytest.mark.parametrize(
    ("name", "old", "new", "fault", "line"),
    [
        ("spades", "game: spades", "game: go", "does not read playthroughs of `go`, but of `bridge`", 1),
        ("spades", "game: spades", "play: spades", "a playthrough begins with a line such as", 1),
        (
            "spades",
            "action: 29",
            "action: 38",
            "the action is called `H5`, but its number 38 means `HA`",
            249,
        ),
        ("spades", "action: 29", "action: 99", "`99` is no action of spades here", 249),
        ("spades", "action: 29", "action: 2 9", "`2 9` is no number of an action or a player", 250),
        ("spades", '# Apply action "H5"', "# Apply H5", "an action is applied with a line such as", 249),
        (
            "spades",
            'action "HA"\naction: 38',
            'action "H5"\naction: 29',
            "`H5` cannot come by chance here",
            254,
        ),
        (
            "spades",
            '"H3", "H5"]',
            '"H5", "H3"]',
            "legal actions in words are others than those in numbers",
            316,
        ),
        ("spades", "CurrentPlayer() = 2", "CurrentPlayer() = 3", "it is South that acts here, not West", 281),
        (
            "spades",
            "CurrentPlayer() = -4",
            "CurrentPlayer() = -4\nHistory() = [1]",
            "the history says something",
            595,
        ),
        (
            "spades",
            "[-230, -130, -230, -130]",
            "[-230, -130, -230]",
            "does not say what each player gets",
            592,
        ),
        ("spades", "[-230, -130, -230, -130]", "[-230, x]", "`[-230, x]` is no list of whole numbers", 595),
        (
            "gin",
            "hand_size=10",
            "hand_size=7",
            "with `hand_size=7`",
            1,
        ),
        (
            "gin",
            "knock_card=10",
            "knock_card=20",
            "`knock_card=20`",
            1,
        ),
        (
            "gin",
            "= {gin_bonus",
            "= [[[[{gin_bonus",
            "are no parameters of a game",
            5,
        ),
        ("auction", "# Declarer tricks: 12\n", "", "does not say how many tricks the declarer makes", 410),
    ],
)
def test_a_spoilt_playthrough_says_where(name: str, old: str, new: str, fault: str, line: int) -> None:
    text = log(name).decode()
    assert old in text
    first, *_ = readings(text.replace(old, new, 1).encode())
    assert fault in str(first.fault)
    assert first.places[-1] == Place(line)


def test_long_lines_and_deep_lists_hurt_nothing() -> None:
    deep = b"game: spades\n# State 0\nLegalActions() = " + b"[" * 1_000_000
    (hand,) = readings(deep)
    assert str(hand.fault).endswith("is no list of whole numbers")
    (hand,) = readings(b"game: spades\n# State 0\nLegalActions() = [" + b"1, " * 300_000 + b"1]")
    assert hand.fault is None
    (hand,) = readings(b"game: spades\n" + b"x" * 1_000_000)
    assert hand.fault is None


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_spoilt_playthroughs_are_met_with_words(file: Path) -> None:
    found = adapter_of(str(file))
    assert found is not None
    assert found.name == "openspiel"
    check_adapter(found, [file.read_bytes()], spoilt=60)


def test_melds_of_gin() -> None:
    assert len(MELDS) == len({*MELDS}) == 185
    assert all(map(is_meld, MELDS))
    hand = frozenset({0, 1, 2, 3, 13, 26, 39})  # ace to four of spades, and the other aces
    assert count(hand) == 13
    assert len(melds_of(hand)) == 3 + 1 + 4
    assert sum(map(len, best(hand))) == 7  # the ace of spades goes with the run or the aces
    assert onto(4, [frozenset({0, 13, 26}), frozenset({1, 2, 3})]) == 1
    assert onto(0, [frozenset({13, 26, 39}), frozenset({1, 2, 3})]) == 1  # a run comes first
    assert onto(8, [frozenset({1, 2, 3})]) is None


def check(capsys: pytest.CaptureFixture[str], *files: Path) -> list[dict[str, Any]]:
    main(["check", "--format", "json", *map(str, files)])
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_rules_agree_with_each_state(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    verdicts = check(capsys, file)
    assert [(one["verdict"], one["message"]) for one in verdicts] == [("legal", None)] * len(verdicts)
    assert verdicts


@pytest.mark.skipif("GOLPAE_LOGS" not in os.environ, reason="GOLPAE_LOGS names no folder of recorded games")
def test_playthroughs_that_others_recorded(capsys: pytest.CaptureFixture[str]) -> None:
    files = sorted(Path(os.environ["GOLPAE_LOGS"], "openspiel").glob("*.txt"))
    verdicts = check(capsys, *files)
    assert [(one["verdict"], one["message"]) for one in verdicts] == [("legal", None)] * len(verdicts)
    assert verdicts


def test_a_folder_of_playthroughs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "hand.txt").write_bytes(log("gin"))
    (tmp_path / "notes.txt").write_text("a fine evening")
    assert [one["verdict"] for one in check(capsys, tmp_path)] == ["legal"] * 2


def test_a_named_format_leaves_other_files_of_a_folder_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "hand.txt").write_bytes(log("gin"))
    for name in ("a.txt", "b.jsonl", "c.txt", "d.txt"):
        (tmp_path / name).write_text("a fine evening")
    call = ["check", "--format", "json", "--from", "openspiel"]
    assert main([*call, str(tmp_path)]) == 0
    told = capsys.readouterr()
    assert [json.loads(line)["verdict"] for line in told.out.splitlines()] == ["legal"] * 2
    words = (
        "golpae: `a.txt`, `b.jsonl`, `c.txt` and 1 more file do not begin as logs of format `openspiel` do"
    )
    assert told.err.startswith(f"{words}, and were left alone\n")
    assert main([*call, str(tmp_path / "a.txt")]) != 0  # it is named itself
    assert json.loads(capsys.readouterr().out)["verdict"] == "malformed"


def test_what_is_listed_wrongly_is_told_at_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = log("gin").decode()
    file = tmp_path / "hand.txt"

    def verdict(old: str, new: str, found: str, replaced: str) -> tuple[int, str]:
        assert old in text
        assert found in text
        file.write_text(text.replace(old, new, 1).replace(found, replaced, 1))
        one, _ = check(capsys, file)
        assert one["verdict"] == "illegal"
        return one["at"], one["message"]

    place, words = verdict(
        "LegalActions() = [52, 54]",
        "LegalActions() = [52]",
        '["Player: 0 Action: Draw upcard", "Player: 0 Action: Pass"]',
        '["Player: 0 Action: Draw upcard"]',
    )
    assert words == "by the rules `pass` of P0 is legal here, but the log does not list it"
    assert place == 116

    # what the rules say comes before what the log says of itself
    place, words = verdict("LegalActions() = [52, 54]", "LegalActions() = [52]", "", "")
    assert (place, words) == (116, "by the rules `pass` of P0 is legal here, but the log does not list it")
