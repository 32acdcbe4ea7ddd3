"""A slice of a rule set has what some actions need, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from golpae.elaborate.check import elaborate
from golpae.verify.sharing.slices import Slices, without_scores
from tests.verify.test_shared_games import TEXT


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("heap")
    (folder / "heap.golpae").write_text(TEXT, encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("switch", "differ"),
    [
        ("richer", set()),  # the patterns of a score are not in a slice
        ("higher", set()),
        ("dearer", set()),
        ("scarcer", set()),
        ("quicker", {"take"}),
    ],
)
def test_a_clause_is_in_the_slices_of_the_actions_that_it_changes(
    place: Path, switch: str, differ: set[str]
) -> None:
    base, other = elaborate("heap", [place]), elaborate(f"heap+{switch}", [place])
    names = [action.name for action in base.actions]
    assert {n for n in names if Slices(base).of([n], ["held"]) != Slices(other).of([n], ["held"])} == differ


def test_what_is_needed_through_other_parts_is_there(place: Path) -> None:
    rules = elaborate("heap", [place])
    made = Slices(rules).of(["take"], ["held"])
    assert [a.name for a in made.actions] == ["take"]
    assert [p.name for p in made.properties] == ["held"]
    assert [s.name for s in made.scores] == ["worth"]
    assert [a.name for a in made.arrangements] == ["pair-of-beads"]
    assert [s.name for s in made.shapes] == ["twins"]
    assert (made.definitions, made.payout) == ((), ())
    assert (made.zones, made.vars, made.tiles) == (rules.zones, rules.vars, rules.tiles)


def test_without_scores_no_condition_needs_one(place: Path) -> None:
    made = without_scores(Slices(elaborate("heap", [place])).of(["take"], []))
    assert "room" not in {c.name for c in made.actions[0].conditions}
    assert {"turn", "there"} <= {c.name for c in made.actions[0].conditions}
    assert (made.scores, made.arrangements, made.shapes) == ((), (), ())
