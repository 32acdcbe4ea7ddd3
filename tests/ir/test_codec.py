"""Rule sets as plain data: what was written is read, and what is no rule set is refused."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from golpae.elaborate.check import elaborate
from golpae.elaborate.instance import instantiate
from golpae.ir import expr as ir
from golpae.ir.codec import Damaged, decode, encode
from golpae.ir.ruleset import EffectClause
from golpae.ir.types import BOOL
from golpae.replay.machine import Machine

RULES = ["jjak", "jjak+ten-rounds", "ho-hpai", "three-dozen", "korean-mahjong"]


@pytest.mark.parametrize("rules", RULES)
def test_what_was_written_is_read(rules: str) -> None:
    rule_set = elaborate(rules)
    assert decode(encode(rule_set)) == rule_set


@pytest.mark.parametrize(
    "data", [b"", b"[]", b"{}", b"[", b"[[]]", b"[7]", b'[["Int", 1]]', b'[["os"]]', b"\xff", b"[" * 9999]
)
def test_what_is_no_rule_set_is_refused(data: bytes) -> None:
    with pytest.raises(Damaged):
        decode(data)


def test_only_names_get_into_the_code_that_is_made_of_a_rule_set() -> None:
    data = encode(elaborate("jjak"))
    poisoned = data.replace(b'"pair"', b'"pair(S)):\\n import os #"')
    assert poisoned != data
    with pytest.raises(ValueError, match="no name"):
        Machine(instantiate(decode(poisoned), 2, {}))


def test_an_empty_field_that_was_added_later_is_no_part_of_the_meaning() -> None:
    yes, over = ir.Const(True, BOOL), ir.Win(None)
    without, having = ir.When(yes, (over,)), ir.When(yes, (over,), (over,))
    one, other = (
        replace(elaborate("jjak"), payout=(EffectClause("then", (effect,), ()),))
        for effect in (without, having)
    )
    lines = [
        [line for line in json.loads(encode(rules, only_meaning=True)) if line[0] == "When"][-1]
        for rules in (one, other)
    ]
    assert [len(line) for line in lines] == [3, 4]
    assert decode(encode(one)) == one
