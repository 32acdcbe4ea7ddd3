"""`golpae score`: hands scored without a game, from the command line, a file or standard input."""

from __future__ import annotations

import gzip
import io
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from golpae.cli.main import main
from golpae.replay.score_hand import Fault, Scored, score_hand
from tests.replay.shared import LIBRARY

# A score that adds up, with keys that a hand may leave out, and a set that depends on the number of players.
BEADS = """
game beads "Beads"

players 2 to 4

tiles 24 of 12 kinds
  glass: two of each "{size}g" for size in 1 to 6
  clay: two of each "{size}c" for size in 1 to 6
  withdrawn: if size of players = 2 then {1g} else {}

zones
  bowl: tiles seen by nobody, holds the set
  each player's hand: tiles seen by its owner

shape rising(a, b, c): a in glass and b in glass and c in glass
  and b's size = a's size + 1 and c's size = b's size + 1
shape twins(a, b): a = b

arrangement string: 1 rising and 1 twins

score worth "what a string of five is worth"
  given
    beads: tiles
    last: tile or none = none
    drawn: yes or no = no
  hand: beads
  as: string
  total: sum
  pattern any-string 1: yes
  pattern clay-twins 2: every t in twins: t in clay
  pattern last-bead 4: last is not none and last in twins
  pattern drawn-bead 8: drawn

deal from bowl
  hands: 5 for everyone

action show(tile) by p "show a bead to win"
  held: tile in p's hand "{p} does not hold {tile}"
  strung: worth(p's hand, tile, no) is not none "no string"
  then p wins

end
  due: over "the hand is not over"

payout
  then won: when winner is not none: for each q in players - winner: q pays winner stake
"""


class Ran(NamedTuple):
    status: int
    out: str
    err: str

    @property
    def objects(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.out.splitlines()]


Score = Callable[..., Ran]


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def score(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Score:
    """Runs `golpae score` in a folder that holds the text of BEADS."""
    monkeypatch.setenv("GOLPAE_CACHE", str(cache))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "beads.golpae").write_text(BEADS, encoding="utf-8")

    def run(*words: str, stdin: str = "") -> Ran:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        status = main(["score", "--spec-path", ".", *words])
        said = capsys.readouterr()
        return Ran(status, said.out, said.err)

    return run


def written(*hands: Any) -> str:
    return "".join(hand if isinstance(hand, str) else json.dumps(hand) + "\n" for hand in hands)


# ------------------------------------------------------------------ one hand


def test_a_hand_of_words_is_scored(score: Score) -> None:
    assert score("ho-hpai", *"6-6 4-4 5-5 1-1 2-2 3-3".split()) == (
        0,
        "ho-hpai 6-6 5-5 4-4 3-3 2-2 1-1: 1\n  best   1  6-6 5-5 4-4 | 3-3 2-2 1-1  (any-two 1)\n",
        "",
    )


def test_only_the_patterns_that_count_are_listed(score: Score) -> None:
    ran = score("ho-hpai", *"2-1 3-6 4-5 1-4 2-6 3-5".split())
    assert ran.out.splitlines()[1:] == [
        "  best   5  6-3 5-4 2-1 | 6-2 5-3 4-1  (hol-ssang-syo 5)",
        "  best   5  6-3 5-4 6-2 5-3 4-1 2-1  (hol-ssang-syo 5)",
    ]


def test_a_hand_that_does_not_win_counts_nothing(score: Score) -> None:
    assert score("ho-hpai", *"6-6 5-5 4-4 3-3 2-2 2-1".split()) == (
        1,
        (
            "ho-hpai 6-6 5-5 4-4 3-3 2-2 2-1: counts nothing\n"
            "            6-6 5-5 4-4  (`broken` lacks 1 `han-hpai`; left over: 3-3 2-2 2-1)\n"
        ),
        "",
    )
    ran = score("--format", "json", "ho-hpai", *"6-6 5-5 4-4 3-3 2-2 2-1".split())
    assert ran.status == 1
    assert ran.objects == [
        {
            "points": None,
            "sets": [],
            "ok": False,
            "misfit": {
                "arrangement": "broken",
                "sets": [["6-6", "5-5", "4-4"]],
                "lacks": {"han-hpai": 1},
                "left": ["3-3", "2-2", "2-1"],
            },
        }
    ]


@pytest.mark.parametrize("hand", ["", "6-6 5-5 4-4", "6-6 6-6 5-5 5-5 4-4 4-4 3-3"])
def test_too_few_or_too_many_pieces_do_not_win(score: Score, hand: str) -> None:
    ran = score("--format", "json", "ho-hpai", f"hand={json.dumps(hand.split())}")
    (found,) = ran.objects
    assert found.pop("misfit")["arrangement"] == "broken"
    assert found == {"points": None, "sets": [], "ok": False}


