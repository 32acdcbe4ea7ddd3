"""`golpae prove --measure`: claims that state a share of hands, from the text to the verdict."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from xml.etree import ElementTree as Tree

import pytest

from golpae.cli.rules import prove
from golpae.progress import Progress
from golpae.simulate import series as running
from golpae.simulate.series import Series, Simulated, simulate
from golpae.simulate.tally import Tally
from golpae.verify.scheduler import run
from tests.cli.conftest import Golpae
from tests.cli.table import PUT
from tests.verify import made_up

GAME = PUT.split("\nvariant")[0].replace("game put", "game one", 1)
WON = "claim all-won: size of players = 2 implies over 90% of hands by random: winner is not none\n"
FEW = ("--measure", "--games", "200", "--jobs", "1")


@pytest.fixture(autouse=True)
def text(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A prover whose verdicts follow from names, and a rule text in this folder."""
    monkeypatch.setattr(prove, "verify_all", partial(run, verify=made_up.verify))
    stated(WON)


def stated(*claims: str) -> None:
    Path("one.golpae").write_text("\n".join([GAME, *claims]), encoding="utf-8")


def test_a_claim_is_measured_at_the_tables_that_it_is_about(golpae: Golpae) -> None:
    done = golpae("prove", "one.golpae", "all-won", *FEW)
    assert done.status == 0
    assert done.out.splitlines() == [
        "one, 2 players, dealt 2: share all-won",
        "  measured, as expected",
        "  how: 100.00% (98.12% to 100.00%) of 200 hands by random",
        "  played: 200 hands by random, seed 1",
        "  again: golpae prove one.golpae all-won --players 2 --option dealt=2 --seed 1 --measure --games 200",
        "",
        "1 result on 1 rule set: 1 measured; all as expected",
    ]


def test_the_same_seed_gives_the_same_count(golpae: Golpae) -> None:
    stated("claim half: about 50% of hands by random: some p in players: 1-1 in p's hand\n")
    first, again = (golpae("prove", "one.golpae", "half", *FEW, "--format", "json") for _ in range(2))
    counts = [[f["measured"]["count"] for f in json.loads(done.out)["findings"]] for done in (first, again)]
    assert counts[0] == counts[1]
    other = golpae("prove", "one.golpae", "half", *FEW, "--seed", "2", "--format", "json")
    assert counts[0] != [f["measured"]["count"] for f in json.loads(other.out)["findings"]]


@pytest.mark.parametrize(
    ("claim", "verdict", "status", "how"),
    [
        ("under 10%", "refuted", 1, ", not under 10%"),
        ("about 20%", "refuted", 1, ", not 18% to 22%"),
        ("between 0% and 99%", "unknown", 3, ", too few hands to tell from 0% to 99%"),
        ("over 99%", "unknown", 3, ", too few hands to tell from over 99%"),
        ("about 99%", "measured", 0, ""),
    ],
)
def test_an_interval_decides(golpae: Golpae, claim: str, verdict: str, status: int, how: str) -> None:
    stated(f"claim won: {claim} of hands by random: winner is not none\n")
    done = golpae("prove", "one.golpae", "won", "--players", "2", *FEW, "--format", "json")
    [finding] = json.loads(done.out)["findings"]
    assert (finding["verdict"], done.status) == (verdict, status)
    assert finding["story"] == f"100.00% (98.12% to 100.00%) of 200 hands by random{how}"


def test_a_text_can_expect_that_a_share_is_refuted(golpae: Golpae) -> None:
    stated(WON.replace(":", " expected refuted:", 1).replace("not none", "none"))
    assert golpae("prove", "one.golpae", "all-won", *FEW).status == 0
    assert golpae("prove", "one.golpae", "all-won").status == 0


def test_what_is_not_measured_says_so_and_does_not_fail(golpae: Golpae) -> None:
    done = golpae("prove", "one.golpae")
    assert done.status == 0
    assert any(line.startswith("- all-won") for line in done.out.splitlines())
    assert "unmeasured" in done.out
    junit = golpae("prove", "one.golpae", "--format", "junit").out
    [suite] = Tree.fromstring(junit)
    assert suite.get("skipped") == "1"


