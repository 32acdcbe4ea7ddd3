"""Measurements about two rule sets in random games and hands: shares, intervals and their words."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb
from pathlib import Path
from typing import Any

import pytest

from golpae.compare.comparison import Amount
from golpae.compare.games.paired_machines import PairedMachines
from golpae.compare.options import CompareOptions
from golpae.compare.size import hands_in_parts
from golpae.compare.size import simulated_games as measured
from golpae.compare.size.compare import compare_sizes
from golpae.compare.size.hands_in_parts import PlayedHands
from golpae.compare.size.left_out import Sampling
from golpae.compare.size.paired_hands import PairedHands
from golpae.elaborate.check import check
from golpae.intervals import wilson
from golpae.ir.ruleset import RuleSet
from golpae.kernel.language.host import available
from golpae.progress import Progress
from tests.compare.size.booths import BOOTHS, Ruled, pair
from tests.compare.texts import bundled

pytestmark = pytest.mark.property

ALONE = "random hands in which {{{0}}} at some point allows what {{{1}}} does not"
DECISIONS = "decisions of random hands at which {{{0}}} allows what {{{1}}} does not"
PAID = "random hands that both allow to the end but pay differently"
LED = "random hands after which {a} and {b} allow different first players"
NONE = "random hands in which one allows what the other does not, or pays differently"

HELD = """  held: tile in p's hand "{p} does not hold {tile}"\n"""


@pytest.fixture(autouse=True)
def fewer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measured, "MOST", 400)
    monkeypatch.setattr(measured, "MOST_COMPILED", 400)


@pytest.fixture
def ruled(tmp_path: Path) -> Ruled:
    return Ruled(tmp_path)


def told(
    a: RuleSet, b: RuleSet, seed: int = 1, asked: int | None = None, processes: int = 1
) -> dict[str, Amount]:
    sides = PairedMachines(*pair(a, b))
    found = measured.measure(sides, Sampling(seed, Progress(), asked, processes=processes))
    return {amount.what: amount for amount in found}


# ------------------------------------------------------------------ intervals


@pytest.mark.parametrize(
    ("count", "of", "low", "high"),
    [
        (10, 100, 0.05522914, 0.17436566),
        (0, 10, 0.0, 0.27753279),
        (10, 10, 0.72246721, 1.0),
        (1, 1, 0.20654931, 1.0),
        (81, 263, 0.25528, 0.36617),  # of Newcombe's comparison of seven methods, 1998
        (15, 148, 0.06239, 0.16046),
    ],
)
def test_the_interval_is_that_of_wilson(count: int, of: int, low: float, high: float) -> None:
    found = wilson(count, of)
    assert found == pytest.approx((low, high), abs=1e-4)


@pytest.mark.parametrize(("count", "of"), [(0, 0), (-1, 3), (4, 3)])
def test_a_count_beyond_its_whole_has_no_interval(count: int, of: int) -> None:
    with pytest.raises(ValueError, match="is no share"):
        wilson(count, of)


# ------------------------------------------------------------------ random games


def test_shares_agree_with_fair_deals(ruled: Ruled) -> None:
    """Two of eight tiles are 1-1, and a hand holds one."""
    found = told(ruled(""), ruled("+no-ones"))
    assert [*found] == [ALONE.format("a", "b"), DECISIONS.format("a", "b")]
    for amount in found.values():
        assert not amount.exact
        assert amount.of == measured.MOST
        assert (amount.low, amount.high) == wilson(amount.count, amount.of)
        assert amount.low is not None
        assert amount.high is not None
        assert amount.low < 0.25 < amount.high


def test_turning_the_pair_round_turns_the_shares_round(ruled: Ruled) -> None:
    there, back = told(ruled(""), ruled("+no-ones")), told(ruled("+no-ones"), ruled(""))
    assert [*back] == [ALONE.format("b", "a"), DECISIONS.format("b", "a")]
    assert back[ALONE.format("b", "a")].count == there[ALONE.format("a", "b")].count


def test_simulated_players_move_only_tiles_that_they_hold(ruled: Ruled) -> None:
    """No condition requires that the player holds the tile, and still nobody shows another one."""
    assert BOOTHS.count(HELD) == 1
    text = BOOTHS.replace(HELD, "")
    found = told(ruled("", text), ruled("+no-ones", text))
    assert [*found] == [ALONE.format("a", "b"), DECISIONS.format("a", "b")]
    low, high = found[ALONE.format("a", "b")].low, found[ALONE.format("a", "b")].high
    assert low is not None
    assert high is not None
    assert low < 0.25 < high


def test_hands_with_other_payments_are_measured(ruled: Ruled) -> None:
    """Of two things to do one wins, and only then anything is paid."""
    found = told(ruled(""), ruled("+dear"))
    assert [*found] == [PAID]
    low, high = found[PAID].low, found[PAID].high
    assert low is not None
    assert high is not None
    assert low < 0.5 < high


def test_hands_after_which_another_player_leads_are_measured(ruled: Ruled) -> None:
    found = told(ruled(""), ruled("+winner-leads"))
    assert [*found] == [LED]
    low, high = found[LED].low, found[LED].high
    assert low is not None
    assert high is not None
    assert low < 0.5 < high


def test_the_seed_decides_the_shares(ruled: Ruled) -> None:
    a, b = ruled(""), ruled("+no-ones")
    assert told(a, b, 1) == told(a, b, 1)
    assert told(a, b, 1) != told(a, b, 2)


