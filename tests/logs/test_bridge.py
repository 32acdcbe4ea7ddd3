"""Boards of bridge from PBN and LIN: what is told of them, where, and what the rules say of it."""

from __future__ import annotations

import json
import os
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, cast

import pytest

from golpae.cli.main import main
from golpae.logs.adapter import Adapter
from golpae.logs.lin import Lin
from golpae.logs.pbn import Pbn
from golpae.testing.adapters import check_adapter
from golpae.trace.log_text import Place
from tests.logs.boards import LIN, PBN, events, reading, told


def checked(log: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> tuple[str, str | None, str]:
    """Return the verdict on the only board of a file of PBN, the clause that it breaks, and the message."""
    file = tmp_path / "evening.pbn"
    file.write_bytes(log)
    main(["check", "--format", "json", str(file)])
    verdict = json.loads(capsys.readouterr().out)
    return verdict["verdict"], verdict.get("clause"), (verdict.get("message") or "").partition("; ")[0]


def test_a_board_of_pbn() -> None:
    header, deal, *_ = events(Pbn(), PBN)
    assert header == {"golpae": 1, "rules": "bridge", "players": ["An", "Bo", "Cho", "Dae"], "id": "board 1"}
    assert (deal["first"], deal["vulnerable"]) == (0, "neither")
    assert deal["hands"][3] == ["9H", "8H", "7H", "6H", "9D", "8D", "7D", "6D", "10C", "9C", "8C", "7C", "6C"]
    assert [*told(Pbn(), PBN)] == [
        "bid 0 7 no-trump",
        "pass 1",
        "pass 2",
        "pass 3",
        "contract 7 no-trump undoubled 0",
        "play 1 3H",
        "play 0 10H",
        "play 3 6H",
        "play 0 AH",
        "play 0 AS",
        "play 1 3S",
        "play 0 6S",
        "play 3 6C",
        "claim 13",
        "end None 13 1520",
    ]
    places = reading(Pbn(), PBN).places
    assert (places[2], places[6], places[7], places[11]) == (
        Place(17, 1),
        Place(12, 1),
        Place(20, 1),
        Place(21, 10),
    )


def test_a_board_of_lin() -> None:
    assert events(Lin(), LIN)[1]["hands"] == events(Pbn(), PBN)[1]["hands"]
    assert [*told(Lin(), LIN)][-6:] == [
        "play 1 3H",
        "play 0 10H",
        "play 3 6H",
        "play 0 AH",
        "claim 13",
        "end None 13",
    ]
    assert reading(Lin(), LIN).places[2] == Place(2, 1)


@pytest.mark.parametrize(
    ("adapter", "log", "fault", "place"),
    [
        (Pbn(), PBN.replace(b"7NT !", b"8NT !"), "`8NT` is no call", Place(17, 1)),
        (Pbn(), PBN.replace(b"H3 HT", b"H3 H1"), "`H1` is no card", Place(20, 4)),
        (Pbn(), PBN.replace(b"N:AKQ2.", b"N:"), "is no deal: who is first", Place(10, 1)),
        (Pbn(), PBN.replace(b'[Deal "N:', b"[Deal N:"), "this is no tag of PBN", Place(10, 1)),
        (Pbn(), PBN.replace(b'[Deal "', b'[Dead "'), "this board has no tag `Deal`", Place(2, 1)),
        (
            Pbn(),
            PBN.replace(b'[Result "13"]', b'[Result "99"]'),
            "`99` is no number of tricks",
            Place(13, 1),
        ),
        (Pbn(), b"a fine evening", "there is no tag of PBN in it", Place(1)),
        (
            Pbn(),
            PBN.replace(b'Auction "N"', b'Auction "E"'),
            "North deals, but the auction begins with East",
            Place(8, 1),
        ),
        (Lin(), b"a fine evening", "there is no deal (`md|...|`) in it", Place(1)),
        (Lin(), LIN.replace(b"pc|HT|", b"pc|H1|"), "`H1` is no card", Place(2, 48)),
        (Lin(), LIN.replace(b"mc|13|", b"mc|14|"), "`14` is no number of tricks", Place(2, 70)),
    ],
)
def test_a_spoilt_board_says_where(adapter: Adapter, log: bytes, fault: str, place: Place) -> None:
    found = reading(adapter, log)
    assert fault in str(found.fault)
    assert found.places[-1] == place


def test_a_board_without_an_auction_says_its_contract(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    begin, end = PBN.index(b'[Auction "N"]'), PBN.index(b'[Play "E"]')
    log = PBN[:begin] + PBN[end:]
    assert events(Pbn(), log)[0]["rules"] == "bridge+contract-given"
    assert next(told(Pbn(), log)) == "name-contract 7 no-trump undoubled 0"
    assert checked(log, tmp_path, capsys)[0] == "legal"
    passed = (
        log[: log.index(b"[Play")]
        .replace(b'"7NT"', b'"Pass"')
        .replace(b'"13"', b'""')
        .replace(b"NS 1520", b"0")
    )
    assert [*told(Pbn(), passed)] == ["pass 0", "pass 1", "pass 2", "pass 3", "end None 0"]
    assert checked(passed, tmp_path, capsys)[0] == "legal"


def test_a_marked_revoke_stands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    revoked = PBN.replace(b"S3 S6", b"H4 S6")
    assert checked(revoked, tmp_path, capsys)[1] == "bridge.play.follow"
    marked = PBN.replace(b"S3 S6", b"H4 ^R S6")
    assert events(Pbn(), marked)[0]["rules"] == "bridge+revokes-ruled"
    assert checked(marked, tmp_path, capsys)[0] == "legal"


@pytest.mark.parametrize(
    ("good", "same"),
    [
        (b'Result "13"', b'Result "NS 13"'),
        (b'Result "13"', b'Result "EW 0 NS 13"'),
        (b"NS 1520", b"NS +1520 EW -1520"),
        (b'[Auction "N"]', b'[Auction "W"]\n-'),
        (b"Pass Pass =1= AP", b"p P Pass!"),
        (b'Declarer "N"', b'Declarer "^W"'),
        (b'Dealer "N"', b'Dealer "?"'),
    ],
)
def test_the_same_board_in_other_words(
    good: bytes, same: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = PBN.replace(good, same, 1)
    assert log != PBN
    assert checked(log, tmp_path, capsys)[0] == "legal"
    assert [line for line in told(Pbn(), log) if "contract" not in line] == [
        line for line in told(Pbn(), PBN) if "contract" not in line
    ]


def test_the_score_of_a_rubber_is_none_of_duplicate() -> None:
    assert [*told(Pbn(), PBN.replace(b"[Contract", b'[Scoring "Rubber"]\n[Contract'))][-1] == "end None 13"


def test_names_may_be_latin() -> None:
    assert events(Pbn(), PBN.replace(b'"An"', b'"J\xf8rgen"'))[0]["players"][0] == "J\xf8rgen"
    assert events(Pbn(), PBN.replace(b'"An"', '"J\xf8rgen"'.encode()))[0]["players"][0] == "J\xf8rgen"


def test_lin_of_two_rooms() -> None:
    """Several calls or cards in one command, prose over several lines, a claim that was not accepted."""
    deal = LIN[LIN.index(b"md|") : LIN.index(b"rh|")]
    log = (
        b"vg|Final,Round,I,1,1,A,0,B,0|\nrs|7NN=,7NN=|\npn|S1,W1,N1,E1,S2,W2,N2,E2|pg||\n"
        b"qx|o6|" + deal + b"sv|o|nt|fine\nplay|mb|7N!ppp|mc|13|pc|H3HTH6ha|pg||mc|13|\n"
        b"qx|c6|" + deal + b"mb|7n|mb|-|mb|P|mb|p|mb|pass|pc|h3|pc|h10|pc|H6|pc|HA|mc|13|\n"
    )
    rooms = Lin().text(cast("BinaryIO", BytesIO(log)), "log").games
    games = [[json.loads(line) for line in room.first.lines] for room in rooms]
    assert [game[0]["players"][0] for game in games] == ["N1", "N2"]
    assert [game[0]["id"] for game in games] == ["o6", "c6"]
    assert [game[1]["vulnerable"] for game in games] == ["neither", "east-west"]
    assert [*games[0][2:]] == [*games[1][2:]]
    assert [event["do"] for event in games[0][6:]] == [*["play"] * 4, "claim", "end"]


def test_lines_may_end_in_any_way() -> None:
    assert [*told(Pbn(), PBN.replace(b"\n", b"\r"))] == [*told(Pbn(), PBN)]
    assert [*told(Pbn(), PBN.replace(b"\n", b"\r\n"))] == [*told(Pbn(), PBN)]


@pytest.mark.parametrize(("adapter", "log"), [(Pbn(), PBN), (Lin(), LIN)], ids=["pbn", "lin"])
def test_spoilt_logs_are_met_with_words(adapter: Adapter, log: bytes) -> None:
    assert adapter.recognises(log[:1000])
    check_adapter(adapter, [log], spoilt=150)


@pytest.mark.parametrize(
    ("good", "spoilt", "clause", "message"),
    [
        (b"", b"", None, ""),
        (b'Declarer "N"', b'Declarer "W"', "contract.declarer", "the declarer is An, not Dae"),
        (b'"7NT"', b'"6NT"', "contract.contract", "the contract is 7 no-trump, not 6 no-trump"),
        (b'"7NT"', b'"7NTX"', "contract.doubled", "the contract is undoubled, not doubled"),
        (b"NS 1520", b"NS 1500", "end.scored", "North and South score 1520, not 1500"),
        (
            b'Result "13"',
            b'Result "1"',
            "claim.enough",
            "An has 2 of 2 tricks, so that it cannot be 1 in the end",
        ),
        (
            b"S3 S6",
            b"H4 S6",
            "play.follow",
            (
                "Bo has to follow suit: A of spades was led, and Bo holds "
                "3 of spades, 4 of spades, 5 of spades, J of spades"
            ),
        ),
        (b"=1= AP", b"=1= Pass Pass", "pass.over", "the auction is over: An plays 7 no-trump"),
        (b"=1= AP", b"", "play.early", "no contract has been reached yet: Bo cannot play a card"),
        (b"S3 S6 C6 SA", b"H3 S6 C6 SA", "play.once", "3 of hearts has been played before"),
        (b"7NT ! Pass", b"7NT ! 7S", "bid.higher", "7 spades is not higher than 7 no-trump"),
    ],
)
def test_a_board_that_breaks_a_law_is_illegal(
    good: bytes,
    spoilt: bytes,
    clause: str | None,
    message: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = checked(PBN.replace(good, spoilt, 1), tmp_path, capsys)
    assert found == (
        "legal" if clause is None else "illegal",
        clause and f"bridge.{clause}",
        message,
    )


@pytest.mark.parametrize(
    ("log", "clause", "line"),
    [
        (PBN.replace(b'Board "1"', b'Board "2"'), "deal.dealer", 8),
        (PBN.replace(b'"None"', b'"All"'), "deal.vulnerable", 9),
        (
            PBN.replace(b'"None"', b'"All"').replace(b"[Contract", b'[Scoring "Rubber"]\n[Contract'),
            None,
            None,
        ),
        (PBN.replace(b'Declarer "N"', b'Declarer "W"'), "contract.declarer", 11),
        (PBN.replace(b"NS 1520", b"NS 1500"), "end.scored", 14),
        (PBN.replace(b'Result "13"', b'Result "1"'), "claim.enough", 13),
        (LIN.replace(b"Board 1|", b"Board 2|"), "deal.dealer", 1),
        (LIN.replace(b"sv|o|", b"sv|b|"), "deal.vulnerable", 1),
        (LIN.replace(b"Board 1|sv|o|", b"Table 2|sv|b|"), None, None),
    ],
)
def test_a_verdict_points_to_the_tag_that_is_wrong(
    log: bytes, clause: str | None, line: int | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / ("evening.pbn" if log.startswith(b"%") else "evening.lin")
    file.write_bytes(log)
    main(["check", "--format", "json", str(file)])
    verdict = json.loads(capsys.readouterr().out)
    assert (verdict.get("clause"), verdict.get("at")) == (clause and f"bridge.{clause}", line), verdict
    if clause == "deal.vulnerable" and line == 1:
        assert verdict["at_column"] == LIN.index(b"sv|") + 1


@pytest.mark.skipif("GOLPAE_LOGS" not in os.environ, reason="GOLPAE_LOGS names no folder of recorded games")
@pytest.mark.parametrize(("adapter", "ending"), [(Pbn(), "pbn"), (Lin(), "lin")], ids=["pbn", "lin"])
def test_boards_that_others_recorded(
    adapter: Adapter, ending: str, capsys: pytest.CaptureFixture[str]
) -> None:
    files = sorted(Path(os.environ["GOLPAE_LOGS"], "bridge").glob(f"*.{ending}"))
    assert files
    for file in files:
        check_adapter(adapter, [file.read_bytes()], spoilt=20)
        main(["check", "--format", "json", str(file)])
        verdicts = [json.loads(line)["verdict"] for line in capsys.readouterr().out.splitlines()]
        # the declarer of one record is not whom its auction makes the declarer
        assert verdicts == ["illegal" if file.stem == "endplay-4" else "legal"] * len(verdicts)
        assert verdicts
