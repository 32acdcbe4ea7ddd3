"""Large files of hands on the compiled path: every answer is that of the reference, byte by byte."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from golpae import exit_codes
from golpae.cli.main import main
from golpae.corpus import paths, text
from golpae.corpus import scored_files as scoring
from golpae.kernel.language.host import available
from golpae.replay.score_hand import Fault
from tests.corpus.hands import SHELLS, Ran, some_hands
from tests.replay.scoring.own_values import TEXT as OWN_VALUES

pytestmark = pytest.mark.skipif(not available(), reason="wasmtime does not load here")

WINS: list[dict[str, Any]] = [
    {"hand": "F F F 2p 3p 4p 1m 1m 2m 2m 1p 1p 1p", "win": "2m", "seat_wind": "S"},
    {"hand": "2p 3p 4p 2m 2m 3m 3m", "win": "3m", "seat_wind": "N", "self_drawn": True, "replacement": True}
    | {"id": "a", "melds": [["pung", "N", "N", "N"], ["concealed-kong", "C"]], "flowers": ["f1", "f3"]},
    {
        "hand": "1m 1m 2m 2m 3m 3m 4m 4m 5m 5m 6m 6m 7m",
        "win": "7m",
        "seat_wind": "E",
        "ready": "ready",
        "id": 7,
    },
]
NO_WINS: list[dict[str, Any]] = [
    {"hand": "1m 1m 2m 2m 3m 3m 4m 4m 5p 5p 6m 6m 7m", "win": "9m", "seat_wind": "E"},
    {"hand": "1m 1m 2m 3m 4m 2p 3p 4p 5p 6p 7p 1p 2p", "win": "3p", "seat_wind": "E"},
    {"hand": "1m", "melds": [["pung", "N"], ["pung", "E"], ["pung", "9p"], ["pung", "8p"]], "seat_wind": "E"},
]
MAHJONG = [
    json.dumps({"rules": "korean-mahjong", **hand, "hand": hand["hand"].split()}, separators=(",", ":"))
    for hand in WINS + NO_WINS
]


Score = Callable[..., Ran]


@pytest.fixture
def score(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Score:
    """Scores a file with these bytes on either path."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(text, "WINDOW", 3000)
    (tmp_path / "shells.golpae").write_text(SHELLS, encoding="utf-8")

    def run(held: bytes, *words: str, large: bool, name: str = "hands.jsonl") -> Ran:
        (tmp_path / name).write_bytes(held)
        monkeypatch.setattr(paths, "LARGE_HANDS", 0 if large else 1 << 60)
        status = main(["score", "--spec-path", ".", *words, name])
        out, err = capsys.readouterr()
        return Ran(status, out, err)

    return run


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[paths.Paths]:
    """Which way the hands of files go."""
    made: list[paths.Paths] = []
    init = paths.Paths.__init__

    def noting(self: paths.Paths) -> None:
        init(self)
        made.append(self)

    monkeypatch.setattr(paths.Paths, "__init__", noting)
    return made


def both(score: Score, held: bytes, *words: str, name: str = "hands.jsonl") -> Ran:
    """Score on both paths and in both forms; the answers have to be the same. Return the text."""
    found = [
        score(held, *words, "--format", f, large=p, name=name)
        for f in ("json", "text")
        for p in (False, True)
    ]
    assert found[0] == found[1]
    assert found[2] == found[3]
    return found[3]


def test_hands_written_in_many_ways_are_scored_as_the_reference_scores_them(score: Score) -> None:
    hands = some_hands(150, 1)
    draw = random.Random(2)
    lines = [
        json.dumps(h, ensure_ascii=draw.random() < 0.5, separators=draw.choice(((",", ":"), None)))
        for h in hands
    ]
    held = "\n".join(lines).encode()
    found = both(score, held, "--score", "worth")
    assert found.out.count(" best ") > 60
    both(score, held.replace(b"\n", b"\r\n"), "--score", "highest-tile")
    both(score, held)


def test_wins_are_scored_on_the_compiled_path(score: Score, counted: list[paths.Paths]) -> None:
    score("\n".join(MAHJONG[: len(WINS)] * 20).encode(), large=True)
    assert [(p.compiled, p.referred) for p in counted] == [(60, 0)]


def test_values_that_are_worked_out_are_the_same_on_both_paths(
    score: Score, counted: list[paths.Paths], tmp_path: Path
) -> None:
    (tmp_path / "own.golpae").write_text(OWN_VALUES, encoding="utf-8")
    hands = [
        {"rules": "own", "hand": [first, "2c", "2c"], "win": win, **given}
        for first, win in (("1c", "1c"), ("1c", "1g"), ("1g", "1c"))
        for given in ({}, {"gold": 0}, {"gold": 1}, {"twice": 1}, {"gold": 0, "twice": 2})
    ]
    found = both(score, "\n".join(map(json.dumps, hands)).encode())
    assert {path.referred for path in counted if path.compiled} == {0}
    assert found.out.count(" best ") == len(hands)
    assert found.out.count("twice 2") == 8


