"""`golpae compare`: the rule sets that it compares, its output and its exit status."""

from __future__ import annotations

import gzip
import json
import os
import shlex
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from golpae.cli.rules import compare
from golpae.compare.comparison import Amount
from golpae.compare.games import compare as compare_games
from golpae.compare.games.confirmed_game import TablePair
from golpae.compare.games.verdict import (
    BOUNDED,
    PROVED,
    QUESTIONS,
    REFUTED,
    UNKNOWN,
    AtTable,
    Covered,
    Meaning,
    QuestionResult,
    WitnessGame,
)
from golpae.compare.options import CompareOptions
from golpae.ir.ruleset import RuleSet
from golpae.progress import Progress
from golpae.trace.discover import Source
from golpae.verify.options import Settings
from golpae.workers import OuterLimits
from tests.cli.conftest import Golpae
from tests.cli.table import HEADER, LEGAL, PUT, text

TEXT = PUT.split("\nvariant")[0] + (
    '\nvariant open "anyone may put"\n  replace put.turn: p in players\n'
    '\nvariant dear "7 more"\n  replace bit0: 7\n'
)
HERE = ("--spec-path", "rules")
ONLY_TEXT = ("--layer", "text")
COMPARE_GAMES, COMPARE_SIZES = compare._compare_games, compare._compare_sizes


class Layers:
    """Stand-ins for the other layers: they answer as the test sets them, and record the questions."""

    def __init__(self) -> None:
        self.answers: dict[str, str] = {}
        self.apart: str | None = None
        self.size: tuple[Amount, ...] = ()
        self.left_out: str | None = None
        self.asked: list[tuple[str, str, CompareOptions]] = []

    def meanings(
        self, pairs: Sequence[tuple[RuleSet, RuleSet]], settings: CompareOptions, progress: Progress
    ) -> list[Meaning | str]:
        return [self._meaning(a, b, settings) for a, b in pairs]

    def _meaning(self, a: RuleSet, b: RuleSet, settings: CompareOptions) -> Meaning | str:
        self.asked.append((a.rules, b.rules, settings))
        if self.apart is not None:
            return self.apart
        held = [self._held(which, a, b) for which in QUESTIONS]
        return Meaning(a.rules, b.rules, (AtTable(2, {"dealt": 2}, *held),), (Covered("dealt", 2, 2),))

    def weigh(
        self,
        a: RuleSet,
        b: RuleSet,
        settings: CompareOptions,
        progress: Progress,
        tell: Callable[[str], object],
    ) -> Sequence[Amount]:
        if self.left_out is not None:
            tell(self.left_out)
        return self.size

    def _held(self, which: str, a: RuleSet, b: RuleSet) -> QuestionResult:
        verdict = self.answers.get(which, PROVED)
        if verdict != REFUTED:
            return QuestionResult(verdict, "so it is", bound=3 if verdict == BOUNDED else None)
        ours, theirs = (b, a) if which == "b_in_a" else (a, b)
        lines = (
            {**HEADER, "rules": ours.rules},
            {"do": "deal", "first": 0, "hands": [["1-1", "2-2"], ["3-3", "4-4"]]},
            {"do": "put", "by": 1, "tile": "3-3"},
        )
        game = WitnessGame(lines, theirs.rules, "put.put.turn", "it is not Bo's turn", True)
        return QuestionResult(REFUTED, "a game of 2 events; no shorter one exists", game)


@pytest.fixture(autouse=True)
def layers(here: Path, monkeypatch: pytest.MonkeyPatch) -> Layers:
    """Stand-ins for the layers, and rules with two variants."""
    found = Layers()
    monkeypatch.setattr(compare, "_compare_games", lambda: found.meanings)
    monkeypatch.setattr(compare, "_compare_sizes", lambda: found.weigh)
    Path("rules", "put.golpae").write_text(TEXT, encoding="utf-8")
    return found


