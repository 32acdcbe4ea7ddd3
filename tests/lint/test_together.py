"""Switches and ends of options in groups, and groups that are split where they have notes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from golpae.elaborate.check import check
from golpae.elaborate.load import load
from golpae.elaborate.resolve import resolve
from golpae.lint.tables.together import Item, Splitting, groups
from tests.lint.silent import SILENT

SWITCHES = """
variant one "one"
  replace spread.whole: big = 0

variant two "two"
  replace all: no

variant three "three"
  drop spread.whole
"""


def test_switches_that_change_one_clause_and_both_ends_of_an_option_are_apart(tmp_path: Path) -> None:
    text = SILENT.replace("big: 0 to 1, normally 0", "big: 0 to 100000, normally 5") + SWITCHES
    (tmp_path / "silent.golpae").write_text(
        text.replace("replace all", "replace worth.all"), encoding="utf-8"
    )
    loaded = load("silent", (tmp_path,))
    found = groups(loaded, check(resolve("silent", loaded)))
    assert found == [["one", "two", ("big", 0)], ["three", ("big", 100000)]]


def test_a_group_with_a_note_is_split_until_it_is_known_what_the_note_is_about() -> None:
    looked: list[Sequence[Item]] = []

    def look(items: Sequence[Item]) -> list[str] | None:
        looked.append(items)
        notes = ["base"] + ["only c"] * ("c" in items) + ["b with d"] * ({"b", "d"} <= {*items})
        return None if {"a", "d"} <= {*items} else notes

    splitting = Splitting(look, ["base"])
    assert splitting.notes(["e", "f", "g"]) == []
    assert looked == [["e", "f", "g"]]
    assert splitting.notes(["a", "b", "c", "d"]) == ["only c"]  # there is no table with a and d
    assert looked[1:] == [["a", "b", "c", "d"], ["a", "b"], ["c", "d"], ["c"], ["d"]]
    assert splitting.notes(["b", "c", "d"]) == ["only c", "b with d"]
