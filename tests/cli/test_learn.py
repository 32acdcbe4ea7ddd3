"""`golpae learn`: its answer, the text that it writes, its JSON, and its exit status."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from golpae.cli.main import main
from tests.cli.conftest import Golpae
from tests.learning.couples import TEXT as COUPLES
from tests.learning.couples import couples, given
from tests.learning.scored import scored
from tests.learning.sticks import TEXT

GAMES = 12


@pytest.fixture
def games(here: Path, golpae: Golpae) -> Path:
    """The small game without its variants, and games in which any tile goes with any other."""
    base, _, _ = TEXT.partition("\nvariant ")
    (here / "sticks.golpae").write_text(TEXT.lstrip())
    call = (
        "simulate",
        "sticks+any-tile",
        "--players",
        "3",
        "--games",
        str(GAMES),
        "--hands",
        "2",
        "--jobs",
        "1",
    )
    assert golpae(*call, "--traces", "games.jsonl", "--spec-path", ".").status == 0
    recorded = (here / "games.jsonl").read_text().replace("sticks+any-tile", "sticks")
    (here / "games.jsonl").write_text(recorded)
    (here / "sticks.golpae").write_text(base.lstrip() + "\n")
    return here


def test_the_answer_is_a_variant_that_can_be_played(golpae: Golpae, games: Path) -> None:
    done = golpae("learn", "sticks.golpae", "games.jsonl", "--write", "ours.golpae")
    assert done.status == 0
    head, *lines = done.out.splitlines()
    assert head == f"sticks: {GAMES} games, 0 legal, {GAMES} refused"
    assert f"  play.like refuses {GAMES}" in lines
    assert f"the shortest edit that was found which makes all {GAMES} games legal:" in lines
    at = lines.index('  variant learned "without play.like"')
    assert lines[at + 1] == "    drop play.like"
    assert lines[-1].startswith("wrote `ours.golpae`")
    assert golpae("lint", "ours.golpae").status == 0
    assert golpae("check", "--rules", "ours.golpae+learned", "games.jsonl").status == 0
    again = golpae("learn", "sticks.golpae", "games.jsonl", "--write", "ours.golpae")
    assert (again.status, again.out) == (2, "")
    assert "`ours.golpae` is there already" in again.err


def test_json_has_each_edit(golpae: Golpae, games: Path) -> None:
    found = json.loads(golpae("learn", "sticks.golpae", "games.jsonl", "--format", "json").out)
    assert (found["format"], found["kind"], found["rules"]) == (1, "games", "sticks")
    assert (found["games"], found["legal"]) == (GAMES, 0)
    assert found["refused"] == [{"clause": "play.like", "games": GAMES}]
    best = found["edits"][0]
    assert best["places"] == [{"clause": "play.like", "change": "dropped"}]
    assert (best["legal"], best["gained"], best["broken"], best["illegal"]) == (GAMES, GAMES, 0, [])
    assert (found["near"], found["written"]) == (["sticks"], None)
    assert best["first"]["game"].startswith("games.jsonl:")


def test_a_game_that_decides_is_shown_and_written(golpae: Golpae, games: Path) -> None:
    call = ("learn", "sticks.golpae", "games.jsonl", "--format", "json", "--witnesses", "decide")
    best, *others = json.loads(golpae(*call).out)["edits"]
    assert any(edit["deciding"] is None for edit in others)  # edits that make no difference in any game
    for number, edit in enumerate((best, *others), 1):
        decided = edit["deciding"]
        if decided is None:
            continue
        assert decided["file"] == str(Path("decide", f"edit-{number}.jsonl"))
        lines = [json.loads(line) for line in Path(decided["file"]).read_text().splitlines()]
        assert lines[0] == {"golpae": 1, "rules": "sticks", "players": decided["players"]}
        assert lines[1:] == decided["events"]
    assert best["deciding"]["legal_with"] == "this"  # it allows more than the text
    assert best["deciding"]["clause"] == "play.like"
    assert golpae("check", "--spec-path", ".", best["deciding"]["file"]).status == 1


def test_a_property_that_falls_is_told(golpae: Golpae, games: Path) -> None:
    text = Path("sticks.golpae")
    text.write_text(
        text.read_text() + "\nalways like: size of pile = 2 implies every t, u in pile: alike(t, u)\n"
    )
    done = golpae("learn", "sticks.golpae", "games.jsonl", "--prove")
    assert "`like` does not hold with it: refuted with 2 and 3 players" in done.out.splitlines()
    found = json.loads(golpae("learn", "sticks.golpae", "games.jsonl", "--format", "json").out)
    assert found["falling"] is None


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (("learn", "sticks.golpae", "none.jsonl"), "none.jsonl"),
        (("learn", "sticks.golpae", "games.jsonl", "--hands", "--prove"), "`--prove` is about games"),
        (("learn", "nothing", "games.jsonl"), "nothing"),
        (("learn", "put", "games.jsonl", "--spec-path", "rules"), "there is no recorded game of `put`"),
        (("learn", "sticks.golpae", "games.jsonl", "--write", "ours.txt"), "NAME.golpae"),
        (("learn", "sticks.golpae", "games.jsonl", "--write", "3rd.golpae"), "NAME.golpae"),
        (
            ("learn", "sticks.golpae", "games.jsonl", "--write", "sub/sticks.golpae"),
            "there is a game called `sticks`",
        ),
        (
            ("learn", "sticks.golpae", "games.jsonl", "--write", "jjak.golpae"),
            "there is a game called `jjak`",
        ),
        (("learn", "sticks.golpae", "games.jsonl", "--write", "sub/ours.golpae"), "there is no folder `sub`"),
        (("learn", "sticks.golpae", "games.jsonl", "--from", "nonsense"), "nonsense"),
        (("learn", "sticks.golpae", "five.jsonl"), "1 game left out, at a table that the rules do not have"),
        (("learn", "sticks.golpae", "odd.jsonl"), "1 game left out, with an event that cannot be read"),
    ],
)
def test_wrong_input_is_told(
    here: Path, capsys: pytest.CaptureFixture[str], call: tuple[str, ...], told: str
) -> None:
    base, _, _ = TEXT.partition("\nvariant ")
    (here / "sticks.golpae").write_text(base.lstrip() + "\n")
    header = '{"golpae":1,"rules":"sticks","players":["An","Bo"]}\n'
    (here / "games.jsonl").write_text(header)
    (here / "five.jsonl").write_text(header.replace('"Bo"', '"Bo","Cho","Dae","Eun"'))
    (here / "odd.jsonl").write_text(f'{header}{{"do":["x"]}}\n')
    status = main([*call])
    out, err = capsys.readouterr()
    assert (status, out) == (2, "")
    assert told in err


@pytest.fixture
def hands(here: Path) -> Path:
    """The game of couples without its variants, and hands with their points by one of these."""
    base, _, _ = COUPLES.partition("\nvariant ")
    (here / "couples.golpae").write_text(base.lstrip() + "\n")
    lines = [
        json.dumps({**hand.given, "points": hand.worth})
        for hand in scored(couples(), "high", given(), GAMES, 1)
    ]
    (here / "hands.jsonl").write_text("\n".join(lines) + "\n")
    return here


HANDS = ("learn", "couples.golpae", "--hands")


def test_hands_with_their_points_are_explained(golpae: Golpae, hands: Path) -> None:
    done = golpae(*HANDS, "hands.jsonl", "--write", "ours.golpae")
    assert (done.status, done.err) == (0, "")
    lines = done.out.splitlines()
    assert "    replace most: 6" in lines
    assert f"by which all {GAMES} hands have their points:" in done.out
    assert lines[-1].startswith(
        "wrote `ours.golpae`; what else it changes: golpae compare couples.golpae ours"
    )
    assert golpae("lint", "ours.golpae").status == 0
    assert golpae(*lines[-1].partition(": golpae ")[2].split()).status in (0, 1)
    found = json.loads(golpae(*HANDS, "hands.jsonl", "--format", "json").out)
    assert (found["format"], found["kind"], found["hands"]) == (1, "hands", GAMES)
    assert (found["edits"][0]["wrong"], found["written"]) == ([], None)


def test_hands_are_read_as_those_that_are_scored(golpae: Golpae, hands: Path) -> None:
    plain = (hands / "hands.jsonl").read_bytes()
    nameless = plain.replace(b'"rules": "couples", ', b"").replace(b', "rules": "couples"', b"")
    assert b"rules" not in nameless
    (hands / "held").mkdir()
    (hands / "held" / "hands.jsonl.gz").write_bytes(gzip.compress(nameless))
    for call in (("held",), ("-",)):
        done = golpae(*HANDS, *call, stdin=plain)
        assert (done.status, done.err) == (0, "")
        assert "    replace most: 6" in done.out.splitlines()


@pytest.mark.parametrize(
    ("held", "told"),
    [
        (b"", "odd.jsonl: no hand in it"),
        (b"\xff\xfe\n", "odd.jsonl:1: not UTF-8"),
        (b"[" * 20_000, "odd.jsonl:1: nested deeper than"),
        (b"{", "odd.jsonl:1: not JSON"),
        (b'{"rules":5,"points":1}', "odd.jsonl:1: a hand needs `rules`"),
        (b'{"rules":"couples"}', "odd.jsonl:1: a hand needs the `points`"),
        (b'{"golpae":1,"rules":"couples","players":["An","Bo"]}', "odd.jsonl:1: this line begins a game"),
        (b'{"rules":"couples","points":"1"}', "odd.jsonl:1: `points` is a whole number"),
        (b'{"rules":"couples","points":true}', "odd.jsonl:1: `points` is a whole number"),
        (b'{"rules":"couples","points":[1]}', "odd.jsonl:1: `points` is a whole number"),
        (b'{"rules":"jjak","points":1}', "1 hand left out, of another game; the first is `odd.jsonl:1`"),
        (
            b'{"rules":"couples","hand":5,"points":1}',
            "1 hand left out, which cannot be scored (`hand` must be",
        ),
        (b'{"rules":"couples","hnad":["1a"],"points":1}', "which cannot be scored (unknown key `hnad`"),
    ],
)
def test_hands_that_teach_nothing_are_told(golpae: Golpae, hands: Path, held: bytes, told: str) -> None:
    (hands / "odd.jsonl").write_bytes(held)
    done = golpae(*HANDS, "odd.jsonl")
    assert (done.status, done.out) == (2, "")
    assert told in done.err


@pytest.mark.parametrize(
    ("call", "told"),
    [
        ((*HANDS, "none.jsonl"), "none.jsonl"),
        ((*HANDS, "hands.jsonl", "--from", "nonsense"), "`--from` is for games"),
        (("learn", "jjak", "--hands", "hands.jsonl"), "`jjak` has no `score`"),
    ],
)
def test_a_wrong_call_about_hands_is_told(
    golpae: Golpae, hands: Path, call: tuple[str, ...], told: str
) -> None:
    done = golpae(*call)
    assert (done.status, done.out) == (2, "")
    assert told in done.err


def test_a_hand_that_cannot_be_scored_is_no_evidence(golpae: Golpae, hands: Path) -> None:
    odd = '{"rules":"couples","hand":["1a"],"drwan":true,"points":4}\n'
    sideways = '{"rules":"couples","hand":["1a"],"points":null,"note":"a\u2028b\u0085c"}\n'
    file = hands / "hands.jsonl"
    file.write_text(file.read_text() + odd + sideways, encoding="utf-8")
    done = golpae(*HANDS, "hands.jsonl")
    assert done.status == 0
    assert f"by which all {GAMES + 1} hands have their points:" in done.out
    assert f"the first is `hands.jsonl:{GAMES + 1}`" in done.err
