"""Exact counts about two rule sets, compared with counts by hand, tile by tile."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations, combinations_with_replacement, permutations
from math import comb
from pathlib import Path

import pytest

from golpae.compare.comparison import Amount
from golpae.compare.games.alignment import Rewritten, aligned
from golpae.compare.size.enumerate_hands import hand_sizes, laid_out
from golpae.compare.size.exact import ExactCounts
from golpae.compare.size.paired_count import count_paired
from golpae.elaborate.check import check
from golpae.elaborate.instance import instantiate
from golpae.elaborate.load import load
from golpae.elaborate.resolve import resolve
from golpae.ir.ruleset import RuleSet
from golpae.replay import steps
from golpae.replay.machine import Machine
from golpae.replay.scoring.score import total
from tests.attribute.guilds import GUILDS
from tests.compare.texts import bundled

Amounts = dict[str, tuple[int, int]]

# Four kinds: groups of two and three, a hand of five, and hands that count nothing but still count.
STALLS = """\
game stalls "Stalls"

players 2 to 3

tiles 9 of 4 kinds
  plain: two of each 1-1 2-2 3-3
  many: three of each 4-4
  written: "{high}-{low}"
  withdrawn: {}

zones
  pile: tiles seen by nobody, holds the set
  each player's hand: tiles seen by its owner

define price(t: tile): t's high
define beats(a, b: tile): price(a) > price(b) + margin
define margin: 0
define beside(a, b: tile): a's high = b's high + 1 or b's high = a's high + 1
define never-used(a, b: tile): beside(a, b) and margin = 0
define left-over(t: tile): t in many

shape twin(a, b): a = b
shape run(a, b, c): b's high = a's high + 1 and c's high = b's high + 1
shape odd of 3: it is mixed
arrangement mixed: 1 twin and 1 any-one
shape any-one(a): beside(a, 2-2)
shape three: run or odd
arrangement full: 1 twin and 1 three

score worth(hand: tiles)
  hand: hand
  as: full
  keep: yes
  total: sum
  pattern runs run-points: three is run

define run-points: 0

deal from pile
  hands: 2 for everyone

