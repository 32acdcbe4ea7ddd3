"""`if stated, ...` is the question about a key that a trace may leave out, and nothing else."""

from __future__ import annotations

import pytest

from golpae.diagnostics import SpecError
from tests.prove.meanings import game, rule_set_of

KEYS = "optional depth: number, optional side: seat, optional depths: each player's number"


def peek(line: str, parts: str = "") -> str:
    """Return a text with an action that has these keys and this condition."""
    return game(actions=f"{parts}\naction peek({KEYS}) by p\n  depth: depth /= 9\n  {line}\n", players=3)


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ('deep: if stated, depth < 4 "no"', 'deep: depth is none or depth < 4 "no"'),
        ("deep: if stated, depth = 1 or depth = 2", "deep: depth is none or (depth = 1 or depth = 2)"),
        (
            'deep: if stated, side /= p and depth > 1 "{side}"',
            'deep: depth is none or side is none or (side /= p and depth > 1) "{side}"',
        ),
        (
            "deep: if stated, some side in players: side = p or depth = 1",
            "deep: depth is none or some side in players: side = p or depth = 1",
        ),
        (
            "deep: if stated, every q in players: q's depths > 1",
            "deep: depths is none or (every q in players: q's depths > 1)",
        ),
    ],
)
def test_the_question_is_asked_if_all_its_keys_are_there(short: str, long: str) -> None:
    assert rule_set_of(peek(short)).actions == rule_set_of(peek(long)).actions


def test_names_for_values_and_groups_are_looked_through() -> None:
    named = peek("where half is depth otherwise 0\n  deep: if stated, half < 4")
    with pytest.raises(SpecError):
        rule_set_of(peek("deep: if stated, p /= mover"))
    assert (
        rule_set_of(named).actions
        == rule_set_of(peek("deep: depth is none or (depth otherwise 0) < 4")).actions
    )
    group = 'conditions at-most(n: number, of: number or none)\n  most: if stated, of /= n "{of}"\n'
    used = rule_set_of(peek("requires at-most(3, depth)", group))
    peeks = used.action("peek")
    assert peeks is not None
    assert [condition.name for condition in peeks.conditions] == ["open", "depths", "depth", "most"]
