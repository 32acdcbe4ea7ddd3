"""What the prover does not support is named with its file, line and words, in every form of the output."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree as Tree

import pytest

from tests.cli.conftest import Golpae

pytestmark = pytest.mark.solver

QUICKLY = ("--effort", "0.1")  # games that could refute a property are looked for as well

TEXT = """game many "Many of them"

players 2 to 2

tiles
  coins: four of each "{size}c" for size in 1 to 9

zones
  stall: tiles seen by nobody, holds the set
  heap: tiles seen by everyone
  each player's hand: tiles seen by its owner

state of the hand
  mover: seat
  few: number = 0

define twins: number of h of 2 in heap: every s, t in h: s = t

deal from stall
  hands: 5 for everyone
  then mover := first

action put(tile) by p "put"
  turn: p = mover "not yours"
  held: tile in p's hand "not held"
  then move tile from p's hand to heap
  then few := DO

end
  due: over "not over"

payout
  each: mover scores 0

always low: few <= 400
always other: size of heap <= 9 or mover = mover
always own: 1000 >= number of h of 3 in heap: every s, t in h: s = t
"""


def places(golpae: Golpae, here: Path, effect: str) -> dict[str, dict[str, object] | None]:
    """Return what the JSON output says about the clause that is not supported, by property."""
    (here / "many.golpae").write_text(TEXT.replace("DO", effect), encoding="utf-8")
    document = json.loads(golpae("prove", "many.golpae", "--format", "json", *QUICKLY).out)
    return {f["name"]: f["unsupported"] for f in document["findings"]}


def test_the_clause_is_named_with_its_place(golpae: Golpae, here: Path) -> None:
    found = places(golpae, here, "number of h of 2 in heap: every s, t in h: s = t")
    words = "then few := number of h of 2 in heap: every s, t in h: s = t"
    assert found["low"] == {"clause": "put.then 2", "file": "many.golpae", "line": 27, "words": words}
    words = "always own: 1000 >= number of h of 3 in heap: every s, t ..."
    assert found["own"] == {"clause": "property own", "file": "many.golpae", "line": 37, "words": words}
    assert found["other"] is None
    assert found["tiles-are-kept"] is None


def test_a_definition_is_named_itself(golpae: Golpae, here: Path) -> None:
    found = places(golpae, here, "twins")
    assert found["low"] is not None
    assert (found["low"]["clause"], found["low"]["line"]) == ("twins", 17)


def test_text_and_junit_name_it(golpae: Golpae, here: Path) -> None:
    (here / "many.golpae").write_text(TEXT.replace("DO", "twins"), encoding="utf-8")
    call = ("prove", "many.golpae", "low", *QUICKLY)
    line = "at: many.golpae:17: define twins: number of h of 2 in heap:"
    assert line in golpae(*call).out
    document = Tree.fromstring(golpae(*call, "--format", "junit").out)
    assert [line in (f.text or "") for f in document.iter("failure")] == [True]
