"""Clauses that no stated property depends on are named, and only those."""

from __future__ import annotations

from pathlib import Path

import pytest

from golpae.elaborate.check import elaborate
from golpae.lint.cone_of_influence import COUNTED, HAPPENS, PAID, clauses_outside_cone
from tests.lint.beads import BEADS, notes_on, words

# A player may look, which no rule reads, and a score counts the kept beads.
MORE = BEADS.replace(
    "  mover: seat\n", "  mover: seat\n  looks: number = 0\n  each player's best: number = 0\n"
).replace(
    "end\n",
    """action look by p "look"
  turn: p = mover "no"
  then looks := looks + 1

shape two(a, b): a = b
arrangement twins: 1 two

score worth(hand: tiles)
  hand: hand
  as: twins
  total: sum
  pattern low 1: every t in hand: t's size < 4
  pattern high 2, extra: every t in hand: t's size > 3

payout
  won: when winner is not none: winner scores 3

end
""",
)
KEPT = "always two-kept: every p in players: size of p's kept <= 2\n"


def found(tmp_path: Path, *lines: str, text: str = MORE) -> dict[str, str]:
    (tmp_path / "beads.golpae").write_text(text + "\n" + "\n".join(lines) + "\n", encoding="utf-8")
    return clauses_outside_cone(elaborate("beads", [tmp_path]))


def test_a_text_without_properties_gets_no_notes(tmp_path: Path) -> None:
    assert found(tmp_path) == {}


def test_clauses_outside_every_cone_are_named(tmp_path: Path) -> None:
    assert found(tmp_path, KEPT) == {
        "look": HAPPENS,
        "payout.won": PAID,
        "worth.low": COUNTED,
        "worth.high": COUNTED,
    }


def test_the_cone_of_a_theorem_holds_only_what_it_reads(tmp_path: Path) -> None:
    paths = found(tmp_path, "theorem twelve: size of tiles = 12").keys()
    assert paths == {
        "draw",
        "keep",
        "discard",
        "look",
        "deal",
        "end",
        "payout.won",
        "worth.low",
        "worth.high",
    }


@pytest.mark.parametrize(
    ("property_", "rest"),
    [
        ("always few-looks: looks <= 9", {"payout.won", "worth.low", "worth.high"}),
        ("always paid: (sum of p's total for p in players) >= 0", {"look", "worth.low", "worth.high"}),
        (
            "theorem one: some h of 2 in tiles: worth(h) = 1",
            {"draw", "keep", "discard", "look", "deal", "end"},
        ),
        ("claim low: some way of worth: low", {"look", "payout.won", "worth.high"}),
        ("claim eligible: every way of worth: eligible <= 1", {"look", "payout.won", "worth.high"}),
        ("claim points: every way of worth: points <= 3", {"look", "payout.won"}),
        ("ends soon: 20 - looks", {"payout.won", "worth.low", "worth.high"}),
        ("always looked after look: p = mover", {"look.then", "payout.won", "worth.low", "worth.high"}),
    ],
)
def test_the_cone_of_a_property_holds_what_it_reads_and_what_writes_it(
    tmp_path: Path, property_: str, rest: set[str]
) -> None:
    with_moves = [property_] if property_.startswith("theorem one") else [property_, KEPT]
    paths = set(found(tmp_path, *with_moves))
    assert paths - {"payout.won"} == rest - {"payout.won"}
    assert ("payout.won" in paths) == ("paid" not in property_)


def test_an_effect_is_named_with_the_state_that_nothing_reads(tmp_path: Path) -> None:
    text = BEADS.replace("  mover: seat\n", "  mover: seat\n  last: tile or none = none\n")
    text = text.replace("  then stage := take\n", "  then stage := take\n  then last := tile\n")
    assert found(tmp_path, KEPT, text=text) == {
        "discard.then": "no property depends on what it does to `last`"
    }
    read = text.replace('  place: tile in bowl "no"', '  place: tile in bowl and tile /= last "no"')
    assert found(tmp_path, KEPT, text=read) == {}


def test_lint_points_to_the_clause_outside_of_the_cone(tmp_path: Path) -> None:
    text = BEADS.replace("  mover: seat\n", "  mover: seat\n  last: tile or none = none\n")
    text = text.replace("  then stage := take\n", "  then stage := take\n  then last := tile\n")
    [note] = words(notes_on(tmp_path, f"{text}\n{KEPT}"))
    assert note == ("discard", "no property depends on what it does to `last`")
    named = text.replace("  then last := tile\n", "  then noted: last := tile\n")
    [note] = words(notes_on(tmp_path, f"{named}\n{KEPT}"))
    assert note == ("noted", "no property depends on what it does to `last`")


@pytest.mark.corpus
@pytest.mark.parametrize("game", ["three-dozen", "ho-hpai", "korean-mahjong"])
def test_every_clause_of_a_bundled_game_matters_to_a_property(game: str) -> None:
    rule_sets = [game, *(f"{game}+{switch.name}" for switch in elaborate(game).switches)]
    assert {rules: notes for rules in rule_sets if (notes := clauses_outside_cone(elaborate(rules)))} == {}