@pytest.mark.parametrize(
    ("rules", "hand", "points"),
    [
        ("ho-hpai", "5-5 5-5 4-1 6-6 6-6 6-2", 1),
        ("ho-hpai+counts-add", "5-5 5-5 4-1 6-6 6-6 6-2", 2),
        ("ho-hpai+no-sok", "5-5 5-5 4-1 6-6 6-6 6-2", None),
        ("ho-hpai", "3-3 3-2 1-1 5-5 5-1 1-1", None),
        ("ho-hpai+a-ki-as-printed", "3-3 3-2 1-1 5-5 5-1 1-1", 1),
        ("ho-hpai+counts-add+a-ki-as-printed", "3-3 3-2 1-1 5-5 5-1 1-1", 2),
        ("ho-hpai", "3-1 4-2 6-5 6-1 5-2 4-3", 3),
        ("ho-hpai", "5-1 6-2 4-3 5-1 6-3 4-2", 4),
        ("ho-hpai", "5-1 5-2 5-3 5-4 5-5 6-5", 4),
        ("ho-hpai", "1-2 2-2 3-2 2-4 5-2 2-6", 5),
        ("ho-hpai", "1-1 1-2 1-3 1-4 1-5 1-6", 3),
        ("ho-hpai", "2-1 3-1 3-2 5-4 6-4 6-5", 3),
    ],
)
def test_a_reading_changes_the_points_of_a_hand(
    score: Score, rules: str, hand: str, points: int | None
) -> None:
    [found] = score("--format", "json", rules, *hand.split()).objects
    assert found["points"] == points
    assert found["ok"] is (points is not None)


def test_the_sets_are_those_of_a_best_layout(score: Score) -> None:
    [found] = score("--format", "json", "ho-hpai", *"3-1 4-2 6-5 1-1 1-1 5-1".split()).objects
    assert sorted(map(sorted, found["sets"])) == [["1-1", "1-1", "5-1"], ["3-1", "4-2", "6-5"]]


def test_the_points_of_patterns_add_up(score: Score) -> None:
    ran = score("beads", *"1g 2g 3g 3c 3c".split(), "last=3c", "drawn=true")
    assert ran.out.splitlines() == [
        "beads 1g 2g 3g 3c 3c: 15",
        "  best  15  1g 2g 3g | 3c 3c  (any-string 1, clay-twins 2, last-bead 4, drawn-bead 8)",
    ]
    [found] = score("--format", "json", "beads", *"1g 2g 3g 3c 3c".split(), "last=1g").objects
    assert found == {"points": 3, "patterns": {"any-string": 1, "clay-twins": 2}, "ok": True}
    [found] = score("--format", "json", "beads", *"1g 2g 3g 3c 4c".split()).objects
    assert found.pop("misfit")["left"] == ["3c", "4c"]
    assert found == {"points": None, "patterns": {}, "ok": False}


# ------------------------------------------------------------------ players and options


def test_the_whole_set_is_in_play_unless_players_are_given(score: Score) -> None:
    hand = "6-6 6-6 5-5 5-5 4-4 4-4".split()
    assert score("ho-hpai", *hand).status == 0
    assert score("--players", "4", "ho-hpai", *hand).status == 0
    ran = score("--players", "3", "ho-hpai", *hand)
    assert ran == (2, "", "golpae: the hand has 2 of 6-6, but the set in play has 0\n")
    ran = score("ho-hpai", *hand, "players=3")
    assert ran == (2, "", "golpae: the hand has 2 of 6-6, but the set in play has 0\n")
    single = score("--players", "3", "ho-hpai+withdraw-single", *"6-6 5-5 4-4 2-1 3-1 3-2".split())
    assert single.status == 0


def test_players_of_a_hand_come_before_those_of_the_call(score: Score) -> None:
    hand = {"rules": "beads", "beads": "1g 2g 3g 1g 1c".split()}
    ran = score("--players", "2", "--format", "json", "-", stdin=written(hand, {**hand, "players": 3}))
    assert [found.get("error") for found in ran.objects] == [
        "the hand has 2 of 1g, but the set in play has 1",
        None,
    ]


@pytest.mark.parametrize("number", ["2", "5"])
def test_a_number_of_players_that_the_rules_exclude_is_refused(score: Score, number: str) -> None:
    ran = score("--players", number, "ho-hpai", "6-6")
    assert ran == (2, "", f"golpae: `ho-hpai` is for 3 to 4 players, not for {number}\n")


# ------------------------------------------------------------------ files


HOL = {"rules": "ho-hpai", "hand": "2-1 6-3 5-4 4-1 6-2 5-3".split()}
NOTHING = {"rules": "ho-hpai", "hand": "6-6 6-6 5-5 5-5 4-4 4-3".split()}


