"""`golpae simulate`: what comes of many games."""

from __future__ import annotations

import gzip
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest

from golpae.simulate import series as run
from golpae.simulate.play import SimulatedGame, SimulatedTable
from golpae.simulate.profile import Profile
from golpae.simulate.series import Series
from tests.cli.conftest import Golpae
from tests.replay.shared import all_judged

HERE = ("--spec-path", "rules", "--jobs", "1")


def test_the_table_counts_every_hand(golpae: Golpae) -> None:
    done = golpae("simulate", "put", "--games", "40", *HERE)
    lines = done.out.splitlines()
    assert (done.status, done.err) == (0, "")
    assert lines[0] == "put, 2 players, dealt 2: 40 games, random, seed 1"
    assert lines[2] == "hands                   share   95% interval"
    assert lines[3].split()[:3] == ["won", "40", "100.00%"]
    assert lines[6] == "without a winner   0    0.00%   0.00% to 8.76%"
    assert lines[8] == "events of a hand: 5 to 5, half of the hands up to 5, mean 5.00 (5.00 to 5.00)"
    assert lines[11].startswith("  seat 0  ")


def test_json_has_the_same_numbers_unrounded(golpae: Golpae) -> None:
    done = golpae("simulate", "put+plus1", "--games", "30", "--players", "3", "--format", "json", *HERE)
    found = json.loads(done.out)
    assert (found["rules"], found["players"], found["options"]) == ("put+plus1", 3, {"dealt": 2})
    assert (found["games"], found["of"], found["hands"], found["seed"]) == (30, 30, 30, 1)
    assert found["policies"] == ["random"] * 3
    assert found["won"]["count"] == sum(seat["count"] for seat in found["winners"]) == 30
    assert found["drawn"] == {"count": 0, "share": 0.0, "low": 0.0, "high": pytest.approx(0.1135, abs=1e-4)}
    assert sum(found["payments"][seat]["mean"] for seat in range(3)) == pytest.approx(0)
    assert found["events"]["hands"] == {str(found["events"]["median"]): 30}


def test_options_and_players_are_those_of_the_call(golpae: Golpae) -> None:
    done = golpae("simulate", "put", "--games", "3", "--players", "3", "--option", "dealt=1", *HERE)
    assert done.out.startswith("put, 3 players, dealt 1: 3 games, random, seed 1\n")
    assert "events of a hand: 3 to 3" in done.out


def test_another_seed_gives_other_games_and_the_same_one_the_same(golpae: Golpae) -> None:
    outs = []
    for seed in ("1", "2", "1"):
        golpae("simulate", "put", "--games", "20", "--seed", seed, "--traces", "a.jsonl", *HERE)
        outs.append(Path("a.jsonl").read_bytes())
    assert outs[0] == outs[2] != outs[1]


@pytest.mark.process
def test_the_number_of_processes_changes_nothing(golpae: Golpae) -> None:
    found = []
    for jobs in ("1", "3"):
        file = f"{jobs}.jsonl.gz"
        words = ("--games", "33", "--players", "3", "--traces", file, "--jobs", jobs)
        found.append((golpae("simulate", "jjak", *words).out, Path(file).read_bytes()))
    assert found[0] == found[1]
    assert len(all_judged(map(json.loads, gzip.decompress(found[0][1]).splitlines()))) == 33


def test_every_game_is_a_legal_trace_with_its_number(golpae: Golpae) -> None:
    golpae("simulate", "jjak", "--games", "12", "--hands", "2", "--traces", "a.jsonl", "--jobs", "1")
    reports = all_judged(map(json.loads, Path("a.jsonl").read_text().splitlines()))
    assert [(report.outcome.id, report.outcome.verdict.value) for report in reports] == [
        (game, "legal") for game in range(12)
    ]


def test_a_first_game_is_the_same_whatever_follows_it(golpae: Golpae) -> None:
    golpae("simulate", "jjak", "--games", "1", "--traces", "one.jsonl", "--jobs", "1")
    golpae("simulate", "jjak", "--games", "7", "--traces", "seven.jsonl", "--jobs", "1")
    one = Path("one.jsonl").read_bytes()
    assert Path("seven.jsonl").read_bytes().startswith(one)


def test_the_picture_is_valid_and_names_the_rules(golpae: Golpae) -> None:
    golpae("simulate", "put", "--games", "5", "--plot", "a.svg", *HERE)
    texts = [node.text for node in ElementTree.fromstring(Path("a.svg").read_text()) if node.text]
    assert "put, 2 players, dealt 2: 5 games, random, seed 1" in texts
    assert "won by seat 1" in texts


