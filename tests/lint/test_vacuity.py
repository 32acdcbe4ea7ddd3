"""Notes on parts of a rule text that can never matter, and no notes on parts that can."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

from golpae.elaborate.load import load
from golpae.families.region import Region
from golpae.ir.limits import TooManySteps
from golpae.lint import vacuity
from golpae.lint.conditions import ConditionCheck
from golpae.lint.notes import Key
from golpae.lint.possible import VacuousRegions
from golpae.prove.solving.solver import UNKNOWN, Reply, Solver
from golpae.verify.analysis import Analysis
from tests.committed import TOP
from tests.lint.beads import BEADS, SETTINGS, notes_on, words

NEVER_REFUSES = "never refuses, because it holds whenever the conditions before it hold"


def test_a_text_whose_every_part_matters_gets_no_notes(tmp_path: Path) -> None:
    assert notes_on(tmp_path, BEADS) == []


def test_a_condition_that_can_never_refuse_is_noted(tmp_path: Path) -> None:
    text = BEADS.replace("  twins:", '  three: size of p\'s hand = 3 "no"\n  twins:')
    assert words(notes_on(tmp_path, text)) == [("three", NEVER_REFUSES)]


def test_a_condition_that_only_later_ones_make_idle_is_not_noted(tmp_path: Path) -> None:
    first = '  three: size of p\'s hand = 3 "no"\n'
    text = BEADS.replace("  turn: p = mover and stage = give", first + "  turn: p = mover and stage = give")
    assert not [n for n in notes_on(tmp_path, text) if n.path.endswith("three")]


def test_bounds_of_a_key_are_no_condition_of_the_text(tmp_path: Path) -> None:
    """They refuse numbers that no event of the search has."""
    keys = "discard(tile, n: number from 1 to 2, optional m: number from 0 to 1)"
    notes = notes_on(tmp_path, BEADS.replace("discard(tile)", keys))
    assert [n for n in notes if n.path in ("discard.n", "discard.m")] == []


def test_an_action_that_can_never_happen_is_noted(tmp_path: Path) -> None:
    text = BEADS.replace("  twins:", '  many: size of p\'s hand > 3 "no"\n  twins:')
    why = "never happens, because `many` never holds when the conditions before it hold"
    assert words(notes_on(tmp_path, text)) == [("keep", why)]


def test_an_action_whose_effects_are_impossible_is_noted(tmp_path: Path) -> None:
    text = BEADS.replace("move tile from p's hand to bowl", "move tile from p's kept to bowl")
    why = "never happens, because its effects are impossible when its conditions hold"
    assert words(notes_on(tmp_path, text)) == [("discard", why)]


def test_a_condition_that_is_idle_for_some_players_only_is_not_noted(tmp_path: Path) -> None:
    text = BEADS.replace("  twins:", '  few: size of players = 2 "no"\n  twins:')
    assert notes_on(tmp_path, text) == []
    assert words(notes_on(tmp_path, text.replace("2 to 3", "2 to 2"))) == [("few", NEVER_REFUSES)]


def test_a_condition_that_refuses_another_order_of_tiles_is_not_noted(tmp_path: Path) -> None:
    text = BEADS.replace("  twins: a = b", "  rising: a's size <= b's size")
    assert notes_on(tmp_path, text) == []


def test_a_condition_that_refuses_missing_tiles_is_not_noted(tmp_path: Path) -> None:
    single = (
        BEADS.replace("two of each", "one of each").replace("12 of 6", "6 of 6").replace("2 to 3", "2 to 2")
    )
    text = single.replace("  held: {a, b} in p's hand", "  other: a /= b").replace(
        "a = b", "{a, b} in p's hand"
    )
    assert notes_on(tmp_path, text) == []


def test_properties_whose_premise_is_never_true_are_noted(tmp_path: Path) -> None:
    stated = """
