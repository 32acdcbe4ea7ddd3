"""Parts that variants add: what a rule set has with and without them, and how games go by them."""

from __future__ import annotations

from pathlib import Path

import pytest

from golpae.diagnostics import SpecError
from golpae.elaborate.check import check, check_text
from golpae.elaborate.instance import instantiate
from golpae.elaborate.load import Loaded, load_text
from golpae.elaborate.resolve import resolve
from golpae.families.choices import choices
from golpae.families.family import Family
from golpae.ir.ruleset import RuleSet
from golpae.lint.text_notes import text_notes
from golpae.mutate.mutants import mutants
from golpae.mutate.places import places
from golpae.syntax.format import format_text
from golpae.syntax.parse import parse
from tests.families.loaded import load_from

TESTS = Path(__file__).parent.parent

GAME = (TESTS / "kernel/texts/stones.golpae").read_text(encoding="utf-8")


@pytest.fixture
def loaded() -> Loaded:
    return load_text(GAME)


def of(loaded: Loaded, switches: str = "") -> RuleSet:
    return check(resolve(f"stones{switches}", loaded))


def test_the_text_has_no_faults_and_no_notes(loaded: Loaded) -> None:
    assert not check_text(loaded)
    assert not [note.message for note in text_notes(loaded)]


def test_the_text_is_written_as_it_stands() -> None:
    from golpae.diagnostics import Text

    assert format_text(parse(Text.of("stones", GAME))) == GAME


def test_parts_are_there_while_the_variant_is_on(loaded: Loaded) -> None:
    plain, more = of(loaded), of(loaded, "+passing")
    assert [a.name for a in plain.actions] == ["deal", "put", "end", "finish"]
    assert [a.name for a in more.actions] == ["deal", "put", "end", "pass", "finish"]
    assert [v.name for v in more.vars] == ["mover", "passes"]
    assert [o.name for o in more.options] == ["most"]
    assert [g.name for g in of(loaded, "+lone").tiles.groups] == ["plain", "rare"]
    assert [p.name for p in of(loaded, "+twos").scores[0].patterns] == ["ones", "twos"]


def test_the_number_of_players_is_that_of_the_variant(loaded: Loaded) -> None:
    assert instantiate(of(loaded, "+lone"), 4, {}).players == 4
    with pytest.raises(Exception, match="is for 2 to 3 players, not for 4"):
        instantiate(of(loaded), 4, {})


def test_the_set_is_not_counted_if_two_variants_add_tiles(loaded: Loaded) -> None:
    assert [g.name for g in of(loaded, "+lone+loner").tiles.groups] == ["plain", "rare", "dark"]


def test_the_set_of_a_variant_is_counted() -> None:
    with pytest.raises(SpecError, match="12"):
        of(load_text(GAME.replace("tiles 12 of 3 kinds\n    rare", "tiles 13 of 3 kinds\n    rare")), "+lone")


def test_what_adds_states_and_actions_is_no_choice(tmp_path: Path) -> None:
    family = Family("stones", load_from(tmp_path, "stones", GAME))
    made = list(choices(family, [tmp_path]))
    assert {one.free for one in made} == {("strict",)}
    left = family.universe
    for one in made:
        left = left.difference(one.region)
    assert not left


def test_games_are_attributed_to_the_variants_that_add_parts(tmp_path: Path) -> None:
    load = load_from(tmp_path, "stones", GAME)
    family = Family("stones", load)
    footprint = family.footprint
    assert family.bits(["passing"]) & footprint.start  # a state more
    assert family.bits(["lone"]) & footprint.start  # tiles more
    assert family.bits(["passing"]) & footprint.actions["pass"].decoding


def test_mutants_of_parts_have_places(loaded: Loaded) -> None:
    where = places(loaded)
    found = [m.place for m in mutants(loaded) if m.switch == "passing"]
    assert "passing, pass.turn" in found
    assert set(found) <= set(where)