def test_hands_of_korean_mahjong_are_scored_as_the_reference_scores_them(score: Score) -> None:
    both(score, "\n".join(MAHJONG).encode())


def test_files_with_strange_lines_are_scored_as_the_reference_scores_them(score: Score) -> None:
    strange = ["", "[]", "{", '{"rules":"nowhere"}', " ", '{"rules":7}', "{}", '{"rules":"shells"}']
    long = '{"rules":"shells","note":"' + "x" * 5000 + '"}'
    lines = [*strange, *(json.dumps(hand) for hand in some_hands(12, 3)), long]
    held = b"\xef\xbb\xbf" + "\n".join(lines).encode()
    both(score, held, "--score", "worth")
    whole = b"\n".join([held, b'{"golpae":1}', held])
    both(score, gzip.compress(whole)[:-20], "--score", "worth", name="hands.jsonl.gz")


def test_hands_that_name_no_rules_are_scored_as_the_reference_scores_them(score: Score) -> None:
    lines = [json.dumps(hand) for hand in some_hands(20, 5)]
    held = "\n".join(lines).replace('"rules": "shells", ', "").encode()
    both(score, held, "--rules", "shells", "--score", "worth", "--players", "2")


def test_rules_that_change_from_hand_to_hand_are_compiled(score: Score, counted: list[paths.Paths]) -> None:
    hands = [
        {"rules": r, "held": ["1w", "1w", "2w", "5w"], "leader": 0} for r in ("shells", "shells+plain") * 10
    ]
    score("\n".join(map(json.dumps, hands)).encode(), "--score", "worth", large=True)
    assert [(p.compiled, p.referred) for p in counted] == [(20, 0)]