@pytest.mark.parametrize(
    ("words", "message", "advice"),
    [
        (("putt",), "there are no rules called `putt`", "did you mean `put`?"),
        (("put", "--games", "0"), "`--games` must be more than 0 and at most 1,000,000,000, not `0`", None),
        (("put", "--games", "x"), "`--games` must be a whole number, not `x`", None),
        (("put", "--seed", "-1"), "`--seed` must be a whole number from 0 to 18446744073709551615", None),
        (("put", "--players", "9"), "`put` is for 2 to 3 players, not for 9", None),
        (("put", "--players", "0"), "`--players` must be more than 0", None),
        (("put", "--option", "x=1"), "the rules `put` have no option `x`: they have `dealt`", None),
        (("put", "--option", "dealt"), "`--option` is NAME=NUMBER, not `dealt`", None),
        (("put", "--option", "dealt=9"), "`dealt` must be a number from 1 to 3, not 9", None),
        (("put", "--policy", "randon"), "there is no policy `randon`", "did you mean `random`?"),
        (
            ("put", "--policy", "random,random,random"),
            "`--policy` names 3 policies for 2 players",
            "name one for all, or one for each seat",
        ),
        (("put", "--policy", "nowhere:play"), "the policy `nowhere:play` cannot be loaded", None),
        (("put", "--traces", "no/where.jsonl"), "`no/where.jsonl` cannot be written to", None),
        (
            ("put", "--plot", "no/where.svg"),
            "`no/where.svg` cannot be written to: no such file or directory",
            None,
        ),
        (("put", "--plot", "rules", "--games", "1"), "`rules` cannot be written to: is a directory", None),
        (
            ("put", "--plot", "a", "--traces", "./a"),
            "`--plot` and `--traces` cannot both be written to `a`",
            "give each a file of its own",
        ),
        (
            ("put", "--plot", "-", "--games", "1"),
            "`--plot` needs the name of a file: the picture cannot go to standard output",
            None,
        ),
        (
            ("put", "--traces", "-", "--games", "1"),
            "`--traces` needs the name of a file: the traces cannot go to standard output",
            None,
        ),
        (
            ("put", "--plot", "x.PNG", "--games", "1"),
            "`--plot` writes SVG, not `x.PNG`",
            "write `--plot` `x.svg`",
        ),
        ((), "RULES is missing", "for example `golpae simulate game.golpae --games 1000`"),
    ],
)
def test_a_wrong_call_gets_a_message(
    golpae: Golpae, words: tuple[str, ...], message: str, advice: str | None
) -> None:
    done = golpae("simulate", *words, *(HERE if words else ()))
    assert done.status == 2
    assert message in done.err
    assert advice is None or advice in done.err


def test_a_picture_that_cannot_be_written_costs_no_games(golpae: Golpae) -> None:
    done = golpae("simulate", "put", "--plot", "no/where.svg", "--games", "100000000", *HERE)
    assert (done.status, done.out) == (2, "")


