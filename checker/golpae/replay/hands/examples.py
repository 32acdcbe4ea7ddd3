"""Values that a hand may give to the keys that it lacks, for advice.

Input: a score, and the keys of a hand that are given.
Output: for each missing key a value as a call writes it, or `...`.
Guarantee: the values meet every condition on what is given together that reads no other key.

    top: tile, with `even: top in evens`        top=2
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, assert_never

from golpae.ir.ruleset import ParamDecl, ScoreDecl
from golpae.ir.types import Bag, Bool, Choice, Each, Int, Meld, NoneType, Opt, Patterns, Points, Seat, Tile
from golpae.replay.codegen.events import decoder
from golpae.replay.decode import Bad
from golpae.replay.hands.stated import broken
from golpae.replay.hands.usual import with_usual
from golpae.replay.machine import Machine

UNKNOWN = "..."
MOST_NUMBERS = 100  # of a key that are tried, from 0


def examples(
    machine: Machine, score: ScoreDecl, given: Mapping[str, Any], missing: Sequence[ParamDecl]
) -> dict[str, str]:
    """Return a value for each key of `missing`, as a call writes it; `...` if none is known that fits the others."""
    names = _known(machine, score, given)
    written = {}
    for param in missing:
        written[param.name] = UNKNOWN
        for value in _values(machine, param):
            chosen = {**names, param.name: _decoded(machine, param, value)}
            if broken(machine, score, chosen) is None:
                names, written[param.name] = chosen, value if isinstance(value, str) else json.dumps(value)
                break
    return written


def _known(machine: Machine, score: ScoreDecl, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return each key that has a value, given or by default, and this value."""
    read = {p.name: _decoded(machine, p, given[p.name]) for p in score.params if p.name in given}
    return with_usual(machine, score, {name: v for name, v in read.items() if not isinstance(v, Bad)})


def _decoded(machine: Machine, param: ParamDecl, value: Any) -> Any:
    return machine.reader.decode(decoder(param.type), param.name, value)


def _values(machine: Machine, param: ParamDecl) -> Iterable[Any]:
    """Return values that a key may have, as JSON; none if they are not short."""
    match param.type:
        case Choice(words):
            return words
        case Tile():
            return (kind.name for kind in machine.instance.kinds if kind.copies)
        case Bool():
            return (True, False)
        case Int():
            return _from_one(range(MOST_NUMBERS))  # the bounds of a key are not checked
        case Seat():
            return _from_one(range(machine.instance.players))
        case Bag() | Each() | Opt() | Meld() | Patterns() | NoneType() | Points():
            return ()
        case _:
            assert_never(param.type)


def _from_one(numbers: range) -> list[int]:
    """Return numbers, with 1 in front: 0 often stands for nothing."""
    return sorted(numbers, key=lambda number: number != 1)
