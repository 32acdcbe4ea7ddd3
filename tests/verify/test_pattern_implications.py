"""Patterns that imply others: the printed matrix, and counterexamples to the text."""

from __future__ import annotations

from golpae.elaborate.instance import instantiate
from golpae.prove.answer import Pattern
from golpae.report.paint import unpainted
from golpae.report.proofs_table import details, table
from golpae.verify.options import Settings
from golpae.verify.properties import properties_of
from golpae.verify.result import PropertyResult
from golpae.verify.verifier import Verifier
from tests.prove.probe import SCORE, rule_set

LAST = "  pattern none-at-all 5: size of twins = 3\n"


def found(*brings: str) -> PropertyResult:
    said = "".join(f"  {line}\n" for line in brings)
    rules = rule_set(SCORE.replace(LAST, LAST + said))
    verifier = Verifier(instantiate(rules, 2, {}), Settings())
    [wanted] = [p for p in properties_of(rules) if p.name == "worth-brings"]
    return verifier.verify(wanted)


def test_the_matrix_lists_patterns_in_the_order_of_the_text() -> None:
    proved = found("red brings some-red")
    assert proved.verdict == "proved"
    assert proved.story == "1 of 12 pairs; never: none-at-all"
    assert proved.patterns == (
        Pattern("red", False, ("some-red",), ("blue",)),
        Pattern("some-red", False, (), ("blue",)),
        Pattern("blue", False, (), ("red", "some-red")),
        Pattern("own", False, (), ()),
        Pattern("none-at-all", True, (), ()),
    )
    lines = details([proved], unpainted, {}, 100)
    begin = lines.index("  what each pattern always brings, and what it excludes:")
    assert lines[begin + 1 : begin + 6] == [
        "    red: brings some-red; excludes blue",
        "    some-red: excludes blue",
        "    blue: excludes red, some-red",
        "    own: brings and excludes none",
        "    none-at-all: never",
    ]
    assert proved.record()["patterns"][0] == {
        "name": "red",
        "never": False,
        "brings": ("some-red",),
        "excludes": ("blue",),
    }


def test_a_stated_implication_that_fails_is_shown_by_a_hand() -> None:
    refuted = found("red brings some-red", "some-red brings red", "own brings blue")
    assert refuted.verdict == "refuted"
    assert refuted.story == "some-red does not bring red; own does not bring blue"
    first, second = refuted.wrong
    for wrong, has, lacks in ((first, "some-red", "red"), (second, "own", "blue")):
        values = dict(wrong.values)
        assert has in values["patterns"].split()
        assert lacks not in values["patterns"].split()
        assert len(values["hand"].split()) == 4
    shown = [
        line for line in table([refuted], unpainted, {}, 200) if "does not bring red, shown by: " in line
    ]
    assert shown == [f"  {first.said}, shown by: {', '.join(f'{n} = {v}' for n, v in first.values)}"]


def test_an_implication_missing_from_the_text_is_named() -> None:
    refuted = found("own brings blue")
    assert [w.said for w in refuted.wrong] == ["red also brings some-red", "own does not bring blue"]
    assert refuted.wrong[0].values == ()
