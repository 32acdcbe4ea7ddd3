"""What is decided of the ways to score for all rule sets at once is what each of them has alone."""

from __future__ import annotations

import random
from pathlib import Path
from unittest.mock import patch

import pytest

from golpae.elaborate.instance import instantiate
from golpae.families.choices import choices
from golpae.families.family import Family
from golpae.prove.answer import REFUTED
from golpae.verify.families import decide, ways
from golpae.verify.families.decide import FamilyVerifier
from golpae.verify.options import Settings
from golpae.verify.properties import properties_of
from golpae.verify.verifier import Verifier
from tests.families.loaded import load_from, members, said_of
from tests.families.tricks import TRICKS

pytestmark = pytest.mark.solver


def test_ways_are_decided_together_as_one_by_one(tmp_path: Path) -> None:
    load = load_from(tmp_path, "tricks", TRICKS)
    family = Family("tricks", load)
    [made] = choices(family, [tmp_path], of_table=True)
    verifier = FamilyVerifier(made, load, 2, {}, Settings())
    static = [p for p in verifier.properties if verifier.is_static(p, verifier.region_of(p))]
    with patch.object(FamilyVerifier, "_alone", autospec=True, side_effect=FamilyVerifier._alone) as alone:
        parts = {p.name: verifier.decide(p) for p in static}
    assert len(made.alternatives) == 64
    assert alone.call_count < 30  # what is found is decided by itself once
    conditions = {name: said_of(family, found, REFUTED) for name, found in parts.items()}
    assert conditions == {
        "at-most-ten": "without plainly and fussy, or open without fussy",
        "twelve": "plainly, or fussy",
        "no-four": "always",
        "own-is-drawn": "",
        "worthless": "",
        "worth-brings": "brought, or fussy without open",
    }
    for number in random.Random(2).sample(members(family), 6):
        rules = load(family.called(number))
        by_itself = Verifier(instantiate(rules, 2, {}), Settings())
        for prop in properties_of(rules):
            if prop.name in parts:
                [verdict] = [part.verdict for part in parts[prop.name] if number in part.region]
                assert verdict == by_itself.verify(prop).verdict, (family.called(number), prop.name)


def test_what_cannot_be_said_together_is_decided_one_by_one(tmp_path: Path) -> None:
    load = load_from(tmp_path, "tricks", TRICKS)
    family = Family("tricks", load)
    for name in ("dear", "open", "strict", "brought", "lazy"):
        family.leave_out((family.bits([name]), family.bits([name])))
    [made] = choices(family, [tmp_path], of_table=True)
    verifier = FamilyVerifier(made, load, 2, {}, Settings())
    [prop] = [p for p in verifier.properties if p.name == "at-most-ten"]
    with patch.object(ways, "MOST", 3), patch.object(decide, "FEW_CASES", 0):
        parts = verifier.decide(prop)
    assert [part.rules for part in parts] == [
        "tricks",
        "tricks+fussy",
        "tricks+plainly",
        "tricks+plainly+fussy",
    ]
    assert said_of(family, parts, REFUTED) == "without plainly and fussy"


def test_a_question_about_many_may_take_more_work_than_one_about_each(tmp_path: Path) -> None:
    load = load_from(tmp_path, "tricks", TRICKS)
    family = Family("tricks", load)
    [made] = choices(family, [tmp_path], of_table=True)
    verifier = FamilyVerifier(
        made, load, 2, {}, Settings(effort=0.00005)
    )  # 10,000 units for a question about one
    [prop] = [p for p in verifier.properties if p.name == "at-most-ten"]
    with patch.object(FamilyVerifier, "_alone", autospec=True, side_effect=FamilyVerifier._alone) as alone:
        parts = verifier.decide(prop)
    assert alone.call_count < 10
    assert said_of(family, parts, REFUTED) == "without plainly and fussy, or open without fussy"
