"""W009: a condition asks for some, and an effect takes the one. `tests/elaborate/golden/W` has the notes themselves."""

from __future__ import annotations

from pathlib import Path

import pytest

from golpae.elaborate.load import load
from golpae.lint.text_notes import text_notes
from tests.lint.beads import BEADS

ACTION = """
define small(t: tile): t's size < 3
define each player's small: the b in its hand: small(b)
define small-of(q: seat, old: tile): the b in q's hand: small(b) and b /= old

action hand-back(bead: tile, other: seat) by p "give a small bead"
  turn: p = mover
  held: bead in p's hand
  asks: {asks}
  then move ({takes}) otherwise bead from p's hand to bowl
  then mover := other
"""
OWN = "the c in p's hand: small(c)"
OTHERS = "the c in other's hand: small(c)"


def noted(tmp_path: Path, asks: str, takes: str) -> list[str]:
    """Return the words that ask for some, for each note."""
    text = BEADS + ACTION.replace("{asks}", asks).replace("{takes}", takes)
    (tmp_path / "beads.golpae").write_text(text, encoding="utf-8")
    notes = [note for note in text_notes(load("beads", (tmp_path,))) if note.code == "W009"]
    return [label.span.words for note in notes for label in note.labels]


@pytest.mark.parametrize(
    "asks",
    [
        "some b in p's hand: small(b)",
        "not (no b in p's hand: small(b))",
        "not (every b in p's hand: not small(b))",
        "(number of b in p's hand: small(b)) >= 1",
        "(number of b in p's hand: small(b)) > 0",
        "(number of b in p's hand: small(b)) /= 0",
        "(number of b in p's hand: small(b)) = 2",
        "0 < (number of b in p's hand: small(b))",
        "not ((number of b in p's hand: small(b)) < 1)",
        "size of (those b in p's hand: small(b)) > 0",
        "(those b in p's hand: small(b)) is not empty",
        "{b for b in p's hand: small(b)} is not empty",
        "some b in p's hand: b's size < 3",
    ],
)
def test_each_way_to_ask_for_some_is_noted(tmp_path: Path, asks: str) -> None:
    assert noted(tmp_path, asks, OWN) != []
    assert noted(tmp_path, asks, OTHERS) == []


@pytest.mark.parametrize(
    "asks",
    [
        "some q in players: some b in q's hand: small(b)",
        "every q in players: some b in q's hand: small(b)",
        "some q in players: q /= p and (number of b in q's hand: small(b)) > 0",
        "not (no q in players: some b in q's hand: small(b))",
    ],
)
def test_a_question_about_some_player_is_one_about_each(tmp_path: Path, asks: str) -> None:
    assert noted(tmp_path, asks, OWN) != []
    assert noted(tmp_path, asks, OTHERS) != []


@pytest.mark.parametrize(
    "asks",
    [
        "(number of b in p's hand: small(b)) = 1",
        "(some b in p's hand: small(b)) and (number of b in p's hand: small(b)) < 2",
        "(some b in p's hand: small(b)) and not ((number of b in p's hand: small(b)) > 1)",
        "(some b in p's hand: small(b)) and (the q in p's hand: small(q)) is not none",
        "(some b in p's hand: small(b)) and p's small is not none",
        "every q in players: (some b in q's hand: small(b)) and (the b in q's hand: small(b)) is not none",
        "(number of b in p's hand: small(b)) < 1",
        "no b in p's hand: small(b)",
        "(number of b in p's hand: small(b)) >= 0",
    ],
)
def test_a_condition_that_one_fits_is_no_question_for_some(tmp_path: Path, asks: str) -> None:
    assert noted(tmp_path, asks, OWN) == []


def test_that_one_fits_of_some_player_says_nothing_of_another(tmp_path: Path) -> None:
    one = "some q in players: (number of b in q's hand: small(b)) = 1"
    assert noted(tmp_path, one, OWN) != []


def test_other_tests_may_leave_but_one(tmp_path: Path) -> None:
    assert noted(tmp_path, "some b in p's hand: small(b) and b = bead", OWN) == []
    assert noted(tmp_path, "some b in p's hand: b in bowl", OWN) == []


def test_what_a_definition_takes_is_noted(tmp_path: Path) -> None:
    asks = "some b in p's hand: small(b)"
    assert noted(tmp_path, asks, "p's small") == [asks]
    assert noted(tmp_path, asks, "other's small") == []


def test_a_value_keeps_its_meaning_within_a_definition(tmp_path: Path) -> None:
    # `b` is the key of the definition's `the`; a value of that name would be another one
    asks = "some c in p's hand: c's size < 3 and c /= bead"
    assert noted(tmp_path, asks, "small-of(p, bead)") == [asks]
    assert noted(tmp_path, "some b in p's hand: b's size < 3 and b /= b", "small-of(p, bead)") == []
