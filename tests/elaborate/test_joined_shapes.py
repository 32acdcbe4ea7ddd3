"""A switch changes which shapes a union joins."""

from __future__ import annotations

from pathlib import Path

import pytest

from golpae.elaborate.cache import elaborate_cached
from tests.families.stalls import STALLS

TEXT = f"""{STALLS}
shape big(a): a = 2c
shape either: light or big

variant fuller "another shape is joined"
  replace either.big: light-too

variant whole "the union is another one"
  replace either: light-too or big

variant less "one shape is left out"
  drop either.light

shape light-too(a): a = 1c
"""


@pytest.mark.parametrize(
    ("rules", "joined"),
    [
        ("stalls", ("light", "big")),
        ("stalls+fuller", ("light", "light-too")),
        ("stalls+whole", ("light-too", "big")),
        ("stalls+fuller+less", ("light-too",)),
    ],
)
def test_a_shape_that_a_union_joins_is_replaced_or_dropped(
    rules: str, joined: tuple[str, ...], tmp_path: Path
) -> None:
    (tmp_path / "stalls.golpae").write_text(TEXT, encoding="utf-8")
    (either,) = (s for s in elaborate_cached(rules, [tmp_path]).shapes if s.name == "either")
    assert either.union == joined


def test_an_arrangement_may_be_another_one_alone(tmp_path: Path) -> None:
    more = "\narrangement single-stall: 1 either\narrangement whole-hand: single-stall\n"
    (tmp_path / "stalls.golpae").write_text(TEXT + more, encoding="utf-8")
    rule_set = elaborate_cached("stalls", [tmp_path])
    assert rule_set.arrangements[-1].union == ("single-stall",)