def test_every_hand_of_a_file_is_scored(score: Score, tmp_path: Path) -> None:
    hands = written({"id": "a", **HOL}, "\n", {"id": 7, **NOTHING, "note": "none", "time": 3}, HOL)
    (tmp_path / "hands.jsonl").write_text(hands, encoding="utf-8")
    ran = score("--format", "json", "hands.jsonl")
    assert ran.status == 0
    first, second, third = ran.objects
    assert (first["id"], first["points"], first["ok"]) == ("a", 5, True)
    assert second["misfit"]["lacks"] == {"han-hpai": 1}
    assert {**second, "misfit": 0} == {"id": 7, "points": None, "sets": [], "ok": False, "misfit": 0}
    assert third == {key: value for key, value in first.items() if key != "id"}
    people = score("hands.jsonl").out.splitlines()
    assert people[0] == "a: 6-3 5-4 6-2 5-3 4-1 2-1: 5"
    assert people[3] == "7: 6-6 6-6 5-5 5-5 4-4 4-3: counts nothing"


def test_a_compressed_file_of_hands_is_scored(score: Score, tmp_path: Path) -> None:
    (tmp_path / "hands.jsonl.gz").write_bytes(gzip.compress(written(HOL).encode()))
    assert score("--format", "json", "hands.jsonl.gz").objects[0]["points"] == 5


def test_hands_are_read_from_standard_input(score: Score) -> None:
    assert score("--format", "json", "-", stdin=written(HOL, NOTHING)).objects[0]["points"] == 5


def test_the_call_names_the_rules_for_all_hands(score: Score) -> None:
    bare = {"hand": HOL["hand"]}
    for words in (("ho-hpai", "-"), ("--rules", "ho-hpai", "-")):
        ran = score("--format", "json", *words, stdin=written(bare, {**bare, "rules": "ho-hpai+no-sok"}))
        assert [found["points"] for found in ran.objects] == [5, 5]
    ran = score("--format", "json", "-", stdin=written(bare))
    assert ran.objects[0]["error"].startswith("a hand needs `rules`")


def test_an_empty_file_of_hands_is_named(score: Score) -> None:
    assert score("--format", "json", "-", stdin="") == (0, "", "golpae: <stdin>: no hand in it\n")


# ------------------------------------------------------------------ faults


def test_rules_without_a_score_are_reported_once(score: Score) -> None:
    hand = json.dumps({"rules": "jjak", "hand": []})
    done = score("-", stdin="\n".join([hand] * 3))
    assert done.status == 2
    assert done.err == (
        "golpae: <stdin>:1: `jjak` has no `score`: hands are not worth points in it\n"
        "golpae: 3 hands of `jjak` could not be scored, because it has no `score`\n"
    )


def test_a_faulty_line_does_not_stop_the_others(score: Score) -> None:
    lines = written(HOL, {"id": "x", **HOL, "hand": ["6-6", "7-6"]}, "nonsense\n", HOL)
    ran = score("--format", "json", "-", stdin=lines)
    assert ran.status == 2
    assert [found["points"] for found in ran.objects] == [5, None, None, 5]
    assert ran.objects[1] == {
        "id": "x",
        "points": None,
        "ok": False,
        "error": "there is no tile `7-6`; did you mean `6-6`?",
    }
    assert [line.split(": ")[1] for line in ran.err.splitlines()] == ["<stdin>:2", "<stdin>:3"]


FAULTS: list[tuple[Any, str]] = [
    ({"rules": "ho-hpai", "hand": ["6-6"] * 3}, "the hand has 3 of 6-6, but the set in play has 2"),
    ({"rules": "ho-hpai", "hand": ["5-4", "4-5"]}, "the hand has 2 of 5-4, but the set in play has 1"),
    ({"rules": "ho-hpai", "hand": ["0-0"]}, "there is no tile `0-0`"),
    ({"rules": "ho-hpai", "hand": ["?"]}, "unknown tiles (`?`) cannot be checked yet"),
    ({"rules": "ho-hpai", "hand": "6-6"}, '`hand` must be a list, not `"6-6"`'),
    ({"rules": "ho-hpai", "hand": None}, "`hand` must be a list, not `null`"),
    ({"rules": "ho-hpai", "hand": [66]}, "`hand` must be a tile, not `66`"),
    ({"rules": "ho-hpai"}, "the hand lacks the key `hand`"),
    ({"rules": "ho-hpai", "hand": [], "hands": []}, "unknown key `hands` in the hand; did you mean `hand`?"),
    ({"hand": []}, 'a hand needs `rules`, such as `"rules":"base+variant"`'),
    ({"rules": 5, "hand": []}, 'a hand needs `rules`, such as `"rules":"base+variant"`'),
    ({"rules": "", "hand": []}, "`rules` has an empty name: ``"),
    (
        {"rules": "ho-hpai+no-sok+no-sok", "hand": []},
        "`rules` names the variant `no-sok` twice",
    ),
    (
        {"rules": "ho-hpai+nosok", "hand": []},
        "`ho-hpai` has no variant or reading `nosok`; did you mean `no-sok`?",
    ),
    ({"rules": "jjak", "hand": []}, "`jjak` has no `score`: hands are not worth points in it"),
    ({"rules": "ho-hpai", "hand": [], "players": 2}, "`ho-hpai` is for 3 to 4 players, not for 2"),
    ({"rules": "ho-hpai", "hand": [], "players": True}, "`players` must be a whole number: how many play"),
    ({"rules": "ho-hpai", "hand": [], "options": []}, '`options` must be an object such as `{"name":1}`'),
    (
        {"rules": "ho-hpai", "hand": [], "options": {"double": 9}},
        "the rules `ho-hpai` have no option `double`: they have none",
    ),
    ({"rules": "ho-hpai", "hand": [], "id": [1]}, "`id` must be a text or a whole number"),
    ({"rules": "beads", "beads": ["1g"], "last": "9g"}, "there is no tile `9g`"),
    ({"rules": "beads", "beads": [], "drawn": "yes"}, '`drawn` must be true or false, not `"yes"`'),
    ('{"rules":"ho-hpai","hand":[],"hand":[]}\n', "the key `hand` is given twice"),
    ("[1,2]\n", "this line must be a JSON object, not a list"),
    ('{"rules":\n', "not JSON: "),
]


