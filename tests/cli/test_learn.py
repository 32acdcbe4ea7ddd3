"""`golpae learn`: its answer, the text that it writes, its JSON, and its exit status."""

from __future__ import annotations

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
    assert (found["format"], found["rules"], found["games"], found["legal"]) == (1, "sticks", GAMES, 0)
    assert found["refused"] == [{"clause": "play.like", "games": GAMES}]
    best = found["edits"][0]
    assert best["places"] == [{"clause": "play.like", "change": "dropped"}]
    assert (best["legal"], best["gained"], best["broken"], best["illegal"]) == (GAMES, GAMES, 0, [])
    assert (found["near"], found["written"]) == (["sticks"], None)
    assert best["first"]["game"].startswith("games.jsonl:")


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (("learn", "sticks.golpae", "none.jsonl"), "none.jsonl"),
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


def test_hands_with_their_points_are_explained(here: Path, golpae: Golpae) -> None:
    base, _, _ = COUPLES.partition("\nvariant ")
    (here / "couples.golpae").write_text(base.lstrip() + "\n")
    lines = [
        json.dumps({**hand.given, "points": hand.worth})
        for hand in scored(couples(), "high", given(), GAMES, 1)
    ]
    (here / "hands.jsonl").write_text("\n".join(lines) + "\n")
    call = ("learn", "couples.golpae", "--hands", "hands.jsonl")
    done = golpae(*call, "--write", "ours.golpae")
    assert (done.status, done.err) == (0, "")
    assert "    replace most: 6" in done.out.splitlines()
    assert f"by which all {GAMES} hands have their points:" in done.out
    assert golpae("lint", "ours.golpae").status == 0
    found = json.loads(golpae(*call, "--format", "json").out)
    assert (found["format"], found["hands"], found["edits"][0]["wrong"]) == (1, GAMES, [])
    nobody = golpae("learn", "couples.golpae", "--hands", "couples.golpae")
    assert nobody.status == 2
    assert "line 1 is not JSON" in nobody.err