def test_a_kept_count_is_shown_until_the_game_changes(golpae: Golpae) -> None:
    assert golpae("prove", "one.golpae", "--locked").status == 1
    assert golpae("prove", "one.golpae", "--write").status == 0
    done = golpae("prove", "one.golpae", "--locked")
    assert done.status == 1
    assert done.out.splitlines() == [
        "one.proofs.json: has no count of hands for `all-won`",
        "  help: `golpae prove one.golpae --measure --write` writes it anew",
    ]
    assert golpae("prove", "one.golpae", "--write", *FEW).status == 0
    assert golpae("prove", "one.golpae", "--locked").status == 0
    kept = json.loads(Path("one.proofs.json").read_text(encoding="utf-8"))
    assert [[s["count"] for s in t.get("shares", ())] for t in kept["tables"]] == [[200], []]
    assert "  played: 200 hands by random, seed 1, kept" in golpae("prove", "one.golpae", "all-won").out
    assert golpae("prove", "one.golpae", "--write").status == 0  # what is kept stays
    assert golpae("prove", "one.golpae", "--locked").status == 0
    stated(WON.replace("over 90%", "under 50%"), "theorem more: size of tiles = 12\n")
    assert (
        golpae("prove", "one.golpae", "all-won").status == 1
    )  # the count stays what it is, the claim does not
    stated(WON.replace("winner is not none", "winner is none"))
    done = golpae("prove", "one.golpae", "all-won")
    assert done.status == 0
    assert "not measured since the text changed" in done.out
    assert golpae("prove", "one.golpae", "--locked").status == 1


def test_an_interrupted_run_keeps_what_it_did_not_get_to(
    golpae: Golpae, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert golpae("prove", "one.golpae", "--write", *FEW).status == 0
    written = Path("one.proofs.json").read_text(encoding="utf-8")
    monkeypatch.setattr(running, "simulate", lambda asked, *_: Simulated(Tally(asked.players), True))
    assert golpae("prove", "one.golpae", "--write", *FEW).status == 130
    assert Path("one.proofs.json").read_text(encoding="utf-8") == written


def test_a_claim_about_no_table_is_vacuous(golpae: Golpae) -> None:
    stated(WON.replace("= 2", "= 9"))
    done = golpae("prove", "one.golpae", "all-won", *FEW)
    assert done.status == 1
    assert "vacuous: its premise is never true" in done.out
    stated(WON)
    assert golpae("prove", "one.golpae", "--players", "3").status == 0


def test_a_hand_that_the_two_ways_play_differently_is_reported(
    golpae: Golpae, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "simulate", lambda asked, *_: Simulated(Tally(asked.players), differ=(7,)))
    done = golpae("prove", "one.golpae", "all-won", "--measure", "--seed", "3", "--option", "dealt=1")
    [path] = Path().glob("golpae-report-*.json")
    assert done.status == 4
    assert done.err.startswith(
        "golpae: one with 2 players: a fault in golpae: its two ways to play game 7 disagree; "
        f"please report it: send {path}, which holds only this game"
    )
    report = json.loads(path.read_text("utf-8"))
    assert (report["call"], report["properties"]) == ("prove", ["all-won"])
    assert (report["rules"], report["players"], report["options"]) == ("one", 2, {"dealt": 1})
    assert (report["policies"], report["seed"], report["game"]) == (["random", "random"], 3, 7)
    Path("sent.jsonl").write_text("\n".join(report["lines"]) + "\n", encoding="utf-8")
    assert golpae("check", "--rules", "one.golpae", "sent.jsonl").out == "1 trace: 1 legal\n"


def test_claims_by_one_policy_are_about_the_same_hands(
    golpae: Golpae, monkeypatch: pytest.MonkeyPatch
) -> None:
    series: list[Series] = []

    def noted(asked: Series, processes: int, progress: Progress) -> Simulated:
        series.append(asked)
        return simulate(asked, processes, progress)

    monkeypatch.setattr(running, "simulate", noted)
    stated(
        WON,
        "claim drawn: under 1% of hands by random: winner is none\n",
        "claim short within 2 events: over 90% of hands by random: winner is none\n",
        "claim greedy: over 90% of hands by greedy: winner is not none\n",
    )
    assert (
        golpae("prove", "one.golpae", "--players", "2", "--measure", "--games", "600", "--jobs", "1").status
        == 0
    )
    assert [(s.policies[0], s.longest, len(s.asked)) for s in series] == [
        ("random", 10_000, 2),
        ("random", 2, 1),
        ("greedy", 10_000, 1),
    ]


def test_a_variant_changes_a_claim(golpae: Golpae) -> None:
    change = 'variant other "other"\n  replace all-won: about 0% of hands by greedy: winner is none\n'
    stated(WON, change)
    done = golpae("prove", "one.golpae+other", "all-won", *FEW, "--format", "json")
    assert {f["measured"]["policy"] for f in json.loads(done.out)["findings"]} == {"greedy"}
    assert golpae("show", "one.golpae+other").status == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--games", "5"), "`--games` says how many hands `--measure` plays"),
        (("--measure", "--games", "0"), "`--games` must be more than 0 and at most 1,000,000,000, not `0`"),
        (("--measure", "--games", "1000000001"), "`--games` must be more than 0 and at most 1,000,000,000"),
        (("--measure", "--seeds", "2"), "`--seeds` and `--measure` do not go together"),
        (("--measure", "--seed", "-1"), "`--seed` must be a number from 0 to"),
    ],
)
def test_a_call_that_makes_no_sense_is_refused(golpae: Golpae, words: tuple[str, ...], message: str) -> None:
    done = golpae("prove", "one.golpae", *words)
    assert done.status == 2
    assert message in done.err


