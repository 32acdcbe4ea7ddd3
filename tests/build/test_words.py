"""What the host in Python does that recorded games rarely need."""

from __future__ import annotations

import json
from typing import Any

import pytest

from golpae.build.module import build
from golpae.bundled import spec_dir
from golpae.elaborate.instance import instantiate
from golpae.kernel.language.host import available
from golpae.rule_names import named, named_rule_set
from tests.build.hosts import python_host
from tests.committed import TOP

KEY = {
    "name": "patterns",
    "type": "patterns",
    "optional": True,
    "of_text": True,
    "tiles": 0,
    "ordered": False,
}
TEMPLATES: dict[str, Any] = {
    "tiles": [],
    "zones": [],
    "actions": [
        {"name": "count", "kind": "play", "by": False, "keys": [KEY], "conditions": [], "not_open": {}}
    ],
}


def test_patterns_of_a_line_are_said_in_its_order() -> None:
    words = python_host().Words(TEMPLATES, ["An"])
    condition = {"name": "same", "message": ["not ", {"value": "patterns", "key": "patterns"}]}
    line = {"do": "count", "patterns": {"b": 1, "a": 2}}
    assert words.message(line, condition, [{"a": 2, "b": 1}], {}) == "not b 1, a 2"


def test_names_of_players_are_printed_on_one_line() -> None:
    words = python_host().Words(TEMPLATES, ["An\nBo", "\x1b", "x" * 99, "\u202eCho"])
    assert words.names == ["An Bo", "seat 1", "x" * 60 + "…", "Cho"]


@pytest.mark.skipif(not available(), reason="modules do not run here")
def test_the_host_in_python_checks_the_games_of_a_file() -> None:
    rule_set = named_rule_set(named("jjak", (spec_dir(),)))
    host = python_host()
    rules = host.Rules(build(instantiate(rule_set, 3, {})).wasm)
    header = {"golpae": 1, "rules": "jjak", "players": ["An", "Bo", "Cho"]}
    deal = {"do": "deal", "first": 0, "hands": []}
    lines = [{**header, "players": ["An", "Bo"]}, deal, header, deal, deal, header, {"do": "deel"}]
    assert [*host.check(rules, ["", *map(json.dumps, lines)])] == [
        (2, "not played at this table"),
        (4, "illegal at line 5: 0 hands are dealt to 3 players"),
        (7, "malformed at line 8: `jjak` has no action `deel`; did you mean `deal`?"),
    ]
    file = TOP / "traces" / "three-dozen" / "base.jsonl"
    assert [said for _, said in host.check(rules, file.read_text("utf-8").splitlines())] == [
        "not played at this table"
    ] * sum(line.startswith('{"golpae"') for line in file.read_text("utf-8").splitlines())


@pytest.mark.skipif(not available(), reason="modules do not run here")
def test_a_pattern_that_no_score_has_is_left_to_golpae() -> None:
    rule_set = named_rule_set(named("korean-mahjong", (spec_dir(),)))
    match = python_host().Rules(build(instantiate(rule_set, 4, {})).wasm).match([*"ABCD"])
    line = {"do": "win", "by": 0, "tile": "1m", "from": None, "points": 1}
    for name in ("no-such", "\ud800"):
        assert match.apply({**line, "patterns": {name: 1}})["verdict"] == "referred"
    assert match.apply({**line, "patterns": {"all-pungs": 1}})["clause"] == "korean-mahjong.win.open"
