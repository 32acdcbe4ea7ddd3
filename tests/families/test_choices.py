"""A rule set with choices judges as each rule set for which it stands."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from golpae.elaborate.cache import elaborate_cached
from golpae.elaborate.instance import bounds, instantiate, options_of
from golpae.families.alternatives import Outside
from golpae.families.choices import Choices, choices
from golpae.families.family import Family
from golpae.ir.distinct_names import MARK
from golpae.replay.machine import Machine
from golpae.replay.simulate import DeadEnd, play
from golpae.verify.families.machine import FamilyMachine
from tests.attribute.guilds import GUILDS
from tests.families.beads import BEADS
from tests.families.loaded import Load, load_from, members
from tests.families.shells import FAMILY
from tests.lint.piles import GAME as PILES
from tests.lint.piles import LONG, NEVER, OTHERS


def assert_judges_as_rule_sets(made: list[Choices], load: Load, rng: random.Random, samples: int) -> int:
    """Play games under a rule set, some of them spoilt, and judge them under others: by both means."""
    family = made[0].family
    judged = 0

    @cache
    def machine_of(switches_on: int, players: int) -> Machine:
        return Machine(instantiate(load(family.called(switches_on)), players, {}))

    @cache
    def family_machine(number: int, players: int) -> FamilyMachine:
        return FamilyMachine(made[number].instance(players, {}))

    some = rng.sample(members(family), min(6, len(members(family)))) if samples < 100 else members(family)
    for _ in range(samples):
        of, under = rng.choice(some), rng.choice(some)
        rules = load(family.called(of))
        low, high = bounds(rules, options_of(rules, {}))
        players = rng.randint(low, high)
        machine = machine_of(of, players)
        try:
            events = list(play(machine, machine.new_state(1), rng, hands=2, longest=60))
        except DeadEnd:
            continue
        if rng.random() < 0.5 and len(events) > 2:
            events.pop(rng.randrange(len(events)))
        for other in (of, under):
            one = machine_of(other, players)
            number = next(n for n, c in enumerate(made) if other in c.region)
            many = family_machine(number, players)
            with many.at(made[number].values(other)):
                first, second = one.new_state(1), many.new_state(1)
            for event in events:
                verdicts = [m.steps[event["do"]](s, event) for m, s in ((one, first), (many, second))]
                judged += 1
                assert (verdicts[0] is None) == (verdicts[1] is None), (family.called(other), event)
                if verdicts[0] is not None:
                    break
            assert [first.at, first.winner, first.total] == [second.at, second.winner, second.total]
    return judged


@pytest.mark.parametrize("base", ["jjak", "three-dozen", "ho-hpai"])
def test_bundled_games_are_judged_as_under_each_rule_set(base: str) -> None:
    family = Family(base, elaborate_cached)
    made = list(choices(family, of_table=True))
    assert sum(len([n for n in members(family) if n in c.region]) for c in made) == len(members(family))
    assert assert_judges_as_rule_sets(made, elaborate_cached, random.Random(base), 12) > 50


@pytest.mark.parametrize(("name", "text"), [("guilds", GUILDS), ("shells", FAMILY), ("beads", BEADS)])
def test_made_up_games_are_judged_as_under_each_rule_set(tmp_path: Path, name: str, text: str) -> None:
    load = load_from(tmp_path, name, text)
    family = Family(name, load)
    made = list(choices(family, [tmp_path], of_table=True))
    assert set(members(family)) == {n for c in made for n in members(family) if n in c.region}
    assert assert_judges_as_rule_sets(made, load, random.Random(name), 40) > 50


@pytest.mark.slow
@pytest.mark.parametrize("base", ["jjak", "three-dozen", "ho-hpai", "korean-mahjong"])
def test_many_games_are_judged_as_under_each_rule_set(base: str) -> None:
    made = list(choices(Family(base, elaborate_cached), of_table=True))
    assert_judges_as_rule_sets(made, elaborate_cached, random.Random(f"many {base}"), 2_000)


def test_what_belongs_to_the_set_is_no_choice() -> None:
    for of_table in (False, True):
        made = list(choices(Family("ho-hpai", elaborate_cached), of_table=of_table))
        assert all("withdraw-single" not in c.free and "may-pass" in c.free for c in made)


def test_switches_that_change_shapes_and_scores_alone_are_choices_of_the_table(tmp_path: Path) -> None:
    load = load_from(tmp_path, "beads", BEADS)
    family = Family("beads", load)
    assert [(c.free, c.region.size) for c in choices(family, [tmp_path])] == [(("lazy",), 2)] * 8
    [made] = choices(family, [tmp_path], of_table=True)
    assert made.of_table == ("dearer", "richer", "steps")
    assert set(made.free) == {"dearer", "richer", "steps", "lazy"}
    for number in members(family):
        own, alone = made.rule_set_at(number), load(family.called(number))
        assert (own.scores, own.shapes) == (alone.scores, alone.shapes)


def test_rule_sets_that_differ_in_more_are_told_apart(tmp_path: Path) -> None:
    family = Family("beads", load_from(tmp_path, "beads", BEADS))
    [made] = choices(family, [tmp_path], of_table=True)
    outside = Outside(made.rule_set)
    for one in made.alternatives:
        on, off = one.setting
        values = {**dict.fromkeys(on, True), **dict.fromkeys(off, False)}
        own = one.rule_set
        assert outside.is_of(own, values)
        [score] = own.scores
        [first, *others] = own.actions
        assert not outside.is_of(replace(own, scores=(replace(score, fixed=score.hand),)), values)
        assert not outside.is_of(replace(own, actions=(replace(first, conditions=()), *others)), values)
        assert not outside.is_of(replace(own, actions=tuple(others)), values)
        assert not outside.is_of(replace(own, payout=()), values)
        assert not outside.is_of(replace(own, zones=own.zones[1:]), values)


def test_a_share_of_hands_takes_no_choice_away() -> None:
    for base in ("jjak", "ho-hpai"):
        [first, *_] = choices(Family(base, elaborate_cached))
        rules = elaborate_cached(base)
        assert rules.shares
        assert not {s.name for s in rules.shares} & set(first.stated)
    [made] = choices(Family("jjak", elaborate_cached))
    assert set(made.free) == {s.name for s in made.rule_set.switches}


def test_where_a_property_is_stated_follows_the_switches(tmp_path: Path) -> None:
    load = load_from(tmp_path, "shells", FAMILY)
    family = Family("shells", load)
    [made] = choices(family, [tmp_path])
    for name, stated in made.stated.items():
        for number in members(family):
            own = {p.name: p.expected or "proved" for p in load(family.called(number)).properties}
            assert (number in stated.region) == (name in own), (name, family.called(number))
            if name in own:
                assert (number in stated.fails(stated.region)) == (own[name] == "refuted")


def test_a_property_that_a_switch_drops_is_stated_for_the_others_and_may_be_an_invariant_for_all(
    tmp_path: Path,
) -> None:
    [made] = choices(Family("shells", load_from(tmp_path, "shells", FAMILY)), [tmp_path])
    stated = {p.name for p in made.rule_set.properties}
    assert {"plain", f"plain{MARK}", "few"} <= stated
    assert f"few{MARK}" not in stated


def test_a_switch_that_drops_a_property_is_a_choice_beside_two_that_exclude_each_other(
    tmp_path: Path,
) -> None:
    family = Family("piles", load_from(tmp_path, "piles", PILES + NEVER + LONG + OTHERS))
    (made,) = choices(family, [tmp_path])
    assert made.free == ("never", "long", "plain", "clash")
    assert made.region.size == 12


STALLS = """
game stalls "Tiles dealt to stalls"
players 2 to 2

