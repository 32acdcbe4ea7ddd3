"""Words of the host in Python that recorded games rarely need."""

from __future__ import annotations

from typing import Any

from tests.build.hosts import python_host

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
    assert words.names == ["An Bo", "seat 1", "x" * 60, "Cho"]