@pytest.mark.parametrize(("hand", "said"), FAULTS, ids=[said[:40] for _, said in FAULTS])
def test_a_faulty_hand_gets_a_message(score: Score, hand: Any, said: str) -> None:
    ran = score("--format", "json", "-", stdin=written(hand))
    assert ran.status == 2
    [found] = ran.objects
    assert found["error"] == said or (said.endswith(": ") and found["error"].startswith(said))
    assert (found["points"], found["ok"]) == (None, False)
    assert ran.err == f"golpae: <stdin>:1: {found['error']}\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("chess", "6-6"), "error[L001]: there are no rules called `chess`\n"),
        (("ho-hpai", "6-6", 'hand=["6-6"]'), "golpae: `hand` is given twice: as tiles and by its key\n"),
        (
            ("ho-hpai",),
            "golpae: the hand lacks the key `hand`\n  help: name the tiles of the hand after the rules, such as `6-6 ",
        ),
        (
            ("ho-hpai", "6-6", "nosuch=3"),
            "golpae: unknown key `nosuch` in the hand\n  help: its keys are `hand`\n",
        ),
        (
            ("korean-mahjong", "2m", "3m"),
            (
                "golpae: the hand lacks the key `seat_wind`\n  help: `seat_wind` is the name of a tile; write `win=1m "
                "seat_wind=E` after the tiles, with values of your own\n"
            ),
        ),
        (
            ("korean-mahjong", "2m", "3m", "self_drawn=true", "earthly=true"),
            (
                "golpae: the hand lacks the key `seat_wind`\n  help: `seat_wind` is the name of a tile; write `win=1m "
                "seat_wind=S` after the tiles, with values of your own\n"
            ),
        ),
        (
            ("ho-hpai", "6-6,5-5"),
            "golpae: there is no tile `6-6,5-5`\n  help: separate the tiles by spaces, without quotes: `golpae ",
        ),
        (
            ("ho-hpai", "6-6 5-5", "4-4"),
            "golpae: there is no tile `6-6 5-5`\n  help: separate the tiles by spaces, without quotes: ",
        ),
        (
            ("6-6", "5-5"),
            "golpae: `6-6` cannot be the name of rules\n  help: name the rules first: `golpae score RULES 6-6 5-5`\n",
        ),
        ((), "golpae score: RULES is missing\n"),
        (("none.jsonl",), "golpae: no file or folder `none.jsonl`\n"),
        (("ho-hpai", "none.jsonl"), "golpae: no file or folder `none.jsonl`\n"),
        (("-", "6-6"), "golpae: unexpected argument `6-6` after a file of hands\n"),
    ],
)
def test_a_wrong_call_gets_a_message(score: Score, words: tuple[str, ...], said: str) -> None:
    ran = score(*words)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith(said)


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_file_of_traces_is_no_file_of_hands(score: Score, form: str) -> None:
    header = '{"golpae":1,"rules":"ho-hpai","players":["An","Bo","Cy"]}\n'
    Path("games.jsonl").write_text(header + '{"do":"deal"}\n' * 3)
    ran = score("--format", form, "games.jsonl")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == (
        "golpae: `games.jsonl` holds traces, not hands\n  help: `golpae check games.jsonl` checks them\n"
    )