def test_an_interrupt_shows_what_was_played_so_far(golpae: Golpae, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Series.table
    monkeypatch.setattr(run, "compiled_table", lambda table, traced: None)

    def interrupted(series: Series, profile: Profile | None = None) -> SimulatedTable:
        table = whole(series, profile)
        play = table.play

        def until(seed: int, game: int, hands: int = 1) -> SimulatedGame:
            if game == 12:
                raise KeyboardInterrupt
            return play(seed, game, hands)

        monkeypatch.setattr(table, "play", until)
        return table

    monkeypatch.setattr(Series, "table", interrupted)
    done = golpae("simulate", "put", "--games", "30", "--traces", "a.jsonl", *HERE)
    assert done.status == 130
    assert done.out.startswith("put, 2 players, dealt 2: 10 of 30 games, random, seed 1\n")
    assert done.err == "golpae: interrupted; what was played so far is shown\n"
    assert len(all_of("a.jsonl")) == 10


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c_ends_all_processes_and_shows_what_they_played(tmp_path: Path) -> None:
    words = [
        "simulate",
        "jjak",
        "--games",
        "1000000",
        "--policy",
        "greedy",
        "--jobs",
        "2",
        "--traces",
        "a.jsonl",
    ]
    environment = {**os.environ, "GOLPAE_PROGRESS": ""}
    with subprocess.Popen(
        [sys.executable, "-m", "golpae", *words],
        cwd=tmp_path,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # noqa: PLW1509 - a shell may block it
    ) as called:
        assert called.stderr is not None
        assert "playing" in called.stderr.readline()
        while not any(file.stat().st_size for file in tmp_path.iterdir()):  # until some games were played
            assert called.poll() is None
            time.sleep(0.05)
        called.send_signal(signal.SIGINT)
        out, err = called.communicate(timeout=60)
    assert called.returncode == 130
    games = re.match(r"jjak, 2 players: ([\d,]+) of 1,000,000 games, greedy, seed 1\n", out)
    assert games is not None, out
    assert err.splitlines()[-1] == "golpae: interrupted; what was played so far is shown"
    headers = [line for line in (tmp_path / "a.jsonl").read_text().splitlines() if '"golpae"' in line]
    assert len(headers) == int(games[1].replace(",", ""))


def all_of(file: str) -> list[str]:
    """Return the headers in a file."""
    return [line for line in Path(file).read_text().splitlines() if '"golpae"' in line]


# ---------------------------------------------------------------------- policies in Python


POLICY = """
class Last:
    def __call__(self, turn):
        own, other = turn.zones["hand"][turn.seat], turn.zones["hand"][1 - turn.seat]
        assert [line["tile"] for line in turn.lines] == sorted(own)
        assert set(other) == {"?"}
        return len(turn.choices) - 1

def bad(turn):
    return 99

def fails(turn):
    return turn.nothing

def leaves(turn):
    raise SystemExit(0)

def gives_up(turn):
    raise BaseException("enough")

class GivesUp:
    def __init__(self):
        raise BaseException("at once")

class Asks:
    def __init__(self, depth):
        self.depth = depth

class Leaves:
    def __init__(self):
        raise SystemExit(3)
"""


def test_a_policy_in_python_chooses_and_sees_its_own_tiles_alone(golpae: Golpae, here: Path) -> None:
    (here / "own_policies.py").write_text(POLICY)
    done = golpae("simulate", "put", "--games", "5", "--policy", "own_policies:Last", *HERE)
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith("put, 2 players, dealt 2: 5 games, own_policies:Last, seed 1\n")
    done = golpae("simulate", "put", "--games", "5", "--policy", "random,own_policies:Last", *HERE)
    assert done.out.startswith("put, 2 players, dealt 2: 5 games, random, own_policies:Last, seed 1\n")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("bad", "the policy `own_policies:bad` returned 99; it has to return a number from 0 to 1"),
        ("fails", "the policy `own_policies:fails` failed: AttributeError: "),
        ("leaves", "the policy `own_policies:leaves` failed: SystemExit: 0"),
        ("gives_up", "the policy `own_policies:gives_up` failed: BaseException: enough"),
        ("GivesUp", "the policy `own_policies:GivesUp` failed: BaseException: at once"),
        ("Asks", "the policy `own_policies:Asks` failed: TypeError: Asks.__init__() missing 1 required"),
        ("Leaves", "the policy `own_policies:Leaves` failed: SystemExit: 3"),
        ("POLICY", "the policy `own_policies:POLICY` cannot be loaded: AttributeError: "),
        ("__name__", "the policy `own_policies:__name__` is no function"),
    ],
)
def test_a_policy_in_python_that_fails_is_reported(
    golpae: Golpae, here: Path, name: str, message: str
) -> None:
    (here / "own_policies.py").write_text(POLICY)
    done = golpae("simulate", "put", "--games", "5", "--policy", f"own_policies:{name}", *HERE)
    assert done.status == 2
    assert message in done.err


def test_actions_that_cannot_be_listed_are_named(golpae: Golpae) -> None:
    """A trace may have such a bid, so that a dead end may be none."""
    text = (Path(__file__).parents[1] / "kernel" / "texts" / "numbers-between.golpae").read_text("utf-8")
    changes = (
        ("game numbers-between", "game bids"),
        ("number: number from best + 1 to best + 3", "number"),
        ("few: raised < 2", "few: no"),
        ("end\n", "end(shown: number)\n"),
    )
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    Path("bids.golpae").write_text(text, encoding="utf-8")
    done = golpae("simulate", "bids.golpae", "--games", "3", "--players", "2", "--jobs", "1")
    assert done.out.splitlines()[-2:] == [
        f"`{name}` is never played: a key of it may have too many values to list" for name in ("bid", "end")
    ]
    played = golpae("play", "bids.golpae", "--policy", "random,random")
    assert played.out.splitlines()[-1] == (
        "nothing that can be listed can follow; perhaps `bid`, too much to list"
    )


def test_a_profile_lists_the_clauses_that_were_asked(golpae: Golpae) -> None:
    plain = golpae("simulate", "put", "--games", "10", "--format", "json", *HERE)
    done = golpae("simulate", "put", "--games", "10", "--format", "json", "--profile", *HERE)
    found = json.loads(done.out)
    profile = found.pop("profile")
    assert found == json.loads(plain.out)  # the games are the same
    rows = {row["clause"]: row for row in profile["clauses"]}
    assert rows["put.held"]["asked"] > 0
    assert rows["put.then"]["asked"] >= sum(int(n) * m for n, m in found["events"]["hands"].items()) - 20
    assert sum(row["seconds"] for row in rows.values()) == pytest.approx(profile["seconds"])
    assert all(0 <= row["seconds"] <= row["with"] for row in rows.values())


def test_a_profile_shows_shares(golpae: Golpae) -> None:
    lines = golpae("simulate", "put", "--games", "10", "--profile", *HERE).out.splitlines()
    head = next(at for at, line in enumerate(lines) if line.startswith("where "))
    assert lines[head + 1].split() == ["clause", "share", "with", "asked"]
    shares = [float(re.findall(r"([0-9.]+)%", line)[0]) for line in lines[head + 2 :] if "%" in line]
    assert shares == sorted(shares, reverse=True)
    assert 50 < sum(shares) < 101
