"""A refuted property says which part of it fails, and the values on both sides."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree as Tree

import pytest

from tests.cli.conftest import Golpae, cache, golpae, here
from tests.verify.refuted import STATED, TEXT, named

__all__ = ["cache", "golpae", "here"]
pytestmark = pytest.mark.solver


def test_a_refuted_property_says_what_fails(golpae: Golpae, here: Path) -> None:
    names = {f"p{number}": stated for number, stated in enumerate(STATED)}
    properties = "".join(named(stated, name) + "\n" for name, stated in names.items())
    (here / "why.golpae").write_text(TEXT + properties, encoding="utf-8")
    done = golpae("prove", "why.golpae", "--no-cache", "--format", "json")
    assert done.status == 1, done.err
    found = {one["name"]: one for one in json.loads(done.out)["findings"] if one["name"] in names}
    assert {one["verdict"] for one in found.values()} == {"refuted"}
    assert {names[name]: one["story"] for name, one in found.items()} == STATED


def test_every_form_of_the_answer_says_what_fails(golpae: Golpae, here: Path) -> None:
    stated = next(stated for stated in STATED if "(number of" in stated)
    (here / "why.golpae").write_text(TEXT + stated + "\n", encoding="utf-8")
    call = ("prove", "why.golpae", "p", "--no-cache", "--format")
    assert f"how: {STATED[stated]}" in " ".join(golpae(*call, "table").out.split())
    root = Tree.fromstring(golpae(*call, "junit").out)
    [failure] = root.iter("failure")
    assert STATED[stated] in str(failure.get("message")) + str(failure.text)
    assert STATED[stated] in golpae(*call, "markdown").out


def test_what_takes_too_long_is_left_out(golpae: Golpae, here: Path) -> None:
    text = TEXT.replace("for rank in 1 to 4", "for rank in 1 to 60").replace("4 of 4 kinds", "60 of 60 kinds")
    stated = "theorem p: every a, b in tiles: a's rank + b's rank < 119 or a = b\n"
    (here / "why.golpae").write_text(f"{text}\n{stated}", encoding="utf-8")
    done = golpae("prove", "why.golpae", "p", "--no-cache")
    assert done.status == 1
    assert "how: a = t59, b = t60\n" in done.out
