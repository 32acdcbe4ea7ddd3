"""The values of a hand that states some of them.

Input: a score, and the values that are stated.
Output: these, with the usual value of each that is left out.
Guarantee: they are in the order of the score. A value that is worked out from one which is missing is missing too.

    hand: tiles, odd: number = number of t in hand: t in odds        of the hand 1 2 3, which states no `odd`, it is 2
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from golpae.ir.ruleset import ScoreDecl
from golpae.ir.traverse import free
from golpae.replay.machine import Machine


def with_usual(machine: Machine, score: ScoreDecl, stated: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values that are stated, and the usual ones of the others."""
    names: dict[str, Any] = {}
    for param in score.params:
        if param.name in stated:
            names[param.name] = stated[param.name]
        elif param.initial is not None:
            read = free(param.initial)
            if read <= names.keys():
                own = {name: value for name, value in names.items() if name in read}
                names[param.name] = machine.value(param.initial, machine.first_state, own)
        elif param.optional:
            names[param.name] = None
    return names
