"""Effects as statements: `golden` has a text of effects for each file, and the statements that they lower to."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

from golpae.elaborate.check import elaborate
from golpae.lower import statements as st
from golpae.lower import walk
from golpae.lower.effects import lowered
from tests.lower.effects_alone import rules_of
from tests.lower.golden_text import LOWERS, lowered_text

GOLDEN = Path(__file__).parent / "golden"
CASES = sorted(GOLDEN.glob("*.txt"))


@pytest.mark.parametrize("path", CASES, ids=[path.stem for path in CASES])
def test_effects_lower_to_these_statements(path: Path, renew: bool) -> None:
    written, _, expected = path.read_text(encoding="utf-8").partition(LOWERS)
    block = "payout" if written.startswith("payout") else "act"
    found = lowered_text(rules_of(written.strip("\n")), block)
    if renew:
        path.write_text(f"{written.strip()}\n{LOWERS}{found}", encoding="utf-8")
        return
    assert found == expected


def test_the_golden_files_have_every_statement() -> None:
    told = "".join(path.read_text(encoding="utf-8").partition(LOWERS)[2] for path in CASES)
    words = {
        st.Let: "let ", st.Take: "  take ", st.TakeAll: "take all", st.Put: "  put ", st.MoveRow: "move row",
        st.MoveMelds: "move melds", st.NewMeld: "new meld", st.TakeMeld: "take meld", st.PutMeld: "put meld",
        st.AddToMeld: " to meld ", st.TakeFromMeld: " from meld ", st.Set: "set ", st.Credit: "credit ",
        st.Over: "over, ", st.Shuffle: "shuffle ", st.Cut: "cut ", st.Arrange: "arrange ", st.Rotate: "rotate ",
        st.Branch: "branch ", st.Loop: "loop ", st.Ensure: "ensure ",
    }  # fmt: skip
    assert set(words) == set(get_args(st.Statement))
    assert [word for word in words.values() if word not in told] == []


@pytest.mark.parametrize("name", ["jjak", "ho-hpai", "three-dozen", "korean-mahjong"])
def test_each_game_lowers_and_each_branch_has_its_own_path(name: str) -> None:
    rules = elaborate(name)
    for action in rules.actions:
        clauses = lowered(rules, action.name, action.effects)
        assert len(clauses) == len(action.effects)
        paths = [s.path for c in clauses for s in walk.flat(c.statements) if isinstance(s, st.Branch)]
        assert len(paths) == len(set(paths))
        assert all(re.match(rf"{action.name}\.", path) for path in paths)
