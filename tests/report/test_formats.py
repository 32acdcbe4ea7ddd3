"""Findings for programs: one JSON document, and JUnit XML."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import fields
from xml.etree import ElementTree as Tree

from golpae.prove.answer import Witness
from golpae.report.ci.junit import junit as junit_of_run
from golpae.report.ci.places import TextPlaces
from golpae.report.ci.proofs import proofs
from golpae.report.proofs_detail import Again
from golpae.report.proofs_json import document
from golpae.verify.result import PropertyResult
from tests.verify.made_up import GAME, finding

FOUND = [
    finding(),
    finding("refuted", name="claimed", expected="refuted", witness=Witness((), GAME)),
    finding("refuted", name="stays", players=3, story="a <game> & \x00\ud800 \x1b[2J"),
    finding("unknown", name="ends", rules="put+more"),
    finding(name="spoken", rules="put+more", checked="no answer to 1 question"),
]


def junit(results: Sequence[PropertyResult], again: Again, disagreements: Sequence[str] = ()) -> str:
    return junit_of_run(proofs(results, again, 1, TextPlaces(()), {}, disagreements))


def test_json_has_every_field_in_order() -> None:
    text = document(FOUND, {}, 1, ["about this"], False)
    found = json.loads(text)
    assert list(found) == ["golpae", "status", "interrupted", "disagreements", "findings"]
    assert (found["status"], found["disagreements"]) == (1, ["about this"])
    names = [f.name for f in fields(PropertyResult)]
    assert all(list(record) == [*names, "standing", "again"] for record in found["findings"])
    assert [r["standing"] for r in found["findings"]] == [
        "as expected",
        "as expected",
        "not as expected",
        "undecided",
        "as expected",
    ]
    assert found["findings"][1]["witness"]["events"] == list(GAME)
    assert text.isascii()


def test_junit_has_a_failure_for_each_result_that_is_not_as_expected() -> None:
    root = Tree.fromstring(junit(FOUND, {}))
    assert {k: root.attrib[k] for k in ("tests", "failures", "errors")} == {
        "tests": "5",
        "failures": "3",
        "errors": "0",
    }
    suites = root.findall("testsuite")
    assert [(s.attrib["name"], s.attrib["tests"], s.attrib["failures"]) for s in suites] == [
        ("put", "3", "1"),
        ("put+more", "2", "2"),
    ]
    failed = [case.attrib["name"] for case in root.iter("testcase") if case.find("failure") is not None]
    assert failed == ["stays (3 players)", "ends (2 players)", "spoken (2 players)"]
    assert not list(root.iter("skipped"))
    [failure] = suites[0].iter("failure")
    assert failure.attrib["type"] == "refuted"
    assert "a <game> &" in failure.attrib["message"]
    assert "again: golpae prove put stays --players 3" in (failure.text or "")


def test_junit_has_a_failure_for_solvers_that_disagree() -> None:
    root = Tree.fromstring(junit([finding()], {}, ["about this"]))
    assert (root.attrib["tests"], root.attrib["failures"]) == ("2", "1")
    assert [f.attrib["type"] for f in root.iter("failure")] == ["disagreement"]


def test_junit_is_whole_and_visible_whatever_the_names_are() -> None:
    odd = "x]]>\x00\x1b[2J\u202e\u200b\u2028\x85\ud800\ufffe\"<y a='b'>&amp;<!--"
    found = [
        finding("refuted", name=odd, rules=odd, story=odd, after=odd, vacuous=odd, fault=odd),
        finding(name=odd, rules=odd, story=odd),
    ]
    text = junit(found, {}, [odd])
    assert text.replace("\n", "").isprintable()
    root = Tree.fromstring(text)
    assert [case.tag for case in root.iter()].count("testcase") == 2  # `meaningful` leaves one of two out
    [name] = {case.attrib["classname"] for case in root.iter("testcase")} - {"solvers"}
    assert name.split() == ["x]]>", "[2J", '"<y', "a='b'>&amp;<!--"]
