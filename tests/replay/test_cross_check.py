"""Winning hands of korean-mahjong, compared with a public library for riichi, which lays out hands in the same way.

Both know four sets and a pair, or seven different pairs. The set here has craks, dots, winds and dragons: the
library's man, pin and honors. Its third suit is never used, so none of its thirteen orphans is ever complete.
"""

from __future__ import annotations

import random
from collections import Counter

import pytest
from mahjong.agari import Agari
from mahjong.constants import EAST
from mahjong.hand_calculating.divider import HandDivider
from mahjong.hand_calculating.hand import HandCalculator
from mahjong.hand_calculating.hand_config import HandConfig
from mahjong.meld import Meld as TheirMeld
from mahjong.shanten import Shanten

from golpae.replay.machine import Machine
from golpae.replay.runtime import Meld
from tests.replay.riichi_hands import KINDS, Tiles, copies, counts, hands, theirs
from tests.replay.shared import machine


def table() -> Machine:
    found = machine("korean-mahjong", 4)
    names = [found.tile(kind) for kind in KINDS]
    assert names == [f"{n}m" for n in range(1, 10)] + [f"{n}p" for n in range(1, 10)] + list("ESWNPFC")
    return found


# ------------------------------------------------------------------ the decision


def decisions_agree(seed: int, number: int) -> tuple[int, int]:
    """Return how many hands were complete, and how many there were."""
    shapes = table().shapes
    complete = 0
    for tiles in hands(seed, number):
        held = counts(tiles)
        here = shapes.holds(tiles, "complete")
        assert here == Agari.is_agari(held), tiles
        assert here == (Shanten.calculate_shanten(held, use_kokushi=False) == Shanten.AGARI_STATE), tiles
        pairs = Shanten.calculate_shanten_for_chiitoitsu_hand(held) == Shanten.AGARI_STATE
        assert shapes.holds(tiles, "seven-pairs") == pairs, tiles
        complete += here
    return complete, number


def test_complete_hands_agree_with_the_riichi_library() -> None:
    complete, number = decisions_agree(seed=9, number=5_000)
    assert number / 4 < complete < number * 3 / 4


@pytest.mark.fuzz
def test_complete_hands_agree_with_the_riichi_library_at_length() -> None:
    complete, number = decisions_agree(seed=21, number=100_000)
    assert number / 4 < complete < number * 3 / 4


# ------------------------------------------------------------------ every arrangement


def with_melds(tiles: Tiles, rng: random.Random) -> tuple[Tiles, list[Meld]]:
    """Return a hand with some of its sets as melds, now and then a kong."""
    rest, melds = sorted(tiles), []
    for kind in sorted(set(tiles)):
        if rest.count(kind) >= 3 and rng.random() < 0.5:
            label = rng.choice(("pung", "kong")) if rest.count(kind) == 3 else "kong"
            melds.append(Meld([kind] * (3 if label == "pung" else 4), label))
            rest = [tile for tile in rest if tile != kind]
    return rest, melds


def their_meld(meld: Meld) -> TheirMeld:
    return TheirMeld(TheirMeld.PON if meld.label == "pung" else TheirMeld.KAN, copies(meld))


def arrangements_agree(seed: int, number: int) -> int:
    """Compares every way to lay out hands, with melds and without; the number of ways."""
    shapes, rng, found = table().shapes, random.Random(seed), 0
    for whole in hands(seed, number):
        tiles, melds = with_melds(whole, rng) if rng.random() < 0.3 else (whole, [])
        here = []
        for name in ("four-sets", "seven-pairs"):
            for way in shapes.arrange(tiles, name, melds):
                groups = [sorted(map(theirs, group)) for part in way for group in part]
                here.append(sorted(groups))
        everything = [*tiles, *(tile for meld in melds for tile in meld)]
        there = HandDivider.divide_hand(counts(everything), [their_meld(meld) for meld in melds])
        assert sorted(here) == sorted(sorted(map(sorted, way)) for way in there), (tiles, melds)
        found += len(here)
    return found


def test_layouts_agree_with_the_riichi_library() -> None:
    assert arrangements_agree(seed=5, number=3_000) > 750


@pytest.mark.fuzz
def test_layouts_agree_with_the_riichi_library_at_length() -> None:
    assert arrangements_agree(seed=25, number=100_000) > 25_000


# ------------------------------------------------------------------ patterns that both name

# Those that do not depend on the arrangement. The library counts a limit hand alone, without the others. (A hand
# of terminals alone needs the third suit: two have four kinds of them, and five are needed.)
LIMITS = {
    "Daisangen": "big-three-dragons",
    "Shousuushii": "little-four-winds",
    "Dai Suushii": "big-four-winds",
    "Tsuu Iisou": "all-honors",
}
OTHERS = {
    "Tanyao": "all-simples",
    "Honitsu": "half-flush",
    "Chinitsu": "full-flush",
    "Shou Sangen": "little-three-dragons",
}


def patterns_agree(seed: int, number: int) -> Counter[str]:
    """Return how often each pattern occurred."""
    found = table()
    scorer, state, drawn = (
        found.scorers["worth"],
        found.new_state(),
        HandConfig(is_tsumo=True, player_wind=EAST),
    )
    east = found.reader.numbers["E"]
    seen: Counter[str] = Counter()
    for tiles in hands(seed, number):
        there = HandCalculator.estimate_hand_value(copies(tiles), copies(tiles)[-1], config=drawn)
        best = scorer.best(state, tiles[:-1], [], [], tiles[-1], True, east, None, *[False] * 9)
        assert (there.error == HandCalculator.ERR_HAND_NOT_WINNING) == (best is None), tiles
        if best is not None:
            assert there.yaku is not None
            theirs = {yaku.name for yaku in there.yaku}
            words = LIMITS if any(yaku.is_yakuman for yaku in there.yaku) else LIMITS | OTHERS
            wanted = {words[name] for name in theirs & set(words)}
            for layout in best.layouts:
                assert set(layout.patterns) & set(words.values()) == wanted, tiles
            seen.update(wanted)
    return seen


def test_patterns_agree_with_the_riichi_library() -> None:
    assert set(patterns_agree(seed=3, number=1_500)) >= set(OTHERS.values())


@pytest.mark.fuzz
def test_patterns_agree_with_the_riichi_library_at_length() -> None:
    assert set(patterns_agree(seed=23, number=100_000)) == {*LIMITS.values(), *OTHERS.values()}
