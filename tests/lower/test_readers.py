"""Effects are taken apart by class only where rules are made and lowered; everything else reads statements."""

from __future__ import annotations

import ast
from typing import get_args

from golpae.ir import expr as ir
from tests import closed

EFFECTS = {effect.__name__ for effect in get_args(ir.Effect)} | {"MeldPlace"}
MAKERS = ("elaborate", "ir", "lower")
# what rewrites or bounds the effects themselves, and is no reader of what they do
OF_FORM = {
    "families/switched.py": {
        "SetState",
        "Move",
        "When",
        "ForEach",
    },  # compares effects of two settings, in pairs
    "verify/families/by_chance.py": {"SetState", "When"},  # adds an effect to a rule set
    "replay/citing.py": {"Ensure"},  # which tiles the words of a question name
    "verify/privacy/flow.py": {"Ensure"},  # what a refusal of a question tells a player
    "verify/privacy/view.py": {"Ensure"},  # the words of such a refusal
    "replay/explain.py": {"Ensure"},  # the words in which a question is put
    "replay/codegen/length.py": {"ForEach"},  # counts the rounds of effects as they are written
}


def test_nothing_but_what_makes_rules_and_lowers_them_takes_effects_apart() -> None:
    found: dict[str, set[str]] = {}
    for file, module in closed.modules():
        place = file.relative_to(closed.PACKAGE)
        if place.parts[0] in MAKERS:
            continue
        for node in ast.walk(module):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "ir":
                if node.attr in EFFECTS:
                    found.setdefault(place.as_posix(), set()).add(node.attr)
            elif isinstance(node, ast.ImportFrom) and node.module == "golpae.ir.expr":
                names = {alias.name for alias in node.names} & EFFECTS
                if names:
                    found.setdefault(place.as_posix(), set()).update(names)
    assert found == OF_FORM, "read statements (`lower.effects.statements_of`, `lower.walk`)"