action show(a: tile) by p "show a tile that beats another one"
  held: a in p's hand "{p} does not hold {a}"
  beats: some t in p's hand: beats(a, t) or beside(a, t) or price(a) = 9 or left-over(t) "{a} beats nothing"
  full: worth(p's hand) is none "{p} has it all"
  then p wins

end
  due: over "the hand is not over"

variant dear "a margin of one"
  replace margin: 1

variant squared "prices are squares"
  replace price: t's high * t's high

variant wide "tiles two apart stand beside each other"
  replace beside: a's high = b's high + 2 or b's high = a's high + 2

variant paid "runs count"
  replace run-points: 3

variant no-runs "nothing counts but odd ones"
  replace three: odd

variant fewer "one 4-4 is left out"
  replace tiles.withdrawn: {4-4}

variant larger "three tiles each"
  replace deal.hands: 3 for everyone

reading unused "what no game uses"
  replace never-used: yes
"""


@pytest.fixture
def ruled(tmp_path: Path) -> Callable[[str, str], RuleSet]:
    """A function that elaborates a text with a switch, or without."""

    def make(text: str, switches: str) -> RuleSet:
        name = text.split()[1]
        (tmp_path / f"{name}.golpae").write_text(text, "utf-8")
        return check(resolve(name + switches, load(name, [tmp_path])))

    return make


Ruled = Callable[[str, str], RuleSet]


def counted(a: RuleSet, b: RuleSet, players: int) -> ExactCounts:
    other = aligned(a, b)
    ours, theirs = (Machine(instantiate(rules, players, {})) for rules in (a, other))
    return ExactCounts(ours, theirs, Rewritten(a, other))


def amounts(a: RuleSet, b: RuleSet, players: int) -> Amounts:
    found: list[Amount] = list(counted(a, b, players).amounts())
    assert all(amount.exact and amount.count for amount in found)
    return {amount.what: (amount.count, amount.of) for amount in found}


# ------------------------------------------------------------------ games as they are bundled


def jjak_tiles() -> list[str]:
    civil = "6-6 5-5 4-4 3-3 2-2 1-1 6-5 6-4 6-1 5-1 3-1".split()
    return [*civil, *civil, *"6-3 5-4 6-2 5-3 5-2 4-3 4-1 3-2 4-2 2-1".split()]


def high_low(tile: str) -> tuple[int, int]:
    return int(tile[0]), int(tile[2])


def test_pairs_that_only_one_rule_set_has_are_counted() -> None:
    tiles = jjak_tiles()
    military = set(tiles[22:])
    listed = ("6-2 6-3", "5-2 5-3", "4-2 4-3", "4-1 3-2", "2-1 5-4")
    culin = {frozenset(words.split()) for words in listed}

    def ours(x: str, y: str) -> bool:
        pips = sum(high_low(x)) == sum(high_low(y))
        return (
            (x == y and x not in military)
            or ({x, y} <= military and x != y and pips)
            or {x, y} == {"4-2", "2-1"}
        )

    def theirs(x: str, y: str) -> bool:
        return (x == y and x not in military) or frozenset((x, y)) in culin

    pairs = list(combinations(tiles, 2))
    only_ours = sum(ours(*p) and not theirs(*p) for p in pairs)
    only_theirs = sum(theirs(*p) and not ours(*p) for p in pairs)
    assert amounts(check(bundled("jjak")), check(bundled("jjak+culin")), 3) == {
        "pairs of tiles for which `pair` holds only in {a}": (only_ours, len(pairs)),
        "pairs of tiles for which `pair` holds only in {b}": (only_theirs, len(pairs)),
    }
    assert (only_ours, only_theirs, len(pairs)) == (4, 4, 496)


def of_three(tiles: list[str]) -> tuple[set[frozenset[int]], set[frozenset[int]]]:
    """Return the sets of three tiles that are sok, and the other han-hpai, by the numbers of the tiles."""
    named = ("6-6 5-5 4-4", "3-3 2-2 1-1", "6-6 3-3 2-2", "2-1 3-1 3-2", "5-4 6-4 6-5")
    lists = [sorted(words.split()) for words in named]
    sok: set[frozenset[int]] = set()
    others: set[frozenset[int]] = set()
    for numbers in combinations(range(len(tiles)), 3):
        names = [tiles[i] for i in numbers]
        halves = sorted(h for name in names for h in high_low(name))
        found = halves == [1, 2, 3, 4, 5, 6] or sorted(names) in lists
        for x, y, z in permutations(names):
            (a, a_low), (b, b_low), (c, c_low) = map(high_low, (x, y, z))
            if a == a_low and c == c_low and a != c and {b, b_low} == {a, c}:
                found = True
            if a == a_low and x == y and (c + c_low == a or a in (c, c_low)):
                sok.add(frozenset(numbers))
        if found:
            others.add(frozenset(numbers))
    return sok, others


def sixes(threes: Iterable[frozenset[int]]) -> set[frozenset[int]]:
    return {one | other for one, other in combinations(threes, 2) if not one & other}


def whole_hands(tiles: list[str]) -> set[frozenset[int]]:
    """Hands of one list of six: the six numbers of the tiles with a certain half, and hol-ssang-syo."""
    lists = [{f"{max(n, m)}-{min(n, m)}" for m in range(1, 7)} for n in range(1, 7)]
    lists.append({"2-1", "6-3", "5-4", "4-1", "6-2", "5-3"})
    out: set[frozenset[int]] = set()
    for names in lists:
        hands: set[frozenset[int]] = {frozenset()}
        for name in names:
            hands = {h | {i} for h in hands for i, tile in enumerate(tiles) if tile == name}
        out |= hands
    return out


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("players", "hands", "fewer"), [(4, comb(32, 6), 12_537 - 6_419), (3, comb(24, 6), 1_080 - 543)]
)
def test_hands_that_only_one_rule_set_counts_are_counted(players: int, hands: int, fewer: int) -> None:
    tiles = jjak_tiles()
    if players == 3:
        tiles = [t for t in tiles if t not in ("6-6", "5-5", "4-4", "3-3")]
    sok, others = of_three(tiles)
    whole = whole_hands(tiles)
    lost = sixes(sok | others) - sixes(others) - whole
    assert len(lost) == fewer
    different = len({tuple(sorted(tiles[i] for i in hand)) for hand in lost})
    found = amounts(check(bundled("ho-hpai")), check(bundled("ho-hpai+no-sok")), players)
    assert found["hands of 6 with a `count` only in {a}"] == (fewer, hands)
    assert found["sets of 3 tiles that are `han-hpai` only in {a}"] == (
        len(sok - others),
        comb(len(tiles), 3),
    )
    [(what, (count, _))] = [(k, v) for k, v in found.items() if k.startswith("distinct")]
    assert what == "distinct hands of 6 with a `count` only in {a}, copies not distinguished"
    assert count == different
    assert len(found) == 3  # B has nothing of its own, and no hand has another count


def test_hands_and_deals_are_counted_with_the_tiles_of_each_rule_set() -> None:
    found = amounts(check(bundled("ho-hpai")), check(bundled("ho-hpai+withdraw-single")), 3)
    both = comb(24, 6)
    assert found["hands of 6 with a `count` only in {b}"] == (2_942 - 1_080, comb(28, 6))
    assert both < comb(28, 6)
    assert not any("only in {a}" in what or "that only {a} has" in what for what in found)
    first = "first deals possible only in {b}"
    deals = [3 * comb(n, 7) * comb(n - 7, 6) * comb(n - 13, 6) for n in (24, 28)]
    assert found[first] == (deals[1] - deals[0], deals[1])
    assert amounts(check(bundled("ho-hpai")), check(bundled("ho-hpai+withdraw-single")), 4) == {}


def test_hands_with_another_total_are_counted_by_both_totals() -> None:
    found = amounts(check(bundled("ho-hpai")), check(bundled("ho-hpai+counts-add")), 3)
    assert [*found] == ["hands of 6 whose `count` is 1 in {a} and 2 in {b}"]


# ------------------------------------------------------------------ a small game, all of it by hand


def small() -> list[int]:
    return [1, 1, 2, 2, 3, 3, 4, 4, 4]


def test_pairs_of_tiles_in_order_are_counted(ruled: Ruled) -> None:
    found = amounts(ruled(STALLS, ""), ruled(STALLS, "+dear"), 2)
    lost = sum(x == y + 1 for x, y in permutations(small(), 2))
    assert found == {"ordered pairs of tiles for which `beats` holds only in {a}": (lost, 72)}


def test_tiles_with_another_number_are_counted(ruled: Ruled) -> None:
    found = amounts(ruled(STALLS, ""), ruled(STALLS, "+squared"), 2)
    assert found["tiles for which `price` has a different value in {b}"] == (7, 9)
    more = sum(x > y and not x * x > y * y for x, y in permutations(small(), 2))
    assert more == 0
    assert [*found] == ["tiles for which `price` has a different value in {b}"]


def test_a_definition_that_no_game_uses_is_not_counted(ruled: Ruled) -> None:
    assert amounts(ruled(STALLS, ""), ruled(STALLS, "+unused"), 2) == {}


def kinds_of(hands: Iterator[tuple[int, ...]] | Iterable[tuple[int, ...]]) -> set[tuple[int, ...]]:
    return {tuple(sorted(hand)) for hand in hands}


def is_odd(hand: tuple[int, ...], apart: int = 1) -> bool:
    return any(x == y and abs(z - 2) == apart for x, y, z in permutations(hand))


def is_full(hand: tuple[int, ...], runs: bool = True) -> bool:
    return any(
        a == b and (is_odd((c, d, e)) or (runs and c + 1 == d and d + 1 == e))
        for a, b, c, d, e in permutations(hand)
    )


def test_hands_with_a_total_of_nothing_are_hands_with_a_score(ruled: Ruled) -> None:
    hands = list(combinations(small(), 5))
    found = amounts(ruled(STALLS, ""), ruled(STALLS, "+no-runs"), 2)
    lost = [hand for hand in hands if is_full(hand) and not is_full(hand, runs=False)]
    assert lost
    assert found["hands of 5 with a `worth` only in {a}"] == (len(lost), len(hands))
    different = "distinct hands of 5 with a `worth` only in {a}, copies not distinguished"
    assert found[different] == (len(kinds_of(lost)), len(kinds_of(hands)))
    runs = [h for h in combinations(small(), 3) if sorted(h) in ([1, 2, 3], [2, 3, 4])]
    assert found["sets of 3 tiles that are `three` only in {a}"] == (len(runs), comb(9, 3))


def test_hands_with_another_total_of_a_small_game_agree_with_trying_all(ruled: Ruled) -> None:
    hands = list(combinations(small(), 5))
    runs = [
        h for h in hands if any(a == b and c + 1 == d and d + 1 == e for a, b, c, d, e in permutations(h))
    ]
    found = amounts(ruled(STALLS, ""), ruled(STALLS, "+paid"), 2)
    assert found == {"hands of 5 whose `worth` is 0 in {a} and 3 in {b}": (len(runs), len(hands))}


def test_shapes_that_are_conditions_agree_with_trying_all_tiles(ruled: Ruled) -> None:
    found = amounts(ruled(STALLS, ""), ruled(STALLS, "+wide"), 2)
    threes = list(combinations(small(), 3))
    for side, (one, other) in {"a": (1, 2), "b": (2, 1)}.items():
        expected = sum(is_odd(t, one) and not is_odd(t, other) for t in threes)
        what = f"sets of 3 tiles that are `odd` only in {{{side}}}"
        assert found.get(what, (0, len(threes))) == (expected, len(threes))


@pytest.mark.parametrize("switch", ["", "+fewer", "+larger"])
def test_first_deals_that_only_one_rule_set_has_are_counted(switch: str, ruled: Ruled) -> None:
    def deals(tiles: int, each: int) -> set[tuple[int, frozenset[int], frozenset[int]]]:
        return {
            (first, frozenset(one), frozenset(other))
            for first in range(2)
            for one in combinations(range(tiles), each)
            for other in combinations([i for i in range(tiles) if i not in one], each)
        }

    ours = deals(9, 2)
    theirs = deals(8 if switch == "+fewer" else 9, 3 if switch == "+larger" else 2)
    found = amounts(ruled(STALLS, ""), ruled(STALLS, switch), 2)
    told = {what: n for what, n in found.items() if what.startswith("first deals")}
    expected = {
        "first deals possible only in {a}": (len(ours - theirs), len(ours | theirs)),
        "first deals possible only in {b}": (len(theirs - ours), len(ours | theirs)),
    }
    assert told == {what: n for what, n in expected.items() if n[0]}


def test_copies_of_a_left_out_tile_make_different_hands(ruled: Ruled) -> None:
    """The three 4-4 are different tiles, and one of them is left out."""
    found = amounts(ruled(STALLS, ""), ruled(STALLS, "+fewer"), 2)
    tiles = small()
    hands = list(combinations(range(9), 5))
    lost = [h for h in hands if 8 in h and is_full(tuple(tiles[i] for i in h))]
    assert found["hands of 5 with a `worth` only in {a}"] == (len(lost), len(hands))


# ------------------------------------------------------------------ listing hands


def test_every_hand_that_can_be_laid_out_is_listed(ruled: Ruled) -> None:
    machine = Machine(instantiate(ruled(STALLS, ""), 2, {}))
    assert hand_sizes(machine, "full") == {5}
    for name, size in (("full", 5), ("mixed", 3)):
        listed = laid_out(machine, name, size)
        assert listed is not None
        copies = [2, 2, 2, 3]
        every = [
            hand
            for hand in combinations_with_replacement(range(4), size)
            if all(hand.count(k) <= copies[k] for k in range(4))
        ]
        assert {h for h in every if machine.shapes.holds(h, name)} <= listed <= {*every}
    assert laid_out(machine, "full", 4) == set()


def test_a_shape_of_no_fixed_layout_cannot_be_listed_but_is_counted(ruled: Ruled) -> None:
    text = STALLS.replace("shape odd of 3: it is mixed", "shape odd of 3: some t in it: price(t) = 1")
    machine = Machine(instantiate(ruled(text, ""), 2, {}))
    assert laid_out(machine, "full", 5) is None
    other = text.replace("price(t) = 1\n", "price(t) = 4\n")
    found = amounts(ruled(text, ""), ruled(other, ""), 2)
    hands = list(combinations(small(), 5))

    def counts(hand: tuple[int, ...], high: int) -> bool:
        return any(
            a == b and (high in (c, d, e) or (c + 1 == d and d + 1 == e))
            for a, b, c, d, e in permutations(hand)
        )

    lost = [h for h in hands if counts(h, 1) and not counts(h, 4)]
    assert found["hands of 5 with a `worth` only in {a}"] == (len(lost), len(hands))


@pytest.mark.slow
@pytest.mark.parametrize("players", [3, 4])
def test_listed_hands_count_as_all_hands_do(players: int) -> None:
    a, b = check(bundled("ho-hpai")), check(bundled("ho-hpai+no-sok+counts-add"))
    both = counted(a, b, players)

    def ask(machine: Machine) -> Callable[[tuple[int, ...]], int | None]:
        return lambda hand: total(machine.scorers["count"].best(None, hand))

    found = count_paired(both.copies, 6, ask(both.a), ask(both.b))
    told = amounts(a, b, players)
    for side, name in enumerate("ab"):
        what = f"hands of 6 with a `count` only in {{{name}}}"
        assert told.get(what, (0, found.of.ways)) == (found.only[side].ways, found.of.ways)
    for (one, other), count in found.otherwise.items():
        what = f"hands of 6 whose `count` is {one} in {{a}} and {other} in {{b}}"
        assert told[what] == (count.ways, found.of.ways)


def test_definitions_that_read_the_state_are_left_out(ruled: Ruled) -> None:
    found = amounts(ruled(GUILDS, ""), ruled(GUILDS, "+wild"), 2)
    assert found == {}


def test_the_steps_of_one_hand_are_not_charged_to_the_next(
    ruled: Ruled, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hand may take as many steps as a clause, and all together more than twice as many."""
    text = STALLS.replace(
        "three is run", "three is run and (every i in {1 to 500}: i + points-of-none > 0)"
    ).replace("define run-points: 0", "define run-points: 0\ndefine points-of-none: 0")
    a, b = ruled(text, ""), ruled(text, "+paid")
    expected = amounts(a, b, 2)
    assert expected
    monkeypatch.setattr(steps, "MOST_STEPS", 700)
    machines = [Machine(instantiate(rules, 2, {}), counting=True) for rules in (a, aligned(a, b))]
    found = list(ExactCounts(machines[0], machines[1], Rewritten(a, aligned(a, b))).amounts())
    assert {amount.what: (amount.count, amount.of) for amount in found} == expected
    assert machines[0].steps_taken > 2 * steps.MOST_STEPS