def test_a_rule_text_with_a_fault_is_shown(score: Score, tmp_path: Path) -> None:
    (tmp_path / "beads.golpae").write_text(BEADS.replace("t in clay", "t in clai"), encoding="utf-8")
    ran = score("beads", "1g")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.count("did you mean `clay`?") == 1
    hands = written({"rules": "beads", "beads": []}, {"rules": "chess", "beads": []}, {"rules": "beads"})
    ran = score("-", stdin=hands)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.count("did you mean `clay`?") == 1
    assert "golpae: <stdin>:2: there are no rules called `chess`; " in ran.err
    assert ran.err.endswith(
        "golpae: 2 hands could not be scored: their rules (`beads`) have the faults shown above\n"
    )
    assert [found["ok"] for found in score("--format", "json", "-", stdin=hands).objects] == [False] * 3


# ------------------------------------------------------------------ implied patterns


ALONG = (
    BEADS.replace("game beads", "game strings")
    .replace(
        "  total: sum\n",
        "  keep: any-string and eligible >= 2 and points >= 2\n  total: unimplied\n",
    )
    .replace(
        "  pattern drawn-bead 8: drawn\n",
        "  pattern drawn-bead 8: drawn\n  drawn-bead brings clay-twins\n  clay-twins brings any-string\n",
    )
)
STRING = "1g 2g 3g 3c 3c".split()


def counted(score: Score, text: str, *words: str) -> dict[str, int]:
    Path("strings.golpae").write_text(text, encoding="utf-8")
    [found] = score("--format", "json", *words).objects
    assert found["points"] == sum(found["patterns"].values())
    patterns: dict[str, int] = found["patterns"]
    return patterns


def test_a_pattern_that_another_brings_is_not_added(score: Score) -> None:
    assert counted(score, ALONG, "strings", *STRING) == {"clay-twins": 2}
    assert counted(score, ALONG.replace("unimplied", "sum"), "strings", *STRING, "drawn=true") == {
        "any-string": 1,
        "clay-twins": 2,
        "drawn-bead": 8,
    }


def test_a_pattern_that_another_brings_still_brings_its_own(score: Score) -> None:
    assert counted(score, ALONG, "strings", *STRING, "drawn=true") == {"drawn-bead": 8}
    # by way of one that does not hold, too
    glass = "1g 2g 3g 4g 4g".split()
    kept = ALONG.replace("eligible >= 2 and ", "")
    assert counted(score, kept, "strings", *glass, "drawn=true") == {"drawn-bead": 8}


def test_the_minimum_may_count_eligible_patterns_or_points(score: Score) -> None:
    assert counted(score, ALONG.replace("eligible >= 2", "eligible >= 11"), "strings", *STRING, "drawn=true")
    counted(score, ALONG.replace("points >= 2", "points >= 3"), "strings", *STRING)
    assert score("--format", "json", "strings", *STRING).objects[0]["ok"] is False


def test_the_first_of_patterns_that_bring_each_other_counts(score: Score) -> None:
    circle = ALONG.replace("clay-twins brings any-string", "clay-twins brings drawn-bead")
    patterns = counted(score, circle, "strings", *STRING, "drawn=true")
    assert patterns == {"any-string": 1, "clay-twins": 2}
    three = circle.replace("clay-twins brings drawn-bead", "any-string brings drawn-bead")
    three = three.replace("points >= 2", "points >= 1") + "\nadd worth.clay-twins-brings: any-string\n"
    assert counted(score, three, "strings", *STRING, "drawn=true") == {"any-string": 1}
    assert counted(score, three, "strings", *STRING) == {"any-string": 1}


@pytest.mark.parametrize(
    ("delta", "patterns"),
    [
        ("drop worth.clay-twins-brings", {"any-string": 1, "clay-twins": 2, "last-bead": 4}),
        ("replace worth.clay-twins-brings: last-bead", {"any-string": 1, "clay-twins": 2}),
        ("replace worth.clay-twins-brings: last-bead, any-string", {"clay-twins": 2}),
        ("add worth.last-bead-brings: any-string", {"clay-twins": 2, "last-bead": 4}),
        ("add worth.last-bead-brings: clay-twins, any-string", {"last-bead": 4}),
        ("drop worth.clay-twins", {"any-string": 1, "last-bead": 4}),
    ],
)
def test_a_variant_changes_which_patterns_are_brought(
    score: Score, delta: str, patterns: dict[str, int]
) -> None:
    text = f'{ALONG}\nvariant other "other"\n  {delta}\n'
    assert counted(score, text, "strings+other", *STRING, "last=3c") == patterns


# ------------------------------------------------------------------ values that fit together


TOGETHER = BEADS.replace("game beads", "game strings").replace(
    "  hand: beads\n",
    """  provided
    dry: drawn implies last is none "{last} was not drawn, so do not say {drawn}"
    clay: last is not none implies last in clay
  hand: beads
""",
)


def test_values_that_contradict_each_other_are_refused(score: Score) -> None:
    Path("strings.golpae").write_text(TOGETHER, encoding="utf-8")
    ran = score("strings", *STRING, "last=3c", "drawn=true")
    assert ran == (2, "", "golpae: 3c was not drawn, so do not say yes\n")
    assert score("strings", *STRING, "last=3g").err == "golpae: `clay` does not hold\n"
    assert score("strings", *STRING, "last=3c").status == 0


