"""States that differ in one part alone: whether golpae can tell them apart.

Input: states of some games at one table, with the states of the text that have a value in each. Output: findings and
counts. Guarantee: a state with a zone, a state of the text, the winner or the totals of another one is the same state
for replay, and has the same key, only if the judge has the same state for both.
"""

from __future__ import annotations

import random
from collections import Counter

from golpae.replay.machine import Machine
from golpae.replay.machine import State as Replayed
from golpae.replay.state_layout import TOTAL, WORD_SLOTS, StateKey, same_state, var_slot, zone_slot
from tests.differential.against_judge import Say
from tests.differential.values import as_judged
from tests.judge.state import Slot
from tests.judge.table import Table
from tests.judge.values import Map, Value

PAIRS = 8  # of states of a table that are mixed
Met = tuple[Replayed, Map[Slot, Value]]  # a state, and the judge's values of the states of the text


def check_mixed(
    machine: Machine, table: Table, met: list[Met], rng: random.Random, say: Say, counts: Counter[str]
) -> None:
    """Give a state each part of another one, and compare it with what it was."""
    rules = machine.rules
    written = table.rules  # without the states that golpae writes words out with
    slots = [zone_slot(z.name) for z in written.zones]
    slots += [*(var_slot(v.name) for v in written.vars), "winners", TOTAL]
    key = StateKey(rules, (*WORD_SLOTS, "total"))
    for _ in range(PAIRS if len(met) > 1 else 0):
        (one, mine), (other, theirs) = rng.sample(met, 2)
        known = Map.of({slot: value for slot, value in mine.items if slot in theirs.as_dict()})
        judged, own = as_judged(machine, table, one, known), key(one)
        for slot in slots:
            mixed = machine.copy(one)
            setattr(mixed, slot, getattr(machine.copy(other), slot))
            is_same = as_judged(machine, table, mixed, known) == judged
            counts["mixed states compared"] += 1
            if same_state(mixed, one) and not is_same:
                say("same-state", f"states with another {slot} count as the same", [])
            if (key(mixed) == own) is not is_same and not _is_unset(slot, mine, theirs):
                say("state-key", f"{slot}: the keys are {'the same' if not is_same else 'others'}", [])


def _is_unset(slot: str, mine: Map[Slot, Value], theirs: Map[Slot, Value]) -> bool:
    """Return whether a slot is that of a state of the text without a value in one of two states."""
    slots = [set(values.as_dict()) for values in (mine, theirs)]  # one of each player may have none by itself
    return any(slot == var_slot(name) for name, _ in slots[0] ^ slots[1])
