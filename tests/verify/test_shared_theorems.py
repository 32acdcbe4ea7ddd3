"""A theorem is proved once for all rule sets and tables that agree on everything it reads."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from golpae.elaborate.cache import elaborate_cached
from golpae.elaborate.instance import instantiate
from golpae.verify.options import Settings
from golpae.verify.sharing import theorems
from golpae.verify.verifier import verify
from tests.verify.shared import questions

SETTINGS = Settings(cached=True)


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOLPAE_CACHE", str(tmp_path / "cache"))


def asked(rules: str, players: int, name: str, settings: Settings = SETTINGS) -> bool:
    """Return whether the solver is asked about a property. Either way the result says how many questions it takes."""
    with questions() as put:
        (found,) = verify(elaborate_cached(rules), players, {}, settings, name)
    assert (found.verdict, found.queries > 0) == ("proved", True)
    assert found.fullest[1] == name
    return bool(put)


def test_a_theorem_is_proved_once_for_all_rule_sets_that_do_not_change_it() -> None:
    assert asked("jjak", 2, "every-tile-has-one-mate")
    assert not asked("jjak", 3, "every-tile-has-one-mate")
    assert not asked("jjak+row", 4, "every-tile-has-one-mate")


def test_a_switch_that_changes_a_theorem_has_it_proved_again() -> None:
    assert asked("jjak", 2, "every-tile-has-one-mate")
    assert asked("jjak+culin", 2, "every-tile-has-one-mate")


def test_without_the_cache_a_theorem_is_proved_again() -> None:
    alone = Settings()
    assert asked("jjak", 2, "every-tile-has-one-mate", alone)
    assert asked("jjak", 2, "every-tile-has-one-mate", alone)


def name_of(rules: str, players: int, prop: str, score: str | None = None, **options: int) -> str:
    rule_set = elaborate_cached(rules)
    decl = next(p for p in rule_set.properties if p.name == prop)
    return theorems.name_of(decl, score, instantiate(rule_set, players, options), SETTINGS)


def test_the_entry_depends_on_players_only_if_the_theorem_does() -> None:
    assert name_of("ho-hpai", 3, "once") != name_of("ho-hpai", 4, "once")  # other tiles are withdrawn
    assert name_of("jjak", 2, "two-need-the-supreme-pair") == name_of("jjak", 3, "two-need-the-supreme-pair")
    assert name_of("ho-hpai", 4, "a-ki-with-itself") != name_of(
        "ho-hpai+a-ki-as-printed", 4, "a-ki-with-itself"
    )


def test_the_entry_depends_on_the_set_and_its_options() -> None:
    names = {name_of("three-dozen", 2, "thirty-four-dozens", double=n) for n in (6, 7, 9)}
    assert len(names) == 3
    others = name_of("three-dozen", 3, "thirty-four-dozens", double=6)
    assert others in names


def test_the_entry_depends_on_every_shape_of_a_score() -> None:
    base = name_of("korean-mahjong", 4, "seventy", "worth")
    assert base == name_of("korean-mahjong+dealer-keeps", 4, "seventy", "worth")
    assert base != name_of("korean-mahjong+four-as-two-pairs", 4, "seventy", "worth")
    assert base != name_of("korean-mahjong+no-implied", 4, "seventy", "worth")


def test_the_entry_depends_on_the_labels_that_effects_give() -> None:
    rule_set = elaborate_cached("korean-mahjong")
    decl = next(p for p in rule_set.properties if p.name == "seventy")
    names = {
        theorems.name_of(decl, "worth", instantiate(rules, 4, {}), SETTINGS)
        for rules in (rule_set, replace(rule_set, actions=()))
    }
    assert len(names) == 2


# A pair is laid if both beads are fine; the score itself does not ask what is fine.
GIVEN = """
game pairs "Pairs"

players 2 to 2

tiles 12 of 6 kinds
  beads: two of each "{n}b" for n in 1 to 6

zones
  heap: tiles seen by nobody, holds the set
  each player's hand: tiles seen by its owner

shape twins(a, b): a's n = b's n
arrangement couple: 1 twins

define fine(t: tile): t's n > 3

score worth
  given
    pair: tiles
  provided
    right: every t in pair: fine(t) "no"
  hand: pair
  as: couple
  total: sum
  pattern lofty 1: every t in pair: t's n > 3

deal from heap
  hands: 2 for everyone

action rest "rest"
  then nobody wins

end
  due: over "no"

payout
  none: for each q in players: q scores 0

finish

claim all-are-lofty: every way of worth: lofty

variant any "any pair can be given"
  replace fine: yes
"""


def test_what_can_be_given_together_is_part_of_a_theorem_about_the_ways_of_a_score(tmp_path: Path) -> None:
    (tmp_path / "pairs.golpae").write_text(GIVEN, encoding="utf-8")
    verdicts = [
        verify(elaborate_cached(rules, [tmp_path]), 2, {}, SETTINGS, "all-are-lofty")[0].verdict
        for rules in ("pairs", "pairs+any", "pairs")
    ]
    assert verdicts == ["proved", "refuted", "proved"]