@pytest.mark.parametrize(
    ("delta", "said"),
    [
        ("drop worth.dry", None),
        ("replace worth.dry: drawn implies last /= 3c", "3c was not drawn, so do not say yes"),
        ("replace worth.dry: drawn implies last /= 4c", None),
        ('add worth.big: size of beads > 5 "{size of beads} beads are too few"', "3c was not drawn"),
    ],
)
def test_a_variant_changes_which_values_contradict_each_other(
    score: Score, delta: str, said: str | None
) -> None:
    text = f'{TOGETHER}\nvariant other "other"\n  {delta}\n'
    Path("strings.golpae").write_text(text, encoding="utf-8")
    ran = score("strings+other", *STRING, "last=3c", "drawn=true")
    assert ran.status == (0 if said is None else 2)
    assert said is None or ran.err.startswith(f"golpae: {said}")
    if "big" in delta:
        assert score("strings+other", *STRING).err == "golpae: 5 beads are too few\n"


UNASKED = BEADS.replace("game beads", "game strings").replace(
    '  strung: worth(p\'s hand, tile, no) is not none "no string"\n', ""
)
ASKING = UNASKED.replace(
    "    drawn: yes or no = no\n",
    """    drawn: yes or no
    row: number
    from: one of bowl, hand
    beside: tile
    out: tile
  provided
    even: row mod 7 = 3
    hidden: drawn implies from = hand
    near: from = bowl implies row > 10
    clay: beside in clay
    none: out in glass and out in clay
""",
)


@pytest.mark.parametrize(
    ("given", "values"),
    [
        ((), "drawn=true row=3 from=hand beside=1c out=..."),
        (("drawn=false",), "row=3 from=hand beside=1c out=..."),
        (("drawn=false", "row=24"), "from=bowl beside=1c out=..."),
        (("from=bowl",), "drawn=false row=17 beside=1c out=..."),
    ],
)
def test_advice_names_values_that_fit_together(score: Score, given: Sequence[str], values: str) -> None:
    Path("strings.golpae").write_text(ASKING, encoding="utf-8")
    ran = score("strings", "--players", "2", *STRING, *given)
    assert f"write `{values}` after the tiles" in ran.err


# ------------------------------------------------------------------ the tile that completes a hand


WAITING = (
    TOGETHER.replace("last: tile or none = none", "last: tile")
    .replace("hand: beads\n", "hand: beads + last\n")
    .replace("last is not none and last in twins", "last in twins")
    .replace("drawn implies last is none", "drawn implies last /= 4g")
    .replace("clay: last is not none implies last in clay", "rest: size of beads > 3")
)


def test_every_tile_that_completes_a_hand_is_listed(score: Score) -> None:
    Path("strings.golpae").write_text(WAITING, encoding="utf-8")
    assert score("strings", *"2g 3g 4c 4c".split()) == (
        0,
        (
            "strings 2g 3g 4c 4c: waits for 1g 4g\n"
            "  1g   3  1g 2g 3g | 4c 4c  (any-string 1, clay-twins 2)\n"
            "  4g   3  2g 3g 4g | 4c 4c  (any-string 1, clay-twins 2)\n"
        ),
        "",
    )
    # 4g cannot be given with `drawn`, and a hand that has both 1g cannot wait for a third
    assert score("strings", *"2g 3g 4c 4c".split(), "drawn=true").out.startswith(
        "strings 2g 3g 4c 4c: waits for 1g\n  1g  11  "
    )
    assert score("strings", *"1g 1g 2g 3g".split()).out.splitlines()[0] == "strings 1g 1g 2g 3g: waits for 4g"
    ran = score("strings", *"1g 1g 2g 5g".split())
    assert ran == (1, "strings 1g 1g 2g 5g: no `last` completes it\n", "")


def test_what_is_given_beside_a_waiting_hand_counts_by_itself(score: Score) -> None:
    drawn = "    drawn: yes or no = no\n"
    text = WAITING.replace(drawn, f"{drawn}    spare: tiles or none = none\n")
    Path("strings.golpae").write_text(text, encoding="utf-8")
    hand = "2g 3g 4c 4c".split()
    waits = "strings 2g 3g 4c 4c: waits for 1g 4g"
    for tile in (
        "1g",
        "4g",
    ):  # the set has two of each; the hand does not count with those that are given beside it
        spare = json.dumps([tile] * 2)
        assert score("strings", *hand, f"spare={spare}").out.splitlines()[0] == waits
        ran = score("strings", *hand, f"spare={json.dumps([tile] * 3)}")
        assert ran == (2, "", f"golpae: the hand has 3 of {tile}, but the set in play has 2\n")


