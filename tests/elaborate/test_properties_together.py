"""Of a property that two switches change differently nothing is stated of both together; their rules still combine."""

from __future__ import annotations

from pathlib import Path

from golpae.elaborate.check import elaborate
from tests.odds import ODDS

TEXT = (
    ODDS
    + """
theorem four: size of tiles = 4
theorem two: size of kinds = 2

variant big "only big stones are taken"
  add take.big: tile = 2s "{tile} is too small"
  replace four: size of tiles > 3
  expect two refuted

variant kinds "expects what the text does"
  expect two proved

variant left "the turn passes to the left"
  replace take.turn: p = mover "it is not the turn of {p}"
  replace four: size of tiles < 5
"""
)


def stated(rules: str, folder: Path) -> dict[str, str | None]:
    (folder / "odds.golpae").write_text(TEXT, encoding="utf-8")
    return {p.name: p.expected for p in elaborate(rules, [folder]).properties}


def test_a_single_switch_states_its_own_version_of_a_property(tmp_path: Path) -> None:
    assert stated("odds+big", tmp_path) == {"four": None, "two": "refuted"}
    assert stated("odds+left", tmp_path) == {"four": None, "two": None}


def test_switches_that_replace_one_property_leave_it_out_together(tmp_path: Path) -> None:
    assert stated("odds+big+left", tmp_path) == {"two": "refuted"}
    assert stated("odds+big+kinds", tmp_path) == {"four": None}


def test_all_switches_of_bundled_games_that_change_no_clause_twice_combine() -> None:
    together = elaborate("ho-hpai+withdraw-single+may-pass+a-ki-as-printed+counts-add+no-sok")
    assert "winning-hands" not in {p.name for p in together.properties}