def test_no_deal_in_common_leaves_nothing_to_measure(ruled: Ruled) -> None:
    assert told(ruled(""), ruled("+one-more")) == {}


def test_as_many_hands_are_played_as_are_asked_for(ruled: Ruled) -> None:
    (amount, *_) = told(ruled(""), ruled("+no-ones"), asked=7).values()
    assert amount.of == 7


def test_hands_that_are_not_compiled_end_the_measuring_earlier(
    ruled: Ruled, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The numbers of a module have 64 bits, and what asks for larger ones is referred."""
    monkeypatch.setattr(measured, "WORK", 1_000)
    held = "held: tile in p's hand"
    text = BOOTHS.replace(held, f"{held} and 2 ^ 70 > size of p's hand")
    assert text != BOOTHS
    (amount, *_) = told(ruled("", text), ruled("+no-ones", text)).values()
    assert measured.FEWEST <= amount.of < 100


def test_long_hands_are_fewer(ruled: Ruled, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their number falls with the square of their events: 8 tiles, and 3 events in each hand."""
    monkeypatch.setattr(measured, "COMPILED_WORK", 8 * 3**2 * 300)
    (amount, *_) = told(ruled(""), ruled("+dear")).values()
    assert amount.of == (300 if available() else measured.MOST)


@pytest.mark.skipif(not available(), reason="modules do not run here")
@pytest.mark.parametrize("asked", [None, 120])
@pytest.mark.parametrize("large", ["", " and 2 ^ 70 > size of p's hand"])
def test_the_shares_are_the_same_on_several_processes(
    ruled: Ruled, monkeypatch: pytest.MonkeyPatch, asked: int | None, large: str
) -> None:
    """Also if hands have to be played by the reference, which ends the measuring earlier."""
    held = "held: tile in p's hand"
    text = BOOTHS.replace(held, held + large)
    a, b = ruled("", text), ruled("+no-ones", text)
    started: list[int] = []

    in_workers = hands_in_parts._in_workers

    def noted(source: PairedHands, numbers: Any, processes: int) -> Iterator[PlayedHands]:
        started.append(processes)
        return in_workers(source, numbers, processes)

    monkeypatch.setattr(measured, "WORK", 2_000)
    monkeypatch.setattr(measured, "WORTH", 0)
    monkeypatch.setattr(hands_in_parts, "EACH_PART", 15)
    monkeypatch.setattr(hands_in_parts, "_in_workers", noted)
    alone = told(a, b, asked=asked)
    assert started == []
    assert told(a, b, asked=asked, processes=2) == alone
    assert started == [2]
    (amount, *_) = alone.values()
    few = large and asked is None
    assert 40 < amount.of < 120 if few else amount.of == (asked or measured.MOST_COMPILED)


def test_one_decision_of_each_hand_is_sampled() -> None:
    """The decisions of one hand depend on each other, so only one of them is sampled."""
    both = PairedMachines(*pair(check(bundled("jjak")), check(bundled("jjak+row"))))
    hand = PairedHands(both, 1, compiled=False).reference(0)
    assert hand.alone == (True, False)
    assert hand.events > 10
    assert hand.decision in ((True, False), (False, False))


# ------------------------------------------------------------------ all together


def test_exact_amounts_come_first_and_tables_are_named(ruled: Ruled) -> None:
    found = compare_sizes(ruled(""), ruled("+no-ones"), CompareOptions())
    assert [a.what for a in found] == [
        "tiles for which `may-show` holds only in {a}",
        ALONE.format("a", "b") + " (2 players)",
        DECISIONS.format("a", "b") + " (2 players)",
    ]
    assert (found[0].count, found[0].of, found[0].exact) == (2, 8, True)
    alone = compare_sizes(ruled(""), ruled("+no-ones"), CompareOptions(players=2))
    assert [a.what for a in alone] == [a.what.removesuffix(" (2 players)") for a in found]


def test_first_deals_are_counted_for_each_number_of_players(ruled: Ruled) -> None:
    found = compare_sizes(ruled(""), ruled("+one-more"), CompareOptions())
    of = {n: n * (_deals(8, n, 1) + _deals(8, n, 2)) for n in (2, 3)}
    expected = [
        (f"first deals possible only in {{{side}}} ({n} players)", n * _deals(8, n, size), of[n])
        for n in (2, 3)
        for side, size in (("a", 1), ("b", 2))
    ]
    assert [(a.what, a.count, a.of) for a in found] == expected


def _deals(tiles: int, players: int, each: int) -> int:
    return 1 if not players else comb(tiles, each) * _deals(tiles - each, players - 1, each)


def test_three_players_are_simulated_if_two_show_no_difference(ruled: Ruled) -> None:
    found = compare_sizes(ruled(""), ruled("+three-only"), CompareOptions())
    assert [a.what for a in found] == [f"{PAID} (3 players)"]
    [none] = compare_sizes(ruled(""), ruled("+three-only"), CompareOptions(players=2))
    assert (none.what, none.count, none.low, none.of) == (NONE, 0, 0.0, measured.MOST)


def test_nothing_is_measured_if_the_games_are_equal_or_not_comparable(ruled: Ruled) -> None:
    jjak = check(bundled("jjak"))
    assert compare_sizes(jjak, jjak, CompareOptions()) == ()
    assert compare_sizes(jjak, check(bundled("three-dozen")), CompareOptions()) == ()
    assert compare_sizes(jjak, ruled(""), CompareOptions()) == ()
