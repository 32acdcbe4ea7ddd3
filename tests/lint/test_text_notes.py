"""Notes on what a text may not mean: no false alarms. `tests/elaborate/golden/W` has the notes themselves."""

from __future__ import annotations

from pathlib import Path

import pytest

from golpae.elaborate.load import load
from golpae.lint.text_notes import text_notes
from tests.committed import TOP
from tests.lint.beads import BEADS

GAMES = [
    path
    for folder in ("spec", "docs/examples", "tests/games")
    for path in sorted((TOP / folder).glob("*.golpae"))
    if path.read_text("utf-8").count("\ngame ") or path.read_text("utf-8").startswith("game ")
]


def notes(tmp_path: Path, text: str) -> list[tuple[str, str]]:
    """Return the code and the words of each note."""
    (tmp_path / "beads.golpae").write_text(text, encoding="utf-8")
    found = text_notes(load("beads", (tmp_path,)))
    return [(note.code, note.span.words) for note in found if note.span is not None]


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_our_own_texts_have_no_notes(path: Path) -> None:
    assert text_notes(load(path.stem, (path.parent,))) == []


def test_a_definition_is_used_by_a_variant(tmp_path: Path) -> None:
    text = BEADS + "\ndefine twin(a, b: tile): a = b\ndefine small(b: tile): b's size < 3\n"
    assert notes(tmp_path, text) == [("W001", "twin"), ("W001", "small")]
    used = text.replace("twins: a = b", "twins: twin(a, b)")
    switched = '\nvariant little "only small beads"\n  add keep.little: small(a) "no"\n'
    assert notes(tmp_path, used + switched) == []


def test_a_shape_is_used_by_its_plural(tmp_path: Path) -> None:
    text = BEADS.replace(
        "  twins: a = b", "  twins: {a, b} is one-pair or size of p's hand = 4 and p's hand is two"
    )
    shapes = "shape duo(a, b): a = b\narrangement two: 2 duos\narrangement one-pair: 1 duo\nshape idle(a, b): a = b\n"
    assert notes(tmp_path, text + shapes) == [("W001", "idle")]


@pytest.mark.parametrize(
    "use",
    [
        "always few: count < 3",
        'variant more "more"\n  add keep.few: count < 3 "no"',
        'action look by p "look"\n  turn: p = mover "{count} is too many"\n  then nobody wins',
    ],
)
def test_a_state_is_read_by_a_property_a_variant_or_a_message(tmp_path: Path, use: str) -> None:
    text = BEADS.replace("state of the hand", "state of the hand\n  count: number = 0")
    text = text.replace("then stage := give", "then stage := give\n  then count := count + 1")
    assert notes(tmp_path, text) == [("W001", "count")]
    assert notes(tmp_path, f"{text}\n{use}\n") == []


@pytest.mark.parametrize(
    ("state", "read", "setter"),
    [
        ("rounds: number = 0", "rounds > 3", "rounds := rounds + 1"),
        ("late: yes or no = no", "late", "late := yes"),
        ("pace: one of slow, quick = slow", "pace = slow", "pace := quick"),
        ("claimer: seat or none = none", "claimer is none", "claimer := p"),
        ("claimer: seat or none", "claimer is none", "claimer := p"),
        ("thrown: tiles = {}", "thrown is empty", "thrown := thrown + {tile}"),
        ("each player's lots: number = 0", "p's lots > 3", "p's lots := 1"),
    ],
)
def test_a_state_that_nothing_sets_is_noted(tmp_path: Path, state: str, read: str, setter: str) -> None:
    name = state.removeprefix("each player's ").split(":")[0]
    text = BEADS.replace("state of the hand", f"state of the hand\n  {state}")
    text = text.replace("  place: tile in bowl", f'  asked: {read} "no"\n  place: tile in bowl')
    assert notes(tmp_path, text) == [("W001", name)]
    assert notes(tmp_path, text.replace("then stage := give", f"then stage := give\n  then {setter}")) == []
    variant = f'\nvariant more "more"\n  add draw.more: {setter}\n'
    assert notes(tmp_path, text + variant) == []


@pytest.mark.parametrize(
    ("key", "clause", "found"),
    [
        ("red: number", "then nobody wins", [("W001", "red")]),
        ("red: number", "then when red = 1: nobody wins", [("W001", "red")]),
        ("red: number", "red: red in {1 to 6}", []),
        ("red: number from 1 to 6", "then when red = 1: nobody wins", []),
        ("to: seat", "then mover := to", []),
        ("what: yes or no", "then when what: nobody wins", []),
        ("bead: tile", "then move bead from p's hand to bowl", []),
        ("beads: tiles", "then for each b in beads: move b from p's hand to bowl", []),
        ("bead: tile", "then when bead = 1b: nobody wins", [("W001", "bead")]),
        ("pair: {a, b}", "held: pair in p's hand", []),
    ],
)
def test_keys_are_asked_about(tmp_path: Path, key: str, clause: str, found: list[tuple[str, str]]) -> None:
    action = f'\naction look({key}) by p "look"\n  turn: p = mover\n  {clause}\n'
    assert notes(tmp_path, BEADS + action) == found


def test_a_word_of_a_choice_may_have_the_name_of_its_key(tmp_path: Path) -> None:
    action = """
action look(long: one of long, short) by p "look"
  turn: p = mover and (long = long or size of p's hand = 2)
  then nobody wins
"""
    assert notes(tmp_path, BEADS + action) == []


def test_an_end_may_get_its_condition_from_a_variant(tmp_path: Path) -> None:
    text = BEADS[: BEADS.index("\nend\n")] + "\nend\n"
    if "payout" in BEADS:
        text += BEADS[BEADS.index("\npayout") :]
    assert ("W006", "end") in notes(tmp_path, text)
    assert ("W006", "end") not in notes(tmp_path, text + '\nvariant due "due"\n  add end.due: over\n')
