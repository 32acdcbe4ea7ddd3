"""Games that decide a property for many rule sets are the shortest, where that is said."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import patch

import pytest

from golpae.elaborate.instance import instantiate
from golpae.families.choices import choices
from golpae.families.family import Family
from golpae.prove.answer import PROVED, REFUTED
from golpae.verify.deciders.phrases import says_shortest
from golpae.verify.families import by_length
from golpae.verify.families.decide import FamilyVerifier
from golpae.verify.families.family_table import RegionVerdict
from golpae.verify.options import Settings
from golpae.verify.properties import properties_of
from golpae.verify.verifier import Verifier
from tests.families.loaded import Load, load_from, members
from tests.families.random_texts import no_small_families
from tests.families.shells import FAMILY

pytestmark = pytest.mark.solver


def verifier(folder: Path) -> tuple[FamilyVerifier, Load]:
    load = load_from(folder, "shells", FAMILY)
    [made] = choices(Family("shells", load), [folder])
    return FamilyVerifier(made, load, 2, {}, Settings()), load


def decided(one: FamilyVerifier, name: str) -> tuple[RegionVerdict, ...]:
    prop = next(p for p in one.properties if p.name == name)
    with no_small_families():
        return one.decide(prop)


def shown(parts: tuple[RegionVerdict, ...]) -> list[RegionVerdict]:
    return [part for part in parts if part.witness is not None and part.witness.events]


@pytest.mark.parametrize(
    "name", ["dark", "lit-late", *(pytest.param(n, marks=pytest.mark.slow) for n in ("few", "eight"))]
)
def test_the_games_are_as_short_as_those_of_each_rule_set(tmp_path: Path, name: str) -> None:
    family, load = verifier(tmp_path)
    parts = shown(decided(family, name))
    assert parts
    for number in members(family.family)[::7]:  # odd, so that every switch is on in some
        part = next((p for p in parts if number in p.region), None)
        rules = load(family.family.called(number))
        prop = next((p for p in properties_of(rules) if p.name == name), None)
        if prop is None:
            continue
        alone = Verifier(instantiate(rules, 2, {}), Settings()).verify(prop)
        wanted = PROVED if prop.kind == "reachable" else REFUTED
        assert (part is not None) == (alone.verdict == wanted)
        if part is None or part.witness is None or alone.witness is None:
            continue
        assert says_shortest(alone.story, alone.witness.events)
        assert part.is_shortest
        assert alone.story.startswith(part.story)


def test_a_search_that_ends_early_says_up_to_where_it_came(tmp_path: Path) -> None:
    with patch.object(by_length, "PATHS", 12):
        parts = shown(decided(verifier(tmp_path)[0], "eight"))
    assert parts
    for part in parts:
        assert "; none of up to " in part.story
        assert not part.is_shortest
