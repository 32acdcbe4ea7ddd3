"""Values that were compared with none: random effects that rely on it never meet none, and advice is never in vain."""

from __future__ import annotations

import random

import pytest

from tests.differential.checks import Limits, check_text
from tests.differential.texts import RuleText

PARTS = """\
game facts "Values that may be none"

players 2 to 2

tiles
  coins: two of each "c{size}" for size in 1 to 2
  jokers: one of each joker

zones
  pool: tiles seen by nobody, holds the set
  line: row seen by everyone
  each player's hand: tiles seen by its owner

state of the match
  last: tile or none = c1

state of the hand
  mover: seat
  count: number = 0
  chief: seat or none = none
  each player's best: tile or none = none

define weight(t: tile): t's size + 1
define held(q: seat): size of q's hand
define rare-of(q: seat): the t in q's hand: t in jokers
define each player's rare: rare-of(it)
define lone: the t in line: t in coins
define lucky: the q in players: q's rare is not none and not over
define leader: if count < 3 then lucky else chief
"""
TILES = (
    "last", "p's best", "top of line", "line at 1", "line at (count + 1)", "rare-of(p)", "rare-of(p's left)",
    "p's rare", "lone", "(the t in p's hand: t in jokers)", "(the u in p's right's hand: weight(u) = 1)",
)  # fmt: skip
SEATS = ("chief", "lucky", "leader", "winner", "(the q in players: joker in q's hand)")
CHANGES = (
    "last := none", "last := c1", "p's best := none", "p's right's best := c2", "chief := none", "chief := p",
    "count := count + 1", "p wins", "nobody wins", "shuffle line", "pass each player's hand to the right",
    "move all from p's hand to pool", "move all from line to pool", "move all from pool to line",
    "when joker in pool: move joker from pool to p's hand", "when c1 in p's hand: move c1 from p's hand to line",
    "for each q in players: q's best := last", "for each q in players: move all from q's hand to pool",
)  # fmt: skip


def use(fact: str) -> str:
    """Return an effect that needs a value which is not none."""
    return f"count := count + {'weight' if fact in TILES else 'held'}({fact})"


def text(conditions: list[str], effects: list[str], seed: int = 0) -> RuleText:
    """Return a text whose one action has these conditions and effects."""
    asked = [f"  fact-{number}: {fact} is not none" for number, fact in enumerate(conditions)]
    lines = [
        *("deal from pool", "  hands: 2 for everyone", "  then mover := first"),
        *("", "action act by p", "  turn: p = mover or p = mover's right", *asked),
        *(f"  then {effect}" for effect in effects),
        *("  then count := count + 1", "  then mover := p's right", "  then when count > 4: nobody wins"),
        *("", "end", "  due: over"),
    ]
    return RuleText("facts", PARTS + "\n" + "\n".join(lines) + "\n", seed)


@pytest.mark.parametrize("fact", [*TILES, *SEATS])
def test_a_test_just_before_settles_the_question(fact: str) -> None:
    made = text([fact], [use(fact), f"when {fact} is not none: {use(fact)}"])
    assert made.faults() == []
    again = text([], [f"when {fact} is none or {use(fact).split(' + ', 1)[1]} > 1: p wins"])
    assert again.faults() == []


@pytest.mark.parametrize("first", [0, 100])
def test_random_effects_that_are_accepted_never_meet_none(first: int) -> None:
    accepted = 0
    for seed in range(first, first + 30):
        rng = random.Random(seed)
        facts = rng.sample((*TILES, *SEATS), 3)
        effects = [
            rng.choice((use(fact), f"when {fact} is not none: {use(fact)}", rng.choice(CHANGES)))
            for fact in rng.choices(facts, k=rng.randint(2, 5))
        ]
        made = text(facts[: rng.randint(1, 3)], effects, seed)
        faults = made.faults()
        assert {fault.code for fault in faults} <= {"T002"}, made.source
        if not faults:
            accepted += 1
            assert check_text(made, Limits(positions=60)).findings == [], made.source
    assert accepted > 5