def test_a_wait_below_the_minimum_is_listed_as_such(score: Score) -> None:
    Path("strings.golpae").write_text(
        WAITING.replace("  total: sum\n", "  keep: points >= 4\n  total: sum\n"), encoding="utf-8"
    )
    ran = score("strings", *"2g 3g 4g 4c".split())
    assert ran.status == 0
    assert ran.out.splitlines() == [
        "strings 2g 3g 4g 4c: waits for 4c",
        "  4c   7  2g 3g 4g | 4c 4c  (any-string 1, clay-twins 2, last-bead 4)",
    ]
    ran = score("strings", *"2g 3g 4c 4c".split())
    assert (ran.status, ran.err) == (1, "")
    assert ran.out.splitlines() == [
        "strings 2g 3g 4c 4c: waits for 1g 4g",
        "  1g   3  1g 2g 3g | 4c 4c  (any-string 1, clay-twins 2), below the minimum",
        "  4g   3  2g 3g 4g | 4c 4c  (any-string 1, clay-twins 2), below the minimum",
    ]


@pytest.mark.parametrize(
    ("keep", "lacks"),
    [
        ("points >= 4", ["at least 4 are needed, not 3"]),
        ("points > 3", ["at least 4 are needed, not 3"]),
        ("5 <= points", ["at least 5 are needed, not 3"]),
        ("points >= 4 and eligible >= 6", ["at least 4 are needed, not 3", "at least 6 are needed, not 3"]),
    ],
)
def test_a_hand_below_the_minimum_says_what_it_is_worth_and_what_it_lacks(
    score: Score, keep: str, lacks: list[str]
) -> None:
    text = WAITING.replace("  total: sum\n", f"  keep: {keep}\n  total: sum\n")
    Path("strings.golpae").write_text(text, encoding="utf-8")
    ran = score("strings", *"2g 3g 4c 4c".split(), "last=1g")
    assert (ran.status, ran.err) == (1, "")
    assert ran.out.splitlines() == [
        "strings 2g 3g 4c 4c: worth 3, but below the minimum",
        "         3  1g 2g 3g | 4c 4c  (any-string 1, clay-twins 2)",
        *(f"        {words}" for words in lacks),
    ]
    shown = score("--format", "json", "strings", *"2g 3g 4c 4c".split(), "last=1g").objects[0]
    worth = {"points": 3, "patterns": {"any-string": 1, "clay-twins": 2}, "ok": False}
    if len(lacks) == 1:  # nothing but points is missing
        worth["lacks"] = int(lacks[0].split()[2]) - 3
    else:
        worth["fails"] = keep.split(" and ")
    assert shown == worth


@pytest.mark.parametrize(
    ("keep", "fails"),
    [
        ("drawn", {"drawn": ""}),
        ("points >= 1 and points <= 2", {"points <= 2": "at most 2 are needed, not 3"}),
        ("size of beads = 5 and points >= 1", {"size of beads = 5": "exactly 5 are needed, not 4"}),
        (
            "(points >= 1 and drawn) and size of beads > 4",
            {"drawn": "", "size of beads > 4": "at least 5 are needed, not 4"},
        ),
        ("drawn and last in beads", {"drawn": ""}),  # what comes behind may take it for granted
        ("not any-string and clay-twins", {"not any-string": ""}),
        ("(some t in rising: big(t)) and (drawn or last in clay)", {"some t in rising: big(t)": ""}),
        ("big(last) and points >= 2", {"big(last)": ""}),
        ("size of trio = 3 and points >= 2", {"size of trio = 3": "this arrangement has no `trio`"}),
        ("drawn and points >= 9", {"drawn": "", "points >= 9": None}),
    ],
)
def test_a_hand_that_does_not_count_says_which_condition_of_keep_fails(
    score: Score, keep: str, fails: dict[str, str | None]
) -> None:
    text = WAITING.replace("  total: sum\n", f"  keep: {keep}\n  total: sum\n")
    text += "\nshape trio(a, b, c): a = b and b = c\narrangement trios: 1 trio and 1 rising\n"
    text += "define big(t: tile): t's size = 6\n"
    text = text.replace("  as: ", "  as: trios or ")
    Path("strings.golpae").write_text(text, encoding="utf-8")
    ran = score("strings", *"2g 3g 4c 4c".split(), "last=1g")
    assert (ran.status, ran.err) == (1, "")
    head, _, *lines = ran.out.splitlines()
    assert head == "strings 2g 3g 4c 4c: worth 3, but it does not count"
    assert lines == [
        "        at least 9 are needed, not 3"
        if why is None
        else f"        `{words}` does not hold{': ' if why else ''}{why}"
        for words, why in fails.items()
    ]
    shown = score("--format", "json", "strings", *"2g 3g 4c 4c".split(), "last=1g").objects[0]
    assert (shown["fails"], "lacks" in shown) == ([*fails], False)
    ran = score("strings", *"2g 3g 4c 4c".split())
    assert ran.out.splitlines()[1].endswith(lines[0].strip())


