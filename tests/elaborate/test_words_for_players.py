"""How places look on pages, and how events are told (docs/language.md): they decide nothing, and faults are told."""

from __future__ import annotations

import pytest

from golpae.compare.text.diff import compare_texts
from golpae.diagnostics import SpecError, Text
from golpae.elaborate.load import load_text
from golpae.elaborate.resolve import resolve
from golpae.ir.codec import decode, encode
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


def test_a_look_that_there_is_not_is_a_fault() -> None:
    text = GAME.format(tiles=f"  {COINS}", more="")
    zone = next(line for line in text.splitlines() if "seen by" in line and "holds the set" not in line)
    assert "there is no way to show a zone as `piles`" in _fault(
        text.replace(zone, f"{zone}, shown as piles")
    )


def _fault(text: str) -> str:
    from golpae.elaborate.check import check

    with pytest.raises(SpecError) as fault:
        check(resolve("g", load_text(text)))
    return "\n".join(found.message for found in fault.value.diagnostics)
