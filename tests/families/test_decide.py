"""What is decided for all rule sets of a family at once is what is decided for each of them."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

import pytest

from golpae.elaborate.cache import elaborate_cached
from golpae.elaborate.instance import instantiate
from golpae.families.choices import choices
from golpae.families.family import Family
from golpae.families.region import Space
from golpae.prove.answer import PROVED, REFUTED
from golpae.verify.families.conditions import shortest
from golpae.verify.families.decide import FamilyVerifier
from golpae.verify.options import Settings
from golpae.verify.properties import properties_of
from golpae.verify.verifier import Verifier
from tests.families.beads import BEADS
from tests.families.loaded import load_from, members, said_of
from tests.families.ones import ONES
from tests.families.shells import FAMILY

pytestmark = pytest.mark.solver


def test_shells_are_decided_as_one_by_one(tmp_path: Path) -> None:
    decided_as_one_by_one(tmp_path, 5)


@pytest.mark.slow
def test_all_shells_are_decided_as_one_by_one(tmp_path: Path) -> None:
    decided_as_one_by_one(tmp_path, 1_000)


def decided_as_one_by_one(folder: Path, most: int) -> None:
    load = load_from(folder, "shells", FAMILY)
    family = Family("shells", load)
    [made] = choices(family, [folder])
    verifier = FamilyVerifier(made, load, 2, {}, Settings())
    parts = {p.name: verifier.decide(p) for p in verifier.properties}
    assert not [p for found in parts.values() for p in found if p.verdict not in (PROVED, REFUTED)]
    conditions = {name: said_of(family, found, REFUTED) for name, found in parts.items()}
    assert conditions["few"] == "double"
    assert conditions["eight"] == "without double"
    assert conditions["two-of-each"] == "trio"
    assert conditions["plain"] == ""
    every = members(family)
    for number in random.Random(3).sample(every, min(most, len(every))):
        rules = load(family.called(number))
        alone = Verifier(instantiate(rules, 2, {}), Settings())
        for prop in properties_of(rules):
            [verdict] = [part.verdict for part in parts[prop.name] if number in part.region]
            assert verdict == alone.verify(prop).verdict, (family.called(number), prop.name)


def conditions_of(base: str, players: int, *names: str) -> dict[str, str]:
    """Return where each of these properties fails."""
    family = Family(base, elaborate_cached)
    out = {}
    for made in choices(family):
        verifier = FamilyVerifier(made, elaborate_cached, players, {}, Settings())
        for prop in verifier.properties:
            if prop.name in names:
                parts = verifier.decide(prop)
                assert {part.verdict for part in parts} <= {PROVED, REFUTED}
                out[prop.name] = said_of(family, parts, REFUTED)
    return out


REFUTED_WHERE = {  # for each of the beads' properties
    "held": "dearer without steps",
    "small": "",
    "counts-two": "richer, or steps",
    "counts-one": "dearer, or steps",
    "tiles-are-kept": "",
    "some-event-is-legal": "lazy",
}


@pytest.mark.parametrize(
    "where",
    [REFUTED_WHERE, pytest.param({"equal-ones": "steps"}, marks=pytest.mark.slow)],
    ids=["most", "equal-ones"],
)
def test_what_shapes_and_scores_decide_is_found_for_all_at_once(
    where: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("golpae.verify.families.decide.MOST_ALONE", 0)  # its games are few
    load = load_from(tmp_path, "beads", BEADS)
    family = Family("beads", load)
    [made] = choices(family, [tmp_path], of_table=True)
    verifier = FamilyVerifier(made, load, 2, {}, Settings())
    assert {p.name for p in verifier.properties} == {*REFUTED_WHERE, "equal-ones"}
    parts = {p.name: verifier.decide(p) for p in verifier.properties if p.name in where}
    assert not [p for found in parts.values() for p in found if p.verdict not in (PROVED, REFUTED)]
    assert {name: said_of(family, found, REFUTED) for name, found in parts.items()} == where


def test_a_shape_may_be_asked_of_tiles_that_the_set_does_not_have(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("golpae.verify.families.decide.MOST_ALONE", 0)  # its games are few
    load = load_from(tmp_path, "ones", ONES)
    [made] = choices(Family("ones", load), [tmp_path], of_table=True)
    assert made.of_table == ("low",)
    verifier = FamilyVerifier(made, load, 2, {}, Settings())
    [never] = [p for p in verifier.properties if p.name == "never-big"]
    assert {part.verdict for part in verifier.decide(never)} == {REFUTED}


def test_what_holds_for_all_is_proved_at_once() -> None:
    """No switch of three-dozen changes these, and some are proved by induction."""
    holds = ("payments-add-up", "whoever-discards-holds-no-mate")
    assert conditions_of("three-dozen", 2, *holds) == dict.fromkeys(holds, "")


@pytest.mark.slow
def test_what_holds_under_conditions_is_found() -> None:
    names = (
        "two-need-the-supreme-pair",
        "one-can-claim",
        "every-hand",
        "payments-add-up",
        "six-tiles-at-most",
        "six-six-is-not-last",
        "some-event-is-legal",
    )
    assert conditions_of("jjak", 2, *names) == {
        "two-need-the-supreme-pair": "culin",
        "one-can-claim": "",
        "every-hand": "ten-rounds without take-to-pair",
        "payments-add-up": "ten-rounds",
        "six-tiles-at-most": "",
        "six-six-is-not-last": "third-is-acquired, or ten-rounds without six-six-stays",  # by rare games
        "some-event-is-legal": "",
    }


@cache
def space() -> Space:
    return Space(4)


@pytest.mark.parametrize("seed", range(30))
def test_conditions_cover_what_they_say_and_nothing_else(seed: int) -> None:
    rng = random.Random(seed)
    inside, outside = space().nothing, space().nothing
    for number in range(16):
        where = rng.choice(("in", "in", "out", "neither"))
        alone = space().region(((15, number),))
        inside = inside.union(alone) if where == "in" else inside
        outside = outside.union(alone) if where == "out" else outside
    cubes = shortest(inside, outside, 15)
    for number in range(16):
        covered = any((number ^ on) & fixed == 0 for fixed, on in cubes)
        assert covered or number not in inside
        assert not (covered and number in outside)
    for cube in cubes:  # none can be left out
        assert not all(
            any((n ^ on) & fixed == 0 for fixed, on in cubes if (fixed, on) != cube)
            for n in range(16)
            if n in inside
        )


def test_a_condition_names_no_switch_that_is_the_same_in_all_rule_sets() -> None:
    four = space()
    inside = four.region(((0b1111, 0b1001), (0b1111, 0b1011)))
    outside = four.region(((0b1001, 0b1000),))
    assert shortest(inside, outside, 0b0111) == ((0b0001, 0b0001),)
