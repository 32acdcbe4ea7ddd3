"""Random hands of two rule sets are the same on the compiled path and by the reference, hand by hand."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import asdict

import pytest

from golpae.compare.games.alignment import why_incomparable, why_order_matters
from golpae.compare.games.paired_machines import PairedMachines
from golpae.compare.size.paired_hands import LONGEST, HandsDiffer, PairedHands, PlayedHand
from golpae.elaborate.check import check
from golpae.elaborate.instance import bounds, options_of
from golpae.ir.limits import TooManySteps
from golpae.ir.ruleset import RuleSet
from golpae.kernel.language.host import available
from tests.compare.size import booths
from tests.compare.texts import bundled
from tests.differential.changes import changed
from tests.differential.texts import RuleText, random_text
from tests.simulate.shared import SMALL

pytestmark = [
    pytest.mark.property,
    pytest.mark.skipif(not available(), reason="modules do not run here"),
]
SOME = [
    ("jjak", "relaxed"),
    ("jjak", "ten-rounds"),
    ("three-dozen", "may-draw"),
    ("ho-hpai", "withdraw-single"),
]
HANDS = {"jjak": 12, "three-dozen": 12, "ho-hpai": 4, "korean-mahjong": 1}


def paired(a: RuleSet, b: RuleSet, players: int) -> PairedMachines:
    return PairedMachines(*booths.pair(a, b, players))


def of_text(source: str, *switches: str) -> PairedMachines:
    text = RuleText(source.split()[1], source)
    return paired(text.rule_set(), text.rule_set(*switches), 2)


def compiled(hands: PairedHands, first: int, many: int) -> list[PlayedHand | None]:
    """Return hands of the compiled path, None for one that is referred."""
    assert hands.player is not None
    return [None if referred else hand for hand, referred in hands.play(first, many)]


def same(pair: PairedMachines, seed: int, first: int, many: int, longest: int = LONGEST) -> list[PlayedHand]:
    """Return hands that both paths play, which have to be the same."""
    hands = PairedHands(pair, seed, longest=longest)
    found = [(number, hand) for number, hand in enumerate(compiled(hands, first, many), first)]
    out = [(number, hand) for number, hand in found if hand is not None]
    try:
        assert out == [(number, hands.reference(number)) for number, _ in out]
    except TooManySteps:
        return []
    return [hand for _, hand in out]


# ------------------------------------------------------------------ games of golpae


def others() -> list[tuple[str, str]]:
    pairs = [(game, d.name.text) for game in HANDS for d in bundled(game).variants]
    return [pair for pair in pairs if pair not in SOME]


@pytest.mark.corpus
@pytest.mark.parametrize(("game", "switch"), SOME)
def test_hands_of_a_game_and_its_variant_are_the_same_on_both_paths(game: str, switch: str) -> None:
    hold(game, switch)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "switch"), others())
def test_hands_of_all_other_variants_are_the_same_on_both_paths(game: str, switch: str) -> None:
    hold(game, switch)


def hold(game: str, switch: str) -> None:
    """Hold some hands of a game and its variant, by as few and by as many players as can be, against the reference."""
    a, b = check(bundled(game)), check(bundled(f"{game}+{switch}"))
    low, high = (max(ends) for ends in zip(*(bounds(r, options_of(r, {})) for r in (a, b)), strict=True))
    for one, other, players in ((a, b, low), (b, a, high)):
        played = same(paired(one, other, players), 7, 0, HANDS[game])
        assert len(played) == HANDS[game]  # none is referred


@pytest.mark.parametrize("longest", [1, 5])
def test_both_paths_leave_a_long_hand_at_the_same_event(longest: int) -> None:
    rules = check(bundled("jjak"))
    played = same(paired(rules, rules, 2), 3, 0, 20, longest)
    assert [hand.events for hand in played] == [longest] * 20


# ------------------------------------------------------------------ any text


def changed_texts(seed: int) -> Sequence[RuleSet]:
    """Return a random text and one that is changed somewhere, in one order or the other."""
    rng, text = random.Random(seed), random_text(seed)
    change = changed(text, rng)
    made = [text.rule_set(), *([] if change is None else [change[1].rule_set()])]
    return rng.sample(made, len(made))


@pytest.mark.parametrize("seed", range(73_000_000, 73_000_010))
def test_hands_of_random_texts_are_the_same_on_both_paths(seed: int) -> None:
    rules = changed_texts(seed)
    if len(rules) < 2 or why_incomparable(*rules) or why_order_matters(*rules):
        return
    (low, high), (lower, higher) = (bounds(r, options_of(r, {})) for r in rules)
    for players in range(max(low, lower), min(high, higher) + 1)[:1]:
        same(paired(rules[0], rules[1], players), seed, 0, 3, longest=60)


# ------------------------------------------------------------------ what hands show

VARIANTS = """
variant copper-stays "copper stays in hand"
  add put.kind: tile /= copper "no"