SECOND = """
score other(hand: tiles)
  hand: hand
  as: single
  total: sum
  pattern any-string 5: size of hand = 3

arrangement single: 1 rising
"""


def test_rules_with_several_scores_ask_which(score: Score, tmp_path: Path) -> None:
    Path("strings.golpae").write_text(WAITING + SECOND, encoding="utf-8")
    several = "`strings` has several scores: `worth`, `other`"
    ran = score("strings", "2g", "3g", "4g")
    advice = "name one: `golpae score strings worth ...`, or `score` in each hand"
    assert ran == (2, "", f"golpae: {several}\n  help: {advice}\n")
    for words in (["2g", "--score", "other"], ["2g", "score=other"], ["other", "2g"]):
        ran = score("strings", *words, "3g", "4g")
        assert (ran.status, ran.out.splitlines()[0]) == (0, "strings 2g 3g 4g: 5")
    ran = score("strings", "2g", "3g", "4g", "--score", "best")
    assert (ran.status, ran.err.splitlines()[0]) == (
        2,
        "golpae: `strings` has no score `best`; its scores are `worth`, `other`",
    )
    hand = {"rules": "strings", "hand": ["2g", "3g", "4g"]}
    (tmp_path / "hands.jsonl").write_text(written(hand, {**hand, "score": "other"}), encoding="utf-8")
    ran = score("--format", "json", "hands.jsonl")
    assert (ran.status, [line["points"] for line in ran.objects]) == (2, [None, 5])
    assert ran.objects[0]["error"] == several
    assert score("--score", "other", "hands.jsonl").status == 0


def test_waits_are_listed_in_json(score: Score) -> None:
    Path("strings.golpae").write_text(WAITING, encoding="utf-8")
    hand = {"rules": "strings", "id": 3, "beads": "2g 3g 4c 4c".split(), "drawn": True}
    ran = score("--format", "json", "-", stdin=written(hand, {**hand, "beads": "2g 3g 5g 4c".split()}))
    assert ran.status == 0
    patterns = {"any-string": 1, "clay-twins": 2, "drawn-bead": 8}
    assert ran.objects == [
        {
            "id": 3,
            "points": None,
            "waits": [{"tile": "1g", "points": 11, "patterns": patterns}],
            "ok": True,
        },
        {"id": 3, "points": None, "waits": [], "ok": False},
    ]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("4c 4c 4c 2g", "the hand has 3 of 4c, but the set in play has 2"),
        ("4c 4c 2g", "`rest` does not hold"),
    ],
)
def test_a_faulty_waiting_hand_gets_a_message(score: Score, words: str, said: str) -> None:
    Path("strings.golpae").write_text(WAITING, encoding="utf-8")
    assert score("strings", *words.split()) == (2, "", f"golpae: {said}\n")


# ------------------------------------------------------------------ without the command line


def test_every_layout_comes_once_and_the_best_first() -> None:
    found = score_hand(HOL, LIBRARY)
    assert isinstance(found, Scored)
    assert [(way.points, dict(way.patterns)) for way in found.ways] == [(5, {"hol-ssang-syo": 5})] * 2
    assert [len(way.lists) for way in found.ways] == [2, 1]


def test_a_faulty_hand_is_a_returned_fault() -> None:
    assert score_hand({"rules": "ho-hpai", "hand": ["9-9"]}, LIBRARY) == Fault("there is no tile `9-9`")


def test_a_wait_that_does_not_count_says_why(score: Score) -> None:
    for keep, missing in (("points >= 5", {"lacks": 2}), ("drawn", {"fails": ["drawn"]})):
        text = WAITING.replace("  total: sum\n", f"  keep: {keep}\n  total: sum\n")
        Path("strings.golpae").write_text(text, encoding="utf-8")
        waits = score("--format", "json", "strings", *"2g 3g 4c 4c".split()).objects[0]["waits"]
        assert waits == [{"tile": tile, "points": None, "patterns": {}, **missing} for tile in ("1g", "4g")]


def test_a_hand_whose_marked_tile_is_in_no_group_says_so(score: Score) -> None:
    text = BEADS.replace("game beads", "game strings").replace(
        "as: string\n", "as: string\n  marking: last as last-one\n"
    )
    text = text.replace("last: tile or none = none", "last: tile")
    text = text.replace("last is not none and last in twins", "last in twins")
    Path("strings.golpae").write_text(text, encoding="utf-8")
    ran = score("strings", *STRING, "last=6c")
    assert ran.err == ""
    assert (ran.status, ran.out.splitlines()[1:]) == (
        1,
        ["            1g 2g 3g | 3c 3c  (`string` is complete; the marked tile is in no group of the hand)"],
    )
