"""Random hands with a score are the same on both paths, hand by hand; shares count those that two rule sets score
differently.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from golpae.cli.main import main
from golpae.compare.comparison import Amount
from golpae.compare.games.alignment import Rewritten, aligned, why_incomparable, why_order_matters
from golpae.compare.options import CompareOptions
from golpae.compare.size import hands_in_parts, simulated_games
from golpae.compare.size import sampled_hands as sampled
from golpae.compare.size.compare import compare_sizes
from golpae.compare.size.exact import ExactCounts
from golpae.compare.size.left_out import Sampling
from golpae.compare.size.paired_hands import HandsDiffer
from golpae.compare.size.random_hands import RandomHands
from golpae.compare.size.sampled_hands import sample
from golpae.compare.size.scored_hands import ScoredHands
from golpae.elaborate.check import check
from golpae.elaborate.instance import bounds, options_of
from golpae.intervals import wilson
from golpae.ir.limits import TooManySteps
from golpae.ir.ruleset import RuleSet
from golpae.kernel.drawn import NOTHING, Totals
from golpae.kernel.language.host import available
from golpae.progress import Progress
from golpae.replay.chance import Chance
from tests.compare.size.booths import BOOTHS, Ruled, pair
from tests.compare.texts import bundled
from tests.differential.changes import changed
from tests.differential.texts import RuleText, random_text
from tests.replay.scoring.own_values import TEXT as OWN_VALUES

pytestmark = pytest.mark.property
compiles = pytest.mark.skipif(not available(), reason="modules do not run here")

SMALL = "small: open implies last's high < 4"
OTHERWISE = "random hands with a `luck` that has a different value in {b}"
# A number of more than 64 bits is for the reference.
LARGE = BOOTHS.replace(SMALL, f"{SMALL} and 2 ^ 70 > last's high")
SINGLES = BOOTHS.replace("withdrawn: {}", "withdrawn: {1-1, 2-2, 3-3, 4-4}")


@pytest.fixture(autouse=True)
def fewer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sampled, "HANDS", 200)
    monkeypatch.setattr(sampled, "MOST_COMPILED", 4_000)


@pytest.fixture
def ruled(tmp_path: Path) -> Ruled:
    return Ruled(tmp_path)


def korean_mahjong(switch: str) -> tuple[RuleSet, RuleSet]:
    return check(bundled("korean-mahjong")), check(bundled(f"korean-mahjong+{switch}"))


def told(
    a: RuleSet,
    b: RuleSet,
    seed: int = 1,
    asked: int | None = None,
    compiled: bool = True,
    processes: int = 1,
    players: int = 2,
) -> list[Amount]:
    counts = ExactCounts(*pair(a, b, players), Rewritten(a, aligned(a, b)))
    return list(sample(counts, Sampling(seed, Progress(), asked, compiled, processes)))


# ------------------------------------------------------------------ hands


def test_random_hands_can_be_laid_out() -> None:
    ours, theirs = pair(*korean_mahjong("four-as-two-pairs"), 4)
    hands = RandomHands((ours, theirs), "worth")
    assert hands.possible
    winds = tuple(ours.instance.number(wind) for wind in "ESWN")
    assert hands.drawing.free == (("seat_wind", winds),)  # no other tile is drawn in vain
    laid = [v for number in range(80) if (v := hands.draw(Chance(3, number), number % 2)) is not None]
    assert len(laid) > 40
    for values, others in laid:
        assert values == others
        named = dict(zip(hands.names, values, strict=True))
        whole = [*named["hand"], named["win"]]
        assert all(whole.count(k) <= ours.instance.kinds[k].copies for k in whole)
        assert any(m.shapes.holds(tuple(sorted(whole)), "complete") for m in (ours, theirs))
        assert named["seat_wind"] in winds


def on_both_paths(hands: ScoredHands, many: int) -> tuple[list[Totals], int]:
    """Return the totals of so many hands, which are the same on both paths, and how many of them are referred."""
    assert hands.scorer is not None
    found = list(hands.scorer.totals(hands.seed, 0, many))
    expected = [hands.reference(number) for number in range(many)]
    assert [totals for totals in found if totals is not None] == [
        totals for totals, compiled in zip(expected, found, strict=True) if compiled is not None
    ]
    return expected, found.count(None)


@compiles
@pytest.mark.corpus
@pytest.mark.parametrize(
    "switch", ["four-as-two-pairs", "premium-each", "no-implied", "pairs-are-no-sets", "readies-add"]
)
def test_hands_of_a_variant_have_the_same_totals_on_both_paths(switch: str) -> None:
    totals, referred = on_both_paths(ScoredHands(pair(*korean_mahjong(switch), 4), "worth", 5), 150)
    assert referred == 0
    assert 20 < totals.count((NOTHING, NOTHING)) < 130
    assert len(set(totals)) > 5


@compiles
def test_hands_of_a_small_text_have_the_same_totals_on_both_paths(ruled: Ruled) -> None:
    totals, referred = on_both_paths(ScoredHands(pair(ruled(""), ruled("+closed")), "luck", 2**64 - 1), 300)
    assert referred == 0
    assert set(totals) == {(2, 2), (2, 3), (0, 0), (0, 1)}


@compiles
def test_hands_of_random_texts_have_the_same_totals_on_both_paths() -> None:
    found: list[Totals] = []
    for seed in range(38, 50):
        rng, text = random.Random(seed), random_text(seed)
        change = changed(text, rng)
        a, b = text.rule_set(), (text if change is None else change[1]).rule_set()
        if why_incomparable(a, b) or why_order_matters(a, b):
            continue
        sides = pair(a, b, max(bounds(r, options_of(r, {}))[0] for r in (a, b)))
        for score in a.scores:
            hands = ScoredHands(sides, score.name, seed)
            if hands.possible:
                found += on_both_paths(hands, 30)[0]
    assert len(found) - found.count((NOTHING, NOTHING)) > 20


@compiles
def test_values_that_are_worked_out_from_a_hand_are_the_same_on_both_paths() -> None:
    source = OWN_VALUES.replace("t in golden", "t's n = 1").replace("twice <= 3", "twice <= 9")
    text = RuleText("own", source)
    sides = pair(text.rule_set(), text.rule_set("dear"))
    totals, referred = on_both_paths(ScoredHands(sides, "worth", 3), 300)
    assert referred == 0
    assert {(1, 1), (7, 9)} <= set(totals)


@compiles
def test_values_that_never_fit_leave_no_hand_on_either_path(ruled: Ruled) -> None:
    """A condition on two values leaves some hands without any."""
    text = BOOTHS.replace(SMALL, "small: last's high < 4")
    totals, _ = on_both_paths(ScoredHands(pair(ruled("", text), ruled("+closed", text)), "luck", 1), 100)
    assert (NOTHING, NOTHING) in totals


@compiles
def test_hands_that_the_smaller_set_has_no_room_for_are_referred(ruled: Ruled) -> None:
    sides = pair(ruled(""), ruled("", SINGLES))
    totals, referred = on_both_paths(ScoredHands(sides, "luck", 1), 100)
    assert 10 < referred < 50
    assert {both for both in totals if both[0] == 2} == {(2, 2)}


@compiles
def test_what_is_not_compiled_is_scored_by_the_reference(ruled: Ruled) -> None:
    source = ScoredHands(pair(ruled("", LARGE), ruled("+closed", LARGE)), "luck", 1)
    found = list(source.score(0, 60))
    assert [totals for totals, _ in found] == [source.reference(number) for number in range(60)]
    assert 10 < sum(referred for _, referred in found) < 60


@pytest.mark.parametrize("compiled", [pytest.param(True, marks=compiles), False])
@pytest.mark.parametrize(
    ("words", "passing"),
    [
        ("small: open", 'low: 2 ^ (last\'s high * 10000) > 0 "it is high"\n    small: open'),
        ("twins 2 + bonus", "twins 2 ^ (last's high * 10000)"),
    ],
    ids=["condition", "total"],
)
def test_a_hand_at_which_golpae_cannot_go_on_ends_the_measurement(
    ruled: Ruled, words: str, passing: str, compiled: bool
) -> None:
    """The number 2^40000 has more than 4,000 digits; the scores come to it if the last tile is 4-4."""
    text = BOOTHS.replace(words, passing)
    source = ScoredHands(pair(ruled("", text), ruled("+closed", text)), "luck", 1, compiled)
    with pytest.raises(TooManySteps, match="4,000 digits"):
        list(source.score(0, 100))


@compiles
def test_a_hand_that_the_two_paths_score_differently_is_a_fault(
    ruled: Ruled, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = ScoredHands(pair(ruled(""), ruled("+closed")), "luck", 1)
    right = source.reference
    monkeypatch.setattr(source, "reference", lambda number: (right(number)[0], 77))
    with pytest.raises(HandsDiffer, match="scores random hand 0 of seed 1 by `luck` differently") as fault:
        list(source.score(0, 2))
    question, own = fault.value.question, right(0)
    assert (question["score"], question["seed"], question["hand"]) == ("luck", 1, 0)
    assert question["rules"] == ["booths", "booths+closed"]
    assert (question["compiled"], question["reference"]) == ([*own], [own[0], 77])


# ------------------------------------------------------------------ shares


def test_random_hands_have_random_values_for_the_parameters_of_a_score(ruled: Ruled) -> None:
    """Half of the hands whose last tile may be shown are open. Every closed hand has another count."""
    a, b = ruled(""), ruled("+closed")
    assert not [x for x in ExactCounts(*pair(a, b), Rewritten(a, b)).amounts() if "hands" in x.what]
    [amount] = told(a, b)
    many = sampled.MOST_COMPILED if available() else sampled.HANDS
    assert (amount.what, amount.of) == (OTHERWISE, many)
    assert (amount.low, amount.high) == wilson(amount.count, many)
    # 4-4 is last in a quarter of all twins and in a sixth of all neighbours
    fours = (1 / 4 + 1 / 6) / 2
    assert amount.low is not None
    assert amount.high is not None
    assert amount.low < fours + (1 - fours) / 2 < amount.high


def test_random_hands_that_only_one_rule_set_counts_are_measured() -> None:
    alone, *_ = told(*korean_mahjong("four-as-two-pairs"), players=4, asked=100)
    assert alone.what == "random hands with a `worth` only in {b}"
    assert 0 < alone.count < alone.of == 100


def test_as_many_hands_are_scored_as_are_asked_for_and_the_same_on_both_paths(ruled: Ruled) -> None:
    a, b = ruled(""), ruled("+closed")
    [amount] = told(a, b, asked=333)
    assert amount.of == 333
    assert told(a, b, asked=333, compiled=False) == [amount]
    assert told(a, b, seed=2, asked=333) != [amount]
    assert told(a, b, seed=2**64 + 1, asked=333)[0].count == amount.count


def test_hands_and_processes_are_those_of_the_options(ruled: Ruled, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulated_games, "measure", lambda *args, **kinds: iter(()))
    seen: list[int] = []
    parts = sampled._parts

    def noted(
        source: ScoredHands, asked: int | None, steps: int, processes: int
    ) -> Iterator[tuple[sampled.DrawnHands, bool]]:
        seen.append(processes)
        return parts(source, asked, steps, processes)

    monkeypatch.setattr(sampled, "_parts", noted)
    found = compare_sizes(ruled(""), ruled("+closed"), CompareOptions(hands=50, jobs=3))
    assert [amount.of for amount in found if amount.what == OTHERWISE] == [50]
    assert seen == [3]


@pytest.mark.parametrize("asked", [None, 700])
@pytest.mark.parametrize("text", [BOOTHS, LARGE], ids=["compiled", "referred"])
@pytest.mark.parametrize("compiled", [pytest.param(True, marks=compiles), False])
def test_the_shares_are_the_same_on_several_processes(
    ruled: Ruled, monkeypatch: pytest.MonkeyPatch, asked: int | None, text: str, compiled: bool
) -> None:
    """Also if hands have to be scored by the reference, which ends the measuring earlier."""
    a, b = ruled("", text), ruled("+closed", text)
    started: list[int] = []
    in_workers = sampled._in_workers

    def noted(source: ScoredHands, draws: Any, processes: int) -> Iterator[sampled.DrawnHands]:
        started.append(processes)
        return in_workers(source, draws, processes)

    monkeypatch.setattr(sampled, "WORTH", 0)
    monkeypatch.setattr(sampled, "MOST_REFERRED", 100)
    monkeypatch.setattr(sampled, "EACH_PART", 90)
    monkeypatch.setattr(sampled, "EACH_BY_REFERENCE", 90)
    monkeypatch.setattr(sampled, "_in_workers", noted)
    alone = told(a, b, asked=asked, compiled=compiled)
    assert started == []
    assert told(a, b, asked=asked, compiled=compiled, processes=2) == alone
    assert started == [2]
    most = asked or (sampled.MOST_COMPILED if compiled else sampled.HANDS)
    few = asked is None and compiled and text == LARGE
    assert 100 < alone[0].of < 300 if few else alone[0].of == most


@compiles
def test_draws_that_give_no_hand_end_too(ruled: Ruled, monkeypatch: pytest.MonkeyPatch) -> None:
    """The number of draws follows from the tiles of a hand and the patterns: here two of each side."""
    monkeypatch.setattr(sampled, "HANDS", 20)
    monkeypatch.setattr(sampled, "WORK", 300 * 2 * 4)
    text = BOOTHS.replace(SMALL, "small: last's high < 2")
    [amount] = told(ruled("", text), ruled("+closed", text))
    assert 20 < amount.of < 100


# Conditions that count fifty thousand times fifty thousand.
LONG = "(every a in {1 to 50000}: every b in {1 to 50000}: a + b + last's high > 0)"


@pytest.mark.parametrize(
    ("replaced", "by", "other", "said", "left"),
    [
        (
            SMALL,
            f"{SMALL} and {LONG}",
            "+closed",
            "random hands with a `luck` are left out: evaluating",
            "random hands in",
        ),
        (
            "may: may-show(tile)",
            f"may: may-show(tile) and {LONG.replace('last', 'tile')}",
            "+no-ones",
            "random hands (2 players) are left out: evaluating `show.may`",
            "tiles for which `may-show` holds only in booths",
        ),
    ],
)
def test_what_takes_too_many_steps_is_left_out_and_the_rest_is_not(
    tmp_path: Path,
    replaced: str,
    by: str,
    other: str,
    said: str,
    left: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert BOOTHS.count(replaced) == 1
    text = tmp_path / "booths.golpae"
    text.write_text(BOOTHS.replace(replaced, by), encoding="utf-8")
    assert main(["compare", "--layer", "size", str(text), other]) == 0
    out, err = capsys.readouterr()
    assert said in " ".join(out.split())
    assert err == ""
    assert left in out


# Conditions that count to a hundred thousand: no clause is too long, all hands together are.
HUNDRED_THOUSAND = "(every a in {1 to 1000}: every b in {1 to 100}: a + b + last's high > 0)"


@pytest.mark.parametrize(
    ("replaced", "by", "other", "what", "found"),
    [
        (SMALL, f"{SMALL} and {HUNDRED_THOUSAND}", "+closed", "random hands with a `luck`", 80),
        (
            "may: may-show(tile)",
            f"may: may-show(tile) and {HUNDRED_THOUSAND.replace('last', 'tile')}",
            "+no-ones",
            "random hands (2 players)",
            54,
        ),
    ],
)
def test_steps_end_a_measurement_and_what_was_found_counts(
    tmp_path: Path,
    replaced: str,
    by: str,
    other: str,
    what: str,
    found: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    text = tmp_path / "booths.golpae"
    text.write_text(BOOTHS.replace(replaced, by), encoding="utf-8")
    for name, value in (("EACH_BY_REFERENCE", 20), ("EACH_PART", 20), ("WORTH", 0), ("STEPS", 4_000_000)):
        monkeypatch.setattr(sampled, name, value)
    monkeypatch.setattr(simulated_games, "STEPS", 13_000_000)
    monkeypatch.setattr(hands_in_parts, "EACH_PART", 2)
    monkeypatch.setattr(simulated_games, "WORTH", 0)
    outputs = []
    for jobs in ("1", "3"):
        assert main(["compare", "--layer", "size", "--hands", "200", "--jobs", jobs, str(text), other]) == 0
        outputs.append(capsys.readouterr())
    assert outputs[0] == outputs[1]
    said = " ".join(outputs[0].out.split())
    assert f"{what} end after {found}: " in said
    assert f"(n = {found}" in said


def test_a_score_that_no_hand_has_is_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = tmp_path / "booths.golpae"
    text.write_text(BOOTHS.replace(SMALL, "small: last's high > 9"), encoding="utf-8")
    assert main(["compare", "--layer", "size", "--hands", "100", str(text), "+closed"]) == 0
    assert "random hands with a `luck` are left out: none was found" in capsys.readouterr().out