variant withdrawn "a gold is withdrawn"
  replace tiles.withdrawn: {gold}

variant more "one more tile each"
  replace deal.hands: 3 for everyone

variant dear "costs more"
  replace payout.won: when winner is not none: for each q in players - winner: q pays winner 2 * stake
"""
WITHDRAWN = SMALL.replace("silver gold\n", "silver gold\n  withdrawn: {}\n") + VARIANTS


def test_what_one_allows_alone_is_seen() -> None:
    played = same(of_text(WITHDRAWN, "copper-stays"), 1, 0, 40)
    assert {hand.alone for hand in played} == {(True, False), (False, False)}
    assert all(hand.dealt for hand in played)


def test_deals_come_from_the_smaller_set() -> None:
    """The reserve of such a deal has no order, for both draw from different ones."""
    played = same(of_text(WITHDRAWN, "withdrawn"), 1, 0, 20)
    assert len(played) == 20
    assert all(hand.dealt for hand in played)


def test_hands_without_a_deal_that_both_allow_are_not_dealt() -> None:
    played = same(of_text(WITHDRAWN, "more"), 1, 0, 5)
    assert played == [PlayedHand(0, dealt=False)] * 5


def test_other_payments_are_seen() -> None:
    played = same(of_text(WITHDRAWN, "dear"), 1, 0, 20)
    assert {hand.paid_otherwise for hand in played if hand.paid_otherwise is not None} == {True}


def test_hands_are_the_same_from_any_number_on_and_of_any_seed() -> None:
    hands = PairedHands(of_text(WITHDRAWN, "copper-stays"), -1)
    whole = compiled(hands, 0, 30)
    assert compiled(hands, 10, 20) == whole[10:]
    assert whole[3] == hands.reference(3)


def test_a_hand_that_the_paths_play_differently_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    hands = PairedHands(of_text(WITHDRAWN, "copper-stays"), 1)
    [(first, _)] = hands.play(0, 1)
    monkeypatch.setattr(hands, "reference", lambda number: PlayedHand(7))
    with pytest.raises(HandsDiffer, match="plays random hand 0 of seed 1 differently") as fault:
        list(hands.play(0, 3))
    question = fault.value.question
    assert (question["seed"], question["hand"], question["reference"]["events"]) == (1, 0, 7)
    assert question["rules"] == [machine.rules.rules for machine in hands.pair.machines]
    assert question["spec_hash"] == [machine.rules.spec_hash for machine in hands.pair.machines]
    assert question["compiled"] == asdict(first)


def test_what_is_not_compiled_is_played_by_the_reference() -> None:
    """The numbers of a module have 64 bits."""
    held = "held: tile in p's hand"
    assert held in WITHDRAWN
    large = WITHDRAWN.replace(held, f"{held} and 2 ^ 70 > size of p's hand")
    hands = PairedHands(of_text(large, "copper-stays"), 1)
    played = list(hands.play(0, 20))
    assert {by_reference for _, by_reference in played} == {True}
    assert [hand for hand, _ in played] == [hands.reference(number) for number in range(20)]
    slow = PairedHands(of_text(large, "copper-stays"), 1, compiled=False)
    assert list(slow.play(0, 20)) == played
