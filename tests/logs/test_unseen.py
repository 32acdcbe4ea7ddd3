"""Logs that hide tiles: mjai as a player saw a match, and boards of bridge whose hands or cards nobody recorded."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from golpae.cli.main import main
from golpae.logs.lin import Lin
from golpae.logs.mjai import Mjai
from golpae.logs.pbn import Pbn
from golpae.testing.adapters import check_adapter
from golpae.trace.log_text import Place
from tests.logs.boards import LIN, PBN, events, reading, told
from tests.logs.views import seen_from

HANDS = (
    "1m 2m 3m 4p 5p 6p 7s 8s 9s E E S W",
    "1m 2m 3m 4p 5p 6p 7s 8s 9s E E S W",
    "1m 2m 3m 4p 5p 6p 7s 8s 9s N N S W",
    "4m 5m 6m 7p 8p 9p 1s 2s 3s P P F W",
)
MJAI = (
    '{"type":"start_game","names":["An","Bo","Cho","Dae"]}\n'
    '{"type":"start_kyoku","bakaze":"E","dora_marker":"C","kyoku":1,"honba":0,"kyotaku":0,"oya":0,'
    f'"scores":[25000,25000,25000,25000],"tehais":{json.dumps([hand.split() for hand in HANDS])}}}\n'
    '{"type":"tsumo","actor":0,"pai":"F"}\n'
    '{"type":"dahai","actor":0,"pai":"F","tsumogiri":true}\n'
    '{"type":"tsumo","actor":1,"pai":"N"}\n'
    '{"type":"dahai","actor":1,"pai":"W","tsumogiri":false}\n'
    '{"type":"tsumo","actor":2,"pai":"1m"}\n'
    '{"type":"dahai","actor":2,"pai":"1m","tsumogiri":true}\n'
).encode()
DEAL = b'"N:AKQ2.AK2.AK2.AK2 J543.543.543.543 T9876.QJT.QJT.QJ .9876.9876.T9876"'
TWO = PBN.replace(DEAL, b'"N:AKQ2.AK2.AK2.AK2 - T9876.QJT.QJT.QJ -"')
LIN_OWN = LIN.replace(b"3ST9876HQJTDQJTCQJ,SH9876D9876CT9876,", b"3ST9876HQJTDQJTCQJ,,").replace(
    b"SAKQ2HAK2DAK2CAK2,", b","
)


def verdict(log: bytes, ending: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """Return the verdict on the only game of a log."""
    file = tmp_path / f"log{ending}"
    file.write_bytes(log)
    main(["check", "--format", "json", str(file)])
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def played(found: dict[str, Any]) -> list[str]:
    return [event["tile"] for event in found["completion"] if event["do"] == "play"]


# ---------------------------------------------------------------------- mjai


def test_a_draw_is_known_if_it_is_discarded_at_once() -> None:
    log = seen_from(MJAI, 3)
    assert b'"pai": "F"' not in log.splitlines()[2]
    deal, _, *rest = events(Mjai(), log)[1:]
    assert deal["hands"] == [["?"] * 13, ["?"] * 13, ["?"] * 13, HANDS[3].split()]
    assert [event["tile"] for event in rest] == ["F", "F", "?", "W", "1m", "1m"]
    declared = log.replace(
        b'{"type": "dahai", "actor": 2', b'{"type":"reach","actor":2}\n{"type": "dahai", "actor": 2'
    )
    assert [event.get("tile") for event in events(Mjai(), declared)[-3:]] == ["1m", None, "1m"]


def test_a_match_as_each_player_saw_it_can_be_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for seat in (0, 2):
        found = verdict(seen_from(MJAI, seat), ".mjai", tmp_path, capsys)
        assert (found["verdict"], found["completion"][0]["hands"][seat]) == (
            "incomplete",
            HANDS[seat].split(),
        ), found


def test_a_match_with_a_fifth_copy_is_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    four = MJAI.replace(
        HANDS[0].replace(" ", '", "').encode(),
        b'1m", "1m", "1m", "1m", "5p", "6p", "7s", "8s", "9s", "E", "E", "S", "W',
    )
    assert four != MJAI
    found = verdict(seen_from(four, 0), ".mjai", tmp_path, capsys)
    assert (found["verdict"], found["at"]) == ("illegal", 7), found


# ---------------------------------------------------------------------- boards of bridge


def test_hands_that_are_left_out_are_unknown() -> None:
    assert [type(hand) for hand in events(Pbn(), TWO)[1]["hands"]] == [list, int, list, int]
    assert events(Pbn(), PBN.replace(DEAL, b'"?"'))[1]["hands"] == [13] * 4
    hands = events(Lin(), LIN_OWN)[1]["hands"]
    assert (hands[0], hands[1], len(hands[2]), hands[3]) == (13, 13, 13, 13)
    assert events(Pbn(), PBN.replace(b"J543.543.543.543", b"-"))[1] == events(Pbn(), PBN)[1]


def test_a_card_that_nobody_saw_is_unknown_and_the_last_ones_are_left_out() -> None:
    hidden = PBN.replace(b"S3 S6 C6 SA", b"-  S6 -  SA")
    assert [*told(Pbn(), hidden)][9:14] == [
        "play 0 AS",
        "play 1 ?",
        "play 0 6S",
        "claim 13",
        "end None 13 1520",
    ]
    assert reading(Pbn(), hidden).places[12] == Place(21, 1)


@pytest.mark.parametrize(
    "log",
    [
        TWO,
        PBN.replace(DEAL, b'"N:AKQ2.AK2.AK2.AK2 - - -"'),
        PBN.replace(DEAL, b'"?"'),
        TWO.replace(b"S3 S6 C6 SA", b"H4 S6 SJ SA"),  # Bo has no spades, if Dae has all of them
        TWO.replace(b"S3 S6 C6 SA", b"-  S6 C6 SA"),
        PBN.replace(b"S3 S6 C6 SA", b"-  S6 C6 SA"),
    ],
)
def test_a_board_is_legal_if_some_deal_makes_it_so(
    log: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = verdict(log, ".pbn", tmp_path, capsys)
    assert found["verdict"] == "legal", found
    assert len(played(found)) == 8


def test_lin_of_one_player(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = verdict(LIN_OWN, ".lin", tmp_path, capsys)
    assert (found["verdict"], found["completion"][-1]["tricks"]) == ("legal", 13), found


@pytest.mark.parametrize(
    ("log", "clause", "place"),
    [
        (TWO.replace(b"H3 HT", b"HA HT"), "held", [20, 1]),
        (TWO.replace(b"S3 S6 C6 SA", b"H4 S6 C6 SA"), "follow", [21, 7]),  # somebody has the other spades
        (TWO.replace(b"S3 S6 C6 SA", b"H4 S6 SJ SA\nS3 S7 S4 SK"), "held", [22, 1]),
        (PBN.replace(b"S3 S6 C6 SA", b"H4 -  C6 SA"), "follow", [21, 1]),  # all hands are known
    ],
    ids=["a card of another hand", "a revoke", "a revoke that shows later", "a card that does not matter"],
)
def test_a_board_that_no_deal_explains_is_illegal(
    log: bytes, clause: str, place: list[int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = verdict(log, ".pbn", tmp_path, capsys)
    assert (found["verdict"], found["clause"]) == ("illegal", f"bridge.play.{clause}"), found
    assert [found["at"], found["at_column"]] == place


def test_a_card_that_nobody_saw_may_have_taken_the_trick(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    taken = TWO.replace(b"H3 HT H6 HA\nS3 S6 C6 SA", b"-  HT H6 H2\nS3 S6 C6 SA")
    found = verdict(taken, ".pbn", tmp_path, capsys)
    assert found["verdict"] == "legal"
    assert found["open"] == "who took a trick of which nobody saw every card"


@pytest.mark.parametrize("log", [TWO, TWO.replace(b"H3 HT", b"-  HT")])
def test_spoilt_boards_are_met_with_words(log: bytes) -> None:
    check_adapter(Pbn(), [log], spoilt=100)


def test_spoilt_views_are_met_with_words() -> None:
    check_adapter(Mjai(), [seen_from(MJAI, 2)], spoilt=100)
    check_adapter(Lin(), [LIN_OWN], spoilt=100)


@pytest.mark.slow
@pytest.mark.skipif("GOLPAE_LOGS" not in os.environ, reason="GOLPAE_LOGS names no folder of recorded games")
@pytest.mark.parametrize("seat", range(4))
def test_a_hand_that_others_recorded_as_a_player_saw_it(
    seat: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (file,) = Path(os.environ["GOLPAE_LOGS"], "mjai").glob("*.jsonl")
    lines = file.read_bytes().splitlines(keepends=True)
    starts = [number for number, line in enumerate(lines) if b"start_kyoku" in line]
    found = verdict(seen_from(b"".join(lines[: starts[1]]), seat), ".mjai", tmp_path, capsys)
    assert found["verdict"] in ("legal", "incomplete", "unknown"), found