# ------------------------------------------------------------------ the rule sets that are compared


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (("put", "put+open"), ("put", "put+open")),
        (("put", "open"), ("put", "put+open")),
        (("put", "+open"), ("put", "put+open")),
        (("put+dear", "open"), ("put+dear", "put+open")),
        (("put+dear", "open+dear"), ("put+dear", "put+open+dear")),
        (("rules/put.golpae", "open"), ("put", "put+open")),
        (("rules/put.golpae+dear", "rules/put.golpae"), ("put+dear", "put")),
        (("rules/put.golpae", "put"), ("rules/put.golpae", "put")),
    ],
)
def test_words_name_games_switches_files_and_rule_sets(
    words: tuple[str, str], names: tuple[str, str], golpae: Golpae
) -> None:
    found = json.loads(golpae("compare", *words, *HERE, "--format", "json").out)
    assert (found["a"]["name"], found["b"]["name"]) == names


def test_texts_that_say_the_same_leave_no_question_open(golpae: Golpae, layers: Layers) -> None:
    layers.answers = {"a_in_b": BOUNDED, "paid": UNKNOWN}
    found = golpae("compare", "put", "rules/put.golpae", *HERE)
    assert "bounded" not in found.out
    assert "unknown" not in found.out
    assert found.out.count("the texts differ in nothing that can change a game") == 2


def test_a_game_comes_before_a_switch_of_its_name(golpae: Golpae) -> None:
    Path("rules", "open.golpae").write_text(TEXT.replace("game put", "game open"), encoding="utf-8")
    found = json.loads(golpae("compare", "put", "open", *HERE, "--format", "json").out)
    assert found["b"]["rules"] == "open"
    found = json.loads(golpae("compare", "put", "+open", *HERE, "--format", "json").out)
    assert found["b"]["rules"] == "put+open"


def test_a_text_is_compared_with_its_git_revision(golpae: Golpae) -> None:
    def git(*words: str) -> None:
        subprocess.run(["git", *words], check=True, capture_output=True)

    git("init", "-q", ".")
    part = Path("rules", "part.golpae")
    file = Path("rules", "put.golpae")
    file.write_text(TEXT.replace("\nplayers", "include part\n\nplayers"), encoding="utf-8")
    part.write_text("define before: 1\n", encoding="utf-8")
    git("add", "-A")
    git("-c", "user.name=An", "-c", "user.email=an@example.org", "commit", "-q", "-m", "first")
    part.write_text("define before: 2\n", encoding="utf-8")
    file.write_text(file.read_text("utf-8").replace("p = mover", "p in players", 1), encoding="utf-8")
    done = golpae("compare", "HEAD:rules/put.golpae", "rules/put.golpae", *ONLY_TEXT)
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith("HEAD:rules/put.golpae and rules/put.golpae differ in 1 clause\n")
    assert "  replaced: before\n    - define before: 1\n    + define before: 2\n" in done.out
    found = json.loads(
        golpae("compare", "HEAD:rules/put.golpae+open", "+dear", *ONLY_TEXT, "--format", "json").out
    )
    assert (found["a"]["name"], found["b"]["name"]) == (
        "HEAD:rules/put.golpae+open",
        "HEAD:rules/put.golpae+dear",
    )
    turn = next(d for d in found["text"]["differences"] if d["path"] == "put.turn")
    assert turn["old"]["file"] == "HEAD:rules/put.golpae"
    file.write_text(TEXT.replace("p = mover", "p = moover", 1), encoding="utf-8")
    git("-c", "user.name=An", "-c", "user.email=an@example.org", "commit", "-q", "-a", "-m", "second")
    done = golpae("compare", "HEAD:rules/put.golpae", "put", *HERE)
    assert done.status == 2
    assert done.err.startswith("HEAD:rules/put.golpae:")
    assert (
        golpae("compare", "HEAD~1:rules/put.golpae", "HEAD~1:rules/put.golpae+open", *ONLY_TEXT).status == 0
    )


