"""Where a game shows that a switch changes something is where the two rule sets themselves part in it."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from golpae.elaborate.instance import instantiate
from golpae.families.choices import Choices
from golpae.replay.decode import Bad
from golpae.replay.machine import Machine
from golpae.replay.simulate import DeadEnd, play
from golpae.replay.state_layout import same_state
from golpae.verify.families.scheduler import FamilyName, groups
from golpae.verify.switches.of_switch import having_both
from golpae.verify.switches.pairs import Pairs
from golpae.verify.switches.refusals import ALIKE, TOO_LONG, UNPLAYED
from tests.families.beads import BEADS
from tests.families.takes import TAKES

Line = Mapping[str, Any]


def machines(name: FamilyName) -> Callable[[str], Machine]:
    return cache(lambda rules: Machine(instantiate(name.load(rules), 2, {})))


def part(one: Machine, other: Machine, lines: tuple[Line, ...]) -> bool:
    """Return whether two rule sets part in a game, as far as either allows it."""
    mine, theirs = one.new_state(), other.new_state()
    if not same_state(mine, theirs):
        return True
    for line in lines:
        allowed = []
        for machine, state in ((one, mine), (other, theirs)):
            args = machine.read(line["do"], line)
            assert not isinstance(args, Bad)
            failed, ordered = machine.first(line["do"], state, args)
            allowed.append(failed < 0)
            if failed < 0:
                machine.apply(line["do"], state, ordered)
        if allowed != [True, True]:
            return allowed[0] != allowed[1]
        if not same_state(mine, theirs):
            return True
    return False


def games(machine: Machine, number: int) -> Iterator[tuple[Line, ...]]:
    rng = random.Random(number)
    for _ in range(3):
        lines = []
        with suppress(DeadEnd):
            for line in play(machine, machine.new_state(), rng, 2):
                lines.append(line)  # noqa: PERF402  # a dead end leaves what was played before it
        yield tuple(lines)


def pairs_of(made: Choices, bit: int, alone: Callable[[str], Machine]) -> Pairs:
    return Pairs(made, made.instance(2, {}), bit, 1, alone)


@pytest.mark.parametrize("switch", ["small", "strict", "dear", "high", "quick", "slow"])
def test_a_game_is_replayed_under_all_settings_of_the_other_switches(switch: str, tmp_path: Path) -> None:
    (tmp_path / "takes.golpae").write_text(TAKES, encoding="utf-8")
    name = FamilyName("takes", (), (), (tmp_path,))
    family, [made] = groups(name)
    bit, both, alone = family.bits([switch]), having_both(family, switch), machines(name)
    pairs, every = pairs_of(made, bit, alone), sorted(both.members())
    sizes = set()
    for number in random.Random(switch).sample(every, 6):
        for side in (0, bit):
            for lines in games(alone(family.called(number | side)), number):
                found = pairs.shown_by(both, number | side, lines)
                expected = {
                    n
                    for n in every
                    if part(alone(family.called(n | side)), alone(family.called(n | bit ^ side)), lines)
                }
                if isinstance(found, str):
                    assert (found, number in expected) == (ALIKE, False)
                else:
                    assert set(found.members()) == expected
                    assert number in expected
                sizes.add(len(expected))
    assert sizes == {0} if switch == "slow" else len(sizes) > 1


def test_a_game_that_single_rule_sets_do_not_play_shows_nothing(tmp_path: Path) -> None:
    (tmp_path / "takes.golpae").write_text(TAKES, encoding="utf-8")
    name = FamilyName("takes", (), (), (tmp_path,))
    family, [made] = groups(name)
    pairs = pairs_of(made, family.bits(["dear"]), machines(name))
    both = having_both(family, "dear")
    for hand in ("2c", "3c"):  # which is not played, and which there is none of
        lines = [{"do": "deal", "first": 0, "hands": [["1c"], ["1c"]]}, {"do": "put", "by": 0, "tile": hand}]
        assert pairs.shown_by(both, 0, tuple(lines)) == UNPLAYED


@pytest.mark.parametrize(
    ("switch", "old", "new", "change"),
    [
        (
            "huge",
            "state of the hand\n",
            "state of the match\n  games: number = most\n\nstate of the hand\n",
            "most: 9 ^ (9 ^ (9 * size of players))",
        ),
        ("long", "define", "define", "late: every x in {1 to 90000}: every y in {1 to 1000}: x + y > 0"),
    ],
)
def test_a_game_that_passes_a_limit_shows_nothing(
    switch: str, old: str, new: str, change: str, tmp_path: Path
) -> None:
    text = TAKES.partition("\nvariant")[0].replace(old, new, 1)
    text += f'\nvariant {switch} "more than golpae evaluates"\n  replace {change}\n'
    (tmp_path / "takes.golpae").write_text(text, encoding="utf-8")
    name = FamilyName("takes", (), (), (tmp_path,))
    family, [made] = groups(name)
    pairs = pairs_of(made, family.bits([switch]), machines(name))
    lines = ({"do": "deal", "first": 0, "hands": [["1c"], ["1c"]]}, {"do": "put", "by": 0, "tile": "1c"})
    assert pairs.shown_by(having_both(family, switch), 0, lines) == TOO_LONG


@pytest.mark.solver
def test_games_tell_apart_what_a_switch_changes_of_shapes_and_scores(tmp_path: Path) -> None:
    (tmp_path / "beads.golpae").write_text(BEADS, encoding="utf-8")
    name = FamilyName("beads", (), (), (tmp_path,))
    family, [made] = groups(name)
    alone = machines(name)
    for switch in made.of_table:
        bit, both = family.bits([switch]), having_both(family, switch)
        shown = both.difference(pairs_of(made, bit, alone).left(both))
        assert shown, switch