theorem large: every b in tiles: b's size > 6 implies b's size > 7
always crowd: size of bowl > 12 implies stage = give
always some: stage = give implies size of bowl < 12
"""
    found = {n.path for n in notes_on(tmp_path, BEADS + stated)}
    assert "crowd" in found
    assert "some" not in found


def test_a_note_names_the_switch_that_makes_a_condition_idle(tmp_path: Path) -> None:
    switch = '\nvariant idle "one more"\n  add keep.three: size of p\'s hand = 3 "no"\n'
    found = notes_on(tmp_path, BEADS + switch, "beads", "beads+idle")
    assert words(found) == [("three", f"{NEVER_REFUSES} (with `idle`)")]


def test_a_note_names_the_switch_that_puts_a_condition_to_use(tmp_path: Path) -> None:
    text = BEADS.replace("  twins:", '  three: size of p\'s hand = 3 "no"\n  twins:')
    switch = '\nvariant four "one more"\n  replace deal.hands: 3 for first, 2 for the others\n'
    found = notes_on(tmp_path, text + switch, "beads", "beads+four")
    assert words(found) == [("three", f"{NEVER_REFUSES} (but not with `four`)")]


def test_a_question_without_an_answer_is_noted_as_unknown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check = Solver.check

    def silent(self: Solver, about: str, *args: object) -> Reply:
        return Reply(UNKNOWN, None, "time") if about.endswith("refuses") else check(self, about, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(Solver, "check", silent)
    text = BEADS.replace("  twins:", '  three: size of p\'s hand = 3 "no"\n  twins:')
    found = notes_on(tmp_path, text)
    assert found
    assert all(n.unknown for n in found)


def test_two_processes_make_the_same_notes(tmp_path: Path) -> None:
    text = BEADS.replace("  twins:", '  three: size of p\'s hand = 3 "no"\n  twins:')
    (tmp_path / "beads.golpae").write_text(
        text + '\nvariant idle "i"\n  replace keep.twins: a = b\n', encoding="utf-8"
    )
    found = vacuity.notes(load("beads", [tmp_path]), ["beads", "beads+idle"], SETTINGS, jobs=2)
    assert words(found) == [("three", NEVER_REFUSES)]


# ------------------------------------------------------------------ the games that come with golpae


@cache
def listed(game: str) -> tuple[tuple[str, str], ...]:
    """Return the switches and conditions of `unbreakable.txt`."""
    lines = (TOP / "traces" / game / "unbreakable.txt").read_text(encoding="utf-8").splitlines()
    rules = [line.partition(": ")[0].partition(" ") for line in lines if line and not line.startswith("#")]
    return tuple((switch, path.partition(".")[2]) for switch, _, path in rules)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "switch"), [("jjak", "ten-rounds"), ("three-dozen", "may-draw")])
def test_conditions_that_no_trace_can_break_are_noted(game: str, switch: str) -> None:
    found = {n.path for n in vacuity.notes(load(game), [f"{game}+{switch}"], SETTINGS) if not n.unknown}
    assert {path for s, path in listed(game) if s == switch} <= found


def test_what_takes_too_many_steps_is_unknown_and_the_rest_is_noted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = ConditionCheck.run

    def limited(check: ConditionCheck, wanted: Mapping[Key, Region], found: VacuousRegions) -> None:
        if check.action.name == "draw":
            raise TooManySteps("draw.turn", 10)
        run(check, wanted, found)

    def never(analysis: Analysis) -> bool:
        raise TooManySteps("draw.turn", 10)

    monkeypatch.setattr(ConditionCheck, "run", limited)
    monkeypatch.setattr(Analysis, "strengthen", never)
    text = BEADS.replace(
        "  twins:", "  three: size of p's hand = 3 or p's hand is empty or 1 = 1 \"no\"\n  twins:"
    )
    found = notes_on(tmp_path, text)
    assert ("three", NEVER_REFUSES) in words(found)
    assert [n.path for n in found if n.unknown and "draw" in n.path]
    assert "evaluating `draw.turn` takes more than 10 steps" in {n.message.split(": ", 1)[1] for n in found}