def test_the_call_may_name_the_two_rule_sets(golpae: Golpae) -> None:
    names = (*HERE, "--name-a", "main|`x`:<b>", "--name-b=new")
    found = json.loads(golpae("compare", "put", "put+open", *ONLY_TEXT, *names, "--format", "json").out)
    assert (found["a"]["name"], found["b"]["name"]) == ("main|`x`:<b>", "new")
    page = golpae("compare", "put", "put+open", *ONLY_TEXT, *names, "--format", "markdown").out
    assert page.startswith("# new against main\\|\\`x\\`:\\<b\\>\n")
    assert "`` golpae compare put put+open --name-a 'main|`x`:<b>' --name-b new" in page
    for words in (("--matrix", "put", *HERE, "--name-a", "x"), ("put", "put+open", *HERE, "--name-b", " ")):
        done = golpae("compare", *words, *ONLY_TEXT)
        assert (done.status, done.out) == (2, "")
        assert done.err.startswith(
            f"golpae: {'`--name-a` names one of' if '--matrix' in words else 'the name behind'}"
        )


WRONG = [
    ((), "golpae: a comparison needs two rule sets, and none are named\n"),
    (("put",), "golpae: a comparison needs two rule sets, and one is named\n"),
    (("put", "open", "dear"), "golpae: a comparison needs two rule sets, and 3 are named\n"),
    (("putt", "put"), "error[L001]: there are no rules called `putt`\n  help: did you mean `put`? "),
    (
        ("put", "opne"),
        "error[L001]: there are no rules called `opne`, and no variant or reading of `put`\n  help: did you mean",
    ),
    (("put", "put+opne"), "error[R001]: `put` has no variant or reading `opne`\n  help: did you mean `open`?\n"),
    (
        ("rules/putt.golpae", "put"),
        "golpae: there is no file `rules/putt.golpae`\n  help: did you mean `put.golpae`?\n",
    ),
    (("C:\\rules\\put.golpae", "put"), "golpae: there is no file `C:\\rules\\put.golpae`\n"),
    (("put", "open", "--players", "0"), "golpae: `--players` must be more than 0 and less than a million, not `0`\n"),
    (("put", "open", "--players", "4"), "golpae: `put` is for 2 to 3 players, not for 4\n"),
    (("put", "open", "--option", "dealt"), "golpae: `--option` is NAME=NUMBER, not `dealt`\n"),
    (("put", "open", "--option", "high=2"), "golpae: put: "),
    (
        ("put", "open", "--expect", "more"),
        "golpae compare: `--expect` must be `same`, `narrower`, `wider` or `different`, not `more`\n",
    ),
    (("put", "open", "--expect", "wider", *ONLY_TEXT), "golpae: `--expect wider` is about games, so texts alone"),
    (("put", "open", "--witnesses", "games", *ONLY_TEXT), "golpae: `--witnesses` writes games, which need the layer"),
    (("put", "open", "--games", "rules", *ONLY_TEXT), "golpae: `--games` compares games, which need the layer"),
    (("put", "open", "--games", "-"), "golpae: `--games` reads files, not standard input\n  help: write the games to"),
    (("put", "open", "--games", "nobody.jsonl"), "golpae: no file or folder `nobody.jsonl`\n"),
    (("put", "open", "--games", "rules"), "golpae: no traces in folder `rules`\n  help: golpae reads files that"),
    (("--matrix", "put", "open"), "golpae: `--matrix` compares a game with its variants, without `open`\n"),
    (("--matrix", "put", "--expect", "same"), "golpae: `--matrix` compares a game with its variants, without"),
    (("--matrix", "put+open"), "golpae: `--matrix` takes a game without its variants\n  help: write `put`\n"),
    (("put", "open", "--witnesses", "rules/put.golpae"), "golpae: `rules/put.golpae` cannot be written to: "),
]  # fmt: skip


