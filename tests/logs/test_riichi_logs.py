"""Matches of riichi from mjlog and mjai: what is told of them, and where."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO, cast

import pytest

from golpae.cli.main import main
from golpae.logs.adapter import Adapter
from golpae.logs.mjai import Mjai
from golpae.logs.mjlog import Call, Mjlog, call_of
from golpae.logs.riichi import limit_of
from golpae.logs.tenhou6 import Tenhou6
from golpae.testing.adapters import check_adapter
from golpae.trace.log_text import Place, Recorded

HANDS = " ".join(f'hai{seat}="{",".join(str(seat + 4 * kind) for kind in range(13))}"' for seat in range(4))
MJLOG = f"""\
<mjloggm ver="2.3"><GO type="9"/><UN n0="An"/><TAIKYOKU oya="0"/>
<INIT seed="0,0,0,1,1,132" ten="250,250,250,250" oya="0" {HANDS}/><T52/><D52/><U56/>
<REACH who="1" step="1"/><E57/><REACH who="1" step="2"/><DORA hai="133"/>
<RYUUKYOKU type="yao9" ba="0,1" sc="250,0,250,-10,250,0,250,0" owari="250,0,240,0,250,0,250,0"/></mjloggm>
""".encode()

MJAI = b"""\
{"type":"start_game","names":["An","Bo","Cho","Dae"]}
{"type":"start_kyoku","bakaze":"S","dora_marker":"P","kyoku":2,"honba":1,"kyotaku":1,"oya":1,"scores":[24000,25000,25000,25000],\
"tehais":[["1m"],["2m"],["3m"],["4m"]]}
{"type":"tsumo","actor":1,"pai":"5mr"}
{"type":"reach","actor":1}
{"type":"dahai","actor":1,"pai":"9s","tsumogiri":false}
{"type":"reach_accepted","actor":1}
{"type":"pon","actor":3,"target":1,"pai":"9s","consumed":["9s","9s"]}
{"type":"dahai","actor":3,"pai":"E","tsumogiri":false}
{"type":"hora","actor":0,"target":3,"deltas":[5000,0,0,-2000],"ura_markers":[]}
{"type":"end_kyoku"}
{"type":"end_game"}
"""


def games(adapter: Adapter, log: bytes) -> list[Recorded]:
    return [*adapter.text(cast("BinaryIO", BytesIO(log)), "log").games]


def events(game: Recorded) -> list[dict[str, Any]]:
    return [json.loads(line) for line in game.first.lines]


def test_a_match_of_mjlog() -> None:
    (game,) = games(Mjlog(), MJLOG)
    header, deal, *others = events(game)
    assert (header["rules"], header.get("options")) == ("riichi", None)
    assert deal["hands"][0][:5] == ["1m", "2m", "3m", "4m", "5mr"]
    assert (deal["first"], deal["passed-on"], deal["counters"], deal["bets"]) == (0, 0, 0, 0)
    assert deal["scores"] == [25000] * 4
    assert [event["do"] for event in others] == [
        "flip",
        "draw",
        "discard",
        "draw",
        "riichi",
        "discard",
        "stick",
        "flip",
        "nine_kinds",
        "end",
        "finish",
    ]
    assert others[-2] == {"do": "end", "winner": None, "pay": [0, -1000, 0, 0]}
    assert others[-1] == {"do": "finish", "totals": [0, -1000, 0, 0], "winners": [0, 2, 3]}
    assert game.first.places[3] == Place(2, MJLOG.split(b"\n")[1].index(b"<T52/>") + 1)


THREE = " ".join(
    f'hai{seat}="{",".join(str(tile) for tile in hand)}"'
    for seat, hand in enumerate(
        [
            [0, 32, *range(36, 80, 8), 108, 112, 116, 120, 124],
            [1, 33, *range(37, 81, 8), 109, 113, 117, 121, 125],
            [2, 34, *range(38, 82, 8), 110, 114, 118, 122, 126],
        ]
    )
)
WINNER = ",".join(str(tile) for tile in [1, 33, *range(37, 81, 8), *range(109, 126, 4), 94])
THREE_MJLOG = f"""\
<mjloggm ver="2.3"><GO type="25"/><UN n0="An"/><TAIKYOKU oya="0"/>
<INIT seed="4,0,0,1,1,132" ten="350,350,350,0" oya="0" {THREE} hai3=""/><T90/><N who="0" m="31264" /><T94/><D94/>
<AGARI ba="0,0" hai="{WINNER}" machi="94" ten="30,1000,0" yaku="8,1" doraHai="132" who="1" fromWho="0" \
sc="350,-10,350,10,350,0,0,0"/></mjloggm>
""".encode()

THREE_MJAI = b"""\
{"type":"start_game","names":["An","Bo","Cho"]}
{"type":"start_kyoku","bakaze":"S","dora_marker":"P","kyoku":2,"honba":0,"kyotaku":0,"oya":1,"scores":[35000,35000,35000],\
"tehais":[["1m"],["9m"],["1p"]]}
{"type":"tsumo","actor":1,"pai":"N"}
{"type":"nukidora","actor":1,"pai":"N"}
{"type":"tsumo","actor":1,"pai":"9s"}
"""

THREE_TENHOU6 = """\
{"name":["An","Bo","Cho",""],"rule":{"disp":"\u4e09\u822c\u5357\u55b0\u8d64","aka":1},"log":[[[4,0,0],[35000,35000,35000,0],[41],[],\
[11],[44,22],["f44",60],[19],[],[],[21],[],[],[],[],[]]]}
""".encode()


@pytest.mark.parametrize(
    ("adapter", "log", "passed"),
    [
        (Mjlog(), THREE_MJLOG, 3),
        (Mjai(), THREE_MJAI, 4),
        (Mjai(), THREE_MJAI.replace(b',"names":["An","Bo","Cho"]', b"").replace(b"nukidora", b"kita"), 4),
        (Tenhou6(), THREE_TENHOU6, 3),
    ],
    ids=["mjlog", "mjai", "mjai without names", "tenhou6"],
)
def test_three_players_set_norths_aside(adapter: Adapter, log: bytes, passed: int) -> None:
    (game,) = games(adapter, log)
    header, begins, deal, *others = events(game)
    assert (header["rules"], len(header["players"])) == ("riichi+sanma", 3)
    assert (begins["do"], begins["passed-on"], begins["scores"]) == ("go-on", passed, [35000] * 3)
    assert len(deal["hands"]) == 3
    assert [event["do"] for event in others[:4]] == ["flip", "draw", "north", "replace"]


def test_a_folder_has_logs_whose_ending_others_have_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "match.json").write_bytes(THREE_TENHOU6)
    (tmp_path / "other.json").write_bytes(b'{"log":1}')
    assert main(["convert", str(tmp_path), "-o", str(tmp_path / "told.jsonl")]) == 0
    assert capsys.readouterr().out == "1 game\n"


def test_three_winners_win_on_the_last_discard() -> None:
    log = (
        MJLOG.partition(b"<REACH")[0]
        + b'<E57/><RYUUKYOKU type="ron3" ba="0,0" sc="250,0,250,0,250,0,250,0"/></mjloggm>'
    )
    told = [(event["do"], event.get("by")) for event in events(games(Mjlog(), log)[0])[-5:]]
    assert told == [("discard", 1), ("ron", 2), ("ron", 3), ("ron", 0), ("end", None)]


def test_a_table_says_what_it_plays() -> None:
    log = MJLOG.replace(b'type="9"', b'type="7"')
    header = events(games(Mjlog(), log)[0])[0]
    assert (header["rules"], header["options"]) == ("riichi+closed-simples", {"red-fives": 0, "rounds": 1})


def test_calls_of_mjlog_are_unpacked() -> None:
    assert call_of(27 * 3 << 9 | 3 << 5 | 0x8) == Call("pon", 108, (109, 110))
    assert call_of(27 * 3 << 9 | 3 << 5 | 0x10) == Call("add_kan", 111)
    assert call_of(1 << 10 | 2 << 5 | 0x4) == Call("chi", 6, (0, 8))
    assert call_of(108 << 8) == Call("concealed_kan", 108)
    assert call_of(108 << 8 | 1) == Call("kan", 108)


@pytest.mark.parametrize(
    ("log", "fault"),
    [
        (MJLOG.replace(b"<T52/>", b"<T152/>"), "there is no tile 152"),
        (MJLOG.replace(b"<T52/>", b"<X/>"), "mjlog has no element `X`"),
        (MJLOG.replace(b'who="1" step="2"', b'who="7" step="2"'), "`who` of REACH is no seat"),
        (MJLOG.replace(b'<UN n0="An"/>', b"<UN><UN><UN/></UN></UN>"), "do not lie within one another"),
        (b'<!DOCTYPE a [<!ENTITY b "c">]>' + MJLOG, "document type"),
        (MJLOG[:200], "the XML is broken here"),
    ],
)
def test_a_spoilt_log_says_why(log: bytes, fault: str) -> None:
    assert fault in str(games(Mjlog(), log)[-1].first.fault)


def test_what_is_spoilt_behind_the_match_costs_the_match_nothing() -> None:
    match, rest = games(Mjlog(), MJLOG.replace(b"</mjloggm>", b"</mjloggm>junk"))
    assert (match.first.fault, events(match)[-1]["do"]) == (None, "finish")
    assert str(rest.first.fault).startswith("the XML is broken here")


def test_a_match_of_mjai() -> None:
    (game,) = games(Mjai(), MJAI)
    told = events(game)
    assert told[1] == {
        "do": "go-on",
        "scores": [24000, 25000, 25000, 25000],
        "passed-on": 5,
        "counters": 1,
        "bets": 1,
    }
    assert [event["do"] for event in told[2:]] == [
        "deal",
        "flip",
        "draw",
        "riichi",
        "discard",
        "stick",
        "pon",
        "discard",
        "ron",
        "count",
        "end",
        "finish",
    ]
    assert told[-2] == {"do": "end", "winner": 0, "pay": [5000, -1000, 0, -2000]}
    assert told[-4]["tile"] == "E"
    assert game.first.places[-4] == Place(9)


def test_a_log_in_lines_of_json_is_no_trace(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log, trace = tmp_path / "match.jsonl", tmp_path / "trace.jsonl"
    log.write_bytes(MJAI)
    trace.write_bytes(b'{"id":1,"golpae":1}\n')
    assert main(["convert", str(log), "-o", str(tmp_path / "told.jsonl")]) == 0
    assert capsys.readouterr().out == "1 game\n"
    assert main(["convert", str(trace)]) == 2


@pytest.mark.parametrize(("adapter", "log"), [(Mjlog(), MJLOG), (Mjai(), MJAI)], ids=["mjlog", "mjai"])
def test_spoilt_logs_are_met_with_words(adapter: Adapter, log: bytes) -> None:
    assert adapter.recognises(log[:1000])
    check_adapter(adapter, [log], spoilt=100)


WON = MJLOG.partition(b"<E57/>")[0].replace(b'<REACH who="1" step="1"/>', b"") + (
    b'<AGARI ba="0,0" machi="56" ten="30,8000,1" yaku="0,1" doraHai="132" who="1" fromWho="1" '
    b'sc="250,-40,250,80,250,-20,250,-20"/></mjloggm>'
)
DRAWN = b'{"type":"dahai","actor":1,"pai":"9s","tsumogiri":false}'
WON_TENHOU6 = THREE_TENHOU6.replace(
    b"[],[],[]]]}", '[],[],[],["\u548c\u4e86",[0,0,0],[1,0,2,"\u6e80\u8cab8000\u70b9"]]]]}'.encode()
)

HELD = b'hai="' + b",".join(b"%d" % tile for tile in range(1, 50, 4)) + b',%b"'


def turns(first: bytes, draws: bytes, second: bytes) -> bytes:
    """Return a log in which An and Bo discard so, and Bo draws or calls so."""
    log = THREE_TENHOU6.replace(b'"f44",60', b'"f44",' + first)
    return log.replace(b"[19],[],[]", b"[19],[" + draws + b"],[" + second + b"]")


@pytest.mark.parametrize(
    ("adapter", "log", "fault"),
    [
        (
            Mjlog(),
            WON.replace(b'ba="0,0"', b'ba="0,1"'),
            "`ba` is 0,1, but 0 counters and 0 sticks lie there",
        ),
        (
            Mjlog(),
            MJLOG.replace(b'ba="0,1"', b'ba="1,1"'),
            "`ba` is 1,1, but 0 counters and 1 stick lie there",
        ),
        (
            Mjlog(),
            WON.replace(b"8000,1", b"8000,2"),
            "`ten` has limit 2, haneman, but 8000 points are mangan",
        ),
        (Mjlog(), WON.replace(b"8000,1", b"8000,9"), "there is no limit 9"),
        (
            Mjlog(),
            WON.replace(b'Hai="132"', b'Hai="132,4"'),
            "has C 2m, but the indicators that lie there are C",
        ),
        (
            Mjlog(),
            WON.replace(b'Hai="132"', b'Hai="132" doraHaiUra="0"').replace(
                b"</mjloggm>", WON[WON.index(b"<AGARI") :].replace(b'Hai="132"', b'Hai="132" doraHaiUra="4"')
            ),
            "`doraHaiUra` has other tiles than that of the winner before",
        ),
        (
            Mjai(),
            MJAI.replace(DRAWN, DRAWN.replace(b"false", b"true")),
            "Bo has just drawn 9s, but it was 5mr",
        ),
        (
            Mjai(),
            MJAI.replace(b'"E","tsumogiri":false', b'"E","tsumogiri":true'),
            "drawn E, but Dae drew nothing",
        ),
        (
            Mjai(),
            MJAI.replace(DRAWN, DRAWN.replace(b"9s", b"5mr")),
            "Bo keeps the tile just drawn, but has no other 5mr",
        ),
        (Tenhou6(), WON_TENHOU6.replace(b"8000", b"6000"), "is a mangan, but 6000 points are no limit"),
        (
            Mjlog(),
            WON.replace(b"machi", HELD % b"60" + b" machi"),
            "`hai` has 7p, which P1 does not hold and lacks 6p",
        ),
        (
            Mjlog(),
            WON.replace(b"machi", HELD % b"56" + b' m="41577" machi'),
            "`m` has other calls than those of P1",
        ),
        (
            Mjlog(),
            MJLOG.replace(
                b'type="yao9"', b'type="yao9" hai0="' + b",".join(b"%d" % t for t in range(0, 48, 4)) + b'"'
            ),
            "`hai0` lacks 4p of P0",
        ),
        (
            Mjlog(),
            MJLOG.replace(b'who="1" step="2"', b'who="1" ten="250,250,250,250" step="2"'),
            "`ten` is 250,250,250,250, but the players have 25,000, 24,000, 25,000, 25,000 points",
        ),
        (Tenhou6(), turns(b"22", b"23", b"60"), "An discards the 2p just drawn, which is written `60`"),
        (
            Tenhou6(),
            turns(b"60", b'"p222222"', b"60"),
            "Bo discards the tile just drawn, but Bo drew nothing",
        ),
    ],
)
def test_a_log_that_contradicts_itself_says_where(adapter: Adapter, log: bytes, fault: str) -> None:
    (game,) = games(adapter, log)
    assert fault in str(game.first.fault)


def test_a_log_that_repeats_what_was_so_is_read() -> None:
    for adapter, log in (
        (Mjlog(), WON.replace(b"machi", HELD % b"56" + b" machi")),
        (Mjlog(), THREE_MJLOG),
        (Mjlog(), MJLOG.replace(b'who="1" step="2"', b'who="1" ten="250,240,250,250" step="2"')),
        (Mjlog(), MJLOG.replace(b"250,0,240,0,250,0,250,0", b"250,30,240,-50,250,10,250,10")),
        (Tenhou6(), turns(b"22", b"23", b"23")),  # this one never says which tiles were just drawn
    ):
        (game,) = games(adapter, log)
        assert game.first.fault is None


@pytest.mark.parametrize(
    ("owari", "fault"),
    [
        (b"250,30,240,-50,250,10,250,11", "the points for places in `owari` add up to 1, not to 0"),
        (
            b"250,-30,240,-10,250,20,250,20",
            "25,000 points of `owari` are worth -30, and 24,000 are worth -10",
        ),
    ],
)
def test_wrong_points_for_places_are_told_behind_the_match(owari: bytes, fault: str) -> None:
    match, rest = games(Mjlog(), MJLOG.replace(b"250,0,240,0,250,0,250,0", owari))
    assert (match.first.fault, events(match)[-1]["do"]) == (None, "finish")
    assert fault in str(rest.first.fault)


def test_a_log_says_who_is_liable() -> None:
    mjlog, tenhou6 = (
        games(Mjlog(), WON.replace(b' who="1" from', b' paoWho="3" who="1" from')),
        games(Tenhou6(), WON_TENHOU6),
    )
    told = [
        event for game in (*mjlog, *tenhou6) for event in events(game) if event.get("do") in ("ron", "tsumo")
    ]
    assert [(event["do"], event["fed-by"]) for event in told] == [("tsumo", 3), ("ron", 2)]


@pytest.mark.parametrize(
    ("points", "dealer", "drawn", "seats", "limit"),
    [
        (7700, False, False, 4, "no limit"),
        (8000, False, False, 4, "mangan"),
        (9000, False, False, 4, None),
        (12000, True, True, 4, "mangan"),
        (18000, True, False, 3, "haneman"),
        (9000, False, True, 3, "haneman"),
        (16000, True, True, 3, "baiman"),
        (96000, True, False, 4, "yakuman"),
    ],
)
def test_limits_by_what_is_paid(
    points: int, dealer: bool, drawn: bool, seats: int, limit: str | None
) -> None:
    assert limit_of(points, dealer=dealer, drawn=drawn, seats=seats) == limit
