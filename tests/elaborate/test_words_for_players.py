"""How places look on pages, and how events are told (docs/language.md): they decide nothing, and faults are told."""

from __future__ import annotations

import pytest

from golpae.compare.text.diff import compare_texts
from golpae.diagnostics import SpecError, Text
from golpae.elaborate.check import check
from golpae.elaborate.load import load_text
from golpae.elaborate.resolve import resolve
from golpae.ir.codec import decode, encode
from golpae.ir.ruleset import RuleSet
from golpae.syntax.format import format_text
from golpae.syntax.parse import parse
from tests.elaborate.tile_sets import GAME, rules

COINS = "coins: two of each 1c 2c"
GIVE = """
action give(tile, optional to: seat) by p "give a tile away"
  told as "gives {tile}[ to {to}]"
  held: tile in p's hand "{p} does not hold {tile}"
"""


def test_a_rule_set_has_the_words_of_its_text() -> None:
    found = rules(COINS, GIVE)
    assert [action.told for action in found.actions if action.name == "give"] == ["gives {tile}[ to {to}]"]
    assert [action.told for action in decode(encode(found)).actions if action.name == "give"] == [
        "gives {tile}[ to {to}]"
    ]


def test_looks_and_words_are_no_other_rules() -> None:
    text = GAME.format(tiles=f"  {COINS}", more=GIVE)
    zone = next(line for line in text.splitlines() if "seen by" in line and "holds the set" not in line)
    other = text.replace(zone, f"{zone}, shown as pile").replace(
        "gives {tile}[ to {to}]", "hands over {tile}"
    )
    formatted = format_text(parse(Text("g.golpae", other)))
    assert formatted == format_text(parse(Text("g.golpae", formatted)))
    assert "shown as pile" in formatted
    assert '  told as "hands over {tile}"' in formatted
    one, changed = (resolve("g", load_text(lines)) for lines in (text, other))
    differences = compare_texts(one, changed).differences
    assert len(differences) == 2
    assert not any(difference.counts for difference in differences)


@pytest.mark.parametrize(
    ("right", "wrong", "message", "advice"),
    [
        ("{tile}[", "{title}[", "`give` has no key `title`", "did you mean `tile`?"),
        (
            "  told as",
            '  told as "gives"\n  told as',
            "an event is told in one way",
            "leave one of the two lines out",
        ),
    ],
)
def test_words_that_name_nothing_are_a_fault(right: str, wrong: str, message: str, advice: str) -> None:
    with pytest.raises(SpecError) as fault:
        rules(COINS, GIVE.replace(right, wrong))
    [found] = fault.value.diagnostics
    assert (found.message, found.help) == (message, advice)


OTHER = """
variant loud "other words"
  replace aim "Give everything away."                                     [000]
  add give note "it is loud"
  replace give told as "shouts {tile}"
  replace give "give a tile away, and shout"
  replace give.held "{p} has no {tile} to shout about"

variant soft "more words"
  add aim "Be quiet."
  replace give told as "whispers {tile}"
"""
SOURCE = """
source 000 "a source"
"""


def _worded(switches: str) -> RuleSet:
    text = GAME.format(tiles=f"  {COINS}", more=GIVE + SOURCE + OTHER)
    formatted = format_text(parse(Text("g.golpae", text)))
    assert parse(Text("g.golpae", formatted)) == parse(Text("g.golpae", text))
    loaded = load_text(text)
    return check(resolve(f"{loaded.game.name.text}{switches}", loaded))


def test_a_variant_says_things_in_other_words() -> None:
    plain, found = _worded(""), _worded("+loud")
    give = next(action for action in found.actions if action.name == "give")
    assert [(note.text, note.ids) for note in found.aim] == [("Give everything away.", ("000",))]
    assert [note.text for note in give.notes] == ["it is loud"]
    assert (give.told, give.title) == ("shouts {tile}", "give a tile away, and shout")
    [held] = [condition for condition in give.of_text if condition.name == "held"]
    assert [part for part in held.message if isinstance(part, str)] == [" has no ", " to shout about"]
    assert plain.aim == ()


def test_the_later_words_of_two_variants_stand() -> None:
    found = _worded("+loud+soft")
    give = next(action for action in found.actions if action.name == "give")
    assert [note.text for note in found.aim] == ["Give everything away.", "Be quiet."]
    assert give.told == "whispers {tile}"


def test_a_pattern_keeps_its_words_if_another_hand_has_it() -> None:
    score = """
shape twins(a, b): a = b
arrangement all: 1 twins

score worth(hand: tiles)
  hand: hand
  as: all
  total: sum
  pattern plain 1: yes "any hand"

variant odd "another hand"
  replace worth.plain: hand is not empty

variant named "other words"
  replace worth.plain "every hand"

variant both "another hand, in other words"
  replace worth.plain: hand is not empty "a hand with tiles"
"""
    loaded = load_text(GAME.format(tiles=f"  {COINS}", more=score))

    def words(switch: str) -> str | None:
        found = check(resolve(f"{loaded.game.name.text}{switch}", loaded))
        return found.scores[0].patterns[0].words

    assert [words(s) for s in ("", "+odd", "+named", "+both")] == [
        "any hand",
        "any hand",
        "every hand",
        "a hand with tiles",
    ]


def test_a_look_that_there_is_not_is_a_fault() -> None:
    text = GAME.format(tiles=f"  {COINS}", more="")
    zone = next(line for line in text.splitlines() if "seen by" in line and "holds the set" not in line)
    assert "there is no way to show a zone as `piles`" in _fault(
        text.replace(zone, f"{zone}, shown as piles")
    )


def _fault(text: str) -> str:
    with pytest.raises(SpecError) as fault:
        check(resolve("g", load_text(text)))
    return "\n".join(found.message for found in fault.value.diagnostics)