def test_files_of_games_that_cannot_be_read_whole_are_refused(golpae: Golpae) -> None:
    whole = gzip.compress(text(*LEGAL * 50).encode())
    Path("cut.jsonl.gz").write_bytes(whole[: len(whole) // 2])
    done = golpae("compare", "put", "open", "--games", "cut.jsonl.gz", *HERE)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith(
        "golpae: `cut.jsonl.gz` cannot be read to its end: the gzip archive is cut short"
    )
    os.mkfifo("pipe.jsonl")
    done = golpae("compare", "put", "open", "--games", "pipe.jsonl", *HERE)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("golpae: ")


def test_the_command_that_repeats_a_call_names_the_games(golpae: Golpae) -> None:
    Path("-games.jsonl").write_text(text(*LEGAL), "utf-8")
    found = json.loads(
        golpae("compare", "put", "open", "--games=-games.jsonl", *HERE, "--format", "json").out
    )
    assert "--games=-games.jsonl" in shlex.split(found["again"])


@pytest.mark.parametrize(("words", "said"), WRONG, ids=[" ".join(words) for words, _ in WRONG])
def test_a_wrong_call_gets_a_message(words: tuple[str, ...], said: str, golpae: Golpae) -> None:
    done = golpae("compare", *words, *HERE)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith(said)


def test_faults_of_both_texts_are_shown(golpae: Golpae) -> None:
    Path("rules", "bad.golpae").write_text(TEXT.replace("p = mover", "p = moover", 1), encoding="utf-8")
    done = golpae("compare", "put", "rules/bad.golpae", *HERE)
    assert done.status == 2
    assert "error[" in done.err
    Path("rules", "none.golpae").write_text("", encoding="utf-8")
    done = golpae("compare", "rules/none.golpae", "put", *HERE)
    assert done.status == 2
    assert done.err.startswith("rules/none.golpae:1:1: error[L004]: `rules/none.golpae` has no `game` line\n")


# ------------------------------------------------------------------ verdicts and exit status


@pytest.mark.parametrize(
    ("answers", "verdict", "said"),
    [
        ({}, "same", "put+dear allows the same games as put (2 players, dealt 2), and pays the same"),
        ({"paid": REFUTED}, "same", "put+dear allows the same games as put (2 players, dealt 2); payments differ"),
        ({"b_in_a": REFUTED}, "wider", "put+dear allows all games of put (2 players, dealt 2), and more; "),
        ({"a_in_b": REFUTED}, "narrower", "put+dear allows fewer games than put (2 players, dealt 2), and no others; "),
        ({"a_in_b": REFUTED, "b_in_a": REFUTED}, "different", "put and put+dear each allow games that the other"),
        ({"a_in_b": UNKNOWN}, None, "put allows all games of put+dear; whether it allows more is undecided"),
        ({"b_in_a": BOUNDED}, None, "put+dear allows all games of put; whether it allows more is undecided"),
        ({"a_in_b": UNKNOWN, "b_in_a": REFUTED}, None, "put+dear allows games that put does not; the reverse"),
        ({"a_in_b": REFUTED, "b_in_a": BOUNDED}, None, "put allows games that put+dear does not; the reverse"),
        ({"a_in_b": UNKNOWN, "b_in_a": BOUNDED}, None, "it is undecided whether put and put+dear allow the same"),
    ],
)  # fmt: skip
def test_the_first_line_and_the_status_follow_from_the_verdicts(
    answers: dict[str, str], verdict: str | None, said: str, golpae: Golpae, layers: Layers
) -> None:
    layers.answers = answers
    done = golpae("compare", "put", "dear", *HERE)
    assert " ".join(done.out.split()).startswith(said)
    assert done.status == (3 if verdict is None else 0)
    assert json.loads(golpae("compare", "put", "dear", *HERE, "--format", "json").out)["games"] == verdict


R, U = REFUTED, UNKNOWN
EXPECTED: list[tuple[dict[str, str], dict[str, int]]] = [
    ({}, {"same": 0, "narrower": 1, "wider": 1, "different": 1}),
    ({"paid": R}, {"same": 1, "narrower": 1, "wider": 1, "different": 1}),
    ({"paid": U}, {"same": 3, "narrower": 1, "wider": 1, "different": 1}),
    ({"a_in_b": R}, {"same": 1, "narrower": 0, "wider": 1, "different": 1}),
    ({"b_in_a": R}, {"same": 1, "narrower": 1, "wider": 0, "different": 1}),
    ({"b_in_a": R, "paid": U}, {"same": 1, "narrower": 1, "wider": 0, "different": 1}),
    ({"a_in_b": R, "b_in_a": R}, {"same": 1, "narrower": 1, "wider": 1, "different": 0}),
    ({"a_in_b": U}, {"same": 3, "narrower": 3, "wider": 1, "different": 1}),
    ({"a_in_b": U, "b_in_a": R}, {"same": 1, "narrower": 1, "wider": 3, "different": 3}),
    ({"a_in_b": U, "b_in_a": U}, {"same": 3, "narrower": 3, "wider": 3, "different": 3}),
    ({"a_in_b": U, "paid": R}, {"same": 1, "narrower": 3, "wider": 1, "different": 1}),
]


@pytest.mark.parametrize(("answers", "statuses"), EXPECTED)
def test_expect_decides_the_status_and_the_last_line(
    answers: dict[str, str], statuses: dict[str, int], golpae: Golpae, layers: Layers
) -> None:
    layers.answers = answers
    for verdict, status in statuses.items():
        done = golpae("compare", "put", "dear", *HERE, "--expect", verdict)
        assert done.status == status, verdict
        said = {0: "as expected", 1: "not as expected", 3: "expected"}[status]
        assert done.out.splitlines()[-1].startswith(f"{said}: {verdict}")


def test_the_text_layer_compares_no_games(golpae: Golpae, layers: Layers) -> None:
    done = golpae("compare", "put", "open", *HERE, *ONLY_TEXT, "--expect", "same")
    assert done.status == 1
    assert golpae("compare", "put", "put", *HERE, *ONLY_TEXT, "--expect", "same").status == 0
    done = golpae("compare", "put", "put", *HERE, *ONLY_TEXT)
    assert done.out == "put and put have the same rules\n\ntext: no clause of the rules differs\n"
    assert layers.asked == []


def test_same_texts_have_the_same_games(golpae: Golpae, layers: Layers) -> None:
    layers.answers = {"a_in_b": UNKNOWN}
    done = golpae("compare", "put", "put", *HERE, "--expect", "same")
    assert done.status == 0
    assert done.out.startswith("put allows the same games as put (2 players, dealt 2), and pays the same\n")
    layers.answers = {"a_in_b": REFUTED}
    done = golpae("compare", "put", "put", *HERE)
    assert done.status == 4
    assert "put and put have the same text, but a game distinguishes them" in done.err


def test_a_fault_costs_one_comparison_and_the_status_is_4(
    golpae: Golpae, monkeypatch: pytest.MonkeyPatch
) -> None:
    def at_table(pair: TablePair, settings: Settings, recorded: Sequence[Source]) -> AtTable:
        if pair.b.rules == "put+open":
            raise KeyError("turned up")
        result = QuestionResult(PROVED, "by hand")
        return AtTable(pair.players, dict(pair.options), result, result, result)

    monkeypatch.delenv("GOLPAE_DEBUG", raising=False)
    monkeypatch.setattr(compare_games, "at_table", at_table)
    monkeypatch.setattr(compare, "_compare_games", COMPARE_GAMES)
    monkeypatch.setattr(compare, "SECONDS", None)  # in this process
    monkeypatch.setattr(compare, "MEGABYTES", None)
    alone = ("--no-cache", "--jobs", "1", "--layer", "meaning", *HERE)
    done = golpae("compare", "put", "open", *alone, "--expect", "same")
    assert done.status == 4
    assert "golpae has a fault here" in done.out
    assert "golpae: a fault in golpae itself, comparing put and put+open: KeyError: 'turned up'\n" in done.err
    done = golpae("compare", "--matrix", "put", *alone)
    assert done.status == 4
    assert "1  put        =   ?   =\n" in done.out
    assert done.err.count("a fault in golpae itself") == 1


@pytest.mark.usefixtures("layers")
def test_a_fault_in_the_size_leaves_the_rest(golpae: Golpae, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> tuple[Amount, ...]:
        raise ValueError("no size")

    monkeypatch.delenv("GOLPAE_DEBUG", raising=False)
    monkeypatch.setattr(compare, "_compare_sizes", lambda: broken)
    done = golpae("compare", "put", "put", *HERE)
    assert (done.status, "ValueError: no size" in done.err) == (0, False)  # the same games have no size
    done = golpae("compare", "put", "open", *HERE, "--layer", "size", "--layer", "text")
    assert (done.status, "ValueError: no size" in done.err) == (4, True)
    assert "text: 1 replaced" in done.out


def test_games_that_cannot_be_compared_are_compared_as_texts(golpae: Golpae, layers: Layers) -> None:
    layers.apart = "they are played with different tiles"
    done = golpae("compare", "put", "open", *HERE)
    assert done.status == 3
    assert done.out.startswith(
        "put and put+open are compared only as texts: they are played with different tiles\n\ntext: 1 replaced\n"
    )
    assert golpae("compare", "put", "open", *HERE, "--expect", "different").status == 3


@pytest.fixture
def real_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compare, "_compare_games", COMPARE_GAMES)


@pytest.mark.solver
@pytest.mark.usefixtures("real_games")
def test_rule_sets_for_other_players_differ(golpae: Golpae) -> None:
    Path("rules", "many.golpae").write_text(
        TEXT.replace("game put", "game many").replace("players 2 to 3", "players 4 to 5"), encoding="utf-8"
    )
    done = golpae("compare", "put", "many", *HERE, "--layer", "meaning", "--expect", "same")
    assert done.status == 1
    assert done.out.startswith(
        "put and many each allow games that the other does not\n\nmeaning\n"
        "  headers: only put is for 2, 3 players\n"
        "  headers: only many is for 4, 5 players\n"
    )


@pytest.mark.solver
@pytest.mark.usefixtures("real_games")
def test_another_usual_value_of_an_option_is_a_difference(golpae: Golpae) -> None:
    other = TEXT.replace("game put", "game other").replace("normally 2", "normally 1")
    Path("rules", "other.golpae").write_text(other, encoding="utf-8")
    words = ("compare", "put", "other", *HERE, "--layer", "meaning", "--expect", "same")
    done = golpae(*words)
    assert done.status == 1
    assert "  headers: `dealt` is normally 2 in put and 1 in other\n" in done.out
    done = golpae(*words, "--option", "dealt=1")
    assert (done.status, done.out.splitlines()[0]) == (
        0,
        "other allows the same games as put (2–3 players, dealt 1), and pays the same",
    )


def test_options_of_the_call_reach_the_comparison_of_games(golpae: Golpae, layers: Layers) -> None:
    words = "--players 3 --option dealt=1 --jobs 2 --effort 1.5 --time-limit 90 --seed 7 --no-cache".split()
    done = golpae("compare", "put", "open", *HERE, *words)
    options = CompareOptions(3, {"dealt": 1}, 2, 1.5, 7, False, OuterLimits(90, 2_000))
    assert layers.asked == [("put", "put+open", options)]
    assert done.out.startswith("put+open allows the same games as put (2 players, dealt 2), and pays")


# ------------------------------------------------------------------ output


SHOWN = """\
put+open allows all games of put (2 players, dealt 2), and more; payments are the same

meaning
  put+open allows all games of put: proved, 2 players, dealt 2
    so it is
  put allows all games of put+open: refuted, 2 players, dealt 2
    a game of 2 events; no shorter one exists
  payments are the same in all games that both allow: proved, 2 players, dealt 2
    so it is

  put+open allows this game, put does not (2 players, dealt 2, 2 events; no shorter one exists):
    1. deal first 0, hands 1-1 2-2 | 3-3 4-4
    2. Bo put 3-3
    put refuses event 2 by put.put.turn: it is not Bo's turn
    written to: games/put+open-not-put-2p-dealt-2.jsonl

size
  deals that differ: 3 of 12 (25.0%)
  games that only one allows: 12.5%, 10.2% to 15.1% (n = 1,000, seed 1)

text: 1 replaced
  replaced: put.turn  by open
    - turn: p = mover
    + turn: p in players
"""


def test_text_shows_verdict_game_clause_and_size(golpae: Golpae, layers: Layers) -> None:
    layers.answers = {"b_in_a": REFUTED}
    layers.size = (
        Amount("deals that differ", 3, 12),
        Amount("games that only one allows", 125, 1000, 0.102, 0.151, 1),
    )
    done = golpae("compare", "put", "open", *HERE, "--witnesses", "games")
    assert done.out == SHOWN
    file = Path("games", "put+open-not-put-2p-dealt-2.jsonl")
    accepts = golpae("check", "--rules", "put+open", str(file))
    refuses = golpae("check", "--rules", "put", str(file))
    assert accepts.out.startswith(f"{file}:1  incomplete")
    assert "broken: put.put.turn in put\n" in refuses.out


def test_what_is_left_out_stands_in_every_format(golpae: Golpae, layers: Layers) -> None:
    layers.answers = {"b_in_a": REFUTED}
    layers.size = (Amount("deals that differ", 3, 12),)
    shown = golpae("compare", "put", "open", *HERE)
    layers.left_out = "random hands are left out: it takes too many steps"
    done = golpae("compare", "put", "open", *HERE)
    assert (done.status, done.err) == (shown.status, "")
    assert f"  {layers.left_out}\n" in done.out
    assert done.out.replace(f"  {layers.left_out}\n", "") == shown.out
    assert json.loads(golpae("compare", "put", "open", *HERE, "--format", "json").out)["left_out"] == [
        layers.left_out
    ]
    assert f"- {layers.left_out}\n" in golpae("compare", "put", "open", *HERE, "--format", "markdown").out


def test_json_holds_the_whole_comparison(golpae: Golpae, layers: Layers) -> None:
    layers.answers = {"b_in_a": REFUTED}
    done = golpae(
        "compare", "put", "open", *HERE, "--witnesses", "games", "--expect", "wider", "--format", "json"
    )
    found: dict[str, Any] = json.loads(done.out)
    assert found["status"] == 0
    assert (found["expect"], found["expected"]) == ("wider", True)
    assert (found["games"], found["payments"]) == ("wider", "same")
    [table] = found["meaning"]["tables"]
    assert (table["players"], table["options"]) == (2, {"dealt": 2})
    game = table["without"]["game"]
    assert game["clause"] == "put.put.turn"
    assert game["lines"] == [json.loads(line) for line in Path(game["file"]).read_text("utf-8").splitlines()]
    assert table["within"] == {"verdict": "proved", "story": "so it is", "bound": None, "game": None}
    [turn] = found["text"]["differences"]
    assert (turn["path"], turn["kind"], turn["switches"]) == (
        "put.turn",
        "replaced",
        {"a": None, "b": "open"},
    )
    assert turn["new"]["text"] == 'turn: p in players "it is not {p}\'s turn"'
    assert len(found["a"]["spec_hash"]) == 64
    again = shlex.split(found["again"])
    assert again == ["golpae", "compare", "put", "open", "--expect", "wider", *HERE]
    assert golpae(*again[1:]).status == 0


def test_markdown_is_a_page(golpae: Golpae, layers: Layers) -> None:
    layers.answers = {"b_in_a": REFUTED}
    layers.size = (Amount("deals that differ", 3, 12),)
    out = golpae("compare", "put", "open", *HERE, "--format", "markdown").out
    assert out.startswith(
        "# put+open against put\n\n**put+open allows all games of put (2 players, dealt 2), "
    )
    assert "| put allows all games of put+open | refuted | 2 players, dealt 2 | a game of 2 events;" in out
    assert "\n```text\n1. deal first 0, hands 1-1 2-2 | 3-3 4-4\n2. Bo put 3-3\n```\n" in out
    assert "| deals that differ | 3 of 12 (25.0%) |" in out
    assert '  - turn: p = mover "it is not {p}\'s turn"\n  + turn: p in players' in out
    assert out.endswith("Made by `golpae compare put open --spec-path rules`.\n")


def test_a_matrix_has_a_row_and_a_column_for_each_rule_set(golpae: Golpae, layers: Layers) -> None:
    layers.answers = {"b_in_a": REFUTED, "paid": REFUTED}
    done = golpae("compare", "--matrix", "put", *HERE)
    assert done.status == 0
    assert done.out == (
        "              1   2   3\n"
        "1  put        =  >$  >$\n"
        "2  put+open  <$   =  >$\n"
        "3  put+dear  <$  <$   =\n"
        "\n"
        "= the same games; < the column allows fewer; > the column allows more; $ payments differ\n"
    )
    assert [(a, b) for a, b, _ in layers.asked] == [
        ("put", "put+open"),
        ("put", "put+dear"),
        ("put+open", "put+dear"),
    ]
    layers.answers = {"b_in_a": UNKNOWN}
    assert golpae("compare", "--matrix", "put", *HERE).status == 3
    out = golpae("compare", "--matrix", "put", *HERE, *ONLY_TEXT).out
    assert "2  put+open   1   0   2\n" in out
    assert out.endswith("\nthe number of clauses that differ\n")
    page = golpae("compare", "--matrix", "rules/put.golpae", *ONLY_TEXT, "--format", "markdown").out
    assert "| 2 | put+open | 1 | 0 | 2 |\n" in page
    whole = json.loads(golpae("compare", "--matrix", "put", *HERE, "--format", "json").out)
    assert whole["rules"] == ["put", "put+open", "put+dear"]
    assert [(p["row"], p["column"]) for p in whole["pairs"]] == [(a, b) for a, b, _ in layers.asked[:3]]


def test_a_matrix_of_a_game_without_switches_is_refused(golpae: Golpae) -> None:
    Path("rules", "put.golpae").write_text(TEXT.split("\nvariant")[0], encoding="utf-8")
    done = golpae("compare", "--matrix", "put", *HERE)
    assert (done.status, done.err) == (2, "golpae: `put` has no variant or reading to compare it with\n")


# ------------------------------------------------------------------ with the layers that there are


@pytest.mark.slow
def test_the_real_layers_prove_write_witnesses_and_meet_expectations(
    golpae: Golpae, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compare, "_compare_games", COMPARE_GAMES)
    monkeypatch.setattr(compare, "_compare_sizes", COMPARE_SIZES)
    two = (*HERE, "--players", "2", "--layer", "meaning", "--layer", "text", "--no-cache")
    done = golpae("compare", "put", "open", *two, "--expect", "wider", "--witnesses", "games")
    assert done.status == 0
    assert done.out.startswith("put+open allows all games of put (2 players, dealt 1–3), and more; ")
    [file] = Path("games").iterdir()
    assert golpae("check", "--rules", "put+open", str(file)).out.startswith(f"{file}:1  incomplete")
    assert "broken: put.put.turn in put\n" in golpae("check", "--rules", "put", str(file)).out
    assert golpae("compare", "put", "dear", *two, "--expect", "same").status == 1
    assert golpae("compare", "open", "put", *two).status == 2
    assert golpae("compare", "put+open", "put", *two, "--expect", "narrower").status == 0