def test_as_many_hands_as_by_default_and_more_can_be_asked_for(
    golpae: Golpae, monkeypatch: pytest.MonkeyPatch
) -> None:
    series: list[Series] = []

    def noted(asked: Series, *_: object) -> Simulated:
        series.append(asked)
        return Simulated(Tally(asked.players), interrupted=True)

    monkeypatch.setattr(running, "simulate", noted)
    for games in ("1000000", "1000000000"):
        assert golpae("prove", "one.golpae", "all-won", "--measure", "--games", games).status == 130
    assert [one.games for one in series] == [1_000_000, 1_000_000_000]


@pytest.mark.parametrize(
    "more",
    [(), FEW, ("--locked",), ("--certificate", "proofs"), ("--format", "json"), ("--seeds", "2")],
    ids=" ".join,
)
def test_a_claim_that_is_not_about_this_number_of_players_is_refused(
    golpae: Golpae, more: tuple[str, ...]
) -> None:
    done = golpae("prove", "one.golpae", "all-won", "--players", "3", *more)
    assert (done.status, done.out) == (2, "")
    assert done.err == "golpae: `all-won` of `one.golpae` is about games of 2 players, not of 3\n"
    assert not Path("proofs").exists()


def test_the_refusal_names_all_numbers_that_a_claim_is_about(golpae: Golpae) -> None:
    stated(WON.replace("size of players = 2", "size of players /= 3"))
    two_to_four = Path("one.golpae").read_text(encoding="utf-8").replace("players 2 to 3", "players 2 to 4")
    Path("one.golpae").write_text(two_to_four, encoding="utf-8")
    done = golpae("prove", "one.golpae", "all-won", "--players", "3")
    assert done.status == 2
    assert done.err == "golpae: `all-won` of `one.golpae` is about games of 2 or 4 players, not of 3\n"


def test_rules_without_a_result_are_named_beside_those_that_have_one(golpae: Golpae) -> None:
    text = Path("one.golpae").read_text(encoding="utf-8")
    Path("two.golpae").write_text(
        text.replace("game one", "game two").replace("size of players = 2", "size of players = 3"),
        encoding="utf-8",
    )
    Path("six.golpae").write_text(GAME.replace("game one", "game six"), encoding="utf-8")
    files = ("one.golpae", "two.golpae", "six.golpae")
    done = golpae("prove", *files, "all-won", "--players", "3", "--format", "json")
    assert done.status == 0
    assert [f["rules"] for f in json.loads(done.out)["findings"]] == ["two"]
    assert done.err.splitlines() == [
        "golpae: `all-won` of `one.golpae` is about games of 2 players, not of 3",
        "golpae: `six.golpae` has no property `all-won`",
    ]
    done = golpae("prove", "one.golpae", "six.golpae", "all-won", "--players", "3")
    assert (done.status, done.out) == (2, "")
    assert done.err == (
        "golpae: `all-won` of `one.golpae` is about games of 2 players, not of 3; "
        "`six.golpae` has no property `all-won`\n"
    )


def test_a_claim_that_only_a_variant_states_needs_no_remark(golpae: Golpae) -> None:
    variant = 'variant other "other"\n  claim odd: about 0% of hands by greedy: winner is none\n'
    stated(variant)
    done = golpae("prove", "one.golpae", "odd", "--format", "json")
    assert {f["rules"] for f in json.loads(done.out)["findings"]} == {"one+other"}
    assert done.err == ""


def test_a_claim_about_no_table_is_vacuous_at_any_number_of_players(golpae: Golpae) -> None:
    stated(WON.replace("= 2", "= 9"))
    for words in (("all-won",), ()):
        done = golpae("prove", "one.golpae", *words, "--players", "3")
        assert done.status == 1
        assert "its premise is never true" in done.out


def test_a_share_of_hands_is_not_for_seeds_nor_for_all_combinations(golpae: Golpae) -> None:
    done = golpae("prove", "one.golpae", "all-won", "--seeds", "2")
    assert done.status == 2
    assert done.err.startswith("golpae: `--seeds` is about proofs, but `all-won` states a share of hands\n")
    stated(WON, 'variant other "other"\n  claim odd: about 0% of hands by greedy: winner is none\n')
    for name in ("all-won", "odd"):
        done = golpae("prove", "one.golpae+*", name)
        assert done.status == 2
        assert done.err == (
            f"golpae: `{name}` states a share of hands, which is measured for single rule sets\n"
            f"  help: write `golpae prove one.golpae {name}`\n"
        )
    done = golpae("prove", "one.golpae+*", "--measure")
    assert done.status == 2
    assert done.err == "golpae: `--measure` is for single rule sets, not for `one.golpae+*`\n"
