"""Kinds of value, cases, orders and rounding: one event in replay and in the prover."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.prove.encoding.steps import assert_alike_throughout
from tests.prove.shared import both_of

TEXTS = Path(__file__).parents[2] / "kernel" / "texts"


@pytest.mark.parametrize("unknown", [False, True])
@pytest.mark.parametrize("name", ["kinds-of-value", "orders-and-rounding"])
def test_an_event_changes_a_state_as_in_replay(name: str, unknown: bool) -> None:
    text = (TEXTS / f"{name}.golpae").read_text(encoding="utf-8")
    legal, illegal = assert_alike_throughout(both_of(text, 2), random.Random(3), 4, 2, unknown=unknown)
    assert legal > 5
    assert illegal > 5