tiles
  coins: four of each 1c 2c 3c

zones
  purse: tiles seen by nobody, holds the set
  stall: tiles seen by everyone
  crate: tiles seen by nobody
  each player's hand: tiles seen by its owner

state of the hand
  mover: seat

deal from purse
  hands: 1 for everyone
  stall: 2
  crate: 1
  then mover := first

action buy(tile) by p
  turn: p = mover
  there: tile in stall
  then move tile from stall to p's hand
  then next: mover := (the next q after p: size of q's hand < 4) otherwise p

end
  due: size of stall < 2 or size of mover's hand > 2

variant small "one tile on the stall"
  replace deal.stall: 1

variant bare "no crate"
  drop deal.crate

variant stay "nobody waits"
  add buy.again: repeat 2 times: mover := mover's right
"""


def test_a_zone_that_some_deal_nothing_to_is_no_choice(tmp_path: Path) -> None:
    """Their deals have other keys. How many tiles a zone gets is a choice."""
    load = load_from(tmp_path, "stalls", STALLS)
    made = list(choices(Family("stalls", load), [tmp_path], of_table=True))
    assert all("bare" not in one.free for one in made)
    assert {"small", "stay"} <= set(made[0].free)
    assert assert_judges_as_rule_sets(made, load, random.Random("stalls"), 40) > 20
