"""What a pattern brings is a list: switches add to it, one may take the list of the text out, and both go together."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest

from golpae.diagnostics import SpecError
from golpae.elaborate.check import elaborate
from tests.odds import ODDS

TEXT = (
    ODDS
    + """
shape twins(a, b): a = b
arrangement one-twin: 1 twins

score worth
  given
    hand: tiles
  hand: hand
  as: one-twin
  total: unimplied
  pattern low 1: yes
  pattern middle 2: yes
  pattern high 3: yes
  pattern top 4: yes
  top brings low

variant added "top brings middle too"
  add worth.top-brings: middle

variant out "top brings nothing that the text says"
  drop worth.top-brings

variant more "top and high bring more"
  add worth.top-brings: high, middle
  add worth.high-brings: low

variant other "top brings another pattern"
  replace worth.top-brings: high
"""
)


def brought(folder: Path, *switches: str) -> dict[str, set[str]]:
    (folder / "odds.golpae").write_text(TEXT, encoding="utf-8")
    (score,) = elaborate("+".join(["odds", *switches]), [folder]).scores
    return {line.pattern: set(line.brought) for line in score.brings}


@pytest.mark.parametrize(
    ("switches", "expected"),
    [
        ((), {"top": {"low"}}),
        (("added",), {"top": {"low", "middle"}}),
        (("out",), {}),
        (("added", "out"), {"top": {"middle"}}),
        (("added", "more"), {"top": {"low", "middle", "high"}, "high": {"low"}}),
        (("out", "more"), {"top": {"middle", "high"}, "high": {"low"}}),
        (("added", "out", "more"), {"top": {"middle", "high"}, "high": {"low"}}),
    ],
)
def test_lists_of_what_a_pattern_brings_combine_in_any_order(
    switches: tuple[str, ...], expected: dict[str, set[str]], tmp_path: Path
) -> None:
    for order in permutations(switches):
        assert brought(tmp_path, *order) == expected


@pytest.mark.parametrize("switch", ["added", "out", "more"])
def test_another_list_in_its_place_clashes(switch: str, tmp_path: Path) -> None:
    with pytest.raises(SpecError) as fault:
        brought(tmp_path, switch, "other")
    assert {d.code for d in fault.value.diagnostics} == {"R003"}