def test_where_the_two_paths_disagree_the_reference_is_right(
    score: Score, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand = {"rules": "shells+plain", "held": ["1w", "1w", "2w", "5w"], "leader": 0}
    held = "\n".join([json.dumps(hand)] * 3).encode()
    expected = score(held, "--score", "worth", large=False)
    monkeypatch.setattr(scoring, "score_hand", lambda *_: Fault("otherwise"))
    found = score(held, "--score", "worth", large=True)
    assert found.out == expected.out
    assert found.status == exit_codes.FAULT
    assert "hands.jsonl:1: a fault in golpae: its two ways to score this hand disagree" in found.err


def test_the_first_of_several_best_ways_has_the_patterns_that_come_first_by_name(score: Score) -> None:
    hand = {"rules": "shells", "held": ["1w", "1w", "2b", "5b", "6w", "1b", "2w", "5w"], "leader": None}
    found = both(score, json.dumps(hand).encode(), "--score", "worth")
    first, *others = (line.split("(")[1] for line in found.out.splitlines() if " best " in line)
    assert first == "even 3)"
    assert others


def test_a_score_that_reads_a_game_is_left_to_the_reference(
    score: Score, tmp_path: Path, counted: list[paths.Paths]
) -> None:
    text_of_game = SHELLS.replace("side = left", "size of bag = 36")
    (tmp_path / "shells.golpae").write_text(text_of_game, encoding="utf-8")
    lines = [json.dumps(hand) for hand in some_hands(10, 4)]
    both(score, "\n".join(lines).encode(), "--score", "worth")
    assert [p.compiled for p in counted] == [0] * len(counted)


@pytest.mark.skipif(not available(), reason="wasmtime does not load here")
def test_an_archive_of_hands_that_are_often_the_same_is_longer_than_it_looks(
    score: Score,
    counted: list[paths.Paths],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    held = b"\n".join(json.dumps(hand).encode() for hand in some_hands(5, 1) * 200) + b"\n"
    packed = gzip.compress(held)
    large = len(packed) * paths.PACKED + 1
    assert len(held) > 2 * large
    expected = score(held, "--score", "worth", large=False)
    monkeypatch.setattr(paths, "LARGE_HANDS", large)
    counted.clear()
    Path("hands.jsonl.gz").write_bytes(packed)
    assert main(["score", "--spec-path", ".", "--score", "worth", "hands.jsonl.gz"]) == expected.status
    assert capsys.readouterr().out == expected.out
    assert sum(one.compiled for one in counted) > 0


# Shapes with jokers, with a test of all their tiles, of one tile, joined in unions of unions; a label that is no shape.
MENAGERIE = """
game menagerie "Menagerie"

players 2 to 2

tiles 26 of 13 kinds
  wild: two of each joker
  white: two of each "{size}w" for size in 1 to 6
  black: two of each "{size}b" for size in 1 to 6

zones
  bag: tiles seen by nobody, holds the set
  each player's hand: tiles seen by its owner
  each player's shown: melds seen by everyone

define like(a: tile, b: tile): a = b or a = joker or b = joker

shape twins(a, b): like(a, b)
shape heavy of 3: (sum of (if t = joker then 0 else t's size) for t in it) >= 9
shape triple(a, b, c): like(a, b) and like(b, c) and like(a, c)
shape lone(a): a = joker
shape odd: twins or lone
shape any-one: odd or triple
shape beast: any-one

arrangement zoo: 2 odd and 2 twins

score worth
  given
    held: tiles
    open: melds = {}
    aside: meld or none = none
    far: melds = {}
  hand: held
  fixed: open
  as: zoo
  total: sum
  pattern each 1 for each m in open: m is any-one
  pattern aside 5: aside is not none and aside is triple
  pattern far 7: some m in far: m is triple
  pattern left 9: some m in far: m is lot
  pattern plain 2: yes

deal from bag
  hands: 4 for everyone

action lot(tile) by p "put a tile down as a lot"
  held: tile in p's hand "{p} does not hold {tile}"
  then move tile from p's hand to p's shown as lot
  then p wins

end
  due: over "the hand is not over"

payout
  then won: when winner is not none: for each q in players - winner: q pays winner stake
"""
STATED = {
    '{"open":[["triple","1w","1w","joker"]]}': None,
    '{"open":[["triple","1w","joker"]]}': "joker 1w is no triple",
    '{"open":[["triple","1w"]]}': "the hand has 3 of 1w, but the set in play has 2",
    '{"open":[["twins","1w"]]}': None,
    '{"open":[["twins","1w","2w"]]}': "1w 2w is no twins",
    '{"open":[["lone","joker"]]}': None,
    '{"open":[["lone","1w"]]}': "1w is no lone",
    '{"open":[["lone",["joker","joker"]]]}': "joker joker is no lone",
    '{"open":[["heavy","1w","2w","6b"]]}': None,
    '{"open":[["heavy","1w","2w","5b"]]}': "1w 2w 5b is no heavy",
    '{"open":[["heavy",[]]]}': "a meld has at least one tile",
    '{"open":[["odd","joker"]]}': "`odd` is several shapes; write twins or lone",
    '{"open":[["any-one","joker"]]}': "`any-one` is several shapes; write twins, lone or triple",
    '{"open":[["beast","joker"]]}': "`beast` is several shapes; write twins, lone or triple",
    '{"open":[["triplet","1w"]]}': "there is no shape `triplet`; did you mean `triple`?",
    '{"open":[["1w","2w"]]}': None,
    '{"open":[["lot","1w","2w"]]}': None,
    '{"far":[["lot","1w"],["triple","1b","1b","joker"]]}': None,
    '{"far":[["lot","1w"],["triple","1b","2b","3b"]]}': "1b 2b 3b is no triple",
    '{"far":[["lot",[]]]}': "a meld has at least one tile",
    '{"aside":["triple","1b","1b","joker"]}': None,
    '{"aside":["triple","1b","1b","3b"]}': "1b 1b 3b is no triple",
}


def test_a_meld_is_what_its_label_says(score: Score, tmp_path: Path, counted: list[paths.Paths]) -> None:
    (tmp_path / "menagerie.golpae").write_text(MENAGERIE, encoding="utf-8")
    counts = '{"rules":"menagerie","held":["4w","4w","joker","5w","5w","6w","6w"]}'
    hands = [{"rules": "menagerie", "held": [], **json.loads(hand)} for hand in STATED]
    full = {"rules": "menagerie", "held": ["6w", "6w", "4b", "4b"]}
    melds = ("twins 2w 2w", "twins 2w 3w", "triple 2w 2w joker", "triple 2w 2w 3w", "heavy 5b 5b 6b")
    for label, *tiles in map(str.split, melds):
        hands.append({**full, "open": [[label, *tiles], ["lone", "joker"]]})
    hands += [
        {**json.loads(counts), "far": [["triple", *far.split()]]} for far in ("1b 1b joker", "1b 2b 3b")
    ]
    lines = [counts, *(json.dumps(hand, separators=(",", ":")) for hand in hands), counts]
    found = both(score, "\n".join(lines).encode())
    said = dict(line.removeprefix("golpae: hands.jsonl:").split(": ", 1) for line in found.err.splitlines())
    assert [said.get(f"{number}") for number in range(2, 2 + len(STATED))] == [*STATED.values()]
    own = [said.get(f"{number}") for number in range(2 + len(STATED), 2 + len(hands))]
    refused = ["2w 3w is no twins", "2w 2w 3w is no triple", "1b 2b 3b is no triple"]
    assert own == [None, refused[0], None, refused[1], None, None, refused[2]]
    assert [p.compiled for p in counted] == [0, 4, 0, 4]
