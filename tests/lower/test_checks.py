"""Conditions as checks: `golden/checks` has an action for each file, and what it checks and does."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from golpae.elaborate.check import elaborate
from golpae.ir import expr as ir
from golpae.ir.ruleset import RuleSet
from golpae.lower import checks
from golpae.lower.text import check_lines
from tests.lower.golden_text import LOWERS, lowered_text
from tests.prove.meanings import game, rule_set_of

GOLDEN = Path(__file__).parent / "golden" / "checks"
CASES = sorted(GOLDEN.glob("*.txt"))


def rules_of(written: str) -> RuleSet:
    """Return the rules of a text that has this action, or this block of every game."""
    word, _, body = written.partition(" " if written.startswith("action") else "\n")
    if word == "deal":
        return rule_set_of(game(deal=body))
    if word == "end":
        return rule_set_of(game(end=f"\n{written}\n"))
    return rule_set_of(game(actions=f"\n{written}\n"))


def block_of(written: str) -> str:
    """Return the name of the action that a golden file is about."""
    return written.removeprefix("action ").split("(")[0].split()[0]


def text_of(rules: RuleSet, block: str) -> str:
    """Return what an action checks and does, as text."""
    action = rules.action(block)
    assert action is not None
    return "".join(f"{line}\n" for line in check_lines(checks.checks(action))) + lowered_text(rules, block)


@pytest.mark.parametrize("path", CASES, ids=[path.stem for path in CASES])
def test_conditions_lower_to_these_checks(path: Path, renew: bool) -> None:
    written, _, expected = path.read_text(encoding="utf-8").partition(LOWERS)
    found = text_of(rules_of(written.strip("\n")), block_of(written))
    if renew:
        path.write_text(f"{written.strip()}\n{LOWERS}{found}", encoding="utf-8")
        return
    assert found == expected


def test_the_golden_files_have_every_test_and_every_condition_of_every_game() -> None:
    told = "".join(path.read_text(encoding="utf-8").partition(LOWERS)[2] for path in CASES)
    words = {
        checks.AtStage: ": at stage ",
        checks.Holds: ": (",
        checks.HandSizes: ": hands of ",
        checks.Amounts: " as ",
        checks.Settled: ": with the totals that are left, ",
    }
    assert set(words) == set(get_args(checks.Test))
    assert [word for word in words.values() if word not in told] == []
    assert [kind for kind in ir.IMPLICIT if f".{kind}: " not in told] == []


@pytest.mark.parametrize("name", ["jjak", "ho-hpai", "three-dozen", "korean-mahjong"])
def test_each_condition_has_its_check(name: str) -> None:
    for action in elaborate(name).actions:
        made = checks.checks(action)
        assert [check.path for check in made] == [f"{action.name}.{c.name}" for c in action.conditions]
        own = [check.test for c, check in zip(action.conditions, made, strict=True) if c in action.of_text]
        assert own == [checks.Holds(c.expr) for c in action.of_text]
        assert len(own) < len(made)
        assert not any(isinstance(e, ir.Implicit) for check in made for e in checks.asked_in(check.test))


def test_only_lists_that_a_check_tells_apart_are_tried_in_orders() -> None:
    apart = 'action act(tiles: {a, b}) by p "test"\n  turn: p = mover\n  one: a = 1c\n  two: b = 2c\n'
    alike = apart.replace("a = 1c", "1c in {a, b}").replace("b = 2c", "2c in {a, b}")
    found = [checks.orders_of(action) for text in (apart, alike) if (action := rules_of(text).action("act"))]
    assert [[p.name for p in orders.tried] for orders in found] == [["tiles"], []]
    assert [orders.alike for orders in found] == [3, 6]  # `open`, `tiles` and `turn`; and all
